/** How the extensions of a client start, and what they are given. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { PromisedRpcOf, WidenedRpcOf } from "../chains/registry.js"
import { Config, type ResolvedConfig } from "../config/Config.js"
import * as Extension from "../config/Extension.js"
import { Logger } from "../config/Logger.js"
import type { AnyNetwork, IdOf, Network } from "../data/Network.js"
import type { Http } from "../http/service.js"
import type { GatewayService } from "../services/Gateway.js"
import { given } from "../services/internal/gateway.js"
import type { Promised } from "../transport/Client.js"

export { check, handleOf } from "../config/Extension.js"

/** The options that hold no secret. */
type PublicOption = "info" | "version" | "baseUrl"

/** What an extension is given besides the calls of the client. */
interface ExtensionContextBase<N extends AnyNetwork> {
  readonly network: IdOf<N>
  /** Lines of the client's log, which are free of its secrets. */
  readonly logger: Readonly<Record<"debug" | "info" | "warn" | "error", (message: string) => void>>
  /** What the client was configured with, without keys and headers. */
  readonly config: Pick<ResolvedConfig, PublicOption>
}

/**
 * The client that an extension is given when it starts, on the Promise surface: the calls of its nodes and requests to the provider,
 * which bring the key along, with a {@link Result} for every call, and the client's logger. Calls end with the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExtensionContext<N extends AnyNetwork = Network> extends ExtensionContextBase<N> {
  /** The calls of the network's nodes. */
  readonly rpc: PromisedRpcOf<N, never>
  /** Requests to the provider's API that no service has. */
  readonly gateway: Promised<GatewayService>
}

/**
 * The client that an extension of the configuration is given when it starts, on the Effect surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface EffectExtensionContext<N extends AnyNetwork = Network> extends ExtensionContextBase<N> {
  /** The calls of the network's nodes. */
  readonly rpc: WidenedRpcOf<N, never>
  /** Requests to the provider's API that no service has. */
  readonly gateway: GatewayService
}

/** What is known of a client when its extensions start. */
interface StartingClient<N extends AnyNetwork> {
  readonly sdk: { readonly network: IdOf<N>; readonly rpc: object }
  readonly context: Context.Context<Config | Http | Logger>
}

/** Starts the extensions of a client, which end with it. `lift` takes calls to the surface. */
export const start = <N extends AnyNetwork>(
  { context, sdk: { network, rpc } }: StartingClient<N>,
  lift: (calls: object) => object
): Effect.Effect<Extension.StartedExtensions, never, Scope.Scope> =>
  Effect.gen(function* () {
    const gateway = yield* Effect.provide(given, context)
    const logger = Context.get(context, Logger)
    const { baseUrl, extensions, info, version } = Context.get(context, Config)
    // lines go to the loggers of the program that has made the client
    const runtime = yield* Effect.runtime()
    const writeLine = (line: Effect.Effect<void>) => void Runtime.runFork(runtime, line)
    const client = {
      network,
      rpc: lift(rpc),
      gateway: lift(gateway),
      logger: {
        debug: (line: string) => writeLine(logger.debug(() => line)),
        info: (line: string) => writeLine(logger.info(line)),
        warn: (line: string) => writeLine(logger.warn(line)),
        error: (line: string) => writeLine(logger.error(line))
      },
      config: { info, version, baseUrl }
    }
    return yield* Extension.start(extensions, client, logger)
  })
