import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { classify, type Hex, type Log } from "../chains/Evm.js"
import { transactionBytes } from "../chains/evm/endpoints.js"
import { leftOf, rightOf } from "../data/eitherValues.js"
import { numberIntegers } from "../data/integers.js"
import { type RpcCallError, reasonOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { MakeCalls } from "../transport/Client.js"
import type { TransportService } from "../wire/Transport.js"
import type {
  Follower,
  FollowerContext,
  HeadRequest,
  SubscriptionDeclaration,
  SubscriptionEvent,
  SubscriptionTable
} from "./declaration.js"
import {
  decodeHead,
  type GapReader,
  gapReads,
  heightOf,
  heightsBetween,
  isMissingBlock,
  isText,
  latestHeadRequest,
  MAX_REORG_DEPTH,
  makeHeadFollower,
  makeMissingBlockError,
  parseHeight,
  retryMissingBlock
} from "./EvmHeads.js"
import * as Filters from "./Filters.js"
import type { EvmSubscriptions, Head, LogSubscription } from "./Subscription.js"

/** Most blocks of one `eth_getLogs`. */
const MAX_LOG_RANGE = 2_000

/** The most blocks whose logs are read after an interruption. */
const DEFAULT_MAX_GAP = 10_000

const isTextOrNull = (value: unknown): boolean => value === null || isText(value)

const decodeLog = (value: unknown): Log => {
  if (!isRecord(value) || !isText(value.address) || !Array.isArray(value.topics)) {
    throw new Error("a log without address or topics")
  }
  const { blockHash, blockNumber, logIndex } = value
  if (!(isTextOrNull(blockNumber) && isTextOrNull(blockHash) && isTextOrNull(logIndex))) {
    throw new Error("a log without its place in the chain")
  }
  if (isText(blockNumber)) parseHeight(blockNumber)
  // the other fields stay as the node sent them, as in answers of eth_getLogs
  return { removed: false, ...value } as unknown as Log
}

const logKeyOf = ({ blockHash, logIndex }: Log): string => `${blockHash} ${logIndex}`

const blockHeightOf = ({ blockNumber }: Log): number => (blockNumber === null ? -1 : parseHeight(blockNumber))

/** Decodes the logs of an answer. Logs that cannot be decoded are left out, with a warning. */
const decodeLogs = (
  found: ReadonlyArray<unknown>,
  warn: FollowerContext["warn"]
): Effect.Effect<ReadonlyArray<Log>> => {
  const problems: Array<string> = []
  const logs = found.flatMap((value) => {
    try {
      return [decodeLog(value)]
    } catch (error) {
      problems.push(reasonOf(error))
      return []
    }
  })
  const warning = `subscribe.logs: ${problems.length} of ${found.length} logs are left out: ${problems[0]}`
  return Effect.map(problems.length === 0 ? Effect.void : warn(warning), () => logs)
}

/** The logs of a filter, asked of a node that has the last of the blocks. */
const readLogs = (
  { rpc, warn }: { readonly rpc: GapReader; readonly warn: FollowerContext["warn"] },
  filter: LogSubscription,
  from: number,
  to: number
): Effect.Effect<ReadonlyArray<Log>, RpcCallError> => {
  const toQuantity = (height: number): Hex => `0x${height.toString(16)}`
  const bodies = [
    // in one request, so that the same node reports its height and its logs
    { method: "eth_blockNumber", params: [] },
    { method: "eth_getLogs", params: [{ ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) }] }
  ]
  const readOnce: Effect.Effect<ReadonlyArray<Log>, RpcCallError> = Effect.flatMap(
    rpc.rawBatchRpcCall(bodies),
    ([height, logs]) =>
      Effect.suspend((): Effect.Effect<ReadonlyArray<Log>, RpcCallError> => {
        if (height === undefined || logs === undefined)
          return Effect.fail(makeMissingBlockError("eth_getLogs", to))
        // the options of these requests are the SDK's own
        if (Either.isLeft(height)) return Effect.fail(leftOf(height) as RpcCallError)
        if (Either.isLeft(logs)) return Effect.fail(leftOf(logs) as RpcCallError)
        // some nodes send null for an empty list
        const [known, found] = [rightOf(height), rightOf(logs) ?? []]
        if (!isText(known) || Number(known) < to || !Array.isArray(found))
          return Effect.fail(makeMissingBlockError("eth_getLogs", to))
        return decodeLogs(found, warn)
      })
  ).pipe(Effect.retry(retryMissingBlock(13)))
  // nodes limit the blocks or the answers of one call
  return Effect.catchTag(readOnce, "RpcError", (error) => {
    const middle = Math.floor((from + to) / 2)
    return from === to
      ? Effect.fail(error)
      : Effect.zipWith(
          readLogs({ rpc, warn }, filter, from, middle),
          readLogs({ rpc, warn }, filter, middle + 1, to),
          (a, b) => [...a, ...b]
        )
  })
}

