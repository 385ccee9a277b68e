"use client"

/**
 * The hooks. All of them are a few words over the same two: one that reads, one that writes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as React from "react"
import type { WaitOptions } from "../src/chains/internal/Confirmation.js"
import type { Sdk } from "../src/client/Sdk.js"
import type { Result as Outcome } from "../src/data/CallResult.js"
import type { AnyNetwork } from "../src/data/Network.js"
import type { InitError, Unexpected } from "../src/data/SdkError.js"
import { catalogue } from "../src/services/Services.js"
import type { BrowserWallet, DiscoveredWallet, WalletReadError } from "../src/services/WalletProvider.js"
import type { SubscriptionError } from "../src/subscriptions/Subscription.js"
import {
  type AnyWriteHandle,
  type AnyWriteOptions,
  asHook,
  useRunner,
  useStreamItems,
  useWriteCalls,
  useWriter,
  writeAt
} from "./calls.js"
import { emptyList, makePagesHook, makeQueryHook, makeReadHook, useMerged } from "./makeHooks.js"
import type { NodePool } from "./NodePool.js"
import { type Path, streamAt, valueOf } from "./Reactive.js"
import {
  type AnyOptions,
  makeBrowserSuspense,
  type Source,
  type UseSource,
  useSource,
  useSuspenseSource
} from "./ReadObserver.js"
import { type NetworkEntry, useNetworkEntry } from "./SdkProvider.js"
import type {
  Answer,
  Arguments,
  DefaultNetwork,
  Failure,
  LiveOptions,
  NetworkOptions,
  Reading,
  ReadOptions,
  RpcPath,
  SuspenseOptions,
  SuspenseReading,
  WatchOptions,
  WatchState,
  WriteHandle,
  WriteOptions
} from "./types.js"
import { toKey } from "./values.js"
import { makeWalletState, type WalletState } from "./Wallet.js"

/**
 * A hook of any read.
 *
 * @since 0.1.0
 * @category types
 */
export type UseRead = <
  P extends Path<N, "read">,
  N extends AnyNetwork = DefaultNetwork,
  const Args extends Arguments<N, P> = Arguments<N, P>,
  B = Answer<N, P, Args>
>(
  path: P,
  args: Args,
  options?: ReadOptions<N, Answer<N, P, Args>, B>
) => Reading<B, Failure<N, P>>

/**
 * The Suspense twin of {@link UseRead}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseRead = <
  P extends Path<N, "read">,
  N extends AnyNetwork = DefaultNetwork,
  const Args extends Arguments<N, P> = Arguments<N, P>,
  B = Answer<N, P, Args>
>(
  path: P,
  args: Args,
  options?: SuspenseOptions<N, Answer<N, P, Args>, B>
) => SuspenseReading<B, Failure<N, P>>

/**
 * A hook of any read of a network's nodes.
 *
 * @since 0.1.0
 * @category types
 */
export type UseRpc = <
  M extends RpcPath<N>,
  N extends AnyNetwork = DefaultNetwork,
  const Args extends Arguments<N, `rpc.${M}`> = Arguments<N, `rpc.${M}`>,
  B = Answer<N, `rpc.${M}`, Args>
>(
  method: M,
  args: Args,
  options?: ReadOptions<N, Answer<N, `rpc.${M}`, Args>, B>
) => Reading<B, Failure<N, `rpc.${M}`>>

/**
 * The Suspense twin of {@link UseRpc}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseRpc = <
  M extends RpcPath<N>,
  N extends AnyNetwork = DefaultNetwork,
  const Args extends Arguments<N, `rpc.${M}`> = Arguments<N, `rpc.${M}`>,
  B = Answer<N, `rpc.${M}`, Args>
>(
  method: M,
  args: Args,
  options?: SuspenseOptions<N, Answer<N, `rpc.${M}`, Args>, B>
) => SuspenseReading<B, Failure<N, `rpc.${M}`>>

/**
 * A hook of the read at a path, which takes one query.
 *
 * @since 0.1.0
 * @category types
 */
