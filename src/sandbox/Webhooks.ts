/**
 * Webhooks: the engine notifies subscribers of the events in blocks, over HTTP.
 *
 * Every stored block counts, including one that replaces another. After a reorganisation the events of the new blocks
 * are sent, even if the old blocks had them too, and nothing is revoked. Calls to one url are made one after the other,
 * in the order of blocks. A failing call delays those behind it until its retries are over; calls to other urls
 * continue.
 *
 * A call has its subscription's template, or its key's, or `enriched`; chains without templates have `legacy`. A
 * subscription with the finality `final` gets a block's events once enough blocks are on top of it, and never those of
 * a replaced block. On Bitcoin, a subscription with `mempool` gets a transaction before it is in a block, and again
 * when it is in one.
 *
 * @since 0.1.0
 */
import { createHmac, randomBytes } from "node:crypto"
import * as NodeHttp from "node:http"
import * as NodeHttps from "node:https"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { NotificationType } from "../data/enumerations.js"
import * as Network from "../data/Network.js"
import * as Units from "../data/Units.js"
import { isProperty, placeholders, type TemplateProperty } from "../services/internal/templates.js"
import { type BuiltInTemplate, signatureHeader, type Template } from "../services/Webhook.js"
import { isLoopback } from "./Access.js"
import { type Condition, meetsConditions } from "./Conditions.js"
import {
  type ContractEvent,
  type IndexedBlock,
  Indexer,
  type IndexerService,
  type Movement,
  type PendingMovements
} from "./Indexer.js"
import { withRealClock } from "./Loopback.js"
import type { SandboxError } from "./SandboxError.js"
import { Store, type StoreService, type Transaction } from "./Store.js"
import { hasTemplates, resolveTemplate, SubscriptionOptions } from "./Templates.js"

/**
 * The options of calls. `timeout` is for each attempt (default: 10 seconds), and `retries` schedules the next one after
 * a failure (default: `retrySchedule` of the `plan`). Calls go to this machine (`localhost`, 127.0.0.0/8, `[::1]`) and
 * to `hosts`: names without a port, or `*` for all. A block is final when `confirmations` blocks are on top of it
 * (default: 64, two epochs of Ethereum).
 *
 * @since 0.1.0
 * @category models
 */
export interface WebhooksOptions {
  readonly retries?: Schedule.Schedule<unknown>
  readonly plan?: Plan
  readonly confirmations?: number
  readonly timeout?: Duration.DurationInput
  readonly hosts?: ReadonlyArray<string>
}

/**
 * The plan of an API key, which decides the number of retries.
 *
 * @since 0.1.0
 * @category models
 */
export type Plan = "free" | "paid"

/**
 * The provider's schedule of retries: after 15 seconds, then 2.7925 times as long each time; three on free plans, ten
 * on paid ones.
 *
 * @since 0.1.0
 * @category constructors
 */
export const retrySchedule = (plan: Plan): Schedule.Schedule<unknown> =>
  Schedule.intersect(Schedule.exponential("15 seconds", 2.7925), Schedule.recurs(plan === "free" ? 3 : 10))

/**
 * The engine that makes the calls. `canCall` says whether a url is allowed. `awaitIndexed` completes when every block
 * that was indexed before has been handled, so that a subscription stored afterwards gets later blocks only.
 *
 * @since 0.1.0
 * @category models
 */
export interface WebhooksService {
  readonly awaitIndexed: Effect.Effect<void>
  readonly canCall: (url: string) => boolean
}

/**
 * The webhooks of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Webhooks extends Context.Tag("effect-chains/sandbox/Webhooks")<Webhooks, WebhooksService>() {}

/**
 * The fields of a subscription that are compared with blocks. Addresses are in the form of `normalizeAddress`; `given`
 * is the address as the subscriber wrote it. `template` decides the content of calls.
 *
 * @since 0.1.0
 * @category models
 */
export interface SubscribedFields {
  readonly id: string
  readonly type: NotificationType
  readonly address: string | null
  readonly contract: string | null
  readonly event: string | null
  readonly given?: string | undefined
  readonly conditions?: ReadonlyArray<typeof Condition.Type>
  readonly template: BuiltInTemplate | Template
}

/**
 * A token's own details.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenDetails {
  readonly decimals: number
  readonly symbol?: string | undefined
  readonly name?: string | undefined
}

/**
 * The form in which addresses are compared: hexadecimal ones in lower case, those of Bitcoin Cash without their prefix.
 *
 * @since 0.1.0
 * @category getters
 */
export const normalizeAddress = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address.replace(/^(?:bitcoincash|bchtest|bchreg):/, "")

