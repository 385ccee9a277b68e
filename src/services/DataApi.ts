/**
 * The provider's data API: balances, owners, histories, events, blocks and unspent outputs of every chain that it supports, whatever the
 * client's network. `address`, `token` and `nft` use the same routes.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Config } from "../config/Config.js"
import { type DataRouteName, findRouteChain, idOfChain, networksServedBy } from "../data/dataRoutes.js"
import { type GatewayCallError, NotSupportedForNetwork } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Gateway, GatewayService } from "./Gateway.js"
import type { DataError, DataPage, Fetching, Streaming, UnspentOutput } from "./internal/dataAnswers.js"
import type { EndpointMethods } from "./internal/dataEndpoints.js"
import {
  ChainName,
  findSupplyProblem,
  Index,
  NonEmptyText,
  OneOrMoreTexts,
  oneOfWords,
  PageSize,
  queryStruct,
  streamFields,
  tokenFields,
  type toWireQuery
} from "./internal/dataInput.js"
import { makeDataMethods } from "./internal/dataMethods.js"
import {
  balanceReaderFor,
  type DataClient,
  makeDataClient,
  mapPage,
  portfolioParts,
  readRenamedRow,
  readRow,
  requestOne,
  requestParts
} from "./internal/dataRequests.js"
import { requestDocuments, requestOwners, requestOwnership } from "./internal/dataTokens.js"
import type { Generation } from "./internal/generations.js"
import { streamByOffset, streamByParts } from "./internal/offsets.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"

export type * from "./internal/dataAnswers.js"

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
 * A token of a collection, with its author's metadata.
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
 * A balance. `balance` is a decimal string in whole coins or tokens. v4 of the data API has `decimals`; the legacy API has the block of
 * the last change.
 *
 * @since 0.1.0
 * @category models
 */
