/**
 * Subscriptions: the provider calls a url when something happens on a chain. This service creates, lists, changes and deletes them, lists
 * the calls, and manages the templates of their content. `Webhook` is for receivers of the calls.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Config } from "../config/Config.js"
import { Logger, type LoggerService } from "../config/Logger.js"
import type { Uncovered } from "../data/Coverage.js"
import { type NotificationType, TokenType } from "../data/enumerations.js"
import { addressProblem } from "../data/evmAddress.js"
import type * as Network from "../data/Network.js"
import {
  ChainNotSupported,
  type GatewayCallError,
  InvalidArgument,
  type LoadError,
  NotSupportedForNetwork
} from "../data/SdkError.js"
import { Gateway, type GatewayRequest, type GatewayService } from "./Gateway.js"
import { isEvm, networkOfChain, providerChainOf } from "./internal/networks.js"
import { streamByOffset } from "./internal/offsets.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"
import {
  NewTemplate,
  StoredTemplateSchema,
  type Template,
  type TemplateId,
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
 * The target of a subscription to an address: the address in the form of its chain, and the http or https url to call.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressTarget {
  readonly address: string
  /** At most 500 characters. */
  readonly url: string
}

/**
 * The target of a subscription to a contract: the event, which on EVM chains is its first topic (the Keccak-256 hash of its
 * signature, 0x and 64 digits) and on Tezos its name, and the http or https url to call.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractTarget {
  readonly contractAddress: string
  readonly event: string
  /** At most 500 characters. */
  readonly url: string
}

/**
 * The target of a subscription to every block: the http or https url to call.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockTarget {
  /** At most 500 characters. */
  readonly url: string
}

/**
 * A condition on an event. Amounts are in the smallest unit, as text or `bigint`: `{ field: "value", operator: ">=", value:
 * parseEther("1") }`. Numbers are compared by size, all else is the same or is not.
 *
 * @since 0.1.0
 * @category models
 */
export type Condition =
  | {
      readonly field: "value" | "tokenId"
      readonly operator: "==" | "!=" | ">" | ">=" | "<" | "<="
      readonly value: string | bigint
    }
  | {
      readonly field: "from" | "to" | "contractAddress" | "tokenMetadata.symbol"
      readonly operator: "==" | "!="
      readonly value: string
    }
  | {
      readonly field: "tokenMetadata.type"
      readonly operator: "==" | "!="
      readonly value: TokenType
    }

/**
 * The moment of a call: when a block has the transaction (`confirmed`), or when that block cannot be replaced any more (`final`).
 *
 * @since 0.1.0
 * @category models
 */
export type Finality = "confirmed" | "final"

/**
 * The options of a subscription. The provider has `finality` and `templateId` on EVM chains and on Tron.
 *
 * @since 0.1.0
 * @category models
 */
export interface SubscribeOptions {
  /** An event causes a call if it meets all of them (default: every event does). */
  readonly conditions?: ReadonlyArray<Condition>
  readonly finality?: Finality
  /** The content of the calls (default: the template of the API key, which is `enriched` unless you set another one). */
  readonly templateId?: TemplateId
}

/**
 * The options of a subscription to anything at an address. On Bitcoin, `mempool` makes a call for a transaction that is in no block
 * yet, too.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressEventOptions extends SubscribeOptions {
  readonly mempool?: boolean
}

/**
 * Changes of a subscription. Missing fields stay as they are. `conditions` replace all earlier ones, and an empty list removes them.
 * While a subscription is `paused`, the provider makes no calls.
 *
 * @since 0.1.0
 * @category models
 */
export interface SubscriptionChanges extends AddressEventOptions {
  /** At most 500 characters. */
  readonly url?: string
  readonly paused?: boolean
}

/**
 * Changes of all subscriptions on a network. Missing fields stay as they are.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkChanges {
  /** At most 500 characters. */
  readonly url?: string
  readonly finality?: Finality
}

/**
 * A subscription that was created: its id and its target. `chain` is the provider's code (`ETH`).
 *
 * @since 0.1.0
 * @category models
 */
export type Created<T> = T & { readonly id: string; readonly chain: string }

/**
 * A subscription in a list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subscription {
  readonly id: string
  /** Undefined if the SDK does not know the provider's chain: see `problem`. */
  readonly network: Network.Network | undefined
  /** Why the network is unknown, with the provider's name of the chain. */
  readonly problem?: ChainNotSupported
  readonly url: string
  /** Other texts are types that the provider has added since. */
  readonly type: NotificationType | (string & {})
  readonly address?: string
  readonly contractAddress?: string
  readonly event?: string
  /** The provider's conditions. It may have added fields and operators since. */
  readonly conditions?: ReadonlyArray<ListedCondition>
  /** The provider's note, such as an announcement. */
  readonly note?: string
}

/**
 * A condition of a subscription in a list.
 *
 * @since 0.1.0
 * @category models
 */
