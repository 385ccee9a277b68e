import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { classify, type Hex, type Log } from "../chains/Evm.js"
import { request } from "../chains/evm/endpoints.js"
import { isRecord } from "../data/foreign.js"
import { numberIntegers } from "../data/integers.js"
import { type RpcCallError, reasonOf } from "../data/SdkError.js"
import type { MakeClient } from "../transport/Client.js"
import type { TransportService } from "../wire/Transport.js"
import type {
  Declaration,
  Follower,
  Following,
  Happening,
  HeadQuestion,
  SubscriptionTable
} from "./declaration.js"
import {
  again,
  DEPTH,
  followHeads,
  headOf,
  heightAt,
  heightOf,
  isMissing,
  isText,
  latest,
  notYet,
  type Reader,
  reading,
  span
} from "./EvmHeads.js"
import * as Filters from "./Filters.js"
import type { EvmSubscriptions, Head, LogSubscription } from "./Subscription.js"

/** Most blocks of one `eth_getLogs`. */
const RANGE = 2_000

/** Most blocks whose logs are read after an interruption. */
const GAP = 10_000

const isTextOrNull = (value: unknown): boolean => value === null || isText(value)

const logOf = (value: unknown): Log => {
  if (!isRecord(value) || !isText(value.address) || !Array.isArray(value.topics)) {
    throw new Error("a log without address or topics")
  }
  const { blockHash, blockNumber, logIndex } = value
  if (!(isTextOrNull(blockNumber) && isTextOrNull(blockHash) && isTextOrNull(logIndex))) {
    throw new Error("a log without its place in the chain")
  }
  if (isText(blockNumber)) heightAt(blockNumber)
  // the rest of the fields are the node's word, as they are in the answers of eth_getLogs
  return { removed: false, ...value } as unknown as Log
}

const keyOf = ({ blockHash, logIndex }: Log): string => `${blockHash} ${logIndex}`

const numberOf = ({ blockNumber }: Log): number => (blockNumber === null ? -1 : heightAt(blockNumber))

/** The logs of an answer. One that cannot be read costs the others nothing. */
const logsIn = (
  found: ReadonlyArray<unknown>,
  warn: Following["warn"]
): Effect.Effect<ReadonlyArray<Log>> => {
  const problems: Array<string> = []
  const logs = found.flatMap((value) => {
    try {
      return [logOf(value)]
    } catch (error) {
      problems.push(reasonOf(error))
      return []
    }
  })
  const told = `subscribe.logs: ${problems.length} of ${found.length} logs are left out: ${problems[0]}`
  return Effect.map(problems.length === 0 ? Effect.void : warn(told), () => logs)
}

/** The logs of a filter, asked of a node that has the last of the blocks. */
const logsOf = (
  { rpc, warn }: { readonly rpc: Reader; readonly warn: Following["warn"] },
  filter: LogSubscription,
  from: number,
  to: number
): Effect.Effect<ReadonlyArray<Log>, RpcCallError> => {
  const hex = (height: number): Hex => `0x${height.toString(16)}`
  const bodies = [
    // one request: the same node tells its height and its logs
    { method: "eth_blockNumber", params: [] },
    { method: "eth_getLogs", params: [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }] }
  ]
  const once: Effect.Effect<ReadonlyArray<Log>, RpcCallError> = Effect.flatMap(
    rpc.rawBatchRpcCall(bodies),
    ([height, logs]) =>
      Effect.suspend((): Effect.Effect<ReadonlyArray<Log>, RpcCallError> => {
        if (height === undefined || logs === undefined) return Effect.fail(notYet("eth_getLogs", to))
        // the options of these requests are the SDK's own
        if (Either.isLeft(height)) return Effect.fail(height.left as RpcCallError)
        if (Either.isLeft(logs)) return Effect.fail(logs.left as RpcCallError)
        // some nodes have null in the place of an empty list
        const [known, found] = [height.right, logs.right ?? []]
        if (!isText(known) || Number(known) < to || !Array.isArray(found))
          return Effect.fail(notYet("eth_getLogs", to))
        return logsIn(found, warn)
      })
  ).pipe(Effect.retry(again(13)))
  // nodes have limits of their own, of blocks or of answers
  return Effect.catchTag(once, "RpcError", (error) => {
    const middle = Math.floor((from + to) / 2)
    return from === to
      ? Effect.fail(error)
      : Effect.zipWith(
          logsOf({ rpc, warn }, filter, from, middle),
          logsOf({ rpc, warn }, filter, middle + 1, to),
          (a, b) => [...a, ...b]
        )
  })
}

/** The logs that were told, and how far. */
class Told {
  /** Those that were not taken back, by block and by key. */
  private readonly blocks = new Map<number, Map<string, Log>>()
  /** Up to here everything is told, but for changes by a reorganisation. */
  cursor: number | undefined
  /** The newest head that a node had, and not a log alone. */
  private known = -1
  /** Blocks up to this one were there before the subscription. */
  private floor = -1

