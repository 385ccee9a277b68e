/**
 * Subscriptions: the provider calls a url when something happens on a chain. They are created, listed and deleted here,
 * and so are the calls that it has made. `Webhook` is for receivers of those calls.
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
import type { NotificationType } from "../data/enumerations.js"
import { addressProblem } from "../data/evmAddress.js"
import type * as Network from "../data/Network.js"
import {
  ChainNotSupported,
  type GatewayCallError,
  InvalidArgument,
  type LoadError,
  NetworkNotSupported
} from "../data/SdkError.js"
import { Gateway, type GatewayService } from "./Gateway.js"
import { isEvm, networkOfChain } from "./internal/networks.js"
import { byOffset } from "./internal/offsets.js"
import { answer, input } from "./internal/schema.js"

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
 * A subscription that was created: its id and its target. `chain` is the provider's code (`ETH`).
 *
 * @since 0.1.0
 * @category models
 */
export type Created<T> = T & { readonly id: string; readonly chain: string }

/**
 * A subscription as the list has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subscription {
  readonly id: string
  /** Undefined where the provider names a chain that the SDK does not know: see `problem`. */
  readonly network: Network.Network | undefined
  /** Why the network is unknown, with the provider's name of the chain. */
  readonly problem?: ChainNotSupported
  readonly url: string
  /** A type beside the known ones is one that the provider has introduced since. */
  readonly type: NotificationType | (string & {})
  readonly address?: string
  readonly contractAddress?: string
  readonly event?: string
}

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
  /** When it will be tried again: milliseconds since 1970. */
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
 * A question for subscriptions: pages of `pageSize` (default 10; the provider allows 50), from `offset` on as the provider
 * counts it (default 0), those of one address alone.
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
  | Uncovered<N, "notification", NetworkNotSupported>

/**
 * The errors of the other methods.
 *
 * @since 0.1.0
 * @category errors
 */
export type NotificationError = GatewayCallError | InvalidArgument | LoadError

type ByAddress<N extends Network.AnyNetwork> = (
  target: AddressTarget
) => Effect.Effect<Created<AddressTarget>, SubscribeError<N>>

/**
 * A method per type of notification. None is sent twice: a subscription that exists already is the provider's error.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subscribe<N extends Network.AnyNetwork = Network.Network> {
  /** Anything that happens at an address. */
  readonly addressEvent: ByAddress<N>
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
    target: ContractTarget
  ) => Effect.Effect<Created<ContractTarget>, SubscribeError<N>>
  /** Transactions of a block have failed. */
  readonly failedTxsPerBlock: (target: BlockTarget) => Effect.Effect<Created<BlockTarget>, SubscribeError<N>>
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
  /** All subscriptions, page by page as they are consumed. Collect them before deleting any: the pages would shift. */
  readonly streamAll: (
    options?: StreamOptions & Pick<SubscriptionQuery, "address">
  ) => Stream.Stream<Subscription, NotificationError>
  /** Deletes a subscription by its id. */
  readonly unsubscribe: (id: string) => Effect.Effect<void, NotificationError>
  /** One page of the calls that the provider has made. */
  readonly getAllExecutedWebhooks: (
    query?: WebhookQuery
  ) => Effect.Effect<ReadonlyArray<ExecutedWebhook>, NotificationError>
  /** All calls that the provider has made, page by page as they are consumed. */
  readonly streamAllExecutedWebhooks: (
    options?: StreamOptions & Pick<WebhookQuery, "direction" | "filterFailed">
  ) => Stream.Stream<ExecutedWebhook, NotificationError>
  /** From now on the provider signs its calls with this secret (1 to 100 characters), for all of the API key's subscriptions: `Webhook.verify` checks them. */
  readonly enableHmac: (secret: Secret) => Effect.Effect<void, NotificationError>
  /** From now on the provider does not sign its calls. */
  readonly disableHmac: () => Effect.Effect<void, NotificationError>
}

/**
 * Subscriptions, for the client at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class Notification extends /*#__PURE__*/ Context.Tag("effect-chains/services/Notification")<
  Notification,
  NotificationService
>() {}

/** The longest url, the longest secret and the longest page of the provider, by its API reference. */
const MOST = { url: 500, secret: 100, page: 50 } as const

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const Url = Schema.String.pipe(
  Schema.filter((text) => isWebUrl(text) && text.length <= MOST.url, {
    message: () => `must be an http or https url of at most ${MOST.url} characters`
  })
)

