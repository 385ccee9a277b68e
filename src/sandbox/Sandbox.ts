/**
 * The embedded provider: real nodes, the node lists that name them and the gateway before them, all on 127.0.0.1.
 *
 * @since 0.1.0
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Network from "../Network.js"
import * as Chain from "./Chain.js"
import * as FaultProxy from "./FaultProxy.js"
import { type Handler, json, listen, realTime } from "./Loopback.js"
import { SandboxError } from "./SandboxError.js"

/**
 * What to run. By default `ethereum-mainnet` with three normal nodes and an archive node. `chainId` is by default the
 * network's own. With `blockTime` (seconds) blocks come at that interval, otherwise one per transaction. `onProgress`
 * gets a line per step; nothing is printed.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxOptions {
  readonly networks?: ReadonlyArray<{
    readonly network: string
    readonly nodes?: number
    readonly archive?: number
    readonly chainId?: number
  }>
  readonly blockTime?: number
  readonly onProgress?: (line: string) => void
}

/**
 * A node of a network: a process of its own behind a url of its own, which it keeps. `stop` ends the process and refuses
 * connections; `restart` ends it if it runs, and brings it back with every block of the network. `freeze` stops the
 * process where it is (SIGSTOP): requests wait until `resume`. `slow` (milliseconds) and `fault` act before the node
 * until `heal`, and leave it running. `requests` counts the HTTP requests to `url`. `pid` is undefined while stopped.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxNode {
  readonly name: string
  readonly type: "normal" | "archive"
  readonly url: string
  readonly pid: Effect.Effect<number | undefined>
  readonly state: Effect.Effect<"running" | "frozen" | "stopped">
  readonly stop: Effect.Effect<void>
  readonly restart: Effect.Effect<void, SandboxError>
  readonly freeze: Effect.Effect<void, SandboxError>
  readonly resume: Effect.Effect<void, SandboxError>
  readonly slow: (ms: number) => Effect.Effect<void>
  readonly fault: (kind: FaultProxy.Fault) => Effect.Effect<void>
  readonly heal: Effect.Effect<void>
  readonly requests: Effect.Effect<number>
}

/**
 * A network of the sandbox: its normal nodes, its archive nodes, and the urls of both in this order. `mine` adds empty
 * blocks on every node.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxNetwork {
  readonly chainId: number
  readonly nodes: ReadonlyArray<SandboxNode>
  readonly archive: ReadonlyArray<SandboxNode>
  readonly urls: ReadonlyArray<string>
  readonly mine: (blocks: number) => Effect.Effect<void>
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
 * An account with 10,000 coins on every network. The keys are public knowledge: never use them elsewhere.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxAccount {
  readonly address: `0x${string}`
  readonly privateKey: `0x${string}`
}

/**
 * A running sandbox. `network` and `config` throw a SandboxError (`options`) for a network that it does not run.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxService {
  readonly baseUrl: string
  readonly nodeListUrl: string
  readonly accounts: ReadonlyArray<SandboxAccount>
  readonly network: (id: string) => SandboxNetwork
  readonly config: <N extends string>(network: N) => SandboxConfig<N>
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

/** A network as it runs, with what the node lists and the gateway need. */
interface Running {
  readonly id: string
  readonly list: string
  readonly network: SandboxNetwork
  readonly members: ReadonlyArray<Chain.Member>
}

type NetworkOptions = NonNullable<SandboxOptions["networks"]>[number]

const startNetwork = (
  options: NetworkOptions,
  blockTime: number | undefined,
  progress: (line: string) => Effect.Effect<void>
): Effect.Effect<Running, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const id = options.network
    const info = Network.isNetwork(id) ? Network.info(id) : undefined
    const known = Network.isNetwork(id) && Network.isEvm(id) ? info?.chainId : undefined
    const chainId = options.chainId ?? known
    if (chainId === undefined)
      return yield* misused(
        `The sandbox runs EVM networks, and "${id}" is none in the table: give it a chainId to run it as one`
      )
    const counts = { nodes: options.nodes ?? 3, archive: options.archive ?? 1 }
    const size = counts.nodes + counts.archive
    if (!Object.values(counts).every((count) => Number.isInteger(count) && count >= 0) || size === 0)
      return yield* misused(
        `"nodes" and "archive" of ${id} must be whole numbers from 0, and one of them above 0`
      )

    yield* progress(`Starting ${size} anvil nodes for ${id} (chain id ${chainId})`)
    const chain = yield* Chain.make({ chainId, size, ...(blockTime === undefined ? {} : { blockTime }) })
    const all = yield* Effect.forEach(chain.members, (member, i) =>
      Effect.gen(function* () {
        const type = i < counts.nodes ? "normal" : "archive"
        const name = `${id}/${type}-${type === "normal" ? i + 1 : i + 1 - counts.nodes}`
        const proxy = yield* FaultProxy.make(member.handler)
        yield* progress(`${name} listens at ${proxy.url}`)
        // A restart that meets another one would start the process twice.
        const turn = yield* Effect.makeSemaphore(1)
        const stop = Effect.zipRight(proxy.close, member.stop)
        return {
          name,
          type,
          url: proxy.url,
          pid: member.pid,
          state: member.state,
          stop: turn.withPermits(1)(stop),
          // Open only when it has caught up: a node in step is what clients find again.
          restart: turn.withPermits(1)(Effect.all([stop, member.start, proxy.open], { discard: true })),
          freeze: turn.withPermits(1)(member.freeze),
          resume: turn.withPermits(1)(member.resume),
          slow: proxy.slow,
          fault: proxy.fault,
          heal: proxy.heal,
          requests: proxy.requests
        } satisfies SandboxNode
      })
    )
    return {
      id,
      list: info?.list ?? id,
      members: chain.members,
      network: {
        chainId,
        nodes: all.slice(0, counts.nodes),
        archive: all.slice(counts.nodes),
        urls: all.map(({ url }) => url),
        mine: chain.mine
      }
    }
  })

