/**
 * For receivers of webhooks, the calls that the provider makes for subscriptions: whether a call is the provider's, and its
 * content. Works wherever WebCrypto does: Node, browsers, workers. `effect-chains/webhook` has the same for ordinary async
 * code.
 *
 * ```ts
 * const body = await request.text()
 * const signature = request.headers.get(Webhook.signatureHeader)
 * if (!(yield* Webhook.verify({ body, signature, secret }))) return new Response(null, { status: 401 })
 * const payload = yield* Webhook.decode(body)
 * ```
 *
 * A body that has the shape of your own template is decoded with that template, which types it:
 *
 * ```ts
 * const paid = Webhook.template({ format: "json", keys: { payer: "from", amount: "value" } })
 * const { values } = yield* Webhook.decode(body, paid) // { payer?: string | null, amount?: string | null }
 * ```
 *
 * @since 0.1.0
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { OnThisEffect } from "../data/effectVersion.js"
import { NotificationType } from "../data/enumerations.js"
import { checksumIfAddress } from "../data/evmAddress.js"
import type { Network } from "../data/Network.js"
import { ChainNotSupported, GatewayError, InvalidArgument, reasonOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { networkOfChain } from "./internal/networks.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"
import {
  type BuiltInTemplate,
  type JsonTemplate,
  NewTemplate,
  type Template,
  type TemplateId,
  type TemplateProperty,
  type TextTemplate,
  toTemplate
} from "./internal/templates.js"

export type {
  BuiltInTemplate,
  JsonTemplate,
  Template,
  TemplateId,
  TemplateProperty,
  TextTemplate
} from "./internal/templates.js"

/**
 * The header with the signature.
 *
 * @since 0.1.0
 * @category conversions
 */
export const signatureHeader = "x-payload-hash"

/**
 * A call and its signature: the body as it arrived (text or bytes; a parsed body is serialized again, which is equal unless the parser
 * has changed it), the value of the header as `node:http` or `Headers` have it, and the secret of `notification.enableHmac`, which may be
 * `Redacted` on the Effect surface.
 *
 * @since 0.1.0
 * @category conversions
 */
export interface SignedCall<out Secret = string | Redacted.Redacted> {
  readonly body: string | ArrayBufferLike | ArrayBufferView | object | null | undefined
  readonly signature: string | ReadonlyArray<string> | null | undefined
  readonly secret: Secret
}

const utf8 = new TextEncoder()

/** An HMAC with SHA-512 has 64 bytes, which are 86 digits of base64 and two of padding. */
const digest = /^[A-Za-z0-9+/]{86}==$/

const makeInvalidArgument = (reason: string): InvalidArgument =>
  new InvalidArgument({ call: "Webhook.verify", reason })

const isBuffer = (value: unknown): value is ArrayBufferLike =>
  /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value))

/** The bytes of a body that holds them; nothing of others. They are copied: WebCrypto takes no shared memory. */
const bytesIn = (body: unknown): Uint8Array<ArrayBuffer> | undefined => {
  if (isBuffer(body)) return new Uint8Array(new Uint8Array(body))
  if (!ArrayBuffer.isView(body)) return undefined
  return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
}

/** Whether a body still has to be read, such as a request, a stream or a promise. Values of a JSON parser have no functions. */
const isUnreadBody = (body: object): boolean =>
  ["then", "arrayBuffer", "getReader", "pipe"].some((name) => typeof Reflect.get(body, name) === "function")

/** The bytes that were signed; nothing for a call without a body, and for a body that cannot be JSON of the provider. */
const bytesOf = (body: SignedCall["body"]): Uint8Array<ArrayBuffer> | undefined => {
  if (typeof body === "string") return utf8.encode(body)
  const bytes = bytesIn(body)
  if (bytes !== undefined || body === null || body === undefined) return bytes
  if (typeof body === "function" || (typeof body === "object" && isUnreadBody(body))) {
    throw new TypeError("the body must be text, bytes or what a JSON parser made of them: read it first")
  }
  try {
    return utf8.encode(JSON.stringify(body))
  } catch (error) {
    // the provider does not nest so deeply
    if (error instanceof RangeError) return undefined
    throw new TypeError("the body must be text, bytes or an object that JSON can write")
  }
}

