/**
 * A token bucket in Redis that all processes of a fleet share, and a local one for when Redis is away. It behaves as the bucket of a single
 * process: `test/bucketModel.ts` compares both. A pause refills nothing, and leaves one token at most.
 */
import * as RateLimiter from "@effect/experimental/RateLimiter"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import {
  type AdaptiveRate,
  type Bucket,
  lowerRate,
  makeLocalBucket,
  makeRate,
  raiseRate,
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

const RATE_FIELDS: ReadonlyArray<keyof AdaptiveRate> = ["rate", "updatedAt", "loweredAt", "blockedUntil"]

/** Whether a stored value is a shared rate. Its times are by the clock of Redis. */
const isAdaptiveRate = (value: unknown): value is AdaptiveRate =>
  typeof value === "object" &&
  value !== null &&
  RATE_FIELDS.every((name) => Number.isFinite(Reflect.get(value, name)))

const parseRate = (text: string | null): AdaptiveRate | undefined => {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isAdaptiveRate(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The state of a bucket. Times are in milliseconds, by a clock that never jumps. Only those of `sharedRate` are by the clock of Redis. */
interface BucketState {
  readonly shared: SharedState
  readonly keys: { readonly bucket: string; readonly rate: string }
  readonly perSecond: number
  readonly burst: number
  /** The most tokens that the shared bucket has. */
  readonly capacity: number
  /** The shared rate. */
  sharedRate: AdaptiveRate
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
): Bucket => makeLocalBucket({ perSecond: perSecond / shareCount, burst: Math.max(1, burst / shareCount) })

/** The rate of the processes that reach Redis. The others take their shares from local buckets. */
const refillRate = ({ sharedRate, shared }: BucketState): number =>
  (sharedRate.rate * shared.processCount) / shared.shareCount

/** Takes tokens, and yields the milliseconds until they may be used. The limiter takes at most a full bucket at once. */
const consume = (state: BucketState, tokens: number): Effect.Effect<number, RateLimiter.RateLimiterError> => {
  const { capacity, keys, shared } = state
  return Effect.suspend(() =>
    shared.limiter.consume({
      algorithm: "token-bucket",
      onExceeded: "delay",
      key: keys.bucket,
      limit: capacity,
      window: Duration.millis((capacity * 1_000) / refillRate(state)),
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
const pauseLeft = ({ sharedRate, redisOffset }: BucketState, now: number): number =>
  Math.max(0, sharedRate.blockedUntil - redisOffset - now)

/** Reserves from the local bucket. Its share follows from the last count of processes. */
const fallBackToLocal = (state: BucketState, tokens: number, now: number): Effect.Effect<number> =>
  Effect.suspend(() => {
    const { sharedRate, perSecond, shared } = state
    state.unavailableUntil = now + RETRY_MS
    state.isFromLocal = true
    if (state.localShareCount === shared.shareCount) return state.local.reserve(tokens)
    const local = makeLocalShare(state, shared.shareCount)
    state.localShareCount = shared.shareCount
    state.local = local
    const lowered =
      sharedRate.rate < perSecond ? local.recordRefusal(now, now, pauseLeft(state, now)) : Effect.void
    return Effect.zipRight(lowered, local.reserve(tokens))
  })

const storeSharedRate = (state: BucketState, rate: AdaptiveRate): Effect.Effect<void> =>
  Effect.suspend(() => {
    state.sharedRate = rate
    const { keys, shared } = state
    return Effect.ignore(
      Effect.tryPromise(() => shared.redis.set(keys.rate, JSON.stringify(rate), "PX", EXPIRY_MS))
    )
  })

/** Starts a pause of the shared bucket, unless a process has started a longer one. */
const startPause = (state: BucketState, pause: number): Effect.Effect<void> => {
  const { capacity, keys, shared } = state
  return Effect.match(
    Effect.tryPromise(() =>
      evalOnBucket(shared, `${shared.prefix}${keys.bucket}`)(
        START_PAUSE,
        1_000 / refillRate(state),
        capacity,
        pause
      )
    ),
    {
      onFailure: () => {},
      onSuccess: (blockedUntil) => {
        state.sharedRate = { ...state.sharedRate, blockedUntil }
      }
    }
  )
}

/** Reads the shared rate and the end of a pause. */
const refreshSharedRate = (state: BucketState): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const { keys, perSecond, shared } = state
    const { prefix, redis } = shared
    const reading = Effect.tryPromise(async () => {
      const [stored, till] = await Promise.all([
        redis.get(keys.rate),
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
            const found = parseRate(stored) ?? makeRate(perSecond)
            state.sharedRate = { ...found, blockedUntil: Math.max(found.blockedUntil, till) }
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
        state.interval += (Math.max(1_000 / refillRate(state), delay / tokens) - state.interval) / 8
        // calls that wait get their tokens after the pause
        return Effect.succeed(pauseLeft(state, now) + delay)
      }
    })
  })

/** Raises the shared rate after a success, at most once in `REFRESH_MS`. */
const raiseSharedRate = (state: BucketState, now: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { sharedRate, perSecond, redisOffset } = state
    return sharedRate.rate >= perSecond || now + redisOffset - sharedRate.updatedAt < REFRESH_MS
      ? Effect.void
      : // refill at the old rate until now
        Effect.zipRight(
          Effect.ignore(consume(state, 0)),
          storeSharedRate(state, raiseRate(sharedRate, perSecond, now + redisOffset))
        )
  })

/** Starts a pause after a 429, and lowers the shared rate. Undefined if the call was sent before the rate was last lowered. */
const lowerSharedRate = (
  state: BucketState,
  sent: number,
  now: number,
  pause: Parameters<Bucket["recordRefusal"]>[2]
): Effect.Effect<number | undefined> =>
  Effect.suspend(() => {
    const { sharedRate, perSecond, redisOffset } = state
    const next = lowerRate(sharedRate, perSecond, { sent: sent + redisOffset, now: now + redisOffset, pause })
    const pausing = startPause(state, next.blockedUntil - now - redisOffset)
    if (sent + redisOffset < sharedRate.loweredAt) return Effect.as(pausing, undefined)
    const storing = Effect.suspend(() =>
      storeSharedRate(state, {
        ...next,
        blockedUntil: Math.max(next.blockedUntil, state.sharedRate.blockedUntil)
      })
    )
    return Effect.as(Effect.zipRight(pausing, storing), next.rate)
  })

/** Makes a bucket in Redis, with a local one for when Redis is away. */
export const makeBucket = (
  shared: SharedState,
  name: string,
  { perSecond, burst = perSecond }: TokenRate
): Bucket & { readonly refresh: Effect.Effect<void> } => {
  const state: BucketState = {
    shared,
    keys: { bucket: `${name}:bucket`, rate: `${shared.prefix}${name}:pace` },
    perSecond,
    burst,
    capacity: Math.max(1, Math.trunc(burst)),
    sharedRate: makeRate(perSecond),
    redisOffset: 0,
    interval: 1_000 / perSecond,
    lastTaken: { tokens: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY },
    hasRefreshed: false,
    local: makeLocalShare({ burst, perSecond }, shared.shareCount),
    localShareCount: shared.shareCount,
    unavailableUntil: Number.NEGATIVE_INFINITY,
    isFromLocal: false
  }
  const refresh = refreshSharedRate(state)
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
    blockedUntil: () => state.sharedRate.blockedUntil - state.redisOffset,
    recordSuccess: (now) =>
      Effect.zipRight(
        Effect.suspend(() => state.local.recordSuccess(now)),
        raiseSharedRate(state, now)
      ),
    recordRefusal: (sent, now, pause) =>
      Effect.zipRight(
        Effect.suspend(() => state.local.recordRefusal(sent, now, pause)),
        lowerSharedRate(state, sent, now, pause)
      )
  }
}
