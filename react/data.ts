"use client"

import * as React from "react"
/**
 * Hooks of the provider's data API, and of the templates of its notifications: `effect-chains/react/data`. {@link useData} and
 * {@link useDataPages} call any method of `sdk.data`; the most used ones have hooks of their own.
 *
 * ```tsx
 * const { data: rate } = useData("rates.getBySymbol", [{ symbol: "ETH", basePair: "EUR" }])
 * const { data: tokens, hasMore, loadMore } = useTrendingTokens({ chain: "base-mainnet" })
 * ```
 *
 * @since 0.1.0
 */
import type { OnThisEffect } from "../src/data/effectVersion.js"
import type { AnyNetwork } from "../src/data/Network.js"
import { asHook, useWriter } from "./calls.js"
import type { Paged, UsePages, UseQuery, UseSuspensePages, UseSuspenseQuery, WriteHandleAt } from "./hooks.js"
import { useAnyInvalidate } from "./invalidation.js"
import { makePagesHook, makeQueryHook, makeReadHook, useMerged } from "./makeHooks.js"
import type { Path } from "./paths.js"
import type { AnyOptions } from "./ReadObserver.js"
import type {
  Answer,
  Arguments,
  DefaultNetwork,
  Failure,
  Reading,
  ReadOptions,
  SuspenseOptions,
  SuspenseReading
} from "./types.js"
import { type UseRx, useObservedRx, useSuspenseRx } from "./useRx.js"

type Unprefixed<P> = P extends `data.${infer Method}` ? Method : never

/**
 * The methods of `sdk.data` on a network that answer once (`"read"`) or come page by page (`"stream"`), as paths without `data.`.
 *
 * @since 0.1.0
 * @category types
 */
export type DataPath<N extends AnyNetwork, Kind extends "read" | "stream"> = string &
  Unprefixed<Path<N, Kind>>

/**
 * The type of {@link useData}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseData = <
  M extends DataPath<N, "read">,
  N extends AnyNetwork = DefaultNetwork,
  B = Answer<N, `data.${M}`>
>(
  method: OnThisEffect<M>,
  args: Arguments<N, `data.${M}`>,
  options?: ReadOptions<N, Answer<N, `data.${M}`>, B>
) => Reading<B, Failure<N, `data.${M}`>>

/**
 * The Suspense twin of {@link UseData}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseData = <
  M extends DataPath<N, "read">,
  N extends AnyNetwork = DefaultNetwork,
  B = Answer<N, `data.${M}`>
>(
  method: M,
  args: Arguments<N, `data.${M}`>,
  options?: SuspenseOptions<N, Answer<N, `data.${M}`>, B>
) => SuspenseReading<B, Failure<N, `data.${M}`>>

/**
 * The type of {@link useDataPages}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseDataPages = <
  M extends DataPath<N, "stream">,
  N extends AnyNetwork = DefaultNetwork,
  B = ReadonlyArray<Answer<N, `data.${M}`>>
>(
  method: M,
  args: Arguments<N, `data.${M}`>,
  options?: ReadOptions<N, ReadonlyArray<Answer<N, `data.${M}`>>, B>
) => Reading<B, Failure<N, `data.${M}`>> & Paged

/**
 * The Suspense twin of {@link UseDataPages}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseDataPages = <
  M extends DataPath<N, "stream">,
  N extends AnyNetwork = DefaultNetwork,
  B = ReadonlyArray<Answer<N, `data.${M}`>>
>(
  method: M,
  args: Arguments<N, `data.${M}`>,
  options?: SuspenseOptions<N, ReadonlyArray<Answer<N, `data.${M}`>>, B>
) => SuspenseReading<B, Failure<N, `data.${M}`>> & Paged

const makeDataHook = (useRx: UseRx) => (method: string, args: ReadonlyArray<unknown>, options?: AnyOptions) =>
  makeReadHook(useRx)(`data.${method}`, args, options)

/** Every list of the data API takes one query. */
const makeDataPagesHook =
  (useRx: UseRx) =>
  (method: string, [query]: ReadonlyArray<unknown>, options?: AnyOptions) =>
    makePagesHook(useRx, `data.${method}`)(query, options)

/**
 * Any read of the data API: `useData("rates.getBySymbol", [{ symbol: "ETH" }])`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useData: UseData = /*#__PURE__*/ asHook(/*#__PURE__*/ makeDataHook(useObservedRx))

/**
 * The Suspense twin of {@link useData}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseData: UseSuspenseData = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeDataHook(useSuspenseRx)
)

/**
 * Any list of the data API, page by page: `useDataPages("tokens.streamTrending", [{ chain: "base-mainnet" }])`. `data` has all items that
 * are loaded, `loadMore` requests the next page, `refresh` starts again from the first.
 *
 * @since 0.1.0
 * @category getters
 */
