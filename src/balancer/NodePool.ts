/**
 * The pool of a client: it sends calls to nodes, retries on other nodes, and checks the nodes on a schedule. All fibers end with the scope.
 *
 * The parts, each in its file:
 *
 * - a call: `Failover` (routing and retries), `CallContext` (its state), `Attempt` (one attempt, and whether its answer is accepted),
 *   `NodeRequest` (one HTTP request), `Outcome` (what a failure means), `Hedge` (backup requests), `Budget`;
 * - the nodes: `Nodes` (the state of each; no other module writes it, but `Hints` sets the policy), `Pool` (the pure state machine), `Selection` (policies),
 *   `Latency`;
 * - their health: `Health` (eviction), `Readmission` (how failed nodes come back), `HealthChecks` (periodic checks), `Probe` and `Height`
 *   (requests for the height and chain of a node), `NodeList`, `Activity` (pauses checks while no calls come), `Background` (fibers that keep no process alive);
 * - events: `Observation`, `Changes`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import { PCGRandom } from "effect/Utils"
import { Config, type ResolvedConfig } from "../config/Config.js"
import { Logger, type LoggerService } from "../config/Logger.js"
import type { Credits } from "../data/credits.js"
import { keepDeadlines } from "../http/deadlines.js"
import { Http, monotonic } from "../http/service.js"
import { CallOptions, type TransportService } from "../wire/Transport.js"
import * as Activity from "./Activity.js"
import * as Failover from "./Failover.js"
import { ClientFamily } from "./Family.js"
import * as Health from "./Health.js"
import * as HealthChecks from "./HealthChecks.js"
import * as Height from "./Height.js"
import { withMetrics } from "./Metrics.js"
import { fetchLists } from "./NodeList.js"
import * as NodeRequest from "./NodeRequest.js"
import * as Nodes from "./Nodes.js"
import * as Observation from "./Observation.js"
import type { Pool } from "./Pool.js"
import * as Probe from "./Probe.js"
import * as Readmission from "./Readmission.js"

/**
 * The state of a node for display. `url` comes without its secrets.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeSnapshot = Nodes.NodeSnapshot

/**
 * The pool as `sdk.nodes` shows it.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodePoolView {
  /** The state of all nodes now. */
  readonly snapshot: Effect.Effect<ReadonlyArray<NodeSnapshot>>
  /** Checks all nodes now. The periodic checks keep their schedule. */
  readonly check: Effect.Effect<void>
  /** Adds a listener of events; `Changes.changes` of `effect-chains` has the same events as a stream. */
  readonly listen: Observation.Listen
}

/**
 * The pool as the other parts of a client use it. Subscriptions read the nodes' urls from `state`, and send their events through `report`.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodePoolService extends NodePoolView, TransportService {
  readonly state: () => Pool
  readonly report: Observation.Observer["report"]
  /** The credits that the client has spent, if it has a quota. */
  readonly credits?: () => Credits
}

/**
 * The pool of the current client.
 *
 * @since 0.1.0
 * @category services
 */
export class NodePool extends /*#__PURE__*/ Context.Tag("effect-chains/balancer/NodePool")<
  NodePool,
  NodePoolService
>() {}

/** The url that a call would go to now. The pool does not change. */
const selectUrl = (
  nodes: Nodes.Nodes,
  config: ResolvedConfig,
  archive: boolean
): ReturnType<TransportService["nodeUrl"]> =>
  Effect.clockWith((clock) => {
    const nodeType = Nodes.nodeTypeFor(archive)
    const strict = config.archive === "strict"
    if (typeof config.selection === "object")
      return Effect.map(
        Failover.findPinnedNode(nodes, config, nodeType, config.selection.node),
        (node) => node.targetFor("").url
      )
    const now = monotonic(clock)
    const [choice] = Nodes.select(nodes, { nodeType, strict, tried: new Set() }, now)
    const index =
      choice._tag === "node"
        ? choice.index
        : Nodes.selectDespiteCooldown(nodes, { nodeType, strict, tried: new Set() }, now)
    const node = index === undefined ? undefined : nodes.all[index]
    return node === undefined
      ? Effect.fail(Nodes.makeNoActiveNode(nodes, now, { type: nodeType, isTemporary: nodes.all.length > 0 }))
      : Effect.succeed(node.targetFor("").url)
  })

/** Yields all urls, the best first. Before that it probes the nodes that may be below the block, for at most the hedging delay. */
const rankUrls = (
  nodes: Nodes.Nodes,
  heights: Height.Heights,
  archive: boolean,
  block: number | undefined
): Effect.Effect<ReadonlyArray<string>> => {
  const probe = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const unknown = nodes.all.filter(
      (node) =>
        !Nodes.hasReached(node, block) && !Nodes.hasFailed(nodes, node) && !Nodes.isCoolingDown(node, now)
    )
    return unknown.length === 0
      ? Effect.void
      : Effect.raceFirst(
          Effect.forEach(unknown, heights.probeShared, { concurrency: "unbounded", discard: true }),
          Effect.sleep(nodes.latencies.hedgeDelay())
        )
  })
  return Effect.map(probe, () => Nodes.rankUrls(nodes, Nodes.nodeTypeFor(archive), block))
}

