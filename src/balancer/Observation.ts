/**
 * Events of a pool for listeners, and counters for metrics. Without listeners and collectors they cost a call next to nothing.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { outcomeOf, type TransportService } from "../wire/Transport.js"
import type { NodeType } from "./Pool.js"

/**
 * How a subscription gets its data: from a node's WebSocket, or by polling over HTTP when there is no socket.
 *
 * @since 0.1.0
 * @category models
 */
export type SubscriptionMode = "socket" | "polling"

/**
 * An event of a pool. `at` is in milliseconds since 1970. Urls come without their secrets. The events of one call share its `id`.
 *
 * - `Attempted`: a node of the type `type` was chosen for an attempt of a call that prefers the type `wanted`.
 * - `Answered`: the node has answered after `ms` milliseconds.
 * - `Hedged`: a backup request was sent to a second node.
 * - `Failed`: a call or a check has evicted a node; `reason` says why.
 * - `Cooled`: a node has asked for a pause of `ms` milliseconds.
 * - `Readmitted`: a probe or a check has brought the node back.
 * - `Limited`: after a 429 the quota's rate is `rate` per second (in `unit`), after a pause of `ms` milliseconds.
 * - `OverQuota`: a call was not sent because the quota has no room for it in time; there is room after `ms` milliseconds.
 * - `Charged`: the provider has answered a call of this route, which costs `credits`. Without `credits` the provider publishes no price.
 *   Only clients with a quota report it, once for each call of a batch.
 * - `Exhausted`: all nodes of a type have failed a call.
 * - `Subscribed`: a subscription (`subscribe.newHeads`) now uses the WebSocket of this node, or is polled over HTTP.
 *
 * @since 0.1.0
 * @category models
 */
export type PoolEvent = { readonly at: number } & (
  | {
      readonly _tag: "Attempted"
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
 * Adds a listener, and yields the function that removes it.
 *
 * @since 0.1.0
 * @category models
 */
export type Listen = (listener: (event: PoolEvent) => void) => () => void

/**
 * Counters of calls, attempts, events and requests to the provider's API. Each yields the function that counts one with these labels.
 *
 * @since 0.1.0
 * @category observability
 */
export interface Counters {
  readonly call: (network: string, outcome: string) => () => void
  /** Records the milliseconds of an answered attempt. */
  readonly attempt: (network: string, node: string) => (ms: number) => void
  readonly event: (network: string, kind: string) => () => void
  readonly request: (network: string, outcome: string) => () => void
}

/**
 * The counters of a client: `Metrics` on the Effect surface, none on the Promise surface.
 *
 * @since 0.1.0
 * @category services
 */
export class CountersRef extends Context.Reference<CountersRef>()("effect-chains/balancer/CountersRef", {
  defaultValue: (): Counters | undefined => undefined
}) {}

/** An event without its time. */
type Untimed<E> = E extends { readonly at: number } ? Omit<E, "at"> : never

/**
 * Passes events to listeners, to the log and to counters. `emit` is for the events of every call, which are not counted: ask `isObserved`
 * before you make such an event. `report` is for rare events and counts them, too. Both yield the effect that writes the log, so that its lines
 * have the annotations and spans of the fiber that runs it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observer {
  readonly listen: Listen
  readonly isObserved: () => boolean
  readonly emit: (event: Untimed<PoolEvent>, at: number) => Effect.Effect<void>
  readonly report: (event: Untimed<PoolEvent>) => Effect.Effect<void>
  /** Counts a call that has ended, once, however many requests it took. */
  readonly onCallEnd: TransportService["onCallEnd"]
}

/** Writes an event to the log. */
type LogEvent = (event: Untimed<PoolEvent>) => Effect.Effect<void>

/**
 * Makes the observer of a pool without listeners.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (network: string, counters: Counters | undefined, log?: LogEvent): Observer => {
  const listeners = new Set<(event: PoolEvent) => void>()
  const succeeded = counters?.call(network, "ok")
  const emit: Observer["emit"] = (event, at) => {
    for (const listener of listeners) {
      try {
        listener({ ...event, at })
      } catch {
        // an error in the user's listener must not fail a call
      }
    }
    return log?.(event) ?? Effect.void
  }
  return {
    listen: (listener) => {
      // a new function, so that a listener that is added twice is called twice
      const own = (event: PoolEvent): void => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    isObserved: () => listeners.size > 0 || log !== undefined,
    emit,
    report: (event) =>
      Effect.clockWith((clock) => {
        counters?.event(network, event._tag)()
        return emit(event, clock.unsafeCurrentTimeMillis())
      }),
    onCallEnd:
      counters &&
      ((exit) => (Exit.isSuccess(exit) ? succeeded?.() : counters.call(network, outcomeOf(exit))()))
  }
}
