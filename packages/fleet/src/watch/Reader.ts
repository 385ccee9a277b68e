/** Follows a chain from a cursor. Each step is stored before its events are handled. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { AddressSet } from "./AddressSet.js"
import { type HandledBlock, type Payment, type Step, toEvents, type WatchEvent } from "./WatchEvent.js"
import type { Cursor, ShardStore } from "./WatcherStore.js"

/** The header of a block. */
export interface BlockHeader {
  readonly height: number
  readonly hash: string
  readonly parent: string
}

/** A block, with the payments of a set of addresses in it. They are undefined if the nodes do not have all of them. */
export interface FetchedBlock<E> extends BlockHeader {
  readonly payments: (set: AddressSet) => Effect.Effect<ReadonlyArray<Payment> | undefined, E>
}

/**
 * A network's blocks. What nodes do not have, yet or any more, is undefined. It is requested again later: no block is skipped whose payments are
 * not known.
 */
export interface Chain<E> {
  readonly head: Effect.Effect<number | undefined, E>
  readonly header: (height: number) => Effect.Effect<BlockHeader | undefined, E>
  readonly block: (height: number) => Effect.Effect<FetchedBlock<E> | undefined, E>
}

/** A reorganisation is deeper than the stored blocks. The watcher waits. */
export class ReorgTooDeep extends Data.TaggedError("ReorgTooDeep")<{
  readonly height: number
  readonly maxReorgDepth: number
}> {
  override get message(): string {
    return `The nodes have another block ${this.height} than the one that was read, which is more than ${this.maxReorgDepth} blocks back. The watcher waits until they agree with it again: check that all nodes are of one network. If the network has begun anew, or has really gone back that far, watch it under another name.`
  }
}

/** The options of a reader. `confirmations` is how deep a block has to be (1: the newest). `concurrency` blocks are requested at once. */
export interface ReaderOptions<E> {
  readonly chain: Chain<E>
  readonly store: ShardStore
  readonly addresses: AddressSet
  readonly handle: (event: WatchEvent) => Effect.Effect<void>
  readonly maxReorgDepth: number
  readonly confirmations: number
  readonly concurrency: number
}

/** The most events of a step, which is one row. A block with more is one step, too. */
const MAX_EVENTS = 500

/** The first blocks that follow one another. */
const takeLinked = <E>(
  cursor: Cursor,
  found: ReadonlyArray<FetchedBlock<E> | undefined>
): ReadonlyArray<FetchedBlock<E>> => {
  const blocks: Array<FetchedBlock<E>> = []
  let { hash } = cursor
  for (const block of found) {
    if (block === undefined || (hash !== "" && block.parent !== hash)) break
    blocks.push(block)
    hash = block.hash
  }
  return blocks
}

/** The first blocks whose payments are known and fit into one step. */
const takeBlocksOfStep = (
  blocks: ReadonlyArray<BlockHeader>,
  payments: ReadonlyArray<ReadonlyArray<Payment> | undefined>
): ReadonlyArray<HandledBlock> => {
  const taken: Array<HandledBlock> = []
  let events = 0
  for (const [i, { hash, height }] of blocks.entries()) {
    const own = payments[i]
    if (own === undefined || (events > 0 && events + own.length > MAX_EVENTS)) break
    taken.push({ height, hash, payments: own })
    events += own.length
  }
  return taken
}

/** The step over the next blocks, if the nodes have them. */
const planForward = <E>(
  { addresses, chain, concurrency, maxReorgDepth, store }: ReaderOptions<E>,
  cursor: Cursor,
  head: number
): Effect.Effect<Step | undefined, E | SqlError> =>
  Effect.gen(function* () {
    const count = Math.min(concurrency, head - cursor.height)
    const heights = Array.from({ length: count }, (_, i) => cursor.height + 1 + i)
    const found = yield* Effect.forEach(heights, chain.block, { concurrency })
    const blocks = takeLinked(cursor, found)
    // refreshed after the blocks: an address that was added before its payment is not missed
    yield* store.refreshAddresses(addresses)
    const payments = yield* Effect.forEach(blocks, (block) => block.payments(addresses), {
      concurrency
    })
    const taken = takeBlocksOfStep(blocks, payments)
    return taken.length === 0 ? undefined : { _tag: "Forward", blocks: taken, keep: head - maxReorgDepth }
  })

