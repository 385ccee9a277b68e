/**
 * How nodes fail and come back. A node fails by a call, by a round of checks, or by being slower than others again and again;
 * from then on it is probed on a back-off of its own (`Recovery.ts`), until it is back.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { monotonic } from "../http/time.js"
import type { Copies } from "./Copies.js"
import type { Latencies } from "./Latency.js"
import { type Member, TROUBLES } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import type { Readmission } from "./Readmission.js"

const MALFORMED_OR_DOWN =
  "Looks like your request is malformed or all RPC nodes are down. Turn on verbose mode to see more details and check status pages."

const ANSWERED = "another node has answered what it has not"

/** How soon a call that waits to ask its node again looks whether others have found that it has failed, in milliseconds. */
const LOOK = 100

/**
 * What calls and checks have to say of the health of a node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Health {
  /** A call has failed there. `pause` (milliseconds) is when the node itself wants to be asked again. */
  readonly fail: (member: Member, reason: string, pause?: number) => Effect.Effect<void>
  /** A round of checks has asked it. `wasOut`: it had failed before. */
  readonly checked: (member: Member, found: Pool.Checked, wasOut: boolean) => Effect.Effect<void>
  /** Somebody else was quicker, although later asked, or has answered what it has not. */
  readonly overtaken: (member: Member, reason?: string) => Effect.Effect<void>
  /** Its answer may be its own fault or the request's: its probe decides. */
  readonly doubted: (member: Member) => Effect.Effect<void>
  /** Another node has answered a call that these nodes had not answered. */
  readonly refuted: (members: ReadonlyArray<Member>) => Effect.Effect<void>
  /** All nodes of a type have failed a call. */
  readonly exhausted: (type: Pool.NodeType) => Effect.Effect<void>
  /** Waits for a pause (milliseconds) to be over, and no longer than until others have found that the node has failed: `true`. */
  readonly untilOut: (index: number, ms: number) => Effect.Effect<boolean>
}

/**
 * Whether nodes are checked again and again.
 *
 * @since 0.1.0
 * @category checks
 */
export const isRegular = (config: ResolvedConfig): boolean =>
  Number.isFinite(config.statusCheckInterval) && !config.oneTimeLoadBalancing

interface Needs {
  readonly config: ResolvedConfig
  readonly isProbed: boolean
  readonly latencies: Latencies
  readonly logger: LoggerService
  readonly nodes: Nodes
  readonly observer: Observer
  readonly readmission: Readmission
  /** Where failed nodes are not asked by probes. */
  readonly copies: Copies | undefined
}

/**
 * Keeps the health of nodes. Where they are not checked regularly, failed ones are asked by copies of calls alone.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Health => {
  const { config, copies, isProbed, latencies, logger, nodes, observer, readmission } = needs
  const recovers = isProbed && isRegular(config)
  const { hasFailed, isAlone, update } = nodes

  /** A node that has failed is asked until it is back, where there are others, and checks at all. */
  const recover = (member: Member, pause?: number): Effect.Effect<void> =>
    recovers && !isAlone() ? readmission.begin(member, pause) : Effect.void

  const fail: Health["fail"] = (member, reason, pause) =>
    Effect.clockWith((clock) => {
      const { index, shown: url } = member
      const isNews = !hasFailed(index)
      if (isNews) copies?.later(member, monotonic(clock), pause)
      update((state) => Pool.fail(state, index))
      member.fault = reason
      member.verified = false
      member.troubles = 0
      member.slow = false
      member.failures++
      return logger
        .debug(() => `Switching to another server, marking ${url} as unstable.`)
        .pipe(
          Effect.zipRight(isNews ? observer.happened({ _tag: "Failed", url, reason }) : Effect.void),
          Effect.zipRight(
            pause === undefined ? Effect.void : observer.happened({ _tag: "Cooled", url, ms: pause })
          ),
          Effect.zipRight(recover(member, pause))
        )
    })

  const untilOut: Health["untilOut"] = (index, ms) =>
    index === -1 || isAlone()
      ? Effect.as(Effect.sleep(ms), false)
      : Effect.suspend(() =>
          hasFailed(index)
            ? Effect.succeed(true)
            : ms <= 0
              ? Effect.succeed(false)
              : Effect.zipRight(Effect.sleep(Math.min(LOOK, ms)), untilOut(index, ms - LOOK))
        )

  const overtaken: Health["overtaken"] = (member, reason = "other nodes answer sooner") =>
    Effect.clockWith((clock) => {
      // when the node says nothing at all, others that wait for it count too
      const isSilent = monotonic(clock) - member.answeredAt > latencies.patience()
      member.troubles++
      return member.troubles + (isSilent ? member.overdue - 1 : 0) < TROUBLES
        ? Effect.void
        : Effect.map(fail(member, reason), () => {
            member.slow = true
          })
    })

  return {
    fail,
    checked: (member, found, wasOut) => {
      const { shown: url } = member
      if (found === "failed") {
        if (!wasOut) member.fault = undefined
        const told = observer.happened({ _tag: "Failed", url, reason: "it has failed a check" })
        return wasOut ? recover(member) : Effect.zipRight(told, recover(member))
      }
      return wasOut ? observer.happened({ _tag: "Readmitted", url, height: found.height }) : Effect.void
    },
    overtaken,
    doubted: (member) =>
      isProbed && !isAlone() ? readmission.doubt(member, fail(member, "it has failed a check")) : Effect.void,
    refuted: (members) =>
      Effect.forEach(
        members,
        (member) =>
          hasFailed(member.index)
            ? Effect.void
            : isProbed
              ? overtaken(member, ANSWERED)
              : fail(member, ANSWERED),
        { discard: true }
      ),
    exhausted: (type) => {
      update((state) => Pool.exhaust(state, type))
      const told = observer.happened({ _tag: "Exhausted", type })
      return config.evictNodesOnFailure ? Effect.zipRight(logger.error(MALFORMED_OR_DOWN), told) : told
    },
    untilOut
  }
}
