/**
 * Non-fungible tokens and multitokens: collections, minting, balances, transfers, metadata and owners.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Config } from "../config/Config.js"
import type { Uncovered, Unserved } from "../data/Coverage.js"
import { type DataRouteName, isServed, networksServedBy } from "../data/dataRoutes.js"
import type * as Network from "../data/Network.js"
import {
  type Aborted,
  type GatewayCallError,
  GatewayError,
  InvalidArgument,
  type LoadError,
  NotSupportedForNetwork
} from "../data/SdkError.js"
import { hasService } from "../data/serviceCoverage.js"
import { isRecord } from "../data/untrusted.js"
import type { AddressSelection } from "./Address.js"
import { readTransaction } from "./Contract.js"
import type { Direction, Fetching, TransactionId } from "./DataApi.js"
import type { Gateway } from "./Gateway.js"
import {
  type AddressQuery,
  addressesOf,
  addressFields,
  findAddressProblem,
  Index,
  NonEmptyText,
  oneOfWords,
  pageFields,
  queryStruct,
  streamFields
} from "./internal/dataInput.js"
import {
  balanceReaderFor,
  chainOfClient,
  type DataClient,
  type DataRequest,
  makeDataClient,
  mapPage,
  readRenamedRow,
  requestParts,
  toPage
} from "./internal/dataRequests.js"
import { omitMissing } from "./internal/dataRows.js"
import { requestDocuments, requestOwners, requestOwnership } from "./internal/dataTokens.js"
import type { Generation } from "./internal/generations.js"
import { streamByOffset } from "./internal/offsets.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"
import { type FileSource, make as makeStorage, type StorageService } from "./Storage.js"

/**
 * A collection to create. On Tezos only `name`, `symbol` and `owner` are taken.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewCollection {
  readonly name: string
  readonly symbol: string
  readonly owner: string
  readonly minter?: string
  readonly baseURI?: string
}

/**
 * A collection of multitokens (ERC-1155) to create.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewMultiTokenCollection {
  readonly owner: string
  readonly minter?: string
  readonly baseURI?: string
}

/**
 * A token to mint, and its receiver. `tokenId` is a decimal number.
 *
 * @since 0.1.0
 * @category models
 */
export interface Mint {
  readonly to: string
  readonly contractAddress: string
  readonly tokenId: string
  readonly minter?: string
}

/**
 * The metadata document of a token, as marketplaces read it; `image` is set to the uploaded file.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewMetadata {
  readonly name: string
  readonly description?: string
  readonly [field: string]: unknown
}

/**
 * One token: its contract and its id, a decimal number.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenOfCollection {
  readonly tokenAddress: string
  readonly tokenId: string
}

/**
 * A balance of a token: 1 for an NFT, any whole number for a multitoken. Only the legacy data API has the block of the last change.
 *
 * @since 0.1.0
 * @category models
 */
export interface NftBalance extends TokenOfCollection {
  readonly chain: string
  readonly address: string
  readonly type: "nft" | "multitoken"
  readonly balance: string
  readonly lastUpdatedBlockNumber?: number
  readonly metadataURI?: string
  readonly metadata?: NftMetadata
}

/**
 * The metadata document of a token, as its creator wrote it.
 *
 * @since 0.1.0
 * @category models
 */
export interface NftMetadata {
  readonly name?: string
  readonly description?: string
  readonly image?: string
  readonly [field: string]: unknown
}

/**
 * A token of a collection. Only the legacy data API has the kind of a single token and the url of its metadata.
 *
 * @since 0.1.0
 * @category models
 */
export interface NftDetail extends TokenOfCollection {
  readonly chain: string
  readonly type?: "nft" | "multitoken"
  readonly metadataURI?: string
  readonly metadata?: NftMetadata
}

