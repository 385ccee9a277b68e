/**
 * Schemas of what services answer, under the names of its types: answers cross `@effect/rpc` and HttpApi, are stored, and are
 * checked when they come back. Each has exactly the fields of its type, which the compiler checks.
 *
 * ```ts
 * const Holdings = Schema.Array(Schemas.AddressBalance)
 * ```
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Exactly, optionalExact } from "../data/exactSchema.js"
import * as Network from "../data/Network.js"
import { ChainNotSupported } from "../data/SdkErrorSchema.js"
import type * as Address from "./Address.js"
import type * as Contract from "./Contract.js"
import type * as DataApi from "./DataApi.js"
import type * as Fee from "./Fee.js"
import type * as Nft from "./Nft.js"
import type * as Notification from "./Notification.js"
import type * as Rates from "./Rates.js"
import type * as Storage from "./Storage.js"
import type * as Token from "./Token.js"

/** The answer of a method. */
type Answer<F extends (...args: never) => Effect.Effect<unknown, unknown>> = Effect.Effect.Success<
  ReturnType<F>
>

/** The schema of a type that is a record. */
const structOf =
  <A>() =>
  <const F extends Schema.Struct.Fields>(identifier: string, fields: F & Exactly<A, F>): Schema.Struct<F> =>
    Schema.Struct<F>(fields).pipe(Schema.annotations({ identifier }))

const text = Schema.String
const number = Schema.JsonNumber
const maybeText = optionalExact(text)
const maybeNumber = optionalExact(number)
const record = Schema.Record({ key: text, value: Schema.Unknown })

const kind = Schema.Literal("native", "fungible", "nft", "multitoken")
const transferKind = Schema.Literal("native", "fungible", "nft", "multitoken", "internal")
const direction = Schema.Literal("incoming", "outgoing", "zero-transfer")

/**
 * The schema of a balance of an address: {@link Address.AddressBalance}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AddressBalance = /*#__PURE__*/ structOf<Address.AddressBalance>()("AddressBalance", {
  address: text,
  asset: maybeText,
  decimals: maybeNumber,
  balance: text,
  type: kind,
  tokenAddress: maybeText,
  tokenId: maybeText,
  lastUpdatedBlockNumber: maybeNumber
})

/**
 * The schema of a transfer of an address: {@link Address.AddressTransaction}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AddressTransaction = /*#__PURE__*/ structOf<Address.AddressTransaction>()("AddressTransaction", {
  chain: text,
  hash: text,
  address: text,
  blockNumber: maybeNumber,
  timestamp: number,
  transactionType: Schema.Literal(
    "native",
    "fungible",
    "nft",
    "multitoken",
    "internal",
    "incoming",
    "outgoing"
  ),
  transactionSubtype: optionalExact(direction),
  transactionIndex: maybeNumber,
  amount: text,
  counterAddress: maybeText,
  tokenAddress: maybeText,
  tokenId: maybeText
})

/**
 * The schema of a page of transfers: {@link Address.TransactionPage}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionPage = /*#__PURE__*/ structOf<Address.TransactionPage>()("TransactionPage", {
  result: Schema.Array(AddressTransaction),
  prevPage: text,
  nextPage: text
})

/**
 * The schema of the data of a deployment: the answer of `contract.prepare`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Prepared = /*#__PURE__*/ structOf<Answer<Contract.ContractService["prepare"]>>()("Prepared", {
  data: text
})

/**
 * The schema of a token of a collection: {@link DataApi.TokenDetails}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenDetails = /*#__PURE__*/ structOf<DataApi.TokenDetails>()("TokenDetails", {
  chain: maybeText,
  tokenId: maybeText,
  tokenAddress: maybeText,
  tokenType: optionalExact(kind),
  metadataURI: maybeText,
  metadata: optionalExact(record)
})

