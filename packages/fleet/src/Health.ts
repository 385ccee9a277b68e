/**
 * Shares what the processes of a fleet know of the health of their nodes, by a stream in Redis: the board that `health` of
 * `effect-chains/health` and `effect-chains/effect/health` takes. The name of a node in the stream is a hash of its printable url with its
 * network and chain: no API key goes to Redis. Entries are ordered by the time of Redis, and expire. While Redis is away, calls go on as
 * they do without shared health.
 *
 * @since 0.1.0
 */
import { createHash, randomUUID } from "node:crypto"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as ParseResult from "effect/ParseResult"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { Board, Hint, Member } from "effect-chains/effect/health"
import type { Redis } from "ioredis"
import { makeClient, parseUrl, RedisUnusable, redactUrl } from "./redis.js"

export { RedisUnusable } from "./redis.js"

/**
 * An entry of the stream is invalid. It is ignored and logged. `id` is its id in the stream.
 *
 * @since 0.1.0
 * @category errors
 */
export class HintIgnored extends Data.TaggedError("HintIgnored")<{
  readonly id: string
  readonly reason: string
}> {
  override get message(): string {
    return `A hint in Redis (${this.id}) is ignored: ${this.reason}. See who writes to the fleet's stream`
  }
}

/**
 * The options of shared health. `prefix` comes before the key in Redis (default `effect-chains:`): processes with the same prefix are one
 * fleet. New processes know hints that are not older than `keep` (default 150 seconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface FleetHealthOptions {
  readonly url: string
  readonly prefix?: string
  readonly keep?: Duration.DurationInput
}

/** The version of the entries. Each version has a stream of its own. */
const VERSION = 1

/** The most entries in one read, nodes in an entry, characters of an entry, and remembered nodes. */
const LIMITS = { entries: 1_000, nodes: 256, characters: 65_536, remembered: 20_000 }

/** Clients get hints that are not older than this, in milliseconds. Entries may not be further in the future, either. */
const NEWS_MS = 5_000

/** How long a failure of a node is not published again, in milliseconds. */
const REPEAT_AFTER_MS = 5_000

/** How often findings of health checks are published, in milliseconds. */
const PUBLISH_INTERVAL_MS = 1_000

/** How long a read waits for new entries, in milliseconds. */
const BLOCK_MS = 2_000

/** The pause before Redis is tried again, in milliseconds. */
const RETRY_MS = 200

/** The least time between two log lines about ignored entries, in milliseconds. */
const LOG_INTERVAL_MS = 10_000

const Milliseconds = Schema.Number.pipe(Schema.between(0, 3_600_000))

/** An entry of the stream: what a process knows of nodes of a chain. */
const Entry = Schema.parseJson(
  Schema.Struct({
    from: Schema.String.pipe(Schema.maxLength(64)),
    network: Schema.String.pipe(Schema.maxLength(64)),
    chain: Schema.NullOr(Schema.Int),
    nodes: Schema.Array(
      Schema.extend(
        Schema.Struct({ node: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{32}$/)) }),
        Schema.Union(
          Schema.Struct({ _tag: Schema.Literal("Failed") }),
          Schema.Struct({ _tag: Schema.Literal("Cooled"), ms: Milliseconds }),
          Schema.Struct({
            _tag: Schema.Literal("Found"),
            height: Schema.NonNegativeInt,
            ms: Milliseconds
          })
        )
      )
    ).pipe(Schema.minItems(1), Schema.maxItems(LIMITS.nodes))
  })
)

type Entry = typeof Entry.Type
type NodeHint = Entry["nodes"][number]

const chainKeyOf = ({ chain, network }: Pick<Entry, "chain" | "network">): string => `${network} ${chain}`

/** The name of a node in Redis. Urls that are printed the same have one name. */
const hashNode = (place: string, { type, url }: Pick<Hint, "type" | "url">): string =>
  createHash("sha256").update(`${place} ${type} ${url}`).digest("hex").slice(0, 32)