type MovementKind = Movement["kind"]
type MovementSide = "sender" | "receiver"

const PROVIDER_KINDS: Readonly<Record<MovementKind, string>> = {
  native: "native",
  internal: "internal",
  fungible: "token",
  nft: "erc721",
  multitoken: "erc1155",
  fee: "fee",
  failed: "failed"
}

const BOTH_SIDES: ReadonlyArray<MovementSide> = ["sender", "receiver"]
const ALL_KINDS: ReadonlyArray<MovementKind> = [
  "native",
  "internal",
  "fungible",
  "nft",
  "multitoken",
  "fee",
  "failed"
]

type MovementSubscriptionType = Exclude<NotificationType, "CONTRACT_ADDRESS_LOG_EVENT">

/** The movements of each type of subscription, and the side on which the subscribed address has to be. */
const movementRules: Readonly<
  Record<
    MovementSubscriptionType,
    readonly [kinds: ReadonlyArray<MovementKind>, sides: ReadonlyArray<MovementSide>]
  >
> = {
  ADDRESS_EVENT: [ALL_KINDS, BOTH_SIDES],
  INCOMING_NATIVE_TX: [["native"], ["receiver"]],
  OUTGOING_NATIVE_TX: [["native"], ["sender"]],
  OUTGOING_FAILED_TX: [["failed"], ["sender"]],
  PAID_FEE: [["fee"], ["sender"]],
  INCOMING_INTERNAL_TX: [["internal"], ["receiver"]],
  OUTGOING_INTERNAL_TX: [["internal"], ["sender"]],
  INCOMING_FUNGIBLE_TX: [["fungible"], ["receiver"]],
  OUTGOING_FUNGIBLE_TX: [["fungible"], ["sender"]],
  INCOMING_NFT_TX: [["nft"], ["receiver"]],
  OUTGOING_NFT_TX: [["nft"], ["sender"]],
  INCOMING_MULTITOKEN_TX: [["multitoken"], ["receiver"]],
  OUTGOING_MULTITOKEN_TX: [["multitoken"], ["sender"]],
  FAILED_TXS_PER_BLOCK: [["failed"], ["sender"]]
}

/**
 * Whether a movement changes nothing on a side: its amount is 0, or the side is the receiver of a failed transaction.
 */
const movesNothing = ({ amount, kind }: Movement, side: MovementSide): boolean =>
  ((kind === "native" || kind === "internal") && amount === 0n) || (kind === "failed" && side === "receiver")

type TemplateProperties = { readonly [P in TemplateProperty]?: unknown }

const assetTypeOf = (kind: MovementKind): "native" | "fungible" | "nft" | "multitoken" =>
  kind === "fungible" || kind === "nft" || kind === "multitoken" ? kind : "native"

/** The kind of an event. The provider's reference lists `transfer` alone; the others are the sandbox's. */
const eventKindOf = (kind: MovementKind): string => (kind === "fee" || kind === "failed" ? kind : "transfer")

interface MatchedSide {
  readonly subscribed: SubscribedFields & { readonly type: MovementSubscriptionType }
  readonly given: string | undefined
  readonly side: MovementSide
}

/** The block of a movement, if it has one. */
type MovementPlace = Pick<IndexedBlock, "network"> & Partial<Pick<IndexedBlock, "block" | "hash" | "time">>

const movementProperties = (
  { block, hash: blockHash, network, time }: MovementPlace,
  movement: Movement,
  { given, side, subscribed: { id, type } }: MatchedSide,
  tokenOf: (token: string) => TokenDetails
): TemplateProperties => {
  const { amount, hash, kind, receiver, sender, token, tokenId } = movement
  const coin = Network.isNetwork(network) ? Network.info(network) : undefined
  const details: TokenDetails =
    token === undefined
      ? { decimals: coin?.decimals ?? 18, symbol: coin?.symbol ?? "ETH", name: coin?.symbol ?? "ETH" }
      : kind === "fungible"
        ? tokenOf(token)
        : { ...tokenOf(token), decimals: 0 }
  const counter = side === "sender" ? receiver : sender
  // Only `ADDRESS_EVENT` has signed amounts; the other types have the direction in their name.
  const leaves = type === NotificationType.ADDRESS_EVENT && side === "sender" && kind !== "failed"
  const seconds = time === undefined ? undefined : Math.floor(time / 1_000)
  return {
    kind: eventKindOf(kind),
    blockHash,
    blockNumber: block,
    blockTimestamp: seconds,
    txId: hash,
    txTimestamp: seconds,
    from: sender,
    to: receiver,
    value: String(amount),
    currency: coin?.symbol ?? "ETH",
    contractAddress: token,
    tokenId,
    tokenMetadata: { type: assetTypeOf(kind), ...details },
    "tokenMetadata.type": assetTypeOf(kind),
    "tokenMetadata.symbol": details.symbol,
    "tokenMetadata.name": details.name,
    "tokenMetadata.decimals": details.decimals,
    subscriptionId: id,
    subscriptionType: type,
    type: PROVIDER_KINDS[kind],
    address: given ?? (side === "sender" ? sender : receiver),
    counterAddress: counter,
    amount: Units.format(leaves ? -amount : amount, details.decimals)
  }
}

