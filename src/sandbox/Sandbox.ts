/**
 * The embedded provider: the whole of its API over real nodes, the data API over their blocks, the lists of the nodes and the
 * gateway before them, all on 127.0.0.1.
 *
 * @since 0.1.0
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Network from "../data/Network.js"
import type { NodeEntry } from "../data/Node.js"
import { Access, type AccessOptions, make as makeAccess } from "./Access.js"
import type { Incident } from "./api/Admin.js"
import { Faults, type FaultsService, layer as faultsLayer } from "./Faults.js"
import * as Indexer from "./Indexer.js"
import { type ApiKey, layer as keysLayer } from "./Keys.js"
import { listen, withRealClock } from "./Loopback.js"
import * as Networks from "./Networks.js"
import { type EvmAccount, evmAccounts } from "./nodes/keys.js"
import { mineWhile, populate } from "./Population.js"
import * as Provider from "./Provider.js"
import { Admin } from "./provider/Admin.js"
import * as Data from "./provider/Data.js"
import * as Files from "./provider/Files.js"
import { IsNetworkStarted } from "./provider/Subscription.js"
import { SandboxError } from "./SandboxError.js"
import * as Store from "./Store.js"
import * as Watchdog from "./Watchdog.js"
import * as Webhooks from "./Webhooks.js"

export type { NetworkOptions, SandboxNetwork, SandboxNode } from "./Networks.js"
export type { Account, EvmAccount } from "./nodes/keys.js"

/**
 * The options of a network: its id, or the definition of an EVM chain, whose chain id its nodes have.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxNetworkOptions extends Omit<Networks.NetworkOptions, "network"> {
  readonly network: string | Network.NetworkDefinition
}

/**
 * The options of a sandbox. Every network of the table can be asked for and is started then, with one node; `networks` are
 * started at once, EVM networks with three normal nodes and an archive node unless they say otherwise. By default that is
 * `ethereum-mainnet`.
 *
 * With `blockTime` (seconds) blocks come at that interval, otherwise with transactions. `port` is that of the provider,
 * by default a free one. `file` is a database that keeps files and subscriptions for the next time, and the chains of EVM
 * networks and of Bitcoin's kind; by default all is forgotten. With `populated`, the networks that are started at once have a history: transfers, tokens, NFTs with pictures.
 * `dataApi` are the generations of the data API that it serves, by default the provider's of today (`"v4"`). `seed` moves rates. `apiKeys` are the only ones that are accepted, with their quotas; by default every key is,
 * and none, but for the key `invalid`. `recordings` is a folder with answers of your own for networks without nodes.
 * Programs of this machine may use it, and pages that come from it; `hosts` and `origins` let others in, and
 * `webhooks.hosts` lets calls out.
 *
 * `watchdog` says when a node that does not answer is started again: EVM chains and those of Bitcoin's kind with every block,
 * Solana, TON and the beacon chain at their genesis. `onProgress` gets a line per step; nothing is printed but warnings.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxOptions extends AccessOptions {
  readonly networks?: ReadonlyArray<SandboxNetworkOptions>
  readonly blockTime?: number
  readonly port?: number
  readonly file?: string
  readonly populated?: boolean
  readonly dataApi?: Data.Generations
  readonly seed?: string
  readonly apiKeys?: ReadonlyArray<ApiKey>
  readonly recordings?: string
  readonly webhooks?: Webhooks.WebhooksOptions
  readonly watchdog?: Watchdog.WatchdogOptions
  readonly onProgress?: (line: string) => void
}

/**
 * The part of an SDK configuration that leads to the sandbox.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxConfig<N extends string | Network.NetworkDefinition> {
  readonly network: N
  /** The nodes of a definition, which no list of the provider has. */
  readonly rpc?: { readonly nodes: ReadonlyArray<NodeEntry> }
  readonly provider: { readonly baseUrl: string; readonly nodeListUrl: string; readonly domain: string }
}

