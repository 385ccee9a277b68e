/**
 * The SDK for ordinary async code: every call resolves to a `Result`, none rejects.
 *
 * ```ts
 * import { init } from "effect-chains/promise"
 *
 * const sdk = await init({ network: "ethereum-mainnet" })
 * const balance = await sdk.rpc.getBalance("0x…")
 * if (balance.status === "SUCCESS") console.log(balance.data)
 * await sdk.destroy()
 * ```
 *
 * @since 0.1.0
 */
export type { PoolEvent } from "./balancer/Observation.js"
export type { ExtensionContext } from "./client/extensions.js"
export { pollPromise as retry, type RetryOptions } from "./client/Polling.js"
export { type Init, init, initWith, type PromiseSdk, type PromiseSubscriptions } from "./client/PromiseSdk.js"
export type {
  InitConfig,
  InitRpc,
  PromiseCallOptions,
  PromiseRpcSdk
} from "./client/promiseSurface.js"
export type { BrowserWallet, Extension, WalletExtension } from "./config/Extension.js"
export { formatEther, formatUnits, parseEther, parseUnits } from "./data/amounts.js"
export {
  type Failure,
  getOrThrow,
  isFailure,
  isSuccess,
  type Result,
  type Success
} from "./data/CallResult.js"
export { isSdkError, type SdkError } from "./data/SdkError.js"
export type * from "./services/answers.js"
export type { PollingDelay } from "./subscriptions/Subscription.js"
