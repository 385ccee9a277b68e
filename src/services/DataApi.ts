/**
 * The provider's data API as it is: balances, owners, histories, events, blocks and unspent outputs of any chain that it
 * knows, whatever network the client is for. `address`, `token` and `nft` are built on the same routes.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Config } from "../config/Config.js"
import type { GatewayCallError, InvalidArgument, LoadError } from "../data/SdkError.js"
import { Gateway, type GatewayService } from "./Gateway.js"
import {
  ChainName,
  Filled,
  fetching,
  Index,
  oneOf,
  PageSize,
  queryOf,
  Several,
  supplyProblem,
  tokenFields,
  wire
} from "./internal/dataInput.js"
import { byOffset } from "./internal/offsets.js"
import { answer, input } from "./internal/schema.js"

const specified = {
  collections: "data/collections",
  metadata: "data/metadata",
  balances: "data/balances",
  owners: "data/owners",
  ownership: "data/owners/address",
  transactions: "data/transactions",
  transactionsByHash: "data/transactions",
  events: "data/events",
  blocks: "data/blocks",
  latestBlock: "data/blocks/latest",
  tokens: "data/tokens",
  utxos: "data/utxos"
} as const

/**
 * Every path of the data API, by the configuration's `dataApi`: `portfolio` has the newer names, which the
 * provider has given to some of them.
 *
 * @since 0.1.0
 * @category constants
 */
export const paths = {
  data: specified,
  portfolio: {
    ...specified,
    balances: "data/wallet/portfolio",
    transactions: "data/transaction/history",
    events: "data/defi/events",
    blocks: "data/defi/blocks",
    latestBlock: "data/defi/blocks/latest"
  }
} as const

/**
 * The kinds of assets.
 *
 * @since 0.1.0
 * @category models
 */
export type AssetKind = "native" | "fungible" | "nft" | "multitoken"

/**
 * The direction of a transfer, seen from the address that was asked for.
 *
 * @since 0.1.0
 * @category models
 */
export type Direction = "incoming" | "outgoing" | "zero-transfer"

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
 * A token of a collection, with its author's words about it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenDetails {
  readonly chain?: string
  readonly tokenId?: string
  readonly tokenAddress?: string
  readonly tokenType?: AssetKind
  readonly metadataURI?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * A balance. `balance` is a decimal string in whole coins or tokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface Balance {
  readonly chain: string
  readonly type: AssetKind
  readonly address: string
  readonly balance: string
  readonly tokenAddress?: string
  readonly tokenId?: string
  readonly lastUpdatedBlockNumber?: number
  readonly metadataURI?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * A transfer. `amount` is a decimal string in whole coins or tokens, negative where they left; `timestamp` is in
 * milliseconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface Transfer {
  readonly chain: string
  readonly hash: string
  readonly address: string
  readonly blockNumber: number
  readonly transactionIndex: number
  readonly transactionType: AssetKind | "internal"
  readonly transactionSubtype: Direction
  readonly amount: string
  readonly timestamp: number
  readonly counterAddress?: string
  readonly tokenAddress?: string
  readonly tokenId?: string
}

/**
 * An event of a contract, as it was emitted (`raw`) and as the provider has read it (`decoded`).
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainEvent {
  readonly chain?: string
  readonly address?: string
  readonly blockNumber?: number
  /** Milliseconds since 1970. */
  readonly timestamp?: number
  readonly decoded?: Readonly<Record<string, unknown>>
  readonly raw?: Readonly<Partial<Record<"topic_0" | "topic_1" | "topic_2" | "topic_3" | "data", string>>>
  readonly txHash?: string
  readonly txIndex?: number
  readonly logIndex?: number
}

/**
 * A block, as far as the data API has read it.
 *
 * @since 0.1.0
 * @category models
 */
export interface DataBlock {
  readonly blockNumber?: number
  readonly blockTimestamp?: number
  readonly hash?: string
  readonly eventIngestedSize?: number
  readonly nftIngestedSize?: number
  readonly txHashes?: ReadonlyArray<string>
}

