/**
 * The pool of nodes as a pure state machine: what is known of every node, which one is active, and what a check, a
 * failure or a success changes. No clock, no I/O.
 *
 * Invariants, whatever happens in whatever order (`test/balancer/pool.model.test.ts`):
 *
 * 1. No transition adds, loses or reorders nodes, and none changes the health of a node that it is not about.
 * 2. The active node of a type is of that type; there is none only where the type has no nodes.
 * 3. The active node is healthy as long as any node of its type is.
 * 4. A failed node is chosen only as a trial, and that only while no node of either type is healthy that the call may have.
 * 5. A call gets no node twice. It goes to nodes of its own type first and then to those of the other, from which it does not
 *    come back; it ends only when no healthy one is left, and with `strict` never leaves its type.
 * 6. No node is lost: while all have failed, one call is let through per back-off, which starts at 1 s, doubles and ends at
 *    30 s. With eviction each of these trials asks the next node, so that n of them ask all n.
 * 7. A call is held back only while every node that it may have cools, or, with eviction, has failed and rests.
 * 8. Without a healthy active node, and with a preference at any time, the choice is within `allowedBlocksBehind` of the
 *    highest healthy node that the call may have. A check makes such a node active.
 * 9. A node that a probe has found well again displaces only an active node that has failed, and puts no other out of
 *    step.
 * 10. `noActiveNode` is set by a check that has found nobody, and by nothing else; any sign of life takes it back.
 * 11. A choice among some nodes is one of these and healthy: the active one, or one in step with the highest of them. It moves
 *     no active node.
 *
 * What the balancer makes of it (`test/balancer/balancer.model.test.ts`): every call ends by its deadline (and the
 * millisecond that a request is given at least); a call that is not idempotent is never sent again once it may have had
 * its effect; no answer of a node with another chain, or to another request, reaches a caller; a read succeeds while a
 * node of its type is well all the time that it has; requests that nobody asked for stay within their budgets; nothing is
 * left when the scope has closed. A read with `minBlock` is never answered by a node that is behind it, and with monotonic
 * consistency no read goes back behind one that had ended when it began: as long as nodes that fall back stay behind for
 * longer than a call takes, since a node tells its height before and after its answer, and not with it.
 *
 * @since 0.1.0
 */
import type { ResolvedNode } from "../config/Config.js"

/**
 * NORMAL nodes serve the recent state, ARCHIVE nodes the whole history.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeType = "NORMAL" | "ARCHIVE"

/**
 * The state of a node. `lastBlock` is the height at the last check (0 before the first), `lastResponseTime` how long that check
 * took in milliseconds.
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
 * When the nodes of a type have all failed, one trial call at a time is let through: `at` says from when, `count` how
 * many have failed in a row.
 *
 * @since 0.1.0
 * @category models
 */
export interface Trial {
  readonly at: number
  readonly count: number
}

/**
 * The state of a pool. `active` holds indices into `nodes`, and nothing for a type of which there are no nodes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pool {
  readonly nodes: ReadonlyArray<Node>
  readonly active: Readonly<Record<NodeType, number | undefined>>
  readonly trial: Readonly<Record<NodeType, Trial | undefined>>
  readonly noActiveNode: boolean
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
 * A pool of nodes never checked. `random` (0 to 1) chooses the first active node of each type.
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
    trial: { NORMAL: undefined, ARCHIVE: undefined },
    noActiveNode: false,
    allowedBlocksBehind: options.allowedBlocksBehind,
    evict: options.evict
  }
}

/** The part of a node's state that a choice depends on. */
type NodeHealth = Pick<Node, "lastBlock" | "lastResponseTime" | "failed">

/** A value that is no height counts as the lowest one: it must neither win nor keep others from winning. */
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
 * The index of the fastest node that is in step: among the nodes that have not failed, those within
 * `allowedBlocksBehind` of the highest are in step, and the one with the lowest response time wins, the first of equals.
 * `eligible` narrows the choice.
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
 * Whether a node is healthy and within the allowance of the highest of its type.
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
 * Chooses among nodes that are healthy and in step, of which there is at least one, in place of the pool's own rule.
 *
 * @since 0.1.0
 * @category models
 */