export interface ListedCondition {
  readonly field: string
  readonly operator: string
  readonly value: string
}

/**
 * A stored template of yours whose body is an object.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoredJsonTemplate {
  readonly id: string
  readonly format: "json"
  /** Properties that the SDK does not know have been added since. */
  readonly keys: { readonly [name: string]: string }
}

/**
 * A stored template of yours whose body is a text.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoredTextTemplate {
  readonly id: string
  readonly format: "string"
  readonly message: string
}

/**
 * A template of yours, as the provider keeps it.
 *
 * @since 0.1.0
 * @category models
 */
export type StoredTemplate = StoredJsonTemplate | StoredTextTemplate

/**
 * A call that the provider has made, or tried to.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExecutedWebhook {
  readonly id: string
  readonly subscriptionId: string
  readonly type: NotificationType | (string & {})
  readonly url: string
  /** The body of the call: `Webhook.decode` reads it. */
  readonly data: unknown
  /** The time of the next attempt, in milliseconds since 1970. */
  readonly nextTime?: number
  /** When it was made: milliseconds since 1970. */
  readonly timestamp?: number
  readonly retryCount?: number
  readonly failed: boolean
  /** The answer of the url. */
  readonly response?: {
    readonly code?: number
    readonly data?: string
    readonly networkError?: boolean
  }
}

/**
 * A query for subscriptions: pages of `pageSize` (default 10; the provider allows 50) from the provider's `offset` (default 0),
 * optionally of one address.
 *
 * @since 0.1.0
 * @category models
 */
export interface SubscriptionQuery {
  readonly pageSize?: number
  readonly offset?: number
  readonly address?: string
}

/**
 * A question for calls: pages of `pageSize` (default 10; the provider allows 50), from `offset` on as the provider counts it
 * (default 0), oldest first (`asc`) or newest first (`desc`), only those that failed or only those that did not.
 *
 * @since 0.1.0
 * @category models
 */
export interface WebhookQuery {
  readonly pageSize?: number
  readonly offset?: number
  readonly direction?: "asc" | "desc"
  readonly filterFailed?: boolean
}

/**
 * A question for templates: pages of `pageSize` (default 10; the provider allows 50), from `offset` on as the provider counts it
 * (default 0).
 *
 * @since 0.1.0
 * @category models
 */
export interface TemplateQuery {
  readonly pageSize?: number
  readonly offset?: number
}

/**
 * How a list is streamed: pages of `pageSize` (1 to 50, default 50), `limit` items in all (default: every one).
 *
 * @since 0.1.0
 * @category models
 */
export interface StreamOptions {
  readonly pageSize?: number
  readonly limit?: number
}

/**
 * The errors of subscribing.
 *
 * @since 0.1.0
 * @category errors
 */
export type SubscribeError<N extends Network.AnyNetwork = Network.Network> =
  | GatewayCallError
  | LoadError
  | InvalidArgument
  | Uncovered<N, "notification", NotSupportedForNetwork>

/**
 * The errors of the other methods.
 *
 * @since 0.1.0
 * @category errors
 */
export type NotificationError = GatewayCallError | InvalidArgument | LoadError

type ByAddress<N extends Network.AnyNetwork, Options = SubscribeOptions> = (
  target: AddressTarget & Options
) => Effect.Effect<Created<AddressTarget>, SubscribeError<N>>

/**
 * One method per type of notification. None is retried: if a subscription exists already, the provider answers with an error.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subscribe<N extends Network.AnyNetwork = Network.Network> {
  /** Anything that happens at an address. */
  readonly addressEvent: ByAddress<N, AddressEventOptions>
  /** The native coin arrives. */
  readonly incomingNativeTx: ByAddress<N>
  /** The native coin leaves. */
  readonly outgoingNativeTx: ByAddress<N>
  /** A transaction of the address fails. */
  readonly outgoingFailedTx: ByAddress<N>
  /** The address pays a fee. */
  readonly paidFee: ByAddress<N>
  /** The native coin arrives from a contract. */
  readonly incomingInternalTx: ByAddress<N>
  /** The native coin leaves through a contract. */
  readonly outgoingInternalTx: ByAddress<N>
  /** Fungible tokens arrive. */
  readonly incomingFungibleTx: ByAddress<N>
  /** Fungible tokens leave. */
  readonly outgoingFungibleTx: ByAddress<N>
  /** An NFT arrives. */
  readonly incomingNftTx: ByAddress<N>
  /** An NFT leaves. */
  readonly outgoingNftTx: ByAddress<N>
  /** Multi tokens (ERC-1155) arrive. */
  readonly incomingMultitokenTx: ByAddress<N>
  /** Multi tokens (ERC-1155) leave. */
  readonly outgoingMultitokenTx: ByAddress<N>
  /** A contract emits an event. */
  readonly contractAddressLogEvent: (
    target: ContractTarget & SubscribeOptions
  ) => Effect.Effect<Created<ContractTarget>, SubscribeError<N>>
  /** Transactions of a block have failed. */
  readonly failedTxsPerBlock: (
    target: BlockTarget & SubscribeOptions
  ) => Effect.Effect<Created<BlockTarget>, SubscribeError<N>>
}

