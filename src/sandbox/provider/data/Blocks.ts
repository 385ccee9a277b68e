/**
 * Blocks, from the store.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { DataBlock } from "../../api/Data.js"
import type { ColumnValue, Transaction } from "../../Store.js"
import type { PagePart } from "./Pages.js"

/**
 * A filter of blocks. Every field is optional. `ids` are heights or hashes in lower case. Times are milliseconds since
 * 1970. The ends of heights and times are inclusive.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockFilter {
  readonly ids: ReadonlyArray<string>
  readonly blockFrom: number | undefined
  readonly blockTo: number | undefined
  readonly timeFrom: number | undefined
  readonly timeTo: number | undefined
}

const Row = Schema.Struct({
  block: Schema.Number,
  time: Schema.Number,
  hash: Schema.String,
  hashes: Schema.parseJson(Schema.Array(Schema.String)),
  events: Schema.Number,
  nfts: Schema.Number
})

/**
 * Blocks, newest first.
 *
 * @since 0.1.0
 * @category operations
 */
export const findBlocks = (
  { all }: Transaction,
  network: string,
  { blockFrom, blockTo, ids, timeFrom, timeTo }: BlockFilter,
  { from, size }: Pick<PagePart, "from" | "size">
): ReadonlyArray<typeof DataBlock.Type> => {
  const isHeight = (id: string): boolean => /^\d+$/.test(id) && id.length < 16
  const pairs: ReadonlyArray<readonly [string, ColumnValue | undefined]> = [
    ["network = ?", network],
    ["block >= ?", blockFrom],
    ["block <= ?", blockTo],
    ["time >= ?", timeFrom],
    ["time <= ?", timeTo]
  ]
  const given = pairs.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, values: [value] }]))
  if (ids.length > 0)
    given.push({
      sql: "(block IN (SELECT value FROM json_each(?)) OR hash IN (SELECT value FROM json_each(?)))",
      values: [
        JSON.stringify(ids.filter(isHeight).map(Number)),
        JSON.stringify(ids.filter((id) => !isHeight(id)))
      ]
    })
  const rows = all(
    Row,
    `SELECT block, time, hash, hashes,
  (SELECT COUNT(*) FROM events e WHERE e.network = b.network AND e.block = b.block) AS events,
  (SELECT COUNT(*) FROM movements m
    WHERE m.network = b.network AND m.block = b.block AND m.kind IN ('nft', 'multitoken')) AS nfts
FROM blocks b WHERE ${given.map(({ sql }) => sql).join(" AND ")} ORDER BY block DESC LIMIT ? OFFSET ?`,
    ...given.flatMap(({ values }) => values),
    size,
    from
  )
  return rows.map(({ block, events, hash, hashes, nfts, time }) => ({
    blockNumber: block,
    blockTimestamp: time,
    hash,
    eventIngestedSize: events,
    nftIngestedSize: nfts,
    txHashes: hashes
  }))
}
