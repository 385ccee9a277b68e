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
import { client, optionsOf, RedisUnusable, shown } from "./redis.js"

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
const MOST = { entries: 1_000, nodes: 256, characters: 65_536, remembered: 20_000 }

/** An older hint tells a process that runs nothing any more, in milliseconds: it was away. */
const NEWS = 5_000

/** What has been told of a node is not told by others again for so long, in milliseconds. */
const AGAIN = 5_000

/** So often a process looks what its own checks have found, in milliseconds. */
const LOOK = 1_000

/** So long Redis holds the question for new hints, in milliseconds. */
const HOLD = 2_000

/** Redis is asked again after so long, in milliseconds. */
const AWAY = 200

/** Lines of the log about hints that are ignored come once in so long, in milliseconds. */
const QUIET = 10_000

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
    ).pipe(Schema.minItems(1), Schema.maxItems(MOST.nodes))
  })
)

type Entry = typeof Entry.Type
type Told = Entry["nodes"][number]

const placeOf = ({ chain, network }: Pick<Entry, "chain" | "network">): string => `${network} ${chain}`

/** The name of a node in Redis. Where urls are printed the same, so are these. */
const nameOf = (place: string, { type, url }: Pick<Hint, "type" | "url">): string =>
  createHash("sha256").update(`${place} ${type} ${url}`).digest("hex").slice(0, 32)

interface Known {
  readonly at: number
  readonly place: string
  readonly told: Told
}

/** A client of this process, with the names of its nodes and what it has told last. */
interface Joined extends Pick<Member, "findings" | "onHints" | "nodes"> {
  readonly place: Pick<Entry, "chain" | "network">
  last: string
}

interface Needs {
  readonly redis: Redis
  readonly reader: Redis
  readonly key: string
  readonly keep: number
}

