/**
 * The quota of a key for all processes of a fleet: the token bucket of `RateLimiter` in Redis, behind a queue in each process, which
 * reserves for its first call alone. It takes the place of `quota` of `effect-chains/effect/quota`.
 *
 * Times are those of Redis, whatever the clock of the machine says. The rate that a 429 has lowered is a key of its own, which all
 * processes follow. While Redis is away, each process keeps to its share of the rate, and comes back when Redis does. All keys expire.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import * as RateLimiter from "@effect/experimental/RateLimiter"
import type * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import {
  type Bucket,
  type Limit,
  localBucket,
  lower,
  type Pace,
  type QuotaOptions,
  quotaOver,
  raise,
  steady
} from "effect-chains/effect/quota"
import type { Redis } from "ioredis"
import { connected, optionsOf, RedisUnusable, shown } from "./redis.js"

export { RedisUnusable } from "./redis.js"

/**
 * The clock of this machine is off by `ms` milliseconds from that of Redis. Set it, and start again.
 *
 * @since 0.1.0
 * @category errors
 */
export class ClockOff extends Data.TaggedError("ClockOff")<{ readonly ms: number }> {
  override get message(): string {
    return `The clock of this machine is ${Math.round(this.ms)} ms off from that of Redis: set it (NTP), and start again`
  }
}

/**
 * The store is of another version of this package. Use another `prefix`, or let all processes of the fleet have one version.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreOfOtherVersion extends Data.TaggedError("StoreOfOtherVersion")<{
  readonly found: string
  readonly expected: string
}> {
  override get message(): string {
    return `The store in Redis is of version ${this.found}, and this process knows ${this.expected}: use another prefix, or one version in the whole fleet`
  }
}

/**
 * The quota of a fleet. `prefix` comes before all keys in Redis (default `effect-chains:`), `name` is that of the key of the provider (never
 * the key itself; default `key`). While Redis is away for a process, it keeps to its part of the rate: one of as many as there were. The
 * parts of those that have gone without a word are left to them, as long as there are not more than `processes` in all (default 8).
 *
 * @since 0.1.0
 * @category models
 */
export interface FleetQuotaOptions extends QuotaOptions {
  readonly url: string
  readonly prefix?: string
  readonly name?: string
  readonly processes?: number
}

/** The version of what is stored. */
const VERSION = "2"

/** Clocks that are further apart, in milliseconds, are wrong and not merely inexact. */
const LARGEST_SKEW = 60_000

/** All keys are forgotten after so long without use, in milliseconds. */
const EXPIRY = 300_000

/** How often a process looks at the clock and the rate of the others, in milliseconds. */
const LOOK = 250

/** What failed by Redis is tried there again after so long, in milliseconds. */
const AWAY = 1_000

/** A process is there as long as it was heard of within so many milliseconds. */
const THERE = 2_000

/**
 * Takes tokens of the bucket that a hash holds, by the time of Redis. Yields the whole tokens that are left: below none are those that
 * others have to wait for.
 */
const TAKE = `
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local tokens, refill, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call("HMGET", KEYS[1], "left", "at")
local left, at = tonumber(kept[1]) or limit, tonumber(kept[2]) or now
local next = math.min(limit, left + math.max(0, now - at) / refill) - tokens
if next >= 0 or ARGV[4] == "1" then
  redis.call("HSET", KEYS[1], "left", string.format("%.6f", math.min(limit, next)), "at", string.format("%.3f", math.max(now, at)))
  redis.call("PEXPIRE", KEYS[1], ARGV[5])
end
return math.floor(next)`

/**
 * The limiter's store, over the connection that everything else goes by. Its own one has no listener for errors, so that ioredis prints
 * them; it fails at its end where Redis is away, goes by the clock of the caller, and its keys never expire.
 */
const storeOver = (redis: Redis, prefix: string): RateLimiter.RateLimiterStore["Type"] =>
  RateLimiter.RateLimiterStore.of({
    fixedWindow: () =>
      Effect.fail(
        new RateLimiter.RateLimitStoreError({ message: "a quota has no windows", cause: undefined })
      ),
    tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
      Effect.tryPromise({
        try: async () =>
          Number(
            await redis.eval(
              TAKE,
              1,
              `${prefix}${key}`,
              tokens,
              Duration.toMillis(refillRate),
              limit,
              allowOverflow ? 1 : 0,
              EXPIRY
            )
          ),
        catch: (cause) => new RateLimiter.RateLimitStoreError({ message: "Redis gave no token", cause })
      })
  })