/**
 * The schema of a balance of the data API: {@link DataApi.Balance}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Balance = /*#__PURE__*/ structOf<DataApi.Balance>()("Balance", {
  chain: text,
  type: kind,
  address: text,
  balance: text,
  decimals: maybeNumber,
  tokenAddress: maybeText,
  tokenId: maybeText,
  lastUpdatedBlockNumber: maybeNumber,
  metadataURI: maybeText,
  metadata: optionalExact(record)
})

/**
 * The schema of a transfer of the data API: {@link DataApi.Transfer}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Transfer = /*#__PURE__*/ structOf<DataApi.Transfer>()("Transfer", {
  chain: text,
  hash: text,
  address: text,
  blockNumber: number,
  transactionIndex: number,
  transactionType: transferKind,
  transactionSubtype: direction,
  amount: text,
  timestamp: number,
  counterAddress: maybeText,
  tokenAddress: maybeText,
  tokenId: maybeText
})

/**
 * The schema of an event of a contract: {@link DataApi.ChainEvent}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainEvent = /*#__PURE__*/ structOf<DataApi.ChainEvent>()("ChainEvent", {
  chain: maybeText,
  address: maybeText,
  blockNumber: maybeNumber,
  timestamp: maybeNumber,
  decoded: optionalExact(record),
  raw: optionalExact(
    Schema.Struct({
      topic_0: maybeText,
      topic_1: maybeText,
      topic_2: maybeText,
      topic_3: maybeText,
      data: maybeText
    })
  ),
  txHash: maybeText,
  txIndex: maybeNumber,
  logIndex: maybeNumber
})

/**
 * The schema of a block of the data API: {@link DataApi.DataBlock}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DataBlock = /*#__PURE__*/ structOf<DataApi.DataBlock>()("DataBlock", {
  blockNumber: maybeNumber,
  blockTimestamp: maybeNumber,
  hash: maybeText,
  eventIngestedSize: maybeNumber,
  nftIngestedSize: maybeNumber,
  txHashes: optionalExact(Schema.Array(text))
})

/**
 * The schema of the details of a token: {@link DataApi.TokenInfo}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenInfo = /*#__PURE__*/ structOf<DataApi.TokenInfo>()("TokenInfo", {
  chain: maybeText,
  symbol: maybeText,
  name: maybeText,
  tokenType: optionalExact(kind),
  supply: maybeText,
  decimals: maybeNumber,
  cap: maybeText,
  metadata: optionalExact(record),
  metadataURI: maybeText
})

/**
 * The schema of an unspent output: {@link DataApi.UnspentOutput}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UnspentOutput = /*#__PURE__*/ structOf<DataApi.UnspentOutput>()("UnspentOutput", {
  chain: text,
  address: text,
  txHash: text,
  index: number,
  value: text
})

/**
 * The schema of an answer that the provider does not describe: {@link DataApi.Undescribed}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Undescribed = record

/**
 * The schema of the balance of an address: {@link DataApi.ChainBalance}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainBalance = /*#__PURE__*/ structOf<DataApi.ChainBalance>()("ChainBalance", {
  balance: text,
  incoming: maybeText,
  outgoing: maybeText,
  incomingPending: maybeText,
  outgoingPending: maybeText
})

/**
 * The schema of a balance of one of several addresses: {@link DataApi.AddressedBalance}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AddressedBalance = /*#__PURE__*/ structOf<DataApi.AddressedBalance>()("AddressedBalance", {
  balance: text,
  incoming: maybeText,
  outgoing: maybeText,
  incomingPending: maybeText,
  outgoingPending: maybeText,
  address: text
})

/**
 * The schema of a block: {@link DataApi.ChainBlock}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainBlock = /*#__PURE__*/ structOf<DataApi.ChainBlock>()("ChainBlock", {
  hash: maybeText,
  number: maybeNumber,
  parentHash: maybeText,
  timestamp: maybeNumber,
  gasUsed: maybeNumber,
  gasLimit: maybeNumber,
  miner: maybeText,
  size: maybeNumber,
  difficulty: maybeText,
  baseFeePerGas: maybeText,
  transactions: optionalExact(Schema.Array(Schema.Unknown)),
  height: maybeNumber,
  time: maybeNumber,
  weight: maybeNumber,
  bits: maybeNumber,
  nonce: maybeNumber,
  prevBlock: maybeText,
  merkleRoot: maybeText,
  nTx: maybeNumber,
  txs: optionalExact(Schema.Array(Schema.Unknown))
})

