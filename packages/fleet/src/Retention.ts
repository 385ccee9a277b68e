/**
 * Removes old rows of a fleet from its database.
 *
 * @since 0.1.0
 */
import * as MachineId from "@effect/cluster/MachineId"
import * as Singleton from "@effect/cluster/Singleton"
import * as Snowflake from "@effect/cluster/Snowflake"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { BitcoinSend } from "./bitcoin/SendWorkflow.js"
import type { Services } from "./engine.js"
import { EvmSend } from "./evm/SendWorkflow.js"
import { EvmSweep } from "./evm/Sweep.js"
import { FleetError } from "./FleetError.js"
import { SolanaSend } from "./solana/SendWorkflow.js"
import { SolanaSweep } from "./solana/Sweep.js"

/**
 * How long rows are kept after their work has ended. Rows of open work are never removed.
 *
 * - `messages` (1 day): messages of the engine. An ended transaction does not need them.
 * - `keys` (90 days, at least `messages`): idempotency keys with their outcomes and signed transactions. After that a key is a new one, so
 *   a retry of an old payment would pay again.
 * - `workflows`: your own workflows whose messages are removed, too. Executing one of them again after that runs it again.
 *
 * @since 0.1.0
 * @category models
 */
export interface RetentionOptions {
  readonly messages?: Duration.DurationInput
  readonly keys?: Duration.DurationInput
  readonly workflows?: ReadonlyArray<string>
}

const forgottenRows = Metric.counter("fleet_rows_forgotten", {
  description: "Rows of what has ended that were removed",
  incremental: true
})

/** How many executions or keys are removed in one transaction, so that no lock is held for long. */
const BATCH_SIZE = 500

/** Removes messages of workflows that ended before a time, and yields the number of workflows. */
const forgetMessages = (
  sql: SqlClient.SqlClient,
  workflows: ReadonlyArray<string>,
  before: number
): Effect.Effect<number, SqlError> =>
  Effect.gen(function* () {
    const types = workflows.map((name) => `Workflow/${name}`)
    // an id has its time in it: that of the reply is when the workflow ended
    const oldest = String(Snowflake.make({ timestamp: before, machineId: MachineId.make(0), sequence: 0 }))
    const rows = yield* sql<{ readonly entity_id: string }>`SELECT m.entity_id FROM cluster_messages m
      JOIN cluster_replies r ON r.id = m.last_reply_id
      WHERE ${sql.in("m.entity_type", types)} AND m.tag = 'run' AND r.kind = 0
      AND r.id < CAST(${oldest} AS BIGINT) AND r.payload LIKE '%"_tag":"Complete"%' LIMIT ${BATCH_SIZE}`
    if (rows.length === 0) return 0
    const entities = [...types, "Workflow/-/DurableClock"]
    const ids = rows.map((row) => row.entity_id)
    yield* sql.withTransaction(
      Effect.andThen(
        sql`DELETE FROM cluster_replies WHERE request_id IN (SELECT id FROM cluster_messages
          WHERE ${sql.in("entity_id", ids)} AND ${sql.in("entity_type", entities)})`,
        sql`DELETE FROM cluster_messages WHERE ${sql.in("entity_id", ids)} AND ${sql.in("entity_type", entities)}`
      )
    )
    return rows.length
  })

/** Removes keys that ended before a time, with their signed transactions, and yields their number. */
const forgetKeys = (sql: SqlClient.SqlClient, before: number): Effect.Effect<number, SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      const rows = yield* sql<{ readonly key: string }>`SELECT key FROM fleet_transactions
        WHERE state = 'ended' AND ended < ${before} LIMIT ${BATCH_SIZE}`
      if (rows.length === 0) return 0
      yield* sql`DELETE FROM fleet_signed WHERE EXISTS (SELECT 1 FROM fleet_transactions t
        WHERE t.network = fleet_signed.network AND t.address = fleet_signed.address AND t.nonce = fleet_signed.nonce
        AND t.state = 'ended' AND t.ended < ${before}
        AND ${sql.in(
          "t.key",
          rows.map(({ key }) => key)
        )})`
      for (const table of ["fleet_solana_signed", "fleet_bitcoin_signed", "fleet_coins"])
        yield* sql`DELETE FROM ${sql(table)} WHERE EXISTS (SELECT 1 FROM fleet_transactions t
          WHERE t.network = ${sql(`${table}.network`)} AND t.address = ${sql(`${table}.address`)}
          AND t.key = ${sql(`${table}.key`)} AND t.state = 'ended' AND t.ended < ${before}
          AND ${sql.in(
            "t.key",
            rows.map(({ key }) => key)
          )})`
      yield* sql`DELETE FROM fleet_transactions WHERE state = 'ended' AND ended < ${before}
        AND ${sql.in(
          "key",
          rows.map(({ key }) => key)
        )}`
      return rows.length
    })
  )

/** Repeats a batch until it is not full. */
const repeatBatches = (some: Effect.Effect<number, SqlError>): Effect.Effect<number, SqlError> =>
  Effect.flatMap(some, (count) =>
    count < BATCH_SIZE ? Effect.succeed(count) : Effect.map(repeatBatches(some), (more) => count + more)
  )

/**
 * Removes old rows once, and yields the number of workflows and keys. Fails with `FleetError` if `keys` is shorter than `messages`: a
 * payment could be made twice then.
 *
 * @since 0.1.0
 * @category operations
 */
export const forget = (
  options: RetentionOptions = {}
): Effect.Effect<
  { readonly workflows: number; readonly keys: number },
  SqlError | FleetError,
  SqlClient.SqlClient
> =>
  Effect.gen(function* () {
    const messagesMs = Duration.toMillis(options.messages ?? "1 day")
    const keysMs = Duration.toMillis(options.keys ?? "90 days")
    if (keysMs < messagesMs)
      return yield* new FleetError({
        reason: "InvalidOption",
        message:
          "keys must be kept at least as long as messages: without its key a payment could be made again."
      })
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const own = [EvmSend, SolanaSend, BitcoinSend, EvmSweep, SolanaSweep]
    const workflows = [...own.map(({ name }) => name), ...(options.workflows ?? [])]
    const done = {
      workflows: yield* repeatBatches(forgetMessages(sql, workflows, now - messagesMs)),
      keys: yield* repeatBatches(forgetKeys(sql, now - keysMs))
    }
    yield* Metric.incrementBy(forgottenRows, done.workflows + done.keys)
    return done
  })

/**
 * Removes old rows every ten minutes, in one process of the fleet.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: RetentionOptions = {}): Layer.Layer<never, never, Services> =>
  Singleton.make(
    "fleet/retention",
    forget(options).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("Nothing was forgotten this time", cause)),
      Effect.repeat(Schedule.spaced("10 minutes")),
      Effect.asVoid
    )
  )
