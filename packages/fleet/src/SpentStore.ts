/** What policies have counted: a row for each part of a payment that a limit counts. */
import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SpendingClaim, SpendingReservation } from "effect-chains/effect/signers/policy"

type Row = Readonly<Record<string, string | number | bigint | null>>

/** Creates the tables, in both dialects. Amounts are text: a token's may have 78 digits, more than an integer of a database. */
export const tables: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.all(
      [
        sql`CREATE TABLE IF NOT EXISTS fleet_limits (policy TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (policy, key))`,
        sql`CREATE TABLE IF NOT EXISTS fleet_spent (
          payment TEXT NOT NULL, policy TEXT NOT NULL, key TEXT NOT NULL, amount TEXT NOT NULL, created BIGINT NOT NULL,
          PRIMARY KEY (payment, key))`,
        sql`CREATE INDEX IF NOT EXISTS fleet_spent_created ON fleet_spent (policy, key, created)`
      ],
      { discard: true }
    )
)

/** Milliseconds since 1970, by the one clock that all processes have. A file has one process. */
const readTime = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<Row>`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
        ([row]) => Number(row?.now)
      ),
    orElse: () => Clock.currentTimeMillis
  })

/** Reads and writes of what a policy has counted. */
export interface SpentStore {
  /** Adds all claims under the id of a payment, or yields one that is exceeded. */
  readonly add: (
    claims: ReadonlyArray<SpendingClaim>
  ) => Effect.Effect<Pick<SpendingReservation, "exceeded"> & { readonly payment: string }, SqlError>
  readonly remove: (payment: string) => Effect.Effect<void, SqlError>
}

/** Makes a store over a database, for the policy of a name. */
export const make = (sql: SqlClient.SqlClient, policy: string): SpentStore => {
  // at most one connection waits for a limit's row: the process needs the others to read its messages
  const transactionLock = Effect.unsafeMakeSemaphore(1)

  /** Locks a limit until the transaction ends. */
  const lock = ({ key }: SpendingClaim) =>
    sql`INSERT INTO fleet_limits (policy, key) VALUES (${policy}, ${key})
      ON CONFLICT (policy, key) DO UPDATE SET key = excluded.key`

  /** What a limit has. The database adds numbers of any size, or they are added here. */
  const sum = ({ key }: SpendingClaim) =>
    Effect.map(
      sql.onDialectOrElse({
        pg: () =>
          sql<Row>`SELECT COALESCE(SUM(amount::numeric), 0)::text AS amount FROM fleet_spent
            WHERE policy = ${policy} AND key = ${key}`,
        orElse: () => sql<Row>`SELECT amount FROM fleet_spent WHERE policy = ${policy} AND key = ${key}`
      }),
      (rows) => rows.reduce((all, { amount }) => all + BigInt(String(amount)), 0n)
    )

  /** Forgets what is older than the span of a limit, and reads what is left. */
  const readSpent = (claim: SpendingClaim, now: number) =>
    Effect.zipRight(
      sql`DELETE FROM fleet_spent
        WHERE policy = ${policy} AND key = ${claim.key} AND created <= ${now - claim.windowMs}`,
      Effect.map(sum(claim), (spent) => ({ ...claim, spent }))
    )

  return {
    add: (claims) =>
      Effect.gen(function* () {
        const payment = randomUUID()
        // all processes lock in one order, so that none waits for another one that waits for it
        const ordered = [...claims].sort((one, other) => (one.key < other.key ? -1 : 1))
        yield* Effect.forEach(ordered, lock)
        const now = yield* readTime(sql)
        const spent = yield* Effect.forEach(claims, (claim) => readSpent(claim, now))
        const exceeded = spent.find((claim) => claim.spent + claim.amount > claim.most)
        if (exceeded !== undefined) return { exceeded, payment }
        yield* Effect.forEach(
          claims,
          ({ amount, key }) => sql`INSERT INTO fleet_spent (payment, policy, key, amount, created)
            VALUES (${payment}, ${policy}, ${key}, ${String(amount)}, ${now})`
        )
        return { payment }
      }).pipe(sql.withTransaction, transactionLock.withPermits(1)),
    remove: (payment) => Effect.asVoid(sql`DELETE FROM fleet_spent WHERE payment = ${payment}`)
  }
}
