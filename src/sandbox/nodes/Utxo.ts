/**
 * The common part of nodes of Bitcoin's kind: a mature chain, blocks for transactions that are broadcast, coins on request, and
 * a memory of the blocks, which outlives the process.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Memory from "../ChainMemory.js"
import type { Handler } from "../Handler.js"
import { callJsonRpc, parseBody, withRealClock } from "../Loopback.js"
import { SandboxError } from "../SandboxError.js"
import type { Account } from "./keys.js"
import { type ChainNode, forwardTo, type NodeProcess } from "./Process.js"

/**
 * With `blockTime` (seconds) a block is mined at that interval, otherwise one within 300 milliseconds after a transaction. The
 * chain goes on where its memory ends.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoOptions {
  readonly blockTime?: number
  readonly memory?: Memory.ChainMemory<Block, null>
}

/**
 * The operations on a chain of Bitcoin's kind. It is mature from the start. `accounts` have a coinbase of 50 coins
 * each, which they can spend. `fund` pays `amount` (a decimal string, in whole coins) to an address and yields the id of
 * the transaction; without `blockTime` it is in a block by then. All of it is done at the first node that is up.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoActions {
  readonly accounts: ReadonlyArray<Account>
  readonly height: Effect.Effect<number, SandboxError>
  readonly mine: (blocks: number) => Effect.Effect<void, SandboxError>
  readonly fund: (address: string, amount: string) => Effect.Effect<string, SandboxError>
}

/**
 * A node of Bitcoin's kind. `start` after a stop, and `resume`, come back when it has every block of its chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoNode extends ChainNode, UtxoActions {}

/**
 * A chain and its nodes. It `isNew` unless it goes on from a memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoChain extends UtxoActions {
  readonly isNew: boolean
  readonly members: ReadonlyArray<UtxoNode>
}

/**
 * Makes a JSON-RPC call at a node and yields its result. Fails with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category models
 */
export type AskNode = (
  method: string,
  ...params: ReadonlyArray<unknown>
) => Effect.Effect<unknown, SandboxError>

/**
 * A process, and the differences between programs. `url` has the credentials in it. `prepare` comes before the blocks, whenever
 * the node has been started. `pay` sends a transaction from the miner's coins and yields its id once it waits for a block.
 *
 * @since 0.1.0
 * @category models
 */
export interface LaunchedNode {
  readonly name: string
  readonly process: NodeProcess
  readonly url: () => string
  readonly accounts: ReadonlyArray<Account>
  readonly miner: Account
  readonly prepare: Effect.Effect<void, SandboxError>
  readonly pay: (address: string, amount: string) => Effect.Effect<string, SandboxError>
}

const makeChainError = (message: string): SandboxError => new SandboxError({ reason: "chain", message })

/**
 * Calls at a url that may have credentials in it.
 *
 * @since 0.1.0
 * @category operations
 */
export const makeAsk =
  (name: string, url: () => string): AskNode =>
  (method, ...params) =>
    Effect.flatMap(
      Effect.suspend(() => callJsonRpc(url(), { method, params })),
      (answer) => {
        const error = "error" in answer ? answer.error : null
        if (error === null || error === undefined)
          return Effect.succeed("result" in answer ? answer.result : undefined)
        const message =
          typeof error === "object" && "message" in error ? error.message : JSON.stringify(error)
        return makeChainError(`${name} refused ${method}: ${message}`)
      }
    )

/**
 * A text from an answer, at a path of names in it.
 *
 * @since 0.1.0
 * @category operations
 */
