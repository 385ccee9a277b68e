/**
 * Payments in and out of the addresses of Bitcoin, Litecoin, Dogecoin or Bitcoin Cash: each output to a watched address, and each input that
 * spends one of it. They are told at least once and in order, whatever becomes of the processes that tell them, and read from the blocks
 * of nodes; no provider is needed.
 *
 * @since 0.1.0
 */
import type * as Layer from "effect/Layer"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import type { Services } from "./engine.js"
import type { FleetError } from "./FleetError.js"
import { type BitcoinBlockClient, family } from "./watch/Bitcoin.js"
import * as Watcher from "./watch/Watcher.js"
import type { CommonWatchOptions, WatchError } from "./watch/watcherApi.js"

export type { BitcoinBlockClient } from "./watch/Bitcoin.js"
export * from "./watch/watcherApi.js"

/**
 * What is watched on a chain of Bitcoin's kind.
 *
 * @since 0.1.0
 * @category models
 */
export type WatchOptions<E, R, E2, R2> = CommonWatchOptions<BitcoinBlockClient, E, R, E2, R2>

/**
 * Adds addresses to a watcher, from any process of the fleet (in any text that the chain has for them). Payments of blocks that are read
 * after this are told; those of blocks before are not. Of a bad address none is added. Fails with `WatchError` or, if the database does,
 * with `FleetError`: then some may have been added, and all may be added again.
 *
 * @since 0.1.0
 * @category operations
 */
export const add: Watcher.ChangeAddresses = Watcher.makeAdd(family)

/**
 * Takes addresses off a watcher. What was told of them is still rolled back. Fails as `add` does.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove: Watcher.ChangeAddresses = Watcher.makeRemove(family)

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
  Watcher.layer(family, options)
