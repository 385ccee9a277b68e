import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Config } from "../../config/Config.js"
import { isServed } from "../../data/dataRoutes.js"
import type { GatewayCallError, InvalidArgument } from "../../data/SdkError.js"
import type { AssetKind, Direction } from "../DataApi.js"
import type { Gateway } from "../Gateway.js"
import { joinWithCommas, toWireQuery } from "./dataInput.js"
import {
  chainOfClient,
  type DataClient,
  makeDataClient,
  mapPage,
  readRenamedRow,
  requestOne
} from "./dataRequests.js"
import { makeAskedSpelling, omitMissing, pageStruct, TransferRow, toTransfer } from "./dataRows.js"
import { markLastPage } from "./lastItems.js"
import { streamByOffset } from "./offsets.js"
import { makeAnswerReader } from "./schema.js"
import { HistoryRow, netChangeOf } from "./utxoHistory.js"

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
 * A page of transfers. `prevPage` and `nextPage` are cursors, empty if there is no such page.
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
export interface HistoryRequest {
  readonly transactionTypes?: ReadonlyArray<AssetKind | "internal"> | undefined
  readonly transactionDirection?: "incoming" | "outgoing" | undefined
  readonly fromBlock?: number | undefined
  readonly toBlock?: number | undefined
  readonly tokenAddress?: string | undefined
  readonly pageSize?: number | undefined
  readonly cursor?: string | undefined
}

type Failure = GatewayCallError | InvalidArgument

/** The source of a network's histories. */
export interface HistorySource {
  /** Whether it answers without an address, too. */
  readonly withoutAddress: boolean
  readonly page: (
    addresses: ReadonlyArray<string>,
    query: HistoryRequest,
    page: number
  ) => Effect.Effect<ReadonlyArray<AddressTransaction> | TransactionPage, Failure>
  readonly stream: (
    addresses: ReadonlyArray<string>,
    query: HistoryRequest & { readonly pageSize: number }
  ) => Stream.Stream<AddressTransaction, Failure>
}

type MakeHistorySource = Effect.Effect<HistorySource, never, Config | Gateway>

const CALL = "address.getTransactions"
/** Items of a page. */
const DEFAULT_PAGE_SIZE = 10

/** Asks the data API for a page of transfers. */
const makeTransferReader = Effect.map(makeDataClient, (client) => {
  const chain = chainOfClient(client, "history")
  const read = makeAnswerReader(CALL, pageStruct(TransferRow))
  const change = mapPage(readRenamedRow)
  return (
    addresses: ReadonlyArray<string>,
    query: HistoryRequest,
    offset: number | undefined
  ): Effect.Effect<TransactionPage, Failure> =>
    Effect.map(
      requestOne(client, {
        call: CALL,
        chain,
        route: "history",
        query: {
          addresses: addresses.length === 0 ? undefined : joinWithCommas(addresses),
          transactionTypes: query.transactionTypes,
          transactionSubtype: query.transactionDirection,
          blockFrom: query.fromBlock,
          blockTo: query.toBlock,
          tokenAddress: query.tokenAddress,
          pageSize: query.pageSize,
          offset,
          cursor: query.cursor
        },
        exact: true,
        read: (said) => read(change(said))
      }),
      ({ nextPage, prevPage, result }) => ({
        result: result.map(toTransfer).map(makeAskedSpelling(addresses)),
        prevPage: prevPage ?? "",
        nextPage: nextPage ?? ""
      })
    )
})

/** Lists of the data API, page by page. */
const makePagedSource: MakeHistorySource = Effect.map(makeTransferReader, (ask): HistorySource => {
  const list = (addresses: ReadonlyArray<string>, query: HistoryRequest, offset: number) =>
    Effect.map(ask(addresses, query, offset), ({ result }) => result)
  return {
    withoutAddress: false,
    page: (addresses, { pageSize = DEFAULT_PAGE_SIZE, ...query }, page) =>
      list(addresses, { ...query, pageSize }, page),
    stream: (addresses, query) =>
      streamByOffset({
        pageSize: query.pageSize,
        id: (row) => JSON.stringify(row),
        fetch: (offset) => list(addresses, query, offset)
      })
  }
})

