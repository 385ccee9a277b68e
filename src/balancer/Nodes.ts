/**
 * The nodes of a client: how each is reached, what calls and probes have told of it, and the state of the pool, which is pure
 * (`NodePool.ts`). This is the one module that writes the state of nodes, by verbs.
 *
 * A node keeps its place in the pool for as long as the client lives: there is one list, and it is replaced only while it is
 * empty. Times are milliseconds on the clock that never jumps (`monotonic` in `http/service.ts`).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import {
  gatewayNodeUrl,
  isProviderUrl,
  type ResolvedConfig,
  type ResolvedNode,
  usesNodeLists
} from "../config/Config.js"
import { displayUrl, NoActiveNode } from "../data/SdkError.js"
import * as Latency from "./Latency.js"
import { type Layout, makePlaces, type Place } from "./Layout.js"
import type { Counters } from "./Observation.js"
import * as Pool from "./Pool.js"
import { preferenceOf } from "./Selection.js"

/**
 * The fastest node in step, for those who bring hints: they have it from here, so that the pure state stays a part of the one file that
 * writes it.
 *
 * @since 0.1.0
 * @category getters
 */
export const findFastest: typeof Pool.findFastest = Pool.findFastest

/**
 * A node, as it is known now. It changes with every call, and in place: a copy per call would cost more than the call.
 *
 * @since 0.1.0
 * @category models
 */
export interface Node {
  readonly url: string
  /** It is no node of the provider. */
  readonly isOwn: boolean
  /** Where a call goes, by its path. */
  readonly place: (path: string) => Place
  /** Its place in the pool; none for the provider's own node, which serves calls that it alone answers. */
  readonly index: number | undefined
  /** The url as it may be printed. */
  readonly printableUrl: string
  readonly weight: number
  /** It has told that it serves the chain of the network, and has not failed since. */
  readonly isVerified: boolean
  /** From calls: the average response time, when the last one was answered, and how many wait for an answer. */
  readonly averageMs: number
  readonly answeredAt: number
  readonly inFlight: number
  /** Calls that wait for it longer than calls do. */
  readonly overdueCalls: number
  /** How often in a row it answered with a server error, or a second attempt elsewhere was answered first. */
  readonly troubles: number
  /** The height that it has told last, in an answer or to a probe, and the turn in which that was asked (`Height.ts`). */
  readonly height: number | undefined
  readonly heightSequence: number
  /** How often it has fallen far behind what it had told. */
  readonly heightDrops: number
  /** How often it has failed: an attempt from before says nothing of it any more. */
  readonly failures: number
  /** The error of the call by which it has failed. */
  readonly fault: string | undefined
  /** It has failed by being slow: as a last resort it is better than none. */
  readonly isSlow: boolean
  /** Nothing is sent to it before: it has asked for a pause. */
  readonly cooldownUntil: number
  /** When it is probed next, where it has failed. */
  readonly nextProbeAt: number | undefined
  /** Of a node that is not probed: when a copy of a call may be sent to it again, and how many were in vain. */
  readonly nextCopyAt: number
  readonly copies: number
  /** The lowest block that it has shown to hold. */
  readonly lowestHeldBlock: number
  /** Records how long an answer took, in milliseconds. */
  readonly record: ((ms: number) => void) | undefined
}

/**
 * A node that the pool chooses from.
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
  /** The provider's own node: for calls that it alone answers. */
  readonly gateway: Node
  /** The policy of the configuration, or that of who brings hints (`Hints.ts`), where it is not that of the pool. */
  pick: Pool.Preference | undefined
  /** How long answers take. */
  readonly latencies: Latency.Latencies
  readonly config: ResolvedConfig
  /** Asks for the provider's lists again, where they gave no node so far. */
  readonly refetchLists: Effect.Effect<void>
}

/** Only this module writes. */
type Writable<A> = { -readonly [K in keyof A]: A[K] }

/**
 * A node as a dashboard shows it. `url` is as it may be printed. One that has asked for a pause counts as `failed` until that is over.
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

/** A node that was never called. */
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
    place: makePlaces(config, node, layout),
    weight,
    isVerified: false,
    averageMs: 0,
    answeredAt: 0,
    inFlight: 0,
    overdueCalls: 0,
    troubles: 0,
    height: undefined,
    heightSequence: 0,
    heightDrops: 0,
    failures: 0,
    fault: undefined,
    isSlow: false,
    cooldownUntil: Number.NEGATIVE_INFINITY,
    nextProbeAt: undefined,
    nextCopyAt: 0,
    copies: 0,
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
 * The nodes of the configuration; where it names none those of the provider: of its `lists`, or its gateway alone. `layout` says
 * where their routes are, `random` decides for the policy.
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
      pick: preferenceOf(config.selection, (index) => nodes.all[index], random),
      latencies: Latency.make(config.hedge?.delay),
      config,
      refetchLists: Effect.gen(function* () {
        if (!remote || nodes.all.length > 0) return
        const found = yield* lists
        const pool = yield* makePool(found, config)
        // others may have asked meanwhile, and what calls know of their nodes must not be lost
        if (nodes.all.length > 0) return
        nodes.all = all(found)
        nodes.pool = pool
      })
    }
    return nodes
  })

