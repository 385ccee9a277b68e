/**
 * The nodes of a client: their urls, what calls and probes have shown of them, and the pure state of the pool (`Pool.ts`). No other
 * module writes the state of nodes. Only `policy` is set by `Hints.ts`.
 *
 * A node keeps its index for the life of the client: the list is replaced only while it is empty. Times are milliseconds on the monotonic
 * clock (`monotonic` in `http/service.ts`).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { ResolvedConfig, ResolvedNode } from "../config/Config.js"
import { makeSecretHider } from "../config/headers.js"
import { gatewayNodeUrl, isProviderUrl, usesNodeLists } from "../config/resolveConfig.js"
import { displayUrl, NoActiveNode } from "../data/SdkError.js"
import { sanitizeText } from "../data/untrusted.js"
import * as Latency from "./Latency.js"
import { type Layout, makeTargets, type RequestTarget } from "./Layout.js"
import type { Counters } from "./Observation.js"
import * as Pool from "./Pool.js"
import { makeIndexPolicy } from "./Selection.js"

/**
 * `Pool.findFastest`, for `Hints.ts`: no module but this one imports the functions of `Pool.ts`.
 *
 * @since 0.1.0
 * @category getters
 */
export const findFastest: typeof Pool.findFastest = Pool.findFastest

/**
 * Why a node takes no calls. The reason may have secrets.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeFault = Omit<NonNullable<NoActiveNode["nodes"]>[number], "url">

/**
 * The state of a node. It is mutable: a copy per call would cost more than the call.
 *
 * @since 0.1.0
 * @category models
 */
export interface Node {
  readonly url: string
  /** The user's own node, not the provider's. */
  readonly isOwn: boolean
  /** The url and headers for a call, by its path. */
  readonly targetFor: (path: string) => RequestTarget
  /** The index in the pool; undefined for the provider's gateway. */
  readonly index: number | undefined
  /** The url without its secrets. */
  readonly printableUrl: string
  readonly weight: number
  /** It has shown that it serves the network's chain, and has not failed since. */
  readonly isVerified: boolean
  /** From calls: the average response time, the time of the last answer, and the calls in flight. */
  readonly averageMs: number
  readonly answeredAt: number
  readonly inFlight: number
  /** Calls that have waited longer than the hedging delay. */
  readonly overdueCalls: number
  /** Since its last answer: server errors, backup requests that were answered first, and failed calls that another node answered. */
  readonly strikes: number
  /** The last height that it has reported, and the sequence number of that request (`Height.ts`). */
  readonly height: number | undefined
  readonly heightSequence: number
  /** How often it has reported a block far below the one it had reported before. */
  readonly heightDrops: number
  /** How often it has failed. Attempts that began before its last failure do not count. */
  readonly failures: number
  /** The last failure of a call, a probe or a chain check at it. It may be healthy again. */
  readonly fault: NodeFault | undefined
  /** It was evicted for being slow only, and may serve as a last resort. */
  readonly isSlow: boolean
  /** The end of its cooldown: nothing is sent to it before. */
  readonly cooldownUntil: number
  /** The time of the next probe, if it has failed. */
  readonly nextProbeAt: number | undefined
  /** While it has failed, without periodic checks: when it may get the next shadow read (`Readmission.ts`), and how many it has got. */
  readonly nextShadowReadAt: number
  readonly shadowReads: number
  /** The lowest block whose state it has shown to hold. */
  readonly lowestHeldBlock: number
  /** Records a response time in milliseconds for metrics. */
  readonly record: ((ms: number) => void) | undefined
}

/**
 * A node of the pool.
 *
 * @since 0.1.0
 * @category models
 */
export interface PoolNode extends Node {
  readonly index: number
}

/**
 * The nodes of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Nodes {
  readonly all: ReadonlyArray<PoolNode>
  readonly pool: Pool.Pool
  /** The provider's own node, for the calls that only the provider answers. */
  readonly gateway: Node
  /** The policy of the configuration or of hints (`Hints.ts`), if it replaces the pool's own. */
  policy: Pool.IndexPolicy | undefined
  readonly latencies: Latency.Latencies
  readonly config: ResolvedConfig
  /** Fetches the provider's lists again if they have given no node so far. */
  readonly refetchLists: Effect.Effect<void>
}

