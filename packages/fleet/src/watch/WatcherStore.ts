/** The tables of watchers: settings, addresses, and for each shard its cursor and the blocks that a reorganisation may take back. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type AddressSet, shardOf } from "./AddressSet.js"
import { type HandledBlock, PaymentsText, type Step, StepText } from "./WatchEvent.js"

/**
 * The position of a shard. `hash` is empty before the first block of a chain. `origin` is the first watched height. `handledEvents` counts the
 * handled events of `pendingStep`. `epoch` is a fencing token: acquiring the shard raises it, and writes with an older one die.
 */
export interface Cursor {
  readonly epoch: number
  readonly origin: number
  readonly height: number
  readonly hash: string
  readonly sequence: number
  readonly pendingStep: Step | undefined
  readonly handledEvents: number
}

/** The store of a shard. Writes die with `Superseded` if another runner has acquired the shard. */
export interface ShardStore {
  readonly id: { readonly watcher: string; readonly shard: number }
  readonly acquire: Effect.Effect<Cursor, SqlError>
  /** The stored blocks, the oldest first. */
  readonly keptBlocks: Effect.Effect<ReadonlyArray<HandledBlock>, SqlError>
  readonly writeStep: (cursor: Cursor, step: Step) => Effect.Effect<Cursor, SqlError>
  readonly recordHandled: (cursor: Cursor, handledEvents: number) => Effect.Effect<Cursor, SqlError>
  /** Moves the cursor past a step with this number of events. */
  readonly moveCursor: (cursor: Cursor, step: Step, events: number) => Effect.Effect<Cursor, SqlError>
  /** Updates a set to the current addresses of the shard. */
  readonly refreshAddresses: (set: AddressSet) => Effect.Effect<void, SqlError>
}

/** The defect of a runner whose shard another one has acquired. It must not handle events any more. */
export class Superseded extends Error {
  override readonly name = "Superseded"
}

/** The settings of a watcher, which are the same at every start. */
export interface WatcherSettings {
  readonly family: string
  readonly network: string
  readonly from: string
  readonly shards: number
}

type Row = Readonly<Record<string, string | number | bigint | null>>

/** Addresses in one statement. */
const STATEMENT_SIZE = 1_000

/** Addresses in one transaction. */
const TRANSACTION_SIZE = 20_000

/** Addresses that are read at once, joined to one text: a million rows as objects would be most of the memory. */
const PAGE_SIZE = 2_000

/** Creates the tables, in both dialects. */
export const tables: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.all(
      [
        sql`CREATE TABLE IF NOT EXISTS fleet_watchers (
          watcher TEXT PRIMARY KEY, family TEXT NOT NULL, network TEXT NOT NULL, origin TEXT NOT NULL, shards INTEGER NOT NULL, revision BIGINT NOT NULL)`,
        sql`CREATE TABLE IF NOT EXISTS fleet_watch_shards (
          watcher TEXT NOT NULL, shard INTEGER NOT NULL, epoch BIGINT NOT NULL, origin BIGINT NOT NULL,
          height BIGINT NOT NULL, hash TEXT NOT NULL, sequence BIGINT NOT NULL, pending TEXT, done INTEGER NOT NULL,
          PRIMARY KEY (watcher, shard))`,
        sql`CREATE TABLE IF NOT EXISTS fleet_watch_blocks (
          watcher TEXT NOT NULL, shard INTEGER NOT NULL, height BIGINT NOT NULL, hash TEXT NOT NULL, payments TEXT NOT NULL,
          PRIMARY KEY (watcher, shard, height))`,
        sql`CREATE TABLE IF NOT EXISTS fleet_watched (
          watcher TEXT NOT NULL, shard INTEGER NOT NULL, address TEXT NOT NULL, revision BIGINT NOT NULL, removed INTEGER NOT NULL,
          PRIMARY KEY (watcher, shard, address))`,
        sql`CREATE INDEX IF NOT EXISTS fleet_watched_revision ON fleet_watched (watcher, shard, revision)`
      ],
      { discard: true }
    )
)

const decodeStep = Schema.decode(StepText)
const encodeStep = Schema.encodeSync(StepText)
const decodePayments = Schema.decode(PaymentsText)
const encodePayments = Schema.encodeSync(PaymentsText)

/** The settings of a watcher, if it exists. */
export const findSettings = (
  sql: SqlClient.SqlClient,
  watcher: string
): Effect.Effect<WatcherSettings | undefined, SqlError> =>
  Effect.map(sql<Row>`SELECT * FROM fleet_watchers WHERE watcher = ${watcher}`, ([row]) =>
    row === undefined
      ? undefined
      : {
          family: String(row.family),
          network: String(row.network),
          from: String(row.origin),
          shards: Number(row.shards)
        }
  )

