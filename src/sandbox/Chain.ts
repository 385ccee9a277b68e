/**
 * One chain on several anvils. Anvils do not gossip, so the sandbox is the network between them and its only block
 * producer: every transaction that a node accepts, every block and every cheat code is an entry of one log, and each node is
 * brought to the end of that log. Blocks get their timestamps from the log, so heights, states and block hashes are the same on all.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Cheats from "./chain/Cheats.js"
import * as Ledger from "./chain/Ledger.js"
import { type Call, call, forward, isCall, json, parse, realTime } from "./Loopback.js"
import * as Memory from "./Memory.js"
import type { Answer, Handler, Received } from "./Message.js"
import { type AnvilNode, start } from "./nodes/Anvil.js"
import { withSockets } from "./nodes/Socket.js"
import type { SandboxError } from "./SandboxError.js"

/**
 * An anvil as a member of its chain. `start` comes back when it has caught up with the others, and so does `resume`.
 * `handler` is its JSON-RPC: it waits while the node is frozen and drops the connection when there is no process.
 *
 * @since 0.1.0
 * @category models
 */
export interface Member extends AnvilNode {
  readonly handler: Handler
}

/**
 * A chain: its members, and `mine`, which adds empty blocks on all of them. It `isNew` unless it goes on from a memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chain {
  readonly isNew: boolean
  readonly members: ReadonlyArray<Member>
  readonly mine: (blocks: number) => Effect.Effect<void>
}

const isTransaction = ({ method }: Call): boolean =>
  /^eth_send(Raw|Unsigned)?Transaction(Sync)?$/.test(method)

/** Whether a call changes the chain, on all of its nodes. */
const isChange = (value: unknown): value is Call =>
  isCall(value) && (isTransaction(value) || Cheats.isCheat(value.method))

/** What is in every body with a change. Looking into all of them would cost reads the time of parsing it. */
const signs = ["eth_send", "anvil_", "evm_", "hardhat_"]

/** A member, and what it has of the log. */
interface Peer {
  readonly node: Ledger.Follower
  readonly member: Member
}

/** A chain with the members that follow its log. */
interface Shared {
  readonly chainId: number
  readonly ledger: Ledger.Ledger
  peers: ReadonlyArray<Peer>
  /** One entry at a time: the order of the log is the order on every node. */
  readonly exclusively: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Starts or ends the mining by interval. */
  readonly pace: Effect.Effect<void>
}

/** All nodes to the end of the log. One that fails here has its entries still to come, and so has one that joins. */
const spread = ({ ledger, peers }: Shared): Effect.Effect<void> =>
  Effect.forEach(
    peers,
    ({ node }) => (node.isJoining ? Effect.void : Effect.ignore(Ledger.catchUp(ledger, node))),
    { concurrency: "unbounded", discard: true }
  )

const append = ({ ledger }: Shared, ...entries: ReadonlyArray<Ledger.Entry>): void => {
  ledger.log = [...ledger.log, ...entries]
}

const addBlocks = (shared: Shared, count: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    append(shared, { blocks: Ledger.nextBlocks(shared.ledger, count) })
    return spread(shared)
  })

/** A transaction at one node first, whose refusal is the answer, and then at all. */
const send = (shared: Shared, node: Ledger.Follower, sent: Call): Effect.Effect<object, SandboxError> =>
  Effect.gen(function* () {
    const { ledger } = shared
    const answer = yield* call(node.anvil.url, sent)
    if (!("result" in answer)) return answer
    const entry = yield* Ledger.transaction(node, sent, answer.result)
    if (entry === undefined) return answer
    append(shared, entry)
    node.have.push({ entry })
    if (ledger.automine) append(shared, { blocks: Ledger.nextBlocks(ledger) })
    yield* spread(shared)
    return answer
  })

/** The answers of a member: changes of the chain by `submit`, and all other calls by its anvil. */
const answered = (
  url: string,
  received: Received,
  submit: (sent: Call) => Effect.Effect<object, SandboxError>
): Effect.Effect<Answer | "drop", SandboxError> =>
  Effect.gen(function* () {
    const body = signs.some((sign) => received.body.includes(sign)) ? parse(received.body) : undefined
    if (isChange(body)) return json(yield* submit(body))
    if (!Array.isArray(body) || !body.some(isChange)) return yield* forward(url, received)
    const answers = yield* Effect.forEach(body.filter(isCall), (item) =>
      Effect.map(isChange(item) ? submit(item) : call(url, item), (answer) => ("id" in item ? [answer] : []))
    )
    return json(answers.flat())
  })

/** Milliseconds for a transaction to get into a block, where its sender waits for that. */
const PATIENCE = 30_000