/** Writes each event of the pool to the debug log. */
const logEvents =
  (logger: LoggerService): Parameters<typeof Observation.make>[2] =>
  ({ _tag, ...fields }) =>
    logger.debug(() => _tag, fields)

/** A pool whose checks have started. */
interface StartedPool {
  readonly activity: Activity.Activity
  readonly config: ResolvedConfig
  readonly failover: Failover.Failover
  readonly healthChecks: HealthChecks.HealthChecks
  readonly heights: Height.Heights
  readonly nodes: Nodes.Nodes
  readonly observer: Observation.Observer
}

/** Wires a pool and starts its checks. */
const startPool: Effect.Effect<StartedPool, never, Config | Logger | Http | ClientFamily | Scope.Scope> =
  Effect.gen(function* () {
    const config = yield* Config
    const logger = yield* Logger
    const http = yield* Http
    const { chain, makeHasBlockCall, layout, probe: probeOf } = yield* ClientFamily
    const scope = yield* Effect.scope
    const { info: network } = config

    const [own, provided] = [true, false].map((isOwn) => probeOf?.(config.network, network, isOwn))
    const generator = new PCGRandom(yield* Random.nextInt)
    const random = (): number => generator.number()
    const counters = yield* Observation.CountersRef
    const observer = Observation.make(
      config.network,
      counters,
      logger.verbose ? logEvents(logger) : undefined
    )
    const isProbed = probeOf !== undefined
    const hasRecoveryProbes = isProbed && Health.hasPeriodicChecks(config)
    const nodes = yield* Nodes.make(config, fetchLists(config, http, logger), { layout, random, counters })
    if (config.nodes?.length === 0) yield* logger.error(() => "No RPC URLs provided")

    const heights = Height.make(scope, random, (node, timeout) => {
      const probe = node.isOwn ? own : provided
      return probe === undefined
        ? Effect.succeed("failed")
        : Probe.probeNode(http, node, probe, {
            timeout,
            onCooldown: (pause) => Health.startCooldown({ logger, observer }, node, pause),
            onFailure: (fault) => Nodes.recordFault(node, fault)
          })
    })
    const check = config.verifyChain ? (network.check ?? chain) : undefined
    const chainIdCheck = Probe.makeChainIdCheck(http, scope, network, check)
    const request = NodeRequest.make(config, http, chainIdCheck)
    const activity = yield* Activity.make
    const services = { activity, config, heights, logger, nodes, observer, scope }

    const readmission = Readmission.make({ ...services, chainIdCheck, random })
    const sendShadowRead = hasRecoveryProbes
      ? undefined
      : Readmission.makeSendShadowRead({ ...services, request })
    const health: Health.Health = { ...services, isProbed, readmission }
    const healthChecks = yield* HealthChecks.make({ ...services, chainIdCheck, health })
    const highestSeen = config.consistency === "monotonic" ? 0 : undefined
    const failover = Failover.make({
      ...services,
      sendShadowRead,
      health,
      healthChecks,
      attempts: { ...services, health, makeHasBlockCall, request, highestSeen },
      probeFailed: hasRecoveryProbes ? readmission.probeFailed : undefined
    })
    const startedPool = { ...services, failover, healthChecks }
    yield* config.health?.({ ...startedPool, probeSuspect: (node) => Health.probeSuspect(health, node) }) ??
      Effect.void
    yield* healthChecks.start
    return startedPool
  })

/** The service of a started pool. */
const toService = (pool: StartedPool): NodePoolService => {
  const { activity, config, failover, healthChecks, heights, nodes, observer } = pool
  return {
    send: (call) =>
      Effect.flatMap(CallOptions, (options) =>
        Effect.clockWith((clock) => {
          const sent = Failover.send(failover, call, options, clock)
          return activity.recordCall(sent, monotonic(clock))
        })
      ),
    nodeUrl: (archive) => selectUrl(nodes, config, archive),
    nodeUrls: (archive, minBlock) => rankUrls(nodes, heights, archive, minBlock),
    highestSeen: () => failover.attempts.highestSeen,
    onCallEnd: observer.onCallEnd,
    listen: observer.listen,
    report: observer.report,
    snapshot: Effect.clockWith((clock) => Effect.succeed(Nodes.snapshot(nodes, monotonic(clock)))),
    check: healthChecks.check,
    state: () => nodes.pool
  }
}

/**
 * Starts the pool of a client with the nodes of the configuration or of the provider's lists, and its checks in a scoped fiber. It never
 * fails: if no node can be reached, calls fail.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  NodePoolService,
  never,
  Config | Logger | Http | ClientFamily | Scope.Scope
> = /*#__PURE__*/ Effect.map(startPool, toService)

/**
 * The pool as a layer. {@link ClientFamily} names the chain family; `Sdk.layerFamily` provides that of the configuration's network.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<NodePool, never, Config | Logger | Http | ClientFamily> =
  /*#__PURE__*/ Layer.scoped(NodePool, /*#__PURE__*/ withMetrics(/*#__PURE__*/ keepDeadlines(make)))