const eventProperties = (
  { block, hash: blockHash, time }: IndexedBlock,
  { address, data, hash, logIndex, topics }: ContractEvent,
  { id, type }: SubscribedFields
): TemplateProperties => {
  const seconds = Math.floor(time / 1_000)
  return {
    kind: "log",
    blockHash,
    blockNumber: block,
    blockTimestamp: seconds,
    txId: hash,
    txTimestamp: seconds,
    contractAddress: address,
    logIndex,
    subscriptionId: id,
    subscriptionType: type,
    topic_0: topics[0] ?? null,
    topic_1: topics[1] ?? null,
    topic_2: topics[2] ?? null,
    topic_3: topics[3] ?? null,
    data
  }
}

const formatProperty = (value: unknown): string =>
  value === undefined || value === null
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value)

const renderTemplate = (template: Template, properties: TemplateProperties): string => {
  if (template.format === "string")
    return JSON.stringify({
      data: template.message.replace(placeholders, (_, name: string) => {
        const property = name.trim()
        return isProperty(property) ? formatProperty(properties[property]) : ""
      })
    })
  const values = Object.entries(template.keys).map(([name, property]) => [name, properties[property] ?? null])
  return JSON.stringify({ data: Object.fromEntries(values) })
}

const makeLegacyBody = (
  network: string,
  movement: Movement,
  properties: TemplateProperties,
  more: { readonly mempool?: true } = {}
): string => {
  const {
    address,
    amount,
    blockNumber,
    contractAddress,
    counterAddress,
    subscriptionType,
    tokenId,
    txId,
    type
  } = properties
  const coin = Network.isNetwork(network) ? Network.info(network) : undefined
  // JSON has no undefined fields
  return JSON.stringify({
    address,
    amount,
    asset: movement.token ?? coin?.asset ?? coin?.symbol ?? "ETH",
    blockNumber,
    counterAddress,
    txId,
    type,
    tokenId,
    contractAddress,
    chain: network,
    subscriptionType,
    ...more
  })
}

/** The logs of a transaction, as the node has them. */
const findRawLogs = (indexed: IndexedBlock, hash: string): object => ({
  logs: indexed.events
    .filter((event) => event.hash === hash)
    .map(({ address, data, logIndex, topics }) => ({ address, topics, data, logIndex }))
})

const ENRICHED_PROPERTIES = [
  "kind",
  "blockHash",
  "blockNumber",
  "blockTimestamp",
  "txId",
  "txTimestamp",
  "currency",
  "from",
  "to",
  "value",
  "contractAddress",
  "tokenId",
  "tokenMetadata",
  "subscriptionId",
  "subscriptionType"
] as const satisfies ReadonlyArray<TemplateProperty>

/** The properties of a single log, which are not nested. */
const LOG_PROPERTIES = [
  "txId",
  "contractAddress",
  "blockNumber",
  "topic_0",
  "topic_1",
  "topic_2",
  "topic_3",
  "logIndex",
  "data",
  "subscriptionId",
  "subscriptionType"
] as const satisfies ReadonlyArray<TemplateProperty>

const pickProperties = (properties: TemplateProperties, names: ReadonlyArray<TemplateProperty>): object =>
  Object.fromEntries(names.map((name) => [name, properties[name]]))

const makeMovementBody = (
  indexed: IndexedBlock,
  movement: Movement,
  template: SubscribedFields["template"],
  properties: TemplateProperties
): string => {
  if (typeof template === "object") return renderTemplate(template, properties)
  if (template === "legacy") return makeLegacyBody(indexed.network, movement, properties)
  const raw = template === "enriched" ? {} : { rawData: findRawLogs(indexed, movement.hash) }
  return JSON.stringify({ data: { ...pickProperties(properties, ENRICHED_PROPERTIES), ...raw } })
}

