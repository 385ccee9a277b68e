/**
 * Fungible tokens of the EVM networks of the data API: balances, details of tokens, transfers, and deploying new ones.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Config, ResolvedConfig } from "../config/Config.js"
import type { Uncovered, Unserved } from "../data/Coverage.js"
import { type DataRouteName, isServed, networksServedBy } from "../data/dataRoutes.js"
import type * as Network from "../data/Network.js"
import {
  type GatewayCallError,
  type InvalidArgument,
  type LoadError,
  NotSupportedForNetwork
} from "../data/SdkError.js"
import { hasService } from "../data/serviceCoverage.js"
import { isRecord } from "../data/untrusted.js"
import type { AddressSelection } from "./Address.js"
import type { Direction, Fetching, NewToken, TransactionId } from "./DataApi.js"
import type { Gateway } from "./Gateway.js"
import { toPlainDecimal } from "./internal/amounts.js"
import {
  type AddressQuery,
  addressesOf,
  DirectionSchema,
  findAddressProblem,
  findSupplyProblem,
  Index,
  joinWithCommas,
  NonEmptyText,
  oneOfWords,
  pageFields,
  queryStruct,
  streamFields,
  tokenFields
} from "./internal/dataInput.js"
import {
  balanceReaderFor,
  chainOfClient,
  type DataClient,
  makeDataClient,
  mapPage,
  readRenamedRow,
  requestOne
} from "./internal/dataRequests.js"
import {
  BalanceRow,
  OptionalCount,
  OptionalText,
  omitMissing,
  pageStruct,
  TransferRow
} from "./internal/dataRows.js"
import { streamByOffset } from "./internal/offsets.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"

/**
 * A question for balances: `page` counts from 0 (default 0) and has `pageSize` tokens (default 50).
 *
 * @since 0.1.0
 * @category models
 */
export type TokenBalanceQuery = AddressSelection & {
  readonly pageSize?: number
  readonly page?: number
}

/**
 * A balance of a fungible token. `balance` is an exact decimal string in whole tokens. v4 of the data API has `decimals`; the legacy API
 * has the block of the last change.
 *
 * @since 0.1.0
 * @category models
 */
export interface FungibleBalance {
  readonly chain: string
  readonly tokenAddress: string
  readonly type: "fungible"
  readonly lastUpdatedBlockNumber?: number
  readonly address: string
  readonly balance: string
  readonly decimals?: number
}

/**
 * The details of a fungible token. `supply` and `cap` are decimal strings in whole tokens, as far as the provider knows them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenMetadata {
  readonly symbol?: string
  readonly name?: string
  readonly supply?: string
  readonly decimals?: number
  readonly tokenType: "fungible" | "nft" | "multitoken"
  readonly cap?: string
}

/**
 * A question for transfers of fungible tokens. Blocks are inclusive; `page` counts from 0 (default 0) and has `pageSize`
 * transfers (default 50).
 *
 * @since 0.1.0
 * @category models
 */
export type FungibleTransactionsQuery = AddressSelection & {
  readonly tokenAddress?: string
  /** Directions of the transfers. Default: all. */
  readonly transactionTypes?: ReadonlyArray<Direction>
  readonly blockFrom?: number
  readonly blockTo?: number
  readonly pageSize?: number
  readonly page?: number
}

/**
 * A transfer of a token. `amount` is an exact decimal string in whole tokens, negative for outgoing ones; `timestamp` is in milliseconds
 * since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenTransaction {
  readonly chain: string
  readonly blockNumber: number
  readonly hash: string
  readonly transactionType: "native" | "fungible" | "nft" | "multitoken" | "internal"
  readonly transactionIndex?: number
  readonly tokenAddress?: string
  readonly amount: string
  readonly timestamp: number
  readonly address: string
  readonly counterAddress?: string
  readonly transactionSubtype?: Direction
}

/**
 * The errors of a question for balances of tokens.
 *
 * @since 0.1.0
 * @category errors
 */
export type TokenBalanceError<N extends Network.AnyNetwork = Network.Network> =
  | GatewayCallError
  | LoadError
  | InvalidArgument
  | Uncovered<N, "token", NotSupportedForNetwork>

/**
 * The errors of the other calls, each of which has a route of its own.
 *
 * @since 0.1.0
 * @category errors
 */
export type TokenError<
  N extends Network.AnyNetwork = Network.Network,
  R extends DataRouteName | "deployments" = DataRouteName
> =
  | GatewayCallError
  | LoadError
  | InvalidArgument
  | Uncovered<N, "token", NotSupportedForNetwork>
  | Unserved<N, R, NotSupportedForNetwork>

