/**
 * The pool of nodes as a pure state machine: the state of every node, the active node of each type, and the transitions by checks,
 * failures and successes. No clock, no I/O.
 *
 * Invariants, whatever happens in whatever order (`test/balancer/pool.model.test.ts`):
 *
 * 1. No transition adds, loses or reorders nodes, or changes the health of another node than its own.
 * 2. The active node of a type is of that type; there is none only where the type has no nodes.
 * 3. The active node is healthy as long as any node of its type is.
 * 4. A failed node is chosen only as a trial, and only while no node that the call may use is healthy.
 * 5. A call gets no node twice. It tries the nodes of its own type first, then those of the other type, and does not come back. It ends only
 *    when no healthy node is left. With `strict` it stays with its type.
 * 6. No node is lost: while all have failed, one call per back-off is let through. The back-off starts at 1 s, doubles, and ends at 30 s.
 *    With eviction each of these trials asks the next node, so that n trials ask all n nodes.
 * 7. A call waits only while every node that it may use is in cooldown or, with eviction, has failed and waits for its back-off.
 * 8. Without a healthy active node, and with a policy at any time, the choice is within `allowedBlocksBehind` of the
 *    highest healthy node that the call may use. A check makes such a node active.
 * 9. A readmitted node becomes active only if the active one has failed, and puts no other node out of sync.
 * 10. Only a round of checks without any healthy node sets `hasFailedRound`; any success resets it.
 * 11. `selectAmong` chooses a healthy node of the given ones: the active one, or one in sync with the highest of them. It does not change the
 *     active node.
 *
 * Invariants of the whole balancer (`test/balancer/balancer.model.test.ts`):
 *
 * - Every call ends by its deadline (plus the millisecond that a request gets at least).
 * - A write is never sent again once it may have had an effect.
 * - No answer of a node on another chain, or to another request, reaches a caller.
 * - A read succeeds if a node of its type is healthy during all of its time.
 * - Retries and backup requests stay within their budgets.
 * - Nothing is left when the scope has closed.
 * - A node that is behind `minBlock` never answers a read with it. With `consistency: "monotonic"` no read shows an older block than a read
 *   that had ended when it began. Limit: a node's height is read before and after an answer. A node that falls back and recovers in between
 *   is not noticed.
 *
 * @since 0.1.0
 */
import type { ResolvedNode } from "../config/Config.js"

/**
 * The type of a node: NORMAL nodes serve the recent state, ARCHIVE nodes the whole history.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeType = "NORMAL" | "ARCHIVE"

/**
 * The state of a node. `lastBlock` is its height at the last check (0 before the first), `lastResponseTime` is the duration of that check in
 * milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Node extends ResolvedNode {
  readonly lastBlock: number
  readonly lastResponseTime: number
  readonly failed: boolean
}

/**
 * The next trial call while all nodes of a type have failed: `at` is the earliest time, `count` the number of failed trials in a row.
 *
 * @since 0.1.0
 * @category models
 */
export interface Trial {
  readonly at: number
  readonly count: number
}

/**
 * The state of a pool. `active` has indices into `nodes`; undefined for a type without nodes. `hasFailedRound`: the last round of checks found
 * no healthy node, and no call or probe has succeeded since.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pool {
  readonly nodes: ReadonlyArray<Node>
  readonly active: Readonly<Record<NodeType, number | undefined>>
  readonly trial: Readonly<Partial<Record<NodeType, Trial | undefined>>>
  readonly hasFailedRound: boolean
  readonly allowedBlocksBehind: number
  readonly evict: boolean
}

/**
 * The outcome of a check.
 *
 * @since 0.1.0
 * @category models
 */
export type CheckOutcome = { readonly height: number; readonly time: number } | "failed"

const types: ReadonlyArray<NodeType> = ["NORMAL", "ARCHIVE"]

const indicesOf = (nodes: ReadonlyArray<ResolvedNode>, type: NodeType): ReadonlyArray<number> =>
  nodes.flatMap((node, i) => (node.type === type ? [i] : []))

/**
 * Makes a pool of unchecked nodes. `random` (0 to 1) chooses the first active node of each type.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  nodes: ReadonlyArray<ResolvedNode>,
  options: {
    readonly allowedBlocksBehind: number
    readonly evict: boolean
    readonly random: (type: NodeType) => number
  }
): Pool => {
  const first = (type: NodeType): number | undefined => {
    const candidates = indicesOf(nodes, type)
    return candidates[Math.min(candidates.length - 1, Math.floor(options.random(type) * candidates.length))]
  }
  return {
    nodes: nodes.map((node) => ({ ...node, lastBlock: 0, lastResponseTime: 0, failed: false })),
    active: { NORMAL: first("NORMAL"), ARCHIVE: first("ARCHIVE") },
    trial: {},
    hasFailedRound: false,
    allowedBlocksBehind: options.allowedBlocksBehind,
    evict: options.evict
  }
}

/** The part of a node's state that choices depend on. */
type NodeHealth = Pick<Node, "lastBlock" | "lastResponseTime" | "failed">

