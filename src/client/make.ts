import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { make as makeBalancer, type NodePoolService } from "../balancer/Balancer.js"
import { Checks, type Family } from "../balancer/Family.js"
import type { Pool } from "../balancer/NodePool.js"
import type { Observer } from "../balancer/Observation.js"
import type { NetworkOf, RpcOf } from "../chains/registry.js"
import * as Config from "../config/Config.js"
import * as Extension from "../config/Extension.js"
import { Logger, type LogSink, make as makeLogger } from "../config/Logger.js"
import type { Family as FamilyId, Network } from "../data/Network.js"
import {
  type ExtensionNotSupported,
  type InitError,
  InvalidConfig,
  type UnsupportedNetwork
} from "../data/SdkError.js"
import { Http } from "../http/service.js"
import type { ServiceContext } from "../services/internal/load.js"
import { type MakeClient, over, type RawRpc, routingOf } from "../transport/Client.js"
import { filtering, type LoadFilters, stack } from "../transport/stack.js"
import { Transport } from "../wire/Transport.js"

/**
 * Gets a family by its id.
 *
 * @since 0.1.0
 * @category families
 */
export type Load = (id: FamilyId) => Effect.Effect<Family, InvalidConfig>

/**
 * Families imported by the caller, by id.
 *
 * @since 0.1.0
 * @category families
 */
export type Families<F extends FamilyId> = { readonly [K in F]: Family }

/**
 * The family of a network out of those that are there; none is loaded.
 *
 * @since 0.1.0
 * @category families
 */
export const familyOf =
  (families: Partial<Families<FamilyId>>): Load =>
  (id) => {
    const family = families[id]
    return family === undefined
      ? Effect.fail(
          new InvalidConfig({
            issues: [
              {
                path: "network",
                message: `is of the family ${id}, not of ${Object.keys(families).join(" or ")}: import from the module of effect-chains/chains that has it, or from effect-chains/promise or Sdk for any network`
              }
            ]
          })
        )
      : Effect.succeed(family)
  }

/**
 * The client of a network's nodes on the Effect surface, without services, as `effect-chains/chains/*` make it.
 *
 * @since 0.1.0
 * @category types
 */
export interface RpcSdk<N extends Network = Network> {
  readonly network: N
  /** The calls of the network's nodes. */
  readonly rpc: RpcOf<N>
  /** The pool of nodes behind the calls. */
  readonly nodes: NodePoolService
}

/**
 * How a client of nodes alone is made.
 *
 * @since 0.1.0
 * @category types
 */
export type MakeRpc<N extends Network> = <M extends N>(
  config: Config.SdkConfig<M>
) => Effect.Effect<RpcSdk<M>, InitError, Http | Scope.Scope>

/** The client of a network's nodes, and the parts that surfaces make the rest of. */
export interface Parts<N extends Network> {
  readonly sdk: RpcSdk<N>
  readonly context: Context.Context<ServiceContext>
  readonly client: MakeClient
  /** Raw calls, which know the methods of the network's own table. */
  readonly raw: RawRpc
  /** The nodes as the balancer knows them now, with their urls. */
  readonly pool: () => Pool
  /** Tells the listeners of the pool. */
  readonly happened: Observer["happened"]
  readonly scope: Scope.Scope
}

/** Steps of the specification's section 4: merge, logger, warnings, balancer, extensions, client. */
export const makeParts = <N extends Network>(
  config: Config.SdkConfig<N>,
  load: Load,
  sink?: LogSink,
  loadFilters?: LoadFilters
): Effect.Effect<Parts<N>, InvalidConfig | UnsupportedNetwork | ExtensionNotSupported, Http | Scope.Scope> =>
  Effect.gen(function* () {
    const resolved = yield* Config.load(config)
    const logger = makeLogger(resolved, sink)
    const { info, network } = resolved
    yield* Extension.check(resolved)
    if (resolved.apiKey[resolved.version] === undefined) {
      yield* logger.warn(
        "API key not provided - only a subset of SDK features will be enabled. Generate one at https://co.tatum.io/signup"
      )
    }
    if (info.status === "sunset")
      yield* logger.warn(`Network ${network} has been shut down by its operators.`)
    const family = yield* load(info.family)
    if (Object.keys(family.endpoints).length === 0)
      yield* logger.warn(`RPC Network ${network} is not supported.`)
    if (family.probe === undefined && resolved.consistency === "monotonic") {
      const message = `must be "eventual" on ${network}, whose nodes cannot be asked for their height`
      return yield* new InvalidConfig({ issues: [{ path: "consistency", message }] })
    }
    const context = Context.make(Config.Config, resolved).pipe(
      Context.add(Logger, logger),
      Context.add(Checks, family),
      Context.add(Http, yield* Http)
    )
    const balancer = yield* Effect.mapInputContext(makeBalancer, (scope: Context.Context<Scope.Scope>) =>
      Context.merge(scope, context)
    )
    const layered = yield* stack(balancer, resolved)
    yield* Extension.start(resolved, logger)
    const routing = routingOf(info)
    const transport =
      loadFilters === undefined ? layered : filtering(layered, over(layered, routing), loadFilters)
    const client = over(transport, routing)
    const own = client(family.endpoints)
    const sdk: RpcSdk<N> = {
      network: config.network,
      // the client type is that of the family in the registry, which the type of a family that was loaded by its id does not show
      rpc: { ...own, ...family.composed?.(client) } as unknown as RpcOf<N>,
      nodes: balancer
    }
    return {
      sdk,
      context: Context.add(context, Transport, transport),
      client,
      raw: own,
      pool: balancer.state,
      happened: balancer.happened,
      scope: yield* Effect.scope
    }
  })

/**
 * Makes clients of nodes for the networks of families that the caller has imported: for builds without code splitting.
 * `./chains/*` export it for their own. Fails with `InvalidConfig` on a network of another family.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeWith = <F extends FamilyId>(families: Families<F>): MakeRpc<NetworkOf<F>> => {
  const load = familyOf(families)
  return (config) => Effect.map(makeParts(config, load), ({ sdk }) => sdk)
}