  /** It begins at a head: logs up to it are not told. */
  begin(head: number): void {
    this.floor = head
    this.reach(head)
  }
  /** Everything up to a head is told. */
  reach(head: number): void {
    this.cursor = Math.max(this.cursor ?? -1, head)
    this.known = Math.max(this.known, head)
  }
  tell(logs: ReadonlyArray<Log>): ReadonlyArray<Log> {
    for (const log of logs) {
      const height = numberOf(log)
      // the first one may come before the node has said where it stands
      if (this.cursor === undefined) this.floor = height - 1
      const block = this.blocks.get(height) ?? new Map<string, Log>()
      this.blocks.set(height, block)
      if (log.removed) block.delete(keyOf(log))
      else block.set(keyOf(log), log)
      this.cursor = Math.max(this.cursor ?? -1, height)
    }
    for (const height of this.blocks.keys()) {
      if (height <= this.known - DEPTH) this.blocks.delete(height)
    }
    return logs
  }
  has(log: Log): boolean {
    return this.blocks.get(numberOf(log))?.has(keyOf(log)) === true
  }
  /** Logs of these blocks that were told and are not present, the newest first. */
  gone(from: number, to: number, present: ReadonlySet<string>): ReadonlyArray<Log> {
    return [...this.blocks]
      .flatMap(([height, block]) =>
        height < from || height > to ? [] : [...block.values()].filter((log) => !present.has(keyOf(log)))
      )
      .reverse()
  }
  /** Where to read from on: reorganisations may have changed the last blocks. */
  next(cursor: number): number {
    return Math.max(this.floor + 1, cursor - DEPTH + 1)
  }
  /** Forgets blocks that never were: no node that is asked is so far behind the newest log. */
  doubt(head: number): void {
    if (this.cursor === undefined || head >= this.cursor - GAP) return
    this.cursor = Math.min(head, this.known)
    for (const height of this.blocks.keys()) if (height > head) this.blocks.delete(height)
  }
}

const followLogs = ({ client, options, warn }: Following, filter: LogSubscription = {}): Follower<Log> => {
  const rpc = client(reading)
  const { maxGap = GAP } = options
  const told = new Told()
  let mark = -1

  const catchUp = (to: number): Effect.Effect<ReadonlyArray<Log>, RpcCallError> =>
    Effect.gen(function* () {
      told.doubt(to)
      const { cursor } = told
      if (cursor === undefined) {
        told.begin(to)
        return []
      }
      // the node is behind: missing blocks come as it gets there
      if (to < cursor) return []
      const from = Math.max(told.next(cursor), to - maxGap + 1)
      if (from > cursor + 1) {
        yield* warn(`subscribe.logs: ${from - cursor - 1} blocks are left out, more than maxGap`)
      }
      const windows = span(0, Math.ceil((to - from + 1) / RANGE) - 1).map((i) => from + i * RANGE)
      const found = yield* Effect.forEach(windows, (start) =>
        logsOf({ rpc, warn }, filter, start, Math.min(to, start + RANGE - 1))
      )
      const logs = found.flat()
      const news = told.tell([
        ...told.gone(from, to, new Set(logs.map(keyOf))).map((log) => ({ ...log, removed: true })),
        ...logs.filter((log) => !told.has(log))
      ])
      told.reach(to)
      return news
    })

  /** Up to a head that a node has; where it takes too long until others have it, up to theirs. */
  const catchUpTo = (to: number): Effect.Effect<ReadonlyArray<Log>, RpcCallError> =>
    Effect.catchIf(catchUp(to), isMissing, (error) =>
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
    on: (event: Happening<Log>) => {
      switch (event._tag) {
        case "Item": {
          const { item } = event
          return Effect.sync(() => (told.has(item) === item.removed ? told.tell([item]) : []))
        }
        case "Polled":
          return catchUpTo(Number(event.head))
        case "Mark":
          // the logs of the head before have come by now
          return Effect.sync(() => {
            told.reach(mark)
            mark = Number(event.head)
            return []
          })
        default:
          mark = -1
          return catchUpTo(Number(event.head))
      }
    }
  }
}

const eth = { method: "eth_subscribe", unsubscribe: "eth_unsubscribe" }

const newHeads: Declaration<[], Head> = {
  ...eth,
  arity: 0,
  params: () => ["newHeads"],
  decode: headOf,
  head: latest,
  heightOf,
  follow: followHeads
}

const height: HeadQuestion<number> = {
  method: "eth_blockNumber",
  params: [],
  decode: (answer) => heightAt(String(answer)),
  height: (head) => head,
  read: (client) => Effect.map(client(reading).blockNumber(), Number)
}

/** A filter whose topics are bytes as text. */
const checked = (filter: LogSubscription): LogSubscription =>
  // the fields stay what they are
  request(filter, "args[0]", []) as LogSubscription

const logs: Declaration<[filter?: LogSubscription], Log> = {
  ...eth,
  arity: 1,
  params: (filter = {}) => {
    const others = Object.keys(filter).filter((name) => name !== "address" && name !== "topics")
    if (others.length > 0) throw new Error(`a filter has address and topics, and no ${others.join(" or ")}`)
    return ["logs", checked(filter)]
  },
  decode: logOf,
  head: height,
  // it was checked with the parameters of the subscription
  follow: (following, filter = {}) => followLogs(following, checked(filter))
}

const isHash = (value: unknown): value is Hex => isText(value) && value.startsWith("0x")

const newPendingTransactions: Declaration<[], Hex> = {
  ...eth,
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
export const makeFilters = (inner: TransportService, client: MakeClient): TransportService["send"] =>
  Filters.make(inner, client, { followLogs, headOf, logOf })
