/**
 * The nodes of a client as they are now: the state of the pool, which is pure (`NodePool.ts`), and beside each node of it a
 * member that holds how it is reached and what calls have told of it (`Member.ts`).
 *
 * A node and its member have the same index, for as long as the client lives: there is one list, and it is replaced only
 * while it is empty.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { gatewayNodeUrl, type ResolvedConfig, type ResolvedNode, usesNodeLists } from "../config/Config.js"
import { displayUrl, NoActiveNode } from "../data/SdkError.js"
import { monotonic } from "../http/time.js"
import { type Member, make as makeMember } from "./Member.js"
import * as Pool from "./NodePool.js"
import { preferenceOf } from "./Selection.js"

/**
 * A node as a dashboard shows it. `url` is as it may be printed.
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

/**
 * The nodes of a client. Indices are those of the pool; one that the pool does not have (-1) is that of no node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Nodes {
  readonly members: () => ReadonlyArray<Member>
  readonly state: () => Pool.Pool
  readonly update: (change: (state: Pool.Pool) => Pool.Pool) => void
  readonly hasFailed: (index: number) => boolean
  /** Whether a node is known to be at a block. */
  readonly isAt: (index: number, block: number) => boolean
  /** Whether a call has nowhere else to go. */
  readonly isAlone: () => boolean
  /** `NodePool.select` with the policy of the configuration. The state stays as it is. */
  readonly select: (
    call: Omit<Wanted, "tried">,
    tried: ReadonlySet<number>,
    now: number
  ) => readonly [Pool.Choice, Pool.Pool]
  /** `NodePool.among` with the policy of the configuration. */
  readonly among: (call: Wanted, may: (index: number) => boolean) => Member | undefined
  /** The type of a node; of one that the pool has not chosen nothing is known. */
  readonly typeOf: (index: number) => Pool.NodeType | undefined
  /** Whether the pool has nodes of a type, well or not. */
  readonly has: (type: Pool.NodeType) => boolean
  /** Whether the policy wants to know how many calls are in flight. */
  readonly countsCalls: boolean
  /** The provider's own node: for calls that it alone answers. */
  readonly gateway: Member
  /** Asks for the provider's lists again, where they gave no node so far. */
  readonly refetch: Effect.Effect<void>
  /** Why there is no node for a call; `now` is a time on the clock that never jumps. */
  readonly noNode: (type: Pool.NodeType, resting: boolean, now: number) => NoActiveNode
  readonly snapshot: () => ReadonlyArray<NodeSnapshot>
}

/** Which nodes a call is for, and which it has tried. */
type Wanted = {
  readonly wanted: Pool.NodeType
  readonly strict: boolean
  readonly tried: ReadonlySet<number>
}

const poolOf = (nodes: ReadonlyArray<ResolvedNode>, config: ResolvedConfig): Effect.Effect<Pool.Pool> =>
  Effect.gen(function* () {
    const normal = yield* Random.next
    const archive = yield* Random.next
    return Pool.make(nodes, {
      allowedBlocksBehind: config.allowedBlocksBehind,
      evict: config.evictNodesOnFailure,
      random: (type) => (type === "NORMAL" ? normal : archive)
    })
  })

const snapshotOf = (state: Pool.Pool): ReadonlyArray<NodeSnapshot> =>
  state.nodes.map((node, i) => ({
    url: displayUrl(node.url),
    type: node.type,
    active: state.active[node.type] === i,
    failed: node.failed,
    lastBlock: node.lastBlock,
    lastResponseTime: node.lastResponseTime
  }))

/** What is known of nodes that are asked again after a back-off: why one of them is out, and when it is worth asking. */
interface Resting {
  readonly fault: string | undefined
  readonly retryAfter: number
}

const restingReason = ({ nodes }: Pool.Pool, fault: string | undefined): string => {
  const out = nodes.filter(({ failed }) => failed).length
  const count = out === nodes.length ? `all ${out}` : `${out} of ${nodes.length}`
  return `${count} nodes have failed, and are asked again after a back-off${fault ? `: ${fault}` : ""}`
}

const noNodeOf = (
  config: ResolvedConfig,
  state: Pool.Pool,
  type: Pool.NodeType,
  resting: Resting | undefined
): NoActiveNode =>
  new NoActiveNode({
    network: config.network,
    type,
    manual: state.noActiveNode,
    reason:
      resting !== undefined
        ? restingReason(state, resting.fault)
        : config.nodes?.length === 0
          ? "No RPC URLs provided: rpc.nodes is empty"
          : "the provider's node lists gave no usable node",
    ...(resting !== undefined && Number.isFinite(resting.retryAfter)
      ? { retryAfter: resting.retryAfter }
      : {})
  })

