/** Clients with extensions. The code of extensions is loaded only if the configuration has some. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Config, type ResolvedConfig } from "../config/Config.js"
import type { Extension, StartedExtensions } from "../config/Extension.js"
import type { ExtensionFailed, ExtensionNotSupported, LoadError } from "../data/SdkError.js"
import type { ClientParts, LiftCalls } from "./clientParts.js"

/** Loads the code that starts extensions, with the first client that has some. */
export type LoadExtensions = Effect.Effect<
  Pick<typeof import("./extensions.js"), "check" | "handleOf" | "start">,
  LoadError
>

/** Returns what the `init` of an extension returned. Give the object that is in the configuration. */
export type GetHandle = <H>(extension: Extension<never, H>) => Effect.Effect<H, ExtensionFailed | LoadError>

/** Fails if an extension does not support the network. Runs before anything starts. */
export const checkExtensions = (
  config: ResolvedConfig,
  loadExtensions: LoadExtensions
): Effect.Effect<ResolvedConfig, ExtensionNotSupported | LoadError> =>
  config.extensions.length > 0
    ? Effect.flatMap(loadExtensions, ({ check }) => check(config))
    : Effect.succeed(config)

/** A client whose extensions have started. */
export interface ExtendedParts extends ClientParts {
  readonly extension: GetHandle
}

/**
 * Starts the extensions of a client. They end with the client. `lift` converts the calls that extensions get to the
 * surface.
 */
export const startExtensions = (
  parts: ClientParts,
  loadExtensions: LoadExtensions,
  lift: LiftCalls = (calls) => calls
): Effect.Effect<ExtendedParts, LoadError, Scope.Scope> => {
  const starting: Effect.Effect<StartedExtensions | null, LoadError, Scope.Scope> =
    Context.get(parts.context, Config).extensions.length > 0
      ? Effect.flatMap(loadExtensions, ({ start }) => start(parts, lift))
      : Effect.succeed(null)
  return Effect.map(starting, (started) => ({
    ...parts,
    extension: (extension) => Effect.flatMap(loadExtensions, ({ handleOf }) => handleOf(started, extension))
  }))
}
