/**
 * Filters of EVM nodes over a pool. A node keeps its filters for itself: so each stays with the node that has made it, under
 * an id that is the client's own, and is made anew at another one when its node is gone.
 *
 * - a log filter goes on after the last block that it has told: no log is lost, none told twice, and logs that a reorganisation
 *   has taken away meanwhile are told as removed;
 * - a block filter goes on from the head;
 * - nobody can tell afterwards which transactions were pending: a filter of those ends with an error.
 *
 * Server-side subscriptions have ids of the client's own too, and are ended where they were made.
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dialect, type Log, type LogFilter } from "../chains/Evm.js"
import { group } from "../data/Endpoint.js"
import { isRecord } from "../data/foreign.js"
import { NodeError, RpcError, reasonOf } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import type { MakeClient, RawRpc } from "../transport/Client.js"
import { makeInternalRead, nextId } from "../wire/jsonRpc.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type Reply,
  type TransportService
} from "../wire/Transport.js"
import type { Follower, Following } from "./declaration.js"
import type { Head, LogSubscription } from "./Subscription.js"

/** Filters that one client has at once, at most. */
const MOST = 1_000

/** A filter that nobody polls for so long, in milliseconds, is dropped by nodes, and so by the client. */
const IDLE = 300_000

/** A log filter is told so often, in milliseconds, how far its node is: only later logs have to be read again. */
const MARK = 60_000

/** Blocks that are known to have been told. */
const MEMORY = 1_024

type Kind = "logs" | "blocks" | "pending" | "subscription"

/** A filter of the caller's, and where it is kept. */
interface Held {
  readonly kind: Kind
  /** The call that has made it: sent again to make it anew. */
  readonly creation: Call<unknown>
  readonly criteria: LogFilter
  /** The node, by its url, and the node's own id; nothing if the node is gone. */
  place: Place | undefined
  /** Whether it was made anew: then its node knows nothing of the range that it began with. */
  moved: boolean
  polled: number
  /** When it was last asked how far its node is. */
  marked: number
  /** Polls take turns: the items of one are gone for the next. */
  readonly turn: Effect.Semaphore
  readonly logs: Follower<Log> | undefined
  readonly blocks: Set<unknown>
}

interface Place {
  readonly node: string
  readonly id: unknown
}

const kinds: Readonly<Record<string, Kind>> = {
  newFilter: "logs",
  newBlockFilter: "blocks",
  newPendingTransactionFilter: "pending",
  subscribe: "subscription"
}

const nameOf = (method: string): string => method.slice(method.indexOf("_") + 1)

/** The body of a call with other parameters. */
const withParams = (call: Call<unknown>, params: ReadonlyArray<unknown>): Call<unknown> => ({
  ...call,
  body: JSON.stringify({ ...requestOf(call), params })
})

const requestOf = ({ body }: Call<unknown>): Readonly<Record<string, unknown>> => {
  const request: unknown = typeof body === "string" ? JSON.parse(body) : undefined
  return isRecord(request) ? request : {}
}

const paramsOf = (call: Call<unknown>): ReadonlyArray<unknown> => {
  const { params } = requestOf(call)
  return Array.isArray(params) ? params : []
}

/** The same call, with the node that has answered beside the answer. */
const placed = (call: Call<unknown>): Call<Place> => {
  const { accepted: _, heightOf: __, ...rest } = call
  return {
    ...rest,
    decode: (reply: Reply) => Either.map(call.decode(reply), (id) => ({ node: reply.url, id }))
  }
}

/** A refusal in the words of nodes, which clients know. */
const refusal = (method: string, code: number, rpcMessage: string): RpcError =>
  new RpcError({ method, code, rpcMessage, url: "" })

const notFound = (method: string, more = ""): RpcError => refusal(method, -32_000, `filter not found${more}`)

/** Whether a node has nothing more to say of a filter: it cannot be reached, has forgotten it, or cannot serve it. */
const isLost = (error: CallError): boolean =>
  error._tag === "RpcError"
    ? error.code === -32_601 ||
      /not found|not exist|unknown|expired/i.test(error.message) ||
      dialect.classify?.(error) === "node"
    : error._tag !== "InvalidArgument"

const numberOf = (block: unknown): number =>
  typeof block === "number" || typeof block === "bigint" || (typeof block === "string" && /^0x/.test(block))
    ? Number(block)
    : Number.NaN

/** Whether a log is of the range that a filter was made for. */
const isWithin = ({ fromBlock, toBlock }: LogFilter, { blockNumber }: Log): boolean => {
  const height = Number(blockNumber)
  return !(height < numberOf(fromBlock)) && !(height > numberOf(toBlock))
}

const newId = (): string =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** How notifications of logs are followed and read, and heads: as subscriptions do it. */
export interface Reading {
  readonly followLogs: (following: Following, filter: LogSubscription) => Follower<Log>
  readonly logOf: (value: unknown) => Log
  readonly headOf: (value: unknown) => Head
}

