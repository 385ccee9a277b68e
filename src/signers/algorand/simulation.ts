/** What a transaction of Algorand would change: what a node says that it and the transactions inside of it move. */
import * as Effect from "effect/Effect"
import type { EncodedTransaction, SimulateRequest } from "../../chains/algorand/Types.js"
import { base64Of } from "../../data/base64.js"
import { caip2IdOfAlgorand } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import { type NodeError, NotSupportedForNetwork, reasonOf } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError, parseWhole, withAgreement } from "../evidence.js"
import type { Prepared, ReadError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import {
  type Delta,
  failsBecause,
  findUnknownField,
  movesOf,
  orRefusal,
  type SimulatedOutcome,
  type SimulateError,
  toChanges
} from "../simulation.js"
import { addressProblem } from "./address.js"
import { type Genesis, genesisOf } from "./networks.js"
import { isAssetId, isUint64, readValidity } from "./payments.js"
import type { AlgorandCalls, AlgorandTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Every client of algod has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandSimulationCalls extends Pick<AlgorandCalls, "getTransactionParams"> {
  readonly simulateTransaction: (
    request: SimulateRequest
  ) => Effect.Effect<{ readonly "txn-groups": ReadonlyArray<object> }, ReadError>
}

/**
 * A client of algod, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandSimulationClient {
  readonly network: string
  readonly rpc: AlgorandSimulationCalls
}

const METHOD = "/v2/transactions/simulate"

type Validity = Effect.Effect.Success<ReturnType<typeof readValidity>>

/** The fields of a transaction by their short names, as nodes take them. Those of zero are absent. */
const encodeFields = (
  { amount, fee, from, memo, to, token }: AlgorandTransaction,
  { firstValid, lastValid, lease }: Validity,
  { hash, id }: Genesis
): EncodedTransaction => ({
  ...(token === undefined
    ? { type: "pay", rcv: to, ...(amount === 0n ? {} : { amt: amount }) }
    : { type: "axfer", arcv: to, xaid: BigInt(token), ...(amount === 0n ? {} : { aamt: amount }) }),
  snd: from,
  fee,
  fv: firstValid,
  lv: lastValid,
  gen: id,
  gh: hash,
  lx: lease,
  ...(memo === undefined || memo === "" ? {} : { note: base64Of(new TextEncoder().encode(memo)) })
})

/** Fields that two transactions have to have in common, so that one of them is no other one than that which was asked about. */
const comparedFields = ["type", "snd", "rcv", "amt", "arcv", "aamt", "xaid", "fee"] as const

/** Fields which give away more than a payment does. */
const dangerousFields = ["close", "aclose", "rekey", "asnd"] as const

type Fields = Readonly<Record<string, unknown>>

const toRecord = (value: unknown): Fields => (isRecord(value) ? value : {})

const toList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A number of a node. An absent one is zero. */
const readNumber = (value: unknown): bigint => {
  const number = parseWhole(value ?? 0n)
  if (number === undefined) throw new TypeError("an amount is no number")
  return number
}

const readText = (value: unknown): string => {
  if (typeof value !== "string") throw new TypeError("a transaction has no account")
  return value
}

/** What a transaction moves with the transactions inside of it. */
const readMoves = (result: Fields): ReadonlyArray<Delta> => {
  const fields = toRecord(toRecord(result.txn).txn)
  const inner = toList(result["inner-txns"]).map(toRecord).flatMap(readMoves)
  const { aamt, aclose, amt, arcv, asnd, close, rcv, snd, type, xaid } = fields
  if (type === "pay")
    return [
      ...movesOf(readText(snd), readText(rcv), readNumber(amt)),
      ...(close === undefined
        ? []
        : movesOf(readText(snd), readText(close), readNumber(result["closing-amount"]))),
      ...inner
    ]
  if (type !== "axfer") return inner
  const token = String(readNumber(xaid))
  return [
    ...movesOf(readText(asnd ?? snd), readText(arcv), readNumber(aamt), token),
    ...(aclose === undefined
      ? []
      : movesOf(readText(snd), readText(aclose), readNumber(result["asset-closing-amount"]), token)),
    ...inner
  ]
}

/** What a node says of a transaction. */
interface Trial {
  readonly reason?: string
  readonly deltas: ReadonlyArray<Delta>
  readonly fee: bigint
}

/** Reads the answer to one transaction. Throws on one about another. */
const parseTrial = (answer: unknown, asked: EncodedTransaction): Trial => {
  const groups = toList(toRecord(answer)["txn-groups"]).map(toRecord)
  const [group] = groups
  if (group === undefined || groups.length !== 1) throw new TypeError("one group was expected")
  const reason = group["failure-message"]
  if (reason !== undefined)
    return { reason: typeof reason === "string" ? reason : "it would fail", deltas: [], fee: 0n }
  const results = toList(group["txn-results"]).map(toRecord)
  const [found] = results
  if (found === undefined || results.length !== 1) throw new TypeError("one transaction was expected")
  const result = toRecord(found["txn-result"])
  if (result["pool-error"] !== undefined && result["pool-error"] !== "")
    return { reason: String(result["pool-error"]), deltas: [], fee: 0n }
  const said = toRecord(toRecord(result.txn).txn)
  const isOther = comparedFields.some((name) => String(said[name] ?? 0n) !== String(asked[name] ?? 0n))
  if (isOther || dangerousFields.some((name) => said[name] !== undefined))
    throw new TypeError("it is the answer to another transaction")
  return {
    deltas: readMoves(result),
    fee: readNumber(found["fees-paid"] ?? said.fee)
  }
}

const outlineOf = ({ deltas, reason }: Trial): string =>
  JSON.stringify([
    reason === undefined,
    deltas.map(({ address, token, units }) => [address, token, String(units)])
  ])

/** Why a transaction of a preview, whose fields may come from anywhere, is none; undefined if it is one. */
const findProblem = ({ amount, fee, from, to, token }: AlgorandTransaction): string | undefined => {
  if (![amount, fee].every(isUint64)) return "amount and fee of its transaction must be bigints of 64 bits"
  if (token !== undefined && !isAssetId(token)) return "its token is no asset"
  return [from, to].some((each) => addressProblem(each) !== undefined)
    ? "its addresses are none of Algorand"
    : undefined
}

const FIELDS = ["from", "to", "amount", "token", "fee", "memo", "firstValid", "lastValid", "lease"] as const

/** Simulates a prepared transaction of Algorand. */
export const simulate = (
  { network, rpc }: AlgorandSimulationClient,
  row: NetworkRow,
  prepared: Prepared<AlgorandTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const { to, transaction } = prepared
    const genesis = genesisOf(network)
    if (genesis === undefined) return yield* new NotSupportedForNetwork({ network, feature: "simulation" })
    const problem = findUnknownField(transaction, FIELDS) ?? findProblem(transaction)
    if (problem !== undefined) return yield* invalidArgument("simulate", problem)
    const asked = encodeFields(transaction, yield* readValidity({ network, genesis, rpc }), genesis)
    const answer = yield* orRefusal(
      withAgreement(
        rpc.simulateTransaction({
          "txn-groups": [{ txns: [{ txn: asked }] }],
          "allow-empty-signatures": true
        }),
        (one, other) => outlineOf(parseTrial(one, asked)) === outlineOf(parseTrial(other, asked))
      ),
      METHOD
    )
    if ("refusal" in answer) return failsBecause(answer.refusal, METHOD)
    const { deltas, fee, reason } = yield* Effect.try({
      try: () => parseTrial(answer, asked),
      catch: (error): NodeError => makeMalformedError(METHOD, reasonOf(error))
    })
    if (reason !== undefined) return failsBecause(reason, METHOD)
    const assetOf = (id: string): string => `${caip2IdOfAlgorand(genesis.hash)}/asa:${id}`
    return {
      succeeds: true,
      changes: toChanges(deltas, row, prepared, assetOf),
      approvals: [],
      warnings: [],
      method: METHOD,
      receiver: to,
      fee
    }
  })