/**
 * Fungible tokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenService<N extends Network.AnyNetwork = Network.Network> {
  /** Fungible tokens that addresses have. */
  readonly getBalance: (
    query: TokenBalanceQuery
  ) => Effect.Effect<ReadonlyArray<FungibleBalance>, TokenBalanceError<N>>
  /** Fungible tokens of addresses. Pages are fetched as they are consumed. */
  readonly streamBalance: (
    query: AddressSelection & Fetching
  ) => Stream.Stream<FungibleBalance, TokenBalanceError<N>>
  /** The details of a token. */
  readonly getTokenMetadata: (query: {
    readonly tokenAddress: string
  }) => Effect.Effect<TokenMetadata, TokenError<N, "tokens">>
  /** Deploys a fungible token; never sent twice. */
  readonly createNewFungibleToken: (
    token: NewToken
  ) => Effect.Effect<TransactionId, TokenError<N, "deployments">>
  /** Transfers of fungible tokens. */
  readonly getAllFungibleTransactions: (
    query: FungibleTransactionsQuery
  ) => Effect.Effect<ReadonlyArray<TokenTransaction>, TokenError<N, "history">>
  /** Transfers of fungible tokens. Pages are fetched as they are consumed. */
  readonly streamAllFungibleTransactions: (
    query: AddressSelection &
      Omit<FungibleTransactionsQuery, "address" | "addresses" | "page" | "pageSize"> &
      Fetching
  ) => Stream.Stream<TokenTransaction, TokenError<N, "history">>
}

/**
 * Fungible tokens, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Token extends /*#__PURE__*/ Context.Tag("effect-chains/services/Token")<Token, TokenService>() {}

const optional = Schema.optional

const Account = Schema.String.pipe(
  Schema.pattern(/^0x[0-9a-fA-F]{40}$/, {
    message: () => "must be an address: 0x and 40 hexadecimal digits"
  })
)
const addressFields = { address: optional(Account), addresses: optional(Schema.NonEmptyArray(Account)) }
const transfers = {
  ...addressFields,
  tokenAddress: optional(Account),
  transactionTypes: optional(Schema.NonEmptyArray(DirectionSchema)),
  blockFrom: optional(Index),
  blockTo: optional(Index)
}

const checkBalance = makeInputCheck(
  "token.getBalance",
  queryStruct({ ...addressFields, ...pageFields }).pipe(Schema.filter(findAddressProblem))
)
const checkBalanceStream = makeInputCheck(
  "token.streamBalance",
  queryStruct({ ...addressFields, ...streamFields }).pipe(Schema.filter(findAddressProblem))
)
const checkToken = makeInputCheck("token.getTokenMetadata", queryStruct({ tokenAddress: Account }))
const checkNew = makeInputCheck(
  "token.createNewFungibleToken",
  queryStruct({
    ...tokenFields,
    owner: Account,
    initialHolder: Account,
    minter: optional(Account),
    pauser: optional(Account)
  }).pipe(Schema.filter(findSupplyProblem))
)
const checkTransfers = makeInputCheck(
  "token.getAllFungibleTransactions",
  queryStruct({ ...transfers, ...pageFields }).pipe(Schema.filter(findAddressProblem))
)
const checkTransferStream = makeInputCheck(
  "token.streamAllFungibleTransactions",
  queryStruct({ ...transfers, ...streamFields }).pipe(Schema.filter(findAddressProblem))
)

const readBalances = makeAnswerReader("token.getBalance", pageStruct(BalanceRow))
const readTransfers = makeAnswerReader("token.getAllFungibleTransactions", pageStruct(TransferRow))
const readToken = makeAnswerReader(
  "token.getTokenMetadata",
  Schema.Struct({
    symbol: OptionalText,
    name: OptionalText,
    supply: OptionalText,
    decimals: OptionalCount,
    tokenType: oneOfWords("fungible", "nft", "multitoken"),
    cap: OptionalText
  })
)
const readDeployed = makeAnswerReader("token.createNewFungibleToken", Schema.Struct({ txId: NonEmptyText }))

/** Items of a page. */
const DEFAULT_PAGE_SIZE = 50

/** The name of a network in this part of the data API: mainnets without the suffix, testnets by their ids. */
const providerChainOf = ({ info, network }: Pick<ResolvedConfig, "info" | "network">): string =>
  info.testnet === true ? network : network.replace(/-mainnet$/, "")

const requestBalances = (
  client: DataClient,
  owners: AddressQuery,
  pageSize: number,
  offset: number
): Effect.Effect<ReadonlyArray<FungibleBalance>, GatewayCallError | InvalidArgument> =>
  Effect.map(
    requestOne(client, {
      call: "token.getBalance",
      chain: chainOfClient(client, "portfolio"),
      route: "portfolio",
      query: { addresses: joinWithCommas(addressesOf(owners)), tokenTypes: "fungible", pageSize, offset },
      exact: true,
      read: (said, generation) => readBalances(mapPage(balanceReaderFor(generation))(said))
    }),
    ({ result }) =>
      result.map((row) => ({
        chain: row.chain ?? client.config.network,
        tokenAddress: row.tokenAddress ?? "",
        type: "fungible",
        ...omitMissing({ lastUpdatedBlockNumber: row.lastUpdatedBlockNumber }),
        address: row.address,
        balance: toPlainDecimal(row.balance),
        ...omitMissing({ decimals: row.decimals })
      }))
  )

type TransferQuery = AddressQuery & {
  readonly tokenAddress?: string | undefined
  readonly transactionTypes?: ReadonlyArray<string> | undefined
  readonly blockFrom?: number | undefined
  readonly blockTo?: number | undefined
}

