/** What a transaction of Tron would change: the events and payments of the call that it makes, as a node runs it; and what both accounts have. */
import * as Effect from "effect/Effect"
import { caip2IdOfChainId } from "../../data/caip2.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import type { NetworkRow } from "../../data/Network.js"
import { type NodeError, reasonOf } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError, parseWhole, withAgreement } from "../evidence.js"
import {
  type Allowance,
  type Handover,
  type Movement,
  membersOf,
  parseLog,
  readEvent,
  warnOfHandovers,
  ZERO
} from "../evm/events.js"
import type { Prepared, ReadError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import {
  type Approval,
  type Delta,
  failsBecause,
  findUnknownField,
  movesOf,
  orRefusal,
  type SimulatedOutcome,
  type SimulateError,
  toChanges
} from "../simulation.js"
import { toOutgoing } from "../tokens.js"
import { addressProblem, decodeAddress, encodeAddress, toBase58Address } from "./address.js"
import { computeEnergyFee, parseConstantCall, readPrices } from "./calls.js"
import { readOwnAccount } from "./payments.js"
import type { TronCalls, TronTransaction } from "./Types.js"

type ConstantAnswer = Effect.Effect.Success<ReturnType<TronCalls["triggerConstantContract"]>> & {
  readonly logs?: ReadonlyArray<object>
  readonly internal_transactions?: ReadonlyArray<object>
}

type AccountAnswer = Effect.Effect.Success<ReturnType<TronCalls["getAccount"]>> & { readonly type?: string }

/**
 * The calls that a simulation needs. Every client of Tron has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronSimulationCalls extends Pick<TronCalls, "getChainParameters"> {
  readonly getAccount: (
    address: string,
    options?: { readonly visible?: boolean }
  ) => Effect.Effect<AccountAnswer, ReadError>
  readonly triggerConstantContract: (
    owner: string,
    contract: string,
    functionSelector: string,
    parameter: string,
    options?: { readonly visible?: boolean; readonly callValue?: bigint; readonly data?: string }
  ) => Effect.Effect<ConstantAnswer, ReadError>
}

/**
 * A client of Tron, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronSimulationClient {
  readonly network: string
  readonly rpc: TronSimulationCalls
}

const CALL_METHOD = "triggerconstantcontract"
const PAYMENT_METHOD = "getaccount"
const VISIBLE = { visible: true }

/** What a call does. `areEventsShown` is false where the node shows no events at all. */
interface Trial {
  readonly deltas: ReadonlyArray<Delta>
  readonly allowances: ReadonlyArray<Allowance>
  readonly handovers: ReadonlyArray<Handover>
  readonly areEventsShown: boolean
}

/** An address of a node's answer: in Base58, with its first byte, or without it as events have it. */
const parseAddress = (value: unknown): string => {
  const text = String(value)
  const own = /^(?:0x|41)?([0-9a-f]{40})$/i.exec(text)?.[1]
  if (own !== undefined) return encodeAddress(hexToBytes(own))
  if (addressProblem(text) !== undefined) throw new TypeError("an account is none of Tron")
  return toBase58Address(text)
}

const withPrefix = (hex: unknown): unknown => (typeof hex === "string" ? `0x${hex}` : hex)

/** An address as events of EVM chains have it. */
const toEvmAddress = (address: string): string => `0x${bytesToHex(decodeAddress(address).subarray(1))}`

/** An event in the form of EVM chains, whose events these are. */
const toEvmLog = (log: unknown): unknown => {
  const { address, data = "", topics } = isRecord(log) ? log : {}
  return {
    address: toEvmAddress(parseAddress(address)),
    data: withPrefix(data),
    topics: membersOf(topics).map(withPrefix)
  }
}

const toDeltas = ({ contract, from, item, to, units }: Movement): ReadonlyArray<Delta> => {
  if (contract === undefined) return []
  const token = `${parseAddress(contract)}${item === undefined ? "" : `/${item.id}`}`
  // new tokens come from the zero address, which has none
  return movesOf(from, to, units, token)
    .filter(({ address }) => address !== ZERO)
    .map((delta) => ({ ...delta, address: parseAddress(delta.address) }))
}

/** The coins that contracts pay while they run. */
const readInternal = (internal: unknown): ReadonlyArray<Delta> => {
  const { caller_address, callValueInfo, rejected, transferTo_address } = isRecord(internal) ? internal : {}
  if (rejected === true || transferTo_address === undefined) return []
  return membersOf(callValueInfo).flatMap((each) => {
    const { callValue = 0n, tokenId } = isRecord(each) ? each : {}
    const units = parseWhole(callValue)
    if (units === undefined) throw new TypeError("a payment of a contract has no amount")
    return tokenId === undefined && units > 0n
      ? movesOf(parseAddress(caller_address), parseAddress(transferTo_address), units)
      : []
  })
}

/** Reads what a node shows of a call. Throws on other answers. */
const parseTrial = ({ internal_transactions, logs }: ConstantAnswer): Trial => {
  const events = membersOf(logs).map((log) => readEvent(parseLog(toEvmLog(log))))
  return {
    deltas: [
      ...membersOf(internal_transactions).flatMap(readInternal),
      ...events.flatMap(({ movements = [] }) => movements.flatMap(toDeltas))
    ],
    allowances: events.flatMap(({ allowances = [] }) => allowances),
    handovers: events.flatMap(({ handovers = [] }) => handovers),
    areEventsShown: logs !== undefined
  }
}

/** What two nodes have to agree on: what moves and who may take it. */
const outlineOf = ({ allowances, deltas, handovers }: Trial): string =>
  JSON.stringify([
    handovers,
    deltas.map(({ address, token }) => [address, token]),
    allowances.map(({ contract, given, owner, spender }) => [contract, given, owner, spender])
  ])

/** The allowance from which on it is one of any amount, in effect. */
const UNLIMITED_FROM = 2n ** 255n

/** What others may take of the account afterwards: the last word of each contract counts. */
const toApprovals = (
  { from, outgoing }: Prepared<TronTransaction>,
  allowances: ReadonlyArray<Allowance>,
  assetOf: (token: string) => string
): ReadonlyArray<Approval> => {
  const last = new Map<string, Allowance>()
  for (const each of allowances) last.set(`${each.contract} ${each.spender} ${each.id ?? ""}`, each)
  return [...last.values()]
    .filter(({ given, owner }) => given && parseAddress(owner) === from)
    .map(({ contract, id, spender: to, units }): Approval => {
      const token = parseAddress(contract)
      const spender = parseAddress(to)
      const shown = outgoing.find((each) => each.token === token)
      if (units === undefined && id === undefined)
        return { asset: assetOf(token), token, spender, unlimited: true }
      const item = id === undefined ? token : `${token}/${id}`
      const facts = shown ?? { asset: assetOf(item), decimals: 0 }
      return {
        ...toOutgoing(token, units ?? 1n, { asset: facts.asset, decimals: facts.decimals ?? 0 }),
        spender,
        unlimited: units !== undefined && units >= UNLIMITED_FROM
      }
    })
}

/** Why the account cannot pay what it takes; undefined if it can. */
const readCoinsProblem = (
  rpc: TronSimulationCalls,
  row: NetworkRow,
  { amount, fee, from, token }: Prepared<TronTransaction>
): Effect.Effect<string | undefined, ReadError> =>
  Effect.map(readOwnAccount({ address: from, rpc }), ({ balance }) => {
    const spent = fee + (token === undefined ? amount : 0n)
    const show = (sun: bigint) => `${Units.format(sun, row.decimals)} ${row.symbol}`
    return spent > balance ? `it takes ${show(spent)}, and the account has ${show(balance)}` : undefined
  })

/** A payment of coins calls nothing: the chain takes it if the account has them, and if the receiver is no contract. */
const simulatePayment = (
  { rpc }: TronSimulationClient,
  row: NetworkRow,
  prepared: Prepared<TronTransaction>
): Effect.Effect<SimulatedOutcome, ReadError> =>
  Effect.gen(function* () {
    const { amount, fee, from, to } = prepared
    const [problem, receiver] = yield* Effect.all(
      [readCoinsProblem(rpc, row, prepared), rpc.getAccount(to, VISIBLE)],
      { concurrency: "unbounded" }
    )
    const reason =
      problem ??
      (receiver?.type === "Contract"
        ? "the receiver is a contract, which takes coins by calls only"
        : undefined)
    if (reason !== undefined) return failsBecause(reason, PAYMENT_METHOD)
    return {
      succeeds: true,
      changes: toChanges(movesOf(from, to, amount), row, prepared, String),
      approvals: [],
      warnings: [],
      method: PAYMENT_METHOD,
      receiver: to,
      fee
    }
  })

const NO_EVENTS =
  "The node shows no events of the call, or there are none: what it does to tokens cannot be told."

const simulateCall = (
  { rpc }: TronSimulationClient,
  row: NetworkRow,
  prepared: Prepared<TronTransaction>,
  data: string
): Effect.Effect<SimulatedOutcome, ReadError> =>
  Effect.gen(function* () {
    const { from, to, transaction } = prepared
    const { amount, feeLimit = 0n, token } = transaction
    const contract = token ?? to
    const value = token === undefined ? amount : 0n
    const call = rpc.triggerConstantContract(from, contract, "", "", {
      visible: true,
      data,
      ...(value === 0n ? {} : { callValue: value })
    })
    const answer = yield* orRefusal(
      withAgreement(call, (one, other) => outlineOf(parseTrial(one)) === outlineOf(parseTrial(other))),
      CALL_METHOD
    )
    if ("refusal" in answer) return failsBecause(answer.refusal, CALL_METHOD)
    const { energy, refusal } = yield* parseConstantCall(answer)
    const reason = refusal ?? (yield* readCoinsProblem(rpc, row, prepared))
    if (reason !== undefined) return failsBecause(reason, CALL_METHOD)
    const trial = yield* Effect.try({
      try: () => parseTrial(answer),
      catch: (error): NodeError => makeMalformedError(CALL_METHOD, reasonOf(error))
    })
    const burnt = computeEnergyFee(yield* readPrices(rpc), energy)
    const show = (sun: bigint) => `${Units.format(sun, row.decimals)} ${row.symbol}`
    const assetOf = (each: string): string =>
      `${caip2IdOfChainId(row)}/${each.includes("/") ? "trc721" : "trc20"}:${each}`
    const paid = value === 0n ? [] : movesOf(from, contract, value)
    return {
      succeeds: true,
      changes: toChanges([...paid, ...trial.deltas], row, prepared, assetOf),
      approvals: toApprovals(prepared, trial.allowances, assetOf),
      warnings: [
        ...warnOfHandovers(toEvmAddress(from), trial.handovers, parseAddress),
        ...(trial.areEventsShown ? [] : [NO_EVENTS]),
        ...(burnt > feeLimit
          ? [
              `It takes energy for ${show(burnt)} now, and may burn ${show(feeLimit)} at most: it fails unless the account has energy.`
            ]
          : [])
      ],
      method: CALL_METHOD,
      ...(token === undefined ? {} : { receiver: to })
    }
  })

/** Why a transaction of a preview, whose fields may come from anywhere, is none; undefined if it is one. */
const findProblem = ({
  amount,
  data,
  feeLimit = 0n,
  from,
  to,
  token
}: TronTransaction): string | undefined => {
  if ([amount, feeLimit].some((each) => typeof each !== "bigint" || each < 0n))
    return "amount and feeLimit of its transaction must be bigint"
  if (data === undefined ? token !== undefined : !/^([0-9a-f]{2})*$/i.test(data))
    return "its data must be hexadecimal digits"
  return [from, to, ...(token === undefined ? [] : [token])].some(
    (each) => addressProblem(each) !== undefined
  )
    ? "its addresses are none of Tron"
    : undefined
}

const FIELDS = ["from", "to", "amount", "token", "data", "memo", "feeLimit", "expiration"] as const

/** Simulates a prepared transaction of Tron. */
export const simulate = (
  client: TronSimulationClient,
  row: NetworkRow,
  prepared: Prepared<TronTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> => {
  const { data } = prepared.transaction
  const problem = findUnknownField(prepared.transaction, FIELDS) ?? findProblem(prepared.transaction)
  if (problem !== undefined) return Effect.fail(invalidArgument("simulate", problem))
  return data === undefined
    ? simulatePayment(client, row, prepared)
    : simulateCall(client, row, prepared, data)
}
