/**
 * The transport of a client, which sends its calls. This layer sends them through the node pool: equal reads share a
 * request, reads of one tick share a batch, and a quorum asks several nodes. A public entry module: the interface is in
 * `wire/Transport.ts`, the code in `transport`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NodePool } from "../balancer/NodePool.js"
import { Config } from "../config/Config.js"
import { makeLayered } from "../transport/layerStack.js"
import * as layers from "../transport/layers.js"
import { callSpans } from "../transport/Spans.js"
import { Tracing, Transport } from "../wire/Transport.js"

export * from "../wire/Transport.js"

/**
 * The transport over the pool of nodes.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Transport, never, Config | NodePool> = /*#__PURE__*/ Layer.scoped(
  Transport,
  /*#__PURE__*/ Effect.gen(function* () {
    return yield* Effect.provideService(
      makeLayered(yield* NodePool, yield* Config, layers),
      Tracing,
      callSpans
    )
  })
)
