/** Typical members as a program has them: test/types.test.ts holds what an editor shows for each, on both versions of Effect. Nothing runs it. */
import * as Changes from "../../src/balancer/Changes.js"
import * as Sdk from "../../src/client/Sdk.js"
import * as CallOptions from "../../src/config/CallOptions.js"
import type { EvmSigner } from "../../src/signers/Evm.js"

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

declare const sdk: Sdk.Sdk<"ethereum-mainnet">
declare const bitcoin: Sdk.Sdk<"bitcoin-mainnet">
declare const signer: EvmSigner

export const getBalance = sdk.rpc.getBalance
export const balance = sdk.rpc.getBalance("0x0")
export const balanceInTime = balance.pipe(CallOptions.with({ timeout: "1 second" }))
export const agreedBalance = balance.pipe(CallOptions.with({ quorum: { nodes: 2, agree: 2 } }))
export const freshBalance = balance.pipe(CallOptions.with({ minBlock: 1n }))
export const sendRawTransaction = sdk.rpc.sendRawTransaction
export const rawBatch = sdk.rpc.rawBatchRpcCall
export const getCurrentRate = sdk.rates.getCurrentRate
export const balances = sdk.address.getBalance({ address: "0x0" })
export const bitcoinBalances = bitcoin.address.getBalance({ address: "b" })
export const history = sdk.address.getTransactions({ address: "0x0" })
export const newHeads = sdk.rpc.subscribe.newHeads()
export const prepare = signer.prepare
export const send = signer.send
export const submit = signer.submit
export const client = Sdk.make({ network: "ethereum-mainnet" })
export const layer = Eth.layer()
export const layerEnv = Eth.layerEnv()
export const changes = Changes.changes(Eth)
