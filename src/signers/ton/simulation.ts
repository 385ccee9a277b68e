/** What a payment of TON would change: the messages that a node's emulator lets follow from it, contract by contract. */
import * as Effect from "effect/Effect"
import { caip2IdIn, tvm } from "../../data/caip2.js"
import { hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { type NodeError, reasonOf } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError, parseWhole, withAgreement } from "../evidence.js"
import type { Prepared, ReadError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import {
  type Delta,
  failsBecause,
  findUnknownField,
  orRefusal,
  type SimulatedOutcome,
  type SimulateError,
  toChanges
} from "../simulation.js"
import type { CellsModule } from "./accounts.js"
import { formatAddress, parseAddress } from "./address.js"
import type { WalletContract } from "./cells.js"
import { loadCells } from "./loadCells.js"
import { nowSeconds, VALID_SECONDS } from "./reading.js"
import type { TonCalls, TonTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Nodes with the API of `/v2` have an emulator.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonSimulationCalls extends Pick<TonCalls, "getAddressInformation" | "runGetMethod"> {
  readonly emulateMessageToTrace: (
    body: { readonly boc: string },
    ignoreSignatureCheck?: boolean
  ) => Effect.Effect<object, ReadError>
}

/**
 * A client of TON, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonSimulationClient {
  readonly network: string
  readonly rpc: TonSimulationCalls
}

const METHOD = "/v2/traces/emulate"

/** A message between contracts. Addresses are raw. */
interface Message {
  readonly source: string
  readonly destination: string
  readonly value: bigint
  readonly forwardFee: bigint
  readonly body: string
}

/** What a contract does with a message: whether it succeeds, and what it sends. */
interface Step {
  readonly account: string
  readonly succeeds: boolean
  readonly fees: bigint
  readonly received: Message | undefined
  readonly sent: ReadonlyArray<Message>
}

const toRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

const listOf = (value: unknown): ReadonlyArray<unknown> => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new TypeError("a list was expected")
}

const readAmount = (value: unknown): bigint => {
  const amount = parseWhole(value)
  if (amount === undefined) throw new TypeError("a transaction of the trace has no amount")
  return amount
}

const readAddress = (value: unknown): string => {
  const { address } = toRecord(value)
  if (typeof address !== "string" || !/^-?\d{1,3}:[0-9a-f]{64}$/i.test(address))
    throw new TypeError("a message of the trace has no account")
  return address.toLowerCase()
}

const parseMessage = (message: unknown): Message | undefined => {
  const { destination, fwd_fee, msg_type, raw_body, source, value } = toRecord(message)
  return msg_type === "int_msg"
    ? {
        source: readAddress(source),
        destination: readAddress(destination),
        value: readAmount(value),
        forwardFee: readAmount(fwd_fee),
        body: typeof raw_body === "string" ? raw_body : ""
      }
    : undefined
}

/** The longest trace that is read: no payment has more steps. */
const MAX_STEPS = 256

/** Reads a trace, the account's own step first. Throws on what is none. */
const parseTrace = (answer: unknown): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  const visit = (trace: unknown): void => {
    const { children, transaction } = toRecord(trace)
    const { aborted, account, in_msg, out_msgs, success, total_fees } = toRecord(transaction)
    if (typeof success !== "boolean" || typeof aborted !== "boolean" || steps.length >= MAX_STEPS)
      throw new TypeError("a transaction of the trace does not say whether it succeeds")
    steps.push({
      account: readAddress(account),
      succeeds: success && !aborted,
      fees: readAmount(total_fees),
      received: parseMessage(in_msg),
      sent: listOf(out_msgs).flatMap((each) => parseMessage(each) ?? [])
    })
    for (const child of listOf(children)) visit(child)
  }
  visit(answer)
  return steps
}

const sumOf = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** What a step costs its account besides what it sends. */
const costOf = ({ fees, sent }: Step): bigint => fees + sumOf(sent.map(({ forwardFee }) => forwardFee))

/** Tokens on their way: from one wallet of them to another one, and the word to their new owner (TEP-74). */
const INTERNAL_TRANSFER = 0x178d4519
const TRANSFER_NOTIFICATION = 0x7362d09c

/** The amount of tokens in a message of an operation; undefined if it is another message. */
const readTokens = (cells: CellsModule, { body }: Message, operation: number): bigint | undefined => {
  if (!/^([0-9a-f]{2})+$/i.test(body)) return undefined
  const found = cells.parseOperation(hexToBytes(body))
  return found?.operation === operation ? found.amount : undefined
}

