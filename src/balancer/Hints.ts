/**
 * What others have found of the nodes of a pool, as hints. A hint is never believed: it makes the pool prefer other nodes, and have
 * the node probed, whose answer alone decides. It marks no node well, puts none out, and where there is no other node it changes nothing.
 *
 * Hints come from a board, to which a pool tells what it has found itself. That of a fleet is in `@effect-chains/fleet/health`.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import type { HintedNode, HintedPool, SharedHealth } from "../config/Config.js"
import { InvalidConfig } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import { findFastest } from "./Nodes.js"
import type { NodeType, Preference } from "./Pool.js"

/**
 * What somebody has found of a node: a call or a check has failed there, it wants to be left alone for so many milliseconds (its quota
 * is empty), or a check has found it at this height, after so many milliseconds. `url` is as it may be printed; nodes that are
 * printed the same are one here.
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
 * A pool that takes part in a board. `chain` is the id of its chain, where the network has one. `nodes` are those that it has now,
 * `found` is what its own checks have found last, and `hinted` takes what others have found since it has joined.
 *
 * @since 0.1.0
 * @category models
 */
export interface Member {
  readonly network: string
  readonly chain: number | undefined
  readonly nodes: () => ReadonlyArray<Pick<Hint, "url" | "type">>
  readonly found: () => ReadonlyArray<Hint>
  readonly hinted: (hints: ReadonlyArray<Hint>) => void
}

/**
 * The part of a pool in a board: `known` is what others had found before, `tell` tells them what the pool has found, `leave` ends it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Membership {
  readonly known: ReadonlyArray<Hint>
  readonly tell: (hints: ReadonlyArray<Hint>) => void
  readonly leave: () => void
}

/**
 * Where pools tell each other what they have found. It has no part in a call: none of its functions may wait or throw.
 *
 * @since 0.1.0
 * @category models
 */
export interface Board {
  readonly join: (member: Member) => Membership
}

/** Others are preferred for so long while the probe of a node decides, in milliseconds. */
const DOUBT = 2_000

/** After a hint that was not borne out, further ones of that node are not heard for so long, in milliseconds. */
const DEAF = 5_000

/** Nobody is believed that a node wants to be left alone for longer, in milliseconds. */
const LONGEST_PAUSE = 10_000

/** A node that others have found far behind is not preferred until it is checked here, and no longer than this, in milliseconds. */
const BEHIND = 60_000

/** Others are preferred to a node `until` then, unless it has been checked since, and was at another height than `height`. */
interface Aside {
  readonly until: number
  readonly height: number
}

/** What hints have made of a pool. */
interface State<N extends HintedNode> {
  readonly pool: HintedPool<N>
  readonly clock: Clock.Clock
  readonly aside: Map<N, Aside>
  readonly deaf: Map<N, number>
  /** What others had found before anything was checked here. */
  readonly warm: ReadonlyMap<string, Hint>
}

const keyOf = ({ type, url }: Pick<Hint, "url" | "type">): string => `${type} ${url}`

/** The nodes of a pool as boards name them. */
const named = <N extends HintedNode>({ nodes }: HintedPool<N>) =>
  nodes.all.flatMap((node) => {
    const state = nodes.pool.nodes[node.index]
    return state === undefined ? [] : [{ node, state, url: node.shown, type: state.type }]
  })

/** The node that was the best by what others had found, as long as no check here has found any. */
const warmest = <N extends HintedNode>(
  { pool, warm }: State<N>,
  candidates: ReadonlyArray<number>
): number | undefined => {
  const { nodes } = pool
  if (warm.size === 0 || nodes.pool.nodes.some(({ lastBlock }) => lastBlock > 0)) return undefined
  const known = named(pool).map((each) => {
    const hint = warm.get(keyOf(each))
    return hint?._tag === "Found"
      ? { failed: false, lastBlock: hint.height, lastResponseTime: hint.ms }
      : { failed: true, lastBlock: 0, lastResponseTime: 0 }
  })
  return findFastest(known, nodes.pool.allowedBlocksBehind, (index) => candidates.includes(index))
}

/** The policy of the pool, among those that no hint speaks against, or among all where there are none. */
const preferring = <N extends HintedNode>(state: State<N>, policy: Preference | undefined): Preference => {
  const { aside, clock, pool } = state
  const isCalm = (index: number): boolean => {
    const { all, pool: states } = pool.nodes
    const node = all[index]
    const found = node && aside.get(node)
    return (
      found === undefined ||
      found.until <= monotonic(clock) ||
      found.height !== states.nodes[index]?.lastBlock
    )
  }
  return (candidates) => {
    const calm = candidates.filter(isCalm)
    const among = calm.length === 0 ? candidates : calm
    const warm = warmest(state, among)
    if (warm !== undefined || policy !== undefined) return warm ?? policy?.(among)
    const { active, allowedBlocksBehind, nodes } = pool.nodes.pool
    const current = Object.values(active).find((index) => index !== undefined && among.includes(index))
    return current ?? findFastest(nodes, allowedBlocksBehind, (index) => among.includes(index))
  }
}

