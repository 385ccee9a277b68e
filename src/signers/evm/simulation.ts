/** What a transaction of an EVM chain would change: by `eth_simulateV1`, or by a trace of its calls where nodes lack that. */
import * as Effect from "effect/Effect"
import { classify } from "../../chains/evm/endpoints.js"
import type {
  Block,
  Hex,
  OptionalBlock,
  Simulation as SimulationPayload,
  TraceCallOptions,
  TransactionRequest
} from "../../chains/evm/Types.js"
import { hexBytes } from "../../data/bytes.js"
import { caip2IdOfChainId } from "../../data/caip2.js"
import { checksumAddress } from "../../data/evmAddress.js"
import type { NetworkRow } from "../../data/Network.js"
import { describeRevertData } from "../../data/revert.js"
import type { InvalidArgument, NodeError } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord, sanitizeText } from "../../data/untrusted.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import type { Prepared, ReadError } from "../Signer.js"
import { checkBytes, invalidArgument } from "../signerChecks.js"
import type { Approval, BalanceChange, SimulatedOutcome, SimulateError } from "../simulation.js"
import { type TokenFacts, type TokenFactsError, toOutgoing } from "../tokens.js"
import { requestOf } from "./accounts.js"
import {
  ADDRESS,
  type Allowance,
  type Handover,
  isHex,
  type Movement,
  membersOf,
  parseLog,
  type ReadEvent,
  readEvent,
  warnOfHandovers,
  ZERO
} from "./events.js"
import { UNLIMITED_FROM } from "./payments.js"
import { BALANCE_OF, encodeWord, findToken, parseWord, saysRevert } from "./reading.js"
import type { EvmCalls, EvmTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Every client of an EVM chain has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmSimulationCalls extends Pick<EvmCalls, "call"> {
  readonly simulate: (payload: SimulationPayload, block?: OptionalBlock) => Effect.Effect<unknown, ReadError>
  readonly debugTraceCall: (
    transaction: TransactionRequest<string>,
    block: Block,
    options?: TraceCallOptions
  ) => Effect.Effect<unknown, ReadError>
}

/**
 * A client of an EVM chain, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmSimulationClient {
  readonly network: string
  readonly rpc: EvmSimulationCalls
}

/** What a run of the transaction has shown. `before` and `after` are the answers of the reads around it, if the method can do that. */
interface Run {
  readonly succeeds: boolean
  readonly reason?: string
  readonly movements: ReadonlyArray<Movement>
  readonly allowances: ReadonlyArray<Allowance>
  readonly handovers: ReadonlyArray<Handover>
  readonly before: ReadonlyArray<bigint | undefined>
  readonly after: ReadonlyArray<bigint | undefined>
}

/** A read of one number from a contract. */
interface StateRead {
  readonly to: string
  readonly data: string
}

/** Why a call has failed: what the contract says, or else the node. */
const reasonOfFailure = (output: unknown, message: unknown): string =>
  sanitizeText(
    (typeof output === "string" ? describeRevertData(output) : undefined) ??
      (typeof message === "string" && message !== "" ? message : "it would be reverted")
  )

/** What happens in a transaction, in the order of its events. */
type Happening = Pick<Run, "movements" | "allowances" | "handovers">

const happeningOf = (each: ReadonlyArray<ReturnType<ReadEvent>>): Happening => ({
  movements: each.flatMap(({ movements = [] }) => movements),
  allowances: each.flatMap(({ allowances = [] }) => allowances),
  handovers: each.flatMap(({ handovers = [] }) => handovers)
})

const NOTHING = { movements: [], allowances: [], handovers: [], before: [], after: [] } as const

/** Parses the answer of `eth_simulateV1` to one block: reads, the transaction, and the same reads again. Throws on other answers. */
const parseSimulation = (answer: unknown, reads: number): Run => {
  const [block] = membersOf(answer)
  const calls = membersOf(isRecord(block) ? block.calls : undefined)
  if (calls.length !== 2 * reads + 1)
    throw new TypeError(`${calls.length} of ${2 * reads + 1} calls are answered`)
  const words = calls.map((call) => (isRecord(call) ? parseWord(call.returnData) : undefined))
  const own = calls[reads]
  if (!isRecord(own) || (own.status !== "0x1" && own.status !== "0x0"))
    throw new TypeError("the transaction has no status")
  if (own.status === "0x0")
    return {
      ...NOTHING,
      succeeds: false,
      reason: reasonOfFailure(own.returnData, isRecord(own.error) ? own.error.message : undefined)
    }
  return {
    succeeds: true,
    ...happeningOf(membersOf(own.logs).map((log) => readEvent(parseLog(log)))),
    before: words.slice(0, reads),
    after: words.slice(reads + 1)
  }
}

/** The kinds of calls in traces whose value moves. That of `DELEGATECALL` is its caller's, and that of `CALLCODE` stays. */
const movingCalls = new Set(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"])

/** What happens in a call of a trace, and in the calls that it makes. What has failed leaves nothing behind. */
const happeningsIn = (frame: unknown): ReadonlyArray<ReturnType<ReadEvent>> => {
  if (!isRecord(frame) || typeof frame.type !== "string") throw new TypeError("a call of a trace has no type")
  if (frame.error !== undefined) return []
  const { from, to, type, value } = frame
  const units = isHex(value, /^0x[0-9a-f]{1,64}$/i) ? BigInt(value) : 0n
  const moves =
    units > 0n && movingCalls.has(type) && isHex(from, ADDRESS) && isHex(to, ADDRESS)
      ? [{ movements: [{ from: from.toLowerCase(), to: to.toLowerCase(), units }] }]
      : []
  return [
    ...moves,
    ...membersOf(frame.calls).flatMap(happeningsIn),
    ...membersOf(frame.logs).map((log) => readEvent(parseLog(log)))
  ]
}

/** Parses the answer of `debug_traceCall` with the tracer of calls. Throws on other answers. */
const parseTrace = (answer: unknown): Run => {
  const happening = happeningOf(happeningsIn(answer))
  const { error, output, revertReason } = isRecord(answer) ? answer : {}
  return error === undefined
    ? { ...NOTHING, ...happening, succeeds: true }
    : { ...NOTHING, succeeds: false, reason: reasonOfFailure(output, revertReason ?? error) }
}

/** What two nodes have to agree on: what moves and who may take it. Amounts may differ from one block to the next. */
const outlineOf = ({ allowances, handovers, movements, succeeds }: Run): string =>
  JSON.stringify([
    succeeds,
    handovers,
    movements.map(({ contract, from, to }) => [contract, from, to]),
    allowances.map(({ contract, given, owner, spender }) => [contract, owner, spender, given])
  ])

/** A way to run a transaction without sending it, around reads. */
interface Method {
  readonly name: string
  readonly run: (reads: ReadonlyArray<StateRead>) => Effect.Effect<Run, ReadError>
}

/** Runs a method whose answer is parsed. An answer that cannot be parsed is an error of the node. */
const runWith = (
  name: string,
  call: Effect.Effect<unknown, ReadError>,
  parse: (answer: unknown) => Run
): Effect.Effect<Run, ReadError> =>
  Effect.flatMap(
    withAgreement(call, (one, other) => outlineOf(parse(one)) === outlineOf(parse(other))),
    (answer): Effect.Effect<Run, NodeError> =>
      Effect.try({
        try: () => parse(answer),
        catch: (error) =>
          makeMalformedError(name, error instanceof Error ? error.message : "it cannot be read")
      })
  )

const SIMULATE = "eth_simulateV1"
const TRACE = "debug_traceCall"

const bySimulation = ({ rpc }: EvmSimulationClient, request: TransactionRequest<string>): Method => ({
  name: SIMULATE,
  run: (reads) =>
    runWith(
      SIMULATE,
      rpc.simulate(
        {
          blockStateCalls: [{ calls: [...reads, request, ...reads] }],
          traceTransfers: true
        },
        "latest"
      ),
      (answer) => parseSimulation(answer, reads.length)
    )
})

/** Traces have no reads around them: amounts and allowances are those of the events. */
const byTrace = ({ rpc }: EvmSimulationClient, request: TransactionRequest<string>): Method => ({
  name: TRACE,
  run: () =>
    runWith(
      TRACE,
      rpc.debugTraceCall(request, "latest", { tracer: "callTracer", tracerConfig: { withLog: true } }),
      parseTrace
    )
})

/** Whether a node lacks a method, or takes no such parameters. */
const lacksMethod = (error: ReadError): boolean =>
  error._tag === "RpcError" &&
  (error.code === -32_602 || classify({ code: error.code, message: error.rpcMessage }) === "elsewhere")

/** Nodes refuse a transaction that cannot even begin, such as one of an account without the coins for it. */
const runOrRefuse = ({ run }: Method, reads: ReadonlyArray<StateRead>): Effect.Effect<Run, ReadError> =>
  Effect.catchAll(run(reads), (error): Effect.Effect<Run, ReadError> => {
    if (error._tag !== "RpcError" || lacksMethod(error)) return Effect.fail(error)
    const { code, rpcMessage } = error
    return classify({ code, message: rpcMessage }) === "caller"
      ? Effect.succeed({ ...NOTHING, succeeds: false, reason: sanitizeText(rpcMessage) })
      : Effect.fail(error)
  })

/** The first run, by the first method that nodes have. */
const runFirst = (
  client: EvmSimulationClient,
  request: TransactionRequest<string>
): Effect.Effect<{ readonly method: Method; readonly run: Run }, ReadError> => {
  const runBy = (method: Method) => Effect.map(runOrRefuse(method, []), (run) => ({ method, run }))
  return Effect.catchIf(runBy(bySimulation(client, request)), lacksMethod, () =>
    Effect.catchIf(runBy(byTrace(client, request)), lacksMethod, (error) =>
      Effect.fail(
        invalidArgument(
          "simulate",
          `no node of the client has ${SIMULATE} or ${TRACE}, one of which it needs: ${error.message}`
        )
      )
    )
  )
}

/** The most balances that are read around the transaction. Those of more addresses are as the events say. */
const MAX_BALANCES = 64

/** `allowance(address,address)`. */
const ALLOWANCE = "0xdd62ed3e"

/** What an address has of something. */
interface Position extends Pick<Movement, "contract" | "item"> {
  readonly address: string
  readonly units: bigint
}

const keyOfPosition = ({ address, contract = "", item }: Omit<Position, "units">): string =>
  `${address} ${contract} ${item?.id ?? ""}`

/** The position of an address in a token before anything moves. */
const toEmpty = (address: string, contract: string): Position => ({
  address: address.toLowerCase(),
  contract: contract.toLowerCase(),
  units: 0n
})

/** The sums of movements by address and asset, as the events have them. New tokens come of the zero address, which has none. */
const sumMovements = (
  first: ReadonlyArray<Position>,
  movements: ReadonlyArray<Movement>
): Map<string, Position> => {
  const sums = new Map(first.map((position) => [keyOfPosition(position), position]))
  for (const { from, to, units, ...asset } of movements)
    for (const [address, change] of [
      [from, -units],
      [to, units]
    ] as const) {
      if (address === ZERO && asset.contract !== undefined) continue
      const key = keyOfPosition({ address, ...asset })
      sums.set(key, { address, ...asset, units: (sums.get(key)?.units ?? 0n) + change })
    }
  return sums
}

/** The last allowances that an account gives to others in the transaction. */
const lastAllowances = (account: string, allowances: ReadonlyArray<Allowance>): ReadonlyArray<Allowance> => {
  const last = new Map<string, Allowance>()
  for (const each of allowances) {
    const { contract, id, keeper = "", owner, spender, units } = each
    // an item has one spender, and a collection many
    const whose = id === undefined ? `${spender} ${units === undefined ? "all" : ""}` : `#${id}`
    if (owner === account) last.set(`${keeper} ${contract} ${whose}`, each)
  }
  return [...last.values()]
}

/** A read around the transaction, and what it is about. */
type Question =
  | { readonly position: Position; readonly read: StateRead }
  | { readonly allowance: Allowance; readonly read: StateRead }

/** What is read around the transaction: an event may say another amount than the contract keeps. */
const questionsOf = (
  positions: ReadonlyArray<Position>,
  allowances: ReadonlyArray<Allowance>
): ReadonlyArray<Question> => [
  ...positions.slice(0, MAX_BALANCES).flatMap((position): ReadonlyArray<Question> => {
    const { address, contract, item } = position
    return contract === undefined || item !== undefined
      ? []
      : [{ position, read: { to: contract, data: `${BALANCE_OF}${encodeWord(address)}` } }]
  }),
  ...allowances.flatMap((allowance): ReadonlyArray<Question> => {
    const { contract, keeper, owner, spender, units } = allowance
    const data = `${ALLOWANCE}${encodeWord(owner)}${encodeWord(spender)}`
    return units === undefined || keeper !== undefined ? [] : [{ allowance, read: { to: contract, data } }]
  })
]

/** Replaces what events say of balances and allowances by what the contracts keep, where both reads have an answer. */
const applyAnswers = (
  questions: ReadonlyArray<Question>,
  { after, before }: Run,
  positions: Map<string, Position>,
  allowances: ReadonlyArray<Allowance>
): { readonly positions: ReadonlyArray<Position>; readonly allowances: ReadonlyArray<Allowance> } => {
  let known = allowances
  for (const [at, question] of questions.entries()) {
    const [had, has] = [before[at], after[at]]
    if (had === undefined || has === undefined) continue
    if ("position" in question) {
      const { position } = question
      positions.set(keyOfPosition(position), { ...position, units: has - had })
      continue
    }
    const { contract, spender } = question.allowance
    // one that is spent by the transaction is none that it gives
    known = known.map((each) =>
      each.contract === contract &&
      each.spender === spender &&
      each.units !== undefined &&
      each.keeper === undefined
        ? { ...each, units: has, given: has > had }
        : each
    )
  }
  return { positions: [...positions.values()], allowances: known }
}

/** What a transaction does to balances and allowances of all who take part in it. */
const examine = (client: EvmSimulationClient, prepared: Prepared<EvmTransaction>, account: Hex) =>
  Effect.gen(function* () {
    // the nonce of a replacement is taken already, as nodes see it
    const { nonce: _, ...request } = requestOf(account, prepared.transaction)
    const { method, run: first } = yield* runFirst(client, request)
    const { to, token } = prepared
    // a token may keep balances without any event
    const paid = token === undefined ? [] : [account, to].map((address) => toEmpty(address, token))
    const positionsOf = ({ movements }: Run) => sumMovements(paid, movements)
    const givenIn = ({ allowances }: Run) => lastAllowances(account.toLowerCase(), allowances)
    const questions =
      first.succeeds && method.name === SIMULATE
        ? questionsOf([...positionsOf(first).values()], givenIn(first))
        : []
    const last =
      questions.length === 0
        ? first
        : // a node may take fewer calls at once: then it is as the events say
          yield* Effect.catchTag(
            runOrRefuse(
              method,
              questions.map(({ read }) => read)
            ),
            "RpcError",
            () => Effect.succeed(first)
          )
    const { allowances, positions } = applyAnswers(questions, last, positionsOf(last), givenIn(last))
    return {
      method: method.name,
      run: last,
      positions: positions.filter(({ units }) => units !== 0n),
      allowances: allowances.filter(({ given }) => given)
    }
  })

type ShownFacts = Pick<TokenFacts, "asset" | "symbol" | "warnings"> & { readonly decimals: number }

/** `supportsInterface(0xd9b67a26)`: whether a contract is one of ERC-1155. */
const SUPPORTS_ERC1155 = `0x01ffc9a7d9b67a26${"0".repeat(56)}`

/** Something that moves or may be taken, to be described: tokens, an `item`, or a whole collection. */
interface Described {
  readonly contract: string
  readonly item?: Movement["item"] | undefined
  readonly isCollection?: boolean
}

/** The facts of an asset. Items have no decimals, and what tells none is counted in its smallest unit. */
const readFacts = (
  { rpc }: EvmSimulationClient,
  row: NetworkRow,
  { contract, isCollection = false, item }: Described
): Effect.Effect<ShownFacts, TokenFactsError> => {
  const toFacts = (reference: string): ShownFacts => ({
    asset: `${caip2IdOfChainId(row)}/${reference}`,
    decimals: 0,
    warnings: []
  })
  if (item !== undefined) return Effect.succeed(toFacts(`${item.standard}:${contract}/${item.id}`))
  if (!isCollection)
    return Effect.map(findToken(rpc, row, contract), (found) => found ?? toFacts(`erc20:${contract}`))
  const answer = Effect.catchIf(rpc.call({ to: contract, data: SUPPORTS_ERC1155 }), saysRevert, () =>
    Effect.succeed("0x")
  )
  return Effect.map(answer, (said) => toFacts(`${parseWord(said) === 1n ? "erc1155" : "erc721"}:${contract}`))
}

/** How many contracts are asked for their facts at the same time. */
const FACTS_CONCURRENCY = 8

/** The allowance of a keeper such as Permit2, which has 160 bits, from which on it is one of any amount. */
const KEPT_UNLIMITED_FROM = 2n ** 159n

/** The transaction of a preview, whose fields may come from anywhere. */
const checkTransaction = (
  { from, transaction }: Prepared<EvmTransaction>,
  { chainId }: NetworkRow
): Effect.Effect<Hex, InvalidArgument> =>
  Effect.flatMap(
    checkBytes("simulate", () => {
      const { data, to } = transaction
      if (data !== undefined) hexBytes(data, "data")
      if (to !== undefined) hexBytes(to, "to", 20)
      // checked: text of 20 bytes
      return hexBytes(from, "from", 20) as Hex
    }),
    (account) => {
      const { gas, gasPrice = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, value } = transaction
      const amounts = [gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, value]
      if (amounts.some((each) => typeof each !== "bigint" || each < 0n))
        return Effect.fail(
          invalidArgument("simulate", "amounts and prices of its transaction must be bigint")
        )
      return transaction.chainId === chainId
        ? Effect.succeed(account)
        : Effect.fail(
            invalidArgument(
              "simulate",
              `its transaction is for the chain ${transaction.chainId}, not ${chainId}`
            )
          )
    }
  )

/** Simulates a prepared transaction of an EVM chain. */
export const simulate = (
  client: EvmSimulationClient,
  row: NetworkRow,
  prepared: Prepared<EvmTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const account = yield* checkTransaction(prepared, row)
    const { allowances, method, positions, run } = yield* examine(client, prepared, account)
    const spell = (address: string): string =>
      [prepared.from, prepared.to].find((each) => each.toLowerCase() === address) ?? checksumAddress(address)
    const warnings = new Set<string>()
    const toChange = ({ address, contract, item, units }: Position) => {
      const { decimals, symbol: asset } = row
      const whose = { address: spell(address), units }
      if (contract === undefined)
        return Effect.succeed<BalanceChange>({
          ...whose,
          asset,
          amount: Units.format(units, decimals),
          decimals
        })
      const token = checksumAddress(contract)
      return Effect.map(readFacts(client, row, { contract: token, item }), (facts): BalanceChange => {
        if (whose.address === prepared.from) for (const each of facts.warnings) warnings.add(each)
        return { ...toOutgoing(token, units, facts), ...whose, decimals: facts.decimals }
      })
    }
    const toApproval = ({ contract, id, keeper, spender: to, units }: Allowance) => {
      const token = checksumAddress(contract)
      const item = id === undefined ? undefined : ({ standard: "erc721", id } as const)
      return Effect.map(
        readFacts(client, row, {
          contract: token,
          isCollection: units === undefined && id === undefined,
          item
        }),
        (facts): Approval => {
          for (const each of facts.warnings) warnings.add(each)
          const { amount, ...shown } = toOutgoing(token, units ?? 1n, facts)
          const spender = spell(to)
          if (units === undefined && id === undefined)
            return { asset: facts.asset, token, spender, unlimited: true }
          return {
            ...shown,
            amount,
            spender,
            unlimited:
              units !== undefined && units >= (keeper === undefined ? UNLIMITED_FROM : KEPT_UNLIMITED_FROM)
          }
        }
      )
    }
    const all = { concurrency: FACTS_CONCURRENCY }
    const changes = yield* Effect.forEach(positions, toChange, all)
    const approvals = yield* Effect.forEach(allowances, toApproval, all)
    const { reason, succeeds } = run
    const isPayment = prepared.token !== undefined || prepared.transaction.data === undefined
    return {
      succeeds,
      ...(reason === undefined ? {} : { reason }),
      changes,
      approvals,
      warnings: [...warnOfHandovers(account.toLowerCase(), run.handovers, spell), ...warnings],
      method,
      ...(isPayment ? { receiver: prepared.to } : {})
    }
  })
