/** What tests of durable payments of Bitcoin's kind have in common: an account of Litecoin Core, and what the chain says of it. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { address as addresses } from "bitcoinjs-lib"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Sdk } from "effect-chains"
import * as Bitcoin from "effect-chains/effect/signers/Bitcoin"
import * as BitcoinTransactions from "../src/BitcoinTransactions.js"
import { ask } from "./evm.js"

const mnemonic = `${"abandon ".repeat(11)}about`
export const network = "litecoin-testnet"

class Client extends Sdk.Tag("fleet-tests/Litecoin", network)<Client>() {}
class Payer extends Context.Tag("fleet-tests/LitecoinPayer")<Payer, Bitcoin.BitcoinSigner>() {}

/** On the regression test network the same program has another name than on the network whose client asks it. */
export const renamed = (address: string): string => {
  const { data, version } = addresses.fromBech32(address)
  return addresses.toBech32(data, version, "rltc")
}

/** An address that nobody has used. */
export const anyone = (number: number): string =>
  addresses.toBech32(new Uint8Array(20).fill(number), 0, "tltc")

interface Unspent {
  readonly txid: string
  readonly vout: number
  readonly amount: number
}

/** The outputs of an address in blocks, as the node finds them among all. */
export const unspent = async (url: string, address: string): Promise<ReadonlyArray<Unspent>> => {
  for (let left = 20; ; left--) {
    try {
      const scan = [`addr(${renamed(address)})`]
      return (await ask<{ unspents: ReadonlyArray<Unspent> }>(url, "scantxoutset", "start", scan)).unspents
    } catch (error) {
      // it looks through its outputs for one caller at a time
      if (left === 0 || !String(error).includes("Scan already in progress")) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export const amountAt = async (url: string, address: string): Promise<number> =>
  Math.round((await unspent(url, address)).reduce((sum, { amount }) => sum + amount, 0) * 1e8)

const placed = (url: string, index: number) => {
  const client = Client.layer({ rpc: { nodes: [{ url }] }, quiet: true })
  const utxos: Bitcoin.FindUtxos = async (address) =>
    (await unspent(url, address)).map(({ amount, txid, vout }) => ({ txid, vout, amount: amount.toFixed(8) }))
  return Layer.provideMerge(
    Bitcoin.layer(Payer, Client, { mnemonic: Redacted.make(mnemonic), index, utxos }),
    client
  ).pipe(Layer.provide(NodeHttpClient.layerUndici), Layer.orDie)
}

/** The address that pays: each number is another one. */
export const payer = (url: string, index = 0): Promise<string> =>
  Effect.runPromise(
    Effect.provide(
      Effect.map(Payer, ({ address }) => address),
      placed(url, index)
    )
  )

/** Durable payments over a node. */
export const transactions = (url: string, index = 0, policy: Partial<BitcoinTransactions.Policy> = {}) =>
  BitcoinTransactions.layer(
    Effect.map(Effect.all([Client, Payer]), ([client, signer]) => [{ client, signer }]),
    { poll: "100 millis", attention: "2 seconds", ...policy }
  ).pipe(Layer.provide(placed(url, index)))
