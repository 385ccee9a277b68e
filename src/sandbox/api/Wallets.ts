/**
 * Addresses in the current data API: tokens of collections, mining rewards, and reputations.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { AccountQuery, routePath } from "./Blockchains.js"
import { pageFields } from "./Data.js"
import { Invalid, Unavailable } from "./Refusal.js"
import { QueryTime } from "./Times.js"

const optional = Schema.optional

/**
 * A query for a list about an address.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AccountPageQuery = Schema.Struct({ ...AccountQuery.fields, ...pageFields(50) })

/**
 * A query for mining rewards between two times, both inclusive.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MiningQuery = Schema.Struct({
  ...AccountPageQuery.fields,
  from: optional(QueryTime),
  to: optional(QueryTime)
})

/**
 * A query for the reputation of tokens by comma-separated addresses.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokensOfWalletQuery = Schema.Struct({
  ...AccountQuery.fields,
  tokenAddresses: Schema.NonEmptyString
})

const Metadata = optional(
  Schema.Array(
    Schema.Struct({
      tokenId: Schema.String,
      url: optional(Schema.String),
      metadata: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    })
  )
)

/**
 * The tokens of a collection that an address has.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NftHolding = Schema.Struct({
  contractAddress: Schema.String,
  balances: Schema.Array(Schema.String),
  metadata: Metadata
})

/**
 * The multitokens of a contract that an address has.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MultitokenHolding = Schema.Struct({
  contractAddress: Schema.String,
  balances: Schema.Array(Schema.Struct({ tokenId: Schema.String, amount: Schema.String })),
  metadata: Metadata
})

const Value = { value: Schema.Number, valueAsString: Schema.String }

/**
 * The reward of a block, in whole coins.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MiningReward = Schema.Struct({
  blockNumber: Schema.Number,
  txHash: Schema.String,
  index: Schema.Number,
  ...Value,
  address: Schema.String,
  chain: Schema.String
})

/**
 * A reputation: a whole number from 0 to 100.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reputation = Schema.Struct({ address: Schema.String, reputation: Schema.Number })

const TokenReputation = Schema.Struct({ tokenAddress: Schema.String, reputation: Schema.Number })

/**
 * Tokens and rewards of addresses, and reputations.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("wallets")
  .add(
    HttpApiEndpoint.get("nftBalances", routePath("nftBalances"))
      .setUrlParams(AccountPageQuery)
      .addSuccess(Schema.Array(NftHolding))
  )
  .add(
    HttpApiEndpoint.get("multitokenBalances", routePath("multitokenBalances"))
      .setUrlParams(AccountPageQuery)
      .addSuccess(Schema.Array(MultitokenHolding))
  )
  .add(
    HttpApiEndpoint.get("miningRewards", routePath("miningRewards"))
      .setUrlParams(MiningQuery)
      .addSuccess(Schema.Array(MiningReward))
  )
  .add(
    HttpApiEndpoint.get("totalMiningRewards", routePath("totalMiningRewards"))
      .setUrlParams(AccountQuery)
      .addSuccess(Schema.Struct({ ...Value, address: Schema.String, chain: Schema.String }))
  )
  .add(
    HttpApiEndpoint.get("reputation", routePath("reputation"))
      .setUrlParams(AccountQuery)
      .addSuccess(Reputation)
  )
  .add(
    HttpApiEndpoint.get("reputationPortfolio", routePath("reputationPortfolio"))
      .setUrlParams(AccountQuery)
      .addSuccess(Schema.Struct({ ...Reputation.fields, tokens: Schema.Array(TokenReputation) }))
  )
  .add(
    HttpApiEndpoint.get("reputationTokens", routePath("reputationTokens"))
      .setUrlParams(TokensOfWalletQuery)
      .addSuccess(Schema.Struct({ address: Schema.String, tokens: Schema.Array(TokenReputation) }))
  )
  .addError(Invalid)
  .addError(Unavailable)