export const useDataPages: UseDataPages = /*#__PURE__*/ asHook(/*#__PURE__*/ makeDataPagesHook(useObservedRx))

/**
 * The Suspense twin of {@link useDataPages}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseDataPages: UseSuspenseDataPages = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeDataPagesHook(useSuspenseRx)
)

/**
 * Balances of addresses at a time in the past: `useBalanceAt({ chain, addresses, timestamp })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useBalanceAt: UseQuery<"data.wallet.getBalanceAt"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.wallet.getBalanceAt")
)

/**
 * The Suspense twin of {@link useBalanceAt}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseBalanceAt: UseSuspenseQuery<"data.wallet.getBalanceAt"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.wallet.getBalanceAt")
)

/**
 * NFTs of an address, by collection, page by page: `useNftBalances({ chain, address })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useNftBalances: UsePages<"data.nfts.streamBalances"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useObservedRx, "data.nfts.streamBalances")
)

/**
 * The Suspense twin of {@link useNftBalances}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseNftBalances: UseSuspensePages<"data.nfts.streamBalances"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSuspenseRx, "data.nfts.streamBalances")
)

/**
 * Multitokens of an address, by contract, page by page.
 *
 * @since 0.1.0
 * @category getters
 */
export const useMultitokenBalances: UsePages<"data.multitokens.streamBalances"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useObservedRx, "data.multitokens.streamBalances")
)

/**
 * The Suspense twin of {@link useMultitokenBalances}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseMultitokenBalances: UseSuspensePages<"data.multitokens.streamBalances"> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makePagesHook(useSuspenseRx, "data.multitokens.streamBalances"))

/**
 * The gas estimate of a transaction: `useGasEstimate({ chain, from, to, amount })`. `amount` is in whole coins.
 *
 * @since 0.1.0
 * @category getters
 */
export const useGasEstimate: UseQuery<"data.blockchains.estimateGas"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.blockchains.estimateGas")
)

/**
 * The Suspense twin of {@link useGasEstimate}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseGasEstimate: UseSuspenseQuery<"data.blockchains.estimateGas"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.blockchains.estimateGas")
)

/**
 * The addresses of a name: `useResolvedName({ chain, name: "vitalik.eth" })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useResolvedName: UseQuery<"data.names.resolve"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.names.resolve")
)

/**
 * The Suspense twin of {@link useResolvedName}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseResolvedName: UseSuspenseQuery<"data.names.resolve"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.names.resolve")
)

/**
 * The rate of a token by its contract: `useTokenRate({ chain, contractAddress, basePair: "EUR" })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useTokenRate: UseQuery<"data.rates.getByContract"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.rates.getByContract")
)

/**
 * The Suspense twin of {@link useTokenRate}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseTokenRate: UseSuspenseQuery<"data.rates.getByContract"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.rates.getByContract")
)

/**
 * Rates of a currency between two times. Times are in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category getters
 */
export const useRateHistory: UseQuery<"data.rates.getHistory"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.rates.getHistory")
)

/**
 * The Suspense twin of {@link useRateHistory}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseRateHistory: UseSuspenseQuery<"data.rates.getHistory"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.rates.getHistory")
)

/**
 * The change of a currency's price: `usePriceChange({ symbol: "ETH", interval: "1d" })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const usePriceChange: UseQuery<"data.rates.getPriceChange"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.rates.getPriceChange")
)

/**
 * The Suspense twin of {@link usePriceChange}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspensePriceChange: UseSuspenseQuery<"data.rates.getPriceChange"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.rates.getPriceChange")
)

/**
 * The last candles of a currency: `useCandles({ symbol: "ETH", interval: "1h", numberOfCandles: 24 })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useCandles: UseQuery<"data.rates.getOhlcvBatch"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.rates.getOhlcvBatch")
)

/**
 * The Suspense twin of {@link useCandles}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseCandles: UseSuspenseQuery<"data.rates.getOhlcvBatch"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.rates.getOhlcvBatch")
)

/**
 * Stakes of an address.
 *
 * @since 0.1.0
 * @category getters
 */
export const useStakedAssets: UseQuery<"data.staking.native.getAssets"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.staking.native.getAssets")
)

/**
 * The Suspense twin of {@link useStakedAssets}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseStakedAssets: UseSuspenseQuery<"data.staking.native.getAssets"> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.staking.native.getAssets"))

/**
 * Liquid staking tokens of an address.
 *
 * @since 0.1.0
 * @category getters
 */
export const useLiquidStakingAssets: UseQuery<"data.staking.liquid.getAssets"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.staking.liquid.getAssets")
)

/**
 * The Suspense twin of {@link useLiquidStakingAssets}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseLiquidStakingAssets: UseSuspenseQuery<"data.staking.liquid.getAssets"> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.staking.liquid.getAssets"))

/**
 * Mining rewards of an address, in whole coins, page by page.
 *
 * @since 0.1.0
 * @category getters
 */
