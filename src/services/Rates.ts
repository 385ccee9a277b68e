/**
 * Exchange rates of currencies and tokens, single and in batches.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { GatewayCallError, InvalidArgument, LoadError } from "../data/SdkError.js"
import { Gateway } from "./Gateway.js"
import { makeInputCheck } from "./internal/schema.js"

/**
 * A rate: one unit of the currency is worth `value` units of `basePair`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rate {
  /** The currency. */
  readonly _id: string
  /** Decimal string. */
  readonly value: string
  readonly basePair: string
  /** Milliseconds since 1970. */
  readonly timestamp: number
  readonly source: string
  /** Of a batch: the id of its item. */
  readonly batchId?: string
}

/**
 * An item of a batch. Its rate has the same `batchId` (default `currency/basePair`).
 *
 * @since 0.1.0
 * @category models
 */
export interface RateQuery {
  readonly currency: string
  readonly basePair: string
  readonly batchId?: string
}

/**
 * The errors of a question for rates.
 *
 * @since 0.1.0
 * @category errors
 */
export type RatesError = GatewayCallError | InvalidArgument | LoadError

/**
 * Exchange rates.
 *
 * @since 0.1.0
 * @category models
 */
export interface RatesService {
  /** The rate of a currency (`BTC`) in another (`EUR`). */
  readonly getCurrentRate: (currency: string, basePair: string) => Effect.Effect<Rate, RatesError>
  /** Several rates in one request. */
  readonly getCurrentRateBatch: (
    pairs: ReadonlyArray<RateQuery>
  ) => Effect.Effect<ReadonlyArray<Rate>, RatesError>
}

/**
 * Exchange rates, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Rates extends /*#__PURE__*/ Context.Tag("effect-chains/services/Rates")<Rates, RatesService>() {}

/** Codes of currencies: letters, digits, and the separators in the names of tokens of several networks. */
const Code = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9_.$-]{0,49}$/, {
    message: () => "must be the code of a currency, such as BTC"
  })
)

const pair = makeInputCheck("rates.getCurrentRate", Schema.Struct({ currency: Code, basePair: Code }))
const batch = makeInputCheck(
  "rates.getCurrentRateBatch",
  Schema.NonEmptyArray(
    Schema.Struct({ currency: Code, basePair: Code, batchId: Schema.optional(Schema.NonEmptyString) })
  )
)

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<RatesService, never, Gateway> = Effect.map(Gateway, (gateway) => ({
  getCurrentRate: (currency, basePair) =>
    Effect.flatMap(pair({ currency, basePair }), (query) =>
      gateway.request<Rate>({
        method: "GET",
        path: `rate/${encodeURIComponent(query.currency)}`,
        template: "rate/{currency}",
        query: { basePair: query.basePair }
      })
    ),
  getCurrentRateBatch: (pairs) =>
    Effect.flatMap(batch(pairs), (items) =>
      gateway.request<ReadonlyArray<Rate>>({
        method: "POST",
        path: "rate",
        body: items.map(({ currency, basePair, batchId = `${currency}/${basePair}` }) => ({
          currency,
          basePair,
          batchId
        }))
      })
    )
}))

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Rates, never, Gateway> = /*#__PURE__*/ Layer.effect(Rates, make)
