/** What the engines of both stores share: the services, the timings, and the check of whose database it is. */
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as ShardId from "@effect/cluster/ShardId"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isTagged } from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as UtxoStore from "./bitcoin/UtxoStore.js"
import { FleetError, type FleetReason } from "./FleetError.js"
import * as Ledger from "./Ledger.js"
import * as SpentStore from "./SpentStore.js"
import * as SignedStore from "./solana/SignedStore.js"
import * as WatcherStore from "./watch/WatcherStore.js"

/**
 * What an app of a fleet runs on, over either database: workflows, entities with their shards, and the database with its tables.
 *
 * @since 0.1.0
 * @category services
 */
export type Services =
  | Sharding.Sharding
  | MessageStorage.MessageStorage
  | WorkflowEngine.WorkflowEngine
  | SqlClient.SqlClient

const SHARD_COUNT = 60

/**
 * With these timings the work of a killed runner goes on elsewhere within seconds. The engine's own take half a minute.
 *
 * - The interval at which locks are refreshed is also the deadline of a refresh. A runner that misses it drops all its work. On a busy machine a
 *   deadline of one second is missed again and again. That a runner is gone is known at once by its session (`Presence`).
 * - A new runner takes over a share of the others' shards. Their work waits until the old runner has ended it. Steps may run twice, so the old
 *   runner interrupts them soon.
 */
export const timings: Partial<ShardingConfig.ShardingConfig["Type"]> = {
  shardsPerGroup: SHARD_COUNT,
  shardLockRefreshInterval: "5 seconds",
  shardLockExpiration: "15 seconds",
  runnerHealthCheckInterval: "1 second",
  refreshAssignmentsInterval: "500 millis",
  entityMessagePollInterval: "1 second",
  entityReplyPollInterval: "200 millis",
  entityTerminationTimeout: "500 millis"
}

const shards: ReadonlyArray<ShardId.ShardId> = Array.from({ length: SHARD_COUNT }, (_, i) =>
  ShardId.make("default", i + 1)
)

/** How often a runner reads messages of its shards again that were read before. */
const REREAD_INTERVAL = "5 seconds"

/**
 * The engine marks a message as read, and reads it again after ten minutes or when its shard moves. If the old runner writes its mark after the
 * shard has moved, or a busy store interrupts the move, nobody works on the message. A runner knows its own work, and does not start it again.
 */
export const rereadMessages: Layer.Layer<never, never, Sharding.Sharding | MessageStorage.MessageStorage> =
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const sharding = yield* Sharding.Sharding
      const storage = yield* MessageStorage.MessageStorage
      yield* Effect.forkScoped(
        Effect.suspend(() => {
          const own = shards.filter((shard) => sharding.hasShardId(shard))
          return own.length === 0 ? Effect.void : storage.resetShards(own)
        }).pipe(
          Effect.catchAllCause((cause) => Effect.logDebug("messages are read again later", cause)),
          Effect.repeat(Schedule.spaced(REREAD_INTERVAL))
        )
      )
    })
  )

/** The version of the tables. It rises with each change that an older process cannot read. */
const FORMAT_VERSION = 1

/** Creates the tables, and records the fleet that owns the database. Fails if another fleet or version does. */
export const claimStore = (name: string): Effect.Effect<void, SqlError | FleetError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Ledger.tables
    yield* WatcherStore.tables
    yield* SignedStore.tables
    yield* UtxoStore.tables
    yield* SpentStore.tables
    yield* sql`CREATE TABLE IF NOT EXISTS fleet_store (id INTEGER PRIMARY KEY, fleet TEXT NOT NULL, format INTEGER NOT NULL)`
    yield* sql`INSERT INTO fleet_store (id, fleet, format) VALUES (1, ${name}, ${FORMAT_VERSION}) ON CONFLICT (id) DO NOTHING`
    const [row] = yield* sql<{
      readonly fleet: string
      readonly format: number | bigint
    }>`SELECT fleet, format FROM fleet_store`
    if (row !== undefined && row.fleet !== name)
      return yield* new FleetError({
        reason: "OtherFleet",
        message: `This database belongs to the fleet "${row.fleet}", and this is "${name}". Give each fleet a database of its own: the locks of Postgres know no names.`
      })
    if (row !== undefined && Number(row.format) !== FORMAT_VERSION)
      return yield* new FleetError({
        reason: "OtherVersion",
        message: `This database has the tables of version ${row.format}, and this package those of version ${FORMAT_VERSION}. Run one version of @effect-chains/fleet in all processes; an older store is read by none but its own.`
      })
  })