/**
 * Templates: what the calls on EVM chains and on Tron have in them. A declared template types what `Webhook.decode` reads.
 *
 * @since 0.1.0
 * @category models
 */
export interface Templates {
  /** Stores a template, for `templateId` of subscriptions. It is not sent twice. */
  readonly create: (template: Template) => Effect.Effect<StoredTemplate, NotificationError>
  /** One page of the templates of the API key. The provider's own are not among them. */
  readonly getAll: (query?: TemplateQuery) => Effect.Effect<ReadonlyArray<StoredTemplate>, NotificationError>
  /** All templates of the API key. Pages are fetched as they are consumed. */
  readonly streamAll: (options?: StreamOptions) => Stream.Stream<StoredTemplate, NotificationError>
  /** Replaces a template. Later calls have its shape. */
  readonly update: (id: string, template: Template) => Effect.Effect<void, NotificationError>
  /** Deletes a template. Subscriptions with it get the default one; if it was the default, that is `enriched` again. */
  readonly delete: (id: string) => Effect.Effect<void, NotificationError>
  /** The default template of subscriptions: the name of a provider's template, or the id of one of yours. */
  readonly getDefault: () => Effect.Effect<TemplateId, NotificationError>
  /** Sets the default template of subscriptions. */
  readonly setDefault: (templateId: TemplateId) => Effect.Effect<void, NotificationError>
}

/**
 * Subscriptions.
 *
 * @since 0.1.0
 * @category models
 */
export interface NotificationService<
  N extends Network.AnyNetwork = Network.Network,
  in Secret = string | Redacted.Redacted
> {
  /** A method per type of notification. */
  readonly subscribe: Subscribe<N>
  /** One page of the subscriptions of the API key, on all of its networks. */
  readonly getAll: (
    query?: SubscriptionQuery
  ) => Effect.Effect<ReadonlyArray<Subscription>, NotificationError>
  /**
   * All subscriptions. Pages are fetched as they are consumed. Collect all of them before you delete any, since deletions shift the
   * pages.
   */
  readonly streamAll: (
    options?: StreamOptions & Pick<SubscriptionQuery, "address">
  ) => Stream.Stream<Subscription, NotificationError>
  /** The number of subscriptions of the API key, or of those to one address. */
  readonly count: (query?: Pick<SubscriptionQuery, "address">) => Effect.Effect<number, NotificationError>
  /** Changes a subscription by its id. */
  readonly update: (id: string, changes: SubscriptionChanges) => Effect.Effect<void, NotificationError>
  /** Changes all subscriptions of the API key on the client's network. */
  readonly updateNetwork: (changes: NetworkChanges) => Effect.Effect<void, NotificationError>
  /** Deletes a subscription by its id. */
  readonly unsubscribe: (id: string) => Effect.Effect<void, NotificationError>
  /** One page of the calls that the provider has made. */
  readonly getAllExecutedWebhooks: (
    query?: WebhookQuery
  ) => Effect.Effect<ReadonlyArray<ExecutedWebhook>, NotificationError>
  /** All webhook calls of the provider. Pages are fetched as they are consumed. */
  readonly streamAllExecutedWebhooks: (
    options?: StreamOptions & Pick<WebhookQuery, "direction" | "filterFailed">
  ) => Stream.Stream<ExecutedWebhook, NotificationError>
  /** The number of calls that the provider has made, or of those that failed or did not. */
  readonly countExecutedWebhooks: (
    query?: Pick<WebhookQuery, "filterFailed">
  ) => Effect.Effect<number, NotificationError>
  /** What the calls have in them. */
  readonly templates: Templates
  /** From now on the provider signs its calls with this secret (1 to 100 characters), for all of the API key's subscriptions: `Webhook.verify` checks them. */
  readonly enableHmac: (secret: Secret) => Effect.Effect<void, NotificationError>
  /** From now on the provider does not sign its calls. */
  readonly disableHmac: () => Effect.Effect<void, NotificationError>
}

/**
 * Subscriptions, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Notification extends /*#__PURE__*/ Context.Tag("effect-chains/services/Notification")<
  Notification,
  NotificationService
>() {}

/** The longest url, the longest secret and the longest page of the provider, by its API reference. */
const LIMITS = { url: 500, secret: 100, page: 50 } as const

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const Url = Schema.String.pipe(
  Schema.filter((text) => isWebUrl(text) && text.length <= LIMITS.url, {
    message: () => `must be an http or https url of at most ${LIMITS.url} characters`
  })
)

