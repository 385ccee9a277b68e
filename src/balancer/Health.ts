/**
 * Eviction of nodes: after a failed call, a failed check, or when other nodes are repeatedly faster. An evicted node is probed with a
 * back-off until it is back (`Readmission.ts`).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { monotonic } from "../http/service.js"
import * as Nodes from "./Nodes.js"
import type { Observer } from "./Observation.js"
import type { NodeType } from "./Pool.js"
import type { Readmission } from "./Readmission.js"

const MALFORMED_OR_DOWN =
  "Looks like your request is malformed or all RPC nodes are down. Turn on verbose mode to see more details and check status pages."

const OTHER_ANSWERED = "another node has answered what it has not"

const OTHERS_SOONER = "other nodes answer sooner"

const CHECK_FAILED = "it has failed a check"

/**
 * The services that these functions share.
 *
 * @since 0.1.0
 * @category models
 */
export interface Health {
  readonly config: ResolvedConfig
  /** Nodes have a probe. False only where a program provides a `ClientFamily` without one. */
  readonly isProbed: boolean
  readonly logger: LoggerService
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  readonly readmission: Readmission
}

/**
 * Whether nodes are checked periodically. Not with `oneTimeLoadBalancing` or `statusCheckInterval: Infinity`: then failed nodes are not probed
 * with a back-off, and get shadow reads instead (`Readmission.ts`).
 *
 * @since 0.1.0
 * @category getters
 */
export const hasPeriodicChecks = (config: ResolvedConfig): boolean =>
  Number.isFinite(config.statusCheckInterval) && !config.oneTimeLoadBalancing

/** Starts to probe a failed node, if there are other nodes and periodic checks. */
const startRecovery = (health: Health, node: Nodes.Node): Effect.Effect<void> => {
  const { config, isProbed, nodes, readmission } = health
  return isProbed && hasPeriodicChecks(config) && !Nodes.hasSingleNode(nodes)
    ? readmission.startProbing(node)
    : Effect.void
}

/**
 * Why a node is evicted. `slow`: it answers, but late.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure {
  readonly reason: string
  readonly slow?: boolean
}

/**
 * Evicts a node, and starts to probe it.
 *
 * @since 0.1.0
 * @category operations
 */
export const evictNode = (health: Health, node: Nodes.Node, failure: Failure): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const { logger, nodes, observer } = health
    const { reason, slow } = failure
    const { printableUrl: url } = node
    const wasHealthy = Nodes.markFailed(nodes, node, slow)
    if (wasHealthy) Nodes.delayShadowReads(node, monotonic(clock))
    return logger
      .debug(() => `Switching to another server, marking ${url} as unstable.`)
      .pipe(
        Effect.zipRight(wasHealthy ? observer.report({ _tag: "Failed", url, reason }) : Effect.void),
        Effect.zipRight(startRecovery(health, node))
      )
  })

/**
 * Starts the cooldown that a node has asked for, in milliseconds (at most a minute). The node is not evicted, and takes calls again afterwards.
 *
 * @since 0.1.0
 * @category operations
 */
export const startCooldown = (
  { logger, observer }: Pick<Health, "logger" | "observer">,
  node: Nodes.Node,
  ms: number
): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const { printableUrl: url } = node
    Nodes.startCooldown(node, monotonic(clock), ms)
    return Effect.zipRight(
      logger.debug(() => `Leaving ${url} alone for ${Math.ceil(ms)} ms, as it asks for.`),
      observer.report({ _tag: "Cooled", url, ms })
    )
  })

/**
 * Handles a failed check. `hadFailed`: the node had failed before.
 *
 * @since 0.1.0
 * @category operations
 */
export const handleFailedCheck = (
  health: Health,
  node: Nodes.Node,
  hadFailed: boolean
): Effect.Effect<void> =>
  Effect.zipRight(
    hadFailed
      ? Effect.void
      : health.observer.report({ _tag: "Failed", url: node.printableUrl, reason: CHECK_FAILED }),
    startRecovery(health, node)
  )

/** Evicts a node for being slow. Of a node that has failed calls, the error of the last one is the cause. */
const evictOvertaken = (health: Health, node: Nodes.Node, reason: string): Effect.Effect<void> => {
  if (reason === OTHERS_SOONER) Nodes.recordFault(node, { kind: "slow", reason })
  return evictNode(health, node, { reason, slow: true })
}

/**
 * Records that another node was faster with a backup request, or has answered a call that this node failed. Evicts the node if that happens
 * often.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordOvertaken = (
  health: Health,
  node: Nodes.Node,
  reason = OTHERS_SOONER
): Effect.Effect<void> =>
  Effect.clockWith((clock) =>
    Nodes.recordOvertaken(health.nodes, node, monotonic(clock))
      ? evictOvertaken(health, node, reason)
      : Effect.void
  )

/**
 * Probes a node whose error may be its own fault or the request's. If the probe fails, the node is evicted.
 *
 * @since 0.1.0
 * @category operations
 */
export const probeSuspect = (health: Health, node: Nodes.Node): Effect.Effect<void> =>
  health.isProbed && !Nodes.hasSingleNode(health.nodes)
    ? health.readmission.probeSuspect(node, evictNode(health, node, { reason: CHECK_FAILED }))
    : Effect.void

/**
 * Records that another node has answered a call which these nodes had failed.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordAnsweredElsewhere = (
  health: Health,
  suspects: ReadonlyArray<Nodes.Node>
): Effect.Effect<void> =>
  Effect.forEach(
    suspects,
    (node) =>
      Nodes.hasFailed(health.nodes, node)
        ? Effect.void
        : health.isProbed
          ? recordOvertaken(health, node, OTHER_ANSWERED)
          : evictNode(health, node, { reason: OTHER_ANSWERED }),
    { discard: true }
  )

/**
 * Handles a call that all nodes of a type have failed. That may be the call's own fault, so the nodes are probed at once.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordExhaustion = (health: Health, type: NodeType): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { config, isProbed, logger, nodes, observer, readmission } = health
    Nodes.markExhausted(nodes, type)
    const reportExhausted = observer.report({ _tag: "Exhausted", type })
    const reportAndProbe =
      isProbed && hasPeriodicChecks(config)
        ? Effect.zipRight(reportExhausted, readmission.probeFailedInBackground)
        : reportExhausted
    return config.evictNodesOnFailure
      ? Effect.zipRight(
          logger.error(() => MALFORMED_OR_DOWN),
          reportAndProbe
        )
      : reportAndProbe
  })
