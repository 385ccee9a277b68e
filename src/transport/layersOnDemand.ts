import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { loadOnce } from "../data/loadOnce.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type TransportService,
  type TransportWithOptions
} from "../wire/Transport.js"
import type { Layers } from "./layerStack.js"
import * as Quorum from "./Quorum.js"

/** Makes a layer from the part of the configuration that it reads. */
type MakeLayer<C> = (
  inner: TransportService,
  config: C
) => Effect.Effect<TransportWithOptions, never, Scope.Scope>

/**
 * Makes a layer that is loaded with the first call that needs it. If loading fails, that call is sent without the layer, and the next such
 * call loads it again.
 */
export const loadOnDemand =
  <C>(
    load: () => Promise<{ readonly make: MakeLayer<C> }>,
    isAsked: (options: CallOptionsShape, config: C) => boolean
  ): MakeLayer<C> =>
  (inner, config) =>
    // the runtime of the client, not that of the first call, which has options and a log of its own
    Effect.map(Effect.runtime<Scope.Scope>(), (runtime) => {
      let layer: TransportWithOptions | undefined
      // several calls at once share one layer
      const loaded = Effect.map(
        loadOnce(load, ({ make }) =>
          Effect.async<TransportWithOptions>((resume) => {
            Runtime.runFork(runtime, make(inner, config)).addObserver(resume)
          })
        ),
        (made) => {
          layer = made
          return made
        }
      )
      const sendWith = <A>(call: Call<A>, options: CallOptionsShape): Effect.Effect<A, CallError> =>
        layer !== undefined
          ? layer.sendWith(call, options)
          : call.repeat !== "read" || !isAsked(options, config)
            ? inner.send(call)
            : Effect.matchEffect(loaded, {
                onFailure: () => inner.send(call),
                onSuccess: (made) => made.sendWith(call, options)
              })
      return {
        nodeUrl: (archive) => inner.nodeUrl(archive),
        joinBatch: (call, options) => layer?.joinBatch?.(call, options),
        send: (call) => Effect.flatMap(CallOptions, (options) => sendWith(call, options)),
        sendWith
      }
    })

/** All layers, for clients that load their parts on demand. */
export const layers: Layers = {
  batch: /*#__PURE__*/ loadOnDemand(
    async () => ({ make: (await import("./sharing.js")).batch }),
    (options, { batch }) => (options.batch ?? batch ?? false) !== false
  ),
  coalesce: /*#__PURE__*/ loadOnDemand(
    async () => ({ make: (await import("./sharing.js")).coalesce }),
    (options, { coalesce }) => (options.coalesce ?? coalesce) !== false
  ),
  quorum: Quorum.make
}