/** The provider knows the form of every chain's addresses: here only impossible ones are refused. */
const Address = Schema.String.pipe(
  Schema.pattern(/^[^\s/?#]{1,128}$/, { message: () => "must be an address" })
)

/** The id becomes a part of the path, and must not contain others: a DELETE without an id is another call. */
const Id = Schema.String.pipe(
  Schema.pattern(/^[\w-]{1,100}$/, { message: () => "the id of a subscription has letters and digits alone" })
)

const TemplateName = Schema.String.pipe(
  Schema.pattern(/^[\w-]{1,100}$/, {
    message: () => "must be a template of the provider or the id of one of yours: letters and digits alone"
  })
)

/** An option that a network does not have: any value of it is refused. */
const onlyWhere = <A, I>(
  schema: Schema.Schema<A, I>,
  isAvailable: boolean,
  words: string
): Schema.Schema<A, I> => (isAvailable ? schema : schema.pipe(Schema.filter(() => words)))

const numeric = ["value", "tokenId"]
const addresses = ["from", "to", "contractAddress"]

/** At most the digits of an integer of 256 bits. */
const digits = /^\d{1,78}$/

/**
 * The problem of a condition. The provider lists fields and operators, and accepts all combinations. Combinations that make no sense (an
 * address greater than another) are refused here.
 */
const findConditionProblem = (
  { field, operator, value }: AnyCondition,
  info: Network.NetworkInfo
): string | undefined => {
  const text = String(value)
  if (numeric.includes(field))
    return digits.test(text) ? undefined : `${field} is compared with a whole number in the smallest unit`
  if (operator !== "==" && operator !== "!=") return `${field} is compared by == or != alone`
  if (field === "tokenMetadata.type")
    return tokenTypes.includes(text) ? undefined : `${field} is one of ${tokenTypes.join(", ")}`
  if (addresses.includes(field) && isEvm(info)) {
    const problem = addressProblem(text, info.chainId)
    return problem === undefined ? undefined : `${field} ${problem}`
  }
  return text === "" ? `${field} is compared with text that is not empty` : undefined
}

const tokenTypes: ReadonlyArray<string> = Object.values(TokenType)

const conditionsSchema = (info: Network.NetworkInfo) =>
  Schema.Array(
    Schema.Struct({
      field: Schema.Literal(
        "value",
        "tokenId",
        "from",
        "to",
        "contractAddress",
        "tokenMetadata.type",
        "tokenMetadata.symbol"
      ),
      operator: Schema.Literal("==", "!=", ">", ">=", "<", "<="),
      value: Schema.Union(Schema.String, Schema.BigIntFromSelf)
    }).pipe(Schema.filter((condition) => findConditionProblem(condition, info) ?? true))
  )

/** The fields of options, as the network has them. */
const optionFields = (info: Network.NetworkInfo) => {
  const isTemplated = isEvm(info) || info.family === "tron"
  const words = "the provider has it on EVM chains and Tron alone"
  return {
    conditions: Schema.optional(conditionsSchema(info)),
    finality: Schema.optional(onlyWhere(Schema.Literal("confirmed", "final"), isTemplated, words)),
    templateId: Schema.optional(onlyWhere(TemplateName, isTemplated, words))
  }
}

/** The option for the mempool, on networks that have it. */
const mempoolField = (info: Network.NetworkInfo) => ({
  mempool: Schema.optional(
    onlyWhere(Schema.Boolean, info.notification === "BTC", "the provider has it on Bitcoin alone")
  )
})

const Count = Schema.Number.pipe(
  Schema.filter((count) => Number.isSafeInteger(count) && count >= 1, {
    message: () => "must be a whole number of at least 1"
  })
)
const PageSize = Schema.Number.pipe(
  Schema.filter((size) => Number.isSafeInteger(size) && size >= 1 && size <= LIMITS.page, {
    message: () => `must be a whole number from 1 to ${LIMITS.page}`
  })
)
const Offset = Schema.Number.pipe(
  Schema.filter((offset) => Number.isSafeInteger(offset) && offset >= 0, {
    message: () => "must be a whole number of at least 0"
  })
)

const filterFields = {
  address: Schema.optional(Address),
  direction: Schema.optional(Schema.Literal("asc", "desc")),
  filterFailed: Schema.optional(Schema.Boolean)
}
const pageFields = { pageSize: Schema.optional(Count), offset: Schema.optional(Offset) }
const streamFields = { pageSize: Schema.optional(PageSize), limit: Schema.optional(Count) }

const checks = {
  getAll: makeInputCheck(
    "notification.getAll",
    Schema.Struct({ ...pageFields, address: filterFields.address })
  ),
  streamAll: makeInputCheck(
    "notification.streamAll",
    Schema.Struct({ ...streamFields, address: filterFields.address })
  ),
  unsubscribe: makeInputCheck("notification.unsubscribe", Id),
  getAllExecutedWebhooks: makeInputCheck(
    "notification.getAllExecutedWebhooks",
    Schema.Struct({
      ...pageFields,
      direction: filterFields.direction,
      filterFailed: filterFields.filterFailed
    })
  ),
  streamAllExecutedWebhooks: makeInputCheck(
    "notification.streamAllExecutedWebhooks",
    Schema.Struct({
      ...streamFields,
      direction: filterFields.direction,
      filterFailed: filterFields.filterFailed
    })
  ),
  count: makeInputCheck("notification.count", Schema.Struct({ address: filterFields.address })),
  countExecutedWebhooks: makeInputCheck(
    "notification.countExecutedWebhooks",
    Schema.Struct({ filterFailed: filterFields.filterFailed })
  ),
  update: makeInputCheck("notification.update", Id),
  createTemplate: makeInputCheck("notification.templates.create", NewTemplate),
  getTemplates: makeInputCheck("notification.templates.getAll", Schema.Struct(pageFields)),
  streamTemplates: makeInputCheck("notification.templates.streamAll", Schema.Struct(streamFields)),
  templateToUpdate: makeInputCheck("notification.templates.update", Id),
  updateTemplate: makeInputCheck("notification.templates.update", NewTemplate),
  deleteTemplate: makeInputCheck("notification.templates.delete", Id),
  setDefault: makeInputCheck("notification.templates.setDefault", TemplateName)
}

const makeCreatedReader = (call: string) =>
  makeAnswerReader(call, Schema.Struct({ id: Schema.NonEmptyString }))

const Text = Schema.optional(Schema.NullOr(Schema.String))

const readSubscriptions = makeAnswerReader(
  "notification.getAll",
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      type: Schema.String,
      attr: Schema.Struct({
        chain: Schema.String,
        url: Schema.String,
        address: Text,
        contractAddress: Text,
        event: Text,
        conditions: Schema.optional(
          Schema.NullOr(
            Schema.Array(
              Schema.Struct({ field: Schema.String, operator: Schema.String, value: Schema.String })
            )
          )
        )
      }),
      note: Text
    })
  )
)