/** The board of this process, and what keeps it up to date. */
const boardOf = ({ keep, key, reader, redis }: Needs, clock: Clock.Clock) => {
  const from = randomUUID()
  const members = new Set<Joined>()
  const known = new Map<string, Known>()
  let last = "0-0"
  /** The time of Redis less that of the clock that never jumps, once it is known. */
  let ahead: number | undefined
  let ignored = 0
  let saidAt = Number.NEGATIVE_INFINITY

  const monotonic = (): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6
  const time = (): number => monotonic() + (ahead ?? 0)

  const tell = (joined: Joined, hints: ReadonlyArray<Hint>): void => {
    const place = placeOf(joined.place)
    const nodes = hints.slice(0, MOST.nodes).flatMap(({ type, url, ...hint }): ReadonlyArray<Told> => {
      const node = nameOf(place, { type, url })
      const before = known.get(node)
      const isKnown = before?.told._tag === "Failed" && time() - before.at < AGAIN
      return isKnown && hint._tag === "Failed" ? [] : [{ node, ...hint }]
    })
    if (nodes.length === 0 || ahead === undefined) return
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
  const hintsFor = ({ nodes, place }: Joined, told: ReadonlyArray<Told>): ReadonlyArray<Hint> => {
    const names = new Map(
      nodes().map(({ type, url }) => [nameOf(placeOf(place), { type, url }), { type, url }])
    )
    return told.flatMap(({ node, ...hint }): ReadonlyArray<Hint> => {
      const named = names.get(node)
      return named === undefined ? [] : [{ ...named, ...hint }]
    })
  }

  const board: Board = {
    join: ({ chain = null, findings, onHints, network, nodes }) => {
      const joined: Joined = { place: { network, chain }, findings, onHints, nodes, last: "" }
      members.add(joined)
      const place = placeOf(joined.place)
      const fresh = [...known.values()].filter((each) => each.place === place && time() - each.at < keep)
      return {
        initialHints: hintsFor(
          joined,
          fresh.map(({ told }) => told)
        ),
        publish: (hints) => tell(joined, hints),
        leave: () => void members.delete(joined)
      }
    }
  }

  const ignore = (id: string, reason: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      ignored++
      if (monotonic() - saidAt < QUIET) return Effect.void
      saidAt = monotonic()
      const count = ignored
      ignored = 0
      return Effect.annotateLogs(Effect.logWarning(new HintIgnored({ id, reason })), {
        _tag: "HintIgnored",
        count
      })
    })

  /** Entries come after the one with the latest time, so that one of a time to come would hold up all others: the stream begins anew. */
  const renewed = Effect.tryPromise(() => redis.del(key))

  /** Takes an entry: it is remembered for new clients, and told to those that are there, if it is news. */
  const take = (id: string, fields: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
    Effect.suspend(() => {
      const at = Number(/^(\d{1,15})-\d{1,20}$/.exec(id)?.[1] ?? Number.NaN)
      const [name, text] = fields
      if (!(at <= time() + NEWS))
        return ignore(id, "its time has not come").pipe(
          Effect.zipRight(renewed),
          Effect.zipRight(Effect.fail(id))
        )
      if (name !== "hint" || text === undefined || text.length > MOST.characters)
        return ignore(id, "it is no hint")
      const read = Schema.decodeUnknownEither(Entry)(text)
      if (Either.isLeft(read))
        return ignore(id, ParseResult.TreeFormatter.formatErrorSync(read.left).slice(0, 300))
      const { from: whose, nodes } = read.right
      const place = placeOf(read.right)
      for (const told of nodes) {
        known.delete(told.node)
        known.set(told.node, { at, place, told })
      }
      for (const [node, { at }] of known) {
        if (known.size <= MOST.remembered && time() - at < keep) break
        known.delete(node)
      }
      if (whose === from || time() - at > NEWS) return Effect.void
      return Effect.sync(() => {
        for (const joined of members) {
          if (placeOf(joined.place) !== place) continue
          const hints = hintsFor(joined, nodes)
          if (hints.length > 0) joined.onHints(hints)
        }
      })
    })

  const takeAll = (
    entries: ReadonlyArray<[id: string, fields: Array<string>]>
  ): Effect.Effect<void, unknown> =>
    Effect.forEach(
      entries,
      ([id, fields]) => {
        last = id
        return take(id, fields)
      },
      { discard: true }
    )

  /** Reads what was told while nobody listened: from the start, or since Redis was away, however its time was set meanwhile. */
  const resume = Effect.gen(function* () {
    const [before, [seconds, micros], after] = yield* Effect.tryPromise(async () => {
      const began = monotonic()
      return [began, await redis.time(), monotonic()] as const
    })
    ahead = Number(seconds) * 1_000 + Number(micros) / 1_000 - (before + after) / 2
    const since = last === "0-0" ? keep : NEWS
    last = `${Math.max(0, Math.trunc(time() - since))}-0`
    const told = yield* Effect.tryPromise(() => redis.xrevrange(key, "+", `(${last}`, "COUNT", MOST.entries))
    yield* takeAll(told.reverse())
  })

  const heard = Effect.flatMap(
    Effect.tryPromise(() => reader.xread("COUNT", MOST.entries, "BLOCK", HOLD, "STREAMS", key, last)),
    (streams) => Effect.forEach(streams ?? [], ([, entries]) => takeAll(entries), { discard: true })
  )

  /** Hears what others tell, for as long as Redis is there, and again when it is back. */
  const listening = Effect.zipRight(resume, Effect.forever(heard)).pipe(
    Effect.ignore,
    Effect.zipRight(Effect.sleep(AWAY)),
    Effect.forever
  )

  /** Tells what checks have found, when that is new. */
  const looking = Effect.sync(() => {
    for (const joined of members) {
      const found = joined.findings()
      const text = JSON.stringify(found)
      if (text === joined.last || found.length === 0) continue
      joined.last = text
      tell(joined, found)
    }
  }).pipe(Effect.repeat(Schedule.spaced(LOOK)), Effect.asVoid)

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
    const unusable = (reason: string) => new RedisUnusable({ url: shown(url), reason })
    const options = yield* Effect.mapError(optionsOf(url), (reason) => unusable(`its url ${reason}`))
    const kept = Math.trunc(Duration.toMillis(keep))
    if (!(kept >= NEWS && kept <= 86_400_000))
      return yield* unusable(`keep must be from ${NEWS / 1_000} seconds to a day`)
    const redis = yield* client(options)
    const reader = yield* client({ ...options, commandTimeout: 2 * HOLD })
    const { board, listening, looking, resume } = boardOf(
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
