/**
 * The provider's data API: balances, owners, histories, events, blocks, tokens and unspent outputs, in the current
 * version and in the one before. A route with the same path in both takes the parameters of both.
 *
 * `offset` counts pages in every list. `prevPage` and `nextPage` of a page are the `cursor` values of its neighbours,
 * or empty without one; new blocks do not shift them. Collections, owners and lists of metadata are plain lists.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { HistoryRow } from "./History.js"
import { Invalid, Missing, Unavailable } from "./Refusal.js"

const MAX_PAGE_SIZE = 50

const optional = Schema.optional

const NonBlank = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "", { message: () => "must be text that is not empty" })
)

const wholeNumber = (least: number, most: number, message: string) =>
  Schema.NumberFromString.pipe(
    Schema.filter((value) => Number.isInteger(value) && value >= least && value <= most)
  ).annotations({ message: () => ({ message, override: true }) })

const NonNegative = wholeNumber(0, Number.MAX_SAFE_INTEGER, "must be a whole number from 0")

/** A list: comma-separated, or the same parameter several times. */
const StringList = Schema.transform(
  Schema.Union(Schema.String, Schema.Array(Schema.String)),
  Schema.Array(Schema.String),
  {
    strict: true,
    decode: (given) =>
      (typeof given === "string" ? [given] : given)
        .flatMap((text) => text.split(","))
        .map((text) => text.trim())
        .filter((text) => text !== ""),
    encode: (list) => list
  }
)

const listOf = <const Words extends readonly [string, ...ReadonlyArray<string>]>(...words: Words) =>
  StringList.pipe(Schema.compose(Schema.Array(Schema.Literal(...words)), { strict: false })).annotations({
    message: () => ({
      message: `must be some of ${words.join(", ")}, with commas between them`,
      override: true
    })
  })

const AssetKind = Schema.Literal("native", "fungible", "nft", "multitoken")
const TransferKind = Schema.Literal("native", "fungible", "nft", "multitoken", "internal")
const Direction = Schema.Literal("incoming", "outgoing", "zero-transfer")
const kinds = ["native", "fungible", "nft", "multitoken"] as const
const directions = ["incoming", "outgoing", "zero-transfer"] as const

/** A flag, as the SDK and pages write it. */
const Flag = Schema.Literal("true", "false")

const TokenId = Schema.String.pipe(
  Schema.pattern(/^\d{1,78}$/, { message: () => "must be a decimal number as text" })
)

const Instant = Schema.String.pipe(
  Schema.filter((text) => !Number.isNaN(Date.parse(text)), {
    message: () => "must be a time in the format ISO 8601"
  })
)

/** The fields of every query: the network by its id or the provider's name, and its kind. */
const chain = { chain: NonBlank, type: optional(Schema.String) }

/** The parameters of a page with its default size. */
export const pageFields = (size: number) => ({
  pageSize: Schema.optionalWith(
    wholeNumber(1, MAX_PAGE_SIZE, `must be a whole number from 1 to ${MAX_PAGE_SIZE}`),
    {
      default: () => size
    }
  ),
  offset: Schema.optionalWith(NonNegative, { default: () => 0 }),
  cursor: optional(NonBlank)
})
const blockRange = { blockFrom: optional(NonNegative), blockTo: optional(NonNegative) }

