import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { MakeClient } from "../balancer/Family.js"
import type { Client, RawRpc } from "../Client.js"
import { type BlockResult, classify, endpoints, type Hex, type Log, quantity } from "../chains/Evm.js"
import { dialectOf, group } from "../Endpoint.js"
import { numberIntegers } from "../internal/integers.js"
import { isRecord } from "../internal/jsonRpc.js"
import { type MakeStreams, makeOf } from "../internal/subscriber.js"
import {
  type Declaration,
  type Follower,
  type Following,
  type Happening,
  type HeadQuestion,
  socketUrl
} from "../internal/subscription.js"
import { NodeError } from "../SdkError.js"
import type { EvmSubscriptions, Head, LogSubscription } from "../Subscription.js"
import type { CallError, TransportService } from "../Transport.js"
import * as Filters from "./Filters.js"

const { blockNumber, getBlockByNumber } = endpoints

/** What gaps are filled with. */
const reading = group(dialectOf(endpoints), { blockNumber, getBlockByNumber })

type Reader = Client<typeof reading> & RawRpc

/** Blocks that are asked for at once. */
const CONCURRENCY = 4

/** How deep a reorganisation is looked for, in blocks. */
const DEPTH = 32

/** Heads that are known to have been told. */
const MEMORY = 1_024

/** Most blocks of one `eth_getLogs`. */
const RANGE = 2_000

const GAP = { heads: 1_000, logs: 10_000 }

const text = (value: unknown): value is string => typeof value === "string"

/** The fields of a block that its notification does not have. */
const notOfHeads: ReadonlySet<string> = new Set([
  "transactions",
  "uncles",
  "withdrawals",
  "size",
  "totalDifficulty"
])

const headOf = (value: unknown): Head => {
  if (!isRecord(value) || !text(value.hash) || !text(value.number) || !text(value.parentHash)) {
    throw new Error("a head without number, hash or parent")
  }
  quantity(value.number)
  const fields = Object.entries(value).filter(([name]) => !notOfHeads.has(name))
  // the rest of the fields are the node's word, as they are in every block
  return Object.fromEntries(fields) as unknown as Head
}

const heightOf = ({ number }: Pick<Head, "number">): number => Number(quantity(number))

const latest: HeadQuestion<Head> = {
  method: "eth_getBlockByNumber",
  params: ["latest", false],
  decode: headOf,
  height: heightOf
}

/** The pool chooses its nodes: one that has not got there yet is asked again, or another one, for half a minute. */
const again = {
  times: 13,
  schedule: /*#__PURE__*/ Schedule.addDelay(
    Schedule.forever,
    (count) => 100 * 1.5 ** count * (0.8 + 0.4 * Math.random())
  ),
  while: (error: CallError) => error._tag === "NodeError" && error.kind === "malformed"
}

const notYet = (call: string, height: number | "latest"): NodeError =>
  new NodeError({
    kind: "malformed",
    call,
    url: "",
    reason: `no node has block ${height}`
  })

const blockAt = (rpc: Reader, height: number | "latest"): Effect.Effect<Head, CallError> =>
  rpc.getBlockByNumber(height, false).pipe(
    Effect.flatMap((block: BlockResult | null) =>
      Effect.try({ try: () => headOf(block), catch: () => notYet("eth_getBlockByNumber", height) })
    ),
    Effect.retry(again)
  )

/** From one height to another, both included. */
const span = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

