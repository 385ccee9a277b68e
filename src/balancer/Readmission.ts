/**
 * How failed nodes come back. Each is probed again and again, on a back-off of its own; where nodes are not probed, copies of
 * reads are sent to them beside the calls.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { ResolvedConfig } from "../config/Config.js"
import { monotonic } from "../http/service.js"
import type { Activity } from "./Activity.js"
import { repeatUntilTrue, runInBackground, shareInFlight } from "./Background.js"
import type { CallContext } from "./CallContext.js"
import type { Heights } from "./Height.js"
import type { NodeRequest } from "./NodeRequest.js"
import * as Nodes from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { classify, table } from "./Outcome.js"
import type { ChainIdCheck, ProbeOutcome } from "./Probe.js"

/** The pause before a probe, in milliseconds: from 0.5 s on, to 30 s, jittered by a quarter. */
const backOffAt = (count: number, random: number): number =>
  Math.min(30_000, 500 * 1.1 ** Math.min(count, 43)) * (0.75 + random / 2)

/** Limits of a probe, in milliseconds and in multiples of what calls take: a slower node is not back yet. */
const MIN_PROBE_TIMEOUT = 500
const PROBE_TIMEOUT_FACTOR = 8

/** Without calls for so long (in milliseconds), failed nodes are left alone. */
const IDLE_AFTER = 60_000

/** A node that is in doubt, and a pool that is out, are asked at most once in so long, in milliseconds. */
const MIN_INTERVAL = 1_000

/**
 * How failed nodes come back by probes. Without any call for a minute failed nodes are left alone, until the next one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Readmission {
  /** Starts the probes of a node, unless they run. */
  readonly startProbing: (node: Nodes.Node) => Effect.Effect<void>
  /** Probes a node beside the calls, unless it was asked just now; runs `unwell` if it does not answer. */
  readonly probeSuspect: (node: Nodes.Node, unwell: Effect.Effect<void>) => Effect.Effect<void>
  /** Asks all failed nodes at once, until one is back; many calls share one such round, and there is one in a second. */
  readonly probeFailed: Effect.Effect<void>
  /** The same now, and behind the calls: one of them has failed at every node. */
  readonly probeFailedInBackground: Effect.Effect<void>
}

interface Needs {
  readonly activity: Activity
  readonly chainIdCheck: ChainIdCheck
  readonly config: Pick<ResolvedConfig, "readmission">
  readonly heights: Heights
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  readonly random: () => number
  readonly scope: Scope.Scope
}

const probeNode = ({ heights, nodes }: Needs, node: Nodes.Node): Effect.Effect<ProbeOutcome> =>
  heights.probe(node, Math.max(MIN_PROBE_TIMEOUT, PROBE_TIMEOUT_FACTOR * (nodes.latencies.p95() ?? 0)))

/**
 * Asks a failed node whether it is back: one that is well, but far behind, is asked again. What it knows may be old (`isLate`):
 * until that is over nobody would choose it.
 */
const tryReadmit = (needs: Needs, node: Nodes.Node, isLate = false): Effect.Effect<boolean> => {
  const { chainIdCheck, nodes, observer } = needs
  const isOver = (): boolean => !Nodes.hasFailed(nodes, node) && !isLate
  return Effect.gen(function* () {
    if (isOver()) return true
    // it gets its pause
    if (Nodes.isCoolingDown(node, monotonic(yield* Effect.clock))) return false
    const found = yield* probeNode(needs, node)
    if (found === "failed") Nodes.recordProbeFailure(node)
    if (found === "failed" || found === "limited") return false
    const believed = yield* chainIdCheck.ifTrusted(node, found)
    if (believed === "failed" || believed === "limited") return false
    if (isOver()) return true
    const isBack = Nodes.readmit(nodes, node, believed)
    if (isBack)
      yield* observer.report({ _tag: "Readmitted", url: node.printableUrl, height: believed.height })
    return isBack
  })
}

/** The pauses between the probes of a node, the user's or our own, each of which is told when it begins. */
const probeSchedule = ({ config, random }: Needs, node: Nodes.Node): Schedule.Schedule<unknown> => {
  const { readmission } = config
  let count = 0
  return Schedule.modifyDelayEffect(readmission ?? Schedule.forever, (_, delay) =>
    Effect.clockWith((clock) => {
      const pause = readmission === undefined ? backOffAt(++count, random()) : Duration.toMillis(delay)
      Nodes.scheduleProbe(node, monotonic(clock) + pause)
      return Effect.succeed(pause)
    })
  )
}

/** Probes a node until it is back. The user's schedule begins with a pause. */
const probeUntilBack = (needs: Needs, node: Nodes.Node): Effect.Effect<void> => {
  let isLate = false
  let isPausing = needs.config.readmission !== undefined
  const asked = Effect.zipRight(
    needs.activity.waitForCall(IDLE_AFTER),
    Effect.suspend(() => {
      Nodes.scheduleProbe(node, undefined)
      return Effect.map(tryReadmit(needs, node, isLate), (isBack) => {
        isLate = !isBack && !Nodes.hasFailed(needs.nodes, node)
        return isBack
      })
    })
  )
  const next = Effect.suspend(() => {
    if (!isPausing) return asked
    isPausing = false
    return Effect.succeed(false)
  })
  return repeatUntilTrue(next, probeSchedule(needs, node))
}

