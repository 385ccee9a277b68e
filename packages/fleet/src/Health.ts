/**
 * What the processes of a fleet find of their nodes, told to each other by a stream in Redis: the board that `health` of
 * `effect-chains/health` and `effect-chains/effect/health` takes.
 *
 * A node is in it by a hash of its url as it may be printed, with its network and chain: no key goes to Redis, by no way. The stream orders
 * hints by Redis' time, and forgets them. While Redis is away nobody hears anything, and calls go on as they do without it.
 *
 * @since 0.1.0
 */
import { createHash, randomUUID } from "node:crypto"
import type * as Clock from "effect/Clock"
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
 * An entry of the stream that this process did not make and does not understand: it is ignored, and logged. `id` is its place in the stream.
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
 * Where a fleet tells what it finds. `prefix` comes before the key in Redis (default `effect-chains:`): processes with the same one are one
 * fleet. What was found is known to new processes for as long as `keep` (default 150 seconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface FleetHealthOptions {
  readonly url: string
  readonly prefix?: string
  readonly keep?: Duration.DurationInput
}

/** The version of the entries: another one has another stream. */
const VERSION = 1

/** The most entries that are read at once, nodes in an entry, characters of an entry, and nodes that are remembered. */
const LIMITS = { entries: 1_000, nodes: 256, characters: 65_536, remembered: 20_000 }

/** An older hint tells a process that runs nothing any more, in milliseconds: it was away. */
const NEWS_MS = 5_000

/** What has been told of a node is not told by others again for so long, in milliseconds. */
const REPEAT_AFTER_MS = 5_000

/** So often a process looks what its own checks have found, in milliseconds. */
const PUBLISH_INTERVAL_MS = 1_000

/** So long Redis holds the question for new hints, in milliseconds. */
const BLOCK_MS = 2_000

/** Redis is asked again after so long, in milliseconds. */
const RETRY_MS = 200

/** Lines of the log about hints that are ignored come once in so long, in milliseconds. */
const LOG_INTERVAL_MS = 10_000

const Milliseconds = Schema.Number.pipe(Schema.between(0, 3_600_000))

/** An entry: what a process has found of nodes of a chain. */
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

/** The name of a node in Redis. Where urls are printed the same, so are these. */
const hashNode = (place: string, { type, url }: Pick<Hint, "type" | "url">): string =>
  createHash("sha256").update(`${place} ${type} ${url}`).digest("hex").slice(0, 32)

interface KnownHint {
  readonly at: number
  readonly chainKey: string
  readonly hint: NodeHint
}

/** A client of this process, with the names of its nodes and what it has told last. */
interface BoardMember extends Pick<Member, "findings" | "onHints" | "nodes"> {
  readonly place: Pick<Entry, "chain" | "network">
  lastPublished: string
}

interface BoardOptions {
  readonly redis: Redis
  readonly reader: Redis
  readonly key: string
  readonly keep: number
}

/** The board of this process, and what keeps it up to date. */
const makeBoard = ({ keep, key, reader, redis }: BoardOptions, clock: Clock.Clock) => {
  const from = randomUUID()
  const members = new Set<BoardMember>()
  const known = new Map<string, KnownHint>()
  let lastId = "0-0"
  /** The time of Redis less that of the clock that never jumps, once it is known. */
  let redisOffset: number | undefined
  let ignoredCount = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const monotonic = (): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6
  const time = (): number => monotonic() + (redisOffset ?? 0)

  const tell = (joined: BoardMember, hints: ReadonlyArray<Hint>): void => {
    const place = chainKeyOf(joined.place)
    const nodes = hints.slice(0, LIMITS.nodes).flatMap(({ type, url, ...hint }): ReadonlyArray<NodeHint> => {
      const node = hashNode(place, { type, url })
      const before = known.get(node)
      const isKnown = before?.hint._tag === "Failed" && time() - before.at < REPEAT_AFTER_MS
      return isKnown && hint._tag === "Failed" ? [] : [{ node, ...hint }]
    })
    if (nodes.length === 0 || redisOffset === undefined) return
    const entry: Entry = { from, ...joined.place, nodes }
    const oldest = Math.max(0, Math.trunc(time() - keep))
    // nobody waits for it, and while Redis is away there is nobody to hear it
    redis
      .multi()
      .xadd(key, "MINID", "~", oldest, "*", "hint", JSON.stringify(entry))
      .pexpire(key, keep)
      .exec()
      .catch(() => {})
  }

  /** The hints for a client, in the names of its nodes. */
  const hintsFor = ({ nodes, place }: BoardMember, told: ReadonlyArray<NodeHint>): ReadonlyArray<Hint> => {
    const names = new Map(
      nodes().map(({ type, url }) => [hashNode(chainKeyOf(place), { type, url }), { type, url }])
    )
    return told.flatMap(({ node, ...hint }): ReadonlyArray<Hint> => {
      const named = names.get(node)
      return named === undefined ? [] : [{ ...named, ...hint }]
    })
  }

  const board: Board = {
    join: ({ chain = null, findings, onHints, network, nodes }) => {
      const joined: BoardMember = { place: { network, chain }, findings, onHints, nodes, lastPublished: "" }
      members.add(joined)
      const place = chainKeyOf(joined.place)
      const fresh = [...known.values()].filter((each) => each.chainKey === place && time() - each.at < keep)
      return {
        initialHints: hintsFor(
          joined,
          fresh.map(({ hint }) => hint)
        ),
        publish: (hints) => tell(joined, hints),
        leave: () => void members.delete(joined)
      }
    }
  }

  const logIgnored = (id: string, reason: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      ignoredCount++
      if (monotonic() - loggedAt < LOG_INTERVAL_MS) return Effect.void
      loggedAt = monotonic()
      const count = ignoredCount
      ignoredCount = 0
      return Effect.annotateLogs(Effect.logWarning(new HintIgnored({ id, reason })), {
        _tag: "HintIgnored",
        count
      })
    })

  /** Entries come after the one with the latest time, so that one of a time to come would hold up all others: the stream begins anew. */
  const resetStream = Effect.tryPromise(() => redis.del(key))

  /** Takes an entry: it is remembered for new clients, and told to those that are there, if it is news. */
  const handleEntry = (id: string, fields: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
    Effect.suspend(() => {
      const at = Number(/^(\d{1,15})-\d{1,20}$/.exec(id)?.[1] ?? Number.NaN)
      const [name, text] = fields
      if (!(at <= time() + NEWS_MS))
        return logIgnored(id, "its time has not come").pipe(
          Effect.zipRight(resetStream),
          Effect.zipRight(Effect.fail(id))
        )
      if (name !== "hint" || text === undefined || text.length > LIMITS.characters)
        return logIgnored(id, "it is no hint")
      const read = Schema.decodeUnknownEither(Entry)(text)
      if (Either.isLeft(read))
        return logIgnored(id, ParseResult.TreeFormatter.formatErrorSync(read.left).slice(0, 300))
      const { from: whose, nodes } = read.right
      const chainKey = chainKeyOf(read.right)
      for (const hint of nodes) {
        known.delete(hint.node)
        known.set(hint.node, { at, chainKey, hint })
      }
      for (const [node, { at }] of known) {
        if (known.size <= LIMITS.remembered && time() - at < keep) break
        known.delete(node)
      }
      if (whose === from || time() - at > NEWS_MS) return Effect.void
      return Effect.sync(() => {
        for (const joined of members) {
          if (chainKeyOf(joined.place) !== chainKey) continue
          const hints = hintsFor(joined, nodes)
          if (hints.length > 0) joined.onHints(hints)
        }
      })
    })

  const handleEntries = (
    entries: ReadonlyArray<[id: string, fields: Array<string>]>
  ): Effect.Effect<void, unknown> =>
    Effect.forEach(
      entries,
      ([id, fields]) => {
        lastId = id
        return handleEntry(id, fields)
      },
      { discard: true }
    )

  /** Reads what was told while nobody listened: from the start, or since Redis was away, however its time was set meanwhile. */
  const resume = Effect.gen(function* () {
    const [before, [seconds, micros], after] = yield* Effect.tryPromise(async () => {
      const began = monotonic()
      return [began, await redis.time(), monotonic()] as const
    })
    redisOffset = Number(seconds) * 1_000 + Number(micros) / 1_000 - (before + after) / 2
    const since = lastId === "0-0" ? keep : NEWS_MS
    lastId = `${Math.max(0, Math.trunc(time() - since))}-0`
    const told = yield* Effect.tryPromise(() =>
      redis.xrevrange(key, "+", `(${lastId}`, "COUNT", LIMITS.entries)
    )
    yield* handleEntries(told.reverse())
  })

  const readNext = Effect.flatMap(
    Effect.tryPromise(() => reader.xread("COUNT", LIMITS.entries, "BLOCK", BLOCK_MS, "STREAMS", key, lastId)),
    (streams) => Effect.forEach(streams ?? [], ([, entries]) => handleEntries(entries), { discard: true })
  )

  /** Hears what others tell, for as long as Redis is there, and again when it is back. */
  const listening = Effect.zipRight(resume, Effect.forever(readNext)).pipe(
    Effect.ignore,
    Effect.zipRight(Effect.sleep(RETRY_MS)),
    Effect.forever
  )

  /** Tells what checks have found, when that is new. */
  const looking = Effect.sync(() => {
    for (const joined of members) {
      const found = joined.findings()
      const text = JSON.stringify(found)
      if (text === joined.lastPublished || found.length === 0) continue
      joined.lastPublished = text
      tell(joined, found)
    }
  }).pipe(Effect.repeat(Schedule.spaced(PUBLISH_INTERVAL_MS)), Effect.asVoid)

  return { board, resume, listening, looking }
}

/**
 * The board of a fleet. It fails where the url is none of Redis. A Redis that cannot be reached is waited for meanwhile: clients start
 * without hints.
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
    const kept = Math.trunc(Duration.toMillis(keep))
    if (!(kept >= NEWS_MS && kept <= 86_400_000))
      return yield* unusable(`keep must be from ${NEWS_MS / 1_000} seconds to a day`)
    const redis = yield* makeClient(options)
    const reader = yield* makeClient({ ...options, commandTimeout: 2 * BLOCK_MS })
    const { board, listening, looking, resume } = makeBoard(
      { redis, reader, key: `${prefix}health:${VERSION}`, keep: kept },
      yield* Effect.clock
    )
    const arrived = Effect.tryPromise(() => Promise.all([redis.connect(), reader.connect()]))
    yield* Effect.catchAll(Effect.zipRight(arrived, resume), () =>
      Effect.logWarning("The Redis of shared health cannot be reached: this process starts without hints")
    )
    yield* Effect.forkScoped(listening)
    yield* Effect.forkScoped(looking)
    return board
  })

/**
 * The board of a fleet for programs of promises: that of {@link make}, until it is closed.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenBoard extends Board {
  readonly close: () => Promise<void>
}

/**
 * The board of a fleet for programs of promises, as {@link make}. It holds connections until it is closed.
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
