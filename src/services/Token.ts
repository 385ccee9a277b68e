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
import { covers } from "../data/covers.js"
import { type DataRouteName, isServed, servedBy } from "../data/dataRoutes.js"
import { isRecord } from "../data/foreign.js"
import type * as Network from "../data/Network.js"
import {
  type GatewayCallError,
  type InvalidArgument,
  type LoadError,
  NotSupportedForNetwork,
  UnsupportedNetwork
} from "../data/SdkError.js"
import type { Addressed } from "./Address.js"
import type { Fetching, Direction as Flow, NewToken, TransactionId } from "./DataApi.js"
import type { Gateway } from "./Gateway.js"
import { plain } from "./internal/amounts.js"
import {
  addressesOf,
  Direction,
  eitherOr,
  Filled,
  fetching,
  Index,
  joined,
  type Owners,
  oneOf,
  paging,
  queryOf,
  supplyProblem,
  tokenFields
} from "./internal/dataInput.js"
import {
  askOne,
  balanceIn,
  type DataClient,
  dataClient,
  mapPage,
  ownChain,
  renamedRow
} from "./internal/dataRequests.js"
import { BalanceRow, pageOf, present, SomeCount, SomeText, TransferRow } from "./internal/dataRows.js"
import { byOffset } from "./internal/offsets.js"
import { answer, input } from "./internal/schema.js"

/**
 * A question for balances: `page` counts from 0 (default 0) and has `pageSize` tokens (default 50).
 *
 * @since 0.1.0
 * @category models
 */
export type TokenBalanceQuery = Addressed & {
  readonly pageSize?: number
  readonly page?: number
}

/**
 * A balance of a fungible token. `balance` is a decimal string in whole tokens, exact. Today's data API tells `decimals`, the one before
 * it the block of the last change.
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
export type FungibleTransactionsQuery = Addressed & {
  readonly tokenAddress?: string
  /** Directions of the transfers. Default: all. */
  readonly transactionTypes?: ReadonlyArray<Flow>
  readonly blockFrom?: number
  readonly blockTo?: number
  readonly pageSize?: number
  readonly page?: number
}

/**
 * A transfer of a token. `amount` is a decimal string in whole tokens, exact, and negative where they left; `timestamp` is
 * in milliseconds since 1970.
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
  readonly transactionSubtype?: Flow
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
 * The errors of the other calls, each of which asks a route of its own.
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
  | Uncovered<N, "token", UnsupportedNetwork>
  | Unserved<N, R, UnsupportedNetwork>

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
  /** Fungible tokens that addresses have, page by page as they are consumed. */
  readonly streamBalance: (
    query: Addressed & Fetching
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
  /** Transfers of fungible tokens, page by page as they are consumed. */
  readonly streamAllFungibleTransactions: (
    query: Addressed &
      Omit<FungibleTransactionsQuery, "address" | "addresses" | "page" | "pageSize"> &
      Fetching
  ) => Stream.Stream<TokenTransaction, TokenError<N, "history">>
}

/**
 * Fungible tokens, for the client at hand.
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
const addressed = { address: optional(Account), addresses: optional(Schema.NonEmptyArray(Account)) }
const transfers = {
  ...addressed,
  tokenAddress: optional(Account),
  transactionTypes: optional(Schema.NonEmptyArray(Direction)),
  blockFrom: optional(Index),
  blockTo: optional(Index)
}

const checkBalance = input(
  "token.getBalance",
  queryOf({ ...addressed, ...paging }).pipe(Schema.filter(eitherOr))
)
const checkBalanceStream = input(
  "token.streamBalance",
  queryOf({ ...addressed, ...fetching }).pipe(Schema.filter(eitherOr))
)
const checkToken = input("token.getTokenMetadata", queryOf({ tokenAddress: Account }))
const checkNew = input(
  "token.createNewFungibleToken",
  queryOf({
    ...tokenFields,
    owner: Account,
    initialHolder: Account,
    minter: optional(Account),
    pauser: optional(Account)
  }).pipe(Schema.filter(supplyProblem))
)
const checkTransfers = input(
  "token.getAllFungibleTransactions",
  queryOf({ ...transfers, ...paging }).pipe(Schema.filter(eitherOr))
)
const checkTransferStream = input(
  "token.streamAllFungibleTransactions",
  queryOf({ ...transfers, ...fetching }).pipe(Schema.filter(eitherOr))
)

const readBalances = answer("token.getBalance", pageOf(BalanceRow))
const readTransfers = answer("token.getAllFungibleTransactions", pageOf(TransferRow))
const readToken = answer(
  "token.getTokenMetadata",
  Schema.Struct({
    symbol: SomeText,
    name: SomeText,
    supply: SomeText,
    decimals: SomeCount,
    tokenType: oneOf("fungible", "nft", "multitoken"),
    cap: SomeText
  })
)
const readDeployed = answer("token.createNewFungibleToken", Schema.Struct({ txId: Filled }))

/** Items of a page. */
const PAGE = 50

/**
 * A mainnet of the data API as this part of the API has it: without the kind of network in its name. Testnets have their
 * ids.
 */
