/** Clients with extensions. An application that configures none has no more of them than this. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Config, type ResolvedConfig } from "../config/Config.js"
import type { Extension, StartedExtensions } from "../config/Extension.js"
import type { AnyNetwork } from "../data/Network.js"
import type { ExtensionFailed, ExtensionNotSupported, LoadError } from "../data/SdkError.js"
import type { ClientParts } from "./clientParts.js"

/** What starts extensions, which is loaded with the first client that has any. */
type LoadExtensions = Effect.Effect<
  Pick<typeof import("./extensions.js"), "check" | "handleOf" | "start">,
  LoadError
>

/** What the `init` of an extension has returned: the object is the one in the configuration. */
export type GetHandle = <H>(extension: Extension<never, H>) => Effect.Effect<H, ExtensionFailed | LoadError>

/** A configuration, unless one of its extensions does not support the network: before anything has been started. */
export const checkExtensions = (
  config: ResolvedConfig,
  loading: LoadExtensions
): Effect.Effect<ResolvedConfig, ExtensionNotSupported | LoadError> =>
  config.extensions.length > 0
    ? Effect.flatMap(loading, ({ check }) => check(config))
    : Effect.succeed(config)

/** A client whose extensions have started. */
export interface ExtendedParts<N extends AnyNetwork = AnyNetwork> extends ClientParts<N> {
  readonly extension: GetHandle
}

/** The last step: starts the extensions of a client, which end with it. `lift` takes calls to another surface. */
export const startExtensions = <N extends AnyNetwork>(
  parts: ClientParts<N>,
  loading: LoadExtensions,
  lift: (calls: object) => object = (calls) => calls
): Effect.Effect<ExtendedParts<N>, LoadError, Scope.Scope> => {
  const starting: Effect.Effect<StartedExtensions | null, LoadError, Scope.Scope> =
    Context.get(parts.context, Config).extensions.length > 0
      ? Effect.flatMap(loading, ({ start }) => start(parts, lift))
      : Effect.succeed(null)
  return Effect.map(starting, (started) => ({
    ...parts,
    extension: (extension) => Effect.flatMap(loading, ({ handleOf }) => handleOf(started, extension))
  }))
}
