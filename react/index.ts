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
export { type ProviderConfig, SdkProvider, type SdkProviderProps } from "./SdkProvider.js"
export * from "./surface.js"
export * from "./useSdk.js"