/**
 * A query for balances of owners. The kinds of assets are by default all, and all tokens for a portfolio.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BalancesQuery = Schema.Struct({
  ...chain,
  ...pageFields(10),
  addresses: StringList,
  tokenTypes: optional(listOf(...kinds)),
  excludeMetadata: optional(Flag)
})

/**
 * A query for transfers: of addresses, of a token, or of one transaction. Heights are inclusive.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionsQuery = Schema.Struct({
  ...chain,
  ...pageFields(10),
  ...blockRange,
  addresses: optional(StringList),
  hash: optional(NonBlank),
  transactionTypes: optional(listOf(...kinds, "internal")),
  tokenTypes: optional(listOf(...kinds)),
  transactionSubtype: optional(listOf(...directions)),
  transactionSubTypes: optional(listOf(...directions)),
  tokenAddress: optional(NonBlank),
  tokenId: optional(TokenId)
})

/**
 * A query for tokens of collections.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CollectionsQuery = Schema.Struct({
  ...chain,
  ...pageFields(10),
  collectionAddresses: optional(StringList),
  tokenAddress: optional(NonBlank),
  tokenIds: optional(StringList),
  tokenTypes: optional(listOf(...kinds)),
  excludeMetadata: optional(Flag)
})

/**
 * A query for the metadata of a collection's tokens, all by default. A query with one `tokenId` gets its document
 * alone.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MetadataQuery = Schema.Struct({
  ...chain,
  ...pageFields(MAX_PAGE_SIZE),
  tokenAddress: NonBlank,
  tokenIds: optional(StringList),
  tokenId: optional(TokenId)
})

/**
 * A query for the owners of a token or a collection.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OwnersQuery = Schema.Struct({
  ...chain,
  ...pageFields(10),
  tokenAddress: NonBlank,
  tokenId: optional(TokenId)
})

/**
 * A query whether an address owns a token. The address is `ownerAddress` in the current version, and `address` before.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OwnershipQuery = Schema.Struct({
  ...chain,
  address: optional(NonBlank),
  ownerAddress: optional(NonBlank),
  tokenAddress: NonBlank,
  tokenId: optional(TokenId)
})

/**
 * A query for events. `signatures` are first topics, or events as text: `Transfer(address,address,uint256)`. Heights
 * are inclusive. `address` and the event type `swap` belong to the current version.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EventsQuery = Schema.Struct({
  ...chain,
  ...pageFields(10),
  ...blockRange,
  address: optional(StringList),
  contractAddress: optional(NonBlank),
  contractAddresses: optional(StringList),
  eventType: optional(
    Schema.Literal("tokenTransfer", "multitokenTransfer", "stablecoinTransfer", "uniswapTrade", "swap")
  ),
  signatures: optional(Schema.String)
})

/**
 * A query for blocks. `blockIds` are heights or hashes. Heights and times (ISO 8601) are inclusive. `from` and `to` are
 * the heights in the current version.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BlocksQuery = Schema.Struct({
  ...chain,
  ...pageFields(10),
  ...blockRange,
  from: optional(NonNegative),
  to: optional(NonNegative),
  blockIds: optional(StringList),
  timeFrom: optional(Instant),
  timeTo: optional(Instant)
})

/**
 * A query for the newest block of a chain.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LatestQuery = Schema.Struct(chain)

/**
 * A query for the details of a token.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokensQuery = Schema.Struct({ ...chain, tokenAddress: NonBlank, tokenId: optional(TokenId) })

/**
 * A query for unspent outputs: enough for `totalValue`, in whole coins, or all.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UtxosQuery = Schema.Struct({
  ...chain,
  address: NonBlank,
  totalValue: optional(
    Schema.NumberFromString.pipe(
      Schema.filter((value) => value > 0, { message: () => "must be a number of coins above 0" })
    )
  )
})

/**
 * A query for a history on chains of Bitcoin's kind. `incoming` are transactions that increased the address's balance,
 * `outgoing` all others that spent from it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UtxoHistoryQuery = Schema.Struct({
  ...chain,
  address: NonBlank,
  txType: optional(Schema.Literal("incoming", "outgoing"))
})

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/**
 * A balance, a decimal string in whole coins or tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Balance = Schema.Struct({
  chain: Schema.String,
  type: AssetKind,
  address: Schema.String,
  balance: Schema.String,
  tokenAddress: optional(Schema.String),
  tokenId: optional(Schema.String),
  lastUpdatedBlockNumber: optional(Schema.Number),
  metadataURI: optional(Schema.String),
  metadata: optional(Document)
})

/**
 * A balance in a portfolio. `balance` is in the smallest unit, `denominatedBalance` in whole coins or tokens. For
 * collections there is the number of tokens alone.
 *
 * @since 0.1.0
 * @category schemas
 */
export const PortfolioBalance = Schema.Struct({
  chain: Schema.String,
  type: AssetKind,
  address: Schema.String,
  balance: Schema.String,
  denominatedBalance: optional(Schema.String),
  decimals: optional(Schema.Number),
  tokenAddress: optional(Schema.String),
  tokenId: optional(Schema.String),
  metadataURI: optional(Schema.String),
  metadata: optional(Document)
})

