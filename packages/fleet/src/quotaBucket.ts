/**
 * A bucket in Redis, which all processes of a fleet share, and the one of each process for when Redis is away. It is the plain bucket of a
 * process (`test/bucketModel.ts` holds both against it): during a pause no token comes, and of those that there were one stays.
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

/** All keys are forgotten after so long without use, in milliseconds. */
export const EXPIRY_MS = 300_000

/** How often a process looks at the clock and the rate of the others, in milliseconds. */
export const REFRESH_MS = 250

/** What failed by Redis is tried there again after so long, in milliseconds. */
const RETRY_MS = 1_000

/**
 * The bucket that a hash holds, as it is now: by the time of Redis, or by one that is given. Nothing comes into it before the end of a pause
 * (`till`).
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

/** Takes tokens. Yields those that are left: below none are those that others have to wait for. */
const TAKE_TOKENS = `${LOAD_BUCKET}
local next = math.min(limit, left - tonumber(ARGV[5]))
if next >= 0 or ARGV[6] == "1" then keep(next, till) end
return string.format("%.6f", next)`

/** Begins a pause, unless there is one that is longer. Yields when it is over. */
const START_PAUSE = `${LOAD_BUCKET}
till = math.max(till, now + tonumber(ARGV[5]))
if till > now then left = math.min(1, left) end
keep(left, till)
return string.format("%.3f", till)`

/** Runs a script over the bucket of a key. */
const evalOnBucket =
  ({ redis, time }: Pick<SharedState, "redis" | "time">, key: string) =>
  (script: string, refill: number, limit: number, ...more: ReadonlyArray<string | number>): Promise<number> =>
    redis.eval(script, 1, key, time?.() ?? "", EXPIRY_MS, refill, limit, ...more).then(Number)

/**
 * The limiter's store, over the connection that everything else goes by. Its own one has no listener for errors, so that ioredis prints
 * them; it fails at its end where Redis is away, goes by the clock of the caller, and its keys never expire.
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

/** What the buckets of a process share. */
export interface SharedState {
  readonly redis: Redis
  readonly limiter: RateLimiter.RateLimiter
  readonly prefix: string
  /** The time in milliseconds, where it is not that of Redis but a test's. */
  readonly time?: () => number
  skew: number
  /** How many processes have Redis, and how many parts the rate has. */
  processCount: number
  shareCount: number
}

const monotonicMs = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

/** The rate of the others, as it is stored: times are those of Redis. */
const isPace = (value: unknown): value is Pace =>
  typeof value === "object" &&
  value !== null &&
  ["rate", "since", "lowered", "until"].every((name) => Number.isFinite(Reflect.get(value, name)))

const parsePace = (text: string | null): Pace | undefined => {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isPace(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A bucket in Redis, and the one of this process for when it is away. */
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
  /** The time of Redis, less the one that never jumps. */
  let redisOffset = 0
  /** How long this process takes to get one token, in milliseconds: others wait for theirs. */
  let interval = 1_000 / perSecond
  let isFromLocal = false
  let hasRefreshed = false
  /** The tokens that were there at a time, which all processes see. */
  let lastTaken = { tokens: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY }

  /** The rate of those that have Redis: the others take their parts without asking. */
  const sharedRate = (): number => (pace.rate * shared.processCount) / shared.shareCount

  const capacity = Math.max(1, Math.trunc(burst))
  /** Takes tokens, and yields the milliseconds until they may be used. The limiter takes no more than a full bucket at once. */
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

  /** The part of this process of the tokens that are there, as far as it can know. */
  const ownTokens = (now: number): number =>
    Math.min(capacity, lastTaken.tokens + (now - lastTaken.at) / interval) / Math.max(1, shared.processCount)

  /** From now on this process takes its part, of as many as there were when Redis was last there. */
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

  /** Tells the bucket of a pause, whose end is then that of the longest one that any process has told. */
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
          // what others wait for comes after the pause
          return Effect.succeed(Math.max(0, pace.blockedUntil - redisOffset - now) + delay)
        }
      })
    })

  return {
    refresh,
    // the node of a client that was made later may have a lower rate already
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
            : // what has come until now has come at the rate that there was
              Effect.zipRight(Effect.ignore(consume(0)), storePace(raise(pace, perSecond, now + redisOffset)))
        )
      ),
    recordRefusal: (sent, now, pause) =>
      Effect.zipRight(
        Effect.suspend(() => local.recordRefusal(sent, now, pause)),
        Effect.suspend(() => {
          const { loweredAt } = pace
          const next = lower(pace, perSecond, { sent: sent + redisOffset, now: now + redisOffset, pause })
          const told = startPause(next.blockedUntil - now - redisOffset)
          if (sent + redisOffset < loweredAt) return Effect.as(told, undefined)
          return Effect.as(
            Effect.zipRight(
              told,
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
