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
import { loadFamily } from "./chains/registry.js"
import { type Init, startWithServices } from "./client/surface.js"
import type { Network } from "./data/Network.js"

export type { PoolEvent } from "./balancer/Observation.js"
export {
  type InitConfig,
  type InitRpc,
  initWith,
  type PromiseCallOptions,
  type PromiseRpcSdk
} from "./client/init.js"
export { type RetryOptions, retryPromise as retry } from "./client/Retry.js"
export type { Init, PromiseSdk, PromiseSubscriptions } from "./client/surface.js"
export { type Failure, isFailure, isSuccess, type Result, type Success } from "./data/Result.js"

/**
 * Makes the client of a network; its type follows the network's id. Rejects with the tagged error on a bad
 * configuration, an unknown network or a refused extension, and for no other reason.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<Network> = (config) => startWithServices(config, loadFamily)
