/**
 * The backends of networks: one interface for the nodes of every program and for the operations on their chain.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Network from "../data/Network.js"
import * as Units from "../data/Units.js"
import { chains } from "../signers/bitcoin/networks.js"
import * as Chain from "./Chain.js"
import * as Memory from "./ChainMemory.js"
import * as Ledger from "./chain/Ledger.js"
import type { Handler } from "./Handler.js"
import type { BlockReader } from "./Indexer.js"
import * as Evm from "./indexer/Evm.js"
import * as Solana from "./indexer/Solana.js"
import * as Utxo from "./indexer/Utxo.js"
import { parseBody } from "./Loopback.js"
import * as Names from "./Names.js"
import { toNetworkAccount, toNodeAddress } from "./nodes/addresses.js"
import { installAdvice, type NodeName } from "./nodes/binaries.js"
import { type Account, evmAccounts } from "./nodes/keys.js"
import * as Lodestar from "./nodes/Lodestar.js"
import type { NodeProcess } from "./nodes/Process.js"
import * as runtimes from "./nodes/runtimes.js"
import * as Surfpool from "./nodes/Surfpool.js"
import * as TonCenter from "./nodes/TonCenter.js"
import * as TonSandbox from "./nodes/TonSandbox.js"
import { Block, makeAsk } from "./nodes/Utxo.js"
import { isRecorded, makeHandler } from "./recorded/Recorded.js"
import { SandboxError } from "./SandboxError.js"
import type { Store } from "./Store.js"
import { Watchdog } from "./Watchdog.js"

/**
 * A node with the handler for its requests. `height` calls the process itself, so it also shows whether the process
 * answers.
 *
 * @since 0.1.0
 * @category models
 */
export interface BackendNode
  extends Pick<NodeProcess, "pid" | "state" | "start" | "stop" | "freeze" | "resume"> {
  readonly handler: Handler
  readonly height: Effect.Effect<number, SandboxError>
}

/**
 * Makes a JSON-RPC call at a network and yields the result.
 *
 * @since 0.1.0
 * @category models
 */
