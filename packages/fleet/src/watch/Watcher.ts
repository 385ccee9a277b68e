/** Watchers of all families: their addresses, their options, and the layer that runs them. */
import * as Singleton from "@effect/cluster/Singleton"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { isTagged } from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import { Network } from "effect-chains"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import { isValidName, type Services, toFleetError } from "../engine.js"
import type { FleetError } from "../FleetError.js"
import { AddressSet, type KeyFormat } from "./AddressSet.js"
import * as Reader from "./Reader.js"
import type { WatchEvent } from "./WatchEvent.js"
import * as WatcherStore from "./WatcherStore.js"
import { type CommonWatchOptions, WatchError, type WatchReason } from "./watcherApi.js"

/** The part of a client that all watchers use. */
interface WatcherClient {
  readonly network: Network.Network
}

/** A family of chains: how their blocks are read, and how their addresses are stored. */
export interface Family<C extends WatcherClient, T extends string> {
  readonly name: string
  readonly keyFormat: KeyFormat
  /** The stored form of an address, or what is wrong with it, as a phrase that begins with a verb. */
  readonly toKey: (address: string, network: Network.Network) => Either.Either<string, string>
  /** The names that `until` takes. Blocks of the first one may leave the chain again. */
  readonly blockTags: readonly [T, ...ReadonlyArray<T>]
  /** How many blocks are requested at once by default. */
  readonly concurrency: number
  readonly chain: (client: C, until: T) => Reader.Chain<ReadError>
}

const heightGauge = Metric.gauge("fleet_watch_height", {
  description: "The last block that a watcher has handled"
})
const handledCounter = Metric.counter("fleet_watch_events", {
  description: "Events that handlers of watchers have handled",
  incremental: true
})
const failureCounter = Metric.counter("fleet_watch_failures", {
  description: "Failed attempts of handlers of watchers",
  incremental: true
})

const retrySchedule = Schedule.exponential("100 millis").pipe(Schedule.union(Schedule.spaced("30 seconds")))

const makeError = (reason: WatchReason, message: string) => new WatchError({ reason, message })

const isSql = <E>(error: E | SqlError): error is SqlError => isTagged(error, "SqlError")

/** Turns errors of the database into `FleetError`. */
const withFleetError = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | FleetError, R> =>
  Effect.catchIf(effect, isSql<E>, (error) => Effect.fail(toFleetError(error)))

/** Addresses in their stored form, without repetitions. */
const toKeys = <C extends WatcherClient, T extends string>(
  { toKey }: Family<C, T>,
  network: Network.Network,
  given: Iterable<string>
): Effect.Effect<ReadonlyArray<string>, WatchError> =>
  Effect.suspend(() => {
    // Postgres takes no row twice in one statement
    const keys = new Set<string>()
    let index = 0
    for (const address of given) {
      const key = typeof address === "string" ? toKey(address, network) : Either.left("must be text")
      if (Either.isLeft(key))
        return new WatchError({
          reason: "InvalidAddress",
          index,
          message: `Address ${index} (counted from 0), ${String(address).slice(0, 100)}, ${key.left}. None was added.`
        })
      keys.add(key.right)
      index++
    }
    return Effect.succeed([...keys])
  })

/** Changes the addresses of a watcher. */
export type ChangeAddresses = (
  name: string,
  addresses: Iterable<string>
) => Effect.Effect<void, WatchError | FleetError, SqlClient.SqlClient>

const makeChange =
  (removed: boolean) =>
  <C extends WatcherClient, T extends string>(family: Family<C, T>): ChangeAddresses =>
  (name, given) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const settings = yield* WatcherStore.findSettings(sql, name)
      if (settings === undefined)
        return yield* makeError(
          "UnknownWatcher",
          `No watcher ${name} was made in this database. Start a runner with its layer first, or check the name.`
        )
      const { network } = settings
      if (settings.family !== family.name || !Network.isNetwork(network))
        return yield* makeError(
          "OtherSettings",
          `The watcher ${name} is one of the family ${settings.family}, and not of ${family.name}. Use the functions of its own module.`
        )
      const addresses = yield* toKeys(family, network, given)
      yield* WatcherStore.changeAddresses(sql, name, settings.shards, { addresses, removed })
    }).pipe(withFleetError)

/** Makes `add` of a family. */
export const makeAdd = makeChange(false)

/** Makes `remove` of a family. */
export const makeRemove = makeChange(true)

const isIntegerFrom = (value: unknown, least: number): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= least

const defaults = {
  shards: 1,
  confirmations: 1,
  maxReorgDepth: 256,
  pollingInterval: "2 seconds"
} as const

/** The options of a watcher of a family. */
type Options<C, T, E, R, E2, R2> = CommonWatchOptions<C, E, R, E2, R2> & { readonly until?: T }

const checkOptions = <C extends WatcherClient, T extends string, E, R, E2, R2>(
  { blockTags, concurrency }: Family<C, T>,
  given: Options<C, T, E, R, E2, R2>
) =>
  Effect.gen(function* () {
    const options = { ...defaults, until: blockTags[0], concurrency, retry: retrySchedule, ...given }
    const { from, name, until } = options
    if (!isValidName(name))
      return yield* makeError(
        "InvalidOption",
        "The name of a watcher is 1 to 64 letters, digits, points, dashes or underscores."
      )
    if (from !== "latest" && !isIntegerFrom(from, 0))
      return yield* makeError(
        "InvalidOption",
        `from is ${from}, and must be the height of a block or "latest".`
      )
    for (const key of ["shards", "confirmations", "maxReorgDepth", "concurrency"] as const)
      if (!isIntegerFrom(options[key], 1))
        return yield* makeError(
          "InvalidOption",
          `${key} is ${options[key]}, and must be a whole number from 1 on.`
        )
    if (!blockTags.includes(until))
      return yield* makeError(
        "InvalidOption",
        `until is ${until}, and must be ${blockTags.map((tag) => `"${tag}"`).join(" or ")}.`
      )
    return options
  })