/** Compares in constant time: WebCrypto does. */
const checkSignature = async (
  body: Uint8Array<ArrayBuffer>,
  signature: string,
  secret: string
): Promise<boolean> => {
  const given = Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0))
  const hmac = { name: "HMAC", hash: "SHA-512" }
  const key = await crypto.subtle.importKey("raw", utf8.encode(secret), hmac, false, ["verify"])
  return crypto.subtle.verify("HMAC", key, given, body)
}

/**
 * Whether a call carries the provider's signature: HMAC with SHA-512 of the body, in base64. Any input of a stranger is
 * just not signed: no body, no signature, a malformed one. Fails with `InvalidArgument` on mistakes of the receiver itself: an
 * empty secret, a body that has still to be read. The comparison takes the same time wherever the two differ.
 *
 * @since 0.1.0
 * @category conversions
 */
export const verify = ({
  body,
  secret,
  signature
}: OnThisEffect<SignedCall>): Effect.Effect<boolean, InvalidArgument> => {
  const key: unknown = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
  // with an empty secret anybody could sign
  if (typeof key !== "string" || key === "")
    return Effect.fail(makeInvalidArgument("the secret must be text, and not empty"))
  const given = typeof signature === "string" ? signature.trim() : ""
  return Effect.tryPromise({
    try: async () => {
      const bytes = bytesOf(body)
      return bytes !== undefined && digest.test(given) && (await checkSignature(bytes, given, key))
    },
    catch: (error) => makeInvalidArgument(reasonOf(error))
  })
}

const Text = Schema.optional(Schema.NullOr(Schema.String))
const Count = Schema.Number.pipe(Schema.int(), Schema.nonNegative())

/** The types of calls about one transfer of coins or tokens. */
const movements = [
  NotificationType.ADDRESS_EVENT,
  NotificationType.INCOMING_NATIVE_TX,
  NotificationType.OUTGOING_NATIVE_TX,
  NotificationType.OUTGOING_FAILED_TX,
  NotificationType.PAID_FEE,
  NotificationType.INCOMING_INTERNAL_TX,
  NotificationType.OUTGOING_INTERNAL_TX,
  NotificationType.INCOMING_FUNGIBLE_TX,
  NotificationType.OUTGOING_FUNGIBLE_TX,
  NotificationType.INCOMING_NFT_TX,
  NotificationType.OUTGOING_NFT_TX,
  NotificationType.INCOMING_MULTITOKEN_TX,
  NotificationType.OUTGOING_MULTITOKEN_TX,
  NotificationType.FAILED_TXS_PER_BLOCK
] as const

/**
 * One movement of coins or tokens at an address: the content of the template `legacy`, and of all calls on chains that have no
 * templates. All types of notifications but the events of contracts have it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Movement {
  readonly format: "movement"
  readonly subscriptionType: (typeof movements)[number]
  /** The provider's name of the network: see {@link networkOf}. */
  readonly chain: string
  readonly address: string
  /** Decimal string, in whole coins or tokens. */
  readonly amount: string
  /** The ticker of the coin, or the address of the token. */
  readonly asset?: string | null | undefined
  /** The ticker of the coin, instead of `asset`. */
  readonly currency?: string | null | undefined
  /** The other party of the transfer, if there is one. */
  readonly counterAddress?: string | null | undefined
  readonly blockNumber?: number | null | undefined
  readonly txId: string
  /** Kind of the movement: `native`, `token`, `erc721`, `erc1155`, `internal`, `fee`, `trc10`, `trc20`, `failed`, `sol_nft`. */
  readonly type?: string | null | undefined
  readonly tokenId?: string | null | undefined
  readonly contractAddress?: string | null | undefined
  readonly metadataURI?: string | null | undefined
  /** The transaction is in no block yet: there will be another call. */
  readonly mempool?: boolean | null | undefined
  readonly subscriptionId?: string | null | undefined
}

