/**
 * `effect-chains/cache`: a cache that knows finality, for Promise clients.
 *
 * ```ts
 * const sdk = await init({ network: "ethereum-mainnet", coalesce: cache({ bytes: 64_000_000 }) })
 * ```
 *
 * @since 0.1.0
 */
export {
  type Cache,
  type CacheOptions,
  type CacheStats,
  make as cache,
  type Store,
  storeVersion
} from "./client/Cache.js"
