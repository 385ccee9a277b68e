/**
 * One chain on several anvils. Anvils do not gossip, so the sandbox is the network between them and its only block
 * producer: every transaction that a node accepts, and every block, is an entry of one log, and each node is brought to
 * the end of that log. Blocks get their timestamps from the log, so heights, states and block hashes are the same on all.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  type Answer,
  type Call,
  call,
  forward,
  type Handler,
  json,
  parse,
  type Received
} from "./Loopback.js"
import { type AnvilNode, start } from "./nodes/Anvil.js"
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
 * A chain: its members, and `mine`, which adds empty blocks on all of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chain {
  readonly members: ReadonlyArray<Member>
  readonly mine: (blocks: number) => Effect.Effect<void>
}

/** A signed transaction, and the Unix time in seconds of the block to mine after it: at least one of both. */
interface Entry {
  readonly raw?: string
  readonly block?: number
}

const isCall = (value: unknown): value is Call =>
  typeof value === "object" && value !== null && "method" in value && typeof value.method === "string"

const isTransaction = (value: unknown): value is Call =>
  isCall(value) && (value.method === "eth_sendRawTransaction" || value.method === "eth_sendTransaction")

/** A member, and the effect that brings it to the end of the log. */
interface Peer {
  readonly catchUp: Effect.Effect<void, SandboxError>
  readonly member: Member
}

/** The log of a chain, and the members that follow it. */
interface Ledger {
  readonly chainId: number
  /** The Unix time in seconds of the first block, and of the newest one. */
  readonly genesis: number
  latest: number
  /** Whether each transaction gets a block of its own. */
  readonly automine: boolean
  readonly log: Array<Entry>
  peers: ReadonlyArray<Peer>
  /** One entry at a time: the order of the log is the order on every node. */
  readonly exclusively: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

const nextBlock = (ledger: Ledger): number => {
  ledger.latest = Math.max(ledger.latest + 1, Math.floor(Date.now() / 1_000))
  return ledger.latest
}

/** All nodes to the end of the log. One that fails here has its entries still to come. */
const spread = (ledger: Ledger): Effect.Effect<void> =>
  Effect.suspend(() =>
    Effect.forEach(ledger.peers, ({ catchUp }) => Effect.ignore(catchUp), {
      concurrency: "unbounded",
      discard: true
    })
  )

const addBlock = (ledger: Ledger): Effect.Effect<void> =>
  Effect.suspend(() => {
    ledger.log.push({ block: nextBlock(ledger) })
    return spread(ledger)
  })

const apply = (url: string, entry: Entry): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    // A refusal is final: the node has the transaction already, or its state was changed by hand.
    if (entry.raw !== undefined) yield* call(url, { method: "eth_sendRawTransaction", params: [entry.raw] })
    if (entry.block === undefined) return
    const mined = yield* call(url, { method: "evm_mine", params: [{ timestamp: entry.block }] })
    // The node's clock was set ahead by hand. Better a block with another hash than none.
    if ("error" in mined) yield* call(url, { method: "evm_mine" })
  })

/** A transaction as the network passes it on: signed, also where anvil itself held the key. */
const signed = (url: string, sent: Call, answer: object): Effect.Effect<string | undefined, SandboxError> => {
  if (!("result" in answer)) return Effect.succeed(undefined)
  const raw = Array.isArray(sent.params) ? sent.params[0] : undefined
  if (sent.method === "eth_sendRawTransaction")
    return Effect.succeed(typeof raw === "string" ? raw : undefined)
  return Effect.map(call(url, { method: "eth_getRawTransactionByHash", params: [answer.result] }), (found) =>
    "result" in found && typeof found.result === "string" ? found.result : undefined
  )
}