/** A hint in the stream, and when it was published (in milliseconds, by the time of Redis). */
interface KnownHint {
  readonly at: number
  readonly chainKey: string
  readonly hint: NodeHint
}

/** A client of this process. `lastPublished` is what it has published last, as JSON. */
interface BoardMember extends Pick<Member, "findings" | "onHints" | "nodes"> {
  readonly chain: Pick<Entry, "chain" | "network">
  lastPublished: string
}

/** What the parts of a board share. */
interface BoardState {
  readonly redis: Redis
  /** A connection of its own: a read that waits for new entries blocks it. */
  readonly reader: Redis
  readonly key: string
  readonly keepMs: number
  /** This process, so that it ignores its own entries. */
  readonly from: string
  readonly members: Set<BoardMember>
  /** The newest hint of each node, the oldest first. */
  readonly known: Map<string, KnownHint>
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs: () => number
  /** The time of Redis less that of this clock. Undefined until Redis has answered. */
  redisOffset: number | undefined
  /** The id of the last entry that was read. */
  lastId: string
}

/** The time of Redis, in milliseconds. */
const redisTime = ({ monotonicMs, redisOffset }: BoardState): number => monotonicMs() + (redisOffset ?? 0)

/** Publishes hints of a client. Nobody waits for that: while Redis is away, nobody would read them. */
const publish = (state: BoardState, { chain }: BoardMember, hints: ReadonlyArray<Hint>): void => {
  const { from, keepMs, key, known, redis } = state
  const chainKey = chainKeyOf(chain)
  const nodes = hints.slice(0, LIMITS.nodes).flatMap(({ type, url, ...hint }): ReadonlyArray<NodeHint> => {
    const node = hashNode(chainKey, { type, url })
    const before = known.get(node)
    const isKnown = before?.hint._tag === "Failed" && redisTime(state) - before.at < REPEAT_AFTER_MS
    return isKnown && hint._tag === "Failed" ? [] : [{ node, ...hint }]
  })
  if (nodes.length === 0 || state.redisOffset === undefined) return
  const entry: Entry = { from, ...chain, nodes }
  const oldest = Math.max(0, Math.trunc(redisTime(state) - keepMs))
  redis
    .multi()
    .xadd(key, "MINID", "~", oldest, "*", "hint", JSON.stringify(entry))
    .pexpire(key, keepMs)
    .exec()
    .catch(() => {})
}

/** The hints that are about nodes of a client. */
const hintsFor = ({ chain, nodes }: BoardMember, hints: ReadonlyArray<NodeHint>): ReadonlyArray<Hint> => {
  const names = new Map(
    nodes().map(({ type, url }) => [hashNode(chainKeyOf(chain), { type, url }), { type, url }])
  )
  return hints.flatMap(({ node, ...hint }): ReadonlyArray<Hint> => {
    const named = names.get(node)
    return named === undefined ? [] : [{ ...named, ...hint }]
  })
}

/** The board that clients join. */
const makeBoard = (state: BoardState): Board => ({
  join: ({ chain = null, findings, network, nodes, onHints }) => {
    const { keepMs, known, members } = state
    const member: BoardMember = { chain: { network, chain }, findings, onHints, nodes, lastPublished: "" }
    members.add(member)
    const chainKey = chainKeyOf(member.chain)
    const fresh = [...known.values()].filter(
      (each) => each.chainKey === chainKey && redisTime(state) - each.at < keepMs
    )
    return {
      initialHints: hintsFor(
        member,
        fresh.map(({ hint }) => hint)
      ),
      publish: (hints) => publish(state, member, hints),
      leave: () => void members.delete(member)
    }
  }
})