const makeEventBody = (
  { time }: IndexedBlock,
  { address, data, hash, logIndex, topics }: ContractEvent
): object => ({
  txId: hash,
  logIndex,
  address,
  timestamp: Math.floor(time / 1_000),
  topic_0: topics[0] ?? null,
  topic_1: topics[1] ?? null,
  topic_2: topics[2] ?? null,
  topic_3: topics[3] ?? null,
  data
})

const meetsSubscription = ({ conditions = [] }: SubscribedFields, properties: TemplateProperties): boolean =>
  meetsConditions(conditions, (field) => {
    const value = properties[field]
    return typeof value === "string" ? value : undefined
  })

/** The bodies for a contract's events: one per block, or one per log. */
const makeEventBodies = (indexed: IndexedBlock, subscribed: SubscribedFields): ReadonlyArray<string> => {
  const { contract, event, template, type } = subscribed
  const events = indexed.events
    .filter(
      (each) =>
        normalizeAddress(each.address) === contract && each.topics[0]?.toLowerCase() === event?.toLowerCase()
    )
    .map((each) => ({ each, properties: eventProperties(indexed, each, subscribed) }))
    .filter(({ properties }) => meetsSubscription(subscribed, properties))
  if (template !== "legacy")
    return events.map(({ properties }) =>
      typeof template === "object"
        ? renderTemplate(template, properties)
        : JSON.stringify(pickProperties(properties, LOG_PROPERTIES))
    )
  if (events.length === 0) return []
  return [
    JSON.stringify({
      subscriptionType: type,
      chain: indexed.network,
      blockNumber: indexed.block,
      events: events.map(({ each }) => makeEventBody(indexed, each))
    })
  ]
}

/** The bodies for the movements that match a subscription. `write` makes each body. */
const makeMovementBodies = (
  place: MovementPlace,
  movements: ReadonlyArray<Movement>,
  subscribed: SubscribedFields & { readonly type: MovementSubscriptionType },
  {
    tokenOf,
    write
  }: {
    readonly tokenOf: (token: string) => TokenDetails
    readonly write: (movement: Movement, properties: TemplateProperties) => string
  }
): ReadonlyArray<string> => {
  const { address, given, type } = subscribed
  const [kinds, sides] = movementRules[type]
  // the subscriber gets its own form of the address, which the node may write otherwise
  const own = given !== undefined && normalizeAddress(given) !== address ? given : undefined
  return movements.flatMap((movement) =>
    sides.flatMap((side) => {
      const there = movement[side]
      const fits =
        there !== undefined &&
        kinds.includes(movement.kind) &&
        !movesNothing(movement, side) &&
        (type === NotificationType.FAILED_TXS_PER_BLOCK || normalizeAddress(there) === address)
      if (!fits) return []
      const properties = movementProperties(place, movement, { subscribed, given: own, side }, tokenOf)
      return meetsSubscription(subscribed, properties) ? [write(movement, properties)] : []
    })
  )
}

/**
 * The bodies of a block's calls for a subscription, as JSON in the order of the block: one per movement or log, or one
 * with all logs of the block in the template `legacy`. In `amount`, amounts are decimal strings in whole coins or
 * tokens (`tokenOf` yields a token's details by its address). For `ADDRESS_EVENT` they are negative where they leave
 * the address. `value` is in the smallest unit and never negative.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeBodies = (
  indexed: IndexedBlock,
  subscribed: SubscribedFields,
  tokenOf: (token: string) => TokenDetails
): ReadonlyArray<string> => {
  const { template, type } = subscribed
  return type === NotificationType.CONTRACT_ADDRESS_LOG_EVENT
    ? makeEventBodies(indexed, subscribed)
    : makeMovementBodies(
        indexed,
        indexed.movements,
        { ...subscribed, type },
        {
          tokenOf,
          write: (movement, properties) => makeMovementBody(indexed, movement, template, properties)
        }
      )
}

/**
 * The bodies of an `ADDRESS_EVENT` subscription's calls for transactions that are not in a block yet. They have the
 * template `legacy`, the only one of chains with such calls, without a block and with `mempool`.
 *
 * @since 0.1.0
 * @category getters
 */
export const makePendingBodies = (
  { movements, network }: PendingMovements,
  subscribed: SubscribedFields & { readonly type: typeof NotificationType.ADDRESS_EVENT }
): ReadonlyArray<string> =>
  makeMovementBodies({ network }, movements, subscribed, {
    // these chains have no tokens
    tokenOf: () => ({ decimals: 0 }),
    write: (movement, properties) => makeLegacyBody(network, movement, properties, { mempool: true })
  })