export type Preference = (candidates: ReadonlyArray<number>) => number | undefined

const chooseNode = (
  pool: Pool,
  type: NodeType,
  tried: ReadonlySet<number>,
  pick: Preference | undefined
): number | undefined => {
  const eligible = (i: number): boolean => isOfType(pool, type, i) && !tried.has(i)
  if (pick !== undefined) {
    const candidates = findInSync(pool.nodes, pool.allowedBlocksBehind, eligible)
    return candidates.length === 0 ? undefined : pick(candidates)
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

/** A node is well again. Of its type nobody is asked on trial any more; it becomes active if it `leads`. */
const markRecovered = (pool: Pool, index: number, type: NodeType, leads: boolean): Pool => ({
  ...(leads ? activate(pool, type, index) : pool),
  trial: { ...pool.trial, [type]: undefined },
  noActiveNode: false
})

/**
 * Which node a call goes to, and the pool after that choice.
 *
 * - `node`: this one; `trial` when all nodes of the type have failed and this call may try one of them.
 * - `exhausted`: the call has tried every node that it may.
 * - `none`: there is no node to call, of this type or the other.
 *
 * @since 0.1.0
 * @category models
 */
export type Choice =
  | { readonly _tag: "node"; readonly index: number; readonly type: NodeType; readonly trial: boolean }
  | { readonly _tag: "exhausted"; readonly type: NodeType }
  | { readonly _tag: "none"; readonly resting: boolean }

/**
 * The nodes that a call is for: their type, those that it has tried already, and whether it may go to no other type. Nodes that are
 * `cooling` have asked for a pause, and are not chosen.
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
 * The back-off between trial calls into a failed pool, and between copies of calls to a failed node, after so many in vain: 1 s,
 * doubling, at most 30 s; in milliseconds.
 *
 * @since 0.1.0
 * @category operations
 */
export const backOffMs = (count: number): number => Math.min(30_000, 1_000 * 2 ** Math.min(count, 5))

/** Each trial in a row asks the next node, beginning with the active one: the pool comes back with whichever does. */
const chooseTrial = (
  pool: Pool,
  type: NodeType,
  now: number,
  cooling: ReadonlySet<number>
): readonly [Choice, Pool] | undefined => {
  const trial = pool.trial[type]
  if (trial !== undefined && now < trial.at) return undefined
  const candidates = indicesOf(pool.nodes, type).filter((index) => !cooling.has(index))
  const count = trial === undefined ? 0 : trial.count + 1
  // a type that has nodes has an active one
  const { [type]: active = Number.NaN } = pool.active
  const index = candidates[Math.max(0, candidates.indexOf(active) + count) % candidates.length]
  if (index === undefined) return undefined
  return [
    { _tag: "node", index, type, trial: true },
    { ...pool, trial: { ...pool.trial, [type]: { at: now + backOffMs(count), count } } }
  ]
}

/**
 * The types whose nodes a call may have now: its own and then the other one, or that alone once it has come there.
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
 * Chooses the node for a call, or for its next attempt. A call goes to the nodes of its own type, and to those of the other when
 * its own has none to offer; with `strict` it does not. `pick` chooses in place of the rule that the fastest node in step stays active until it fails.
 *
 * @since 0.1.0
 * @category operations
 */
export const select = (
  pool: Pool,
  call: NodeRequirements,
  now: number,
  pick?: Preference
): readonly [Choice, Pool] => {
  const { coolingDown = none, tried, nodeType } = call
  const types = eligibleTypes(pool, call)
  const out = coolingDown.size === 0 ? tried : new Set([...tried, ...coolingDown])
  for (const type of types) {
    const index = chooseNode(pool, type, out, pick)
    if (index !== undefined) return [{ _tag: "node", index, type, trial: false }, activate(pool, type, index)]
  }
  if (tried.size > 0) return [{ _tag: "exhausted", type: nodeType }, pool]
  for (const type of types) {
    const trial = chooseTrial(pool, type, now, coolingDown)
    if (trial !== undefined) return trial
  }
  const resting = pool.nodes.some(({ type }) => types.includes(type))
  const isFailed = pool.nodes.some(
    ({ failed, type }, i) => failed && types.includes(type) && !coolingDown.has(i)
  )
  if (pool.evict || !isFailed) return [{ _tag: "none", resting }, pool]
  // without eviction nobody waits for a back-off: a check took the nodes out, and the call puts them back
  return select(types.reduce(resetFailed, pool), call, now, pick)
}

/**
 * Chooses like {@link select}, but only among healthy nodes that `may` lets in, by knowledge that the pool does not
 * have. A choice for the few changes nothing for the others, so the pool stays as it is.
 *
 * @since 0.1.0
 * @category getters
 */
export const selectAmong = (
  pool: Pool,
  call: NodeRequirements,
  may: (index: number) => boolean,
  pick?: Preference
): number | undefined => {
  const { tried, nodeType } = call
  const isHealthy = (type: NodeType): boolean =>
    pool.nodes.some((node, i) => node.type === type && !node.failed && !tried.has(i))
  const [first = nodeType, second = first] = eligibleTypes(pool, call)
  const type = isHealthy(first) ? first : second
  const others = new Set([...tried, ...pool.nodes.keys()].filter((i) => tried.has(i) || !may(i)))
  return chooseNode(pool, type, others, pick)
}

/**
 * A call has failed on this node: it is marked, and the fastest healthy node of its type becomes active.
 *
 * @since 0.1.0
 * @category operations
 */
export const markFailed = (pool: Pool, index: number): Pool => {
  const type = pool.nodes[index]?.type
  if (type === undefined) return pool
  const marked = setNode(pool, index, { failed: true })
  const next = findFastest(marked.nodes, marked.allowedBlocksBehind, (i) => isOfType(marked, type, i))
  // the last node stays active though failed: it is the one that the next trial asks
  return pool.active[type] !== index || next === undefined ? marked : activate(marked, type, next)
}

/**
 * A call has succeeded on this node: if it was out, it is back.
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
 * A probe has found a failed node well again. It serves calls again when it is chosen: the active node stays active.
 *
 * @since 0.1.0
 * @category operations
 */
export const readmit = (pool: Pool, index: number, found: Exclude<CheckOutcome, "failed">): Pool => {
  const type = pool.nodes[index]?.type
  if (type === undefined) return pool
  // the heights of the others are older than this one, and must not look as if they had fallen behind
  const others = pool.nodes.filter((node, i) => i !== index && node.type === type && !node.failed)
  const lastBlock =
    others.length === 0 ? found.height : Math.min(found.height, Math.max(...others.map(heightOf)))
  const next = setNode(pool, index, { failed: false, lastBlock, lastResponseTime: found.time })
  return markRecovered(next, index, type, activeNode(next, type)?.failed !== false)
}

/**
 * The first round of checks has found a node well, and others are still waited for. It becomes active, unless the active
 * one of its type was found before it and is in step.
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
 * All nodes of the type have failed one call. Without eviction their flags are reset at once; with it they stay out, but
 * for one trial call per back-off.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetFailed = (pool: Pool, type: NodeType): Pool =>
  pool.evict
    ? pool
    : { ...pool, nodes: pool.nodes.map((node) => (node.type === type ? { ...node, failed: false } : node)) }

/**
 * The outcome of a round of checks, one per node in the order of `nodes`; undefined where it says nothing any more. The fastest
 * healthy node of each type becomes active; a type that has no healthy node left keeps its last one for trials. If no node of either type is healthy,
 * `noActiveNode` is set.
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
  return { ...next, active, trial, noActiveNode: nodes.every((node) => node.failed) }
}
