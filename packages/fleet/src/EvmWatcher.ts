/**
 * Watches payments in and out of addresses of an EVM network. Your handler gets each at least once and in order, whatever happens to its
 * processes. Payments are read from the blocks of nodes; no provider is needed.
 *
 * @since 0.1.0
 */
import type * as Layer from "effect/Layer"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import type { Services } from "./engine.js"
import type { FleetError } from "./FleetError.js"
import { type BlockTag, type EvmBlockClient, family } from "./watch/Evm.js"
import * as Watcher from "./watch/Watcher.js"
import type { CommonWatchOptions, WatchError } from "./watch/watcherApi.js"

export type { EvmBlockClient } from "./watch/Evm.js"
export * from "./watch/watcherApi.js"

/**
 * The options of a watcher of an EVM network. `until` is the newest block that is read (`latest`). With `finalized` nothing is rolled back.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchOptions<E, R, E2, R2> extends CommonWatchOptions<EvmBlockClient, E, R, E2, R2> {
  readonly until?: BlockTag
}

/**
 * Adds addresses to a watcher, from any process of the fleet. Payments count from the next block that is read. If one address is invalid,
 * none is added. Fails with `WatchError`, or with `FleetError` if the database fails: some may have been added then, and you may add all
 * again.
 *
 * @since 0.1.0
 * @category operations
 */
export const add: Watcher.ChangeAddresses = Watcher.makeAdd(family)

/**
 * Removes addresses from a watcher. Their earlier payments are still rolled back after a reorganisation. Fails as `add` does.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove: Watcher.ChangeAddresses = Watcher.makeRemove(family)

/**
 * A watcher in a runner. One runner at a time reads a shard; when it dies, another one goes on from the cursor. Fails with `WatchError` if
 * an option or an address is invalid, or the watcher was created with other settings; with the nodes' error if they do not give the first
 * block; and with `FleetError` if the database fails.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R, E2, R2>(
  options: WatchOptions<E, R, E2, R2>
): Layer.Layer<never, E | ReadError | WatchError | FleetError, R | R2 | Services> =>
  Watcher.layer(family, options)
