/**
 * Sends calls over the pool of nodes: picks a node, retries on others when it fails, and keeps the pool's picture of its
 * nodes fresh with scheduled checks. All fibers end with the scope.
 *
 * Here the parts come together, each of which is a file of its own:
 *
 * - a call: `CallContext` (its state), `Route` (the node that it goes to), `Attempt` (one answer, and whether it may be believed),
 *   `NodeRequest` (one request), `History` (past blocks), `Outcome` (the table of what follows when there is no answer),
 *   `Failover` (which does it), `Hedge` (a second attempt beside a slow one), `Copies` (of calls, for failed nodes), `Budget`;
 * - the nodes: `NodePool` (the pure state), `Nodes` (that state and its `Member`s), `Selection` (policies), `Health` (failing and
 *   coming back), `Readmission` (the back-off of each node), `ChainIdCheck` (chain ids), `Height`, `Latency`;
 * - behind the calls: `HealthChecks`, `NodeList`, `Probe`, `Background` (fibers that keep no process alive);
 * - for those who watch: `Observation`, `Changes`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import { PCGRandom } from "effect/Utils"
import { Config } from "../config/Config.js"
import { Logger } from "../config/Logger.js"
import { withAttempts } from "../data/SdkError.js"
import { Http } from "../http/service.js"
import { monotonic } from "../http/time.js"
import { type CallError, CallOptions, Transport, type TransportService } from "../wire/Transport.js"
import * as Attempt from "./Attempt.js"
import * as Budget from "./Budget.js"
import * as CallContext from "./CallContext.js"
import * as ChainIdCheck from "./ChainIdCheck.js"
import * as Copies from "./Copies.js"
import * as Failover from "./Failover.js"
import { Checks } from "./Family.js"
import * as Health from "./Health.js"
import * as HealthChecks from "./HealthChecks.js"
import * as Hedge from "./Hedge.js"
import * as Height from "./Height.js"
import * as History from "./History.js"
import * as Latency from "./Latency.js"
import { fetchLists } from "./NodeList.js"
import { type Pool, typeOf } from "./NodePool.js"
import * as NodeRequest from "./NodeRequest.js"
import * as Nodes from "./Nodes.js"
import * as Observation from "./Observation.js"
import * as Probe from "./Probe.js"
import * as Readmission from "./Readmission.js"
import * as Route from "./Route.js"

/**
 * A node as a dashboard shows it. `url` is as it may be printed.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeSnapshot = Nodes.NodeSnapshot

/**
 * The pool of a client: what it knows of its nodes, and a check at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodePoolService {
  /** The nodes as they are known now. */
  readonly snapshot: Effect.Effect<ReadonlyArray<NodeSnapshot>>
  /** Checks all nodes now; the periodic checks go on as they were. */
  readonly check: Effect.Effect<void>
  /** Tells what happens from now on; `Changes.changes` of `effect-chains` is the same as a stream. */
  readonly listen: Observation.Listen
}

/**
 * The pool of the client at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class NodePool extends Context.Tag("effect-chains/balancer/NodePool")<NodePool, NodePoolService>() {}

/** The url that a call would go to now; the choice is not kept. */
const urlOf = (
  nodes: Nodes.Nodes,
  strict: boolean,
  archive: boolean
): ReturnType<TransportService["nodeUrl"]> =>
  Effect.clockWith((clock) => {
    const wanted = typeOf(archive)
    const all = nodes.state().nodes
    const now = monotonic(clock)
    const [choice] = nodes.select({ wanted, strict }, new Set(), now)
    const node = choice._tag === "node" ? all[choice.index] : undefined
    return node === undefined
      ? Effect.fail(nodes.noNode(wanted, all.length > 0, now))
      : Effect.succeed(node.url)
  })

/**
 * All urls, the best first. Nodes that are not known to be at the block are asked before: who does not answer as soon as others
 * do is no good node.
 */
const urlsOf = (
  nodes: Nodes.Nodes,
  heights: Height.Heights,
  patience: () => number,
  archive: boolean,
  block: number
): Effect.Effect<ReadonlyArray<string>> => {
  const unknown = nodes.members().filter((_, i) => !nodes.isAt(i, block) && !nodes.hasFailed(i))
  const asked =
    unknown.length === 0
      ? Effect.void
      : Effect.raceFirst(
          Effect.forEach(unknown, heights.ask, { concurrency: "unbounded", discard: true }),
          Effect.sleep(patience())
        )
  return Effect.map(asked, () => Nodes.ranked(nodes, typeOf(archive), block))
}

