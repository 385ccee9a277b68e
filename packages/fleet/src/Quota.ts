/**
 * The quota of a key for all processes of a fleet: the token bucket of `RateLimiter` in Redis, behind a queue in each process, which
 * reserves for its first call alone. It takes the place of `quota` of `effect-chains/effect/quota`.
 *
 * Times are those of Redis, whatever the clock of the machine says. The rate that a 429 has lowered is a key of its own, which all
 * processes follow. While Redis is away, each process keeps to its share of the rate, and comes back when Redis does. All keys expire.
 *
 * @since 0.1.0
 */
import * as RateLimiter from "@effect/experimental/RateLimiter"
import * as RedisStore from "@effect/experimental/RateLimiter/Redis"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
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
 * the key itself; default `key`). While Redis is away, a process keeps to its part of the rate: one of `processes` (default 8).
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
const VERSION = "1"

/** Clocks that are further apart, in milliseconds, are wrong and not merely inexact. */
const LARGEST_SKEW = 60_000

/** All keys are forgotten after so long without use, in milliseconds. */
const EXPIRY = 300_000

/** How often a process looks at the clock and the rate of the others, in milliseconds. */
const LOOK = 250

/** What failed by Redis is tried there again after so long, in milliseconds. */
const AWAY = 1_000

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
  readonly processes: number
  skew: number
}

const monotonic = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

/** A clock that shows the time of Redis. */
const clockOf = (clock: Clock.Clock, skew: number): Clock.Clock => ({
  ...clock,
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => Math.round(clock.unsafeCurrentTimeMillis() + skew),
  unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
  sleep: (duration) => clock.sleep(duration)
})

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
  const { limiter, prefix, processes, redis } = shared
  const { requestsPerSecond, burst = requestsPerSecond } = limit
  const local = localBucket({
    requestsPerSecond: requestsPerSecond / processes,
    burst: Math.max(1, burst / processes)
  })
  const keys = { bucket: `${name}:bucket`, pace: `${prefix}${name}:pace` }
  const full = steady(requestsPerSecond)
  let pace = full
  let away = Number.NEGATIVE_INFINITY
  /** The time of Redis, less the one that never jumps. */
  let ahead = 0
  /** How long one call of this process takes to get its token, in milliseconds: others wait for theirs. */
  let interval = 1_000 / requestsPerSecond
  let isFromLocal = false

  const consume = (tokens: number): Effect.Effect<number, RateLimiter.RateLimiterError> =>
    Effect.clockWith((clock) =>
      limiter
        .consume({
          algorithm: "token-bucket",
          onExceeded: "delay",
          key: keys.bucket,
          limit: Math.max(1, Math.trunc(burst)),
          window: Duration.millis((Math.max(1, Math.trunc(burst)) * 1_000) / pace.rate),
          tokens
        })
        .pipe(
          Effect.withClock(clockOf(clock, shared.skew)),
          Effect.map(({ delay }) => {
            // the limiter's script takes the expiry from its keys each time
            for (const key of [keys.bucket, `${keys.bucket}:refill`])
              redis.pexpire(`${prefix}${key}`, EXPIRY).catch(() => {})
            return Duration.toMillis(delay)
          })
        )
    )

  const store = (next: Pace): Effect.Effect<void> => {
    pace = next
    return Effect.ignore(Effect.tryPromise(() => redis.set(keys.pace, JSON.stringify(next), "PX", EXPIRY)))
  }

  return {
    look: Effect.clockWith((clock) =>
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
    ),
    reserve: Effect.clockWith((clock) => {
      const now = monotonic(clock)
      ahead = clock.unsafeCurrentTimeMillis() + shared.skew - now
      isFromLocal = now < away
      if (isFromLocal) return local.reserve
      return Effect.matchEffect(consume(1), {
        onFailure: () => {
          away = now + AWAY
          isFromLocal = true
          return local.reserve
        },
        onSuccess: (delay) => {
          interval += (Math.max(1_000 / pace.rate, delay) - interval) / 8
          return Effect.succeed(delay)
        }
      })
    }),
    restore: Effect.suspend(() => (isFromLocal ? local.restore : Effect.ignore(consume(-1)))),
    after: (n, now) =>
      now < away
        ? local.after(n, now)
        : Math.max(0, pace.until - ahead - now, 0) + Math.max(0, n - 1) * interval,
    until: () => pace.until - ahead,
    answered: (now) =>
      Effect.zipRight(
        local.answered(now),
        Effect.suspend(() =>
          pace.rate >= requestsPerSecond || now + ahead - pace.since < LOOK
            ? Effect.void
            : store(raise(pace, requestsPerSecond, now + ahead))
        )
      ),
    refused: (sent, now, pause) =>
      Effect.zipRight(
        local.refused(sent, now, pause),
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
    const scope = yield* Scope.make()
    const store = yield* RedisStore.make({
      ...target,
      lazyConnect: false,
      enableReadyCheck: false,
      prefix
    }).pipe(Effect.provideService(Scope.Scope, scope))
    // its own end waits for Redis, and fails without it
    yield* Effect.addFinalizer((exit) =>
      Effect.ignore(Effect.timeout(Effect.sandbox(Scope.close(scope, exit)), AWAY))
    )
    const limiter = yield* Effect.provideService(RateLimiter.make, RateLimiter.RateLimiterStore, store)
    // the limiter has a connection of its own, which is not there at once
    yield* limiter
      .consume({ algorithm: "token-bucket", key: `${name}:ready`, limit: 1, window: LOOK, tokens: 0 })
      .pipe(
        Effect.retry({ schedule: Schedule.spaced(20), times: 100 }),
        Effect.mapError((cause) => new RedisUnusable({ url: shown(url), reason: String(cause) }))
      )
    yield* Effect.promise(() => redis.del(`${prefix}${name}:ready`, `${prefix}${name}:ready:refill`))
    const shared: Shared = { redis, limiter, prefix, processes, skew }
    const looks: Array<Effect.Effect<void>> = []
    const quota = quotaOver(limits, (each, limit) => {
      const bucket = bucketOf(shared, each === "key" ? name : `${name}:${each}`, limit)
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
      Effect.all(looks, { discard: true })
    )
    yield* look
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(LOOK)))
    return quota
  })
