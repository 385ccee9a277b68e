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
 * @since 0.1.0
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { NotificationType } from "../data/enumerations.js"
import { isRecord } from "../data/foreign.js"
import type { Network } from "../data/Network.js"
import { ChainNotSupported, GatewayError, InvalidArgument, reasonOf } from "../data/SdkError.js"
import { networkOfChain } from "./internal/networks.js"
import { answer } from "./internal/schema.js"

/**
 * The header with the signature.
 *
 * @since 0.1.0
 * @category conversions
 */
export const signatureHeader = "x-payload-hash"

/**
 * A call with a signature to check: the body as it arrived (text, or bytes in whatever holds bytes; a body that was parsed
 * already is written as JSON again, which is the same unless a parser has changed it), the value of the header as `node:http`
 * or `Headers` have it, and the secret of `notification.enableHmac`, which may be `Redacted` on the Effect surface.
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

const invalid = (reason: string): InvalidArgument => new InvalidArgument({ call: "Webhook.verify", reason })

const isBuffer = (value: unknown): value is ArrayBufferLike =>
  /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value))

/** The bytes of a body that holds them; nothing of others. They are copied: WebCrypto takes no shared memory. */
const bytesIn = (body: unknown): Uint8Array<ArrayBuffer> | undefined => {
  if (isBuffer(body)) return new Uint8Array(new Uint8Array(body))
  if (!ArrayBuffer.isView(body)) return undefined
  return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
}

/** A body that has still to be read, such as a request, a stream or a promise. The values of a JSON parser have no functions. */
const isUnread = (body: object): boolean =>
  ["then", "arrayBuffer", "getReader", "pipe"].some((name) => typeof Reflect.get(body, name) === "function")

/** The bytes that were signed; nothing for a call without a body, and for a body that cannot be JSON of the provider. */
const bytesOf = (body: SignedCall["body"]): Uint8Array<ArrayBuffer> | undefined => {
  if (typeof body === "string") return utf8.encode(body)
  const bytes = bytesIn(body)
  if (bytes !== undefined || body === null || body === undefined) return bytes
  if (typeof body === "function" || (typeof body === "object" && isUnread(body))) {
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
const check = async (body: Uint8Array<ArrayBuffer>, signature: string, secret: string): Promise<boolean> => {
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
export const verify = ({ body, secret, signature }: SignedCall): Effect.Effect<boolean, InvalidArgument> => {
  const key: unknown = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
  // with an empty secret anybody could sign
  if (typeof key !== "string" || key === "")
    return Effect.fail(invalid("the secret must be text, and not empty"))
  const given = typeof signature === "string" ? signature.trim() : ""
  return Effect.tryPromise({
    try: async () => {
      const bytes = bytesOf(body)
      return bytes !== undefined && digest.test(given) && (await check(bytes, given, key))
    },
    catch: (error) => invalid(reasonOf(error))
  })
}

const Text = Schema.optional(Schema.NullOr(Schema.String))
const Count = Schema.Number.pipe(Schema.int(), Schema.nonNegative())

/** The types whose calls are about one movement of coins or tokens. */
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
 * One movement of coins or tokens at an address, as the provider tells it unless a template was chosen: all types of
 * notification but the events of contracts.
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
  /** The ticker of the coin, in place of `asset`. */
  readonly currency?: string | null | undefined
  /** The other side of the movement, where there is one. */
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
  readonly events: ReadonlyArray<ContractEvent>
}

/**
 * The content of the provider's template `enriched`, which has to be chosen for the subscription or for the API key.
 *
 * @since 0.1.0
 * @category models
 */
export interface Enriched {
  readonly format: "enriched"
  readonly subscriptionType: NotificationType
  readonly subscriptionId?: string | null | undefined
  /** The kind of the event, such as `transfer`. */
  readonly kind: string
  readonly txId: string
  readonly blockNumber?: number | null | undefined
  readonly blockHash?: string | null | undefined
  /** Seconds since 1970. */
  readonly blockTimestamp?: number | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  /** In the smallest unit. */
  readonly value?: string | null | undefined
  readonly currency?: string | null | undefined
  readonly contractAddress?: string | null | undefined
  readonly tokenId?: string | null | undefined
}

/**
 * The content of a webhook; `format` tells the three cases apart.
 *
 * @since 0.1.0
 * @category models
 */
export type Payload = Movement | ContractEvents | Enriched

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
  mempool: Schema.optional(Schema.NullOr(Schema.Boolean))
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
  events: Schema.NonEmptyArray(Schema.Struct({ ...event, address: Text }))
}).pipe(Schema.attachPropertySignature("format", "events"))

