/**
 * What a fleet knows of the transactions of its accounts: who asked for them, which nonces they have, and every byte that was signed.
 * Runners may overlap for a moment; the keys of these tables are what lets only one of them win.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** An account of a network; the address in small letters. */
export interface Account {
  readonly network: string
  readonly address: string
}

/**
 * What was asked for under a key. `open` is on its way; the nonce of one that is `filling` is given to nothing, and its outcome, if it has
 * one, stands; `ended` has its outcome.
 */
export interface Entry extends Account {
  readonly key: string
  readonly digest: string
  readonly nonce: number | undefined
  readonly plan: string | undefined
  readonly state: "open" | "filling" | "ended"
  readonly outcome: string | undefined
  /** When it was asked for, in milliseconds. */
  readonly created: number
}

/** A signed transaction. Those of one nonce are numbered by `round`, each with a higher fee than the one before it. */
export interface Bytes {
  readonly round: number
  readonly hash: string
  readonly raw: string
  /** What was signed. */
  readonly plan: string
  readonly purpose: "pay" | "fill"
  readonly created: number
}

type Row = Readonly<Record<string, string | number | bigint | null>>

const text = (value: Row[string] | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value)

const entryOf = (row: Row): Entry => {
  const state = text(row.state)
  return {
    network: String(row.network),
    address: String(row.address),
    key: String(row.key),
    digest: String(row.digest),
    nonce: row.nonce === null || row.nonce === undefined ? undefined : Number(row.nonce),
    plan: text(row.plan),
    state: state === "ended" || state === "filling" ? state : "open",
    outcome: text(row.outcome),
    created: Number(row.created)
  }
}

const bytesOf = (row: Row): Bytes => ({
  round: Number(row.round),
  hash: String(row.hash),
  raw: String(row.raw),
  plan: String(row.plan),
  purpose: row.purpose === "fill" ? "fill" : "pay",
  created: Number(row.created)
})

/** The tables, of both dialects. */
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

/** The tables as their readers and writers use them. */
export interface Ledger {
  /** Writes down what is asked for under a key, or finds what was asked for under it before. */
  readonly enter: (account: Account, key: string, digest: string) => Effect.Effect<Entry, SqlError>
  readonly find: (account: Account, key: string) => Effect.Effect<Entry | undefined, SqlError>
  /** The entry's nonce: the one that it has, or the next of its account, which is at least `count`. */
  readonly reserve: (entry: Entry, plan: string, count: number) => Effect.Effect<number, SqlError>
  readonly bytes: (account: Account, nonce: number) => Effect.Effect<ReadonlyArray<Bytes>, SqlError>
  /** Keeps signed bytes, unless others have that round already. Only what this gives back may be sent. */
  readonly store: (
    account: Account,
    nonce: number,
    bytes: Omit<Bytes, "created">
  ) => Effect.Effect<Bytes, SqlError>
  readonly end: (entry: Pick<Entry, keyof Account | "key">, outcome: string) => Effect.Effect<void, SqlError>
  /** Gives up a nonce that was reserved: it is filled by nothing. */
  readonly giveUp: (
    entry: Pick<Entry, keyof Account | "key">,
    outcome: string | undefined
  ) => Effect.Effect<void, SqlError>
  /** Makes a nonce that nobody has asked for one that is to be filled. */
  readonly fill: (account: Account, nonce: number, plan: string) => Effect.Effect<void, SqlError>
  /** Of each account the first nonce that has not ended, and all that are to be filled. */
  readonly waiting: Effect.Effect<ReadonlyArray<Entry>, SqlError>
  readonly at: (account: Account, nonce: number) => Effect.Effect<Entry | undefined, SqlError>
  /** The entries of an account that have a plan and no nonce, and have not ended: those whose plan has coins. */
  readonly planned: (account: Account) => Effect.Effect<ReadonlyArray<Entry>, SqlError>
}