/** The logs that were reported, and up to which block. */
class ReportedLogs {
  /** Those that were not taken back, by block and by key. */
  private readonly blocks = new Map<number, Map<string, Log>>()
  /** Up to this block everything is reported, except for changes by a reorganisation. */
  cursor: number | undefined
  /** The newest head that a node reported. A block that is only known from a log does not count. */
  private knownHead = -1
  /** Blocks up to this one were there before the subscription. */
  private startHeight = -1

  /** Starts at a head: logs up to it are not reported. */
  startAt(head: number): void {
    this.startHeight = head
    this.advanceTo(head)
  }
  /** Records that everything up to a head is reported. */
  advanceTo(head: number): void {
    this.cursor = Math.max(this.cursor ?? -1, head)
    this.knownHead = Math.max(this.knownHead, head)
  }
  record(logs: ReadonlyArray<Log>): ReadonlyArray<Log> {
    for (const log of logs) {
      const height = blockHeightOf(log)
      // the first log may arrive before the node has reported its head
      if (this.cursor === undefined) this.startHeight = height - 1
      const block = this.blocks.get(height) ?? new Map<string, Log>()
      this.blocks.set(height, block)
      if (log.removed) block.delete(logKeyOf(log))
      else block.set(logKeyOf(log), log)
      this.cursor = Math.max(this.cursor ?? -1, height)
    }
    for (const height of this.blocks.keys()) {
      if (height <= this.knownHead - MAX_REORG_DEPTH) this.blocks.delete(height)
    }
    return logs
  }
  has(log: Log): boolean {
    return this.blocks.get(blockHeightOf(log))?.has(logKeyOf(log)) === true
  }
  /** The logs of these blocks that were reported and are not present, the newest first. */
  findRemoved(from: number, to: number, present: ReadonlySet<string>): ReadonlyArray<Log> {
    return [...this.blocks]
      .flatMap(([height, block]) =>
        height < from || height > to ? [] : [...block.values()].filter((log) => !present.has(logKeyOf(log)))
      )
      .reverse()
  }
  /** Where to read from on: reorganisations may have changed the last blocks. */
  nextHeight(cursor: number): number {
    return Math.max(this.startHeight + 1, cursor - MAX_REORG_DEPTH + 1)
  }
  /** Forgets blocks that never were: no node that is asked is so far behind the newest log. */
  discardImpossible(head: number): void {
    if (this.cursor === undefined || head >= this.cursor - DEFAULT_MAX_GAP) return
    this.cursor = Math.min(head, this.knownHead)
    for (const height of this.blocks.keys()) if (height > head) this.blocks.delete(height)
  }
}

/** The heights at which reads of logs start, so that each covers at most `MAX_LOG_RANGE` blocks. */
const planLogReads = (from: number, to: number): ReadonlyArray<number> =>
  heightsBetween(0, Math.ceil((to - from + 1) / MAX_LOG_RANGE) - 1).map((i) => from + i * MAX_LOG_RANGE)

/** Records the logs of a range of blocks. Yields the new ones, after those that a reorganisation has removed. */
const recordRange = (
  reported: ReportedLogs,
  logs: ReadonlyArray<Log>,
  { from, to }: { readonly from: number; readonly to: number }
): ReadonlyArray<Log> => {
  const removed = reported.findRemoved(from, to, new Set(logs.map(logKeyOf)))
  const newLogs = reported.record([
    ...removed.map((log) => ({ ...log, removed: true })),
    ...logs.filter((log) => !reported.has(log))
  ])
  reported.advanceTo(to)
  return newLogs
}

