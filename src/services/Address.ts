/**
 * Balances and histories of addresses: native coins over the network's own nodes or the provider, tokens and transfers
 * from the provider's data API.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ClientFamily } from "../balancer/Family.js"
import type { Declares } from "../chains/registry.js"
import { Config } from "../config/Config.js"
import type { Logger } from "../config/Logger.js"
import type { IsServed } from "../data/Coverage.js"
import { networksServedBy, type Served } from "../data/dataRoutes.js"
import type * as Network from "../data/Network.js"
import type { Aborted, LoadError, RpcCallError } from "../data/SdkError.js"
import {
  formatValue,
  type GatewayCallError,
  InvalidArgument,
  NotSupportedForNetwork,
  UtxoSingleAddress
} from "../data/SdkError.js"
import type { Transport } from "../wire/Transport.js"
import type { AssetKind, Fetching, Streaming } from "./DataApi.js"
import type { Gateway } from "./Gateway.js"
import {
  type AddressBalance,
  type BalanceRequest,
  type BalanceSource,
  selectBalanceSource
} from "./internal/balances.js"
import {
  type AddressQuery,
  addressesOf,
  addressFields,
  EITHER_PROBLEM,
  findAddressProblem,
  Index,
  Kind,
  NonEmptyText,
  oneOfWords,
  pageFields,
  queryStruct,
  streamFields,
  TransferKind
} from "./internal/dataInput.js"
import {
  type AddressTransaction,
  type HistorySource,
  selectHistorySource,
  type TransactionPage
} from "./internal/histories.js"
import { makeInputCheck } from "./internal/schema.js"

export type { AddressBalance } from "./internal/balances.js"
export type { AddressTransaction, TransactionPage } from "./internal/histories.js"

type Row<N extends Network.AnyNetwork> = Network.RowOf<N>

/**
 * One address, or several. Networks of Bitcoin's kind and the XRP ledger take one per call.
 *
 * @since 0.1.0
 * @category models
 */
export type AddressSelection =
  | { readonly address: string; readonly addresses?: undefined }
  | { readonly addresses: ReadonlyArray<string>; readonly address?: undefined }

/**
 * A query for balances. `tokenTypes` are the kinds of assets (default: all of the network). `page` counts from 0 (default 0). A page has
 * `pageSize` fungible tokens and as many of collections (default 10), and native balances in addition.
 *
 * @since 0.1.0
 * @category models
 */
export type BalanceQuery = AddressSelection & {
  readonly tokenTypes?: ReadonlyArray<AssetKind>
  readonly pageSize?: number
  readonly page?: number
}

/**
 * A question for a history. Blocks are inclusive; `page` counts from 0 (default 0) and has `pageSize` transfers (default 10; on
 * Tezos the provider's own). `transactionTypes` and `tokenAddress` are for EVM networks, `cursor` (the `nextPage` of a page) is
 * for Tezos.
 *
 * @since 0.1.0
 * @category models
 */
export type AddressTransactionsQuery = AddressSelection & {
  readonly transactionTypes?: ReadonlyArray<AssetKind | "internal">
  readonly transactionDirection?: "incoming" | "outgoing"
  readonly fromBlock?: number
  readonly toBlock?: number
  readonly pageSize?: number
  readonly page?: number
  readonly tokenAddress?: string
  readonly cursor?: string
}

/**
 * A question for a history, on a network: on Tezos it may be without an address, and the provider decides what that means.
 *
 * @since 0.1.0
 * @category models
 */
export type TransactionsQuery<N extends Network.AnyNetwork> =
  Row<N> extends { readonly family: "tezos" }
    ? AddressTransactionsQuery | Omit<AddressTransactionsQuery, "address" | "addresses">
    : AddressTransactionsQuery

/**
 * The answer to a question for a history: pages with cursors on Tezos, lists elsewhere.
 *
 * @since 0.1.0
 * @category models
 */
export type Transactions<N extends Network.AnyNetwork> = N extends Network.AnyNetwork
  ? Row<N> extends { readonly family: "tezos" }
    ? TransactionPage
    : ReadonlyArray<AddressTransaction>
  : never

type OneAddressError<N extends Network.AnyNetwork> =
  true extends Declares<N, "oneAddress"> ? UtxoSingleAddress : never

/** Those errors of a question for balances that depend on the network. */
type BalanceErrorOn<N extends Network.AnyNetwork> = N extends Network.AnyNetwork
  ?
      | (true extends Declares<N, "nativeBalances"> | Declares<N, "tokenDetails"> ? RpcCallError : never)
      | OneAddressError<N>
      | (true extends IsServed<N, "portfolio" | "utxos">
          ? GatewayCallError
          : true extends Declares<N, "account">
            ? GatewayCallError
            : never)
      | (true extends IsServed<N, "portfolio">
          ? never
          : true extends Declares<N, "account">
            ? never
            : NotSupportedForNetwork)
  : never

