/**
 * Hints from other clients about the health of nodes. A hint never decides: the pool prefers other nodes for a while and probes the node, and
 * the probe decides. A hint neither evicts nor readmits a node, and without another node it changes nothing.
 *
 * Hints come from a board, on which each pool also publishes what it finds. The board of a fleet is in `@effect-chains/fleet/health`.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import type { HintedNode, HintedPool, SharedHealth } from "../config/Config.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { InvalidConfig } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import { findFastest } from "./Nodes.js"
import type { IndexPolicy, NodeType } from "./Pool.js"

/**
 * What a client has found of a node:
 *
 * - `Failed`: a call or a check has failed.
 * - `Cooled`: the node has asked for a pause of `ms` milliseconds.
 * - `Found`: a check took `ms` milliseconds and found the node at this height.
 *
 * `url` comes without its secrets. Nodes with the same such url count as one.
 *
 * @since 0.1.0
 * @category models
 */
export type Hint = { readonly url: string; readonly type: NodeType } & (
  | { readonly _tag: "Failed" }
  | { readonly _tag: "Cooled"; readonly ms: number }
  | { readonly _tag: "Found"; readonly height: number; readonly ms: number }
)

/**
 * A pool that has joined a board. `chain` is the id of its chain, if the network has one. `nodes` yields its nodes, `findings` the results of
 * its own last checks. `onHints` gets what others find.
 *
 * @since 0.1.0
 * @category models
 */
export interface Member {
  readonly network: string
  readonly chain: number | undefined
  readonly nodes: () => ReadonlyArray<Pick<Hint, "url" | "type">>
  readonly findings: () => ReadonlyArray<Hint>
  readonly onHints: (hints: ReadonlyArray<Hint>) => void
}

/**
 * The membership of a pool in a board: `initialHints` is what others had found before, `publish` sends what the pool finds, `leave` ends it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Membership {
  readonly initialHints: ReadonlyArray<Hint>
  readonly publish: (hints: ReadonlyArray<Hint>) => void
  readonly leave: () => void
}

/**
 * A board on which pools share what they find. Its functions must neither block nor throw.
 *
 * @since 0.1.0
 * @category models
 */
export interface Board {
  readonly join: (member: Member) => Membership
}

/** How long other nodes are preferred while a suspect node is probed, in milliseconds. */
const SUSPECT_MS = 2_000

/** How long further failure hints about the same node are ignored, in milliseconds. */
const HINT_COOLDOWN_MS = 5_000

/** The longest cooldown that a hint may bring, in milliseconds. */
const MAX_PAUSE_MS = 10_000

/** How long a node is avoided that another client found far behind, in milliseconds. A check in this client ends it earlier. */
const MAX_BEHIND_MS = 60_000

/** The node is avoided until `until`. It ends earlier when a check here finds a height other than `height`. */
interface Avoidance {
  readonly until: number
  readonly height: number
}

/** The state of hints for one pool. */
interface HintState<N extends HintedNode> {
  readonly pool: HintedPool<N>
  readonly clock: Clock.Clock
  readonly avoided: Map<N, Avoidance>
  readonly hintsIgnoredUntil: Map<N, number>
  /** What others had found before the first check here. */
  readonly initialHints: ReadonlyMap<string, Hint>
}

const hintKey = ({ type, url }: Pick<Hint, "url" | "type">): string => `${type} ${url}`

/** The nodes of a pool with their names on boards. */
const listNodes = <N extends HintedNode>({ nodes }: HintedPool<N>) =>
  nodes.all.flatMap((node) => {
    const state = nodes.pool.nodes[node.index]
    return state === undefined ? [] : [{ node, state, url: node.printableUrl, type: state.type }]
  })

/** The best node by the hints of others, until a check here has found one. */
const findBestByHints = <N extends HintedNode>(
  { pool, initialHints }: HintState<N>,
  candidates: ReadonlyArray<number>
): number | undefined => {
  const { nodes } = pool
  if (initialHints.size === 0 || nodes.pool.nodes.some(({ lastBlock }) => lastBlock > 0)) return undefined
  const known = listNodes(pool).map((each) => {
    const hint = initialHints.get(hintKey(each))
    return hint?._tag === "Found"
      ? { failed: false, lastBlock: hint.height, lastResponseTime: hint.ms }
      : { failed: true, lastBlock: 0, lastResponseTime: 0 }
  })
  return findFastest(known, nodes.pool.allowedBlocksBehind, (index) => candidates.includes(index))
}

/** Makes the pool's policy over the nodes without a hint against them, or over all if each has one. */
const makeHintPolicy = <N extends HintedNode>(
  state: HintState<N>,
  policy: IndexPolicy | undefined
): IndexPolicy => {
  const { avoided, clock, pool } = state
  const isNotAvoided = (index: number): boolean => {
    const { all, pool: states } = pool.nodes
    const node = all[index]
    const found = node && avoided.get(node)
    return (
      found === undefined ||
      found.until <= monotonic(clock) ||
      found.height !== states.nodes[index]?.lastBlock
    )
  }
  return (candidates) => {
    const preferred = candidates.filter(isNotAvoided)
    const eligible = preferred.length === 0 ? candidates : preferred
    const bestByHints = findBestByHints(state, eligible)
    if (bestByHints !== undefined || policy !== undefined) return bestByHints ?? policy?.(eligible)
    const { active, allowedBlocksBehind, nodes } = pool.nodes.pool
    const current = Object.values(active).find((index) => index !== undefined && eligible.includes(index))
    return current ?? findFastest(nodes, allowedBlocksBehind, (index) => eligible.includes(index))
  }
}

