/** What watchers of all families do: their addresses, and their place in a runner. A family is how blocks are read and how addresses are written. */
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
import { isName, ofSql, type Services } from "../engine.js"
import type { FleetError } from "../FleetError.js"
import { AddressSet, type Keys } from "./AddressSet.js"
import type { Event } from "./Event.js"
import * as Reader from "./Reader.js"
import * as Shelf from "./Shelf.js"
import { WatchError, type Watching, type WatchReason } from "./Watching.js"

/** A client, as far as all watchers use it. */
interface Client {
  readonly network: Network.Network
}

/** Chains whose blocks are read in one way. */
export interface Family<C extends Client, T extends string> {
  readonly name: string
  readonly keys: Keys
  /** An address as it is kept, in one of whose texts it has; or what is wrong with it, beginning with a verb. */
  readonly keyOf: (address: string, network: Network.Network) => Either.Either<string, string>
  /** The names of the newest block that is told. The first one is that of blocks that may leave the chain again. */
  readonly tags: readonly [T, ...ReadonlyArray<T>]
  /** How many blocks are asked for at once. */
  readonly window: number
  readonly chain: (client: C, until: T) => Reader.Chain<ReadError>
}

const height = Metric.gauge("fleet_watch_height", {
  description: "The last block of which a watcher has told"
})
const told = Metric.counter("fleet_watch_events", {
  description: "Events that handlers of watchers have taken",
  incremental: true
})
const failures = Metric.counter("fleet_watch_failures", {
  description: "Events that handlers of watchers have not taken",
  incremental: true
})

const patient = Schedule.exponential("100 millis").pipe(Schedule.union(Schedule.spaced("30 seconds")))

const wrong = (reason: WatchReason, message: string) => new WatchError({ reason, message })

const isSql = <E>(error: E | SqlError): error is SqlError => isTagged(error, "SqlError")

/** The store's errors as those of a fleet. */
const stored = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | FleetError, R> =>
  Effect.catchIf(effect, isSql<E>, (error) => Effect.fail(ofSql(error)))