/** Makes the fields writable, for this module only. */
type Writable<A> = { -readonly [K in keyof A]: A[K] }

/**
 * The state of a node for display. `url` comes without its secrets. A node in cooldown counts as `failed`.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeSnapshot {
  readonly url: string
  readonly type: Pool.NodeType
  readonly active: boolean
  readonly failed: boolean
  readonly lastBlock: number
  readonly lastResponseTime: number
}

const makePool = (nodes: ReadonlyArray<ResolvedNode>, config: ResolvedConfig): Effect.Effect<Pool.Pool> =>
  Effect.gen(function* () {
    const normal = yield* Random.next
    const archive = yield* Random.next
    return Pool.make(nodes, {
      allowedBlocksBehind: config.allowedBlocksBehind,
      evict: config.evictNodesOnFailure,
      random: (type) => (type === "NORMAL" ? normal : archive)
    })
  })

/** Makes the state of a node that was never called. */
const makeNode = (
  config: ResolvedConfig,
  node: ResolvedNode,
  layout: Layout | undefined,
  counters: Counters | undefined
): Omit<Node, "index"> => {
  const { url, weight = 1 } = node
  const printableUrl = displayUrl(url)
  return {
    url,
    printableUrl,
    isOwn: !isProviderUrl(config, url),
    targetFor: makeTargets(config, node, layout),
    weight,
    isVerified: false,
    averageMs: 0,
    answeredAt: 0,
    inFlight: 0,
    overdueCalls: 0,
    strikes: 0,
    height: undefined,
    heightSequence: 0,
    heightDrops: 0,
    failures: 0,
    fault: undefined,
    isSlow: false,
    cooldownUntil: Number.NEGATIVE_INFINITY,
    nextProbeAt: undefined,
    nextShadowReadAt: 0,
    shadowReads: 0,
    lowestHeldBlock: Number.POSITIVE_INFINITY,
    record: counters?.attempt(config.network, printableUrl)
  }
}

interface Needs {
  readonly layout: Layout | undefined
  readonly random: () => number
  readonly counters: Counters | undefined
}

/**
 * Makes the nodes of the configuration. Without any there, those of the provider's `lists`, or its gateway alone. `layout` has the routes
 * of the nodes' servers; `random` is for the selection policy.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  config: ResolvedConfig,
  lists: Effect.Effect<ReadonlyArray<ResolvedNode>>,
  { counters, layout, random }: Needs
): Effect.Effect<Nodes> =>
  Effect.gen(function* () {
    const remote = usesNodeLists(config)
    const gateway: ResolvedNode = {
      url: config.info.node ?? gatewayNodeUrl(config),
      type: "NORMAL",
      headers: {},
      sendApiKey: false
    }
    const configured = config.nodes ?? (remote ? yield* lists : [gateway])
    const all = (resolved: ReadonlyArray<ResolvedNode>): ReadonlyArray<PoolNode> =>
      resolved.map((node, index) => ({ ...makeNode(config, node, layout, counters), index }))
    const nodes: Writable<Nodes> = {
      all: all(configured),
      pool: yield* makePool(configured, config),
      gateway: { ...makeNode(config, gateway, layout, counters), index: undefined },
      policy: makeIndexPolicy(config.selection, (index) => nodes.all[index], random),
      latencies: Latency.make(config.hedge?.delay),
      config,
      refetchLists: Effect.gen(function* () {
        if (!remote || nodes.all.length > 0) return
        const found = yield* lists
        const pool = yield* makePool(found, config)
        // another fiber may have fetched them meanwhile, and the state of its nodes must not be lost
        if (nodes.all.length > 0) return
        nodes.all = all(found)
        nodes.pool = pool
      })
    }
    return nodes
  })

/**
 * Whether a node is evicted.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasFailed = ({ pool }: Nodes, { index }: Node): boolean =>
  index !== undefined && pool.nodes[index]?.failed === true

/**
 * The type of a node; undefined for the gateway.
 *
 * @since 0.1.0
 * @category getters
 */
