/**
 * Payments in and out of the addresses of an EVM network, told at least once and in order, whatever becomes of the processes that tell
 * them. They are read from the blocks of nodes; no provider is needed.
 *
 * @since 0.1.0
 */
import * as Singleton from "@effect/cluster/Singleton"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { isTagged } from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import { isName, ofSql, type Services } from "./engine.js"
import type { FleetError } from "./FleetError.js"
import { AddressSet } from "./watch/AddressSet.js"
import type { Event } from "./watch/Event.js"
import { chainOf, type EvmBlocks, type Tag } from "./watch/Evm.js"
import * as Reader from "./watch/Reader.js"
import * as Shelf from "./watch/Shelf.js"

export { type Asset, type Event, Paid, Payment, RolledBack } from "./watch/Event.js"
export type { EvmBlocks } from "./watch/Evm.js"

/**
 * What is wrong:
 *
 * - `InvalidAddress`: `index` tells which of the given ones;
 * - `InvalidOption`: an option that cannot be used;
 * - `FromAboveHead`: `from` is more than one block above the newest one;
 * - `OtherSettings`: a watcher of this name was made with another network, `from` or number of shards;
 * - `UnknownWatcher`: no watcher of this name was made.
 *
 * @since 0.1.0
 * @category models
 */
export type WatchReason =
  | "InvalidAddress"
  | "InvalidOption"
  | "FromAboveHead"
  | "OtherSettings"
  | "UnknownWatcher"

/**
 * The failure of a watcher to start, or to take addresses. The message says what was wrong and what to do. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class WatchError extends Data.TaggedError("WatchError")<{
  readonly reason: WatchReason
  readonly message: string
  readonly index?: number
}> {}

/**
 * What is watched, and who is told.
 *
 * - `name` is the watcher's (1 to 64 letters, digits, points, dashes or underscores), the same in all runners.
 * - `client` is an effect with the client of the network: its `Sdk.Tag`, say.
 * - `from` is the first block, or `latest`: the newest at the time when the watcher is first made.
 * - `addresses` are added at each start; those of an own table are better added once, by `add`.
 * - `handle` gets one event after another of a shard. It is asked again by `retry` (from 0.1 s to 30 s, without end) until it succeeds:
 *   none is passed by. It may get an event twice, which `sequence` tells.
 * - `shards` (1) are told side by side, each in order, by all runners together. Each reads all blocks.
 * - `until` is the newest block that is told (`latest`); with `finalized` nothing is rolled back. `confirmations` (1) waits for so many
 *   blocks, this one included.
 * - `depth` (256) is how many blocks may leave the chain; their payments are kept so long.
 * - `poll` (2 seconds) is the pause at the head, `window` (8) how many blocks are asked for at once behind it.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchOptions<E, R, E2, R2> {
  readonly name: string
  readonly client: Effect.Effect<EvmBlocks, E, R>
  readonly from: number | "latest"
  readonly addresses?: Iterable<string>
  readonly handle: (event: Event) => Effect.Effect<void, E2, R2>
  readonly retry?: Schedule.Schedule<unknown>
  readonly shards?: number
  readonly until?: Tag
  readonly confirmations?: number
  readonly depth?: number
  readonly poll?: Duration.DurationInput
  readonly window?: number
}

/** How far a shard has told: the last block, and the number of events. */
export interface Progress {
  readonly shard: number
  readonly height: number
  readonly events: number
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
const addressesOf = (given: Iterable<string>): Effect.Effect<ReadonlyArray<string>, WatchError> =>
  Effect.suspend(() => {
    // Postgres takes no row twice in one statement
    const addresses = new Set<string>()
    let index = 0
    for (const address of given) {
      if (typeof address !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(address))
        return new WatchError({
          reason: "InvalidAddress",
          index,
          message: `Address ${index} (counted from 0) is ${String(address).slice(0, 60)}, and must be 0x and 40 hexadecimal digits. None was added.`
        })
      addresses.add(address.toLowerCase())
      index++
    }
    return Effect.succeed([...addresses])
  })

const changed = (name: string, given: Iterable<string>, removed: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const addresses = yield* addressesOf(given)
    const settings = yield* Shelf.settingsOf(sql, name)
    if (settings === undefined)
      return yield* wrong(
        "UnknownWatcher",
        `No watcher ${name} was made in this database. Start a runner with its layer first, or check the name.`
      )
    yield* Shelf.change(sql, name, settings.shards, { addresses, removed })
  }).pipe(stored)

