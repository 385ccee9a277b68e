/**
 * The routes of today's data API as methods: each is one line, with its route, its input and the type of its answer. The service's
 * methods, their streams and their types are derived from it.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { idOfChain } from "../../data/dataRoutes.js"
import { isRecord } from "../../data/untrusted.js"
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
import { ChainName, Index, NonEmptyText, OneOrMoreTexts, oneOfWords, PageSize } from "./dataInput.js"
import { readRow } from "./dataRequests.js"

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
interface EndpointBase<F extends Fields, A> {
  readonly route: V4Route
  readonly fields: F
  readonly read: (said: unknown, network: string | undefined) => A
  /** Finds what is wrong with an input of valid fields, if anything. */
  readonly problem?: (query: Readonly<Record<string, unknown>>) => string | undefined
  /** Numbers of the answer arrive as their digits. */
  readonly exact?: boolean
}

/** A route with one answer. */
export interface SingleEndpoint<F extends Fields, A> extends EndpointBase<F, A> {
  readonly form: "one"
}

/** A route with a list. Its addresses are asked for in as many requests as the route takes. */
export interface ListEndpoint<F extends Fields, A> extends EndpointBase<F, A> {
  readonly form: "list"
}

/** A route with a list in pages by offset. */
export interface PagedEndpoint<F extends Fields, A> extends EndpointBase<F, A> {
  readonly form: "pages"
}

/** The items of a paged list. Pages are fetched as they are consumed. */
export interface StreamEndpoint<F extends Fields, A> {
  readonly form: "stream"
  readonly pages: PagedEndpoint<F, A>
}

/** A route that takes several questions at once. */
export interface BatchEndpoint<F extends Fields, A> extends EndpointBase<F, A> {
  readonly form: "batch"
  /** The id of a query without one. */
  readonly idOf: (query: Readonly<Record<string, unknown>>) => string
}

/** A declaration of any form but a stream. */
export type AnyEndpoint<A = unknown> =
  | SingleEndpoint<Fields, A>
  | ListEndpoint<Fields, A>
  | PagedEndpoint<Fields, A>
  | BatchEndpoint<Fields, A>

/** The method of a declaration. */
type MethodOf<E> =
  E extends SingleEndpoint<infer F, infer A>
    ? (query: Input<F>) => Effect.Effect<A, DataError>
    : E extends ListEndpoint<infer F, infer A>
      ? (query: Input<F>) => Effect.Effect<ReadonlyArray<A>, DataError>
      : E extends PagedEndpoint<infer F, infer A>
        ? (query: Input<F> & DataPage) => Effect.Effect<ReadonlyArray<A>, DataError>
        : E extends BatchEndpoint<infer F, infer A>
          ? (queries: ReadonlyArray<Input<F>>) => Effect.Effect<ReadonlyArray<A>, DataError>
          : E extends StreamEndpoint<infer F, infer A>
            ? (query: Streaming<Input<F>>) => Stream.Stream<A, DataError>
            : MethodsOf<E>

/** The methods of a table of declarations. */
export type MethodsOf<T> = { readonly [K in keyof T]: MethodOf<T[K]> }

/** A row as the provider has written it, with our id of its network: it has the type that the provider's documentation promises. */
const trustRow = <A>(said: unknown): A => readRow(said) as A

const optional = Schema.optional

/** A declaration. A route with chains has a chain in its input. */
const declare = <F extends Fields>(
  route: V4Route,
  fields: F,
  more: Pick<EndpointBase<F, unknown>, "exact" | "problem"> = {}
) => {
  const declared = { route, fields, ...more }
  return {
    returns: <A>(read: EndpointBase<F, A>["read"] = trustRow): SingleEndpoint<F, A> => ({
      ...declared,
      form: "one",
      read
    }),
    lists: <A>(read: EndpointBase<F, A>["read"] = trustRow): ListEndpoint<F, A> => ({
      ...declared,
      form: "list",
      read
    }),
    pages: <A>(read: EndpointBase<F, A>["read"] = trustRow): PagedEndpoint<F, A> => ({
      ...declared,
      form: "pages",
      read
    }),
    batches: <A>(
      idOf: BatchEndpoint<F, A>["idOf"],
      read: EndpointBase<F, A>["read"] = trustRow
    ): BatchEndpoint<F, A> => ({
      ...declared,
      form: "batch",
      idOf,
      read
    })
  }
}