/**
 * A transfer, seen from `address`. `amount` is a decimal string in whole coins or tokens, negative for the sender.
 * `timestamp` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Transfer = Schema.Struct({
  chain: Schema.String,
  hash: Schema.String,
  address: Schema.String,
  counterAddress: optional(Schema.String),
  blockNumber: Schema.Number,
  transactionIndex: Schema.Number,
  transactionType: TransferKind,
  transactionSubtype: Direction,
  amount: Schema.String,
  timestamp: Schema.Number,
  tokenAddress: optional(Schema.String),
  tokenId: optional(Schema.String)
})

/**
 * A token of a collection. The provider's documentation has two names for its kind, and both are here.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenDetails = Schema.Struct({
  chain: Schema.String,
  tokenId: Schema.String,
  tokenAddress: Schema.String,
  tokenType: Schema.Literal("nft", "multitoken"),
  type: Schema.Literal("nft", "multitoken"),
  metadataURI: optional(Schema.String),
  metadata: optional(Document)
})

/**
 * A token of a collection in the current version.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CollectionToken = Schema.Struct({
  contractAddress: Schema.String,
  tokenId: Schema.String,
  tokenType: Schema.Literal("nft", "multitoken"),
  metadata: optional(Document)
})

/**
 * An owner of a token, and the number of tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Owner = Schema.Struct({ address: Schema.String, balance: Schema.String })

/**
 * An event, raw and decoded. `timestamp` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainEvent = Schema.Struct({
  chain: Schema.String,
  address: Schema.String,
  blockNumber: Schema.Number,
  timestamp: Schema.Number,
  decoded: optional(Document),
  raw: Schema.Struct({
    topic_0: optional(Schema.String),
    topic_1: optional(Schema.String),
    topic_2: optional(Schema.String),
    topic_3: optional(Schema.String),
    data: Schema.String
  }),
  txHash: Schema.String,
  txIndex: Schema.Number,
  logIndex: Schema.Number
})

/**
 * A block, with the number of events and transfers of collections in it. Its time is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DataBlock = Schema.Struct({
  blockNumber: Schema.Number,
  blockTimestamp: Schema.Number,
  hash: Schema.String,
  eventIngestedSize: Schema.Number,
  nftIngestedSize: Schema.Number,
  txHashes: Schema.Array(Schema.String)
})

/**
 * The details of a token. `supply` and `cap` are decimal strings in whole tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenInfo = Schema.Struct({
  chain: Schema.String,
  tokenType: Schema.Literal("fungible", "nft", "multitoken"),
  symbol: optional(Schema.String),
  name: optional(Schema.String),
  supply: optional(Schema.String),
  decimals: optional(Schema.Number),
  cap: optional(Schema.String),
  metadataURI: optional(Schema.String),
  metadata: optional(Document)
})

/**
 * An unspent output. `value` is in whole coins.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Utxo = Schema.Struct({
  chain: Schema.String,
  address: Schema.String,
  txHash: Schema.String,
  index: Schema.Number,
  value: Schema.Number
})

const pageSchema = <A, I>(row: Schema.Schema<A, I>) =>
  Schema.Struct({ result: Schema.Array(row), prevPage: Schema.String, nextPage: Schema.String })

const transactions = <const Name extends string>(name: Name, path: `/data/${string}`) =>
  HttpApiEndpoint.get(name, path).setUrlParams(TransactionsQuery).addSuccess(pageSchema(Transfer))
const events = <const Name extends string>(name: Name, path: `/data/${string}`) =>
  HttpApiEndpoint.get(name, path).setUrlParams(EventsQuery).addSuccess(pageSchema(ChainEvent))
const blocks = <const Name extends string>(name: Name, path: `/data/${string}`) =>
  HttpApiEndpoint.get(name, path).setUrlParams(BlocksQuery).addSuccess(Schema.Array(DataBlock))
const latest = <const Name extends string>(name: Name, path: `/data/${string}`) =>
  HttpApiEndpoint.get(name, path).setUrlParams(LatestQuery).addSuccess(DataBlock)

/**
 * The data API.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("data")
  .add(
    HttpApiEndpoint.get("balances", "/data/balances")
      .setUrlParams(BalancesQuery)
      .addSuccess(pageSchema(Balance))
  )
  .add(
    HttpApiEndpoint.get("portfolio", "/data/wallet/portfolio")
      .setUrlParams(BalancesQuery)
      .addSuccess(pageSchema(PortfolioBalance))
  )
  .add(transactions("transactions", "/data/transactions"))
  .add(transactions("transactionHistory", "/data/transaction/history"))
  .add(transactions("transactionsByHash", "/data/transactions/hash"))
  .add(
    HttpApiEndpoint.get("collections", "/data/collections")
      .setUrlParams(CollectionsQuery)
      .addSuccess(Schema.Array(Schema.Union(TokenDetails, CollectionToken)))
  )
  .add(
    HttpApiEndpoint.get("metadata", "/data/metadata")
      .setUrlParams(MetadataQuery)
      .addSuccess(Schema.Union(Schema.Array(TokenDetails), Document))
  )
  .add(
    HttpApiEndpoint.get("owners", "/data/owners")
      .setUrlParams(OwnersQuery)
      .addSuccess(Schema.Array(Schema.Union(Schema.String, Owner)))
  )
  .add(
    HttpApiEndpoint.get("ownership", "/data/owners/address")
      .setUrlParams(OwnershipQuery)
      .addSuccess(Schema.Boolean)
  )
  .add(events("events", "/data/events"))
  .add(events("defiEvents", "/data/defi/events"))
  .add(blocks("blocks", "/data/blocks"))
  .add(blocks("defiBlocks", "/data/defi/blocks"))
  .add(latest("latestBlock", "/data/blocks/latest"))
  .add(latest("latestDefiBlock", "/data/defi/blocks/latest"))
  .add(HttpApiEndpoint.get("tokens", "/data/tokens").setUrlParams(TokensQuery).addSuccess(TokenInfo))
  .add(HttpApiEndpoint.get("utxos", "/data/utxos").setUrlParams(UtxosQuery).addSuccess(Schema.Array(Utxo)))
  .add(
    HttpApiEndpoint.get("utxoHistory", "/data/blockchains/transaction/history/utxos")
      .setUrlParams(UtxoHistoryQuery)
      .addSuccess(Schema.Array(HistoryRow))
  )
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
