/** Payments of an account of Stellar: what they cost, and their previews. */
import * as Effect from "effect/Effect"
import { caip2IdIn, stellar } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import { DustAmount, InvalidAddress, InvalidAmount, MemoRequired } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { memoOf, sentAsText } from "../memos.js"
import {
  affordable,
  capped,
  feeAbove,
  type Memo,
  type NodesOf,
  type Outgoing,
  type Payment,
  type Prepared,
  type PrepareError,
  refused,
  smallest
} from "../Signer.js"
import { factsOf, tokenLine } from "../tokens.js"
import { type Destination, read } from "./address.js"
import { DECIMALS, isMemo, LONGEST_MEMO, MOST, memoIn, type Token, tokenOf } from "./assets.js"
import { feeOf, type Ledger, ledgerOf, type State, stateOf } from "./reading.js"
import type { StellarCalls, StellarTransaction } from "./Types.js"

/** An account on its network. */
export interface Place {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: StellarCalls
  readonly row: NetworkRow
  readonly address: string
}

/** An account without entries of its own keeps the reserve of two. */
const NEW_ENTRIES = 2n

/** What a payment is about: its ends, and what nodes say of them. */
interface Plan {
  readonly to: string
  readonly isPart: boolean
  readonly memo: string | Memo | undefined
  readonly own: State | undefined
  readonly receiver: State | undefined
  readonly ledger: Ledger
  readonly fee: bigint
}

/** A payment, what leaves the account for it, and what a person should know. */
interface Plotted {
  readonly transaction: StellarTransaction
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

const memoProblem = (memo: string | Memo | undefined, { part }: Destination): string | undefined => {
  if (memo === undefined) return undefined
  if (part !== undefined) return `the address carries the number ${part}, which a memo would contradict`
  return isMemo(memoIn(memo))
    ? undefined
    : `a memo must be a number of 64 bits, text of 1 to ${LONGEST_MEMO} bytes, or 32 bytes as hexadecimal ({ hash }, { return })`
}

const basicOf = ({ address }: Place, { fee, memo, to }: Plan, amount: bigint): StellarTransaction => ({
  from: address,
  to,
  amount,
  ...(memo === undefined ? {} : { memo }),
  fee
})

/** Refuses what the account cannot spend: it keeps its reserve, and what its offers bind. */
const payable = ({ address, row }: Place, { ledger, own }: Plan, spent: bigint) => {
  const { balance = 0n, bound = 0n } = own?.holds() ?? {}
  const kept = ledger.reserve * (own?.entries ?? NEW_ENTRIES) + bound
  return affordable(spent + kept, balance, { address, asset: row.symbol, decimals: row.decimals })
}

const plotCoins = (place: Place, payment: Payment, plan: Plan): Effect.Effect<Plotted, PrepareError> =>
  Effect.gen(function* () {
    const { network, row } = place
    const { fee, isPart, ledger, receiver, to } = plan
    const shown = (stroops: bigint) => Units.format(stroops, row.decimals)
    const amount = yield* smallest(payment.amount, row.decimals, row.symbol)
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
    yield* payable(place, plan, amount + fee)
    return {
      transaction: { ...basicOf(place, plan, amount), ...(creates ? { creates } : {}) },
      outgoing: [{ asset: row.symbol, amount: shown(amount + fee) }],
      warnings: creates
        ? [
            `The receiver has no account yet: this payment makes it, and ${shown(least)} ${row.symbol} of it stay there as its reserve.`
          ]
        : feeAbove(fee, amount)
    }
  })

/** Why a receiver does not take so much of a token. The issuer takes all of it. */
const receiverProblem = (
  { code, issuer, token }: Token,
  amount: bigint,
  { receiver }: Plan,
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

const plotTokens = (
  place: Place,
  payment: Payment,
  plan: Plan,
  { account, token }: { readonly account: string; readonly token: Token }
): Effect.Effect<Plotted, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = place
    const { fee, own } = plan
    const asset = token.code
    if (payment.decimals !== undefined && payment.decimals !== DECIMALS)
      return yield* refused("prepare", `all assets of Stellar have ${DECIMALS} decimals`)
    const facts = yield* factsOf({
      row,
      token: token.token,
      asset: `${caip2IdIn("stellar", stellar, network)}/asset:${token.code}-${token.issuer}`,
      decimals: DECIMALS,
      told: { decimals: Effect.succeed(DECIMALS), symbol: Effect.succeed(token.code) }
    })
    const amount = yield* smallest(payment.amount, DECIMALS, asset)
    if (amount > MOST)
      return yield* new InvalidAmount({
        amount: String(payment.amount),
        reason: "is more than an account can hold"
      })
    if (address !== token.issuer) {
      const held = own?.holds(token)
      const free = held === undefined ? 0n : held.balance - held.bound
      yield* affordable(amount, free, { address, asset, decimals: DECIMALS })
      if (held?.isAuthorized === false)
        return yield* refused("prepare", `${token.issuer} has not authorized the account to pay ${asset}`)
    }
    const problem = receiverProblem(token, amount, plan, account)
    if (problem !== undefined) return yield* refused("prepare", problem)
    yield* payable(place, plan, fee)
    return {
      transaction: { ...basicOf(place, plan, amount), token: token.token },
      outgoing: [
        tokenLine(token.token, amount, facts),
        { asset: row.symbol, amount: Units.format(fee, row.decimals) }
      ],
      warnings: facts.warnings
    }
  })

