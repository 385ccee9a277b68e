/**
 * Periodic checks of all nodes: the first round starts with the first call, further rounds come while calls come. With `oneTimeLoadBalancing`
 * there is one round: at the start on networks that the provider balances, with the first call on others. Rounds also fetch the provider's
 * node lists again while these have given no node.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { ResolvedConfig } from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { usesNodeLists } from "../config/resolveConfig.js"
import { monotonic } from "../http/service.js"
import type { Activity } from "./Activity.js"
import { repeatUntilTrue, runInBackground } from "./Background.js"
import * as Health from "./Health.js"
import type { Heights } from "./Height.js"
import * as Nodes from "./Nodes.js"
import type { CheckOutcome } from "./Pool.js"
import type { ChainIdCheck, ProbeOutcome } from "./Probe.js"

/** The pause before node lists are fetched again if there are no periodic checks, in milliseconds. */
const LIST_INTERVAL_MS = 60_000

/** How long a call waits for the first round at most, in milliseconds. */
const FIRST_ROUND_WAIT = 1_000

/** How many nodes are checked at the same time: each costs a socket. */
const CONCURRENCY = 32

/**
 * The checks of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface HealthChecks {
  /** Checks all nodes now. It never fails. */
  readonly check: Effect.Effect<void>
  /** Whether no node has passed its first check yet. Calls wait for that, since no answer counts before its node's check. */
  readonly isFirstRoundPending: () => boolean
  /** Waits for the first healthy node or the end of the first round, for `limit` milliseconds and at most a second. */
  readonly awaitFirstNode: (limit: number) => Effect.Effect<void>
  /** Lets calls start before the first round has ended. */
  readonly endFirstRound: Effect.Effect<void>
  /** Starts the checks of the configuration in a fiber that ends with the scope. */
  readonly start: Effect.Effect<void>
}

/** Checks one node. `isConcurrent`: asks for height and chain at the same time. A node in cooldown is not asked. */
const checkNode = (
  { chainIdCheck: { verifyThen }, heights }: Needs,
  node: Nodes.Node,
  isConcurrent: boolean
): Effect.Effect<ProbeOutcome> =>
  Effect.gen(function* () {
    if (Nodes.isCoolingDown(node, monotonic(yield* Effect.clock))) return "limited"
    const trustFiber = yield* Effect.fork(isConcurrent ? verifyThen(node, true) : Effect.succeed(true))
    const found = yield* heights.probe(node)
    const trusted = yield* Fiber.join(trustFiber)
    if (found === "failed") Nodes.recordProbeFailure(node)
    if (found === "failed" || trusted === "failed") return "failed"
    return found === "limited" || trusted === "limited" ? "limited" : yield* verifyThen(node, found)
  })

interface Needs {
  readonly activity: Activity
  readonly chainIdCheck: ChainIdCheck
  readonly config: ResolvedConfig
  readonly health: Health.Health
  readonly heights: Heights
  readonly logger: LoggerService
  readonly nodes: Nodes.Nodes
  readonly scope: Scope.Scope
}

/** Reports the outcome of a check. `hadFailed`: the node had failed before. */
const reportOutcome = (
  { health }: Needs,
  node: Nodes.PoolNode,
  found: CheckOutcome | undefined,
  hadFailed = false
): Effect.Effect<void> => {
  if (found === undefined) return Effect.void
  if (found === "failed") return Health.handleFailedCheck(health, node, hadFailed)
  return hadFailed
    ? health.observer.report({ _tag: "Readmitted", url: node.printableUrl, height: found.height })
    : Effect.void
}