/** A call to make. `attemptsMade` counts the attempts of an earlier run of the sandbox. */
interface Delivery {
  readonly id: string
  readonly subscription: string
  readonly key: string
  readonly url: string
  readonly body: string
  readonly attemptsMade: number
}

const SubscriptionRow = Schema.Struct({
  id: Schema.String,
  api_key: Schema.String,
  type: Schema.Enums(NotificationType),
  address: Schema.NullOr(Schema.String),
  contract: Schema.NullOr(Schema.String),
  event: Schema.NullOr(Schema.String),
  attr: Schema.parseJson(Schema.Struct({ url: Schema.String, address: Schema.optional(Schema.String) })),
  options: Schema.NullOr(Schema.parseJson(SubscriptionOptions))
})
const TokenRow = Schema.Struct({
  decimals: Schema.NullOr(Schema.Number),
  symbol: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String)
})
const BlockRow = Schema.Struct({ hash: Schema.String })
const HeldRow = Schema.Struct({
  subscription: Schema.String,
  api_key: Schema.String,
  type: Schema.String,
  data: Schema.String,
  attr: Schema.parseJson(Schema.Struct({ url: Schema.String })),
  options: Schema.NullOr(Schema.parseJson(SubscriptionOptions))
})
const SecretRow = Schema.Struct({ secret: Schema.NullOr(Schema.String) })
const QueuedRow = Schema.Struct({
  id: Schema.String,
  subscription: Schema.String,
  api_key: Schema.String,
  url: Schema.String,
  data: Schema.String,
  retries: Schema.Number,
  failed: Schema.Number
})

/** The limit of calls that wait for one url. */
const MAX_QUEUED = 1_000
/** The number of calls that the list keeps; older ones are deleted. */
const MAX_LISTED = 10_000
const MAX_CONCURRENT = 256
/** The number of characters that the list keeps of an answer. */
const MAX_ANSWER_LENGTH = 1_000

interface WebhookCall {
  readonly subscription: string
  readonly key: string
  readonly url: string
  readonly type: string
  readonly body: string
}

const storeDelivery = (
  transaction: Transaction,
  { body, key, subscription, type, url }: WebhookCall,
  now: number
): Delivery => {
  const id = randomBytes(12).toString("hex")
  transaction.run(
    "INSERT INTO webhooks (id, subscription, api_key, time, url, type, data, retries, failed, next, network_error) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, 0)",
    id,
    subscription,
    key,
    now,
    url,
    type,
    body,
    now
  )
  return { id, subscription, key, url, body, attemptsMade: 0 }
}

/** Releases the calls whose block is final now. Those of deleted and paused subscriptions are dropped. */
const releaseFinal = (
  transaction: Transaction,
  network: string,
  height: number
): ReadonlyArray<WebhookCall> => {
  const rows = transaction.all(
    HeldRow,
    `SELECT held.subscription, held.api_key, held.type, held.data, subscriptions.attr, options
     FROM held JOIN subscriptions ON subscriptions.id = held.subscription
     LEFT JOIN subscription_options ON subscription_options.id = held.subscription
     WHERE held.network = ? AND held.block <= ? ORDER BY held.rowid`,
    network,
    height
  )
  transaction.run("DELETE FROM held WHERE network = ? AND block <= ?", network, height)
  return rows.flatMap(({ api_key: key, attr, data: body, options, subscription, type }) =>
    options?.paused === true ? [] : [{ subscription, key, url: attr.url, type, body }]
  )
}

/** Whether a block is still part of the chain, which may have changed since the block was published. */
const isCurrent = (transaction: Transaction, { block, hash, network }: IndexedBlock): boolean =>
  transaction
    .all(BlockRow, "SELECT hash FROM blocks WHERE network = ? AND block = ?", network, block)
    .some((row) => row.hash === hash)

const findSubscriptions = (
  { all }: Transaction,
  network: string
): ReadonlyArray<typeof SubscriptionRow.Type> =>
  all(
    SubscriptionRow,
    `SELECT subscriptions.id, api_key, type, address, contract, event, attr, options FROM subscriptions
     LEFT JOIN subscription_options ON subscription_options.id = subscriptions.id
     WHERE network = ? ORDER BY subscriptions.rowid`,
    network
  ).filter(({ options }) => options?.paused !== true)

/** The calls for transactions that are not in a block yet. */
const findPendingCalls = (transaction: Transaction, waiting: PendingMovements): ReadonlyArray<WebhookCall> =>
  findSubscriptions(transaction, waiting.network).flatMap(
    ({ api_key: key, attr, id, options, type, ...fields }) =>
      options?.mempool === true && type === NotificationType.ADDRESS_EVENT
        ? makePendingBodies(waiting, {
            ...fields,
            id,
            type,
            given: attr.address,
            conditions: options.conditions ?? [],
            template: "legacy"
          }).map((body) => ({ subscription: id, key, url: attr.url, type, body }))
        : []
  )

