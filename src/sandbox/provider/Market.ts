/**
 * The market: candles, changes and histories from the price table, rates of tokens by their contracts' symbols, and
 * rankings of the tokens on the sandbox's chain.
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
import { type V4Route, v4Routes } from "../../data/v4Routes.js"
import * as Api from "../api/Market.js"
import { type Invalid, makeMissing } from "../api/Refusal.js"
import type { Nodes } from "../Nodes.js"
import type { Store } from "../Store.js"
import { type DataSources, loadSources, type Metadata, parseAddress, refuseFailures } from "./Data.js"
import * as Blocks from "./data/Blocks.js"
import * as Candles from "./data/Candles.js"
import * as Holdings from "./data/Holdings.js"
import * as Pages from "./data/Pages.js"
import { findRanked, type RankingKind } from "./data/Rankings.js"
import * as Describe from "./data/TokenMetadata.js"
import { failInvalidFields, findPrices, formatPrice, readRate } from "./Rate.js"
import { failInvalid, findServedPlace, type ServedPlace } from "./Served.js"
import { toMillis } from "./Times.js"

interface PriceTime {
  readonly seed: string
  readonly now: number
}

const NO_PRICE = "must be the code of a currency that the sandbox has a price of"

const readSymbol = (index: DataSources, { network, rpc }: ServedPlace, contractAddress: string) =>
  Effect.gen(function* () {
    const token = yield* parseAddress("evm", "contractAddress", contractAddress)
    const stored = yield* index.transact((open) => Holdings.findToken(open, network, token))
    const found = yield* Describe.readToken(rpc, token, stored)
    return found?.symbol === undefined || findPrices(found.symbol) === undefined
      ? yield* Effect.fail(
          makeMissing(
            "rate.not.found",
            `The sandbox has no price of ${token} on ${network}: its symbol is none of a currency`
          )
        )
      : found.symbol
  })

const readRateByContract = (
  index: DataSources,
  query: Omit<typeof Api.ContractItem.Type, "batchId">,
  { now, seed }: PriceTime,
  at = ""
) =>
  Effect.gen(function* () {
    const place = yield* findServedPlace(index, v4Routes.rateByContract, query, "evm")
    const symbol = yield* readSymbol(index, place, query.contractAddress)
    const found = readRate({ currency: symbol, basePair: query.basePair }, now, seed, at)
    if (Either.isLeft(found)) return yield* failInvalidFields(found.left)
    const { _id: id, ...rest } = found.right
    return { id, ...rest }
  })

const readRatesByContract = (
  index: DataSources,
  items: ReadonlyArray<typeof Api.ContractItem.Type>,
  at: PriceTime
) =>
  Effect.forEach(items, ({ batchId, ...item }, i) =>
    Effect.map(readRateByContract(index, item, at, `${i}.`), ({ id: symbol, ...found }) => ({
      batchId,
      symbol,
      ...found
    }))
  )

/** Prices of a currency in another one, by time. */
const makePairPrices = (
  { basePair, symbol }: { readonly symbol: string; readonly basePair: string },
  seed: string,
  at = ""
): Effect.Effect<(time: number) => number, Invalid> => {
  const worthAt = findPrices(symbol, seed)
  const baseAt = findPrices(basePair, seed)
  return worthAt === undefined || baseAt === undefined
    ? failInvalid(
        ...(worthAt === undefined ? [`${at}symbol ${NO_PRICE}`] : []),
        ...(baseAt === undefined ? [`${at}basePair ${NO_PRICE}`] : [])
      )
    : Effect.succeed((time) => worthAt(time) / baseAt(time))
}

const MAX_POINTS = 1_000

