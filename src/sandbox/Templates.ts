/**
 * The options of subscriptions and the templates of API keys, as they are stored.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Network from "../data/Network.js"
import { isProperty } from "../services/internal/templates.js"
import type { BuiltInTemplate, Template } from "../services/Webhook.js"
import { Condition } from "./Conditions.js"
import type { Transaction } from "./Store.js"

/**
 * The options of a subscription. Missing ones have their default.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SubscriptionOptions = Schema.Struct({
  conditions: Schema.optional(Schema.Array(Condition)),
  finality: Schema.optional(Schema.Literal("confirmed", "final")),
  templateId: Schema.optional(Schema.String),
  paused: Schema.optional(Schema.Boolean),
  mempool: Schema.optional(Schema.Boolean)
})

const Property = Schema.String.pipe(
  Schema.filter(isProperty, { message: () => "must be a property of an event" })
)

/**
 * An API key's own template.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OwnTemplate = Schema.Union(
  Schema.Struct({
    format: Schema.Literal("json"),
    keys: Schema.Record({ key: Schema.String, value: Property })
  }),
  Schema.Struct({ format: Schema.Literal("string"), message: Schema.NonEmptyString })
)

const BUILT_IN: ReadonlyArray<BuiltInTemplate> = ["enriched", "enriched_with_raw_data", "legacy"]

const Row = Schema.Struct({ body: Schema.parseJson(OwnTemplate) })
const Default = Schema.Struct({ template: Schema.String })

const findTemplate = (
  { all }: Transaction,
  key: string,
  id: string
): BuiltInTemplate | Template | undefined =>
  BUILT_IN.find((name) => name === id) ??
  all(Row, "SELECT body FROM templates WHERE id = ? AND api_key = ?", id, key)[0]?.body

/**
 * Whether a key can use a template: one of the provider's or its own.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasTemplate = (transaction: Transaction, key: string, id: string): boolean =>
  findTemplate(transaction, key, id) !== undefined

/**
 * The name or id of the template for a key's subscriptions without one.
 *
 * @since 0.1.0
 * @category getters
 */
export const findDefaultTemplate = ({ all }: Transaction, key: string): string =>
  all(Default, "SELECT template FROM default_templates WHERE api_key = ?", key)[0]?.template ?? "enriched"

/**
 * The template of a subscription: its own, or its key's.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolveTemplate = (
  transaction: Transaction,
  key: string,
  id: string | undefined
): BuiltInTemplate | Template =>
  (id === undefined ? undefined : findTemplate(transaction, key, id)) ??
  findTemplate(transaction, key, findDefaultTemplate(transaction, key)) ??
  "enriched"

/**
 * Whether a network has templates and finality: EVM chains and Tron do.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasTemplates = (network: string): boolean =>
  Network.isNetwork(network) && (Network.isEvm(network) || Network.info(network).family === "tron")