/**
 * Whether a node has failed, and is not back.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasFailed = ({ pool }: Nodes, { index }: Node): boolean =>
  index !== undefined && pool.nodes[index]?.failed === true

/**
 * The type of a node of the pool.
 *
 * @since 0.1.0
 * @category getters
 */
export const typeOf = ({ pool }: Nodes, { index }: Node): Pool.NodeType | undefined =>
  index === undefined ? undefined : pool.nodes[index]?.type

/**
 * The type of node that a call is for.
 *
 * @since 0.1.0
 * @category getters
 */
export const nodeTypeFor = (archive: boolean): Pool.NodeType => (archive ? "ARCHIVE" : "NORMAL")

/**
 * Whether the pool has nodes of a type, well or not.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasType = ({ pool }: Nodes, type: Pool.NodeType): boolean =>
  pool.nodes.some((node) => node.type === type)

/**
 * Whether a call has nowhere else to go.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasSingleNode = ({ all }: Nodes): boolean => all.length < 2

/**
 * Whether a node is known to be at a block; each is where none is asked for.
 *
 * @since 0.1.0
 * @category getters
 */
export const isAt = ({ height }: Node, block: number | undefined): boolean =>
  block === undefined || (height !== undefined && height >= block)

/**
 * Whether a node has asked for a pause that is not over.
 *
 * @since 0.1.0
 * @category getters
 */
export const isCoolingDown = ({ cooldownUntil }: Node, now: number): boolean => now < cooldownUntil

const none: ReadonlySet<number> = new Set()

/** The places of the nodes that cool: mostly of none, which costs nothing. */
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
 * The nodes that have asked for a pause, of those that a call may have, whether it has tried them or not.
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
 * `Pool.select` with the policy of the configuration, without the nodes that cool.
 *
 * @since 0.1.0
 * @category getters
 */
export const select = (
  nodes: Nodes,
  call: Pool.NodeRequirements,
  now: number
): readonly [Pool.Choice, Pool.Pool] =>
  Pool.select(nodes.pool, withCoolingDown(nodes, call, now), now, nodes.pick)

/**
 * The place of the node that a call would go to if none of them cooled.
 *
 * @since 0.1.0
 * @category getters
 */
export const selectDespiteCooldown = (
  { pick, pool }: Nodes,
  call: Pool.NodeRequirements,
  now: number
): number | undefined => {
  const [choice] = Pool.select(pool, call, now, pick)
  return choice._tag === "node" ? choice.index : undefined
}

/**
 * A choice stands.
 *
 * @since 0.1.0
 * @category operations
 */
export const setPool = (nodes: Writable<Nodes>, pool: Pool.Pool): void => {
  nodes.pool = pool
}

/**
 * `Pool.among` with the policy of the configuration, without the nodes that cool.
 *
 * @since 0.1.0
 * @category getters
 */
export const selectAmong = (
  { all, pick, pool }: Nodes,
  call: Pool.NodeRequirements,
  now: number,
  may: (node: Node) => boolean
): PoolNode | undefined => {
  const isIn = (index: number): boolean => {
    const node = all[index]
    return node !== undefined && !isCoolingDown(node, now) && may(node)
  }
  const index = Pool.selectAmong(pool, call, isIn, pick)
  return index === undefined ? undefined : all[index]
}