/** The answers of a member: transactions by `submit`, and all other calls by its anvil. */
const answered = (
  url: string,
  received: Received,
  submit: (sent: Call) => Effect.Effect<object, SandboxError>
): Effect.Effect<Answer | "drop", SandboxError> =>
  Effect.gen(function* () {
    // Looking into every body would cost reads the time of parsing it.
    const body = received.body.includes("eth_send") ? parse(received.body) : undefined
    if (isTransaction(body)) return json(yield* submit(body))
    if (!Array.isArray(body) || !body.some(isTransaction)) return yield* forward(url, received)
    const answers = yield* Effect.forEach(body.filter(isCall), (item) =>
      Effect.map(isTransaction(item) ? submit(item) : call(url, item), (answer) =>
        "id" in item ? [answer] : []
      )
    )
    return json(answers.flat())
  })

const join = (ledger: Ledger): Effect.Effect<Peer, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { automine, chainId, exclusively, genesis, log } = ledger
    const anvil = yield* start({ chainId, timestamp: genesis, noMining: true })
    const awake = yield* Effect.makeLatch(true)
    /** The number of entries of the log that it has. */
    let applied = 0
    const catchUp: Effect.Effect<void, SandboxError> = Effect.gen(function* () {
      if ((yield* anvil.state) !== "running") return
      for (let entry = log[applied]; entry !== undefined; entry = log[applied]) {
        yield* apply(anvil.url, entry)
        applied++
      }
    })
    const submit = (sent: Call): Effect.Effect<object, SandboxError> =>
      Effect.gen(function* () {
        yield* catchUp
        const answer = yield* call(anvil.url, sent)
        const raw = yield* signed(anvil.url, sent, answer)
        if (raw === undefined) return answer
        const entry: Entry = automine ? { raw, block: nextBlock(ledger) } : { raw }
        log.push(entry)
        applied++
        if (entry.block !== undefined) yield* apply(anvil.url, { block: entry.block })
        yield* spread(ledger)
        return answer
      }).pipe(exclusively)
    const member: Member = {
      ...anvil,
      handler: (received) =>
        Effect.zipRight(awake.await, answered(anvil.url, received, submit)).pipe(
          Effect.catchAll(() => Effect.succeed<Answer | "drop">("drop"))
        ),
      start: Effect.gen(function* () {
        if ((yield* anvil.state) !== "stopped") return
        applied = 0
        yield* anvil.start
        yield* exclusively(catchUp)
        yield* awake.open
      }),
      // Never in the middle of an entry, which would hold up the whole chain.
      freeze: exclusively(Effect.zipRight(anvil.freeze, awake.close)),
      resume: exclusively(Effect.all([anvil.resume, catchUp, awake.open], { discard: true })),
      stop: Effect.zipLeft(anvil.stop, awake.open)
    }
    return { catchUp, member }
  })

/**
 * Starts `size` anvils of one chain. With `blockTime` (seconds) a block is mined at that interval, otherwise one per
 * transaction, before its sender gets the answer. Fails like `Anvil.start`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly chainId: number
  readonly size: number
  readonly blockTime?: number
}): Effect.Effect<Chain, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { blockTime, chainId, size } = options
    const genesis = Math.floor(Date.now() / 1_000)
    const turn = yield* Effect.makeSemaphore(1)
    const ledger: Ledger = {
      chainId,
      genesis,
      latest: genesis,
      automine: blockTime === undefined,
      log: [],
      peers: [],
      exclusively: (effect) => turn.withPermits(1)(Effect.uninterruptible(effect))
    }
    const tick = addBlock(ledger)
    ledger.peers = yield* Effect.all(
      Array.from({ length: size }, () => join(ledger)),
      { concurrency: "unbounded" }
    )
    if (blockTime !== undefined)
      yield* Effect.forkScoped(Effect.forever(Effect.delay(ledger.exclusively(tick), blockTime * 1_000)))
    return {
      members: ledger.peers.map(({ member }) => member),
      mine: (blocks) => (blocks > 0 ? ledger.exclusively(Effect.repeatN(tick, blocks - 1)) : Effect.void)
    }
  })