/** A count is `count` in v4's reference, and `total` in v3's, which covers both. */
const makeCountReader = (call: string) => {
  const read = makeAnswerReader(
    call,
    Schema.Struct({ count: Schema.optional(Schema.Number), total: Schema.optional(Schema.Number) }).pipe(
      Schema.filter(({ count, total }) => count !== undefined || total !== undefined || "must have a count")
    )
  )
  return (value: unknown) => Effect.map(read(value), ({ count, total = 0 }) => count ?? total)
}
const readSubscriptionCount = makeCountReader("notification.count")
const readWebhookCount = makeCountReader("notification.countExecutedWebhooks")

const readCreatedTemplate = makeCreatedReader("notification.templates.create")

const readTemplates = makeAnswerReader("notification.templates.getAll", Schema.Array(StoredTemplateSchema))

const readDefaultTemplate = makeAnswerReader(
  "notification.templates.getDefault",
  Schema.Struct({ templateId: Schema.String })
)

/** Of a call only the id is needed here; the rest has the shape of the provider's reference. */
const readWebhooks = makeAnswerReader(
  "notification.getAllExecutedWebhooks",
  Schema.Array(Schema.Struct({ id: Schema.String }))
)

/** The caller's fields, in which missing ones may be undefined. */
type Unchecked<T> = { readonly [K in keyof T]?: T[K] | undefined }

type ListedSubscription = Effect.Effect.Success<ReturnType<typeof readSubscriptions>>[number]

/** A chain that the table does not know does not end the list: the subscription has it as a `problem`. */
const toSubscription = ({ attr, id, note, type }: ListedSubscription, testnet: boolean): Subscription => {
  const { address, chain, conditions, contractAddress, event, url } = attr
  const network = networkOfChain(chain, testnet)
  return {
    id,
    network,
    ...(network === undefined ? { problem: new ChainNotSupported({ chain }) } : {}),
    url,
    type,
    ...(address ? { address } : {}),
    ...(contractAddress ? { contractAddress } : {}),
    ...(event ? { event } : {}),
    ...(conditions ? { conditions } : {}),
    ...(note ? { note } : {})
  }
}

/** The pages of a list as one stream. */
const streamOf = <A extends { readonly id: string }, O extends Unchecked<StreamOptions>>(
  options: Effect.Effect<O, InvalidArgument>,
  fetch: (query: O & { readonly offset: number }) => Effect.Effect<ReadonlyArray<A>, GatewayCallError>
): Stream.Stream<A, NotificationError> =>
  Stream.unwrap(
    Effect.map(options, (given) => {
      const { limit, pageSize = LIMITS.page } = given
      return streamByOffset({
        pageSize,
        limit,
        id: (item: A) => item.id,
        fetch: (offset) => fetch({ ...given, pageSize, offset })
      })
    })
  )

const DEFAULT_PAGE_SIZE = 10