/** The first that is back ends the waiting for the others, and not their trials: each that is well is back at once. */
const waitForAnyBack = (needs: Needs): Effect.Effect<void> => {
  const { nodes, scope } = needs
  const out = nodes.all.filter((node) => Nodes.hasFailed(nodes, node))
  const asked = Effect.flatMap(
    Effect.forEach(out, (node) => Effect.forkIn(tryReadmit(needs, node), scope)),
    (trying) =>
      Effect.forEach(
        trying,
        (fiber) =>
          Effect.flatMap(Fiber.join(fiber), (isBack) => (isBack ? Effect.fail("back") : Effect.void)),
        { concurrency: "unbounded", discard: true }
      )
  )
  return Effect.catchAll(asked, () => Effect.void)
}

/**
 * The readmission of a pool's nodes: its fibers end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Readmission => {
  const { config, nodes, random, scope } = needs
  const recovering = new Set<Nodes.Node>()
  const suspectedAt = new Map<Nodes.Node, number>()
  let revivedAt = Number.NEGATIVE_INFINITY
  const reviving = shareInFlight(scope, () => waitForAnyBack(needs))

  return {
    startProbing: (node) =>
      Effect.clockWith((clock) => {
        if (recovering.has(node)) return Effect.void
        recovering.add(node)
        const pause = config.readmission === undefined ? backOffAt(0, random()) : 0
        Nodes.scheduleProbe(node, monotonic(clock) + pause)
        const over = Effect.sync(() => {
          recovering.delete(node)
          Nodes.scheduleProbe(node, undefined)
        })
        const back = Effect.zipRight(Effect.sleep(pause), probeUntilBack(needs, node))
        return runInBackground(Effect.ensuring(back, over), scope)
      }),
    probeSuspect: (node, unwell) =>
      Effect.clockWith((clock) => {
        const now = monotonic(clock)
        const before = suspectedAt.get(node) ?? Number.NEGATIVE_INFINITY
        if (now - before < MIN_INTERVAL || Nodes.hasFailed(nodes, node) || Nodes.isCoolingDown(node, now))
          return Effect.void
        suspectedAt.set(node, now)
        return runInBackground(
          Effect.flatMap(probeNode(needs, node), (found) => (found === "failed" ? unwell : Effect.void)),
          scope
        )
      }),
    probeFailed: Effect.clockWith((clock) => {
      const now = monotonic(clock)
      if (!reviving.isRunning("pool")) {
        if (now - revivedAt < MIN_INTERVAL) return Effect.void
        revivedAt = now
      }
      return reviving.run("pool")
    }),
    probeFailedInBackground: Effect.clockWith((clock) => {
      revivedAt = monotonic(clock)
      return runInBackground(reviving.run("pool"), scope)
    })
  }
}

/**
 * Sends a copy of a read to a failed node whose turn it is, if there is one; its answer is for nobody else. The call itself goes to a
 * node that is well.
 *
 * @since 0.1.0
 * @category models
 */
export type SendCopy = (context: CallContext<unknown>) => Effect.Effect<void>

interface CopyNeeds extends Pick<Needs, "nodes" | "observer" | "scope"> {
  readonly request: NodeRequest
}

/** Sends a copy, by whose answer the node is back. */
const sendCopyTo = (
  { nodes, observer, request }: CopyNeeds,
  node: Nodes.Node,
  { attemptTimeout, call: original, clock }: CallContext<unknown>
): Effect.Effect<void> => {
  // the call's span tells of its own attempts
  const call = { ...original, trace: undefined }
  const back = Effect.suspend(() => {
    if (!Nodes.hasFailed(nodes, node)) return Effect.void
    Nodes.markHealthy(nodes, node, node.failures)
    return observer.report({ _tag: "Readmitted", url: node.printableUrl, height: node.height ?? 0 })
  })
  return Effect.matchEffect(request(node, call, monotonic(clock) + attemptTimeout, clock), {
    onFailure: (refusal) => (table[classify(refusal)].node === "well" ? back : Effect.void),
    onSuccess: () => back
  })
}

/**
 * Copies of calls for the failed nodes of a pool that nobody probes; their fibers end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSendCopy =
  (needs: CopyNeeds): SendCopy =>
  (context) => {
    const { nodes, scope } = needs
    if (context.call.repeat !== "read") return Effect.void
    const out = nodes.all.filter((node) => Nodes.hasFailed(nodes, node))
    const now = monotonic(context.clock)
    // while all have failed the call is a trial itself
    const node = out.length === nodes.all.length ? undefined : out.find(({ nextCopyAt }) => nextCopyAt <= now)
    if (node === undefined) return Effect.void
    Nodes.recordCopy(node, now)
    return runInBackground(sendCopyTo(needs, node, context), scope)
  }