const refuse = (statusCode: number, errorCode: string, message: string) =>
  Effect.succeed(json({ errorCode, message, statusCode }, statusCode))

const gatewayPath = /^\/v[34]\/blockchain\/node\/([^/]+)(?:\/([^/]+))?\/?$/
const listPath = /^\/([^/]+)\/list\.json$/

/** The provider's routes. The gateway goes to the nodes themselves, past the faults of their public urls. */
const provider =
  (networks: ReadonlyArray<Running>): Handler =>
  (received) =>
    Effect.gen(function* () {
      const path = received.path.split("?", 1)[0] ?? ""
      const missing = refuse(404, "not.found", `The sandbox has no ${received.method} ${path}`)

      const listed = listPath.exec(path)?.[1]
      if (listed !== undefined && received.method === "GET") {
        for (const { id, list, network } of networks) {
          if (listed === id || listed === list)
            return json(network.nodes.map(({ url }) => ({ url, type: 0 })))
          if (listed === `${id}-archive` || listed === `${list}-archive`)
            return json(network.archive.map(({ url }) => ({ url, type: 1 })))
        }
        return yield* missing
      }

      const [, name, key = received.headers["x-api-key"]] = gatewayPath.exec(path) ?? []
      const running = networks.find(({ id, list }) => id === name || list === name)
      if (running === undefined || received.method !== "POST") return yield* missing
      if (key === "invalid") return yield* refuse(401, "subscription.invalid", "The API key is not valid")
      for (const member of running.members)
        if ((yield* member.state) === "running") return yield* member.handler({ ...received, path: "/" })
      return yield* refuse(503, "node.unavailable", `No node of ${name} is up`)
    })

/**
 * Starts a sandbox, which ends with the scope: servers, connections and processes. The processes end with this one too,
 * however it ends, SIGKILL included.
 *
 * The nodes of a network are independent anvil processes that share one chain: the sandbox passes on what
 * `eth_sendRawTransaction` and `eth_sendTransaction` bring to any node or to the gateway, and produces the blocks. A
 * sender's answer comes when all running nodes have the transaction; a node that was stopped or frozen gets what it
 * missed before it answers again. Heights, balances and block hashes are the same everywhere.
 *
 * Limits: `anvil_*`, `evm_*` and `hardhat_*` calls change only the node that they are sent to (so `anvil_mine` makes one
 * node run ahead), are lost on `restart`, and give it block hashes of its own from then on. Without `blockTime` a
 * transaction with a nonce too high makes an empty block. `eth_sendRawTransactionSync` finds no block and times out.
 * Archive nodes differ from normal ones in name only. No WebSockets. On Windows nodes cannot be frozen.
 *
 * Fails without an anvil binary (`binary`), if a node does not come up (`start`), if no port can be had (`listen`), and
 * for networks that are no EVM networks or named twice (`options`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: SandboxOptions = {}
): Effect.Effect<SandboxService, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const requested = options.networks ?? [{ network: "ethereum-mainnet" }]
    const twice = requested.find(
      ({ network }, i) => requested.findIndex((other) => other.network === network) !== i
    )
    if (twice !== undefined)
      return yield* misused(`"${twice.network}" is named twice: add up its nodes in one entry`)
    const progress = (line: string) => Effect.sync(() => options.onProgress?.(line))

    const networks = yield* Effect.forEach(
      requested,
      (network) => startNetwork(network, options.blockTime, progress),
      { concurrency: "unbounded" }
    )
    const baseUrl = `http://127.0.0.1:${yield* listen(provider(networks))}`
    yield* progress(`The sandbox is ready at ${baseUrl}`)

    const network = (id: string): SandboxNetwork => {
      const found = networks.find((running) => running.id === id)
      if (found !== undefined) return found.network
      throw misused(`The sandbox does not run "${id}": add it to the networks it is made with`)
    }
    return {
      baseUrl,
      nodeListUrl: baseUrl,
      accounts,
      network,
      config: (id) => {
        network(id)
        return { network: id, provider: { baseUrl, nodeListUrl: baseUrl, domain: "127.0.0.1" } }
      }
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