/**
 * The errors of a question for balances on a network.
 *
 * @since 0.1.0
 * @category errors
 */
// a union keeps its name in an editor, which a conditional type does not
export type BalanceError<N extends Network.AnyNetwork = Network.Network> =
  | InvalidArgument
  | LoadError
  | BalanceErrorOn<N>

/** Those errors of a question for a history that depend on the network. */
type HistoryErrorOn<N extends Network.AnyNetwork> = N extends Network.AnyNetwork
  ? true extends
      | IsServed<N, "history">
      | (N extends Exclude<Served<"utxoHistory">, `cardano-${string}`> ? true : never)
    ? GatewayCallError | OneAddressError<N>
    : Aborted | NotSupportedForNetwork
  : never

/**
 * The errors of a question for a history on a network.
 *
 * @since 0.1.0
 * @category errors
 */
export type HistoryError<N extends Network.AnyNetwork = Network.Network> =
  | InvalidArgument
  | LoadError
  | HistoryErrorOn<N>

/**
 * Balances and histories of addresses.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressService<N extends Network.AnyNetwork = Network.Network> {
  /** Balances of addresses: native ones first, in the order of the addresses. */
  readonly getBalance: (query: BalanceQuery) => Effect.Effect<ReadonlyArray<AddressBalance>, BalanceError<N>>
  /** Balances of addresses: native ones first, then tokens. Pages are fetched as they are consumed. */
  readonly streamBalance: (
    query: AddressSelection & { readonly tokenTypes?: ReadonlyArray<AssetKind> } & Fetching
  ) => Stream.Stream<AddressBalance, BalanceError<N>>
  /** Transfers of an address. On Tezos the address may be missing; then the provider chooses the transfers. */
  readonly getTransactions: (query: TransactionsQuery<N>) => Effect.Effect<Transactions<N>, HistoryError<N>>
  /** Transfers of an address. Pages are fetched as they are consumed. */
  readonly streamTransactions: (
    query: AddressSelection & Streaming<Omit<AddressTransactionsQuery, "address" | "addresses" | "cursor">>
  ) => Stream.Stream<AddressTransaction, HistoryError<N>>
}

/**
 * Balances and histories, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Address extends /*#__PURE__*/ Context.Tag("effect-chains/services/Address")<
  Address,
  AddressService
>() {}

const optional = Schema.optional

const Kinds = Schema.NonEmptyArray(Kind)
const transferFields = {
  ...addressFields,
  transactionTypes: optional(Schema.NonEmptyArray(TransferKind)),
  transactionDirection: optional(oneOfWords("incoming", "outgoing")),
  fromBlock: optional(Index),
  toBlock: optional(Index),
  tokenAddress: optional(NonEmptyText)
}

/** Not both of them: on Tezos the provider takes neither, too. */
const findBothProblem = ({ address, addresses }: AddressQuery): string | undefined =>
  address !== undefined && addresses !== undefined ? EITHER_PROBLEM : undefined

const balanceQuery = queryStruct({
  ...addressFields,
  tokenTypes: optional(Kinds),
  ...pageFields
}).pipe(Schema.filter(findAddressProblem))
const balanceStream = queryStruct({ ...addressFields, ...streamFields, tokenTypes: optional(Kinds) }).pipe(
  Schema.filter(findAddressProblem)
)
const historyQuery = queryStruct({
  ...transferFields,
  ...pageFields,
  cursor: optional(NonEmptyText)
}).pipe(Schema.filter(findBothProblem))
const historyStream = queryStruct({ ...transferFields, ...streamFields }).pipe(Schema.filter(findBothProblem))

/** Items of a page of a stream. */
const DEFAULT_STREAM_PAGE_SIZE = 50

/** Checks the number and the form of addresses, by the network's family. */
const makeAddressesCheck = Effect.gen(function* () {
  const { address: shape, oneAddress } = yield* ClientFamily
  const { network } = yield* Config
  return (
    call: string,
    query: AddressQuery
  ): Effect.Effect<ReadonlyArray<string>, InvalidArgument | UtxoSingleAddress> => {
    const addresses = addressesOf(query)
    if (oneAddress === true && addresses.length !== 1)
      return Effect.fail(new UtxoSingleAddress({ network, addresses: addresses.length }))
    const index = shape === undefined ? -1 : addresses.findIndex((address) => !shape[0].test(address))
    if (index < 0) return Effect.succeed(addresses)
    const name = query.address === undefined ? `addresses.${index}` : "address"
    const reason = `${name}: ${formatValue(addresses[index]?.slice(0, 60))} is not an address of ${network}, which is ${shape?.[1]}`
    return Effect.fail(new InvalidArgument({ call, reason }))
  }
})