/** The parts that the requests of the service need. */
interface NotificationContext {
  readonly gateway: GatewayService
  readonly logger: LoggerService
  readonly network: string
  readonly info: Network.NetworkInfo
  /** The version of requests that only v4 has (conditions, templates, bulk changes), if the client's is another one. */
  readonly v4Request: Pick<GatewayRequest, "version">
}

/** A condition whose fields fit together. */
interface AnyCondition {
  readonly field: string
  readonly operator: string
  readonly value: string | bigint
}

/** The options of a subscription after their check. */
interface CheckedOptions extends Unchecked<Omit<AddressEventOptions, "conditions">> {
  readonly conditions?: ReadonlyArray<AnyCondition> | undefined
}

/** Conditions as the provider takes them: their values are text. */
const toTextConditions = (conditions: ReadonlyArray<AnyCondition>): ReadonlyArray<ListedCondition> =>
  conditions.map((condition) => ({ ...condition, value: String(condition.value) }))

/** A field of a subscription as it is stored and looked up: EVM addresses are in small letters, so that any spelling finds them. */
const toStored = <A>(value: A): A | string =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value) ? value.toLowerCase() : value

/** Subscriptions of one type, to targets of one shape. */
const makeSubscribeMethod =
  ({ v4Request, gateway, info, network }: NotificationContext) =>
  <T extends object, I>(
    name: keyof Subscribe,
    schema: Schema.Schema<T, I>,
    optionsOf: (call: string) => (value: unknown) => Effect.Effect<CheckedOptions, InvalidArgument>
  ) => {
    // ADDRESS_EVENT of addressEvent
    const type = name.replace(/[A-Z]/g, "_$&").toUpperCase()
    const call = `notification.subscribe.${name}`
    const read = makeInputCheck(call, schema)
    const readOptions = optionsOf(call)
    const readCreated = makeCreatedReader(call)
    // a testnet has to be named if the chain's code does not identify it
    const query =
      info.testnet === true && info.defaultTestnet !== true ? { testnetType: info.slug ?? network } : {}
    return (target: T): Effect.Effect<Created<T>, SubscribeError> =>
      Effect.gen(function* () {
        const chain = info.notification
        if (chain === undefined)
          return yield* new NotSupportedForNetwork({ network, feature: "notification" })
        const given = yield* read(target)
        const { conditions = [], ...chosen } = yield* readOptions(target)
        const attr = {
          chain,
          ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toStored(value)])),
          ...(conditions.length === 0 ? {} : { conditions: toTextConditions(conditions) })
        }
        const needsV4 = conditions.length > 0 || Object.values(chosen).some((value) => value !== undefined)
        const { id } = yield* gateway
          .request({
            method: "POST",
            path: "subscription",
            query,
            body: { type, attr, ...chosen },
            write: true,
            ...(needsV4 ? v4Request : {})
          })
          .pipe(Effect.flatMap(readCreated))
        return { ...given, id, chain }
      })
  }

/** An event of a contract, as the network has contracts and events. */
const eventFields = ({
  info
}: NotificationContext): {
  readonly contractAddress: Schema.Schema<string>
  readonly event: Schema.Schema<string>
} =>
  isEvm(info)
    ? {
        contractAddress: Schema.String.pipe(
          Schema.filter((address) => addressProblem(address, info.chainId) ?? true)
        ),
        event: Schema.String.pipe(
          Schema.pattern(/^0x[0-9a-f]{64}$/i, {
            message: () => "must be the first topic of an event: 0x and 64 hexadecimal digits"
          })
        )
      }
    : {
        contractAddress: Address,
        event: Schema.String.pipe(
          Schema.pattern(/^\S{1,66}$/, { message: () => "must be an event: 1 to 66 characters" })
        )
      }

/** The subscriptions to addresses that have the same options. The provider has their names in capitals. */
const addressSubscriptions = [
  "incomingNativeTx",
  "outgoingNativeTx",
  "outgoingFailedTx",
  "paidFee",
  "incomingInternalTx",
  "outgoingInternalTx",
  "incomingFungibleTx",
  "outgoingFungibleTx",
  "incomingNftTx",
  "outgoingNftTx",
  "incomingMultitokenTx",
  "outgoingMultitokenTx"
] as const satisfies ReadonlyArray<keyof Subscribe>

/** The subscriptions by their names. */
const makeSubscribe = (context: NotificationContext): Subscribe => {
  const subscribe = makeSubscribeMethod(context)
  const target = Schema.Struct({ address: Address, url: Url })
  const fields = optionFields(context.info)
  const options = (call: string) => makeInputCheck(call, Schema.Struct(fields))
  const ofAddress = (call: string) =>
    makeInputCheck(call, Schema.Struct({ ...fields, ...mempoolField(context.info) }))
  return {
    // the record has the list's names, which the type of Object.fromEntries does not express
    ...(Object.fromEntries(addressSubscriptions.map((name) => [name, subscribe(name, target, options)])) as {
      readonly [K in (typeof addressSubscriptions)[number]]: ByAddress<Network.Network>
    }),
    addressEvent: subscribe("addressEvent", target, ofAddress),
    contractAddressLogEvent: subscribe(
      "contractAddressLogEvent",
      Schema.Struct({ ...eventFields(context), url: Url }),
      options
    ),
    failedTxsPerBlock: subscribe("failedTxsPerBlock", Schema.Struct({ url: Url }), options)
  }
}

