/**
 * Chains from their nodes, and rates from the price table, in the format of the current data API.
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
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Units from "../../data/Units.js"
import { chainOfRoute, type V4Route, v4Routes } from "../../data/v4Routes.js"
import * as Api from "../api/Blockchains.js"
import { type Invalid, makeInvalid, makeMissing } from "../api/Refusal.js"
import type { Nodes } from "../Nodes.js"
import { toNodeAddress } from "../nodes/addresses.js"
import type { SandboxError } from "../SandboxError.js"
import type { Store } from "../Store.js"
import {
  type DataSources,
  findHead,
  findPlace,
  loadSources,
  type Metadata,
  type NetworkPlace,
  parseAddress,
  readNativeBalance,
  refuseFailures
} from "./Data.js"
import * as Holdings from "./data/Holdings.js"
import * as Describe from "./data/TokenMetadata.js"
import * as UtxoTransactions from "./data/UtxoTransactions.js"
import { failInvalidFields, readRate } from "./Rate.js"
import { failInvalid, findServedPlace } from "./Served.js"

const MAX_CONCURRENT_CALLS = 8

/** What an address of a UTXO chain has got and has spent; nothing for addresses of other chains. */
const readTurnover = (
  { nodes, transact }: DataSources,
  { info, network }: NetworkPlace,
  address: string
): Effect.Effect<{ readonly incoming?: string; readonly outgoing?: string }, SandboxError> =>
  nodes.kindOf(network) === "utxo"
    ? Effect.map(
        transact((open) => ({
          received: Holdings.sumReceived(open, network, address),
          held: Holdings.sumCoins(open, network, address)
        })),
        ({ held, received }) => ({
          incoming: Units.format(received, info.decimals),
          outgoing: Units.format(received - held, info.decimals)
        })
      )
    : Effect.succeed({})

const readBalanceOn = (index: DataSources, place: NetworkPlace, address: string) =>
  Effect.gen(function* () {
    const kind = index.nodes.kindOf(place.network)
    const spelt = yield* parseAddress(kind, "address", toNodeAddress(place.network, address))
    const balance = yield* readNativeBalance(index, place, spelt)
    return { balance, ...(yield* readTurnover(index, place, spelt)) }
  })

const readBalance = (index: DataSources, query: typeof Api.AccountQuery.Type) =>
  Effect.flatMap(findServedPlace(index, v4Routes.balance, query, "evm", "utxo", "solana"), (place) =>
    readBalanceOn(index, place, query.address)
  )

const readBalances = (index: DataSources, query: typeof Api.AccountsQuery.Type) => {
  const addresses = query.addresses.split(",")
  const { most } = v4Routes.balanceBatch
  if (addresses.length > most) return failInvalid(`addresses must have at most ${most} addresses`)
  return Effect.flatMap(
    findServedPlace(index, v4Routes.balanceBatch, query, "evm", "utxo", "solana"),
    (place) =>
      Effect.forEach(
        addresses,
        (address) => Effect.map(readBalanceOn(index, place, address), (found) => ({ address, ...found })),
        { concurrency: MAX_CONCURRENT_CALLS }
      )
  )
}

const readCurrentBlock = (index: DataSources, query: typeof Api.ChainQuery.Type) =>
  Effect.flatMap(findServedPlace(index, v4Routes.currentBlock, query, "evm", "utxo"), ({ network }) =>
    Effect.map(
      index.transact((open) => findHead(open, network)),
      (blockNumber) => ({ blockNumber })
    )
  )

/** A block of an EVM node. Quantities are hexadecimal. */
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