export type UseQuery<P extends string> = <N extends AnyNetwork = DefaultNetwork, B = Answer<N, P>>(
  query: Arguments<N, P>[0],
  options?: ReadOptions<N, Answer<N, P>, B>
) => Reading<B, Failure<N, P>>

/**
 * The Suspense twin of {@link UseQuery}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseQuery<P extends string> = <N extends AnyNetwork = DefaultNetwork, B = Answer<N, P>>(
  query: Arguments<N, P>[0],
  options?: SuspenseOptions<N, Answer<N, P>, B>
) => SuspenseReading<B, Failure<N, P>>

/**
 * A hook of the read at a path, which takes nothing.
 *
 * @since 0.1.0
 * @category types
 */
export type UseNoArgs<P extends string> = <N extends AnyNetwork = DefaultNetwork, B = Answer<N, P>>(
  options?: ReadOptions<N, Answer<N, P>, B>
) => Reading<B, Failure<N, P>>

/**
 * The Suspense twin of {@link UseNoArgs}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseNoArgs<P extends string> = <N extends AnyNetwork = DefaultNetwork, B = Answer<N, P>>(
  options?: SuspenseOptions<N, Answer<N, P>, B>
) => SuspenseReading<B, Failure<N, P>>

const makeRpcHook =
  (use: UseSource) => (method: string, args: ReadonlyArray<unknown>, options?: AnyOptions) =>
    makeReadHook(use)(`rpc.${method}`, args, options)

const makeNoArgsHook = (use: UseSource, path: string) => (options?: AnyOptions) =>
  makeReadHook(use)(path, [], options)

const makeRateHook =
  (use: UseSource) =>
  ({ basePair, currency }: RatePair, options?: AnyOptions) =>
    makeReadHook(use)("rates.getCurrentRate", [currency, basePair], options)

/**
 * Any read by its dotted path: `useRead("nft.getNftMetadata", [{ tokenAddress, tokenId }])`, typed by the network of
 * `options`, or that of `Register`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useRead: UseRead = /*#__PURE__*/ asHook(/*#__PURE__*/ makeReadHook(useSource))

/**
 * The Suspense twin of {@link useRead}: throws the promise of the first answer, and the error if there is none.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseRead: UseSuspenseRead = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeReadHook(useSuspenseSource)
)

/**
 * Any read of the network's nodes: `useRpc("getBalance", ["0x…"])`; methods in groups have dots.
 *
 * @since 0.1.0
 * @category getters
 */
export const useRpc: UseRpc = /*#__PURE__*/ asHook(/*#__PURE__*/ makeRpcHook(useSource))

/**
 * The Suspense twin of {@link useRpc}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseRpc: UseSuspenseRpc = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeRpcHook(useSuspenseSource)
)

/**
 * Balances of addresses, in whole coins: `useBalance({ address })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useBalance: UseQuery<"address.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSource, "address.getBalance")
)

/**
 * The Suspense twin of {@link useBalance}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseBalance: UseSuspenseQuery<"address.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseSource, "address.getBalance")
)

/**
 * Fungible tokens that addresses have.
 *
 * @since 0.1.0
 * @category getters
 */
export const useTokenBalances: UseQuery<"token.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSource, "token.getBalance")
)

/**
 * The Suspense twin of {@link useTokenBalances}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseTokenBalances: UseSuspenseQuery<"token.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseSource, "token.getBalance")
)

/**
 * The fees of a transaction now.
 *
 * @since 0.1.0
 * @category getters
 */
export const useFee: UseNoArgs<"fee.getCurrentFee"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeNoArgsHook(useSource, "fee.getCurrentFee")
)

/**
 * The Suspense twin of {@link useFee}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseFee: UseSuspenseNoArgs<"fee.getCurrentFee"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeNoArgsHook(useSuspenseSource, "fee.getCurrentFee")
)

/**
 * A currency, and the one that its rate is to be in: `{ currency: "BTC", basePair: "EUR" }`.
 *
 * @since 0.1.0
 * @category models
 */
