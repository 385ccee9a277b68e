/**
 * A cache that knows finality. Give it to the option `coalesce`: equal reads then share a request in flight, and its
 * answer for as long as the cache keeps it.
 *
 * ```ts
 * const sdk = yield* Sdk.make({ network: "ethereum-mainnet", coalesce: Cache.make({ bytes: 64_000_000 }) })
 * ```
 *
 * @since 0.1.0
 */
import { facts } from "../chains/cacheRules.js"
import type { CoalesceLayer } from "../config/Config.js"
import { InvalidConfig } from "../data/SdkError.js"
import { lifetimeOf } from "../services/answerLifetimes.js"
import { type CacheStats, Memory, makeCacheLayer, STORE_VERSION, type Store } from "../transport/Cache.js"
import { makeServiceCache } from "../transport/ServiceCache.js"

export type { CacheStats, Store } from "../transport/Cache.js"

/**
 * The version of the format of stored entries. Every key in a store includes it, so entries of another version are
 * never read.
 *
 * @since 0.1.0
 * @category constants
 */
export const storeVersion: number = STORE_VERSION

/**
 * Size and place of a cache. `bytes` limits the memory (default 64,000,000); the entries that were read least
 * recently are removed first. Answers that can never change are kept in `store`, too.
 *
 * @since 0.1.0
 * @category models
 */
export interface CacheOptions {
  readonly bytes?: number
  readonly store?: Store
}

/**
 * A cache for the option `coalesce`. Clients with the same cache share its entries.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cache extends CoalesceLayer {
  /** Hits and misses so far, and the current size. */
  readonly stats: () => CacheStats
}

/**
 * Makes a cache. It keeps answers that belong to final blocks of EVM chains, Bitcoin and its forks, and Solana. It
 * keeps fees, chain heads and rates for seconds, and files of IPFS; docs/cache.md has the table. Throws
 * `InvalidConfig` if `bytes` is not above 0, or if the store lacks `get` or `set`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ bytes = 64_000_000, store }: CacheOptions = {}): Cache => {
  if (!(bytes > 0))
    throw new InvalidConfig({
      issues: [{ path: "cache.bytes", message: "must be a number of bytes above 0" }]
    })
  if (store !== undefined && (typeof store.get !== "function" || typeof store.set !== "function"))
    throw new InvalidConfig({
      issues: [{ path: "cache.store", message: "must be an object with the functions get and set" }]
    })
  const memory = new Memory(bytes)
  const layer: CoalesceLayer = (inner, { info }) =>
    makeCacheLayer(memory, store, info === undefined ? undefined : facts[info.family])(inner)
  return Object.assign(layer, {
    services: makeServiceCache(memory, store, lifetimeOf),
    stats: () => memory.stats()
  })
}
