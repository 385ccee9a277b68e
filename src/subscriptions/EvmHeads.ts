import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { type BlockResult, endpoints, quantity } from "../chains/Evm.js"
import { dialectOf, group } from "../data/Endpoint.js"
import type { RpcCallError } from "../data/SdkError.js"
import { NodeError } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import type { Follower, FollowerContext, HeadRequest } from "./declaration.js"
import type { Head } from "./Subscription.js"

const { blockNumber, getBlockByNumber } = endpoints

/** The reads that fill gaps. */
export const gapReads = group(dialectOf(endpoints), { blockNumber, getBlockByNumber })

export type GapReader = Client<typeof gapReads> & RawRpc

/** Blocks that are asked for at once. */
const MAX_CONCURRENT_READS = 4

/** How deep a reorganisation is looked for, in blocks. */
export const MAX_REORG_DEPTH = 32

/** Heads that are remembered. */
const MAX_REMEMBERED_HEADS = 1_024

/** Most blocks that are read after an interruption. */
const DEFAULT_MAX_GAP = 1_000

/** How long the nodes have to confirm a branch that is not longer than the reported one, in milliseconds. */
const CONFIRMATION_TIMEOUT_MS = 3_000

export const isText = (value: unknown): value is string => typeof value === "string"

/** The fields of a block that its notification does not have. */
const fieldsOfBlocksOnly: ReadonlySet<string> = new Set([
  "transactions",
  "uncles",
  "withdrawals",
  "size",
  "totalDifficulty"
])

export const decodeHead = (value: unknown): Head => {
  if (!isRecord(value) || !isText(value.hash) || !isText(value.number) || !isText(value.parentHash)) {
    throw new Error("a head without number, hash or parent")
  }
  parseHeight(value.number)
  const fields = Object.entries(value).filter(([name]) => !fieldsOfBlocksOnly.has(name))
  // the other fields stay as the node sent them, as in every block
  return Object.fromEntries(fields) as unknown as Head
}

/** The height that a node gives for a block. */
export const parseHeight = (given: string): number => {
  const height = Number(quantity(given))
  if (!Number.isSafeInteger(height)) throw new Error(`no block is at ${given.slice(0, 40)}`)
  return height
}

export const heightOf = ({ number }: { readonly number: string }): number => parseHeight(number)

/** Makes the error of a block that no node has yet, which is retried. */
export const makeMissingBlockError = (call: string, height: number | "latest"): NodeError =>
  new NodeError({ kind: "malformed", call, url: "", reason: `no node has block ${height}` })

/** The pauses before a block is read again (milliseconds): from 0.1 s on, with a jitter of a fifth. */
const retryPauses = /*#__PURE__*/ Schedule.modifyDelayEffect(Schedule.forever, (count) =>
  Effect.map(Random.next, (random) => 100 * 1.5 ** count * (0.8 + 0.4 * random))
)

export const isMissingBlock = (error: RpcCallError): boolean =>
  error._tag === "NodeError" && error.kind === "malformed"

/** Retries reads of blocks that the nodes do not have yet. 13 retries take half a minute. */
export const retryMissingBlock = (times: number) => ({
  times,
  schedule: retryPauses,
  while: isMissingBlock
})

const readHeadAt = (rpc: GapReader, height: number | "latest"): Effect.Effect<Head, RpcCallError> =>
  Effect.flatMap(rpc.getBlockByNumber(height, false), (block: BlockResult | null) =>
    Effect.try({
      try: () => decodeHead(block),
      catch: () => makeMissingBlockError("eth_getBlockByNumber", height)
    })
  )

/** Reads the newest block. */
export const latestHeadRequest: HeadRequest<Head> = {
  method: "eth_getBlockByNumber",
  params: ["latest", false],
  decode: decodeHead,
  heightOf: heightOf,
  readFromPool: (client) => Effect.retry(readHeadAt(client(gapReads), "latest"), retryMissingBlock(13))
}

/** From one height to another, both included. */
export const heightsBetween = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

