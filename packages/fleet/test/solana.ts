/** What tests of durable payments of Solana have in common: their accounts, a front of Surfpool, and what the chain says. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Sdk } from "effect-chains"
import * as Solana from "effect-chains/effect/signers/Solana"
import * as SolanaSweeps from "../src/SolanaSweeps.js"
import * as SolanaTransactions from "../src/SolanaTransactions.js"
import { ask, type CallOptions } from "./evm.js"

export const mnemonic = "test test test test test test test test test test test junk"
export const network = "solana-devnet"

class Client extends Sdk.Tag("fleet-tests/Solana", network)<Client>() {}
class Payer extends Context.Tag("fleet-tests/SolanaPayer")<Payer, Solana.SolanaSigner>() {}

/** One node or several. */
type Urls = string | ReadonlyArray<string>

const makeAccount = (urls: Urls, calling: CallOptions = {}) => {
  const nodes = [urls].flat().map((url) => ({ url }))
  const client = Client.layer({ rpc: { nodes }, quiet: true, ...calling })
  return Layer.provideMerge(Solana.layer(Payer, Client, { mnemonic: Redacted.make(mnemonic) }), client).pipe(
    Layer.provide(NodeHttpClient.layerUndici),
    Layer.orDie
  )
}

/** The address that pays. */
export const readPayer = (url: string): Promise<string> =>
  Effect.runPromise(
    Effect.provide(
      Effect.map(Payer, ({ address }) => address),
      makeAccount(url)
    )
  )

/** Durable payments over a node; `changed` takes the place of what they are signed with. */
export const transactions = (
  url: Urls,
  changed: (signer: Solana.SolanaSigner) => Partial<Solana.SolanaSigner> = () => ({}),
  calling: CallOptions = {},
  rules: SolanaTransactions.WithPolicy = {}
) =>
  SolanaTransactions.layer(
    Effect.map(Effect.all([Client, Payer]), ([client, signer]) => [
      { client, ...rules, signer: { ...signer, ...changed(signer) } }
    ]),
    { pollingInterval: "100 millis", suspendAfter: "2 seconds" }
  ).pipe(Layer.provide(makeAccount(url, calling)))

/** The payer, and so many addresses of orders with keys of the same words. */
const readAccounts = (count: number) =>
  Effect.flatMap(Effect.all([Client, Payer]), ([client, signer]) =>
    Effect.map(
      Effect.forEach([...Array(count).keys()], (index) =>
        Solana.make(client, { mnemonic: Redacted.make(mnemonic), index: index + 1 })
      ),
      (orders) => [signer, ...orders].map((each) => ({ client, signer: each }))
    )
  )

/** The addresses of these orders. */
export const readAddresses = (url: string, count: number): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(
    readAccounts(count).pipe(
      Effect.map(([, ...orders]) => orders.map(({ signer: { address } }) => address)),
      Effect.provide(makeAccount(url))
    )
  )

/** Durable sweeps of so many addresses, whose gas the payer pays, and their transactions. */
export const sweeps = (url: string, count: number) => {
  const timing = { pollingInterval: "100 millis", suspendAfter: "20 seconds" } as const
  const own = Effect.orDie(readAccounts(count))
  return SolanaSweeps.layer(own, timing).pipe(
    Layer.provideMerge(SolanaTransactions.layer(own, timing)),
    Layer.provide(makeAccount(url))
  )
}

/** How often an address got something, and how much it has: each payment is a transaction of its own. */
export const readReceived = async (url: string, address: string) => {
  const { value } = await ask<{ value: number }>(url, "getBalance", address, { commitment: "confirmed" })
  const found = await ask<ReadonlyArray<{ err: unknown; signature: string }>>(
    url,
    "getSignaturesForAddress",
    address,
    { commitment: "confirmed" }
  )
  return {
    lamports: value,
    signatures: found.filter(({ err }) => err === null).map((each) => each.signature)
  }
}
