/** Starts the extensions of a configuration: loaded with the first client that has any. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PromisedRpcOf } from "../chains/registry.js"
import { Config, type ResolvedConfig } from "../config/Config.js"
import * as Extension from "../config/Extension.js"
import { Logger } from "../config/Logger.js"
import type { Network } from "../data/Network.js"
import type { ExtensionNotSupported, LoadError } from "../data/SdkError.js"
import type { Http } from "../http/service.js"
import type { GatewayService } from "../services/Gateway.js"
import { given } from "../services/internal/gateway.js"
import type { Promised } from "../transport/Client.js"

export { check, handleOf } from "../config/Extension.js"

/** The options that hold no secret. */
type Told = "info" | "version" | "baseUrl"

/**
 * The client that an extension is given when it starts, on every surface: the calls of its nodes, requests to the provider, which
 * bring the key along, and the client's logger, with a {@link Result} for every call. Calls end with the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExtensionContext<N extends Network = Network> {
  readonly network: N
  /** The calls of the network's nodes. */
  readonly rpc: PromisedRpcOf<N, never>
  /** Requests to the provider's API that no service has. */
  readonly gateway: Promised<GatewayService>
  /** Lines of the client's log, which are free of its secrets. */
  readonly logger: Readonly<Record<"info" | "warn" | "error", (message: string) => void>>
  /** What the client was configured with, without keys and headers. */
  readonly config: Pick<ResolvedConfig, Told>
}

/** What is known of a client when its extensions start. */
interface Parts<N extends Network> {
  readonly sdk: { readonly network: N; readonly rpc: object }
  readonly context: Context.Context<Config | Http | Logger>
}

/** Starts the extensions of a client, which end with it. `lift` makes calls that return results of those that return effects. */
export const start = <N extends Network>(
  { context, sdk: { network, rpc } }: Parts<N>,
  lift: Effect.Effect<(calls: object) => object, LoadError>
): Effect.Effect<Extension.Started, ExtensionNotSupported | LoadError, Scope.Scope> =>
  Effect.gen(function* () {
    const gateway = yield* Effect.provide(given, context)
    const promised = yield* lift
    const logger = Context.get(context, Logger)
    const { baseUrl, extensions, info, version } = Context.get(context, Config)
    const tell = (line: Effect.Effect<void>): void => void Effect.runFork(line)
    const client: ExtensionContext<N> = {
      network,
      // they follow the type Promised by construction
      rpc: promised(rpc) as PromisedRpcOf<N, never>,
      gateway: promised(gateway) as Promised<GatewayService>,
      logger: {
        info: (line) => tell(logger.info(line)),
        warn: (line) => tell(logger.warn(line)),
        error: (line) => tell(logger.error(line))
      },
      config: { info, version, baseUrl }
    }
    // on the Effect surface, a configuration may have been made elsewhere
    yield* Extension.check({ extensions, network })
    return yield* Extension.start(extensions, client, logger)
  })
