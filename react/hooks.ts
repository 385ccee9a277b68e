"use client"

/**
 * The hooks. Each passes the path of a method to one of two bases: `useObservedRx` (with Suspense `useSuspenseRx`) reads, `useWriteCalls`
 * writes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as React from "react"
import type { WaitOptions } from "../src/chains/internal/Confirmation.js"
import type { AnyNetwork } from "../src/data/Network.js"
import type { InitError, Unexpected } from "../src/data/SdkError.js"
import { catalogue } from "../src/services/Services.js"
import type { BrowserWallet, DiscoveredWallet, WalletReadError } from "../src/services/WalletProvider.js"
import type { SubscriptionError } from "../src/subscriptions/Subscription.js"
import type { ResultRx } from "./CacheEntry.js"
import { type NetworkClient, useNetworkClient } from "./ClientStore.js"
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
import { type NodePool, poolOf } from "./NodePool.js"
import { type Path, streamAt, valueOf } from "./Reactive.js"
import type { AnyOptions } from "./ReadObserver.js"
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
import { makeBrowserSuspense, type UseRx, useObservedRx, useSuspenseRx } from "./useRx.js"
import { toKey } from "./values.js"
import { makeWalletState, type WalletState, walletOf } from "./Wallet.js"

/**
 * The type of {@link useRead}.
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
 * The type of {@link useRpc}.
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
 * A hook of a read that takes one query.
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
 * A hook of a read without arguments.
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

const makeRpcHook = (useRx: UseRx) => (method: string, args: ReadonlyArray<unknown>, options?: AnyOptions) =>
  makeReadHook(useRx)(`rpc.${method}`, args, options)

const makeNoArgsHook = (useRx: UseRx, path: string) => (options?: AnyOptions) =>
  makeReadHook(useRx)(path, [], options)

const makeRateHook =
  (useRx: UseRx) =>
  ({ basePair, currency }: RatePair, options?: AnyOptions) =>
    makeReadHook(useRx)("rates.getCurrentRate", [currency, basePair], options)

/**
 * Any read by its dotted path: `useRead("nft.getNftMetadata", [{ tokenAddress, tokenId }])`. Its types are those of the network in
 * `options`, or in `Register`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useRead: UseRead = /*#__PURE__*/ asHook(/*#__PURE__*/ makeReadHook(useObservedRx))

/**
 * The Suspense twin of {@link useRead}: suspends until the first answer, and throws the error if there is none.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseRead: UseSuspenseRead = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeReadHook(useSuspenseRx)
)

/**
 * Any read of the network's nodes: `useRpc("getBalance", ["0x…"])`. The name of a method in a group has dots.
 *
 * @since 0.1.0
 * @category getters
 */
export const useRpc: UseRpc = /*#__PURE__*/ asHook(/*#__PURE__*/ makeRpcHook(useObservedRx))

/**
 * The Suspense twin of {@link useRpc}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseRpc: UseSuspenseRpc = /*#__PURE__*/ asHook(/*#__PURE__*/ makeRpcHook(useSuspenseRx))

/**
 * Balances of addresses, in whole coins: `useBalance({ address })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useBalance: UseQuery<"address.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "address.getBalance")
)

/**
 * The Suspense twin of {@link useBalance}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseBalance: UseSuspenseQuery<"address.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "address.getBalance")
)

/**
 * Balances of fungible tokens of addresses.
 *
 * @since 0.1.0
 * @category getters
 */
export const useTokenBalances: UseQuery<"token.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "token.getBalance")
)

/**
 * The Suspense twin of {@link useTokenBalances}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseTokenBalances: UseSuspenseQuery<"token.getBalance"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "token.getBalance")
)

/**
 * The current fees of a transaction.
 *
 * @since 0.1.0
 * @category getters
 */
export const useFee: UseNoArgs<"fee.getCurrentFee"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeNoArgsHook(useObservedRx, "fee.getCurrentFee")
)

/**
 * The Suspense twin of {@link useFee}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseFee: UseSuspenseNoArgs<"fee.getCurrentFee"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeNoArgsHook(useSuspenseRx, "fee.getCurrentFee")
)

/**
 * A currency, and the currency of its price: `{ currency: "BTC", basePair: "EUR" }`.
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
  /*#__PURE__*/ makeRateHook(useObservedRx)
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
  /*#__PURE__*/ makeRateHook(useSuspenseRx)
)

/**
 * The paging fields of a list. `isLoadingMore` is true while `loadMore` waits for the next page.
 *
 * @since 0.1.0
 * @category models
 */
export interface Paged {
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
}

/** The state of a hook: its Rx, its fields before the first result, and fields that the hook adds. */
type HookState = readonly [rx: ResultRx, initialFields: object, addedFields?: object]

/** Returns a reading together with the state that `select` selects from, in one object. */
const useMergedState = (
  useRx: UseRx,
  client: NetworkClient,
  options: AnyOptions,
  [rx, initialFields, addedFields]: HookState
): object => {
  const { reading, result } = useRx(client, rx, options)
  return useMerged(reading, { ...initialFields, ...Object(valueOf(result)), ...addedFields })
}

