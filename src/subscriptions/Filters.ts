/**
 * Filters of EVM nodes over a pool. Only the node that made a filter knows it, so its calls stay at that node. The filter has an id
 * of the client's own, and is made again at another node when its node is gone.
 *
 * - A log filter continues after the last reported block: no log is lost or reported twice, and logs that a reorganisation has
 *   removed are reported as removed.
 * - A block filter continues from the head.
 * - A filter of pending transactions ends with an error, since no node knows which transactions were pending.
 *
 * Subscriptions that were made by raw calls have ids of the client's own too, and end at the node that made them.
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dialect, type Log, type LogFilter } from "../chains/Evm.js"
import { group } from "../data/Endpoint.js"
import { NodeError, RpcError, reasonOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { monotonic } from "../http/service.js"
import type { MakeCalls, RawRpc } from "../transport/Client.js"
import { makeInternalRead, nextId } from "../wire/jsonRpc.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type Reply,
  type TransportService
} from "../wire/Transport.js"
import type { Follower, FollowerContext } from "./declaration.js"
import type { Head, LogSubscription } from "./Subscription.js"

/** Filters that one client has at once, at most. */
const MAX_FILTERS = 1_000

/** How long a filter lives without a poll, in milliseconds: nodes drop it after that, and so does the client. */
const EXPIRY_MS = 300_000

/** How often a log filter records the height of its node, in milliseconds. Only later logs have to be read again. */
const HEAD_READ_INTERVAL_MS = 60_000

/** The highest block whose logs are known to be reported. */
const MAX_REMEMBERED_BLOCKS = 1_024

type FilterKind = "logs" | "blocks" | "pending" | "subscription"

/** A filter of the caller, and the node that has it. */
interface FilterState {
  readonly kind: FilterKind
  /** The call that made it. It is sent again to make the filter again. */
  readonly creationCall: Call<unknown>
  readonly criteria: LogFilter
  /** The node, by its url, and the node's own id; nothing if the node is gone. */
  nodeFilter: NodeFilter | undefined
  /** Whether it was made again. Then its node does not know the start of its range. */
  isRecreated: boolean
  lastPolledAt: number
  /** When it was last asked how far its node is. */
  lastHeadReadAt: number
  /** Polls take turns: the items of one are gone for the next. */
  readonly pollLock: Effect.Semaphore
  readonly logFollower: Follower<Log> | undefined
  readonly reportedBlocks: Set<unknown>
}

interface NodeFilter {
  readonly node: string
  readonly id: unknown
}

const filterKinds: Readonly<Record<string, FilterKind>> = {
  newFilter: "logs",
  newBlockFilter: "blocks",
  newPendingTransactionFilter: "pending",
  subscribe: "subscription"
}

const methodNameOf = (method: string): string => method.slice(method.indexOf("_") + 1)

/** The body of a call with other parameters. */
const withParams = (call: Call<unknown>, params: ReadonlyArray<unknown>): Call<unknown> => ({
  ...call,
  body: JSON.stringify({ ...parseRequest(call), params })
})

const parseRequest = ({ body }: Call<unknown>): Readonly<Record<string, unknown>> => {
  const request: unknown = typeof body === "string" ? JSON.parse(body) : undefined
  return isRecord(request) ? request : {}
}

const parseParams = (call: Call<unknown>): ReadonlyArray<unknown> => {
  const { params } = parseRequest(call)
  return Array.isArray(params) ? params : []
}

/** Sends the call, and yields the node that answered beside the answer. */
const withNode = (call: Call<unknown>): Call<NodeFilter> => {
  const { accepted: _, heightOf: __, ...rest } = call
  return {
    ...rest,
    decode: (reply: Reply) => Either.map(call.decode(reply), (id) => ({ node: reply.url, id }))
  }
}

/** An error in the words of nodes, which clients know. */
const makeRefusal = (method: string, code: number, rpcMessage: string): RpcError =>
  new RpcError({ method, code, rpcMessage, url: "" })

const makeFilterNotFound = (method: string, more = ""): RpcError =>
  makeRefusal(method, -32_000, `filter not found${more}`)

