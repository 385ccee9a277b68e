/**
 * Cheat codes of anvil, Hardhat and Ganache on a chain of several nodes: mining, time travel, impersonation, state, snapshots
 * and reverts. Those of blocks and time are about the chain's own miner and clock, since its nodes have none; all others that
 * change something go to one node first, and to all if it takes them. Those that only read are the node's.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Call, call } from "../Loopback.js"
import type { SandboxError } from "../SandboxError.js"
import * as Ledger from "./Ledger.js"

const cheats = /^(anvil|evm|hardhat)_(\w+)$/

/** Calls that read, by their names without the prefix. The chain itself knows how it mines. */
const reads = /^(get(?!Automine|AutoMine|IntervalMining)\w*|nodeInfo|metadata|dumpState)$/

/** What stays as it is when the chain is taken back. */
const lasting =
  /^(impersonateAccount|stopImpersonatingAccount|autoImpersonateAccount|impersonateSignature|setCoinbase|setMinGasPrice|setBlockGasLimit|setChainId|setLoggingEnabled|setRpcUrl|enableTraces)$/

/**
 * Whether a method changes the chain by another way than a transaction, or asks how the chain mines.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isCheat = (method: string): boolean => {
  const name = cheats.exec(method)?.[2]
  return name !== undefined && !reads.test(name)
}

/**
 * The chain as cheat codes change it: its log, a node that runs, `spread`, which brings all nodes to the end of the log, and
 * `pace`, which starts or ends the mining by interval, as the ledger says.
 *
 * @since 0.1.0
 * @category models
 */
export interface Changing {
  readonly ledger: Ledger.Ledger
  readonly node: Ledger.Follower
  readonly spread: Effect.Effect<void>
  readonly pace: Effect.Effect<void>
}

/** The result of a call, or the error that refuses it. */
type Said =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