/** The branch of the chain that the consumer knows, and heads outside it that were seen. */
class Branch {
  /** Hashes of the branch by their heights. */
  private readonly hashes = new Map<number, string>()
  /** The heads that were seen, and the hashes of the reported ones, by hash, the oldest first. */
  private readonly seen = new Map<string, Head>()
  private readonly reportedHashes = new Set<string>()
  /** The last head of the branch: the last reported one, or the one at which the subscription started. */
  last: Head | undefined
  /** The first height that is of interest: below it nothing is known of the branch but the parent of its first head. */
  minHeight = 0

  /** Starts at a head: nothing before it is reported. */
  startAt(head: Head): void {
    this.hashes.clear()
    this.minHeight = heightOf(head)
    this.hashes.set(this.minHeight - 1, head.parentHash)
    this.hashes.set(this.minHeight, head.hash)
    this.last = head
  }
  /** Adds heads, each the parent of the next one. They replace the branch's own heads at their heights, or the whole branch. */
  report(heads: ReadonlyArray<Head>, isNewBranch = false): ReadonlyArray<Head> {
    const [first] = heads
    if (first === undefined) return heads
    if (this.last === undefined || isNewBranch) this.startAt(first)
    const from = heightOf(first)
    const top = this.last === undefined ? from : heightOf(this.last)
    this.minHeight = Math.min(this.minHeight, from)
    for (let height = Math.max(from, top - MAX_REMEMBERED_HEADS); height <= top; height++)
      this.hashes.delete(height)
    for (const head of heads) {
      this.hashes.set(heightOf(head), head.hash)
      this.reportedHashes.add(head.hash)
      this.remember(head)
      this.last = head
    }
    forgetOldest(this.hashes)
    forgetOldest(this.reportedHashes)
    return heads
  }
  remember(head: Head): void {
    this.seen.set(head.hash, head)
    forgetOldest(this.seen)
  }
  find(hash: string): Head | undefined {
    return this.seen.get(hash)
  }
  hasHashAt(height: number, hash: string): boolean {
    return this.hashes.get(height) === hash
  }
  hasHeight(height: number): boolean {
    return this.hashes.has(height)
  }
  /** Whether a head was reported and is no longer part of the branch. */
  hasReported({ hash }: Head): boolean {
    return this.reportedHashes.has(hash)
  }
}

/** Forgets the oldest entries. */
const forgetOldest = <K>(all: {
  readonly size: number
  keys(): Iterable<K>
  delete(key: K): boolean
}): void => {
  for (const key of all.keys()) {
    if (all.size <= MAX_REMEMBERED_HEADS) break
    all.delete(key)
  }
}

/**
 * Whether the chain has moved to a head that is no higher than the last one. Otherwise the head is late, and comes from a node out of
 * sync. A branch that was given up returns only with a head built on it; blocks before the branch do not matter.
 */
const isOnChain = (rpc: GapReader, branch: Branch, head: Head): Effect.Effect<boolean> =>
  branch.hasReported(head) || !branch.hasHeight(heightOf(head))
    ? Effect.succeed(false)
    : Effect.map(readHashAt(rpc, head), (hash) => hash === head.hash)

/** Whether the nodes have another block at the height of a head from an unknown branch. Then the head is late. */
const isLate = (rpc: GapReader, head: Head): Effect.Effect<boolean> =>
  Effect.map(readHashAt(rpc, head), (hash) => hash !== undefined && hash !== head.hash)

/** Reads the hash at the height of a head; undefined if the nodes do not have it in time. */
const readHashAt = (rpc: GapReader, head: Head): Effect.Effect<string | undefined> =>
  Effect.map(readHeadAt(rpc, heightOf(head)), ({ hash }) => hash).pipe(
    Effect.timeoutFail({ duration: CONFIRMATION_TIMEOUT_MS, onTimeout: () => undefined }),
    Effect.orElseSucceed(() => undefined)
  )