const makeSubscriptionsReader =
  ({ gateway, info, logger }: NotificationContext) =>
  ({
    address,
    offset,
    pageSize = DEFAULT_PAGE_SIZE
  }: Unchecked<SubscriptionQuery>): Effect.Effect<ReadonlyArray<Subscription>, GatewayCallError> =>
    gateway
      .request({
        method: "GET",
        path: "subscription",
        query: { pageSize, offset, address: toStored(address) }
      })
      .pipe(
        Effect.flatMap(readSubscriptions),
        Effect.map((items) => items.map((item) => toSubscription(item, info.testnet === true))),
        Effect.tap((items) =>
          Effect.forEach(
            items.flatMap(({ id, problem }) =>
              problem === undefined ? [] : [`Subscription ${id}: ${problem.message}`]
            ),
            (line) => logger.warn(() => line),
            { discard: true }
          )
        )
      )

const makeWebhooksReader =
  ({ gateway }: NotificationContext) =>
  ({
    direction,
    filterFailed,
    offset,
    pageSize = DEFAULT_PAGE_SIZE
  }: Unchecked<WebhookQuery>): Effect.Effect<ReadonlyArray<ExecutedWebhook>, GatewayCallError> =>
    Effect.tap(
      gateway.request<ReadonlyArray<ExecutedWebhook>>({
        method: "GET",
        path: "subscription/webhook",
        // a text, because a boolean `false` would stay out of the query
        query: { pageSize, offset, direction, failed: filterFailed?.toString() }
      }),
      readWebhooks
    )

/** Changes after their check, with the missing fields of the caller. */
type CheckedChanges = CheckedOptions & Unchecked<Omit<SubscriptionChanges, keyof AddressEventOptions>>

const isNothing = (changes: object): boolean => Object.values(changes).every((value) => value === undefined)

const failWithoutChanges = (call: string): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call, reason: "there is nothing to change" }))

/** The changes of subscriptions. */
const makeUpdates = ({ v4Request, gateway, info, network }: NotificationContext) => {
  const fields = optionFields(info)
  const url = Schema.optional(Url)
  const readChanges: (value: unknown) => Effect.Effect<CheckedChanges, InvalidArgument> = makeInputCheck(
    "notification.update",
    Schema.Struct({ ...fields, ...mempoolField(info), url, paused: Schema.optional(Schema.Boolean) })
  )
  const readNetworkChanges: (value: unknown) => Effect.Effect<Unchecked<NetworkChanges>, InvalidArgument> =
    makeInputCheck("notification.updateNetwork", Schema.Struct({ url, finality: fields.finality }))
  return {
    update: (id: string, changes: SubscriptionChanges): Effect.Effect<void, NotificationError> =>
      Effect.gen(function* () {
        const given = yield* checks.update(id)
        const { conditions, ...rest } = yield* readChanges(changes)
        if (conditions === undefined && isNothing(rest))
          return yield* failWithoutChanges("notification.update")
        yield* gateway.request({
          method: "PUT",
          path: `subscription/${given}`,
          template: "subscription/{id}",
          body: {
            ...rest,
            ...(conditions === undefined ? {} : { conditions: toTextConditions(conditions) })
          },
          write: true,
          ...v4Request
        })
      }),
    updateNetwork: (changes: NetworkChanges): Effect.Effect<void, NotificationError> =>
      Effect.gen(function* () {
        const given = yield* readNetworkChanges(changes)
        if (isNothing(given)) return yield* failWithoutChanges("notification.updateNetwork")
        yield* gateway.request({
          method: "PUT",
          path: "subscription/batch",
          // the route has no code of a chain: a testnet would not differ from its mainnet
          query: { chain: providerChainOf(network), ...given },
          write: true,
          ...v4Request
        })
      })
  }
}

/** The counts of subscriptions and of webhooks. */
const makeCounts = ({
  gateway
}: NotificationContext): Pick<NotificationService, "count" | "countExecutedWebhooks"> => ({
  count: (query = {}) =>
    Effect.flatMap(checks.count(query), ({ address }) =>
      Effect.flatMap(
        gateway.request({
          method: "GET",
          path: "subscription/count",
          // the route requires a page size, and ignores it
          query: { pageSize: DEFAULT_PAGE_SIZE, address: toStored(address) }
        }),
        readSubscriptionCount
      )
    ),
  countExecutedWebhooks: (query = {}) =>
    Effect.flatMap(checks.countExecutedWebhooks(query), ({ filterFailed }) =>
      Effect.flatMap(
        gateway.request({
          method: "GET",
          path: "subscription/webhook/count",
          query: { pageSize: DEFAULT_PAGE_SIZE, failed: filterFailed?.toString() }
        }),
        readWebhookCount
      )
    )
})