const readEvmBlock = (
  { network, rpc }: NetworkPlace,
  method: "eth_getBlockByNumber" | "eth_getBlockByHash",
  id: string
) =>
  Effect.gen(function* () {
    const found = yield* rpc(method, [id, true])
    if (!isNodeBlock(found))
      return yield* Effect.fail(makeMissing("block.not.found", `${network} has no block ${id}`))
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

const readBlockAt = (index: DataSources, query: typeof Api.BlockQuery.Type) =>
  Effect.gen(function* () {
    const { blockNumber: height } = query
    if (!Number.isSafeInteger(height) || height < 0)
      return yield* failInvalid("blockNumber must be a whole number from 0")
    const place = yield* findServedPlace(index, v4Routes.block, query, "evm", "utxo")
    return yield* index.nodes.kindOf(place.network) === "evm"
      ? readEvmBlock(place, "eth_getBlockByNumber", `0x${height.toString(16)}`)
      : UtxoTransactions.readUtxoBlock({ ...place, transact: index.transact }, { height })
  })

const readBlockByHash = (index: DataSources, query: typeof Api.HashQuery.Type) =>
  Effect.gen(function* () {
    const place = yield* findServedPlace(index, v4Routes.blockByHash, query, "evm", "utxo")
    const isEvm = index.nodes.kindOf(place.network) === "evm"
    if (!(isEvm ? /^0x[0-9a-fA-F]{64}$/ : /^[0-9a-fA-F]{64}$/).test(query.hash))
      return yield* failInvalid(`hash must be ${isEvm ? "0x and " : ""}64 hexadecimal digits`)
    const hash = query.hash.toLowerCase()
    return yield* isEvm
      ? readEvmBlock(place, "eth_getBlockByHash", hash)
      : UtxoTransactions.readUtxoBlock({ ...place, transact: index.transact }, { hash })
  })

const readTransactionCount = (index: DataSources, query: typeof Api.AccountQuery.Type) =>
  Effect.gen(function* () {
    const { rpc } = yield* findServedPlace(index, v4Routes.transactionCount, query, "evm")
    const address = yield* parseAddress("evm", "address", query.address)
    return { count: Number(yield* rpc("eth_getTransactionCount", [address, "latest"])) }
  })

/** The selector of `transfer(address,uint256)`. */
const TRANSFER = "0xa9059cbb"

const padWord = (hex: string): string => hex.padStart(64, "0")

/** An amount in whole coins or tokens as a word. Fails for an invalid one. */
const encodeAmount = (amount: string, decimals: number): Effect.Effect<string, Invalid> =>
  Option.match(
    Option.filter(Units.parse(amount, decimals), (units) => units >= 0n && units < 2n ** 256n),
    {
      onNone: () =>
        failInvalid(`amount must be a decimal number with at most ${decimals} digits after the point`),
      onSome: (units) => Effect.succeed(units.toString(16))
    }
  )

const estimateGas = (index: DataSources, query: typeof Api.GasQuery.Type) =>
  Effect.gen(function* () {
    const route: V4Route = v4Routes.gas
    const code = chainOfRoute(route, query.chain)
    if (code === undefined)
      return yield* failInvalid(`chain must be one of ${Object.keys(route.codes ?? {}).join(", ")}`)
    const [from, to] = [
      yield* parseAddress("evm", "from", query.from),
      yield* parseAddress("evm", "to", query.to)
    ]
    const { info, network, rpc } = yield* findPlace(index, { chain: route.codes?.[code] ?? code }, "evm")
    const { amount, contractAddress, data } = query
    const token =
      contractAddress === undefined
        ? undefined
        : yield* parseAddress("evm", "contractAddress", contractAddress)
    const stored =
      token === undefined
        ? undefined
        : yield* index.transact((open) => Holdings.findToken(open, network, token))
    const decimals =
      token === undefined ? info.decimals : (yield* Describe.readToken(rpc, token, stored))?.decimals
    if (decimals === undefined)
      return yield* failInvalid(`contractAddress must be a token with decimals on ${network}`)
    const units = yield* encodeAmount(amount, decimals)
    const transaction =
      token === undefined
        ? { from, to, value: `0x${units}`, ...(data === undefined ? {} : { data }) }
        : { from, to: token, data: `${TRANSFER}${padWord(to.slice(2))}${padWord(units)}` }
    const price = yield* rpc("eth_gasPrice", [])
    const limit = yield* Effect.catchAll(rpc("eth_estimateGas", [transaction]), ({ message }) =>
      // the node has just answered, so the transaction fails and not the node
      Effect.fail(makeInvalid("gas.estimation.failed", message))
    )
    return { gasPrice: String(BigInt(String(price))), gasLimit: String(BigInt(String(limit))) }
  })

const readRateBySymbol = (
  { basePair, symbol }: typeof Api.SymbolQuery.Type,
  time: number,
  seed: string,
  at: string
) => Either.map(readRate({ currency: symbol, basePair }, time, seed, at), ({ _id, ...found }) => found)

const api = HttpApi.make("provider").add(Api.group)

/**
 * Routes about chains. Balances, heights and counts come from the nodes, rates from the price table at the current
 * time.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  seed: string
): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "blockchains">, never, Metadata | Nodes | Store> =>
  HttpApiBuilder.group(api, "blockchains", (handlers) =>
    Effect.map(loadSources, (index) =>
      handlers
        .handle("balance", ({ urlParams }) => refuseFailures(readBalance(index, urlParams)))
        .handle("balanceBatch", ({ urlParams }) => refuseFailures(readBalances(index, urlParams)))
        .handle("currentBlock", ({ urlParams }) => refuseFailures(readCurrentBlock(index, urlParams)))
        .handle("block", ({ urlParams }) => refuseFailures(readBlockAt(index, urlParams)))
        .handle("blockByHash", ({ urlParams }) => refuseFailures(readBlockByHash(index, urlParams)))
        .handle("transactionCount", ({ urlParams }) => refuseFailures(readTransactionCount(index, urlParams)))
        .handle("gas", ({ payload }) => refuseFailures(estimateGas(index, payload)))
        .handle("rateBySymbol", ({ urlParams }) =>
          Effect.flatMap(Clock.currentTimeMillis, (time) =>
            Either.match(readRateBySymbol(urlParams, time, seed, ""), {
              onLeft: failInvalidFields,
              onRight: (found) => Effect.succeed({ id: urlParams.symbol, ...found })
            })
          )
        )
        .handle("rateBySymbolBatch", ({ payload }) =>
          Effect.flatMap(Clock.currentTimeMillis, (time) =>
            Effect.forEach(payload, ({ batchId, ...query }, i) =>
              Either.match(readRateBySymbol(query, time, seed, `${i}.`), {
                onLeft: failInvalidFields,
                onRight: (found) => Effect.succeed({ batchId, symbol: query.symbol, ...found })
              })
            )
          )
        )
    )
  )
