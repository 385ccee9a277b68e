/**
 * One chain on several anvils. Anvils do not gossip, so the sandbox connects them and is the only block producer. One
 * log has an entry for every transaction that a node accepts, for every block and for every cheat code, and each node
 * follows that log to its end. Blocks get their timestamps from the log, so heights, states and block hashes are the
 * same on all nodes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Memory from "./ChainMemory.js"
import * as Cheats from "./chain/Cheats.js"
import * as Ledger from "./chain/Ledger.js"
import type { Handler, HandlerRequest, HandlerResponse } from "./Handler.js"
import {
  callJsonRpc,
  forwardRequest,
  isJsonRpcCall,
  type JsonRpcCall,
  jsonResponse,
  parseBody,
  withRealClock
} from "./Loopback.js"
import { type AnvilNode, start } from "./nodes/Anvil.js"
import { withSockets } from "./nodes/Socket.js"
import type { SandboxError } from "./SandboxError.js"

/**
 * An anvil as a member of its chain. `start` and `resume` complete when it has caught up with the others. `handler`
 * serves its JSON-RPC: it waits while the node is frozen, and drops the connection when there is no process.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainMember extends AnvilNode {
  readonly handler: Handler
}

/**
 * A chain with its members. `mine` adds empty blocks on all of them. `isNew` is false for a chain that continues from a
 * memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chain {
  readonly isNew: boolean
  readonly members: ReadonlyArray<ChainMember>
  readonly mine: (blocks: number) => Effect.Effect<void>
}

const isTransaction = ({ method }: JsonRpcCall): boolean =>
  /^eth_send(Raw|Unsigned)?Transaction(Sync)?$/.test(method)

const changesChain = (value: unknown): value is JsonRpcCall =>
  isJsonRpcCall(value) && (isTransaction(value) || Cheats.isCheat(value.method))

/** Strings, one of which is in every body with a change. The search for them spares reads the cost of parsing. */
const CHANGE_MARKERS = ["eth_send", "anvil_", "evm_", "hardhat_"]

interface ChainPeer {
  readonly follower: Ledger.Follower
  readonly member: ChainMember
}

interface ChainState {
  readonly chainId: number
  readonly ledger: Ledger.Ledger
  peers: ReadonlyArray<ChainPeer>
  /** Applies one entry at a time, so that the order of the log is the order on every node. */
  readonly runExclusively: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly startMining: Effect.Effect<void>
}

/** Brings all nodes to the end of the log. A node that fails here, or is still joining, gets the entries later. */
const catchUpPeers = ({ ledger, peers }: ChainState): Effect.Effect<void> =>
  Effect.forEach(
    peers,
    ({ follower }) => (follower.isJoining ? Effect.void : Effect.ignore(Ledger.catchUp(ledger, follower))),
    { concurrency: "unbounded", discard: true }
  )

const appendEntries = ({ ledger }: ChainState, ...entries: ReadonlyArray<Ledger.Entry>): void => {
  ledger.log = [...ledger.log, ...entries]
}

const mineBlocks = (shared: ChainState, count: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    appendEntries(shared, { blocks: Ledger.takeBlockTimes(shared.ledger, count) })
    return catchUpPeers(shared)
  })

/**
 * Sends a transaction to one node. If that node accepts it, all others get it too; if not, its refusal is the answer.
 */
const sendTransaction = (
  shared: ChainState,
  node: Ledger.Follower,
  sent: JsonRpcCall
): Effect.Effect<object, SandboxError> =>
  Effect.gen(function* () {
    const { ledger } = shared
    const answer = yield* callJsonRpc(node.anvil.url, sent)
    if (!("result" in answer)) return answer
    const entry = yield* Ledger.makeTransactionEntry(node, sent, answer.result)
    if (entry === undefined) return answer
    appendEntries(shared, entry)
    node.applied.push({ entry })
    if (ledger.automine) appendEntries(shared, { blocks: Ledger.takeBlockTimes(ledger) })
    yield* catchUpPeers(shared)
    return answer
  })

/** Answers a request to a member: `submit` handles changes of the chain, and the member's anvil all other calls. */
const handleRequest = (
  url: string,
  received: HandlerRequest,
  submit: (sent: JsonRpcCall) => Effect.Effect<object, SandboxError>
): Effect.Effect<HandlerResponse | "drop", SandboxError> =>
  Effect.gen(function* () {
    const body = CHANGE_MARKERS.some((sign) => received.body.includes(sign))
      ? parseBody(received.body)
      : undefined
    if (changesChain(body)) return jsonResponse(yield* submit(body))
    if (!Array.isArray(body) || !body.some(changesChain)) return yield* forwardRequest(url, received)
    const answers = yield* Effect.forEach(body.filter(isJsonRpcCall), (item) =>
      Effect.map(changesChain(item) ? submit(item) : callJsonRpc(url, item), (answer) =>
        "id" in item ? [answer] : []
      )
    )
    return jsonResponse(answers.flat())
  })

/** The time in milliseconds that a sender waits for its transaction's block. */
const RECEIPT_TIMEOUT_MS = 30_000