/** The filters of one client, and the means to keep them. */
interface Filters extends Reading {
  readonly inner: TransportService
  readonly client: MakeClient
  readonly raw: RawRpc
  /** By the ids that callers know. */
  readonly held: Map<unknown, Held>
}

const at = <A>(node: string, sent: Effect.Effect<A, CallError>): Effect.Effect<A, CallError> =>
  Effect.flatMap(CallOptions, ({ quorum: _, ...options }) =>
    Effect.provideService(sent, CallOptions, { ...options, node })
  )

/** A read beside the calls of the caller, to the node where the filter is. */
const ask = (
  { inner }: Filters,
  { creation: { gateway, path } }: Held,
  node: string,
  [method, ...params]: readonly [method: string, ...params: ReadonlyArray<unknown>]
): Effect.Effect<unknown, CallError> =>
  Effect.suspend(() =>
    at(node, inner.send({ ...makeInternalRead(nextId(), method, params, dialect), gateway, path }))
  )

const heightOf = (filters: Filters, filter: Held, node: string): Effect.Effect<number, CallError> =>
  Effect.map(ask(filters, filter, node, ["eth_blockNumber"]), Number)

/** The call of a caller, to the node that keeps the filter, in which it has another id. */
const sendTo = (
  { inner }: Filters,
  { id, node }: Place,
  call: Call<unknown>
): Effect.Effect<unknown, CallError> => at(node, inner.send(withParams(call, [id])))

/** Makes it at whatever node the pool chooses. Twice does no harm: nodes drop a filter that nobody polls. */
const open = ({ inner }: Filters, creation: Call<unknown>): Effect.Effect<Place, CallError> =>
  inner.send({ ...placed(creation), repeat: "broadcast" })

const follow = (
  { criteria, logs }: Held,
  event: Parameters<Follower<Log>["on"]>[0]
): ReturnType<Follower<Log>["on"]> =>
  Effect.map(logs?.on(event) ?? Effect.succeed([]), (found) => found.filter((log) => isWithin(criteria, log)))

/** The items that a node tells, without those that were told before the filter came to it. */
const told = ({ logOf }: Filters, filter: Held, answer: unknown): Effect.Effect<unknown, CallError> => {
  if (!Array.isArray(answer)) return Effect.succeed(answer)
  if (filter.kind === "blocks") return Effect.succeed(newBlocks(filter, answer))
  if (filter.logs === undefined) return Effect.succeed(answer)
  const { logs } = filter
  const items = Effect.try({
    try: () => answer.map(logOf),
    catch: (error) =>
      new NodeError({ kind: "malformed", call: "eth_getFilterChanges", url: "", reason: reasonOf(error) })
  })
  return Effect.flatMap(items, (found) =>
    Effect.map(
      Effect.forEach(found, (item) => logs.on({ _tag: "Item", item })),
      (told) => told.flat()
    )
  )
}

/** Moves the mark on. Logs before the earlier mark have been told by now. */
const mark = (filters: Filters, filter: Held, node: string): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const { logs } = filter
    if (logs === undefined || now - filter.marked < MARK) return Effect.void
    filter.marked = now
    return Effect.ignore(
      Effect.flatMap(heightOf(filters, filter, node), (head) => logs.on({ _tag: "Mark", head }))
    )
  })

const newBlocks = ({ blocks }: Held, hashes: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const found = hashes.filter((hash) => !blocks.has(hash))
  for (const hash of found) blocks.add(hash)
  for (const hash of blocks) {
    if (blocks.size <= MEMORY) break
    blocks.delete(hash)
  }
  return found
}

/** Makes a filter anew, at another node if its own is gone, and tells the items that it has missed. */
const moved = (filters: Filters, filter: Held, method: string): Effect.Effect<unknown, CallError> =>
  Effect.gen(function* () {
    const { creation, criteria, kind } = filter
    if (kind === "pending")
      return yield* notFound(method, ": the node that kept this filter of pending transactions is gone")
    // the beginning of the range has been told, or is read
    const { fromBlock: _, ...rest } = criteria
    const place = yield* open(filters, kind === "logs" ? withParams(creation, [rest]) : creation)
    // the filter is there, and the head after it: the filter tells all later logs, even if some are told twice
    const missed =
      kind === "logs"
        ? yield* Effect.flatMap(heightOf(filters, filter, place.node), (head) =>
            follow(filter, { _tag: "Up", first: false, head })
          )
        : yield* Effect.map(
            ask(filters, filter, place.node, ["eth_getBlockByNumber", "latest", false]),
            (block) => newBlocks(filter, [filters.headOf(block).hash])
          )
    filter.place = place
    filter.moved = true
    return missed
  })