/**
 * The schema of the height of the newest block: {@link DataApi.CurrentBlock}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CurrentBlock = /*#__PURE__*/ structOf<DataApi.CurrentBlock>()("CurrentBlock", {
  blockNumber: number
})

/**
 * The schema of a log of an EVM transaction: {@link DataApi.ChainLog}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainLog = /*#__PURE__*/ structOf<DataApi.ChainLog>()("ChainLog", {
  address: maybeText,
  topics: optionalExact(Schema.Array(text)),
  data: maybeText,
  blockNumber: maybeNumber,
  transactionHash: maybeText,
  logIndex: maybeNumber,
  removed: optionalExact(Schema.Boolean),
  blockTimestamp: maybeText
})

/**
 * The schema of an input of a transaction of Bitcoin's kind: {@link DataApi.ChainInput}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainInput = /*#__PURE__*/ structOf<DataApi.ChainInput>()("ChainInput", {
  prevout: optionalExact(Schema.Struct({ hash: maybeText, index: maybeNumber })),
  sequence: maybeNumber,
  script: maybeText,
  address: maybeText,
  coin: optionalExact(
    Schema.Struct({
      version: maybeNumber,
      height: maybeNumber,
      value: maybeNumber,
      script: maybeText,
      address: optionalExact(Schema.NullOr(text)),
      coinbase: optionalExact(Schema.Boolean)
    })
  )
})

/**
 * The schema of an output of a transaction of Bitcoin's kind: {@link DataApi.ChainOutput}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainOutput = /*#__PURE__*/ structOf<DataApi.ChainOutput>()("ChainOutput", {
  value: maybeNumber,
  script: maybeText,
  address: optionalExact(Schema.NullOr(text))
})

/**
 * The schema of a transaction: {@link DataApi.ChainTransaction}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainTransaction = /*#__PURE__*/ structOf<DataApi.ChainTransaction>()("ChainTransaction", {
  hash: maybeText,
  blockNumber: optionalExact(Schema.NullOr(number)),
  fee: optionalExact(Schema.NullOr(Schema.Union(text, number))),
  from: maybeText,
  to: optionalExact(Schema.NullOr(text)),
  value: maybeText,
  gas: maybeNumber,
  gasPrice: maybeText,
  nonce: maybeNumber,
  transactionIndex: maybeNumber,
  input: maybeText,
  type: maybeNumber,
  status: optionalExact(Schema.Boolean),
  gasUsed: maybeNumber,
  effectiveGasPrice: maybeNumber,
  contractAddress: optionalExact(Schema.NullOr(text)),
  logs: optionalExact(Schema.Array(ChainLog)),
  block: maybeText,
  index: maybeNumber,
  time: maybeNumber,
  size: maybeNumber,
  vsize: maybeNumber,
  weight: maybeNumber,
  version: maybeNumber,
  locktime: maybeNumber,
  inputs: optionalExact(Schema.Array(ChainInput)),
  outputs: optionalExact(Schema.Array(ChainOutput))
})

/**
 * The schema of the number of transactions that an account has sent: {@link DataApi.TransactionCount}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionCount = /*#__PURE__*/ structOf<DataApi.TransactionCount>()("TransactionCount", {
  count: number
})

/**
 * The schema of a call inside a transaction: {@link DataApi.InternalTransaction}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InternalTransaction = /*#__PURE__*/ structOf<DataApi.InternalTransaction>()(
  "InternalTransaction",
  {
    blockNumber: text,
    timeStamp: text,
    hash: text,
    from: text,
    to: text,
    value: text,
    contractAddress: maybeText,
    input: maybeText,
    type: text,
    gas: text,
    gasUsed: text,
    traceId: text,
    isError: text,
    errCode: text
  }
)

