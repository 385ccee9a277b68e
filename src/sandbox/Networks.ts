/**
 * The networks of a sandbox. Each starts with its first use, and ends with the sandbox.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Network from "../data/Network.js"
import { networkOfChain } from "../services/internal/networks.js"
import { type Backend, type BackendNode, type BackendOptions, makeRpc, start } from "./Backend.js"
import { Faults } from "./Faults.js"
import type { Handler, HandlerResponse } from "./Handler.js"
import { Indexer } from "./Indexer.js"
import * as NodeProxy from "./NodeProxy.js"
import { Nodes, type NodesService } from "./Nodes.js"
import type { Account } from "./nodes/keys.js"
import * as runtimes from "./nodes/runtimes.js"
import { SandboxError } from "./SandboxError.js"
import type { Store } from "./Store.js"
import { Watchdog } from "./Watchdog.js"

/**
 * A node of a network: a process with a url that it keeps. `stop` ends the process and refuses connections. `restart`
 * ends the process if it runs, and starts it with every block of the network. `freeze` suspends the process (SIGSTOP),
 * and requests wait until `resume`. `slow` (milliseconds) and `fault` apply until `heal` and do not change the process.
 * `requests` counts the HTTP requests to `url`. `pid` is undefined while the node is stopped, and for recordings, which
 * have no process.
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
  readonly fault: (kind: NodeProxy.Fault) => Effect.Effect<void>
  readonly heal: Effect.Effect<void>
  readonly requests: Effect.Effect<number>
}

/**
 * A network of the sandbox: its normal nodes, its archive nodes, and the urls of both in this order. `accounts` have
 * coins from the start. Their keys are public, so never use them elsewhere. A network that is `recorded` has no
 * processes and no accounts; its answers are recordings. `mine` adds blocks. `fund` sends coins (a decimal string in
 * whole coins) to an address and yields the transaction's hash.
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxNetwork {
  readonly id: string
  readonly recorded: boolean
  readonly chainId: number | undefined
  readonly nodes: ReadonlyArray<SandboxNode>
  readonly archive: ReadonlyArray<SandboxNode>
  readonly urls: ReadonlyArray<string>
  readonly accounts: ReadonlyArray<Account>
  readonly height: Effect.Effect<number, SandboxError>
  readonly mine: (blocks: number) => Effect.Effect<void, SandboxError>
  readonly fund: (address: string, amount: string) => Effect.Effect<string, SandboxError>
}

/**
 * The options of a network: `nodes` normal and `archive` archive nodes. `chainId` is by default the network's own. An
 * id that is not in the table runs as an EVM network if it has a `chainId`.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkOptions {
  readonly network: string
  readonly nodes?: number
  readonly archive?: number
  readonly chainId?: number
}

/** A running network. `handler` sends requests to its first running node, without faults. */
export interface RunningNetwork extends SandboxNetwork {
  readonly handler: Handler
  readonly runs: Backend["runs"]
  readonly isNew: boolean
  readonly indexNewBlocks: Effect.Effect<void, SandboxError>
}

/**
 * The networks. `get` starts a network, unless it runs. `findByName` finds a network's id by the provider's name for
 * it.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworksService {
  readonly get: (id: string) => Effect.Effect<RunningNetwork, SandboxError>
  readonly listStarted: () => ReadonlyArray<RunningNetwork>
  readonly findByName: (name: string, testnet?: boolean) => string | undefined
}

/**
 * The networks of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Networks extends Context.Tag("effect-chains/sandbox/Networks")<Networks, NetworksService>() {}

const makeOptionsError = (message: string): SandboxError => new SandboxError({ reason: "options", message })

/** The number of nodes. By default, a declared EVM network has several, and a network that starts on demand has one. */
const countNodes = (
  { archive: archives, chainId, network, nodes: normal }: NetworkOptions,
  isDeclared: boolean
): Effect.Effect<{ readonly nodes: number; readonly archive: number }, SandboxError> => {
  const isPool =
    isDeclared &&
    (chainId !== undefined || (Network.isNetwork(network) && runtimes.runtimeOf(network).runs === "evm"))
  const nodes = normal ?? (isPool ? 3 : 1)
  const archive = archives ?? (isPool ? 1 : 0)
  return [nodes, archive].every((count) => Number.isInteger(count) && count >= 0) && nodes + archive > 0
    ? Effect.succeed({ nodes, archive })
    : makeOptionsError(
        `"nodes" and "archive" of ${network} must be whole numbers from 0, and one of them above 0`
      )
}

