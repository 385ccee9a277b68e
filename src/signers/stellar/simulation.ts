/** What a payment of Stellar would change: its amount, if both accounts are in a state that allows it. The ledger has no trial of its own. */
import * as Effect from "effect/Effect"
import { caip2IdIn, stellar } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import type { Prepared } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import {
  failsBecause,
  findUnknownField,
  movesOf,
  type SimulatedOutcome,
  type SimulateError,
  toChanges
} from "../simulation.js"
import { parseDestination } from "./address.js"
import { parseToken, type Token } from "./assets.js"
import { coinsOf, type LedgerState, NEW_ENTRIES, receiverProblem } from "./payments.js"
import { readAccount, readLatestLedger } from "./reading.js"
import type { StellarCalls, StellarTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Every client of Stellar has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarSimulationCalls extends Pick<StellarCalls, "getAccount" | "getLedgers"> {}

/**
 * A client of Stellar, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarSimulationClient {
  readonly network: string
  readonly rpc: StellarSimulationCalls
}

const METHOD = "getAccount"

/** Why the account cannot pay the coins that it takes; undefined if it can. */
const coinsProblem = (
  spent: bigint,
  state: LedgerState,
  { decimals, symbol }: NetworkRow
): string | undefined => {
  const { balance, kept } = coinsOf(state)
  const show = (stroops: bigint) => `${Units.format(stroops, decimals)} ${symbol}`
  return spent + kept > balance
    ? `it takes ${show(spent)}, and the account can spend ${show(balance > kept ? balance - kept : 0n)}`
    : undefined
}

/** Why the account cannot pay its amount of a token; undefined if it can. An issuer makes what it pays. */
const tokenProblem = (
  { amount, from }: StellarTransaction,
  { code, issuer, token }: Token,
  { own }: LedgerState
): string | undefined => {
  if (from === issuer) return undefined
  const held = own?.holds({ code, issuer, token })
  if (held === undefined) return `the account has no trust line for ${token}`
  if (!held.isAuthorized) return `${issuer} has not authorized the account to pay ${code}`
  return amount > held.balance - held.bound
    ? `the account can spend less ${code} than the payment takes`
    : undefined
}

/** Why the receiver's account is not as a payment of coins takes it; undefined if it is. */
const destinationProblem = (
  { amount, creates = false }: StellarTransaction,
  { ledger, receiver }: LedgerState
): string | undefined => {
  if (!creates) return receiver === undefined ? "the receiver has no account" : undefined
  if (receiver !== undefined) return "it makes the receiver's account, which is there already"
  return amount < ledger.reserve * NEW_ENTRIES ? "it is less than a new account has to keep" : undefined
}

/** The parts of a preview, whose fields may come from anywhere. */
const checkTransaction = (transaction: StellarTransaction) => {
  const { amount, fee, from, to } = transaction
  const token = transaction.token === undefined ? undefined : parseToken(transaction.token)
  const [payer, receiver] = [parseDestination(from), parseDestination(to)]
  if ([amount, fee].some((each) => typeof each !== "bigint" || each < 0n))
    return invalidArgument("simulate", "amount and fee of its transaction must be bigint")
  if (transaction.token !== undefined && token === undefined)
    return invalidArgument("simulate", "its token is none of the ledger")
  if (typeof payer === "string" || typeof receiver === "string")
    return invalidArgument("simulate", "its addresses are none of the ledger")
  return Effect.succeed({ account: receiver.account, token })
}

const FIELDS = ["from", "to", "amount", "token", "creates", "memo", "fee", "sequence", "expires"] as const

/** Simulates a prepared payment of Stellar. */
export const simulate = (
  { network, rpc }: StellarSimulationClient,
  row: NetworkRow,
  prepared: Prepared<StellarTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const { from, to, transaction } = prepared
    const { amount, fee } = transaction
    const problem = findUnknownField(transaction, FIELDS)
    if (problem !== undefined) return yield* invalidArgument("simulate", problem)
    const { account, token } = yield* checkTransaction(transaction)
    const state: LedgerState = yield* Effect.all(
      { own: readAccount(rpc, from), receiver: readAccount(rpc, account), ledger: readLatestLedger(rpc) },
      { concurrency: "unbounded" }
    )
    const reason =
      state.own === undefined
        ? "the account is not there"
        : token === undefined
          ? (destinationProblem(transaction, state) ?? coinsProblem(amount + fee, state, row))
          : (tokenProblem(transaction, token, state) ??
            receiverProblem(token, amount, state, account) ??
            coinsProblem(fee, state, row))
    if (reason !== undefined) return failsBecause(reason, METHOD)
    const receiver = account === from ? from : to
    return {
      succeeds: true,
      changes: toChanges(movesOf(from, receiver, amount, token?.token), row, prepared, (each) => {
        const { code, issuer } = parseToken(each) ?? { code: each, issuer: "" }
        return `${caip2IdIn("stellar", stellar, network)}/asset:${code}-${issuer}`
      }),
      approvals: [],
      warnings: [],
      method: METHOD,
      receiver,
      fee
    }
  })