export const typeOf = ({ pool }: Nodes, { index }: Node): Pool.NodeType | undefined =>
  index === undefined ? undefined : pool.nodes[index]?.type

/**
 * The type of node that a call prefers.
 *
 * @since 0.1.0
 * @category getters
 */
export const nodeTypeFor = (archive: boolean): Pool.NodeType => (archive ? "ARCHIVE" : "NORMAL")

/**
 * Whether the pool has nodes of a type, failed or not.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasType = ({ pool }: Nodes, type: Pool.NodeType): boolean =>
  pool.nodes.some((node) => node.type === type)

/**
 * Whether there is no second node.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasSingleNode = ({ all }: Nodes): boolean => all.length < 2

/**
 * Whether a node is known to have reached a block. True if `block` is undefined.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasReached = ({ height }: Node, block: number | undefined): boolean =>
  block === undefined || (height !== undefined && height >= block)

/**
 * Whether a node's cooldown has not ended.
 *
 * @since 0.1.0
 * @category getters
 */
export const isCoolingDown = ({ cooldownUntil }: Node, now: number): boolean => now < cooldownUntil

const none: ReadonlySet<number> = new Set()

/** The indices of the nodes in cooldown. Usually there are none, and then no set is made. */
const coolingDownIndices = ({ all }: Pick<Nodes, "all">, now: number): ReadonlySet<number> =>
  all.some((node) => isCoolingDown(node, now))
    ? new Set(all.filter((node) => isCoolingDown(node, now)).map(({ index }) => index))
    : none

const withCoolingDown = (nodes: Nodes, call: Pool.NodeRequirements, now: number): Pool.NodeRequirements => {
  const found = coolingDownIndices(nodes, now)
  const { strict = false, tried, nodeType } = call
  return found.size === 0 ? call : { strict, tried, nodeType, coolingDown: found }
}

/**
 * The nodes in cooldown among those that a call may use, tried or not.
 *
 * @since 0.1.0
 * @category getters
 */
export const findCoolingDown = (
  nodes: Nodes,
  call: Pool.NodeRequirements,
  now: number
): ReadonlyArray<PoolNode> => {
  const types = Pool.eligibleTypes(nodes.pool, call)
  return nodes.all.filter((node) => {
    const type = typeOf(nodes, node)
    return isCoolingDown(node, now) && type !== undefined && types.includes(type)
  })
}

/**
 * `Pool.select` with the policy in force, without nodes in cooldown.
 *
 * @since 0.1.0
 * @category getters
 */
export const select = (
  nodes: Nodes,
  call: Pool.NodeRequirements,
  now: number
): readonly [Pool.NodeChoice, Pool.Pool] =>
  Pool.select(nodes.pool, withCoolingDown(nodes, call, now), now, nodes.policy)

/**
 * The index of the node that a call would go to if no node were in cooldown.
 *
 * @since 0.1.0
 * @category getters
 */
export const selectDespiteCooldown = (
  { policy, pool }: Nodes,
  call: Pool.NodeRequirements,
  now: number
): number | undefined => {
  const [choice] = Pool.select(pool, call, now, policy)
  return choice._tag === "node" ? choice.index : undefined
}

/**
 * Sets the pool's state after a choice.
 *
 * @since 0.1.0
 * @category operations
 */
export const setPool = (nodes: Writable<Nodes>, pool: Pool.Pool): void => {
  nodes.pool = pool
}

/**
 * `Pool.selectAmong` with the policy in force, without nodes in cooldown.
 *
 * @since 0.1.0
 * @category getters
 */
export const selectAmong = (
  { all, policy, pool }: Nodes,
  call: Pool.NodeRequirements,
  now: number,
  may: (node: Node) => boolean
): PoolNode | undefined => {
  const isIn = (index: number): boolean => {
    const node = all[index]
    return node !== undefined && !isCoolingDown(node, now) && may(node)
  }
  const index = Pool.selectAmong(pool, call, isIn, policy)
  return index === undefined ? undefined : all[index]
}

