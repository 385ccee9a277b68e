/**
 * A cache that knows finality. It is a value of the option `coalesce`, in which equal reads share a request in flight, and for as long as
 * it holds its answer, too.
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
 * The version of what is in stores: it is part of all names there.
 *
 * @since 0.1.0
 * @category constants
 */
export const storeVersion: number = STORE_VERSION

/**
 * What is kept, and where. `bytes` is the limit of what is kept in memory (default 64,000,000); the answers that were asked for the
 * longest time ago go first. What can never change is kept in `store`, too.
 *
 * @since 0.1.0
 * @category models
 */
export interface CacheOptions {
  readonly bytes?: number
  readonly store?: Store
}

/**
 * A cache, as the option `coalesce` of clients takes it. Clients that are given the same one share what it keeps.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cache extends CoalesceLayer {
  /** What it has done so far, and what it holds now. */
  readonly stats: () => CacheStats
}

/**
 * Makes a cache. Kept are answers of EVM chains, Bitcoin and its kin, and Solana that belong to final blocks, and for moments fees and
 * heads; of services fees, rates and what tokens are for moments, and files of IPFS; see docs/cache.md. Throws `InvalidConfig` if `bytes` is no number above 0 or the store has no `get` and `set`.
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