/** What nodes say of both ends, and whether the receiver wants a memo. */
const planOf = (
  { address, rpc }: Place,
  to: string,
  { account, part }: Destination,
  memo: string | Memo | undefined
): Effect.Effect<Plan, PrepareError> =>
  Effect.gen(function* () {
    const { fee, ledger, own, receiver } = yield* Effect.all(
      { own: stateOf(rpc, address), receiver: stateOf(rpc, account), ledger: ledgerOf(rpc), fee: feeOf(rpc) },
      { concurrency: "unbounded" }
    )
    if (own !== undefined && own.weight < own.threshold)
      return yield* refused(
        "prepare",
        `the key weighs ${own.weight}, and payments of ${address} take ${own.threshold}: other keys have to sign them too, and this signer has one`
      )
    if (receiver?.wantsMemo && memo === undefined && part === undefined)
      return yield* new MemoRequired({ address: to, reason: "it says so in its data (config.memo_required)" })
    return { to, isPart: part !== undefined, memo, own, receiver, ledger, fee }
  })

/** The preview of a payment. */
export const prepare = (
  place: Place,
  payment: Payment
): Effect.Effect<Prepared<StellarTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = place
    const { memo, to } = payment
    const destination = read(to)
    if (typeof destination === "string")
      return yield* new InvalidAddress({ address: String(to), network, reason: destination })
    const told = yield* memoOf(memo, ["id", "text", "hash", "return"])
    const problem = memoProblem(memo, destination)
    if (problem !== undefined) return yield* refused("prepare", problem)
    const token = payment.token === undefined ? undefined : tokenOf(payment.token)
    if (payment.token !== undefined && token === undefined)
      return yield* refused(
        "prepare",
        "token must be the code of an asset and its issuer, such as USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"
      )
    const { account } = destination
    const plan = yield* planOf(place, to, destination, memo)
    const plotted = yield* token === undefined
      ? plotCoins(place, payment, plan)
      : plotTokens(place, payment, plan, { account, token })
    const { fee } = plan
    yield* capped(fee, payment.maxFee, { asset: row.symbol, decimals: row.decimals }, caps.stellar.fee)
    const isText = memo !== undefined && memoIn(memo)[0] === "text"
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
        ...(told !== undefined && isText ? sentAsText(told, "a memo of the kind id") : [])
      ]
    }
  })
