/** A node of Bitcoin Cash for signers: what it is sent is verified by libauth's virtual machine. */
import { createHash } from "node:crypto"
import {
  cashAddressToLockingBytecode,
  createVirtualMachineBCH,
  decodeTransactionBCH,
  hexToBin,
  type Output,
  type TransactionBCH
} from "@bitauth/libauth"
import * as Effect from "effect/Effect"
import { RpcError } from "../../src/data/SdkError.js"
import type { BitcoinCalls, Utxo } from "../../src/signers/Bitcoin.js"

/** The address of the test mnemonic. */
export const own = "bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6"

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")
export const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

export const scriptOf = (address: string): Uint8Array => {
  const found = cashAddressToLockingBytecode(address)
  if (typeof found === "string") throw new Error(found)
  return found.bytecode
}

export const vm = createVirtualMachineBCH(true)

const refused = (reason: string) =>
  Effect.fail(
    new RpcError({ url: "http://node", method: "sendrawtransaction", code: -26, rpcMessage: reason })
  )

export interface Coin extends Utxo {
  readonly amount: bigint
  readonly tokenData?: object
}

/** A node of Bitcoin Cash that takes what libauth's virtual machine takes. Its list tells nothing of tokens. */
export const makeNode = (coins: ReadonlyArray<Coin>, script = scriptOf(own)) => {
  const sent: Array<string> = []
  const raws: Array<string> = []
  const coinOf = (txid: string, vout: number) =>
    coins.find((coin) => coin.txid === txid && coin.vout === vout)
  const outputsOf = (transaction: TransactionBCH): ReadonlyArray<Output> =>
    transaction.inputs.map(({ outpointIndex, outpointTransactionHash }) => {
      const coin = coinOf(hex(outpointTransactionHash), outpointIndex)
      if (coin === undefined) throw new Error("it spends what is not there")
      const token = { amount: 5n, category: new Uint8Array(32).fill(7) }
      return {
        lockingBytecode: script,
        valueSatoshis: coin.amount,
        ...(coin.tokenData === undefined ? {} : { token })
      }
    })
  const rpc: BitcoinCalls = {
    estimateSmartFee: () => refused("Method not found"),
    getMempoolInfo: () => Effect.succeed({ mempoolminfee: 0.00001, minrelaytxfee: 0.00001 }),
    getMempoolEntry: () => refused("Transaction not in mempool"),
    getNetworkInfo: () => Effect.succeed({ incrementalfee: 0.00001 }),
    getRawTransaction: (txid) => (sent.includes(txid) ? Effect.succeed("") : refused("no such transaction")),
    getTxOut: (txid, vout) => {
      const coin = coinOf(txid, vout)
      return Effect.succeed(
        coin === undefined
          ? null
          : {
              confirmations: 3,
              coinbase: false,
              value: Number(coin.amount) / 1e8,
              scriptPubKey: { hex: hex(script) },
              ...(coin.tokenData === undefined ? {} : { tokenData: coin.tokenData })
            }
      )
    },
    sendRawTransaction: (raw) => {
      const transaction = decodeTransactionBCH(hexToBin(raw))
      if (typeof transaction === "string") return refused(transaction)
      const verdict = vm.verify({ sourceOutputs: [...outputsOf(transaction)], transaction })
      if (verdict !== true) return refused(verdict)
      const txid = hex(sha256(sha256(hexToBin(raw))).reverse())
      sent.push(txid)
      raws.push(raw)
      return Effect.succeed(txid)
    },
    waitForTransaction: () => Effect.void
  }
  const client = { network: "bitcoin-cash-mainnet", rpc } as const
  return {
    client,
    sent,
    raws,
    outputsOf,
    utxos: () => coins.map(({ amount, txid, vout }) => ({ amount, txid, vout }))
  }
}

export const coin = (at: number, amount: bigint, tokenData?: object): Coin => ({
  txid: sha256(Buffer.from(String(at))).toString("hex"),
  vout: at % 3,
  amount,
  ...(tokenData === undefined ? {} : { tokenData })
})
