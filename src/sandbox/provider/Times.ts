/**
 * Blocks and balances of the past: the store knows which block a time means, nodes of EVM networks the balances at it, and the
 * outputs in the store those of Bitcoin's kind.
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
import { missing } from "../api/Refusal.js"
import * as Api from "../api/Times.js"
import { read } from "../indexer/Answer.js"
import { integerOf } from "../indexer/Tokens.js"
import type { Nodes } from "../Nodes.js"
import { spelled } from "../nodes/addresses.js"
import type { Store, Transaction } from "../Store.js"
import { addressOf, type Index, index, type Metadata, type Place, said } from "./Data.js"
import * as Describe from "./data/Describe.js"
import * as Holdings from "./data/Holdings.js"
import { refused, servedOn } from "./Served.js"

/** Numbers below it are seconds. */
const MILLIS_FROM = 100_000_000_000

/**
 * A time of a query in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category conversions
 */
export const millisOf = (time: number): number => (time < MILLIS_FROM ? time * 1_000 : time)

const Row = Schema.Struct({ block: Schema.Number, time: Schema.Number, hash: Schema.String })

/** The newest block that is not later than a time (milliseconds since 1970). */
const blockOf = ({ all }: Transaction, network: string, time: number): typeof Row.Type | undefined =>
  all(
    Row,
    "SELECT block, time, hash FROM blocks WHERE network = ? AND time <= ? ORDER BY block DESC LIMIT 1",
    network,
    time
  )[0]

const blockAtTime = (index: Index, query: typeof Api.BlockAtQuery.Type) =>
  Effect.gen(function* () {
    const { chain, network } = yield* servedOn(index, v4Routes.blockAtTime, query, "evm", "utxo")
    const found = yield* index.use((open) => blockOf(open, network, millisOf(query.timestamp)))
    return found === undefined
      ? yield* Effect.fail(missing("block.not.found", `${network} had no block at ${query.timestamp}`))
      : { chain, blockNumber: found.block, blockTimestamp: found.time, hash: found.hash }
  })

const Amounts = Schema.Struct({ amount: Schema.String })

/** The coins of an address of Bitcoin's kind after a block, in the smallest unit. */
const coinsAt = ({ all }: Transaction, network: string, address: string, block: number): bigint =>
  all(
    Amounts,
    "SELECT amount FROM outputs WHERE network = ? AND address = ? AND block <= ? AND (spent IS NULL OR spent > ?)",
    network,
    address,
    block,
    block
  ).reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const readQuantity = read("eth_getBalance", Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]+$/)))
const readWord = read("eth_call", Schema.String)

/** The selector of `balanceOf(address)`. */
const BALANCE_OF = "0x70a08231"

/** What is counted: coins, or the tokens of a contract. */
interface Asset {
  readonly token: string | undefined
  readonly decimals: number
}

const assetOf = (index: Index, { info, network, rpc }: Place, tokenAddress: string | undefined) =>
  Effect.gen(function* () {
    if (tokenAddress === undefined) return { token: undefined, decimals: info.decimals } satisfies Asset
    if (index.nodes.runs(network) !== "evm")
      return yield* refused(`tokenAddress is for EVM networks, not ${network}`)
    const token = yield* addressOf("evm", "tokenAddress", tokenAddress)
    const stored = yield* index.use((open) => Holdings.tokenOf(open, network, token))
    const found = yield* Describe.tokenOf(rpc, token, stored)
    if (found === undefined)
      return yield* Effect.fail(missing("token.not.found", `${token} is not a token on ${network}`))
    // a contract of multitokens has a balance of each token alone
    if (found.kind === "multitoken")
      return yield* refused("tokenAddress must be a token, not one of multitokens")
    return { token, decimals: found.decimals ?? 0 } satisfies Asset
  })

/** The amount that an address of an EVM network had after a block, in the smallest unit. */
const amountAt = ({ rpc }: Place, { token }: Asset, address: string, height: number) => {
  const block = `0x${height.toString(16)}`
  return token === undefined
    ? Effect.map(Effect.flatMap(rpc("eth_getBalance", [address, block]), readQuantity), BigInt)
    : Effect.map(
        Effect.flatMap(
          rpc("eth_call", [{ to: token, data: `${BALANCE_OF}${address.slice(2).padStart(64, "0")}` }, block]),
          readWord
        ),
        // a contract that was not there yet has no answer
        (word) => integerOf(word) ?? 0n
      )
}

/** Addresses that are asked for at a time. */
const CALLS = 8

const balanceAt = (index: Index, query: typeof Api.BalanceAtQuery.Type) =>
  Effect.gen(function* () {
    const { nodes, use } = index
    const { timestamp } = query
    const place = yield* servedOn(index, v4Routes.balanceAt, query, "evm", "utxo")
    const { network } = place
    const runs = nodes.runs(network)
    const asset = yield* assetOf(index, place, query.tokenAddress)
    const addresses = yield* Effect.forEach(query.addresses.split(","), (text) => {
      const given = text.trim()
      return Effect.map(addressOf(runs, "addresses", spelled(network, given)), (address) => ({
        address,
        given
      }))
    })
    const at = yield* use((open) => blockOf(open, network, millisOf(timestamp)))
    return yield* Effect.forEach(
      addresses,
      ({ address, given }) =>
        Effect.map(
          at === undefined
            ? Effect.succeed(0n)
            : runs === "evm"
              ? amountAt(place, asset, address, at.block)
              : use((open) => coinsAt(open, network, address, at.block)),
          (amount) => ({
            timestamp,
            balance: Units.format(amount, asset.decimals),
            address: given
          })
        ),
      { concurrency: CALLS }
    )
  })

const api = HttpApi.make("provider").add(Api.group)

/**
 * Blocks and balances of the past. There is no block before the first one (404), and before it all balances are zero.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "times">,
  never,
  Metadata | Nodes | Store
> = HttpApiBuilder.group(api, "times", (handlers) =>
  Effect.map(index, (index) =>
    handlers
      .handle("blockAtTime", ({ urlParams }) => said(blockAtTime(index, urlParams)))
      .handle("balanceAt", ({ urlParams }) => said(balanceAt(index, urlParams)))
  )
)