/** What a trace does to the tokens of a payment: those that its own wallet of them sends, and those that owners hear of. */
const readTokenDeltas = (
  cells: CellsModule,
  steps: ReadonlyArray<Step>,
  own: string,
  { master, wallet }: { readonly master: string; readonly wallet: string }
): ReadonlyArray<Delta> => {
  const from = steps.filter(({ account, succeeds }) => account === wallet && succeeds)
  const ways = from.flatMap(({ sent }) =>
    sent.flatMap((message) => {
      const units = readTokens(cells, message, INTERNAL_TRANSFER)
      return units === undefined ? [] : [{ wallet: message.destination, units }]
    })
  )
  return ways.flatMap(({ units, wallet: to }) => {
    const arrival = steps.find(
      ({ account, received, succeeds }) => account === to && received?.source === wallet && succeeds
    )
    // what does not arrive comes back
    if (arrival === undefined) return []
    const heard = arrival.sent.flatMap((message) => {
      const got = readTokens(cells, message, TRANSFER_NOTIFICATION)
      return got === undefined ? [] : [{ address: message.destination, token: master, units: got }]
    })
    return [{ address: own, token: master, units: -units }, ...heard]
  })
}

/** What a trace does to coins. Fees of the account and of the receiver are not in it; what contracts on the way burn is. */
const readCoinDeltas = (steps: ReadonlyArray<Step>, ends: ReadonlyArray<string>): ReadonlyArray<Delta> =>
  steps.map((step) => ({
    address: step.account,
    units:
      (step.received?.value ?? 0n) -
      sumOf(step.sent.map(({ value }) => value)) -
      (ends.includes(step.account) ? 0n : costOf(step))
  }))

/** The accounts of a payment, raw: its own, the one that it pays, and those of its tokens. */
interface Parties {
  readonly own: string
  readonly to: string
  readonly token?: { readonly master: string; readonly wallet: string }
}

/** The parties of a preview, whose fields may come from anywhere. */
const readParties = (
  { from, to, transaction }: Prepared<TonTransaction>,
  isTest: boolean
): Effect.Effect<Parties, ReadError> => {
  const rawOf = (address: string): string | undefined => {
    const found = parseAddress(address, isTest)
    return typeof found === "string" ? undefined : found.raw.toLowerCase()
  }
  const { amount, token } = transaction
  const [own, receiver] = [rawOf(from), rawOf(to)]
  const [master, wallet] = [rawOf(token?.master ?? from), rawOf(token?.wallet ?? from)]
  const amounts = [amount, token?.attached ?? 0n, token?.forward ?? 0n]
  if (amounts.some((each) => typeof each !== "bigint" || each < 0n))
    return Effect.fail(invalidArgument("simulate", "amounts of its transaction must be bigint"))
  return own === undefined || receiver === undefined || master === undefined || wallet === undefined
    ? Effect.fail(invalidArgument("simulate", "its addresses are none of TON"))
    : Effect.succeed({ own, to: receiver, ...(token === undefined ? {} : { token: { master, wallet } }) })
}

/** The contract of an account, by the key that it names, and its number. */
const readContract = (
  { rpc }: TonSimulationClient,
  cells: CellsModule,
  own: string,
  isTest: boolean
): Effect.Effect<{ readonly contract: WalletContract; readonly seqno: number } | undefined, ReadError> =>
  Effect.gen(function* () {
    const { result: state } = yield* rpc.getAddressInformation(own)
    if (state.state !== "active") return undefined
    const { result } = yield* rpc.runGetMethod({ address: own, method: "get_public_key", stack: [] })
    return yield* Effect.try({
      try: () => {
        const digits = BigInt(String(result.stack[0]?.[1])).toString(16).padStart(64, "0")
        const contract = (["v5", "v4"] as const)
          .map((version) => cells.makeContract(hexToBytes(digits), version, isTest))
          .find(({ raw }) => raw.toLowerCase() === own)
        const seqno = contract?.readSeqno(state.code, state.data)
        if (contract === undefined || seqno === undefined)
          throw new TypeError(`${own} is no wallet of its key`)
        return { contract, seqno }
      },
      catch: (error): NodeError => makeMalformedError("get_public_key", reasonOf(error))
    })
  })

