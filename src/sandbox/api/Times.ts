/**
 * Blocks and balances at an earlier time, in the current data API.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { AccountsQuery, ChainQuery, routePath } from "./Blockchains.js"
import { Invalid, Missing, Unavailable } from "./Refusal.js"

/**
 * A time in seconds or milliseconds since 1970, since the provider's description does not say which. A number below
 * 10^11 is in seconds, which lasts to the year 5138.
 *
 * @since 0.1.0
 * @category schemas
 */
export const QueryTime = Schema.NumberFromString.pipe(
  Schema.filter((value) => Number.isSafeInteger(value) && value >= 0)
).annotations({
  message: () => ({ message: "must be a time: seconds or milliseconds since 1970", override: true })
})

/**
 * A query for the block of a time.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BlockAtQuery = Schema.Struct({ ...ChainQuery.fields, timestamp: QueryTime })

/**
 * A query for balances at a time: of coins, or of a token.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BalanceAtQuery = Schema.Struct({
  ...AccountsQuery.fields,
  timestamp: QueryTime,
  tokenAddress: Schema.optional(Schema.String)
})

/**
 * The newest block that is not later than a time. Its own time is in milliseconds since 1970. The provider's
 * description has no fields, so these are the fields of other blocks in the data API.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BlockAt = Schema.Struct({
  chain: Schema.String,
  blockNumber: Schema.Number,
  blockTimestamp: Schema.Number,
  hash: Schema.String
})

/**
 * A balance at a time, in whole coins or tokens. `timestamp` is the query's.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BalanceAt = Schema.Struct({
  timestamp: Schema.Number,
  balance: Schema.String,
  address: Schema.String
})

/**
 * Blocks and balances at an earlier time.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("times")
  .add(
    HttpApiEndpoint.get("blockAtTime", routePath("blockAtTime"))
      .setUrlParams(BlockAtQuery)
      .addSuccess(BlockAt)
  )
  .add(
    HttpApiEndpoint.get("balanceAt", routePath("balanceAt"))
      .setUrlParams(BalanceAtQuery)
      .addSuccess(Schema.Array(BalanceAt))
  )
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
