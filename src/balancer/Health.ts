/**
 * How nodes fail: by a call, by a round of checks, or by being slower than others again and again; and what follows from that.
 * From then on a node is probed on a back-off of its own (`Readmission.ts`), until it is back.
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

const CHECK_FAILED = "it has failed a check"

/**
 * The collaborators of the transitions.
 *
 * @since 0.1.0
 * @category models
 */
export interface Health {
  readonly config: ResolvedConfig
  readonly isProbed: boolean
  readonly logger: LoggerService
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  readonly readmission: Readmission
}

/**
 * Whether nodes are checked again and again.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasPeriodicChecks = (config: ResolvedConfig): boolean =>
  Number.isFinite(config.statusCheckInterval) && !config.oneTimeLoadBalancing

/** A node that has failed is asked until it is back, where there are others, and checks at all. */
const startRecovery = (health: Health, node: Nodes.Node): Effect.Effect<void> => {
  const { config, isProbed, nodes, readmission } = health
  return isProbed && hasPeriodicChecks(config) && !Nodes.hasSingleNode(nodes)
    ? readmission.startProbing(node)
    : Effect.void
}

/**
 * Why a node has failed, and, where that has words for it, without the call by which it has (`fault`); `slow` if it does answer, but late.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure {
  readonly reason: string
  readonly fault?: string
  readonly slow?: boolean
}

/**
 * A call has failed there.
 *
 * @since 0.1.0
 * @category operations
 */
export const evictNode = (health: Health, node: Nodes.Node, failure: Failure): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const { logger, nodes, observer } = health
    const { reason, fault = reason, slow } = failure
    const { printableUrl: url } = node
    const isNews = Nodes.markFailed(nodes, node, fault, slow)
    if (isNews) Nodes.delayCopies(node, monotonic(clock))
    return logger
      .debug(() => `Switching to another server, marking ${url} as unstable.`)
      .pipe(
        Effect.zipRight(isNews ? observer.report({ _tag: "Failed", url, reason }) : Effect.void),
        Effect.zipRight(startRecovery(health, node))
      )
  })

/**
 * It has asked for a pause of so many milliseconds, which it gets: it has not failed, and takes calls again when that is over.
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
 * A round of checks has found that it has failed; `wasOut` if that is no news.
 *
 * @since 0.1.0
 * @category operations
 */
export const handleFailedCheck = (health: Health, node: Nodes.Node, wasOut: boolean): Effect.Effect<void> =>
  Effect.zipRight(
    wasOut
      ? Effect.void
      : health.observer.report({ _tag: "Failed", url: node.printableUrl, reason: CHECK_FAILED }),
    startRecovery(health, node)
  )

/**
 * Another node was quicker, although it was asked later, or has answered what this one has not.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordSlower = (
  health: Health,
  node: Nodes.Node,
  reason = "other nodes answer sooner"
): Effect.Effect<void> =>
  Effect.clockWith((clock) =>
    Nodes.recordSlower(health.nodes, node, monotonic(clock))
      ? evictNode(health, node, { reason, slow: true })
      : Effect.void
  )

/**
 * Its answer may be its own fault or the request's: its probe decides.
 *
 * @since 0.1.0
 * @category operations
 */
export const probeSuspect = (health: Health, node: Nodes.Node): Effect.Effect<void> =>
  health.isProbed && !Nodes.hasSingleNode(health.nodes)
    ? health.readmission.probeSuspect(node, evictNode(health, node, { reason: CHECK_FAILED }))
    : Effect.void

/**
 * Another node has answered a call that these nodes had not answered.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordRefutation = (health: Health, suspects: ReadonlyArray<Nodes.Node>): Effect.Effect<void> =>
  Effect.forEach(
    suspects,
    (node) =>
      Nodes.hasFailed(health.nodes, node)
        ? Effect.void
        : health.isProbed
          ? recordSlower(health, node, OTHER_ANSWERED)
          : evictNode(health, node, { reason: OTHER_ANSWERED }),
    { discard: true }
  )

/**
 * All nodes of a type have failed a call. That may be the call's own fault: each node whose probe passes is back at once.
 *
 * @since 0.1.0
 * @category operations
 */
export const handleExhaustion = (health: Health, type: NodeType): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { config, isProbed, logger, nodes, observer, readmission } = health
    Nodes.markExhausted(nodes, type)
    const told = observer.report({ _tag: "Exhausted", type })
    const asked =
      isProbed && hasPeriodicChecks(config)
        ? Effect.zipRight(told, readmission.probeFailedInBackground)
        : told
    return config.evictNodesOnFailure ? Effect.zipRight(logger.error(MALFORMED_OR_DOWN), asked) : asked
  })