/** Whether the account's own step sends what was asked for, and nothing else. Throws if it is another one. */
const checkOwnStep = (
  step: Step | undefined,
  { own, to, token }: Parties,
  transaction: TonTransaction
): void => {
  const [message, ...others] = step?.sent ?? []
  const { amount, sweeps = false } = transaction
  const isAsked =
    step?.account === own &&
    step.received === undefined &&
    others.length === 0 &&
    (message === undefined ||
      (message.destination === (token?.wallet ?? to) &&
        (sweeps || message.value === (transaction.token?.attached ?? amount))))
  if (!isAsked) throw new TypeError("it is the trace of another message")
}

/** Why a payment does not come to what it is for; undefined if it does. */
const findFailure = (
  steps: ReadonlyArray<Step>,
  { token }: Parties,
  deltas: ReadonlyArray<Delta>
): string | undefined => {
  const [own] = steps
  if (own?.succeeds !== true) return "the account's contract fails"
  if (own.sent.length === 0) return "the account's contract sends nothing: it has too little"
  return token !== undefined && deltas.length === 0 ? "the transfer of the tokens fails" : undefined
}

const outlineOf = (steps: ReadonlyArray<Step>): string =>
  JSON.stringify(
    steps.map(({ account, sent, succeeds }) => [
      account,
      succeeds,
      sent.map(({ body, destination }) => [destination, body])
    ])
  )

const FIELDS = ["from", "to", "amount", "bounce", "memo", "token", "sweeps", "seqno", "validUntil"] as const

/** Simulates a prepared payment of TON. */
export const simulate = (
  client: TonSimulationClient,
  row: NetworkRow,
  prepared: Prepared<TonTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const { network, rpc } = client
    const { from, to, transaction } = prepared
    const { testnet: isTest = false } = row
    const problem = findUnknownField(transaction, FIELDS)
    if (problem !== undefined) return yield* invalidArgument("simulate", problem)
    const parties = yield* readParties(prepared, isTest)
    const cells = yield* loadPeer("@ton/core @ton/crypto @ton/ton buffer", loadCells)
    const found = yield* readContract(client, cells, parties.own, isTest)
    if (found === undefined)
      return yield* invalidArgument(
        "simulate",
        "the account's contract is not there yet: its first payment makes it, and cannot be tried before"
      )
    const { contract, seqno } = found
    const order = { seqno: transaction.seqno ?? seqno, validUntil: (yield* nowSeconds) + VALID_SECONDS }
    const boc = yield* Effect.tryPromise({
      try: () => contract.makeTrialMessage(transaction, order),
      catch: (error) => invalidArgument("simulate", reasonOf(error))
    })
    const answer = yield* orRefusal(
      withAgreement(
        rpc.emulateMessageToTrace({ boc }, true),
        (one, other) => outlineOf(parseTrace(one)) === outlineOf(parseTrace(other))
      ),
      METHOD
    )
    if ("refusal" in answer) return failsBecause(String(answer.refusal), METHOD)
    const { deltas, fee, reason } = yield* Effect.try({
      try: () => {
        const steps = parseTrace(answer)
        checkOwnStep(steps[0], parties, transaction)
        const { own, to: receiver, token } = parties
        const tokens = token === undefined ? [] : readTokenDeltas(cells, steps, own, token)
        return {
          deltas: [...readCoinDeltas(steps, [own, receiver]), ...tokens],
          fee: sumOf(steps.filter(({ account }) => account === own).map(costOf)),
          reason: findFailure(steps, parties, tokens)
        }
      },
      catch: (error): NodeError => makeMalformedError(METHOD, reasonOf(error))
    })
    if (reason !== undefined) return failsBecause(reason, METHOD)
    const spell = (raw: string): string =>
      raw === parties.own
        ? from
        : raw === parties.to
          ? to
          : formatAddress({ raw, isBounceable: true }, isTest)
    const named = deltas.map((delta) => ({
      ...delta,
      address: spell(delta.address),
      ...(delta.token === undefined ? {} : { token: transaction.token?.master ?? delta.token })
    }))
    return {
      succeeds: true,
      changes: toChanges(
        named,
        row,
        prepared,
        (master) => `${caip2IdIn("tvm", tvm, network)}/jetton:${master}`
      ),
      approvals: [],
      warnings: [],
      method: METHOD,
      receiver: parties.to === parties.own ? from : to,
      fee,
      // of coins that pay the way of tokens, the rest returns
      ...(transaction.token === undefined ? {} : { comesBack: true })
    }
  })