export interface RatePair {
  readonly currency: string
  readonly basePair: string
}

/**
 * The rate of a currency in another: `useRate({ currency: "BTC", basePair: "EUR" }, { refresh: "1 minute" })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useRate: <N extends AnyNetwork = DefaultNetwork, B = Answer<N, "rates.getCurrentRate">>(
  pair: RatePair,
  options?: ReadOptions<N, Answer<N, "rates.getCurrentRate">, B>
) => Reading<B, Failure<N, "rates.getCurrentRate">> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeRateHook(useSource)
)

/**
 * The Suspense twin of {@link useRate}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseRate: <N extends AnyNetwork = DefaultNetwork, B = Answer<N, "rates.getCurrentRate">>(
  pair: RatePair,
  options?: SuspenseOptions<N, Answer<N, "rates.getCurrentRate">, B>
) => SuspenseReading<B, Failure<N, "rates.getCurrentRate">> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeRateHook(useSuspenseSource)
)

/**
 * The further fields of a list: whether there are more items, whether they are under way, and the function that asks for them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Paged {
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
}

/** A state that stands beside its reading: its source, the state before there is one, and further members. */
type SideState = readonly [rx: Source, none: object, more?: object]

/** A reading, and beside it the state that it was selected from, as of the render. */
const useWithState = (
  use: UseSource,
  entry: NetworkEntry,
  options: AnyOptions,
  [rx, none, more]: SideState
): object => {
  const { reading, sourceResult } = use(entry, rx, options)
  return useMerged(reading, { ...none, ...Object(valueOf(sourceResult)), ...more })
}

/**
 * A hook of a list, page by page.
 *
 * @since 0.1.0
 * @category types
 */
export type UsePages<P extends string> = <
  N extends AnyNetwork = DefaultNetwork,
  B = ReadonlyArray<Answer<N, P>>
>(
  query: Arguments<N, P>[0],
  options?: ReadOptions<N, ReadonlyArray<Answer<N, P>>, B>
) => Reading<B, Failure<N, P>> & Paged

/**
 * The Suspense twin of {@link UsePages}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspensePages<P extends string> = <
  N extends AnyNetwork = DefaultNetwork,
  B = ReadonlyArray<Answer<N, P>>
>(
  query: Arguments<N, P>[0],
  options?: SuspenseOptions<N, ReadonlyArray<Answer<N, P>>, B>
) => SuspenseReading<B, Failure<N, P>> & Paged

/**
 * Transfers of addresses: all that were loaded so far. `loadMore` asks for the next page, `refresh` begins anew.
 *
 * @since 0.1.0
 * @category getters
 */
export const useTransactions: UsePages<"address.streamTransactions"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSource, "address.streamTransactions")
)

/**
 * The Suspense twin of {@link useTransactions}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseTransactions: UseSuspensePages<"address.streamTransactions"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSuspenseSource, "address.streamTransactions")
)

/**
 * Options of {@link useBlockNumber}: with `watch`, the height follows the chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockNumberOptions<N extends AnyNetwork, B = bigint> extends ReadOptions<N, bigint, B> {
  readonly watch?: boolean
}

/**
 * The errors of a question for the height of a chain, and of watching it.
 *
 * @since 0.1.0
 * @category errors
 */
export type HeightError = SubscriptionError | InitError | Unexpected

const makeBlockNumberHook =
  (use: UseSource) =>
  (options: BlockNumberOptions<AnyNetwork, unknown> = {}) => {
    const entry = useNetworkEntry(options.network)
    return use(
      entry,
      options.watch === true ? entry.blocks.watch : entry.blocks.height,
      options as AnyOptions
    ).reading
  }

/**
 * The height of the chain. With `watch` it follows the chain: by a subscription where the nodes have one, else by asking
 * now and then. On Solana that is the slot.
 *
 * @since 0.1.0
 * @category getters
 */
export const useBlockNumber: <N extends AnyNetwork = DefaultNetwork, B = bigint>(
  options?: BlockNumberOptions<N, B>
) => Reading<B, HeightError> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeBlockNumberHook(useSource))

