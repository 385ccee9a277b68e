import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Checks, type Family } from "../balancer/Family.js"
import { findUnknownServers } from "../balancer/Layout.js"
import { make as makePool, type NodePoolService, type NodePoolView } from "../balancer/NodePool.js"
import { Counting } from "../balancer/Observation.js"
import type { WidenedRpcOf } from "../chains/registry.js"
import * as Config from "../config/Config.js"
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
 * Gets a family by its id.
 *
 * @since 0.1.0
 * @category families
 */
export type Load = (id: FamilyId) => Effect.Effect<Family, InvalidConfig | LoadError>

/**
 * Families imported by the caller, by id.
 *
 * @since 0.1.0
 * @category families
 */
export type Families<F extends FamilyId> = { readonly [K in F]: Family }

/**
 * The networks that clients can be made for: how a configuration is checked, how the family of its network is got, and what may
 * stand between its calls and its nodes.
 *
 * @since 0.1.0
 * @category families
 */
export interface Source {
  /** The rows of networks may have to be loaded for it. */
  readonly resolve: (
    ...args: Parameters<Config.Resolve>
  ) => Effect.Effect<
    Config.ResolvedConfig,
    InvalidConfig | UnsupportedNetwork | ExtensionNotSupported | LoadError
  >
  readonly load: Load
  readonly layers: GivenLayers
}

/** The options of parts that a client of nodes alone does not have. */
export type Unserved = "dataApi" | "subscriptions" | "configureExtensions" | "configureWalletProviders"

/**
 * The networks of a table whose families are there; none is loaded. `others` says where those of other networks are.
 *
 * @since 0.1.0
 * @category families
 */
export const among = (
  families: Partial<Families<FamilyId>>,
  networks: NetworkTable,
  layers: GivenLayers,
  others: string
): Source => {
  const elsewhere = (id?: FamilyId): string =>
    `is ${id === undefined ? "" : `of the family ${id}, `}not of ${Object.keys(families).join(" or ")}: import from ${others} for any network`
  return {
    layers,
    resolve: Config.resolveIn(Config.findIn(networks, elsewhere), Config.fieldsOver(layers)),
    load: (id) => {
      const family = families[id]
      return family === undefined ? Config.refused("network", elsewhere(id)) : Effect.succeed(family)
    }
  }
}

/**
 * The client of a network's nodes on the Effect surface, without services, as `effect-chains/effect/chains/*` make it. Its reads can fail
 * with `More` besides: with `BlockNotReached`, if the configuration says `consistency: "monotonic"`.
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
  /** The credits that the client has spent. Undefined without the option `quota`: nothing counts then. */
  readonly credits: () => Effect.Effect<Credits | undefined>
}

/** The client of a network's nodes, and the parts that surfaces make the rest of. */
export interface Parts<N extends AnyNetwork = AnyNetwork> {
  readonly sdk: RpcSdk<N>
  readonly context: Context.Context<ServiceContext>
  readonly client: MakeClient
  /** Raw calls, which know the methods of the network's own table. */
  readonly raw: RawRpc
  readonly pool: NodePoolService
  readonly scope: Scope.Scope
}

/** The family of a client, after the checks that have to pass before anything is started, and the warnings for the user. */
export const familyFor = <F extends Family>(
  config: Config.ResolvedConfig,
  logger: LoggerService,
  load: (id: FamilyId) => Effect.Effect<F, InvalidConfig | LoadError>
): Effect.Effect<F, InvalidConfig | LoadError> =>
  Effect.gen(function* () {
    const { info, network } = config
    // the key is that of the public provider: another one, the sandbox for example, has keys of its own, or needs none
    if (config.apiKey[config.version] === undefined && config.domain === Config.PROVIDER) {
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

/** A layer of a surface's own between the calls of a client and the transport: `client` makes calls to the latter. */
export type Around = (inner: TransportService, client: MakeClient) => TransportService

/** The parts that are there before the pool. */
export type Base = Config.Config | Logger | Http | Checks

/** The parts that calls go through, before the client that makes the calls. */
export interface Given {
  readonly context: Context.Context<Base>
  readonly family: Family
  readonly pool: NodePoolService
  readonly transport: TransportService
  readonly credits: RpcSdk["credits"]
}

/** The last steps: filters, client. */
export const clientOf = <N extends AnyNetwork>(
  { context, family, pool, transport: given, credits }: Given,
  around?: Around
): Effect.Effect<Parts<N>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const { info, network } = Context.get(context, Config.Config)
    const routing = routingOf(info)
    const transport = around?.(given, makeFactory(given, routing)) ?? given
    const client = makeFactory(transport, routing)
    const own = client(family.endpoints)
    return {
      sdk: {
        // the configuration's network is that of the client's type
        network: network as IdOf<N>,
        // the client type is that of the family in the registry, which the type of a family that was loaded by its id does not show
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

/** The first steps of the specification's section 4: merge, logger, warnings, balancer. */
export const connected = (
  config: Config.SdkConfig,
  { layers, load, resolve }: Source,
  loggerOf: (config: Config.ResolvedConfig) => LoggerService
): Effect.Effect<Given, InitError, Http | Scope.Scope> =>
  Effect.gen(function* () {
    const resolved = yield* Config.load(config, resolve)
    const logger = loggerOf(resolved)
    const family = yield* familyFor(resolved, logger, load)
    const http = yield* Http
    const limited = config.quota && (yield* config.quota(http, resolved))
    const context = Context.make(Config.Config, resolved).pipe(
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

/** All steps: those above, and filters, client. */
export const makeParts = <N extends AnyNetwork>(
  config: Config.SdkConfig<N>,
  source: Source,
  loggerOf: (config: Config.ResolvedConfig) => LoggerService,
  around?: Around
): Effect.Effect<Parts<N>, InitError, Http | Scope.Scope> =>
  Effect.flatMap(connected(config, source, loggerOf), (given) => clientOf<N>(given, around))