/** The calls for a block: those due now, and those to hold until the block is final. */
const findBlockCalls = (
  transaction: Transaction,
  indexed: IndexedBlock
): readonly [now: Array<WebhookCall>, held: Array<WebhookCall>] => {
  const { network } = indexed
  const now: Array<WebhookCall> = []
  const held: Array<WebhookCall> = []
  const subscriptions = findSubscriptions(transaction, network)
  const tokenOf = (token: string): TokenDetails => {
    const [row] = transaction.all(
      TokenRow,
      "SELECT decimals, symbol, name FROM tokens WHERE network = ? AND token = ?",
      network,
      token
    )
    return { decimals: row?.decimals ?? 0, symbol: row?.symbol ?? undefined, name: row?.name ?? undefined }
  }
  for (const { api_key: key, attr, id, options, type, ...fields } of subscriptions) {
    const subscribed: SubscribedFields = {
      ...fields,
      id,
      type,
      given: attr.address,
      conditions: options?.conditions ?? [],
      template: hasTemplates(network) ? resolveTemplate(transaction, key, options?.templateId) : "legacy"
    }
    for (const body of makeBodies(indexed, subscribed, tokenOf))
      (options?.finality === "final" ? held : now).push({ subscription: id, key, url: attr.url, type, body })
  }
  return [now, held]
}

const storeBlockCalls = (
  transaction: Transaction,
  indexed: IndexedBlock,
  confirmations: number,
  now: number
): ReadonlyArray<Delivery> => {
  const { block, network } = indexed
  const [calls, held] = findBlockCalls(transaction, indexed)
  if (held.length > 0 && isCurrent(transaction, indexed))
    for (const { body, key, subscription, type } of held)
      transaction.run(
        "INSERT INTO held (network, block, subscription, api_key, type, data) VALUES (?, ?, ?, ?, ?, ?)",
        network,
        block,
        subscription,
        key,
        type,
        body
      )
  const deliveries = [...releaseFinal(transaction, network, block - confirmations), ...calls].map((each) =>
    storeDelivery(transaction, each, now)
  )
  if (deliveries.length > 0)
    transaction.run(
      "DELETE FROM webhooks WHERE next IS NULL AND rowid <= (SELECT MAX(rowid) FROM webhooks) - ?",
      MAX_LISTED
    )
  return deliveries
}

/** A call that was not made, or not answered with a status from 200 to 299. */
class CallFailed extends Data.TaggedError("Failed")<object> {}

/** A call whose subscription was deleted, or whose url is not allowed. */
class CallUnwanted extends Data.TaggedError("Unwanted")<{ readonly why: string }> {}

interface WebhookAnswer {
  readonly code: number
  readonly text: string
}

/** Posts a body on a new connection, and reads the beginning of the answer. */
const postBody = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer
): Effect.Effect<WebhookAnswer, string> =>
  Effect.async<WebhookAnswer, string>((resume) => {
    const target = new URL(url)
    const send = target.protocol === "https:" ? NodeHttps.request : NodeHttp.request
    const onError = (error: Error): void => resume(Effect.fail(error.message || "the connection was lost"))
    const outgoing = send(
      target,
      { method: "POST", headers: { ...headers, "content-length": body.length }, agent: false },
      (response) => {
        let said = ""
        const done = (): void =>
          resume(Effect.succeed({ code: response.statusCode ?? 0, text: said.slice(0, MAX_ANSWER_LENGTH) }))
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => {
          said += chunk
          if (said.length < MAX_ANSWER_LENGTH) return
          done()
          outgoing.destroy()
        })
        response.on("end", done)
        response.on("error", onError)
      }
    )
    outgoing.on("error", onError)
    outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  })

const defaults = { plan: "free", timeout: "10 seconds", confirmations: 64 } as const

interface WebhookEngine {
  readonly transact: StoreService["transact"]
  readonly fork: (effect: Effect.Effect<void>) => void
  readonly slots: Effect.Semaphore
  readonly attemptTimeout: Duration.Duration
  readonly retries: NonNullable<WebhooksOptions["retries"]>
  readonly canCall: (url: string) => boolean
  /** The number of blocks on top of a final one. */
  readonly confirmations: number
  /** The calls that wait for each url, oldest first. A url has an entry while a fiber makes its calls. */
  readonly queues: Map<string, Array<Delivery>>
}

