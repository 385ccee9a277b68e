/**
 * The observation of a pool: events for listeners, and metrics for collectors. None of it costs a call much where
 * there are no listeners and collectors.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
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
 * Something that happened in a pool, at a time in milliseconds since 1970. Urls are as they may be printed.
 *
 * - `Picked`: a node of this type was chosen for an attempt of a call, which wanted one of the type `wanted`.
 * - `Answered`: it has answered, after so many milliseconds.
 * - `Hedged`: a call that waits was sent to a second node too.
 * - `Failed`: a node was taken out by a call or a check, and why.
 * - `Cooled`: a node wants to be left alone for so many milliseconds.
 * - `Readmitted`: a probe or a check has found it well again.
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
    }
  | { readonly _tag: "Answered"; readonly url: string; readonly call: string; readonly ms: number }
  | { readonly _tag: "Hedged"; readonly url: string; readonly call: string }
  | { readonly _tag: "Failed"; readonly url: string; readonly reason: string }
  | { readonly _tag: "Cooled"; readonly url: string; readonly ms: number }
  | { readonly _tag: "Readmitted"; readonly url: string; readonly height: number }
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
 * Calls by network and outcome: `ok`, the tag of the error, `interrupted`, or `defect`. Each call of a client is counted once,
 * whether its request was its own, one in a list, shared with others, or one of several.
 *
 * @since 0.1.0
 * @category observability
 */
export const calls = /*#__PURE__*/ Metric.counter("effect_chains_calls", {
  description: "Calls by network and outcome",
  incremental: true
})

/**
 * Attempts that nodes have answered, in milliseconds, by network and node.
 *
 * @since 0.1.0
 * @category observability
 */
export const latency = /*#__PURE__*/ Metric.histogram(
  "effect_chains_attempt_ms",
  /*#__PURE__*/ MetricBoundaries.exponential({ start: 1, factor: 2, count: 14 }),
  "Answered attempts by network and node, in milliseconds"
)

/**
 * Events of pools by network and kind: `Failed`, `Cooled`, `Hedged`, `Readmitted`, `Exhausted`, `Subscribed`.
 *
 * @since 0.1.0
 * @category observability
 */
export const events = /*#__PURE__*/ Metric.counter("effect_chains_pool_events", {
  description: "Events of pools by network and kind",
  incremental: true
})

/**
 * Updates a metric under tags that stay the same. `Metric.tagged` makes the key anew at every update.
 *
 * @since 0.1.0
 * @category observability
 */
export const recorder = <Type, In, Out>(
  metric: Metric.Metric<Type, In, Out>,
  tags: Readonly<Record<string, string>>
): ((value: In) => void) => {
  const labels = Object.entries(tags).map(([key, value]) => MetricLabel.make(key, value))
  return (value) => metric.unsafeUpdate(value, labels)
}

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
  readonly isHeard: () => boolean
  readonly emit: (event: Untimed<PoolEvent>, at: number) => void
  readonly happened: (event: Untimed<PoolEvent>) => Effect.Effect<void>
  /** Counts a call of the client's user that has ended: as one, whatever way it has taken. */
  readonly ended: NonNullable<TransportService["ended"]>
}

/**
 * The observer of a pool of this network, to whom nobody listens yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (network: string): Observer => {
  const listeners = new Set<(event: PoolEvent) => void>()
  const succeeded = recorder(calls, { network, outcome: "ok" })
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
    isHeard: () => listeners.size > 0,
    emit,
    happened: (event) =>
      Effect.clockWith((clock) => {
        emit(event, clock.unsafeCurrentTimeMillis())
        recorder(events, { network, kind: event._tag })(1)
        return Effect.void
      }),
    ended: (exit) =>
      Exit.isSuccess(exit) ? succeeded(1) : recorder(calls, { network, outcome: outcomeOf(exit) })(1)
  }
}
