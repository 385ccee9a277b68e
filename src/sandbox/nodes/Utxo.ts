/**
 * The common part of nodes of Bitcoin's kind: a mature chain, blocks for transactions, coins on request, and a memory
 * of the blocks that outlives the process.
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
import type { Account, AccountType } from "./keys.js"
import { type ChainNode, forwardTo, type NodeProcess } from "./Process.js"

/**
 * The options of a chain. With `blockTime` (seconds) a block is mined at that interval, otherwise within 300
 * milliseconds after a transaction. The chain continues from its memory. `accountType` is the type of the accounts'
 * addresses: P2PKH by default. `maturity` is the number of blocks after which a coinbase can be spent, by the rules of
 * the network's wallets; a node's own rule is 100.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoOptions {
  readonly blockTime?: number
  readonly memory?: Memory.ChainMemory<Block, null>
  readonly accountType?: AccountType
  readonly maturity?: number
}

/**
 * The operations on a chain of Bitcoin's kind, which run at its first running node. The chain is mature from the start.
 * `accounts` have a coinbase of 50 coins each, which they can spend. `fund` pays `amount` (a decimal string, in whole
 * coins) to an address and yields the transaction's id; without `blockTime` the transaction is in a block by then.
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
 * A node of Bitcoin's kind. `start` and `resume` complete when it has every block of its chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoNode extends ChainNode, UtxoActions {}

/**
 * A chain and its nodes. `isNew` is false for a chain that continues from a memory.
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
 * A process, and what differs between programs. `url` includes the credentials. `prepare` runs after each start, before
 * the node gets its blocks. `pay` sends a transaction of the miner and yields its id once it is in the pool.
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
 * Makes calls at a url, which may include credentials.
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
 * The text at a path in an answer.
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

/** The mature blocks of the miner, which are a thousand coins. */
const MATURE_BLOCKS = 20

/** The number of blocks after which a node lets a coinbase be spent. */
const MATURITY = 100

/** The limit of blocks per call; a call has a timeout. */
const MAX_BLOCKS_PER_CALL = 10

const POLL_INTERVAL = "200 millis"

/** The pause before a retry: nodes answer before they have validated a transaction. */
const RETRY_PAUSE = "50 millis"

/**
 * A block of a chain and its bytes in hexadecimal, without 0x. The genesis block has no bytes.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Block = Schema.Struct({ hash: Schema.String, raw: Schema.String })

type Block = typeof Block.Type

const Ids = Schema.Array(Schema.String)

/** The raw transactions that a request sends, alone or in a batch. */
const findBroadcasts = (body: Buffer): ReadonlyArray<unknown> => {
  if (!body.includes("sendrawtransaction")) return []
  const parsed = parseBody(body)
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((item: unknown) =>
    textAt(item, "method") === "sendrawtransaction" ? [textAt(item, "params", "0")] : []
  )
}

const makePeer = ({ name, process, url, ...rest }: LaunchedNode) => {
  const ask = makeAsk(name, url)
  const height = Effect.map(ask("getblockcount"), Number)
  const hashAt = (block: number) => Effect.map(ask("getblockhash", block), String)

  /** The height up to which the node has the same blocks as a log. */
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
    pending: Effect.flatMap(ask("getrawmempool"), (ids) =>
      Effect.mapError(Schema.decodeUnknown(Ids)(ids), ({ message }) =>
        makeChainError(`${name} answered no list of transactions: ${message}`)
      )
    ),
    generate: (blocks: number, address: string) =>
      Effect.gen(function* () {
        for (let left = blocks; left > 0; left -= MAX_BLOCKS_PER_CALL)
          yield* ask("generatetoaddress", Math.min(left, MAX_BLOCKS_PER_CALL), address)
      }),
    /** Brings a log to the node's height. Blocks that have left the chain are removed first. */
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
     * Submits the missing blocks of a log to the node. Their order does not matter, since a node takes the branch with
     * more work.
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

/** The state of a chain of several nodes, which do not know each other. */
interface UtxoNet {
  readonly peers: ReadonlyArray<UtxoPeer>
  /** The blocks by height. The genesis block has no bytes. */
  readonly log: Array<Block>
  /** Signals new transactions. */
  readonly arrivals: Queue.Queue<void>
  readonly runExclusively: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** For each node, the transactions that its last block has left out. They cause no further block. */
  readonly leftOut: Map<UtxoPeer, ReadonlySet<string>>
  readonly blockTime: number | undefined
  readonly maturity: number
}

const findRunning = ({ peers }: UtxoNet) => Effect.filter(peers, ({ isUp }) => isUp)

const firstRunning = (net: UtxoNet) =>
  Effect.flatMap(findRunning(net), ([peer]) =>
    peer === undefined
      ? makeChainError(`No node of the chain is running: ${net.peers.map(({ name }) => name).join(", ")}`)
      : Effect.succeed(peer)
  )

/** Gives all nodes the blocks of the highest one. A node that fails here gets them later. */
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

/** Brings a new process to the height of the chain. The first node makes the blocks, and the others get them. */
const restorePeer = ({ log, maturity }: UtxoNet, peer: UtxoPeer) =>
  Effect.gen(function* () {
    yield* peer.prepare
    if (log.length === 0) {
      for (const { address } of peer.accounts) yield* peer.generate(1, address)
      yield* peer.generate(maturity + MATURE_BLOCKS, peer.miner.address)
      yield* peer.keep(log)
    } else {
      yield* peer.follow(log)
      const top = yield* peer.height
      if (top < log.length - 1)
        return yield* makeChainError(`${peer.name} restored ${top} of ${log.length - 1} blocks`)
    }
  }).pipe(Effect.tapErrorCause(() => peer.process.stop))

const minePending = (net: UtxoNet) =>
  Effect.gen(function* () {
    for (const peer of yield* findRunning(net)) {
      const before = yield* peer.pending
      const leftOut = net.leftOut.get(peer)
      if (before.every((id) => leftOut?.has(id) === true)) continue
      yield* mineAt(net, peer, 1)
      // What has arrived since then was not left out: its block is still to come.
      const after = new Set(yield* peer.pending)
      net.leftOut.set(peer, new Set(before.filter((id) => after.has(id))))
    }
    yield* catchUpPeers(net)
  })

/** Waits for a reason for a block, and mines it. */
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
          message: `"${amount}" is not an amount: give a decimal number of coins above 0, with at most 8 digits after the point`
        })
      const peer = yield* firstRunning(net)
      const id = yield* peer.pay(address, amount)
      if (net.blockTime === undefined) yield* mineAt(net, peer, 1)
      return id
    }).pipe(net.runExclusively, withRealClock)
})

/** The handler of a node. Transactions that it accepts are sent to all nodes. */
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
        // Refusals do not matter: the other node has the transaction already, or this one has refused it too.
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
      // never while a block is made
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
 * Makes a chain of new processes. The nodes do not gossip, so their blocks and transactions are forwarded to each
 * other. Fails if they do not behave like nodes of Bitcoin's kind (`chain`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  launched: ReadonlyArray<LaunchedNode>,
  { blockTime, maturity = MATURITY, memory = Memory.none }: UtxoOptions = {}
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
      leftOut: new Map(),
      blockTime,
      maturity
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