/** A value that is not a number counts as the lowest height: it must neither win nor keep others from winning. */
const heightOf = (node: NodeHealth): number => (Number.isFinite(node.lastBlock) ? node.lastBlock : -1)

/** The healthy nodes within `allowedBlocksBehind` of the highest of them. */
const findInSync = (
  nodes: ReadonlyArray<NodeHealth>,
  allowedBlocksBehind: number,
  eligible: (index: number) => boolean
): ReadonlyArray<number> => {
  let highest = Number.NEGATIVE_INFINITY
  nodes.forEach((node, i) => {
    if (!node.failed && eligible(i)) highest = Math.max(highest, heightOf(node))
  })
  return nodes.flatMap((node, i) =>
    node.failed || !eligible(i) || heightOf(node) < highest - allowedBlocksBehind ? [] : [i]
  )
}

/**
 * The index of the fastest node in sync. In sync are the healthy nodes within `allowedBlocksBehind` of the highest of them. The lowest
 * response time wins, the first of equals. `eligible` narrows the choice.
 *
 * @since 0.1.0
 * @category getters
 */
export const findFastest = (
  nodes: ReadonlyArray<NodeHealth>,
  allowedBlocksBehind: number,
  eligible: (index: number) => boolean = () => true
): number | undefined => {
  let best: number | undefined
  let time = Number.POSITIVE_INFINITY
  for (const i of findInSync(nodes, allowedBlocksBehind, eligible)) {
    const { lastResponseTime = Number.NaN } = nodes[i] ?? {}
    if (best === undefined || lastResponseTime < time) {
      best = i
      time = Number.isNaN(lastResponseTime) ? Number.POSITIVE_INFINITY : lastResponseTime
    }
  }
  return best
}

/**
 * Whether a node is healthy and within `allowedBlocksBehind` of the highest of its type.
 *
 * @since 0.1.0
 * @category getters
 */
export const isInSync = (pool: Pool, index: number): boolean =>
  findInSync(
    pool.nodes,
    pool.allowedBlocksBehind,
    (i) => pool.nodes[i]?.type === pool.nodes[index]?.type
  ).includes(index)

const isOfType = (pool: Pool, type: NodeType, index: number): boolean => pool.nodes[index]?.type === type

/**
 * Chooses among healthy nodes in sync, in place of the pool's own rule. There is at least one.
 *
 * @since 0.1.0
 * @category models
 */
export type IndexPolicy = (candidates: ReadonlyArray<number>) => number | undefined

const chooseNode = (
  pool: Pool,
  type: NodeType,
  tried: ReadonlySet<number>,
  policy: IndexPolicy | undefined
): number | undefined => {
  const eligible = (i: number): boolean => isOfType(pool, type, i) && !tried.has(i)
  if (policy !== undefined) {
    const candidates = findInSync(pool.nodes, pool.allowedBlocksBehind, eligible)
    return candidates.length === 0 ? undefined : policy(candidates)
  }
  const { [type]: active = Number.NaN } = pool.active
  if (pool.nodes[active]?.failed === false && !tried.has(active)) return active
  return findFastest(pool.nodes, pool.allowedBlocksBehind, eligible)
}

const setNode = (pool: Pool, index: number, change: Partial<NodeHealth>): Pool => ({
  ...pool,
  nodes: pool.nodes.map((node, i) => (i === index ? { ...node, ...change } : node))
})

const activeNode = ({ active, nodes }: Pool, type: NodeType): Node | undefined =>
  nodes[active[type] ?? Number.NaN]

const activate = (pool: Pool, type: NodeType, index: number): Pool =>
  pool.active[type] === index ? pool : { ...pool, active: { ...pool.active, [type]: index } }

/** Records that a node is healthy again: ends the trials of its type, and makes the node active if it `leads`. */
const markRecovered = (pool: Pool, index: number, type: NodeType, leads: boolean): Pool => ({
  ...(leads ? activate(pool, type, index) : pool),
  trial: { ...pool.trial, [type]: undefined },
  hasFailedRound: false
})

