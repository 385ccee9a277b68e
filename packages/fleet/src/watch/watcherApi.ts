/**
 * The public part of watchers of all families: their options, events, errors and progress.
 *
 * @since 0.1.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import { toFleetError } from "../engine.js"
import type { FleetError } from "../FleetError.js"
import type { WatchEvent } from "./WatchEvent.js"
import * as WatcherStore from "./WatcherStore.js"

export { Asset, Paid, Payment, RolledBack, type WatchEvent } from "./WatchEvent.js"

/**
 * The reason of a `WatchError`:
 *
 * - `InvalidAddress`: an address is invalid; `index` is its position in the given ones;
 * - `InvalidOption`: an option is invalid;
 * - `FromAboveHead`: `from` is more than one block above the newest one;
 * - `OtherSettings`: the watcher of this name has another network, `from`, number of shards or family;
 * - `UnknownWatcher`: there is no watcher of this name.
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
 * A watcher cannot start, or cannot take addresses. The message says what is wrong and what to do. Nothing was changed.
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
 * The options of every watcher.
 *
 * - `name` is the watcher's (1 to 64 letters, digits, dots, dashes or underscores), the same in all runners.
 * - `client` is an effect with the client of the network, such as its `Sdk.Tag`.
 * - `from` is the first block, or `latest`: the newest one when the watcher is created.
 * - `addresses` are added at each start. Add those of a table of yours once, with `add`.
 * - `handle` gets the events of a shard one after another. It is retried by `retry` (from 0.1 s to 30 s, without end) until it succeeds: no
 *   event is skipped. It may get an event twice, with the same `sequence`.
 * - `shards` (1) are handled concurrently by all runners together, each in order. Each shard reads all blocks.
 * - `confirmations` (1) is how deep a block has to be. The newest block has one.
 * - `maxReorgDepth` (256) is how many blocks may leave the chain. The payments of as many are stored.
 * - `pollingInterval` (2 seconds) is the pause at the head of the chain.
 * - `concurrency` (8; 4 on Solana) is how many blocks are requested at once behind the head.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommonWatchOptions<C, E, R, E2, R2> {
  readonly name: string
  readonly client: Effect.Effect<C, E, R>
  readonly from: number | "latest"
  readonly addresses?: Iterable<string>
  readonly handle: (event: WatchEvent) => Effect.Effect<void, E2, R2>
  readonly retry?: Schedule.Schedule<unknown>
  readonly shards?: number
  readonly confirmations?: number
  readonly maxReorgDepth?: number
  readonly pollingInterval?: Duration.DurationInput
  readonly concurrency?: number
}

/**
 * The progress of a shard: its last handled block, and the number of its events.
 *
 * @since 0.1.0
 * @category models
 */
export interface Progress {
  readonly shard: number
  readonly height: number
  readonly events: number
}

/**
 * Reads the progress of each shard of a watcher. A watcher that was not created has none. Fails with `FleetError`.
 *
 * @since 0.1.0
 * @category getters
 */
export const progress = (
  name: string
): Effect.Effect<ReadonlyArray<Progress>, FleetError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.mapError(WatcherStore.readProgress(sql, name), toFleetError)
  )