/** Makes a function that logs ignored entries, at most one line per interval with their count. */
const makeLogIgnored = ({ monotonicMs }: BoardState) => {
  let ignoredCount = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return (id: string, reason: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      ignoredCount++
      if (monotonicMs() - loggedAt < LOG_INTERVAL_MS) return Effect.void
      loggedAt = monotonicMs()
      const count = ignoredCount
      ignoredCount = 0
      return Effect.annotateLogs(Effect.logWarning(new HintIgnored({ id, reason })), {
        _tag: "HintIgnored",
        count
      })
    })
}

/** Remembers the hints of an entry for clients that join later, and forgets old ones. */
const rememberHints = (state: BoardState, chainKey: string, at: number, nodes: Entry["nodes"]): void => {
  const { keepMs, known } = state
  for (const hint of nodes) {
    known.delete(hint.node)
    known.set(hint.node, { at, chainKey, hint })
  }
  for (const [node, { at: knownAt }] of known) {
    if (known.size <= LIMITS.remembered && redisTime(state) - knownAt < keepMs) break
    known.delete(node)
  }
}

/** Makes a function that remembers the hints of an entry, and gives recent ones to the clients. */
const makeHandleEntry = (state: BoardState) => {
  const { from, key, members, redis } = state
  const logIgnored = makeLogIgnored(state)
  // New ids are above the latest one: an entry of the future would hold up all others, so the stream is deleted.
  const resetStream = Effect.tryPromise(() => redis.del(key))
  return (id: string, fields: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
    Effect.suspend(() => {
      const at = Number(/^(\d{1,15})-\d{1,20}$/.exec(id)?.[1] ?? Number.NaN)
      const [name, text] = fields
      if (!(at <= redisTime(state) + NEWS_MS))
        return logIgnored(id, "its time has not come").pipe(
          Effect.zipRight(resetStream),
          Effect.zipRight(Effect.fail(id))
        )
      if (name !== "hint" || text === undefined || text.length > LIMITS.characters)
        return logIgnored(id, "it is no hint")
      const read = Schema.decodeUnknownEither(Entry)(text)
      if (Either.isLeft(read))
        return logIgnored(id, ParseResult.TreeFormatter.formatErrorSync(read.left).slice(0, 300))
      const entry = read.right
      const chainKey = chainKeyOf(entry)
      rememberHints(state, chainKey, at, entry.nodes)
      if (entry.from === from || redisTime(state) - at > NEWS_MS) return Effect.void
      return Effect.sync(() => {
        for (const member of members) {
          if (chainKeyOf(member.chain) !== chainKey) continue
          const hints = hintsFor(member, entry.nodes)
          if (hints.length > 0) member.onHints(hints)
        }
      })
    })
}

/** Reads the stream: what was missed, and what follows. */
const makeStreamReader = (state: BoardState) => {
  const { keepMs, key, monotonicMs, reader, redis } = state
  const handleEntry = makeHandleEntry(state)

  const handleEntries = (
    entries: ReadonlyArray<[id: string, fields: Array<string>]>
  ): Effect.Effect<void, unknown> =>
    Effect.forEach(
      entries,
      ([id, fields]) => {
        state.lastId = id
        return handleEntry(id, fields)
      },
      { discard: true }
    )

  /** Reads the entries of the time without a connection: at the start, or since Redis went away. The clock of Redis may have been set meanwhile. */
  const readMissed = Effect.gen(function* () {
    const [before, [seconds, micros], after] = yield* Effect.tryPromise(async () => {
      const began = monotonicMs()
      return [began, await redis.time(), monotonicMs()] as const
    })
    state.redisOffset = Number(seconds) * 1_000 + Number(micros) / 1_000 - (before + after) / 2
    const since = state.lastId === "0-0" ? keepMs : NEWS_MS
    state.lastId = `${Math.max(0, Math.trunc(redisTime(state) - since))}-0`
    const newestFirst = yield* Effect.tryPromise(() =>
      redis.xrevrange(key, "+", `(${state.lastId}`, "COUNT", LIMITS.entries)
    )
    yield* handleEntries(newestFirst.reverse())
  })

  const readNext = Effect.flatMap(
    Effect.tryPromise(() =>
      reader.xread("COUNT", LIMITS.entries, "BLOCK", BLOCK_MS, "STREAMS", key, state.lastId)
    ),
    (streams) => Effect.forEach(streams ?? [], ([, entries]) => handleEntries(entries), { discard: true })
  )

  /** Reads forever, and again after Redis was away. */
  const listen = Effect.zipRight(readMissed, Effect.forever(readNext)).pipe(
    Effect.ignore,
    Effect.zipRight(Effect.sleep(RETRY_MS)),
    Effect.forever
  )
  return { readMissed, listen }
}

/** Publishes the findings of health checks whenever they have changed. */
const publishFindings = (state: BoardState): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const member of state.members) {
      const found = member.findings()
      const text = JSON.stringify(found)
      if (text === member.lastPublished || found.length === 0) continue
      member.lastPublished = text
      publish(state, member, found)
    }
  }).pipe(Effect.repeat(Schedule.spaced(PUBLISH_INTERVAL_MS)), Effect.asVoid)

