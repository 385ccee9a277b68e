/**
 * The log of a chain that several anvils share, and its clock. Every change of the chain is an entry: transactions,
 * blocks, snapshots and cheat codes. A revert truncates the log, and a node that has more entries reverts too. So nodes
 * that start late never see reverted entries.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChainMemory } from "../ChainMemory.js"
import { callJsonRpc, type JsonRpcCall } from "../Loopback.js"
import type { AnvilNode } from "../nodes/Anvil.js"
import { SandboxError } from "../SandboxError.js"

/**
 * Blocks to mine. The first has the Unix time `first` in seconds, and each next one is `step` seconds later.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Blocks = Schema.Struct({ count: Schema.Number, first: Schema.Number, step: Schema.Number })

/**
 * Blocks to mine; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Blocks = typeof Blocks.Type

/**
 * The clock of block timestamps, in seconds. `latest` is the time of the newest block, `offset` its lead over the
 * machine's clock, `exact` the time that was set for the next block, and `interval` the time between blocks.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Clock = Schema.Struct({
  latest: Schema.Number,
  offset: Schema.Number,
  exact: Schema.optionalWith(Schema.Number, { exact: true }),
  interval: Schema.optionalWith(Schema.Number, { exact: true })
})

/**
 * The clock of a chain; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Clock = typeof Clock.Type

const Method = Schema.Struct({
  method: Schema.String,
  params: Schema.optionalWith(Schema.Unknown, { exact: true }),
  id: Schema.optionalWith(Schema.Unknown, { exact: true })
})

const Sent = Schema.Struct({ sent: Method, hash: Schema.String })

/**
 * A snapshot: its id, the clock at that time, the pending transactions, and the next block's base fee and gas limit.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Mark = Schema.Struct({
  id: Schema.String,
  clock: Clock,
  waiting: Schema.Array(Sent),
  fee: Schema.Unknown,
  gasLimit: Schema.Unknown
})

/**
 * An entry of the log: a transaction as every node accepts it, with its hash; blocks; a snapshot; or a cheat code with
 * its parameters. As in anvil, `lasting` cheat codes outlive a revert: impersonation and the settings of the miner.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Entry = Schema.Union(
  Sent,
  Schema.Struct({ blocks: Blocks }),
  Schema.Struct({ mark: Mark }),
  Schema.Struct({ cheat: Method, lasting: Schema.Boolean })
)

/**
 * An entry of the log; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Entry = typeof Entry.Type

/**
 * The state of a chain that its log does not have: the time of its genesis, its clock, whether each transaction gets a
 * block, and the number of its snapshots.
 *
 * @since 0.1.0
 * @category schemas
 */
export const State = Schema.Struct({
  genesis: Schema.Number,
  clock: Clock,
  automine: Schema.Boolean,
  marks: Schema.Number
})

/**
 * The log of a chain and its clock. With `automine` each transaction gets a block of its own. `blockTimeSeconds` is the
 * interval of blocks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ledger {
  readonly genesis: number
  clock: Clock
  automine: boolean
  blockTimeSeconds: number | undefined
  /** The number of snapshots so far, so that an id is never used again. */
  marks: number
  log: ReadonlyArray<Entry>
}

/**
 * A ledger from a memory, or an empty one. `every` is the time between blocks in seconds; without it each transaction
 * gets one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  { entries, state }: Pick<ChainMemory<Entry, typeof State.Type>, "entries" | "state">,
  blockTimeSeconds: number | undefined
): Ledger => {
  const genesis = state?.genesis ?? nowSeconds()
  return {
    genesis,
    clock: state?.clock ?? { latest: genesis, offset: 0 },
    automine: blockTimeSeconds === undefined && (state?.automine ?? true),
    blockTimeSeconds,
    marks: state?.marks ?? 0,
    log: entries
  }
}

/**
 * The machine's time in Unix seconds.
 *
 * @since 0.1.0
 * @category getters
 */
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000)

/**
 * Takes the times of the next blocks from the clock, which then continues from the last of them. `at` is the time of
 * the first block, and `step` the time between two.
 *
 * @since 0.1.0
 * @category operations
 */
