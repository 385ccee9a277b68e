import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Checks, type Family } from "../balancer/Family.js"
import { findUnknownServers } from "../balancer/Layout.js"
import { make as makePool, type NodePoolService, type NodePoolView } from "../balancer/NodePool.js"
import { Counting } from "../balancer/Observation.js"
import type { WidenedRpcOf } from "../chains/registry.js"
import * as SdkConfig from "../config/Config.js"
import { Logger, type LoggerService } from "../config/Logger.js"
import type { Credits } from "../data/credits.js"
import type { AnyNetwork, Family as FamilyId, IdOf, Network, NetworkTable } from "../data/Network.js"
import {
  type ExtensionNotSupported,
  type InitError,
  InvalidConfig,
  type LoadError,
  type UnsupportedNetwork
} from "../data/SdkError.js"
import { Http } from "../http/service.js"
import type { ServiceContext } from "../services/internal/load.js"
import { type MakeClient, makeFactory, type RawRpc, routingOf } from "../transport/Client.js"
import { type ClientLayers as GivenLayers, makeLayered, toClientLayers } from "../transport/layerStack.js"
import { Tracing, Transport, type TransportService } from "../wire/Transport.js"

// the layer of a transport has it from here: so the stack stays a part of the one file that makes clients of it
export { makeLayered as layered, toClientLayers as given }

/**
 * Loads a family by its id.
 *
 * @since 0.1.0
 * @category families
 */
export type LoadFamily = (id: FamilyId) => Effect.Effect<Family, InvalidConfig | LoadError>

/**
 * Families that the caller imported, by id.
 *
 * @since 0.1.0
 * @category families
 */
export type Families<F extends FamilyId> = { readonly [K in F]: Family }

/**
 * Where a client gets its network, its family and its layers.
 *
 * @since 0.1.0
 * @category families
 */
export interface ClientSource {
  /** Checks the configuration, and finds the row of its network, which may have to be loaded. */
  readonly resolve: (
    ...args: Parameters<SdkConfig.ResolveConfig>
  ) => Effect.Effect<
    SdkConfig.ResolvedConfig,
    InvalidConfig | UnsupportedNetwork | ExtensionNotSupported | LoadError
  >
  readonly load: LoadFamily
  readonly layers: GivenLayers
}

/** The options that only clients with services have. */
export type FullClientOption =
  | "dataApi"
  | "subscriptions"
  | "configureExtensions"
  | "configureWalletProviders"

/**
 * A source of networks of a table whose families are imported; nothing is loaded. `otherEntries` says in errors where
 * to import other networks from.
 *
 * @since 0.1.0
 * @category families
 */
export const makeFamilySource = (
  families: Partial<Families<FamilyId>>,
  networks: NetworkTable,
  layers: GivenLayers,
  otherEntries: string
): ClientSource => {
  const describeOtherFamily = (id?: FamilyId): string =>
    `is ${id === undefined ? "" : `of the family ${id}, `}not of ${Object.keys(families).join(" or ")}: import from ${otherEntries} for any network`
  return {
    layers,
    resolve: SdkConfig.makeResolveConfig(
      SdkConfig.makeFindNetwork(networks, describeOtherFamily),
      SdkConfig.makeNodeOptionChecks(layers)
    ),
    load: (id) => {
      const family = families[id]
      return family === undefined
        ? SdkConfig.failInvalidConfig("network", describeOtherFamily(id))
        : Effect.succeed(family)
    }
  }
}

/**
 * The client of a network's nodes on the Effect surface, without services, as `effect-chains/effect/chains/*` make
 * it. `More` are the further errors of reads: `BlockNotReached`, with `consistency: "monotonic"`.
 *
 * @since 0.1.0
 * @category types
 */
export interface RpcSdk<out N extends AnyNetwork = Network, out More = never> {
  /** The network's id. */
  readonly network: IdOf<N>
  /** The calls of the network's nodes. */
  readonly rpc: WidenedRpcOf<N, More>
  /** The pool of nodes behind the calls. */
  readonly nodes: NodePoolView
  /** The credits that the client has spent, or undefined without the option `quota`. */
  readonly credits: () => Effect.Effect<Credits | undefined>
}

/** A client's calls and pool, and the parts that a surface makes services and subscriptions of. */
export interface ClientParts<N extends AnyNetwork = AnyNetwork> {
  readonly sdk: RpcSdk<N>
  readonly context: Context.Context<ServiceContext>
  readonly client: MakeClient
  /** Raw calls, which know the methods of the family's table. */
  readonly raw: RawRpc
  readonly pool: NodePoolService
  readonly scope: Scope.Scope
}