const followHeads = ({ client, options, warn }: Following): Follower<Head> => {
  const rpc = client(reading)
  const { maxGap = GAP.heads } = options
  /** Heads that were told, by their hashes, the oldest first. */
  const told = new Set<string>()
  /** The last head that was told, or the one at which the subscription began. */
  let last: Head | undefined
  /** The first height that is of interest. */
  let floor = 0
  /** After an interruption heads may come that were told before it. */
  let resuming = true

  const tell = (heads: ReadonlyArray<Head>): ReadonlyArray<Head> => {
    for (const head of heads) {
      told.add(head.hash)
      last = head
    }
    for (const hash of told) {
      if (told.size <= MEMORY) break
      told.delete(hash)
    }
    return heads
  }

  /** What lies between the last head and this one, and a branch in place of the one that was told. */
  const between = (before: Head, head: Head): Effect.Effect<ReadonlyArray<Head>, CallError> =>
    Effect.gen(function* () {
      const height = heightOf(head)
      const from = Math.max(heightOf(before) + 1, height - maxGap)
      const missing = yield* Effect.forEach(span(from, height - 1), (at) => blockAt(rpc, at), {
        concurrency: CONCURRENCY
      })
      const skipped = from - heightOf(before) - 1
      if (skipped > 0) yield* warn(`subscribe.newHeads: ${skipped} blocks are left out, more than maxGap`)
      const branch: Array<Head> = []
      let next = missing[0] ?? head
      let depth = Math.min(heightOf(before), height - 1)
      const until = Math.max(floor, depth - DEPTH + 1)
      // a parent that was told ends the branch; so does the depth
      while (
        skipped <= 0 &&
        depth >= until &&
        next.parentHash !== before.hash &&
        !told.has(next.parentHash)
      ) {
        next = yield* blockAt(rpc, depth)
        branch.unshift(next)
        depth--
      }
      return [...branch, ...missing]
    })

  /** Tells what is missing up to a head that the nodes have by now. */
  const catchUp = (head: Head): Effect.Effect<ReadonlyArray<Head>, CallError> => {
    if (last === undefined) {
      last = head
      floor = heightOf(head) + 1
      return Effect.succeed([])
    }
    resuming = true
    // a node that is behind will get there, and its heads are compared as they come
    if (told.has(head.hash) || head.hash === last.hash || heightOf(head) < heightOf(last)) {
      return Effect.succeed([])
    }
    return Effect.map(between(last, head), (missing) => tell([...missing, head]))
  }

  const onHead = (head: Head): Effect.Effect<ReadonlyArray<Head>, CallError> => {
    if (told.has(head.hash) && (resuming || head.hash === last?.hash)) return Effect.succeed([])
    const height = heightOf(head)
    const isGap = last !== undefined && height > heightOf(last) + 1
    const isBranch = last !== undefined && resuming && height > heightOf(last)
    if (last === undefined) floor = height
    const missing = last !== undefined && (isGap || isBranch) ? between(last, head) : Effect.succeed([])
    return Effect.map(missing, (heads) => {
      resuming = false
      return tell([...heads, head])
    })
  }

  return {
    on: (event: Happening<Head>) => {
      switch (event._tag) {
        case "Item":
          return onHead(event.item)
        case "Poll":
          return Effect.flatMap(blockAt(rpc, "latest"), catchUp)
        default:
          return catchUp(headOf(event.head))
      }
    }
  }
}

const logOf = (value: unknown): Log => {
  if (!isRecord(value) || !text(value.address) || !Array.isArray(value.topics)) {
    throw new Error("a log without address or topics")
  }
  // the rest of the fields are the node's word, as they are in the answers of eth_getLogs
  return { removed: false, ...value } as unknown as Log
}

const keyOf = ({ blockHash, logIndex }: Log): string => `${blockHash} ${logIndex}`

const numberOf = ({ blockNumber }: Log): number => (blockNumber === null ? -1 : Number(quantity(blockNumber)))

/** What the nodes have of a filter, asked of one that has the last of the blocks. */
const logsOf = (
  rpc: Reader,
  filter: LogSubscription,
  from: number,
  to: number
): Effect.Effect<ReadonlyArray<Log>, CallError> => {
  const hex = (height: number): Hex => `0x${height.toString(16)}`
  const bodies = [
    // one request: the node that says how far it is, is the one that has the logs
    { method: "eth_blockNumber", params: [] },
    { method: "eth_getLogs", params: [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }] }
  ]
  const once: Effect.Effect<ReadonlyArray<Log>, CallError> = Effect.flatMap(
    rpc.rawBatchRpcCall(bodies),
    ([height, logs]) =>
      Effect.suspend((): Effect.Effect<ReadonlyArray<Log>, CallError> => {
        for (const item of [height, logs]) {
          if (item?.status !== "ERROR") continue
          const { cause } = item.error
          return cause._tag === "Aborted" || cause._tag === "Unexpected"
            ? Effect.failCause(Cause.die(cause))
            : Effect.fail(cause)
        }
        const known = height?.data
        if (!text(known) || Number(known) < to || !Array.isArray(logs?.data)) {
          return Effect.fail(notYet("eth_getLogs", to))
        }
        return Effect.try({
          try: () => (Array.isArray(logs?.data) ? logs.data.map(logOf) : []),
          catch: () => notYet("eth_getLogs", to)
        })
      })
  ).pipe(Effect.retry(again))
  // nodes have limits of their own, of blocks or of answers
  return Effect.catchTag(once, "RpcError", (error) => {
    const middle = Math.floor((from + to) / 2)
    return from === to
      ? Effect.fail(error)
      : Effect.zipWith(logsOf(rpc, filter, from, middle), logsOf(rpc, filter, middle + 1, to), (a, b) => [
          ...a,
          ...b
        ])
  })
}

