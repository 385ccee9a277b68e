import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Call, CallError, TransportService } from "./Transport.js"

/** Turns a read of a transport into a request of Effect's batching. */
export type ToEffectRequest = (
  transport: TransportService,
  call: Call<unknown>
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
