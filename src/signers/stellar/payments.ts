/** Payments of an account of Stellar: costs and previews. */
import * as Effect from "effect/Effect"
import { caip2IdIn, stellar } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import { DustAmount, InvalidAddress, InvalidAmount, MemoRequired } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { parseMemo, warnOfTextId } from "../memos.js"
import type { Memo, NodesOf, Outgoing, Payment, Prepared, PrepareError } from "../Signer.js"
import {
  checkBalance,
  checkFeeCap,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toFixedAmount,
  warnOfHighFee,
  warnOfKept
} from "../signerChecks.js"
import { readTokenFacts, toOutgoing } from "../tokens.js"
import { type Destination, parseDestination } from "./address.js"
import { DECIMALS, isMemo, MAX_AMOUNT, MAX_MEMO_BYTES, parseToken, splitMemo, type Token } from "./assets.js"
import { type AccountState, type LatestLedger, readAccount, readFee, readLatestLedger } from "./reading.js"
import type { StellarCalls, StellarTransaction } from "./Types.js"

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: StellarCalls
  readonly row: NetworkRow
  readonly address: string
  /** Whether other keys sign with it, so that its own need not be enough. */
  readonly hasCosigners?: boolean
  /** In stroops, for a payment that has its fee already. */
  readonly fee?: bigint
}

/** The number of base reserves that an account without entries must keep. */
export const NEW_ENTRIES = 2n

/** The two accounts of a payment, as nodes report them, and the newest ledger. */
export interface LedgerState {
  readonly own: AccountState | undefined
  readonly receiver: AccountState | undefined
  readonly ledger: LatestLedger
}

/** A payment between two accounts. */
interface PaymentPlan extends LedgerState {
  readonly to: string
  readonly isPart: boolean
  readonly memo: string | Memo | undefined
  readonly fee: bigint
}

/** A payment, what leaves the account for it, and what a person should know. */
interface PlannedTransaction {
  readonly transaction: StellarTransaction
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

const memoProblem = (memo: string | Memo | undefined, { muxedId }: Destination): string | undefined => {
  if (memo === undefined) return undefined
  if (muxedId !== undefined) return `the address carries the number ${muxedId}, which a memo would contradict`
  return isMemo(splitMemo(memo))
    ? undefined
    : `a memo must be a number of 64 bits, text of 1 to ${MAX_MEMO_BYTES} bytes, or 32 bytes as hexadecimal ({ hash }, { return })`
}

const makeBaseTransaction = (
  { address }: SignerContext,
  { fee, memo, to }: PaymentPlan,
  amount: bigint
): StellarTransaction => ({
  from: address,
  to,
  amount,
  ...(memo === undefined ? {} : { memo }),
  fee
})

const coinOf = ({ address, row }: SignerContext) => ({
  address,
  asset: row.symbol,
  decimals: row.decimals
})

/** The coins of the account, and those that it keeps: its reserve, and what its offers bind. */
export const coinsOf = ({
  ledger,
  own
}: LedgerState): { readonly balance: bigint; readonly kept: bigint } => {
  const { balance = 0n, bound = 0n } = own?.holds() ?? {}
  return { balance, kept: ledger.reserve * (own?.entries ?? NEW_ENTRIES) + bound }
}

/** Refuses what the account cannot spend. */
const checkCoins = (context: SignerContext, plan: PaymentPlan, spent: bigint) => {
  const { balance, kept } = coinsOf(plan)
  return checkBalance(spent + kept, balance, coinOf(context))
}

const planCoins = (
  context: SignerContext,
  payment: Payment,
  plan: PaymentPlan
): Effect.Effect<PlannedTransaction, PrepareError> =>
  Effect.gen(function* () {
    const { network, row } = context
    const { fee, isPart, ledger, receiver, to } = plan
    const shown = (stroops: bigint) => Units.format(stroops, row.decimals)
    const { balance, kept } = coinsOf(plan)
    const amount =
      (yield* toFixedAmount(payment.amount, row.decimals, row.symbol)) ??
      (yield* sweepableAmount(balance, kept + fee, coinOf(context)))
    const creates = receiver === undefined
    const least = ledger.reserve * NEW_ENTRIES
    if (creates && isPart)
      return yield* new InvalidAddress({
        address: to,
        network,
        reason: "names a part of an account that is not there yet, and cannot be made by that name"
      })
    if (creates && amount < least)
      return yield* new DustAmount({ amount: shown(amount), least: shown(least), asset: row.symbol })
    yield* checkCoins(context, plan, amount + fee)
    return {
      transaction: { ...makeBaseTransaction(context, plan, amount), ...(creates ? { creates } : {}) },
      outgoing: [{ asset: row.symbol, amount: shown(amount + fee) }],
      warnings: [
        ...(creates
          ? [
              `The receiver has no account yet: this payment makes it, and ${shown(least)} ${row.symbol} of it stay there as its reserve.`
            ]
          : warnOfHighFee(fee, amount)),
        ...warnOfKept(payment.amount, kept, coinOf(context), "its reserve, and what its offers bind")
      ]
    }
  })

/** Why a receiver cannot take this amount of a token. The issuer can take any amount. */
export const receiverProblem = (
  { code, issuer, token }: Token,
  amount: bigint,
  { receiver }: LedgerState,
  account: string
): string | undefined => {
  if (receiver === undefined) return "the receiver has no account"
  if (account === issuer) return undefined
  const holding = receiver.holds({ code, issuer, token })
  if (holding === undefined) return `the receiver has no trust line for ${token}`
  if (!holding.isAuthorized) return `${issuer} has not authorized the receiver to hold ${code}`
  const room = holding.room > 0n ? holding.room : 0n
  return amount > room ? `the receiver takes at most ${Units.format(room, DECIMALS)} ${code} more` : undefined
}

const planTokens = (
  context: SignerContext,
  payment: Payment,
  plan: PaymentPlan,
  { account, token }: { readonly account: string; readonly token: Token }
): Effect.Effect<PlannedTransaction, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = context
    const { fee, own } = plan
    const asset = token.code
    const paid = { address, asset, token: token.token, decimals: DECIMALS }
    if (payment.decimals !== undefined && payment.decimals !== DECIMALS)
      return yield* invalidArgument("prepare", `all assets of Stellar have ${DECIMALS} decimals`)
    const facts = yield* readTokenFacts({
      row,
      token: token.token,
      asset: `${caip2IdIn("stellar", stellar, network)}/asset:${token.code}-${token.issuer}`,
      decimals: DECIMALS,
      fromChain: { decimals: Effect.succeed(DECIMALS), symbol: Effect.succeed(token.code) }
    })
    const held = own?.holds(token)
    const free = held === undefined ? 0n : held.balance - held.bound
    if (isSweep(payment.amount) && address === token.issuer)
      return yield* new InvalidAmount({
        amount: "all",
        reason: `must be a number: ${address} issues ${asset}, and has no balance of it`
      })
    const amount =
      (yield* toFixedAmount(payment.amount, DECIMALS, asset)) ?? (yield* sweepableAmount(free, 0n, paid))
    if (amount > MAX_AMOUNT)
      return yield* new InvalidAmount({
        amount: String(payment.amount),
        reason: "is more than an account can hold"
      })
    if (address !== token.issuer) {
      yield* checkBalance(amount, free, paid)
      if (held?.isAuthorized === false)
        return yield* invalidArgument(
          "prepare",
          `${token.issuer} has not authorized the account to pay ${asset}`
        )
    }
    const problem = receiverProblem(token, amount, plan, account)
    if (problem !== undefined) return yield* invalidArgument("prepare", problem)
    yield* checkCoins(context, plan, fee)
    return {
      transaction: { ...makeBaseTransaction(context, plan, amount), token: token.token },
      outgoing: [
        toOutgoing(token.token, amount, facts),
        { asset: row.symbol, amount: Units.format(fee, row.decimals) }
      ],
      warnings: facts.warnings
    }
  })