/** Whether a node can no longer serve a filter: it is unreachable, has forgotten it, or refuses it. */
const isLost = (error: CallError): boolean =>
  error._tag === "RpcError"
    ? error.code === -32_601 ||
      /not found|not exist|unknown|expired/i.test(error.message) ||
      dialect.classify?.(error) === "node"
    : error._tag !== "InvalidArgument"

const toHeight = (block: unknown): number =>
  typeof block === "number" || typeof block === "bigint" || (typeof block === "string" && /^0x/.test(block))
    ? Number(block)
    : Number.NaN

/** Whether a log is of the range that a filter was made for. */
const isInRange = ({ fromBlock, toBlock }: LogFilter, { blockNumber }: Log): boolean => {
  const height = Number(blockNumber)
  return !(height < toHeight(fromBlock)) && !(height > toHeight(toBlock))
}

const makeFilterId = (): string =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** How notifications of logs are followed and read, and heads: as subscriptions do it. */
export interface FilterReaders {
  readonly makeLogFollower: (following: FollowerContext, filter: LogSubscription) => Follower<Log>
  readonly decodeLog: (value: unknown) => Log
  readonly decodeHead: (value: unknown) => Head
}

/** The filters of one client, and the means to keep them. */
interface FilterContext extends FilterReaders {
  readonly transport: TransportService
  readonly client: MakeCalls
  readonly rawRpc: RawRpc
  /** By the ids that callers know. */
  readonly filtersById: Map<unknown, FilterState>
}

const pinToNode = <A>(node: string, effect: Effect.Effect<A, CallError>): Effect.Effect<A, CallError> =>
  Effect.flatMap(CallOptions, ({ quorum: _, ...options }) =>
    Effect.provideService(effect, CallOptions, { ...options, node })
  )

/** Sends a read of the client's own to the node that has the filter. */
const readFromNode = (
  { transport }: FilterContext,
  { creationCall: { gateway, path } }: FilterState,
  node: string,
  [method, ...params]: readonly [method: string, ...params: ReadonlyArray<unknown>]
): Effect.Effect<unknown, CallError> =>
  Effect.suspend(() =>
    pinToNode(node, transport.send({ ...makeInternalRead(nextId(), method, params, dialect), gateway, path }))
  )

const readHeight = (
  filters: FilterContext,
  filter: FilterState,
  node: string
): Effect.Effect<number, CallError> =>
  Effect.map(readFromNode(filters, filter, node, ["eth_blockNumber"]), Number)

/** The call of a caller, to the node that keeps the filter, in which it has another id. */
const sendToNode = (
  { transport }: FilterContext,
  { id, node }: NodeFilter,
  call: Call<unknown>
): Effect.Effect<unknown, CallError> => pinToNode(node, transport.send(withParams(call, [id])))

/** Makes the filter at the node that the pool chooses. Making it twice is harmless: nodes drop a filter that nobody polls. */
const createOnNode = (
  { transport }: FilterContext,
  creation: Call<unknown>
): Effect.Effect<NodeFilter, CallError> => transport.send({ ...withNode(creation), repeat: "broadcast" })

const handleLogEvent = (
  { criteria, logFollower }: FilterState,
  event: Parameters<Follower<Log>["handle"]>[0]
): ReturnType<Follower<Log>["handle"]> =>
  Effect.map(logFollower?.handle(event) ?? Effect.succeed([]), (found) =>
    found.filter((log) => isInRange(criteria, log))
  )

/** Reads the new items from the node, without those that were reported before the filter moved to it. */
const decodeChanges = (
  { decodeLog }: FilterContext,
  filter: FilterState,
  answer: unknown
): Effect.Effect<unknown, CallError> => {
  if (!Array.isArray(answer)) return Effect.succeed(answer)
  if (filter.kind === "blocks") return Effect.succeed(filterNewBlocks(filter, answer))
  if (filter.logFollower === undefined) return Effect.succeed(answer)
  const { logFollower } = filter
  const items = Effect.try({
    try: () => answer.map(decodeLog),
    catch: (error) =>
      new NodeError({ kind: "malformed", call: "eth_getFilterChanges", url: "", reason: reasonOf(error) })
  })
  return Effect.flatMap(items, (found) =>
    Effect.map(
      Effect.forEach(found, (item) => logFollower.handle({ _tag: "Item", item })),
      (logs) => logs.flat()
    )
  )
}

