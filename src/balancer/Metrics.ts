/**
 * Metrics of calls, nodes and requests to the provider, on the Effect surface.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import { makeRecorder } from "./metricRecorder.js"
import { type Counters, CountersRef } from "./Observation.js"

/**
 * Calls by network and outcome: `ok`, the tag of the error, `interrupted`, or `defect`. Each call of a client counts once, whether its
 * request was its own, batched, shared with other calls, or one of several.
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
 * Events of pools by network and kind: `Failed`, `Cooled`, `Hedged`, `Readmitted`, `Limited`, `OverQuota`, `Charged`,
 * `Exhausted`, `Subscribed`.
 *
 * @since 0.1.0
 * @category observability
 */
export const events = /*#__PURE__*/ Metric.counter("effect_chains_pool_events", {
  description: "Events of pools by network and kind",
  incremental: true
})

/**
 * Requests to the provider by network and outcome: `ok`, the tag of the error, `interrupted`, or `defect`. A request that is sent
 * again counts once.
 *
 * @since 0.1.0
 * @category observability
 */
export const requests = /*#__PURE__*/ Metric.counter("effect_chains_requests", {
  description: "Requests to the provider by network and outcome",
  incremental: true
})

const counterBy =
  (metric: Metric.Metric.Counter<number>, tag: string) =>
  (network: string, value: string): (() => void) => {
    const record = makeRecorder(metric, { network, [tag]: value })
    return () => record(1)
  }

/**
 * The counters of the Effect surface: they update these metrics.
 *
 * @since 0.1.0
 * @category observability
 */
export const counters: Counters = {
  call: /*#__PURE__*/ counterBy(calls, "outcome"),
  attempt: (network, node) => makeRecorder(latency, { network, node }),
  event: /*#__PURE__*/ counterBy(events, "kind"),
  request: /*#__PURE__*/ counterBy(requests, "outcome")
}

/**
 * Provides these counters to an effect that makes a client.
 *
 * @since 0.1.0
 * @category observability
 */
export const withMetrics: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  /*#__PURE__*/ Effect.provideService(CountersRef, counters)
