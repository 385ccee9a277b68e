/**
 * The tables of durable transactions: the orders of accounts, their nonces, and all that was signed for them. Two runners may work on one order
 * for a moment. The keys of the tables let only one of them win.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** An account of a network. Addresses of EVM networks are in lower case. */
export interface Account {
  readonly network: string
  readonly address: string
}

/**
 * The order of a key. `open`: it is being sent. `filling`: it has failed, and an empty transaction is to take its nonce. `ended`: it has an
 * outcome.
 */
export interface Entry extends Account {
  readonly key: string
  readonly digest: string
  readonly nonce: number | undefined
  readonly plan: string | undefined
  readonly state: "open" | "filling" | "ended"
  readonly outcome: string | undefined
  /** When it was submitted, in milliseconds since 1970. */
  readonly created: number
}

/** Names an entry: its account, its key and, if it has one, its nonce. */
export interface EntryRef extends Account, Pick<Entry, "key"> {
  readonly nonce?: number | undefined
}

/** A signed transaction. `round` numbers those of a nonce; each has a higher fee than the one before. */
export interface SignedTransaction {
  readonly round: number
  readonly hash: string
  readonly raw: string
  /** The plan that was signed, as JSON. */
  readonly plan: string
  readonly purpose: "pay" | "fill"
  readonly created: number
}

/** The entry has a nonce already, or has ended: the database transaction is rolled back. */
class NonceAlreadyGiven extends Data.TaggedError("NonceAlreadyGiven")<{}> {}

type Row = Readonly<Record<string, string | number | bigint | null>>

const toText = (value: Row[string] | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value)

const toEntry = (row: Row): Entry => {
  const state = toText(row.state)
  return {
    network: String(row.network),
    address: String(row.address),
    key: String(row.key),
    digest: String(row.digest),
    nonce: row.nonce === null || row.nonce === undefined ? undefined : Number(row.nonce),
    plan: toText(row.plan),
    state: state === "ended" || state === "filling" ? state : "open",
    outcome: toText(row.outcome),
    created: Number(row.created)
  }
}

const toSignedTransaction = (row: Row): SignedTransaction => ({
  round: Number(row.round),
  hash: String(row.hash),
  raw: String(row.raw),
  plan: String(row.plan),
  purpose: row.purpose === "fill" ? "fill" : "pay",
  created: Number(row.created)
})

/** Creates the tables, in both dialects. */
export const tables: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.all(
      [
        sql`CREATE TABLE IF NOT EXISTS fleet_accounts (
          network TEXT NOT NULL, address TEXT NOT NULL, next BIGINT NOT NULL, PRIMARY KEY (network, address))`,
        sql`CREATE TABLE IF NOT EXISTS fleet_transactions (
          network TEXT NOT NULL, address TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL,
          nonce BIGINT, plan TEXT, state TEXT NOT NULL, outcome TEXT, created BIGINT NOT NULL, ended BIGINT,
          PRIMARY KEY (network, address, key), UNIQUE (network, address, nonce))`,
        sql`CREATE INDEX IF NOT EXISTS fleet_transactions_open ON fleet_transactions (network, address, nonce) WHERE state <> 'ended'`,
        sql`CREATE INDEX IF NOT EXISTS fleet_transactions_ended ON fleet_transactions (ended) WHERE state = 'ended'`,
        sql`CREATE TABLE IF NOT EXISTS fleet_signed (
          network TEXT NOT NULL, address TEXT NOT NULL, nonce BIGINT NOT NULL, round INTEGER NOT NULL,
          hash TEXT NOT NULL, raw TEXT NOT NULL, plan TEXT NOT NULL, purpose TEXT NOT NULL, created BIGINT NOT NULL,
          PRIMARY KEY (network, address, nonce, round), UNIQUE (network, hash))`
      ],
      { discard: true }
    )
)