/**
 * A client whose transactions fail if the database goes away within them. Such a transaction can be neither committed nor rolled back, for which
 * the client dies. The database has forgotten its work, so this is an ordinary failure, and must not end a workflow.
 */
export const withFailingTransactions = <R>(
  context: Context.Context<R | SqlClient.SqlClient>
): Context.Context<R | SqlClient.SqlClient> => {
  const sql = Context.get(context, SqlClient.SqlClient)
  const { withTransaction } = sql
  return Context.add(
    context,
    SqlClient.SqlClient,
    Object.assign(sql, {
      withTransaction: <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
        Effect.catchSomeDefect(withTransaction(work), (defect) =>
          defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
        )
    })
  )
}

/** Codes of a server that starts, stops or cannot be reached: classes of SQLSTATE, and errors of sockets. */
const UNAVAILABLE = /^(08(?!P01)|53|57)|^E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_)/

/** The first code in an error and its causes. */
const findErrorCode = (error: unknown): string | undefined => {
  for (
    let each = error;
    typeof each === "object" && each !== null;
    each = "cause" in each ? each.cause : undefined
  )
    if ("code" in each && typeof each.code === "string") return each.code
  return undefined
}

/** Turns a database's error into a `FleetError`. One without a code is taken for a server that is away, which may be tried again. */
export const toFleetError = (error: unknown): FleetError => {
  const code = findErrorCode(error)
  if (isTagged(error, "SocketError") || isTagged(error, "RunnerUnavailable"))
    return new FleetError({
      reason: "RunnersAway",
      cause: error,
      message:
        "A runner does not answer. What was stored is kept, and goes on with the next one: check that runners are up, and that their host and port can be reached from here."
    })
  const isAway = code === undefined || UNAVAILABLE.test(code) || code === "ENOTFOUND"
  const reason: FleetReason = isAway ? "StoreAway" : "StoreRefused"
  return new FleetError({
    reason,
    cause: error,
    message: isAway
      ? `The database does not answer (${code ?? "no reason given"}). Check that it runs and can be reached from here; what was stored is kept, and goes on when it is back.`
      : `The database refuses (${code}). Check its user, password and name, and that the user may create tables.`
  })
}

/** Turns failures and defects of starting a store into `FleetError`: the engine dies if its tables cannot be created. */
export const withTypedErrors = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, FleetError, R> =>
  Effect.catchAllCause(effect, (cause): Effect.Effect<never, FleetError> => {
    if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
    const error = Cause.squash(cause)
    return Effect.fail(error instanceof FleetError ? error : toFleetError(error))
  })

/** Retries for five seconds: processes that start together create tables together, and their server may start later than they do. */
export const retryWhileAway = <A, R>(
  effect: Effect.Effect<A, FleetError, R>
): Effect.Effect<A, FleetError, R> =>
  Effect.retry(effect, {
    schedule: Schedule.exponential("50 millis", 1.6).pipe(Schedule.jittered, Schedule.upTo("5 seconds")),
    while: ({ reason }) => reason === "StoreAway"
  })

/** Whether a fleet or watcher may have this name, which is part of errors and metrics. */
export const isValidName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)

export const checkName = (
  name: string,
  of: "fleet" | "policy" = "fleet"
): Effect.Effect<string, FleetError> =>
  isValidName(name)
    ? Effect.succeed(name)
    : Effect.fail(
        new FleetError({
          reason: "InvalidOption",
          message: `The name of a ${of} is 1 to 64 letters, digits, points, dashes or underscores.`
        })
      )

/** Makes the sharding settings of a process. Environment variables do not change them. */
export const makeShardingConfig = (
  more: Partial<ShardingConfig.ShardingConfig["Type"]>
): ReturnType<typeof ShardingConfig.layer> =>
  ShardingConfig.layer({ ...timings, runnerAddress: Option.none(), ...more })
