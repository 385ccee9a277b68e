/** A watcher of one process over a file, with something beside it. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Services } from "../src/engine.js"
import * as Libsql from "../src/Libsql.js"
import { withoutLogs } from "./evm.js"

/** Runs an effect beside a watcher whose database is a file: the process, as it were, ends with the effect. */
export const runWithWatcher = <A>(
  path: string,
  watcher: Layer.Layer<never, unknown, Services>,
  during: Effect.Effect<A, unknown, SqlClient.SqlClient>
): Effect.Effect<A, unknown> =>
  during.pipe(
    Effect.provide(Layer.provideMerge(watcher, Libsql.layer({ name: "tests", file: path }))),
    Effect.provide(withoutLogs),
    Effect.timeout("550 seconds")
  )

/** Until all shards have told of the block that is the newest one now. */
export const untilCaughtUp = <E, R>(
  progress: Effect.Effect<ReadonlyArray<{ readonly height: number }>, E, R>,
  newest: Effect.Effect<number, E>
): Effect.Effect<void, unknown, R> =>
  Effect.flatMap(newest, (head) =>
    progress.pipe(
      Effect.repeat({
        until: (shards) => shards.every(({ height }) => height >= head),
        schedule: Schedule.spaced("50 millis")
      }),
      Effect.asVoid
    )
  )