/** Sets the secret with which the provider signs webhooks. */
const enableHmac = (
  gateway: GatewayService,
  secret: Parameters<NotificationService["enableHmac"]>[0]
): ReturnType<NotificationService["enableHmac"]> => {
  const hmacSecret: unknown = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
  return typeof hmacSecret === "string" && hmacSecret !== "" && hmacSecret.length <= LIMITS.secret
    ? gateway.request<void>({ method: "PUT", path: "subscription", body: { hmacSecret }, write: true })
    : Effect.fail(
        new InvalidArgument({
          call: "notification.enableHmac",
          reason: `the secret must be text of 1 to ${LIMITS.secret} characters`
        })
      )
}

/** Templates, for the API key of the client. */
const makeTemplates = ({ v4Request, gateway }: NotificationContext): Templates => {
  const root = "subscription/template"
  const page = ({
    offset,
    pageSize = DEFAULT_PAGE_SIZE
  }: Unchecked<TemplateQuery>): Effect.Effect<ReadonlyArray<StoredTemplate>, GatewayCallError> =>
    gateway.request({ method: "GET", path: root, query: { pageSize, offset }, ...v4Request }).pipe(
      Effect.flatMap(readTemplates),
      Effect.map((items) => items.map((item) => ({ id: item.id, ...toTemplate(item) })))
    )
  const one = (id: string) => ({ path: `${root}/${id}`, template: `${root}/{id}`, write: true, ...v4Request })
  return {
    create: (template) =>
      Effect.gen(function* () {
        const body = toTemplate(yield* checks.createTemplate(template))
        const { id } = yield* gateway
          .request({ method: "POST", path: root, body, write: true, ...v4Request })
          .pipe(Effect.flatMap(readCreatedTemplate))
        return { ...body, id }
      }),
    getAll: (query = {}) => Effect.flatMap(checks.getTemplates(query), page),
    streamAll: (options = {}) => streamOf(checks.streamTemplates(options), page),
    update: (id, template) =>
      Effect.gen(function* () {
        const given = yield* checks.templateToUpdate(id)
        const body = toTemplate(yield* checks.updateTemplate(template))
        yield* gateway.request({ method: "PUT", body, ...one(given) })
      }),
    delete: (id) =>
      Effect.flatMap(checks.deleteTemplate(id), (given) =>
        gateway.request<void>({ method: "DELETE", ...one(given) })
      ),
    getDefault: () =>
      gateway.request({ method: "GET", path: `${root}/default`, ...v4Request }).pipe(
        Effect.flatMap(readDefaultTemplate),
        Effect.map(({ templateId }) => templateId)
      ),
    setDefault: (id) =>
      Effect.flatMap(checks.setDefault(id), (templateId) =>
        Effect.asVoid(
          gateway.request({
            method: "PUT",
            path: `${root}/default`,
            body: { templateId },
            write: true,
            ...v4Request
          })
        )
      )
  }
}

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<NotificationService, never, Config | Gateway | Logger> = Effect.gen(
  function* () {
    const { network, info, version } = yield* Config
    const gateway = yield* Gateway
    const context: NotificationContext = {
      gateway,
      logger: yield* Logger,
      network,
      info,
      v4Request: version === "V4" ? {} : { version: "V4" }
    }
    const subscriptionsOf = makeSubscriptionsReader(context)
    const webhooksOf = makeWebhooksReader(context)
    return {
      subscribe: makeSubscribe(context),
      getAll: (query = {}) => Effect.flatMap(checks.getAll(query), subscriptionsOf),
      streamAll: (options = {}) => streamOf(checks.streamAll(options), subscriptionsOf),
      ...makeCounts(context),
      ...makeUpdates(context),
      templates: makeTemplates(context),
      unsubscribe: (id) =>
        Effect.flatMap(checks.unsubscribe(id), (given) =>
          gateway.request<void>({
            method: "DELETE",
            path: `subscription/${given}`,
            template: "subscription/{id}",
            write: true
          })
        ),
      getAllExecutedWebhooks: (query = {}) =>
        Effect.flatMap(checks.getAllExecutedWebhooks(query), webhooksOf),
      streamAllExecutedWebhooks: (options = {}) =>
        streamOf(checks.streamAllExecutedWebhooks(options), webhooksOf),
      enableHmac: (secret) => enableHmac(gateway, secret),
      disableHmac: () => gateway.request<void>({ method: "DELETE", path: "subscription", write: true })
    }
  }
)

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Notification, never, Config | Gateway | Logger> = /*#__PURE__*/ Layer.effect(
  Notification,
  make
)
