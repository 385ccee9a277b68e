import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ResolvedConfig } from "../config/Config.js"
import type { TransportService } from "../wire/Transport.js"
import { make as batch } from "./Batch.js"
import { make as coalesce } from "./Coalesce.js"
import { layered } from "./layered.js"
import { make as quorum } from "./Quorum.js"

/** All layers between the calls of a client and its nodes. */
export const stack = (
  inner: TransportService,
  config: ResolvedConfig
): Effect.Effect<TransportService, never, Scope.Scope> => layered(inner, config, { batch, coalesce, quorum })
