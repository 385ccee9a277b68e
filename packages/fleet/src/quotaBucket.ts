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

/** The state of a bucket. Its times are those of the clock that never jumps, but for `pace`, which has those of Redis. All in milliseconds. */
interface BucketState {
  readonly shared: SharedState
  readonly keys: { readonly bucket: string; readonly pace: string }
  readonly perSecond: number
  readonly burst: number
  /** The most tokens that the shared bucket has. */
  readonly capacity: number
  /** The shared rate. */
  pace: Pace
  /** The time of Redis less that of the clock that never jumps. */
  redisOffset: number
  /** How long this process waits for one token: other processes take tokens, too. */
  interval: number
  /** The tokens that the shared bucket had at a time. */
  lastTaken: { readonly tokens: number; readonly at: number }
  hasRefreshed: boolean
  /** The bucket for when Redis is away, and into how many shares its rate is divided. */
  local: Bucket
  localShareCount: number
  /** Until when the local bucket is used after a failure of Redis. */
  unavailableUntil: number
  /** Whether the last tokens came from the local bucket. */
  isFromLocal: boolean
}

const makeLocalShare = (
  { burst, perSecond }: Pick<BucketState, "burst" | "perSecond">,
  shareCount: number
): Bucket => localBucket({ perSecond: perSecond / shareCount, burst: Math.max(1, burst / shareCount) })

/** The rate of the processes that reach Redis. The others take their shares from local buckets. */
const sharedRate = ({ pace, shared }: BucketState): number =>
  (pace.rate * shared.processCount) / shared.shareCount

/** Takes tokens, and yields the milliseconds until they may be used. The limiter takes at most a full bucket at once. */
const consume = (state: BucketState, tokens: number): Effect.Effect<number, RateLimiter.RateLimiterError> => {
  const { capacity, keys, shared } = state
  return Effect.suspend(() =>
    shared.limiter.consume({
      algorithm: "token-bucket",
      onExceeded: "delay",
      key: keys.bucket,
      limit: capacity,
      window: Duration.millis((capacity * 1_000) / sharedRate(state)),
      tokens: Math.min(capacity, tokens)
    })
  ).pipe(
    Effect.flatMap(({ delay, remaining }) =>
      tokens > capacity
        ? consume(state, tokens - capacity)
        : Effect.clockWith((clock) => {
            state.lastTaken = { tokens: Math.max(0, remaining), at: monotonicMs(clock) }
            return Effect.succeed(Duration.toMillis(delay))
          })
    )
  )
}

/** An estimate of this process's share of the tokens. */
const ownTokens = ({ capacity, interval, lastTaken, shared }: BucketState, now: number): number =>
  Math.min(capacity, lastTaken.tokens + (now - lastTaken.at) / interval) / Math.max(1, shared.processCount)

/** How long the shared bucket is still paused. */
const pauseLeft = ({ pace, redisOffset }: BucketState, now: number): number =>
  Math.max(0, pace.blockedUntil - redisOffset - now)

/** Reserves from the local bucket, whose share is that of the last count of processes. */
const fallBackToLocal = (state: BucketState, tokens: number, now: number): Effect.Effect<number> =>
  Effect.suspend(() => {
    const { pace, perSecond, shared } = state
    state.unavailableUntil = now + RETRY_MS
    state.isFromLocal = true
    if (state.localShareCount === shared.shareCount) return state.local.reserve(tokens)
    const local = makeLocalShare(state, shared.shareCount)
    state.localShareCount = shared.shareCount
    state.local = local
    const lowered = pace.rate < perSecond ? local.recordRefusal(now, now, pauseLeft(state, now)) : Effect.void
    return Effect.zipRight(lowered, local.reserve(tokens))
  })

const storePace = (state: BucketState, pace: Pace): Effect.Effect<void> =>
  Effect.suspend(() => {
    state.pace = pace
    const { keys, shared } = state
    return Effect.ignore(
      Effect.tryPromise(() => shared.redis.set(keys.pace, JSON.stringify(pace), "PX", EXPIRY_MS))
    )
  })

/** Starts a pause of the shared bucket. Its end is that of the longest pause of any process. */
const startPause = (state: BucketState, pause: number): Effect.Effect<void> => {
  const { capacity, keys, shared } = state
  return Effect.match(
    Effect.tryPromise(() =>
      evalOnBucket(shared, `${shared.prefix}${keys.bucket}`)(
        START_PAUSE,
        1_000 / sharedRate(state),
        capacity,
        pause
      )
    ),
    {
      onFailure: () => {},
      onSuccess: (blockedUntil) => {
        state.pace = { ...state.pace, blockedUntil }
      }
    }
  )
}

