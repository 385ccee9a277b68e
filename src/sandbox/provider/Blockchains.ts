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
import * as Schema from "effect/Schema"
import { v4Routes } from "../../data/v4Routes.js"
import * as Api from "../api/Blockchains.js"
import { invalid, missing } from "../api/Refusal.js"
import type { Nodes } from "../Nodes.js"
import { spelled } from "../nodes/addresses.js"
import type { Store } from "../Store.js"
import {
  addressOf,
  headOf,
  type Index,
  index,
  type Metadata,
  nativeOf,
  type Place,
  placeOf,
  said
} from "./Data.js"
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

/** A block as nodes of EVM networks have it: quantities are hexadecimal. */
const NodeBlock = Schema.Struct({
  hash: Schema.String,
  number: Schema.String,
  parentHash: Schema.String,
  timestamp: Schema.String,
  gasUsed: Schema.String,
  gasLimit: Schema.String,
  miner: Schema.String,
  size: Schema.String,
  difficulty: Schema.String,
  baseFeePerGas: Schema.optional(Schema.String),
  transactions: Schema.Array(Schema.Unknown)
})
const isNodeBlock = Schema.is(NodeBlock)

/** A block of an EVM network: by a height in hexadecimal digits, or by a hash. */
const block = (
  index: Index,
  query: typeof Api.ChainQuery.Type,
  method: "eth_getBlockByNumber" | "eth_getBlockByHash",
  id: string
) =>
  Effect.gen(function* () {
    const { network, rpc } = yield* placeOf(index, query, "evm")
    const found = yield* rpc(method, [id, true])
    if (!isNodeBlock(found))
      return yield* Effect.fail(missing("block.not.found", `${network} has no block ${id}`))
    const { baseFeePerGas, difficulty, gasLimit, gasUsed, number, size, timestamp, ...rest } = found
    return {
      ...rest,
      number: Number(number),
      timestamp: Number(timestamp),
      gasUsed: Number(gasUsed),
      gasLimit: Number(gasLimit),
      size: Number(size),
      difficulty: String(BigInt(difficulty)),
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: String(BigInt(baseFeePerGas)) })
    }
  })

const blockAt = (index: Index, query: typeof Api.BlockQuery.Type) =>
  Number.isSafeInteger(query.blockNumber) && query.blockNumber >= 0
    ? block(index, query, "eth_getBlockByNumber", `0x${query.blockNumber.toString(16)}`)
    : Effect.fail(
        invalid("validation.failed", "Request validation failed.", [
          "blockNumber must be a whole number from 0"
        ])
      )

const blockOf = (index: Index, query: typeof Api.HashQuery.Type) =>
  /^0x[0-9a-fA-F]{64}$/.test(query.hash)
    ? block(index, query, "eth_getBlockByHash", query.hash)
    : Effect.fail(
        invalid("validation.failed", "Request validation failed.", [
          "hash must be 0x and 64 hexadecimal digits"
        ])
      )

const transactionCount = (index: Index, query: typeof Api.AccountQuery.Type) =>
  Effect.gen(function* () {
    const { rpc } = yield* placeOf(index, query, "evm")
    const address = yield* addressOf("evm", "address", query.address)
    return { count: Number(yield* rpc("eth_getTransactionCount", [address, "latest"])) }
  })

const rateOf = ({ basePair, symbol }: typeof Api.SymbolQuery.Type, time: number, seed: string, at: string) =>
  Either.map(rate({ currency: symbol, basePair }, time, seed, at), ({ _id, ...found }) => found)

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
        .handle("block", ({ urlParams }) => said(blockAt(index, urlParams)))
        .handle("blockByHash", ({ urlParams }) => said(blockOf(index, urlParams)))
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
