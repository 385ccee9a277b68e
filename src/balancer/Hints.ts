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
  readonly findings: () => ReadonlyArray<Hint>
  readonly onHints: (hints: ReadonlyArray<Hint>) => void
}

/**
 * The part of a pool in a board: `known` is what others had found before, `tell` tells them what the pool has found, `leave` ends it.
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
 * Where pools tell each other what they have found. It has no part in a call: none of its functions may wait or throw.
 *
 * @since 0.1.0
 * @category models
 */
export interface Board {
  readonly join: (member: Member) => Membership
}

/** Others are preferred for so long while the probe of a node decides, in milliseconds. */
const SUSPECT_MS = 2_000

/** After a hint that was not borne out, further ones of that node are not heard for so long, in milliseconds. */
const HINT_COOLDOWN_MS = 5_000

/** Nobody is believed that a node wants to be left alone for longer, in milliseconds. */
const MAX_PAUSE_MS = 10_000

/** A node that others have found far behind is not preferred until it is checked here, and no longer than this, in milliseconds. */
const MAX_BEHIND_MS = 60_000

/** Others are preferred to a node `until` then, unless it has been checked since, and was at another height than `height`. */
interface Avoidance {
  readonly until: number
  readonly height: number
}

/** What hints have made of a pool. */
interface HintState<N extends HintedNode> {
  readonly pool: HintedPool<N>
  readonly clock: Clock.Clock
  readonly avoided: Map<N, Avoidance>
  readonly hintsIgnoredUntil: Map<N, number>
  /** What others had found before anything was checked here. */
  readonly initialHints: ReadonlyMap<string, Hint>
}

const hintKey = ({ type, url }: Pick<Hint, "url" | "type">): string => `${type} ${url}`

/** The nodes of a pool as boards name them. */
const listNodes = <N extends HintedNode>({ nodes }: HintedPool<N>) =>
  nodes.all.flatMap((node) => {
    const state = nodes.pool.nodes[node.index]
    return state === undefined ? [] : [{ node, state, url: node.printableUrl, type: state.type }]
  })

/** The node that was the best by what others had found, as long as no check here has found any. */
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

/** The policy of the pool, among those that no hint speaks against, or among all where there are none. */
const makePreference = <N extends HintedNode>(
  state: HintState<N>,
  policy: Preference | undefined
): Preference => {
  const { avoided, clock, pool } = state
  const isCalm = (index: number): boolean => {
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
    const calm = candidates.filter(isCalm)
    const among = calm.length === 0 ? candidates : calm
    const warm = findBestByHints(state, among)
    if (warm !== undefined || policy !== undefined) return warm ?? policy?.(among)
    const { active, allowedBlocksBehind, nodes } = pool.nodes.pool
    const current = Object.values(active).find((index) => index !== undefined && among.includes(index))
    return current ?? findFastest(nodes, allowedBlocksBehind, (index) => among.includes(index))
  }
}

/** Takes hints; yields the nodes that are to be probed. */
const applyHints = <N extends HintedNode>(
  { avoided, clock, hintsIgnoredUntil, pool }: HintState<N>,
  hints: ReadonlyArray<Hint>
): ReadonlyArray<N> => {
  const now = monotonic(clock)
  const heights = hints.flatMap((hint) => (hint._tag === "Found" ? [{ ...hint }] : []))
  const doubted: Array<N> = []
  for (const hint of hints) {
    for (const { node, state } of listNodes(pool).filter((each) => hintKey(each) === hintKey(hint))) {
      const set = (ms: number): void => void avoided.set(node, { until: now + ms, height: state.lastBlock })
      if (hint._tag === "Cooled") set(Math.min(hint.ms, MAX_PAUSE_MS))
      else if (hint._tag === "Failed") {
        if (state.failed || now < (hintsIgnoredUntil.get(node) ?? 0)) continue
        hintsIgnoredUntil.set(node, now + HINT_COOLDOWN_MS)
        set(SUSPECT_MS)
        doubted.push(node)
      } else {
        const highest = Math.max(
          ...heights.filter(({ type }) => type === hint.type).map(({ height }) => height)
        )
        if (hint.height < highest - pool.nodes.pool.allowedBlocksBehind) set(MAX_BEHIND_MS)
      }
    }
  }
  return doubted
}

/** Tells what happens in a pool. Of a node that wants to be left alone, that is said in place of its failing: nobody is to probe it. */
const publishFindings = <N extends HintedNode>(pool: HintedPool<N>, tell: Membership["publish"]) => {
  let pending = new Map<string, Hint>()
  const flush = (): void => {
    const hints = [...pending.values()]
    pending = new Map()
    tell(hints)
  }
  return pool.observer.listen(({ _tag, ms, url }) => {
    if (_tag !== "Failed" && _tag !== "Cooled") return
    for (const each of listNodes(pool)) {
      if (each.url !== url || (_tag === "Failed" && !each.state.failed)) continue
      if (pending.size === 0) queueMicrotask(flush)
      const { type } = each
      pending.set(
        hintKey(each),
        _tag === "Failed" || !ms ? { _tag: "Failed", url, type } : { _tag, url, type, ms }
      )
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
  nodes.pick = makePreference(state, nodes.pick)
  const deafen = publishFindings(pool, publish)
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
      Effect.clockWith((clock) => joinBoard(board, pool, runtime, clock))
    )
}