export type Rpc = (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, SandboxError>

/**
 * The backend of a network. `accounts` have coins. Only networks whose blocks are indexed have `makeReader`. When a
 * node of a backend that `isPersistent` restarts, its chain has every block again. A chain that continues from the
 * database is not new.
 *
 * @since 0.1.0
 * @category models
 */
export interface Backend {
  readonly runs: runtimes.Runtime["runs"]
  readonly chainId: number | undefined
  readonly isPersistent: boolean
  readonly isNew: boolean
  readonly nodes: ReadonlyArray<BackendNode>
  readonly accounts: ReadonlyArray<Account>
  readonly height: Effect.Effect<number, SandboxError>
  readonly mine: (blocks: number) => Effect.Effect<void, SandboxError>
  readonly fund: (address: string, amount: string) => Effect.Effect<string, SandboxError>
  readonly makeReader?: (rpc: Rpc) => BlockReader
}

/**
 * The options of all networks. With `blockTime` (seconds) blocks come at that interval, otherwise with transactions.
 * `recordings` is a folder with the user's own answers.
 *
 * @since 0.1.0
 * @category models
 */
export interface BackendOptions {
  readonly blockTime?: number | undefined
  readonly recordings?: string | undefined
}

/**
 * The network to start, and the number of its nodes.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkRequest {
  readonly id: string
  readonly nodeCount: number
  readonly chainId?: number
}

/**
 * Makes JSON-RPC calls at a network's handler. Fails with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const makeRpc =
  (id: string, handler: Handler): Rpc =>
  (method, params) =>
    Effect.flatMap(
      handler({
        method: "POST",
        path: "/",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
      }),
      (answer) => {
        const makeChainError = (message: string) =>
          new SandboxError({ reason: "chain", message: `${method} on ${id}: ${message}` })
        if (answer === "drop") return makeChainError("no node answers")
        const said = parseBody(answer.body)
        if (typeof said !== "object" || said === null)
          return makeChainError(`HTTP ${answer.status} without JSON-RPC`)
        if ("error" in said && said.error !== null && said.error !== undefined) {
          const { error } = said
          return makeChainError(
            typeof error === "object" && "message" in error ? String(error.message) : JSON.stringify(error)
          )
        }
        return Effect.succeed("result" in said ? said.result : undefined)
      }
    )

type Progress = (line: string) => Effect.Effect<void>

const makeOptionsError = (message: string): SandboxError => new SandboxError({ reason: "options", message })

const readHeight = ({ url }: Chain.ChainMember): Effect.Effect<number, SandboxError> =>
  Effect.map(makeAsk("anvil", () => url)("eth_blockNumber"), Number)

/** A beacon chain that starts with its first request. The watchdog restarts it when it stops answering. */
const startBeacon = (id: string): Effect.Effect<Handler, never, Watchdog | Scope.Scope> =>
  Effect.flatMap(Watchdog, (watchdog) =>
    Lodestar.startOnDemand({}, (node) =>
      watchdog.watch({
        network: id,
        node: "beacon",
        kept: false,
        pid: node.pid,
        state: node.state,
        isWanted: Effect.succeed(true),
        probe: node.height,
        // nothing else starts or stops it
        restart: () => Effect.zipRight(node.stop, Effect.as(node.start, true))
      })
    )
  )

/** Sends coins from a node's last account, which also pays for the provider's contracts. */
const fundEvm = (
  payer: Effect.Effect<Rpc, SandboxError>,
  address: string,
  amount: string
): Effect.Effect<string, SandboxError> =>
  Option.match(Units.parse(amount, 18), {
    onNone: () => makeOptionsError(`"${amount}" is not an amount: give a decimal number of coins`),
    onSome: (value) =>
      Effect.gen(function* () {
        const rpc = yield* payer
        const accounts = yield* rpc("eth_accounts", [])
        const from: unknown = Array.isArray(accounts) ? accounts.at(-1) : undefined
        const sent = { from, to: address, value: `0x${value.toString(16)}` }
        return String(yield* rpc("eth_sendTransaction", [sent]))
      })
  })

/** The handlers of a chain's members: a beacon chain answers its own paths, and recordings the methods that anvil lacks. */
const makeEvmNodes = (
  members: ReadonlyArray<Chain.ChainMember>,
  beacon: Handler | undefined,
  withRecordings: ((otherwise: Handler) => Effect.Effect<Handler, SandboxError>) | undefined
): Effect.Effect<ReadonlyArray<BackendNode>, SandboxError> =>
  Effect.forEach(members, (member) =>
    Effect.map(
      withRecordings === undefined ? Effect.succeed(member.handler) : withRecordings(member.handler),
      (execution) => ({
        ...member,
        handler: (received) =>
          beacon !== undefined && runtimes.isBeaconPath(received.path)
            ? beacon(received)
            : execution(received),
        height: readHeight(member)
      })
    )
  )

const startEvm = (
  { chainId, id, nodeCount }: NetworkRequest & { readonly chainId: number },
  options: BackendOptions,
  progress: Progress,
  known?: { readonly network: Network.Network; readonly beacon: boolean }
): Effect.Effect<Backend, SandboxError, Store | Watchdog | Scope.Scope> =>
  Effect.gen(function* () {
    yield* progress(
      `Starting ${nodeCount} anvil node${nodeCount === 1 ? "" : "s"} for ${id} (chain id ${chainId})`
    )
    const memory = yield* Memory.make(id, { entry: Ledger.Entry, state: Ledger.State })
    const chain = yield* Chain.make({
      chainId,
      size: nodeCount,
      memory,
      ...(options.blockTime === undefined ? {} : { blockTime: options.blockTime })
    })
    const network = known?.network
    const beacon = known?.beacon ? yield* startBeacon(id) : undefined
    const { recordings } = options
    const withRecordings =
      network !== undefined && isRecorded(network)
        ? (otherwise: Handler) =>
            makeHandler(network, { ...(recordings === undefined ? {} : { recordings }), otherwise })
        : undefined
    const nodes = yield* makeEvmNodes(chain.members, beacon, withRecordings)
    const first = Effect.gen(function* () {
      for (const member of chain.members) if ((yield* member.state) === "running") return member
      return yield* new SandboxError({ reason: "chain", message: `No node of ${id} is running` })
    })
    const payer = Effect.map(first, ({ handler }) => makeRpc(id, handler))
    if (chain.isNew && network !== undefined && Names.hasNames(network))
      yield* Effect.flatMap(payer, Names.deployContracts)
    return {
      runs: "evm",
      chainId,
      isPersistent: true,
      isNew: chain.isNew,
      nodes,
      accounts: evmAccounts,
      height: Effect.flatMap(first, readHeight),
      mine: chain.mine,
      fund: (address, amount) => fundEvm(payer, address, amount),
      makeReader: (rpc) => Evm.makeReader(rpc)
    }
  })

const startUtxo = (
  { id, nodeCount }: NetworkRequest & { readonly id: Network.Network },
  program: runtimes.UtxoProgram,
  options: BackendOptions,
  progress: Progress
): Effect.Effect<Backend, SandboxError, Store | Scope.Scope> =>
  Effect.gen(function* () {
    yield* progress(`Starting ${nodeCount} ${program} node${nodeCount === 1 ? "" : "s"} for ${id}`)
    const { blockTime } = options
    const signed = chains[id]
    const memory = yield* Memory.make(id, { entry: Block, state: Schema.Null })
    const chain = yield* runtimes.startUtxoChain(program, nodeCount, {
      memory,
      ...(signed === undefined ? {} : { accountType: signed.types[0], maturity: signed.maturity }),
      ...(blockTime === undefined ? {} : { blockTime })
    })
    const { accounts, fund, height, isNew, members, mine } = chain
    return {
      runs: "utxo",
      chainId: undefined,
      isPersistent: true,
      isNew,
      nodes: members,
      accounts: accounts.map((account) => toNetworkAccount(id, account)),
      height,
      mine,
      fund: (address, amount) => fund(toNodeAddress(id, address), amount),
      makeReader: (rpc) => Utxo.makeReader(id, rpc)
    }
  })

const startSolana = (
  { id }: NetworkRequest,
  progress: Progress
): Effect.Effect<Backend, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* progress(`Starting a surfpool node for ${id}`)
    const node = yield* Surfpool.start()
    const { accounts, fund, height, mine } = node
    return {
      runs: "solana",
      chainId: undefined,
      isPersistent: false,
      isNew: true,
      nodes: [node],
      accounts,
      height,
      mine,
      fund,
      makeReader: (rpc) => Solana.makeReader(rpc, node.pid)
    }
  })