/** The provider knows the form of every chain's addresses: here only impossible ones are refused. */
const Address = Schema.String.pipe(
  Schema.pattern(/^[^\s/?#]{1,128}$/, { message: () => "must be an address" })
)

/** The id goes into the path, and must be no other part of a path: a DELETE without an id would be another call. */
const Id = Schema.String.pipe(
  Schema.pattern(/^[\w-]{1,100}$/, { message: () => "the id of a subscription has letters and digits alone" })
)

const Count = Schema.Number.pipe(
  Schema.filter((count) => Number.isSafeInteger(count) && count >= 1, {
    message: () => "must be a whole number of at least 1"
  })
)
const PageSize = Schema.Number.pipe(
  Schema.filter((size) => Number.isSafeInteger(size) && size >= 1 && size <= MOST.page, {
    message: () => `must be a whole number from 1 to ${MOST.page}`
  })
)
const Offset = Schema.Number.pipe(
  Schema.filter((offset) => Number.isSafeInteger(offset) && offset >= 0, {
    message: () => "must be a whole number of at least 0"
  })
)

const listed = {
  address: Schema.optional(Address),
  direction: Schema.optional(Schema.Literal("asc", "desc")),
  filterFailed: Schema.optional(Schema.Boolean)
}
const paged = { pageSize: Schema.optional(Count), offset: Schema.optional(Offset) }
const streamed = { pageSize: Schema.optional(PageSize), limit: Schema.optional(Count) }

const reads = {
  getAll: input("notification.getAll", Schema.Struct({ ...paged, address: listed.address })),
  streamAll: input("notification.streamAll", Schema.Struct({ ...streamed, address: listed.address })),
  unsubscribe: input("notification.unsubscribe", Id),
  getAllExecutedWebhooks: input(
    "notification.getAllExecutedWebhooks",
    Schema.Struct({ ...paged, direction: listed.direction, filterFailed: listed.filterFailed })
  ),
  streamAllExecutedWebhooks: input(
    "notification.streamAllExecutedWebhooks",
    Schema.Struct({ ...streamed, direction: listed.direction, filterFailed: listed.filterFailed })
  )
}

const created = (call: string) => answer(call, Schema.Struct({ id: Schema.NonEmptyString }))

const Text = Schema.optional(Schema.NullOr(Schema.String))

const subscriptions = answer(
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
        event: Text
      })
    })
  )
)

/** Of a call only the id is needed here; the rest has the shape of the provider's reference. */
const webhooks = answer(
  "notification.getAllExecutedWebhooks",
  Schema.Array(Schema.Struct({ id: Schema.String }))
)

/** The caller's fields, in which missing ones may be undefined. */
type Given<T> = { readonly [K in keyof T]?: T[K] | undefined }

type Listed = Effect.Effect.Success<ReturnType<typeof subscriptions>>[number]

/** A chain that the table does not know ends no list: it is told beside the subscription. */
const subscriptionOf = ({ id, type, attr }: Listed, testnet: boolean): Subscription => {
  const { address, chain, contractAddress, event, url } = attr
  const network = networkOfChain(chain, testnet)
  return {
    id,
    network,
    ...(network === undefined ? { problem: new ChainNotSupported({ chain }) } : {}),
    url,
    type,
    ...(address ? { address } : {}),
    ...(contractAddress ? { contractAddress } : {}),
    ...(event ? { event } : {})
  }
}

/** The pages of a list as one stream. */
const streamOf = <A extends { readonly id: string }, O extends Given<StreamOptions>>(
  options: Effect.Effect<O, InvalidArgument>,
  fetch: (query: O & { readonly offset: number }) => Effect.Effect<ReadonlyArray<A>, GatewayCallError>
): Stream.Stream<A, NotificationError> =>
  Stream.unwrap(
    Effect.map(options, (given) => {
      const { limit, pageSize = MOST.page } = given
      return byOffset({
        pageSize,
        limit,
        id: (item: A) => item.id,
        fetch: (offset) => fetch({ ...given, pageSize, offset })
      })
    })
  )

const DEFAULT_PAGE = 10

/** The parts that the requests of the service need. */
interface Asked {
  readonly gateway: GatewayService
  readonly logger: LoggerService
  readonly network: string
  readonly info: Network.NetworkInfo
}