/** Reads and writes of the tables. */
export interface Ledger {
  /** Finds the entry of a key, or creates it. */
  readonly findOrCreate: (account: Account, key: string, digest: string) => Effect.Effect<Entry, SqlError>
  readonly find: (account: Account, key: string) => Effect.Effect<Entry | undefined, SqlError>
  /**
   * Gives an entry its plan and the next nonce of its account, which is at least `count`. Yields the stored entry: another runner may have been
   * first, or the entry has ended.
   */
  readonly reserveNonce: (entry: Entry, plan: string, count: number) => Effect.Effect<Entry, SqlError>
  readonly listSigned: (
    account: Account,
    nonce: number
  ) => Effect.Effect<ReadonlyArray<SignedTransaction>, SqlError>
  /** Stores a signed transaction, unless its round has one. Only what this yields may be sent. */
  readonly storeSigned: (
    account: Account,
    nonce: number,
    bytes: Omit<SignedTransaction, "created">
  ) => Effect.Effect<SignedTransaction, SqlError>
  /** Ends an entry, and yields whether it did. It does nothing if the entry has ended, or has another nonce than the given one. */
  readonly recordEnd: (entry: EntryRef, outcome: string) => Effect.Effect<boolean, SqlError>
  /** Gives up the nonce of an entry: an empty transaction is to take it. */
  readonly abandonNonce: (entry: EntryRef) => Effect.Effect<void, SqlError>
  /** Creates an entry for a nonce that no order has: an empty transaction is to take it. */
  readonly createFiller: (account: Account, nonce: number, plan: string) => Effect.Effect<void, SqlError>
  /** The open entry of an account with the lowest nonce, and all entries that are `filling`. */
  readonly listPending: (account: Account) => Effect.Effect<ReadonlyArray<Entry>, SqlError>
  readonly findByNonce: (account: Account, nonce: number) => Effect.Effect<Entry | undefined, SqlError>
  /** The entries of an account that have not ended, the oldest first. */
  readonly listOpen: (account: Account) => Effect.Effect<ReadonlyArray<Entry>, SqlError>
}

const makeReserveNonce = (sql: SqlClient.SqlClient, findByKey: Ledger["find"]): Ledger["reserveNonce"] => {
  // At most one connection waits for an account's row: the process needs the others to read its messages.
  const transactionLock = Effect.unsafeMakeSemaphore(1)

  return (entry, plan, count) => {
    const { address, key, network } = entry
    return transactionLock
      .withPermits(1)(
        sql.withTransaction(
          Effect.gen(function* () {
            // the account's row is locked until the transaction ends, so that nonces are given one after another
            const [account] = yield* sql<Row>`INSERT INTO fleet_accounts (network, address, next)
            SELECT ${network}, ${address}, CASE WHEN MAX(nonce) >= ${count} THEN MAX(nonce) ELSE ${count - 1} END + 2
            FROM fleet_transactions WHERE network = ${network} AND address = ${address}
            ON CONFLICT (network, address) DO UPDATE SET next =
            CASE WHEN fleet_accounts.next >= excluded.next THEN fleet_accounts.next + 1 ELSE excluded.next END
            RETURNING next`
            const [row] =
              yield* sql<Row>`UPDATE fleet_transactions SET nonce = ${Number(account?.next) - 1}, plan = ${plan}
            WHERE network = ${network} AND address = ${address} AND key = ${key} AND nonce IS NULL AND state = 'open'
            RETURNING *`
            return row === undefined ? yield* new NonceAlreadyGiven() : toEntry(row)
          })
        )
      )
      .pipe(
        Effect.catchTag("NonceAlreadyGiven", () =>
          Effect.map(findByKey(entry, key), (found) => found ?? entry)
        )
      )
  }
}

/** Makes a function that moves entries to a state, and yields whether it did. */
const makeSetState =
  (sql: SqlClient.SqlClient) =>
  (state: Entry["state"]) =>
  ({ address, key, network, nonce }: EntryRef, outcome: string | undefined) =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (now) => sql`UPDATE fleet_transactions
          SET state = ${state}, outcome = COALESCE(outcome, ${outcome ?? null}), ended = ${state === "ended" ? now : null}
          WHERE network = ${network} AND address = ${address} AND key = ${key} AND state <> 'ended'
          AND COALESCE(nonce, -1) = ${nonce ?? -1} RETURNING key`
    ).pipe(Effect.map(({ length }) => length > 0))