/** Creates a watcher, unless another runner has. Its first block is `origin`; `hash` is the hash of the block before. */
export const createWatcher = (
  sql: SqlClient.SqlClient,
  watcher: string,
  { family, from, network, shards }: WatcherSettings,
  start: { readonly origin: number; readonly hash: string }
): Effect.Effect<void, SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      const made =
        yield* sql<Row>`INSERT INTO fleet_watchers (watcher, family, network, origin, shards, revision)
        VALUES (${watcher}, ${family}, ${network}, ${from}, ${shards}, 0) ON CONFLICT (watcher) DO NOTHING RETURNING watcher`
      if (made.length === 0) return
      for (let shard = 0; shard < shards; shard++)
        yield* sql`INSERT INTO fleet_watch_shards (watcher, shard, epoch, origin, height, hash, sequence, done)
          VALUES (${watcher}, ${shard}, 0, ${start.origin}, ${start.origin - 1}, ${start.hash}, 0, 0)`
    })
  )

const toChunks = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

/**
 * Adds addresses in their stored form, or removes them. Each batch is a transaction that locks the watcher's row, so that revisions become
 * visible in order.
 */
export const changeAddresses = (
  sql: SqlClient.SqlClient,
  watcher: string,
  shards: number,
  { addresses, removed }: { readonly addresses: ReadonlyArray<string>; readonly removed: boolean }
): Effect.Effect<void, SqlError> => {
  const flag = removed ? 1 : 0
  const page = (own: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const [row] = yield* sql<Row>`UPDATE fleet_watchers SET revision = revision + 1
        WHERE watcher = ${watcher} RETURNING revision`
      const revision = Number(row?.revision)
      for (const chunk of toChunks(own, STATEMENT_SIZE)) {
        const rows = chunk.map((address) => ({
          watcher,
          shard: shardOf(address, shards),
          address,
          revision,
          removed: flag
        }))
        // an address that does not change keeps its revision: nobody has to read it again
        yield* sql`INSERT INTO fleet_watched ${sql.insert(rows)} ON CONFLICT (watcher, shard, address)
          DO UPDATE SET revision = excluded.revision, removed = excluded.removed
          WHERE fleet_watched.removed <> excluded.removed`
      }
    })
  return Effect.forEach(toChunks(addresses, TRANSACTION_SIZE), (own) => sql.withTransaction(page(own)), {
    discard: true
  })
}

/** Reads all addresses of a shard page by page, and only changes after that. */
const makeRefreshAddresses = (
  sql: SqlClient.SqlClient,
  { shard, watcher }: ShardStore["id"]
): ShardStore["refreshAddresses"] => {
  let known: number | undefined
  const all = sql.onDialectOrElse({
    pg: () => sql.literal("string_agg(address, ' ')"),
    orElse: () => sql.literal("group_concat(address, ' ')")
  })
  const load = (set: AddressSet, after: string): Effect.Effect<void, SqlError> =>
    Effect.flatMap(
      sql<Row>`SELECT ${all} AS addresses, MAX(address) AS last, COUNT(*) AS count FROM
        (SELECT address FROM fleet_watched WHERE watcher = ${watcher} AND shard = ${shard}
          AND removed = 0 AND address > ${after} ORDER BY address LIMIT ${PAGE_SIZE}) page`,
      ([row]) => {
        for (const address of String(row?.addresses ?? "").split(" ")) set.add(address)
        return Number(row?.count) < PAGE_SIZE ? Effect.void : load(set, String(row?.last))
      }
    )
  return (set) =>
    Effect.gen(function* () {
      const [row] = yield* sql<Row>`SELECT revision FROM fleet_watchers WHERE watcher = ${watcher}`
      const revision = Number(row?.revision)
      if (revision === known) return
      if (known === undefined) yield* load(set, "")
      // loading took a while: changes since its start are read again
      const rows = yield* sql<Row>`SELECT address, removed FROM fleet_watched
        WHERE watcher = ${watcher} AND shard = ${shard} AND revision > ${known ?? revision}`
      for (const { address, removed } of rows)
        if (Number(removed) === 1) set.delete(String(address))
        else set.add(String(address))
      known = revision
    })
}