export const useMiningRewards: UsePages<"data.mining.streamRewards"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useObservedRx, "data.mining.streamRewards")
)

/**
 * The Suspense twin of {@link useMiningRewards}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseMiningRewards: UseSuspensePages<"data.mining.streamRewards"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSuspenseRx, "data.mining.streamRewards")
)

/**
 * The newest tokens of a chain, page by page: `useNewestTokens({ chain: "base-mainnet" })`.
 *
 * @since 0.1.0
 * @category getters
 */
export const useNewestTokens: UsePages<"data.tokens.streamNewest"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useObservedRx, "data.tokens.streamNewest")
)

/**
 * The Suspense twin of {@link useNewestTokens}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseNewestTokens: UseSuspensePages<"data.tokens.streamNewest"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSuspenseRx, "data.tokens.streamNewest")
)

/**
 * The most popular tokens of a chain, page by page.
 *
 * @since 0.1.0
 * @category getters
 */
export const usePopularTokens: UsePages<"data.tokens.streamPopular"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useObservedRx, "data.tokens.streamPopular")
)

/**
 * The Suspense twin of {@link usePopularTokens}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspensePopularTokens: UseSuspensePages<"data.tokens.streamPopular"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSuspenseRx, "data.tokens.streamPopular")
)

/**
 * The trending tokens of a chain, page by page.
 *
 * @since 0.1.0
 * @category getters
 */
export const useTrendingTokens: UsePages<"data.tokens.streamTrending"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useObservedRx, "data.tokens.streamTrending")
)

/**
 * The Suspense twin of {@link useTrendingTokens}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseTrendingTokens: UseSuspensePages<"data.tokens.streamTrending"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makePagesHook(useSuspenseRx, "data.tokens.streamTrending")
)

/**
 * The reputation of an address.
 *
 * @since 0.1.0
 * @category getters
 */
export const useReputation: UseQuery<"data.wallet.getReputation"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useObservedRx, "data.wallet.getReputation")
)

/**
 * The Suspense twin of {@link useReputation}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseReputation: UseSuspenseQuery<"data.wallet.getReputation"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeQueryHook(useSuspenseRx, "data.wallet.getReputation")
)

interface TemplateWrites<N extends AnyNetwork> {
  readonly create: WriteHandleAt<N, "notification.templates.create">["run"]
  readonly update: WriteHandleAt<N, "notification.templates.update">["run"]
  readonly delete: WriteHandleAt<N, "notification.templates.delete">["run"]
  readonly setDefault: WriteHandleAt<N, "notification.templates.setDefault">["run"]
}

const TEMPLATES_PREFIX = "notification.templates."

const makeTemplatesHook =
  (useRx: UseRx) =>
  (options: AnyOptions = {}) => {
    const reading = makePagesHook(useRx, `${TEMPLATES_PREFIX}streamAll`)({}, options)
    const invalidate = useAnyInvalidate(options)
    // all templates: deleting the default one changes another, which becomes the default
    const refetchTemplates = React.useCallback(
      () => void invalidate(({ path }) => path.startsWith(TEMPLATES_PREFIX)),
      [invalidate]
    )
    const writer = useWriter(options, refetchTemplates)
    const actions = React.useMemo(
      () => ({
        create: writer(`${TEMPLATES_PREFIX}create`),
        update: writer(`${TEMPLATES_PREFIX}update`),
        delete: writer(`${TEMPLATES_PREFIX}delete`),
        setDefault: writer(`${TEMPLATES_PREFIX}setDefault`)
      }),
      [writer]
    )
    return useMerged(reading, actions)
  }

/**
 * The API key's notification templates, page by page, and the writes that create, change, delete and make one the default. Each write
 * refetches all reads of templates.
 *
 * @since 0.1.0
 * @category getters
 */
export const useTemplates: <
  N extends AnyNetwork = DefaultNetwork,
  B = ReadonlyArray<Answer<N, "notification.templates.streamAll">>
>(
  options?: ReadOptions<N, ReadonlyArray<Answer<N, "notification.templates.streamAll">>, B>
) => Reading<B, Failure<N, "notification.templates.streamAll">> & Paged & TemplateWrites<N> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeTemplatesHook(useObservedRx))

/**
 * The Suspense twin of {@link useTemplates}.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseTemplates: <
  N extends AnyNetwork = DefaultNetwork,
  B = ReadonlyArray<Answer<N, "notification.templates.streamAll">>
>(
  options?: SuspenseOptions<N, ReadonlyArray<Answer<N, "notification.templates.streamAll">>, B>
) => SuspenseReading<B, Failure<N, "notification.templates.streamAll">> & Paged & TemplateWrites<N> =
  /*#__PURE__*/ asHook(/*#__PURE__*/ makeTemplatesHook(useSuspenseRx))