/**
 * An event that a contract has emitted. Topics and data are hexadecimal.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractEvent {
  readonly txId: string
  readonly logIndex: number
  /** The contract. */
  readonly address?: string | null | undefined
  /** Seconds since 1970. */
  readonly timestamp?: number | null | undefined
  readonly topic_0?: string | null | undefined
  readonly topic_1?: string | null | undefined
  readonly topic_2?: string | null | undefined
  readonly topic_3?: string | null | undefined
  readonly data?: string | null | undefined
}

/**
 * Events that a contract has emitted in one block.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractEvents {
  readonly format: "events"
  readonly subscriptionType: typeof NotificationType.CONTRACT_ADDRESS_LOG_EVENT
  /** The provider's name of the network: see {@link networkOf}. */
  readonly chain?: string | null | undefined
  readonly blockNumber: number
  readonly subscriptionId?: string | null | undefined
  readonly events: ReadonlyArray<ContractEvent>
}

/**
 * The token or coin of an event. `type` is `native`, `fungible`, `nft` or `multitoken`.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenMetadata {
  readonly type?: string | null | undefined
  readonly decimals?: number | null | undefined
  readonly symbol?: string | null | undefined
  readonly name?: string | null | undefined
  readonly uri?: string | null | undefined
}

/** The content of both enriched templates. */
interface EnrichedFields {
  readonly subscriptionType: NotificationType
  readonly subscriptionId?: string | null | undefined
  /** The kind of the event, such as `transfer`. */
  readonly kind: string
  readonly txId: string
  readonly blockNumber?: number | null | undefined
  readonly blockHash?: string | null | undefined
  /** Seconds since 1970. */
  readonly blockTimestamp?: number | null | undefined
  /** Seconds since 1970. */
  readonly txTimestamp?: number | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  /** In the smallest unit. */
  readonly value?: string | null | undefined
  /** The ticker of the chain's coin. */
  readonly currency?: string | null | undefined
  readonly contractAddress?: string | null | undefined
  readonly tokenId?: string | null | undefined
  readonly logIndex?: number | null | undefined
  readonly tokenMetadata?: TokenMetadata | null | undefined
  /** The provider's other data of the transaction, such as its gas. */
  readonly additionalData?: { readonly [name: string]: unknown } | null | undefined
}

/**
 * The content of the provider's template `enriched`, which is the default on EVM chains and on Tron.
 *
 * @since 0.1.0
 * @category models
 */
export interface Enriched extends EnrichedFields {
  readonly format: "enriched"
}

/**
 * The content of the provider's template `enriched_with_raw_data`: that of `enriched`, and its logs.
 *
 * @since 0.1.0
 * @category models
 */
export interface EnrichedWithRawData extends EnrichedFields {
  readonly format: "enriched_with_raw_data"
  /** The provider's reference does not define its shape. */
  readonly rawData: unknown
}

/** The types of the properties of events. */
interface Properties {
  readonly kind: string
  readonly blockHash: string
  readonly blockNumber: number
  readonly blockTimestamp: number
  readonly txId: string
  readonly txTimestamp: number
  readonly from: string
  readonly to: string
  readonly value: string
  readonly currency: string
  readonly contractAddress: string
  readonly tokenId: string
  readonly logIndex: number
  readonly tokenMetadata: TokenMetadata
  readonly "tokenMetadata.type": string
  readonly "tokenMetadata.symbol": string
  readonly "tokenMetadata.name": string
  readonly "tokenMetadata.decimals": number
  readonly "tokenMetadata.uri": string
  readonly subscriptionId: string
  readonly subscriptionType: NotificationType
  readonly type: string
  readonly address: string
  readonly counterAddress: string
  readonly amount: string
  readonly metadataURI: string
  readonly additionalData: { readonly [name: string]: unknown }
  readonly topic_0: string
  readonly topic_1: string
  readonly topic_2: string
  readonly topic_3: string
  readonly data: string
}