/**
 * A transfer of a token. `amount` is negative for outgoing ones; `timestamp` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface NftTransaction extends TokenOfCollection {
  readonly chain: string
  readonly blockNumber: number
  readonly hash: string
  readonly transactionType: "nft" | "multitoken"
  readonly transactionSubtype?: Direction
  readonly transactionIndex: number
  readonly amount: string
  readonly timestamp: number
  readonly address: string
  readonly counterAddress?: string
}

/**
 * A page of a list, counted from 0.
 *
 * @since 0.1.0
 * @category models
 */
export interface Paging {
  readonly pageSize?: number
  readonly page?: number
}

/**
 * A choice of transfers. Blocks are inclusive.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransferFilter {
  readonly transactionType?: Direction
  readonly fromBlock?: number
  readonly toBlock?: number
}

/**
 * The tokens of a collection. `excludeMetadata` makes the answer small and fast.
 *
 * @since 0.1.0
 * @category models
 */
export interface CollectionFilter {
  readonly collectionAddress: string
  readonly excludeMetadata?: boolean
}

/**
 * The errors of calls for NFTs, each of which has a route of its own.
 *
 * @since 0.1.0
 * @category errors
 */
export type NftError<
  N extends Network.AnyNetwork = Network.Network,
  R extends DataRouteName | "deployments" = DataRouteName
> =
  | GatewayCallError
  | LoadError
  | InvalidArgument
  | Uncovered<N, "nft", NotSupportedForNetwork>
  | Unserved<N, R, NotSupportedForNetwork>

/**
 * Non-fungible tokens and multitokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface NftService<N extends Network.AnyNetwork = Network.Network> {
  /** Creates a collection of NFTs; never sent twice. */
  readonly createNftCollection: (
    collection: NewCollection
  ) => Effect.Effect<TransactionId, NftError<N, "deployments">>
  /** Creates a collection of multitokens; never sent twice. */
  readonly createMultiTokenNftCollection: (
    collection: NewMultiTokenCollection
  ) => Effect.Effect<TransactionId, NftError<N, "deployments">>
  /** Mints an NFT with the url of its metadata; never sent twice. */
  readonly mintNft: (
    mint: Mint & { readonly url: string }
  ) => Effect.Effect<TransactionId, NftError<N, "deployments">>
  /** Uploads a file and its metadata, then mints an NFT with them. An error has the urls of the uploads before it. */
  readonly mintNftWithMetadata: (
    mint: Mint & { readonly file: FileSource; readonly metadata: NewMetadata }
  ) => Effect.Effect<TransactionId, NftError<N, "deployments">>
  /** Tokens that addresses have, 50 per page. */
  readonly getBalance: (
    query: AddressSelection & Paging
  ) => Effect.Effect<ReadonlyArray<NftBalance>, NftError<N, "portfolio">>
  /** Tokens of addresses. Pages are fetched as they are consumed. */
  readonly streamBalance: (
    query: AddressSelection & Fetching
  ) => Stream.Stream<NftBalance, NftError<N, "portfolio">>
  /** Transfers of a token, 50 per page. */
  readonly getAllNftTransactions: (
    query: TokenOfCollection & TransferFilter & Paging
  ) => Effect.Effect<ReadonlyArray<NftTransaction>, NftError<N, "history">>
  /** Transfers of a token. Pages are fetched as they are consumed. */
  readonly streamAllNftTransactions: (
    query: TokenOfCollection & TransferFilter & Fetching
  ) => Stream.Stream<NftTransaction, NftError<N, "history">>
  /** Transfers of tokens by addresses, 50 per page. */
  readonly getAllNftTransactionsByAddress: (
    query: AddressSelection & Partial<TokenOfCollection> & TransferFilter & Paging
  ) => Effect.Effect<ReadonlyArray<NftTransaction>, NftError<N, "history">>
  /** Transfers of tokens by addresses. Pages are fetched as they are consumed. */
  readonly streamAllNftTransactionsByAddress: (
    query: AddressSelection & Partial<TokenOfCollection> & TransferFilter & Fetching
  ) => Stream.Stream<NftTransaction, NftError<N, "history">>
  /** A token with its metadata; null if it is unknown. */
  readonly getNftMetadata: (
    token: TokenOfCollection
  ) => Effect.Effect<NftDetail | null, NftError<N, "metadata">>
  /** The owners of a token. An NFT has one. */
  readonly getNftOwner: (
    token: TokenOfCollection & Paging
  ) => Effect.Effect<ReadonlyArray<string>, NftError<N, "owners">>
  /** The owners of a token. Pages are fetched as they are consumed. */
  readonly streamNftOwner: (
    token: TokenOfCollection & Fetching
  ) => Stream.Stream<string, NftError<N, "owners">>
  /** Whether an address owns a token. */
  readonly checkNftOwner: (
    query: TokenOfCollection & { readonly owner: string }
  ) => Effect.Effect<boolean, NftError<N, "ownership">>
  /** Tokens of a collection. */
  readonly getNftsInCollection: (
    query: CollectionFilter & Paging
  ) => Effect.Effect<ReadonlyArray<NftDetail>, NftError<N, "collections">>
  /** Tokens of a collection. Pages are fetched as they are consumed. */
  readonly streamNftsInCollection: (
    query: CollectionFilter & Fetching
  ) => Stream.Stream<NftDetail, NftError<N, "collections">>
}