/**
 * The Suspense twin of {@link useBlockNumber}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseBlockNumber: <N extends AnyNetwork = DefaultNetwork, B = bigint>(
  options?: BlockNumberOptions<N, B>
) => SuspenseReading<B, HeightError> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeBlockNumberHook(useSuspenseSource)
)

/**
 * The client of a network, for calls without a hook; undefined until it is made.
 *
 * @since 0.1.0
 * @category clients
 */
export const useSdk = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): Sdk<N> | undefined => {
  const entry = useNetworkEntry(options?.network)
  // the client of this entry was made for this network
  const made = useSource(entry, entry.ready, {}).reading.data as { readonly sdk: Sdk<N> } | undefined
  return made?.sdk
}

/**
 * The Suspense twin of {@link useSdk}: throws the promise of the client, and the error if it cannot be made.
 *
 * @since 0.1.0
 * @category clients
 */
export const useSuspenseSdk = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): Sdk<N> => {
  const entry = useNetworkEntry(options?.network)
  // the client of this entry was made for this network, and is there
  return (useSuspenseSource(entry, entry.ready, {}).reading.data as { readonly sdk: Sdk<N> }).sdk
}

/**
 * Runs effects with the client of a network: `const run = useRun()`, then `await run((sdk) => sdk.rpc.chainId())`. The promise
 * never rejects, and an effect that has begun goes on when the component is gone.
 *
 * @since 0.1.0
 * @category clients
 */
export const useRun = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): (<A, E extends { readonly message: string }>(
  use: Effect.Effect<A, E> | ((sdk: Sdk<N>) => Effect.Effect<A, E>)
) => Promise<Outcome<A, E | InitError>>) => {
  const run = useRunner(options?.network)
  return React.useCallback(
    // the client was made for this network
    (use) => run((sdk) => (typeof use === "function" ? use(sdk as unknown as Sdk<N>) : use)),
    [run]
  )
}

const useAnyWrite = (path: string, options?: AnyWriteOptions): AnyWriteHandle =>
  useWriteCalls(options, writeAt(path))

/**
 * A hook of the write at a path.
 *
 * @since 0.1.0
 * @category types
 */
export type WriteHandleAt<N extends AnyNetwork, P extends string> = WriteHandle<
  Arguments<N, P>,
  Answer<N, P>,
  Failure<N, P>
>

/**
 * Any write by its dotted path: `const { run } = useWrite("nft.mintNft")`, then `await run(body)`. No request is sent before
 * that, and every call is made once.
 *
 * @since 0.1.0
 * @category operations
 */
export const useWrite: <P extends Path<N, "write">, N extends AnyNetwork = DefaultNetwork>(
  path: P,
  options?: WriteOptions<N, Arguments<N, P>>
) => WriteHandleAt<N, P> = /*#__PURE__*/ asHook(useAnyWrite)

/**
 * Has the wallet sign a transaction and send it; `value` is in the smallest unit, as in wallets.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSendTransaction: <N extends AnyNetwork = DefaultNetwork>(
  options?: WriteOptions<N, Arguments<N, "wallet.signAndBroadcast">>
) => WriteHandleAt<N, "wallet.signAndBroadcast"> = /*#__PURE__*/ asHook((options?: AnyWriteOptions) =>
  useAnyWrite("wallet.signAndBroadcast", options)
)

/**
 * Connects the page with a wallet: `run(wallet)` with one of those that `useWallet` has found, by its `rdns`, or as an
 * object; `run()` with the one that was chosen before, or the only one there is. The choice is remembered, also for the
 * next visit. Resolves to the address of the account.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useConnect: <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
) => WriteHandle<
  readonly [wallet?: string | DiscoveredWallet | BrowserWallet],
  string,
  Failure<N, "wallet.use"> | Failure<N, "wallet.getWallet">
> = /*#__PURE__*/ asHook((options?: NetworkOptions) =>
  useWriteCalls(options, (client, args) =>
    Effect.zipRight(
      args[0] === undefined ? Effect.void : writeAt("wallet.use")(client, args),
      writeAt("wallet.getWallet")(client, [])
    )
  )
)

