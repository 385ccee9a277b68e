/**
 * Subscriptions to events of the chains, the webhook calls for them, and the secret that signs the calls.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Condition } from "../Conditions.js"
import { Invalid, Missing, Unavailable } from "./Refusal.js"

/**
 * The subscription exists already (403, as at the provider). The message has its id in brackets.
 *
 * @since 0.1.0
 * @category errors
 */
export class SubscriptionExists extends Schema.Class<SubscriptionExists>("Exists")(
  {
    statusCode: Schema.Literal(403),
    errorCode: Schema.Literal("subscription.exists.on.address-and-currency"),
    message: Schema.String
  },
  HttpApiSchema.annotations({ status: 403 })
) {}

/**
 * The subject of a subscription. `chain` is the provider's code (`ETH`) or the id of a network; lists have the id.
 * Subscriptions to contracts have `contractAddress` and `event` in place of `address`, and those to blocks have none of
 * them. Calls go to `url`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SubscriptionSubject = Schema.Struct({
  chain: Schema.String,
  url: Schema.String,
  address: Schema.optional(Schema.String),
  contractAddress: Schema.optional(Schema.String),
  event: Schema.optional(Schema.String),
  conditions: Schema.optional(Schema.Array(Condition))
})

const Finality = Schema.Literal("confirmed", "final")

/**
 * The options of a subscription outside of its subject.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SubscriptionFlags = Schema.Struct({
  mempool: Schema.optional(Schema.Boolean),
  finality: Schema.optional(Finality),
  templateId: Schema.optional(Schema.String)
})

/**
 * The request for a subscription.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SubscriptionRequest = Schema.Struct({
  type: Schema.String,
  attr: SubscriptionSubject,
  ...SubscriptionFlags.fields
})

const Url = Schema.optional(Schema.String)

/**
 * Changes of a subscription. Missing fields do not change.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SubscriptionChanges = Schema.Struct({
  ...SubscriptionFlags.fields,
  url: Url,
  paused: Schema.optional(Schema.Boolean),
  conditions: Schema.optional(Schema.Array(Condition))
})

/**
 * A webhook call. `data` is its body. `timestamp` is the time at which it was first due and `nextTime` that of the next
 * attempt, in milliseconds since 1970. `response` has the status and the first 1,000 characters of the answer, or the
 * failure.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExecutedWebhook = Schema.Struct({
  id: Schema.String,
  subscriptionId: Schema.String,
  type: Schema.String,
  url: Schema.String,
  data: Schema.Unknown,
  timestamp: Schema.Number,
  nextTime: Schema.optional(Schema.Number),
  retryCount: Schema.Number,
  failed: Schema.Boolean,
  response: Schema.Struct({
    code: Schema.optional(Schema.Number),
    data: Schema.optional(Schema.String),
    networkError: Schema.Boolean
  })
})

const wholeNumber = (least: number, most: number, message: string) =>
  Schema.NumberFromString.pipe(
    Schema.filter((value) => Number.isInteger(value) && value >= least && value <= most)
  ).annotations({ message: () => ({ message, override: true }) })

/**
 * The page of a list, in a query.
 *
 * @since 0.1.0
 * @category schemas
 */
export const pageFields = {
  pageSize: Schema.optionalWith(wholeNumber(1, 50, "must be a whole number from 1 to 50"), {
    default: () => 10
  }),
  offset: Schema.optionalWith(wholeNumber(0, Number.MAX_SAFE_INTEGER, "must be a whole number from 0"), {
    default: () => 0
  })
}

/** The kind of network for a code. Lists ignore it: they have all of the key's networks. */
const type = { type: Schema.optional(Schema.Literal("mainnet", "testnet")) }

const ListQuery = Schema.Struct({ ...type, address: Schema.optional(Schema.String) })

const FailedFilter = { failed: Schema.optional(Schema.Literal("true", "false")) }

const Id = Schema.Struct({ id: Schema.String })
const Count = Schema.Struct({ count: Schema.Number })

/**
 * Subscriptions. Lists have the subscriptions and calls of the request's API key (`x-api-key`; requests without a key
 * share one list).
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("subscription")
  .add(
    HttpApiEndpoint.post("subscribe", "/subscription")
      .setUrlParams(Schema.Struct({ ...type, testnetType: Schema.optional(Schema.String) }))
      .setPayload(SubscriptionRequest)
      .addSuccess(Id)
      .addError(SubscriptionExists)
  )
  .add(
    HttpApiEndpoint.get("list", "/subscription")
      .setUrlParams(Schema.Struct({ ...ListQuery.fields, ...pageFields }))
      .addSuccess(
        Schema.Array(Schema.Struct({ id: Schema.String, type: Schema.String, attr: SubscriptionSubject }))
      )
  )
  .add(
    HttpApiEndpoint.get("count", "/subscription/count")
      .setUrlParams(Schema.Struct({ ...ListQuery.fields, ...pageFields }))
      .addSuccess(Count)
  )
  .add(
    HttpApiEndpoint.get("webhooks", "/subscription/webhook")
      .setUrlParams(
        Schema.Struct({
          ...type,
          ...FailedFilter,
          ...pageFields,
          direction: Schema.optionalWith(Schema.Literal("asc", "desc"), { default: () => "asc" as const })
        })
      )
      .addSuccess(Schema.Array(ExecutedWebhook))
  )
  .add(
    HttpApiEndpoint.get("webhooksCount", "/subscription/webhook/count")
      .setUrlParams(
        Schema.Struct({
          ...type,
          ...FailedFilter,
          ...pageFields,
          direction: Schema.optional(Schema.Literal("asc", "desc"))
        })
      )
      .addSuccess(Count)
  )
  .add(
    HttpApiEndpoint.put("updateNetwork", "/subscription/batch")
      .setUrlParams(
        Schema.Struct({
          ...type,
          chain: Schema.String,
          url: Url,
          finality: Schema.optional(Finality)
        })
      )
      .addError(SubscriptionExists)
  )
  .add(
    HttpApiEndpoint.put("update", "/subscription/:id")
      .setPath(Id)
      .setPayload(SubscriptionChanges)
      .addError(SubscriptionExists)
  )
  .add(HttpApiEndpoint.del("unsubscribe", "/subscription/:id").setPath(Id))
  .add(
    HttpApiEndpoint.put("enableHmac", "/subscription").setPayload(
      Schema.Struct({
        hmacSecret: Schema.String.pipe(
          Schema.filter((secret) => secret.length >= 1 && secret.length <= 100, {
            message: () => "must be 1 to 100 characters"
          })
        )
      })
    )
  )
  .add(HttpApiEndpoint.del("disableHmac", "/subscription"))
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