/** Applies a change to the chain. A sender that asked for the receipt gets it once it exists. */
const applyChange = (
  shared: ChainState,
  node: Ledger.Follower,
  sent: JsonRpcCall
): Effect.Effect<object, SandboxError> => {
  const { runExclusively, ledger, startMining } = shared
  const runTurn = (work: Effect.Effect<object, SandboxError>) =>
    runExclusively(Effect.zipRight(Ledger.catchUp(ledger, node), Ledger.markUncertainOnFailure(node, work)))
  if (!isTransaction(sent))
    return runTurn(Cheats.answerCheat({ ledger, node, startMining, catchUpAll: catchUpPeers(shared) }, sent))
  if (!sent.method.endsWith("Sync")) return runTurn(sendTransaction(shared, node, sent))
  return Effect.flatMap(
    runTurn(sendTransaction(shared, node, { ...sent, method: sent.method.replace(/Sync$/, "") })),
    (answer) => {
      if (!("result" in answer)) return Effect.succeed(answer)
      const receipt = callJsonRpc(node.anvil.url, {
        method: "eth_getTransactionReceipt",
        params: [answer.result],
        id: sent.id
      })
      return Effect.repeat(receipt, {
        until: (said) => !("result" in said) || said.result !== null,
        schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo(RECEIPT_TIMEOUT_MS))
      }).pipe(Effect.zipRight(receipt), withRealClock)
    }
  )
}

/** Starts a member's anvil and brings it to the end of the log. A node that runs already stays as it is. */
const restartMember = (
  { ledger, runExclusively }: ChainState,
  node: Ledger.Follower,
  awake: Effect.Latch
): Effect.Effect<void, SandboxError> => {
  const { anvil } = node
  const catchUp = Ledger.catchUp(ledger, node)
  const startIfStopped = Effect.gen(function* () {
    if ((yield* anvil.state) !== "stopped") return false
    node.genesisSnapshot = undefined
    node.isUncertain = false
    node.isStopped = false
    node.isJoining = true
    yield* anvil.start
    return true
  })
  const endJoining = Effect.sync(() => {
    node.isJoining = false
  })
  return Effect.gen(function* () {
    if (!(yield* node.runAlone(startIfStopped))) return
    // Reading a long log takes a while. The chain continues meanwhile, and the other nodes wait for the last entries alone.
    yield* catchUp
    yield* runExclusively(Effect.zipRight(endJoining, catchUp))
    yield* awake.open
  }).pipe(Effect.ensuring(endJoining))
}

const startPeer = (shared: ChainState): Effect.Effect<ChainPeer, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { chainId, runExclusively, ledger } = shared
    const anvil = yield* start({ chainId, timestamp: ledger.genesis, noMining: true })
    const awake = yield* Effect.makeLatch(true)
    const node = yield* Ledger.makeFollower(anvil)
    const catchUp = Ledger.catchUp(ledger, node)
    const submit = (sent: JsonRpcCall) => applyChange(shared, node, sent)
    const handler = withSockets({
      url: () => anvil.url,
      subscriptionMethods: /^eth_(?:un)?subscribe$/,
      handler: (received) =>
        Effect.catchAll(handleRequest(anvil.url, received, submit), () =>
          Effect.succeed<HandlerResponse | "drop">("drop")
        )
    })
    const member: ChainMember = {
      ...anvil,
      // A restart on the way back to a snapshot does not count as stopped, and a node that is still joining does not
      // count as running.
      state: Effect.map(anvil.state, (state) =>
        state === "stopped" && node.isRestarting
          ? "running"
          : state === "running" && node.isJoining
            ? "stopped"
            : state
      ),
      handler: (received) => Effect.zipRight(awake.await, handler(received)),
      start: restartMember(shared, node, awake),
      // Freezing in the middle of an entry would block the whole chain.
      freeze: runExclusively(Effect.zipRight(anvil.freeze, awake.close)),
      resume: runExclusively(Effect.all([anvil.resume, catchUp, awake.open], { discard: true })),
      stop: Effect.suspend(() => {
        node.isStopped = true
        // The change in progress fails when its process ends, and would start another process. So the process is
        // stopped again afterwards.
        return Effect.all([anvil.stop, node.runAlone(anvil.stop), awake.open], { discard: true })
      })
    }
    return { follower: node, member }
  })

/**
 * Starts `size` anvils of one chain, which continues from its memory. With `blockTime` (seconds) a block is mined at
 * that interval. Without it a block is mined per transaction, before the sender gets the answer. Fails like
 * `Anvil.start`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly chainId: number
  readonly size: number
  readonly blockTime?: number
  readonly memory?: Memory.ChainMemory<Ledger.Entry, typeof Ledger.State.Type>
}): Effect.Effect<Chain, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { blockTime, chainId, memory = Memory.none, size } = options
    const keep = Effect.suspend(() => {
      const { automine, clock, genesis, log, marks } = shared.ledger
      return memory.save(log, { automine, clock, genesis, marks })
    })
    const turn = yield* Effect.makeSemaphore(1)
    const ticking = yield* FiberHandle.make()
    const shared: ChainState = {
      chainId,
      ledger: Ledger.make(memory, blockTime),
      peers: [],
      runExclusively: (effect) => turn.withPermits(1)(Effect.uninterruptible(Effect.ensuring(effect, keep))),
      startMining: Effect.suspend(() => {
        const { blockTimeSeconds } = shared.ledger
        if (blockTimeSeconds === undefined) return FiberHandle.clear(ticking)
        const tick = Effect.delay(shared.runExclusively(mineBlocks(shared, 1)), blockTimeSeconds * 1_000)
        return Effect.asVoid(
          FiberHandle.run(ticking, withRealClock(Effect.interruptible(Effect.forever(tick))))
        )
      })
    }
    shared.peers = yield* Effect.all(
      Array.from({ length: size }, () => startPeer(shared)),
      { concurrency: "unbounded" }
    )
    yield* Effect.forEach(shared.peers, ({ follower }) => Ledger.catchUp(shared.ledger, follower), {
      concurrency: "unbounded",
      discard: true
    })
    yield* shared.startMining
    return {
      isNew: memory.state === undefined,
      members: shared.peers.map(({ member }) => member),
      mine: (blocks) => (blocks > 0 ? shared.runExclusively(mineBlocks(shared, blocks)) : Effect.void)
    }
  })