/**
 * The choice of a node for a call.
 *
 * - `node`: the node with this index. `isTrial`: all nodes of the type have failed, and this call may try one.
 * - `exhausted`: the call has tried a node, and no other that it may use is healthy and without a cooldown.
 * - `none`: the call has tried no node, and may use none now. `isTemporary`: it may after a back-off or a cooldown.
 *   Otherwise the pool has no node of a type that the call may use.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeChoice =
  | { readonly _tag: "node"; readonly index: number; readonly type: NodeType; readonly isTrial: boolean }
  | { readonly _tag: "exhausted"; readonly type: NodeType }
  | { readonly _tag: "none"; readonly isTemporary: boolean }

/**
 * What a call needs of its node: the type (with `strict` no other), none that it has `tried`, and none that is `coolingDown`.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeRequirements {
  readonly nodeType: NodeType
  readonly tried: ReadonlySet<number>
  readonly strict?: boolean
  readonly coolingDown?: ReadonlySet<number>
}

const none: ReadonlySet<number> = new Set()

const otherType = (type: NodeType): NodeType => (type === "NORMAL" ? "ARCHIVE" : "NORMAL")

/**
 * The back-off in milliseconds after `count` failed trial calls, or after `count` shadow reads of a failed node: 1 s, doubling, at most 30 s.
 *
 * @since 0.1.0
 * @category operations
 */
export const backOffMs = (count: number): number => Math.min(30_000, 1_000 * 2 ** Math.min(count, 5))

/** Chooses the node of a trial call: each trial takes the next node, starting with the active one. */
const chooseTrial = (
  pool: Pool,
  type: NodeType,
  now: number,
  cooling: ReadonlySet<number>
): readonly [NodeChoice, Pool] | undefined => {
  const trial = pool.trial[type]
  if (trial !== undefined && now < trial.at) return undefined
  const candidates = indicesOf(pool.nodes, type).filter((index) => !cooling.has(index))
  const count = trial === undefined ? 0 : trial.count + 1
  // a type that has nodes has an active one
  const { [type]: active = Number.NaN } = pool.active
  const index = candidates[Math.max(0, candidates.indexOf(active) + count) % candidates.length]
  if (index === undefined) return undefined
  return [
    { _tag: "node", index, type, isTrial: true },
    { ...pool, trial: { ...pool.trial, [type]: { at: now + backOffMs(count), count } } }
  ]
}

/**
 * The node types that a call may use now, in order. After a node of the other type was tried, the call does not return to its own type.
 *
 * @since 0.1.0
 * @category getters
 */
export const eligibleTypes = (
  pool: Pool,
  { strict = false, tried, nodeType }: NodeRequirements
): ReadonlyArray<NodeType> => {
  if (strict) return [nodeType]
  for (const index of tried) if (isOfType(pool, otherType(nodeType), index)) return [otherType(nodeType)]
  return [nodeType, otherType(nodeType)]
}

/**
 * Chooses the node for a call or for its next attempt. A call gets a node of its own type, or of the other type if its own has none; with
 * `strict` only of its own.
 *
 * By default a call gets the active node of a type. When that node has failed, is in cooldown or was tried by this call, the fastest other node
 * in sync is chosen, and becomes the active node for later calls too, unless the caller drops the returned pool. `policy` replaces that rule.
 *
 * @since 0.1.0
 * @category operations
 */
export const select = (
  pool: Pool,
  call: NodeRequirements,
  now: number,
  policy?: IndexPolicy
): readonly [NodeChoice, Pool] => {
  const { coolingDown = none, tried, nodeType } = call
  const types = eligibleTypes(pool, call)
  const excluded = coolingDown.size === 0 ? tried : new Set([...tried, ...coolingDown])
  for (const type of types) {
    const index = chooseNode(pool, type, excluded, policy)
    if (index !== undefined)
      return [{ _tag: "node", index, type, isTrial: false }, activate(pool, type, index)]
  }
  if (tried.size > 0) return [{ _tag: "exhausted", type: nodeType }, pool]
  for (const type of types) {
    const trial = chooseTrial(pool, type, now, coolingDown)
    if (trial !== undefined) return trial
  }
  const isTemporary = pool.nodes.some(({ type }) => types.includes(type))
  const isFailed = pool.nodes.some(
    ({ failed, type }, i) => failed && types.includes(type) && !coolingDown.has(i)
  )
  if (pool.evict || !isFailed) return [{ _tag: "none", isTemporary }, pool]
  // without eviction there is no back-off: a check has marked the nodes as failed, and the call resets that
  return select(types.reduce(resetFailed, pool), call, now, policy)
}

/**
 * Chooses like {@link select} among the healthy nodes that `may` accepts. The pool does not change, since the choice does not hold for other
 * calls.
 *
 * @since 0.1.0
 * @category getters
 */