export const takeBlockTimes = (
  ledger: Ledger,
  count = 1,
  given: { readonly at?: number | undefined; readonly step?: number | undefined } = {}
): Blocks => {
  const { exact, interval, latest, offset } = ledger.clock
  const step = given.step ?? interval ?? 1
  const set = given.at ?? exact
  const first =
    set ?? (interval === undefined ? Math.max(latest + 1, nowSeconds() + offset) : latest + interval)
  const last = first + (count - 1) * step
  ledger.clock = {
    latest: last,
    // The clock follows a time that was set. Otherwise it is ahead of the machine's clock only as far as the blocks
    // need.
    offset: set === undefined ? Math.max(offset, last - nowSeconds()) : last - nowSeconds(),
    ...(interval === undefined ? {} : { interval })
  }
  return { count, first, step }
}

/** Whether evm_revert cannot undo an entry. Reverting it takes a new process. */
const needsRestart = (entry: Entry): boolean =>
  "cheat" in entry && /_(reset|loadState|rollback|reorg)$/.test(entry.cheat.method)

/**
 * Truncates the log to its first `length` entries. Lasting entries stay.
 *
 * @since 0.1.0
 * @category operations
 */
export const truncate = (ledger: Ledger, length: number): void => {
  const gone = ledger.log.slice(length)
  ledger.log = [...ledger.log.slice(0, length), ...gone.filter((entry) => "cheat" in entry && entry.lasting)]
}

/** The settings of anvil's next block, as JSON-RPC quantities, which a snapshot does not restore. */
interface NextBlockSettings {
  readonly fee: unknown
  readonly gasLimit: unknown
}

/**
 * A node that follows the log. `applied` are the entries that it has, each with the id of its own snapshot, if there is
 * one. `genesisSnapshot` is its own snapshot of the genesis, undefined after a start. It `isStopped` from the moment
 * that it is stopped, `isRestarting` while a revert replaces its process, and `isJoining` while it reads the log after
 * a start. It `isUncertain` when a call to it failed, since the call may have had its effect. Calls that bring it to
 * the end of the log are made `runAlone`, so that none is made twice.
 *
 * @since 0.1.0
 * @category models
 */
export interface Follower {
  readonly anvil: AnvilNode
  readonly runAlone: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  applied: Array<{ readonly entry: Entry; readonly snapshot?: unknown }>
  genesisSnapshot: ({ readonly snapshot: unknown } & NextBlockSettings) | undefined
  isStopped: boolean
  isRestarting: boolean
  isJoining: boolean
  isUncertain: boolean
}

/**
 * A follower without any entry.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFollower = (anvil: AnvilNode): Effect.Effect<Follower> =>
  Effect.map(Effect.makeSemaphore(1), (turn) => ({
    anvil,
    runAlone: turn.withPermits(1),
    applied: [],
    genesisSnapshot: undefined,
    isStopped: false,
    isRestarting: false,
    isJoining: false,
    isUncertain: false
  }))

/**
 * Runs a call that changes a node. If it fails, the node's state is uncertain.
 *
 * @since 0.1.0
 * @category operations
 */
export const markUncertainOnFailure = <A, E>(
  node: Follower,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.onError(effect, () =>
    Effect.sync(() => {
      node.isUncertain = true
    })
  )

const resultOf = (answer: object): unknown => ("result" in answer ? answer.result : undefined)

const callNode = (
  { anvil }: Follower,
  method: string,
  ...params: ReadonlyArray<unknown>
): Effect.Effect<unknown, SandboxError> => Effect.map(callJsonRpc(anvil.url, { method, params }), resultOf)

const mineBlocks = (node: Follower, { count, first, step }: Blocks): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    if (count === 1) return yield* Effect.asVoid(callNode(node, "evm_mine", { timestamp: first }))
    yield* callNode(node, "evm_setNextBlockTimestamp", first)
    yield* callNode(node, "anvil_setBlockTimestampInterval", step)
    yield* callNode(node, "anvil_mine", `0x${count.toString(16)}`)
    yield* callNode(node, "anvil_removeBlockTimestampInterval")
  })

