import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { type BlockResult, endpoints, quantity } from "../chains/Evm.js"
import { dialectOf, group } from "../data/Endpoint.js"
import { isRecord } from "../data/foreign.js"
import type { RpcCallError } from "../data/SdkError.js"
import { NodeError } from "../data/SdkError.js"
import type { Client, RawRpc } from "../transport/Client.js"
import type { Follower, Following, HeadQuestion } from "./declaration.js"
import type { Head } from "./Subscription.js"

const { blockNumber, getBlockByNumber } = endpoints

/** The reads that fill gaps. */
export const reading = group(dialectOf(endpoints), { blockNumber, getBlockByNumber })

export type Reader = Client<typeof reading> & RawRpc

/** Blocks that are asked for at once. */
const CONCURRENCY = 4

/** How deep a reorganisation is looked for, in blocks. */
export const DEPTH = 32

/** Heads that are remembered. */
const MEMORY = 1_024

/** Most blocks that are read after an interruption. */
const GAP = 1_000

/** The nodes have so long to confirm a branch that is not longer than the one that was told, in milliseconds. */
const CONFIRMATION = 3_000

export const isText = (value: unknown): value is string => typeof value === "string"

/** The fields of a block that its notification does not have. */
const notOfHeads: ReadonlySet<string> = new Set([
  "transactions",
  "uncles",
  "withdrawals",
  "size",
  "totalDifficulty"
])

export const headOf = (value: unknown): Head => {
  if (!isRecord(value) || !isText(value.hash) || !isText(value.number) || !isText(value.parentHash)) {
    throw new Error("a head without number, hash or parent")
  }
  heightAt(value.number)
  const fields = Object.entries(value).filter(([name]) => !notOfHeads.has(name))
  // the rest of the fields are the node's word, as they are in every block
  return Object.fromEntries(fields) as unknown as Head
}

/** The height that a node gives for a block. */
export const heightAt = (given: string): number => {
  const height = Number(quantity(given))
  if (!Number.isSafeInteger(height)) throw new Error(`no block is at ${given.slice(0, 40)}`)
  return height
}

export const heightOf = ({ number }: { readonly number: string }): number => heightAt(number)

/** The error of a block that a node does not have yet: it is asked again, or another one. */
export const notYet = (call: string, height: number | "latest"): NodeError =>
  new NodeError({ kind: "malformed", call, url: "", reason: `no node has block ${height}` })

/** Pauses before a block is asked for again (milliseconds): from 0.1 s on, jittered by a fifth. */
const pauses = /*#__PURE__*/ Schedule.modifyDelayEffect(Schedule.forever, (count) =>
  Effect.map(Random.next, (random) => 100 * 1.5 ** count * (0.8 + 0.4 * random))
)

export const isMissing = (error: RpcCallError): boolean =>
  error._tag === "NodeError" && error.kind === "malformed"

/** Asks again for blocks that the nodes do not have yet. 13 times take half a minute. */
export const again = (times: number) => ({
  times,
  schedule: pauses,
  while: isMissing
})

const blockAt = (rpc: Reader, height: number | "latest"): Effect.Effect<Head, RpcCallError> =>
  Effect.flatMap(rpc.getBlockByNumber(height, false), (block: BlockResult | null) =>
    Effect.try({ try: () => headOf(block), catch: () => notYet("eth_getBlockByNumber", height) })
  )

/** Where a chain is, by its newest block. */
export const latest: HeadQuestion<Head> = {
  method: "eth_getBlockByNumber",
  params: ["latest", false],
  decode: headOf,
  height: heightOf,
  read: (client) => Effect.retry(blockAt(client(reading), "latest"), again(13))
}

/** From one height to another, both included. */
export const span = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

/** The branch of the chain that a consumer knows of, and heads beside it that were seen. */
class Branch {
  /** Hashes of the branch by their heights. */
  private readonly hashes = new Map<number, string>()
  /** Heads that were seen, and hashes of those that were told, by their hashes, the oldest first. */
  private readonly seen = new Map<string, Head>()
  private readonly told = new Set<string>()
  /** The last head of the branch: the last that was told, or the one at which the subscription began. */
  last: Head | undefined
  /** The first height that is of interest: below it nothing is known of the branch but the parent of its first head. */
  floor = 0

  /** It begins at a head: nothing before it is told. */
  begin(head: Head): void {
    this.hashes.clear()
    this.floor = heightOf(head)
    this.hashes.set(this.floor - 1, head.parentHash)
    this.hashes.set(this.floor, head.hash)
    this.last = head
  }
  /** Takes heads, each the parent of the next one, in place of the branch's own at their heights, or of all of it. */
  tell(heads: ReadonlyArray<Head>, anew = false): ReadonlyArray<Head> {
    const [first] = heads
    if (first === undefined) return heads
    if (this.last === undefined || anew) this.begin(first)
    const from = heightOf(first)
    const top = this.last === undefined ? from : heightOf(this.last)
    this.floor = Math.min(this.floor, from)
    for (let height = Math.max(from, top - MEMORY); height <= top; height++) this.hashes.delete(height)
    for (const head of heads) {
      this.hashes.set(heightOf(head), head.hash)
      this.told.add(head.hash)
      this.see(head)
      this.last = head
    }
    forget(this.hashes)
    forget(this.told)
    return heads
  }
  see(head: Head): void {
    this.seen.set(head.hash, head)
    forget(this.seen)
  }
  find(hash: string): Head | undefined {
    return this.seen.get(hash)
  }
  isAt(height: number, hash: string): boolean {
    return this.hashes.get(height) === hash
  }
  has(height: number): boolean {
    return this.hashes.has(height)
  }
  /** Whether a head was told that is not of the branch any more. */
  hasGivenUp({ hash }: Head): boolean {
    return this.told.has(hash)
  }
}

