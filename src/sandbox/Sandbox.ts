/**
 * The embedded provider on 127.0.0.1: its API over real nodes, the data API over their blocks, the node lists and the
 * gateway.
 *
 * @since 0.1.0
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { OnThisEffect } from "../data/effectVersion.js"
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
 * The options of a network. `network` is its id or the definition of an EVM chain, whose chain id the nodes get.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxNetworkOptions extends Omit<Networks.NetworkOptions, "network"> {
  readonly network: string | Network.NetworkDefinition
}

/**
 * The options of a sandbox. Every network of the table starts with its first use, with one node. `networks` start at
 * once (default: `ethereum-mainnet`), EVM networks among them with three normal nodes and an archive node by default.
 *
 * With `blockTime` (seconds) blocks come at that interval, otherwise with transactions. `port` is the provider's, by
 * default a free one. `file` is a database that keeps files, subscriptions, and the chains of EVM networks and of
 * Bitcoin's kind; without it nothing is kept. With `populated`, the networks that start at once have a history:
 * transfers, tokens, NFTs with pictures. `dataApi` are the versions of the data API to serve (default: `"v4"`, the
 * provider's current one). `seed` changes the rates. `apiKeys` are the only valid keys, with their quotas; by default
 * every key except `invalid` is valid, and requests need none. `recordings` is a folder with your own answers for
 * networks without nodes. By default only this machine's programs and pages may use the sandbox: `hosts` and `origins`
 * allow others, and `webhooks.hosts` allows calls to other machines.
 *
 * `watchdog` says when a node that does not answer is restarted. EVM chains and those of Bitcoin's kind restart with
 * every block, Solana, TON and the beacon chain at their genesis. `onProgress` gets a line per step. The sandbox prints
 * warnings alone.
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
 * The part of an SDK configuration that connects to the sandbox.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxConfig<N extends string | Network.NetworkDefinition> {
  readonly network: N
  /** The nodes of a definition, which is in no node list. */
  readonly rpc?: { readonly nodes: ReadonlyArray<NodeEntry> }
  readonly provider: { readonly baseUrl: string; readonly nodeListUrl: string; readonly domain: string }
}

/**
 * A running sandbox. `start` starts a network of the table, unless it runs. `network` yields a running network, and
 * throws a SandboxError (`options`) for others. `config` throws it for networks that no sandbox runs. `faults` are the
 * rules that make requests fail. `incidents` are the restarts of nodes that had stopped answering. The API's
 * documentation is at `/docs` of `baseUrl`, as OpenAPI at `/openapi.json`.
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
 * The sandbox that a program runs on.
 *
 * @since 0.1.0
 * @category services
 */
export class Sandbox extends Context.Tag("effect-chains/sandbox/Sandbox")<Sandbox, SandboxService>() {}

const makeOptionsError = (message: string): SandboxError => new SandboxError({ reason: "options", message })

const evmFamilies: ReadonlyArray<string> = Network.evmFamilies

const idOf = (network: string | Network.NetworkDefinition): string =>
  typeof network === "string" ? network : network.id

/** The options by the network's id. A definition adds its chain id. */
const toNetworkOptions = ({
  network,
  ...options
}: SandboxNetworkOptions): Effect.Effect<Networks.NetworkOptions, SandboxError> => {
  if (typeof network === "string") return Effect.succeed({ network, ...options })
  const { chainId, family, id } = network
  return chainId === undefined || !evmFamilies.includes(family)
    ? makeOptionsError(`A sandbox runs definitions of EVM chains only, and ${id} is of the family ${family}`)
    : Effect.succeed({ chainId, ...options, network: id })
}

/** The nodes of a running network, in the form of a client's configuration. */
const toNodeEntries = ({ archive, nodes }: Networks.SandboxNetwork): ReadonlyArray<NodeEntry> => [
  ...nodes.map(({ url }) => ({ url })),
  ...archive.map(({ url }): NodeEntry => ({ url, type: "archive" }))
]

/** The services of a sandbox, without its HTTP server. */
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

const populateNew = (
  started: ReadonlyArray<Networks.RunningNetwork>,
  { blockTime }: SandboxOptions,
  progress: (line: string) => Effect.Effect<void>
) =>
  Effect.forEach(
    started,
    (running) =>
      Effect.gen(function* () {
        const { id, isNew } = running
        if (!isNew || !Network.isNetwork(id)) return
        yield* progress(`Populating ${id}`)
        const filling = populate(running, id)
        yield* blockTime === undefined ? filling : mineWhile(running, filling)
      }),
    { discard: true }
  )

/**
 * Starts a sandbox. Its servers, connections and processes end with the scope. Its processes end with this process too,
 * even after SIGKILL.
 *
 * The nodes of an EVM network are independent anvil processes that share one chain. The sandbox forwards transactions
 * and cheat codes (`anvil_*`, `evm_*`, `hardhat_*`) from any node and from the gateway to all nodes, and produces the
 * blocks. The sender gets its answer when all running nodes have the change. A node that was stopped or frozen catches
 * up before it answers again, reverts included. Heights, balances and block hashes are the same on all nodes. Snapshot
 * ids belong to the chain. A revert and a reset keep the impersonated accounts and the settings of the miner.
 *
 * EVM networks and Solana have WebSockets at the urls of their nodes and at the gateway, Solana also at the port after
 * a node's own. A client's message counts as a request.
 *
 * Limits: without `blockTime` a transaction whose nonce is too high makes an empty block. Archive nodes differ from
 * normal ones in name only. On Windows nodes cannot be frozen.
 *
 * Fails without an optional package (`package`), without the program of a node that starts at once (`binary`), if a
 * node does not come up (`start`), if no port is free (`listen`), if the database cannot be used (`store`), and for
 * invalid options (`options`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: OnThisEffect<SandboxOptions> = {}
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
      yield* Effect.provide(populateNew(networks.listStarted(), options, progress), context)
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
export const layer = (options: OnThisEffect<SandboxOptions> = {}): Layer.Layer<Sandbox, SandboxError> =>
  Layer.scoped(Sandbox, make(options))