/** Addresses in the form of the store. */
const keysOf = <C extends Client, T extends string>(
  { keyOf }: Family<C, T>,
  network: Network.Network,
  given: Iterable<string>
): Effect.Effect<ReadonlyArray<string>, WatchError> =>
  Effect.suspend(() => {
    // Postgres takes no row twice in one statement
    const keys = new Set<string>()
    let index = 0
    for (const address of given) {
      const key = typeof address === "string" ? keyOf(address, network) : Either.left("must be text")
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

/** What changes the addresses of a watcher of a family. */
export type Change = (
  name: string,
  addresses: Iterable<string>
) => Effect.Effect<void, WatchError | FleetError, SqlClient.SqlClient>

const changing =
  (removed: boolean) =>
  <C extends Client, T extends string>(family: Family<C, T>): Change =>
  (name, given) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const settings = yield* Shelf.settingsOf(sql, name)
      if (settings === undefined)
        return yield* wrong(
          "UnknownWatcher",
          `No watcher ${name} was made in this database. Start a runner with its layer first, or check the name.`
        )
      const { network } = settings
      if (settings.family !== family.name || !Network.isNetwork(network))
        return yield* wrong(
          "OtherSettings",
          `The watcher ${name} is one of the family ${settings.family}, and not of ${family.name}. Use the functions of its own module.`
        )
      const addresses = yield* keysOf(family, network, given)
      yield* Shelf.change(sql, name, settings.shards, { addresses, removed })
    }).pipe(stored)

/** Adds addresses. */
export const adding = changing(false)

/** Takes addresses off. */
export const removing = changing(true)

const isWhole = (value: unknown, least: number): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= least

const defaults = {
  shards: 1,
  confirmations: 1,
  depth: 256,
  poll: "2 seconds"
} as const

/** The options of a watcher of a family. */
type Options<C, T, E, R, E2, R2> = Watching<C, E, R, E2, R2> & { readonly until?: T }

const checked = <C extends Client, T extends string, E, R, E2, R2>(
  { tags, window }: Family<C, T>,
  given: Options<C, T, E, R, E2, R2>
) =>
  Effect.gen(function* () {
    const options = { ...defaults, until: tags[0], window, retry: patient, ...given }
    const { from, name, until } = options
    if (!isName(name))
      return yield* wrong(
        "InvalidOption",
        "The name of a watcher is 1 to 64 letters, digits, points, dashes or underscores."
      )
    if (from !== "latest" && !isWhole(from, 0))
      return yield* wrong("InvalidOption", `from is ${from}, and must be the height of a block or "latest".`)
    for (const key of ["shards", "confirmations", "depth", "window"] as const)
      if (!isWhole(options[key], 1))
        return yield* wrong(
          "InvalidOption",
          `${key} is ${options[key]}, and must be a whole number from 1 on.`
        )
    if (!tags.includes(until))
      return yield* wrong(
        "InvalidOption",
        `until is ${until}, and must be ${tags.map((tag) => `"${tag}"`).join(" or ")}.`
      )
    return options
  })

/** Makes a watcher's rows, the first time; afterwards its settings must be those of its rows. */
const entered = <C extends Client, T extends string>(
  sql: SqlClient.SqlClient,
  family: Family<C, T>,
  client: C,
  { from, name, shards }: { readonly from: number | "latest"; readonly name: string; readonly shards: number }
) =>
  Effect.gen(function* () {
    const settings: Shelf.Settings = {
      family: family.name,
      network: client.network,
      from: String(from),
      shards
    }
    if ((yield* Shelf.settingsOf(sql, name)) === undefined) {
      const chain = family.chain(client, family.tags[0])
      const head = (yield* chain.head) ?? 0
      const origin = from === "latest" ? head : from
      if (origin > head + 1)
        return yield* wrong(
          "FromAboveHead",
          `from is block ${origin}, and the newest block of ${client.network} is ${head}. Take "latest", or a block that is there.`
        )
      const before = origin === 0 ? undefined : yield* chain.header(origin - 1)
      yield* Shelf.enter(sql, name, settings, { origin, hash: before?.hash ?? "" })
    }
    const had = yield* Shelf.settingsOf(sql, name)
    for (const key of ["family", "network", "from", "shards"] as const)
      if (had?.[key] !== settings[key])
        return yield* wrong(
          "OtherSettings",
          `The watcher ${name} was made with ${key} ${had?.[key]}, and not ${settings[key]}. Give the same options, or watch under another name.`
        )
  })

/** Hands an event over until it is taken. */
const telling =
  <E>(handle: (event: Event) => Effect.Effect<void, E>, retry: Schedule.Schedule<unknown>) =>
  (event: Event): Effect.Effect<void> => {
    const once = handle(event).pipe(
      Effect.sandbox,
      Effect.tapError((cause) =>
        Effect.zipRight(
          Metric.increment(failures),
          Effect.logWarning(`event ${event.sequence} of the watcher ${event.watcher} was not taken`, cause)
        )
      )
    )
    return once.pipe(
      Effect.retry(retry),
      // the schedule has come to its end, and the event must not be passed by
      Effect.retry(Schedule.spaced("30 seconds")),
      Effect.orDie,
      Effect.zipRight(Metric.increment(told))
    )
  }

/** Reads for ever. What nodes lack is waited for; after an error of the store, the place is taken anew. */
const reading = <E>(options: Reader.Reading<E>, poll: Duration.DurationInput): Effect.Effect<never> => {
  const { shard, watcher } = options.shelf.at
  const warn = (cause: Cause.Cause<unknown>) =>
    Effect.logWarning(`the watcher ${watcher} waits`, Cause.squash(cause))
  const passes = Effect.flatMap(Reader.make(options), (pass) =>
    pass.pipe(
      Effect.tap((place) => Metric.set(height, place.height)),
      Effect.catchIf(
        (error) => !isSql(error),
        (error) => warn(Cause.fail(error))
      ),
      Effect.zipRight(Effect.sleep(poll)),
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

/** A watcher in a runner: each shard is told by one runner at a time. */
export const layer = <C extends Client, T extends string, E, R, E2, R2>(
  family: Family<C, T>,
  options: Options<C, T, E, R, E2, R2>
): Layer.Layer<never, E | ReadError | WatchError | FleetError, R | R2 | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const given = yield* checked(family, options)
      const { addresses = [], confirmations, depth, handle, name, poll, retry, shards, until, window } = given
      const client = yield* given.client
      const wanted = yield* keysOf(family, client.network, addresses)
      const sql = yield* SqlClient.SqlClient
      const context = yield* Effect.context<R2>()
      yield* entered(sql, family, client, given)
      yield* Shelf.change(sql, name, shards, { addresses: wanted, removed: false })
      const tell = telling((event) => Effect.provide(handle(event), context), retry)
      const chain = family.chain(client, until)
      const [first, ...rest] = Array.from({ length: shards }, (_, shard) =>
        Singleton.make(
          `fleet/watch/${name}/${shard}`,
          Effect.suspend(() => {
            const shelf = Shelf.make(sql, { watcher: name, shard })
            const set = new AddressSet(family.keys)
            return reading({ chain, shelf, set, tell, depth, confirmations, window }, poll)
          })
        )
      )
      return first === undefined ? Layer.empty : Layer.mergeAll(first, ...rest)
    }).pipe(stored)
  )