/**
 * Non-fungible tokens and multitokens, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Nft extends /*#__PURE__*/ Context.Tag("effect-chains/services/Nft")<Nft, NftService>() {}

const optional = Schema.optional

const TokenId = Schema.String.pipe(
  Schema.pattern(/^\d{1,78}$/, { message: () => "must be a decimal number as text" })
)
const token = { tokenAddress: NonEmptyText, tokenId: TokenId }
const filter = {
  transactionType: optional(oneOfWords("incoming", "outgoing", "zero-transfer")),
  fromBlock: optional(Index),
  toBlock: optional(Index)
}
const collection = { collectionAddress: NonEmptyText, excludeMetadata: optional(Schema.Boolean) }
const mint = {
  to: NonEmptyText,
  contractAddress: NonEmptyText,
  tokenId: TokenId,
  minter: optional(NonEmptyText)
}

const ownBalances = Schema.Struct({ ...addressFields, ...pageFields, ...streamFields }).pipe(
  Schema.filter(findAddressProblem)
)
const ownTransfers = Schema.Struct({
  ...addressFields,
  ...filter,
  ...pageFields,
  ...streamFields,
  tokenAddress: optional(NonEmptyText),
  tokenId: optional(TokenId)
}).pipe(Schema.filter(findAddressProblem))

const check = {
  collection: makeInputCheck(
    "nft.createNftCollection",
    queryStruct({
      name: NonEmptyText,
      symbol: NonEmptyText,
      owner: NonEmptyText,
      minter: optional(NonEmptyText),
      baseURI: optional(NonEmptyText)
    })
  ),
  multiToken: makeInputCheck(
    "nft.createMultiTokenNftCollection",
    queryStruct({ owner: NonEmptyText, minter: optional(NonEmptyText), baseURI: optional(NonEmptyText) })
  ),
  mint: makeInputCheck("nft.mintNft", queryStruct({ ...mint, url: NonEmptyText })),
  mintWithMetadata: makeInputCheck(
    "nft.mintNftWithMetadata",
    queryStruct({
      ...mint,
      file: Schema.Unknown,
      metadata: Schema.Struct({ name: NonEmptyText }, { key: Schema.String, value: Schema.Unknown })
    })
  ),
  balance: makeInputCheck("nft.getBalance", ownBalances),
  transfers: makeInputCheck(
    "nft.getAllNftTransactions",
    queryStruct({ ...token, ...filter, ...pageFields, ...streamFields })
  ),
  transfersByAddress: makeInputCheck("nft.getAllNftTransactionsByAddress", ownTransfers),
  metadata: makeInputCheck("nft.getNftMetadata", queryStruct(token)),
  owners: makeInputCheck("nft.getNftOwner", queryStruct({ ...token, ...pageFields, ...streamFields })),
  owner: makeInputCheck("nft.checkNftOwner", queryStruct({ ...token, owner: NonEmptyText })),
  tokens: makeInputCheck(
    "nft.getNftsInCollection",
    queryStruct({ ...collection, ...pageFields, ...streamFields })
  )
}