/** Starts an emulator. Recordings answer what it does not support. */
const startTon = (
  { id }: NetworkRequest,
  network: Network.Network,
  { blockTime, recordings }: BackendOptions,
  progress: Progress
): Effect.Effect<Backend, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* progress(
      `Starting an emulator of ${id}: recordings answer what it does not support (x-sandbox-recorded: true)`
    )
    const node = yield* TonSandbox.start({
      testnet: Network.info(network).testnet ?? false,
      ...(blockTime === undefined ? {} : { blockTime })
    })
    const handler = yield* makeHandler(network, {
      live: TonCenter.makeTonCenterRecordings(node.ask),
      ...(recordings === undefined ? {} : { recordings })
    })
    const { accounts, fund, height, mine } = node
    const members = [{ ...node, handler }]
    return {
      runs: "ton",
      chainId: undefined,
      isPersistent: false,
      isNew: true,
      nodes: members,
      accounts,
      height,
      mine,
      fund
    }
  })

const startRecorded = (
  { id, nodeCount }: NetworkRequest,
  network: Network.Network,
  { lacks, recordings }: BackendOptions & { readonly lacks?: NodeName | undefined },
  progress: Progress
): Effect.Effect<Backend, SandboxError> =>
  Effect.gen(function* () {
    const remedy = lacks === undefined ? "" : `. To run a node: ${installAdvice(lacks)}`
    yield* progress(`${id} has no node here: its answers are recordings (x-sandbox-recorded: true)${remedy}`)
    const handler = yield* makeHandler(network, recordings === undefined ? {} : { recordings })
    const failUnsupported = (what: string) =>
      makeOptionsError(`${id} cannot ${what}: its answers are recordings`)
    const makeNode = (): BackendNode => {
      let state: "running" | "frozen" | "stopped" = "running"
      const turn = (to: typeof state) =>
        Effect.sync(() => {
          state = to
        })
      return {
        handler: (received) =>
          Effect.suspend(() =>
            state === "stopped"
              ? Effect.succeed("drop" as const)
              : state === "frozen"
                ? Effect.never
                : handler(received)
          ),
        height: failUnsupported("report its height"),
        pid: Effect.succeed(undefined),
        state: Effect.sync(() => state),
        start: turn("running"),
        stop: turn("stopped"),
        freeze: turn("frozen"),
        resume: turn("running")
      }
    }
    return {
      runs: "recorded",
      chainId: undefined,
      isPersistent: true,
      isNew: true,
      nodes: Array.from({ length: nodeCount }, makeNode),
      accounts: [],
      height: failUnsupported("report its height"),
      mine: () => failUnsupported("mine"),
      fund: () => failUnsupported("fund addresses")
    }
  })

/**
 * Starts the backend of a network. An id that is not in the table needs a chain id, and runs as an EVM network. Fails
 * like the nodes, and for an unknown id (`options`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (
  wanted: NetworkRequest,
  options: BackendOptions,
  progress: Progress
): Effect.Effect<Backend, SandboxError, Store | Watchdog | Scope.Scope> => {
  const { chainId, id } = wanted
  if (!Network.isNetwork(id)) {
    return chainId === undefined
      ? makeOptionsError(
          `The sandbox knows no network "${id}": give it a chainId to run it as an EVM network`
        )
      : startEvm({ ...wanted, chainId }, options, progress)
  }
  const runtime = runtimes.runtimeOf(id)
  switch (runtime.runs) {
    case "evm":
      return startEvm({ ...wanted, chainId: chainId ?? runtime.chainId }, options, progress, {
        network: id,
        beacon: runtime.beacon
      })
    case "utxo":
      return startUtxo({ ...wanted, id }, runtime.program, options, progress)
    case "solana":
      return startSolana(wanted, progress)
    case "ton":
      return startTon(wanted, id, options, progress)
    case "recorded":
      return chainId === undefined
        ? startRecorded(wanted, id, { ...options, lacks: runtime.lacks }, progress)
        : startEvm({ ...wanted, chainId }, options, progress)
  }
}
