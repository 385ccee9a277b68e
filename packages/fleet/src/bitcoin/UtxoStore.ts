/**
 * The outputs that payments of Bitcoin's kind have reserved, and all transactions that were signed for them. An output has one row, so that only
 * one payment spends it. Two runners may work on a payment for a moment: what decides about it is done while its own row is locked.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Account, Entry } from "../Ledger.js"

/** An output of a transaction, in the smallest unit. */
export interface Utxo {
  readonly txid: string
  readonly vout: number
  readonly amount: bigint
}

/** A signed transaction. `round` numbers those of a key. Each spends an output of the one before, so that only one of them can land. */
export interface SignedTransaction {
  readonly round: number
  readonly hash: string
  readonly raw: string
  /** The plan that was signed, as JSON. */
  readonly plan: string
  /** `back` pays the account itself, and so ends the payment as failed. */
  readonly purpose: "pay" | "back"
  readonly created: number
}

/** Other payments have these outputs. */
export class UtxosTaken extends Data.TaggedError("UtxosTaken")<{ readonly utxos: ReadonlyArray<Utxo> }> {}

/** The payment has ended: another runner was first. */
export class PaymentEnded extends Data.TaggedError("PaymentEnded")<{}> {}

type Row = Readonly<Record<string, string | number | bigint | null>>
export type PaymentKey = Pick<Entry, keyof Account | "key">

/** Creates the tables, in both dialects. */
export const tables: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.all(
      [
        sql`CREATE TABLE IF NOT EXISTS fleet_coins (
          network TEXT NOT NULL, txid TEXT NOT NULL, vout BIGINT NOT NULL, amount TEXT NOT NULL,
          address TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (network, txid, vout))`,
        sql`CREATE INDEX IF NOT EXISTS fleet_coins_key ON fleet_coins (network, address, key)`,
        sql`CREATE TABLE IF NOT EXISTS fleet_bitcoin_signed (
          network TEXT NOT NULL, address TEXT NOT NULL, key TEXT NOT NULL, round INTEGER NOT NULL,
          hash TEXT NOT NULL, raw TEXT NOT NULL, plan TEXT NOT NULL, purpose TEXT NOT NULL, created BIGINT NOT NULL,
          PRIMARY KEY (network, address, key, round), UNIQUE (network, hash))`
      ],
      { discard: true }
    )
)

