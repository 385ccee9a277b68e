/** Follows a chain from a cursor, and carries out each step of it as it is written in the store. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { AddressSet } from "./AddressSet.js"
import { type HandledBlock, type Payment, type Step, toEvents, type WatchEvent } from "./WatchEvent.js"
import type { Cursor, ShardStore } from "./WatcherStore.js"

/** The part of a block that chains of blocks have in common. */
export interface BlockHeader {
  readonly height: number
  readonly hash: string
  readonly parent: string
}

/** A block that was read, with the payments of a set of addresses in it; undefined if the nodes do not have all of them. */
export interface FetchedBlock<E> extends BlockHeader {
  readonly payments: (set: AddressSet) => Effect.Effect<ReadonlyArray<Payment> | undefined, E>
}

/**
 * A network's blocks. What nodes do not have (yet, or any more) is undefined: it is asked for again later, so no block is passed by
 * whose payments are not known.
 */
export interface Chain<E> {
  readonly head: Effect.Effect<number | undefined, E>
  readonly header: (height: number) => Effect.Effect<BlockHeader | undefined, E>
  readonly block: (height: number) => Effect.Effect<FetchedBlock<E> | undefined, E>
}

/** The chain has left a block that is deeper than what is kept. It is not believed, and nothing is told. */
export class ReorgTooDeep extends Data.TaggedError("ReorgTooDeep")<{
  readonly height: number
  readonly maxReorgDepth: number
}> {
  override get message(): string {
    return `The nodes have another block ${this.height} than the one that was read, which is more than ${this.maxReorgDepth} blocks back. Nothing is told until they agree with it again: check that all nodes are of one network. If the network has begun anew, or has really gone back that far, watch it under another name.`
  }
}

/** What a reader needs. `confirmations` is how deep a block is that is told (1: the newest). `concurrency` blocks are asked for at once. */
export interface ReaderOptions<E> {
  readonly chain: Chain<E>
  readonly store: ShardStore
  readonly addresses: AddressSet
  readonly handle: (event: WatchEvent) => Effect.Effect<void>
  readonly maxReorgDepth: number
  readonly confirmations: number
  readonly concurrency: number
}

/** Most events of a step, so that it is no large row: a block with more is one step all the same. */
const MAX_EVENTS = 500

/** The blocks that follow one another, of those that were found. */
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

/** As many of these blocks as are one step: each has its payments, and together they have not too many. */
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
    // after the blocks: an address that was there before its payment is not missed
    yield* store.refreshAddresses(addresses)
    const payments = yield* Effect.forEach(blocks, (block) => block.payments(addresses), {
      concurrency
    })
    const taken = takeBlocksOfStep(blocks, payments)
    return taken.length === 0 ? undefined : { _tag: "Forward", blocks: taken, keep: head - maxReorgDepth }
  })

/** The step back to the newest of our blocks that the nodes have too. Before the first one that was wanted there may be any. */
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
      // every block above it must be known, or its payments could not be taken back
      if (gone.length !== cursor.height - height) return yield* new ReorgTooDeep({ height, maxReorgDepth })
      return { _tag: "Back", height, hash: theirs.hash, gone }
    }
  })

/** A reader of a shard that it takes: each run of it goes from the cursor to the head, or as far as the nodes' answers go. */
export const make = <E>(
  reading: ReaderOptions<E>
): Effect.Effect<Effect.Effect<Cursor, E | SqlError | ReorgTooDeep>, SqlError> =>
  Effect.gen(function* () {
    const { chain, confirmations, store, handle } = reading
    let cursor = yield* store.acquire
    /** The block in place of ours that was seen last, on a branch that was not longer than ours. */
    let suspectHash: string | undefined

    /** Tells what a written step has to tell, from where it was left, and moves the cursor. */
    const finishPending = Effect.gen(function* () {
      const { pendingStep } = cursor
      if (pendingStep === undefined) return
      const events = toEvents(pendingStep, { ...store.id, sequence: cursor.sequence })
      for (const [i, event] of events.entries()) {
        if (i < cursor.handledEvents) continue
        yield* handle(event)
        if (i + 1 < events.length) cursor = yield* store.recordHandled(cursor, i + 1)
      }
      cursor = yield* store.moveCursor(cursor, pendingStep, events.length)
    })

    /** Writes a step down before any of it is told: a runner that dies within it leaves the whole of it to the next one. */
    const executeStep = (step: Step) =>
      Effect.gen(function* () {
        const isSilent = (step._tag === "Forward" ? step.blocks : step.gone).every(
          ({ payments }) => payments.length === 0
        )
        cursor = yield* isSilent ? store.moveCursor(cursor, step, 0) : store.writeStep(cursor, step)
        yield* finishPending
      })

    /** Whether the nodes' chain has our newest block. If not, the cursor goes back, once that is sure. False: wait. */
    const reconcile = (head: number) =>
      Effect.gen(function* () {
        const height = Math.min(head, cursor.height)
        if (height < 0) return true
        const theirs = yield* chain.header(height)
        const ours =
          height === cursor.height
            ? cursor.hash
            : (yield* store.keptBlocks).find((block) => block.height === height)?.hash
        if (theirs === undefined || ours === undefined) return false
        const before = suspectHash
        suspectHash = undefined
        if (ours === theirs.hash) return true
        // a node may be on a branch that will not stay: one that is not longer than ours has to be seen twice
        if (head <= cursor.height && before !== theirs.hash) {
          suspectHash = theirs.hash
          return false
        }
        const step = yield* planRollback(reading, cursor, height)
        if (step !== undefined) yield* executeStep(step)
        return step !== undefined
      })

    return Effect.gen(function* () {
      yield* finishPending
      const newest = yield* chain.head
      const head = (newest ?? -1) - confirmations + 1
      if (newest === undefined || !(yield* reconcile(head))) return cursor
      while (cursor.height < head) {
        const step = yield* planForward(reading, cursor, head)
        if (step === undefined) break
        yield* executeStep(step)
      }
      return cursor
    })
  })
