/**
 * A fleet of one process, over a file.
 *
 * @since 0.1.0
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as LibsqlClient from "@effect/sql-libsql/LibsqlClient"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  checkName,
  claimStore,
  makeShardingConfig,
  rereadMessages,
  type Services,
  withFailingTransactions,
  withTypedErrors
} from "./engine.js"
import { FleetError } from "./FleetError.js"
import * as Messages from "./Messages.js"

/**
 * The options of a fleet of one process. `file` is the path of its database, which is created if it does not exist, with a lock file beside it
 * (`.lock`). `name` is the fleet's.
 *
 * @since 0.1.0
 * @category models
 */
export interface LibsqlOptions {
  readonly name: string
  readonly file: string
}

/**
 * Locks the database for this process. The engine has no locks over a file, so two processes would do everything twice. The lock is an open
 * transaction on a second file: the system releases it however the process ends.
 */
const lockFile = (file: string) =>
  Effect.gen(function* () {
    const sql = yield* LibsqlClient.make({ url: `file:${file}.lock` })
    const held = yield* Deferred.make<void, FleetError>()
    yield* Effect.forkScoped(
      Effect.catchAll(
        sql.withTransaction(Effect.andThen(Deferred.succeed(held, undefined), Effect.never)),
        (cause) =>
          Deferred.fail(
            held,
            new FleetError({
              reason: "StoreInUse",
              cause,
              message: `Another process has ${file}, or nothing can be written beside it. A fleet over a file is one process: end the other one, or use Postgres.`
            })
          )
      )
    )
    yield* Deferred.await(held)
  })

/** The database. Its integers are bigints, since the engine's ids are larger than a number holds exactly. */
const makeDatabase = ({ file, name }: LibsqlOptions) =>
  Layer.scopedContext(
    withTypedErrors(
      Effect.gen(function* () {
        yield* lockFile(file)
        const context = yield* Effect.map(
          Layer.build(LibsqlClient.layer({ url: `file:${file}`, intMode: "bigint" })),
          withFailingTransactions
        )
        yield* Effect.provide(claimStore(name), context)
        return context
      })
    )
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * A fleet of one process over a file. It has the same services as a fleet over Postgres, so an app changes this layer alone. Fails with
 * `FleetError` if another process has the file, if it belongs to another fleet or version, or if it cannot be written.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: LibsqlOptions): Layer.Layer<Services, FleetError> =>
  Layer.unwrapEffect(
    Effect.as(
      checkName(options.name),
      Layer.merge(ClusterWorkflowEngine.layer, rereadMessages).pipe(
        Layer.provideMerge(Sharding.layer),
        Layer.provideMerge(Runners.layerNoop),
        Layer.provideMerge(Messages.layer),
        Layer.provideMerge(SqlMessageStorage.layer),
        Layer.provide([RunnerStorage.layerMemory, RunnerHealth.layerNoop]),
        Layer.provide(makeShardingConfig({ runnerAddress: Option.some(RunnerAddress.make("localhost", 1)) })),
        Layer.provideMerge(makeDatabase(options))
      )
    )
  )

/**
 * The same, with options from the environment or another source of configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<LibsqlOptions>
): Layer.Layer<Services, FleetError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
