/**
 * Readmission of failed nodes. A failed node comes back in one of these ways:
 *
 * - A call succeeds at it (`Attempt.ts`). Calls reach a failed node as trials, while all nodes of a type have failed: one call per back-off of
 *   1 s, doubling up to 30 s (`Pool.ts`).
 * - A probe passes (this file). With periodic checks each failed node is probed with a back-off of its own, from 0.5 s to 30 s, or by the
 *   option `readmission`. While all nodes have failed, a call probes all of them first, at most once per second.
 * - A shadow read succeeds (this file). Without periodic checks, reads are also sent to a failed node, with a back-off of 1 s, doubling up to
 *   30 s, while another node is healthy.
 * - A round of checks finds it healthy (`HealthChecks.ts`): each `statusCheckInterval`, and when the user calls `check`.
 *
 * Without eviction (`evictNodesOnFailure: false`) all nodes of a type are marked as healthy again when a call has failed at each of them.
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
import { classify, table, toFault } from "./Outcome.js"
import type { ChainIdCheck, ProbeOutcome } from "./Probe.js"

/** The pause before a probe, in milliseconds: from 0.5 s to 30 s, with a jitter of a quarter. */
const backOffAt = (count: number, random: number): number =>
  Math.min(30_000, 500 * 1.1 ** Math.min(count, 43)) * (0.75 + random / 2)

/** The time limit of a probe: at least this many milliseconds, or this multiple of the 95th percentile of calls. */
const MIN_PROBE_TIMEOUT = 500
const PROBE_TIMEOUT_FACTOR = 8

/** After this time without calls, failed nodes are not probed, in milliseconds. */
const IDLE_AFTER = 60_000

/** The least time between two probes of a suspect node, or of a pool in which all have failed, in milliseconds. */
const MIN_INTERVAL = 1_000

/** The key of the probe of a whole pool, which callers share. */
const POOL = "pool"

/**
 * Probes of failed and suspect nodes. After a minute without calls, failed nodes are not probed until the next call.
 *
 * @since 0.1.0
 * @category models
 */