/**
 * Opens the board of a fleet. Fails if the url is not one of Redis. If Redis cannot be reached, clients start without hints, and get them later.
 *
 * ```ts
 * const board = yield* Health.make({ url: "redis://127.0.0.1:6379" })
 * const sdk = yield* Sdk.make({ network: "ethereum-mainnet", health: health(board) })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  url,
  prefix = "effect-chains:",
  keep = "150 seconds"
}: FleetHealthOptions): Effect.Effect<Board, RedisUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const unusable = (reason: string) => new RedisUnusable({ url: redactUrl(url), reason })
    const options = yield* Effect.mapError(parseUrl(url), (reason) => unusable(`its url ${reason}`))
    const keepMs = Math.trunc(Duration.toMillis(keep))
    if (!(keepMs >= NEWS_MS && keepMs <= 86_400_000))
      return yield* unusable(`keep must be from ${NEWS_MS / 1_000} seconds to a day`)
    const redis = yield* makeClient(options)
    const reader = yield* makeClient({ ...options, commandTimeout: 2 * BLOCK_MS })
    const clock = yield* Effect.clock
    const state: BoardState = {
      redis,
      reader,
      key: `${prefix}health:${VERSION}`,
      keepMs,
      from: randomUUID(),
      members: new Set(),
      known: new Map(),
      monotonicMs: () => Number(clock.unsafeCurrentTimeNanos()) / 1e6,
      redisOffset: undefined,
      lastId: "0-0"
    }
    const { listen, readMissed } = makeStreamReader(state)
    const connect = Effect.tryPromise(() => Promise.all([redis.connect(), reader.connect()]))
    yield* Effect.catchAll(Effect.zipRight(connect, readMissed), () =>
      Effect.logWarning("The Redis of shared health cannot be reached: this process starts without hints")
    )
    yield* Effect.forkScoped(listen)
    yield* Effect.forkScoped(publishFindings(state))
    return makeBoard(state)
  })

/**
 * A board for programs of promises, as {@link make} opens it.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenBoard extends Board {
  readonly close: () => Promise<void>
}

/**
 * Opens the board of a fleet for programs of promises, as {@link make} does. Close it to end its connections.
 *
 * ```ts
 * const board = await Health.open({ url: "redis://127.0.0.1:6379" })
 * const sdk = await init({ network: "ethereum-mainnet", health: health(board) })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (options: FleetHealthOptions): Promise<OpenBoard> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const runtime = yield* Effect.runtime<never>()
      const board = yield* make(options).pipe(
        Effect.provideService(Scope.Scope, scope),
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
      const close = (): Promise<void> => Runtime.runPromise(runtime)(Scope.close(scope, Exit.void))
      return { ...board, close }
    })
  )