/** The lifecycle of a node, one operation at a time: two restarts at once would start the process twice. */
const makeLifecycle = (member: BackendNode, proxy: NodeProxy.NodeProxy) =>
  Effect.map(Effect.makeSemaphore(1), (lock) => {
    let isWanted = true
    const setWanted = (wanted: boolean) =>
      Effect.sync(() => {
        isWanted = wanted
      })
    const exclusively = lock.withPermits(1)
    const stop = Effect.zipRight(proxy.close, member.stop)
    // The url opens once the node has caught up, since clients choose it again as soon as it answers.
    const restart = Effect.all([stop, member.start, proxy.open], { discard: true })
    return {
      isWanted: Effect.sync(() => isWanted),
      stop: exclusively(Effect.zipRight(setWanted(false), stop)),
      restart: exclusively(Effect.all([setWanted(false), restart, setWanted(true)], { discard: true })),
      /** Restarts the process with a pid, unless another has replaced it or the node was stopped. */
      restartProcess: (seen: number | undefined) =>
        exclusively(
          Effect.flatMap(member.pid, (pid) =>
            isWanted && pid === seen ? Effect.as(restart, true) : Effect.succeed(false)
          )
        ),
      freeze: exclusively(member.freeze),
      resume: exclusively(member.resume)
    }
  })

/** Opens the url of a node and has the watchdog restart it. */
const openNode = (
  { id, name, type }: { readonly id: string } & Pick<SandboxNode, "name" | "type">,
  member: BackendNode,
  { isPersistent, runs }: Backend
): Effect.Effect<SandboxNode, SandboxError, Faults | Watchdog | Scope.Scope> =>
  Effect.gen(function* () {
    const faults = yield* Faults
    const watchdog = yield* Watchdog
    const proxy = yield* NodeProxy.make({
      faults,
      network: id,
      node: name,
      handler: member.handler,
      isForwarder: runs === "solana"
    })
    const { freeze, isWanted, restart, restartProcess, resume, stop } = yield* makeLifecycle(member, proxy)
    if (runs !== "recorded")
      yield* watchdog.watch({
        network: id,
        node: name.slice(id.length + 1),
        kept: isPersistent,
        pid: member.pid,
        state: member.state,
        isWanted,
        probe: member.height,
        restart: restartProcess
      })
    return {
      name,
      type,
      url: proxy.url,
      pid: member.pid,
      state: member.state,
      stop,
      restart,
      freeze,
      resume,
      slow: proxy.slow,
      fault: proxy.fault,
      heal: proxy.heal,
      requests: proxy.requests
    }
  })

/** Opens the urls of a network's nodes and begins to index its blocks. */
const openNetwork = (
  { network: id }: NetworkOptions,
  counts: { readonly nodes: number },
  backend: Backend,
  progress: (line: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const indexer = yield* Indexer
    const all = yield* Effect.forEach(backend.nodes, (member, i) => {
      const type = i < counts.nodes ? "normal" : "archive"
      const name = `${id}/${type}-${type === "normal" ? i + 1 : i + 1 - counts.nodes}`
      return Effect.tap(openNode({ id, name, type }, member, backend), ({ url }) =>
        progress(`${name} listens at ${url}`)
      )
    })
    const handler: Handler = (received) =>
      Effect.gen(function* () {
        for (const member of backend.nodes)
          if ((yield* member.state) === "running") return yield* member.handler(received)
        return "drop" as const satisfies HandlerResponse | "drop"
      })
    const rpc = makeRpc(id, handler)
    const reader = backend.makeReader?.(rpc)
    return {
      id,
      runs: backend.runs,
      isNew: backend.isNew,
      recorded: backend.runs === "recorded",
      chainId: backend.chainId,
      nodes: all.slice(0, counts.nodes),
      archive: all.slice(counts.nodes),
      urls: all.map(({ url }) => url),
      accounts: backend.accounts,
      height: backend.height,
      mine: backend.mine,
      fund: backend.fund,
      handler,
      indexNewBlocks: reader === undefined ? Effect.void : yield* indexer.follow(id, reader)
    } satisfies RunningNetwork
  })

