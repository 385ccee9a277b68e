/**
 * The types of what services answer, under the names of their schemas.
 *
 * @since 0.1.0
 */
export type { AddressBalance, AddressTransaction, TransactionPage } from "./Address.js"
export type {
  AddressedBalance,
  Balance,
  BalanceAtTime,
  Candle,
  ChainBalance,
  ChainBlock,
  ChainEvent,
  ChainInput,
  ChainLog,
  ChainOutput,
  ChainTransaction,
  CurrentBlock,
  DataBlock,
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
  TokenDetails,
  TokenDocument,
  TokenInfo,
  TotalMiningRewards,
  TransactionCount,
  TransactionId,
  Transfer,
  Undescribed,
  UnspentOutput,
  WalletReputation
} from "./DataApi.js"
export type { CurrentFee, FeeRate, GasFee } from "./Fee.js"
export type { NftBalance, NftDetail, NftMetadata, NftTransaction } from "./Nft.js"
export type {
  ExecutedWebhook,
  StoredJsonTemplate,
  StoredTemplate,
  StoredTextTemplate,
  Subscription
} from "./Notification.js"
export type { Rate } from "./Rates.js"
export type { FungibleBalance, TokenMetadata, TokenTransaction } from "./Token.js"