const attemptDelivery = (
  { attemptTimeout, canCall, slots, transact }: WebhookEngine,
  { body, id, key, subscription, url }: Delivery,
  retry: number
): Effect.Effect<void, CallFailed | CallUnwanted | SandboxError> =>
  Effect.gen(function* () {
    const [owner] = yield* transact(({ all }) =>
      all(
        SecretRow,
        "SELECT secret FROM subscriptions LEFT JOIN secrets ON secrets.api_key = ? WHERE id = ?",
        key,
        subscription
      )
    )
    if (owner === undefined) return yield* new CallUnwanted({ why: "The subscription was deleted." })
    // A subscription of an earlier run may have a host that is not allowed any more.
    if (!canCall(url)) return yield* new CallUnwanted({ why: "Webhooks go to this machine only." })
    const bytes = Buffer.from(body)
    const headers = {
      "content-type": "application/json",
      ...(owner.secret === null
        ? {}
        : { [signatureHeader]: createHmac("sha512", owner.secret).update(bytes).digest("base64") })
    }
    const outcome = yield* postBody(url, headers, bytes).pipe(
      Effect.timeoutFail({
        duration: attemptTimeout,
        onTimeout: () => `no answer within ${Duration.toMillis(attemptTimeout)} ms`
      }),
      slots.withPermits(1),
      Effect.either
    )
    const code = Either.isRight(outcome) ? outcome.right.code : null
    const isDone = code !== null && code >= 200 && code < 300
    yield* transact(({ run }) =>
      run(
        "UPDATE webhooks SET retries = ?, failed = ?, next = NULL, code = ?, said = ?, network_error = ? WHERE id = ?",
        retry,
        isDone ? 0 : 1,
        code,
        Either.isRight(outcome) ? outcome.right.text : outcome.left.slice(0, MAX_ANSWER_LENGTH),
        Either.isRight(outcome) ? 0 : 1,
        id
      )
    )
    if (!isDone) return yield* new CallFailed()
  })

const giveUp = (
  { transact }: WebhookEngine,
  { id }: Delivery,
  said: string
): Effect.Effect<void, SandboxError> =>
  transact(({ run }) =>
    run("UPDATE webhooks SET failed = 1, next = NULL, said = COALESCE(said, ?) WHERE id = ?", said, id)
  )

const deliverWithRetries = (engine: WebhookEngine, delivery: Delivery): Effect.Effect<void> =>
  Effect.suspend(() => {
    let tries = delivery.attemptsMade
    const schedule = Schedule.modifyDelayEffect(engine.retries, (_, pause) =>
      Effect.gen(function* () {
        const next = (yield* Clock.currentTimeMillis) + Duration.toMillis(pause)
        yield* logErrors(
          engine.transact(({ run }) => run("UPDATE webhooks SET next = ? WHERE id = ?", next, delivery.id))
        )
        return pause
      })
    )
    return Effect.suspend(() => attemptDelivery(engine, delivery, tries++)).pipe(
      Effect.retry({ schedule, while: (error) => error._tag === "Failed" }),
      Effect.catchTag("Failed", () => Effect.void),
      Effect.catchTag("Unwanted", ({ why }) => giveUp(engine, delivery, why)),
      logErrors
    )
  })

const drainQueue = (engine: WebhookEngine, url: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const next = engine.queues.get(url)?.shift()
    if (next !== undefined)
      return Effect.flatMap(deliverWithRetries(engine, next), () => drainQueue(engine, url))
    engine.queues.delete(url)
    return Effect.void
  })

const enqueue = (engine: WebhookEngine, delivery: Delivery): Effect.Effect<void> =>
  Effect.suspend(() => {
    const lane = engine.queues.get(delivery.url)
    if (lane === undefined) {
      engine.queues.set(delivery.url, [delivery])
      engine.fork(withRealClock(drainQueue(engine, delivery.url)))
      return Effect.void
    }
    lane.push(delivery)
    const oldest = lane.length > MAX_QUEUED ? lane.shift() : undefined
    return oldest === undefined
      ? Effect.void
      : logErrors(giveUp(engine, oldest, `More than ${MAX_QUEUED} calls were waiting for this url.`))
  })

/** Stores and enqueues the calls that are due. */
const enqueueCalls = (
  engine: WebhookEngine,
  due: (transaction: Transaction, now: number) => ReadonlyArray<Delivery>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const deliveries = yield* engine.transact((transaction) => due(transaction, now))
    yield* Effect.forEach(deliveries, (delivery) => enqueue(engine, delivery), { discard: true })
  }).pipe(withRealClock, logErrors)

