/**
 * The events of a pool, as a stream.
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { NodePoolView } from "./NodePool.js"
import type { PoolEvent } from "./Observation.js"

/** The buffer of a slow consumer, in events. The oldest are dropped first. */
const BUFFER = 256

/**
 * The events of a pool from now on. A consumer that is 256 events behind loses the oldest.
 *
 * @since 0.1.0
 * @category operations
 */
export const changesOf = (pool: NodePoolView): Stream.Stream<PoolEvent> =>
  Stream.asyncPush<PoolEvent>(
    (emit) =>
      Effect.acquireRelease(
        Effect.sync(() => pool.listen((event) => void emit.single(event))),
        (stop) => Effect.sync(stop)
      ),
    { bufferSize: BUFFER, strategy: "sliding" }
  )

/**
 * The events of the pool of a client, by its tag.
 *
 * ```ts
 * class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
 * const log = Stream.runForEach(Changes.changes(Eth), (event) => Effect.log(event._tag))
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const changes = <Id, S extends { readonly nodes: NodePoolView }>(
  client: Context.Tag<Id, S>
): Stream.Stream<PoolEvent, never, Id> => Stream.unwrap(Effect.map(client, ({ nodes }) => changesOf(nodes)))
