/**
 * Which runners are there, by the word of Postgres: each has a session with a lock of its own number, and the server ends the session of
 * a process that is killed at once. The engine by itself pings, or waits for a heartbeat that stays away.
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

/** The first of the lock's two numbers; those of the engine have one, and that of a start has another. */
const LOCK_CLASS = 0x68657265

/** A runner whose session is lost for less than this is still there: it has another one soon. In milliseconds. */
const GRACE_MS = 400

/** After its start Postgres knows nobody, and runners come back one after another: so long all of them are there. In milliseconds. */
const RESTART_GRACE_MS = 2_000

/** The second number of the lock of a runner: 32 bits, as Postgres has them. */
const lockNumberOf = ({ host, port }: RunnerAddress.RunnerAddress): number =>
  createHash("sha256").update(`${host}:${port}`).digest().readInt32BE()

/** Holds the lock of a runner for as long as the process lives, in a new session if one is lost. */
const holdLock = (sql: SqlClient.SqlClient, address: RunnerAddress.RunnerAddress) =>
  Effect.gen(function* () {
    const held = yield* Deferred.make<void>()
    yield* Effect.gen(function* () {
      const session = yield* sql.reserve
      // shared: one that starts again at its address waits for no session that is not ended yet
      yield* session.executeRaw(`SELECT pg_advisory_lock_shared(${LOCK_CLASS}, ${lockNumberOf(address)})`, [])
      yield* Deferred.succeed(held, undefined)
      yield* Effect.forever(Effect.delay(session.executeRaw("SELECT 1", []), "1 second"))
    }).pipe(Effect.scoped, Effect.retry(Schedule.spaced("200 millis")), Effect.forkScoped)
    yield* Deferred.await(held)
  })

/**
 * The engine's table of runners without those that are gone. A process that carries out nothing has no lock, and reads the table in the
 * same way.
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

    /** Since when runners have no session, by their numbers. */
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
        // numbers of runners that nobody knows any more
        for (const number of lostSince.keys())
          if (!runners.some(([{ address }]) => lockNumberOf(address) === number)) lostSince.delete(number)
        return here
      }).pipe(PersistenceError.refail)
    }
  })
)