/** Other nodes refuse the same entry, so a refusal is final. */
const applyEntry = (node: Follower, entry: Entry): Effect.Effect<unknown, SandboxError> => {
  if ("sent" in entry) return callJsonRpc(node.anvil.url, entry.sent)
  if ("cheat" in entry) return callJsonRpc(node.anvil.url, entry.cheat)
  if ("blocks" in entry) return mineBlocks(node, entry.blocks)
  return callNode(node, "evm_snapshot")
}

const readNextSettings = (node: Follower): Effect.Effect<NextBlockSettings, SandboxError> =>
  Effect.map(callNode(node, "eth_getBlockByNumber", "pending", false), (found) => {
    const block: object = Object(found)
    return { fee: Reflect.get(block, "baseFeePerGas"), gasLimit: Reflect.get(block, "gasLimit") }
  })

const resetToGenesis = (node: Follower): Effect.Effect<void, SandboxError> =>
  Effect.zipWith(callNode(node, "evm_snapshot"), readNextSettings(node), (snapshot, next) => {
    node.genesisSnapshot = { snapshot, ...next }
    node.applied = []
    node.isUncertain = false
  })

/** Starts a new process, which has no entries. */
const restartNode = (node: Follower): Effect.Effect<void, SandboxError> => {
  const { anvil } = node
  const away = new SandboxError({ reason: "chain", message: `${anvil.url} was stopped` })
  const start = Effect.zipRight(
    anvil.stop,
    Effect.suspend(() => (node.isStopped ? away : anvil.start))
  )
  return Effect.suspend(() => {
    node.isRestarting = true
    // the start has a limit of its own, and can be interrupted
    return Effect.zipRight(Effect.interruptible(start), resetToGenesis(node))
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        node.isRestarting = false
      })
    )
  )
}

/** The number of entries, from the first on, that a node shares with the log. */
const countCommonEntries = ({ applied }: Follower, log: ReadonlyArray<Entry>): number => {
  let length = Math.min(applied.length, log.length)
  while (length > 0 && applied[length - 1]?.entry !== log[length - 1]) length--
  return length
}

/** Reverts a node to its last snapshot within the first `length` entries, or to the genesis. */
const revertTo = (node: Follower, length: number): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    const { applied } = node
    const at = applied.findLastIndex(({ entry }, i) => i <= length && "mark" in entry)
    const kept = applied.slice(0, Math.max(at, 0))
    const isUndone = applied.slice(kept.length).every(({ entry }) => !needsRestart(entry))
    const entry = applied[at]?.entry
    const mark = entry !== undefined && "mark" in entry ? entry.mark : undefined
    const from = mark === undefined ? node.genesisSnapshot?.snapshot : applied[at]?.snapshot
    if (!isUndone || (yield* callNode(node, "evm_revert", from)) !== true) return yield* restartNode(node)
    // anvil's revert keeps the current base fee and pool, and restores the gas limit of the block before
    const next: NextBlockSettings | undefined = mark ?? node.genesisSnapshot
    yield* callNode(node, "anvil_setNextBlockBaseFeePerGas", next?.fee)
    yield* callNode(node, "anvil_setBlockGasLimit", next?.gasLimit)
    yield* callNode(node, "anvil_dropAllTransactions")
    if (mark === undefined) return yield* resetToGenesis(node)
    yield* Effect.forEach(mark.waiting, (waiting) => applyEntry(node, waiting), { discard: true })
    node.applied = kept
  })

const applyRemaining = (ledger: Ledger, node: Follower): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    if ((yield* node.anvil.state) !== "running") return
    if (node.isUncertain) yield* restartNode(node)
    else if (node.genesisSnapshot === undefined) yield* resetToGenesis(node)
    const shared = countCommonEntries(node, ledger.log)
    if (shared < node.applied.length) yield* revertTo(node, shared)
    for (let entry = ledger.log[node.applied.length]; entry; entry = ledger.log[node.applied.length]) {
      const said = yield* applyEntry(node, entry)
      node.applied.push("mark" in entry ? { entry, snapshot: said } : { entry })
    }
  })

