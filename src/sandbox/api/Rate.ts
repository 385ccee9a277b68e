/**
 * Exchange rates, in the provider's format.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Invalid } from "./Refusal.js"

/**
 * A rate: one unit of the currency (`_id`) is worth `value` units of `basePair`. `timestamp` is in milliseconds since
 * 1970, `batchId` is the batch item's.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Rate = Schema.Struct({
  _id: Schema.String,
  value: Schema.String,
  basePair: Schema.String,
  timestamp: Schema.Number,
  source: Schema.String,
  batchId: Schema.optional(Schema.String)
})

/**
 * An item of a batch. `batchId` is `currency/basePair` by default.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RatePair = Schema.Struct({
  currency: Schema.String,
  basePair: Schema.String,
  batchId: Schema.optional(Schema.String)
})

/**
 * Exchange rates.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("rate")
  .add(
    HttpApiEndpoint.get("rate", "/rate/:currency")
      .setPath(Schema.Struct({ currency: Schema.String }))
      .setUrlParams(Schema.Struct({ basePair: Schema.optionalWith(Schema.String, { default: () => "EUR" }) }))
      .addSuccess(Rate)
  )
  .add(
    HttpApiEndpoint.post("rates", "/rate")
      .setPayload(Schema.NonEmptyArray(RatePair))
      .addSuccess(Schema.Array(Rate))
  )
  .addError(Invalid)