const chainOf = ({ info, network }: Pick<ResolvedConfig, "info" | "network">): string =>
  info.testnet === true ? network : network.replace(/-mainnet$/, "")

const askBalances = (
  asked: DataClient,
  owners: Owners,
  pageSize: number,
  offset: number
): Effect.Effect<ReadonlyArray<FungibleBalance>, GatewayCallError | InvalidArgument> =>
  Effect.map(
    askOne(asked, {
      call: "token.getBalance",
      chain: ownChain(asked, "portfolio"),
      route: "portfolio",
      query: { addresses: joined(addressesOf(owners)), tokenTypes: "fungible", pageSize, offset },
      exact: true,
      read: (said, generation) => readBalances(mapPage(balanceIn(generation))(said))
    }),
    ({ result }) =>
      result.map((row) => ({
        chain: row.chain ?? asked.config.network,
        tokenAddress: row.tokenAddress ?? "",
        type: "fungible",
        ...present({ lastUpdatedBlockNumber: row.lastUpdatedBlockNumber }),
        address: row.address,
        balance: plain(row.balance),
        ...present({ decimals: row.decimals })
      }))
  )

type Transfers = Owners & {
  readonly tokenAddress?: string | undefined
  readonly transactionTypes?: ReadonlyArray<string> | undefined
  readonly blockFrom?: number | undefined
  readonly blockTo?: number | undefined
}

const askTransfers = (
  asked: DataClient,
  query: Transfers,
  pageSize: number,
  offset: number
): Effect.Effect<ReadonlyArray<TokenTransaction>, GatewayCallError | InvalidArgument> =>
  Effect.map(
    askOne(asked, {
      call: "token.getAllFungibleTransactions",
      chain: { ...ownChain(asked, "history"), legacy: chainOf(asked.config) },
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
      read: (said) => readTransfers(mapPage(renamedRow)(said))
    }),
    ({ result }) => result.map(({ tokenId: _, ...row }) => present({ ...row, amount: plain(row.amount) }))
  )

/** The details of a token. In the provider's description of today they are the only item of a list, with `type` for their kind. */
const tokenIn = (said: unknown): unknown => {
  const token: unknown = Array.isArray(said) ? said[0] : said
  return isRecord(token) ? { tokenType: token.type, ...token } : token
}

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<TokenService, never, Config | Gateway> = Effect.gen(function* () {
  const asked = yield* dataClient
  const { config, gateway } = asked
  const { dataApi, network } = config
  const supported = covers(config, "token")

  /** The refusal of balances has words of its own. */
  const withBalances: Effect.Effect<void, NotSupportedForNetwork> = supported
    ? Effect.void
    : Effect.fail(new NotSupportedForNetwork({ network, networks: servedBy("portfolio", dataApi) }))
  const served = (route: DataRouteName | "deployments"): Effect.Effect<void, UnsupportedNetwork> =>
    supported && isServed(route, network, dataApi, config.info.routes)
      ? Effect.void
      : Effect.fail(new UnsupportedNetwork({ network, networks: servedBy(route, dataApi) }))

  return {
    getBalance: (query) =>
      Effect.flatMap(
        Effect.zipRight(withBalances, checkBalance(query)),
        ({ page = 0, pageSize = PAGE, ...rest }) => askBalances(asked, rest, pageSize, page)
      ),
    streamBalance: (query) =>
      Stream.unwrap(
        Effect.map(
          Effect.zipRight(withBalances, checkBalanceStream(query)),
          ({ limit, pageSize = PAGE, ...rest }) =>
            byOffset({ pageSize, limit, fetch: (offset) => askBalances(asked, rest, pageSize, offset) })
        )
      ),
    getTokenMetadata: (query) =>
      Effect.zipRight(served("tokens"), checkToken(query)).pipe(
        Effect.flatMap((fields) =>
          askOne(asked, {
            call: "token.getTokenMetadata",
            chain: { ...ownChain(asked, "tokens"), legacy: chainOf(config) },
            route: "tokens",
            query: fields,
            exact: true,
            read: (said) => readToken(tokenIn(said))
          })
        ),
        Effect.map(present)
      ),
    createNewFungibleToken: (token) =>
      Effect.zipRight(served("deployments"), checkNew(token)).pipe(
        Effect.flatMap(({ decimals, ...fields }) =>
          gateway.request({
            method: "POST",
            path: "contract/deploy",
            // the provider takes the decimals as text
            body: {
              ...fields,
              ...(decimals === undefined ? {} : { decimals: String(decimals) }),
              chain: chainOf(config),
              contractType: "fungible"
            },
            write: true
          })
        ),
        Effect.flatMap(readDeployed)
      ),
    getAllFungibleTransactions: (query) =>
      Effect.flatMap(
        Effect.zipRight(served("history"), checkTransfers(query)),
        ({ page = 0, pageSize = PAGE, ...rest }) => askTransfers(asked, rest, pageSize, page)
      ),
    streamAllFungibleTransactions: (query) =>
      Stream.unwrap(
        Effect.map(
          Effect.zipRight(served("history"), checkTransferStream(query)),
          ({ limit, pageSize = PAGE, ...rest }) =>
            byOffset({ pageSize, limit, fetch: (offset) => askTransfers(asked, rest, pageSize, offset) })
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