/** The reading and writing of the tables. */
export const make = (sql: SqlClient.SqlClient): Ledger => {
  const one = (account: Account, key: string) =>
    Effect.map(
      sql<Row>`SELECT * FROM fleet_transactions
        WHERE network = ${account.network} AND address = ${account.address} AND key = ${key}`,
      ([row]) => (row === undefined ? undefined : entryOf(row))
    )

  // one connection waits for an account's row, and not all that the process has: it reads its messages with them
  const turn = Effect.unsafeMakeSemaphore(1)

  const reserve: Ledger["reserve"] = ({ address, key, network }, plan, count) =>
    turn.withPermits(1)(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`INSERT INTO fleet_accounts (network, address, next) VALUES (${network}, ${address}, ${count})
          ON CONFLICT (network, address) DO NOTHING`
          // whoever writes the account's row first has it until its transaction ends: nonces are given out one after another
          const [account] =
            yield* sql<Row>`UPDATE fleet_accounts SET next = CASE WHEN next < ${count} THEN ${count} ELSE next END
          WHERE network = ${network} AND address = ${address} RETURNING next`
          const had = yield* one({ network, address }, key)
          if (had?.nonce !== undefined) return had.nonce
          const [last] = yield* sql<Row>`SELECT MAX(nonce) AS nonce FROM fleet_transactions
          WHERE network = ${network} AND address = ${address}`
          const nonce = Math.max(Number(account?.next ?? count), Number(last?.nonce ?? -1) + 1)
          yield* sql`UPDATE fleet_accounts SET next = ${nonce + 1} WHERE network = ${network} AND address = ${address}`
          yield* sql`UPDATE fleet_transactions SET nonce = ${nonce}, plan = ${plan}
          WHERE network = ${network} AND address = ${address} AND key = ${key}`
          return nonce
        })
      )
    )

  const bytes: Ledger["bytes"] = ({ address, network }, nonce) =>
    Effect.map(
      sql<Row>`SELECT * FROM fleet_signed
        WHERE network = ${network} AND address = ${address} AND nonce = ${nonce} ORDER BY round`,
      (rows) => rows.map(bytesOf)
    )

  const settle =
    (state: Entry["state"]) =>
    ({ address, key, network }: Pick<Entry, keyof Account | "key">, outcome: string | undefined) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => sql`UPDATE fleet_transactions
          SET state = ${state}, outcome = COALESCE(outcome, ${outcome ?? null}), ended = ${state === "ended" ? now : null}
          WHERE network = ${network} AND address = ${address} AND key = ${key} AND state <> 'ended'`
      )

  return {
    enter: (account, key, digest) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { address, network } = account
        yield* sql`INSERT INTO fleet_transactions (network, address, key, digest, state, created)
          VALUES (${network}, ${address}, ${key}, ${digest}, 'open', ${now})
          ON CONFLICT (network, address, key) DO NOTHING`
        const entry = yield* one(account, key)
        return (
          entry ?? {
            ...account,
            key,
            digest,
            nonce: undefined,
            plan: undefined,
            state: "open",
            outcome: undefined,
            created: now
          }
        )
      }),
    find: one,
    reserve,
    bytes,
    store: ({ address, network }, nonce, { hash, plan, purpose, raw, round }) =>
      Effect.gen(function* () {
        const created = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO fleet_signed (network, address, nonce, round, hash, raw, plan, purpose, created)
          VALUES (${network}, ${address}, ${nonce}, ${round}, ${hash}, ${raw}, ${plan}, ${purpose}, ${created})
          ON CONFLICT (network, address, nonce, round) DO NOTHING`
        const kept = (yield* bytes({ address, network }, nonce)).find((each) => each.round === round)
        return kept ?? (yield* Effect.dieMessage("bytes that were stored are not there"))
      }),
    end: settle("ended"),
    giveUp: settle("filling"),
    fill: ({ address, network }, nonce, plan) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (
          now
        ) => sql`INSERT INTO fleet_transactions (network, address, key, digest, nonce, plan, state, created)
          VALUES (${network}, ${address}, ${`fill ${nonce}`}, '', ${nonce}, ${plan}, 'filling', ${now})
          ON CONFLICT DO NOTHING`
      ),
    waiting: Effect.map(
      sql<Row>`SELECT t.* FROM fleet_transactions t
        JOIN (SELECT network, address, MIN(nonce) AS nonce FROM fleet_transactions
          WHERE state <> 'ended' AND nonce IS NOT NULL GROUP BY network, address) first
        ON t.network = first.network AND t.address = first.address
        WHERE t.nonce = first.nonce OR t.state = 'filling'
        ORDER BY t.nonce`,
      (rows) => rows.map(entryOf)
    ),
    at: ({ address, network }, nonce) =>
      Effect.map(
        sql<Row>`SELECT * FROM fleet_transactions
          WHERE network = ${network} AND address = ${address} AND nonce = ${nonce}`,
        ([row]) => (row === undefined ? undefined : entryOf(row))
      ),
    planned: ({ address, network }) =>
      Effect.map(
        sql<Row>`SELECT * FROM fleet_transactions WHERE network = ${network} AND address = ${address}
          AND state <> 'ended' AND plan IS NOT NULL AND nonce IS NULL ORDER BY created`,
        (rows) => rows.map(entryOf)
      )
  }
}