/** Takes hints; yields the nodes that are to be probed. */
const take = <N extends HintedNode>(
  { aside, clock, deaf, pool }: State<N>,
  hints: ReadonlyArray<Hint>
): ReadonlyArray<N> => {
  const now = monotonic(clock)
  const heights = hints.flatMap((hint) => (hint._tag === "Found" ? [{ ...hint }] : []))
  const doubted: Array<N> = []
  for (const hint of hints) {
    for (const { node, state } of named(pool).filter((each) => keyOf(each) === keyOf(hint))) {
      const set = (ms: number): void => void aside.set(node, { until: now + ms, height: state.lastBlock })
      if (hint._tag === "Cooled") set(Math.min(hint.ms, LONGEST_PAUSE))
      else if (hint._tag === "Failed") {
        if (state.failed || now < (deaf.get(node) ?? 0)) continue
        deaf.set(node, now + DEAF)
        set(DOUBT)
        doubted.push(node)
      } else {
        const highest = Math.max(
          ...heights.filter(({ type }) => type === hint.type).map(({ height }) => height)
        )
        if (hint.height < highest - pool.nodes.pool.allowedBlocksBehind) set(BEHIND)
      }
    }
  }
  return doubted
}

/** Tells what happens in a pool. Of a node that wants to be left alone, that is said in place of its failing: nobody is to probe it. */
const telling = <N extends HintedNode>(pool: HintedPool<N>, tell: Membership["tell"]) => {
  let pending = new Map<string, Hint>()
  const flush = (): void => {
    const hints = [...pending.values()]
    pending = new Map()
    tell(hints)
  }
  return pool.observer.listen(({ _tag, ms, url }) => {
    if (_tag !== "Failed" && _tag !== "Cooled") return
    for (const each of named(pool)) {
      if (each.url !== url || (_tag === "Failed" && !each.state.failed)) continue
      if (pending.size === 0) queueMicrotask(flush)
      const { type } = each
      pending.set(
        keyOf(each),
        _tag === "Failed" || !ms ? { _tag: "Failed", url, type } : { _tag, url, type, ms }
      )
    }
  })
}

const joined = <N extends HintedNode>(
  board: Board,
  pool: HintedPool<N>,
  runtime: Runtime.Runtime<never>,
  clock: Clock.Clock
): Effect.Effect<void> => {
  const { config, healthChecks, nodes, scope } = pool
  const warm = new Map<string, Hint>()
  const state: State<N> = { pool, clock, aside: new Map(), deaf: new Map(), warm }
  const { known, leave, tell } = board.join({
    network: config.network,
    chain: config.info.chainId,
    nodes: () => named(pool),
    found: () =>
      named(pool).flatMap(({ node, state: { failed, lastBlock, lastResponseTime }, type, url }) =>
        failed || monotonic(clock) < node.cooldownUntil || lastBlock === 0
          ? []
          : [{ _tag: "Found", url, type, height: lastBlock, ms: lastResponseTime }]
      ),
    hinted: (hints) => {
      for (const node of take(state, hints)) Runtime.runFork(runtime, pool.doubt(node))
    }
  })
  for (const hint of known) warm.set(keyOf(hint), hint)
  nodes.pick = preferring(state, nodes.pick)
  const deafen = telling(pool, tell)
  const left = Effect.sync(() => {
    deafen()
    leave()
  })
  const isWarm = known.some(({ _tag }) => _tag === "Found")
  return Effect.zipRight(
    Effect.provideService(
      Effect.addFinalizer(() => left),
      Scope.Scope,
      scope
    ),
    isWarm ? healthChecks.endFirstRound : Effect.void
  )
}

/**
 * Shares what clients find of their nodes over a board, as their option `health`.
 *
 * ```ts
 * const sdk = yield* Sdk.make({ network: "ethereum-mainnet", health: health(board) })
 * ```
 *
 * A node that fails elsewhere is probed here at once, and calls go to others meanwhile. A client that is new sends its first call to the
 * node that others know well; its answer counts after that node's own check, as ever. Throws `InvalidConfig` for a board that is none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const health = (board: Board): SharedHealth => {
  if (typeof board?.join !== "function")
    throw new InvalidConfig({
      issues: [{ path: "health", message: "must be made of a board: an object with the function join" }]
    })
  return (pool) =>
    Effect.flatMap(Effect.runtime<never>(), (runtime) =>
      Effect.clockWith((clock) => joined(board, pool, runtime, clock))
    )
}