const chain = { chain: ChainName }
const addressOnChain = { ...chain, address: NonEmptyText }
const transaction = { ...chain, hash: NonEmptyText }
/** Milliseconds since 1970. */
const Millis = Index
const period = { from: optional(Millis), to: optional(Millis) }
const txType = optional(oneOfWords("incoming", "outgoing"))
const basePair = { basePair: optional(NonEmptyText) }
const batchId = { batchId: optional(NonEmptyText) }
const interval = {
  interval: optional(oneOfWords("1m", "5m", "15m", "30m", "45m", "1h", "2h", "4h", "1d", "1w", "1M"))
}

/** Rewards have their value as a number, and as exact text, which is used. */
const exactValue = <A>(said: unknown): A => {
  const row = readRow(said)
  if (!isRecord(row)) return trustRow(row)
  const { valueAsString = row.value, ...rest } = row
  return trustRow(valueAsString === undefined ? rest : { ...rest, value: String(valueAsString) })
}

/** Only the value of an output keeps its digits. It is on the chain that was asked about. */
const toUnspentOutput = (said: unknown, network: string | undefined): UnspentOutput =>
  trustRow(
    isRecord(said)
      ? {
          ...said,
          chain: typeof said.chain === "string" ? idOfChain(said.chain) : network,
          index: Number(said.index)
        }
      : said
  )

const findPairProblem = ({
  basePair,
  contractAddress,
  symbol = contractAddress
}: Readonly<Record<string, unknown>>) => [symbol, basePair].filter((part) => part !== undefined).join("/")

const findTimeProblem = ({ time, unix }: Readonly<Record<string, unknown>>): string | undefined =>
  (time === undefined) === (unix === undefined) ? "must have either unix or time" : undefined

const streamPages = <F extends Fields, A>(pages: PagedEndpoint<F, A>): StreamEndpoint<F, A> => ({
  form: "stream",
  pages: pages
})

const miningRewards = declare(v4Routes.miningRewards, { ...addressOnChain, ...period }).pages<MiningReward>(
  exactValue
)
const nftBalances = declare(v4Routes.nftBalances, addressOnChain).pages<NftHolding>()
const multitokenBalances = declare(v4Routes.multitokenBalances, addressOnChain).pages<MultitokenHolding>()
const stakingTransactions = declare(v4Routes.stakingTransactions, addressOnChain).pages<Undescribed>()
const newestTokens = declare(v4Routes.newestTokens, chain).pages<RankedToken>()
const popularTokens = declare(v4Routes.popularTokens, chain).pages<RankedToken>()
const trendingTokens = declare(v4Routes.trendingTokens, chain).pages<RankedToken>()

/**
 * The declarations, in the service's groups. If the provider's description contradicts itself, the looser reading applies, and a comment
 * says so.
 */
