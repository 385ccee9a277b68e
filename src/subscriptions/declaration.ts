import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import type { ClientFamily } from "../balancer/Family.js"
import type { NodePoolService } from "../balancer/NodePool.js"
import type { Config } from "../config/Config.js"
import type { Logger } from "../config/Logger.js"
import type { Fault } from "../data/Endpoint.js"
import type { IntegerCodec } from "../data/integers.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { MakeCalls } from "../transport/Client.js"
import type { PollingDelay, SubscriptionOptions } from "./Subscription.js"

/**
 * The events of a subscription: a notification arrived; it is subscribed at a node with this head (`isFirst`: for the first time); the
 * head of its node was read; or the head was polled over HTTP.
 */
export type SubscriptionEvent<Item> =
  | { readonly _tag: "Item"; readonly item: Item }
  | { readonly _tag: "Connected"; readonly isFirst: boolean; readonly head: unknown }
  | { readonly _tag: "HeadRead"; readonly head: unknown }
  | { readonly _tag: "Polled"; readonly head: unknown }

/** Turns events into items for the consumer. Its state is its own, and changes only when `handle` succeeds. */
export interface Follower<Item> {
  handle(event: SubscriptionEvent<Item>): Effect.Effect<ReadonlyArray<Item>, RpcCallError>
  /** Whether no more items can come. */
  readonly isOver?: () => boolean
}

/** The options of a subscription, by whichever surface it was made. */
export type AnySubscriptionOptions = SubscriptionOptions<PollingDelay | Schedule.Schedule<unknown>>

/** What a follower works with: a client for reads, and the caller's options. */
export interface FollowerContext {
  readonly client: MakeCalls
  readonly options: AnySubscriptionOptions
  readonly warn: (message: string) => Effect.Effect<void>
}

/**
 * How to read a node's head: on the socket of a subscription (`method`), and from the pool over HTTP (`readFromPool`). A subscription
 * with one can be polled, and reads items again that had no room in its buffer.
 */
export interface HeadRequest<Head = unknown> {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  /** Throws if it cannot be read. */
  readonly decode: (answer: unknown) => Head
  heightOf(head: Head): number
  readonly readFromPool: (client: MakeCalls) => Effect.Effect<Head, RpcCallError>
}

/**
 * A subscription: its method, its parameters out of the caller's arguments (`arity` of them, before the options; an
 * exception is an `InvalidArgument`), how its notifications are read, how it is ended, and how gaps in it are filled.
 */
export interface SubscriptionDeclaration<Args extends ReadonlyArray<unknown>, Item> {
  readonly method: string
  /** Without it, the end of its socket ends it. */
  readonly unsubscribe?: string
  readonly arity: number
  readonly params: (...args: Args) => ReadonlyArray<unknown>
  /** Throws if it cannot be read. */
  readonly decode: (value: unknown) => Item
  readonly head?: HeadRequest
  /** The height of an item, if every block has an item. Then a long silence means that something is wrong. */
  heightOf?(item: Item): number
  /** By default items are passed on unchanged. */
  readonly makeFollower?: (following: FollowerContext, ...args: Args) => Follower<Item>
}

/**
 * Translates messages of sockets that do not speak JSON-RPC. Notifications do not name their subscription, so each subscription has a
 * socket of its own.
 */
export interface SocketDialect {
  readonly encode: (id: number, method: string, params: ReadonlyArray<unknown>) => object
  readonly decode: (message: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** The subscriptions of a family, and how its nodes speak on sockets. */
export interface SubscriptionTable {
  readonly declarations: Readonly<Record<string, SubscriptionDeclaration<ReadonlyArray<never>, unknown>>>
  /** The question to a silent node; any answer will do. */
  readonly ping: string
  readonly integers: IntegerCodec
  readonly numbers: ReadonlyArray<string>
  readonly classify: (error: { readonly code: number; readonly message: string }) => Fault
  /** Default: JSON-RPC. */
  readonly dialect?: SocketDialect
  /** Why the nodes have no sockets: they are polled. */
  readonly noSocketsReason?: string
  /** The url of a node's socket, if its entry does not name it. By default the node's url with the protocol of sockets. */
  readonly toSocketUrl?: (url: string) => string
}

/** The client that subscribes. */
export interface Subscriber {
  readonly context: Context.Context<ClientFamily | Config | Logger>
  readonly client: MakeCalls
  readonly pool: NodePoolService
}
