/**
 * The market: candles, changes and histories of the table of prices, rates of tokens by the symbols that their contracts tell, and
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
import { type Invalid, missing } from "../api/Refusal.js"
import type { Nodes } from "../Nodes.js"
import type { Store } from "../Store.js"
import { addressOf, type Index, index, type Metadata, said } from "./Data.js"
import * as Blocks from "./data/Blocks.js"
import * as Candles from "./data/Candles.js"
import * as Describe from "./data/Describe.js"
import * as Holdings from "./data/Holdings.js"
import * as Pages from "./data/Pages.js"
import { type Ranked, ranked } from "./data/Rankings.js"
import { pricesOf, rate, refuse, written } from "./Rate.js"
import { refused, type ServedPlace, servedOn } from "./Served.js"
import { millisOf } from "./Times.js"

/** The seed of the prices, and the time. */
interface At {
  readonly seed: string
  readonly now: number
}

const NO_PRICE = "must be the code of a currency that the sandbox has a price of"

/** The symbol that the contract of a token tells. */
const symbolOf = (index: Index, { network, rpc }: ServedPlace, contractAddress: string) =>
  Effect.gen(function* () {
    const token = yield* addressOf("evm", "contractAddress", contractAddress)
    const stored = yield* index.use((open) => Holdings.tokenOf(open, network, token))
    const found = yield* Describe.tokenOf(rpc, token, stored)
    return found?.symbol === undefined || pricesOf(found.symbol) === undefined
      ? yield* Effect.fail(
          missing(
            "rate.not.found",
            `The sandbox has no price of ${token} on ${network}: its symbol is none of a currency`
          )
        )
      : found.symbol
  })

const rateByContract = (
  index: Index,
  query: Omit<typeof Api.ContractItem.Type, "batchId">,
  { now, seed }: At,
  at = ""
) =>
  Effect.gen(function* () {
    const place = yield* servedOn(index, v4Routes.rateByContract, query, "evm")
    const symbol = yield* symbolOf(index, place, query.contractAddress)
    const found = rate({ currency: symbol, basePair: query.basePair }, now, seed, at)
    if (Either.isLeft(found)) return yield* refuse(found.left)
    const { _id: id, ...rest } = found.right
    return { id, ...rest }
  })

const rateByContractBatch = (index: Index, items: ReadonlyArray<typeof Api.ContractItem.Type>, at: At) =>
  Effect.forEach(items, ({ batchId, ...item }, i) =>
    Effect.map(rateByContract(index, item, at, `${i}.`), ({ id: symbol, ...found }) => ({
      batchId,
      symbol,
      ...found
    }))
  )

/** Prices of a currency in another one, by time. */
const inPair = (
  { basePair, symbol }: { readonly symbol: string; readonly basePair: string },
  seed: string,
  at = ""
): Effect.Effect<(time: number) => number, Invalid> => {
  const worthAt = pricesOf(symbol, seed)
  const baseAt = pricesOf(basePair, seed)
  return worthAt === undefined || baseAt === undefined
    ? refused(
        ...(worthAt === undefined ? [`${at}symbol ${NO_PRICE}`] : []),
        ...(baseAt === undefined ? [`${at}basePair ${NO_PRICE}`] : [])
      )
    : Effect.succeed((time) => worthAt(time) / baseAt(time))
}

/** Points of a history at the most. */
const POINTS = 1_000

const rateHistory = (query: typeof Api.RateHistoryQuery.Type, { now, seed }: At) =>
  Effect.gen(function* () {
    const { from, to } = query
    if (from > to) return yield* refused("from must not be later than to")
    const valueAt = yield* inPair(query, seed)
    const last = Math.min(to, now)
    const steps = [...Object.values(Candles.lengths)].sort((one, other) => one - other)
    const longest = steps.at(-1) ?? 1
    const step = steps.find((length) => (last - from) / length < POINTS) ?? longest
    const count = Math.min(POINTS, Math.max(0, Math.floor((last - from) / step) + 1))
    return Array.from({ length: count }, (_, i) => ({
      timestamp: from + i * step,
      value: written(valueAt(from + i * step))
    }))
  })

const signed = (value: number): string =>
  value === 0 ? "0" : value < 0 ? `-${written(-value)}` : written(value)

const isInterval = (text: string | undefined): text is Api.Interval =>
  text !== undefined && Object.hasOwn(Candles.lengths, text)

interface ChangeAsked {
  readonly symbol: string
  readonly basePair: string
  readonly interval: Api.Interval
}

const priceChange = ({ interval, ...pair }: ChangeAsked, { now, seed }: At, at = "") =>
  Effect.map(inPair(pair, seed, at), (valueAt) => {
    const openTime = now - Candles.lengths[interval]
    const [open, close] = [valueAt(openTime), valueAt(now)]
    return {
      ...pair,
      open: written(open),
      close: written(close),
      openTime,
      closeTime: now,
      absoluteChange: signed(close - open),
      percentageChange: Number(((100 * (close - open)) / open).toFixed(4))
    }
  })

/** The base of changes where none is named. */
const BASE = "EUR"

/** A change of a query, in which the interval may be at the place of another parameter. */
const changeOf = (
  symbol: string,
  basePair: string | undefined,
  interval: Api.Interval | undefined,
  elsewhere?: string
): ChangeAsked => {
  const isThere = isInterval(basePair)
  return {
    symbol,
    basePair: isThere || basePair === undefined ? BASE : basePair,
    interval: interval ?? (isThere ? basePair : isInterval(elsewhere) ? elsewhere : "1d")
  }
}

