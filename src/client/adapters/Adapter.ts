/**
 * Adapters that let other libraries send through the node pool: viem, ethers, web3, anything that speaks EIP-1193,
 * and `@solana/kit`. None of them is imported; each adapter is loaded with its first request.
 *
 * @since 0.1.0
 */

import type { AnyNetwork, evmFamilies, FamilyOf } from "../../data/Network.js"
import type { Eip1193Provider, Eip1193Request } from "./Eip1193.js"

/**
 * Options of one request. `signal` aborts it.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * How viem requests. It rejects with errors that have viem's names, codes, `details` and `data`.
 *
 * @since 0.1.0
 * @category adapters
 */
export type ViemRequest = <A>(args: Eip1193Request, options?: RequestOptions) => Promise<A>

/**
 * A transport of viem: for `createPublicClient({ transport })` and its like. viem does not retry: the pool has.
 *
 * @since 0.1.0
 * @category adapters
 */
export type ViemTransport = () => {
  readonly config: {
    readonly key: string
    readonly name: string
    readonly type: string
    readonly retryCount: number
    readonly request: ViemRequest
  }
  readonly request: ViemRequest
}

/**
 * viem's `custom`, as far as it is used here.
 *
 * @since 0.1.0
 * @category adapters
 */
export type ViemCustom<T> = (provider: Eip1193Provider, config: { readonly retryCount: number }) => T

/**
 * The module of ethers (version 6), as far as it is used here: `P` is its `BrowserProvider`.
 *
 * @since 0.1.0
 * @category adapters
 */
export interface Ethers<P> {
  readonly BrowserProvider: new (
    provider: Eip1193Provider,
    chainId: number | undefined,
    options: { readonly staticNetwork: boolean }
  ) => P
}

/**
 * A JSON-RPC answer, as web3 takes it.
 *
 * @since 0.1.0
 * @category adapters
 */
export interface Web3Answer<A> {
  readonly jsonrpc: "2.0"
  readonly id: string | number
  readonly result: A
}

/**
 * A provider of web3 (version 4). It returns JSON-RPC responses, also for a node's error. web3 converts that error, as
 * with its HTTP provider.
 *
 * @since 0.1.0
 * @category adapters
 */
export interface Web3Provider {
  readonly request: <A>(payload: Eip1193Request) => Promise<Web3Answer<A>>
  /** False: nothing comes by itself here. `rpc.subscribe` is for that. */
  readonly supportsSubscriptions: () => boolean
}

/**
 * A transport of `@solana/kit`: for its `createSolanaRpcFromTransport`.
 *
 * @since 0.1.0
 * @category adapters
 */
export type KitTransport = <A>(request: {
  readonly payload: unknown
  readonly signal?: AbortSignal
}) => Promise<A>

/**
 * Adapters of an EVM chain. They end with the client: later requests fail.
 *
 * @since 0.1.0
 * @category clients
 */
export interface EvmAdapters {
  /** As an EIP-1193 provider. It rejects with `ProviderRpcError`. */
  readonly eip1193: () => Eip1193Provider
  /**
   * As a transport of viem, without retries. Given viem's own `custom`, the transport is made by it, and errors are
   * instances of viem's classes: CCIP-Read (EIP-3668) and `instanceof` need that.
   */
  readonly viemTransport: {
    (): ViemTransport
    <T>(custom: ViemCustom<T>): T
  }
  /** As a provider of ethers, whose module is given: `rpc.ethersProvider(ethers)`. Its network is known and not asked for. */
  readonly ethersProvider: <P>(ethers: Ethers<P>) => P
  /** As a provider of web3: `new Web3(rpc.web3Provider())`. */
  readonly web3Provider: () => Web3Provider
}

/**
 * Adapters of Solana.
 *
 * @since 0.1.0
 * @category clients
 */
export interface SolanaAdapters {
  /** As a transport of `@solana/kit`. It ends with the client: later requests fail. */
  readonly kitTransport: () => KitTransport
}

/**
 * The adapters of each family that has some.
 *
 * @since 0.1.0
 * @category types
 */
export interface Adapters extends Readonly<Record<(typeof evmFamilies)[number], EvmAdapters>> {
  readonly solana: SolanaAdapters
}

/**
 * The adapters of a network, in `rpc` on both surfaces.
 *
 * @since 0.1.0
 * @category types
 */
export type AdaptersOf<N extends AnyNetwork> =
  FamilyOf<N> extends keyof Adapters ? Adapters[FamilyOf<N>] : unknown
