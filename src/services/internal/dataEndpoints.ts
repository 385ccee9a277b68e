/**
 * The routes of today's data API as methods: each is one line, with its route, its input and the type of its answer. The service's
 * methods, their streams and their types are derived from it.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { idOfChain } from "../../data/dataRoutes.js"
import { isRecord } from "../../data/foreign.js"
import { type V4Route, v4Routes } from "../../data/v4Routes.js"
import type {
  AddressedBalance,
  BalanceAtTime,
  Candle,
  ChainBalance,
  ChainBlock,
  ChainTransaction,
  CurrentBlock,
  DataError,
  DataPage,
  ExchangeRate,
  GasEstimate,
  InternalTransaction,
  LiquidStakingAsset,
  LiquidStakingPool,
  MiningReward,
  MultitokenHolding,
  NftHolding,
  PriceChange,
  RankedToken,
  RatePoint,
  ResolvedName,
  StakedAsset,
  StakingPool,
  Streaming,
  TotalMiningRewards,
  TransactionCount,
  Undescribed,
  UnspentOutput,
  WalletReputation
} from "./dataAnswers.js"
import { ChainName, Filled, Index, oneOf, PageSize, Several } from "./dataInput.js"
import { namedRow } from "./dataRequests.js"

/** The parameters of a route. */
export type Fields = Readonly<
  Record<string, Schema.Schema.AnyNoContext | Schema.optional<Schema.Schema.AnyNoContext>>
>

/** A list that must have an item is any list in a type, as elsewhere on the service: the check is at run time. */
type Given<A> = A extends readonly [infer Item, ...ReadonlyArray<unknown>] ? ReadonlyArray<Item> : A

/** The input of a method: the fields that its schema takes. */
type Input<F extends Fields> = {
  readonly [K in keyof Schema.Struct.Encoded<F>]: Given<Exclude<Schema.Struct.Encoded<F>[K], undefined>>
}

/** What all declarations have. `read` makes the answer, or a row of it; it gets the network that was asked about. */
interface Declared<F extends Fields, A> {
  readonly route: V4Route
  readonly fields: F
  readonly read: (said: unknown, network: string | undefined) => A
  /** What is wrong with an input whose fields are right, if anything is. */
  readonly problem?: (query: Readonly<Record<string, unknown>>) => string | undefined
  /** Numbers of the answer arrive as their digits. */
  readonly exact?: boolean
}

/** A route with one answer. */
export interface One<F extends Fields, A> extends Declared<F, A> {
  readonly form: "one"
}

/** A route with a list. Its addresses are asked for in as many requests as the route takes. */
export interface List<F extends Fields, A> extends Declared<F, A> {
  readonly form: "list"
}

/** A route with a list in pages by offset. */
export interface Pages<F extends Fields, A> extends Declared<F, A> {
  readonly form: "pages"
}

/** The items of a route with a list in pages, as they are consumed. */
export interface Streamed<F extends Fields, A> {
  readonly form: "stream"
  readonly of: Pages<F, A>
}

/** A route that takes several questions at once. */
export interface Batch<F extends Fields, A> extends Declared<F, A> {
  readonly form: "batch"
  /** The id of a question that has none. */
  readonly idOf: (query: Readonly<Record<string, unknown>>) => string
}

/** A declaration of any form but a stream. */
export type AnyEndpoint<A = unknown> = One<Fields, A> | List<Fields, A> | Pages<Fields, A> | Batch<Fields, A>

/** The method of a declaration. */
type MethodOf<E> =
  E extends One<infer F, infer A>
    ? (query: Input<F>) => Effect.Effect<A, DataError>
    : E extends List<infer F, infer A>
      ? (query: Input<F>) => Effect.Effect<ReadonlyArray<A>, DataError>
      : E extends Pages<infer F, infer A>
        ? (query: Input<F> & DataPage) => Effect.Effect<ReadonlyArray<A>, DataError>
        : E extends Batch<infer F, infer A>
          ? (queries: ReadonlyArray<Input<F>>) => Effect.Effect<ReadonlyArray<A>, DataError>
          : E extends Streamed<infer F, infer A>
            ? (query: Streaming<Input<F>>) => Stream.Stream<A, DataError>
            : MethodsOf<E>

/** The methods of a table of declarations. */
export type MethodsOf<T> = { readonly [K in keyof T]: MethodOf<T[K]> }