/** The form of a single event, without a list around it. */
const OneEvent = Schema.Struct({
  ...event,
  subscriptionType: Schema.Literal(NotificationType.CONTRACT_ADDRESS_LOG_EVENT),
  chain: Text,
  blockNumber: Count,
  contractAddress: Text
})

/**
 * The schema of {@link Enriched}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EnrichedSchema = Schema.Struct({
  subscriptionType: Schema.Enums(NotificationType),
  subscriptionId: Text,
  kind: Schema.String,
  txId: Schema.String,
  blockNumber: Schema.optional(Schema.NullOr(Count)),
  blockHash: Text,
  blockTimestamp: Schema.optional(Schema.NullOr(Schema.Number)),
  from: Text,
  to: Text,
  value: Text,
  currency: Text,
  contractAddress: Text,
  tokenId: Text
}).pipe(Schema.attachPropertySignature("format", "enriched"))

const CALL = "Webhook.decode"
const readHead = answer(CALL, Schema.Struct({ subscriptionType: Schema.Enums(NotificationType) }))
const readMovement = answer(CALL, MovementSchema)
const readEvents = answer(CALL, ContractEventsSchema)
const readEvent = answer(CALL, OneEvent)
const readEnriched = answer(CALL, EnrichedSchema)

/** No call of the provider is nearly as large. A larger body is not read, since reading it may be its sender's aim. */
const MOST_BYTES = 16 * 1024 * 1024

const malformed = (message: string): GatewayError =>
  new GatewayError({ call: CALL, kind: "malformed", messages: [message] })

/** A body that was not parsed yet. */
const parsed = (body: unknown): Effect.Effect<unknown, GatewayError> => {
  const raw = typeof body === "string" ? body : bytesIn(body)
  if (raw === undefined) return Effect.succeed(body)
  if (raw.length > MOST_BYTES)
    return Effect.fail(malformed(`The webhook is larger than ${MOST_BYTES} bytes.`))
  return Effect.try({
    try: (): unknown => JSON.parse(typeof raw === "string" ? raw : new TextDecoder().decode(raw)),
    catch: () => malformed("The webhook is not valid JSON.")
  })
}

const read = (json: unknown): Effect.Effect<Payload, GatewayError> => {
  // templates put their content under data; the default content may have a data of its own, which is text
  const body = isRecord(json) && isRecord(json.data) ? json.data : json
  return Effect.flatMap(readHead(body), ({ subscriptionType }): Effect.Effect<Payload, GatewayError> => {
    if (isRecord(body) && "kind" in body) return readEnriched(body)
    if (subscriptionType !== NotificationType.CONTRACT_ADDRESS_LOG_EVENT) return readMovement(body)
    if (isRecord(body) && "events" in body) return readEvents(body)
    return Effect.map(
      readEvent(body),
      ({ blockNumber, chain, contractAddress, subscriptionType: type, ...log }) => ({
        format: "events",
        subscriptionType: type,
        chain,
        blockNumber,
        events: [{ ...log, address: contractAddress }]
      })
    )
  })
}

/**
 * Reads the body of a webhook: text, bytes (16 MiB at most), or the value of a JSON parser. Fails with a `GatewayError` of kind
 * `malformed`, which names the fields that are wrong, on everything that the provider's documentation does not promise.
 *
 * @since 0.1.0
 * @category conversions
 */
export const decode = (body: unknown): Effect.Effect<Payload, GatewayError> =>
  Effect.flatMap(parsed(body), read)

/**
 * The network of a webhook's `chain`, or of a subscription's.
 *
 * @since 0.1.0
 * @category conversions
 */
export const networkOf = (chain: string): Either.Either<Network, ChainNotSupported> =>
  Either.fromNullable(networkOfChain(chain), () => new ChainNotSupported({ chain }))