/**
 * The details of a token. Fungible tokens have `supply` and `cap` (decimal strings in whole tokens) and `decimals`; tokens of a
 * collection have `metadata`.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenInfo {
  readonly chain?: string
  readonly symbol?: string
  readonly name?: string
  readonly tokenType?: AssetKind
  readonly supply?: string
  readonly decimals?: number
  readonly cap?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly metadataURI?: string
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
 * A token to be deployed. `initialSupply` is a decimal string in whole tokens; `decimals` are 18 by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewToken {
  readonly owner: string
  readonly name: string
  readonly symbol: string
  readonly initialSupply: string
  /** The address that gets the initial supply. */
  readonly initialHolder: string
  /** The address that may mint more. Default: the owner. */
  readonly minter?: string
  /** The address that may stop all transfers. Default: the owner. */
  readonly pauser?: string
  readonly decimals?: number | string
}

/**
 * The transaction that a request has led to.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionId {
  readonly txId: string
}

type List = string | ReadonlyArray<string>

/**
 * A question for the tokens of a collection. Lists are given as lists, or as one text with commas.
 *
 * @since 0.1.0
 * @category models
 */
export interface CollectionQuery extends DataPage {
  /** The id of a network, or the name of a chain: `ethereum-mainnet`, `ethereum`. */
  readonly chain: string
  readonly tokenAddress?: string
  readonly tokenIds?: List
  readonly collectionAddresses?: List
  readonly tokenTypes?: List
  readonly excludeMetadata?: boolean
}

/**
 * A question for the metadata of tokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface MetadataQuery {
  readonly chain: string
  readonly tokenAddress: string
  readonly tokenIds?: List
}

/**
 * A question for balances.
 *
 * @since 0.1.0
 * @category models
 */
export interface BalancesQuery extends DataPage {
  readonly chain: string
  readonly addresses: List
  readonly tokenTypes?: List
  readonly excludeMetadata?: boolean
}

/**
 * A question for the owners of a token.
 *
 * @since 0.1.0
 * @category models
 */
export interface OwnersQuery extends DataPage {
  readonly chain: string
  readonly tokenAddress: string
  readonly tokenId?: string
}

/**
 * A question whether `address` has a token.
 *
 * @since 0.1.0
 * @category models
 */
export interface OwnershipQuery {
  readonly chain: string
  readonly address: string
  readonly tokenAddress: string
  readonly tokenId?: string
}

/**
 * A question for transfers.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionsQuery extends DataPage {
  readonly chain: string
  readonly addresses?: List
  readonly transactionTypes?: List
  readonly transactionSubtype?: Direction
  readonly tokenAddress?: string
  readonly tokenId?: string
  readonly blockFrom?: number
  readonly blockTo?: number
  /** The end of an earlier page: its `nextPage`. */
  readonly cursor?: string
}

/**
 * A question for events. `eventType` is one of `tokenTransfer`, `multitokenTransfer`, `stablecoinTransfer`, `uniswapTrade`.
 *
 * @since 0.1.0
 * @category models
 */
export interface EventsQuery extends DataPage {
  readonly chain: string
  readonly contractAddress?: string
  readonly contractAddresses?: List
  readonly eventType?: string
  readonly signatures?: List
  readonly blockFrom?: number
  readonly blockTo?: number
}

/**
 * A question for blocks. Times are ISO 8601.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlocksQuery extends DataPage {
  readonly chain: string
  readonly blockIds?: List
  readonly blockFrom?: number
  readonly blockTo?: number
  readonly timeFrom?: string
  readonly timeTo?: string
}

/**
 * A question for unspent outputs: enough of them for `totalValue`, in whole coins.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxosQuery {
  readonly chain: string
  readonly address: string
  readonly totalValue?: number
}

/**
 * A query that streams have in place of pages.
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
export type DataError = GatewayCallError | InvalidArgument | LoadError

/**
 * The data API.
 *
 * @since 0.1.0
 * @category models
 */
