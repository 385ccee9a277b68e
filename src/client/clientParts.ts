/**
 * Makes every client. A source finds the network, its chain family and its layers, and makes the calls. A surface is the
 * form in which the caller gets them (`effectSurface.ts`, `promiseSurface.ts`): it converts the result.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ClientFamily, type Family } from "../balancer/Family.js"
import { findUnknownServers } from "../balancer/Layout.js"
import { make as makePool, type NodePoolService, type NodePoolView } from "../balancer/NodePool.js"
import { CountersRef } from "../balancer/Observation.js"
import type { WidenedRpcOf } from "../chains/registry.js"
import * as SdkConfig from "../config/Config.js"
import { Logger, type LoggerService } from "../config/Logger.js"
import { makeNodeOptionChecks, SIGNUP_URL } from "../config/optionChecks.js"
import {
  failInvalidConfig,
  makeFindNetwork,
  makeResolveConfig,
  PROVIDER_DOMAIN,
  PROVIDER_VARIABLE,
  type ResolveConfig,
  resolveWithEnvironment
} from "../config/resolveConfig.js"
import type { Credits } from "../data/credits.js"
import type { AnyNetwork, FamilyId, IdOf, Network, NetworkTable, NetworkValue } from "../data/Network.js"
import {
  type ExtensionNotSupported,
  type InitError,
  InvalidConfig,
  type LoadError,
  type UnsupportedNetwork
} from "../data/SdkError.js"
import { Http } from "../http/service.js"
import type { ServiceContext } from "../services/internal/load.js"
import {
  type MakeCalls,
  makeFactory,
  type PickedEndpoints,
  type RawRpc,
  routingOf
} from "../transport/Client.js"
import { type ClientLayers, type Layers, makeLayered, toClientLayers } from "../transport/layerStack.js"
import { Tracing, Transport, type TransportService } from "../wire/Transport.js"

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
 * Where a client gets its network's row (`NetworkRow` in `data/Network.ts`), its chain family (`balancer/Family.ts`), the
 * layers of its transport (caching, batching and the like) and its calls.
 *
 * @since 0.1.0
 * @category families
 */
export interface ClientSource<out Made = ClientParts> {
  /** Checks the configuration, and finds the row of its network, which may have to be loaded. */
  readonly resolve: (
    config: ClientConfig,
    environment?: Parameters<ResolveConfig>[1]
  ) => Effect.Effect<
    SdkConfig.ResolvedConfig,
    InvalidConfig | UnsupportedNetwork | ExtensionNotSupported | LoadError
  >
  readonly load: LoadFamily
  readonly layers: ClientLayers
  /** Binds calls of the pool to the client's end, on surfaces whose calls do not end with it by themselves. */
  readonly bindPool?: (pool: TransportService) => TransportService
  /** Makes the calls of a client over its connected parts. */
  readonly makeParts: (
    connected: ConnectedParts,
    liftCalls?: LiftCalls
  ) => Effect.Effect<Made, LoadError, Scope.Scope>
}

/** Makes the source of one client. `otherEntries` says in errors where to import other networks from. */
export type MakeSource<Made = ClientParts> = (
  config: ClientConfig,
  otherEntries: string
) => ClientSource<Made>

/** Converts the calls that extensions get to a surface. */
export type LiftCalls = (calls: object) => object

type MakeLogger = (config: SdkConfig.ResolvedConfig) => LoggerService

/** The configuration of a client of any kind. Its source checks which options it may have. */
export interface ClientConfig<out Time = number>
  extends SdkConfig.SdkConfig<AnyNetwork, SdkConfig.Consistency, Time> {
  readonly layers?: Layers
  readonly endpoints?: PickedEndpoints
}

/** {@link ClientConfig} as a surface takes it: its network may be a row, which stands for its network by its id. */
export type SurfaceConfig<Time = number> = Omit<ClientConfig<Time>, "network"> & {
  readonly network: AnyNetwork | NetworkValue<AnyNetwork>
}

/** The options that only clients with services have. */
export type FullClientOption =
  | "dataApi"
  | "subscriptions"
  | "configureExtensions"
  | "configureWalletProviders"

/**
 * Makes sources of a table's networks whose families are imported; nothing is loaded. `layers` are those of every
 * client; without them a client has the layers of its configuration.
 *
 * @since 0.1.0
 * @category families
 */