/**
 * The nodes of the configuration; where it names none those of the provider: of its `lists`, or its gateway alone. `restUrl` is
 * what REST routes of a node are appended to, `random`
 * decides for the policy.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  config: ResolvedConfig,
  lists: Effect.Effect<ReadonlyArray<ResolvedNode>>,
  options: {
    readonly restUrl: ((url: string) => string) | undefined
    readonly random: () => number
  }
): Effect.Effect<Nodes> =>
  Effect.gen(function* () {
    const { random, restUrl } = options
    const remote = usesNodeLists(config)
    const gateway: ResolvedNode = {
      url: config.info.node ?? gatewayNodeUrl(config),
      type: "NORMAL",
      headers: {},
      sendApiKey: false
    }
    const memberOf = (node: ResolvedNode, index: number): Member =>
      makeMember(config, node, restUrl?.(node.url) ?? node.url, index)
    const configured = config.nodes ?? (remote ? yield* lists : [gateway])
    let state = yield* poolOf(configured, config)
    let members = configured.map(memberOf)
    const pick = preferenceOf(config.selection, (index) => members[index], random)
    return {
      members: () => members,
      state: () => state,
      update: (change) => {
        state = change(state)
      },
      hasFailed: (index) => state.nodes[index]?.failed === true,
      isAt: (index, block) => (members[index]?.height ?? -1) >= block,
      isAlone: () => members.length < 2,
      select: ({ strict, wanted }, tried, now) => Pool.select(state, wanted, tried, now, { pick, strict }),
      among: ({ strict, tried, wanted }, may) =>
        members[Pool.among(state, wanted, tried, may, { pick, strict })],
      typeOf: (index) => state.nodes[index]?.type,
      has: (type) => state.nodes.some((node) => node.type === type),
      countsCalls: pick !== undefined,
      gateway: memberOf(gateway, -1),
      refetch: Effect.gen(function* () {
        if (!remote || members.length > 0) return
        const nodes = yield* lists
        const pool = yield* poolOf(nodes, config)
        // others may have asked meanwhile, and what calls know of their nodes must not be lost
        if (members.length > 0) return
        members = nodes.map(memberOf)
        state = pool
      }),
      noNode: (type, resting, now) => {
        if (!resting) return noNodeOf(config, state, type, undefined)
        const trials = [state.trial.NORMAL?.at, state.trial.ARCHIVE?.at]
        const probes = members.map(({ askedAgainAt }) => askedAgainAt)
        const nextAt = Math.min(...[...trials, ...probes].filter((at) => at !== undefined))
        const { fault } = members.find(({ fault, index }) => fault && state.nodes[index]?.failed) ?? {}
        return noNodeOf(config, state, type, { fault, retryAfter: Math.max(0, nextAt - now) })
      },
      snapshot: () => snapshotOf(state)
    }
  })

/**
 * The urls of all nodes that calls may be sent to: healthy ones before those that have failed, then those at the block, then
 * those of the type that is wanted, then the faster ones.
 *
 * @since 0.1.0
 * @category selection
 */
export const ranked = (
  nodes: Pick<Nodes, "state" | "isAt">,
  wanted: Pool.NodeType,
  block: number
): ReadonlyArray<string> => {
  const rankOf = (index: number, { failed, type }: Pool.Node): number =>
    (failed ? 4 : 0) + (nodes.isAt(index, block) ? 0 : 2) + (type === wanted ? 0 : 1)
  return nodes
    .state()
    .nodes.map((node, i) => ({ node, rank: rankOf(i, node) }))
    .sort((a, b) => a.rank - b.rank || a.node.lastResponseTime - b.node.lastResponseTime)
    .map(({ node }) => node.url)
}

/**
 * Whether the pool has another node for a call now, beside those that it has tried and the one at `index`.
 *
 * @since 0.1.0
 * @category selection
 */
export const hasOther = (
  nodes: Pick<Nodes, "select">,
  call: Wanted & { readonly clock: Clock.Clock },
  index: number | undefined
): boolean => {
  const tried = index === undefined ? call.tried : new Set([...call.tried, index])
  const [choice] = nodes.select(call, tried, monotonic(call.clock))
  return choice._tag === "node" && !choice.trial
}
