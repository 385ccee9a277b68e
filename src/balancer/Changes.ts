/**
 * The events of a pool, as a stream.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { NodePool, type NodePoolView } from "./NodePool.js"
import type { PoolEvent } from "./Observation.js"

/** Events that a slow consumer may be behind; the oldest go first. */
const BUFFER = 256

/**
 * The events of a pool from now on, until the stream ends. Who is 256 events behind loses the oldest.
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
 * The events of the pool of the client at hand.
 *
 * @since 0.1.0
 * @category operations
 */
export const changes: Stream.Stream<PoolEvent, never, NodePool> = Stream.unwrap(
  Effect.map(NodePool, changesOf)
)
