/** Follows a chain from a cursor, and carries out each step of it as it is written in the store. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { AddressSet } from "./AddressSet.js"
import { type Block, type Event, eventsOf, type Payment, type Step } from "./Event.js"
import type { Place, Shelf } from "./Shelf.js"

/** The part of a block that chains of blocks have in common. */
export interface Header {
  readonly height: number
  readonly hash: string
  readonly parent: string
}

/** A block that was read, with the payments of a set of addresses in it; undefined if the nodes do not have all of them. */
export interface Found<E> extends Header {
  readonly payments: (set: AddressSet) => Effect.Effect<ReadonlyArray<Payment> | undefined, E>
}

/**
 * A network's blocks. What nodes do not have (yet, or any more) is undefined: it is asked for again later, so no block is passed by
 * whose payments are not known.
 */
export interface Chain<E> {
  readonly head: Effect.Effect<number | undefined, E>
  readonly header: (height: number) => Effect.Effect<Header | undefined, E>
  readonly block: (height: number) => Effect.Effect<Found<E> | undefined, E>
}

/** The chain has left a block that is deeper than what is kept. It is not believed, and nothing is told. */
export class TooDeep extends Data.TaggedError("TooDeep")<{
  readonly height: number
  readonly depth: number
}> {
  override get message(): string {
    return `The nodes have another block ${this.height} than the one that was read, which is more than ${this.depth} blocks back. Nothing is told until they agree with it again: check that all nodes are of one network. If the network has begun anew, or has really gone back that far, watch it under another name.`
  }
}

/** What a reader needs. `confirmations` is how deep a block is that is told (1: the newest). `window` blocks are asked for at once. */
export interface Reading<E> {
  readonly chain: Chain<E>
  readonly shelf: Shelf
  readonly set: AddressSet
  readonly tell: (event: Event) => Effect.Effect<void>
  readonly depth: number
  readonly confirmations: number
  readonly window: number
}

/** Most events of a step, so that it is no large row: a block with more is one step all the same. */
const MOST = 500

/** The blocks that follow one another, of those that were found. */
const linked = <E>(place: Place, found: ReadonlyArray<Found<E> | undefined>): ReadonlyArray<Found<E>> => {
  const blocks: Array<Found<E>> = []
  let { hash } = place
  for (const block of found) {
    if (block === undefined || (hash !== "" && block.parent !== hash)) break
    blocks.push(block)
    hash = block.hash
  }
  return blocks
}

/** As many of these blocks as are one step: each has its payments, and together they have not too many. */
const stepOf = (
  blocks: ReadonlyArray<Header>,
  payments: ReadonlyArray<ReadonlyArray<Payment> | undefined>
): ReadonlyArray<Block> => {
  const told: Array<Block> = []
  let events = 0
  for (const [i, { hash, height }] of blocks.entries()) {
    const own = payments[i]
    if (own === undefined || (events > 0 && events + own.length > MOST)) break
    told.push({ height, hash, payments: own })
    events += own.length
  }
  return told
}

/** The step over the next blocks, if the nodes have them. */
const ahead = <E>(
  { chain, depth, set, shelf, window }: Reading<E>,
  place: Place,
  head: number
): Effect.Effect<Step | undefined, E | SqlError> =>
  Effect.gen(function* () {
    const count = Math.min(window, head - place.height)
    const heights = Array.from({ length: count }, (_, i) => place.height + 1 + i)
    const found = yield* Effect.forEach(heights, chain.block, { concurrency: window })
    const blocks = linked(place, found)
    // after the blocks: an address that was there before its payment is not missed
    yield* shelf.refresh(set)
    const payments = yield* Effect.forEach(blocks, (block) => block.payments(set), {
      concurrency: window
    })
    const told = stepOf(blocks, payments)
    return told.length === 0 ? undefined : { _tag: "Forward", blocks: told, keep: head - depth }
  })

/** The step back to the newest of our blocks that the nodes have too. Before the first one that was wanted there may be any. */
const wayBack = <E>(
  { chain, depth, shelf }: Reading<E>,
  place: Place,
  from: number
): Effect.Effect<Step | undefined, E | SqlError | TooDeep> =>
  Effect.gen(function* () {
    const kept = yield* shelf.blocks
    const ours = new Map(kept.map((block) => [block.height, block.hash]))
    ours.set(place.height, place.hash)
    for (let height = from; ; height--) {
      const known = ours.get(height)
      const isFirst = height === place.origin - 1
      if (known === undefined && !isFirst) return yield* new TooDeep({ height, depth })
      const theirs = height < 0 ? { hash: "" } : yield* chain.header(height)
      if (theirs === undefined) return undefined
      if (theirs.hash !== known && !isFirst) continue
      const gone = kept.filter((block) => block.height > height).toReversed()
      // every block above it must be known, or its payments could not be taken back
      if (gone.length !== place.height - height) return yield* new TooDeep({ height, depth })
      return { _tag: "Back", height, hash: theirs.hash, gone }
    }
  })

/** A reader of a shard that it takes: each run of it goes from the cursor to the head, or as far as the nodes' answers go. */
export const make = <E>(
  reading: Reading<E>
): Effect.Effect<Effect.Effect<Place, E | SqlError | TooDeep>, SqlError> =>
  Effect.gen(function* () {
    const { chain, confirmations, shelf, tell } = reading
    let place = yield* shelf.take
    /** The block in place of ours that was seen last, on a branch that was not longer than ours. */
    let doubted: string | undefined

    /** Tells what a written step has to tell, from where it was left, and moves the cursor. */
    const finish = Effect.gen(function* () {
      const { pending } = place
      if (pending === undefined) return
      const events = eventsOf(pending, { ...shelf.at, sequence: place.sequence })
      for (const [i, event] of events.entries()) {
        if (i < place.done) continue
        yield* tell(event)
        if (i + 1 < events.length) place = yield* shelf.told(place, i + 1)
      }
      place = yield* shelf.moved(place, pending, events.length)
    })

    /** Writes a step down before any of it is told: a runner that dies within it leaves the whole of it to the next one. */
    const carry = (step: Step) =>
      Effect.gen(function* () {
        const isSilent = (step._tag === "Forward" ? step.blocks : step.gone).every(
          ({ payments }) => payments.length === 0
        )
        place = yield* isSilent ? shelf.moved(place, step, 0) : shelf.written(place, step)
        yield* finish
      })

    /** Whether the nodes' chain has our newest block. If not, the cursor goes back, once that is sure. False: wait. */
    const agreed = (head: number) =>
      Effect.gen(function* () {
        const height = Math.min(head, place.height)
        if (height < 0) return true
        const theirs = yield* chain.header(height)
        const ours =
          height === place.height
            ? place.hash
            : (yield* shelf.blocks).find((block) => block.height === height)?.hash
        if (theirs === undefined || ours === undefined) return false
        const before = doubted
        doubted = undefined
        if (ours === theirs.hash) return true
        // a node may be on a branch that will not stay: one that is not longer than ours has to be seen twice
        if (head <= place.height && before !== theirs.hash) {
          doubted = theirs.hash
          return false
        }
        const step = yield* wayBack(reading, place, height)
        if (step !== undefined) yield* carry(step)
        return step !== undefined
      })

    return Effect.gen(function* () {
      yield* finish
      const newest = yield* chain.head
      const head = (newest ?? -1) - confirmations + 1
      if (newest === undefined || !(yield* agreed(head))) return place
      while (place.height < head) {
        const step = yield* ahead(reading, place, head)
        if (step === undefined) break
        yield* carry(step)
      }
      return place
    })
  })