/**
 * The schema of the gas of a transaction: {@link DataApi.GasEstimate}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GasEstimate = /*#__PURE__*/ structOf<DataApi.GasEstimate>()("GasEstimate", {
  gasPrice: maybeText,
  gasLimit: maybeText,
  fast: maybeNumber,
  medium: maybeNumber,
  slow: maybeNumber,
  baseFee: maybeNumber,
  time: maybeText
})

/**
 * The schema of the reward of a block: {@link DataApi.MiningReward}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MiningReward = /*#__PURE__*/ structOf<DataApi.MiningReward>()("MiningReward", {
  blockNumber: number,
  txHash: text,
  index: number,
  value: text,
  address: text,
  chain: text
})

/**
 * The schema of all rewards of an address: {@link DataApi.TotalMiningRewards}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TotalMiningRewards = /*#__PURE__*/ structOf<DataApi.TotalMiningRewards>()("TotalMiningRewards", {
  value: text,
  address: text,
  chain: text
})

/**
 * The schema of a token's metadata and its location: {@link DataApi.TokenDocument}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenDocument = /*#__PURE__*/ structOf<DataApi.TokenDocument>()("TokenDocument", {
  tokenId: text,
  url: maybeText,
  metadata: optionalExact(record)
})

/**
 * The schema of the tokens of a collection that an address has: {@link DataApi.NftHolding}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NftHolding = /*#__PURE__*/ structOf<DataApi.NftHolding>()("NftHolding", {
  contractAddress: text,
  balances: Schema.Array(text),
  metadata: optionalExact(Schema.Array(TokenDocument)),
  supply: maybeNumber,
  decimals: maybeNumber
})

/**
 * The schema of the multitokens of a contract that an address has: {@link DataApi.MultitokenHolding}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MultitokenHolding = /*#__PURE__*/ structOf<DataApi.MultitokenHolding>()("MultitokenHolding", {
  contractAddress: text,
  balances: Schema.Array(Schema.Struct({ tokenId: text, amount: text })),
  metadata: optionalExact(Schema.Array(TokenDocument))
})

/**
 * The schema of the address that a name means on a chain: {@link DataApi.ResolvedName}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ResolvedName = /*#__PURE__*/ structOf<DataApi.ResolvedName>()("ResolvedName", {
  address: text,
  chain: text,
  name: text,
  resolved: Schema.Boolean
})

/**
 * The schema of a rate of today's routes: {@link DataApi.ExchangeRate}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExchangeRate = /*#__PURE__*/ structOf<DataApi.ExchangeRate>()("ExchangeRate", {
  id: maybeText,
  symbol: maybeText,
  value: text,
  basePair: text,
  timestamp: number,
  source: text,
  batchId: maybeText
})

/**
 * The schema of a rate of the past: {@link DataApi.RatePoint}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RatePoint = /*#__PURE__*/ structOf<DataApi.RatePoint>()("RatePoint", {
  timestamp: number,
  value: text
})

/**
 * The schema of how a price has changed: {@link DataApi.PriceChange}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const PriceChange = /*#__PURE__*/ structOf<DataApi.PriceChange>()("PriceChange", {
  symbol: text,
  basePair: text,
  open: text,
  close: text,
  openTime: number,
  closeTime: number,
  absoluteChange: text,
  percentageChange: number,
  batchId: maybeText
})

/**
 * The schema of the open, high, low and close of an interval, and its volume: {@link DataApi.Candle}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Candle = /*#__PURE__*/ structOf<DataApi.Candle>()("Candle", {
  timestamp: number,
  open: text,
  high: text,
  low: text,
  close: text,
  volume: text
})