export interface Balance {
  readonly chain: string
  readonly type: AssetKind
  readonly address: string
  readonly balance: string
  readonly decimals?: number
  readonly tokenAddress?: string
  readonly tokenId?: string
  readonly lastUpdatedBlockNumber?: number
  readonly metadataURI?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * A transfer. `amount` is a decimal string in whole coins or tokens, negative for outgoing ones; `timestamp` is in milliseconds since
 * 1970.
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
 * An event of a contract, as it was emitted (`raw`) and as the provider decodes it (`decoded`).
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
 * A query for events. `eventType` is one of `tokenTransfer`, `multitokenTransfer`, `stablecoinTransfer`, `uniswapTrade`.
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
 * The data API.
 *
 * @since 0.1.0
 * @category models
 */
export interface DataApiService extends EndpointMethods {
  /** Tokens of a collection. */
  readonly getTokensFromCollection: (
    query: CollectionQuery
  ) => Effect.Effect<ReadonlyArray<TokenDetails>, DataError>
  /** Tokens of a collection. Pages are fetched as they are consumed. */
  readonly streamTokensFromCollection: (
    query: Streaming<CollectionQuery>
  ) => Stream.Stream<TokenDetails, DataError>
  /** The metadata of tokens, by their authors. */
  readonly getTokenMetadata: (query: MetadataQuery) => Effect.Effect<ReadonlyArray<TokenDetails>, DataError>
  /** Balances of addresses. */
  readonly getBalancesOfAddresses: (query: BalancesQuery) => Effect.Effect<ReadonlyArray<Balance>, DataError>
  /** Balances of addresses. Pages are fetched as they are consumed. */
  readonly streamBalancesOfAddresses: (query: Streaming<BalancesQuery>) => Stream.Stream<Balance, DataError>
  /** Addresses that have a token. */
  readonly getOwnersOfToken: (query: OwnersQuery) => Effect.Effect<ReadonlyArray<string>, DataError>
  /** Owners of a token. Pages are fetched as they are consumed. */
  readonly streamOwnersOfToken: (query: Streaming<OwnersQuery>) => Stream.Stream<string, DataError>
  /** Whether an address has a token. */
  readonly checkOwner: (query: OwnershipQuery) => Effect.Effect<boolean, DataError>
  /** Transfers. */
  readonly getTransactions: (query: TransactionsQuery) => Effect.Effect<ReadonlyArray<Transfer>, DataError>
  /** Transfers. Pages are fetched as they are consumed. */
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
  /** Events of contracts. Pages are fetched as they are consumed. */
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
 * The data API, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class DataApi extends /*#__PURE__*/ Context.Tag("effect-chains/services/DataApi")<
  DataApi,
  DataApiService
>() {}

const optional = Schema.optional
const offsetFields = { pageSize: optional(PageSize), offset: optional(Index) }
const range = { blockFrom: optional(Index), blockTo: optional(Index) }
const chain = { chain: ChainName }

const collection = {
  ...chain,
  tokenAddress: optional(NonEmptyText),
  tokenIds: optional(OneOrMoreTexts),
  collectionAddresses: optional(OneOrMoreTexts),
  tokenTypes: optional(OneOrMoreTexts),
  excludeMetadata: optional(Schema.Boolean)
}
const balances = {
  ...chain,
  addresses: OneOrMoreTexts,
  tokenTypes: optional(OneOrMoreTexts),
  excludeMetadata: optional(Schema.Boolean)
}
const owners = { ...chain, tokenAddress: NonEmptyText, tokenId: optional(NonEmptyText) }
const transactions = {
  ...chain,
  ...range,
  addresses: optional(OneOrMoreTexts),
  transactionTypes: optional(OneOrMoreTexts),
  transactionSubtype: optional(oneOfWords("incoming", "outgoing", "zero-transfer")),
  tokenAddress: optional(NonEmptyText),
  tokenId: optional(NonEmptyText)
}
const events = {
  ...chain,
  ...range,
  contractAddress: optional(NonEmptyText),
  contractAddresses: optional(OneOrMoreTexts),
  eventType: optional(NonEmptyText),
  signatures: optional(OneOrMoreTexts)
}
const blocks = {
  ...chain,
  ...range,
  ...offsetFields,
  blockIds: optional(OneOrMoreTexts),
  timeFrom: optional(NonEmptyText),
  timeTo: optional(NonEmptyText)
}
const utxos = {
  ...chain,
  address: NonEmptyText,
  totalValue: optional(
    Schema.Number.pipe(
      Schema.filter((value) => value > 0 && Number.isSafeInteger(value), {
        message: () => "must be a whole number of coins, from 1"
      })
    )
  )
}
const deployed = queryStruct({
  ...chain,
  ...tokenFields,
  contractType: Schema.optionalWith(Schema.Literal("fungible"), { default: () => "fungible" as const })
}).pipe(Schema.filter(findSupplyProblem))

/** A list whose items have the shape of the provider's documentation. */
const listOf = <A>(): Schema.Schema<ReadonlyArray<A>> =>
  Schema.declare((value: unknown): value is ReadonlyArray<A> => Array.isArray(value), {
    message: () => "must be a list"
  })

/** A list of the data API, which is the `result` of its answer. */
const makeListReader = <A>(
  call: string
): ((value: unknown) => Effect.Effect<ReadonlyArray<A>, GatewayCallError>) => {
  const read = makeAnswerReader(call, Schema.Struct({ result: listOf<A>() }))
  return (value) => Effect.map(read(value), ({ result }) => result)
}

/** The pages of streams, unless the caller wants others. */
const DEFAULT_STREAM_PAGE_SIZE = 50

type Query = Parameters<typeof toWireQuery>[0]
type ChainQuery = Query & { readonly chain: string }

/** {@link Fetching} after its check. */
type StreamQuery = { readonly pageSize?: number | undefined; readonly limit?: number | undefined }

/** A question to a route about a chain, which the route must serve. A legacy route gets the chain as the caller has named it. */
const requestAbout = (route: DataRouteName, { chain, ...query }: ChainQuery) => {
  const found = findRouteChain(route, chain)
  return found === undefined
    ? Effect.fail(
        new NotSupportedForNetwork({ feature: "data", network: chain, networks: networksServedBy(route) })
      )
    : Effect.succeed({
        route,
        query,
        chain: found.legacy === undefined ? found : { ...found, legacy: chain }
      })
}

/** How a list is requested: its parts in v4, and the conversion of its rows to one shape. */
interface ListOptions {
  readonly row?: (generation: Generation) => (row: unknown) => unknown
  readonly parts?: (query: Query) => readonly [Query, ...ReadonlyArray<Query>]
}

/** A page of a list. The pages of several requests become one. */
const makePageReader =
  (dataClient: DataClient) =>
  <A>(call: string, { parts, row = () => readRow }: ListOptions) => {
    const read = makeListReader<A>(call)
    return (route: DataRouteName, fields: ChainQuery): Effect.Effect<ReadonlyArray<A>, DataError> =>
      Effect.flatMap(requestAbout(route, fields), (question) =>
        Effect.map(
          requestParts(dataClient, {
            ...question,
            call,
            ...(parts === undefined ? {} : { parts: parts(question.query) }),
            read: (said, generation) => read(mapPage(row(generation))(said))
          }),
          (pages) => pages.flat()
        )
      )
  }

/** A list, asked for page by page. */
const makeListMethod =
  (dataClient: DataClient) =>
  <A, Q extends ChainQuery, I>(
    name: string,
    route: DataRouteName,
    schema: Schema.Schema<Q, I>,
    listing: ListOptions = {}
  ): ((query: unknown) => Effect.Effect<ReadonlyArray<A>, DataError>) => {
    const check = makeInputCheck(`data.${name}`, schema)
    const page = makePageReader(dataClient)<A>(`data.${name}`, listing)
    return (query) => Effect.flatMap(check(query), (fields) => page(route, fields))
  }

/** The same as a stream, one part after the other. */
const makeStreamMethod =
  (dataClient: DataClient) =>
  <A, Q extends ChainQuery & StreamQuery, I>(
    name: string,
    route: DataRouteName,
    schema: Schema.Schema<Q, I>,
    { parts = () => [{}], ...listing }: ListOptions = {}
  ): ((query: unknown) => Stream.Stream<A, DataError>) => {
    const check = makeInputCheck(`data.${name}`, schema)
    const page = makePageReader(dataClient)<A>(`data.${name}`, listing)
    return (query) =>
      Stream.unwrap(
        Effect.map(check(query), ({ chain, limit, pageSize = DEFAULT_STREAM_PAGE_SIZE, ...fields }) =>
          streamByParts(parts(fields), limit, (part, isLast) =>
            streamByOffset({
              pageSize,
              isLast,
              fetch: (offset) => page(route, { ...fields, ...part, chain, pageSize, offset })
            })
          )
        )
      )
  }

const makeSingleMethod =
  (dataClient: DataClient) =>
  <A, Q extends ChainQuery, I>(
    name: string,
    route: DataRouteName,
    schema: Schema.Schema<Q, I>,
    change: (said: unknown) => unknown = (said) => said
  ): ((query: unknown) => Effect.Effect<A, DataError>) => {
    const call = `data.${name}`
    const check = makeInputCheck(call, schema)
    return (query) =>
      Effect.flatMap(check(query), (fields) =>
        Effect.flatMap(requestAbout(route, fields), (question) =>
          // the answer has the type that the provider's documentation promises
          requestOne(dataClient, { ...question, call, read: (said) => Effect.succeed(change(said) as A) })
        )
      )
  }

/** All kinds of assets, or those that a query names, in as many requests as a portfolio takes. */
const portfolioPartsOf = ({ tokenTypes }: Query): readonly [Query, ...ReadonlyArray<Query>] =>
  portfolioParts(
    typeof tokenTypes === "string"
      ? tokenTypes.split(",").map((kind) => kind.trim())
      : typeof tokenTypes === "object"
        ? tokenTypes
        : ["native", "fungible", "nft", "multitoken"]
  )

/** The transfers of transactions, or of a single one. */
const toTransferList = (said: unknown): unknown =>
  isRecord(said) && !("result" in said) && ("hash" in said || "txHash" in said) ? [said] : said

const makeTransactionsByHash = (dataClient: DataClient): DataApiService["getTransactionsByHash"] => {
  const call = "data.getTransactionsByHash"
  const check = makeInputCheck(call, queryStruct({ ...chain, hash: NonEmptyText }))
  const read = makeListReader<Transfer>(call)
  return (query) =>
    Effect.flatMap(check(query), (fields) =>
      Effect.flatMap(requestAbout("transactionsByHash", fields), (question) =>
        requestOne(dataClient, {
          ...question,
          call,
          read: (said) => read(mapPage(readRenamedRow)(toTransferList(said)))
        })
      )
    )
}

const makeTokenMetadata = (dataClient: DataClient): DataApiService["getTokenMetadata"] => {
  const call = "data.getTokenMetadata"
  const check = makeInputCheck(
    call,
    queryStruct({ ...chain, tokenAddress: NonEmptyText, tokenIds: optional(OneOrMoreTexts) })
  )
  const read = makeListReader<TokenDetails>(call)
  return (query) =>
    Effect.flatMap(check(query), ({ tokenAddress, tokenIds, ...fields }) =>
      Effect.flatMap(requestAbout("metadata", fields), ({ chain }) =>
        Effect.flatMap(
          requestDocuments(
            dataClient,
            { call, chain },
            { tokenAddress, tokenIds: typeof tokenIds === "string" ? tokenIds.split(",") : tokenIds }
          ),
          read
        )
      )
    )
}

const makeOwnersMethods = (dataClient: DataClient) => {
  const page = (call: string) => {
    const read = makeListReader<string>(call)
    return ({ chain, ...query }: ChainQuery & Readonly<Record<string, string | number | undefined>>) =>
      Effect.flatMap(requestAbout("owners", { chain }), (question) =>
        Effect.flatMap(requestOwners(dataClient, { call, chain: question.chain }, query), read)
      )
  }
  const names = { list: "data.getOwnersOfToken", stream: "data.streamOwnersOfToken" }
  const check = makeInputCheck(names.list, queryStruct({ ...owners, ...offsetFields }))
  const checkStream = makeInputCheck(names.stream, queryStruct({ ...owners, ...streamFields }))
  const [listPage, streamPage] = [page(names.list), page(names.stream)]
  const getOwnersOfToken: DataApiService["getOwnersOfToken"] = (query) =>
    Effect.flatMap(check(query), listPage)
  const streamOwnersOfToken: DataApiService["streamOwnersOfToken"] = (query) =>
    Stream.unwrap(
      Effect.map(checkStream(query), ({ limit, pageSize = DEFAULT_STREAM_PAGE_SIZE, ...fields }) =>
        streamByOffset({ pageSize, limit, fetch: (offset) => streamPage({ ...fields, pageSize, offset }) })
      )
    )
  return { getOwnersOfToken, streamOwnersOfToken }
}

const makeCheckOwner = (dataClient: DataClient): DataApiService["checkOwner"] => {
  const call = "data.checkOwner"
  const check = makeInputCheck(call, queryStruct({ ...owners, address: NonEmptyText }))
  return (query) =>
    Effect.flatMap(check(query), ({ chain, ...fields }) =>
      Effect.flatMap(requestAbout("ownership", { chain }), (question) =>
        // the answer has the type that the provider's documentation promises
        Effect.map(
          requestOwnership(dataClient, { call, chain: question.chain }, fields),
          (owned) => owned as boolean
        )
      )
    )
}

/** The details of a token. In the provider's description of today they are the only item of a list, with `type` for their kind. */
const firstToken = (said: unknown): unknown => {
  const info: unknown = Array.isArray(said) ? said[0] : said
  return isRecord(info) && info.tokenType === undefined && info.type !== undefined
    ? readRow({ ...info, tokenType: info.type })
    : readRow(info)
}

const makeUtxosByAddress = (dataClient: DataClient): DataApiService["getUtxosByAddress"] => {
  const call = "data.getUtxosByAddress"
  const check = makeInputCheck(call, queryStruct(utxos))
  return (query) =>
    Effect.flatMap(check(query), (fields) =>
      Effect.flatMap(requestAbout("utxos", fields), (question) => {
        const { legacy = "", v4 = legacy } = question.chain
        const network = idOfChain(v4)
        return requestOne(dataClient, {
          ...question,
          call,
          exact: true,
          read: (said) =>
            Effect.succeed(
              // only the value keeps its digits; an output is on the chain that was asked for, which v4 does not repeat
              (Array.isArray(said)
                ? said.map((output) => ({
                    ...output,
                    chain: typeof output.chain === "string" ? idOfChain(output.chain) : network,
                    index: Number(output.index)
                  }))
                : said) as ReadonlyArray<UnspentOutput>
            )
        })
      })
    )
}

const makeCreateFungibleToken = (gateway: GatewayService): DataApiService["createFungibleToken"] => {
  const check = makeInputCheck("data.createFungibleToken", deployed)
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
export const make: Effect.Effect<DataApiService, never, Config | Gateway> = Effect.map(
  makeDataClient,
  (dataClient) => {
    const list = makeListMethod(dataClient)
    const stream = makeStreamMethod(dataClient)
    const one = makeSingleMethod(dataClient)
    const portfolio: ListOptions = { row: balanceReaderFor, parts: portfolioPartsOf }
    const renamed: ListOptions = { row: () => readRenamedRow }
    return {
      ...makeDataMethods(dataClient.gateway),
      ...makeOwnersMethods(dataClient),
      getTokensFromCollection: list(
        "getTokensFromCollection",
        "collections",
        queryStruct({ ...collection, ...offsetFields }),
        renamed
      ),
      streamTokensFromCollection: stream(
        "streamTokensFromCollection",
        "collections",
        queryStruct({ ...collection, ...streamFields }),
        renamed
      ),
      getTokenMetadata: makeTokenMetadata(dataClient),
      getBalancesOfAddresses: list(
        "getBalancesOfAddresses",
        "portfolio",
        queryStruct({ ...balances, ...offsetFields }),
        portfolio
      ),
      streamBalancesOfAddresses: stream(
        "streamBalancesOfAddresses",
        "portfolio",
        queryStruct({ ...balances, ...streamFields }),
        portfolio
      ),
      checkOwner: makeCheckOwner(dataClient),
      getTransactions: list(
        "getTransactions",
        "history",
        queryStruct({ ...transactions, ...offsetFields, cursor: optional(NonEmptyText) }),
        renamed
      ),
      streamTransactions: stream(
        "streamTransactions",
        "history",
        queryStruct({ ...transactions, ...streamFields }),
        renamed
      ),
      getTransactionsByHash: makeTransactionsByHash(dataClient),
      getEvents: list("getEvents", "events", queryStruct({ ...events, ...offsetFields })),
      streamEvents: stream("streamEvents", "events", queryStruct({ ...events, ...streamFields })),
      getBlocks: one("getBlocks", "blocks", queryStruct(blocks)),
      getLatestBlock: one("getLatestBlock", "latestBlock", queryStruct(chain)),
      getTokenInfo: one("getTokenInfo", "tokens", queryStruct(owners), firstToken),
      getUtxosByAddress: makeUtxosByAddress(dataClient),
      createFungibleToken: makeCreateFungibleToken(dataClient.gateway)
    }
  }
)

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<DataApi, never, Config | Gateway> = /*#__PURE__*/ Layer.effect(DataApi, make)
