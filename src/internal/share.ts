import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { ResolvedConfig } from "../services/Config.js"
import { CallOptions, type CallOptionsShape, type TransportService } from "../Transport.js"
import type { Load } from "./assemble.js"

const isWanted = ({ batch = false, coalesce = false }: CallOptionsShape): boolean =>
  coalesce || batch !== false

/** Calls that share requests go through layers of their own, which are loaded with the first one. */
export const share = (
  inner: TransportService,
  config: ResolvedConfig,
  layers: Load["layers"]
): Effect.Effect<TransportService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const load = yield* Effect.cached(
      Effect.flatMap(layers, (make) => Scope.extend(make(inner, config), scope))
    )
    if (config.coalesce || config.batch !== undefined) return yield* load
    return {
      nodeUrl: inner.nodeUrl,
      send: (call) =>
        Effect.flatMap(CallOptions, (options) =>
          isWanted(options) ? Effect.flatMap(load, (layered) => layered.send(call)) : inner.send(call)
        )
    }
  })
