/**
 * Histories and unspent outputs of addresses on chains of Bitcoin's kind from the store, and pending transactions from
 * the node.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { info, type Network } from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import { networkOfChain } from "../../services/internal/networks.js"
import { group, type HistoryQuery, type HistoryRow } from "../api/History.js"
import { makeUnavailable, type Unavailable } from "../api/Refusal.js"
import { readPending, UtxoRecord } from "../indexer/Utxo.js"
import { Nodes, type NodesService } from "../Nodes.js"
import { toNodeAddress } from "../nodes/addresses.js"
import type { SandboxError } from "../SandboxError.js"
import { Store, type StoreService, type Transaction } from "../Store.js"

const COIN_DECIMALS = 8

/**
 * An unspent output, in the data API's form. `value` is in whole coins.
 *
 * @since 0.1.0
 * @category models
 */
export interface Utxo {
  readonly chain: string
  readonly address: string
  readonly txHash: string
  readonly index: number
  readonly value: number
}

const Unspent = Schema.Struct({ hash: Schema.String, position: Schema.Number, amount: Schema.String })

/**
 * The unspent outputs of an address, oldest first. With `totalValue` (in whole coins) there are only as many as that
 * sum needs, or all if they do not reach it. Newly minted coins are included from their first block on. `network` is
 * the network's id in the store.
 *
 * @since 0.1.0
 * @category constants
 */
export const findUtxos = (
  transaction: Transaction,
  network: string,
  address: string,
  totalValue?: number
): ReadonlyArray<Utxo> => {
  const all = transaction.all(
    Unspent,
    "SELECT hash, position, amount FROM outputs WHERE network = ? AND address = ? AND spent IS NULL AND amount <> '0' " +
      "ORDER BY block, hash, position",
    network,
    address
  )
  // Coins have eight decimals, and further digits are rounding errors. An amount beyond the range of numbers exceeds
  // all coins together.
  const wanted =
    totalValue === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(1, Math.round(totalValue * 10 ** COIN_DECIMALS))
  let sum = 0
  const enough: Array<Utxo> = []
  for (const { amount, hash, position } of all) {
    if (sum >= wanted) break
    sum += Number(amount)
    enough.push({
      chain: network,
      address,
      txHash: hash,
      index: position,
      value: Number(Units.format(BigInt(amount), COIN_DECIMALS))
    })
  }
  return enough
}

type DecodedHistoryQuery = typeof HistoryQuery.Type

const Body = Schema.Struct({ body: Schema.parseJson(UtxoRecord) })
const Hash = Schema.Struct({ hash: Schema.String })

/** Transactions in blocks. The sum of an address's gains and losses gives the direction. */
const MINED_SQL = `
WITH touched AS (
  SELECT hash, SUM(received) AS received, SUM(gone) AS gone FROM (
    SELECT hash, CAST(amount AS INTEGER) AS received, 0 AS gone FROM outputs WHERE network = ?1 AND address = ?2
    UNION ALL
    SELECT spender, 0, CAST(amount AS INTEGER) FROM outputs
    WHERE network = ?1 AND address = ?2 AND spender IS NOT NULL
  ) GROUP BY hash
)
SELECT body FROM touched JOIN transactions USING (hash)
WHERE network = ?1 AND block BETWEEN ?3 AND ?4
  AND (?5 = '' OR ?5 = CASE WHEN gone > 0 AND gone >= received THEN 'outgoing' ELSE 'incoming' END)
ORDER BY block DESC, transactions.position DESC LIMIT ?6 OFFSET ?7`

const sumForAddress = (
  address: string,
  coins: ReadonlyArray<UtxoRecord["outputs"][number] | undefined>
): number => coins.reduce((sum, coin) => (coin?.address === address ? sum + coin.value : sum), 0)

const matchesQuery = (
  { inputs, outputs }: UtxoRecord,
  address: string,
  txType: DecodedHistoryQuery["txType"]
): boolean => {
  const coins = inputs.map(({ coin }) => coin)
  if (![...coins, ...outputs].some((coin) => coin?.address === address)) return false
  const gone = sumForAddress(address, coins)
  const isOutgoing = gone > 0 && gone >= sumForAddress(address, outputs)
  return txType === undefined || txType === (isOutgoing ? "outgoing" : "incoming")
}

/**
 * The history of an address, newest first. Pending transactions come first, unless the query has heights. `network` is
 * the network's id in the store.
 *
 * @since 0.1.0
 * @category constants
 */
