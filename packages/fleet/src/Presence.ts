/**
 * Which runners are alive, known by Postgres: each holds a lock with its number in a session, and Postgres ends the session of a killed
 * process at once. The engine alone pings, or waits for a heartbeat to stay away.
 */
import { createHash } from "node:crypto"
import { PersistenceError } from "@effect/cluster/ClusterError"
import type * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"

/** The first of the lock's two numbers. The engine's locks have one number, and the lock of a start has another first one. */
const LOCK_CLASS = 0x68657265

/** How long a runner without a session counts as alive, in milliseconds: it opens another one soon. */
const GRACE_MS = 400

/** How long all runners count as alive after Postgres has started, in milliseconds: they reconnect one after another. */
const RESTART_GRACE_MS = 2_000

/** The second number of a runner's lock: an integer of 32 bits. */
const lockNumberOf = ({ host, port }: RunnerAddress.RunnerAddress): number =>
  createHash("sha256").update(`${host}:${port}`).digest().readInt32BE()

/** Holds the lock of a runner as long as the scope is open. If the session is lost, another one takes the lock. */
const holdLock = (sql: SqlClient.SqlClient, address: RunnerAddress.RunnerAddress) =>
  Effect.gen(function* () {
    const held = yield* Deferred.make<void>()
    yield* Effect.gen(function* () {
      const session = yield* sql.reserve
      // shared, so that a runner that restarts at its address does not wait for its old session to end
      yield* session.executeRaw(`SELECT pg_advisory_lock_shared(${LOCK_CLASS}, ${lockNumberOf(address)})`, [])
      yield* Deferred.succeed(held, undefined)
      yield* Effect.forever(Effect.delay(session.executeRaw("SELECT 1", []), "1 second"))
    }).pipe(Effect.scoped, Effect.retry(Schedule.spaced("200 millis")), Effect.forkScoped)
    yield* Deferred.await(held)
  })

/**
 * The engine's table of runners without those that are gone. A process that runs no work holds no lock, and reads the table in the same way.
 */
export const layer: Layer.Layer<
  RunnerStorage.RunnerStorage,
  never,
  RunnerStorage.RunnerStorage | SqlClient.SqlClient | ShardingConfig.ShardingConfig
> = Layer.scoped(
  RunnerStorage.RunnerStorage,
  Effect.gen(function* () {
    const storage = yield* RunnerStorage.RunnerStorage
    const sql = yield* SqlClient.SqlClient
    const own = Option.map((yield* ShardingConfig.ShardingConfig).runnerAddress, (address) => {
      return { address, number: lockNumberOf(address) }
    })
    if (Option.isSome(own)) yield* holdLock(sql, own.value.address)

    /** Since when runners have no session (milliseconds since 1970), by their numbers. */
    const lostSince = new Map<number, number>()
    const isHere = (number: number, sessions: ReadonlySet<number>, now: number): boolean => {
      if (sessions.has(number) || Option.exists(own, (each) => each.number === number)) {
        lostSince.delete(number)
        return true
      }
      const since = lostSince.get(number) ?? now
      lostSince.set(number, since)
      return now - since < GRACE_MS
    }

    return {
      ...storage,
      getRunners: Effect.gen(function* () {
        const runners = yield* storage.getRunners
        const [seen] = yield* sql<{
          readonly numbers: ReadonlyArray<number>
          readonly up: number
        }>`SELECT ARRAY(SELECT DISTINCT objid::bigint::bit(32)::int
            FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = ${LOCK_CLASS}::bigint::oid
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS numbers,
          EXTRACT(EPOCH FROM clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 AS up`
        if (seen === undefined || seen.up < RESTART_GRACE_MS) return runners
        const sessions = new Set(seen.numbers)
        const now = yield* Clock.currentTimeMillis
        const here = runners.filter(([{ address }]) => isHere(lockNumberOf(address), sessions, now))
        // forget runners that are not in the table any more
        for (const number of lostSince.keys())
          if (!runners.some(([{ address }]) => lockNumberOf(address) === number)) lostSince.delete(number)
        return here
      }).pipe(PersistenceError.refail)
    }
  })
)
