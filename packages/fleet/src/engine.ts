/** What the engines of both stores have in common: the services, the timings, and whose the store is. */
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
import * as SignedStore from "./solana/SignedStore.js"
import * as WatcherStore from "./watch/WatcherStore.js"

/**
 * What an app of a fleet runs on, whatever keeps it: workflows, entities with their shards, and the database with its tables.
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
 * The timings that let work of a runner that was killed go on elsewhere within seconds. Those of the engine would take half a minute.
 * The refreshing of locks is the engine's deadline for it as well, and a runner that misses it leaves all that it does: on a busy machine
 * one of a second is missed again and again, and nothing is ever done. That a runner is gone is told by its session (`Presence`), at once.
 * Each runner that comes takes a share of the others' shards. What is on its way there has no runner while the old one ends it: steps may
 * run twice, so that it is cut off soon.
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

/** A message that somebody has read is read again by who has its shard now, at most so much later. */
const REREAD_INTERVAL = "5 seconds"

/**
 * The engine marks a message as read, and reads it again after ten minutes or with its shard. Where the mark of the runner before is
 * written after that, or the taking of the shard is cut off by a busy store, nobody works at the message. What a runner works at is
 * known to it, and is not begun again.
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

/** The version of the tables. One more with each change that an older process could not read. */
const FORMAT_VERSION = 1

/** Writes down whose the store is, or finds that it is somebody else's. */
export const claimStore = (name: string): Effect.Effect<void, SqlError | FleetError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Ledger.tables
    yield* WatcherStore.tables
    yield* SignedStore.tables
    yield* UtxoStore.tables
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
 * A client whose transactions fail where the store goes away in the midst of them. They cannot be committed then, nor taken back, of which
 * the client dies: but that is a failure as any other of the store, which has forgotten the work, and no end of a workflow.
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

/** Classes of SQLSTATE that mean a server on its way up or down, and none of ours. */
const UNAVAILABLE = /^(08(?!P01)|53|57)|^E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_)/

/** The code of what is behind an error, as drivers give it. */
const findErrorCode = (error: unknown): string | undefined => {
  for (
    let each = error;
    typeof each === "object" && each !== null;
    each = "cause" in each ? each.cause : undefined
  )
    if ("code" in each && typeof each.code === "string") return each.code
  return undefined
}

/** What a database's error means. What no code tells is taken for a server that is away, which is tried again. */
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

/** The typed errors of what starts a store. The engine dies where its tables cannot be made, so defects are read as well. */
export const withTypedErrors = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, FleetError, R> =>
  Effect.catchAllCause(effect, (cause): Effect.Effect<never, FleetError> => {
    if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
    const error = Cause.squash(cause)
    return Effect.fail(error instanceof FleetError ? error : toFleetError(error))
  })

/** Processes that start at once make tables at once, and a server that starts with them is late: five seconds of trying again. */
export const retryWhileStarting = <A, R>(
  effect: Effect.Effect<A, FleetError, R>
): Effect.Effect<A, FleetError, R> =>
  Effect.retry(effect, {
    schedule: Schedule.exponential("50 millis", 1.6).pipe(Schedule.jittered, Schedule.upTo("5 seconds")),
    while: ({ reason }) => reason === "StoreAway"
  })

/** Names of fleets and watchers are told in errors and metrics: 1 to 64 letters, digits, points, dashes or underscores. */
export const isValidName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)

export const checkName = (name: string): Effect.Effect<string, FleetError> =>
  isValidName(name)
    ? Effect.succeed(name)
    : Effect.fail(
        new FleetError({
          reason: "InvalidOption",
          message: "The name of a fleet is 1 to 64 letters, digits, points, dashes or underscores."
        })
      )

/** The settings of a process of a fleet: no variable of the environment changes them. */
export const makeShardingConfig = (
  more: Partial<ShardingConfig.ShardingConfig["Type"]>
): ReturnType<typeof ShardingConfig.layer> =>
  ShardingConfig.layer({ ...timings, runnerAddress: Option.none(), ...more })