/** The time of Redis, in milliseconds, less that of this machine. */
const skewOf = (redis: Redis): Effect.Effect<number, unknown> =>
  Effect.clockWith((clock) =>
    Effect.suspend(() => {
      const before = clock.unsafeCurrentTimeMillis()
      return Effect.map(
        Effect.tryPromise(() => redis.time()),
        ([seconds, micros]) =>
          Number(seconds) * 1_000 + Number(micros) / 1_000 - (before + clock.unsafeCurrentTimeMillis()) / 2
      )
    })
  )

const checked = (redis: Redis, url: string, prefix: string) =>
  Effect.gen(function* () {
    const unusable = (cause: unknown) => new RedisUnusable({ url: shown(url), reason: String(cause) })
    const skew = yield* Effect.mapError(skewOf(redis), unusable)
    if (Math.abs(skew) >= LARGEST_SKEW) return yield* new ClockOff({ ms: -skew })
    const key = `${prefix}version`
    const found = yield* Effect.tryPromise({
      try: async () => {
        await redis.set(key, VERSION, "PX", EXPIRY, "NX")
        return (await redis.get(key)) ?? VERSION
      },
      catch: unusable
    })
    if (found !== VERSION) return yield* new StoreOfOtherVersion({ found, expected: VERSION })
    return skew
  })

/** What the buckets of a process share. */
interface Shared {
  readonly redis: Redis
  readonly limiter: RateLimiter.RateLimiter
  readonly prefix: string
  skew: number
  /** How many processes have Redis, and how many parts the rate has. */
  there: number
  parts: number
}

const monotonic = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

/** The rate of the others, as it is stored: times are those of Redis. */
const isPace = (value: unknown): value is Pace =>
  typeof value === "object" &&
  value !== null &&
  ["rate", "since", "lowered", "until"].every((name) => Number.isFinite(Reflect.get(value, name)))

const paceIn = (text: string | null): Pace | undefined => {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isPace(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A bucket in Redis, and the one of this process for when it is away. */
const bucketOf = (
  shared: Shared,
  name: string,
  limit: Limit
): Bucket & { readonly look: Effect.Effect<void> } => {
  const { limiter, prefix, redis } = shared
  const { requestsPerSecond, burst = requestsPerSecond } = limit
  const part = (parts: number): Bucket =>
    localBucket({ requestsPerSecond: requestsPerSecond / parts, burst: Math.max(1, burst / parts) })
  let parts = shared.parts
  let local = part(parts)
  const keys = { bucket: `${name}:bucket`, pace: `${prefix}${name}:pace` }
  const full = steady(requestsPerSecond)
  let pace = full
  let away = Number.NEGATIVE_INFINITY
  /** The time of Redis, less the one that never jumps. */
  let ahead = 0
  /** How long one call of this process takes to get its token, in milliseconds: others wait for theirs. */
  let interval = 1_000 / requestsPerSecond
  let isFromLocal = false
  let hasLooked = false

  /** The rate of those that have Redis: the others take their parts without asking. */
  const rate = (): number => (pace.rate * shared.there) / shared.parts

  const size = Math.max(1, Math.trunc(burst))
  const consume = (tokens: number): Effect.Effect<number, RateLimiter.RateLimiterError> =>
    Effect.suspend(() =>
      limiter.consume({
        algorithm: "token-bucket",
        onExceeded: "delay",
        key: keys.bucket,
        limit: size,
        window: Duration.millis((size * 1_000) / rate()),
        tokens
      })
    ).pipe(Effect.map(({ delay }) => Duration.toMillis(delay)))

  /** From now on this process takes its part, of as many as there were when Redis was last there. */
  const leave = (now: number): Effect.Effect<number> =>
    Effect.suspend(() => {
      away = now + AWAY
      isFromLocal = true
      if (parts === shared.parts) return local.reserve
      parts = shared.parts
      local = part(parts)
      const isLowered = pace.rate < requestsPerSecond
      const lowered = isLowered ? local.refused(now, now, Math.max(0, pace.until - ahead - now)) : Effect.void
      return Effect.zipRight(lowered, local.reserve)
    })

  const store = (next: Pace): Effect.Effect<void> => {
    pace = next
    return Effect.ignore(Effect.tryPromise(() => redis.set(keys.pace, JSON.stringify(next), "PX", EXPIRY)))
  }

  const look = Effect.clockWith((clock) =>
    Effect.zipRight(
      Effect.sync(() => {
        hasLooked = true
      }),
      Effect.matchEffect(
        Effect.tryPromise(async () => {
          const [stored] = await Promise.all([
            redis.get(keys.pace),
            redis.pexpire(`${prefix}version`, EXPIRY)
          ])
          return stored
        }),
        {
          onFailure: () => Effect.void,
          onSuccess: (stored) =>
            Effect.sync(() => {
              ahead = clock.unsafeCurrentTimeMillis() + shared.skew - monotonic(clock)
              pace = paceIn(stored) ?? full
            })
        }
      )
    )
  )

  const reserve = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    ahead = clock.unsafeCurrentTimeMillis() + shared.skew - now
    isFromLocal = now < away
    if (isFromLocal) return local.reserve
    return Effect.matchEffect(consume(1), {
      onFailure: () => leave(now),
      onSuccess: (delay) => {
        interval += (Math.max(1_000 / rate(), delay) - interval) / 8
        return Effect.succeed(delay)
      }
    })
  })

  return {
    look,
    // the node of a client that was made later may have a lower rate already
    reserve: Effect.suspend(() => (hasLooked ? reserve : Effect.zipRight(look, reserve))),
    restore: Effect.suspend(() => (isFromLocal ? local.restore : Effect.ignore(consume(-1)))),
    after: (n, now) =>
      now < away
        ? local.after(n, now)
        : Math.max(0, pace.until - ahead - now, 0) + Math.max(0, n - 1) * interval,
    until: () => pace.until - ahead,
    answered: (now) =>
      Effect.zipRight(
        Effect.suspend(() => local.answered(now)),
        Effect.suspend(() =>
          pace.rate >= requestsPerSecond || now + ahead - pace.since < LOOK
            ? Effect.void
            : store(raise(pace, requestsPerSecond, now + ahead))
        )
      ),
    refused: (sent, now, pause) =>
      Effect.zipRight(
        Effect.suspend(() => local.refused(sent, now, pause)),
        Effect.suspend(() => {
          const next = lower(pace, requestsPerSecond, { sent: sent + ahead, now: now + ahead, pause })
          return next === pace ? Effect.succeed(undefined) : Effect.as(store(next), next.rate)
        })
      )
  }
}