const followLogs = ({ client, options, warn }: Following, filter: LogSubscription = {}): Follower<Log> => {
  const rpc = client(reading)
  const { maxGap = GAP.logs } = options
  /** Logs that were told and not taken back, by block and by key. */
  const told = new Map<number, Map<string, Log>>()
  /** Up to here everything is told, but for what a reorganisation changes. */
  let cursor: number | undefined
  /** Blocks up to this one were there before the subscription. */
  let floor = -1
  let mark = -1

  const tell = (logs: ReadonlyArray<Log>): ReadonlyArray<Log> => {
    for (const log of logs) {
      const height = numberOf(log)
      // the first one may come before the node has said where it stands
      if (cursor === undefined) floor = height - 1
      const block = told.get(height) ?? new Map<string, Log>()
      told.set(height, block)
      if (log.removed) block.delete(keyOf(log))
      else block.set(keyOf(log), log)
      cursor = Math.max(cursor ?? -1, height)
    }
    for (const height of told.keys()) {
      if (height <= (cursor ?? -1) - DEPTH) told.delete(height)
    }
    return logs
  }

  const isTold = (log: Log): boolean => told.get(numberOf(log))?.has(keyOf(log)) === true

  const catchUp = (to: number): Effect.Effect<ReadonlyArray<Log>, CallError> =>
    Effect.gen(function* () {
      if (cursor === undefined) {
        cursor = to
        floor = to
        return []
      }
      // the node is behind: what it lacks comes as it gets there
      if (to < cursor) return []
      const wanted = Math.max(floor + 1, cursor - DEPTH + 1)
      const from = Math.max(wanted, to - maxGap + 1)
      if (from > cursor + 1) {
        yield* warn(`subscribe.logs: ${from - cursor - 1} blocks are left out, more than maxGap`)
      }
      const windows = span(0, Math.ceil((to - from + 1) / RANGE) - 1).map((i) => from + i * RANGE)
      const found = yield* Effect.forEach(windows, (start) =>
        logsOf(rpc, filter, start, Math.min(to, start + RANGE - 1))
      )
      const logs = found.flat()
      const present = new Set(logs.map(keyOf))
      const gone = [...told].flatMap(([height, block]) =>
        height < from || height > to ? [] : [...block.values()].filter((log) => !present.has(keyOf(log)))
      )
      const news = tell([
        ...gone.reverse().map((log) => ({ ...log, removed: true })),
        ...logs.filter((log) => !isTold(log))
      ])
      cursor = Math.max(cursor, to)
      return news
    })

  return {
    on: (event: Happening<Log>) => {
      switch (event._tag) {
        case "Item": {
          const { item } = event
          return Effect.sync(() => (isTold(item) === item.removed ? tell([item]) : []))
        }
        case "Poll":
          return Effect.flatMap(rpc.blockNumber(), (height) => catchUp(Number(height)))
        case "Mark":
          // what belongs to the head before has come by now
          return Effect.sync(() => {
            cursor = Math.max(cursor ?? -1, mark)
            mark = Number(event.head)
            return []
          })
        default:
          mark = -1
          return catchUp(Number(event.head))
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
  kept: true,
  follow: followHeads
}

const height: HeadQuestion<number> = {
  method: "eth_blockNumber",
  params: [],
  decode: (answer) => Number(quantity(String(answer))),
  height: (head) => head
}

const logs: Declaration<[filter?: LogSubscription], Log> = {
  ...eth,
  arity: 1,
  params: (filter = {}) => {
    const others = Object.keys(filter).filter((name) => name !== "address" && name !== "topics")
    if (others.length > 0) throw new Error(`a filter has address and topics, and no ${others.join(" or ")}`)
    return ["logs", filter]
  },
  decode: logOf,
  head: height,
  kept: true,
  follow: followLogs
}

const newPendingTransactions: Declaration<[], Hex> = {
  ...eth,
  arity: 0,
  params: () => ["newPendingTransactions"],
  decode: (value) => {
    if (!text(value)) throw new Error("a transaction without hash")
    return value
  }
}

/** The subscriptions of EVM chains. */
export const make: MakeStreams = makeOf({
  declarations: { newHeads, logs, newPendingTransactions } satisfies {
    readonly [K in keyof EvmSubscriptions]: unknown
  },
  ping: "eth_chainId",
  integers: numberIntegers,
  numbers: [],
  classify,
  socketUrl
})

/** Sends the calls of filters. */
export const makeFilters = (inner: TransportService, client: MakeClient): TransportService["send"] =>
  Filters.make(inner, client, { followLogs, headOf, logOf })