/**
 * Whether the pool has a healthy node that the call has not tried.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasOther = (nodes: Nodes, call: Pool.NodeRequirements, now: number): boolean => {
  const [choice] = select(nodes, call, now)
  return choice._tag === "node" && !choice.isTrial
}

/**
 * The urls of all nodes, the best first: healthy before failed, then those that have reached the block, then those of the wanted type, then
 * the faster ones.
 *
 * @since 0.1.0
 * @category getters
 */
export const rankUrls = (
  { all, pool }: Nodes,
  wanted: Pool.NodeType,
  block: number | undefined
): ReadonlyArray<string> =>
  pool.nodes
    .map((node, i) => {
      const isThere = all[i] !== undefined && hasReached(all[i], block)
      return { node, rank: (node.failed ? 4 : 0) + (isThere ? 0 : 2) + (node.type === wanted ? 0 : 1) }
    })
    .sort((a, b) => a.rank - b.rank || a.node.lastResponseTime - b.node.lastResponseTime)
    .map(({ node }) => node.url)

const reasonOf = ({ all, pool }: Nodes, now: number): string => {
  const { length } = all
  const count = (some: number): string => (some === length ? `all ${some}` : `${some} of ${length}`)
  const coolingDown = coolingDownIndices({ all }, now)
  const failedCount = pool.nodes.filter(({ failed }, i) => failed && !coolingDown.has(i)).length
  const failed = `${count(failedCount)} nodes have failed, and are asked again after a back-off`
  const pausing = `${count(coolingDown.size)} nodes have asked for a pause`
  return coolingDown.size === 0 ? failed : failedCount === 0 ? pausing : `${pausing}, ${failed}`
}

/** The nodes that take no calls now, each with the last cause, in the order of the pool. */
const findFaults = (nodes: Nodes, now: number): NonNullable<NoActiveNode["nodes"]> => {
  const hide = makeSecretHider(nodes.config)
  return nodes.all.flatMap((node) => {
    const { fault, printableUrl: url } = node
    if (isCoolingDown(node, now)) return [{ url, kind: "limited", reason: "the node has asked for a pause" }]
    return fault !== undefined && hasFailed(nodes, node)
      ? [{ url, kind: fault.kind, reason: sanitizeText(fault.reason, hide) }]
      : []
  })
}

/**
 * Why a call has no node. `isTemporary`: nodes become available after a back-off or a cooldown; `retryAfter`: in how many milliseconds;
 * `last`: the error of nodes of the other type.
 *
 * @since 0.1.0
 * @category models
 */
export interface MissingNode {
  readonly type: Pool.NodeType
  readonly isTemporary: boolean
  readonly retryAfter?: number
  readonly last?: NonNullable<NoActiveNode["last"]>
}

/**
 * Makes the error of a call without a node.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeNoActiveNode = (
  nodes: Nodes,
  now: number,
  { isTemporary, ...missing }: MissingNode
): NoActiveNode => {
  const { all, config, pool } = nodes
  const error = { ...missing, network: config.network, manual: pool.hasFailedRound }
  if (!isTemporary)
    return new NoActiveNode({
      ...error,
      reason:
        config.nodes?.length === 0
          ? "No RPC URLs provided: rpc.nodes is empty"
          : all.length === 0
            ? "the provider's node lists gave no usable node"
            : `no node has the type ${missing.type}, and the call may use no other`
    })
  const trials = [pool.trial.NORMAL?.at, pool.trial.ARCHIVE?.at]
  const nextAt = Math.min(
    ...[
      ...trials,
      ...all.map(({ nextProbeAt }) => nextProbeAt),
      ...all.map(({ cooldownUntil }) => (cooldownUntil > now ? cooldownUntil : undefined))
    ].filter((at) => at !== undefined)
  )
  const more = Number.isFinite(nextAt) ? { retryAfter: Math.max(0, nextAt - now) } : {}
  return new NoActiveNode({ ...more, ...error, reason: reasonOf(nodes, now), nodes: findFaults(nodes, now) })
}

/**
 * The state of all nodes for display.
 *
 * @since 0.1.0
 * @category getters
 */
