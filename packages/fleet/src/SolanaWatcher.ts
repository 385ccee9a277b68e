/**
 * Watches payments in and out of addresses of Solana, in SOL and in tokens: by how much each transaction changes the balances of a watched
 * address. Your handler gets each at least once and in order, whatever happens to its processes. Payments are read from the blocks of nodes; no
 * provider is needed.
 *
 * @since 0.1.0
 */
import type * as Layer from "effect/Layer"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import type { Services } from "./engine.js"
import type { FleetError } from "./FleetError.js"
import { type BlockTag, family, type SolanaBlockClient } from "./watch/Solana.js"
import * as Watcher from "./watch/Watcher.js"
import type { CommonWatchOptions, WatchError } from "./watch/watcherApi.js"

export type { SolanaBlockClient } from "./watch/Solana.js"
export * from "./watch/watcherApi.js"

/**
 * The options of a watcher of Solana. `from` is a slot. `until` is the newest block that is read: `latest` is the newest confirmed one. With
 * `finalized` nothing is rolled back.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchOptions<E, R, E2, R2> extends CommonWatchOptions<SolanaBlockClient, E, R, E2, R2> {
  readonly until?: BlockTag
}

/**
 * Adds addresses to a watcher, from any process of the fleet: owners of token accounts, or token accounts. Payments count from the next
 * block that is read. If one address is invalid, none is added. Fails with `WatchError`, or with `FleetError` if the database fails: some
 * may have been added then, and you may add all again.
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