const readIsOwner = makeAnswerReader("nft.checkNftOwner", Schema.Boolean)

/** Checks that the answer is a list, bare or as the result of a page. The items are not checked. */
const listOf =
  <A>(call: string) =>
  (said: unknown): Effect.Effect<ReadonlyArray<A>, GatewayCallError> => {
    const page = toPage(said)
    return isRecord(page) && Array.isArray(page.result)
      ? Effect.succeed(page.result)
      : Effect.fail(
          new GatewayError({ call, kind: "malformed", messages: ["The provider's answer is not a list."] })
        )
  }

/** The default page size. */
const DEFAULT_STREAM_PAGE_SIZE = 50

/** Adds the urls of earlier uploads to the error of a step, whatever the error is: without them the uploads would be lost. */
const withUploads =
  (...uploaded: ReadonlyArray<string>) =>
  (error: GatewayCallError): GatewayError | Aborted => {
    // the client has ended, and nobody waits for the urls
    if (error._tag === "Aborted") return error
    const { call } = error
    if (error._tag === "QuotaExceeded")
      return new GatewayError({ call, kind: "connect", messages: [error.message], uploaded })
    const { code, dashboardLog, kind, messages, status } = error
    return new GatewayError({
      call,
      kind,
      messages,
      uploaded,
      ...omitMissing({ code, dashboardLog, status })
    })
  }

/** The JSON of a value, or why it has none. */
const stringifyMetadata = (metadata: object): Effect.Effect<string, InvalidArgument> =>
  Effect.try({
    try: () => JSON.stringify(metadata),
    catch: () =>
      new InvalidArgument({ call: "nft.mintNftWithMetadata", reason: "metadata cannot be written as JSON" })
  })

/** The parts that the requests of the service need. */
interface NftContext extends DataClient {
  readonly storage: StorageService
  /** Refuses a network that a route does not serve. */
  readonly checkServed: (route: DataRouteName | "deployments") => Effect.Effect<void, NotSupportedForNetwork>
}

const send = (
  { config: { network: chain }, gateway }: NftContext,
  to: string,
  body: object
): Effect.Effect<TransactionId, GatewayCallError> =>
  Effect.flatMap(
    gateway.request({ method: "POST", path: to, body: { ...body, chain }, write: true }),
    readTransaction
  )

type Failure = GatewayCallError | InvalidArgument

const requestList = <A>(
  context: NftContext,
  {
    call,
    change = () => readRenamedRow,
    query,
    route
  }: Pick<DataRequest<A, never>, "call" | "query" | "route"> & {
    readonly change?: (generation: Generation) => (row: unknown) => unknown
  }
): Effect.Effect<ReadonlyArray<A>, Failure> => {
  const read = listOf<A>(call)
  return Effect.map(
    requestParts(context, {
      call,
      chain: chainOfClient(context, route),
      route,
      query,
      read: (said, generation) => read(mapPage(change(generation))(said))
    }),
    (pages) => pages.flat()
  )
}

