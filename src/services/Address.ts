/**
 * Balances and histories of addresses: native coins over the network's own nodes or the provider, tokens and transfers
 * from the provider's data API.
 *
 * @since 0.1.0
 */
import * as Cache from "effect/Cache"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Checks, type TokenDetails } from "../balancer/Family.js"
import { Config } from "../config/Config.js"
import { Logger } from "../config/Logger.js"
import * as Network from "../data/Network.js"
import {
  GatewayError,
  InvalidArgument,
  NotSupportedForNetwork,
  shownValue,
  UnsupportedNetworkForNow,
  UtxoSingleAddress
} from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { over, routingOf } from "../transport/Client.js"
import { type CallError, Transport } from "../wire/Transport.js"
import { type AssetKind, type Direction, type Fetching, paths, type Streaming } from "./Data.js"
import { Gateway } from "./Gateway.js"
import { Holding, plain, sum } from "./internal/amounts.js"
import {
  Filled,
  Index,
  joined,
  Kind,
  oneOf,
  PageSize,
  queryOf,
  TransferKind,
  wire
} from "./internal/dataInput.js"
import { BalanceRow, pageOf, present, TransferRow, transferOf } from "./internal/dataRows.js"
import { ending } from "./internal/ends.js"
import { byOffset } from "./internal/offsets.js"
import { answer, input } from "./internal/schema.js"
import { HistoryRow, netOf } from "./internal/utxoHistory.js"

type Row<N extends Network.Network> = (typeof Network.networks)[N]

/**
 * Which addresses: one, or several. Networks of Bitcoin's kind and the XRP ledger take one per call.
 *
 * @since 0.1.0
 * @category models
 */
export type Addressed =
  | { readonly address: string; readonly addresses?: undefined }
  | { readonly addresses: ReadonlyArray<string>; readonly address?: undefined }

/**
 * Whose balances. `tokenTypes` is what they are to be of (default: everything that the network has), `page` counts from 0
 * (default 0), and a page has `pageSize` tokens (default 10; native balances come on top).
 *
 * @since 0.1.0
 * @category models
 */
export type BalanceQuery = Addressed & {
  readonly tokenTypes?: ReadonlyArray<AssetKind>
  readonly pageSize?: number
  readonly page?: number
}

/**
 * A balance. `balance` is a decimal string in whole coins or tokens, exact. `asset` is the ticker and `decimals` are those of
 * the coin or token, where they are known. A TRC-20 contract that has no decimals leaves its balance in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressBalance {
  readonly address: string
  readonly asset?: string
  readonly decimals?: number
  readonly balance: string
  readonly type: AssetKind
  readonly tokenAddress?: string
  readonly tokenId?: string
  readonly lastUpdatedBlockNumber?: number
}

/**
 * Which transfers. Blocks are inclusive; `page` counts from 0 (default 0) and has `pageSize` transfers (default 10; on Tezos
 * the provider's own). `transactionTypes` and `tokenAddress` are for EVM networks, `cursor` (the `nextPage` of a page) is
 * for Tezos.
 *
 * @since 0.1.0
 * @category models
 */
