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
export const EXPIRY = 300_000

/** How often a process looks at the clock and the rate of the others, in milliseconds. */
export const LOOK = 250

/** What failed by Redis is tried there again after so long, in milliseconds. */
const AWAY = 1_000

/**
 * The bucket that a hash holds, as it is now: by the time of Redis, or by one that is given. Nothing comes into it before the end of a pause
 * (`till`).
 */
const NOW = `
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
const TAKE = `${NOW}
local next = math.min(limit, left - tonumber(ARGV[5]))
if next >= 0 or ARGV[6] == "1" then keep(next, till) end
return string.format("%.6f", next)`

/** Begins a pause, unless there is one that is longer. Yields when it is over. */
const PAUSE = `${NOW}
till = math.max(till, now + tonumber(ARGV[5]))
if till > now then left = math.min(1, left) end
keep(left, till)
return string.format("%.3f", till)`

/** Runs a script over the bucket of a key. */
const over =
  ({ redis, time }: Pick<Shared, "redis" | "time">, key: string) =>
  (script: string, refill: number, limit: number, ...more: ReadonlyArray<string | number>): Promise<number> =>
    redis.eval(script, 1, key, time?.() ?? "", EXPIRY, refill, limit, ...more).then(Number)

/**
 * The limiter's store, over the connection that everything else goes by. Its own one has no listener for errors, so that ioredis prints
 * them; it fails at its end where Redis is away, goes by the clock of the caller, and its keys never expire.
 */
export const storeOver = (
  shared: Pick<Shared, "redis" | "time">,
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
          over(shared, `${prefix}${key}`)(
            TAKE,
            Duration.toMillis(refillRate),
            limit,
            tokens,
            allowOverflow ? 1 : 0
          ),
        catch: (cause) => new RateLimiter.RateLimitStoreError({ message: "Redis gave no token", cause })
      })
  })

/** What the buckets of a process share. */
export interface Shared {
  readonly redis: Redis
  readonly limiter: RateLimiter.RateLimiter
  readonly prefix: string
  /** The time in milliseconds, where it is not that of Redis but a test's. */
  readonly time?: () => number
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
export const bucketOf = (
  shared: Shared,
  name: string,
  rateOfAll: TokenRate
): Bucket & { readonly look: Effect.Effect<void> } => {
  const { limiter, prefix, redis } = shared
  const { perSecond, burst = perSecond } = rateOfAll
  const part = (parts: number): Bucket =>
    localBucket({ perSecond: perSecond / parts, burst: Math.max(1, burst / parts) })
  let parts = shared.parts
  let local = part(parts)
  const keys = { bucket: `${name}:bucket`, pace: `${prefix}${name}:pace` }
  const full = steady(perSecond)
  let pace = full
  let away = Number.NEGATIVE_INFINITY
  /** The time of Redis, less the one that never jumps. */
  let ahead = 0
  /** How long this process takes to get one token, in milliseconds: others wait for theirs. */
  let interval = 1_000 / perSecond
  let isFromLocal = false
  let hasLooked = false
  /** The tokens that were there at a time, which all processes see. */
  let seen = { tokens: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY }

  /** The rate of those that have Redis: the others take their parts without asking. */
  const rate = (): number => (pace.rate * shared.there) / shared.parts

  const size = Math.max(1, Math.trunc(burst))
  /** Takes tokens, and yields the milliseconds until they may be used. The limiter takes no more than a full bucket at once. */
  const consume = (tokens: number): Effect.Effect<number, RateLimiter.RateLimiterError> =>
    Effect.suspend(() =>
      limiter.consume({
        algorithm: "token-bucket",
        onExceeded: "delay",
        key: keys.bucket,
        limit: size,
        window: Duration.millis((size * 1_000) / rate()),
        tokens: Math.min(size, tokens)
      })
    ).pipe(
      Effect.flatMap(({ delay, remaining }) =>
        tokens > size
          ? consume(tokens - size)
          : Effect.clockWith((clock) => {
              seen = { tokens: Math.max(0, remaining), at: monotonic(clock) }
              return Effect.succeed(Duration.toMillis(delay))
            })
      )
    )

  /** The part of this process of the tokens that are there, as far as it can know. */
  const own = (now: number): number =>
    Math.min(size, seen.tokens + (now - seen.at) / interval) / Math.max(1, shared.there)

  /** From now on this process takes its part, of as many as there were when Redis was last there. */
  const leave = (tokens: number, now: number): Effect.Effect<number> =>
    Effect.suspend(() => {
      away = now + AWAY
      isFromLocal = true
      if (parts === shared.parts) return local.reserve(tokens)
      parts = shared.parts
      local = part(parts)
      const isLowered = pace.rate < perSecond
      const lowered = isLowered
        ? local.recordRefusal(now, now, Math.max(0, pace.blockedUntil - ahead - now))
        : Effect.void
      return Effect.zipRight(lowered, local.reserve(tokens))
    })

  const store = (next: Pace): Effect.Effect<void> =>
    Effect.suspend(() => {
      pace = next
      return Effect.ignore(Effect.tryPromise(() => redis.set(keys.pace, JSON.stringify(next), "PX", EXPIRY)))
    })

  /** Tells the bucket of a pause, whose end is then that of the longest one that any process has told. */
  const rest = (pause: number): Effect.Effect<void> =>
    Effect.match(
      Effect.tryPromise(() => over(shared, `${prefix}${keys.bucket}`)(PAUSE, 1_000 / rate(), size, pause)),
      {
        onFailure: () => {},
        onSuccess: (blockedUntil) => {
          pace = { ...pace, blockedUntil }
        }
      }
    )

  const look = Effect.clockWith((clock) =>
    Effect.zipRight(
      Effect.sync(() => {
        hasLooked = true
      }),
      Effect.matchEffect(
        Effect.tryPromise(async () => {
          const [stored, till] = await Promise.all([
            redis.get(keys.pace),
            redis.hget(`${prefix}${keys.bucket}`, "till"),
            redis.pexpire(`${prefix}version`, EXPIRY)
          ])
          return { stored, till: Number(till ?? 0) }
        }),
        {
          onFailure: () => Effect.void,
          onSuccess: ({ stored, till }) =>
            Effect.sync(() => {
              ahead = clock.unsafeCurrentTimeMillis() + shared.skew - monotonic(clock)
              const found = paceIn(stored) ?? full
              pace = { ...found, blockedUntil: Math.max(found.blockedUntil, till) }
            })
        }
      )
    )
  )

  const reserve = (tokens: number): Effect.Effect<number> =>
    Effect.clockWith((clock) => {
      const now = monotonic(clock)
      ahead = clock.unsafeCurrentTimeMillis() + shared.skew - now
      isFromLocal = now < away
      if (isFromLocal) return local.reserve(tokens)
      return Effect.matchEffect(consume(tokens), {
        onFailure: () => leave(tokens, now),
        onSuccess: (delay) => {
          interval += (Math.max(1_000 / rate(), delay / tokens) - interval) / 8
          // what others wait for comes after the pause
          return Effect.succeed(Math.max(0, pace.blockedUntil - ahead - now) + delay)
        }
      })
    })

  return {
    look,
    // the node of a client that was made later may have a lower rate already
    reserve: (tokens) =>
      Effect.suspend(() => (hasLooked ? reserve(tokens) : Effect.zipRight(look, reserve(tokens)))),
    restore: (tokens) =>
      Effect.suspend(() => (isFromLocal ? local.restore(tokens) : Effect.ignore(consume(-tokens)))),
    waitFor: (n, now) =>
      now < away
        ? local.waitFor(n, now)
        : Math.max(0, pace.blockedUntil - ahead - now, 0) + Math.max(0, n - Math.max(1, own(now))) * interval,
    blockedUntil: () => pace.blockedUntil - ahead,
    recordSuccess: (now) =>
      Effect.zipRight(
        Effect.suspend(() => local.recordSuccess(now)),
        Effect.suspend(() =>
          pace.rate >= perSecond || now + ahead - pace.updatedAt < LOOK
            ? Effect.void
            : // what has come until now has come at the rate that there was
              Effect.zipRight(Effect.ignore(consume(0)), store(raise(pace, perSecond, now + ahead)))
        )
      ),
    recordRefusal: (sent, now, pause) =>
      Effect.zipRight(
        Effect.suspend(() => local.recordRefusal(sent, now, pause)),
        Effect.suspend(() => {
          const { loweredAt } = pace
          const next = lower(pace, perSecond, { sent: sent + ahead, now: now + ahead, pause })
          const told = rest(next.blockedUntil - now - ahead)
          if (sent + ahead < loweredAt) return Effect.as(told, undefined)
          return Effect.as(
            Effect.zipRight(
              told,
              Effect.suspend(() =>
                store({ ...next, blockedUntil: Math.max(next.blockedUntil, pace.blockedUntil) })
              )
            ),
            next.rate
          )
        })
      )
  }
}