export interface Readmission {
  /** Starts to probe a failed node, unless that has started already. */
  readonly startProbing: (node: Nodes.Node) => Effect.Effect<void>
  /** Probes a node in the background, unless that was done within the last second. Runs `onFailure` if the probe fails. */
  readonly probeSuspect: (node: Nodes.Node, onFailure: Effect.Effect<void>) => Effect.Effect<void>
  /** Probes all failed nodes at once, and ends when one is back. Calls share one round, and there is at most one per second. */
  readonly probeFailed: Effect.Effect<void>
  /** Probes all failed nodes in the background now, because a call has failed at every node. */
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
 * Probes a failed node, and yields whether it serves calls again. A node that answers but is far behind (`isBehind`) is probed again, since no
 * call would choose it.
 */
const tryReadmit = (needs: Needs, node: Nodes.Node, isBehind = false): Effect.Effect<boolean> => {
  const { chainIdCheck, nodes, observer } = needs
  const isOver = (): boolean => !Nodes.hasFailed(nodes, node) && !isBehind
  return Effect.gen(function* () {
    if (isOver()) return true
    // it is in cooldown
    if (Nodes.isCoolingDown(node, monotonic(yield* Effect.clock))) return false
    const found = yield* probeNode(needs, node)
    if (found === "failed") Nodes.recordProbeFailure(node)
    // only a node that answers is asked for its chain
    const trusted = typeof found === "string" ? found : yield* chainIdCheck.verifyThen(node, found)
    if (typeof trusted === "string") return false
    if (isOver()) return true
    const isBack = Nodes.readmit(nodes, node, trusted)
    if (isBack) yield* observer.report({ _tag: "Readmitted", url: node.printableUrl, height: trusted.height })
    return isBack
  })
}

/** The schedule of a node's probes, the user's or the default back-off. It records when the next probe is due. */
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

/** Probes a node until it is back. The user's schedule starts with a pause. */
const probeUntilBack = (needs: Needs, node: Nodes.Node): Effect.Effect<void> => {
  let isBehind = false
  let isPausing = needs.config.readmission !== undefined
  const probe = Effect.zipRight(
    needs.activity.waitForCall(IDLE_AFTER),
    Effect.suspend(() => {
      Nodes.scheduleProbe(node, undefined)
      return Effect.map(tryReadmit(needs, node, isBehind), (isBack) => {
        isBehind = !isBack && !Nodes.hasFailed(needs.nodes, node)
        return isBack
      })
    })
  )
  const next = Effect.suspend(() => {
    if (!isPausing) return probe
    isPausing = false
    return Effect.succeed(false)
  })
  return repeatUntilTrue(next, probeSchedule(needs, node))
}

/** Probes all failed nodes, and ends with the first that is back. The other probes continue. */
const waitForAnyBack = (needs: Needs): Effect.Effect<void> => {
  const { nodes, scope } = needs
  const failed = nodes.all.filter((node) => Nodes.hasFailed(nodes, node))
  const probes = Effect.flatMap(
    Effect.forEach(failed, (node) => Effect.forkIn(tryReadmit(needs, node), scope)),
    (trying) =>
      Effect.forEach(
        trying,
        (fiber) =>
          Effect.flatMap(Fiber.join(fiber), (isBack) => (isBack ? Effect.fail(isBack) : Effect.void)),
        { concurrency: "unbounded", discard: true }
      )
  )
  return Effect.catchAll(probes, () => Effect.void)
}

/**
 * Makes the readmission of a pool. Its fibers end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Readmission => {
  const { config, nodes, random, scope } = needs
  const probing = new Set<Nodes.Node>()
  const suspectedAt = new Map<Nodes.Node, number>()
  let poolProbedAt = Number.NEGATIVE_INFINITY
  const poolProbe = shareInFlight(scope, () => waitForAnyBack(needs))
  const probePool = poolProbe.run(POOL)

  return {
    startProbing: (node) =>
      Effect.clockWith((clock) => {
        if (probing.has(node)) return Effect.void
        probing.add(node)
        const pause = config.readmission === undefined ? backOffAt(0, random()) : 0
        Nodes.scheduleProbe(node, monotonic(clock) + pause)
        const endProbing = Effect.sync(() => {
          probing.delete(node)
          Nodes.scheduleProbe(node, undefined)
        })
        const probeAfterPause = Effect.zipRight(Effect.sleep(pause), probeUntilBack(needs, node))
        return runInBackground(Effect.ensuring(probeAfterPause, endProbing), scope)
      }),
    probeSuspect: (node, onFailure) =>
      Effect.clockWith((clock) => {
        const now = monotonic(clock)
        const before = suspectedAt.get(node) ?? Number.NEGATIVE_INFINITY
        if (now - before < MIN_INTERVAL || Nodes.hasFailed(nodes, node) || Nodes.isCoolingDown(node, now))
          return Effect.void
        suspectedAt.set(node, now)
        return runInBackground(
          Effect.flatMap(probeNode(needs, node), (found) => (found === "failed" ? onFailure : Effect.void)),
          scope
        )
      }),
    probeFailed: Effect.clockWith((clock) => {
      const now = monotonic(clock)
      if (!poolProbe.isRunning(POOL)) {
        if (now - poolProbedAt < MIN_INTERVAL) return Effect.void
        poolProbedAt = now
      }
      return probePool
    }),
    probeFailedInBackground: Effect.clockWith((clock) => {
      poolProbedAt = monotonic(clock)
      return runInBackground(probePool, scope)
    })
  }
}

/**
 * Sends a shadow read: a copy of a call to a failed node whose back-off has ended, if there is one. Its answer only shows whether the node is
 * back; the call itself has been routed to a healthy node before.
 *
 * @since 0.1.0
 * @category models
 */
export type SendShadowRead = (context: CallContext<unknown>) => Effect.Effect<void>

interface ShadowReadNeeds extends Pick<Needs, "nodes" | "observer" | "scope"> {
  readonly request: NodeRequest
}

/** Sends a shadow read. If the node answers, it is back. */
const sendShadowReadTo = (
  { nodes, observer, request }: ShadowReadNeeds,
  node: Nodes.Node,
  { attemptTimeout, call: original, clock }: CallContext<unknown>
): Effect.Effect<void> => {
  // the call's span counts its own attempts only
  const call = { ...original, trace: undefined }
  const readmit = Effect.suspend(() => {
    if (!Nodes.hasFailed(nodes, node)) return Effect.void
    Nodes.markHealthy(nodes, node, node.failures)
    return observer.report({ _tag: "Readmitted", url: node.printableUrl, height: node.height ?? 0 })
  })
  return Effect.matchEffect(request(node, call, monotonic(clock) + attemptTimeout, clock), {
    onFailure: (failure) => {
      if (table[classify(failure)].node === "healthy") return readmit
      Nodes.recordFault(node, toFault(failure.error))
      return Effect.void
    },
    onSuccess: () => readmit
  })
}

/**
 * Makes the sender of shadow reads, for clients without periodic checks, whose failed nodes are not probed with a back-off. Its fibers end with
 * the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSendShadowRead =
  (needs: ShadowReadNeeds): SendShadowRead =>
  (context) => {
    const { nodes, scope } = needs
    if (context.call.repeat !== "read") return Effect.void
    const routed = nodes.all.find(({ index }) => context.tried.has(index))
    // without a healthy node to go to, the call itself is the trial of a failed one
    if (routed === undefined || Nodes.hasFailed(nodes, routed)) return Effect.void
    const now = monotonic(context.clock)
    const node = nodes.all.find((each) => Nodes.hasFailed(nodes, each) && each.nextShadowReadAt <= now)
    if (node === undefined) return Effect.void
    Nodes.recordShadowRead(node, now)
    return runInBackground(sendShadowReadTo(needs, node, context), scope)
  }
