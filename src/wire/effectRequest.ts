import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "./Transport.js"

/**
 * Turns a read into a request of Effect's batching. `CallOptions.withBatching` sets it; without it, nothing of it is loaded.
 */
export class AsEffectRequest extends Context.Reference<AsEffectRequest>()(
  "effect-chains/wire/asRequest/AsRequest",
  {
    defaultValue: ():
      | ((read: Effect.Effect<unknown, CallError>) => Effect.Effect<unknown, CallError>)
      | undefined => undefined
  }
) {}
