/**
 * Stores for the SDK's cache that outlive a process, or that processes share: Redis, LMDB and files.
 *
 * ```ts
 * const store = yield* Cache.redis({ url: "redis://cache.internal:6379" })
 * const sdk = yield* Sdk.make({ network: "ethereum-mainnet", coalesce: SdkCache.make({ store }) })
 * ```
 *
 * @since 0.1.0
 */
import * as Persistence from "@effect/experimental/Persistence"
import * as PersistenceLmdb from "@effect/experimental/Persistence/Lmdb"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { SdkCache } from "effect-chains"
import type { Redis } from "ioredis"
import { makeClient, parseUrl } from "./redis.js"

/**
 * The url or path of a store is wrong, or access is denied. `reason` says what to do, and has no password in it.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCacheStore extends Data.TaggedError("InvalidCacheStore")<{
  readonly option: "url" | "path" | "expires"
  readonly reason: string
}> {
  override get message(): string {
    return `The cache's ${this.option} ${this.reason}`
  }
}

/**
 * The store belongs to another version of the SDK. Nothing in it was read or changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class CacheStoreOfOtherVersion extends Data.TaggedError("CacheStoreOfOtherVersion")<{
  readonly found: string
  readonly wanted: string
}> {
  override get message(): string {
    return `The cache's store is of version ${this.found}, and this SDK writes version ${this.wanted}: give it another name (or path), or empty the store`
  }
}

/**
 * The errors of opening a store. A store that cannot be reached is none: reads go to nodes until it can.
 *
 * @since 0.1.0
 * @category errors
 */
export type CacheStoreError = InvalidCacheStore | CacheStoreOfOtherVersion

const CURRENT_VERSION = String(SdkCache.storeVersion)

/** The key of the version in a store. */
const VERSION_KEY = "version"

const checkVersion = (found: unknown): Effect.Effect<void, CacheStoreOfOtherVersion> =>
  typeof found === "string" && found !== CURRENT_VERSION
    ? Effect.fail(new CacheStoreOfOtherVersion({ found, wanted: CURRENT_VERSION }))
    : Effect.void

/**
 * A store over any `BackingPersistence` of `@effect/experimental`, with a name (default `effect-chains`). After a failure the next read
 * tries it again.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromPersistence = ({
  name = "effect-chains"
}: {
  readonly name?: string
} = {}): Effect.Effect<
  SdkCache.Store,
  CacheStoreOfOtherVersion,
  Persistence.BackingPersistence | Scope.Scope
> =>
  Effect.gen(function* () {
    const backing = yield* Persistence.BackingPersistence
    const store = yield* backing.make(name)
    const runtime = yield* Effect.runtime()
    const found = yield* Effect.orElseSucceed(store.get(VERSION_KEY), () => Option.none())
    yield* checkVersion(Option.getOrUndefined(found))
    yield* Effect.ignore(store.set(VERSION_KEY, CURRENT_VERSION, Option.none()))
    const run = Runtime.runPromise(runtime)
    return {
      get: (key) => run(Effect.map(store.get(key), Option.getOrUndefined)),
      set: (key, value) => run(store.set(key, value, Option.none()))
    }
  })

/** A store over a layer, as long as the scope is open. If the layer fails to build, the path is wrong. */
const fromLayer = (
  layer: Layer.Layer<Persistence.BackingPersistence, unknown>,
  path: string
): Effect.Effect<SdkCache.Store, CacheStoreError, Scope.Scope> =>
  Effect.flatMap(
    Effect.catchAllCause(Layer.build(layer), () =>
      Effect.fail(
        new InvalidCacheStore({
          option: "path",
          reason: `${path} cannot be opened: give a folder that may be written`
        })
      )
    ),
    (context) => Effect.provide(fromPersistence(), context)
  )

const checkPath = (path: unknown): Effect.Effect<void, InvalidCacheStore> =>
  typeof path === "string" && path.trim() !== ""
    ? Effect.void
    : Effect.fail(new InvalidCacheStore({ option: "path", reason: "must be the path of a folder" }))