export const makeFamilySource =
  (families: Partial<Families<FamilyId>>, networks: NetworkTable, layers?: ClientLayers): MakeSource =>
  (config, otherEntries) => {
    const clientLayers = layers ?? toClientLayers(config.layers)
    const describeOtherFamily = (id?: FamilyId): string =>
      `is ${id === undefined ? "" : `of the family ${id}, `}not of ${Object.keys(families).join(" or ")}: import from ${otherEntries} for any network`
    return {
      layers: clientLayers,
      resolve: makeResolveConfig(
        makeFindNetwork(networks, describeOtherFamily),
        makeNodeOptionChecks(clientLayers)
      ),
      load: (id) => {
        const family = families[id]
        return family === undefined
          ? failInvalidConfig("network", describeOtherFamily(id))
          : Effect.succeed(family)
      },
      makeParts: (connected) => makeClientParts(connected)
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
export interface ClientParts {
  readonly sdk: RpcSdk<AnyNetwork>
  readonly context: Context.Context<ServiceContext>
  readonly makeCalls: MakeCalls
  /** Raw calls, which know the methods of the family's table. */
  readonly raw: RawRpc
  readonly pool: NodePoolService
  readonly scope: Scope.Scope
}

/** The provider of the environment that the log has named. Each process names it once. */
let namedProvider: string | undefined

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
    const { baseUrl, info, isMoved, network, quiet } = config
    if (isMoved && !quiet && namedProvider !== baseUrl) {
      namedProvider = baseUrl
      yield* logger.warn(() => `The provider is ${baseUrl} (${PROVIDER_VARIABLE}). Own rpc.nodes stay.`)
    }
    // own nodes take no key; other providers, such as the sandbox, have their own keys, or need none
    if (
      config.nodes === undefined &&
      config.apiKey[config.version] === undefined &&
      config.domain === PROVIDER_DOMAIN
    ) {
      yield* logger.warn(
        () =>
          `API key not provided - only a subset of SDK features will be enabled. Generate one at ${SIGNUP_URL}`
      )
    }
    if (info.status === "sunset")
      yield* logger.warn(() => `Network ${network} has been shut down by its operators.`)
    const family = yield* load(info.family)
    const issues = findUnknownServers(config, family.layout)
    return issues.length === 0 ? family : yield* new InvalidConfig({ issues })
  })

/**
 * Wraps the transport of a client with what a surface adds. `makeCalls` makes calls over the inner transport.
 */
export type WrapTransport = (inner: TransportService, makeCalls: MakeCalls) => TransportService

/** The services that the pool needs. */
export type PoolContext = SdkConfig.Config | Logger | Http | ClientFamily

/** The connected parts of a client, before its calls are made. */
export interface ConnectedParts {
  readonly context: Context.Context<PoolContext>
  readonly family: Family
  readonly pool: NodePoolService
  readonly transport: TransportService
  readonly credits: RpcSdk["credits"]
  /** Binds calls that are made of other calls to the client's end, as `bindPool` does. */
  readonly bindComposed?: (calls: object) => object
}

/** Makes the calls of a family over the connected parts of a client. */
export const makeClientParts = (
  { bindComposed = (calls) => calls, context, credits, family, pool, transport: inner }: ConnectedParts,
  wrapTransport?: WrapTransport
): Effect.Effect<ClientParts, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const { info, network } = Context.get(context, SdkConfig.Config)
    const routing = routingOf(info)
    const transport = wrapTransport?.(inner, makeFactory(inner, routing)) ?? inner
    const makeCalls = makeFactory(transport, routing)
    const own = makeCalls(family.endpoints)
    return {
      sdk: {
        // the types of a client's network and calls follow from its configuration, which only the surface knows
        network: network as IdOf<AnyNetwork>,
        rpc: { ...own, ...bindComposed(family.composed?.(makeCalls) ?? {}) } as unknown as WidenedRpcOf<
          AnyNetwork,
          never
        >,
        nodes: pool,
        credits
      },
      context: Context.add(context, Transport, transport),
      makeCalls,
      raw: own,
      pool,
      scope
    }
  })

/** Connects a client: configuration, logger, warnings, pool, transport (specification, section 4). */
const connectParts = (
  config: ClientConfig,
  { bindPool = (pool) => pool, layers, load, resolve }: ClientSource<unknown>,
  makeLogger: MakeLogger
): Effect.Effect<ConnectedParts, InitError, Http | Scope.Scope> =>
  Effect.gen(function* () {
    const resolved = yield* resolveWithEnvironment(config, resolve)
    const logger = makeLogger(resolved)
    const family = yield* loadCheckedFamily(resolved, logger, load)
    const http = yield* Http
    const limited = config.quota && (yield* config.quota(http, resolved))
    const context = Context.make(SdkConfig.Config, resolved).pipe(
      Context.add(Logger, logger),
      Context.add(ClientFamily, family),
      Context.add(Http, limited?.http ?? http),
      Context.add(Tracing, yield* Tracing),
      Context.add(CountersRef, yield* CountersRef)
    )
    const pool = yield* Effect.mapInputContext(makePool, (scope: Context.Context<Scope.Scope>) =>
      Context.merge(scope, context)
    )
    return {
      context,
      family,
      pool,
      transport: yield* makeLayered(bindPool(limited?.limitTransport(pool) ?? pool), resolved, layers),
      credits: () => Effect.sync(() => limited?.credits())
    }
  })

/** Makes every client: connects it, and makes the calls of its source. A surface makes its client of the result. */
export const makeClient = <Made>(
  config: ClientConfig,
  source: ClientSource<Made>,
  makeLogger: MakeLogger,
  liftCalls?: LiftCalls
): Effect.Effect<Made, InitError, Http | Scope.Scope> =>
  Effect.flatMap(connectParts(config, source, makeLogger), (connected) =>
    source.makeParts(connected, liftCalls)
  )
