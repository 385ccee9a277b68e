import * as Effect from "effect/Effect"
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
import { make as quorum } from "./Quorum.js"

/** How a layer is made, with that part of the configuration which it reads. */
type MakeLayer<C> = (
  inner: TransportService,
  config: C
) => Effect.Effect<TransportWithOptions, never, Scope.Scope>

/**
 * A layer that is loaded with the first call that asks for it. One that could not be fetched is asked for again by the next such call;
 * this one goes by itself, as it would where it has no company.
 */
export const loadOnDemand =
  <C>(
    load: () => Promise<{ readonly make: MakeLayer<C> }>,
    isAsked: (options: CallOptionsShape, config: C) => boolean
  ): MakeLayer<C> =>
  (inner, config) =>
    // that of the client: the call that comes first has options of its own
    Effect.map(Effect.context<Scope.Scope>(), (context) => {
      let layer: TransportWithOptions | undefined
      // of layers that calls at the same time have made, the one that all of them get
      const loaded = Effect.map(
        loadOnce(load, ({ make }) => Effect.provide(make(inner, config), context)),
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
        send: (call) => Effect.flatMap(CallOptions, (options) => sendWith(call, options)),
        sendWith
      }
    })

/** All layers, for a client that is loaded in parts. */
export const layers: Layers = {
  batch: /*#__PURE__*/ loadOnDemand(
    async () => ({ make: (await import("./sharing.js")).batch }),
    (options, { batch }) => (options.batch ?? batch ?? false) !== false
  ),
  coalesce: /*#__PURE__*/ loadOnDemand(
    async () => ({ make: (await import("./sharing.js")).coalesce }),
    (options, { coalesce }) => (options.coalesce ?? coalesce) !== false
  ),
  quorum
}