export interface DataApiService {
  /** Tokens of a collection. */
  readonly getTokensFromCollection: (
    query: CollectionQuery
  ) => Effect.Effect<ReadonlyArray<TokenDetails>, DataError>
  /** Tokens of a collection, page by page as they are consumed. */
  readonly streamTokensFromCollection: (
    query: Streaming<CollectionQuery>
  ) => Stream.Stream<TokenDetails, DataError>
  /** The words of the author of tokens about them. */
  readonly getTokenMetadata: (query: MetadataQuery) => Effect.Effect<ReadonlyArray<TokenDetails>, DataError>
  /** Balances of addresses. */
  readonly getBalancesOfAddresses: (query: BalancesQuery) => Effect.Effect<ReadonlyArray<Balance>, DataError>
  /** Balances of addresses, page by page as they are consumed. */
  readonly streamBalancesOfAddresses: (query: Streaming<BalancesQuery>) => Stream.Stream<Balance, DataError>
  /** Addresses that have a token. */
  readonly getOwnersOfToken: (query: OwnersQuery) => Effect.Effect<ReadonlyArray<string>, DataError>
  /** Addresses that have a token, page by page as they are consumed. */
  readonly streamOwnersOfToken: (query: Streaming<OwnersQuery>) => Stream.Stream<string, DataError>
  /** Whether an address has a token. */
  readonly checkOwner: (query: OwnershipQuery) => Effect.Effect<boolean, DataError>
  /** Transfers. */
  readonly getTransactions: (query: TransactionsQuery) => Effect.Effect<ReadonlyArray<Transfer>, DataError>
  /** Transfers, page by page as they are consumed. */
  readonly streamTransactions: (
    query: Omit<Streaming<TransactionsQuery>, "cursor">
  ) => Stream.Stream<Transfer, DataError>
  /** Transfers of one transaction. */
  readonly getTransactionsByHash: (query: {
    readonly chain: string
    readonly hash: string
  }) => Effect.Effect<ReadonlyArray<Transfer>, DataError>
  /** Events of contracts. */
  readonly getEvents: (query: EventsQuery) => Effect.Effect<ReadonlyArray<ChainEvent>, DataError>
  /** Events of contracts, page by page as they are consumed. */
  readonly streamEvents: (query: Streaming<EventsQuery>) => Stream.Stream<ChainEvent, DataError>
  /** Blocks. */
  readonly getBlocks: (query: BlocksQuery) => Effect.Effect<ReadonlyArray<DataBlock>, DataError>
  /** The newest block that the data API has read. */
  readonly getLatestBlock: (query: { readonly chain: string }) => Effect.Effect<DataBlock, DataError>
  /** The details of a token. */
  readonly getTokenInfo: (query: {
    readonly chain: string
    readonly tokenAddress: string
    readonly tokenId?: string
  }) => Effect.Effect<TokenInfo, DataError>
  /** Unspent outputs of an address. */
  readonly getUtxosByAddress: (query: UtxosQuery) => Effect.Effect<ReadonlyArray<UnspentOutput>, DataError>
  /** Deploys a fungible token; never sent twice. */
  readonly createFungibleToken: (
    token: NewToken & { readonly chain: string; readonly contractType?: "fungible" }
  ) => Effect.Effect<TransactionId, DataError>
}

/**
 * The data API, for the client at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class DataApi extends /*#__PURE__*/ Context.Tag("effect-chains/services/DataApi")<
  DataApi,
  DataApiService
>() {}

const optional = Schema.optional
const part = { pageSize: optional(PageSize), offset: optional(Index) }
const range = { blockFrom: optional(Index), blockTo: optional(Index) }
const chain = { chain: ChainName }

