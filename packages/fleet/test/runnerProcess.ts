/** What processes of a fleet do, whatever their work is. */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
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

/** Says that it is up. */
export const reportUp = Effect.sync(() => process.send?.("up"))