/**
 * The quota of a fleet, as the option `quota` of clients. It fails, before anything is sent, where Redis is not there, where the clock of
 * this machine is a minute off, and where the store is of another version. Redis may go away later.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: FleetQuotaOptions
): Effect.Effect<ReturnType<typeof quotaOver>, RedisUnusable | ClockOff | StoreOfOtherVersion, Scope.Scope> =>
  Effect.gen(function* () {
    const { name = "key", prefix = "effect-chains:", processes = 8, url, ...limits } = options
    const target = yield* Effect.mapError(
      optionsOf(url),
      (reason) => new RedisUnusable({ url: shown(url), reason: `its url ${reason}` })
    )
    const redis = yield* connected(url, target)
    const skew = yield* checked(redis, url, prefix)
    const limiter = yield* Effect.provideService(
      RateLimiter.make,
      RateLimiter.RateLimiterStore,
      storeOver(redis, prefix)
    )
    const shared: Shared = { redis, limiter, prefix, skew, there: 1, parts: processes }
    const members = `${prefix}${name}:processes`
    const self = crypto.randomUUID()
    // one that says that it goes leaves its part to the others
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.tryPromise(() => redis.zrem(members, self))))
    const count = Effect.clockWith((clock) =>
      Effect.ignore(
        Effect.tryPromise(async () => {
          const time = clock.unsafeCurrentTimeMillis() + shared.skew
          await redis.zadd(members, time, self)
          const [there, known] = await Promise.all([
            redis.zcount(members, time - THERE, "+inf"),
            redis.zcard(members),
            redis.zremrangebyscore(members, "-inf", time - EXPIRY),
            redis.pexpire(members, EXPIRY)
          ])
          shared.there = Math.max(1, there)
          shared.parts = Math.max(shared.there, Math.min(known, processes))
        })
      )
    )
    const looks: Array<Effect.Effect<void>> = []
    const quota = quotaOver(limits, (each, limit) => {
      // the path of a node's url may be its key
      const of = each === "key" ? name : `${name}:${createHash("sha256").update(each).digest("hex")}`
      const bucket = bucketOf(shared, of, limit)
      looks.push(bucket.look)
      return bucket
    })
    const look = Effect.zipRight(
      Effect.match(skewOf(redis), {
        onFailure: () => {},
        onSuccess: (found) => {
          shared.skew = found
        }
      }),
      // clients that are made later bring nodes with limits of their own
      Effect.suspend(() => Effect.all([count, ...looks], { discard: true }))
    )
    yield* look
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(LOOK)))
    return quota
  })