const collection = {
  ...chain,
  tokenAddress: optional(Filled),
  tokenIds: optional(Several),
  collectionAddresses: optional(Several),
  tokenTypes: optional(Several),
  excludeMetadata: optional(Schema.Boolean)
}
const balances = {
  ...chain,
  addresses: Several,
  tokenTypes: optional(Several),
  excludeMetadata: optional(Schema.Boolean)
}
const owners = { ...chain, tokenAddress: Filled, tokenId: optional(Filled) }
const transactions = {
  ...chain,
  ...range,
  addresses: optional(Several),
  transactionTypes: optional(Several),
  transactionSubtype: optional(oneOf("incoming", "outgoing", "zero-transfer")),
  tokenAddress: optional(Filled),
  tokenId: optional(Filled)
}
const events = {
  ...chain,
  ...range,
  contractAddress: optional(Filled),
  contractAddresses: optional(Several),
  eventType: optional(Filled),
  signatures: optional(Several)
}
const blocks = {
  ...chain,
  ...range,
  ...part,
  blockIds: optional(Several),
  timeFrom: optional(Filled),
  timeTo: optional(Filled)
}
const utxos = {
  ...chain,
  address: Filled,
  totalValue: optional(
    Schema.Number.pipe(
      Schema.filter((value) => value > 0 && Number.isSafeInteger(value), {
        message: () => "must be a whole number of coins, from 1"
      })
    )
  )
}
const deployed = queryOf({
  ...chain,
  ...tokenFields,
  contractType: Schema.optionalWith(Schema.Literal("fungible"), { default: () => "fungible" as const })
}).pipe(Schema.filter(supplyProblem))

/** A list whose items have the shape that the provider's documentation promises. */
const listOf = <A>(): Schema.Schema<ReadonlyArray<A>> =>
  Schema.declare((value: unknown): value is ReadonlyArray<A> => Array.isArray(value), {
    message: () => "must be a list"
  })

/** A list in an answer of the data API, which has it in `result`. */
const listed = <A>(call: string): ((value: unknown) => Effect.Effect<ReadonlyArray<A>, GatewayCallError>) => {
  const read = answer(call, Schema.Struct({ result: listOf<A>() }))
  return (value) => Effect.map(read(value), ({ result }) => result)
}

/** The pages of streams, unless the caller wants others. */
const PAGE = 50

type Query = Parameters<typeof wire>[0]

/** {@link Fetching} as it was checked. */
type Fetched = { readonly pageSize?: number | undefined; readonly limit?: number | undefined }

/** The gateway of the service, and its paths. */
interface Asked {
  readonly gateway: GatewayService
  readonly path: (typeof paths)[keyof typeof paths]
}

type Route = keyof Asked["path"]

const get = <A>({ gateway, path }: Asked, route: Route, query: Query): Effect.Effect<A, GatewayCallError> =>
  gateway.request<A>({ method: "GET", path: path[route], query: wire(query) })

/** A list, asked for page by page. */
const listOver =
  (asked: Asked) =>
  <A, Q extends Query, I>(
    name: string,
    route: Route,
    schema: Schema.Schema<Q, I>
  ): ((query: unknown) => Effect.Effect<ReadonlyArray<A>, DataError>) => {
    const check = input(`data.${name}`, schema)
    const read = listed<A>(`data.${name}`)
    return (query) =>
      Effect.flatMap(
        Effect.flatMap(check(query), (fields) => get(asked, route, fields)),
        read
      )
  }

/** The same as a stream. */
const streamOver =
  (asked: Asked) =>
  <A, Q extends Query & Fetched, I>(
    name: string,
    route: Route,
    schema: Schema.Schema<Q, I>
  ): ((query: unknown) => Stream.Stream<A, DataError>) => {
    const check = input(`data.${name}`, schema)
    const read = listed<A>(`data.${name}`)
    return (query) =>
      Stream.unwrap(
        Effect.map(check(query), ({ limit, pageSize = PAGE, ...fields }) =>
          byOffset({
            pageSize,
            limit,
            fetch: (offset) => Effect.flatMap(get(asked, route, { ...fields, pageSize, offset }), read)
          })
        )
      )
  }