/** Makes the function that finds the parent of a head. `from` is the first height that was not reported. */
const makeParentReader = (rpc: GapReader, branch: Branch, from: number) => {
  const read = new Map<string, Head>()
  const findKnownParent = ({ parentHash }: Head): Head | undefined =>
    branch.find(parentHash) ?? read.get(parentHash)
  let hasReadAll = false
  /** All missing blocks at once; those that the nodes do not have are asked for one by one. */
  const readAll = (to: number): Effect.Effect<void, RpcCallError> =>
    Effect.forEach(
      hasReadAll ? [] : heightsBetween(from, to),
      (height) =>
        readHeadAt(rpc, height).pipe(
          Effect.tap((head) => Effect.sync(() => read.set(head.hash, head))),
          Effect.catchIf(isMissingBlock, () => Effect.void)
        ),
      { concurrency: MAX_CONCURRENT_READS, discard: true }
    )
  /** The parent of a head; nothing if the nodes have another one at its place. */
  return (head: Head): Effect.Effect<Head | undefined, RpcCallError> => {
    const height = heightOf(head) - 1
    if (findKnownParent(head) !== undefined) return Effect.succeed(findKnownParent(head))
    const readParent = Effect.flatMap(readHeadAt(rpc, height), (block) =>
      block.hash === head.parentHash
        ? Effect.succeed(block)
        : Effect.fail(makeMissingBlockError("eth_getBlockByNumber", height))
    )
    const readParentPatiently = Effect.catchIf(
      Effect.retry(readParent, retryMissingBlock(2)),
      isMissingBlock,
      () => Effect.succeed(undefined)
    )
    return Effect.flatMap(readAll(height), () => {
      hasReadAll = true
      return findKnownParent(head) === undefined ? readParentPatiently : Effect.succeed(findKnownParent(head))
    })
  }
}

/** Finds the heads from a head down to the branch, the highest first. Undefined if the nodes do not know one of them. */
const findPath = (
  rpc: GapReader,
  branch: Branch,
  head: Head,
  { lowest, top }: { readonly lowest: number; readonly top: number }
): Effect.Effect<ReadonlyArray<Head> | undefined, RpcCallError> =>
  Effect.gen(function* () {
    const parentOf = makeParentReader(rpc, branch, Math.max(top + 1, lowest))
    const path = [head]
    for (let next = head; heightOf(next) > lowest; ) {
      if (branch.hasHashAt(heightOf(next) - 1, next.parentHash)) break
      const parent = yield* parentOf(next)
      if (parent === undefined) return undefined
      path.push(parent)
      next = parent
    }
    return path
  })

/** Makes the follower of heads. Each head is reported once, unless a reorganisation removes it and brings it back. */
export const makeHeadFollower = ({ client, options, warn }: FollowerContext): Follower<Head> => {
  const rpc = client(gapReads)
  const { maxGap = DEFAULT_MAX_GAP } = options
  const branch = new Branch()

  /** Reports a head, and the blocks between it and the branch. A head whose parents no node knows waits. */
  const reportUpTo = (head: Head, last: Head): Effect.Effect<ReadonlyArray<Head>, RpcCallError> =>
    Effect.gen(function* () {
      const height = heightOf(head)
      const top = heightOf(last)
      const skipped = height - maxGap - top - 1
      const lowest =
        skipped > 0
          ? height - maxGap
          : Math.max(branch.minHeight, Math.min(top, height - 1) - MAX_REORG_DEPTH + 1)
      const path = yield* findPath(rpc, branch, head, { lowest, top })
      if (path === undefined) return []
      const [first] = path.slice(-1)
      const isReorg = skipped <= 0 && first?.parentHash !== last.hash
      if (isReorg && height > top && (yield* isLate(rpc, head))) return []
      if (skipped > 0) yield* warn(`subscribe.newHeads: ${skipped} blocks are left out, more than maxGap`)
      return branch.report([...path].reverse(), skipped > 0)
    })

  const handleHead = (head: Head, isNew: boolean): Effect.Effect<ReadonlyArray<Head>, RpcCallError> => {
    const { last } = branch
    branch.remember(head)
    if (last === undefined) {
      if (isNew) return Effect.succeed(branch.report([head]))
      branch.startAt(head)
      return Effect.succeed([])
    }
    if (branch.hasHashAt(heightOf(head), head.hash)) return Effect.succeed([])
    return heightOf(head) > heightOf(last)
      ? reportUpTo(head, last)
      : Effect.flatMap(isOnChain(rpc, branch, head), (is) =>
          is ? reportUpTo(head, last) : Effect.succeed([])
        )
  }

  return {
    handle: (event) =>
      event._tag === "Item" ? handleHead(event.item, true) : handleHead(decodeHead(event.head), false)
  }
}