/** Applies hints. Yields the nodes to probe. */
const applyHints = <N extends HintedNode>(
  { avoided, clock, hintsIgnoredUntil, pool }: HintState<N>,
  hints: ReadonlyArray<Hint>
): ReadonlyArray<N> => {
  const now = monotonic(clock)
  const heights = hints.flatMap((hint) => (hint._tag === "Found" ? [{ ...hint }] : []))
  const suspects: Array<N> = []
  for (const hint of hints) {
    for (const { node, state } of listNodes(pool).filter((each) => hintKey(each) === hintKey(hint))) {
      const avoidFor = (ms: number): void =>
        void avoided.set(node, { until: now + ms, height: state.lastBlock })
      if (hint._tag === "Cooled") avoidFor(Math.min(hint.ms, MAX_PAUSE_MS))
      else if (hint._tag === "Failed") {
        if (state.failed || now < (hintsIgnoredUntil.get(node) ?? 0)) continue
        hintsIgnoredUntil.set(node, now + HINT_COOLDOWN_MS)
        avoidFor(SUSPECT_MS)
        suspects.push(node)
      } else {
        const highest = Math.max(
          ...heights.filter(({ type }) => type === hint.type).map(({ height }) => height)
        )
        if (hint.height < highest - pool.nodes.pool.allowedBlocksBehind) avoidFor(MAX_BEHIND_MS)
      }
    }
  }
  return suspects
}

/** Publishes failures and cooldowns of a pool. For a node in cooldown only that is published, so that nobody probes it. */
const publishFindings = <N extends HintedNode>(pool: HintedPool<N>, publish: Membership["publish"]) => {
  let pending = new Map<string, Hint>()
  const flush = (): void => {
    const hints = [...pending.values()]
    pending = new Map()
    publish(hints)
  }
  return pool.observer.listen(({ _tag, ms, url }) => {
    if (_tag !== "Failed" && _tag !== "Cooled") return
    for (const each of listNodes(pool)) {
      if (each.url !== url || (_tag === "Failed" && !each.state.failed)) continue
      if (pending.size === 0) queueMicrotask(flush)
      const { type } = each
      const key = hintKey(each)
      if (_tag === "Cooled") pending.set(key, { _tag, url, type, ms: ms ?? 0 })
      else if (pending.get(key)?._tag !== "Cooled") pending.set(key, { _tag, url, type })
    }
  })
}

const joinBoard = <N extends HintedNode>(
  board: Board,
  pool: HintedPool<N>,
  runtime: Runtime.Runtime<never>,
  clock: Clock.Clock
): Effect.Effect<void> => {
  const { config, healthChecks, nodes, scope } = pool
  const initialHints = new Map<string, Hint>()
  const state: HintState<N> = { pool, clock, avoided: new Map(), hintsIgnoredUntil: new Map(), initialHints }
  const {
    initialHints: known,
    leave,
    publish
  } = board.join({
    network: config.network,
    chain: config.info.chainId,
    nodes: () => listNodes(pool),
    findings: () =>
      listNodes(pool).flatMap(({ node, state: { failed, lastBlock, lastResponseTime }, type, url }) =>
        failed || monotonic(clock) < node.cooldownUntil || lastBlock === 0
          ? []
          : [{ _tag: "Found", url, type, height: lastBlock, ms: lastResponseTime }]
      ),
    onHints: (hints) => {
      for (const node of applyHints(state, hints)) Runtime.runFork(runtime, pool.probeSuspect(node))
    }
  })
  for (const hint of known) initialHints.set(hintKey(hint), hint)
  nodes.policy = makeHintPolicy(state, nodes.policy)
  const stopListening = publishFindings(pool, publish)
  const leaveBoard = Effect.sync(() => {
    stopListening()
    leave()
  })
  const hasHeightHints = known.some(({ _tag }) => _tag === "Found")
  return Effect.zipRight(
    Effect.provideService(
      Effect.addFinalizer(() => leaveBoard),
      Scope.Scope,
      scope
    ),
    hasHeightHints ? healthChecks.endFirstRound : Effect.void
  )
}

/**
 * Makes the option `health` of clients, which share the health of their nodes over a board.
 *
 * ```ts
 * const sdk = yield* Sdk.make({ network: "ethereum-mainnet", health: health(board) })
 * ```
 *
 * If a node fails for another client, this one probes it at once, and prefers other nodes meanwhile. A new client sends its first call to the
 * best node by the hints of others; the answer counts after that node's own check. Throws `InvalidConfig` if `board` has no `join`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const health = (board: OnThisEffect<Board>): SharedHealth => {
  if (typeof board?.join !== "function")
    throw new InvalidConfig({
      issues: [{ path: "health", message: "must be made of a board: an object with the function join" }]
    })
  return (pool) =>
    Effect.flatMap(Effect.runtime<never>(), (runtime) =>
      Effect.clockWith((clock) => joinBoard(board, pool, runtime, clock))
    )
}
