/** Starts the extensions of a client, and makes the context that each of them gets. */
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
import { currentGateway } from "../services/internal/gateway.js"
import type { Promised } from "../transport/Client.js"

export { check, handleOf } from "../config/Extension.js"

/** The options without secrets. */
type PublicOption = "info" | "version" | "baseUrl"

/** The part of an extension's context that is equal on both surfaces. */
interface ExtensionContextBase<N extends AnyNetwork> {
  readonly network: IdOf<N>
  /** The client's logger. Secrets of the client are removed from lines. */
  readonly logger: Readonly<Record<"debug" | "info" | "warn" | "error", (message: string) => void>>
  /** The client's configuration, without keys and headers. */
  readonly config: Pick<ResolvedConfig, PublicOption>
}

/**
 * The client that an extension gets when it starts, on the Promise surface: calls of its nodes, requests to the
 * provider with the key, each with a {@link Result}, and the client's logger. Calls end with the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExtensionContext<N extends AnyNetwork = Network> extends ExtensionContextBase<N> {
  /** The calls of the network's nodes. */
  readonly rpc: PromisedRpcOf<N, never>
  /** Requests to routes of the provider's API that no service has. */
  readonly gateway: Promised<GatewayService>
}

/**
 * The client that an extension of the configuration gets when it starts, on the Effect surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface EffectExtensionContext<N extends AnyNetwork = Network> extends ExtensionContextBase<N> {
  /** The calls of the network's nodes. */
  readonly rpc: WidenedRpcOf<N, never>
  /** Requests to routes of the provider's API that no service has. */
  readonly gateway: GatewayService
}

/** The parts of a client that starting extensions need. */
interface StartingClient<N extends AnyNetwork> {
  readonly sdk: { readonly network: IdOf<N>; readonly rpc: object }
  readonly context: Context.Context<Config | Http | Logger>
}

/** Starts the extensions of a client. They end with the client. `lift` converts calls to the surface. */
export const start = <N extends AnyNetwork>(
  { context, sdk: { network, rpc } }: StartingClient<N>,
  lift: (calls: object) => object
): Effect.Effect<Extension.StartedExtensions, never, Scope.Scope> =>
  Effect.gen(function* () {
    const gateway = yield* Effect.provide(currentGateway, context)
    const logger = Context.get(context, Logger)
    const { baseUrl, extensions, info, version } = Context.get(context, Config)
    // lines go to the loggers of the program that made the client
    const runtime = yield* Effect.runtime()
    const writeLine = (line: Effect.Effect<void>) => void Runtime.runFork(runtime, line)
    const client = {
      network,
      rpc: lift(rpc),
      gateway: lift(gateway),
      logger: {
        debug: (line: string) => writeLine(logger.debug(() => line)),
        info: (line: string) => writeLine(logger.info(() => line)),
        warn: (line: string) => writeLine(logger.warn(() => line)),
        error: (line: string) => writeLine(logger.error(() => line))
      },
      config: { info, version, baseUrl }
    }
    return yield* Extension.start(extensions, client, { error: (line) => logger.error(() => line) })
  })
