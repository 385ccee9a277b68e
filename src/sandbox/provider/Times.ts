/**
 * Blocks and balances at an earlier time. The store finds the block. Balances come from the nodes of EVM networks, and
 * from the store's outputs on chains of Bitcoin's kind.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Units from "../../data/Units.js"
import { v4Routes } from "../../data/v4Routes.js"
import { makeMissing } from "../api/Refusal.js"
import * as Api from "../api/Times.js"
import { decodeAnswer } from "../indexer/decodeAnswer.js"
import { decodeInteger } from "../indexer/Tokens.js"
import type { Nodes } from "../Nodes.js"
import { toNodeAddress } from "../nodes/addresses.js"
import type { Store, Transaction } from "../Store.js"
import {
  type DataSources,
  loadSources,
  type Metadata,
  type NetworkPlace,
  parseAddress,
  refuseFailures
} from "./Data.js"
import * as Holdings from "./data/Holdings.js"
import * as Describe from "./data/TokenMetadata.js"
import { failInvalid, findServedPlace } from "./Served.js"

/** Numbers below this are seconds. */
const FIRST_MILLISECONDS = 100_000_000_000

/**
 * A query's time in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toMillis = (time: number): number => (time < FIRST_MILLISECONDS ? time * 1_000 : time)

const Row = Schema.Struct({ block: Schema.Number, time: Schema.Number, hash: Schema.String })

/** The newest block that is not later than a time (milliseconds since 1970). */
const findBlockAt = ({ all }: Transaction, network: string, time: number): typeof Row.Type | undefined =>
  all(
    Row,
    "SELECT block, time, hash FROM blocks WHERE network = ? AND time <= ? ORDER BY block DESC LIMIT 1",
    network,
    time
  )[0]

const readBlockAt = (index: DataSources, query: typeof Api.BlockAtQuery.Type) =>
  Effect.gen(function* () {
    const { chain, network } = yield* findServedPlace(index, v4Routes.blockAtTime, query, "evm", "utxo")
    const found = yield* index.transact((open) => findBlockAt(open, network, toMillis(query.timestamp)))
    return found === undefined
      ? yield* Effect.fail(makeMissing("block.not.found", `${network} had no block at ${query.timestamp}`))
      : { chain, blockNumber: found.block, blockTimestamp: found.time, hash: found.hash }
  })

const Amounts = Schema.Struct({ amount: Schema.String })

/** An address's coins on a chain of Bitcoin's kind after a block, in the smallest unit. */
const findCoinsAt = ({ all }: Transaction, network: string, address: string, block: number): bigint =>
  all(
    Amounts,
    "SELECT amount FROM outputs WHERE network = ? AND address = ? AND block <= ? AND (spent IS NULL OR spent > ?)",
    network,
    address,
    block,
    block
  ).reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const readQuantity = decodeAnswer("eth_getBalance", Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]+$/)))
const readWord = decodeAnswer("eth_call", Schema.String)

/** The selector of `balanceOf(address)`. */
const BALANCE_OF = "0x70a08231"

interface CountedAsset {
  readonly token: string | undefined
  readonly decimals: number
}

const findAsset = (
  index: DataSources,
  { info, network, rpc }: NetworkPlace,
  tokenAddress: string | undefined
) =>
  Effect.gen(function* () {
    if (tokenAddress === undefined)
      return { token: undefined, decimals: info.decimals } satisfies CountedAsset
    if (index.nodes.kindOf(network) !== "evm")
      return yield* failInvalid(`tokenAddress is for EVM networks, not ${network}`)
    const token = yield* parseAddress("evm", "tokenAddress", tokenAddress)
    const stored = yield* index.transact((open) => Holdings.findToken(open, network, token))
    const found = yield* Describe.readToken(rpc, token, stored)
    if (found === undefined)
      return yield* Effect.fail(makeMissing("token.not.found", `${token} is not a token on ${network}`))
    // a multitoken contract has balances by token only
    if (found.kind === "multitoken")
      return yield* failInvalid("tokenAddress must be a token, not one of multitokens")
    return { token, decimals: found.decimals ?? 0 } satisfies CountedAsset
  })

/** An address's amount on an EVM network after a block, in the smallest unit. */
const readAmountAt = ({ rpc }: NetworkPlace, { token }: CountedAsset, address: string, height: number) => {
  const block = `0x${height.toString(16)}`
  return token === undefined
    ? Effect.map(Effect.flatMap(rpc("eth_getBalance", [address, block]), readQuantity), BigInt)
    : Effect.map(
        Effect.flatMap(
          rpc("eth_call", [{ to: token, data: `${BALANCE_OF}${address.slice(2).padStart(64, "0")}` }, block]),
          readWord
        ),
        // a contract that was not deployed yet has no result
        (word) => decodeInteger(word) ?? 0n
      )
}

const MAX_CONCURRENT_CALLS = 8

const readBalancesAt = (index: DataSources, query: typeof Api.BalanceAtQuery.Type) =>
  Effect.gen(function* () {
    const { nodes, transact } = index
    const { timestamp } = query
    const place = yield* findServedPlace(index, v4Routes.balanceAt, query, "evm", "utxo")
    const { network } = place
    const runs = nodes.kindOf(network)
    const asset = yield* findAsset(index, place, query.tokenAddress)
    const addresses = yield* Effect.forEach(query.addresses.split(","), (text) => {
      const given = text.trim()
      return Effect.map(parseAddress(runs, "addresses", toNodeAddress(network, given)), (address) => ({
        address,
        given
      }))
    })
    const at = yield* transact((open) => findBlockAt(open, network, toMillis(timestamp)))
    return yield* Effect.forEach(
      addresses,
      ({ address, given }) =>
        Effect.map(
          at === undefined
            ? Effect.succeed(0n)
            : runs === "evm"
              ? readAmountAt(place, asset, address, at.block)
              : transact((open) => findCoinsAt(open, network, address, at.block)),
          (amount) => ({
            timestamp,
            balance: Units.format(amount, asset.decimals),
            address: given
          })
        ),
      { concurrency: MAX_CONCURRENT_CALLS }
    )
  })

const api = HttpApi.make("provider").add(Api.group)

/**
 * Blocks and balances at an earlier time. Before the first block there is no block (404), and all balances are zero.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "times">,
  never,
  Metadata | Nodes | Store
> = HttpApiBuilder.group(api, "times", (handlers) =>
  Effect.map(loadSources, (index) =>
    handlers
      .handle("blockAtTime", ({ urlParams }) => refuseFailures(readBlockAt(index, urlParams)))
      .handle("balanceAt", ({ urlParams }) => refuseFailures(readBalancesAt(index, urlParams)))
  )
)