export const snapshot = ({ all, pool }: Nodes, now: number): ReadonlyArray<NodeSnapshot> =>
  pool.nodes.map((node, i) => ({
    url: displayUrl(node.url),
    type: node.type,
    active: pool.active[node.type] === i,
    failed: node.failed || (all[i] !== undefined && isCoolingDown(all[i], now)),
    lastBlock: node.lastBlock,
    lastResponseTime: node.lastResponseTime
  }))

/** A node with this many `strikes` is evicted. */
const MAX_STRIKES = 3

const updatePool = (
  nodes: Nodes,
  { index }: Node,
  to: (pool: Pool.Pool, index: number) => Pool.Pool
): void => {
  const writable: Writable<Nodes> = nodes
  if (index !== undefined) writable.pool = to(nodes.pool, index)
}

/**
 * Records that a call is sent to the node.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordSent = (node: Writable<Node>): void => {
  node.inFlight++
}

/**
 * Records that a call at the node has ended, with or without an answer.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordSettled = (node: Writable<Node>): void => {
  node.inFlight--
}

/**
 * Records the answer to a call that began at `start`.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordAnswer = (
  { latencies }: Nodes,
  node: Writable<Node>,
  start: number,
  now: number
): void => {
  const ms = now - start
  node.averageMs = Latency.peakAverage(node.averageMs, ms, now - node.answeredAt)
  node.answeredAt = now
  node.strikes = 0
  node.record?.(ms)
  latencies.add(ms)
}

/**
 * Marks the node as healthy, unless it has failed since the attempt began (`failures` is the count at that time).
 *
 * @since 0.1.0
 * @category operations
 */
export const markHealthy = (nodes: Nodes, node: Node, failures: number): void => {
  if (node.failures === failures) updatePool(nodes, node, Pool.markHealthy)
}

/**
 * Records the height in the answer to a request. The height of the later request wins, whenever its answer comes.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordHeight = (node: Writable<Node>, height: number, sequence: number): void => {
  if (sequence < node.heightSequence) return
  node.height = height
  node.heightSequence = sequence
}

/**
 * Records that the node has reported a block far below an earlier one. Yields false if another attempt has recorded that already
 * (`heightDrops` is the count when the attempt began).
 *
 * @since 0.1.0
 * @category operations
 */
export const recordHeightDrop = (node: Writable<Node>, heightDrops: number): boolean => {
  if (node.heightDrops !== heightDrops) return false
  node.heightDrops++
  return true
}

/**
 * Records that the node holds the state of a block.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordHeldBlock = (node: Writable<Node>, block: number): void => {
  node.lowestHeldBlock = Math.min(node.lowestHeldBlock, block)
}

/**
 * Records that the node serves the network's chain.
 *
 * @since 0.1.0
 * @category operations
 */
export const markVerified = (node: Writable<Node>): void => {
  node.isVerified = true
}

/**
 * Records a server error of a call that could try the node again. Yields whether the node has had too many, so that it should not.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordServerError = (nodes: Nodes, node: Writable<Node>): boolean =>
  !hasSingleNode(nodes) && (hasFailed(nodes, node) || ++node.strikes >= MAX_STRIKES)

/**
 * Records that a call waits for the node longer than the hedging delay.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordOverdue = (node: Writable<Node>): void => {
  node.overdueCalls++
}

/**
 * Records that an overdue call has ended.
 *
 * @since 0.1.0
 * @category operations
 */
export const releaseOverdue = (node: Writable<Node>): void => {
  node.overdueCalls--
}