/** Forgets the oldest entries. */
const forget = <K>(all: { readonly size: number; keys(): Iterable<K>; delete(key: K): boolean }): void => {
  for (const key of all.keys()) {
    if (all.size <= MEMORY) break
    all.delete(key)
  }
}

/**
 * Whether the chain has come to a head that is no higher than the last one. Otherwise the head is late, from a node out of step.
 * A branch that was given up comes back with a head that is built on it; blocks before the branch do not matter.
 */
const isReal = (rpc: Reader, branch: Branch, head: Head): Effect.Effect<boolean> =>
  branch.hasGivenUp(head) || !branch.has(heightOf(head))
    ? Effect.succeed(false)
    : Effect.map(hashAt(rpc, head), (hash) => hash === head.hash)

/** Whether the nodes have another block in the place of a head that comes from a branch of its own: then it is late. */
const isLate = (rpc: Reader, head: Head): Effect.Effect<boolean> =>
  Effect.map(hashAt(rpc, head), (hash) => hash !== undefined && hash !== head.hash)

/** The nodes' block at the height of a head, if they have one, and say so in time. */
const hashAt = (rpc: Reader, head: Head): Effect.Effect<string | undefined> =>
  Effect.map(blockAt(rpc, heightOf(head)), ({ hash }) => hash).pipe(
    Effect.timeoutFail({ duration: CONFIRMATION, onTimeout: () => undefined }),
    Effect.orElseSucceed(() => undefined)
  )

/** Finds the parents of a head. `from` is the first height that was not told. */
const parents = (rpc: Reader, branch: Branch, from: number) => {
  const read = new Map<string, Head>()
  const known = ({ parentHash }: Head): Head | undefined => branch.find(parentHash) ?? read.get(parentHash)
  let isRead = false
  /** All missing blocks at once; those that the nodes do not have are asked for one by one. */
  const readAll = (to: number): Effect.Effect<void, RpcCallError> =>
    Effect.forEach(
      isRead ? [] : span(from, to),
      (height) =>
        blockAt(rpc, height).pipe(
          Effect.tap((head) => Effect.sync(() => read.set(head.hash, head))),
          Effect.catchIf(isMissing, () => Effect.void)
        ),
      { concurrency: CONCURRENCY, discard: true }
    )
  /** The parent of a head; nothing if the nodes have another one at its place. */
  return (head: Head): Effect.Effect<Head | undefined, RpcCallError> => {
    const height = heightOf(head) - 1
    if (known(head) !== undefined) return Effect.succeed(known(head))
    const one = Effect.flatMap(blockAt(rpc, height), (block) =>
      block.hash === head.parentHash
        ? Effect.succeed(block)
        : Effect.fail(notYet("eth_getBlockByNumber", height))
    )
    const asked = Effect.catchIf(Effect.retry(one, again(2)), isMissing, () => Effect.succeed(undefined))
    return Effect.flatMap(readAll(height), () => {
      isRead = true
      return known(head) === undefined ? asked : Effect.succeed(known(head))
    })
  }
}

/** Follows a chain from head to head: every one is told once, unless a reorganisation gives it up and takes it back. */
export const followHeads = ({ client, options, warn }: Following): Follower<Head> => {
  const rpc = client(reading)
  const { maxGap = GAP } = options
  const branch = new Branch()

  /** Tells a head, and the blocks between it and the branch that was told. A head with parents unknown to the nodes waits. */
  const reach = (head: Head, last: Head): Effect.Effect<ReadonlyArray<Head>, RpcCallError> =>
    Effect.gen(function* () {
      const height = heightOf(head)
      const top = heightOf(last)
      const skipped = height - maxGap - top - 1
      const lowest =
        skipped > 0 ? height - maxGap : Math.max(branch.floor, Math.min(top, height - 1) - DEPTH + 1)
      const parentOf = parents(rpc, branch, Math.max(top + 1, lowest))
      const path = [head]
      for (let next = head; heightOf(next) > lowest; ) {
        if (branch.isAt(heightOf(next) - 1, next.parentHash)) break
        const parent = yield* parentOf(next)
        if (parent === undefined) return []
        path.push(parent)
        next = parent
      }
      const [first] = path.slice(-1)
      const gives = skipped <= 0 && first?.parentHash !== last.hash
      if (gives && height > top && (yield* isLate(rpc, head))) return []
      if (skipped > 0) yield* warn(`subscribe.newHeads: ${skipped} blocks are left out, more than maxGap`)
      return branch.tell(path.reverse(), skipped > 0)
    })

  const onHead = (head: Head, isNew: boolean): Effect.Effect<ReadonlyArray<Head>, RpcCallError> => {
    const { last } = branch
    branch.see(head)
    if (last === undefined) {
      if (isNew) return Effect.succeed(branch.tell([head]))
      branch.begin(head)
      return Effect.succeed([])
    }
    if (branch.isAt(heightOf(head), head.hash)) return Effect.succeed([])
    return heightOf(head) > heightOf(last)
      ? reach(head, last)
      : Effect.flatMap(isReal(rpc, branch, head), (is) => (is ? reach(head, last) : Effect.succeed([])))
  }

  return {
    on: (event) => (event._tag === "Item" ? onHead(event.item, true) : onHead(headOf(event.head), false))
  }
}