/**
 * Whether the pool has another healthy node for a call now, beside those that it has tried.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasOther = (nodes: Nodes, call: Pool.NodeRequirements, now: number): boolean => {
  const [choice] = select(nodes, call, now)
  return choice._tag === "node" && !choice.trial
}

/**
 * The urls of all nodes that calls may be sent to: healthy ones before those that have failed, then those at the block, then
 * those of the type that is wanted, then the faster ones.
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
      const isThere = all[i] !== undefined && isAt(all[i], block)
      return { node, rank: (node.failed ? 4 : 0) + (isThere ? 0 : 2) + (node.type === wanted ? 0 : 1) }
    })
    .sort((a, b) => a.rank - b.rank || a.node.lastResponseTime - b.node.lastResponseTime)
    .map(({ node }) => node.url)

const reasonOf = ({ all, pool }: Nodes, now: number, fault: string | undefined): string => {
  const { length } = all
  const count = (some: number): string => (some === length ? `all ${some}` : `${some} of ${length}`)
  const cool = coolingDownIndices({ all }, now)
  const out = pool.nodes.filter(({ failed }, i) => failed && !cool.has(i)).length
  const failed = `${count(out)} nodes have failed, and are asked again after a back-off${fault ? `: ${fault}` : ""}`
  const pausing = `${count(cool.size)} nodes have asked for a pause`
  return cool.size === 0 ? failed : out === 0 ? pausing : `${pausing}, ${failed}`
}

/**
 * A call without a node: `isResting` if nodes are asked again after a back-off or a pause, `retryAfter` (milliseconds) when that is known
 * to be over, `last` is the error of nodes of the other type.
 *
 * @since 0.1.0
 * @category models
 */
export interface MissingNode {
  readonly type: Pool.NodeType
  readonly isResting: boolean
  readonly retryAfter?: number
  readonly last?: NonNullable<NoActiveNode["last"]>
}

/**
 * Why there is no node for a call at this time.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeNoActiveNode = (
  nodes: Nodes,
  now: number,
  { isResting, ...missing }: MissingNode
): NoActiveNode => {
  const { all, config, pool } = nodes
  const error = { ...missing, network: config.network, manual: pool.noActiveNode }
  if (!isResting)
    return new NoActiveNode({
      ...error,
      reason:
        config.nodes?.length === 0
          ? "No RPC URLs provided: rpc.nodes is empty"
          : "the provider's node lists gave no usable node"
    })
  const trials = [pool.trial.NORMAL?.at, pool.trial.ARCHIVE?.at]
  const nextAt = Math.min(
    ...[
      ...trials,
      ...all.map(({ nextProbeAt }) => nextProbeAt),
      ...all.map(({ cooldownUntil }) => (cooldownUntil > now ? cooldownUntil : undefined))
    ].filter((at) => at !== undefined)
  )
  const reason = reasonOf(nodes, now, all.find((node) => node.fault && hasFailed(nodes, node))?.fault)
  const more = Number.isFinite(nextAt) ? { retryAfter: Math.max(0, nextAt - now) } : {}
  return new NoActiveNode({ ...more, ...error, reason })
}

/**
 * The nodes as a dashboard shows them.
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

/** A node that has been in trouble this often, and has not answered in between, has failed. */
const MAX_TROUBLES = 3

const updatePool = (
  nodes: Nodes,
  { index }: Node,
  to: (pool: Pool.Pool, index: number) => Pool.Pool
): void => {
  const writable: Writable<Nodes> = nodes
  if (index !== undefined) writable.pool = to(nodes.pool, index)
}

/**
 * A call is sent to it.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordSent = (node: Writable<Node>): void => {
  node.inFlight++
}

/**
 * A call that was sent to it is over, however that ended.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordSettled = (node: Writable<Node>): void => {
  node.inFlight--
}

/**
 * It has answered a call that began at `start`.
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
  node.troubles = 0
  node.record?.(ms)
  latencies.add(ms)
}

/**
 * It has shown by an answer that it is well, unless it has failed more often than `failures` since that was asked for.
 *
 * @since 0.1.0
 * @category operations
 */
export const markHealthy = (nodes: Nodes, node: Node, failures: number): void => {
  if (node.failures === failures) updatePool(nodes, node, Pool.markHealthy)
}

/**
 * It has told a height in the answer to a request of this turn. A later request counts more, whenever the answers come.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordHeight = (node: Writable<Node>, height: number, turn: number): void => {
  if (turn < node.heightSequence) return
  node.height = height
  node.heightSequence = turn
}

/**
 * It has fallen far behind what it had told. Yields whether that is news to who knew of `lapses` of them.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordHeightDrop = (node: Writable<Node>, lapses: number): boolean => {
  if (node.heightDrops !== lapses) return false
  node.heightDrops++
  return true
}

/**
 * It has shown that it holds the state of a block.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordHeldBlock = (node: Writable<Node>, block: number): void => {
  node.lowestHeldBlock = Math.min(node.lowestHeldBlock, block)
}

/**
 * It has told that it serves the chain of the network.
 *
 * @since 0.1.0
 * @category operations
 */
export const markVerified = (node: Writable<Node>): void => {
  node.isVerified = true
}