/** A change as the chain makes it: a sender that wants the receipt gets it when there is one. */
const change = (shared: Shared, node: Ledger.Follower, sent: Call): Effect.Effect<object, SandboxError> => {
  const { exclusively, ledger, pace } = shared
  const turn = (work: Effect.Effect<object, SandboxError>) =>
    exclusively(Effect.zipRight(Ledger.catchUp(ledger, node), Ledger.orLost(node, work)))
  if (!isTransaction(sent)) return turn(Cheats.answer({ ledger, node, pace, spread: spread(shared) }, sent))
  if (!sent.method.endsWith("Sync")) return turn(send(shared, node, sent))
  return Effect.flatMap(
    turn(send(shared, node, { ...sent, method: sent.method.replace(/Sync$/, "") })),
    (answer) => {
      if (!("result" in answer)) return Effect.succeed(answer)
      const receipt = call(node.anvil.url, {
        method: "eth_getTransactionReceipt",
        params: [answer.result],
        id: sent.id
      })
      return Effect.repeat(receipt, {
        until: (said) => !("result" in said) || said.result !== null,
        schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo(PATIENCE))
      }).pipe(Effect.zipRight(receipt), realTime)
    }
  )
}

const join = (shared: Shared): Effect.Effect<Peer, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { chainId, exclusively, ledger } = shared
    const anvil = yield* start({ chainId, timestamp: ledger.genesis, noMining: true })
    const awake = yield* Effect.makeLatch(true)
    const node = yield* Ledger.follower(anvil)
    const catchUp = Ledger.catchUp(ledger, node)
    const submit = (sent: Call) => change(shared, node, sent)
    const handler = withSockets({
      url: () => anvil.url,
      subscribes: /^eth_(?:un)?subscribe$/,
      handler: (received) =>
        Effect.catchAll(answered(anvil.url, received, submit), () => Effect.succeed<Answer | "drop">("drop"))
    })
    const member: Member = {
      ...anvil,
      // A new start on the way back to a snapshot is no end of the node, and one that joins is not up yet.
      state: Effect.map(anvil.state, (state) =>
        state === "stopped" && node.isRebuilt
          ? "running"
          : state === "running" && node.isJoining
            ? "stopped"
            : state
      ),
      handler: (received) => Effect.zipRight(awake.await, handler(received)),
      start: Effect.gen(function* () {
        const isNew = yield* node.alone(
          Effect.gen(function* () {
            if ((yield* anvil.state) !== "stopped") return false
            node.first = undefined
            node.isLost = false
            node.isAway = false
            node.isJoining = true
            yield* anvil.start
            return true
          })
        )
        if (!isNew) return
        // a long log is read while the chain goes on, and the others wait for its last entries alone
        yield* catchUp
        yield* exclusively(
          Effect.suspend(() => {
            node.isJoining = false
            return catchUp
          })
        )
        yield* awake.open
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            node.isJoining = false
          })
        )
      ),
      // Never in the middle of an entry, which would hold up the whole chain.
      freeze: exclusively(Effect.zipRight(anvil.freeze, awake.close)),
      resume: exclusively(Effect.all([anvil.resume, catchUp, awake.open], { discard: true })),
      stop: Effect.suspend(() => {
        node.isAway = true
        // what it is told just now ends with its process, and would have started another one
        return Effect.all([anvil.stop, node.alone(anvil.stop), awake.open], { discard: true })
      })
    }
    return { node, member }
  })

/**
 * Starts `size` anvils of one chain, which goes on where its memory ends. With `blockTime` (seconds) a block is mined at that
 * interval, otherwise one per transaction, before its sender gets the answer. Fails like `Anvil.start`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly chainId: number
  readonly size: number
  readonly blockTime?: number
  readonly memory?: Memory.Memory<Ledger.Entry, typeof Ledger.State.Type>
}): Effect.Effect<Chain, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { blockTime, chainId, memory = Memory.none, size } = options
    const keep = Effect.suspend(() => {
      const { automine, clock, genesis, log, marks } = shared.ledger
      return memory.save(log, { automine, clock, genesis, marks })
    })
    const turn = yield* Effect.makeSemaphore(1)
    const ticking = yield* FiberHandle.make()
    const shared: Shared = {
      chainId,
      ledger: Ledger.make(memory, blockTime),
      peers: [],
      exclusively: (effect) => turn.withPermits(1)(Effect.uninterruptible(Effect.ensuring(effect, keep))),
      pace: Effect.suspend(() => {
        const { every } = shared.ledger
        if (every === undefined) return FiberHandle.clear(ticking)
        const tick = Effect.delay(shared.exclusively(addBlocks(shared, 1)), every * 1_000)
        return Effect.asVoid(FiberHandle.run(ticking, realTime(Effect.interruptible(Effect.forever(tick)))))
      })
    }
    shared.peers = yield* Effect.all(
      Array.from({ length: size }, () => join(shared)),
      { concurrency: "unbounded" }
    )
    yield* Effect.forEach(shared.peers, ({ node }) => Ledger.catchUp(shared.ledger, node), {
      concurrency: "unbounded",
      discard: true
    })
    yield* shared.pace
    return {
      isNew: memory.state === undefined,
      members: shared.peers.map(({ member }) => member),
      mine: (blocks) => (blocks > 0 ? shared.exclusively(addBlocks(shared, blocks)) : Effect.void)
    }
  })