const readRateHistory = (query: typeof Api.RateHistoryQuery.Type, { now, seed }: PriceTime) =>
  Effect.gen(function* () {
    const { from, to } = query
    if (from > to) return yield* failInvalid("from must not be later than to")
    const valueAt = yield* makePairPrices(query, seed)
    const last = Math.min(to, now)
    const steps = [...Object.values(Candles.intervalMs)].sort((one, other) => one - other)
    const longest = steps.at(-1) ?? 1
    const step = steps.find((length) => (last - from) / length < MAX_POINTS) ?? longest
    const count = Math.min(MAX_POINTS, Math.max(0, Math.floor((last - from) / step) + 1))
    return Array.from({ length: count }, (_, i) => ({
      timestamp: from + i * step,
      value: formatPrice(valueAt(from + i * step))
    }))
  })

const formatSigned = (value: number): string =>
  value === 0 ? "0" : value < 0 ? `-${formatPrice(-value)}` : formatPrice(value)

const isInterval = (text: string | undefined): text is Api.Interval =>
  text !== undefined && Object.hasOwn(Candles.intervalMs, text)

interface ChangeQuery {
  readonly symbol: string
  readonly basePair: string
  readonly interval: Api.Interval
}

const readPriceChange = ({ interval, ...pair }: ChangeQuery, { now, seed }: PriceTime, at = "") =>
  Effect.map(makePairPrices(pair, seed, at), (valueAt) => {
    const openTime = now - Candles.intervalMs[interval]
    const [open, close] = [valueAt(openTime), valueAt(now)]
    return {
      ...pair,
      open: formatPrice(open),
      close: formatPrice(close),
      openTime,
      closeTime: now,
      absoluteChange: formatSigned(close - open),
      percentageChange: Number(((100 * (close - open)) / open).toFixed(4))
    }
  })

/** The base of changes without one. */
const DEFAULT_BASE = "EUR"

/** The change that a query asks for. The interval may be in another parameter. */
const readChange = (
  symbol: string,
  basePair: string | undefined,
  interval: Api.Interval | undefined,
  elsewhere?: string
): ChangeQuery => {
  const isThere = isInterval(basePair)
  return {
    symbol,
    basePair: isThere || basePair === undefined ? DEFAULT_BASE : basePair,
    interval: interval ?? (isThere ? basePair : isInterval(elsewhere) ? elsewhere : "1d")
  }
}

const readCandle = ({ interval, symbol, time, unix }: typeof Api.OhlcvQuery.Type, at: PriceTime) =>
  Effect.gen(function* () {
    if ((time === undefined) === (unix === undefined))
      return yield* failInvalid("exactly one of unix and time must be given")
    const when = unix ?? Date.parse(time ?? "")
    if (when > at.now)
      return yield* failInvalid(`${unix === undefined ? "time" : "unix"} must not be in the future`)
    const found = Candles.makeCandle(symbol, interval, when, at)
    return found === undefined ? yield* failInvalid(`symbol ${NO_PRICE}`) : [found]
  })

const readCandles = ({ interval, numberOfCandles, symbol }: typeof Api.OhlcvBatchQuery.Type, at: PriceTime) =>
  Effect.suspend(() => {
    const most = Candles.maxCandles(interval)
    if (numberOfCandles > most)
      return failInvalid(
        `numberOfCandles must be at most ${most} for ${interval}: an answer covers at most a year`
      )
    const found = Candles.makeLastCandles(symbol, interval, numberOfCandles, at)
    return found === undefined ? failInvalid(`symbol ${NO_PRICE}`) : Effect.succeed(found)
  })

const DAY_MS = 86_400_000

const none = { ids: [], blockFrom: undefined, blockTo: undefined, timeFrom: undefined, timeTo: undefined }

/** The time of the chain's newest block in milliseconds since 1970. Tests move it. */
const readChainTime = (index: DataSources, network: string) =>
  index.transact(
    (open) => Blocks.findBlocks(open, network, none, { from: 0, size: 1 })[0]?.blockTimestamp ?? 0
  )