/**
 * Adds addresses to a watcher, from any process of the fleet. Payments of blocks that are read after this are told; those of blocks before
 * are not. Of a bad address none is added. Fails with `WatchError` or, if the database does, with `FleetError`: then some may have been
 * added, and all may be added again.
 *
 * @since 0.1.0
 * @category operations
 */
export const add = (
  name: string,
  addresses: Iterable<string>
): Effect.Effect<void, WatchError | FleetError, SqlClient.SqlClient> => changed(name, addresses, false)

/**
 * Takes addresses off a watcher. What was told of them is still rolled back. Fails as `add` does.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = (
  name: string,
  addresses: Iterable<string>
): Effect.Effect<void, WatchError | FleetError, SqlClient.SqlClient> => changed(name, addresses, true)

/**
 * How far each shard of a watcher has told; none of a watcher that was not made. Fails with `FleetError`.
 *
 * @since 0.1.0
 * @category getters
 */
export const progress = (
  name: string
): Effect.Effect<ReadonlyArray<Progress>, FleetError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => stored(Shelf.progress(sql, name)))

const isWhole = (value: unknown, least: number): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= least

const defaults = {
  shards: 1,
  until: "latest",
  confirmations: 1,
  depth: 256,
  poll: "2 seconds",
  window: 8
} as const

const checked = <E, R, E2, R2>(given: WatchOptions<E, R, E2, R2>) =>
  Effect.gen(function* () {
    const options = { ...defaults, retry: patient, ...given }
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
    if (!["latest", "safe", "finalized"].includes(until))
      return yield* wrong("InvalidOption", `until is ${until}, and must be "latest", "safe" or "finalized".`)
    return options
  })

/** Makes a watcher's rows, the first time; afterwards its settings must be those of its rows. */
const entered = (
  sql: SqlClient.SqlClient,
  client: EvmBlocks,
  { from, name, shards }: { readonly from: number | "latest"; readonly name: string; readonly shards: number }
) =>
  Effect.gen(function* () {
    const settings: Shelf.Settings = { network: client.network, from: String(from), shards }
    if ((yield* Shelf.settingsOf(sql, name)) === undefined) {
      const chain = chainOf(client, "latest")
      const head = (yield* chain.head) ?? 0
      const origin = from === "latest" ? head : from
      if (origin > head + 1)
        return yield* wrong(
          "FromAboveHead",
          `from is block ${origin}, and the newest block of ${client.network} is ${head}. Take "latest", or a block that is there.`
        )
      const before = origin === 0 ? undefined : yield* chain.block(origin - 1)
      yield* Shelf.enter(sql, name, settings, { origin, hash: before?.hash ?? "" })
    }
    const had = yield* Shelf.settingsOf(sql, name)
    for (const key of ["network", "from", "shards"] as const)
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
const reading = <B extends Reader.Header, E>(
  options: Reader.Reading<B, E>,
  poll: Duration.DurationInput
): Effect.Effect<never> => {
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

/**
 * A watcher in a runner. Each shard is told by one runner at a time; when that one dies, another goes on from the cursor. Fails with
 * `WatchError` if an option or an address cannot be used, or the watcher was made with other settings; with the nodes' error if they
 * cannot tell where it begins; and with `FleetError` if the database does not take it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R, E2, R2>(
  options: WatchOptions<E, R, E2, R2>
): Layer.Layer<never, E | ReadError | WatchError | FleetError, R | R2 | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const given = yield* checked(options)
      const { addresses = [], confirmations, depth, handle, name, poll, retry, shards, until, window } = given
      const wanted = yield* addressesOf(addresses)
      const client = yield* given.client
      const sql = yield* SqlClient.SqlClient
      const context = yield* Effect.context<R2>()
      yield* entered(sql, client, given)
      yield* Shelf.change(sql, name, shards, { addresses: wanted, removed: false })
      const tell = telling((event) => Effect.provide(handle(event), context), retry)
      const chain = chainOf(client, until)
      const [first, ...rest] = Array.from({ length: shards }, (_, shard) =>
        Singleton.make(
          `fleet/watch/${name}/${shard}`,
          Effect.suspend(() => {
            const shelf = Shelf.make(sql, { watcher: name, shard })
            return reading({ chain, shelf, set: new AddressSet(), tell, depth, confirmations, window }, poll)
          })
        )
      )
      return first === undefined ? Layer.empty : Layer.mergeAll(first, ...rest)
    }).pipe(stored)
  )
