/**
 * A configuration in, the client of that network out.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { layer as balancerLayer, NodePool, type NodePoolService } from "./balancer/Balancer.js"
import { Checks, type Family } from "./balancer/Family.js"
import { make as makeClient, makeRaw } from "./Client.js"
import type { AlgodRpc, IndexerRpc } from "./chains/Algorand.js"
import type { EthereumRpc } from "./chains/Ethereum.js"
import type { EvmRpc } from "./chains/Evm.js"
import type { GenericRpc } from "./chains/Generic.js"
import type { KadenaRpc } from "./chains/Kadena.js"
import type { KlaytnRpc } from "./chains/Klaytn.js"
import type { StellarRpc } from "./chains/Stellar.js"
import type { TezosRpc } from "./chains/Tezos.js"
import type { TronRpc } from "./chains/Tron.js"
import type { ZkSyncRpc } from "./chains/ZkSync.js"
import { type Http, layerPlatform } from "./Http.js"
import type { Family as FamilyId, Network, networks } from "./Network.js"
import {
  type ExtensionNotSupported,
  type InitError,
  InvalidConfig,
  type UnsupportedNetwork
} from "./SdkError.js"
import * as Config from "./services/Config.js"
import * as Extension from "./services/Extension.js"
import * as Logger from "./services/Logger.js"
import { Transport } from "./Transport.js"

/**
 * The client type of every family. A new family is a line here and a line in the loaders below.
 *
 * @since 0.1.0
 * @category types
 */
export interface Clients {
  readonly evm: EvmRpc
  readonly "evm-beacon": EthereumRpc
  readonly "evm-native": KlaytnRpc
  readonly zksync: ZkSyncRpc
  readonly tron: TronRpc
  readonly solana: GenericRpc
  readonly "algorand-algod": AlgodRpc
  readonly "algorand-indexer": IndexerRpc
  readonly utxo: GenericRpc
  readonly "utxo-estimatefee": GenericRpc
  readonly doge: GenericRpc
  readonly rostrum: GenericRpc
  readonly electrs: GenericRpc
  readonly cardano: GenericRpc
  readonly cosmos: GenericRpc
  readonly casper: GenericRpc
  readonly eos: GenericRpc
  readonly iota: GenericRpc
  readonly kadena: KadenaRpc
  readonly stellar: StellarRpc
  readonly tezos: TezosRpc
  readonly ton: GenericRpc
  readonly xrp: GenericRpc
  readonly bnb: GenericRpc
  readonly generic: GenericRpc
}

/** Loads the family of a network when the first client of it is made: an application ships only what it uses. */
const loaders: { readonly [F in FamilyId]: () => Promise<Family> } = {
  evm: async () => (await import("./chains/Evm.js")).evm,
  "evm-beacon": async () => (await import("./chains/Ethereum.js")).ethereum,
  "evm-native": async () => (await import("./chains/Klaytn.js")).klaytn,
  zksync: async () => (await import("./chains/ZkSync.js")).zksync,
  tron: async () => (await import("./chains/Tron.js")).tron,
  solana: async () => (await import("./chains/Solana.js")).solana,
  "algorand-algod": async () => (await import("./chains/Algorand.js")).algod,
  "algorand-indexer": async () => (await import("./chains/Algorand.js")).indexer,
  utxo: async () => (await import("./chains/Bitcoin.js")).bitcoin,
  "utxo-estimatefee": async () => (await import("./chains/Bitcoin.js")).bitcoin,
  doge: async () => (await import("./chains/Bitcoin.js")).bitcoin,
  rostrum: async () => (await import("./chains/Rostrum.js")).rostrum,
  electrs: async () => (await import("./chains/Rostrum.js")).rostrum,
  cardano: async () => (await import("./chains/Cardano.js")).cardano,
  cosmos: async () => (await import("./chains/Cosmos.js")).cosmos,
  casper: async () => (await import("./chains/Casper.js")).casper,
  eos: async () => (await import("./chains/Eos.js")).eos,
  iota: async () => (await import("./chains/Iota.js")).iota,
  kadena: async () => (await import("./chains/Kadena.js")).kadena,
  stellar: async () => (await import("./chains/Stellar.js")).stellar,
  tezos: async () => (await import("./chains/Tezos.js")).tezos,
  ton: async () => (await import("./chains/Ton.js")).ton,
  xrp: async () => (await import("./chains/Xrp.js")).xrp,
  bnb: async () => (await import("./chains/Bnb.js")).bnb,
  generic: async () => (await import("./chains/Generic.js")).generic
}

