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
import type { Adapting } from "./Adapter.js"
import type { NodeSnapshot } from "./balancer/Balancer.js"
import type { Listen } from "./balancer/Observation.js"
import type { Promised } from "./Client.js"
import { loadFamily } from "./internal/loaders.js"
import { startWithServices } from "./internal/startWithServices.js"
import type { Network } from "./Network.js"
import type { RpcOf } from "./Sdk.js"
import type { ServicesOf } from "./Services.js"
import type { Subscribing, Subscriptions } from "./Subscription.js"
import type { SdkConfig } from "./services/Config.js"
import type { CallOptionsShape } from "./Transport.js"

export type { PoolEvent } from "./balancer/Observation.js"
export { initWith } from "./internal/start.js"
export { type Failure, isFailure, isSuccess, type Result, type Success } from "./Result.js"
export { type RetryOptions, retryPromise as retry } from "./Retry.js"

/**
 * The configuration of a Promise client: that of every client, and the `fetch` to send with (default: the global one).
 *
 * @since 0.1.0
 * @category models
 */
export interface InitConfig<N extends Network = Network> extends SdkConfig<N> {
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Options of single calls: `signal` aborts them, `timeout` and `attemptTimeout` (milliseconds) override the
 * configuration, `node` pins the url of a node of the pool, `minBlock` is the block that reads must not be behind.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromiseCallOptions extends CallOptionsShape {
  readonly signal?: AbortSignal
}

/**
 * The client of a network's nodes on the Promise surface, without services: what `effect-chains/chains/*` make.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromiseRpcSdk<N extends Network = Network> extends AsyncDisposable {
  readonly network: N
  /** The calls of the network's nodes. */
  readonly rpc: Promised<RpcOf<N>>
  /** The nodes as they are known now. */
  readonly nodes: () => ReadonlyArray<NodeSnapshot>
  /** Checks all nodes now. */
  readonly checkNodes: () => Promise<void>
  /** Tells what happens to the nodes from now on, until the function that it returns is called. */
  readonly listen: Listen
  /** The same client with these options for its calls. */
  readonly with: (options: PromiseCallOptions) => PromiseRpcSdk<N>
  /** Ends the client: its checks, timers and calls in flight. It always resolves. */
  readonly destroy: () => Promise<void>
}

/**
 * {@link Subscriptions} as async iterables of results: a loop over one ends it when it is left.
 *
 * @since 0.1.0
 * @category types
 */
export type PromiseSubscriptions = { readonly [F in keyof Subscriptions]: Promised<Subscriptions[F]> }

/**
 * The client of a network on the Promise surface: its nodes with their subscriptions, and the services that the network
 * has.
 *
 * @since 0.1.0
 * @category models
 */
export type PromiseSdk<N extends Network = Network> = Omit<PromiseRpcSdk<N>, "with"> &
  Promised<ServicesOf<N>> & {
    /** The calls of the network's nodes, subscriptions to what happens on the chain, and the pool for other libraries. */
    readonly rpc: Promised<RpcOf<N>> & Subscribing<N, PromiseSubscriptions> & Adapting<N>
    /** The same client with these options for its calls. */
    readonly with: (options: PromiseCallOptions) => PromiseSdk<N>
  }

/**
 * How a Promise client of nodes alone is made.
 *
 * @since 0.1.0
 * @category models
 */
export type InitRpc<N extends Network> = <const M extends N>(
  config: InitConfig<M>
) => Promise<PromiseRpcSdk<M>>

/**
 * How a Promise client is made.
 *
 * @since 0.1.0
 * @category models
 */
export type Init<N extends Network> = <const M extends N>(config: InitConfig<M>) => Promise<PromiseSdk<M>>

/**
 * Makes the client of a network; its type follows the network's id. Rejects with the tagged error on a bad
 * configuration, an unknown network or a refused extension, and for no other reason.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<Network> = (config) => startWithServices(config, loadFamily)