/**
 * A hook of a list that comes page by page.
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
 * Transfers of addresses, page by page. `data` has all that are loaded, `loadMore` requests the next page, `refresh` starts again from
 * the first.
 *
 * @since 0.1.0
 * @category getters
 */
export const useTransactions: UsePages<"address.streamTransactions"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useObservedRx, "address.streamTransactions")
)

/**
 * The Suspense twin of {@link useTransactions}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseTransactions: UseSuspensePages<"address.streamTransactions"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSuspenseRx, "address.streamTransactions")
)

/**
 * Options of {@link useBlockNumber}. With `watch`, the height follows the chain; default false.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockNumberOptions<N extends AnyNetwork, B = bigint> extends ReadOptions<N, bigint, B> {
  readonly watch?: boolean
}

/**
 * The errors of {@link useBlockNumber}.
 *
 * @since 0.1.0
 * @category errors
 */
export type HeightError = SubscriptionError | InitError | Unexpected

const makeBlockNumberHook =
  (useRx: UseRx) =>
  (options: BlockNumberOptions<AnyNetwork, unknown> = {}) => {
    const client = useNetworkClient(options.network)
    return useRx(
      client,
      options.watch === true ? client.blocks.watch : client.blocks.height,
      options as AnyOptions
    ).reading
  }

/**
 * The height of the chain; on Solana the slot. With `watch` it follows the chain: by subscription where the nodes have one, else by
 * polling every ten seconds.
 *
 * @since 0.1.0
 * @category getters
 */
export const useBlockNumber: <N extends AnyNetwork = DefaultNetwork, B = bigint>(
  options?: BlockNumberOptions<N, B>
) => Reading<B, HeightError> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeBlockNumberHook(useObservedRx))

/**
 * The Suspense twin of {@link useBlockNumber}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseBlockNumber: <N extends AnyNetwork = DefaultNetwork, B = bigint>(
  options?: BlockNumberOptions<N, B>
) => SuspenseReading<B, HeightError> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeBlockNumberHook(useSuspenseRx))

const useAnyWrite = (path: string, options?: AnyWriteOptions): AnyWriteHandle =>
  useWriteCalls(options, writeAt(path))

/**
 * The result of the hook of a write.
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
 * Any write by its dotted path: `const { run } = useWrite("nft.mintNft")`, then `await run(body)`. Only `run` sends a request, and it sends
 * each call once.
 *
 * @since 0.1.0
 * @category operations
 */
export const useWrite: <P extends Path<N, "write">, N extends AnyNetwork = DefaultNetwork>(
  path: P,
  options?: WriteOptions<N, Arguments<N, P>>
) => WriteHandleAt<N, P> = /*#__PURE__*/ asHook(useAnyWrite)

/**
 * Asks the page's wallet to sign and send a transaction. `value` is in the smallest unit.
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
 * Connects the page to a wallet. `run(wallet)` takes a wallet of `useWallet`, its `rdns`, or a provider object; `run()` takes the wallet
 * that was chosen before, or the only one there is. The choice is kept for the next visit. The promise resolves to the account's address.
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
  useWriteCalls(options, (sdk, args) =>
    Effect.zipRight(
      args[0] === undefined ? Effect.void : writeAt("wallet.use")(sdk, args),
      writeAt("wallet.getWallet")(sdk, [])
    )
  )
)

/**
 * Forgets the wallet that the user has chosen, also for the next visit. The page shows no account until the user connects again.
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
 * The errors of reading the page's wallet.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletStateError = WalletReadError | InitError | Unexpected

const noWallet = /*#__PURE__*/ makeWalletState()

const makeWalletHook =
  (useRx: UseRx) =>
  (options: AnyOptions = {}) => {
    const client = useNetworkClient(options.network)
    return useMergedState(useRx, client, options, [walletOf(client), noWallet])
  }

