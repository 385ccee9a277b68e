/**
 * A token bucket in Redis that all processes of a fleet share, and a local one for when Redis is away. It behaves as the bucket of a single
 * process: `test/bucketModel.ts` compares both. A pause refills nothing, and leaves one token at most.
 */
import * as RateLimiter from "@effect/experimental/RateLimiter"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import {
  type Bucket,
  localBucket,
  lower,
  type Pace,
  raise,
  steady,
  type TokenRate
} from "effect-chains/effect/quota"
import type { Redis } from "ioredis"

/** Keys expire after this time without use. */
export const EXPIRY_MS = 300_000

/** How often a process reads the time of Redis and the shared rate. */
export const REFRESH_MS = 250

/** How long a bucket is local after a failure of Redis. */
const RETRY_MS = 1_000

/**
 * Loads the bucket of a hash and refills it, by the time of Redis or a given one. Nothing is refilled before the end of a pause (`till`).
 */
const LOAD_BUCKET = `
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call("TIME")
  now = time[1] * 1000 + time[2] / 1000
end
local expiry, refill, limit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call("HMGET", KEYS[1], "left", "at", "till")
local left, at, till = tonumber(kept[1]) or limit, tonumber(kept[2]) or now, tonumber(kept[3]) or 0
left = math.min(limit, left + math.max(0, now - math.max(at, till)) / refill)
local function keep(left, till)
  redis.call("HSET", KEYS[1], "left", string.format("%.6f", left), "at", string.format("%.3f", math.max(now, at)), "till", string.format("%.3f", till))
  redis.call("PEXPIRE", KEYS[1], expiry)
end
`

/** Takes tokens, and yields how many are left. Negative ones are reserved by calls that wait. */
const TAKE_TOKENS = `${LOAD_BUCKET}
local next = math.min(limit, left - tonumber(ARGV[5]))
if next >= 0 or ARGV[6] == "1" then keep(next, till) end
return string.format("%.6f", next)`

/** Starts a pause, unless a longer one has started. Yields its end. */
const START_PAUSE = `${LOAD_BUCKET}
till = math.max(till, now + tonumber(ARGV[5]))
if till > now then left = math.min(1, left) end
keep(left, till)
return string.format("%.3f", till)`

/** Makes a function that runs a script on the bucket of a key. */
const evalOnBucket =
  ({ redis, time }: Pick<SharedState, "redis" | "time">, key: string) =>
  (script: string, refill: number, limit: number, ...more: ReadonlyArray<string | number>): Promise<number> =>
    redis.eval(script, 1, key, time?.() ?? "", EXPIRY_MS, refill, limit, ...more).then(Number)

/**
 * Makes the limiter's store over our connection. The library's own store prints errors of its connection, fails at its end if Redis is
 * away, uses the clock of the caller, and its keys never expire.
 */
export const makeRateLimiterStore = (
  shared: Pick<SharedState, "redis" | "time">,
  prefix: string
): RateLimiter.RateLimiterStore["Type"] =>
  RateLimiter.RateLimiterStore.of({
    fixedWindow: () =>
      Effect.fail(
        new RateLimiter.RateLimitStoreError({ message: "a quota has no windows", cause: undefined })
      ),
    tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
      Effect.tryPromise({
        try: () =>
          evalOnBucket(shared, `${prefix}${key}`)(
            TAKE_TOKENS,
            Duration.toMillis(refillRate),
            limit,
            tokens,
            allowOverflow ? 1 : 0
          ),
        catch: (cause) => new RateLimiter.RateLimitStoreError({ message: "Redis gave no token", cause })
      })
  })

/** The state that the buckets of a process share. */
export interface SharedState {
  readonly redis: Redis
  readonly limiter: RateLimiter.RateLimiter
  readonly prefix: string
  /** The time in milliseconds, in tests that do not use that of Redis. */
  readonly time?: () => number
  skew: number
  /** How many processes reach Redis, and into how many shares the rate is divided. */
  processCount: number
  shareCount: number
}

const monotonicMs = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