/**
 * Records that another node was faster with a backup request, or has answered a call that this node failed. Yields whether the node now has
 * too many strikes.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordOvertaken = ({ latencies }: Nodes, node: Writable<Node>, now: number): boolean => {
  // if it has not answered any call lately, the other overdue calls count too
  const isSilent = now - node.answeredAt > latencies.hedgeDelay()
  node.strikes++
  return node.strikes + (isSilent ? node.overdueCalls - 1 : 0) >= MAX_STRIKES
}

/**
 * Records the last failure of the node. It does not evict the node.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordFault = (node: Writable<Node>, { kind, reason }: NodeFault): void => {
  node.fault = { kind, reason }
}

/**
 * Marks the node as failed. Yields whether it was healthy before.
 *
 * @since 0.1.0
 * @category operations
 */
export const markFailed = (nodes: Nodes, node: Writable<Node>, slow = false): boolean => {
  const wasHealthy = !hasFailed(nodes, node)
  updatePool(nodes, node, Pool.markFailed)
  node.isVerified = false
  node.strikes = 0
  node.isSlow = slow
  node.failures++
  return wasHealthy
}

/** The longest cooldown, in milliseconds: the interval of the checks. */
const MAX_COOLDOWN_MS = 60_000

/** The shortest cooldown, in milliseconds: some nodes send `Retry-After: 0`. */
const MIN_COOLDOWN_MS = 50

/**
 * Starts a cooldown of `pause` milliseconds. Of several cooldowns the one that ends last counts; they do not add up.
 *
 * @since 0.1.0
 * @category operations
 */
export const startCooldown = (node: Writable<Node>, now: number, pause: number): void => {
  const until = now + Math.min(MAX_COOLDOWN_MS, Math.max(MIN_COOLDOWN_MS, pause))
  node.cooldownUntil = Math.max(node.cooldownUntil, until)
}

/**
 * Records that all nodes of a type have failed a call.
 *
 * @since 0.1.0
 * @category operations
 */
export const markExhausted = (nodes: Writable<Nodes>, type: Pool.NodeType): void => {
  nodes.pool = Pool.resetFailed(nodes.pool, type)
}

/**
 * Records a failed probe: the node is no last resort, and its chain must be verified again.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordProbeFailure = (node: Writable<Node>): void => {
  node.isSlow = false
  node.isVerified = false
}

/**
 * Sets the time of the next probe; undefined while it is probed and when it is back.
 *
 * @since 0.1.0
 * @category operations
 */
export const scheduleProbe = (node: Writable<Node>, until: number | undefined): void => {
  node.nextProbeAt = until
}

/**
 * Records that a shadow read is sent to the node. The next one may be sent after a back-off.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordShadowRead = (node: Writable<Node>, now: number): void => {
  node.nextShadowReadAt = now + Pool.backOffMs(++node.shadowReads)
}

/**
 * Records that the node has just failed: no shadow read is sent to it for `pause` milliseconds.
 *
 * @since 0.1.0
 * @category operations
 */
export const delayShadowReads = (node: Writable<Node>, now: number, pause = Pool.backOffMs(0)): void => {
  node.nextShadowReadAt = now + pause
  node.shadowReads = 0
}

/**
 * Readmits the node after a successful probe. Yields whether it serves calls again: a node that is far behind does not.
 *
 * @since 0.1.0
 * @category operations
 */
export const readmit = (
  nodes: Nodes,
  node: Writable<Node>,
  found: Exclude<Pool.CheckOutcome, "failed">
): boolean => {
  node.strikes = 0
  updatePool(nodes, node, (pool, index) => Pool.readmit(pool, index, found))
  return node.index !== undefined && Pool.isInSync(nodes.pool, node.index)
}

/**
 * Records a successful check in the first round, which still waits for other nodes.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordFirstCheck = (
  nodes: Nodes,
  node: Node,
  outcome: Exclude<Pool.CheckOutcome, "failed">
): void => updatePool(nodes, node, (pool, index) => Pool.recordFirstCheck(pool, index, outcome))

/**
 * Records the outcomes of a round of checks. An undefined outcome changes nothing.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordChecks = (
  nodes: Writable<Nodes>,
  outcomes: ReadonlyArray<Pool.CheckOutcome | undefined>
): void => {
  nodes.pool = Pool.recordChecks(nodes.pool, outcomes)
}
