/**
 * Quotas for the Effect surface, with metrics of waiting times and credits, and a layer for clients that are built
 * from parts. A public entry module: the code of quotas is in `transport/Quota.ts`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import type { ClientFamily } from "../balancer/Family.js"
import { withMetrics } from "../balancer/Metrics.js"
import { makeRecorder } from "../balancer/metricRecorder.js"
import { make as makePool, NodePool } from "../balancer/NodePool.js"
import { Config, type Quota } from "../config/Config.js"
import type { Logger } from "../config/Logger.js"
import type { OnThisEffect } from "../data/effectVersion.js"
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
  type AdaptiveRate,
  type Bucket,
  lowerRate,
  makeLocalBucket,
  makeQueue,
  makeRate,
  type QuotaBuckets,
  type QuotaOptions,
  type QuotaQueue,
  type RecordSpent,
  type RecordWait,
  raiseRate,
  type TokenRate
} from "../transport/Quota.js"

/**
 * The time that calls waited for the quota, in milliseconds, by network. Refused calls are not counted.
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
 * The credits of answered calls, by network and route. Routes without a published price add nothing.
 *
 * @since 0.1.0
 * @category observability
 */
export const credits: Metric.Metric.Counter<number> = Metric.counter("effect_chains_credits", {
  description: "Credits of answered calls by network and route",
  incremental: true
})

/**
 * Makes a quota over token buckets of your own. `bucketOf` is called once for the key's request limit (name `key`),
 * once for its credits (name `credits`) and once for each node with a limit (name: its url). Throws `InvalidConfig`
 * for invalid limits.
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
    (network) => makeRecorder(waitTime, { network }),
    (network) => (route, spent) => makeRecorder(credits, { network, route })(spent)
  )

/**
 * Makes a quota of a key and of nodes, in the memory of this process. Give it to the option `quota`; all clients with
 * the same quota share it.
 *
 * ```ts
 * const shared = quota({ requestsPerSecond: 50, burst: 50 })
 * const ethereum = yield* Sdk.make({ network: "ethereum-mainnet", apiKey, quota: shared })
 * const polygon = yield* Sdk.make({ network: "polygon-mainnet", apiKey, quota: shared })
 * ```
 *
 * Calls wait for the quota within their deadlines, writes first. A call that cannot be served in time fails at once
 * with `QuotaExceeded`. After a 429 the rate is halved, and nothing is sent until the pause that it asks for has
 * passed; the rate recovers while requests succeed. Without a limit of the key, only the limits of nodes hold.
 * Clients with a quota count their credits: see `sdk.credits()`. Throws `InvalidConfig` for invalid limits.
 *
 * @since 0.1.0
 * @category constructors
 */
export const quota = (options: OnThisEffect<QuotaOptions> = {}): Quota =>
  quotaWithBuckets(options, (_, rate) => makeLocalBucket(rate))

/**
 * `Http` and `NodePool` within a quota, in place of `NodePool.layer`, for clients that are built from parts
 * (`layerWithoutDependencies`). With this layer, the option `quota` does not limit calls: it only permits `limit` in node
 * entries.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  limits: OnThisEffect<Quota>
): Layer.Layer<Http | NodePool, InvalidConfig, Config | Logger | Http | ClientFamily> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { credits, http, limitTransport } = yield* limits(yield* Http, yield* Config)
      const pool = yield* withMetrics(keepDeadlines(Effect.provideService(makePool, Http, http)))
      return Context.make(Http, http).pipe(
        Context.add(NodePool, { ...pool, ...limitTransport(pool), credits })
      )
    })
  )