export const findHistory = (
  transaction: Transaction,
  { address, network }: { readonly network: string; readonly address: string },
  { blockFrom, blockTo, offset, pageSize, txType }: DecodedHistoryQuery,
  waiting: ReadonlyArray<UtxoRecord>
): ReadonlyArray<UtxoRecord> => {
  const unmined =
    blockFrom === undefined && blockTo === undefined
      ? waiting.filter(
          (each) =>
            matchesQuery(each, address, txType) &&
            // skips a transaction that has been mined meanwhile
            transaction.all(
              Hash,
              "SELECT hash FROM transactions WHERE network = ? AND hash = ?",
              network,
              each.hash
            ).length === 0
        )
      : []
  const first = unmined.slice(offset, offset + pageSize)
  const rest = transaction.all(
    Body,
    MINED_SQL,
    network,
    address,
    blockFrom ?? 0,
    blockTo ?? Number.MAX_SAFE_INTEGER,
    txType ?? "",
    pageSize - first.length,
    Math.max(0, offset - unmined.length)
  )
  return [...first, ...rest.map(({ body }) => body)]
}

type Row = typeof HistoryRow.Type

/** A row with amounts in the provider's format for the chain. */
const toRow = (recorded: UtxoRecord, write: (amount: number) => number | string): Row => ({
  ...recorded,
  fee: write(recorded.fee),
  inputs: recorded.inputs.map(({ coin, prevout }) =>
    coin === undefined ? { prevout } : { prevout, coin: { ...coin, value: write(coin.value) } }
  ),
  outputs: recorded.outputs.map((coin) => ({ ...coin, value: write(coin.value) }))
})

const toSatoshis = (amount: number): number => amount
const toCoins = (amount: number): string => Units.format(BigInt(amount), COIN_DECIMALS)

/**
 * Writes the asked addresses of rows as they were asked for. The node has those of its regression test network, and a client that
 * adds up what its address gets would not find it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const withAskedAddresses = (
  network: Network,
  addresses: ReadonlyArray<string>
): ((row: Row) => Row) => {
  const asked = new Map(addresses.map((address) => [toNodeAddress(network, address), address]))
  const rename = (coin: Row["outputs"][number]) => ({
    ...coin,
    address: coin.address === null ? null : (asked.get(coin.address) ?? coin.address)
  })
  return (row) => ({
    ...row,
    inputs: row.inputs.map((input) =>
      input.coin === undefined ? input : { ...input, coin: rename(input.coin) }
    ),
    outputs: row.outputs.map(rename)
  })
}

/**
 * The history of an address in the provider's format, once the store has all blocks of the node. Fails if the node does
 * not answer (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readHistory = (
  nodes: NodesService,
  use: StoreService["transact"],
  { address, network }: { readonly network: Network; readonly address: string },
  query: DecodedHistoryQuery
): Effect.Effect<ReadonlyArray<typeof HistoryRow.Type>, SandboxError> =>
  Effect.gen(function* () {
    // The pool is read first. A transaction that is mined meanwhile is then in the store, and is skipped in the pool.
    const waiting = yield* readPending((method, params) => nodes.rpc(network, method, params))
    yield* nodes.indexNewBlocks(network)
    const write = info(network).currency === "BTC" ? toSatoshis : toCoins
    const rows = yield* use((transaction) =>
      findHistory(transaction, { network, address: toNodeAddress(network, address) }, query, waiting)
    )
    return rows.map((row) => toRow(row, write)).map(withAskedAddresses(network, [address]))
  })

const api = HttpApi.make("provider").add(group)

/**
 * Histories, once the store has all blocks of the node. Fails if the node does not answer (503).
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "history">,
  never,
  Nodes | Store
> = HttpApiBuilder.group(api, "history", (handlers) =>
  Effect.gen(function* () {
    const nodes = yield* Nodes
    const { transact } = yield* Store

    const answer =
      (code: string) =>
      (query: {
        readonly path: { readonly address: string }
        readonly urlParams: DecodedHistoryQuery
      }): Effect.Effect<ReadonlyArray<typeof HistoryRow.Type>, Unavailable> => {
        const { path, urlParams } = query
        const network = networkOfChain(code, urlParams.type === "testnet")
        return network === undefined
          ? Effect.die(new Error(`no network of ${code}`))
          : Effect.mapError(
              readHistory(nodes, transact, { network, address: path.address }, urlParams),
              ({ message }) => makeUnavailable(message)
            )
      }

    return handlers
      .handle("bitcoin", answer("BTC"))
      .handle("litecoin", answer("LTC"))
      .handle("dogecoin", answer("DOGE"))
  })
)