/**
 * The values of a template of your own, by its names. A property that an event does not have is null, or left out.
 *
 * @since 0.1.0
 * @category models
 */
export type TemplateValues<Keys extends JsonTemplate["keys"] = JsonTemplate["keys"]> = {
  readonly [K in keyof Keys]?: Properties[Keys[K]] | null | undefined
}

/**
 * The content of a template of your own that is an object.
 *
 * @since 0.1.0
 * @category models
 */
export interface RenderedJson<Keys extends JsonTemplate["keys"] = JsonTemplate["keys"]> {
  readonly format: "json"
  readonly values: TemplateValues<Keys>
}

/**
 * The content of a template of your own that is a text.
 *
 * @since 0.1.0
 * @category models
 */
export interface RenderedText {
  readonly format: "string"
  readonly message: string
}

/**
 * The content of a webhook in the shape of a provider's template. `format` discriminates the cases.
 *
 * @since 0.1.0
 * @category models
 */
export type Payload = Movement | ContractEvents | Enriched | EnrichedWithRawData

/**
 * The content of a webhook by its template. A template of yours has its values, the name of a provider's template has that one or the
 * events of a contract, and an id has any of the provider's.
 *
 * @since 0.1.0
 * @category types
 */
export type PayloadOf<T extends TemplateId | Template> = T extends JsonTemplate
  ? RenderedJson<T["keys"]>
  : T extends TextTemplate
    ? RenderedText
    : T extends "legacy"
      ? Movement | ContractEvents
      : T extends "enriched"
        ? Enriched | ContractEvents
        : T extends "enriched_with_raw_data"
          ? EnrichedWithRawData | ContractEvents
          : Payload

/**
 * Declares a template of your own, for `notification.templates.create` and for {@link decode}: its keys stay in its type.
 *
 * @since 0.1.0
 * @category constructors
 */
export const template = <const T extends Template>(declared: T): T => declared

/**
 * The schema of {@link Movement}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MovementSchema = Schema.Struct({
  subscriptionType: Schema.Literal(...movements),
  chain: Schema.String,
  address: Schema.String,
  amount: Schema.String.pipe(
    Schema.pattern(/^-?\d+(\.\d+)?$/, { message: () => "must be a decimal string" })
  ),
  asset: Text,
  currency: Text,
  counterAddress: Text,
  blockNumber: Schema.optional(Schema.NullOr(Count)),
  txId: Schema.String,
  type: Text,
  tokenId: Text,
  contractAddress: Text,
  metadataURI: Text,
  mempool: Schema.optional(Schema.NullOr(Schema.Boolean)),
  subscriptionId: Text
}).pipe(Schema.attachPropertySignature("format", "movement"))

const event = {
  txId: Schema.String,
  logIndex: Count,
  timestamp: Schema.optional(Schema.NullOr(Schema.Number)),
  topic_0: Text,
  topic_1: Text,
  topic_2: Text,
  topic_3: Text,
  data: Text
}

/**
 * The schema of {@link ContractEvents}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ContractEventsSchema = Schema.Struct({
  subscriptionType: Schema.Literal(NotificationType.CONTRACT_ADDRESS_LOG_EVENT),
  chain: Text,
  blockNumber: Count,
  subscriptionId: Text,
  events: Schema.NonEmptyArray(Schema.Struct({ ...event, address: Text }))
}).pipe(Schema.attachPropertySignature("format", "events"))

/** The form of a single event, without a list around it. */
const SingleEventSchema = Schema.Struct({
  ...event,
  subscriptionType: Schema.Literal(NotificationType.CONTRACT_ADDRESS_LOG_EVENT),
  chain: Text,
  blockNumber: Count,
  subscriptionId: Text,
  contractAddress: Text
})

const TokenMetadataFields = Schema.Struct({
  type: Text,
  decimals: Schema.optional(Schema.NullOr(Count)),
  symbol: Text,
  name: Text,
  uri: Text
})