/**
 * A running sandbox. `start` starts a network of the table, unless it runs; `network` has one that runs, and throws a
 * SandboxError (`options`) for others; so does `config` for networks that no sandbox runs. `faults` are the rules that make
 * things go wrong; `incidents` are the nodes that went wrong by themselves and were started again. The documentation of the API
 * is at `/docs` of `baseUrl`, as OpenAPI at `/openapi.json`.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxService {
  readonly baseUrl: string
  readonly nodeListUrl: string
  readonly accounts: ReadonlyArray<EvmAccount>
  readonly network: (id: string) => Networks.SandboxNetwork
  readonly start: (id: string) => Effect.Effect<Networks.SandboxNetwork, SandboxError>
  readonly config: <N extends string | Network.NetworkDefinition>(network: N) => SandboxConfig<N>
  readonly faults: FaultsService
  readonly incidents: Effect.Effect<ReadonlyArray<Incident>>
}

/**
 * The sandbox of a program.
 *
 * @since 0.1.0
 * @category services
 */
export class Sandbox extends Context.Tag("effect-chains/sandbox/Sandbox")<Sandbox, SandboxService>() {}

const makeOptionsError = (message: string): SandboxError => new SandboxError({ reason: "options", message })

const evmFamilies: ReadonlyArray<string> = Network.evmFamilies

/** The id of a network that was named in either way. */
const idOf = (network: string | Network.NetworkDefinition): string =>
  typeof network === "string" ? network : network.id

/** The options of a network by its id: that of a definition, with its chain id. */
const toNetworkOptions = ({
  network,
  ...options
}: SandboxNetworkOptions): Effect.Effect<Networks.NetworkOptions, SandboxError> => {
  if (typeof network === "string") return Effect.succeed({ network, ...options })
  const { chainId, family, id } = network
  return chainId === undefined || !evmFamilies.includes(family)
    ? makeOptionsError(
        `A sandbox runs defined networks of EVM chains alone, and ${id} is of the family ${family}`
      )
    : Effect.succeed({ chainId, ...options, network: id })
}

/** The nodes of a network that runs, as the configuration of a client has them. */
const toNodeEntries = ({ archive, nodes }: Networks.SandboxNetwork): ReadonlyArray<NodeEntry> => [
  ...nodes.map(({ url }) => ({ url })),
  ...archive.map(({ url }): NodeEntry => ({ url, type: "archive" }))
]

/** The services of a sandbox, without the HTTP before them. */
const makeServices = (
  options: SandboxOptions,
  declared: ReadonlyArray<Networks.NetworkOptions>,
  progress: (line: string) => Effect.Effect<void>
) => {
  const { apiKeys, blockTime, file, recordings } = options
  const networks = Layer.scoped(
    Networks.Networks,
    Networks.make(declared, { blockTime, recordings }, progress)
  )
  const admin = Layer.effect(
    Admin,
    Effect.zipWith(Networks.Networks, Watchdog.Watchdog, ({ get, listStarted }, { incidents }) => ({
      networks: Effect.sync(listStarted),
      start: get,
      incidents
    }))
  )
  const metadata = Layer.effect(
    Data.Metadata,
    Effect.map(Effect.context<Files.FileStore>(), (context) => ({
      resolve: (uri: string) => Effect.provide(Files.resolveDocument(uri), context)
    }))
  )
  const running = Layer.effect(
    IsNetworkStarted,
    Effect.map(
      Networks.Networks,
      ({ listStarted }) =>
        (network) =>
          listStarted().some(({ id }) => id === network)
    )
  )
  const services = [Networks.nodesLayer, admin, metadata, running, Webhooks.layer(options.webhooks)] as const
  return Layer.mergeAll(...services).pipe(
    Layer.provideMerge(networks),
    Layer.provideMerge(Indexer.layer),
    Layer.provideMerge(Files.storeLayer),
    Layer.provideMerge(
      Layer.mergeAll(
        Store.layer(file),
        faultsLayer,
        keysLayer(apiKeys === undefined ? {} : { apiKeys }),
        Watchdog.layer(options.watchdog)
      )
    )
  )
}