/**
 * Brings a running node to the end of the log. A node whose state is uncertain gets a new process first.
 *
 * @since 0.1.0
 * @category operations
 */
export const catchUp = (ledger: Ledger, node: Follower): Effect.Effect<void, SandboxError> =>
  node.runAlone(markUncertainOnFailure(node, applyRemaining(ledger, node)))

/**
 * The entry of a transaction. It has all values that the node filled in, so that every other node accepts it with the
 * same hash. Undefined if the node no longer has it.
 *
 * @since 0.1.0
 * @category operations
 */
export const makeTransactionEntry = (
  node: Follower,
  sent: JsonRpcCall,
  hash: unknown
): Effect.Effect<Entry | undefined, SandboxError> =>
  Effect.gen(function* () {
    if (typeof hash !== "string") return undefined
    if (sent.method === "eth_sendRawTransaction") return { sent, hash }
    const found = yield* callNode(node, "eth_getTransactionByHash", hash)
    if (typeof found !== "object" || found === null) return undefined
    const given: unknown = Array.isArray(sent.params) ? sent.params[0] : undefined
    const filled = Object.fromEntries(
      Object.entries(found).filter(
        ([name, value]) =>
          FILLED_FIELDS.includes(name) && value !== null && !(name === "gasPrice" && "maxFeePerGas" in found)
      )
    )
    const params = [{ ...Object(given), ...filled }]
    return { sent: { method: sent.method, params }, hash }
  })

const FILLED_FIELDS: ReadonlyArray<string> = [
  "type",
  "chainId",
  "nonce",
  "gas",
  "gasPrice",
  "maxFeePerGas",
  "maxPriorityFeePerGas",
  "maxFeePerBlobGas"
]

/**
 * Adds a snapshot to the log, and yields its id. `node` has to be at the end of the log.
 *
 * @since 0.1.0
 * @category operations
 */
export const takeSnapshot = (ledger: Ledger, node: Follower): Effect.Effect<string, SandboxError> =>
  Effect.zipWith(callNode(node, "txpool_content"), readNextSettings(node), (pool, next) => {
    const text = JSON.stringify(pool) ?? ""
    const waiting = ledger.log.flatMap((entry) =>
      "sent" in entry && text.includes(entry.hash) ? [entry] : []
    )
    const id = `0x${(ledger.marks++).toString(16)}`
    ledger.log = [...ledger.log, { mark: { id, clock: ledger.clock, waiting, ...next } }]
    return id
  })

/**
 * Reverts the chain to a snapshot, which can be used once. Yields whether the snapshot exists.
 *
 * @since 0.1.0
 * @category operations
 */
export const revertToSnapshot = (ledger: Ledger, id: unknown): boolean => {
  const at = ledger.log.findIndex((entry) => "mark" in entry && Number(entry.mark.id) === Number(id))
  const entry = ledger.log[at]
  if (entry === undefined || !("mark" in entry)) return false
  truncate(ledger, at)
  const { exact: _, ...clock } = entry.mark.clock
  ledger.clock = clock
  return true
}

/**
 * Reverts the chain to its genesis.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetLedger = (ledger: Ledger): void => {
  truncate(ledger, 0)
  ledger.clock = { latest: ledger.genesis, offset: 0 }
}

/**
 * Sets the clock by a node's newest block, which a cheat code may have changed.
 *
 * @since 0.1.0
 * @category operations
 */
export const syncClock = (ledger: Ledger, node: Follower): Effect.Effect<void, SandboxError> =>
  Effect.flatMap(callNode(node, "eth_getBlockByNumber", "latest", false), (block) => {
    const time =
      typeof block === "object" && block !== null && "timestamp" in block
        ? Number(block.timestamp)
        : Number.NaN
    if (!Number.isSafeInteger(time))
      return new SandboxError({ reason: "chain", message: `${node.anvil.url} has no newest block` })
    ledger.clock = { ...ledger.clock, latest: time }
    return Effect.void
  })