export const endpoints = {
  blockchains: {
    /** The balance of an address, in whole coins. */
    getBalance: declare(v4Routes.balance, addressOnChain).returns<ChainBalance>(),
    /** The balances of addresses, in whole coins. The provider takes 30 of them at once (10 on Tron); more are several requests. */
    getBalanceBatch: declare(v4Routes.balanceBatch, {
      ...chain,
      addresses: OneOrMoreTexts
    }).lists<AddressedBalance>(),
    /** A block by its height. */
    getBlock: declare(v4Routes.block, { ...chain, blockNumber: Index }).returns<ChainBlock>(),
    // the description has no fields here; they are assumed to be those of a block by height
    /** A block by its hash. */
    getBlockByHash: declare(v4Routes.blockByHash, transaction).returns<ChainBlock>(),
    /** The height of the newest block. */
    getCurrentBlock: declare(v4Routes.currentBlock, chain).returns<CurrentBlock>(),
    /** The block at a time. The provider defines the unit of the number, which is passed on unchanged. */
    getBlockAtTime: declare(v4Routes.blockAtTime, { ...chain, timestamp: Index }).returns<Undescribed>(),
    /** The hashes of transactions that wait for a block. */
    getMempool: declare(v4Routes.mempool, chain).lists<string>(),
    /** A transaction by its hash. */
    getTransaction: declare(v4Routes.transaction, transaction).returns<ChainTransaction>(),
    /** The number of transactions that an account has sent. */
    getTransactionCount: declare(v4Routes.transactionCount, addressOnChain).returns<TransactionCount>(),
    /** The calls inside a transaction. */
    getInternalTransactions: declare(v4Routes.internalTransactions, transaction).lists<InternalTransaction>(),
    /** An output by its transaction and index, whether it is spent or not. */
    getUtxo: declare(v4Routes.utxoInfo, { ...transaction, index: Index }).returns<Undescribed>(),
    // the rows are not described; they are assumed to be those of one address
    /** Unspent outputs of several addresses: enough of them for `totalValue`, in whole coins. */
    getUtxosBatch: declare(
      v4Routes.utxosBatch,
      {
        ...chain,
        addresses: Schema.NonEmptyArray(NonEmptyText),
        totalValue: Schema.Number.pipe(
          Schema.filter((value) => value > 0 && Number.isFinite(value), {
            message: () => "must be a number of coins above 0"
          })
        )
      },
      { exact: true }
    ).lists<UnspentOutput>(toUnspentOutput),
    // lists without a described row; transactions are assumed to be those of other routes
    /** Transactions of an address on chains of Bitcoin's kind and Cardano. */
    getUtxoHistory: declare(v4Routes.utxoHistory, { ...addressOnChain, txType }).lists<ChainTransaction>(),
    /** Transactions of several addresses on chains of Bitcoin's kind and Cardano. */
    getUtxoHistoryBatch: declare(v4Routes.utxoHistoryBatch, {
      ...chain,
      addresses: Schema.NonEmptyArray(NonEmptyText),
      txType
    }).lists<ChainTransaction>(),
    /** The gas of a transaction: `amount` is a decimal string in whole coins, or in tokens of `contractAddress`. */
    estimateGas: declare(v4Routes.gas, {
      ...chain,
      from: NonEmptyText,
      to: NonEmptyText,
      amount: NonEmptyText,
      data: optional(NonEmptyText),
      contractAddress: optional(NonEmptyText)
    }).returns<GasEstimate>()
  },
  mining: {
    /** Rewards of an address, in whole coins. */
    getRewards: miningRewards,
    /** Rewards of an address, in whole coins. Pages are fetched as they are consumed. */
    streamRewards: streamPages(miningRewards),
    /** All rewards of an address in one, in whole coins. */
    getTotalRewards: declare(v4Routes.totalMiningRewards, addressOnChain).returns<TotalMiningRewards>(
      exactValue
    )
  },
  names: {
    /** The addresses that a name means: `vitalik.eth`. */
    resolve: declare(v4Routes.name, { ...chain, name: NonEmptyText }).lists<ResolvedName>()
  },
  nfts: {
    /** Tokens of collections that an address has, by collection. */
    getBalances: nftBalances,
    /** Tokens of collections of an address, by collection. Pages are fetched as they are consumed. */
    streamBalances: streamPages(nftBalances)
  },
  multitokens: {
    /** Multitokens that an address has, by contract. */
    getBalances: multitokenBalances,
    /** Multitokens of an address, by contract. Pages are fetched as they are consumed. */
    streamBalances: streamPages(multitokenBalances)
  },
  rates: {
    /** The rate of a token by its contract. */
    getByContract: declare(v4Routes.rateByContract, {
      ...chain,
      ...basePair,
      contractAddress: NonEmptyText
    }).returns<ExchangeRate>(),
    /** Rates of tokens by their contracts, in one request. */
    getByContractBatch: declare(v4Routes.rateByContractBatch, {
      ...chain,
      ...batchId,
      contractAddress: NonEmptyText,
      basePair: NonEmptyText
    }).batches<ExchangeRate>(findPairProblem),
    /** The rate of a currency by its symbol. */
    getBySymbol: declare(v4Routes.rateBySymbol, {
      ...basePair,
      symbol: NonEmptyText
    }).returns<ExchangeRate>(),
    /** Rates of currencies by their symbols, in one request. */
    getBySymbolBatch: declare(v4Routes.rateBySymbolBatch, {
      ...batchId,
      symbol: NonEmptyText,
      basePair: NonEmptyText
    }).batches<ExchangeRate>(findPairProblem),
    /** Rates of a currency between two times, in milliseconds since 1970. */
    getHistory: declare(v4Routes.rateHistory, {
      ...basePair,
      symbol: NonEmptyText,
      from: Millis,
      to: Millis
    }).lists<RatePoint>(),
    // the description has the interval's values at another parameter, and no parameter for them: both are accepted
    /** How the price of a currency has changed. */
    getPriceChange: declare(v4Routes.priceChange, {
      ...basePair,
      ...interval,
      symbol: NonEmptyText
    }).returns<PriceChange>(),
    /** How the prices of currencies have changed, in one request. */
    getPriceChangeBatch: declare(v4Routes.priceChangeBatch, {
      ...basePair,
      ...batchId,
      ...interval,
      symbol: NonEmptyText
    }).batches<PriceChange>(findPairProblem),
    /** Candles of a currency at a time: `unix` in milliseconds since 1970, or `time` in ISO 8601. */
    getOhlcv: declare(
      v4Routes.ohlcv,
      { ...interval, symbol: NonEmptyText, unix: optional(Millis), time: optional(NonEmptyText) },
      { problem: findTimeProblem }
    ).lists<Candle>(),
    /** The last candles of a currency. */
    getOhlcvBatch: declare(v4Routes.ohlcvBatch, {
      ...interval,
      symbol: NonEmptyText,
      numberOfCandles: PageSize
    }).lists<Candle>()
  },
  staking: {
    liquid: {
      /** Liquid staking tokens of an address. */
      getAssets: declare(v4Routes.liquidAssets, addressOnChain).lists<LiquidStakingAsset>(),
      /** Pools of liquid staking. */
      getPools: declare(v4Routes.liquidPools, chain).lists<LiquidStakingPool>()
    },
    native: {
      /** Stakes of an address. */
      getAssets: declare(v4Routes.stakedAssets, addressOnChain).lists<StakedAsset>(),
      /** What an address has staked with a validator. */
      getAssetsByValidator: declare(v4Routes.stakedAssetsByValidator, {
        ...addressOnChain,
        validator: NonEmptyText
      }).returns<Undescribed>(),
      /** Validators to stake with. */
      getPools: declare(v4Routes.stakingPools, chain).lists<StakingPool>(),
      /** Rewards of an address between two times, which are passed on unchanged. */
      getRewards: declare(v4Routes.stakingRewards, { ...addressOnChain, ...period }).lists<Undescribed>(),
      /** Transactions of an address that stake or unstake. */
      getTransactions: stakingTransactions,
      /** Staking and unstaking transactions of an address. Pages are fetched as they are consumed. */
      streamTransactions: streamPages(stakingTransactions)
    }
  },
  tokens: {
    /** The newest tokens of a chain. */
    getNewest: newestTokens,
    /** The newest tokens of a chain. Pages are fetched as they are consumed. */
    streamNewest: streamPages(newestTokens),
    /** The most popular tokens of a chain. */
    getPopular: popularTokens,
    /** The most popular tokens of a chain. Pages are fetched as they are consumed. */
    streamPopular: streamPages(popularTokens),
    /** The most popular tokens of a chain between two times, which are passed on unchanged. */
    getPopularHistory: declare(v4Routes.popularTokensHistory, {
      ...chain,
      from: Millis,
      to: Millis
    }).returns<Undescribed>(),
    /** The tokens of a chain that many trade now. */
    getTrending: trendingTokens,
    /** The trending tokens of a chain. Pages are fetched as they are consumed. */
    streamTrending: streamPages(trendingTokens),
    /** What the provider knows of the transfers in a transaction. */
    getTransfersDna: declare(v4Routes.transferDna, transaction).returns<Undescribed>()
  },
  wallet: {
    /** Balances of addresses at a time, which is passed on unchanged: coins, or the tokens of `tokenAddress`. */
    getBalanceAt: declare(v4Routes.balanceAt, {
      ...chain,
      addresses: OneOrMoreTexts,
      timestamp: Index,
      tokenAddress: optional(NonEmptyText)
    }).lists<BalanceAtTime>(),
    /** The reputation of an address. */
    getReputation: declare(v4Routes.reputation, addressOnChain).returns<WalletReputation>(),
    /** The reputation of an address, and of its tokens. */
    getReputationPortfolio: declare(v4Routes.reputationPortfolio, addressOnChain).returns<Undescribed>(),
    /** The reputation of tokens that an address has. */
    getReputationTokens: declare(v4Routes.reputationTokens, {
      ...addressOnChain,
      tokenAddresses: OneOrMoreTexts
    }).returns<Undescribed>()
  }
}

/** The groups of methods over {@link endpoints}. */
export type EndpointMethods = MethodsOf<typeof endpoints>