/**
 * Starts a sandbox, which ends with the scope: servers, connections and processes. The processes end with this one too,
 * however it ends, SIGKILL included.
 *
 * The nodes of an EVM network are independent anvil processes that share one chain: the sandbox passes on the transactions and
 * the cheat codes (`anvil_*`, `evm_*`, `hardhat_*`) that come to any node or to the gateway, and produces the blocks. A sender's
 * answer comes when all running nodes have the change; a node that was stopped or frozen gets what it missed before it answers
 * again, and leaves what was reverted meanwhile. Heights, balances and block hashes are the same everywhere. Ids of snapshots are
 * the chain's own. A revert and a reset keep who is impersonated, and the settings of the miner.
 *
 * EVM networks and Solana have WebSockets at the urls of their nodes and at the gateway (Solana's also at the port after a
 * node's own); a message of a client counts as a request.
 *
 * Limits: without `blockTime` a transaction with a nonce too high makes an empty block. Archive nodes differ from normal ones in
 * name only. On Windows nodes cannot be frozen.
 *
 * Fails without an optional package (`package`) or the binary of a node that is to be started at once (`binary`), if a node
 * does not come up (`start`), if no port can be had (`listen`), if the database cannot be used (`store`), and for options
 * that make no sense (`options`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: SandboxOptions = {}
): Effect.Effect<SandboxService, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const declared = yield* Effect.forEach(
      options.networks ?? [{ network: "ethereum-mainnet" }],
      toNetworkOptions
    )
    const progress = (line: string) => Effect.sync(() => options.onProgress?.(line))
    const access = yield* makeAccess(options)
    const allowed = Layer.succeed(Access, access)
    const context = yield* Layer.build(Layer.provideMerge(makeServices(options, declared, progress), allowed))
    const networks = Context.get(context, Networks.Networks)
    yield* Effect.forEach(declared, ({ network }) => networks.get(network), { concurrency: "unbounded" })
    if (options.populated === true)
      for (const running of networks.listStarted())
        if (running.isNew && Network.isNetwork(running.id)) {
          yield* progress(`Populating ${running.id}`)
          const filling = Effect.provide(populate(running, running.id), context)
          yield* options.blockTime === undefined ? filling : mineWhile(running, filling)
        }
    const handler = yield* Effect.provide(Provider.make(options.seed ?? "", options.dataApi), context)
    const baseUrl = `http://127.0.0.1:${yield* Effect.provide(listen(handler, options.port), allowed)}`
    yield* progress(`The sandbox is ready at ${baseUrl}`)

    return {
      baseUrl,
      nodeListUrl: baseUrl,
      accounts: evmAccounts,
      network: (id) => {
        const found = networks.listStarted().find((running) => running.id === id)
        if (found !== undefined) return found
        throw makeOptionsError(
          `The sandbox does not run "${id}" yet: start it, or add it to the networks it is made with`
        )
      },
      start: networks.get,
      config: (network) => {
        const id = idOf(network)
        if (!Network.isNetwork(id) && !declared.some((each) => each.network === id))
          throw makeOptionsError(`The sandbox knows no network "${id}"`)
        const running =
          typeof network === "string" ? undefined : networks.listStarted().find((each) => each.id === id)
        return {
          network,
          ...(running === undefined ? {} : { rpc: { nodes: toNodeEntries(running) } }),
          provider: { baseUrl, nodeListUrl: baseUrl, domain: "127.0.0.1" }
        }
      },
      faults: Context.get(context, Faults),
      incidents: Context.get(context, Watchdog.Watchdog).incidents
    } satisfies SandboxService
  }).pipe(withRealClock)

/**
 * A sandbox as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: SandboxOptions = {}): Layer.Layer<Sandbox, SandboxError> =>
  Layer.scoped(Sandbox, make(options))