/**
 * The schema of a liquid staking token of an address: {@link DataApi.LiquidStakingAsset}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LiquidStakingAsset = /*#__PURE__*/ structOf<DataApi.LiquidStakingAsset>()("LiquidStakingAsset", {
  protocol: text,
  symbol: text,
  underlying: text,
  balance: text,
  contractAddress: maybeText,
  mintAddress: maybeText
})

/**
 * The schema of a pool of liquid staking: {@link DataApi.LiquidStakingPool}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LiquidStakingPool = /*#__PURE__*/ structOf<DataApi.LiquidStakingPool>()("LiquidStakingPool", {
  protocol: text,
  underlying: text,
  symbols: Schema.Array(text),
  contractAddresses: optionalExact(Schema.Array(text)),
  mintAddresses: optionalExact(Schema.Array(text)),
  apy: optionalExact(Schema.NullOr(number)),
  apyBase: optionalExact(Schema.NullOr(number)),
  apyBase7d: optionalExact(Schema.NullOr(number)),
  apyBase30d: optionalExact(Schema.NullOr(number)),
  tvlUsd: optionalExact(Schema.NullOr(number)),
  rank: maybeNumber
})

/**
 * The schema of a stake of an address: {@link DataApi.StakedAsset}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StakedAsset = /*#__PURE__*/ structOf<DataApi.StakedAsset>()("StakedAsset", {
  txHash: text,
  blockNumber: number,
  timestamp: number,
  epoch: number,
  type: text,
  amount: text,
  withdrawalAddress: maybeText,
  validatorIndex: maybeNumber,
  validatorPubkey: maybeText,
  stakeAddress: maybeText,
  validatorAddress: maybeText
})

/**
 * The schema of a validator to stake with: {@link DataApi.StakingPool}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StakingPool = /*#__PURE__*/ structOf<DataApi.StakingPool>()("StakingPool", {
  identity: text,
  voteIdentity: maybeText,
  activatedStake: text,
  active: Schema.Boolean,
  commission: number,
  name: maybeText,
  website: maybeText,
  skipRate: maybeNumber,
  voteSuccess: maybeNumber,
  uptime: maybeNumber,
  stakingApy: maybeNumber,
  totalApy: maybeNumber,
  epoch: maybeNumber
})

/**
 * The schema of a token in a list of tokens: {@link DataApi.RankedToken}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RankedToken = /*#__PURE__*/ structOf<DataApi.RankedToken>()("RankedToken", {
  rank: maybeNumber,
  name: maybeText,
  symbol: maybeText,
  tokenAddress: maybeText,
  chain: maybeText,
  type: maybeText,
  fdv: maybeNumber,
  liquidity: maybeNumber,
  priceUSD: maybeNumber,
  priceChanges: optionalExact(
    Schema.Struct({
      "5m": maybeNumber,
      "15m": maybeNumber,
      "1h": maybeNumber,
      "3h": maybeNumber,
      "6h": maybeNumber,
      "1d": maybeNumber
    })
  ),
  firstMint: maybeText
})

/**
 * The schema of the balance of an address at a time: {@link DataApi.BalanceAtTime}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BalanceAtTime = /*#__PURE__*/ structOf<DataApi.BalanceAtTime>()("BalanceAtTime", {
  timestamp: number,
  balance: text,
  address: maybeText
})

/**
 * The schema of the reputation of an address: {@link DataApi.WalletReputation}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WalletReputation = /*#__PURE__*/ structOf<DataApi.WalletReputation>()("WalletReputation", {
  address: text,
  reputation: number
})

/**
 * The schema of the transaction that a request has led to: {@link DataApi.TransactionId}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionId = /*#__PURE__*/ structOf<DataApi.TransactionId>()("TransactionId", { txId: text })

const hasFee = (id: string): id is Fee.FeeNetwork => Network.isNetwork(id) && Network.hasFee(id)
const isGas = (id: string): id is Fee.GasNetwork => hasFee(id) && Network.isEvm(id)