/** Reads both accounts, and whether the receiver requires a memo. */
const readPlan = (
  { address, fee: given, hasCosigners = false, rpc }: SignerContext,
  to: string,
  { account, muxedId }: Destination,
  memo: string | Memo | undefined
): Effect.Effect<PaymentPlan, PrepareError> =>
  Effect.gen(function* () {
    const { fee, ledger, own, receiver } = yield* Effect.all(
      {
        own: readAccount(rpc, address),
        receiver: readAccount(rpc, account),
        ledger: readLatestLedger(rpc),
        fee: given === undefined ? readFee(rpc) : Effect.succeed(given)
      },
      { concurrency: "unbounded" }
    )
    if (!hasCosigners && own !== undefined && own.weight < own.threshold)
      return yield* invalidArgument(
        "prepare",
        `the key weighs ${own.weight}, and payments of ${address} take ${own.threshold}: other keys have to sign them too, and this signer has one`
      )
    if (receiver?.wantsMemo && memo === undefined && muxedId === undefined)
      return yield* new MemoRequired({ address: to, reason: "it says so in its data (config.memo_required)" })
    return { to, isPart: muxedId !== undefined, memo, own, receiver, ledger, fee }
  })

/** The preview of a payment. */
export const prepare = (
  context: SignerContext,
  payment: Payment
): Effect.Effect<Prepared<StellarTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = context
    const { memo, to } = payment
    const destination = parseDestination(to)
    if (typeof destination === "string")
      return yield* new InvalidAddress({ address: String(to), network, reason: destination })
    const parsedMemo = yield* parseMemo(memo, ["id", "text", "hash", "return"])
    const problem = memoProblem(memo, destination)
    if (problem !== undefined) return yield* invalidArgument("prepare", problem)
    const token = payment.token === undefined ? undefined : parseToken(payment.token)
    if (payment.token !== undefined && token === undefined)
      return yield* invalidArgument(
        "prepare",
        "token must be the code of an asset and its issuer, such as USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"
      )
    const { account } = destination
    const plan = yield* readPlan(context, to, destination, memo)
    const plotted = yield* token === undefined
      ? planCoins(context, payment, plan)
      : planTokens(context, payment, plan, { account, token })
    const { fee } = plan
    yield* checkFeeCap(fee, payment.maxFee, { asset: row.symbol, decimals: row.decimals }, caps.stellar.fee)
    const isText = memo !== undefined && splitMemo(memo)[0] === "text"
    return {
      network,
      from: address,
      to,
      ...(token === undefined ? {} : { token: token.token }),
      amount: plotted.transaction.amount,
      fee,
      ...plotted,
      warnings: [
        ...plotted.warnings,
        ...(account === address ? ["The receiver is the account itself."] : []),
        ...(parsedMemo !== undefined && isText ? warnOfTextId(parsedMemo, "a memo of the kind id") : [])
      ]
    }
  })