/** Makes a ledger over a database. */
export const make = (sql: SqlClient.SqlClient): Ledger => {
  const findByKey: Ledger["find"] = (account, key) =>
    Effect.map(
      sql<Row>`SELECT * FROM fleet_transactions
        WHERE network = ${account.network} AND address = ${account.address} AND key = ${key}`,
      ([row]) => (row === undefined ? undefined : toEntry(row))
    )

  const findOrCreate: Ledger["findOrCreate"] = (account, key, digest) =>
    Effect.gen(function* () {
      const had = yield* findByKey(account, key)
      if (had !== undefined) return had
      const now = yield* Clock.currentTimeMillis
      const [row] =
        yield* sql<Row>`INSERT INTO fleet_transactions (network, address, key, digest, state, created)
        VALUES (${account.network}, ${account.address}, ${key}, ${digest}, 'open', ${now})
        ON CONFLICT (network, address, key) DO NOTHING RETURNING *`
      return row === undefined ? yield* findOrCreate(account, key, digest) : toEntry(row)
    })

  const listSigned: Ledger["listSigned"] = ({ address, network }, nonce) =>
    Effect.map(
      sql<Row>`SELECT * FROM fleet_signed
        WHERE network = ${network} AND address = ${address} AND nonce = ${nonce} ORDER BY round`,
      (rows) => rows.map(toSignedTransaction)
    )

  const setState = makeSetState(sql)

  return {
    findOrCreate,
    find: findByKey,
    reserveNonce: makeReserveNonce(sql, findByKey),
    listSigned,
    storeSigned: ({ address, network }, nonce, { hash, plan, purpose, raw, round }) =>
      Effect.gen(function* () {
        const created = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO fleet_signed (network, address, nonce, round, hash, raw, plan, purpose, created)
          VALUES (${network}, ${address}, ${nonce}, ${round}, ${hash}, ${raw}, ${plan}, ${purpose}, ${created})
          ON CONFLICT (network, address, nonce, round) DO NOTHING`
        const kept = (yield* listSigned({ address, network }, nonce)).find((each) => each.round === round)
        return kept ?? (yield* Effect.dieMessage("bytes that were stored are not there"))
      }),
    recordEnd: setState("ended"),
    abandonNonce: (entry) => setState("filling")(entry, undefined),
    createFiller: ({ address, network }, nonce, plan) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (
          now
        ) => sql`INSERT INTO fleet_transactions (network, address, key, digest, nonce, plan, state, created)
          VALUES (${network}, ${address}, ${`fill ${nonce}`}, '', ${nonce}, ${plan}, 'filling', ${now})
          ON CONFLICT DO NOTHING`
      ),
    listPending: ({ address, network }) =>
      Effect.map(
        sql<Row>`SELECT * FROM fleet_transactions
          WHERE network = ${network} AND address = ${address} AND state <> 'ended' AND (state = 'filling'
          OR nonce = (SELECT MIN(nonce) FROM fleet_transactions
            WHERE network = ${network} AND address = ${address} AND state <> 'ended'))
          ORDER BY nonce`,
        (rows) => rows.map(toEntry)
      ),
    findByNonce: ({ address, network }, nonce) =>
      Effect.map(
        sql<Row>`SELECT * FROM fleet_transactions
          WHERE network = ${network} AND address = ${address} AND nonce = ${nonce}`,
        ([row]) => (row === undefined ? undefined : toEntry(row))
      ),
    listOpen: ({ address, network }) =>
      Effect.map(
        sql<Row>`SELECT * FROM fleet_transactions WHERE network = ${network} AND address = ${address}
          AND state <> 'ended' ORDER BY created`,
        (rows) => rows.map(toEntry)
      )
  }
}
