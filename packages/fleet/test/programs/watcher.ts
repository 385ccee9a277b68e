/** A runner with a watcher, as a process: `PG_URL`, `PORT` and `NODE_URL`; `OPTIONS` of the watcher; and `LOG`, where its handler writes. */
import { appendFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../src/Postgres.js"
import { lineOf, watcher } from "../watching.js"

const { LOG = "", NAME = "", NODE_URL = "", OPTIONS = "{}", PG_URL = "", PORT } = process.env

// whoever started this one is gone
process.on("disconnect", () => process.exit(1))

const options: { readonly name: string; readonly from: number } = JSON.parse(OPTIONS)
const watching = watcher(NODE_URL, {
  ...options,
  // a handler takes a while after it has written: a kill in its midst makes a repetition
  handle: ({ _tag, payment, sequence, shard }) =>
    Effect.zipRight(
      Effect.sync(() => appendFileSync(LOG, `${NAME} ${shard} ${sequence} ${_tag} ${lineOf(payment)}\n`)),
      Effect.sleep("30 millis")
    )
})

const program = Layer.provide(
  watching,
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
