import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Batch from "../Batch.js"
import * as Coalesce from "../Coalesce.js"
import type { ResolvedConfig } from "../services/Config.js"
import type { TransportService } from "../Transport.js"

/** What stands between the calls of a client and its nodes where calls share requests. */
export const layers = (
  inner: TransportService,
  config: ResolvedConfig
): Effect.Effect<TransportService, never, Scope.Scope> =>
  Effect.flatMap(Batch.make(inner, config), (batching) => Coalesce.make(batching, config.coalesce))
