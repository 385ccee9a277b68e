/** Connections to Redis: by what they are told to connect, and that no call waits for one that is away. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { Redis } from "ioredis"

/**
 * Redis cannot be used for the fleet: `url` is as it may be printed, `reason` says what to do.
 *
 * @since 0.1.0
 * @category errors
 */
export class RedisUnusable extends Data.TaggedError("RedisUnusable")<{
  readonly url: string
  readonly reason: string
}> {
  override get message(): string {
    return `Redis at ${this.url} cannot be used: ${this.reason}`
  }
}

/** Fails at once while Redis is away, and connects again by itself. By default ioredis keeps a command waiting for ten seconds. */
const FAIL_FAST = {
  lazyConnect: true,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  connectTimeout: 2_000,
  commandTimeout: 200
} as const

/** What ioredis is told. */
export interface ConnectionOptions {
  readonly lazyConnect: boolean
  readonly maxRetriesPerRequest: number
  readonly enableOfflineQueue: boolean
  readonly connectTimeout: number
  readonly commandTimeout: number
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  readonly db?: number
  readonly tls?: object
}

/**
 * The options of a connection by a url, or what is wrong with it, which does not repeat it: it may hold a password. They are not ioredis' own
 * reading of urls, which takes any text for a path of a socket.
 */
export const parseUrl = (given: string): Either.Either<ConnectionOptions, string> => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === "")
    return Either.left('must be one of Redis, such as "redis://127.0.0.1:6379"')
  const database = url.pathname.replace(/^\//, "")
  if (!/^\d*$/.test(database)) return Either.left("may end with the number of a database alone, such as /1")
  return Either.right({
    ...FAIL_FAST,
    host: url.hostname,
    port: url.port === "" ? 6_379 : Number(url.port),
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(database === "" ? {} : { db: Number(database) }),
    ...(url.protocol === "rediss:" ? { tls: {} } : {})
  })
}

/** A url without what may be secret in it. */
export const redactUrl = (url: string): string => (URL.canParse(url) ? new URL(url).host : "(not a url)")

/**
 * A connection that is not made yet. It is cut at the end of the scope, whether Redis is there or not. Without a listener ioredis would
 * print each failure to connect: here the first one of an outage is logged.
 */
export const makeClient = (options: ConnectionOptions): Effect.Effect<Redis, never, Scope.Scope> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) => {
    const log = Runtime.runFork(runtime)
    const place = `Redis at ${options.host}:${options.port}`
    // one that was never there is told by whoever wanted it
    let isAway = true
    return Effect.acquireRelease(
      Effect.sync(() =>
        new Redis(options)
          .on("error", (cause: Error) => {
            if (isAway) return
            isAway = true
            log(Effect.logWarning(`${place} is away: ${cause.message}`))
          })
          .on("ready", () => {
            isAway = false
          })
      ),
      (made) => Effect.sync(() => made.disconnect())
    )
  })

/** Connects, or says why that cannot be done. */
export const connect = (
  url: string,
  options: ConnectionOptions
): Effect.Effect<Redis, RedisUnusable, Scope.Scope> =>
  Effect.tap(makeClient(options), (redis) =>
    Effect.tryPromise({
      try: () => redis.connect(),
      catch: (cause) =>
        new RedisUnusable({
          url: redactUrl(url),
          reason: `${cause instanceof Error ? cause.message : String(cause)}; start it, or correct the url`
        })
    })
  )