/** Moves the mark on. Logs before the previous mark are reported by now. */
const readHeadWhenDue = (filters: FilterContext, filter: FilterState, node: string): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const { logFollower } = filter
    if (logFollower === undefined || now - filter.lastHeadReadAt < HEAD_READ_INTERVAL_MS) return Effect.void
    filter.lastHeadReadAt = now
    return Effect.ignore(
      Effect.flatMap(readHeight(filters, filter, node), (head) =>
        logFollower.handle({ _tag: "HeadRead", head })
      )
    )
  })

const filterNewBlocks = (
  { reportedBlocks }: FilterState,
  hashes: ReadonlyArray<unknown>
): ReadonlyArray<unknown> => {
  const found = hashes.filter((hash) => !reportedBlocks.has(hash))
  for (const hash of found) reportedBlocks.add(hash)
  for (const hash of reportedBlocks) {
    if (reportedBlocks.size <= MAX_REMEMBERED_BLOCKS) break
    reportedBlocks.delete(hash)
  }
  return found
}

/** Makes a filter again, at another node if its own is gone, and reports the missed items. */
const recreate = (
  filters: FilterContext,
  filter: FilterState,
  method: string
): Effect.Effect<unknown, CallError> =>
  Effect.gen(function* () {
    const { creationCall, criteria, kind } = filter
    if (kind === "pending")
      return yield* makeFilterNotFound(
        method,
        ": the node that kept this filter of pending transactions is gone"
      )
    // the start of the range was reported, or is read below
    const { fromBlock: _, ...rest } = criteria
    const place = yield* createOnNode(
      filters,
      kind === "logs" ? withParams(creationCall, [rest]) : creationCall
    )
    // the filter exists before the head is read, so it reports all later logs; some may be reported twice
    const missed =
      kind === "logs"
        ? yield* Effect.flatMap(readHeight(filters, filter, place.node), (head) =>
            handleLogEvent(filter, { _tag: "Connected", isFirst: false, head })
          )
        : yield* Effect.map(
            readFromNode(filters, filter, place.node, ["eth_getBlockByNumber", "latest", false]),
            (block) => filterNewBlocks(filter, [filters.decodeHead(block).hash])
          )
    filter.nodeFilter = place
    filter.isRecreated = true
    return missed
  })

const getChanges = (
  filters: FilterContext,
  filter: FilterState,
  call: Call<unknown>
): Effect.Effect<unknown, CallError> =>
  filter.pollLock.withPermits(1)(
    Effect.suspend(() => {
      const { nodeFilter } = filter
      if (nodeFilter === undefined) return recreate(filters, filter, call.label)
      // until there is an answer, the items that the node has taken off its list may be lost
      filter.nodeFilter = undefined
      return Effect.zipRight(
        readHeadWhenDue(filters, filter, nodeFilter.node),
        sendToNode(filters, nodeFilter, call)
      ).pipe(
        Effect.flatMap((answer) => decodeChanges(filters, filter, answer)),
        Effect.tap(() => {
          filter.nodeFilter = nodeFilter
        }),
        Effect.catchAll((error) => {
          if (isLost(error))
            return error._tag === "CallTimeout" ? Effect.fail(error) : recreate(filters, filter, call.label)
          filter.nodeFilter = nodeFilter
          return Effect.fail(error)
        })
      )
    })
  )

/** All logs of a filter; nodes to which it has moved know nothing of those before. */
const getAllLogs = (
  filters: FilterContext,
  filter: FilterState,
  call: Call<unknown>
): Effect.Effect<unknown, CallError> => {
  const { criteria, kind, isRecreated, nodeFilter } = filter
  const readFromPool = filters.rawRpc.rawRpcCall({ method: "eth_getLogs", params: [criteria] })
  if (kind === "logs" && (isRecreated || nodeFilter === undefined)) return readFromPool
  if (nodeFilter === undefined) return Effect.fail(makeFilterNotFound(call.label))
  return Effect.catchAll(sendToNode(filters, nodeFilter, call), (error) =>
    kind === "logs" && isLost(error) ? readFromPool : Effect.fail(error)
  )
}

const uninstall = (
  filters: FilterContext,
  { nodeFilter }: FilterState,
  call: Call<unknown>
): Effect.Effect<unknown, CallError> =>
  nodeFilter === undefined
    ? Effect.succeed(true)
    : Effect.orElseSucceed(sendToNode(filters, nodeFilter, call), () => true)