/** A row as the provider has written it, with our id of its network: it has the type that the provider's documentation promises. */
const promised = <A>(said: unknown): A => namedRow(said) as A

const optional = Schema.optional

/** A declaration. A route with chains takes one of them. */
const of = <F extends Fields>(
  route: V4Route,
  fields: F,
  more: Pick<Declared<F, unknown>, "exact" | "problem"> = {}
) => {
  const declared = { route, fields, ...more }
  return {
    returns: <A>(read: Declared<F, A>["read"] = promised): One<F, A> => ({ ...declared, form: "one", read }),
    lists: <A>(read: Declared<F, A>["read"] = promised): List<F, A> => ({ ...declared, form: "list", read }),
    pages: <A>(read: Declared<F, A>["read"] = promised): Pages<F, A> => ({
      ...declared,
      form: "pages",
      read
    }),
    batches: <A>(idOf: Batch<F, A>["idOf"], read: Declared<F, A>["read"] = promised): Batch<F, A> => ({
      ...declared,
      form: "batch",
      idOf,
      read
    })
  }
}

const chain = { chain: ChainName }
const at = { ...chain, address: Filled }
const transaction = { ...chain, hash: Filled }
/** Milliseconds since 1970. */
const Millis = Index
const period = { from: optional(Millis), to: optional(Millis) }
const txType = optional(oneOf("incoming", "outgoing"))
const basePair = { basePair: optional(Filled) }
const batchId = { batchId: optional(Filled) }
const interval = {
  interval: optional(oneOf("1m", "5m", "15m", "30m", "45m", "1h", "2h", "4h", "1d", "1w", "1M"))
}

/** Rewards have their value as a number, and as text with all of its digits, which is the one that comes out. */
const exactValue = <A>(said: unknown): A => {
  const row = namedRow(said)
  if (!isRecord(row)) return promised(row)
  const { valueAsString = row.value, ...rest } = row
  return promised(valueAsString === undefined ? rest : { ...rest, value: String(valueAsString) })
}

/** Only the value of an output keeps its digits. It is on the chain that was asked about. */
const output = (said: unknown, network: string | undefined): UnspentOutput =>
  promised(
    isRecord(said)
      ? {
          ...said,
          chain: typeof said.chain === "string" ? idOfChain(said.chain) : network,
          index: Number(said.index)
        }
      : said
  )

const pair = ({ basePair, contractAddress, symbol = contractAddress }: Readonly<Record<string, unknown>>) =>
  [symbol, basePair].filter((part) => part !== undefined).join("/")

const eitherTime = ({ time, unix }: Readonly<Record<string, unknown>>): string | undefined =>
  (time === undefined) === (unix === undefined) ? "must have either unix or time" : undefined

const streamed = <F extends Fields, A>(pages: Pages<F, A>): Streamed<F, A> => ({ form: "stream", of: pages })

const miningRewards = of(v4Routes.miningRewards, { ...at, ...period }).pages<MiningReward>(exactValue)
const nftBalances = of(v4Routes.nftBalances, at).pages<NftHolding>()
const multitokenBalances = of(v4Routes.multitokenBalances, at).pages<MultitokenHolding>()
const stakingTransactions = of(v4Routes.stakingTransactions, at).pages<Undescribed>()
const newestTokens = of(v4Routes.newestTokens, chain).pages<RankedToken>()
const popularTokens = of(v4Routes.popularTokens, chain).pages<RankedToken>()
const trendingTokens = of(v4Routes.trendingTokens, chain).pages<RankedToken>()

/**
 * The declarations, in the groups that the service has. Where the provider's description tells two things, the looser one is taken, and
 * a comment says so.
 */