/**
 * Forgets the wallet that the user has chosen, here and for the next visit: the page shows no account before they connect
 * again.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useDisconnect: <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
) => WriteHandleAt<N, "wallet.disconnect"> = /*#__PURE__*/ asHook((options?: NetworkOptions) =>
  useAnyWrite("wallet.disconnect", options)
)

/**
 * The errors of reading the wallet of a page.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletStateError = WalletReadError | InitError | Unexpected

const noWallet = /*#__PURE__*/ makeWalletState()

const makeWalletHook =
  (use: UseSource) =>
  (options: AnyOptions = {}) => {
    const entry = useNetworkEntry(options.network)
    return useWithState(use, entry, options, [entry.wallet, noWallet])
  }

/**
 * The wallet of the page: the wallets that are there, the account and the chain as the user changes them. It never asks the
 * user: {@link useConnect} does. It is `"loading"` until it is known whether the page may see an account, and while the hook
 * waits for the wallet that the user has chosen; if that one is not there, the error is `WalletNotFound`, and no other one
 * takes its place. A page without a wallet, or without a choice of several, is `"success"` without an account. The state stands
 * beside the reading of it; with `select`, `data` is the selection, and the state is that of the last render.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWallet: <N extends AnyNetwork = DefaultNetwork, B = WalletState>(
  options?: LiveOptions<N, WalletState, B>
) => Reading<B, WalletStateError> & WalletState = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletHook(useSource)
)

/**
 * The Suspense twin of {@link useWallet}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseWallet: <N extends AnyNetwork = DefaultNetwork, B = WalletState>(
  options?: Omit<LiveOptions<N, WalletState, B>, "enabled">
) => SuspenseReading<B, WalletStateError> & WalletState = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletHook(/*#__PURE__*/ makeBrowserSuspense("Wallet"))
)

/**
 * The account of the page's wallet: undefined where the page may see none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account extends Omit<WalletState, "account" | "wallets"> {
  readonly address: string | undefined
}

const toAccount = ({ account, wallets: _, ...rest }: WalletState): Account => ({ address: account, ...rest })

const makeWalletPartHook =
  (use: UseSource, select: (state: WalletState) => unknown) =>
  (options: AnyOptions = {}) => {
    const entry = useNetworkEntry(options.network)
    return use(entry, entry.wallet, { ...options, select: (state) => select(state as WalletState) }).reading
  }

const walletsOf = ({ wallets }: WalletState): WalletState["wallets"] => wallets

/**
 * Options of hooks of the page's wallet.
 *
 * @since 0.1.0
 * @category models
 */
export type WalletOptions<N extends AnyNetwork> = Omit<LiveOptions<N, WalletState>, "select">

/**
 * The account of the page's wallet, as the user changes it. It never asks the user.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useAccount: <N extends AnyNetwork = DefaultNetwork>(
  options?: WalletOptions<N>
) => Reading<Account, WalletStateError> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletPartHook(useSource, toAccount)
)

/**
 * The wallets that have announced themselves on the page (EIP-6963): each is for {@link useConnect}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useConnectors: <N extends AnyNetwork = DefaultNetwork>(
  options?: WalletOptions<N>
) => Reading<WalletState["wallets"], WalletStateError> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletPartHook(useSource, walletsOf)
)

/**
 * The Suspense twin of {@link useAccount}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseAccount: <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
) => SuspenseReading<Account, WalletStateError> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletPartHook(/*#__PURE__*/ makeBrowserSuspense("Account"), toAccount)
)

/**
 * The Suspense twin of {@link useConnectors}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseConnectors: <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
) => SuspenseReading<WalletState["wallets"], WalletStateError> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletPartHook(/*#__PURE__*/ makeBrowserSuspense("Connectors"), walletsOf)
)

