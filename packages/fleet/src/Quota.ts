/**
 * The quota of an API key for all processes of a fleet: a token bucket in Redis, behind a queue in each process that reserves for its first
 * call alone. It takes the place of `quota` of `effect-chains/effect/quota`. Times are those of Redis, not of the machines. A 429 lowers a
 * shared rate that all processes follow. While Redis is away, each process keeps to its share of the rate. All keys expire.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import * as RateLimiter from "@effect/experimental/RateLimiter"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { type QuotaOptions, quotaWithBuckets } from "effect-chains/effect/quota"
import type { Redis } from "ioredis"
import { EXPIRY_MS, makeBucket, makeRateLimiterStore, REFRESH_MS, type SharedState } from "./quotaBucket.js"
import { connect, parseUrl, RedisUnusable, redactUrl } from "./redis.js"

export { RedisUnusable } from "./redis.js"

/**
 * The clock of this machine is `ms` milliseconds ahead of that of Redis (negative: behind). Set it, and start again.
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
 * The store belongs to another version of this package. Use another `prefix`, or one version in the whole fleet.
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
 * The options of a fleet's quota.
 *
 * - `prefix` comes before all keys in Redis (default `effect-chains:`).
 * - `name` is a name for the provider's API key, and never the key itself (default `key`).
 * - `processes`: while Redis is away, each process keeps to its share of the rate. Crashed processes keep their shares as long as there are not
 *   more than this many in all (default 8).
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

/** The version of the stored keys. */
const VERSION = "3"

/** A clock that is further off is wrong and not merely inexact. */
const MAX_SKEW_MS = 60_000

/** A process is alive if it has reported within this time. */
const ALIVE_MS = 2_000

/** Measures the time of Redis less that of this machine, in milliseconds. */
const measureSkew = (redis: Redis): Effect.Effect<number, unknown> =>
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

const checkStore = (redis: Redis, url: string, prefix: string) =>
  Effect.gen(function* () {
    const unusable = (cause: unknown) => new RedisUnusable({ url: redactUrl(url), reason: String(cause) })
    const skew = yield* Effect.mapError(measureSkew(redis), unusable)
    if (Math.abs(skew) >= MAX_SKEW_MS) return yield* new ClockOff({ ms: -skew })
    const key = `${prefix}version`
    const found = yield* Effect.tryPromise({
      try: async () => {
        await redis.set(key, VERSION, "PX", EXPIRY_MS, "NX")
        return (await redis.get(key)) ?? VERSION
      },
      catch: unusable
    })
    if (found !== VERSION) return yield* new StoreOfOtherVersion({ found, expected: VERSION })
    return skew
  })

/** Makes an effect that reports this process in the set `members`, and counts the processes there. */
const makeCountProcesses = (
  shared: SharedState,
  members: string,
  self: string,
  maxShares: number
): Effect.Effect<void> =>
  Effect.clockWith((clock) =>
    Effect.ignore(
      Effect.tryPromise(async () => {
        const { redis } = shared
        const time = clock.unsafeCurrentTimeMillis() + shared.skew
        await redis.zadd(members, time, self)
        const [alive, known] = await Promise.all([
          redis.zcount(members, time - ALIVE_MS, "+inf"),
          redis.zcard(members),
          redis.zremrangebyscore(members, "-inf", time - EXPIRY_MS),
          redis.pexpire(members, EXPIRY_MS)
        ])
        shared.processCount = Math.max(1, alive)
        shared.shareCount = Math.max(shared.processCount, Math.min(known, maxShares))
      })
    )
  )

/**
 * Makes the quota of a fleet, for the option `quota` of clients. Fails if Redis cannot be reached, if the clock of this machine is off by a
 * minute or more, and if the store belongs to another version. Redis may go away later.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: FleetQuotaOptions
): Effect.Effect<
  ReturnType<typeof quotaWithBuckets>,
  RedisUnusable | ClockOff | StoreOfOtherVersion,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const { name = "key", prefix = "effect-chains:", processes = 8, url, ...limits } = options
    const target = yield* Effect.mapError(
      parseUrl(url),
      (reason) => new RedisUnusable({ url: redactUrl(url), reason: `its url ${reason}` })
    )
    const redis = yield* connect(url, target)
    const skew = yield* checkStore(redis, url, prefix)
    const limiter = yield* Effect.provideService(
      RateLimiter.make,
      RateLimiter.RateLimiterStore,
      makeRateLimiterStore({ redis }, prefix)
    )
    const shared: SharedState = { redis, limiter, prefix, skew, processCount: 1, shareCount: processes }
    const members = `${prefix}${name}:processes`
    const self = crypto.randomUUID()
    // a process that ends in order leaves its share to the others
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.tryPromise(() => redis.zrem(members, self))))
    const countProcesses = makeCountProcesses(shared, members, self, processes)
    const bucketRefreshes: Array<Effect.Effect<void>> = []
    const quota = quotaWithBuckets(limits, (each, rate) => {
      // hashed, since the url of a node may have an API key in it
      const node = createHash("sha256").update(each).digest("hex")
      const bucketName = each === "key" ? name : `${name}:${each === "credits" ? each : node}`
      const bucket = makeBucket(shared, bucketName, rate)
      bucketRefreshes.push(bucket.refresh)
      return bucket
    })
    const refresh = Effect.zipRight(
      Effect.match(measureSkew(redis), {
        onFailure: () => {},
        onSuccess: (found) => {
          shared.skew = found
        }
      }),
      // read anew each time: clients that are made later add buckets of their nodes
      Effect.suspend(() => Effect.all([countProcesses, ...bucketRefreshes], { discard: true }))
    )
    yield* refresh
    yield* Effect.forkScoped(Effect.repeat(refresh, Schedule.spaced(REFRESH_MS)))
    return quota
  })
