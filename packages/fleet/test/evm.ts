/** What tests of durable EVM transactions have in common: an account of anvil, and what the chain says of it. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { Sdk } from "effect-chains"
import * as Evm from "effect-chains/effect/signers/Evm"
import type * as EvmTransactions from "../src/EvmTransactions.js"

/** The mnemonic of anvil's own accounts. */
export const mnemonic = "test test test test test test test test test test test junk"
export const network = "ethereum-mainnet"
/** The first account of it. */
export const from = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
export const to = "0x000000000000000000000000000000000000bEEF"

export const withoutLogs = Logger.remove(Logger.defaultLogger)

class Client extends Sdk.Tag("fleet-tests", network)<Client>() {}
class Payer extends Context.Tag("fleet-tests/Payer")<Payer, Evm.EvmSigner>() {}

type Options = NonNullable<Parameters<typeof Client.layer>[0]>

/** What a process shares of its nodes with others. */
export type SharedOptions = Pick<Options, "health" | "quota">

/** How a process calls its nodes. */
export type CallOptions = Pick<Options, "attemptTimeout" | "selection">

/** The accounts of a process over nodes. */
export const accounts = (
  urls: ReadonlyArray<string>,
  index = 0,
  sharing: Effect.Effect<SharedOptions & CallOptions, unknown, Scope.Scope> = Effect.succeed({})
) => {
  const client = Layer.unwrapScoped(
    Effect.map(sharing, (shared) =>
      Client.layer({ rpc: { nodes: urls.map((url) => ({ url })) }, quiet: true, ...shared })
    )
  )
  const payer = Evm.layer(Payer, Client, { mnemonic: Redacted.make(mnemonic), index })
  return {
    accounts: Effect.all([Client, Payer]).pipe(
      Effect.map(([made, signer]): ReadonlyArray<EvmTransactions.EvmAccount> => [{ client: made, signer }])
    ),
    layer: Layer.provideMerge(payer, client).pipe(Layer.provide(NodeHttpClient.layerUndici), Layer.orDie)
  }
}

/** An order under a key of its own, whose amount tells the key. */
export const makeOrder = (i: number): EvmTransactions.Order => ({
  key: `k${i}`,
  network,
  from,
  payment: { to, amount: BigInt(i + 1) }
})

/** What a node answers, asked without any client. */
export const ask = async <A>(url: string, method: string, ...params: ReadonlyArray<unknown>): Promise<A> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const answer: { readonly result?: A; readonly error?: unknown } = await response.json()
  // of nodes of Bitcoin's kind each answer has both, one of them null
  if (answer.result === undefined || (answer.error ?? null) !== null)
    throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
  return answer.result
}

interface Mined {
  readonly from: string
  readonly to: string | null
  readonly nonce: string
  readonly value: string
  readonly hash: string
}

/** All transactions of an account that are in the chain, in their order. */
export const listMined = async (url: string, address = from): Promise<ReadonlyArray<Mined>> => {
  const height = Number(await ask<string>(url, "eth_blockNumber"))
  const blocks = await Promise.all(
    Array.from({ length: height + 1 }, (_, i) =>
      ask<{ readonly transactions: ReadonlyArray<Mined> }>(
        url,
        "eth_getBlockByNumber",
        `0x${i.toString(16)}`,
        true
      )
    )
  )
  return blocks
    .flatMap(({ transactions: all }) => all)
    .filter((each) => each.from.toLowerCase() === address.toLowerCase())
}