/** Reads an object with any names. A copy by name would give `__proto__` its special meaning. */
const AnyRecord = Schema.declare(
  (value: unknown): value is { readonly [name: string]: unknown } => isRecord(value),
  { description: "an object" }
)
const Seconds = Schema.optional(Schema.NullOr(Schema.Number))

const enriched = {
  subscriptionType: Schema.Enums(NotificationType),
  subscriptionId: Text,
  kind: Schema.String,
  txId: Schema.String,
  blockNumber: Schema.optional(Schema.NullOr(Count)),
  blockHash: Text,
  blockTimestamp: Seconds,
  txTimestamp: Seconds,
  from: Text,
  to: Text,
  value: Text,
  currency: Text,
  contractAddress: Text,
  tokenId: Text,
  logIndex: Schema.optional(Schema.NullOr(Count)),
  tokenMetadata: Schema.optional(Schema.NullOr(TokenMetadataFields)),
  additionalData: Schema.optional(Schema.NullOr(AnyRecord))
}

/**
 * The schema of {@link Enriched}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EnrichedSchema = Schema.Struct(enriched).pipe(
  Schema.attachPropertySignature("format", "enriched")
)

/**
 * The schema of {@link EnrichedWithRawData}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EnrichedWithRawDataSchema = Schema.Struct({ ...enriched, rawData: Schema.Unknown }).pipe(
  Schema.attachPropertySignature("format", "enriched_with_raw_data")
)

const CALL = "Webhook.decode"
const readHead = makeAnswerReader(CALL, Schema.Struct({ subscriptionType: Schema.Enums(NotificationType) }))
const readMovement = makeAnswerReader(CALL, MovementSchema)
const readEvents = makeAnswerReader(CALL, ContractEventsSchema)
const readEvent = makeAnswerReader(CALL, SingleEventSchema)
const readEnriched = makeAnswerReader(CALL, EnrichedSchema)
const readWithRawData = makeAnswerReader(CALL, EnrichedWithRawDataSchema)

/** The schemas of the properties of events. */
const properties = {
  kind: Schema.String,
  blockHash: Schema.String,
  blockNumber: Count,
  blockTimestamp: Schema.Number,
  txId: Schema.String,
  txTimestamp: Schema.Number,
  from: Schema.String,
  to: Schema.String,
  value: Schema.String,
  currency: Schema.String,
  contractAddress: Schema.String,
  tokenId: Schema.String,
  logIndex: Count,
  tokenMetadata: TokenMetadataFields,
  "tokenMetadata.type": Schema.String,
  "tokenMetadata.symbol": Schema.String,
  "tokenMetadata.name": Schema.String,
  "tokenMetadata.decimals": Count,
  "tokenMetadata.uri": Schema.String,
  subscriptionId: Schema.String,
  subscriptionType: Schema.Enums(NotificationType),
  type: Schema.String,
  address: Schema.String,
  counterAddress: Schema.String,
  amount: Schema.String,
  metadataURI: Schema.String,
  additionalData: AnyRecord,
  topic_0: Schema.String,
  topic_1: Schema.String,
  topic_2: Schema.String,
  topic_3: Schema.String,
  data: Schema.String
} satisfies { readonly [P in TemplateProperty]: Schema.Schema<Properties[P]> }

/** No call of the provider is nearly as large. A larger body is not read, since reading it may be its sender's aim. */
const MAX_BYTES = 16 * 1024 * 1024

const makeMalformed = (message: string): GatewayError =>
  new GatewayError({ call: CALL, kind: "malformed", messages: [message] })

/** The text of a body that was not parsed yet; nothing of a value that was. */
const readText = (body: unknown): Effect.Effect<string | undefined, GatewayError> => {
  const raw = typeof body === "string" ? body : bytesIn(body)
  if (raw === undefined) return Effect.succeed(undefined)
  if (raw.length > MAX_BYTES)
    return Effect.fail(makeMalformed(`The webhook is larger than ${MAX_BYTES} bytes.`))
  return Effect.succeed(typeof raw === "string" ? raw : new TextDecoder().decode(raw))
}