/**
 * A store in a folder of LMDB, for the processes of one machine.
 *
 * @since 0.1.0
 * @category constructors
 */
export const lmdb = ({
  path
}: {
  readonly path: string
}): Effect.Effect<SdkCache.Store, CacheStoreError, Scope.Scope> =>
  Effect.zipRight(
    checkPath(path),
    Effect.suspend(() => fromLayer(PersistenceLmdb.layer({ path }), path))
  )

/**
 * A store in a folder, with a file for each answer.
 *
 * @since 0.1.0
 * @category constructors
 */
export const files = ({
  path
}: {
  readonly path: string
}): Effect.Effect<SdkCache.Store, CacheStoreError, Scope.Scope> =>
  Effect.zipRight(
    checkPath(path),
    Effect.suspend(() =>
      fromLayer(
        Persistence.layerKeyValueStore.pipe(
          Layer.provide(KeyValueStore.layerFileSystem(path)),
          Layer.provide(NodeContext.layer)
        ),
        path
      )
    )
  )

/**
 * The options of a store in Redis.
 *
 * - `name` comes before all keys (default `effect-chains`).
 * - `expires` is how long an answer is stored after its last write (default 30 days).
 * - `lock` is the longest time that one process alone asks the nodes for an answer (default 5 seconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface RedisCacheOptions {
  readonly url: string
  readonly name?: string
  readonly expires?: Duration.DurationInput
  readonly lock?: Duration.DurationInput
}

/** Releases a lock, if this process still holds it. */
const UNLOCK = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`

const isAccessRefused = (error: unknown): boolean =>
  /NOAUTH|WRONGPASS|NOPERM|ERR (invalid|DB)/.test(String(error))

/** Writes our version to a new store in Redis, or checks that of an old one. A Redis that is away is only logged. */
const claimVersion = (redis: Redis, key: string): Effect.Effect<void, CacheStoreError> => {
  // ioredis gives the reason of a refused connection to listeners alone
  let connectionError: unknown
  redis.once("error", (error) => {
    connectionError = error
  })
  return Effect.tryPromise({
    try: async () => {
      await redis.connect()
      await redis.set(key, CURRENT_VERSION, "NX")
      return redis.get(key)
    },
    catch: (error) => error
  }).pipe(
    Effect.catchAll((error) =>
      isAccessRefused(error) || isAccessRefused(connectionError)
        ? Effect.fail(
            new InvalidCacheStore({
              option: "url",
              reason: "names a Redis that does not let us in: check its user, password and database"
            })
          )
        : Effect.as(
            Effect.logWarning("The cache's Redis cannot be reached: reads go to nodes until it can"),
            null
          )
    ),
    Effect.flatMap(checkVersion)
  )
}

/**
 * Opens a store in Redis, for processes on many machines. While Redis is away, reads go to nodes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const redis = ({
  url,
  name = "effect-chains",
  expires = "30 days",
  lock = "5 seconds"
}: RedisCacheOptions): Effect.Effect<SdkCache.Store, CacheStoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const options = yield* Effect.mapError(
      parseUrl(url),
      (reason) => new InvalidCacheStore({ option: "url", reason })
    )
    const [expiresMs, lockMs] = [Duration.toMillis(expires), Duration.toMillis(lock)].map(Math.trunc)
    if (!(expiresMs !== undefined && expiresMs > 0 && lockMs !== undefined && lockMs > 0))
      return yield* new InvalidCacheStore({ option: "expires", reason: "and lock must be times above 0" })
    const client = yield* makeClient(options)
    yield* claimVersion(client, `${name}:${VERSION_KEY}`)
    return {
      get: (key) => client.get(`${name}:${key}`),
      set: (key, value) => client.set(`${name}:${key}`, value, "PX", expiresMs),
      lock: async (key) => {
        const lockKey = `${name}:lock:${key}`
        const token = crypto.randomUUID()
        const isAcquired = (await client.set(lockKey, token, "PX", lockMs, "NX")) === "OK"
        return isAcquired ? () => client.eval(UNLOCK, 1, lockKey, token) : undefined
      }
    }
  })