const startNetwork = (
  id: string,
  declared: ReadonlyArray<NetworkOptions>,
  settings: BackendOptions,
  progress: (line: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const given = declared.find(({ network }) => network === id)
    const options: NetworkOptions = given ?? { network: id }
    const counts = yield* countNodes(options, given !== undefined)
    const backend = yield* start(
      {
        id,
        nodeCount: counts.nodes + counts.archive,
        ...(options.chainId === undefined ? {} : { chainId: options.chainId })
      },
      settings,
      progress
    )
    return yield* openNetwork(options, counts, backend, progress)
  })

/**
 * Makes the networks, without starting any. `declared` has the options of those that do not run with the defaults.
 * `progress` gets a line per step.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  declared: ReadonlyArray<NetworkOptions>,
  settings: BackendOptions,
  progress: (line: string) => Effect.Effect<void>
): Effect.Effect<NetworksService, SandboxError, Indexer | Faults | Store | Watchdog | Scope.Scope> =>
  Effect.gen(function* () {
    const twice = declared.find(
      ({ network }, i) => declared.findIndex((other) => other.network === network) !== i
    )
    if (twice !== undefined)
      return yield* makeOptionsError(`"${twice.network}" is listed twice: merge its entries`)
    yield* Effect.forEach(declared, (options) => countNodes(options, true))
    const context = yield* Effect.context<Indexer | Faults | Store | Watchdog>()
    const whole = yield* Effect.scope
    const runs = new Map<string, Deferred.Deferred<RunningNetwork, SandboxError>>()
    const started: Array<RunningNetwork> = []

    const get = (id: string): Effect.Effect<RunningNetwork, SandboxError> =>
      Effect.suspend(() => {
        const known = runs.get(id)
        if (known !== undefined) return Deferred.await(known)
        const deferred = Deferred.unsafeMake<RunningNetwork, SandboxError>(Effect.runSync(Effect.fiberId))
        runs.set(id, deferred)
        // Runs in the sandbox's scope, so that an interrupted caller does not end the start for the others.
        return Effect.gen(function* () {
          const scope = yield* Scope.fork(whole, whole.strategy)
          const exit = yield* startNetwork(id, declared, settings, progress).pipe(
            Effect.provide(context),
            Scope.extend(scope),
            Effect.exit
          )
          if (Exit.isSuccess(exit)) started.push(exit.value)
          else {
            // the next call tries again: the missing program may be installed by then
            runs.delete(id)
            yield* Scope.close(scope, exit)
          }
          yield* Deferred.done(deferred, exit)
        }).pipe(Effect.forkIn(whole), Effect.zipRight(Deferred.await(deferred)))
      })

    const findByName = (name: string, testnet = false): string | undefined => {
      if (declared.some(({ network }) => network === name)) return name
      const listed = Object.keys(Network.networks)
        .filter(Network.isNetwork)
        .find((network) => Network.info(network).list === name)
      return listed ?? networkOfChain(name, testnet)
    }
    return { get, findByName, listStarted: () => started }
  })

/**
 * The networks in the form that the provider's services need.
 *
 * @since 0.1.0
 * @category layers
 */
export const nodesLayer: Layer.Layer<Nodes, never, Networks> = Layer.effect(
  Nodes,
  Effect.map(
    Networks,
    ({ get }): NodesService => ({
      kindOf: (network) => runtimes.runtimeOf(network).runs,
      rpc: (network, method, params) =>
        Effect.flatMap(get(network), ({ handler }) => makeRpc(network, handler)(method, params)),
      indexNewBlocks: (network) => Effect.flatMap(get(network), ({ indexNewBlocks }) => indexNewBlocks)
    })
  )
)