const candle = ({ interval, symbol, time, unix }: typeof Api.OhlcvQuery.Type, at: At) =>
  Effect.gen(function* () {
    if ((time === undefined) === (unix === undefined))
      return yield* refused("exactly one of unix and time must be given")
    const when = unix ?? Date.parse(time ?? "")
    if (when > at.now)
      return yield* refused(`${unix === undefined ? "time" : "unix"} must not be in the future`)
    const found = Candles.candleOf(symbol, interval, when, at)
    return found === undefined ? yield* refused(`symbol ${NO_PRICE}`) : [found]
  })

const candles = ({ interval, numberOfCandles, symbol }: typeof Api.OhlcvBatchQuery.Type, at: At) =>
  Effect.suspend(() => {
    const most = Candles.mostOf(interval)
    if (numberOfCandles > most)
      return refused(
        `numberOfCandles must be at most ${most} for ${interval}: the sandbox looks at the minutes of a year`
      )
    const found = Candles.lastCandles(symbol, interval, numberOfCandles, at)
    return found === undefined ? refused(`symbol ${NO_PRICE}`) : Effect.succeed(found)
  })

const DAY = 86_400_000

const none = { ids: [], blockFrom: undefined, blockTo: undefined, timeFrom: undefined, timeTo: undefined }

/** The chain's own time, which tests move: milliseconds since 1970. */
const chainTime = (index: Index, network: string) =>
  index.use((open) => Blocks.blocks(open, network, none, { from: 0, size: 1 })[0]?.blockTimestamp ?? 0)

const ranking = (
  index: Index,
  { query, route }: { readonly route: V4Route; readonly query: typeof Api.RankingQuery.Type },
  wanted: (time: number) => Ranked,
  at: At
) =>
  Effect.gen(function* () {
    const part = yield* Pages.partOf(query)
    const place = yield* servedOn(index, route, query, "evm")
    const time = yield* chainTime(index, place.network)
    return { data: yield* index.use((open) => ranked(open, place, { wanted: wanted(time), part }, at)) }
  })

const rankingHistory = (index: Index, query: typeof Api.RankingHistoryQuery.Type, at: At) =>
  Effect.gen(function* () {
    const [from, to] = [millisOf(query.from), millisOf(query.to)]
    if (from > to) return yield* refused("from must not be later than to")
    const place = yield* servedOn(index, v4Routes.popularTokensHistory, query, "evm")
    const wanted = { by: "moving", from, to } as const
    return {
      data: yield* index.use((open) => ranked(open, place, { wanted, part: { from: 0, size: 50 } }, at))
    }
  })

const api = HttpApi.make("provider").add(Api.group)

/**
 * The market, whose prices move with `seed`. Currencies without a price are refused (400), tokens whose symbol has none are
 * missing (404), and a batch with one of them as a whole.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  seed: string
): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "market">, never, Metadata | Nodes | Store> =>
  HttpApiBuilder.group(api, "market", (handlers) =>
    Effect.map(index, (index) => {
      const now = <A, E>(answer: (at: At) => Effect.Effect<A, E>) =>
        Effect.flatMap(Clock.currentTimeMillis, (time) => answer({ seed, now: time }))
      return handlers
        .handle("rateByContract", ({ urlParams }) => said(now((at) => rateByContract(index, urlParams, at))))
        .handle("rateByContractBatch", ({ payload }) =>
          said(now((at) => rateByContractBatch(index, payload, at)))
        )
        .handle("rateHistory", ({ urlParams }) => now((at) => rateHistory(urlParams, at)))
        .handle("priceChange", ({ urlParams: { basePair, interval, symbol } }) =>
          now((at) => priceChange(changeOf(symbol, basePair, interval), at))
        )
        .handle("priceChangeBatch", ({ payload }) =>
          now((at) =>
            Effect.forEach(payload, ({ basePair, batchId, interval, symbol }, i) =>
              Effect.map(
                priceChange(changeOf(symbol, basePair, interval, batchId), at, `${i}.`),
                (found) => ({
                  batchId,
                  ...found
                })
              )
            )
          )
        )
        .handle("ohlcv", ({ urlParams }) => now((at) => candle(urlParams, at)))
        .handle("ohlcvBatch", ({ urlParams }) => now((at) => candles(urlParams, at)))
        .handle("newestTokens", ({ urlParams }) =>
          said(
            now((at) =>
              ranking(index, { route: v4Routes.newestTokens, query: urlParams }, () => ({ by: "newest" }), at)
            )
          )
        )
        .handle("popularTokens", ({ urlParams }) =>
          said(
            now((at) =>
              ranking(
                index,
                { route: v4Routes.popularTokens, query: urlParams },
                () => ({ by: "popular" }),
                at
              )
            )
          )
        )
        .handle("trendingTokens", ({ urlParams }) =>
          said(
            now((at) =>
              ranking(
                index,
                { route: v4Routes.trendingTokens, query: urlParams },
                (time) => ({ by: "moving", from: time - DAY, to: time }),
                at
              )
            )
          )
        )
        .handle("popularTokensHistory", ({ urlParams }) =>
          said(now((at) => rankingHistory(index, urlParams, at)))
        )
    })
  )
