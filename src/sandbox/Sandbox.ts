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
import { Access, type AccessOptions, make as makeAccess } from "./Access.js"
import type { Incident } from "./api/Admin.js"
import { Faults, type FaultsService, layer as faultsLayer } from "./Faults.js"
import * as Indexer from "./Indexer.js"
import { type ApiKey, layer as keysLayer } from "./Keys.js"
import { listen, realTime } from "./Loopback.js"
import * as Networks from "./Networks.js"
import * as Provider from "./Provider.js"
import { Admin } from "./provider/Admin.js"
import * as Data from "./provider/Data.js"
import * as Files from "./provider/Files.js"
import { Started } from "./provider/Subscription.js"
import { SandboxError } from "./SandboxError.js"
import * as Store from "./Store.js"
import * as Watchdog from "./Watchdog.js"
import * as Webhooks from "./Webhooks.js"

export type { NetworkOptions, SandboxNetwork, SandboxNode } from "./Networks.js"

/**
 * The options of a sandbox. Every network of the table can be asked for and is started then, with one node; `networks` are
 * started at once, EVM networks with three normal nodes and an archive node unless they say otherwise. By default that is
 * `ethereum-mainnet`.
 *
 * With `blockTime` (seconds) blocks come at that interval, otherwise with transactions. `port` is that of the provider,
 * by default a free one. `file` is a database that keeps files and subscriptions for the next time; by default all is
 * forgotten. `seed` moves rates. `apiKeys` are the only ones that are accepted, with their quotas; by default every key is,
 * and none, but for the key `invalid`. `recordings` is a folder with answers of your own for networks without nodes.
 * Programs of this machine may use it, and pages that come from it; `hosts` and `origins` let others in, and
 * `webhooks.hosts` lets calls out.
 *
 * `watchdog` says when a node that does not answer is started again: EVM chains and those of Bitcoin's kind with every block,
 * Solana and the beacon chain at their genesis. `onProgress` gets a line per step; nothing is printed but warnings.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxOptions extends AccessOptions {
  readonly networks?: ReadonlyArray<Networks.NetworkOptions>
  readonly blockTime?: number
  readonly port?: number
  readonly file?: string
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
export interface SandboxConfig<N extends string> {
  readonly network: N
  readonly provider: { readonly baseUrl: string; readonly nodeListUrl: string; readonly domain: string }
}

/**
 * An account with 10,000 coins on every EVM network. The keys are public knowledge: never use them elsewhere.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxAccount {
  readonly address: `0x${string}`
  readonly privateKey: `0x${string}`
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
  readonly accounts: ReadonlyArray<SandboxAccount>
  readonly network: (id: string) => Networks.SandboxNetwork
  readonly start: (id: string) => Effect.Effect<Networks.SandboxNetwork, SandboxError>
  readonly config: <N extends string>(network: N) => SandboxConfig<N>
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

/** The accounts of the mnemonic "test test test test test test test test test test test junk". */
// biome-ignore format: one line per account
const accounts: ReadonlyArray<SandboxAccount> = [
  { address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80" },
  { address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", privateKey: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d" },
  { address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", privateKey: "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a" },
  { address: "0x90F79bf6EB2c4f870365E785982E1f101E93b906", privateKey: "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6" },
  { address: "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65", privateKey: "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a" },
  { address: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc", privateKey: "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba" },
  { address: "0x976EA74026E726554dB657fA54763abd0C3a0aa9", privateKey: "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e" },
  { address: "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955", privateKey: "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356" },
  { address: "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f", privateKey: "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97" },
  { address: "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720", privateKey: "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6" }
]

const misused = (message: string): SandboxError => new SandboxError({ reason: "options", message })

/** The services of a sandbox, without the HTTP before them. */
const services = (
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
    Effect.zipWith(Networks.Networks, Watchdog.Watchdog, ({ get, started }, { incidents }) => ({
      networks: Effect.sync(started),
      start: get,
      incidents
    }))
  )
  const metadata = Layer.effect(
    Data.Metadata,
    Effect.map(Effect.context<Files.FileStore>(), (context) => ({
      resolve: (uri: string) => Effect.provide(Files.resolve(uri), context)
    }))
  )
  const running = Layer.effect(
    Started,
    Effect.map(
      Networks.Networks,
      ({ started }) =>
        (network) =>
          started().some(({ id }) => id === network)
    )
  )
  const services = [Networks.nodes, admin, metadata, running, Webhooks.layer(options.webhooks)] as const
  return Layer.mergeAll(...services).pipe(
    Layer.provideMerge(networks),
    Layer.provideMerge(Indexer.layer),
    Layer.provideMerge(Files.inStore),
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
 * The nodes of an EVM network are independent anvil processes that share one chain: the sandbox passes on the transactions that
 * `eth_sendRawTransaction` and `eth_sendTransaction` bring to any node or to the gateway, and produces the blocks. A sender's
 * answer comes when all running nodes have the transaction; a node that was stopped or frozen gets the transactions and blocks
 * that it missed before it answers again. Heights, balances and block hashes are the same everywhere.
 *
 * Limits: `anvil_*`, `evm_*` and `hardhat_*` calls change only the node that they are sent to (so `anvil_mine` makes one
 * node run ahead), are lost on `restart`, and give it block hashes of its own from then on. Without `blockTime` a
 * transaction with a nonce too high makes an empty block. `eth_sendRawTransactionSync` finds no block and times out.
 * Archive nodes differ from normal ones in name only. No WebSockets. On Windows nodes cannot be frozen.
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
    const declared = options.networks ?? [{ network: "ethereum-mainnet" }]
    const progress = (line: string) => Effect.sync(() => options.onProgress?.(line))
    const access = yield* makeAccess(options)
    const allowed = Layer.succeed(Access, access)
    const context = yield* Layer.build(Layer.provideMerge(services(options, declared, progress), allowed))
    const networks = Context.get(context, Networks.Networks)
    yield* Effect.forEach(declared, ({ network }) => networks.get(network), { concurrency: "unbounded" })
    const handler = yield* Effect.provide(Provider.make(options.seed ?? ""), context)
    const baseUrl = `http://127.0.0.1:${yield* Effect.provide(listen(handler, options.port), allowed)}`
    yield* progress(`The sandbox is ready at ${baseUrl}`)

    return {
      baseUrl,
      nodeListUrl: baseUrl,
      accounts,
      network: (id) => {
        const found = networks.started().find((running) => running.id === id)
        if (found !== undefined) return found
        throw misused(
          `The sandbox does not run "${id}" yet: start it, or add it to the networks it is made with`
        )
      },
      start: networks.get,
      config: (network) => {
        if (!Network.isNetwork(network) && !declared.some((each) => each.network === network))
          throw misused(`The sandbox knows no network "${network}"`)
        return { network, provider: { baseUrl, nodeListUrl: baseUrl, domain: "127.0.0.1" } }
      },
      faults: Context.get(context, Faults),
      incidents: Context.get(context, Watchdog.Watchdog).incidents
    } satisfies SandboxService
  }).pipe(realTime)

/**
 * A sandbox as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: SandboxOptions = {}): Layer.Layer<Sandbox, SandboxError> =>
  Layer.scoped(Sandbox, make(options))
