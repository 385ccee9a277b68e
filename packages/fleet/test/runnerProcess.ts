/** What processes of a fleet do, whatever their work is. */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { FleetError } from "../src/FleetError.js"
import * as Postgres from "../src/Postgres.js"

const { PG_URL = "", PORT } = process.env

/** Their store: `PG_URL`, where the runner of this process is found at `PORT`. */
export const store = Postgres.layer({
  name: "tests",
  url: Redacted.make(PG_URL),
  host: "127.0.0.1",
  port: Number(PORT)
})

/** Begins its work and lives on until it is killed, or whoever started it is gone. It writes what goes wrong. */
export const runUntilKilled = (work: Effect.Effect<unknown, unknown, Scope.Scope>): void => {
  process.on("disconnect", () => process.exit(1))
  Effect.runFork(
    Effect.scoped(Effect.zipRight(work, Effect.never)).pipe(
      Effect.tapErrorCause((cause) => Effect.logError(cause)),
      Effect.ensuring(Effect.sync(() => process.exit(1))),
      Effect.provide(Logger.logFmt),
      Effect.provide(Logger.minimumLogLevel(LogLevel.Warning))
    )
  )
}

/**
 * Asks again while no runner or store answers, as callers do: orders are refused after some seconds, and on a busy machine a process that was
 * just started may take longer until it has its part of the work.
 */
export const askUntilTaken = <A, E, R>(asking: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(asking, {
    schedule: Schedule.spaced("200 millis"),
    while: (error) =>
      error instanceof FleetError && (error.reason === "RunnersAway" || error.reason === "StoreAway")
  })

/** Says that it is up. */
export const reportUp = Effect.sync(() => process.send?.("up"))
