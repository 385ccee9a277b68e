/**
 * Cheat codes of anvil, Hardhat and Ganache on a chain of several nodes: mining, time travel, impersonation, state,
 * snapshots and reverts. The chain itself answers those about blocks and time, since its nodes have no miner and no
 * clock. All others that change something go to one node first, and to all nodes if it accepts them. The node answers
 * those that only read.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { callJsonRpc, type JsonRpcCall } from "../Loopback.js"
import type { SandboxError } from "../SandboxError.js"
import * as Ledger from "./Ledger.js"

const CHEAT_CODE = /^(anvil|evm|hardhat)_(\w+)$/

/** Cheat codes that only read, without their prefix. Questions about mining are the chain's to answer. */
const READING_CHEATS = /^(get(?!Automine|AutoMine|IntervalMining)\w*|nodeInfo|metadata|dumpState)$/

/** Cheat codes whose effect outlives a revert. */
const LASTING_CHEATS =
  /^(impersonateAccount|stopImpersonatingAccount|autoImpersonateAccount|impersonateSignature|setCoinbase|setMinGasPrice|setBlockGasLimit|setChainId|setLoggingEnabled|setRpcUrl|enableTraces)$/

/**
 * Whether a method is a cheat code that changes the chain, or asks how the chain mines.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isCheat = (method: string): boolean => {
  const name = CHEAT_CODE.exec(method)?.[2]
  return name !== undefined && !READING_CHEATS.test(name)
}

/**
 * The chain that a cheat code changes: its log and a running node. `catchUpAll` brings all nodes to the end of the log.
 * `startMining` starts or stops mining by interval, as the ledger says.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChangingChain {
  readonly ledger: Ledger.Ledger
  readonly node: Ledger.Follower
  readonly catchUpAll: Effect.Effect<void>
  readonly startMining: Effect.Effect<void>
}

type CheatAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

/** Parses a number, or a number as decimal or hexadecimal text. */
const parseNumber = (value: unknown): number | undefined => {
  const isText = typeof value === "string" && value !== ""
  const number = isText || typeof value === "number" ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

const makeInvalidParams = (message: string): CheatAnswer => ({ error: { code: -32_602, message } })

const appendEntry = (ledger: Ledger.Ledger, entry: Ledger.Entry): void => {
  ledger.log = [...ledger.log, entry]
}

/** The limit of blocks in one call: more would block the chain for minutes. */
const MAX_BLOCKS = 1_000_000

/** The parameters of `evm_mine` and of `anvil_mine`, which differ. */
const parseMineParams = (
  method: string,
  [first, second]: ReadonlyArray<unknown>
): {
  readonly count: number | undefined
  readonly at?: number | undefined
  readonly step?: number | undefined
} => {
  if (!/^evm_|detailed/i.test(method))
    return {
      count: first === undefined || first === null ? 1 : parseNumber(first),
      step: second === undefined || second === null ? undefined : parseNumber(second)
    }
  if (typeof first !== "object" || first === null)
    return {
      count: first === undefined || parseNumber(first) !== undefined ? 1 : undefined,
      at: parseNumber(first)
    }
  const blocks: unknown = Reflect.get(first, "blocks")
  return {
    count: blocks === undefined || blocks === null ? 1 : parseNumber(blocks),
    at: parseNumber(Reflect.get(first, "timestamp"))
  }
}

const readBlocks = (
  node: Ledger.Follower,
  count: number
): Effect.Effect<ReadonlyArray<unknown>, SandboxError> =>
  Effect.gen(function* () {
    const ask = (method: string, ...params: ReadonlyArray<unknown>) =>
      Effect.map(callJsonRpc(node.anvil.url, { method, params }), (answer): unknown =>
        Reflect.get(answer, "result")
      )
    const height = Number(yield* ask("eth_blockNumber"))
    return yield* Effect.forEach(
      Array.from({ length: count }, (_, i) => height - count + 1 + i),
      (number) => ask("eth_getBlockByNumber", `0x${number.toString(16)}`, true)
    )
  })

const mineBlocks = (
  { ledger, node, catchUpAll }: ChangingChain,
  method: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<CheatAnswer, SandboxError> =>
  Effect.gen(function* () {
    const { at, count, step } = parseMineParams(method, params)
    if (count === undefined || count > MAX_BLOCKS)
      return makeInvalidParams(`${method}: a number of blocks up to ${MAX_BLOCKS} is expected`)
    if (at !== undefined && at < ledger.clock.latest)
      return makeInvalidParams(`Timestamp error: ${at} is lower than previous block's timestamp`)
    if (count > 0) {
      appendEntry(ledger, { blocks: Ledger.takeBlockTimes(ledger, count, { at, step }) })
      yield* catchUpAll
    }
    if (/detailed/i.test(method)) return { result: yield* readBlocks(node, count) }
    return { result: method === "evm_mine" ? "0x0" : null }
  })

/** Applies a cheat code to the chain's clock, after the nodes have accepted it. */
const applyTimeCheat = (ledger: Ledger.Ledger, name: string, [first]: ReadonlyArray<unknown>): void => {
  const seconds = parseNumber(first)
  const { exact, interval, ...clock } = ledger.clock
  const kept = interval === undefined ? {} : { interval }
  if (seconds === undefined) return
  if (name === "increaseTime") ledger.clock = { ...ledger.clock, offset: clock.offset + seconds }
  if (name === "setTime") ledger.clock = { ...clock, ...kept, offset: seconds - Ledger.nowSeconds() }
  if (name === "setNextBlockTimestamp") ledger.clock = { ...clock, ...kept, exact: seconds }
}

/**
 * Forwards a cheat code unchanged to one node. If that node accepts it, all others get it too; if not, its refusal is
 * the answer.
 */
const forwardCheat = (
  { ledger, node, catchUpAll }: ChangingChain,
  sent: JsonRpcCall,
  name: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<object, SandboxError> =>
  Effect.gen(function* () {
    const answer = yield* callJsonRpc(node.anvil.url, sent)
    if ("error" in answer) return answer
    const entry: Ledger.Entry = {
      cheat: { method: sent.method, params: sent.params ?? [] },
      lasting: LASTING_CHEATS.test(name)
    }
    appendEntry(ledger, entry)
    node.applied.push({ entry })
    if (/time/i.test(name)) applyTimeCheat(ledger, name, params)
    else yield* Ledger.syncClock(ledger, node)
    yield* catchUpAll
    return answer
  })

const setBlockInterval = (ledger: Ledger.Ledger, seconds: number | undefined): void => {
  const { interval: _, ...clock } = ledger.clock
  ledger.clock = seconds === undefined ? clock : { ...clock, interval: seconds }
}

/** Answers the cheat codes of the chain itself; undefined for all others. */
const answerOwn = (
  changing: ChangingChain,
  method: string,
  name: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<CheatAnswer, SandboxError> | undefined => {
  const { ledger, node, startMining, catchUpAll } = changing
  const [first] = params
  const done = (result: unknown): Effect.Effect<CheatAnswer> => Effect.as(catchUpAll, { result })
  switch (name.toLowerCase()) {
    case "mine":
    case "mine_detailed":
      return mineBlocks(changing, method, params)
    case "snapshot":
      return Effect.flatMap(Ledger.takeSnapshot(ledger, node), done)
    case "revert":
      return Effect.suspend(() => done(Ledger.revertToSnapshot(ledger, first)))
    case "setblocktimestampinterval": {
      const seconds = parseNumber(first)
      if (seconds === undefined)
        return Effect.succeed(makeInvalidParams(`${method}: a number of seconds is expected`))
      setBlockInterval(ledger, seconds)
      return done(null)
    }
    case "removeblocktimestampinterval": {
      const was = ledger.clock.interval !== undefined
      setBlockInterval(ledger, undefined)
      return done(was)
    }
    case "getautomine":
      return done(ledger.automine)
    case "getintervalmining":
      return done(ledger.blockTimeSeconds ?? null)
    case "setautomine":
      if (typeof first !== "boolean")
        return Effect.succeed(makeInvalidParams(`${method}: true or false is expected`))
      ledger.automine = first
      if (first) ledger.blockTimeSeconds = undefined
      return Effect.zipRight(startMining, done(null))
    case "setintervalmining": {
      const seconds = parseNumber(first)
      if (seconds === undefined)
        return Effect.succeed(makeInvalidParams(`${method}: a number of seconds is expected`))
      ledger.automine = false
      ledger.blockTimeSeconds = seconds === 0 ? undefined : seconds
      return Effect.zipRight(startMining, done(null))
    }
    default:
      return undefined
  }
}

/**
 * Answers a cheat code once all running nodes have it. No other change of the chain may run meanwhile.
 *
 * @since 0.1.0
 * @category operations
 */
export const answerCheat = (
  changing: ChangingChain,
  sent: JsonRpcCall
): Effect.Effect<object, SandboxError> =>
  Effect.gen(function* () {
    const name = CHEAT_CODE.exec(sent.method)?.[2] ?? ""
    const params: ReadonlyArray<unknown> = Array.isArray(sent.params) ? sent.params : []
    if (name === "reset") {
      Ledger.resetLedger(changing.ledger)
      yield* changing.catchUpAll
      // a fork's chain begins with the state of another chain
      const forking: unknown = Reflect.get(Object(params[0]), "forking")
      if (forking === undefined || forking === null)
        return { jsonrpc: "2.0", id: sent.id ?? null, result: null }
    }
    const said = answerOwn(changing, sent.method, name, params)
    if (said === undefined) return yield* forwardCheat(changing, sent, name, params)
    return { jsonrpc: "2.0", id: sent.id ?? null, ...(yield* said) }
  })