/** Reads the shared rate and the end of a pause. */
const refreshPace = (state: BucketState): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const { keys, perSecond, shared } = state
    const { prefix, redis } = shared
    const reading = Effect.tryPromise(async () => {
      const [stored, till] = await Promise.all([
        redis.get(keys.pace),
        redis.hget(`${prefix}${keys.bucket}`, "till"),
        redis.pexpire(`${prefix}version`, EXPIRY_MS)
      ])
      return { stored, till: Number(till ?? 0) }
    })
    return Effect.zipRight(
      Effect.sync(() => {
        state.hasRefreshed = true
      }),
      Effect.matchEffect(reading, {
        onFailure: () => Effect.void,
        onSuccess: ({ stored, till }) =>
          Effect.sync(() => {
            state.redisOffset = clock.unsafeCurrentTimeMillis() + shared.skew - monotonicMs(clock)
            const found = parsePace(stored) ?? steady(perSecond)
            state.pace = { ...found, blockedUntil: Math.max(found.blockedUntil, till) }
          })
      })
    )
  })

const reserveTokens = (state: BucketState, tokens: number): Effect.Effect<number> =>
  Effect.clockWith((clock) => {
    const now = monotonicMs(clock)
    state.redisOffset = clock.unsafeCurrentTimeMillis() + state.shared.skew - now
    state.isFromLocal = now < state.unavailableUntil
    if (state.isFromLocal) return state.local.reserve(tokens)
    return Effect.matchEffect(consume(state, tokens), {
      onFailure: () => fallBackToLocal(state, tokens, now),
      onSuccess: (delay) => {
        state.interval += (Math.max(1_000 / sharedRate(state), delay / tokens) - state.interval) / 8
        // calls that wait get their tokens after the pause
        return Effect.succeed(pauseLeft(state, now) + delay)
      }
    })
  })

/** Makes a bucket in Redis, with a local one for when Redis is away. */
export const makeBucket = (
  shared: SharedState,
  name: string,
  { perSecond, burst = perSecond }: TokenRate
): Bucket & { readonly refresh: Effect.Effect<void> } => {
  const state: BucketState = {
    shared,
    keys: { bucket: `${name}:bucket`, pace: `${shared.prefix}${name}:pace` },
    perSecond,
    burst,
    capacity: Math.max(1, Math.trunc(burst)),
    pace: steady(perSecond),
    redisOffset: 0,
    interval: 1_000 / perSecond,
    lastTaken: { tokens: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY },
    hasRefreshed: false,
    local: makeLocalShare({ burst, perSecond }, shared.shareCount),
    localShareCount: shared.shareCount,
    unavailableUntil: Number.NEGATIVE_INFINITY,
    isFromLocal: false
  }
  const refresh = refreshPace(state)
  return {
    refresh,
    // the first call reads the shared rate: another process may have lowered it
    reserve: (tokens) =>
      Effect.suspend(() =>
        state.hasRefreshed
          ? reserveTokens(state, tokens)
          : Effect.zipRight(refresh, reserveTokens(state, tokens))
      ),
    restore: (tokens) =>
      Effect.suspend(() =>
        state.isFromLocal ? state.local.restore(tokens) : Effect.ignore(consume(state, -tokens))
      ),
    msUntil: (n, now) =>
      now < state.unavailableUntil
        ? state.local.msUntil(n, now)
        : pauseLeft(state, now) + Math.max(0, n - Math.max(1, ownTokens(state, now))) * state.interval,
    blockedUntil: () => state.pace.blockedUntil - state.redisOffset,
    recordSuccess: (now) =>
      Effect.zipRight(
        Effect.suspend(() => state.local.recordSuccess(now)),
        Effect.suspend(() => {
          const { pace, redisOffset } = state
          return pace.rate >= perSecond || now + redisOffset - pace.updatedAt < REFRESH_MS
            ? Effect.void
            : // refill at the old rate until now
              Effect.zipRight(
                Effect.ignore(consume(state, 0)),
                storePace(state, raise(pace, perSecond, now + redisOffset))
              )
        })
      ),
    recordRefusal: (sent, now, pause) =>
      Effect.zipRight(
        Effect.suspend(() => state.local.recordRefusal(sent, now, pause)),
        Effect.suspend(() => {
          const { pace, redisOffset } = state
          const next = lower(pace, perSecond, { sent: sent + redisOffset, now: now + redisOffset, pause })
          const pausing = startPause(state, next.blockedUntil - now - redisOffset)
          if (sent + redisOffset < pace.loweredAt) return Effect.as(pausing, undefined)
          const storing = Effect.suspend(() =>
            storePace(state, {
              ...next,
              blockedUntil: Math.max(next.blockedUntil, state.pace.blockedUntil)
            })
          )
          return Effect.as(Effect.zipRight(pausing, storing), next.rate)
        })
      )
  }
}