export type AddressTransactionsQuery = Addressed & {
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
 * Which transfers, on a network: on Tezos it is for the provider to say what a question without an address means.
 *
 * @since 0.1.0
 * @category models
 */
export type TransactionsQuery<N extends Network.Network> =
  Row<N> extends { readonly data: "tezos" }
    ? AddressTransactionsQuery | Omit<AddressTransactionsQuery, "address" | "addresses">
    : AddressTransactionsQuery

/**
 * A transfer, or on networks of Bitcoin's kind what a transaction has changed for the address. `amount` is a decimal string
 * in whole coins or tokens, exact: negative where tokens left on networks of the data API, and with the direction in
 * `transactionType` and never negative on the others. `timestamp` is in milliseconds since 1970, on networks of Bitcoin's
 * kind in seconds. A transaction that is in no block yet has no `blockNumber`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressTransaction {
  readonly chain: string
  readonly hash: string
  readonly address: string
  readonly blockNumber?: number
  readonly timestamp: number
  readonly transactionType: AssetKind | "internal" | "incoming" | "outgoing"
  readonly transactionSubtype?: Direction
  readonly transactionIndex?: number
  readonly amount: string
  readonly counterAddress?: string
  readonly tokenAddress?: string
  readonly tokenId?: string
}

/**
 * A page of transfers. `prevPage` and `nextPage` are cursors, empty where there is no such page.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionPage {
  readonly result: ReadonlyArray<AddressTransaction>
  readonly prevPage: string
  readonly nextPage: string
}

/**
 * What a history is: pages with cursors on Tezos, lists elsewhere.
 *
 * @since 0.1.0
 * @category models
 */
export type Transactions<N extends Network.Network> = N extends Network.Network
  ? Row<N> extends { readonly data: "tezos" }
    ? TransactionPage
    : ReadonlyArray<AddressTransaction>
  : never

/** Families whose balances are asked of the nodes. */
type OverNodes = {
  readonly family: "evm" | "evm-beacon" | "evm-native" | "zksync" | "solana" | "xrp" | "tron"
}

/** Networks of tokens: the others have native balances alone. */
type WithTokens = { readonly data: "evm" | "tezos" } | { readonly family: "tron" }

/**
 * What a question for balances can fail with on a network.
 *
 * @since 0.1.0
 * @category errors
 */
export type BalanceError<N extends Network.Network = Network.Network> = N extends Network.Network
  ?
      | InvalidArgument
      | (Row<N> extends { readonly data: string } | { readonly family: "tron" } ? GatewayError : never)
      | (Row<N> extends OverNodes ? CallError : never)
      | (Row<N> extends { readonly data: "utxo" } | { readonly family: "xrp" } ? UtxoSingleAddress : never)
      | (Row<N> extends WithTokens ? never : UnsupportedNetworkForNow)
  : never

/**
 * What a question for a history can fail with.
 *
 * @since 0.1.0
 * @category errors
 */
export type HistoryError = GatewayError | InvalidArgument | NotSupportedForNetwork | UtxoSingleAddress

/**
 * Balances and histories of addresses.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressService<N extends Network.Network = Network.Network> {
  /** Balances of addresses: native ones first, in the order of the addresses. */
  readonly getBalance: (query: BalanceQuery) => Effect.Effect<ReadonlyArray<AddressBalance>, BalanceError<N>>
  /** Balances of addresses: native ones first, then tokens, page by page as they are consumed. */
  readonly streamBalance: (
    query: Addressed & { readonly tokenTypes?: ReadonlyArray<AssetKind> } & Fetching
  ) => Stream.Stream<AddressBalance, BalanceError<N>>
  /** Transfers of an address; on Tezos also without one: then the provider says whose. */
  readonly getTransactions: (query: TransactionsQuery<N>) => Effect.Effect<Transactions<N>, HistoryError>
  /** Transfers of an address, page by page as they are consumed. */
  readonly streamTransactions: (
    query: Addressed & Streaming<Omit<AddressTransactionsQuery, "address" | "addresses" | "cursor">>
  ) => Stream.Stream<AddressTransaction, HistoryError>
}

/**
 * Balances and histories, for the client at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class Address extends Context.Tag("effect-chains/services/Address")<Address, AddressService>() {}

const optional = Schema.optional

const Kinds = Schema.NonEmptyArray(Kind)
const addressed = { address: optional(Filled), addresses: optional(Schema.NonEmptyArray(Filled)) }
const fetching = { pageSize: optional(PageSize), limit: optional(Index) }
const transfers = {
  ...addressed,
  transactionTypes: optional(Schema.NonEmptyArray(TransferKind)),
  transactionDirection: optional(oneOf("incoming", "outgoing")),
  fromBlock: optional(Index),
  toBlock: optional(Index),
  tokenAddress: optional(Filled)
}

const EITHER = "must have either address or addresses, a list of at least one"

/** Not both of them: on Tezos the provider takes neither, too. */
const notBoth = (query: { readonly address?: unknown; readonly addresses?: unknown }): string | undefined =>
  query.address !== undefined && query.addresses !== undefined ? EITHER : undefined

/** One of the two, and not both. */
const eitherOr = (query: { readonly address?: unknown; readonly addresses?: unknown }): string | undefined =>
  (query.address === undefined) === (query.addresses === undefined) ? EITHER : undefined

