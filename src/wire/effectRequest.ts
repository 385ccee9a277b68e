import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "./Transport.js"

/**
 * Makes a request of Effect of a read, in programs that want that: `CallOptions.withBatching` brings it. Clients that nobody asks
 * for it have nothing of it.
 */
export class AsEffectRequest extends Context.Reference<AsEffectRequest>()(
  "effect-chains/wire/asRequest/AsRequest",
  {
    defaultValue: ():
      | ((read: Effect.Effect<unknown, CallError>) => Effect.Effect<unknown, CallError>)
      | undefined => undefined
  }
) {}