/**
 * Loads the family of a network. It logs what the user should know, and fails if a node entry has urls that the
 * family does not use.
 */
export const loadCheckedFamily = <F extends Family>(
  config: SdkConfig.ResolvedConfig,
  logger: LoggerService,
  load: (id: FamilyId) => Effect.Effect<F, InvalidConfig | LoadError>
): Effect.Effect<F, InvalidConfig | LoadError> =>
  Effect.gen(function* () {
    const { info, network } = config
    // other providers, such as the sandbox, have their own keys, or need none
    if (config.apiKey[config.version] === undefined && config.domain === SdkConfig.PROVIDER_DOMAIN) {
      yield* logger.warn(
        "API key not provided - only a subset of SDK features will be enabled. Generate one at https://co.tatum.io/signup"
      )
    }
    if (info.status === "sunset")
      yield* logger.warn(`Network ${network} has been shut down by its operators.`)
    const family = yield* load(info.family)
    const issues = findUnknownServers(config, family.layout)
    return issues.length === 0 ? family : yield* new InvalidConfig({ issues })
  })

/**
 * Wraps the transport of a client with what a surface adds. `client` makes calls over the inner transport.
 */
export type WrapTransport = (inner: TransportService, client: MakeClient) => TransportService

/** The services that the pool needs. */
export type PoolContext = SdkConfig.Config | Logger | Http | Checks

/** The connected parts of a client, before its calls are made. */
export interface ConnectedParts {
  readonly context: Context.Context<PoolContext>
  readonly family: Family
  readonly pool: NodePoolService
  readonly transport: TransportService
  readonly credits: RpcSdk["credits"]
}

/** Makes the calls of a client over its connected parts. */
export const makeClientParts = <N extends AnyNetwork>(
  { context, family, pool, transport: given, credits }: ConnectedParts,
  around?: WrapTransport
): Effect.Effect<ClientParts<N>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const { info, network } = Context.get(context, SdkConfig.Config)
    const routing = routingOf(info)
    const transport = around?.(given, makeFactory(given, routing)) ?? given
    const client = makeFactory(transport, routing)
    const own = client(family.endpoints)
    return {
      sdk: {
        // the client's type has the network of the configuration
        network: network as IdOf<N>,
        // a family that was loaded by its id does not show the client type that the registry has for it
        rpc: { ...own, ...family.composed?.(client) } as unknown as WidenedRpcOf<N, never>,
        nodes: pool,
        credits
      },
      context: Context.add(context, Transport, transport),
      client,
      raw: own,
      pool,
      scope
    }
  })

/** Connects a client: configuration, logger, warnings, pool, transport (specification, section 4). */
export const connectParts = (
  config: SdkConfig.SdkConfig,
  { layers, load, resolve }: ClientSource,
  loggerOf: (config: SdkConfig.ResolvedConfig) => LoggerService
): Effect.Effect<ConnectedParts, InitError, Http | Scope.Scope> =>
  Effect.gen(function* () {
    const resolved = yield* SdkConfig.resolveWithEnvironment(config, resolve)
    const logger = loggerOf(resolved)
    const family = yield* loadCheckedFamily(resolved, logger, load)
    const http = yield* Http
    const limited = config.quota && (yield* config.quota(http, resolved))
    const context = Context.make(SdkConfig.Config, resolved).pipe(
      Context.add(Logger, logger),
      Context.add(Checks, family),
      Context.add(Http, limited?.http ?? http),
      Context.add(Tracing, yield* Tracing),
      Context.add(Counting, yield* Counting)
    )
    const pool = yield* Effect.mapInputContext(makePool, (scope: Context.Context<Scope.Scope>) =>
      Context.merge(scope, context)
    )
    return {
      context,
      family,
      pool,
      transport: yield* makeLayered(limited?.limitTransport(pool) ?? pool, resolved, layers),
      credits: () => Effect.sync(() => limited?.credits())
    }
  })

/** Connects a client, and makes its calls. */
export const makeParts = <N extends AnyNetwork>(
  config: SdkConfig.SdkConfig<N>,
  source: ClientSource,
  loggerOf: (config: SdkConfig.ResolvedConfig) => LoggerService,
  around?: WrapTransport
): Effect.Effect<ClientParts<N>, InitError, Http | Scope.Scope> =>
  Effect.flatMap(connectParts(config, source, loggerOf), (given) => makeClientParts<N>(given, around))
