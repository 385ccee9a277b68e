/**
 * A fleet of many processes, over Postgres.
 *
 * @since 0.1.0
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import * as SocketRunner from "@effect/cluster/SocketRunner"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import { layerClientProtocol, layerSocketServer } from "@effect/platform-node/NodeClusterSocket"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import {
  checkName,
  claimStore,
  makeShardingConfig,
  rereadMessages,
  retryWhileAway,
  type Services,
  withFailingTransactions,
  withTypedErrors
} from "./engine.js"
import { FleetError } from "./FleetError.js"
import * as Messages from "./Messages.js"
import * as Presence from "./Presence.js"

/**
 * The options of a process of a fleet over Postgres.
 *
 * - `url` is the database's: `postgres://user:password@host:port/name`.
 * - `name` is the fleet's, the same in all its processes.
 * - `host` and `port` are where the other processes reach this one. Without `port` the process submits work, and runs none.
 * - `listen` is the address to listen on, if it is not `host` (in containers `0.0.0.0`).
 * - `connections` (10, at least 4) is the most that this process opens. Two of them hold its locks and its presence.
 *
 * @since 0.1.0
 * @category models
 */
export interface PostgresOptions {
  readonly name: string
  readonly url: Redacted.Redacted
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly listen?: string | undefined
  readonly connections?: number | undefined
}

/** The first number of this lock. The engine's locks have one number and ours two, so that they never collide. */
const START_LOCK = "fleet".split("").reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)

/**
 * Lets Postgres probe each connection after five idle seconds. By default a host that vanishes holds its locks for hours. Options in the url
 * take the place of these.
 */
const withKeepAlive = (url: Redacted.Redacted): Redacted.Redacted => {
  const given = new URL(Redacted.value(url))
  if (!given.searchParams.has("options"))
    given.searchParams.set(
      "options",
      "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
    )
  return Redacted.make(given.toString())
}

const readBackend = (connection: Connection): Effect.Effect<unknown, SqlError> =>
  Effect.map(connection.executeValues("SELECT pg_backend_pid()", []), (rows) => rows[0]?.[0])

/**
 * Fails behind a pooler in transaction mode, where locks of a session do not work. Two open connections have two backends, except there: the
 * second one gets the idle session of the first.
 */
const failIfPooled = (
  sql: SqlClient.SqlClient,
  first: Connection
): Effect.Effect<void, SqlError | FleetError, Scope.Scope> =>
  Effect.gen(function* () {
    const second = yield* sql.reserve
    const one = yield* readBackend(first)
    const other = yield* readBackend(second)
    if (one === other)
      return yield* new FleetError({
        reason: "PooledConnections",
        message:
          "A pooler in transaction mode stands before Postgres, and the locks of a fleet need sessions. Use session mode, or the server's own port."
      })
  })

/** Creates the engine's tables and ours, one process at a time, and the storages over them. */
const makeStorages = (name: string) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Effect.scope
      const start = Effect.gen(function* () {
        const session = yield* sql.reserve
        yield* failIfPooled(sql, session)
        yield* session.executeRaw("SET lock_timeout = '20s'", [])
        yield* session.executeRaw(`SELECT pg_advisory_lock(${START_LOCK}, 1)`, [])
        yield* Effect.addFinalizer(() =>
          Effect.ignore(
            Effect.andThen(
              session.executeRaw(`SELECT pg_advisory_unlock(${START_LOCK}, 1)`, []),
              session.executeRaw("RESET lock_timeout", [])
            )
          )
        )
        yield* claimStore(name)
        const made = yield* Scope.fork(scope, ExecutionStrategy.sequential)
        return yield* Effect.onError(
          Layer.buildWithScope(Layer.merge(SqlMessageStorage.layer, SqlRunnerStorage.layer), made),
          (cause) => Scope.close(made, Exit.failCause(cause))
        )
      })
      return yield* retryWhileAway(withTypedErrors(Effect.scoped(start)))
    })
  )

const makeDatabase = ({ connections = 10, url }: PostgresOptions) =>
  Layer.scopedContext(
    retryWhileAway(
      withTypedErrors(
        Effect.map(
          Layer.build(
            PgClient.layer({
              url: withKeepAlive(url),
              maxConnections: connections,
              applicationName: "effect-chains fleet"
            })
          ),
          withFailingTransactions
        )
      )
    )
  )

const checkOptions = (options: PostgresOptions): Effect.Effect<PostgresOptions, FleetError> =>
  Effect.gen(function* () {
    const refuse = (message: string) => new FleetError({ reason: "InvalidOption", message })
    yield* checkName(options.name)
    if (
      !/^postgres(ql)?:\/\//.test(Redacted.value(options.url)) ||
      !URL.canParse(Redacted.value(options.url))
    )
      return yield* refuse("The url of the database must be postgres://user:password@host:port/name.")
    const { connections = 10, port } = options
    if (!Number.isSafeInteger(connections) || connections < 4)
      return yield* refuse(
        "connections must be a whole number of at least 4: two of them hold the locks of this process and its presence."
      )
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
      return yield* refuse("port must be a whole number from 1 to 65535, and free on this host.")
    if (port !== undefined && options.host === undefined)
      return yield* refuse("A runner needs host: the name or address where the other processes reach it.")
    return options
  })

/** The process's part in the fleet: it runs work, or only submits it. */
const makeSharding = ({ host = "localhost", listen = host, port }: PostgresOptions) => {
  if (port === undefined) return Layer.provide(SocketRunner.layerClientOnly, layerClientProtocol)
  const health = RunnerHealth.layerPing.pipe(
    Layer.provide(Runners.layerRpc),
    Layer.provide(layerClientProtocol)
  )
  const server = Layer.catchAll(layerSocketServer, (cause) =>
    Layer.fail(
      new FleetError({
        reason: "NotListening",
        cause,
        message: `Nothing can listen on port ${port} of ${listen}. Give each runner of a host a port of its own.`
      })
    )
  )
  return SocketRunner.layer.pipe(Layer.provide([server, layerClientProtocol]), Layer.provide(health))
}

/** Where the others reach a process that runs work. */
const makeAddresses = ({ host = "localhost", listen = host, port }: PostgresOptions) =>
  makeShardingConfig(
    port === undefined
      ? {}
      : {
          runnerAddress: Option.some(RunnerAddress.make(host, port)),
          runnerListenAddress: Option.some(RunnerAddress.make(listen, port))
        }
  )

/**
 * A process of a fleet over Postgres. Processes that start together on an empty database create its tables one after another. Fails with
 * `FleetError` if the database does not answer within ten seconds, belongs to another fleet or version, is behind a pooler in transaction
 * mode, or if the port is taken.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: PostgresOptions): Layer.Layer<Services, FleetError> =>
  Layer.unwrapEffect(
    Effect.map(checkOptions(options), (given) =>
      Layer.merge(ClusterWorkflowEngine.layer, rereadMessages).pipe(
        Layer.provideMerge(makeSharding(given)),
        Layer.provideMerge(Layer.merge(Presence.layer, Messages.layer)),
        Layer.provideMerge(makeStorages(given.name)),
        Layer.provideMerge(makeDatabase(given)),
        Layer.provide(makeAddresses(given)),
        Layer.provide(RpcSerialization.layerMsgPack)
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
  options: Config.Config.Wrap<PostgresOptions>
): Layer.Layer<Services, FleetError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
