/**
 * What both entries of hooks export. It imports nothing that makes clients: bundlers that split code keep what a file loads on demand, even
 * if the page uses nothing of the file.
 *
 * @since 0.1.0
 */
export type { CachedRead } from "./CacheEntry.js"
export * from "./cache.js"
export * from "./hooks.js"
export { type DehydratedAnswer, dehydrate, initialValue } from "./hydration.js"
export type { NodePool } from "./NodePool.js"
export { type CommonProviderProps, HydrationBoundary } from "./provider.js"
export { type ClientOf, type Method, type Path, type Reactive, reactive } from "./Reactive.js"
export type {
  Answer,
  Arguments,
  DefaultConsistency,
  DefaultNetwork,
  FailedReading,
  Failure,
  IdleReading,
  LiveOptions,
  LoadedReading,
  LoadingReading,
  NetworkOptions,
  ReadDefaults,
  Reading,
  ReadOptions,
  Refresh,
  Register,
  RpcPath,
  SuspenseOptions,
  SuspenseReading,
  WatchOptions,
  WatchState,
  WriteHandle,
  WriteOptions
} from "./types.js"
export type { WalletState } from "./Wallet.js"