const PACE_FIELDS: ReadonlyArray<keyof Pace> = ["rate", "updatedAt", "loweredAt", "blockedUntil"]

/** Whether a stored value is a shared rate. Its times are those of Redis. */
const isPace = (value: unknown): value is Pace =>
  typeof value === "object" &&
  value !== null &&
  PACE_FIELDS.every((name) => Number.isFinite(Reflect.get(value, name)))

const parsePace = (text: string | null): Pace | undefined => {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isPace(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Makes a bucket in Redis, with a local one for when Redis is away. */
export const makeBucket = (
  shared: SharedState,
  name: string,
  rateOfAll: TokenRate
): Bucket & { readonly refresh: Effect.Effect<void> } => {
  const { limiter, prefix, redis } = shared
  const { perSecond, burst = perSecond } = rateOfAll
  const makeLocalShare = (localShareCount: number): Bucket =>
    localBucket({ perSecond: perSecond / localShareCount, burst: Math.max(1, burst / localShareCount) })
  let parts = shared.shareCount
  let local = makeLocalShare(parts)
  const keys = { bucket: `${name}:bucket`, pace: `${prefix}${name}:pace` }
  const fullPace = steady(perSecond)
  let pace = fullPace
  let unavailableUntil = Number.NEGATIVE_INFINITY
  /** The time of Redis less that of the clock that never jumps. */
  let redisOffset = 0
  /** How long this process waits for one token, in milliseconds: other processes take tokens, too. */
  let interval = 1_000 / perSecond
  let isFromLocal = false
  let hasRefreshed = false
  /** The tokens that the shared bucket had at a time. */
  let lastTaken = { tokens: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY }

  /** The rate of the processes that reach Redis. The others take their shares from local buckets. */
  const sharedRate = (): number => (pace.rate * shared.processCount) / shared.shareCount

  const capacity = Math.max(1, Math.trunc(burst))
  /** Takes tokens, and yields the milliseconds until they may be used. The limiter takes at most a full bucket at once. */
  const consume = (tokens: number): Effect.Effect<number, RateLimiter.RateLimiterError> =>
    Effect.suspend(() =>
      limiter.consume({
        algorithm: "token-bucket",
        onExceeded: "delay",
        key: keys.bucket,
        limit: capacity,
        window: Duration.millis((capacity * 1_000) / sharedRate()),
        tokens: Math.min(capacity, tokens)
      })
    ).pipe(
      Effect.flatMap(({ delay, remaining }) =>
        tokens > capacity
          ? consume(tokens - capacity)
          : Effect.clockWith((clock) => {
              lastTaken = { tokens: Math.max(0, remaining), at: monotonicMs(clock) }
              return Effect.succeed(Duration.toMillis(delay))
            })
      )
    )

  /** An estimate of this process's share of the tokens. */
  const ownTokens = (now: number): number =>
    Math.min(capacity, lastTaken.tokens + (now - lastTaken.at) / interval) / Math.max(1, shared.processCount)

  /** Reserves from the local bucket, whose share is that of the last count of processes. */
  const fallBackToLocal = (tokens: number, now: number): Effect.Effect<number> =>
    Effect.suspend(() => {
      unavailableUntil = now + RETRY_MS
      isFromLocal = true
      if (parts === shared.shareCount) return local.reserve(tokens)
      parts = shared.shareCount
      local = makeLocalShare(parts)
      const isLowered = pace.rate < perSecond
      const lowered = isLowered
        ? local.recordRefusal(now, now, Math.max(0, pace.blockedUntil - redisOffset - now))
        : Effect.void
      return Effect.zipRight(lowered, local.reserve(tokens))
    })

  const storePace = (next: Pace): Effect.Effect<void> =>
    Effect.suspend(() => {
      pace = next
      return Effect.ignore(
        Effect.tryPromise(() => redis.set(keys.pace, JSON.stringify(next), "PX", EXPIRY_MS))
      )
    })

  /** Starts a pause of the shared bucket. Its end is that of the longest pause of any process. */
  const startPause = (pause: number): Effect.Effect<void> =>
    Effect.match(
      Effect.tryPromise(() =>
        evalOnBucket(shared, `${prefix}${keys.bucket}`)(START_PAUSE, 1_000 / sharedRate(), capacity, pause)
      ),
      {
        onFailure: () => {},
        onSuccess: (blockedUntil) => {
          pace = { ...pace, blockedUntil }
        }
      }
    )

  const refresh = Effect.clockWith((clock) =>
    Effect.zipRight(
      Effect.sync(() => {
        hasRefreshed = true
      }),
      Effect.matchEffect(
        Effect.tryPromise(async () => {
          const [stored, till] = await Promise.all([
            redis.get(keys.pace),
            redis.hget(`${prefix}${keys.bucket}`, "till"),
            redis.pexpire(`${prefix}version`, EXPIRY_MS)
          ])
          return { stored, till: Number(till ?? 0) }
        }),
        {
          onFailure: () => Effect.void,
          onSuccess: ({ stored, till }) =>
            Effect.sync(() => {
              redisOffset = clock.unsafeCurrentTimeMillis() + shared.skew - monotonicMs(clock)
              const found = parsePace(stored) ?? fullPace
              pace = { ...found, blockedUntil: Math.max(found.blockedUntil, till) }
            })
        }
      )
    )
  )

  const reserve = (tokens: number): Effect.Effect<number> =>
    Effect.clockWith((clock) => {
      const now = monotonicMs(clock)
      redisOffset = clock.unsafeCurrentTimeMillis() + shared.skew - now
      isFromLocal = now < unavailableUntil
      if (isFromLocal) return local.reserve(tokens)
      return Effect.matchEffect(consume(tokens), {
        onFailure: () => fallBackToLocal(tokens, now),
        onSuccess: (delay) => {
          interval += (Math.max(1_000 / sharedRate(), delay / tokens) - interval) / 8
          // calls that wait get their tokens after the pause
          return Effect.succeed(Math.max(0, pace.blockedUntil - redisOffset - now) + delay)
        }
      })
    })

  return {
    refresh,
    // the first call reads the shared rate: another process may have lowered it
    reserve: (tokens) =>
      Effect.suspend(() => (hasRefreshed ? reserve(tokens) : Effect.zipRight(refresh, reserve(tokens)))),
    restore: (tokens) =>
      Effect.suspend(() => (isFromLocal ? local.restore(tokens) : Effect.ignore(consume(-tokens)))),
    waitFor: (n, now) =>
      now < unavailableUntil
        ? local.waitFor(n, now)
        : Math.max(0, pace.blockedUntil - redisOffset - now, 0) +
          Math.max(0, n - Math.max(1, ownTokens(now))) * interval,
    blockedUntil: () => pace.blockedUntil - redisOffset,
    recordSuccess: (now) =>
      Effect.zipRight(
        Effect.suspend(() => local.recordSuccess(now)),
        Effect.suspend(() =>
          pace.rate >= perSecond || now + redisOffset - pace.updatedAt < REFRESH_MS
            ? Effect.void
            : // refill at the old rate until now
              Effect.zipRight(Effect.ignore(consume(0)), storePace(raise(pace, perSecond, now + redisOffset)))
        )
      ),
    recordRefusal: (sent, now, pause) =>
      Effect.zipRight(
        Effect.suspend(() => local.recordRefusal(sent, now, pause)),
        Effect.suspend(() => {
          const { loweredAt } = pace
          const next = lower(pace, perSecond, { sent: sent + redisOffset, now: now + redisOffset, pause })
          const pausing = startPause(next.blockedUntil - now - redisOffset)
          if (sent + redisOffset < loweredAt) return Effect.as(pausing, undefined)
          return Effect.as(
            Effect.zipRight(
              pausing,
              Effect.suspend(() =>
                storePace({ ...next, blockedUntil: Math.max(next.blockedUntil, pace.blockedUntil) })
              )
            ),
            next.rate
          )
        })
      )
  }
}