/** A body as a value of JSON. */
const parseJson = (body: unknown): Effect.Effect<unknown, GatewayError> =>
  Effect.flatMap(readText(body), (raw) =>
    raw === undefined
      ? Effect.succeed(body)
      : Effect.try({
          try: (): unknown => JSON.parse(raw),
          catch: () => makeMalformed("The webhook is not valid JSON.")
        })
  )

/** The fields that are addresses; `asset` is that of a token, or a ticker. */
const addressFields: ReadonlySet<string> = new Set([
  "address",
  "asset",
  "contractAddress",
  "counterAddress",
  "from",
  "to"
])

/** Gives addresses of EVM networks the checksum of EIP-55: the provider writes them in small letters. */
const withChecksums = <A extends object>(
  fields: A,
  isAddress: (name: string) => boolean = (name) => addressFields.has(name)
): A => {
  const entries = Object.entries(fields).map(([name, value]): readonly [string, unknown] => [
    name,
    typeof value === "string" && isAddress(name) ? checksumIfAddress(value) : value
  ])
  // the names stay, and text stays text
  return Object.fromEntries(entries) as A
}

/** Templates have their content under `data`. The flat content of others may have a `data` of its own, which is text. */
const unwrapContent = (json: unknown): unknown => (isRecord(json) && isRecord(json.data) ? json.data : json)

const readPayload = (json: unknown): Effect.Effect<Payload, GatewayError> => {
  const body = unwrapContent(json)
  return Effect.flatMap(readHead(body), ({ subscriptionType }): Effect.Effect<Payload, GatewayError> => {
    const fields: object = isRecord(body) ? body : {}
    const isLog = subscriptionType === NotificationType.CONTRACT_ADDRESS_LOG_EVENT
    // a log may have a kind too, and has topics instead of parties and amounts
    if ("kind" in fields && !(isLog && ("topic_0" in fields || "events" in fields)))
      return "rawData" in fields
        ? Effect.map(readWithRawData(body), (payload) => withChecksums(payload))
        : Effect.map(readEnriched(body), (payload) => withChecksums(payload))
    if (!isLog) return Effect.map(readMovement(body), (payload) => withChecksums(payload))
    if ("events" in fields)
      return Effect.map(readEvents(body), ({ events, ...head }) => ({
        ...head,
        events: events.map((each) => withChecksums(each))
      }))
    return Effect.map(
      readEvent(body),
      ({ blockNumber, chain, contractAddress, subscriptionId, subscriptionType: type, ...log }) => ({
        format: "events",
        subscriptionType: type,
        chain,
        blockNumber,
        ...(subscriptionId === undefined ? {} : { subscriptionId }),
        events: [withChecksums({ ...log, address: contractAddress })]
      })
    )
  })
}

const readTemplate = makeInputCheck(CALL, NewTemplate)

/** The body of a template of the receiver's own that is an object. */
const readValues = (json: unknown, keys: JsonTemplate["keys"]): Effect.Effect<RenderedJson, GatewayError> => {
  const names = Object.keys(keys)
  // a template may itself have a name `data`
  const wrapped =
    isRecord(json) && isRecord(json.data) && (!Object.hasOwn(keys, "data") || "data" in json.data)
  const content = wrapped ? json.data : json
  if (isRecord(content) && !names.some((name) => Object.hasOwn(content, name)))
    return Effect.fail(makeMalformed(`The webhook has none of the template's names: ${names.join(", ")}.`))
  const field = (property: TemplateProperty) =>
    // the union of all properties' types; each value has its own property's type
    Schema.optional(Schema.NullOr(properties[property] as Schema.Schema<Properties[TemplateProperty]>))
  const fields = Object.fromEntries(Object.entries(keys).map(([name, property]) => [name, field(property)]))
  return Effect.map(makeAnswerReader(CALL, Schema.Struct(fields))(content), (values) => ({
    format: "json",
    // the schema was made of the keys, name by name
    values: withChecksums(values as TemplateValues, (name) => addressFields.has(keys[name] ?? ""))
  }))
}