const makeLogFollower = (
  { client, options, warn }: FollowerContext,
  filter: LogSubscription = {}
): Follower<Log> => {
  const rpc = client(gapReads)
  const { maxGap = DEFAULT_MAX_GAP } = options
  const reported = new ReportedLogs()
  let lastHeadRead = -1

  const catchUp = (to: number): Effect.Effect<ReadonlyArray<Log>, RpcCallError> =>
    Effect.gen(function* () {
      reported.discardImpossible(to)
      const { cursor } = reported
      if (cursor === undefined) {
        reported.startAt(to)
        return []
      }
      // the node is behind: missing blocks are read when it has caught up
      if (to < cursor) return []
      const from = Math.max(reported.nextHeight(cursor), to - maxGap + 1)
      if (from > cursor + 1) {
        yield* warn(`subscribe.logs: ${from - cursor - 1} blocks are left out, more than maxGap`)
      }
      const found = yield* Effect.forEach(planLogReads(from, to), (start) =>
        readLogs({ rpc, warn }, filter, start, Math.min(to, start + MAX_LOG_RANGE - 1))
      )
      return recordRange(reported, found.flat(), { from, to })
    })

  /** Reads up to a head that one node has. If the other nodes do not get there in time, it reads up to their head. */
  const catchUpTo = (to: number): Effect.Effect<ReadonlyArray<Log>, RpcCallError> =>
    Effect.catchIf(catchUp(to), isMissingBlock, (error) =>
      Effect.flatMap(rpc.blockNumber(), (height) =>
        Number(height) < to
          ? Effect.zipRight(
              warn(`subscribe.logs: a node tells of block ${to}, and others have none behind ${height}`),
              catchUp(Number(height))
            )
          : Effect.fail(error)
      )
    )

  return {
    handle: (event: SubscriptionEvent<Log>) => {
      switch (event._tag) {
        case "Item": {
          const { item } = event
          return Effect.sync(() => (reported.has(item) === item.removed ? reported.record([item]) : []))
        }
        case "Polled":
          return catchUpTo(Number(event.head))
        case "HeadRead":
          // by now the logs of the previous head have arrived
          return Effect.sync(() => {
            reported.advanceTo(lastHeadRead)
            lastHeadRead = Number(event.head)
            return []
          })
        default:
          lastHeadRead = -1
          return catchUpTo(Number(event.head))
      }
    }
  }
}

const ethSubscribe = { method: "eth_subscribe", unsubscribe: "eth_unsubscribe" }

const newHeads: SubscriptionDeclaration<[], Head> = {
  ...ethSubscribe,
  arity: 0,
  params: () => ["newHeads"],
  decode: decodeHead,
  head: latestHeadRequest,
  heightOf,
  makeFollower: makeHeadFollower
}

const heightRequest: HeadRequest<number> = {
  method: "eth_blockNumber",
  params: [],
  decode: (answer) => parseHeight(String(answer)),
  heightOf: (head) => head,
  readFromPool: (client) => Effect.map(client(gapReads).blockNumber(), Number)
}

/** Checks that the topics of a filter are bytes as hexadecimal text. */
const checkFilter = (filter: LogSubscription): LogSubscription =>
  // the fields stay what they are
  transactionBytes(filter, "args[0]", []) as LogSubscription

const logs: SubscriptionDeclaration<[filter?: LogSubscription], Log> = {
  ...ethSubscribe,
  arity: 1,
  params: (filter = {}) => {
    const others = Object.keys(filter).filter((name) => name !== "address" && name !== "topics")
    if (others.length > 0) throw new Error(`a filter has address and topics, and no ${others.join(" or ")}`)
    return ["logs", checkFilter(filter)]
  },
  decode: decodeLog,
  head: heightRequest,
  // it was checked with the parameters of the subscription
  makeFollower: (following, filter = {}) => makeLogFollower(following, checkFilter(filter))
}

const isHash = (value: unknown): value is Hex => isText(value) && value.startsWith("0x")

const newPendingTransactions: SubscriptionDeclaration<[], Hex> = {
  ...ethSubscribe,
  arity: 0,
  params: () => ["newPendingTransactions"],
  decode: (value) => {
    if (!isHash(value)) throw new Error("a transaction without hash")
    return value
  }
}

/** The subscriptions of EVM chains. */
export const table: SubscriptionTable = {
  declarations: { newHeads, logs, newPendingTransactions } satisfies {
    readonly [K in keyof EvmSubscriptions]: unknown
  },
  ping: "eth_chainId",
  integers: numberIntegers,
  numbers: [],
  classify
}

/** Sends the calls of filters. */
export const makeFilters = (inner: TransportService, client: MakeCalls): TransportService["send"] =>
  Filters.make(inner, client, { makeLogFollower, decodeHead, decodeLog })