/** The step back to the newest of our blocks that the nodes have, too. Below the first watched block any block will do. */
const planRollback = <E>(
  { chain, maxReorgDepth, store }: ReaderOptions<E>,
  cursor: Cursor,
  from: number
): Effect.Effect<Step | undefined, E | SqlError | ReorgTooDeep> =>
  Effect.gen(function* () {
    const kept = yield* store.keptBlocks
    const ours = new Map(kept.map((block) => [block.height, block.hash]))
    ours.set(cursor.height, cursor.hash)
    for (let height = from; ; height--) {
      const known = ours.get(height)
      const isFirst = height === cursor.origin - 1
      if (known === undefined && !isFirst) return yield* new ReorgTooDeep({ height, maxReorgDepth })
      const theirs = height < 0 ? { hash: "" } : yield* chain.header(height)
      if (theirs === undefined) return undefined
      if (theirs.hash !== known && !isFirst) continue
      const gone = kept.filter((block) => block.height > height).toReversed()
      // all blocks above it must be stored, or their payments could not be rolled back
      if (gone.length !== cursor.height - height) return yield* new ReorgTooDeep({ height, maxReorgDepth })
      return { _tag: "Back", height, hash: theirs.hash, gone }
    }
  })

/** A reader with its position. */
interface ReaderState<E> extends ReaderOptions<E> {
  cursor: Cursor
  /** The hash that another branch, no longer than ours, has in place of our newest block. */
  suspectHash: string | undefined
}

/** Handles the remaining events of the stored step, and moves the cursor. */
const finishPending = <E>(state: ReaderState<E>): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const { handle, store } = state
    const { pendingStep, sequence } = state.cursor
    if (pendingStep === undefined) return
    const events = toEvents(pendingStep, { ...store.id, sequence })
    for (const [i, event] of events.entries()) {
      if (i < state.cursor.handledEvents) continue
      yield* handle(event)
      if (i + 1 < events.length) state.cursor = yield* store.recordHandled(state.cursor, i + 1)
    }
    state.cursor = yield* store.moveCursor(state.cursor, pendingStep, events.length)
  })

/** Stores a step before any of its events is handled: if the runner dies, the next one finishes the step. */
const executeStep = <E>(state: ReaderState<E>, step: Step): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const { cursor, store } = state
    const isSilent = (step._tag === "Forward" ? step.blocks : step.gone).every(
      ({ payments }) => payments.length === 0
    )
    state.cursor = yield* isSilent ? store.moveCursor(cursor, step, 0) : store.writeStep(cursor, step)
    yield* finishPending(state)
  })

/**
 * Whether the cursor is on the nodes' chain. If our newest block has left it, the cursor goes back once that is sure. False means wait.
 */
const reconcile = <E>(
  state: ReaderState<E>,
  head: number
): Effect.Effect<boolean, E | SqlError | ReorgTooDeep> =>
  Effect.gen(function* () {
    const { chain, cursor, store } = state
    const height = Math.min(head, cursor.height)
    if (height < 0) return true
    const theirs = yield* chain.header(height)
    const ours =
      height === cursor.height
        ? cursor.hash
        : (yield* store.keptBlocks).find((block) => block.height === height)?.hash
    if (theirs === undefined || ours === undefined) return false
    const before = state.suspectHash
    state.suspectHash = undefined
    if (ours === theirs.hash) return true
    // a node may be on a branch that does not last: one that is no longer than ours has to be seen twice
    if (head <= cursor.height && before !== theirs.hash) {
      state.suspectHash = theirs.hash
      return false
    }
    const step = yield* planRollback(state, cursor, height)
    if (step !== undefined) yield* executeStep(state, step)
    return step !== undefined
  })

/** Reads from the cursor to the head, or as far as the nodes have blocks. */
const readToHead = <E>(state: ReaderState<E>): Effect.Effect<Cursor, E | SqlError | ReorgTooDeep> =>
  Effect.gen(function* () {
    yield* finishPending(state)
    const newest = yield* state.chain.head
    const head = (newest ?? -1) - state.confirmations + 1
    if (newest === undefined || !(yield* reconcile(state, head))) return state.cursor
    while (state.cursor.height < head) {
      const step = yield* planForward(state, state.cursor, head)
      if (step === undefined) break
      yield* executeStep(state, step)
    }
    return state.cursor
  })

/** Acquires a shard, and makes its reader. Each run of the reader reads to the head. */
export const make = <E>(
  options: ReaderOptions<E>
): Effect.Effect<Effect.Effect<Cursor, E | SqlError | ReorgTooDeep>, SqlError> =>
  Effect.map(options.store.acquire, (cursor) => readToHead({ ...options, cursor, suspectHash: undefined }))