/** Creates a watcher in the database, or checks that it was created with the same settings. */
const ensureCreated = <C extends WatcherClient, T extends string>(
  sql: SqlClient.SqlClient,
  family: Family<C, T>,
  client: C,
  { from, name, shards }: { readonly from: number | "latest"; readonly name: string; readonly shards: number }
) =>
  Effect.gen(function* () {
    const settings: WatcherStore.WatcherSettings = {
      family: family.name,
      network: client.network,
      from: String(from),
      shards
    }
    if ((yield* WatcherStore.findSettings(sql, name)) === undefined) {
      const chain = family.chain(client, family.blockTags[0])
      const head = (yield* chain.head) ?? 0
      const origin = from === "latest" ? head : from
      if (origin > head + 1)
        return yield* makeError(
          "FromAboveHead",
          `from is block ${origin}, and the newest block of ${client.network} is ${head}. Take "latest", or a block that is there.`
        )
      const before = origin === 0 ? undefined : yield* chain.header(origin - 1)
      yield* WatcherStore.createWatcher(sql, name, settings, { origin, hash: before?.hash ?? "" })
    }
    const had = yield* WatcherStore.findSettings(sql, name)
    for (const key of ["family", "network", "from", "shards"] as const)
      if (had?.[key] !== settings[key])
        return yield* makeError(
          "OtherSettings",
          `The watcher ${name} was made with ${key} ${had?.[key]}, and not ${settings[key]}. Give the same options, or watch under another name.`
        )
  })

/** Makes a function that retries the handler of an event until it succeeds. */
const makeHandle =
  <E>(handle: (event: WatchEvent) => Effect.Effect<void, E>, retry: Schedule.Schedule<unknown>) =>
  (event: WatchEvent): Effect.Effect<void> => {
    const once = handle(event).pipe(
      Effect.sandbox,
      Effect.tapError((cause) =>
        Effect.zipRight(
          Metric.increment(failureCounter),
          Effect.logWarning(
            `the handler of the watcher ${event.watcher} failed on event ${event.sequence}, and is retried`,
            cause
          )
        )
      )
    )
    return once.pipe(
      Effect.retry(retry),
      // the schedule has ended, and the event must not be skipped
      Effect.retry(Schedule.spaced("30 seconds")),
      Effect.orDie,
      Effect.zipRight(Metric.increment(handledCounter))
    )
  }

/** Reads forever. It waits for what nodes do not have. After an error of the database it acquires the shard anew. */
const readForever = <E>(
  options: Reader.ReaderOptions<E>,
  pollingInterval: Duration.DurationInput
): Effect.Effect<never> => {
  const { shard, watcher } = options.store.id
  const warn = (cause: Cause.Cause<unknown>) =>
    Effect.logWarning(`the watcher ${watcher} waits`, Cause.squash(cause))
  const passes = Effect.flatMap(Reader.make(options), (pass) =>
    pass.pipe(
      Effect.tap((cursor) => Metric.set(heightGauge, cursor.height)),
      Effect.catchIf(
        (error) => !isSql(error),
        (error) => warn(Cause.fail(error))
      ),
      Effect.zipRight(Effect.sleep(pollingInterval)),
      Effect.forever
    )
  )
  return passes.pipe(
    Effect.catchAllCause(warn),
    Effect.zipRight(Effect.sleep("2 seconds")),
    Effect.forever,
    Effect.annotateLogs({ watcher, shard }),
    Effect.tagMetrics({ watcher, shard: String(shard) })
  )
}

/** A watcher in a runner. One runner at a time reads a shard. */
export const layer = <C extends WatcherClient, T extends string, E, R, E2, R2>(
  family: Family<C, T>,
  options: Options<C, T, E, R, E2, R2>
): Layer.Layer<never, E | ReadError | WatchError | FleetError, R | R2 | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const checked = yield* checkOptions(family, options)
      const { addresses = [], confirmations, concurrency, handle, maxReorgDepth, name, shards } = checked
      const client = yield* checked.client
      const keys = yield* toKeys(family, client.network, addresses)
      const sql = yield* SqlClient.SqlClient
      const context = yield* Effect.context<R2>()
      yield* ensureCreated(sql, family, client, checked)
      yield* WatcherStore.changeAddresses(sql, name, shards, { addresses: keys, removed: false })
      const shared = {
        chain: family.chain(client, checked.until),
        handle: makeHandle((event) => Effect.provide(handle(event), context), checked.retry),
        confirmations,
        concurrency,
        maxReorgDepth
      }
      const [first, ...rest] = Array.from({ length: shards }, (_, shard) =>
        Singleton.make(
          `fleet/watch/${name}/${shard}`,
          Effect.suspend(() => {
            const store = WatcherStore.make(sql, { watcher: name, shard })
            const addressSet = new AddressSet(family.keyFormat)
            return readForever({ ...shared, store, addresses: addressSet }, checked.pollingInterval)
          })
        )
      )
      return first === undefined ? Layer.empty : Layer.mergeAll(first, ...rest)
    }).pipe(withFleetError)
  )