const oneOver =
  (asked: Asked) =>
  <A, Q extends Query, I>(
    name: string,
    route: Route,
    schema: Schema.Schema<Q, I>
  ): ((query: unknown) => Effect.Effect<A, DataError>) => {
    const check = input(`data.${name}`, schema)
    return (query) => Effect.flatMap(check(query), (fields) => get<A>(asked, route, fields))
  }

const utxosOf = ({ gateway, path }: Asked): DataApiService["getUtxosByAddress"] => {
  const check = input("data.getUtxosByAddress", queryOf(utxos))
  return (query) =>
    Effect.flatMap(check(query), (fields) =>
      Effect.map(
        gateway.request<ReadonlyArray<UnspentOutput>>({
          method: "GET",
          path: path.utxos,
          query: wire(fields),
          exact: true
        }),
        // only the value keeps its digits
        (outputs) =>
          Array.isArray(outputs)
            ? outputs.map((output) => ({ ...output, index: Number(output.index) }))
            : outputs
      )
    )
}

const deploying = ({ gateway }: Asked): DataApiService["createFungibleToken"] => {
  const check = input("data.createFungibleToken", deployed)
  return (token) =>
    Effect.flatMap(check(token), ({ decimals, ...fields }) =>
      gateway.request<TransactionId>({
        method: "POST",
        path: "contract/deploy",
        // the provider takes the decimals as text
        body: decimals === undefined ? fields : { ...fields, decimals: String(decimals) },
        write: true
      })
    )
}

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<DataApiService, never, Config | Gateway> = Effect.gen(function* () {
  const { dataApi } = yield* Config
  const asked: Asked = { gateway: yield* Gateway, path: paths[dataApi] }
  const list = listOver(asked)
  const stream = streamOver(asked)
  const one = oneOver(asked)
  return {
    getTokensFromCollection: list(
      "getTokensFromCollection",
      "collections",
      queryOf({ ...collection, ...part })
    ),
    streamTokensFromCollection: stream(
      "streamTokensFromCollection",
      "collections",
      queryOf({ ...collection, ...fetching })
    ),
    getTokenMetadata: list(
      "getTokenMetadata",
      "metadata",
      queryOf({ ...chain, tokenAddress: Filled, tokenIds: optional(Several) })
    ),
    getBalancesOfAddresses: list("getBalancesOfAddresses", "balances", queryOf({ ...balances, ...part })),
    streamBalancesOfAddresses: stream(
      "streamBalancesOfAddresses",
      "balances",
      queryOf({ ...balances, ...fetching })
    ),
    getOwnersOfToken: list("getOwnersOfToken", "owners", queryOf({ ...owners, ...part })),
    streamOwnersOfToken: stream("streamOwnersOfToken", "owners", queryOf({ ...owners, ...fetching })),
    checkOwner: one("checkOwner", "ownership", queryOf({ ...owners, address: Filled })),
    getTransactions: list(
      "getTransactions",
      "transactions",
      queryOf({ ...transactions, ...part, cursor: optional(Filled) })
    ),
    streamTransactions: stream(
      "streamTransactions",
      "transactions",
      queryOf({ ...transactions, ...fetching })
    ),
    getTransactionsByHash: list(
      "getTransactionsByHash",
      "transactionsByHash",
      queryOf({ ...chain, hash: Filled })
    ),
    getEvents: list("getEvents", "events", queryOf({ ...events, ...part })),
    streamEvents: stream("streamEvents", "events", queryOf({ ...events, ...fetching })),
    getBlocks: one("getBlocks", "blocks", queryOf(blocks)),
    getLatestBlock: one("getLatestBlock", "latestBlock", queryOf(chain)),
    getTokenInfo: one("getTokenInfo", "tokens", queryOf(owners)),
    getUtxosByAddress: utxosOf(asked),
    createFungibleToken: deploying(asked)
  }
})

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<DataApi, never, Config | Gateway> = /*#__PURE__*/ Layer.effect(DataApi, make)