/** Applies a step to the table of stored blocks. */
const storeKeptBlocks = (sql: SqlClient.SqlClient, { shard, watcher }: ShardStore["id"], step: Step) =>
  Effect.gen(function* () {
    if (step._tag === "Back")
      return yield* sql`DELETE FROM fleet_watch_blocks
        WHERE watcher = ${watcher} AND shard = ${shard} AND height > ${step.height}`
    const rows = step.blocks
      .filter(({ height }) => height > step.keep)
      .map(({ hash, height, payments }) => ({
        watcher,
        shard,
        height,
        hash,
        payments: encodePayments(payments)
      }))
    if (rows.length > 0) yield* sql`INSERT INTO fleet_watch_blocks ${sql.insert(rows)}`
    yield* sql`DELETE FROM fleet_watch_blocks
      WHERE watcher = ${watcher} AND shard = ${shard} AND height <= ${step.keep}`
  })

/** Makes the store of a shard, whose watcher exists. */
export const make = (sql: SqlClient.SqlClient, id: ShardStore["id"]): ShardStore => {
  const { shard, watcher } = id
  const checkEpoch = (rows: ReadonlyArray<unknown>): Effect.Effect<void> =>
    rows.length === 1
      ? Effect.void
      : Effect.die(new Superseded(`another runner has shard ${shard} of the watcher ${watcher}`))
  return {
    id,
    acquire: Effect.gen(function* () {
      const [row] = yield* sql<Row>`UPDATE fleet_watch_shards SET epoch = epoch + 1
        WHERE watcher = ${watcher} AND shard = ${shard} RETURNING *`
      if (row === undefined) return yield* Effect.dieMessage(`the watcher ${watcher} has no shard ${shard}`)
      const { pending } = row
      return {
        epoch: Number(row.epoch),
        origin: Number(row.origin),
        height: Number(row.height),
        hash: String(row.hash),
        sequence: Number(row.sequence),
        pendingStep: typeof pending === "string" ? yield* Effect.orDie(decodeStep(pending)) : undefined,
        handledEvents: Number(row.done)
      }
    }),
    keptBlocks: Effect.flatMap(
      sql<Row>`SELECT height, hash, payments FROM fleet_watch_blocks
        WHERE watcher = ${watcher} AND shard = ${shard} ORDER BY height`,
      (rows) =>
        Effect.forEach(rows, ({ hash, height, payments }) =>
          Effect.map(Effect.orDie(decodePayments(String(payments))), (decoded) => ({
            height: Number(height),
            hash: String(hash),
            payments: decoded
          }))
        )
    ),
    writeStep: (cursor, step) =>
      Effect.as(
        Effect.flatMap(
          sql`UPDATE fleet_watch_shards SET pending = ${encodeStep(step)}, done = 0
            WHERE watcher = ${watcher} AND shard = ${shard} AND epoch = ${cursor.epoch} RETURNING shard`,
          checkEpoch
        ),
        { ...cursor, pendingStep: step, handledEvents: 0 }
      ),
    recordHandled: (cursor, handledEvents) =>
      Effect.as(
        Effect.flatMap(
          sql`UPDATE fleet_watch_shards SET done = ${handledEvents}
            WHERE watcher = ${watcher} AND shard = ${shard} AND epoch = ${cursor.epoch} RETURNING shard`,
          checkEpoch
        ),
        { ...cursor, handledEvents }
      ),
    moveCursor: (cursor, step, events) => {
      const last = step._tag === "Back" ? step : step.blocks.at(-1)
      const height = last?.height ?? cursor.height
      const hash = last?.hash ?? cursor.hash
      const sequence = cursor.sequence + events
      return Effect.as(
        sql.withTransaction(
          Effect.gen(function* () {
            const rows = yield* sql`UPDATE fleet_watch_shards
              SET height = ${height}, hash = ${hash}, sequence = ${sequence}, pending = NULL, done = 0
              WHERE watcher = ${watcher} AND shard = ${shard} AND epoch = ${cursor.epoch} RETURNING shard`
            yield* checkEpoch(rows)
            yield* storeKeptBlocks(sql, id, step)
          })
        ),
        { ...cursor, height, hash, sequence, pendingStep: undefined, handledEvents: 0 }
      )
    },
    refreshAddresses: makeRefreshAddresses(sql, id)
  }
}

/** Reads the progress of the shards of a watcher. */
export const readProgress = (
  sql: SqlClient.SqlClient,
  watcher: string
): Effect.Effect<
  ReadonlyArray<{ readonly shard: number; readonly height: number; readonly events: number }>,
  SqlError
> =>
  Effect.map(
    sql<Row>`SELECT shard, height, sequence FROM fleet_watch_shards WHERE watcher = ${watcher} ORDER BY shard`,
    (rows) =>
      rows.map((row) => ({
        shard: Number(row.shard),
        height: Number(row.height),
        events: Number(row.sequence)
      }))
  )