/** Pages of the data API with cursors, as on Tezos. */
const makeCursorSource: MakeHistorySource = Effect.map(
  makeTransferReader,
  (ask): HistorySource => ({
    withoutAddress: true,
    page: ask,
    stream: (addresses, query) =>
      Stream.paginateChunkEffect("", (cursor) =>
        Effect.map(
          ask(addresses, cursor === "" ? query : { ...query, cursor }, undefined),
          ({ nextPage, result }) =>
            // a cursor that repeats itself would be requested forever
            nextPage === "" || nextPage === cursor || result.length === 0
              ? [Chunk.fromIterable(markLastPage(result)), Option.none()]
              : [Chunk.fromIterable(result), Option.some(nextPage)]
        )
      )
  })
)

/** The segment of a chain in the paths of API v3: `dogecoin` of `dogecoin-mainnet`. */
const segmentOf = (chain: string): string => chain.replace(/-.*$/, "")

/** The change that a transaction made to an address. */
const toTransaction =
  (network: string, address: string) =>
  (row: typeof HistoryRow.Type): AddressTransaction => {
    const { amount, transactionType } = netChangeOf(row, address)
    return {
      chain: network,
      ...omitMissing({ blockNumber: row.blockNumber }),
      timestamp: row.time,
      transactionType,
      hash: row.hash,
      address,
      amount
    }
  }

/** Whether a transaction is in a range of blocks. One that is in no block yet is in no range. */
const isInRange =
  ({ fromBlock, toBlock }: HistoryRequest) =>
  ({ blockNumber }: AddressTransaction): boolean =>
    blockNumber === undefined
      ? fromBlock === undefined && toBlock === undefined
      : blockNumber >= (fromBlock ?? 0) && blockNumber <= (toBlock ?? Number.POSITIVE_INFINITY)

/**
 * Makes the reader of one page of a history of net changes. The route of v4 answers with the whole history, so the page is cut from it
 * here, and `rest` is what follows. The legacy route has pages, whose offset counts transactions.
 */
const makeUtxoReader = (client: DataClient) => {
  const { network } = client.config
  const chain = chainOfClient(client, "utxoHistory")
  const segment = segmentOf(chain.v4 ?? network)
  const read = makeAnswerReader(
    CALL,
    Schema.Array(HistoryRow).pipe(Schema.annotations({ message: () => "must be a list" }))
  )
  return (addresses: ReadonlyArray<string>, query: HistoryRequest, pageSize: number, offset: number) => {
    const address = joinWithCommas(addresses)
    return requestOne(client, {
      call: CALL,
      chain,
      route: "utxoHistory",
      query: { address, txType: query.transactionDirection },
      legacyRequest: {
        path: `${segment}/transaction/address/${encodeURIComponent(address)}`,
        query: toWireQuery({
          pageSize,
          offset,
          txType: query.transactionDirection,
          blockFrom: query.fromBlock,
          blockTo: query.toBlock
        }),
        version: "V3",
        template: `${segment}/transaction/address/{address}`
      },
      read: (said, generation) =>
        Effect.map(read(said), (rows) => {
          const all = rows.map(toTransaction(network, address))
          if (generation === "legacy") return { rows: all, isLast: all.length < pageSize }
          const found = all.filter(isInRange(query))
          const end = offset + pageSize
          return { rows: found.slice(offset, end), isLast: true, rest: found.slice(end) }
        })
    })
  }
}

/** The net changes of one address by its transactions. */
const makeUtxoSource: MakeHistorySource = Effect.map(makeDataClient, (client): HistorySource => {
  const readPage = makeUtxoReader(client)
  return {
    withoutAddress: false,
    page: (addresses, query, page) => {
      const { pageSize = DEFAULT_PAGE_SIZE } = query
      return Effect.map(readPage(addresses, query, pageSize, page * pageSize), ({ rows }) => rows)
    },
    stream: (addresses, query) =>
      Stream.paginateChunkEffect(0, (offset) =>
        Effect.map(readPage(addresses, query, query.pageSize, offset), ({ isLast, rest = [], rows }) =>
          // the rest of a whole history needs no further request
          isLast
            ? [Chunk.fromIterable(markLastPage([...rows, ...rest])), Option.none()]
            : [Chunk.fromIterable(rows), Option.some(offset + rows.length)]
        )
      )
  }
})

/** Selects the source of histories of the client's network; undefined if there is none. Cardano's have another form. */
export const selectHistorySource: Effect.Effect<HistorySource | undefined, never, Config | Gateway> =
  Effect.gen(function* () {
    const { dataApi, info, network } = yield* Config
    if (isServed("history", network, dataApi, info.routes))
      return yield* info.family === "tezos" ? makeCursorSource : makePagedSource
    return isServed("utxoHistory", network, dataApi, info.routes) && info.family !== "cardano"
      ? yield* makeUtxoSource
      : undefined
  })
