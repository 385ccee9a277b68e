/** Connections to Redis. Commands fail at once while Redis is away. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { Redis } from "ioredis"

/**
 * Redis cannot be used for the fleet. `url` is printable, without secrets. `reason` says what to do.
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

/** Commands fail at once while Redis is away; ioredis reconnects by itself. By default a command would wait for ten seconds. */
const FAIL_FAST = {
  lazyConnect: true,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  connectTimeout: 2_000,
  commandTimeout: 200
} as const

/** The options of ioredis. */
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
 * Parses a url, or says what is wrong with it. The message has no part of the url, which may have a password in it. The parser of ioredis
 * takes any text for the path of a socket.
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

/** The host of a url: the rest may be secret. */
export const redactUrl = (url: string): string => (URL.canParse(url) ? new URL(url).host : "(not a url)")

/**
 * Makes a client that is not connected yet. The end of the scope disconnects it. Without a listener, ioredis prints each failure to
 * connect: here the first one of an outage is logged.
 */
export const makeClient = (options: ConnectionOptions): Effect.Effect<Redis, never, Scope.Scope> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) => {
    const log = Runtime.runFork(runtime)
    const place = `Redis at ${options.host}:${options.port}`
    // the caller of `connect` reports a Redis that was never reached
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

/** Makes a client and connects it. */
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