/** The module of `./chains` that a family is in, for builds that import families one by one. */
const modules: { readonly [F in FamilyId]: string } = {
  evm: "Evm",
  "evm-beacon": "Ethereum",
  "evm-native": "Klaytn",
  zksync: "ZkSync",
  tron: "Tron",
  solana: "Solana",
  "algorand-algod": "Algorand",
  "algorand-indexer": "Algorand",
  utxo: "Bitcoin",
  "utxo-estimatefee": "Bitcoin",
  doge: "Bitcoin",
  rostrum: "Rostrum",
  electrs: "Rostrum",
  cardano: "Cardano",
  cosmos: "Cosmos",
  casper: "Casper",
  eos: "Eos",
  iota: "Iota",
  kadena: "Kadena",
  stellar: "Stellar",
  tezos: "Tezos",
  ton: "Ton",
  xrp: "Xrp",
  bnb: "Bnb",
  generic: "Generic"
}

/**
 * The family of a network, loaded.
 *
 * @since 0.1.0
 * @category families
 */
export const loadFamily = (id: FamilyId): Effect.Effect<Family> => Effect.promise(loaders[id])

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
                message: `is of the family ${id}, not of ${Object.keys(families).join(" or ")}: import from effect-chains/chains/${modules[id]}, or from effect-chains/promise or Sdk for any network`
              }
            ]
          })
        )
      : Effect.succeed(family)
  }

/**
 * The JSON-RPC and REST client of a network: its type follows the network's id.
 *
 * @since 0.1.0
 * @category types
 */
export type RpcOf<N extends Network> = Clients[(typeof networks)[N]["family"]]

/**
 * The networks of the given families.
 *
 * @since 0.1.0
 * @category types
 */
export type NetworkOf<F extends FamilyId> = {
  readonly [N in Network]: (typeof networks)[N]["family"] extends F ? N : never
}[Network]

/**
 * The client of a network on the Effect surface.
 *
 * @since 0.1.0
 * @category types
 */
export interface Sdk<N extends Network = Network> {
  readonly network: N
  /** The calls of the network's nodes. */
  readonly rpc: RpcOf<N>
  /** The pool of nodes behind the calls. */
  readonly nodes: NodePoolService
}

/**
 * How a client is made: from its configuration, by an effect that lives in a scope.
 *
 * @since 0.1.0
 * @category types
 */
export type Make<N extends Network> = <M extends N>(
  config: Config.SdkConfig<M>
) => Effect.Effect<Sdk<M>, InitError, Http | Scope.Scope>

/**
 * Where the family of a network comes from.
 *
 * @since 0.1.0
 * @category families
 */
export type Load = (id: FamilyId) => Effect.Effect<Family, InvalidConfig>

