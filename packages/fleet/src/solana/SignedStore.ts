/** All transactions of Solana that were signed for a key, with the blocks in which they can land. Only stored transactions are sent. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Entry } from "../Ledger.js"

/** A signed transaction. `slot` is the slot of its blockhash: no earlier block can have the transaction. */
export interface SignedTransaction {
  readonly round: number
  readonly hash: string
  readonly raw: string
  readonly lastValidBlockHeight: bigint
  readonly slot: bigint
}

type Row = Readonly<Record<string, string | number | bigint | null>>
export type PaymentKey = Pick<Entry, "network" | "address" | "key">

/** Creates the table, in both dialects. */
export const tables: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE IF NOT EXISTS fleet_solana_signed (
    network TEXT NOT NULL, address TEXT NOT NULL, key TEXT NOT NULL, round INTEGER NOT NULL,
    hash TEXT NOT NULL, raw TEXT NOT NULL, valid BIGINT NOT NULL, slot BIGINT NOT NULL, created BIGINT NOT NULL,
    PRIMARY KEY (network, address, key, round), UNIQUE (network, hash))`
)

export interface SignedStore {
  readonly listSigned: (key: PaymentKey) => Effect.Effect<ReadonlyArray<SignedTransaction>, SqlError>
  /**
   * Stores a signed transaction, unless its round has one, and yields the stored one. Undefined if another key has the same transaction: equal
   * payments with one blockhash are one transaction.
   */
  readonly storeSigned: (
    key: PaymentKey,
    bytes: SignedTransaction
  ) => Effect.Effect<SignedTransaction | undefined, SqlError>
}

/** Makes a store over a database. */
export const make = (sql: SqlClient.SqlClient): SignedStore => {
  const listSigned: SignedStore["listSigned"] = ({ address, key, network }) =>
    Effect.map(
      sql<Row>`SELECT * FROM fleet_solana_signed
        WHERE network = ${network} AND address = ${address} AND key = ${key} ORDER BY round`,
      (rows) =>
        rows.map((row) => ({
          round: Number(row.round),
          hash: String(row.hash),
          raw: String(row.raw),
          lastValidBlockHeight: BigInt(row.valid ?? 0),
          slot: BigInt(row.slot ?? 0)
        }))
    )
  return {
    listSigned,
    storeSigned: (at, { hash, lastValidBlockHeight, raw, round, slot }) =>
      Effect.gen(function* () {
        const created = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO fleet_solana_signed (network, address, key, round, hash, raw, valid, slot, created)
          VALUES (${at.network}, ${at.address}, ${at.key}, ${round}, ${hash}, ${raw},
            ${Number(lastValidBlockHeight)}, ${Number(slot)}, ${created})
          ON CONFLICT DO NOTHING`
        return (yield* listSigned(at)).find((each) => each.round === round)
      })
  }
}