export interface UtxoStore {
  /** The outputs that open payments of an account have reserved. */
  readonly listReserved: (account: Account) => Effect.Effect<ReadonlyArray<Utxo>, SqlError>
  /** Reserves outputs for a payment with its plan. Yields the stored plan: another runner may have been first. */
  readonly reserve: (
    key: PaymentKey,
    plan: string,
    coins: ReadonlyArray<Utxo>
  ) => Effect.Effect<string, SqlError | UtxosTaken | PaymentEnded>
  readonly listSigned: (key: PaymentKey) => Effect.Effect<ReadonlyArray<SignedTransaction>, SqlError>
  /** Stores a signed transaction and reserves the outputs that it adds, unless its round has one. Yields the stored one. */
  readonly storeSigned: (
    key: PaymentKey,
    bytes: Omit<SignedTransaction, "created">,
    coins: ReadonlyArray<Utxo>
  ) => Effect.Effect<SignedTransaction, SqlError | UtxosTaken | PaymentEnded>
  /** Ends a payment for which nothing was signed, and releases its outputs. Yields whether the payment has ended. */
  readonly endUnsigned: (
    key: PaymentKey,
    end: Effect.Effect<void, SqlError>
  ) => Effect.Effect<boolean, SqlError>
  /** Ends a payment whose transaction has landed, and releases the outputs that it does not spend. */
  readonly endLanded: (
    key: PaymentKey,
    spent: ReadonlyArray<Pick<Utxo, "txid" | "vout">>,
    end: Effect.Effect<void, SqlError>
  ) => Effect.Effect<void, SqlError>
  /** Those of our signed transactions that have these ids, as hexadecimal. */
  readonly findRawParents: (
    network: string,
    txids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, SqlError>
}

const toUtxo = (row: Row): Utxo => ({
  txid: String(row.txid),
  vout: Number(row.vout),
  amount: BigInt(row.amount ?? 0)
})

const outpointOf = ({ txid, vout }: Pick<Utxo, "txid" | "vout">): string => `${txid}:${vout}`

const toSignedTransaction = (row: Row): SignedTransaction => ({
  round: Number(row.round),
  hash: String(row.hash),
  raw: String(row.raw),
  plan: String(row.plan),
  purpose: row.purpose === "back" ? "back" : "pay",
  created: Number(row.created)
})

/** Locks the row of a payment until the database transaction ends. */
const lockPayment = (
  sql: SqlClient.SqlClient,
  { address, key, network }: PaymentKey
): Effect.Effect<Row, SqlError | PaymentEnded> =>
  Effect.flatMap(
    sql<Row>`UPDATE fleet_transactions SET state = state
      WHERE network = ${network} AND address = ${address} AND key = ${key} AND state <> 'ended' RETURNING plan`,
    ([row]) => (row === undefined ? new PaymentEnded() : Effect.succeed(row))
  )

/** Reserves all outputs or none: a failure rolls the transaction back. They are sorted, so that two payments never wait for each other. */
const insertUtxos = (
  sql: SqlClient.SqlClient,
  { address, key, network }: PaymentKey,
  coins: ReadonlyArray<Utxo>
) =>
  Effect.gen(function* () {
    const sorted = [...coins].sort((a, b) => (outpointOf(a) < outpointOf(b) ? -1 : 1))
    const taken: Array<Utxo> = []
    for (const coin of sorted) {
      const rows = yield* sql<Row>`INSERT INTO fleet_coins (network, txid, vout, amount, address, key)
        VALUES (${network}, ${coin.txid}, ${coin.vout}, ${String(coin.amount)}, ${address}, ${key})
        ON CONFLICT DO NOTHING RETURNING txid`
      if (rows.length === 0) taken.push(coin)
    }
    if (taken.length > 0) return yield* new UtxosTaken({ utxos: taken })
  })

/** Makes a store over a database. */
export const make = (sql: SqlClient.SqlClient): UtxoStore => {
  // At most one connection waits for locked rows: the process needs the others to read its messages.
  const transactionLock = Effect.unsafeMakeSemaphore(1)
  const inTransaction = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
    transactionLock.withPermits(1)(sql.withTransaction(effect))

  const listSigned: UtxoStore["listSigned"] = ({ address, key, network }) =>
    Effect.map(
      sql<Row>`SELECT * FROM fleet_bitcoin_signed
        WHERE network = ${network} AND address = ${address} AND key = ${key} ORDER BY round`,
      (rows) => rows.map(toSignedTransaction)
    )

  return {
    listReserved: ({ address, network }) =>
      Effect.map(
        sql<Row>`SELECT c.* FROM fleet_coins c JOIN fleet_transactions t
          ON t.network = c.network AND t.address = c.address AND t.key = c.key
          WHERE c.network = ${network} AND c.address = ${address} AND t.state <> 'ended'`,
        (rows) => rows.map(toUtxo)
      ),
    reserve: (at, plan, coins) =>
      inTransaction(
        Effect.gen(function* () {
          const { plan: had } = yield* lockPayment(sql, at)
          if (had !== null && had !== undefined) return String(had)
          yield* insertUtxos(sql, at, coins)
          yield* sql`UPDATE fleet_transactions SET plan = ${plan}
            WHERE network = ${at.network} AND address = ${at.address} AND key = ${at.key}`
          return plan
        })
      ),
    listSigned,
    storeSigned: (at, { hash, plan, purpose, raw, round }, coins) =>
      inTransaction(
        Effect.gen(function* () {
          yield* lockPayment(sql, at)
          const created = yield* Clock.currentTimeMillis
          const rows = yield* sql<Row>`INSERT INTO fleet_bitcoin_signed
            (network, address, key, round, hash, raw, plan, purpose, created)
            VALUES (${at.network}, ${at.address}, ${at.key}, ${round}, ${hash}, ${raw}, ${plan}, ${purpose}, ${created})
            ON CONFLICT (network, address, key, round) DO NOTHING RETURNING *`
          if (rows.length > 0) yield* insertUtxos(sql, at, coins)
          const kept =
            rows.map(toSignedTransaction)[0] ?? (yield* listSigned(at)).find((each) => each.round === round)
          return kept ?? (yield* Effect.dieMessage("bytes that were stored are not there"))
        })
      ),
    endUnsigned: (at, end) =>
      inTransaction(
        Effect.gen(function* () {
          yield* lockPayment(sql, at)
          if ((yield* listSigned(at)).length > 0) return false
          yield* sql`DELETE FROM fleet_coins
            WHERE network = ${at.network} AND address = ${at.address} AND key = ${at.key}`
          yield* end
          return true
        })
      ).pipe(Effect.catchTag("PaymentEnded", () => Effect.succeed(true))),
    endLanded: (at, spent, end) =>
      inTransaction(
        Effect.gen(function* () {
          yield* lockPayment(sql, at)
          const landed = new Set(spent.map(outpointOf))
          const rows = yield* sql<Row>`SELECT * FROM fleet_coins
            WHERE network = ${at.network} AND address = ${at.address} AND key = ${at.key}`
          for (const { txid, vout } of rows.map(toUtxo).filter((coin) => !landed.has(outpointOf(coin))))
            yield* sql`DELETE FROM fleet_coins WHERE network = ${at.network} AND txid = ${txid} AND vout = ${vout}`
          yield* end
        })
      ).pipe(Effect.catchTag("PaymentEnded", () => Effect.void)),
    findRawParents: (network, txids) =>
      txids.length === 0
        ? Effect.succeed([])
        : Effect.map(
            sql<Row>`SELECT raw FROM fleet_bitcoin_signed WHERE network = ${network} AND ${sql.in("hash", txids)}`,
            (rows) => rows.map(({ raw }) => String(raw))
          )
  }
}
