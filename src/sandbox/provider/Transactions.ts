/**
 * Transactions from the nodes and the store, in the current data API.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { v4Routes } from "../../data/v4Routes.js"
import type { ChainQuery, HashQuery } from "../api/Blockchains.js"
import type { HistoryRow } from "../api/History.js"
import * as Api from "../api/Transactions.js"
import type { Nodes } from "../Nodes.js"
import { toNodeAddress } from "../nodes/addresses.js"
import type { Store } from "../Store.js"
import { type DataSources, loadSources, type Metadata, refuseFailures } from "./Data.js"
import * as EvmTransactions from "./data/EvmTransactions.js"
import * as UtxoTransactions from "./data/UtxoTransactions.js"
import { findUtxos, readHistory, type Utxo, withAskedAddresses } from "./History.js"
import { failInvalid, findServedPlace } from "./Served.js"

const COIN = 100_000_000

const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
const UTXO_HASH = /^[0-9a-fA-F]{64}$/

const readTransaction = (index: DataSources, query: typeof HashQuery.Type) =>
  Effect.gen(function* () {
    const { network, rpc } = yield* findServedPlace(index, v4Routes.transaction, query, "evm", "utxo")
    const isEvm = index.nodes.kindOf(network) === "evm"
    if (!(isEvm ? EVM_HASH : UTXO_HASH).test(query.hash))
      return yield* failInvalid(`hash must be ${isEvm ? "0x and " : ""}64 hexadecimal digits`)
    const hash = query.hash.toLowerCase()
    return yield* isEvm
      ? EvmTransactions.readTransactionWithOutcome(rpc, network, hash)
      : UtxoTransactions.readUtxoTransaction({ network, rpc, transact: index.transact }, hash)
  })

const readInternalTransactions = (index: DataSources, query: typeof HashQuery.Type) =>
  Effect.gen(function* () {
    if (!EVM_HASH.test(query.hash)) return yield* failInvalid("hash must be 0x and 64 hexadecimal digits")
    const { network, rpc } = yield* findServedPlace(index, v4Routes.internalTransactions, query, "evm")
    return yield* EvmTransactions.readInternals(rpc, network, query.hash.toLowerCase())
  })

const readMempool = (index: DataSources, query: typeof ChainQuery.Type) =>
  Effect.flatMap(findServedPlace(index, v4Routes.mempool, query, "utxo"), ({ rpc }) =>
    UtxoTransactions.readMempool(rpc)
  )

const readOutput = (index: DataSources, query: typeof Api.OutputQuery.Type) =>
  Effect.gen(function* () {
    if (!UTXO_HASH.test(query.hash)) return yield* failInvalid("hash must be 64 hexadecimal digits")
    const { network, rpc } = yield* findServedPlace(index, v4Routes.utxoInfo, query, "utxo")
    return yield* UtxoTransactions.readOutput(
      { network, rpc, transact: index.transact },
      query.hash.toLowerCase(),
      query.index
    )
  })

const readUtxos = (index: DataSources, query: typeof Api.UtxosQuery.Type) =>
  Effect.gen(function* () {
    const { network } = yield* findServedPlace(index, v4Routes.utxosBatch, query, "utxo")
    const addresses = new Set(query.addresses.map((address) => toNodeAddress(network, address)))
    return yield* index.transact((open) => {
      const enough: Array<Utxo> = []
      let missing = query.totalValue * COIN
      for (const address of addresses) {
        // less than half of the smallest unit is a rounding error
        if (missing < 0.5) break
        const found = findUtxos(open, network, address, missing / COIN)
        enough.push(...found)
        missing -= found.reduce((sum, { value }) => sum + Math.round(value * COIN), 0)
      }
      return enough
    })
  })

/** Compares by age, newest first. Pending transactions come before all others. */
const compareNewest = (one: typeof HistoryRow.Type, other: typeof HistoryRow.Type): number =>
  (other.blockNumber ?? Number.POSITIVE_INFINITY) === (one.blockNumber ?? Number.POSITIVE_INFINITY)
    ? other.time - one.time
    : (other.blockNumber ?? Number.POSITIVE_INFINITY) - (one.blockNumber ?? Number.POSITIVE_INFINITY)

const readUtxoHistories = (index: DataSources, query: typeof Api.HistoriesQuery.Type) =>
  Effect.gen(function* () {
    const { network } = yield* findServedPlace(index, v4Routes.utxoHistoryBatch, query, "utxo")
    const { txType } = query
    const all = yield* Effect.forEach(new Set(query.addresses), (address) =>
      readHistory(
        index.nodes,
        index.transact,
        { network, address },
        { pageSize: Number.MAX_SAFE_INTEGER, offset: 0, ...(txType === undefined ? {} : { txType }) }
      )
    )
    // a payment between two of the addresses is in both histories
    return [...new Map(all.flat().map((row) => [row.hash, row])).values()]
      .map(withAskedAddresses(network, query.addresses))
      .sort(compareNewest)
  })

const api = HttpApi.make("provider").add(Api.group)

/**
 * Transactions. A hash that neither the chain nor the pool has is 404.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "chainTransactions">,
  never,
  Metadata | Nodes | Store
> = HttpApiBuilder.group(api, "chainTransactions", (handlers) =>
  Effect.map(loadSources, (index) =>
    handlers
      .handle("transaction", ({ urlParams }) => refuseFailures(readTransaction(index, urlParams)))
      .handle("internalTransactions", ({ urlParams }) =>
        refuseFailures(readInternalTransactions(index, urlParams))
      )
      .handle("mempool", ({ urlParams }) => refuseFailures(readMempool(index, urlParams)))
      .handle("utxoInfo", ({ urlParams }) => refuseFailures(readOutput(index, urlParams)))
      .handle("utxosBatch", ({ payload }) => refuseFailures(readUtxos(index, payload)))
      .handle("utxoHistoryBatch", ({ payload }) => refuseFailures(readUtxoHistories(index, payload)))
  )
)