export const endpoints = {
  blockchains: {
    /** The balance of an address, in whole coins. */
    getBalance: of(v4Routes.balance, at).returns<ChainBalance>(),
    /** The balances of addresses, in whole coins. The provider takes 30 of them at once (10 on Tron); more are several requests. */
    getBalanceBatch: of(v4Routes.balanceBatch, { ...chain, addresses: Several }).lists<AddressedBalance>(),
    /** A block by its height. */
    getBlock: of(v4Routes.block, { ...chain, blockNumber: Index }).returns<ChainBlock>(),
    // the description has no fields here: a block is taken for what it is by height
    /** A block by its hash. */
    getBlockByHash: of(v4Routes.blockByHash, transaction).returns<ChainBlock>(),
    /** The height of the newest block. */
    getCurrentBlock: of(v4Routes.currentBlock, chain).returns<CurrentBlock>(),
    /** The block of a time, which is a number of the provider's choice: it is passed on as it is. */
    getBlockAtTime: of(v4Routes.blockAtTime, { ...chain, timestamp: Index }).returns<Undescribed>(),
    /** The hashes of transactions that wait for a block. */
    getMempool: of(v4Routes.mempool, chain).lists<string>(),
    /** A transaction by its hash. */
    getTransaction: of(v4Routes.transaction, transaction).returns<ChainTransaction>(),
    /** The number of transactions that an account has sent. */
    getTransactionCount: of(v4Routes.transactionCount, at).returns<TransactionCount>(),
    /** The calls inside a transaction. */
    getInternalTransactions: of(v4Routes.internalTransactions, transaction).lists<InternalTransaction>(),
    /** An output by its transaction and index, whether it is spent or not. */
    getUtxo: of(v4Routes.utxoInfo, { ...transaction, index: Index }).returns<Undescribed>(),
    // the rows are not described: they are taken for those of one address
    /** Unspent outputs of several addresses: enough of them for `totalValue`, in whole coins. */
    getUtxosBatch: of(
      v4Routes.utxosBatch,
      {
        ...chain,
        addresses: Schema.NonEmptyArray(Filled),
        totalValue: Schema.Number.pipe(
          Schema.filter((value) => value > 0 && Number.isFinite(value), {
            message: () => "must be a number of coins above 0"
          })
        )
      },
      { exact: true }
    ).lists<UnspentOutput>(output),
    // lists without a described row: transactions are those of the other routes
    /** Transactions of an address on chains of Bitcoin's kind and Cardano. */
    getUtxoHistory: of(v4Routes.utxoHistory, { ...at, txType }).lists<ChainTransaction>(),
    /** Transactions of several addresses on chains of Bitcoin's kind and Cardano. */
    getUtxoHistoryBatch: of(v4Routes.utxoHistoryBatch, {
      ...chain,
      addresses: Schema.NonEmptyArray(Filled),
      txType
    }).lists<ChainTransaction>(),
    /** The gas of a transaction: `amount` is a decimal string in whole coins, or in tokens of `contractAddress`. */
    estimateGas: of(v4Routes.gas, {
      ...chain,
      from: Filled,
      to: Filled,
      amount: Filled,
      data: optional(Filled),
      contractAddress: optional(Filled)
    }).returns<GasEstimate>()
  },
  mining: {
    /** Rewards of an address, in whole coins. */
    getRewards: miningRewards,
    /** Rewards of an address, in whole coins, page by page as they are consumed. */
    streamRewards: streamed(miningRewards),
    /** All rewards of an address in one, in whole coins. */
    getTotalRewards: of(v4Routes.totalMiningRewards, at).returns<TotalMiningRewards>(exactValue)
  },
  names: {
    /** The addresses that a name means: `vitalik.eth`. */
    resolve: of(v4Routes.name, { ...chain, name: Filled }).lists<ResolvedName>()
  },
  nfts: {
    /** Tokens of collections that an address has, by collection. */
    getBalances: nftBalances,
    /** Tokens of collections that an address has, by collection, page by page as they are consumed. */
    streamBalances: streamed(nftBalances)
  },
  multitokens: {
    /** Multitokens that an address has, by contract. */
    getBalances: multitokenBalances,
    /** Multitokens that an address has, by contract, page by page as they are consumed. */
    streamBalances: streamed(multitokenBalances)
  },
  rates: {
    /** The rate of a token by its contract. */
    getByContract: of(v4Routes.rateByContract, {
      ...chain,
      ...basePair,
      contractAddress: Filled
    }).returns<ExchangeRate>(),
    /** Rates of tokens by their contracts, in one request. */
    getByContractBatch: of(v4Routes.rateByContractBatch, {
      ...chain,
      ...batchId,
      contractAddress: Filled,
      basePair: Filled
    }).batches<ExchangeRate>(pair),
    /** The rate of a currency by its symbol. */
    getBySymbol: of(v4Routes.rateBySymbol, { ...basePair, symbol: Filled }).returns<ExchangeRate>(),
    /** Rates of currencies by their symbols, in one request. */
    getBySymbolBatch: of(v4Routes.rateBySymbolBatch, {
      ...batchId,
      symbol: Filled,
      basePair: Filled
    }).batches<ExchangeRate>(pair),
    /** Rates of a currency between two times, in milliseconds since 1970. */
    getHistory: of(v4Routes.rateHistory, {
      ...basePair,
      symbol: Filled,
      from: Millis,
      to: Millis
    }).lists<RatePoint>(),
    // the description has the words of intervals at another parameter here, and no parameter for them: both are taken
    /** How the price of a currency has changed. */
    getPriceChange: of(v4Routes.priceChange, {
      ...basePair,
      ...interval,
      symbol: Filled
    }).returns<PriceChange>(),
    /** How the prices of currencies have changed, in one request. */
    getPriceChangeBatch: of(v4Routes.priceChangeBatch, {
      ...basePair,
      ...batchId,
      ...interval,
      symbol: Filled
    }).batches<PriceChange>(pair),
    /** Candles of a currency at a time: `unix` in milliseconds since 1970, or `time` in ISO 8601. */
    getOhlcv: of(
      v4Routes.ohlcv,
      { ...interval, symbol: Filled, unix: optional(Millis), time: optional(Filled) },
      { problem: eitherTime }
    ).lists<Candle>(),
    /** The last candles of a currency. */
    getOhlcvBatch: of(v4Routes.ohlcvBatch, {
      ...interval,
      symbol: Filled,
      numberOfCandles: PageSize
    }).lists<Candle>()
  },
  staking: {
    liquid: {
      /** Liquid staking tokens of an address. */
      getAssets: of(v4Routes.liquidAssets, at).lists<LiquidStakingAsset>(),
      /** Pools of liquid staking. */
      getPools: of(v4Routes.liquidPools, chain).lists<LiquidStakingPool>()
    },
    native: {
      /** Stakes of an address. */
      getAssets: of(v4Routes.stakedAssets, at).lists<StakedAsset>(),
      /** What an address has staked with a validator. */
      getAssetsByValidator: of(v4Routes.stakedAssetsByValidator, {
        ...at,
        validator: Filled
      }).returns<Undescribed>(),
      /** Validators to stake with. */
      getPools: of(v4Routes.stakingPools, chain).lists<StakingPool>(),
      /** Rewards of an address between two times, which are passed on as they are. */
      getRewards: of(v4Routes.stakingRewards, { ...at, ...period }).lists<Undescribed>(),
      /** Transactions of an address that stake or unstake. */
      getTransactions: stakingTransactions,
      /** Transactions of an address that stake or unstake, page by page as they are consumed. */
      streamTransactions: streamed(stakingTransactions)
    }
  },
  tokens: {
    /** The newest tokens of a chain. */
    getNewest: newestTokens,
    /** The newest tokens of a chain, page by page as they are consumed. */
    streamNewest: streamed(newestTokens),
    /** The most popular tokens of a chain. */
    getPopular: popularTokens,
    /** The most popular tokens of a chain, page by page as they are consumed. */
    streamPopular: streamed(popularTokens),
    /** The most popular tokens of a chain between two times, which are passed on as they are. */
    getPopularHistory: of(v4Routes.popularTokensHistory, {
      ...chain,
      from: Millis,
      to: Millis
    }).returns<Undescribed>(),
    /** The tokens of a chain that many trade now. */
    getTrending: trendingTokens,
    /** The tokens of a chain that many trade now, page by page as they are consumed. */
    streamTrending: streamed(trendingTokens),
    /** What the provider knows of the transfers in a transaction. */
    getTransfersDna: of(v4Routes.transferDna, transaction).returns<Undescribed>()
  },
  wallet: {
    /** Balances of addresses at a time, which is passed on as it is: coins, or the tokens of `tokenAddress`. */
    getBalanceAt: of(v4Routes.balanceAt, {
      ...chain,
      addresses: Several,
      timestamp: Index,
      tokenAddress: optional(Filled)
    }).lists<BalanceAtTime>(),
    /** The reputation of an address. */
    getReputation: of(v4Routes.reputation, at).returns<WalletReputation>(),
    /** The reputation of an address with that of its tokens. */
    getReputationPortfolio: of(v4Routes.reputationPortfolio, at).returns<Undescribed>(),
    /** The reputation of tokens that an address has. */
    getReputationTokens: of(v4Routes.reputationTokens, {
      ...at,
      tokenAddresses: Several
    }).returns<Undescribed>()
  }
}

/** The groups of methods over {@link endpoints}. */
export type EndpointMethods = MethodsOf<typeof endpoints>
