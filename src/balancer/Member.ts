/**
 * A node of the pool beside its state there: how it is reached, and what real calls have told of it.
 *
 * @since 0.1.0
 */
import type * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import { headersFor } from "../internal/headers.js"
import { displayUrl, type NodeError } from "../SdkError.js"
import type { ResolvedConfig, ResolvedNode } from "../services/Config.js"
import * as Latency from "./Latency.js"
import * as Observation from "./Observation.js"
import type * as Probe from "./Probe.js"

/**
 * A member of the pool. It changes with every call, and in place: a copy per call would cost more than the call.
 *
 * @since 0.1.0
 * @category models
 */
export interface Member extends Probe.Target {
  /** What REST routes are appended to. */
  readonly rest: string
  readonly weight: number
  verified: boolean
  verifying: Fiber.Fiber<void, NodeError> | undefined
  /** What real calls have told: the average response time, when that was, and how many calls wait for an answer. */
  average: number
  answeredAt: number
  inFlight: number
  /** How often in a row it answered with a server error, or a second attempt elsewhere was answered first. */
  troubles: number
  /** Calls that wait for it longer than calls do. */
  overdue: number
  /** The height that it has told last. */
  height: number
  /** How often it has failed: an attempt from before says nothing of it any more. */
  failures: number
  /** It has failed by being slow: as a last resort it is better than none. */
  slow: boolean
  /** It has failed, and is asked again and again until it is back. */
  recovering: boolean
  readonly latency: typeof Observation.latency
}

/**
 * A node that has been in trouble this often, and has not answered in between, has failed.
 *
 * @since 0.1.0
 * @category health
 */
export const TROUBLES = 3

/**
 * A member that was never called. `restUrl` is what its REST routes are appended to.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (config: ResolvedConfig, node: ResolvedNode, restUrl: string): Member => {
  const headers = (body: boolean) => ({
    ...headersFor(config, node.url, { body, sendApiKey: node.sendApiKey }),
    ...node.headers
  })
  return {
    url: node.url,
    rest: restUrl,
    headers: { GET: headers(false), POST: headers(true) },
    weight: node.weight ?? 1,
    verified: false,
    verifying: undefined,
    average: 0,
    answeredAt: 0,
    inFlight: 0,
    troubles: 0,
    overdue: 0,
    height: -1,
    failures: 0,
    slow: false,
    recovering: false,
    latency: Metric.tagged(
      Metric.tagged(Observation.latency, "network", config.network),
      "node",
      displayUrl(node.url)
    )
  }
}

/**
 * It has answered a call that began at `start`.
 *
 * @since 0.1.0
 * @category health
 */
export const answered = (member: Member, now: number, start: number): void => {
  const ms = now - start
  member.average = Latency.peakAverage(member.average, ms, now - member.answeredAt)
  member.answeredAt = now
  member.troubles = 0
  member.latency.unsafeUpdate(ms, [])
}

/**
 * It has told a height. Whether that is far below the one that it has told before.
 *
 * @since 0.1.0
 * @category health
 */
export const isBehind = (member: Member, told: number, allowed: number): boolean => {
  const behind = told < member.height - allowed
  member.height = told
  return behind
}