/** Makes a filter, which starts at its node's head. */
const createAndStart = (filters: FilterContext, filter: FilterState): Effect.Effect<NodeFilter, CallError> =>
  Effect.tap(createOnNode(filters, filter.creationCall), ({ node }) =>
    filter.logFollower === undefined
      ? Effect.void
      : Effect.flatMap(readHeight(filters, filter, node), (head) =>
          handleLogEvent(filter, { _tag: "Connected", isFirst: true, head })
        )
  )

/** A filter before there is a node that keeps it. */
const makeFilterState = (
  { client, makeLogFollower }: FilterContext,
  creationCall: Call<unknown>,
  kind: FilterKind,
  now: number
): FilterState => {
  const [given] = parseParams(creationCall)
  // the criteria of a filter of logs are the node's to check
  const criteria: LogFilter = kind === "logs" && isRecord(given) ? given : {}
  const { address, topics } = criteria
  const logFilter = {
    ...(address === undefined ? {} : { address }),
    ...(topics === undefined ? {} : { topics })
  }
  return {
    kind,
    creationCall,
    criteria,
    nodeFilter: undefined,
    isRecreated: false,
    lastPolledAt: now,
    lastHeadReadAt: now,
    pollLock: Effect.unsafeMakeSemaphore(1),
    reportedBlocks: new Set(),
    logFollower:
      kind === "logs"
        ? makeLogFollower({ client, options: {}, warn: () => Effect.void }, logFilter)
        : undefined
  }
}

/** Whether its node has dropped it, since nobody polled it for so long. */
const isExpired = ({ kind, lastPolledAt }: FilterState, now: number): boolean =>
  kind !== "subscription" && now - lastPolledAt > EXPIRY_MS

const installFilter = (
  filters: FilterContext,
  call: Call<unknown>,
  kind: FilterKind,
  now: number
): Effect.Effect<string, CallError> =>
  Effect.gen(function* () {
    const { filtersById } = filters
    for (const [id, filter] of filtersById) if (isExpired(filter, now)) filtersById.delete(id)
    if (filtersById.size >= MAX_FILTERS)
      return yield* makeRefusal(
        call.label,
        -32_005,
        `limit exceeded: the client has ${MAX_FILTERS} filters, which is the most`
      )
    const filter = makeFilterState(filters, call, kind, now)
    filter.nodeFilter = yield* Effect.retry(createAndStart(filters, filter), { times: 2, while: isLost })
    const id = makeFilterId()
    filtersById.set(id, filter)
    return id
  })

const handleCall = (
  filters: FilterContext,
  call: Call<unknown>,
  now: number
): Effect.Effect<unknown, CallError> => {
  const name = methodNameOf(call.label)
  const kind = filterKinds[name]
  if (kind !== undefined) return installFilter(filters, call, kind, now)
  const [id] = parseParams(call)
  const filter = filters.filtersById.get(id)
  const isUninstall = name === "uninstallFilter" || name === "unsubscribe"
  const isActive = filter !== undefined && !isExpired(filter, now)
  if (isUninstall || !isActive) filters.filtersById.delete(id)
  if (!isActive) return isUninstall ? Effect.succeed(false) : Effect.fail(makeFilterNotFound(call.label))
  filter.lastPolledAt = now
  switch (name) {
    case "getFilterChanges":
      return getChanges(filters, filter, call)
    case "getFilterLogs":
      return getAllLogs(filters, filter, call)
    default:
      return uninstall(filters, filter, call)
  }
}

/** Sends the calls of filters over `transport`; `client` reads the items that a filter has missed from the same nodes. */
export const make = (
  transport: TransportService,
  client: MakeCalls,
  readers: FilterReaders
): TransportService["send"] => {
  const filters: FilterContext = {
    ...readers,
    transport,
    client,
    rawRpc: client(group(dialect, {})),
    filtersById: new Map()
  }
  return <A>(call: Call<A>) =>
    // the answers of filters have the types of their calls, which the compiler cannot know
    Effect.clockWith((clock) => handleCall(filters, call, monotonic(clock))) as Effect.Effect<A, CallError>
}
