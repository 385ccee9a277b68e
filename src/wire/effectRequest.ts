import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError, EnterBatch } from "./Transport.js"

/** Turns a read into a request of Effect's batching. `enter` adds it to a batch, if it can be part of one as it is. */
export type ToEffectRequest = (
  read: Effect.Effect<unknown, CallError>,
  enter: EnterBatch | undefined
) => Effect.Effect<unknown, CallError>

/**
 * Turns a read into a request of Effect's batching. `CallOptions.withBatching` sets it; without it, nothing of it is loaded.
 */
export class AsEffectRequest extends Context.Reference<AsEffectRequest>()(
  "effect-chains/wire/asRequest/AsRequest",
  {
    defaultValue: (): ToEffectRequest | undefined => undefined
  }
) {}