/** A number as people send it: itself, or text in decimal or hexadecimal. */
const numberOf = (value: unknown): number | undefined => {
  const isText = typeof value === "string" && value !== ""
  const number = isText || typeof value === "number" ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

const invalid = (message: string): Said => ({ error: { code: -32_602, message } })

const append = (ledger: Ledger.Ledger, entry: Ledger.Entry): void => {
  ledger.log = [...ledger.log, entry]
}

/** Blocks that one call may ask for: more would hold the chain up for minutes. */
const MOST = 1_000_000

/** What is asked of `evm_mine` and of `anvil_mine`, whose parameters differ. */
const asked = (
  method: string,
  [first, second]: ReadonlyArray<unknown>
): {
  readonly count: number | undefined
  readonly at?: number | undefined
  readonly step?: number | undefined
} => {
  if (!/^evm_|detailed/i.test(method))
    return {
      count: first === undefined || first === null ? 1 : numberOf(first),
      step: second === undefined || second === null ? undefined : numberOf(second)
    }
  if (typeof first !== "object" || first === null)
    return {
      count: first === undefined || numberOf(first) !== undefined ? 1 : undefined,
      at: numberOf(first)
    }
  const blocks: unknown = Reflect.get(first, "blocks")
  return {
    count: blocks === undefined || blocks === null ? 1 : numberOf(blocks),
    at: numberOf(Reflect.get(first, "timestamp"))
  }
}

/** The blocks from a number on, with their transactions. */
const blocksOf = (
  node: Ledger.Follower,
  count: number
): Effect.Effect<ReadonlyArray<unknown>, SandboxError> =>
  Effect.gen(function* () {
    const ask = (method: string, ...params: ReadonlyArray<unknown>) =>
      Effect.map(call(node.anvil.url, { method, params }), (answer): unknown => Reflect.get(answer, "result"))
    const height = Number(yield* ask("eth_blockNumber"))
    return yield* Effect.forEach(
      Array.from({ length: count }, (_, i) => height - count + 1 + i),
      (number) => ask("eth_getBlockByNumber", `0x${number.toString(16)}`, true)
    )
  })

const mine = (
  { ledger, node, spread }: Changing,
  method: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<Said, SandboxError> =>
  Effect.gen(function* () {
    const { at, count, step } = asked(method, params)
    if (count === undefined || count > MOST)
      return invalid(`${method}: a number of blocks up to ${MOST} is expected`)
    if (at !== undefined && at < ledger.clock.latest)
      return invalid(`Timestamp error: ${at} is lower than previous block's timestamp`)
    if (count > 0) {
      append(ledger, { blocks: Ledger.nextBlocks(ledger, count, { at, step }) })
      yield* spread
    }
    if (/detailed/i.test(method)) return { result: yield* blocksOf(node, count) }
    return { result: method === "evm_mine" ? "0x0" : null }
  })

/** What a cheat code that nodes have taken does to the chain's clock. */
const keepTime = (ledger: Ledger.Ledger, name: string, [first]: ReadonlyArray<unknown>): void => {
  const seconds = numberOf(first)
  const { exact, interval, ...clock } = ledger.clock
  const kept = interval === undefined ? {} : { interval }
  if (seconds === undefined) return
  if (name === "increaseTime") ledger.clock = { ...ledger.clock, offset: clock.offset + seconds }
  if (name === "setTime") ledger.clock = { ...clock, ...kept, offset: seconds - Ledger.now() }
  if (name === "setNextBlockTimestamp") ledger.clock = { ...clock, ...kept, exact: seconds }
}

/** A cheat code word for word: at one node first, whose refusal is the answer, and then at all. */
const passOn = (
  { ledger, node, spread }: Changing,
  sent: Call,
  name: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<object, SandboxError> =>
  Effect.gen(function* () {
    const answer = yield* call(node.anvil.url, sent)
    if ("error" in answer) return answer
    const entry: Ledger.Entry = {
      cheat: { method: sent.method, params: sent.params ?? [] },
      lasting: lasting.test(name)
    }
    append(ledger, entry)
    node.have.push({ entry })
    if (/time/i.test(name)) keepTime(ledger, name, params)
    else yield* Ledger.follow(ledger, node)
    yield* spread
    return answer
  })

const interval = (ledger: Ledger.Ledger, seconds: number | undefined): void => {
  const { interval: _, ...clock } = ledger.clock
  ledger.clock = seconds === undefined ? clock : { ...clock, interval: seconds }
}

/** The cheat codes that the chain answers itself, by their names; undefined for all others. */
const own = (
  changing: Changing,
  method: string,
  name: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<Said, SandboxError> | undefined => {
  const { ledger, node, pace, spread } = changing
  const [first] = params
  const done = (result: unknown): Effect.Effect<Said> => Effect.as(spread, { result })
  switch (name.toLowerCase()) {
    case "mine":
    case "mine_detailed":
      return mine(changing, method, params)
    case "snapshot":
      return Effect.flatMap(Ledger.snapshot(ledger, node), done)
    case "revert":
      return Effect.suspend(() => done(Ledger.revert(ledger, first)))
    case "setblocktimestampinterval": {
      const seconds = numberOf(first)
      if (seconds === undefined) return Effect.succeed(invalid(`${method}: a number of seconds is expected`))
      interval(ledger, seconds)
      return done(null)
    }
    case "removeblocktimestampinterval": {
      const was = ledger.clock.interval !== undefined
      interval(ledger, undefined)
      return done(was)
    }
    case "getautomine":
      return done(ledger.automine)
    case "getintervalmining":
      return done(ledger.every ?? null)
    case "setautomine":
      if (typeof first !== "boolean") return Effect.succeed(invalid(`${method}: true or false is expected`))
      ledger.automine = first
      if (first) ledger.every = undefined
      return Effect.zipRight(pace, done(null))
    case "setintervalmining": {
      const seconds = numberOf(first)
      if (seconds === undefined) return Effect.succeed(invalid(`${method}: a number of seconds is expected`))
      ledger.automine = false
      ledger.every = seconds === 0 ? undefined : seconds
      return Effect.zipRight(pace, done(null))
    }
    default:
      return undefined
  }
}

/**
 * Answers a call of which `isCheat` holds, when all nodes that run have it too. It has to be the only change of the chain
 * meanwhile.
 *
 * @since 0.1.0
 * @category operations
 */
export const answer = (changing: Changing, sent: Call): Effect.Effect<object, SandboxError> =>
  Effect.gen(function* () {
    const name = cheats.exec(sent.method)?.[2] ?? ""
    const params: ReadonlyArray<unknown> = Array.isArray(sent.params) ? sent.params : []
    if (name === "reset") {
      Ledger.reset(changing.ledger)
      yield* changing.spread
      // a fork begins at the chain that it is one of
      const forking: unknown = Reflect.get(Object(params[0]), "forking")
      if (forking === undefined || forking === null)
        return { jsonrpc: "2.0", id: sent.id ?? null, result: null }
    }
    const said = own(changing, sent.method, name, params)
    if (said === undefined) return yield* passOn(changing, sent, name, params)
    return { jsonrpc: "2.0", id: sent.id ?? null, ...(yield* said) }
  })