/** {@link Paging} and {@link Fetching} after their checks. */
type PagedQuery = {
  readonly pageSize?: number | undefined
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** A list by page and as a stream: `ask` gets the checked query, and the offset to begin at. */
const makePaged = <Q extends PagedQuery, A>(
  { checkServed }: NftContext,
  route: DataRouteName,
  checked: (query: unknown) => Effect.Effect<Q, InvalidArgument>,
  ask: (query: Q, pageSize: number | undefined, offset: number) => Effect.Effect<ReadonlyArray<A>, Failure>
) => ({
  page: (query: unknown): Effect.Effect<ReadonlyArray<A>, NftError> =>
    Effect.flatMap(Effect.zipRight(checkServed(route), checked(query)), (valid) =>
      ask(valid, valid.pageSize, valid.page ?? 0)
    ),
  stream: (query: unknown): Stream.Stream<A, NftError> =>
    Stream.unwrap(
      Effect.map(Effect.zipRight(checkServed(route), checked(query)), (valid) => {
        const { limit, pageSize = DEFAULT_STREAM_PAGE_SIZE } = valid
        return streamByOffset({ pageSize, limit, fetch: (offset) => ask(valid, pageSize, offset) })
      })
    )
})

type TransferQuery = AddressQuery & {
  readonly tokenAddress?: string | undefined
  readonly tokenId?: string | undefined
  readonly transactionType?: string | undefined
  readonly fromBlock?: number | undefined
  readonly toBlock?: number | undefined
}

const makeTransfersRequest =
  (context: NftContext) =>
  (
    query: TransferQuery,
    pageSize: number | undefined,
    offset: number
  ): Effect.Effect<ReadonlyArray<NftTransaction>, Failure> =>
    requestList(context, {
      call: "nft.getAllNftTransactions",
      route: "history",
      query: {
        addresses: addressesOf(query),
        tokenTypes: "nft,multitoken",
        tokenAddress: query.tokenAddress,
        tokenId: query.tokenId,
        transactionSubtype: query.transactionType,
        blockFrom: query.fromBlock,
        blockTo: query.toBlock,
        pageSize: pageSize ?? DEFAULT_STREAM_PAGE_SIZE,
        offset
      }
    })

/** Uploads the image and its description, and mints the token that has them. */
const mintWithMetadata = (
  context: NftContext,
  query: Parameters<NftService["mintNftWithMetadata"]>[0]
): ReturnType<NftService["mintNftWithMetadata"]> =>
  Effect.gen(function* () {
    const { checkServed, storage } = context
    yield* checkServed("deployments")
    const { file: _, metadata, ...body } = yield* check.mintWithMetadata(query)
    // checked before the upload, which would be useless otherwise
    yield* stringifyMetadata(metadata)
    const image = yield* storage.uploadFile({ file: query.file })
    const document = yield* stringifyMetadata({ ...metadata, image: `ipfs://${image.ipfsHash}` })
    const uploadedDocument = yield* Effect.mapError(storage.uploadFile({ file: document }), (error) =>
      error._tag === "GatewayError" || error._tag === "QuotaExceeded"
        ? withUploads(`ipfs://${image.ipfsHash}`)(error)
        : error
    )
    const url = `ipfs://${uploadedDocument.ipfsHash}`
    return yield* Effect.mapError(
      send(context, "contract/erc721/mint", { ...body, url }),
      withUploads(`ipfs://${image.ipfsHash}`, url)
    )
  })

/** A token of a collection on the client's network, which v4 does not repeat, with the SDK's name for its kind. */
const readDetail =
  ({ config: { network } }: NftContext) =>
  (row: unknown): unknown => {
    const detail = readRenamedRow(row)
    return isRecord(detail)
      ? { chain: network, ...omitMissing({ type: detail.tokenType }), ...detail }
      : detail
  }

/** Reads the metadata of one token; null if the provider has none. */
const readMetadata = (
  context: NftContext,
  query: Parameters<NftService["getNftMetadata"]>[0]
): ReturnType<NftService["getNftMetadata"]> =>
  Effect.zipRight(context.checkServed("metadata"), check.metadata(query)).pipe(
    Effect.flatMap(({ tokenAddress, tokenId }) =>
      requestDocuments(
        context,
        { call: "nft.getNftMetadata", chain: chainOfClient(context, "metadata") },
        { tokenAddress, tokenIds: [tokenId] }
      )
    ),
    Effect.map(mapPage(readDetail(context))),
    Effect.flatMap(listOf<NftDetail>("nft.getNftMetadata")),
    Effect.map(([detail = null]) => detail)
  )

/** Reads whether an address owns a token. */
const readOwnership = (
  context: NftContext,
  query: Parameters<NftService["checkNftOwner"]>[0]
): ReturnType<NftService["checkNftOwner"]> =>
  Effect.zipRight(context.checkServed("ownership"), check.owner(query)).pipe(
    Effect.flatMap(({ owner: address, tokenAddress, tokenId }) =>
      requestOwnership(
        context,
        { call: "nft.checkNftOwner", chain: chainOfClient(context, "ownership") },
        { address, tokenAddress, tokenId }
      )
    ),
    Effect.flatMap(readIsOwner)
  )

/** The lists that have several pages. */
const makeLists = (context: NftContext) => ({
  balances: makePaged(
    context,
    "portfolio",
    check.balance,
    (query, pageSize = DEFAULT_STREAM_PAGE_SIZE, offset) =>
      requestList<NftBalance>(context, {
        call: "nft.getBalance",
        route: "portfolio",
        query: { addresses: addressesOf(query), tokenTypes: "nft,multitoken", pageSize, offset },
        change: balanceReaderFor
      })
  ),
  transfers: makePaged(context, "history", check.transfers, makeTransfersRequest(context)),
  transfersByAddress: makePaged(context, "history", check.transfersByAddress, makeTransfersRequest(context)),
  owners: makePaged(context, "owners", check.owners, ({ tokenAddress, tokenId }, pageSize, offset) =>
    Effect.flatMap(
      requestOwners(
        context,
        { call: "nft.getNftOwner", chain: chainOfClient(context, "owners") },
        { tokenAddress, tokenId, pageSize, offset }
      ),
      listOf<string>("nft.getNftOwner")
    )
  ),
  tokens: makePaged(
    context,
    "collections",
    check.tokens,
    ({ collectionAddress, excludeMetadata }, pageSize, offset) =>
      requestList<NftDetail>(context, {
        call: "nft.getNftsInCollection",
        route: "collections",
        query: { collectionAddresses: collectionAddress, excludeMetadata, pageSize, offset },
        change: () => readDetail(context)
      })
  )
})

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<NftService, never, Config | Gateway> = Effect.gen(function* () {
  const parts = yield* makeDataClient
  const { config } = parts
  const { dataApi, network } = config
  const checkServed: NftContext["checkServed"] = (route) =>
    hasService(config, "nft") && isServed(route, network, dataApi, config.info.routes)
      ? Effect.void
      : Effect.fail(
          new NotSupportedForNetwork({ network, feature: "nft", networks: networksServedBy(route, dataApi) })
        )
  const context: NftContext = { ...parts, storage: yield* makeStorage, checkServed }
  const { balances, owners, tokens, transfers, transfersByAddress } = makeLists(context)
  return {
    createNftCollection: (query) =>
      Effect.flatMap(Effect.zipRight(checkServed("deployments"), check.collection(query)), (body) =>
        send(context, "contract/deploy", { ...body, contractType: "nft" })
      ),
    createMultiTokenNftCollection: (query) =>
      Effect.flatMap(Effect.zipRight(checkServed("deployments"), check.multiToken(query)), (body) =>
        send(context, "contract/deploy", { ...body, contractType: "multitoken" })
      ),
    mintNft: (query) =>
      Effect.flatMap(Effect.zipRight(checkServed("deployments"), check.mint(query)), (body) =>
        send(context, "contract/erc721/mint", body)
      ),
    mintNftWithMetadata: (query) => mintWithMetadata(context, query),
    getBalance: balances.page,
    streamBalance: balances.stream,
    getAllNftTransactions: transfers.page,
    streamAllNftTransactions: transfers.stream,
    getAllNftTransactionsByAddress: transfersByAddress.page,
    streamAllNftTransactionsByAddress: transfersByAddress.stream,
    getNftMetadata: (query) => readMetadata(context, query),
    getNftOwner: owners.page,
    streamNftOwner: owners.stream,
    checkNftOwner: (query) => readOwnership(context, query),
    getNftsInCollection: tokens.page,
    streamNftsInCollection: tokens.stream
  }
})

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Nft, never, Config | Gateway> = /*#__PURE__*/ Layer.effect(Nft, make)