const balances = queryOf({
  ...addressed,
  tokenTypes: optional(Kinds),
  pageSize: optional(PageSize),
  page: optional(Index)
}).pipe(Schema.filter(eitherOr))
const balanceStream = queryOf({ ...addressed, ...fetching, tokenTypes: optional(Kinds) }).pipe(
  Schema.filter(eitherOr)
)
const history = queryOf({
  ...transfers,
  pageSize: optional(PageSize),
  page: optional(Index),
  cursor: optional(Filled)
}).pipe(Schema.filter(notBoth))
const historyStream = queryOf({ ...transfers, ...fetching }).pipe(Schema.filter(notBoth))

type Checked = {
  readonly address?: string | undefined
  readonly addresses?: ReadonlyArray<string> | undefined
}

const addressesOf = ({ address, addresses = [] }: Checked): ReadonlyArray<string> =>
  address === undefined ? addresses : [address]

const digits = "[1-9A-HJ-NP-Za-km-z]"

/** What an address looks like, and the same in words. */
type Shape = readonly [RegExp, string]

const hexAddress: Shape = [/^0x[0-9a-fA-F]{40}$/, "0x and 40 hexadecimal digits"]
const coinAddress: Shape = [/^[0-9A-Za-z]{4,100}$/, "4 to 100 letters and digits"]

/** What an address of a family looks like, where that is certain: what does not fit would only be refused later. */
const shapes: { readonly [F in Network.Family]?: Shape } = {
  evm: hexAddress,
  "evm-beacon": hexAddress,
  "evm-native": hexAddress,
  zksync: hexAddress,
  solana: [new RegExp(`^${digits}{32,44}$`), "32 to 44 digits of base58"],
  tron: [new RegExp(`^T${digits}{33}$`), "T and 33 digits of base58"],
  xrp: [new RegExp(`^r${digits}{24,34}$`), "r and 24 to 34 digits of base58"],
  tezos: [new RegExp(`^(tz[1-4]|KT1|sr1)${digits}{33}$`), "tz1 to tz4, KT1 or sr1, and 33 digits of base58"],
  utxo: coinAddress,
  doge: coinAddress,
  cardano: [/^[0-9A-Za-z_]{4,150}$/, "4 to 150 letters, digits and underscores"]
}

/** What the data API has of a token. */
const Described = Schema.Struct({
  symbol: optional(Schema.NullishOr(Schema.String)),
  decimals: optional(Schema.NullishOr(Schema.Number))
})

interface Details {
  readonly asset?: string
  readonly decimals?: number
}

const Outputs = Schema.Array(Schema.Struct({ value: Holding })).annotations({
  message: () => "must be a list"
})

/** Whole numbers that are not negative. */
const Units0 = Schema.String.pipe(Schema.pattern(/^\d{1,100}$/, { message: () => "must be a whole number" }))

/** An account of Tron, in sun; what was never paid has no balance. */
const TronAccount = Schema.Struct({
  balance: optional(Schema.NullishOr(Units0)),
  trc20: optional(Schema.NullishOr(Schema.Array(Schema.Record({ key: Schema.String, value: Units0 }))))
})

/** What Tron says in place of an answer. */
const Refused = Schema.Struct({ Error: Schema.String })

/** Unspent outputs are asked for up to this many coins: more than there are. */
const ALL = 200_000_000_000
/** Items of a page. */
const PAGE = 10
/** Items of a page of a stream. */
const STREAMED = 50
/** Tokens that are looked up at the same time. */
const LOOKUPS = 8
/** Tokens that are remembered. */
const REMEMBERED = 1_000

/** What a question for balances comes to, whether it is for a page or for all. */
interface Wanted {
  readonly addresses: ReadonlyArray<string>
  readonly native: boolean
  /** Kinds of tokens: all of them if undefined, none if empty. */
  readonly tokens: ReadonlyArray<AssetKind> | undefined
}