/**
 * Brings the wallet to the chain of a network, by default that of the hook: `await run("base-mainnet")`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSwitchChain: <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
) => WriteHandleAt<N, "wallet.switchChain"> = /*#__PURE__*/ asHook((options?: NetworkOptions) =>
  useAnyWrite("wallet.switchChain", options)
)

/**
 * Options of {@link useWaitForTransaction}: those of `rpc.waitForTransaction`, and of hooks.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitForTransactionOptions<N extends AnyNetwork>
  extends WaitOptions,
    Pick<ReadOptions<N, unknown>, "enabled" | "network"> {}

const makeWaitHook =
  (use: UseSource) =>
  (hash: unknown, { enabled = true, network, ...wait }: WaitForTransactionOptions<AnyNetwork> = {}) =>
    makeReadHook(use)("rpc.waitForTransaction", [hash, wait], {
      // what is so deep in the chain stays there
      staleTime: Number.POSITIVE_INFINITY,
      refresh: false,
      enabled: enabled && hash !== undefined,
      ...(network && { network })
    })

/**
 * A transaction, as soon as it has the wanted confirmations: `useWaitForTransaction(hash, { confirmations: 2 })`. Without a hash the hook is
 * idle. On EVM chains, Solana and Bitcoin's kin.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWaitForTransaction: <N extends AnyNetwork = DefaultNetwork>(
  hash: Arguments<N, "rpc.waitForTransaction">[0] | undefined,
  options?: WaitForTransactionOptions<N>
) => Reading<Answer<N, "rpc.waitForTransaction">, Failure<N, "rpc.waitForTransaction">> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeWaitHook(useSource))

/**
 * The Suspense twin of {@link useWaitForTransaction}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseWaitForTransaction: <N extends AnyNetwork = DefaultNetwork>(
  hash: Arguments<N, "rpc.waitForTransaction">[0],
  options?: Omit<WaitForTransactionOptions<N>, "enabled">
) => SuspenseReading<Answer<N, "rpc.waitForTransaction">, Failure<N, "rpc.waitForTransaction">> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeWaitHook(useSuspenseSource))

const useAnyWatch = (
  path: string,
  args: ReadonlyArray<unknown>,
  onItem: (item: unknown) => void,
  options: WatchOptions = {}
) => useStreamItems(options, `${path} ${toKey(args)}`, (client) => streamAt(client, path, args), onItem)

/**
 * Tells a function of each item of a stream, once: `useWatch("rpc.subscribe.newPendingTransactions", [], add)`. The latest function counts;
 * the stream ends with the component.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWatch: <P extends Path<N, "live">, N extends AnyNetwork = DefaultNetwork>(
  path: P,
  args: Arguments<N, P>,
  onItem: (item: Answer<N, P>) => void,
  options?: WatchOptions<N>
) => WatchState<Failure<N, P>> = /*#__PURE__*/ asHook(useAnyWatch)

/**
 * Tells a function of each new block of an EVM chain: `useWatchBlocks(({ number }) => show(number))`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWatchBlocks: <N extends AnyNetwork = DefaultNetwork>(
  onBlock: (head: Answer<N, "rpc.subscribe.newHeads">) => void,
  options?: WatchOptions<N>
) => WatchState<Failure<N, "rpc.subscribe.newHeads">> = /*#__PURE__*/ asHook(
  (onBlock: (head: unknown) => void, options?: WatchOptions) =>
    useAnyWatch("rpc.subscribe.newHeads", [], onBlock, options)
)

/**
 * Tells a function of each log of an EVM chain that fits a filter, once: `useWatchLogs({ address }, add)`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWatchLogs: <N extends AnyNetwork = DefaultNetwork>(
  filter: Arguments<N, "rpc.subscribe.logs">[0],
  onLog: (log: Answer<N, "rpc.subscribe.logs">) => void,
  options?: WatchOptions<N>
) => WatchState<Failure<N, "rpc.subscribe.logs">> = /*#__PURE__*/ asHook(
  (filter: unknown, onLog: (log: unknown) => void, options?: WatchOptions) =>
    useAnyWatch("rpc.subscribe.logs", [filter], onLog, options)
)

