/**
 * Staking in the current data API.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { AccountQuery, ChainQuery, routePath } from "./Blockchains.js"
import { pageFields } from "./Data.js"
import { Invalid, Unavailable } from "./Refusal.js"
import { QueryTime } from "./Times.js"

const optional = Schema.optional

/**
 * A query for an address's stake with a validator: its key, its index or its address.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ValidatorQuery = Schema.Struct({ ...AccountQuery.fields, validator: Schema.NonEmptyString })

/**
 * A query for rewards between two times, both inclusive.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RewardsQuery = Schema.Struct({
  ...AccountQuery.fields,
  from: optional(QueryTime),
  to: optional(QueryTime)
})

/**
 * A query for transactions that stake or unstake.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StakingTransactionsQuery = Schema.Struct({ ...AccountQuery.fields, ...pageFields(50) })

/**
 * A stake. `amount` is in whole coins, `timestamp` in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StakedAsset = Schema.Struct({
  txHash: Schema.String,
  blockNumber: Schema.Number,
  timestamp: Schema.Number,
  epoch: Schema.Number,
  type: Schema.String,
  amount: Schema.String,
  withdrawalAddress: optional(Schema.String),
  validatorIndex: optional(Schema.Number),
  validatorPubkey: optional(Schema.String),
  stakeAddress: optional(Schema.String),
  validatorAddress: optional(Schema.String)
})

/**
 * The stake of an address with one validator. The provider's description has no fields.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StakedWithValidator = Schema.Struct({
  address: Schema.String,
  validator: Schema.String,
  amount: Schema.String
})

/**
 * The reward of an epoch. The provider's description has no fields, so these are the fields of stakes.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StakingReward = Schema.Struct({
  epoch: Schema.Number,
  timestamp: Schema.Number,
  amount: Schema.String,
  validatorIndex: optional(Schema.Number),
  validatorPubkey: optional(Schema.String),
  stakeAddress: optional(Schema.String),
  validatorAddress: optional(Schema.String)
})

/**
 * A validator. `activatedStake` is in whole coins; yields, commission and rates are in percent.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StakingPool = Schema.Struct({
  identity: Schema.String,
  voteIdentity: Schema.String,
  activatedStake: Schema.String,
  active: Schema.Boolean,
  commission: Schema.Number,
  name: Schema.String,
  website: Schema.String,
  skipRate: Schema.Number,
  voteSuccess: Schema.Number,
  uptime: Schema.Number,
  stakingApy: Schema.Number,
  totalApy: Schema.Number,
  epoch: Schema.Number
})

/**
 * A liquid staking token of an address, in whole tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LiquidAsset = Schema.Struct({
  protocol: Schema.String,
  symbol: Schema.String,
  underlying: Schema.String,
  contractAddress: optional(Schema.String),
  mintAddress: optional(Schema.String),
  balance: Schema.String
})

const Yield = Schema.NullOr(Schema.Number)

/**
 * A pool of liquid staking. Yields are in percent a year.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LiquidPool = Schema.Struct({
  protocol: Schema.String,
  underlying: Schema.String,
  symbols: Schema.Array(Schema.String),
  contractAddresses: optional(Schema.Array(Schema.String)),
  mintAddresses: optional(Schema.Array(Schema.String)),
  apy: Yield,
  apyBase: Yield,
  apyBase7d: Yield,
  apyBase30d: Yield,
  tvlUsd: Yield,
  rank: Schema.Number
})

/**
 * Staking.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("staking")
  .add(
    HttpApiEndpoint.get("stakedAssets", routePath("stakedAssets"))
      .setUrlParams(AccountQuery)
      .addSuccess(Schema.Array(StakedAsset))
  )
  .add(
    HttpApiEndpoint.get("stakedAssetsByValidator", routePath("stakedAssetsByValidator"))
      .setUrlParams(ValidatorQuery)
      .addSuccess(StakedWithValidator)
  )
  .add(
    HttpApiEndpoint.get("stakingPools", routePath("stakingPools"))
      .setUrlParams(ChainQuery)
      .addSuccess(Schema.Array(StakingPool))
  )
  .add(
    HttpApiEndpoint.get("stakingRewards", routePath("stakingRewards"))
      .setUrlParams(RewardsQuery)
      .addSuccess(Schema.Array(StakingReward))
  )
  .add(
    HttpApiEndpoint.get("stakingTransactions", routePath("stakingTransactions"))
      .setUrlParams(StakingTransactionsQuery)
      .addSuccess(Schema.Array(StakedAsset))
  )
  .add(
    HttpApiEndpoint.get("liquidAssets", routePath("liquidAssets"))
      .setUrlParams(AccountQuery)
      .addSuccess(Schema.Array(LiquidAsset))
  )
  .add(
    HttpApiEndpoint.get("liquidPools", routePath("liquidPools"))
      .setUrlParams(ChainQuery)
      .addSuccess(Schema.Array(LiquidPool))
  )
  .addError(Invalid)
  .addError(Unavailable)