/** Subscriptions of one type, to targets of one shape. */
const subscribeTo =
  ({ gateway, info, network }: Asked) =>
  <T extends object, I>(name: keyof Subscribe, schema: Schema.Schema<T, I>) => {
    // ADDRESS_EVENT of addressEvent
    const type = name.replace(/[A-Z]/g, "_$&").toUpperCase()
    const call = `notification.subscribe.${name}`
    const read = input(call, schema)
    const answered = created(call)
    // a testnet has to be named if the chain's code alone does not stand for it
    const query = info.testnet === true && info.defaultTestnet !== true ? { testnetType: network } : {}
    return (target: T): Effect.Effect<Created<T>, SubscribeError> =>
      Effect.gen(function* () {
        const chain = info.notification
        if (chain === undefined) return yield* new NetworkNotSupported({ network })
        const given = yield* read(target)
        const { id } = yield* gateway
          .request({
            method: "POST",
            path: "subscription",
            query,
            body: { type, attr: { chain, ...given } },
            write: true
          })
          .pipe(Effect.flatMap(answered))
        return { ...given, id, chain }
      })
  }

/** An event of a contract, as the network has contracts and events. */
const eventOf = ({
  info
}: Asked): { readonly contractAddress: Schema.Schema<string>; readonly event: Schema.Schema<string> } =>
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

/** The subscriptions to addresses. The provider has their names in capitals. */
const byAddress = [
  "addressEvent",
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
const subscribing = (asked: Asked): Subscribe => {
  const subscribe = subscribeTo(asked)
  const target = Schema.Struct({ address: Address, url: Url })
  return {
    // the record has the names of the list, which Object.fromEntries does not say
    ...(Object.fromEntries(byAddress.map((name) => [name, subscribe(name, target)])) as {
      readonly [K in (typeof byAddress)[number]]: ByAddress<Network.Network>
    }),
    contractAddressLogEvent: subscribe(
      "contractAddressLogEvent",
      Schema.Struct({ ...eventOf(asked), url: Url })
    ),
    failedTxsPerBlock: subscribe("failedTxsPerBlock", Schema.Struct({ url: Url }))
  }
}

const page =
  ({ gateway, info, logger }: Asked) =>
  ({
    address,
    offset,
    pageSize = DEFAULT_PAGE
  }: Given<SubscriptionQuery>): Effect.Effect<ReadonlyArray<Subscription>, GatewayCallError> =>
    gateway.request({ method: "GET", path: "subscription", query: { pageSize, offset, address } }).pipe(
      Effect.flatMap(subscriptions),
      Effect.map((items) => items.map((item) => subscriptionOf(item, info.testnet === true))),
      Effect.tap((items) =>
        Effect.forEach(
          items.flatMap(({ id, problem }) =>
            problem === undefined ? [] : [`Subscription ${id}: ${problem.message}`]
          ),
          logger.warn,
          { discard: true }
        )
      )
    )

const webhookPage =
  ({ gateway }: Asked) =>
  ({
    direction,
    filterFailed,
    offset,
    pageSize = DEFAULT_PAGE
  }: Given<WebhookQuery>): Effect.Effect<ReadonlyArray<ExecutedWebhook>, GatewayCallError> =>
    Effect.tap(
      gateway.request<ReadonlyArray<ExecutedWebhook>>({
        method: "GET",
        path: "subscription/webhook",
        // a text, because a boolean `false` would stay out of the query
        query: { pageSize, offset, direction, failed: filterFailed?.toString() }
      }),
      webhooks
    )

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<NotificationService, never, Config | Gateway | Logger> = Effect.gen(
  function* () {
    const { network, info } = yield* Config
    const gateway = yield* Gateway
    const asked: Asked = { gateway, logger: yield* Logger, network, info }
    const subscriptionsOf = page(asked)
    const webhooksOf = webhookPage(asked)
    return {
      subscribe: subscribing(asked),
      getAll: (query = {}) => Effect.flatMap(reads.getAll(query), subscriptionsOf),
      streamAll: (options = {}) => streamOf(reads.streamAll(options), subscriptionsOf),
      unsubscribe: (id) =>
        Effect.flatMap(reads.unsubscribe(id), (given) =>
          gateway.request<void>({
            method: "DELETE",
            path: `subscription/${given}`,
            template: "subscription/{id}",
            write: true
          })
        ),
      getAllExecutedWebhooks: (query = {}) => Effect.flatMap(reads.getAllExecutedWebhooks(query), webhooksOf),
      streamAllExecutedWebhooks: (options = {}) =>
        streamOf(reads.streamAllExecutedWebhooks(options), webhooksOf),
      enableHmac: (secret) => {
        const hmacSecret: unknown = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
        return typeof hmacSecret === "string" && hmacSecret !== "" && hmacSecret.length <= MOST.secret
          ? gateway.request<void>({ method: "PUT", path: "subscription", body: { hmacSecret }, write: true })
          : Effect.fail(
              new InvalidArgument({
                call: "notification.enableHmac",
                reason: `the secret must be text of 1 to ${MOST.secret} characters`
              })
            )
      },
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
