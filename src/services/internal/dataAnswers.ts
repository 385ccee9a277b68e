/** The answers of the data API's v4 routes, as the provider describes them, and the types that all methods share. */
import type {
  GatewayCallError,
  InvalidArgument,
  LoadError,
  NotSupportedForNetwork
} from "../../data/SdkError.js"

/**
 * An answer whose fields the provider does not describe, unchanged.
 *
 * @since 0.1.0
 * @category models
 */
export type Undescribed = Readonly<Record<string, unknown>>

/**
 * The balance of an address, in decimal strings in whole coins. Chains like Bitcoin also have `incoming` and `outgoing`, confirmed and
 * pending.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainBalance {
  readonly balance: string
  readonly incoming?: string
  readonly outgoing?: string
  readonly incomingPending?: string
  readonly outgoingPending?: string
}

/**
 * The balance of one of several addresses, in decimal strings in whole coins.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressedBalance extends ChainBalance {
  readonly address: string
}

/**
 * A block. EVM networks have `number` and `timestamp` (seconds since 1970, gas in units, `baseFeePerGas` in wei), chains like Bitcoin
 * `height` and `time` (seconds since 1970). Blocks of other chains are unchanged.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainBlock {
  readonly hash?: string
  readonly number?: number
  readonly parentHash?: string
  readonly timestamp?: number
  readonly gasUsed?: number
  readonly gasLimit?: number
  readonly miner?: string
  readonly size?: number
  readonly difficulty?: string
  readonly baseFeePerGas?: string
  readonly transactions?: ReadonlyArray<unknown>
  readonly height?: number
  readonly time?: number
  readonly weight?: number
  readonly bits?: number
  readonly nonce?: number
  readonly prevBlock?: string
  readonly merkleRoot?: string
  readonly nTx?: number
  readonly txs?: ReadonlyArray<unknown>
}

/**
 * The height of the newest block.
 *
 * @since 0.1.0
 * @category models
 */
export interface CurrentBlock {
  readonly blockNumber: number
}

/**
 * A log of an EVM transaction.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainLog {
  readonly address?: string
  readonly topics?: ReadonlyArray<string>
  readonly data?: string
  readonly blockNumber?: number
  readonly transactionHash?: string
  readonly logIndex?: number
  readonly removed?: boolean
  readonly blockTimestamp?: string
}

/**
 * An input of a transaction of Bitcoin's kind. `coin.value` is in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainInput {
  readonly prevout?: { readonly hash?: string; readonly index?: number }
  readonly sequence?: number
  readonly script?: string
  readonly address?: string
  readonly coin?: {
    readonly version?: number
    readonly height?: number
    readonly value?: number
    readonly script?: string
    readonly address?: string | null
    readonly coinbase?: boolean
  }
}

/**
 * An output of a transaction of Bitcoin's kind. `value` is in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainOutput {
  readonly value?: number
  readonly script?: string
  readonly address?: string | null
}

/**
 * A transaction. On EVM networks `value`, `gasPrice` and `fee` are in wei. On chains like Bitcoin `fee` is in the smallest unit and
 * `time` in seconds since 1970. Transactions of other chains are unchanged.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainTransaction {
  readonly hash?: string
  readonly blockNumber?: number | null
  /** Text on EVM networks, a number on chains of Bitcoin's kind. */
  readonly fee?: string | number | null
  readonly from?: string
  readonly to?: string | null
  readonly value?: string
  readonly gas?: number
  readonly gasPrice?: string
  readonly nonce?: number
  readonly transactionIndex?: number
  readonly input?: string
  readonly type?: number
  readonly status?: boolean
  readonly gasUsed?: number
  readonly effectiveGasPrice?: number
  readonly contractAddress?: string | null
  readonly logs?: ReadonlyArray<ChainLog>
  readonly block?: string
  readonly index?: number
  readonly time?: number
  readonly size?: number
  readonly vsize?: number
  readonly weight?: number
  readonly version?: number
  readonly locktime?: number
  readonly inputs?: ReadonlyArray<ChainInput>
  readonly outputs?: ReadonlyArray<ChainOutput>
}