/**
 * It has answered with a server error. Yields whether there is nothing to wait for: other calls have met the same.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordServerError = (nodes: Nodes, node: Writable<Node>): boolean =>
  !hasSingleNode(nodes) && (hasFailed(nodes, node) || ++node.troubles >= MAX_TROUBLES)

/**
 * A call waits for it longer than calls do.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordOverdue = (node: Writable<Node>): void => {
  node.overdueCalls++
}

/**
 * A call that has waited for it too long does so no more.
 *
 * @since 0.1.0
 * @category operations
 */
export const releaseOverdue = (node: Writable<Node>): void => {
  node.overdueCalls--
}

/**
 * Another node was quicker, although it was asked later, or has answered what this one has not. Yields whether that was once too often.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordSlower = ({ latencies }: Nodes, node: Writable<Node>, now: number): boolean => {
  // when it says nothing at all, others that wait for it count too
  const isSilent = now - node.answeredAt > latencies.hedgeDelay()
  node.troubles++
  return node.troubles + (isSilent ? node.overdueCalls - 1 : 0) >= MAX_TROUBLES
}

/**
 * It has failed. Yields whether that is news.
 *
 * @since 0.1.0
 * @category operations
 */
export const markFailed = (nodes: Nodes, node: Writable<Node>, fault: string, slow = false): boolean => {
  const isNews = !hasFailed(nodes, node)
  updatePool(nodes, node, Pool.markFailed)
  node.fault = fault
  node.isVerified = false
  node.troubles = 0
  node.isSlow = slow
  node.failures++
  return isNews
}

/** No node is believed that asks for a longer pause, in milliseconds: rounds of checks come as often. */
const MAX_COOLDOWN_MS = 60_000

/** And none is asked again sooner, in milliseconds: some say "0". */
const MIN_COOLDOWN_MS = 50

/**
 * It has asked for a pause of so many milliseconds: nothing is sent to it before that is over. A pause is a moment, however often it is
 * told.
 *
 * @since 0.1.0
 * @category operations
 */
export const startCooldown = (node: Writable<Node>, now: number, pause: number): void => {
  const until = now + Math.min(MAX_COOLDOWN_MS, Math.max(MIN_COOLDOWN_MS, pause))
  node.cooldownUntil = Math.max(node.cooldownUntil, until)
}

/**
 * All nodes of a type have failed a call.
 *
 * @since 0.1.0
 * @category operations
 */
export const markExhausted = (nodes: Writable<Nodes>, type: Pool.NodeType): void => {
  nodes.pool = Pool.resetFailed(nodes.pool, type)
}

/**
 * It has not answered its probe: it is no last resort any more, and has to tell its chain again.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordProbeFailure = (node: Writable<Node>): void => {
  node.isSlow = false
  node.isVerified = false
}

/**
 * It is out, and probed next at this time; at none if it is probed now, or is back.
 *
 * @since 0.1.0
 * @category operations
 */
export const scheduleProbe = (node: Writable<Node>, until: number | undefined): void => {
  node.nextProbeAt = until
}

/**
 * A copy of a call is sent to it now; the next one after a back-off.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordCopy = (node: Writable<Node>, now: number): void => {
  node.nextCopyAt = now + Pool.backOffMs(++node.copies)
}

/**
 * It has just failed, and no copy is sent to it before it wants one (`pause`, in milliseconds).
 *
 * @since 0.1.0
 * @category operations
 */
export const delayCopies = (node: Writable<Node>, now: number, pause = Pool.backOffMs(0)): void => {
  node.nextCopyAt = now + pause
  node.copies = 0
}

/**
 * A probe has found it well again. Yields whether it serves calls again: one that is far behind does not.
 *
 * @since 0.1.0
 * @category operations
 */
export const readmit = (
  nodes: Nodes,
  node: Writable<Node>,
  found: Exclude<Pool.CheckOutcome, "failed">
): boolean => {
  node.troubles = 0
  updatePool(nodes, node, (pool, index) => Pool.readmit(pool, index, found))
  return node.index !== undefined && Pool.isInSync(nodes.pool, node.index)
}

/**
 * The first round of checks has found it well, and waits for others.
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
 * A round of checks has asked them all; it says nothing any more of those of which the outcome is undefined.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordChecks = (
  nodes: Writable<Nodes>,
  outcomes: ReadonlyArray<Pool.CheckOutcome | undefined>
): void => {
  nodes.all.forEach((node: Writable<Node>, i) => {
    // by a check and not by a call: what a call has ended with is older
    if (outcomes[i] === "failed" && !hasFailed(nodes, node)) node.fault = undefined
  })
  nodes.pool = Pool.recordChecks(nodes.pool, outcomes)
}
