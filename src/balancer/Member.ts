/**
 * A node of the pool beside its state there: how it is reached, and what real calls have told of it.
 *
 * @since 0.1.0
 */
import type * as Fiber from "effect/Fiber"
import type { ResolvedConfig, ResolvedNode } from "../config/Config.js"
import { headersFor } from "../config/headers.js"
import { displayUrl, type NodeError } from "../data/SdkError.js"
import * as Latency from "./Latency.js"
import type { Checked } from "./NodePool.js"
import * as Observation from "./Observation.js"
import type * as Probe from "./Probe.js"

/**
 * A member of the pool. It changes with every call, and in place: a copy per call would cost more than the call. Times are
 * milliseconds on the clock that never jumps.
 *
 * @since 0.1.0
 * @category models
 */
export interface Member extends Probe.Target {
  /** Where it is in the pool, -1 if it is no node of that. */
  readonly index: number
  /** The url as it may be printed. */
  readonly shown: string
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
  /** The height that it has told last, in an answer or to a probe, and the turn in which that was asked (`Height.ts`). */
  height: number
  toldAt: number
  /** It is being asked for its height. */
  asking: Fiber.Fiber<Checked> | undefined
  /** When it was last asked, and whether that was for nothing. */
  askedAt: number
  silent: boolean
  /** How often it has fallen far behind what it had told. */
  lapses: number
  /** How often it has failed: an attempt from before says nothing of it any more. */
  failures: number
  /** What the call has ended with by which it has failed. */
  fault?: string | undefined
  /** It has failed by being slow: as a last resort it is better than none. */
  slow: boolean
  /** It has failed, and is asked again and again until it is back. */
  recovering: boolean
  /** When it is asked next. */
  askedAgainAt: number | undefined
  /** When a doubtful answer was last reason to ask for its probe. */
  suspectedAt: number
  /** Of a node that is not probed: when a copy of a call may be sent to it again, and how many were in vain. */
  copyAt: number
  copies: number
  /** The lowest block that it has shown to hold. */
  holds: number
  /** Records how long an answer took, in milliseconds. */
  readonly record: (ms: number) => void
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
export const make = (config: ResolvedConfig, node: ResolvedNode, restUrl: string, index: number): Member => {
  const headers = (body: boolean) => ({
    ...headersFor(config, node.url, { body, sendApiKey: node.sendApiKey }),
    ...node.headers
  })
  const shown = displayUrl(node.url)
  return {
    index,
    url: node.url,
    shown,
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
    toldAt: 0,
    asking: undefined,
    askedAt: Number.NEGATIVE_INFINITY,
    silent: false,
    lapses: 0,
    failures: 0,
    slow: false,
    recovering: false,
    askedAgainAt: undefined,
    suspectedAt: Number.NEGATIVE_INFINITY,
    copyAt: 0,
    copies: 0,
    holds: Number.POSITIVE_INFINITY,
    record: Observation.recorder(Observation.latency, { network: config.network, node: shown })
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
  member.record(ms)
}

/**
 * It has told a height, to what was asked in this turn: what was asked later counts more, whenever the answers come.
 *
 * @since 0.1.0
 * @category health
 */
export const told = (member: Member, height: number, turn: number): void => {
  if (turn < member.toldAt) return
  member.height = height
  member.toldAt = turn
}