export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string =>
  String(
    path.reduce<unknown>(
      (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
      value
    )
  )

/** Blocks for the miner on top of those for the accounts: 20 of them are mature, which is a thousand coins. */
const INITIAL_BLOCKS = 120

/** Blocks in one call, which has its limit. */
const MAX_BLOCKS_PER_CALL = 10

const POLL_INTERVAL = "200 millis"

/** Nodes answer before they have looked at a transaction. */
const RETRY_PAUSE = "50 millis"

/**
 * A block of a chain and its bytes, in hexadecimal without 0x; the genesis block has none.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Block = Schema.Struct({ hash: Schema.String, raw: Schema.String })

type Block = typeof Block.Type

/** The raw transactions that a request wants to have sent, alone or in a batch. */
const findBroadcasts = (body: Buffer): ReadonlyArray<unknown> => {
  if (!body.includes("sendrawtransaction")) return []
  const parsed = parseBody(body)
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((item: unknown) =>
    textAt(item, "method") === "sendrawtransaction" ? [textAt(item, "params", "0")] : []
  )
}

/** A node as a member of its chain. */
const makePeer = ({ name, process, url, ...rest }: LaunchedNode) => {
  const ask = makeAsk(name, url)
  const height = Effect.map(ask("getblockcount"), Number)
  const hashAt = (block: number) => Effect.map(ask("getblockhash", block), String)

  /** The height up to which it has the same blocks as a log. */
  const common = (log: ReadonlyArray<Block>) =>
    Effect.gen(function* () {
      let at = Math.min(yield* height, log.length - 1)
      while (at > 0 && (yield* hashAt(at)) !== log[at]?.hash) at--
      return at
    })

  return {
    ...rest,
    name,
    process,
    url,
    ask,
    height,
    isUp: Effect.map(process.state, (state) => state === "running"),
    waiting: Effect.map(ask("getmempoolinfo"), (info) => Number(textAt(info, "size"))),
    generate: (blocks: number, address: string) =>
      Effect.gen(function* () {
        for (let left = blocks; left > 0; left -= MAX_BLOCKS_PER_CALL)
          yield* ask("generatetoaddress", Math.min(left, MAX_BLOCKS_PER_CALL), address)
      }),
    /** Brings a log to the node's height. Blocks that are no longer on the chain go first. */
    keep: (log: Array<Block>) =>
      Effect.gen(function* () {
        if (log.length === 0) log.push({ hash: yield* hashAt(0), raw: "" })
        const top = yield* height
        if (top === log.length - 1 && (yield* hashAt(top)) === log.at(-1)?.hash) return
        log.splice((yield* common(log)) + 1)
        const missing = Array.from({ length: top + 1 - log.length }, (_, i) => log.length + i)
        const found = yield* Effect.forEach(
          missing,
          (block) =>
            Effect.flatMap(hashAt(block), (hash) =>
              Effect.map(ask("getblock", hash, false), (raw) => ({ hash, raw: String(raw) }))
            ),
          { concurrency: 4 }
        )
        log.push(...found)
      }),
    /**
     * Gives the node the blocks of a log that it has not got. Of two branches a node takes the one with more work, in any
     * order.
     */
    follow: (log: ReadonlyArray<Block>) =>
      Effect.gen(function* () {
        const last = log.at(-1)
        if (last === undefined || (yield* ask("getbestblockhash")) === last.hash) return
        for (const { raw } of log.slice((yield* common(log)) + 1)) yield* ask("submitblock", raw)
      })
  }
}

type UtxoPeer = ReturnType<typeof makePeer>

/** A chain of several nodes, none of which knows the others. */
interface UtxoNet {
  readonly peers: ReadonlyArray<UtxoPeer>
  /** The block of height i, the genesis block without its bytes. */
  readonly log: Array<Block>
  /** Transactions that have come since the last look. */
  readonly arrivals: Queue.Queue<void>
  readonly runExclusively: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Transactions that no block has taken although there was one for them: they are no reason for another block. */
  readonly stuckSince: Map<UtxoPeer, number>
  readonly blockTime: number | undefined
}

const findRunning = ({ peers }: UtxoNet) => Effect.filter(peers, ({ isUp }) => isUp)

const firstRunning = (net: UtxoNet) =>
  Effect.flatMap(findRunning(net), ([peer]) =>
    peer === undefined
      ? makeChainError(`No node of the chain is up, of ${net.peers.map(({ name }) => name).join(", ")}`)
      : Effect.succeed(peer)
  )

/** Brings all nodes to the blocks of the highest one. A node that fails here gets them later. */
const catchUpPeers = (net: UtxoNet) =>
  Effect.gen(function* () {
    const running = yield* findRunning(net)
    const heights = yield* Effect.forEach(running, ({ height }) => Effect.orElseSucceed(height, () => -1))
    const best = running[heights.indexOf(Math.max(...heights))]
    if (best === undefined) return
    yield* best.keep(net.log)
    yield* Effect.forEach(
      running,
      (peer) => (peer === best ? Effect.void : Effect.ignore(peer.follow(net.log))),
      { discard: true }
    )
  })

const mineAt = (net: UtxoNet, peer: UtxoPeer, blocks: number) =>
  Effect.zipRight(peer.generate(blocks, peer.miner.address), catchUpPeers(net))

/** Brings a node that has come up to the height of the chain. The first one makes the blocks that the others are given. */
const restorePeer = ({ log }: UtxoNet, peer: UtxoPeer) =>
  Effect.gen(function* () {
    yield* peer.prepare
    if (log.length === 0) {
      for (const { address } of peer.accounts) yield* peer.generate(1, address)
      yield* peer.generate(INITIAL_BLOCKS, peer.miner.address)
      yield* peer.keep(log)
    } else {
      yield* peer.follow(log)
      const top = yield* peer.height
      if (top < log.length - 1)
        return yield* makeChainError(`${peer.name} took ${top} of ${log.length - 1} blocks back`)
    }
  }).pipe(Effect.tapErrorCause(() => peer.process.stop))

const minePending = (net: UtxoNet) =>
  Effect.gen(function* () {
    const { stuckSince } = net
    for (const peer of yield* findRunning(net)) {
      const size = yield* peer.waiting
      if (size > 0 && size !== stuckSince.get(peer)) {
        yield* mineAt(net, peer, 1)
        stuckSince.set(peer, yield* peer.waiting)
      } else stuckSince.set(peer, size)
    }
    yield* catchUpPeers(net)
  })

/** Waits until there is a reason for a block, and makes it. */
const mineNext = (net: UtxoNet) => {
  const { blockTime, runExclusively, arrivals } = net
  return blockTime === undefined
    ? Effect.sleep(POLL_INTERVAL).pipe(
        Effect.raceFirst(Effect.zipRight(Queue.take(arrivals), Effect.sleep(RETRY_PAUSE))),
        Effect.zipRight(runExclusively(minePending(net)))
      )
    : Effect.delay(
        runExclusively(Effect.flatMap(firstRunning(net), (peer) => mineAt(net, peer, 1))),
        blockTime * 1_000
      )
}

const makeActions = (net: UtxoNet): UtxoActions => ({
  accounts: net.peers[0]?.accounts ?? [],
  height: Effect.flatMap(firstRunning(net), ({ height }) => height),
  mine: (blocks) =>
    blocks > 0
      ? net
          .runExclusively(Effect.flatMap(firstRunning(net), (peer) => mineAt(net, peer, blocks)))
          .pipe(withRealClock)
      : Effect.void,
  fund: (address, amount) =>
    Effect.gen(function* () {
      if (!/^\d+(\.\d{1,8})?$/.test(amount) || Number(amount) === 0)
        return yield* new SandboxError({
          reason: "options",
          message: `"${amount}" is no amount: give a decimal number of coins above 0, with at most 8 digits after the point`
        })
      const peer = yield* firstRunning(net)
      const id = yield* peer.pay(address, amount)
      if (net.blockTime === undefined) yield* mineAt(net, peer, 1)
      return id
    }).pipe(net.runExclusively, withRealClock)
})

/** The handler of a node for its users: transactions that are sent to it go to all nodes. */
const makeNode = (net: UtxoNet, actions: UtxoActions, peer: UtxoPeer): Effect.Effect<UtxoNode> =>
  Effect.gen(function* () {
    const { runExclusively } = net
    const { process } = peer
    const awake = yield* Effect.makeLatch(true)
    const forwarding = forwardTo(peer.url)
    const handler: Handler = (received) =>
      Effect.gen(function* () {
        yield* awake.await
        const sent = findBroadcasts(received.body)
        const answer = yield* forwarding(received)
        if (sent.length === 0) return answer
        // A refusal is final: the node has it already, or the first one has not taken it either.
        for (const other of yield* findRunning(net))
          if (other !== peer)
            yield* Effect.forEach(sent, (raw) => Effect.ignore(other.ask("sendrawtransaction", raw)))
        yield* Queue.offer(net.arrivals, undefined)
        return answer
      })
    return {
      ...actions,
      get url() {
        return process.url
      },
      pid: process.pid,
      state: process.state,
      start: Effect.gen(function* () {
        if ((yield* process.state) !== "stopped") return
        yield* process.start
        yield* restorePeer(net, peer)
        yield* awake.open
      }).pipe(runExclusively, withRealClock),
      stop: Effect.zipLeft(process.stop, awake.open),
      // Never while a block is made.
      freeze: runExclusively(Effect.zipRight(process.freeze, awake.close)),
      resume: Effect.gen(function* () {
        yield* process.resume
        if (yield* peer.isUp) yield* catchUpPeers(net)
        yield* awake.open
      }).pipe(runExclusively, withRealClock),
      handler,
      height: peer.height
    }
  })

/**
 * Makes a chain of processes that have just been started. Nodes do not gossip here: blocks and transactions that one of them
 * accepts are passed on to the others. Fails if they do not behave like nodes of Bitcoin's kind (`chain`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  launched: ReadonlyArray<LaunchedNode>,
  { blockTime, memory = Memory.none }: UtxoOptions = {}
): Effect.Effect<UtxoChain, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const peers = launched.map(makePeer)
    const turn = yield* Effect.makeSemaphore(1)
    const log = [...memory.entries]
    const keep = Effect.suspend(() => memory.save(log, null))
    const net: UtxoNet = {
      peers,
      log,
      arrivals: yield* Queue.sliding<void>(1),
      runExclusively: (effect) => turn.withPermits(1)(Effect.ensuring(effect, keep)),
      stuckSince: new Map(),
      blockTime
    }
    yield* Effect.forEach(peers.slice(0, 1), (peer) => restorePeer(net, peer))
    yield* Effect.forEach(peers.slice(1), (peer) => restorePeer(net, peer), { concurrency: "unbounded" })
    yield* keep
    // A node that does not answer gets its blocks later.
    yield* Effect.forkScoped(withRealClock(Effect.forever(Effect.ignore(mineNext(net)))))
    const actions = makeActions(net)
    const isNew = memory.state === undefined
    return {
      ...actions,
      isNew,
      members: yield* Effect.forEach(peers, (peer) => makeNode(net, actions, peer))
    }
  }).pipe(withRealClock)

/**
 * Launches `size` processes, two at a time, and makes a chain of them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const launchAll = (
  size: number,
  launch: Effect.Effect<LaunchedNode, SandboxError, Scope.Scope>,
  options: UtxoOptions
): Effect.Effect<UtxoChain, SandboxError, Scope.Scope> =>
  Effect.flatMap(
    Effect.forEach(Array.from({ length: size }), () => launch, { concurrency: 2 }),
    (launched) => make(launched, options)
  )

/**
 * The only node of a chain.
 *
 * @since 0.1.0
 * @category getters
 */
export const onlyNode = <R>(
  chain: Effect.Effect<UtxoChain, SandboxError, R>
): Effect.Effect<UtxoNode, SandboxError, R> =>
  Effect.flatMap(chain, ({ members: [node] }) =>
    node === undefined ? makeChainError("The chain has no node") : Effect.succeed(node)
  )
