/**
 * The observation of a pool: events for listeners, and metrics for collectors. None of it costs a call much where
 * there are no listeners and collectors.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { outcomeOf, type TransportService } from "../wire/Transport.js"
import type { NodeType } from "./Pool.js"

/**
 * How a subscription goes: by a socket of a node, or by polls over HTTP, for want of a socket.
 *
 * @since 0.1.0
 * @category models
 */
export type SubscriptionMode = "socket" | "polling"

/**
 * Something that happened in a pool, at a time in milliseconds since 1970. Urls are as they may be printed. All that is told of one call
 * has its `id`; calls that ask the same have others.
 *
 * - `Picked`: a node of this type was chosen for an attempt of a call, which wanted one of the type `wanted`.
 * - `Answered`: it has answered, after so many milliseconds.
 * - `Hedged`: a call that waits was sent to a second node too.
 * - `Failed`: a node was taken out by a call or a check, and why.
 * - `Cooled`: a node wants to be left alone for so many milliseconds.
 * - `Readmitted`: a probe or a check has found it well again.
 * - `Limited`: a 429 has lowered the rate of the quota to so many requests a second, after a pause of `ms` milliseconds; to so many credits
 *   a second, where these are its only limit.
 * - `OverQuota`: a call was not sent, because the quota has no room for it in time; it could be served after `ms` milliseconds.
 * - `Charged`: the provider has answered a call of this route, by an attempt of a call, a check or a service, and it costs so many credits;
 *   without `credits` the provider publishes no price. It is told of clients with a quota, once for each call of a list.
 * - `Exhausted`: all nodes of a type have failed a call.
 * - `Subscribed`: a subscription (`subscribe.newHeads`) goes by a socket at this node from now on, or is polled over HTTP.
 *
 * @since 0.1.0
 * @category models
 */
export type PoolEvent = { readonly at: number } & (
  | {
      readonly _tag: "Picked"
      readonly url: string
      readonly type: NodeType
      readonly wanted: NodeType
      readonly call: string
      readonly id: number
    }
  | {
      readonly _tag: "Answered"
      readonly url: string
      readonly call: string
      readonly id: number
      readonly ms: number
    }
  | { readonly _tag: "Hedged"; readonly url: string; readonly call: string; readonly id: number }
  | { readonly _tag: "Failed"; readonly url: string; readonly reason: string }
  | { readonly _tag: "Cooled"; readonly url: string; readonly ms: number }
  | { readonly _tag: "Readmitted"; readonly url: string; readonly height: number }
  | {
      readonly _tag: "Limited"
      readonly rate: number
      readonly unit: "requests" | "credits"
      readonly ms: number
    }
  | { readonly _tag: "OverQuota"; readonly call: string; readonly ms: number }
  | { readonly _tag: "Charged"; readonly url: string; readonly route: string; readonly credits?: number }
  | { readonly _tag: "Exhausted"; readonly type: NodeType }
  | {
      readonly _tag: "Subscribed"
      readonly subscription: string
      readonly mode: SubscriptionMode
      readonly url?: string
    }
)

/**
 * Gets events until it is taken back.
 *
 * @since 0.1.0
 * @category models
 */
export type Listen = (listener: (event: PoolEvent) => void) => () => void

/**
 * What counts calls, attempts, events and requests to the provider's API. A call that is made several times takes its function once.
 *
 * @since 0.1.0
 * @category observability
 */
export interface Counters {
  readonly call: (network: string, outcome: string) => () => void
  /** Milliseconds of an attempt that the node has answered. */
  readonly attempt: (network: string, node: string) => (ms: number) => void
  readonly event: (network: string, kind: string) => () => void
  readonly request: (network: string, outcome: string) => () => void
}

/**
 * The counters of a client: those of the Effect surface (`Metrics`), and none on the Promise surface, where nobody could read them.
 *
 * @since 0.1.0
 * @category services
 */
export class Counting extends Context.Reference<Counting>()("effect-chains/balancer/Counting", {
  defaultValue: (): Counters | undefined => undefined
}) {}

/** An event before it has its time. */
type Untimed<E> = E extends { readonly at: number } ? Omit<E, "at"> : never

/**
 * Takes the events of a pool to listeners and collectors. `emit` is for events of every call: only listeners get them, so ask
 * `isHeard` before an event is made. `happened` is for rare events, which are counted one by one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observer {
  readonly listen: Listen
  readonly hasListeners: () => boolean
  readonly emit: (event: Untimed<PoolEvent>, at: number) => void
  readonly report: (event: Untimed<PoolEvent>) => Effect.Effect<void>
  /** Counts a call of the client's user that has ended: as one, whatever way it has taken. */
  readonly onCallEnd: TransportService["onCallEnd"]
}

/**
 * The observer of a pool of this network, to whom nobody listens yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (network: string, counters: Counters | undefined): Observer => {
  const listeners = new Set<(event: PoolEvent) => void>()
  const succeeded = counters?.call(network, "ok")
  const emit: Observer["emit"] = (event, at) => {
    for (const listener of listeners) {
      try {
        listener({ ...event, at })
      } catch {
        // the listener is the user's, and no call ends for an error in it
      }
    }
  }
  return {
    listen: (listener) => {
      // a listener of its own, so that one that is given twice is told twice
      const own = (event: PoolEvent): void => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    hasListeners: () => listeners.size > 0,
    emit,
    report: (event) =>
      Effect.clockWith((clock) => {
        emit(event, clock.unsafeCurrentTimeMillis())
        counters?.event(network, event._tag)()
        return Effect.void
      }),
    onCallEnd:
      counters &&
      ((exit) => (Exit.isSuccess(exit) ? succeeded?.() : counters.call(network, outcomeOf(exit))()))
  }
}