const takeUpTo = <A, E>(limit: number | undefined, all: Stream.Stream<A, E>): Stream.Stream<A, E> =>
  limit === undefined ? all : Stream.take(all, limit)

const makeBalances = Effect.gen(function* () {
  const { network } = yield* Config
  const check = yield* makeAddressesCheck
  const source = yield* selectBalanceSource
  const checkQuery = makeInputCheck("address.getBalance", balanceQuery)
  const checkStream = makeInputCheck("address.streamBalance", balanceStream)

  /** The balances that are wanted, and their source, if the network has them. */
  const planBalances = (
    call: string,
    query: AddressQuery & { readonly tokenTypes?: ReadonlyArray<AssetKind> | undefined }
  ): Effect.Effect<
    { readonly found: BalanceSource; readonly wanted: BalanceRequest },
    InvalidArgument | NotSupportedForNetwork | UtxoSingleAddress
  > => {
    const { tokenTypes: kinds } = query
    return source !== undefined && (source.hasTokens || (kinds?.includes("native") ?? true))
      ? Effect.map(check(call, query), (addresses) => ({ found: source, wanted: { addresses, kinds } }))
      : Effect.fail(new NotSupportedForNetwork({ network, feature: "address balances" }))
  }

  const getBalance: AddressService["getBalance"] = (query) =>
    Effect.flatMap(checkQuery(query), ({ page = 0, pageSize, ...rest }) =>
      Effect.flatMap(planBalances("address.getBalance", rest), ({ found, wanted }) =>
        found.page(wanted, { page, pageSize })
      )
    )

  const streamBalance: AddressService["streamBalance"] = (query) =>
    Stream.unwrap(
      Effect.flatMap(checkStream(query), ({ limit, pageSize = DEFAULT_STREAM_PAGE_SIZE, ...rest }) =>
        Effect.map(planBalances("address.streamBalance", rest), ({ found, wanted }) =>
          takeUpTo(limit, found.stream(wanted, pageSize))
        )
      )
    )

  return { getBalance, streamBalance }
})

const makeHistories = Effect.gen(function* () {
  const { network } = yield* Config
  const check = yield* makeAddressesCheck
  const source = yield* selectHistorySource
  const checkQuery = makeInputCheck("address.getTransactions", historyQuery)
  const checkStream = makeInputCheck("address.streamTransactions", historyStream)

  /** The addresses, and the source of their histories, if the network has them. */
  const planHistory = (
    call: string,
    query: AddressQuery
  ): Effect.Effect<
    { readonly addresses: ReadonlyArray<string>; readonly found: HistorySource },
    InvalidArgument | NotSupportedForNetwork | UtxoSingleAddress
  > => {
    if (source === undefined)
      return Effect.fail(
        new NotSupportedForNetwork({
          network,
          feature: "address history",
          networks: networksServedBy("history")
        })
      )
    const hasNoAddress = addressesOf(query).length === 0
    if (hasNoAddress && !source.withoutAddress)
      return Effect.fail(new InvalidArgument({ call, reason: EITHER_PROBLEM }))
    return Effect.map(hasNoAddress ? Effect.succeed([]) : check(call, query), (addresses) => ({
      addresses,
      found: source
    }))
  }

  const getTransactions: AddressService["getTransactions"] = (query) =>
    Effect.flatMap(checkQuery(query), ({ page = 0, ...rest }) =>
      Effect.flatMap(planHistory("address.getTransactions", rest), ({ addresses, found }) =>
        found.page(addresses, rest, page)
      )
    )

  const streamTransactions: AddressService["streamTransactions"] = (query) =>
    Stream.unwrap(
      Effect.flatMap(checkStream(query), ({ limit, pageSize = DEFAULT_STREAM_PAGE_SIZE, ...rest }) =>
        Effect.map(planHistory("address.streamTransactions", rest), ({ addresses, found }) =>
          takeUpTo(limit, found.stream(addresses, { ...rest, pageSize }))
        )
      )
    )

  return { getTransactions, streamTransactions }
})

/**
 * Makes the service over the nodes and the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  AddressService,
  never,
  ClientFamily | Config | Gateway | Logger | Transport
> = Effect.zipWith(makeBalances, makeHistories, (ofBalances, ofHistories) => ({
  ...ofBalances,
  ...ofHistories
}))

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Address, never, ClientFamily | Config | Gateway | Logger | Transport> =
  /*#__PURE__*/ Layer.effect(Address, make)