/**
 * The schema of the gas prices of an EVM network: {@link Fee.GasFee}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GasFee = /*#__PURE__*/ structOf<Fee.GasFee>()("GasFee", {
  chain: Schema.filter(isGas)(text),
  gasPrice: Schema.Struct({
    slow: text,
    medium: text,
    fast: text,
    baseFee: text,
    unit: Schema.Literal("Gwei")
  }),
  lastRecalculated: text,
  basedOnBlockNumber: number
})

/**
 * The schema of the fee rates of a Bitcoin-style network: {@link Fee.FeeRate}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FeeRate = /*#__PURE__*/ structOf<Fee.FeeRate>()("FeeRate", {
  chain: Schema.filter(
    (id: string): id is Exclude<Fee.FeeNetwork, Fee.GasNetwork> => hasFee(id) && !isGas(id)
  )(text),
  slow: text,
  medium: text,
  fast: text,
  lastRecalculated: text,
  basedOnBlockNumber: number
})

/**
 * The schema of the current fees of a transaction: {@link Fee.CurrentFee}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CurrentFee = /*#__PURE__*/ Schema.Union(GasFee, FeeRate)

/**
 * The schema of the metadata document of a token: {@link Nft.NftMetadata}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NftMetadata: Schema.Schema<Nft.NftMetadata> = /*#__PURE__*/ Schema.Struct(
  { name: maybeText, description: maybeText, image: maybeText },
  { key: text, value: Schema.Unknown }
)

const ofCollection = { tokenAddress: text, tokenId: text }
const token = Schema.Literal("nft", "multitoken")

/**
 * The schema of a balance of a token of a collection: {@link Nft.NftBalance}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NftBalance = /*#__PURE__*/ structOf<Nft.NftBalance>()("NftBalance", {
  ...ofCollection,
  chain: text,
  address: text,
  type: token,
  balance: text,
  lastUpdatedBlockNumber: maybeNumber,
  metadataURI: maybeText,
  metadata: optionalExact(NftMetadata)
})

/**
 * The schema of a token of a collection, with its metadata: {@link Nft.NftDetail}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NftDetail = /*#__PURE__*/ structOf<Nft.NftDetail>()("NftDetail", {
  ...ofCollection,
  chain: text,
  type: optionalExact(token),
  metadataURI: maybeText,
  metadata: optionalExact(NftMetadata)
})

/**
 * The schema of a transfer of a token of a collection: {@link Nft.NftTransaction}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NftTransaction = /*#__PURE__*/ structOf<Nft.NftTransaction>()("NftTransaction", {
  ...ofCollection,
  chain: text,
  blockNumber: number,
  hash: text,
  transactionType: token,
  transactionSubtype: optionalExact(direction),
  transactionIndex: number,
  amount: text,
  timestamp: number,
  address: text,
  counterAddress: maybeText
})

const created = { id: text, chain: text }

/**
 * The schema of a new subscription to an address: {@link Notification.Created}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CreatedForAddress = /*#__PURE__*/ structOf<Notification.Created<Notification.AddressTarget>>()(
  "CreatedForAddress",
  { address: text, url: text, ...created }
)

/**
 * The schema of a new subscription to a contract: {@link Notification.Created}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CreatedForContract = /*#__PURE__*/ structOf<Notification.Created<Notification.ContractTarget>>()(
  "CreatedForContract",
  { contractAddress: text, event: text, url: text, ...created }
)

/**
 * The schema of a new subscription to blocks: {@link Notification.Created}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CreatedForBlocks = /*#__PURE__*/ structOf<Notification.Created<Notification.BlockTarget>>()(
  "CreatedForBlocks",
  { url: text, ...created }
)

/** Any text is a type of notifications. Editors offer the known ones. */
const type = text as unknown as Schema.Schema<Notification.Subscription["type"], string>

/** Networks that are unknown are left out. */
const network = /*#__PURE__*/ Schema.optionalToRequired(
  text,
  Schema.UndefinedOr(Schema.filter(Network.isNetwork)(text)),
  { decode: Option.getOrUndefined, encode: Option.fromNullable }
)

