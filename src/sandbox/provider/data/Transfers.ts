/**
 * Transfers from the movements of the store: one row for each address on either side.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Units from "../../../data/Units.js"
import type { Transfer } from "../../api/Data.js"
import type { ColumnValue, Transaction } from "../../Store.js"
import type { PagePart } from "./Pages.js"

/**
 * A filter of transfers. Every field is optional, and a list matches any of its items. Addresses and hashes have the
 * store's case.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransferFilter {
  readonly addresses: ReadonlyArray<string> | undefined
  readonly hash: string | undefined
  readonly kinds: ReadonlyArray<string> | undefined
  readonly directions: ReadonlyArray<string> | undefined
  readonly token: string | undefined
  readonly tokenId: string | undefined
  readonly blockFrom: number | undefined
  readonly blockTo: number | undefined
}

const Row = Schema.Struct({
  block: Schema.Number,
  time: Schema.Number,
  hash: Schema.String,
  transaction_index: Schema.Number,
  kind: Schema.Literal("native", "fungible", "nft", "multitoken", "internal"),
  address: Schema.String,
  counter: Schema.NullOr(Schema.String),
  outgoing: Schema.Number,
  amount: Schema.String,
  token: Schema.NullOr(Schema.String),
  token_id: Schema.NullOr(Schema.String),
  decimals: Schema.NullOr(Schema.Number)
})

const KINDS = ["native", "internal", "fungible", "nft", "multitoken"]

/** SQL conditions with their values. A list is JSON, so that the text does not depend on its length. */
const makeConditions = (pairs: ReadonlyArray<readonly [sql: string, value: ColumnValue | undefined]>) => {
  const given = pairs.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  return { sql: given.map(({ sql }) => sql).join(" AND "), values: given.map(({ value }) => value) }
}

const toJsonList = (values: ReadonlyArray<string> | undefined): string | undefined =>
  values === undefined || values.length === 0 ? undefined : JSON.stringify(values)

/** A transfer from the address's point of view: outgoing amounts are negative. */
const toTransfer = (row: typeof Row.Type, network: string, decimals: number): typeof Transfer.Type => {
  const amount = BigInt(row.amount)
  return {
    chain: network,
    hash: row.hash,
    address: row.address,
    counterAddress: row.counter ?? undefined,
    blockNumber: row.block,
    transactionIndex: row.transaction_index,
    transactionType: row.kind,
    transactionSubtype: amount === 0n ? "zero-transfer" : row.outgoing === 1 ? "outgoing" : "incoming",
    amount: Units.format(
      row.outgoing === 1 ? -amount : amount,
      row.token === null ? decimals : row.kind === "fungible" ? (row.decimals ?? 0) : 0
    ),
    timestamp: row.time,
    tokenAddress: row.token ?? undefined,
    tokenId: row.token_id ?? undefined
  }
}

/**
 * Transfers, newest first, and one more than fits on the page if there are more. A transfer from an address to itself
 * is there twice, outgoing and incoming, and once as `zero-transfer` if its amount is zero. `decimals` are the network
 * coin's; tokens have their own, or none.
 *
 * @since 0.1.0
 * @category operations
 */
export const findTransfers = (
  { all }: Transaction,
  { decimals, network }: { readonly network: string; readonly decimals: number },
  filter: TransferFilter,
  { from, head, size }: PagePart
): ReadonlyArray<typeof Transfer.Type> => {
  const blockTo = Math.min(filter.blockTo ?? Number.MAX_SAFE_INTEGER, head ?? Number.MAX_SAFE_INTEGER)
  const side = (address: "sender" | "receiver") =>
    makeConditions([
      ["m.network = ?", network],
      [`m.${address} IN (SELECT value FROM json_each(?))`, toJsonList(filter.addresses)],
      ["m.hash = ?", filter.hash],
      ["m.token = ?", filter.token],
      ["m.token_id = ?", filter.tokenId],
      ["m.kind IN (SELECT value FROM json_each(?))", JSON.stringify(filter.kinds ?? KINDS)],
      ["m.block >= ?", filter.blockFrom],
      ["m.block <= ?", blockTo]
    ])
  const sent = side("sender")
  const received = side("receiver")
  const direction = makeConditions([
    [
      "CASE WHEN amount = '0' THEN 'zero-transfer' WHEN outgoing THEN 'outgoing' ELSE 'incoming' END " +
        "IN (SELECT value FROM json_each(?))",
      toJsonList(filter.directions)
    ]
  ])
  const columns =
    "m.block, m.time, m.hash, m.transaction_index, m.position, m.kind, m.amount, m.token, m.token_id"
  const rows = all(
    Row,
    `SELECT block, time, hash, transaction_index, kind, address, counter, outgoing, amount, token, token_id, decimals
FROM (
  SELECT ${columns}, m.sender AS address, m.receiver AS counter, 1 AS outgoing, t.decimals FROM movements m
  LEFT JOIN tokens t ON t.network = m.network AND t.token = m.token
  WHERE m.sender IS NOT NULL AND NOT (m.amount = '0' AND m.sender IS m.receiver) AND ${sent.sql}
  UNION ALL
  SELECT ${columns}, m.receiver, m.sender, 0, t.decimals FROM movements m
  LEFT JOIN tokens t ON t.network = m.network AND t.token = m.token
  WHERE m.receiver IS NOT NULL AND ${received.sql}
)${direction.sql === "" ? "" : ` WHERE ${direction.sql}`}
ORDER BY block DESC, position DESC, outgoing LIMIT ? OFFSET ?`,
    ...sent.values,
    ...received.values,
    ...direction.values,
    size + 1,
    from
  )
  return rows.map((row) => toTransfer(row, network, decimals))
}