/**
 * Makes the service over the nodes and the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<AddressService, never, Checks | Config | Gateway | Logger | Transport> =
  Effect.gen(function* () {
    const { dataApi, network, info } = yield* Config
    const family = yield* Checks
    const gateway = yield* Gateway
    const logger = yield* Logger
    const transport = yield* Transport
    const path = paths[dataApi]
    const native: Details = { asset: info.asset ?? info.symbol, decimals: info.decimals }
    const nodes = over(transport, routingOf(info))
    const single = info.data === "utxo" || info.family === "xrp"

    const checkBalances = input("address.getBalance", balances)
    const checkBalanceStream = input("address.streamBalance", balanceStream)
    const checkHistory = input("address.getTransactions", history)
    const checkHistoryStream = input("address.streamTransactions", historyStream)
    const readBalances = answer("address.getBalance", pageOf(BalanceRow))
    const readOutputs = answer("address.getBalance", Outputs)
    const readAccount = answer("address.getBalance", TronAccount)
    const readToken = answer("address.getBalance", Described)
    const readTransfers = answer("address.getTransactions", pageOf(TransferRow))
    const readHistory = answer(
      "address.getTransactions",
      Schema.Array(HistoryRow).annotations({ message: () => "must be a list" })
    )
    const isRefused = Schema.is(Refused)

    /** Addresses of the right number and shape. */
    const shaped = (
      call: string,
      query: Checked,
      one: boolean
    ): Effect.Effect<void, InvalidArgument | UtxoSingleAddress> => {
      const addresses = addressesOf(query)
      if (one && addresses.length !== 1)
        return Effect.fail(new UtxoSingleAddress({ network, addresses: addresses.length }))
      const shape = shapes[info.family]
      const at = shape === undefined ? -1 : addresses.findIndex((address) => !shape[0].test(address))
      if (at < 0) return Effect.void
      const name = query.address === undefined ? `addresses.${at}` : "address"
      const reason = `${name}: ${shownValue(addresses[at]?.slice(0, 60))} is not an address of ${network}, which is ${shape?.[1]}`
      return Effect.fail(new InvalidArgument({ call, reason }))
    }

    /** What a token is, as far as the provider knows: a balance is worth telling without it. */
    const describe = (tokenAddress: string): Effect.Effect<Details> =>
      gateway.request({ method: "GET", path: path.tokens, query: { chain: network, tokenAddress } }).pipe(
        Effect.flatMap(readToken),
        Effect.map(({ symbol, decimals }) => present({ asset: symbol, decimals })),
        Effect.catchAll((error) =>
          Effect.as(
            logger.debug(() => `[address.getBalance] token ${tokenAddress}: ${error.message}`),
            {}
          )
        )
      )

    /** Tokens that were looked up for one call. */
    const describeAll = (
      rows: ReadonlyArray<typeof BalanceRow.Type>,
      known: Map<string, Details>
    ): Effect.Effect<ReadonlyArray<AddressBalance>> => {
      const tokens = new Set(rows.flatMap(({ tokenAddress }) => tokenAddress ?? []))
      const unknown = [...tokens].filter((token) => !known.has(token))
      return Effect.map(
        Effect.forEach(
          unknown,
          (token) => Effect.map(describe(token), (details) => known.set(token, details)),
          { concurrency: LOOKUPS, discard: true }
        ),
        () =>
          rows.map(({ address, balance, lastUpdatedBlockNumber, tokenAddress, tokenId, type }) => ({
            ...present({
              address,
              tokenAddress,
              balance: plain(balance),
              type,
              tokenId,
              lastUpdatedBlockNumber
            }),
            ...known.get(tokenAddress ?? "")
          }))
      )
    }

    const askBalances = (
      addresses: ReadonlyArray<string>,
      query: Parameters<typeof wire>[0]
    ): Effect.Effect<ReadonlyArray<typeof BalanceRow.Type>, GatewayError> =>
      gateway
        .request({
          method: "GET",
          path: path.balances,
          query: wire({ chain: network, addresses: joined(addresses), ...query }),
          exact: true
        })
        .pipe(
          Effect.flatMap(readBalances),
          Effect.map(({ result }) => result)
        )

    /** Native balances are those of the nodes. */
    const isToken = ({ type }: typeof BalanceRow.Type): boolean => type !== "native"

    /** A page of tokens on an EVM network, without what they are; coins may be among them. */
    const askTokens = (wanted: Wanted, pageSize: number, offset: number) =>
      askBalances(wanted.addresses, { excludeMetadata: true, tokenTypes: wanted.tokens, pageSize, offset })

    const asNative = (address: string, balance: string): AddressBalance => ({
      address,
      ...native,
      balance,
      type: "native"
    })

    const ofNodes = (addresses: ReadonlyArray<string>) =>
      family.nativeBalances === undefined
        ? Effect.fail(new UnsupportedNetworkForNow({ network }))
        : Effect.map(family.nativeBalances(nodes, addresses), (amounts) =>
            addresses.flatMap((address, i) => {
              const amount = amounts[i]
              return amount === undefined ? [] : asNative(address, Units.format(amount, info.decimals))
            })
          )

    const ofOutputs = (addresses: ReadonlyArray<string>) =>
      Effect.forEach(addresses, (address) =>
        gateway
          .request({
            method: "GET",
            path: path.utxos,
            query: { chain: network, address, totalValue: ALL },
            exact: true
          })
          .pipe(
            Effect.flatMap(readOutputs),
            Effect.map((outputs) => asNative(address, sum(outputs.map(({ value }) => value))))
          )
      )

    // filled by hand: a look-up of the cache would not see the options of the call
    const trc20 = yield* Cache.make({
      capacity: REMEMBERED,
      timeToLive: Duration.infinity,
      lookup: (_: string): Effect.Effect<TokenDetails> => Effect.succeed({})
    })
    /** A contract does not change what it says of its token. It is asked under the options of the call at hand. */
    const ofContract = (contract: string): Effect.Effect<TokenDetails, CallError> =>
      Effect.flatMap(
        trc20.getOptionComplete(contract),
        Option.match({
          onSome: Effect.succeed,
          onNone: () =>
            Effect.tap(family.tokenDetails?.(nodes, contract) ?? Effect.succeed({}), (details) =>
              trc20.set(contract, details)
            )
        })
      )

    const ofTron = (wanted: Wanted) => (address: string) =>
      Effect.gen(function* () {
        const account = yield* gateway.request({
          method: "GET",
          path: `tron/account/${encodeURIComponent(address)}`,
          exact: true
        })
        if (isRefused(account)) {
          const call = "address.getBalance"
          return yield* new GatewayError({ call, kind: "rpc", messages: [account.Error] })
        }
        const { balance, trc20: held } = yield* readAccount(account)
        const coins = Units.format(BigInt(balance ?? "0"), info.decimals)
        const tokens =
          wanted.tokens === undefined || wanted.tokens.includes("fungible")
            ? (held ?? []).flatMap((each) => Object.entries(each))
            : []
        const contracts = [...new Set(tokens.map(([contract]) => contract))]
        const said = new Map(
          yield* Effect.forEach(
            contracts,
            (contract) => Effect.map(ofContract(contract), (details) => [contract, details] as const),
            { concurrency: LOOKUPS }
          )
        )
        const rows = tokens.map(([tokenAddress, amount]): AddressBalance => {
          const { decimals, symbol } = said.get(tokenAddress) ?? {}
          return {
            ...present({ asset: symbol, decimals }),
            balance: Units.format(BigInt(amount), decimals ?? 0),
            type: "fungible",
            address,
            tokenAddress
          }
        })
        return wanted.native ? [asNative(address, coins), ...rows] : rows
      })

    /** Balances that are not paged. */
    const unpaged = (wanted: Wanted): Effect.Effect<ReadonlyArray<AddressBalance>, BalanceError> => {
      if (info.family === "tron")
        return Effect.map(
          Effect.forEach(wanted.addresses, ofTron(wanted), { concurrency: LOOKUPS }),
          (lists) => lists.flat()
        )
      if (!wanted.native) return Effect.succeed([])
      return info.data === "utxo" ? ofOutputs(wanted.addresses) : ofNodes(wanted.addresses)
    }

    /** What Tezos has: the provider names the coin and the tokens itself. */
    const askTezos = (
      addresses: ReadonlyArray<string>,
      query: Parameters<typeof wire>[0]
    ): Effect.Effect<ReadonlyArray<AddressBalance>, GatewayError> =>
      Effect.map(askBalances(addresses, query), (rows) =>
        rows.map(({ address, balance, symbol, tokenAddress, tokenId, type }) =>
          present({
            address,
            asset: symbol,
            balance: plain(balance),
            type,
            ...(type === "native" ? {} : { tokenAddress, tokenId })
          })
        )
      )

    /** What is wanted, if the network has it. */
    const plan = (
      call: string,
      query: Checked & { readonly tokenTypes?: ReadonlyArray<AssetKind> | undefined }
    ): Effect.Effect<Wanted, InvalidArgument | UnsupportedNetworkForNow | UtxoSingleAddress> => {
      const addresses = addressesOf(query)
      const hasTokens = info.data === "evm" || info.data === "tezos" || info.family === "tron"
      const wanted: Wanted = {
        addresses,
        native: query.tokenTypes?.includes("native") ?? true,
        tokens: hasTokens ? query.tokenTypes?.filter((kind) => kind !== "native") : []
      }
      const known = hasTokens || info.data === "utxo" || family.nativeBalances !== undefined
      return known && (hasTokens || wanted.native)
        ? Effect.as(shaped(call, query, single), wanted)
        : Effect.fail(new UnsupportedNetworkForNow({ network }))
    }

    const wantsTokens = ({ tokens }: Wanted): boolean => tokens === undefined || tokens.length > 0

    const getBalance: AddressService["getBalance"] = (query) =>
      Effect.flatMap(checkBalances(query), ({ pageSize, page = 0, ...rest }) =>
        Effect.flatMap(plan("address.getBalance", rest), (wanted) => {
          if (info.data === "tezos")
            return askTezos(wanted.addresses, { tokenTypes: rest.tokenTypes, pageSize, offset: page })
          if (info.data !== "evm" || !wantsTokens(wanted)) return unpaged(wanted)
          const tokens = Effect.flatMap(askTokens(wanted, pageSize ?? PAGE, page), (rows) =>
            describeAll(rows.filter(isToken), new Map())
          )
          return Effect.zipWith(unpaged(wanted), tokens, (coins, rows) => [...coins, ...rows])
        })
      )

    const streamBalance: AddressService["streamBalance"] = (query) =>
      Stream.unwrap(
        Effect.flatMap(checkBalanceStream(query), ({ limit, pageSize = STREAMED, ...rest }) =>
          Effect.map(plan("address.streamBalance", rest), (wanted) => {
            const known = new Map<string, Details>()
            const all: Stream.Stream<AddressBalance, BalanceError> =
              info.data === "tezos"
                ? byOffset({
                    pageSize,
                    id: (row: AddressBalance) => JSON.stringify(row),
                    fetch: (offset) =>
                      askTezos(wanted.addresses, { tokenTypes: rest.tokenTypes, pageSize, offset })
                  })
                : Stream.concat(
                    Stream.fromIterableEffect(unpaged(wanted)),
                    info.data === "evm" && wantsTokens(wanted)
                      ? byOffset({
                          pageSize,
                          id: (row: typeof BalanceRow.Type) => JSON.stringify(row),
                          fetch: (offset) => askTokens(wanted, pageSize, offset)
                        }).pipe(
                          // after the page was counted, which ends the stream where it is not full
                          Stream.filter(isToken),
                          Stream.mapChunksEffect((rows) =>
                            Effect.map(describeAll(Chunk.toReadonlyArray(rows), known), Chunk.fromIterable)
                          )
                        )
                      : Stream.empty
                  )
            return limit === undefined ? all : Stream.take(all, limit)
          })
        )
      )

    /** Where the network's history is: nowhere, if undefined. */
    const place = Network.isDataApi(network) ? "data" : info.history

    const planHistory = (
      call: string,
      query: Checked
    ): Effect.Effect<ReadonlyArray<string>, InvalidArgument | NotSupportedForNetwork | UtxoSingleAddress> => {
      if (place === undefined) return Effect.fail(new NotSupportedForNetwork({ network }))
      const addresses = addressesOf(query)
      if (addresses.length === 0)
        return info.data === "tezos"
          ? Effect.succeed(addresses)
          : Effect.fail(new InvalidArgument({ call, reason: EITHER }))
      return Effect.as(shaped(call, query, place !== "data"), addresses)
    }

    type Asked = Omit<typeof history.Type, "address" | "addresses" | "page">

    const askTransfers = (addresses: ReadonlyArray<string>, query: Asked, offset: number | undefined) =>
      gateway
        .request({
          method: "GET",
          path: path.transactions,
          query: wire({
            chain: network,
            addresses: addresses.length === 0 ? undefined : joined(addresses),
            transactionTypes: query.transactionTypes,
            transactionSubtype: query.transactionDirection,
            blockFrom: query.fromBlock,
            blockTo: query.toBlock,
            tokenAddress: query.tokenAddress,
            pageSize: query.pageSize,
            offset,
            cursor: query.cursor
          }),
          exact: true
        })
        .pipe(
          Effect.flatMap(readTransfers),
          Effect.map(
            ({ nextPage, prevPage, result }): TransactionPage => ({
              result: result.map(transferOf),
              prevPage: prevPage ?? "",
              nextPage: nextPage ?? ""
            })
          )
        )

    /** The history of one address on a network of Bitcoin's kind, whose offset counts transactions. */
    const askHistory = (address: string, query: Asked, pageSize: number, offset: number) =>
      gateway
        .request({
          method: "GET",
          path: `${place}/transaction/address/${encodeURIComponent(address)}`,
          query: wire({
            pageSize,
            offset,
            txType: query.transactionDirection,
            blockFrom: query.fromBlock,
            blockTo: query.toBlock
          }),
          version: "V3"
        })
        .pipe(
          Effect.flatMap(readHistory),
          Effect.map((rows) =>
            rows.map((row): AddressTransaction => {
              const { amount, transactionType } = netOf(row, address)
              return {
                chain: network,
                ...present({ blockNumber: row.blockNumber }),
                timestamp: row.time,
                transactionType,
                hash: row.hash,
                address,
                amount
              }
            })
          )
        )

    const getTransactions: AddressService["getTransactions"] = (query) =>
      Effect.flatMap(checkHistory(query), ({ page = 0, ...rest }) =>
        Effect.flatMap(
          planHistory("address.getTransactions", rest),
          (addresses): Effect.Effect<Transactions<Network.Network>, HistoryError> => {
            const { pageSize = PAGE } = rest
            if (place !== "data") return askHistory(joined(addresses), rest, pageSize, page * pageSize)
            return info.data === "tezos"
              ? askTransfers(addresses, rest, page)
              : Effect.map(askTransfers(addresses, { ...rest, pageSize }, page), ({ result }) => result)
          }
        )
      )

    const streamTransactions: AddressService["streamTransactions"] = (query) =>
      Stream.unwrap(
        Effect.flatMap(checkHistoryStream(query), ({ limit, pageSize = STREAMED, ...rest }) =>
          Effect.map(planHistory("address.streamTransactions", rest), (addresses) => {
            const asked = { ...rest, pageSize }
            const all =
              place !== "data"
                ? Stream.paginateChunkEffect(0, (offset) =>
                    Effect.map(askHistory(joined(addresses), asked, pageSize, offset), (rows) =>
                      rows.length < pageSize
                        ? [Chunk.fromIterable(ending(rows)), Option.none()]
                        : [Chunk.fromIterable(rows), Option.some(offset + rows.length)]
                    )
                  )
                : info.data === "tezos"
                  ? Stream.paginateChunkEffect("", (cursor) =>
                      Effect.map(
                        askTransfers(addresses, cursor === "" ? asked : { ...asked, cursor }, undefined),
                        ({ nextPage, result }) =>
                          // a cursor that does not move on would be asked for again and again
                          nextPage === "" || nextPage === cursor || result.length === 0
                            ? [Chunk.fromIterable(ending(result)), Option.none()]
                            : [Chunk.fromIterable(result), Option.some(nextPage)]
                      )
                    )
                  : byOffset({
                      pageSize,
                      id: (row: AddressTransaction) => JSON.stringify(row),
                      fetch: (offset) =>
                        Effect.map(askTransfers(addresses, asked, offset), ({ result }) => result)
                    })
            return limit === undefined ? all : Stream.take(all, limit)
          })
        )
      )

    return { getBalance, streamBalance, getTransactions, streamTransactions }
  })

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Address, never, Checks | Config | Gateway | Logger | Transport> =
  Layer.effect(Address, make)
