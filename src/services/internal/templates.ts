/** Templates of notifications: the shape of the body that the provider sends. */
import * as Schema from "effect/Schema"
import { findNearest } from "../../data/nearest.js"

/**
 * A template of the provider. `enriched` has its content under `data`, `enriched_with_raw_data` adds the raw logs, and `legacy` is flat.
 *
 * @since 0.1.0
 * @category models
 */
export type BuiltInTemplate = "enriched" | "enriched_with_raw_data" | "legacy"

/**
 * A template: a provider's by its name, or one of yours by its id.
 *
 * @since 0.1.0
 * @category models
 */
export type TemplateId = BuiltInTemplate | (string & {})

/** The properties of an event, as the provider's reference lists them. */
const properties = [
  "kind",
  "blockHash",
  "blockNumber",
  "blockTimestamp",
  "txId",
  "txTimestamp",
  "from",
  "to",
  "value",
  "currency",
  "contractAddress",
  "tokenId",
  "logIndex",
  "tokenMetadata",
  "tokenMetadata.type",
  "tokenMetadata.symbol",
  "tokenMetadata.name",
  "tokenMetadata.decimals",
  "tokenMetadata.uri",
  "subscriptionId",
  "subscriptionType",
  "type",
  "address",
  "counterAddress",
  "amount",
  "metadataURI",
  "additionalData",
  "topic_0",
  "topic_1",
  "topic_2",
  "topic_3",
  "data"
] as const

/**
 * A property of an event that a template of your own can show. `value` is in the smallest unit and `amount` in whole coins.
 *
 * @since 0.1.0
 * @category models
 */
export type TemplateProperty = (typeof properties)[number]

/**
 * A template whose body is an object: your names, and the property of each.
 *
 * @since 0.1.0
 * @category models
 */
export interface JsonTemplate {
  readonly format: "json"
  readonly keys: { readonly [name: string]: TemplateProperty }
}

/**
 * A template whose body is a text, with properties in double braces: `{{from}} sent {{value}} to {{to}}`.
 *
 * @since 0.1.0
 * @category models
 */
export interface TextTemplate {
  readonly format: "string"
  readonly message: string
}

/**
 * A template of your own.
 *
 * @since 0.1.0
 * @category models
 */
export type Template = JsonTemplate | TextTemplate

/** Whether it is a property of events. */
export const isProperty = (name: string): name is TemplateProperty =>
  properties.some((property) => property === name)

const formatUnknownProperty = (name: string): string => {
  const near = findNearest(name, properties)
  return `${JSON.stringify(name)} is no property of an event${near === undefined ? "" : `: did you mean ${near}?`}`
}

/** The refinement has a message for unknown names, which a type guard would not have. */
const Property = Schema.String.pipe(
  Schema.filter(isProperty, { message: ({ actual }) => formatUnknownProperty(String(actual)) })
)

/** The properties in a text. */
export const placeholders = /\{\{([^{}]*)\}\}/g

const Message = Schema.String.pipe(
  Schema.filter((message) => {
    if (message === "") return "must be text that is not empty"
    const wrong = [...message.matchAll(placeholders)]
      .map(([, name = ""]) => name.trim())
      .find((name) => !isProperty(name))
    return wrong === undefined || formatUnknownProperty(wrong)
  })
)

/** A template of either format after its check. */
interface TemplateFields<P extends string = string> {
  readonly format: "json" | "string"
  readonly keys?: { readonly [name: string]: P } | undefined
  readonly message?: string | undefined
}

/** The missing part of a template of its format. One record with a check, since the two runtimes report unions of records differently. */
const findMissingField = ({ format, keys, message }: TemplateFields): string | undefined =>
  format === "json"
    ? keys === undefined
      ? "a template with the format json has keys"
      : undefined
    : message === undefined
      ? "a template with the format string has a message"
      : undefined

const withFieldCheck = <A extends TemplateFields, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> =>
  schema.pipe(Schema.filter((template) => findMissingField(template) ?? true))

const format = Schema.Literal("json", "string")

/** A template of the caller's. */
export const NewTemplate = withFieldCheck(
  Schema.Struct({
    format,
    keys: Schema.optional(
      Schema.Record({ key: Schema.String, value: Property }).pipe(
        Schema.filter((keys) => Object.keys(keys).length > 0 || "must have a name at least")
      )
    ),
    message: Schema.optional(Message)
  })
)

/** A template of the provider's list. */
export const StoredTemplateSchema = withFieldCheck(
  Schema.Struct({
    format,
    id: Schema.String,
    keys: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
    message: Schema.optional(Schema.String)
  })
)

/** The fields that a template has by its format. */
export const toTemplate = <P extends string>({
  format,
  keys = {},
  message = ""
}: TemplateFields<P>):
  | { readonly format: "json"; readonly keys: { readonly [name: string]: P } }
  | { readonly format: "string"; readonly message: string } =>
  format === "json" ? { format, keys } : { format, message }
