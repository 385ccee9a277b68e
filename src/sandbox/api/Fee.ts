/**
 * The fees of transactions, in the provider's format.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Invalid, Unavailable } from "./Refusal.js"

/**
 * The fees for a slow transaction, for one within some blocks, and for one in the next block. On Ethereum they are gas
 * prices in wei as whole numbers, tip and base fee together, and `baseFee` is that of the block after `block`. On
 * Bitcoin, Litecoin and Dogecoin they are satoshis per (virtual) byte as decimal numbers, without a `baseFee`. `time`
 * is ISO 8601.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Fee = Schema.Struct({
  slow: Schema.String,
  medium: Schema.String,
  fast: Schema.String,
  baseFee: Schema.optional(Schema.String),
  time: Schema.String,
  block: Schema.String
})

/**
 * Fees.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("fee")
  .add(
    HttpApiEndpoint.get("fee", "/blockchain/fee/:currency")
      .setPath(Schema.Struct({ currency: Schema.String }))
      .setUrlParams(Schema.Struct({ type: Schema.optional(Schema.Literal("testnet", "mainnet")) }))
      .addSuccess(Fee)
  )
  .addError(Invalid)
  .addError(Unavailable)