const condition = /*#__PURE__*/ structOf<Notification.ListedCondition>()("ListedCondition", {
  field: text,
  operator: text,
  value: text
})

/**
 * The schema of a subscription in a list: {@link Notification.Subscription}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Subscription = /*#__PURE__*/ structOf<Notification.Subscription>()("Subscription", {
  id: text,
  network,
  problem: optionalExact(ChainNotSupported),
  url: text,
  type,
  address: maybeText,
  contractAddress: maybeText,
  event: maybeText,
  conditions: optionalExact(Schema.Array(condition)),
  note: maybeText
})

/**
 * The schema of a stored template whose body is an object: {@link Notification.StoredJsonTemplate}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StoredJsonTemplate = /*#__PURE__*/ structOf<Notification.StoredJsonTemplate>()(
  "StoredJsonTemplate",
  {
    id: text,
    format: Schema.Literal("json"),
    keys: Schema.Record({ key: text, value: text })
  }
)

/**
 * The schema of a stored template whose body is a text: {@link Notification.StoredTextTemplate}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StoredTextTemplate = /*#__PURE__*/ structOf<Notification.StoredTextTemplate>()(
  "StoredTextTemplate",
  {
    id: text,
    format: Schema.Literal("string"),
    message: text
  }
)

/**
 * The schema of a template of your own, as the provider keeps it: {@link Notification.StoredTemplate}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StoredTemplate = /*#__PURE__*/ Schema.Union(StoredJsonTemplate, StoredTextTemplate)

/**
 * The schema of a call that the provider has made: {@link Notification.ExecutedWebhook}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExecutedWebhook = /*#__PURE__*/ structOf<Notification.ExecutedWebhook>()("ExecutedWebhook", {
  id: text,
  subscriptionId: text,
  type,
  url: text,
  data: Schema.Unknown,
  nextTime: maybeNumber,
  timestamp: maybeNumber,
  retryCount: maybeNumber,
  failed: Schema.Boolean,
  response: optionalExact(
    Schema.Struct({ code: maybeNumber, data: maybeText, networkError: optionalExact(Schema.Boolean) })
  )
})

/**
 * The schema of an exchange rate: {@link Rates.Rate}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Rate = /*#__PURE__*/ structOf<Rates.Rate>()("Rate", {
  _id: text,
  value: text,
  basePair: text,
  timestamp: number,
  source: text,
  batchId: maybeText
})

/**
 * The schema of the content identifier of an upload: the answer of `ipfs.uploadFile`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Uploaded = /*#__PURE__*/ structOf<Answer<Storage.StorageService["uploadFile"]>>()("Uploaded", {
  ipfsHash: text
})

/**
 * The schema of a balance of a fungible token: {@link Token.FungibleBalance}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FungibleBalance = /*#__PURE__*/ structOf<Token.FungibleBalance>()("FungibleBalance", {
  chain: text,
  tokenAddress: text,
  type: Schema.Literal("fungible"),
  lastUpdatedBlockNumber: maybeNumber,
  address: text,
  balance: text,
  decimals: maybeNumber
})

/**
 * The schema of the details of a fungible token: {@link Token.TokenMetadata}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenMetadata = /*#__PURE__*/ structOf<Token.TokenMetadata>()("TokenMetadata", {
  symbol: maybeText,
  name: maybeText,
  supply: maybeText,
  decimals: maybeNumber,
  tokenType: Schema.Literal("fungible", "nft", "multitoken"),
  cap: maybeText
})

/**
 * The schema of a transfer of a fungible token: {@link Token.TokenTransaction}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenTransaction = /*#__PURE__*/ structOf<Token.TokenTransaction>()("TokenTransaction", {
  chain: text,
  blockNumber: number,
  hash: text,
  transactionType: transferKind,
  transactionIndex: maybeNumber,
  tokenAddress: maybeText,
  amount: text,
  timestamp: number,
  address: text,
  counterAddress: maybeText,
  transactionSubtype: optionalExact(direction)
})