const requestTransfers = (
  client: DataClient,
  query: TransferQuery,
  pageSize: number,
  offset: number
): Effect.Effect<ReadonlyArray<TokenTransaction>, GatewayCallError | InvalidArgument> =>
  Effect.map(
    requestOne(client, {
      call: "token.getAllFungibleTransactions",
      chain: { ...chainOfClient(client, "history"), legacy: providerChainOf(client.config) },
      route: "history",
      query: {
        addresses: addressesOf(query),
        transactionTypes: "fungible",
        transactionSubTypes: query.transactionTypes,
        tokenAddress: query.tokenAddress,
        blockFrom: query.blockFrom,
        blockTo: query.blockTo,
        pageSize,
        offset
      },
      exact: true,
      read: (said) => readTransfers(mapPage(readRenamedRow)(said))
    }),
    ({ result }) =>
      result.map(({ tokenId: _, ...row }) => omitMissing({ ...row, amount: toPlainDecimal(row.amount) }))
  )

/** The details of a token. In the provider's description of today they are the only item of a list, with `type` for their kind. */
const firstToken = (said: unknown): unknown => {
  const token: unknown = Array.isArray(said) ? said[0] : said
  return isRecord(token) ? { tokenType: token.type, ...token } : token
}

const requestToken = (client: DataClient, query: { readonly tokenAddress: string }) =>
  requestOne(client, {
    call: "token.getTokenMetadata",
    chain: { ...chainOfClient(client, "tokens"), legacy: providerChainOf(client.config) },
    route: "tokens",
    query,
    exact: true,
    read: (said) => readToken(firstToken(said))
  })

const deployToken = (
  { config, gateway }: DataClient,
  { decimals, ...fields }: Effect.Effect.Success<ReturnType<typeof checkNew>>
) =>
  gateway
    .request({
      method: "POST",
      path: "contract/deploy",
      body: {
        ...fields,
        // the provider takes the decimals as text
        ...(decimals === undefined ? {} : { decimals: String(decimals) }),
        chain: providerChainOf(config),
        contractType: "fungible"
      },
      write: true
    })
    .pipe(Effect.flatMap(readDeployed))

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<TokenService, never, Config | Gateway> = Effect.gen(function* () {
  const client = yield* makeDataClient
  const { config } = client
  const { dataApi, network } = config
  const checkSupported = hasService(config, "token")

  /** Balances have an error of their own. */
  const withBalances: Effect.Effect<void, NotSupportedForNetwork> = checkSupported
    ? Effect.void
    : Effect.fail(
        new NotSupportedForNetwork({
          network,
          feature: "token balances",
          networks: networksServedBy("portfolio", dataApi)
        })
      )
  const checkServed = (route: DataRouteName | "deployments"): Effect.Effect<void, NotSupportedForNetwork> =>
    checkSupported && isServed(route, network, dataApi, config.info.routes)
      ? Effect.void
      : Effect.fail(
          new NotSupportedForNetwork({
            network,
            feature: "token",
            networks: networksServedBy(route, dataApi)
          })
        )

  return {
    getBalance: (query) =>
      Effect.flatMap(
        Effect.zipRight(withBalances, checkBalance(query)),
        ({ page = 0, pageSize = DEFAULT_PAGE_SIZE, ...rest }) => requestBalances(client, rest, pageSize, page)
      ),
    streamBalance: (query) =>
      Stream.unwrap(
        Effect.map(
          Effect.zipRight(withBalances, checkBalanceStream(query)),
          ({ limit, pageSize = DEFAULT_PAGE_SIZE, ...rest }) =>
            streamByOffset({
              pageSize,
              limit,
              fetch: (offset) => requestBalances(client, rest, pageSize, offset)
            })
        )
      ),
    getTokenMetadata: (query) =>
      Effect.zipRight(checkServed("tokens"), checkToken(query)).pipe(
        Effect.flatMap((fields) => requestToken(client, fields)),
        Effect.map(omitMissing)
      ),
    createNewFungibleToken: (token) =>
      Effect.flatMap(Effect.zipRight(checkServed("deployments"), checkNew(token)), (fields) =>
        deployToken(client, fields)
      ),
    getAllFungibleTransactions: (query) =>
      Effect.flatMap(
        Effect.zipRight(checkServed("history"), checkTransfers(query)),
        ({ page = 0, pageSize = DEFAULT_PAGE_SIZE, ...rest }) =>
          requestTransfers(client, rest, pageSize, page)
      ),
    streamAllFungibleTransactions: (query) =>
      Stream.unwrap(
        Effect.map(
          Effect.zipRight(checkServed("history"), checkTransferStream(query)),
          ({ limit, pageSize = DEFAULT_PAGE_SIZE, ...rest }) =>
            streamByOffset({
              pageSize,
              limit,
              fetch: (offset) => requestTransfers(client, rest, pageSize, offset)
            })
        )
      )
  }
})

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Token, never, Config | Gateway> = /*#__PURE__*/ Layer.effect(Token, make)