export const selectAmong = (
  pool: Pool,
  call: NodeRequirements,
  may: (index: number) => boolean,
  policy?: IndexPolicy
): number | undefined => {
  const { tried, nodeType } = call
  const isHealthy = (type: NodeType): boolean =>
    pool.nodes.some((node, i) => node.type === type && !node.failed && !tried.has(i))
  const [first = nodeType, second = first] = eligibleTypes(pool, call)
  const type = isHealthy(first) ? first : second
  const others = new Set([...tried, ...pool.nodes.keys()].filter((i) => tried.has(i) || !may(i)))
  return chooseNode(pool, type, others, policy)
}

/**
 * Marks a node as failed. If it was active, the fastest healthy node of its type becomes active.
 *
 * @since 0.1.0
 * @category operations
 */
export const markFailed = (pool: Pool, index: number): Pool => {
  const type = pool.nodes[index]?.type
  if (type === undefined) return pool
  const marked = setNode(pool, index, { failed: true })
  const next = findFastest(marked.nodes, marked.allowedBlocksBehind, (i) => isOfType(marked, type, i))
  // if no node is healthy, the failed one stays active: the next trial asks it
  return pool.active[type] !== index || next === undefined ? marked : activate(marked, type, next)
}

/**
 * Marks a node as healthy after a successful call.
 *
 * @since 0.1.0
 * @category operations
 */
export const markHealthy = (pool: Pool, index: number): Pool => {
  const node = pool.nodes[index]
  if (node === undefined || (!node.failed && pool.trial[node.type] === undefined)) return pool
  return markRecovered(setNode(pool, index, { failed: false }), index, node.type, node.failed)
}

/**
 * Marks a failed node as healthy after a successful probe. A healthy active node stays active.
 *
 * @since 0.1.0
 * @category operations
 */
export const readmit = (pool: Pool, index: number, found: Exclude<CheckOutcome, "failed">): Pool => {
  const type = pool.nodes[index]?.type
  if (type === undefined) return pool
  // the other heights are older than this one: without a cap those nodes would look as if they had fallen behind
  const others = pool.nodes.filter((node, i) => i !== index && node.type === type && !node.failed)
  const lastBlock =
    others.length === 0 ? found.height : Math.min(found.height, Math.max(...others.map(heightOf)))
  const next = setNode(pool, index, { failed: false, lastBlock, lastResponseTime: found.time })
  return markRecovered(next, index, type, activeNode(next, type)?.failed !== false)
}

/**
 * Records a healthy node in the first round of checks, before the round has ended. It becomes active, unless the active node of its type was
 * checked before it and is in sync.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordFirstCheck = (
  pool: Pool,
  index: number,
  outcome: Exclude<CheckOutcome, "failed">
): Pool => {
  const type = pool.nodes[index]?.type
  if (type === undefined) return pool
  const next = setNode(pool, index, {
    failed: false,
    lastBlock: outcome.height,
    lastResponseTime: outcome.time
  })
  const { [type]: active = Number.NaN } = next.active
  const keeps = (next.nodes[active]?.lastResponseTime ?? 0) > 0 && isInSync(next, active)
  return markRecovered(next, index, type, !keeps && isInSync(next, index))
}

/**
 * Handles a call that all nodes of the type have failed. Without eviction they are marked as healthy again; with it they stay failed, and
 * get one trial call per back-off.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetFailed = (pool: Pool, type: NodeType): Pool =>
  pool.evict
    ? pool
    : { ...pool, nodes: pool.nodes.map((node) => (node.type === type ? { ...node, failed: false } : node)) }

/**
 * Records a round of checks, with one outcome per node in the order of `nodes`; undefined changes nothing. The fastest healthy node of each
 * type becomes active. A type without a healthy node keeps its active one for trials. If no node is healthy, `hasFailedRound` is set.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordChecks = (pool: Pool, outcomes: ReadonlyArray<CheckOutcome | undefined>): Pool => {
  const nodes = pool.nodes.map((node, i): Node => {
    const outcome = outcomes[i]
    if (outcome === undefined) return node
    return outcome === "failed"
      ? { ...node, failed: true }
      : { ...node, failed: false, lastBlock: outcome.height, lastResponseTime: outcome.time }
  })
  const next = { ...pool, nodes }
  const active = { ...pool.active }
  const trial = { ...pool.trial }
  for (const type of types) {
    const index = findFastest(nodes, pool.allowedBlocksBehind, (i) => isOfType(next, type, i))
    if (index !== undefined) {
      active[type] = index
      trial[type] = undefined
    }
  }
  return { ...next, active, trial, hasFailedRound: nodes.every((node) => node.failed) }
}
