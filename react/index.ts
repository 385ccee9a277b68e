/**
 * The SDK in React: a provider, hooks with familiar names, and the Rx surface beneath them.
 *
 * ```tsx
 * const Balance = ({ address }: { address: string }) => {
 *   const { data, error, status } = useBalance({ address }, { refresh: "blocks" })
 *   return status === "success" ? <b>{data[0]?.balance}</b> : <i>{error?.message ?? "…"}</i>
 * }
 * ```
 *
 * @since 0.1.0
 */
export type { CachedRead } from "./CacheEntry.js"
export * from "./cache.js"
export * from "./hooks.js"
export { type DehydratedAnswer, dehydrate, initialValue } from "./hydration.js"
export type { NodePool } from "./NodePool.js"
export { type ClientOf, type Method, type Path, type Reactive, reactive } from "./Reactive.js"
export { HydrationBoundary, type ProviderConfig, SdkProvider, type SdkProviderProps } from "./SdkProvider.js"
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
