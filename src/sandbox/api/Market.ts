/**
 * Prices and tokens of the market in the current data API.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { ChainQuery, ExchangeRate, routePath, SymbolQuery } from "./Blockchains.js"
import { pageFields } from "./Data.js"
import { Invalid, Missing, Unavailable } from "./Refusal.js"
import { QueryTime } from "./Times.js"

const optional = Schema.optional

const intervals = ["1m", "5m", "15m", "30m", "45m", "1h", "2h", "4h", "1d", "1w", "1M"] as const

/**
 * The length of a candle, or of a change.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Interval = Schema.Literal(...intervals)

/**
 * See the schema `Interval`.
 *
 * @since 0.1.0
 * @category types
 */
export type Interval = typeof Interval.Type

const Millis = Schema.NumberFromString.pipe(
  Schema.filter((value) => Number.isSafeInteger(value) && value >= 0)
).annotations({ message: () => ({ message: "must be milliseconds since 1970", override: true }) })

/**
 * A query for the rate of a token by its contract.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ContractQuery = Schema.Struct({
  ...ChainQuery.fields,
  contractAddress: Schema.NonEmptyString,
  basePair: SymbolQuery.fields.basePair
})

/**
 * An item of a batch of rates by contract.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ContractItem = Schema.Struct({
  chain: Schema.String,
  contractAddress: Schema.NonEmptyString,
  basePair: Schema.NonEmptyString,
  batchId: Schema.NonEmptyString
})

/**
 * A query for rates between two times, both inclusive.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RateHistoryQuery = Schema.Struct({ ...SymbolQuery.fields, from: Millis, to: Millis })

/**
 * A query for the change of a price. The provider's description lists the intervals at `basePair`, so they
 * count there too.
 *
 * @since 0.1.0
 * @category schemas
 */
export const PriceChangeQuery = Schema.Struct({ ...SymbolQuery.fields, interval: optional(Interval) })

/**
 * An item of a batch of changes. The provider's description lists the intervals at `batchId`, so they count
 * there too.
 *
 * @since 0.1.0
 * @category schemas
 */
export const PriceChangeItem = Schema.Struct({
  symbol: Schema.NonEmptyString,
  basePair: optional(Schema.NonEmptyString),
  batchId: Schema.NonEmptyString,
  interval: optional(Interval)
})

const interval = Schema.optionalWith(Interval, { default: () => "1m" as const })

/**
 * A query for the candle of a time: `unix` in milliseconds since 1970, or `time` in ISO 8601.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OhlcvQuery = Schema.Struct({
  symbol: Schema.NonEmptyString,
  unix: optional(Millis),
  time: optional(
    Schema.String.pipe(
      Schema.filter((text) => !Number.isNaN(Date.parse(text)), {
        message: () => "must be a time in the format ISO 8601"
      })
    )
  ),
  interval
})

/**
 * A query for the last candles, including the current one.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OhlcvBatchQuery = Schema.Struct({
  symbol: Schema.NonEmptyString,
  numberOfCandles: Schema.NumberFromString.pipe(
    Schema.filter((value) => Number.isSafeInteger(value) && value >= 1)
  ).annotations({ message: () => ({ message: "must be a whole number from 1", override: true }) }),
  interval
})

const Change = Schema.Struct({
  symbol: Schema.String,
  basePair: Schema.String,
  open: Schema.String,
  close: Schema.String,
  openTime: Schema.Number,
  closeTime: Schema.Number,
  absoluteChange: Schema.String,
  percentageChange: Schema.Number
})

/**
 * A candle, in US dollars; `volume` is in the currency itself. `timestamp` is the beginning, in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Candle = Schema.Struct({
  timestamp: Schema.Number,
  open: Schema.String,
  high: Schema.String,
  low: Schema.String,
  close: Schema.String,
  volume: Schema.String
})

/**
 * A token of a ranking. Money is in US dollars, and missing if the token's symbol has no price. Changes are in percent.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RankedToken = Schema.Struct({
  rank: Schema.Number,
  name: optional(Schema.String),
  symbol: optional(Schema.String),
  tokenAddress: Schema.String,
  chain: Schema.String,
  type: Schema.Literal("fungible"),
  fdv: optional(Schema.Number),
  priceUSD: optional(Schema.Number),
  priceChanges: optional(Schema.Record({ key: Schema.String, value: Schema.Number })),
  firstMint: Schema.String
})

/**
 * A query for a ranking of tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RankingQuery = Schema.Struct({ ...ChainQuery.fields, ...pageFields(50) })

/**
 * A query for the most popular tokens between two times, both inclusive.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RankingHistoryQuery = Schema.Struct({ ...ChainQuery.fields, from: QueryTime, to: QueryTime })

const Ranking = Schema.Struct({ data: Schema.Array(RankedToken) })

const rankingEndpoint = <const Name extends "newestTokens" | "popularTokens" | "trendingTokens">(
  name: Name
) => HttpApiEndpoint.get(name, routePath(name)).setUrlParams(RankingQuery).addSuccess(Ranking)

/**
 * The market.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("market")
  .add(
    HttpApiEndpoint.get("rateByContract", routePath("rateByContract"))
      .setUrlParams(ContractQuery)
      .addSuccess(Schema.Struct({ id: Schema.String, ...ExchangeRate }))
  )
  .add(
    HttpApiEndpoint.post("rateByContractBatch", routePath("rateByContractBatch"))
      .setPayload(Schema.NonEmptyArray(ContractItem))
      .addSuccess(
        Schema.Array(Schema.Struct({ batchId: Schema.String, symbol: Schema.String, ...ExchangeRate }))
      )
  )
  .add(
    HttpApiEndpoint.get("rateHistory", routePath("rateHistory"))
      .setUrlParams(RateHistoryQuery)
      .addSuccess(Schema.Array(Schema.Struct({ timestamp: Schema.Number, value: Schema.String })))
  )
  .add(
    HttpApiEndpoint.get("priceChange", routePath("priceChange"))
      .setUrlParams(PriceChangeQuery)
      .addSuccess(Change)
  )
  .add(
    HttpApiEndpoint.post("priceChangeBatch", routePath("priceChangeBatch"))
      .setPayload(Schema.NonEmptyArray(PriceChangeItem))
      .addSuccess(Schema.Array(Schema.Struct({ batchId: Schema.String, ...Change.fields })))
  )
  .add(
    HttpApiEndpoint.get("ohlcv", routePath("ohlcv")).setUrlParams(OhlcvQuery).addSuccess(Schema.Array(Candle))
  )
  .add(
    HttpApiEndpoint.get("ohlcvBatch", routePath("ohlcvBatch"))
      .setUrlParams(OhlcvBatchQuery)
      .addSuccess(Schema.Array(Candle))
  )
  .add(rankingEndpoint("newestTokens"))
  .add(rankingEndpoint("popularTokens"))
  .add(rankingEndpoint("trendingTokens"))
  .add(
    HttpApiEndpoint.get("popularTokensHistory", routePath("popularTokensHistory"))
      .setUrlParams(RankingHistoryQuery)
      .addSuccess(Ranking)
  )
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