/** Steps of the specification's section 4: merge, logger, warnings, balancer, extensions, client. */
const assemble = <N extends Network>(
  config: Config.SdkConfig<N>,
  load: Load,
  loggerLayer: Layer.Layer<Logger.Logger, never, Config.Config>
): Effect.Effect<Sdk<N>, InvalidConfig | UnsupportedNetwork | ExtensionNotSupported, Http | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(loggerLayer.pipe(Layer.provideMerge(Config.layer(config))))
    const resolved = Context.get(context, Config.Config)
    const logger = Context.get(context, Logger.Logger)
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
    const services = yield* Layer.build(
      balancerLayer.pipe(
        Layer.provide(Layer.succeed(Checks, family)),
        Layer.provide(Layer.succeedContext(context))
      )
    )
    yield* Extension.start(resolved, logger)
    const transport = Context.get(services, Transport)
    const routing = { archive: info.archive === true, batchArchive: info.loadBalanced === true }
    return {
      network: config.network,
      // the loader and the client type are two lines of one family, which the compiler cannot see together
      rpc: {
        ...makeClient(family.endpoints, transport, routing),
        ...makeRaw(family.endpoints, transport, routing)
      } as unknown as RpcOf<N>,
      nodes: Context.get(services, NodePool)
    }
  })

/**
 * Makes the client of a network, whose type follows the network's id. It lives as long as the scope; several of them
 * share nothing but `Http`. Fails on a bad configuration, an unknown network or a refused extension; nodes that cannot
 * be reached are no reason to fail here.
 *
 * ```ts
 * const sdk = yield* Sdk.make({ network: "ethereum-mainnet" })
 * const height = yield* sdk.rpc.blockNumber()
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<Network> = (config) => assemble(config, loadFamily, Logger.layer)

/**
 * {@link make} for the networks of families that the caller has imported: for builds without code splitting.
 * `./chains/*` export it for their own. Fails with `InvalidConfig` on a network of another family.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeWith = <F extends FamilyId>(families: Families<F>): Make<NetworkOf<F>> => {
  const load = familyOf(families)
  return (config) => assemble(config, load, Logger.layer)
}

/**
 * {@link make} with log lines to a sink, where the configuration has no logger of its own, and with the families that
 * `load` gives.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLogging = (sink: Logger.LogSink, load: Load): Make<Network> => {
  const logger = Logger.layerSink(sink)
  return (config) => assemble(config, load, logger)
}

/**
 * The service of one client: `layer` from an object, `layerConfig` from the environment (`Config.fromEnvironment`, which
 * the object overrides), `layerHttp` over an `Http` of your own.
 *
 * @since 0.1.0
 * @category types
 */
export interface TagClass<Self, Id extends string, N extends Network>
  extends Context.TagClass<Self, `effect-chains/Sdk/${Id}`, Sdk<N>> {
  readonly layer: (
    config?: Omit<Config.SdkConfig<N>, "network">
  ) => Layer.Layer<Self, InitError, HttpClient.HttpClient>
  readonly layerConfig: (
    config?: Omit<Config.SdkConfig<N>, "network">
  ) => Layer.Layer<Self, InitError | ConfigError, HttpClient.HttpClient>
  readonly layerHttp: (config?: Omit<Config.SdkConfig<N>, "network">) => Layer.Layer<Self, InitError, Http>
}

/**
 * Makes the class of a service that is a client. The id is part of the service's key, so that two networks, or two
 * clients of one network, live in one program.
 *
 * ```ts
 * class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
 * const live = Eth.layer({ apiKey }).pipe(Layer.provide(NodeHttpClient.layerUndici))
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const Tag =
  <const Id extends string, const N extends Network>(id: Id, network: N) =>
  <Self>(): TagClass<Self, Id, N> => {
    const tag = Context.Tag(`effect-chains/Sdk/${id}`)<Self, Sdk<N>>()
    type Options = Omit<Config.SdkConfig<N>, "network">
    const layerHttp = (config?: Options): Layer.Layer<Self, InitError, Http> =>
      Layer.scoped(tag, make<N>({ ...config, network }))
    return Object.assign(tag, {
      layerHttp,
      layer: (config?: Options) => Layer.provide(layerHttp(config), layerPlatform),
      layerConfig: (config?: Options) =>
        Layer.unwrapEffect(
          Effect.map(Config.fromEnvironment, (environment) =>
            Layer.provide(layerHttp({ ...environment, ...config }), layerPlatform)
          )
        )
    })
  }
