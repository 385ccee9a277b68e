/**
 * What watchers of all families have in common for those who use them: their options, what they tell, and how far they are.
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
 * What is wrong:
 *
 * - `InvalidAddress`: `index` tells which of the given ones;
 * - `InvalidOption`: an option that cannot be used;
 * - `FromAboveHead`: `from` is more than one block above the newest one;
 * - `OtherSettings`: a watcher of this name was made with another network, `from` or number of shards, or for another family;
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
 * - `confirmations` (1) waits for so many blocks, this one included.
 * - `maxReorgDepth` (256) is how many blocks may leave the chain; their payments are kept so long.
 * - `pollingInterval` (2 seconds) is the pause at the head, `concurrency` (8; 4 on Solana) how many blocks are asked for at once behind it.
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
 * How far a shard has told: the last block, and the number of events.
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
 * How far each shard of a watcher has told; none of a watcher that was not made. Fails with `FleetError`.
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