/**
 * The number of transactions that an account has sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionCount {
  readonly count: number
}

/**
 * A call inside a transaction. Its numbers are text: `timeStamp` in seconds since 1970, `value` in wei; `isError` is `"0"` or `"1"`.
 *
 * @since 0.1.0
 * @category models
 */
export interface InternalTransaction {
  readonly blockNumber: string
  readonly timeStamp: string
  readonly hash: string
  readonly from: string
  readonly to: string
  readonly value: string
  readonly contractAddress?: string
  readonly input?: string
  readonly type: string
  readonly gas: string
  readonly gasUsed: string
  readonly traceId: string
  readonly isError: string
  readonly errCode: string
}

/**
 * The gas of a transaction: its price in wei and its limit, or prices for several speeds, with the `time` of the estimate.
 *
 * @since 0.1.0
 * @category models
 */
export interface GasEstimate {
  readonly gasPrice?: string
  readonly gasLimit?: string
  readonly fast?: number
  readonly medium?: number
  readonly slow?: number
  readonly baseFee?: number
  readonly time?: string
}

/**
 * The reward of a block. `value` is a decimal string in whole coins.
 *
 * @since 0.1.0
 * @category models
 */
export interface MiningReward {
  readonly blockNumber: number
  readonly txHash: string
  readonly index: number
  readonly value: string
  readonly address: string
  readonly chain: string
}

/**
 * All rewards of an address. `value` is a decimal string in whole coins.
 *
 * @since 0.1.0
 * @category models
 */
export interface TotalMiningRewards {
  readonly value: string
  readonly address: string
  readonly chain: string
}

/**
 * The metadata of a token of a collection, and its location.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenDocument {
  readonly tokenId: string
  readonly url?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * The tokens of a collection that an address has: their numbers.
 *
 * @since 0.1.0
 * @category models
 */
export interface NftHolding {
  readonly contractAddress: string
  readonly balances: ReadonlyArray<string>
  readonly metadata?: ReadonlyArray<TokenDocument>
  readonly supply?: number
  readonly decimals?: number
}

/**
 * The multitokens of a contract that an address has: their numbers, and how many of each.
 *
 * @since 0.1.0
 * @category models
 */
export interface MultitokenHolding {
  readonly contractAddress: string
  readonly balances: ReadonlyArray<{ readonly tokenId: string; readonly amount: string }>
  readonly metadata?: ReadonlyArray<TokenDocument>
}

/**
 * The address of a name on a chain. `resolved` is false if the name has none there.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResolvedName {
  readonly address: string
  readonly chain: string
  readonly name: string
  readonly resolved: boolean
}

/**
 * A rate of today's routes: `value` units of `basePair`, a decimal string, at `timestamp` (milliseconds since 1970). A rate of a batch has
 * the `batchId` of its item.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExchangeRate {
  readonly id?: string
  /** In a batch, instead of `id`. */
  readonly symbol?: string
  readonly value: string
  readonly basePair: string
  readonly timestamp: number
  readonly source: string
  readonly batchId?: string
}

/**
 * A rate of the past: a decimal string, at `timestamp` (milliseconds since 1970).
 *
 * @since 0.1.0
 * @category models
 */
export interface RatePoint {
  readonly timestamp: number
  readonly value: string
}

/**
 * How a price has changed. Prices are decimal strings in `basePair`, times in milliseconds since 1970, `percentageChange` is in percent.
 *
 * @since 0.1.0
 * @category models
 */
export interface PriceChange {
  readonly symbol: string
  readonly basePair: string
  readonly open: string
  readonly close: string
  readonly openTime: number
  readonly closeTime: number
  readonly absoluteChange: string
  readonly percentageChange: number
  readonly batchId?: string
}

/**
 * The open, high, low and close of an interval, and its volume: decimal strings. `timestamp` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface Candle {
  readonly timestamp: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

/**
 * A liquid staking token of an address. `balance` is a decimal string in whole tokens. Solana's tokens have a `mintAddress`.
 *
 * @since 0.1.0
 * @category models
 */