/** Checks all nodes once. In the first round (`isFirst`) each healthy node runs `onFirstNode` at once, without waiting for the others. */
const runRound = (
  needs: Needs,
  isFirst: () => boolean,
  onFirstNode: Effect.Effect<void>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { health, logger, nodes } = needs
    yield* nodes.refetchLists
    const checkedNodes = nodes.all
    if (!health.isProbed || checkedNodes.length === 0) return
    const before = checkedNodes.map(({ failures }) => failures)
    const first = isFirst()
    const outcomes = yield* Effect.forEach(
      checkedNodes,
      (node) =>
        Effect.flatMap(checkNode(needs, node, first), (outcome): Effect.Effect<ProbeOutcome> => {
          if (!first || typeof outcome === "string") return Effect.succeed(outcome)
          Nodes.recordFirstCheck(nodes, node, outcome)
          return Effect.as(onFirstNode, outcome)
        }),
      { concurrency: CONCURRENCY }
    )
    // a node may have failed since its check, while the round waited for other nodes: then the check does not count
    const valid = outcomes.map((outcome, i): CheckOutcome | undefined => {
      if (outcome === "limited") return undefined
      return outcome === "failed" || checkedNodes[i]?.failures === before[i] ? outcome : undefined
    })
    const hadFailed = checkedNodes.map((node) => Nodes.hasFailed(nodes, node))
    Nodes.recordChecks(nodes, valid)
    yield* Effect.forEach(checkedNodes, (node, i) => reportOutcome(needs, node, valid[i], hadFailed[i]))
    const now = monotonic(yield* Effect.clock)
    yield* logger.debug(
      () =>
        `Checked ${checkedNodes.length} nodes: ${JSON.stringify(Nodes.snapshot(nodes, now).slice(0, CONCURRENCY))}`
    )
    if (nodes.pool.hasFailedRound)
      yield* logger.error(() => "No active node found, please set node urls manually.")
  }).pipe(
    Effect.catchAllCause((cause) =>
      // the client's scope may interrupt what it waits for before it interrupts this fiber
      Cause.isInterruptedOnly(cause)
        ? Effect.void
        : needs.logger.error(() => `LoadBalancing failed to check statuses. Error: ${cause}`)
    )
  )

/**
 * Makes the checks without starting them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Effect.Effect<HealthChecks> =>
  Effect.gen(function* () {
    const { activity, chainIdCheck, config, health, nodes, scope } = needs
    const isPeriodic = Health.hasPeriodicChecks(config)
    let hasFirstNode = false
    const firstNodeLatch = yield* Effect.makeLatch(false)
    const endFirstRound = Effect.suspend(() => {
      hasFirstNode = true
      return firstNodeLatch.open
    })
    const waitsForFirstRound =
      !Nodes.hasSingleNode(nodes) &&
      health.isProbed &&
      !nodes.all.every(chainIdCheck.isTrusted) &&
      (isPeriodic || config.oneTimeLoadBalancing)
    const isFirstRoundPending = (): boolean => waitsForFirstRound && !hasFirstNode
    const check = Effect.ensuring(runRound(needs, isFirstRoundPending, endFirstRound), endFirstRound)
    const { statusCheckInterval } = config
    const interval = Number.isFinite(statusCheckInterval) ? statusCheckInterval : LIST_INTERVAL_MS
    // no checks while no calls come
    const checkWhenActive = Effect.zipRight(activity.waitForCall(2 * interval), check)
    // without periodic checks, repeat until a node list was fetched
    const rounds = repeatUntilTrue(
      Effect.map(checkWhenActive, () => !isPeriodic && nodes.all.length > 0),
      config.checks ?? Schedule.spaced(interval)
    )

    const start = Effect.suspend(() => {
      const isEmpty = nodes.all.length === 0
      if (config.oneTimeLoadBalancing && !isEmpty) {
        // check at the start on networks that the provider balances, with the first call on others
        return runInBackground(config.info.loadBalanced === true ? check : checkWhenActive, scope)
      }
      return (isPeriodic && !Nodes.hasSingleNode(nodes)) || (usesNodeLists(config) && isEmpty)
        ? runInBackground(rounds, scope)
        : Effect.void
    })
    return {
      check,
      isFirstRoundPending,
      awaitFirstNode: (limit) =>
        Effect.raceFirst(firstNodeLatch.await, Effect.sleep(Math.min(FIRST_ROUND_WAIT, limit))),
      endFirstRound,
      start
    }
  })
