/**
 * Chains as such over their nodes, and rates of the table of prices in the form of today's data API.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import { v4Routes } from "../../data/v4Routes.js"
import * as Api from "../api/Blockchains.js"
import { type Invalid, invalid, type Unavailable, unavailable } from "../api/Refusal.js"
import type { Nodes } from "../Nodes.js"
import { spelled } from "../nodes/addresses.js"
import { SandboxError } from "../SandboxError.js"
import type { Store } from "../Store.js"
import { addressOf, headOf, type Index, index, type Metadata, nativeOf, type Place, placeOf } from "./Data.js"
import { rate, refuse } from "./Rate.js"

/** Nodes that are asked at a time. */
const CALLS = 8

const balanceOn = (index: Index, place: Place, address: string) =>
  Effect.flatMap(
    addressOf(index.nodes.runs(place.network), "address", spelled(place.network, address)),
    (spelt) => nativeOf(index, place, spelt)
  )

const balance = (index: Index, query: typeof Api.AccountQuery.Type) =>
  Effect.flatMap(placeOf(index, query, "evm", "utxo", "solana"), (place) =>
    Effect.map(balanceOn(index, place, query.address), (found) => ({ balance: found }))
  )

const balanceBatch = (index: Index, query: typeof Api.AccountsQuery.Type) => {
  const addresses = query.addresses.split(",")
  const { most } = v4Routes.balanceBatch
  if (addresses.length > most)
    return Effect.fail(
      invalid("validation.failed", "Request validation failed.", [
        `addresses must have at most ${most} addresses`
      ])
    )
  return Effect.flatMap(placeOf(index, query, "evm", "utxo", "solana"), (place) =>
    Effect.forEach(
      addresses,
      (address) => Effect.map(balanceOn(index, place, address), (found) => ({ address, balance: found })),
      { concurrency: CALLS }
    )
  )
}

const currentBlock = (index: Index, query: typeof Api.ChainQuery.Type) =>
  Effect.flatMap(placeOf(index, query, "evm", "utxo"), ({ network }) =>
    Effect.map(
      index.use((open) => headOf(open, network)),
      (blockNumber) => ({ blockNumber })
    )
  )

const transactionCount = (index: Index, query: typeof Api.AccountQuery.Type) =>
  Effect.gen(function* () {
    const { rpc } = yield* placeOf(index, query, "evm")
    const address = yield* addressOf("evm", "address", query.address)
    return { count: Number(yield* rpc("eth_getTransactionCount", [address, "latest"])) }
  })

const rateOf = ({ basePair, symbol }: typeof Api.SymbolQuery.Type, time: number, seed: string, at: string) =>
  Either.map(rate({ currency: symbol, basePair }, time, seed, at), ({ _id, ...found }) => found)

const said = <A, R>(
  effect: Effect.Effect<A, Invalid | SandboxError, R>
): Effect.Effect<A, Invalid | Unavailable, R> =>
  Effect.mapError(effect, (error) => (error instanceof SandboxError ? unavailable(error.message) : error))

const api = HttpApi.make("provider").add(Api.group)

/**
 * Chains as such: balances, heights and counts are those of the nodes, rates those of the table of prices at the time of the clock.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  seed: string
): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "blockchains">, never, Metadata | Nodes | Store> =>
  HttpApiBuilder.group(api, "blockchains", (handlers) =>
    Effect.map(index, (index) =>
      handlers
        .handle("balance", ({ urlParams }) => said(balance(index, urlParams)))
        .handle("balanceBatch", ({ urlParams }) => said(balanceBatch(index, urlParams)))
        .handle("currentBlock", ({ urlParams }) => said(currentBlock(index, urlParams)))
        .handle("transactionCount", ({ urlParams }) => said(transactionCount(index, urlParams)))
        .handle("rateBySymbol", ({ urlParams }) =>
          Effect.flatMap(Clock.currentTimeMillis, (time) =>
            Either.match(rateOf(urlParams, time, seed, ""), {
              onLeft: refuse,
              onRight: (found) => Effect.succeed({ id: urlParams.symbol, ...found })
            })
          )
        )
        .handle("rateBySymbolBatch", ({ payload }) =>
          Effect.flatMap(Clock.currentTimeMillis, (time) =>
            Effect.forEach(payload, ({ batchId, ...asked }, i) =>
              Either.match(rateOf(asked, time, seed, `${i}.`), {
                onLeft: refuse,
                onRight: (found) => Effect.succeed({ batchId, symbol: asked.symbol, ...found })
              })
            )
          )
        )
    )
  )