const handleBlock = (engine: WebhookEngine, block: IndexedBlock): Effect.Effect<void> =>
  enqueueCalls(engine, (transaction, now) => storeBlockCalls(transaction, block, engine.confirmations, now))

const handlePending = (engine: WebhookEngine, waiting: PendingMovements): Effect.Effect<void> =>
  enqueueCalls(engine, (transaction, now) =>
    findPendingCalls(transaction, waiting).map((each) => storeDelivery(transaction, each, now))
  )

/** Enqueues the calls of an earlier run that are still to be made. */
const enqueueStored = (engine: WebhookEngine): Effect.Effect<void, SandboxError> =>
  Effect.flatMap(
    engine.transact(({ all }) =>
      all(
        QueuedRow,
        "SELECT id, subscription, api_key, url, data, retries, failed FROM webhooks WHERE next IS NOT NULL ORDER BY rowid"
      )
    ),
    (rows) =>
      Effect.forEach(
        rows,
        ({ api_key: key, data: body, failed, id, retries: had, subscription, url }) =>
          enqueue(engine, { id, subscription, key, url, body, attemptsMade: had + failed }),
        { discard: true }
      )
  )

/**
 * Makes the calls of an earlier run, then those for what the indexers publish, until the scope closes. Yields an effect that
 * awaits what is published already.
 */
const startDeliveries = (
  engine: WebhookEngine,
  { indexed, pending }: IndexerService
): Effect.Effect<Effect.Effect<void>, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    // One subscription wakes a fiber, and the other holds the blocks until that fiber has the lock and looks at them.
    // So a block is always either in a queue or being handled, and `awaitIndexed` misses none.
    const blockSignals = yield* PubSub.subscribe(indexed)
    const blocks = yield* PubSub.subscribe(indexed)
    const pendingSignals = yield* PubSub.subscribe(pending)
    const pool = yield* PubSub.subscribe(pending)
    const lock = yield* Effect.makeSemaphore(1)
    const takeAll = <A>(queue: Queue.Dequeue<A>, then: (each: A) => Effect.Effect<void>) =>
      Effect.flatMap(Queue.takeAll(queue), (all) => Effect.forEach(all, then, { discard: true }))
    // a transaction without a block comes before the block that includes it
    const awaitIndexed = Effect.uninterruptible(
      lock.withPermits(1)(
        Effect.zipRight(
          takeAll(pool, (waiting) => handlePending(engine, waiting)),
          takeAll(blocks, (block) => handleBlock(engine, block))
        )
      )
    )
    yield* enqueueStored(engine)
    for (const signals of [blockSignals, pendingSignals])
      yield* Queue.takeBetween<unknown>(signals, 1, Number.MAX_SAFE_INTEGER).pipe(
        Effect.zipRight(awaitIndexed),
        Effect.forever,
        Effect.forkScoped
      )
    return awaitIndexed
  })

/**
 * Makes the engine over the indexers and the store. It begins with the calls that an earlier run left in the store.
 * When the scope closes, running calls are interrupted and stay in the store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  confirmations = defaults.confirmations,
  hosts = [],
  plan = defaults.plan,
  retries = retrySchedule(plan),
  timeout = defaults.timeout
}: WebhooksOptions = {}): Effect.Effect<WebhooksService, SandboxError, Indexer | Store | Scope.Scope> =>
  Effect.gen(function* () {
    const { transact } = yield* Store
    const indexer = yield* Indexer
    const canCall = (url: string): boolean => {
      const { host, hostname } = new URL(url)
      return isLoopback(host) || hosts.includes("*") || hosts.includes(hostname)
    }
    const engine: WebhookEngine = {
      transact,
      fork: yield* FiberSet.makeRuntime<never, void, never>(),
      slots: yield* Effect.makeSemaphore(MAX_CONCURRENT),
      attemptTimeout: Duration.decode(timeout),
      retries,
      canCall,
      confirmations,
      queues: new Map()
    }

    const awaitIndexed = yield* startDeliveries(engine, indexer)
    return { awaitIndexed, canCall } satisfies WebhooksService
  })

/** Logs the error, so that the next block is handled. The caller's own requests fail too if the database does. */
const logErrors = (effect: Effect.Effect<void, SandboxError>): Effect.Effect<void> =>
  Effect.catchAll(effect, ({ message }) => Effect.logError(`Webhooks: ${message}`))

/**
 * The engine as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: WebhooksOptions = {}): Layer.Layer<Webhooks, SandboxError, Indexer | Store> =>
  Layer.scoped(Webhooks, make(options))
