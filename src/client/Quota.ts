/**
 * The quota of a key for the Effect surface, with metrics of the time that calls wait and of the credits that they cost, and a layer for clients that are made of parts.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import type { Checks } from "../balancer/Family.js"
import { withMetrics } from "../balancer/Metrics.js"
import { make as makePool, NodePool } from "../balancer/NodePool.js"
import { Config, type Quota } from "../config/Config.js"
import type { Logger } from "../config/Logger.js"
import type { InvalidConfig } from "../data/SdkError.js"
import { keepDeadlines } from "../http/deadlines.js"
import { Http } from "../http/service.js"
import {
  type Bucket,
  makeLocalBucket,
  makeQuota,
  type QuotaOptions,
  type TokenRate
} from "../transport/Quota.js"

export type { Limit } from "../config/Config.js"
export { type Credits, creditsOfNodeCall, type RouteCredits, routeCredits } from "../data/credits.js"
export {
  type AdaptiveRate as Pace,
  type Bucket,
  lowerRate as lower,
  makeLocalBucket as localBucket,
  makeQueue as queueOf,
  makeRate as steady,
  type QuotaBuckets as Buckets,
  type QuotaOptions,
  type QuotaQueue as Queue,
  type RecordSpent as Spent,
  type RecordWait as Waited,
  raiseRate as raise,
  type TokenRate
} from "../transport/Quota.js"

/**
 * The time that calls have waited for their turn, in milliseconds, by network. Those that were refused are not in it.
 *
 * @since 0.1.0
 * @category observability
 */
export const waitTime: Metric.Metric.Histogram<number> = Metric.histogram(
  "effect_chains_quota_wait_ms",
  MetricBoundaries.exponential({ start: 1, factor: 2, count: 16 }),
  "Time that calls have waited for their turn by network, in milliseconds"
)

/**
 * The credits of answered calls, by network and route. Calls of routes without a published price add nothing.
 *
 * @since 0.1.0
 * @category observability
 */
export const credits: Metric.Metric.Counter<number> = Metric.counter("effect_chains_credits", {
  description: "Credits of answered calls by network and route",
  incremental: true
})

/**
 * A quota whose tokens come from buckets of one's own: `bucketOf` is asked once for the key, under the name `key`, if it has a limit, once
 * for its credits, under the name `credits`, if they have one, and once for every node that has one, under its url. Throws `InvalidConfig`
 * for limits that are none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const quotaWithBuckets = (
  options: QuotaOptions,
  bucketOf: (name: string, rate: TokenRate) => Bucket
): Quota =>
  makeQuota(
    options,
    bucketOf,
    (network) => {
      const labels = [MetricLabel.make("network", network)]
      return (ms) => waitTime.unsafeUpdate(ms, labels)
    },
    (network) => (route, spent) =>
      credits.unsafeUpdate(spent, [MetricLabel.make("network", network), MetricLabel.make("route", route)])
  )

/**
 * The quota of a key, and of nodes, in the memory of this process, as the option `quota` of clients: all clients that are given the same
 * one share it.
 *
 * ```ts
 * const shared = quota({ requestsPerSecond: 50, burst: 50 })
 * const ethereum = yield* Sdk.make({ network: "ethereum-mainnet", apiKey, quota: shared })
 * const polygon = yield* Sdk.make({ network: "polygon-mainnet", apiKey, quota: shared })
 * ```
 *
 * Calls wait for their turn within their deadlines, writes first; one that cannot be served in time fails at once with
 * `QuotaExceeded`. A 429 halves the rate and is followed by the pause that it asks for; the rate comes back while requests
 * succeed. Without a limit of the key there are those of nodes alone. Clients with a quota count their credits, whatever its limits are:
 * `sdk.credits()` has them. Throws `InvalidConfig` for limits that are none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const quota = (options: QuotaOptions = {}): Quota =>
  quotaWithBuckets(options, (_, rate) => makeLocalBucket(rate))

/**
 * What requests go by and the pool of nodes, within a quota: in the place of `NodePool.layer` for clients that are made of their parts
 * (`layerWithoutDependencies`). The option `quota` of a configuration is one of whole clients, and does nothing there but to let nodes'
 * entries have limits.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  limits: Quota
): Layer.Layer<Http | NodePool, InvalidConfig, Config | Logger | Http | Checks> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { credits, http, limitTransport } = yield* limits(yield* Http, yield* Config)
      const pool = yield* withMetrics(keepDeadlines(Effect.provideService(makePool, Http, http)))
      return Context.make(Http, http).pipe(
        Context.add(NodePool, { ...pool, ...limitTransport(pool), credits })
      )
    })
  )