const readRanking = (
  index: DataSources,
  { kindAt, route }: { readonly route: V4Route; readonly kindAt: (time: number) => RankingKind },
  query: typeof Api.RankingQuery.Type,
  at: PriceTime
) =>
  Effect.gen(function* () {
    const part = yield* Pages.readPart(query)
    const place = yield* findServedPlace(index, route, query, "evm")
    const time = yield* readChainTime(index, place.network)
    return {
      data: yield* index.transact((open) => findRanked(open, place, { wanted: kindAt(time), part }, at))
    }
  })

const rankings = {
  newest: { route: v4Routes.newestTokens, kindAt: (): RankingKind => ({ by: "newest" }) },
  popular: { route: v4Routes.popularTokens, kindAt: (): RankingKind => ({ by: "popular" }) },
  trending: {
    route: v4Routes.trendingTokens,
    kindAt: (time: number): RankingKind => ({ by: "moving", from: time - DAY_MS, to: time })
  }
}

const readRankingHistory = (index: DataSources, query: typeof Api.RankingHistoryQuery.Type, at: PriceTime) =>
  Effect.gen(function* () {
    const [from, to] = [toMillis(query.from), toMillis(query.to)]
    if (from > to) return yield* failInvalid("from must not be later than to")
    const place = yield* findServedPlace(index, v4Routes.popularTokensHistory, query, "evm")
    const wanted = { by: "moving", from, to } as const
    return {
      data: yield* index.transact((open) =>
        findRanked(open, place, { wanted, part: { from: 0, size: 50 } }, at)
      )
    }
  })

const api = HttpApi.make("provider").add(Api.group)

/**
 * The market. Its prices vary with `seed`. Currencies without a price are refused (400), and tokens whose symbol has no
 * price are missing (404). One of them refuses a whole batch.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  seed: string
): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "market">, never, Metadata | Nodes | Store> =>
  HttpApiBuilder.group(api, "market", (handlers) =>
    Effect.map(loadSources, (index) => {
      const readNow = <A, E>(answer: (at: PriceTime) => Effect.Effect<A, E>) =>
        Effect.flatMap(Clock.currentTimeMillis, (time) => answer({ seed, now: time }))
      return handlers
        .handle("rateByContract", ({ urlParams }) =>
          refuseFailures(readNow((at) => readRateByContract(index, urlParams, at)))
        )
        .handle("rateByContractBatch", ({ payload }) =>
          refuseFailures(readNow((at) => readRatesByContract(index, payload, at)))
        )
        .handle("rateHistory", ({ urlParams }) => readNow((at) => readRateHistory(urlParams, at)))
        .handle("priceChange", ({ urlParams: { basePair, interval, symbol } }) =>
          readNow((at) => readPriceChange(readChange(symbol, basePair, interval), at))
        )
        .handle("priceChangeBatch", ({ payload }) =>
          readNow((at) =>
            Effect.forEach(payload, ({ basePair, batchId, interval, symbol }, i) =>
              Effect.map(
                readPriceChange(readChange(symbol, basePair, interval, batchId), at, `${i}.`),
                (found) => ({
                  batchId,
                  ...found
                })
              )
            )
          )
        )
        .handle("ohlcv", ({ urlParams }) => readNow((at) => readCandle(urlParams, at)))
        .handle("ohlcvBatch", ({ urlParams }) => readNow((at) => readCandles(urlParams, at)))
        .handle("newestTokens", ({ urlParams }) =>
          refuseFailures(readNow((at) => readRanking(index, rankings.newest, urlParams, at)))
        )
        .handle("popularTokens", ({ urlParams }) =>
          refuseFailures(readNow((at) => readRanking(index, rankings.popular, urlParams, at)))
        )
        .handle("trendingTokens", ({ urlParams }) =>
          refuseFailures(readNow((at) => readRanking(index, rankings.trending, urlParams, at)))
        )
        .handle("popularTokensHistory", ({ urlParams }) =>
          refuseFailures(readNow((at) => readRankingHistory(index, urlParams, at)))
        )
    })
  )
