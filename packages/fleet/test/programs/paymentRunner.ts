/** A runner over Postgres with durable payments of Dogecoin and of Solana: `PG_URL`, `PORT`, `DOGE_URL`, `SOLANA_URL`. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../src/Postgres.js"
import { dogecoin } from "../bitcoin.js"
import * as solana from "../solana.js"

const { DOGE_URL = "", PG_URL = "", PORT, SOLANA_URL = "" } = process.env

// whoever started this one is gone
process.on("disconnect", () => process.exit(1))

const program = Layer.provide(
  Layer.merge(
    dogecoin.transactions(DOGE_URL, 0, { attention: "10 seconds" }),
    solana.transactions(SOLANA_URL)
  ),
  Postgres.layer({ name: "tests", url: Redacted.make(PG_URL), host: "127.0.0.1", port: Number(PORT) })
)

Effect.runFork(
  Effect.scoped(
    Effect.gen(function* () {
      yield* Layer.build(program)
      process.send?.("up")
      yield* Effect.never
    })
  ).pipe(
    Effect.tapErrorCause((cause) => Effect.logError(cause)),
    Effect.ensuring(Effect.sync(() => process.exit(1))),
    Effect.provide(Layer.merge(Logger.logFmt, Logger.minimumLogLevel(LogLevel.Warning)))
  )
)
