import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Config } from "../../config/Config.js"
import type { NetworkInfo } from "../../data/Network.js"
import type { GatewayCallError } from "../../data/SdkError.js"
import { type AssetKind, type Direction, paths } from "../DataApi.js"
import { Gateway } from "../Gateway.js"
import { joined, wire } from "./dataInput.js"
import { pageOf, present, TransferRow, transferOf } from "./dataRows.js"
import { ending } from "./ends.js"
import { byOffset } from "./offsets.js"
import { answer } from "./schema.js"
import { HistoryRow, netOf } from "./utxoHistory.js"

/**
 * A transfer, or on networks of Bitcoin's kind the net change by a transaction for the address. `amount` is a decimal string
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

/** A question for transfers, after its checks. */
export interface Asked {
  readonly transactionTypes?: ReadonlyArray<AssetKind | "internal"> | undefined
  readonly transactionDirection?: "incoming" | "outgoing" | undefined
  readonly fromBlock?: number | undefined
  readonly toBlock?: number | undefined
  readonly tokenAddress?: string | undefined
  readonly pageSize?: number | undefined
  readonly cursor?: string | undefined
}

/** The source of a network's histories. */
export interface Histories {
  /** Whether it answers without an address, too. */
  readonly withoutAddress: boolean
  readonly page: (
    addresses: ReadonlyArray<string>,
    query: Asked,
    page: number
  ) => Effect.Effect<ReadonlyArray<AddressTransaction> | TransactionPage, GatewayCallError>
  readonly stream: (
    addresses: ReadonlyArray<string>,
    query: Asked & { readonly pageSize: number }
  ) => Stream.Stream<AddressTransaction, GatewayCallError>
}

type Making = Effect.Effect<Histories, never, Config | Gateway>

const CALL = "address.getTransactions"
/** Items of a page. */
const PAGE = 10

/** Asks the data API for a page of transfers. */
const asking = Effect.gen(function* () {
  const { dataApi, network } = yield* Config
  const gateway = yield* Gateway
  const read = answer(CALL, pageOf(TransferRow))
  return (
    addresses: ReadonlyArray<string>,
    query: Asked,
    offset: number | undefined
  ): Effect.Effect<TransactionPage, GatewayCallError> =>
    gateway
      .request({
        method: "GET",
        path: paths[dataApi].transactions,
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
        Effect.flatMap(read),
        Effect.map(({ nextPage, prevPage, result }) => ({
          result: result.map(transferOf),
          prevPage: prevPage ?? "",
          nextPage: nextPage ?? ""
        }))
      )
})

/** Lists of the data API, page by page. */
const listed: Making = Effect.map(asking, (ask): Histories => {
  const list = (addresses: ReadonlyArray<string>, query: Asked, offset: number) =>
    Effect.map(ask(addresses, query, offset), ({ result }) => result)
  return {
    withoutAddress: false,
    page: (addresses, { pageSize = PAGE, ...query }, page) => list(addresses, { ...query, pageSize }, page),
    stream: (addresses, query) =>
      byOffset({
        pageSize: query.pageSize,
        id: (row) => JSON.stringify(row),
        fetch: (offset) => list(addresses, query, offset)
      })
  }
})

/** Pages of the data API with cursors, as on Tezos. */
const byCursor: Making = Effect.map(
  asking,
  (ask): Histories => ({
    withoutAddress: true,
    page: ask,
    stream: (addresses, query) =>
      Stream.paginateChunkEffect("", (cursor) =>
        Effect.map(
          ask(addresses, cursor === "" ? query : { ...query, cursor }, undefined),
          ({ nextPage, result }) =>
            // a cursor that does not move on would be asked for again and again
            nextPage === "" || nextPage === cursor || result.length === 0
              ? [Chunk.fromIterable(ending(result)), Option.none()]
              : [Chunk.fromIterable(result), Option.some(nextPage)]
        )
      )
  })
)

/** The net changes by transactions for one address, by the provider's route for the chain; its offset counts transactions. */
const ofCoins = (place: NonNullable<NetworkInfo["history"]>): Making =>
  Effect.gen(function* () {
    const { network } = yield* Config
    const gateway = yield* Gateway
    const read = answer(CALL, Schema.Array(HistoryRow).annotations({ message: () => "must be a list" }))
    const rowOf =
      (address: string) =>
      (row: typeof HistoryRow.Type): AddressTransaction => {
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
      }
    const ask = (addresses: ReadonlyArray<string>, query: Asked, pageSize: number, offset: number) => {
      const address = joined(addresses)
      return gateway
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
          version: "V3",
          template: `${place}/transaction/address/{address}`
        })
        .pipe(
          Effect.flatMap(read),
          Effect.map((rows) => rows.map(rowOf(address)))
        )
    }
    return {
      withoutAddress: false,
      page: (addresses, query, page) => {
        const { pageSize = PAGE } = query
        return ask(addresses, query, pageSize, page * pageSize)
      },
      stream: (addresses, query) =>
        Stream.paginateChunkEffect(0, (offset) =>
          Effect.map(ask(addresses, query, query.pageSize, offset), (rows) =>
            rows.length < query.pageSize
              ? [Chunk.fromIterable(ending(rows)), Option.none()]
              : [Chunk.fromIterable(rows), Option.some(offset + rows.length)]
          )
        )
    }
  })

/** By the part of the data API that knows the network: that of unspent outputs has no history. */
const byData: { readonly [D in NonNullable<NetworkInfo["data"]>]: Making | undefined } = {
  evm: listed,
  tezos: byCursor,
  utxo: undefined
}

/** The source of histories for the network at hand; undefined if there is none. */
export const histories: Effect.Effect<Histories | undefined, never, Config | Gateway> = Effect.gen(
  function* () {
    const { data, history } = (yield* Config).info
    const known = data === undefined ? undefined : byData[data]
    if (known !== undefined) return yield* known
    return history === undefined ? undefined : yield* ofCoins(history)
  }
)