interface SubscriptionWrites<N extends AnyNetwork> {
  readonly subscribe: {
    readonly [P in Path<N, "write"> as P extends `notification.subscribe.${infer Name}`
      ? Name
      : never]: WriteHandleAt<N, P>["run"]
  }
  readonly update: WriteHandleAt<N, "notification.update">["run"]
  readonly updateNetwork: WriteHandleAt<N, "notification.updateNetwork">["run"]
  readonly unsubscribe: WriteHandleAt<N, "notification.unsubscribe">["run"]
}

const makeSubscriptionsHook =
  (use: UseSource) =>
  (options: AnyOptions = {}) => {
    const reading = makeNoArgsHook(use, "notification.getAll")(options)
    const writer = useWriter(options, reading.refresh)
    const actions = React.useMemo(
      () => ({
        subscribe: Object.fromEntries(
          Object.keys(catalogue.notification.subscribe).map((name) => [
            name,
            writer(`notification.subscribe.${name}`)
          ])
        ),
        update: writer("notification.update"),
        updateNetwork: writer("notification.updateNetwork"),
        unsubscribe: writer("notification.unsubscribe")
      }),
      [writer]
    )
    return useMerged(reading, actions)
  }

/**
 * Subscriptions of the API key, and the writes that make, change and delete them; the list is asked for again afterwards.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSubscriptions: <N extends AnyNetwork = DefaultNetwork, B = Answer<N, "notification.getAll">>(
  options?: ReadOptions<N, Answer<N, "notification.getAll">, B>
) => Reading<
  // a hook that is not called (ReturnType) has no selection
  unknown extends B ? Answer<N, "notification.getAll"> : B,
  Failure<N, "notification.getAll">
> &
  SubscriptionWrites<N> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeSubscriptionsHook(useSource))

/**
 * The Suspense twin of {@link useSubscriptions}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseSubscriptions: <
  N extends AnyNetwork = DefaultNetwork,
  B = Answer<N, "notification.getAll">
>(
  options?: SuspenseOptions<N, Answer<N, "notification.getAll">, B>
) => SuspenseReading<B, Failure<N, "notification.getAll">> & SubscriptionWrites<N> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeSubscriptionsHook(useSuspenseSource)
)

/**
 * The pool of nodes as it is now.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodePoolState extends NodePool {
  /** Checks all nodes now. */
  readonly check: () => void
}

const noPool: NodePool = { nodes: emptyList, events: emptyList, credits: undefined }

const makeNodePoolHook =
  (use: UseSource) =>
  (options: AnyOptions = {}) => {
    const entry = useNetworkEntry(options.network)
    const run = useRunner(options.network)
    const check = React.useCallback(() => {
      void run((sdk) => sdk.nodes.check)
    }, [run])
    return useWithState(use, entry, options, [entry.pool, noPool, { check }])
  }

/**
 * The nodes of a network's client, their events, and the credits that the client has spent. They are `"loading"` until the client is made, and `error` says why it
 * could not be made. They stand beside the reading of them; with `select`, `data` is the selection, and only another selection
 * renders the component again: nodes and events are those of its last render then.
 *
 * @since 0.1.0
 * @category clients
 */
export const useNodePool: <N extends AnyNetwork = DefaultNetwork, B = NodePool>(
  options?: LiveOptions<N, NodePool, B>
) => Reading<B, InitError | Unexpected> & NodePoolState = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeNodePoolHook(useSource)
)

/**
 * The Suspense twin of {@link useNodePool}.
 *
 * @since 0.1.0
 * @category clients
 */
export const useSuspenseNodePool: <N extends AnyNetwork = DefaultNetwork, B = NodePool>(
  options?: Omit<LiveOptions<N, NodePool, B>, "enabled">
) => SuspenseReading<B, InitError | Unexpected> & NodePoolState = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeNodePoolHook(useSuspenseSource)
)