export interface LiquidStakingAsset {
  readonly protocol: string
  readonly symbol: string
  readonly underlying: string
  readonly balance: string
  readonly contractAddress?: string
  readonly mintAddress?: string
}

/**
 * A liquid staking pool. Yields are in percent per year, `tvlUsd` is in US dollars; null if the provider does not know them.
 *
 * @since 0.1.0
 * @category models
 */
export interface LiquidStakingPool {
  readonly protocol: string
  readonly underlying: string
  readonly symbols: ReadonlyArray<string>
  readonly contractAddresses?: ReadonlyArray<string>
  readonly mintAddresses?: ReadonlyArray<string>
  readonly apy?: number | null
  readonly apyBase?: number | null
  readonly apyBase7d?: number | null
  readonly apyBase30d?: number | null
  readonly tvlUsd?: number | null
  readonly rank?: number
}

/**
 * A stake of an address. `amount` is the provider's decimal string; `timestamp` is that of its transaction. Ethereum has the validator's
 * index and key, Solana its address.
 *
 * @since 0.1.0
 * @category models
 */
export interface StakedAsset {
  readonly txHash: string
  readonly blockNumber: number
  readonly timestamp: number
  readonly epoch: number
  readonly type: string
  readonly amount: string
  readonly withdrawalAddress?: string
  readonly validatorIndex?: number
  readonly validatorPubkey?: string
  readonly stakeAddress?: string
  readonly validatorAddress?: string
}

/**
 * A validator to stake with. `activatedStake` is a decimal string as the provider has written it; yields are in percent a year.
 *
 * @since 0.1.0
 * @category models
 */
export interface StakingPool {
  readonly identity: string
  readonly voteIdentity?: string
  readonly activatedStake: string
  readonly active: boolean
  readonly commission: number
  readonly name?: string
  readonly website?: string
  readonly skipRate?: number
  readonly voteSuccess?: number
  readonly uptime?: number
  readonly stakingApy?: number
  readonly totalApy?: number
  readonly epoch?: number
}

/**
 * A token in a list of tokens: newest, popular or trending. Prices are in US dollars, changes in percent by interval. The provider
 * describes only the trending list, so that other lists may lack any field.
 *
 * @since 0.1.0
 * @category models
 */
export interface RankedToken {
  readonly rank?: number
  readonly name?: string
  readonly symbol?: string
  readonly tokenAddress?: string
  readonly chain?: string
  readonly type?: string
  readonly fdv?: number
  readonly liquidity?: number
  readonly priceUSD?: number
  readonly priceChanges?: Readonly<Partial<Record<"5m" | "15m" | "1h" | "3h" | "6h" | "1d", number>>>
  readonly firstMint?: string
}

/**
 * The balance of an address at a time: a decimal string in whole coins or tokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface BalanceAtTime {
  readonly timestamp: number
  readonly balance: string
  readonly address?: string
}

/**
 * The reputation of an address.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletReputation {
  readonly address: string
  readonly reputation: number
}

/**
 * A part of a list: `pageSize` items (from 1), and `offset` as the API counts it (from 0).
 *
 * @since 0.1.0
 * @category models
 */
export interface DataPage {
  readonly pageSize?: number
  readonly offset?: number
}

/**
 * How a stream fetches a list: `pageSize` items per request, and `limit` items in all (default: all there are).
 *
 * @since 0.1.0
 * @category models
 */
export interface Fetching {
  readonly pageSize?: number
  readonly limit?: number
}

/**
 * An unspent output. `value` is a decimal string in whole coins, with every digit that the provider has written.
 *
 * @since 0.1.0
 * @category models
 */
export interface UnspentOutput {
  readonly chain: string
  readonly address: string
  readonly txHash: string
  readonly index: number
  readonly value: string
}

/**
 * A query of a stream, without pages.
 *
 * @since 0.1.0
 * @category models
 */
export type Streaming<Q> = Omit<Q, "offset" | "page" | "pageSize"> & Fetching

/**
 * The errors of a call of the data API.
 *
 * @since 0.1.0
 * @category errors
 */
export type DataError = GatewayCallError | InvalidArgument | LoadError | NotSupportedForNetwork