const changes = (filters: Filters, filter: Held, call: Call<unknown>): Effect.Effect<unknown, CallError> =>
  filter.turn.withPermits(1)(
    Effect.suspend(() => {
      const { place } = filter
      if (place === undefined) return moved(filters, filter, call.label)
      // until there is an answer, the items that the node has taken off its list may be lost
      filter.place = undefined
      return Effect.zipRight(mark(filters, filter, place.node), sendTo(filters, place, call)).pipe(
        Effect.flatMap((answer) => told(filters, filter, answer)),
        Effect.tap(() => {
          filter.place = place
        }),
        Effect.catchAll((error) => {
          if (isLost(error))
            return error._tag === "CallTimeout" ? Effect.fail(error) : moved(filters, filter, call.label)
          filter.place = place
          return Effect.fail(error)
        })
      )
    })
  )

/** All logs of a filter; nodes to which it has moved know nothing of those before. */
const logsOf = (filters: Filters, filter: Held, call: Call<unknown>): Effect.Effect<unknown, CallError> => {
  const { criteria, kind, moved, place } = filter
  const anywhere = filters.raw.rawRpcCall({ method: "eth_getLogs", params: [criteria] })
  if (kind === "logs" && (moved || place === undefined)) return anywhere
  if (place === undefined) return Effect.fail(notFound(call.label))
  return Effect.catchAll(sendTo(filters, place, call), (error) =>
    kind === "logs" && isLost(error) ? anywhere : Effect.fail(error)
  )
}

const end = (filters: Filters, { place }: Held, call: Call<unknown>): Effect.Effect<unknown, CallError> =>
  place === undefined ? Effect.succeed(true) : Effect.orElseSucceed(sendTo(filters, place, call), () => true)

/** Makes it, and has it begin where its node is. */
const settled = (filters: Filters, filter: Held): Effect.Effect<Place, CallError> =>
  Effect.tap(open(filters, filter.creation), ({ node }) =>
    filter.logs === undefined
      ? Effect.void
      : Effect.flatMap(heightOf(filters, filter, node), (head) =>
          follow(filter, { _tag: "Up", first: true, head })
        )
  )

/** A filter before there is a node that keeps it. */
const heldOf = ({ client, followLogs }: Filters, creation: Call<unknown>, kind: Kind, now: number): Held => {
  const [given] = paramsOf(creation)
  // the criteria of a filter of logs are the node's to check
  const criteria: LogFilter = kind === "logs" && isRecord(given) ? given : {}
  const { address, topics } = criteria
  const sought = {
    ...(address === undefined ? {} : { address }),
    ...(topics === undefined ? {} : { topics })
  }
  return {
    kind,
    creation,
    criteria,
    place: undefined,
    moved: false,
    polled: now,
    marked: now,
    turn: Effect.unsafeMakeSemaphore(1),
    blocks: new Set(),
    logs: kind === "logs" ? followLogs({ client, options: {}, warn: () => Effect.void }, sought) : undefined
  }
}

/** Whether nobody has polled it for so long that its node has dropped it. */
const isOver = ({ kind, polled }: Held, now: number): boolean =>
  kind !== "subscription" && now - polled > IDLE

const begin = (
  filters: Filters,
  call: Call<unknown>,
  kind: Kind,
  now: number
): Effect.Effect<string, CallError> =>
  Effect.gen(function* () {
    const { held } = filters
    for (const [id, filter] of held) if (isOver(filter, now)) held.delete(id)
    if (held.size >= MOST)
      return yield* refusal(
        call.label,
        -32_005,
        `limit exceeded: the client has ${MOST} filters, which is the most`
      )
    const filter = heldOf(filters, call, kind, now)
    filter.place = yield* Effect.retry(settled(filters, filter), { times: 2, while: isLost })
    const id = newId()
    held.set(id, filter)
    return id
  })

const answer = (filters: Filters, call: Call<unknown>, now: number): Effect.Effect<unknown, CallError> => {
  const name = nameOf(call.label)
  const kind = kinds[name]
  if (kind !== undefined) return begin(filters, call, kind, now)
  const [id] = paramsOf(call)
  const filter = filters.held.get(id)
  const isEnd = name === "uninstallFilter" || name === "unsubscribe"
  const isKept = filter !== undefined && !isOver(filter, now)
  if (isEnd || !isKept) filters.held.delete(id)
  if (!isKept) return isEnd ? Effect.succeed(false) : Effect.fail(notFound(call.label))
  filter.polled = now
  switch (name) {
    case "getFilterChanges":
      return changes(filters, filter, call)
    case "getFilterLogs":
      return logsOf(filters, filter, call)
    default:
      return end(filters, filter, call)
  }
}

/** Sends the calls of filters over `inner`; `client` reads the items that a filter has missed from the same nodes. */
export const make = (
  inner: TransportService,
  client: MakeClient,
  reading: Reading
): TransportService["send"] => {
  const filters: Filters = { ...reading, inner, client, raw: client(group(dialect, {})), held: new Map() }
  return <A>(call: Call<A>) =>
    // the answers of filters have the types of their calls, which the compiler cannot know
    Effect.clockWith((clock) => answer(filters, call, monotonic(clock))) as Effect.Effect<A, CallError>
}