/**
 * The page's wallet: the installed wallets, the account and the chain, updated when the user changes them. It never prompts the user:
 * {@link useConnect} does.
 *
 * The status is `"loading"` until the accounts are known, and while the hook waits for the wallet that the user has chosen. If that wallet
 * is not installed, the error is `WalletNotFound`. Without a wallet, or with several and no choice, the status is `"success"` without an
 * account. The state is returned beside its reading. With `select`, `data` is the selection, and the state is that of the last render.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWallet: <N extends AnyNetwork = DefaultNetwork, B = WalletState>(
  options?: LiveOptions<N, WalletState, B>
) => Reading<B, WalletStateError> & WalletState = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletHook(useObservedRx)
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
 * The account of the page's wallet. `address` is undefined until the user connects.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account extends Omit<WalletState, "account" | "wallets"> {
  readonly address: string | undefined
}

const toAccount = ({ account, wallets: _, ...rest }: WalletState): Account => ({ address: account, ...rest })

const makeWalletPartHook =
  (useRx: UseRx, select: (state: WalletState) => unknown) =>
  (options: AnyOptions = {}) => {
    const client = useNetworkClient(options.network)
    return useRx(client, walletOf(client), { ...options, select: (state) => select(state as WalletState) })
      .reading
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
 * The account of the page's wallet, updated when the user changes it. It never prompts the user.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useAccount: <N extends AnyNetwork = DefaultNetwork>(
  options?: WalletOptions<N>
) => Reading<Account, WalletStateError> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletPartHook(useObservedRx, toAccount)
)

/**
 * The wallets that have announced themselves on the page (EIP-6963). Pass one to {@link useConnect}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useConnectors: <N extends AnyNetwork = DefaultNetwork>(
  options?: WalletOptions<N>
) => Reading<WalletState["wallets"], WalletStateError> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeWalletPartHook(useObservedRx, walletsOf)
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
 * Switches the wallet to a network's chain, by default to that of the hook: `await run("base-mainnet")`.
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
  (useRx: UseRx) =>
  (hash: unknown, { enabled = true, network, ...wait }: WaitForTransactionOptions<AnyNetwork> = {}) =>
    makeReadHook(useRx)("rpc.waitForTransaction", [hash, wait], {
      // a transaction with enough confirmations is final
      staleTime: Number.POSITIVE_INFINITY,
      refresh: false,
      enabled: enabled && hash !== undefined,
      ...(network && { network })
    })

/**
 * Waits until a transaction has enough confirmations: `useWaitForTransaction(hash, { confirmations: 2 })`. With `undefined` as the hash the
 * hook is idle. It works on EVM chains, Solana, Sui, Aptos, Bitcoin and chains like it. A transaction that failed in its block is an error,
 * `TransactionFailed`, unless `allowFailure` asks for its receipt.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWaitForTransaction: <N extends AnyNetwork = DefaultNetwork>(
  hash: Arguments<N, "rpc.waitForTransaction">[0] | undefined,
  options?: WaitForTransactionOptions<N>
) => Reading<Answer<N, "rpc.waitForTransaction">, Failure<N, "rpc.waitForTransaction">> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeWaitHook(useObservedRx))

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
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeWaitHook(useSuspenseRx))

const useAnyWatch = (
  path: string,
  args: ReadonlyArray<unknown>,
  onItem: (item: unknown) => void,
  options: WatchOptions = {}
) => useStreamItems(options, `${path} ${toKey(args)}`, (sdk) => streamAt(sdk, path, args), onItem)

/**
 * Calls a function once for each item of a stream: `useWatch("rpc.subscribe.newPendingTransactions", [], add)`. The function of the last
 * render is called. The stream ends when the component unmounts.
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
 * Calls a function for each new block of an EVM chain: `useWatchBlocks(({ number }) => show(number))`.
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
 * Calls a function once for each log of an EVM chain that matches a filter: `useWatchLogs({ address }, add)`.
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
  (useRx: UseRx) =>
  (options: AnyOptions = {}) => {
    const reading = makeNoArgsHook(useRx, "notification.getAll")(options)
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
 * The API key's subscriptions, and the writes that create, change and delete them. Each write refetches the list.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSubscriptions: <N extends AnyNetwork = DefaultNetwork, B = Answer<N, "notification.getAll">>(
  options?: ReadOptions<N, Answer<N, "notification.getAll">, B>
) => Reading<
  // in `ReturnType` of the hook, B is not inferred
  unknown extends B ? Answer<N, "notification.getAll"> : B,
  Failure<N, "notification.getAll">
> &
  SubscriptionWrites<N> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeSubscriptionsHook(useObservedRx))

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
  /*#__PURE__*/ makeSubscriptionsHook(useSuspenseRx)
)

/**
 * The nodes of a client, with a function that checks them.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodePoolState extends NodePool {
  /** Runs the health checks of all nodes now. */
  readonly check: () => void
}

const noPool: NodePool = { nodes: emptyList, events: emptyList, credits: undefined }

const makeNodePoolHook =
  (useRx: UseRx) =>
  (options: AnyOptions = {}) => {
    const client = useNetworkClient(options.network)
    const run = useRunner(options.network)
    const check = React.useCallback(() => {
      void run((sdk) => sdk.nodes.check)
    }, [run])
    return useMergedState(useRx, client, options, [poolOf(client), noPool, { check }])
  }

/**
 * The nodes of a network's client, their events, and the credits that the client has spent. The status is `"loading"` until the client is
 * made, and `error` says why it cannot be made. The state is returned beside its reading. With `select`, `data` is the selection, only a
 * change of it renders the component, and nodes and events are those of the last render.
 *
 * @since 0.1.0
 * @category clients
 */
export const useNodePool: <N extends AnyNetwork = DefaultNetwork, B = NodePool>(
  options?: LiveOptions<N, NodePool, B>
) => Reading<B, InitError | Unexpected> & NodePoolState = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeNodePoolHook(useObservedRx)
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
  /*#__PURE__*/ makeNodePoolHook(useSuspenseRx)
)