/**
 * Starts the balancer of a client: nodes from the configuration or from the provider's lists, checks as a scoped fiber.
 * It never fails: nodes that cannot be reached are a matter of the calls.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  TransportService &
    NodePoolService &
    Pick<Observation.Observer, "happened"> & { readonly state: () => Pool },
  never,
  Config | Logger | Http | Checks | Scope.Scope
> = Effect.gen(function* () {
  const config = yield* Config
  const logger = yield* Logger
  const http = yield* Http
  const { chain, holds, probe: probeOf, restUrl } = yield* Checks
  const scope = yield* Effect.scope
  const { hedge, info: network } = config
  const retryBudget = config.retryBudget && {
    share: config.retryBudget.ratio,
    burst: config.retryBudget.burst
  }

  const probe = probeOf?.(config.network, network)
  const generator = new PCGRandom(yield* Random.nextInt)
  const random = (): number => generator.number()
  const latencies = Latency.make(hedge?.delay)
  const observer = Observation.make(config.network)
  const isProbed = probe !== undefined
  const recovers = isProbed && Health.isRegular(config)
  const nodes = yield* Nodes.make(config, fetchLists(config, http, logger), { restUrl, random })
  if (config.nodes?.length === 0) yield* logger.error("No RPC URLs provided")

  const heights = Height.make(scope, random, (member, timeout) =>
    probe === undefined ? Effect.succeed("failed") : Probe.run(http, member, probe, timeout)
  )
  const chainIdCheck = ChainIdCheck.make(http, scope, network, config.verifyChain ? chain : undefined)
  const request = NodeRequest.make(config, http, chainIdCheck)
  const copies = recovers ? undefined : Copies.make(nodes, request, observer, scope)
  const retries = retryBudget === undefined ? Budget.unlimited : Budget.make(retryBudget)
  const readmission = yield* Readmission.make({
    heights,
    latencies,
    nodes,
    observer,
    random,
    scope,
    chainIdCheck
  })
  const health = Health.make({ config, copies, isProbed, latencies, logger, nodes, observer, readmission })
  const healthChecks = yield* HealthChecks.make({
    ...{ chainIdCheck, config, health, heights, isProbed, logger, nodes, scope }
  })
  yield* healthChecks.start

  const history = holds && History.make(request, holds)
  const attempts = Attempt.make({ config, request, health, heights, history, latencies, nodes, observer })
  const hedging =
    hedge &&
    Hedge.make({
      ...{ health, latencies, nodes, observer, retries, scope },
      maxExtraLoad: hedge.maxExtraLoad
    })
  const send = Failover.make({
    ...{ attempts, config, health, nodes, observer, retries },
    route: () => route
  })
  const route: Route.Route = Route.make({
    ...{ config, copies, health, heights, hedging, isProbed, nodes, healthChecks, send },
    revive: recovers ? readmission.revive : undefined
  })

  /** Whoever made the call is told of the nodes that it has been to, and those that watch of its end. */
  const told = (context: CallContext.CallContext<unknown>) => (error: CallError) => {
    withAttempts(error, context.failed ?? [])
    return observer.failed(error)
  }

  return {
    send: (call) =>
      Effect.flatMap(CallOptions, (options) =>
        Effect.clockWith((clock) => {
          readmission.called(monotonic(clock))
          hedging?.earn()
          retries.earn()
          const context = CallContext.make(call, options, config, clock)
          const ended = Effect.tapError(route.start(context, options), told(context))
          return healthChecks.noted(Observation.traced(ended, config.network, call.label))
        })
      ),
    nodeUrl: (archive) => urlOf(nodes, config.archive === "strict", archive),
    nodeUrls: (archive, minBlock = -1) => urlsOf(nodes, heights, latencies.patience, archive, minBlock),
    seen: attempts.seen,
    listen: observer.listen,
    happened: observer.happened,
    snapshot: Effect.sync(nodes.snapshot),
    check: healthChecks.check,
    state: nodes.state
  }
})

/**
 * The balancer as the transport and the pool of a client.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Transport | NodePool, never, Config | Logger | Http | Checks> =
  /*#__PURE__*/ Layer.scopedContext(
    /*#__PURE__*/ Effect.map(make, (balancer) =>
      Context.add(Context.make(Transport, balancer), NodePool, balancer)
    )
  )