/** Reads a body of your own text template: as text, as JSON, or under `data`. */
const renderMessage = (body: unknown): Effect.Effect<RenderedText, GatewayError> =>
  Effect.flatMap(readText(body), (raw) => {
    const json = raw === undefined ? body : tryParseJson(raw)
    const data = isRecord(json) ? json.data : json
    const message = typeof data === "string" ? data : raw
    return message === undefined
      ? Effect.fail(makeMalformed("The webhook has no text, as its template says."))
      : Effect.succeed({ format: "string", message })
  })

const tryParseJson = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

const builtInFormats: { readonly [T in BuiltInTemplate]: Exclude<Payload["format"], "events"> } = {
  legacy: "movement",
  enriched: "enriched",
  enriched_with_raw_data: "enriched_with_raw_data"
}

const isBuiltIn = (id: string): id is BuiltInTemplate => Object.hasOwn(builtInFormats, id)

/** Reads a body of a provider's template: of the named one, or of any. */
const readBuiltIn = (body: unknown, id: string): Effect.Effect<Payload, GatewayError> =>
  Effect.flatMap(Effect.flatMap(parseJson(body), readPayload), (payload) =>
    isBuiltIn(id) && payload.format !== "events" && payload.format !== builtInFormats[id]
      ? Effect.fail(
          makeMalformed(`The webhook has not the template ${id}: its content is ${payload.format}.`)
        )
      : Effect.succeed(payload)
  )

/**
 * Reads the body of a webhook, in {@link decode}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Decode<out InvalidTemplate = InvalidArgument> {
  (body: unknown): Effect.Effect<Payload, GatewayError>
  <const T extends TemplateId | Template>(
    body: unknown,
    template: T
  ): Effect.Effect<PayloadOf<T>, GatewayError | InvalidTemplate>
}

/**
 * Reads the body of a webhook: text, bytes (16 MiB at most), or the value of a JSON parser. Addresses of EVM networks get the checksum of
 * EIP-55, which the provider leaves out. It fails with a `GatewayError` of the kind
 * `malformed`, which names the wrong fields, if the body differs from the provider's documentation. With a template, which is one of
 * yours as you declared it ({@link template}) or the name of one of the provider's, the body has to be of that template, and the content
 * has its type. A template that makes no sense is an `InvalidArgument`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const decode: Decode = (
  body: unknown,
  ...templates: ReadonlyArray<unknown>
  // the template determines the type of what is read, which the compiler cannot follow
): Effect.Effect<never, GatewayError> =>
  decodeWithTemplate(body, templates) as Effect.Effect<never, GatewayError>

const decodeWithTemplate = (
  body: unknown,
  [declared = ""]: ReadonlyArray<unknown>
): Effect.Effect<Payload | RenderedJson | RenderedText, GatewayError | InvalidArgument> =>
  typeof declared === "string"
    ? readBuiltIn(body, declared)
    : Effect.flatMap(
        readTemplate(declared),
        (own): Effect.Effect<RenderedJson | RenderedText, GatewayError> => {
          const template = toTemplate(own)
          return template.format === "string"
            ? renderMessage(body)
            : Effect.flatMap(parseJson(body), (json) => readValues(json, template.keys))
        }
      )

/**
 * The body of a webhook as the provider writes it, for tests of receivers: {@link decode} reads it, and `verify` takes it with the
 * HMAC that you make of it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const encode = (payload: Payload | RenderedJson | RenderedText): string => {
  if (payload.format === "json") return JSON.stringify({ data: payload.values })
  if (payload.format === "string") return JSON.stringify({ data: payload.message })
  const { format, ...content } = payload
  return JSON.stringify(format === "movement" || format === "events" ? content : { data: content })
}

/**
 * The network of a webhook's `chain`, or of a subscription's.
 *
 * @since 0.1.0
 * @category conversions
 */
export const networkOf = (chain: string): Either.Either<Network, ChainNotSupported> => {
  const network = networkOfChain(chain)
  return network === undefined ? Either.left(new ChainNotSupported({ chain })) : Either.right(network)
}
