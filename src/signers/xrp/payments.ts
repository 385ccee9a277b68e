/** Payments of an account of the XRP Ledger: what they cost, and their previews. */
import * as Effect from "effect/Effect"
import { caip2IdIn, xrpl } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import {
  DustAmount,
  type InsufficientFunds,
  InvalidAddress,
  InvalidAmount,
  MemoRequired
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { type ParsedMemo, parseMemo, warnOfTextId } from "../memos.js"
import type { NodesOf, Outgoing, Payment, Prepared, PrepareError } from "../Signer.js"
import {
  checkBalance,
  checkFeeCap,
  invalidArgument,
  sweepableAmount,
  toFixedAmount,
  warnOfHighFee,
  warnOfKept
} from "../signerChecks.js"
import { readTokenFacts, type TokenFacts, toOutgoing } from "../tokens.js"
import { type Destination, parseDestination } from "./address.js"
import {
  type AccountRoot,
  accountFlags,
  type LatestLedger,
  readAccountRoot,
  readFee,
  readLatestLedger,
  readTrustLine,
  type TrustLine
} from "./reading.js"
import type { XrpCalls, XrpTransaction } from "./Types.js"
import { addTransferFee, DECIMALS, isExact, lastDigitOf, parseToken, type Token, toExact } from "./tokens.js"

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: XrpCalls
  readonly row: NetworkRow
  readonly address: string
  /** The address of the key that signs. Undefined if the members of the account sign, each with a key of its own. */
  readonly key: string | undefined
  /** In drops, for a payment that has its fee already. */
  readonly fee?: bigint
}

/** A memo in bytes: with its frame it is at most 1,024 of them. */
const MAX_MEMO_BYTES = 1_000

/** The tag and the text of a payment: a number is a tag, wherever it stands. What is wrong with them is a text. */
const toTagAndMemo = (
  parsedMemo: ParsedMemo | undefined,
  { tag }: Destination
): Pick<XrpTransaction, "tag" | "memo"> | string => {
  if (parsedMemo === undefined) return tag === undefined ? {} : { tag }
  const { kind, text: memo } = parsedMemo
  const isText = memo !== "" && !/\p{Cs}/u.test(memo)
  if (!isText || new TextEncoder().encode(memo).length > MAX_MEMO_BYTES)
    return `a memo must be text of 1 to ${MAX_MEMO_BYTES} bytes`
  // who says that it is text may send it beside a tag
  if (kind === "text") return { ...(tag === undefined ? {} : { tag }), memo }
  const isTag = kind === "id" || /^\s*\d+\s*$/.test(memo)
  if (isTag && !(/^(0|[1-9]\d{0,9})$/.test(memo) && Number(memo) < 2 ** 32))
    return "a memo of digits is a destination tag, which is a whole number from 0 to 4294967295"
  if (tag !== undefined && memo !== String(tag))
    return `the address carries the destination tag ${tag}, and the memo is another`
  return isTag ? { tag: Number(memo) } : { memo }
}

/** What a payment is about: its ends, and what servers say of them. */
interface PaymentPlan {
  readonly to: string
  readonly note: Pick<XrpTransaction, "tag" | "memo">
  readonly own: AccountRoot | undefined
  readonly receiver: AccountRoot | undefined
  readonly ledger: LatestLedger
  readonly fee: bigint
}

/** A payment, what leaves the account for it, and what a person should know. */
interface PlannedTransaction {
  readonly transaction: XrpTransaction
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

const planCoins = (
  context: SignerContext,
  payment: Payment,
  plan: PaymentPlan
): Effect.Effect<PlannedTransaction, PrepareError> =>
  Effect.gen(function* () {
    const { address, row } = context
    const { fee, ledger, note, own, receiver, to } = plan
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    const shown = (drops: bigint) => Units.format(drops, row.decimals)
    const reserve = ledger.base + ledger.each * (own?.owned ?? 0n)
    const balance = own?.balance ?? 0n
    const amount =
      (yield* toFixedAmount(payment.amount, row.decimals, row.symbol)) ??
      (yield* sweepableAmount(balance, reserve + fee, coin))
    if (receiver === undefined && amount < ledger.base)
      return yield* new DustAmount({
        amount: shown(amount),
        least: shown(ledger.base),
        asset: row.symbol
      })
    yield* checkBalance(amount + fee + reserve, balance, coin)
    return {
      transaction: { from: address, to, amount, fee, ...note },
      outgoing: [{ asset: row.symbol, amount: shown(amount + fee) }],
      warnings: [
        ...(receiver === undefined
          ? [
              `The receiver has no account yet: this payment makes it, and ${shown(ledger.base)} ${row.symbol} of it stay there as its reserve.`
            ]
          : []),
        ...(receiver?.has(accountFlags.disallowXrp)
          ? [`The receiver asks not to be sent ${row.symbol}.`]
          : []),
        ...warnOfKept(payment.amount, reserve, coin, "its reserve, which a payment cannot use"),
        ...warnOfHighFee(fee, amount)
      ]
    }
  })

/** The ends of a payment in tokens, of which the issuer itself has no line. */
interface TrustLines {
  readonly from: TrustLine | undefined
  readonly to: TrustLine | undefined
  readonly root: AccountRoot
  readonly receiver: AccountRoot | undefined
}

/**
 * Why an issuer lets its tokens not go from one holder to another, or a holder does not take so many. Between an issuer and a holder
 * nothing is frozen.
 */
const findLineProblem = (
  { issuer, token: asset }: Token,
  amount: bigint,
  { from, receiver, root, to }: TrustLines
): string | undefined => {
  if (to !== undefined && root.has(accountFlags.requireAuth) && !to.isAuthorized)
    return `${issuer} has not authorized the receiver to hold ${asset}`
  if (to !== undefined && to.balance + amount > to.limit)
    return `the receiver takes at most ${Units.format(to.limit > to.balance ? to.limit - to.balance : 0n, DECIMALS)} ${asset} more`
  if (from === undefined || to === undefined) return undefined
  if (from.isClosed || to.isClosed)
    return `the ${asset} of an account are frozen: they can only go back to ${issuer}`
  if (to.isRefused || receiver?.has(accountFlags.globalFreeze))
    return `the receiver has frozen the ${asset} that it gets from others`
  if (root.has(accountFlags.globalFreeze) || from.isFrozen)
    return `${issuer} has frozen ${asset}: they can only go back to it`
  return from.isNoRipple && to.isNoRipple
    ? `${issuer} does not let the holders of ${asset} pay each other`
    : undefined
}

const readLines = ({ address, rpc }: SignerContext, token: Token, { to }: PaymentPlan) => {
  const lineTo = (holder: string) =>
    holder === token.issuer ? Effect.succeed(undefined) : readTrustLine(rpc, holder, token)
  return Effect.all(
    { issuer: readAccountRoot(rpc, token.issuer), from: lineTo(address), to: lineTo(to) },
    { concurrency: "unbounded" }
  )
}

/** The amount of a payment in tokens, and what the token is called. The ledger keeps 16 digits of an amount. */
const readTokenAmount = (
  { network, row }: SignerContext,
  payment: Payment,
  { symbol, token: asset }: Token
) =>
  Effect.gen(function* () {
    if (payment.decimals !== undefined && payment.decimals !== DECIMALS)
      return yield* invalidArgument(
        "prepare",
        `tokens of the ledger have no decimals of their own: give the amount as text`
      )
    const facts: TokenFacts = yield* readTokenFacts({
      row,
      token: asset,
      asset: `${caip2IdIn("xrpl", xrpl, network)}/token:${asset}`,
      decimals: DECIMALS,
      fromChain: { decimals: Effect.succeed(DECIMALS), symbol: Effect.succeed(symbol) }
    })
    const amount = yield* toFixedAmount(payment.amount, DECIMALS, asset)
    return amount === undefined || isExact(amount)
      ? { amount, facts }
      : yield* new InvalidAmount({
          amount: String(payment.amount),
          reason:
            "must have at most 16 digits, without the zeros around them: tokens of the ledger have no more"
        })
  })

/** The rate of an issuer that keeps no share, in parts of a billion. */
const NO_FEE_RATE = 1_000_000_000

/** The most of a balance that can arrive, in the digits that the ledger keeps: what the issuer keeps comes on top. */
const sweepTokens = (
  held: bigint,
  rate: number,
  asset: Parameters<typeof sweepableAmount>[2]
): Effect.Effect<bigint, InsufficientFunds> => {
  const shared = toExact((held * BigInt(NO_FEE_RATE)) / BigInt(rate))
  const fits = rate === NO_FEE_RATE || addTransferFee(shared, rate) <= held
  // the ledger rounds the issuer's share up in the last of its digits
  return sweepableAmount(fits ? shared : toExact(shared - lastDigitOf(shared)), 0n, asset)
}

const planTokens = (
  context: SignerContext,
  payment: Payment,
  plan: PaymentPlan,
  token: Token
): Effect.Effect<PlannedTransaction, PrepareError> =>
  Effect.gen(function* () {
    const { address, row } = context
    const { fee, note, own, to } = plan
    const { issuer, token: asset } = token
    const { amount: fixed, facts } = yield* readTokenAmount(context, payment, token)
    const lines = yield* readLines(context, token, plan)
    if (lines.issuer === undefined)
      return yield* invalidArgument("prepare", `there is no token ${token.token}: its issuer has no account`)
    if (to !== issuer && lines.to === undefined)
      return yield* invalidArgument("prepare", `the receiver has no trust line for ${token.token}`)
    const isShared = address !== issuer && to !== issuer && lines.issuer.rate > NO_FEE_RATE
    const rate = isShared ? lines.issuer.rate : NO_FEE_RATE
    const held = lines.from?.balance ?? 0n
    const paid = { address, asset, token: token.token, decimals: DECIMALS }
    if (fixed === undefined && address === issuer)
      return yield* new InvalidAmount({
        amount: "all",
        reason: `must be a number: ${issuer} issues ${asset}, and has no balance of it`
      })
    const amount = fixed ?? (yield* sweepTokens(held, rate, paid))
    const most = isShared ? addTransferFee(amount, rate) : amount
    if (address !== issuer) yield* checkBalance(most, held, paid)
    const problem = findLineProblem(token, amount, { ...lines, root: lines.issuer, receiver: plan.receiver })
    if (problem !== undefined) return yield* invalidArgument("prepare", problem)
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    yield* checkBalance(fee, own?.balance ?? 0n, coin)
    const spent = Units.format(most, DECIMALS)
    return {
      transaction: {
        from: address,
        to,
        amount,
        token: token.token,
        ...(isShared ? { most } : {}),
        fee,
        ...note
      },
      outgoing: [
        toOutgoing(asset, most, facts),
        { asset: row.symbol, amount: Units.format(fee, row.decimals) }
      ],
      warnings: [
        ...(isShared
          ? [`The issuer keeps a share: up to ${spent} ${asset} leave the account for what arrives.`]
          : []),
        ...facts.warnings
      ]
    }
  })

/** Why servers would not take what a key signs for an account. */
export const findKeyProblem = (
  address: string,
  key: string,
  { has, regularKey }: AccountRoot
): string | undefined => {
  if (key === regularKey) return undefined
  if (key === address)
    return has(accountFlags.disableMaster)
      ? `${address} has disabled its master key, which this one is`
      : undefined
  return `${key} is no key of ${address}: its regular key is ${regularKey ?? "not set"}`
}

/** What servers say of both ends, and whether the receiver takes payments such as this one. */
const readPlan = (
  { address, fee: given, key, rpc }: SignerContext,
  to: string,
  note: PaymentPlan["note"]
): Effect.Effect<PaymentPlan, PrepareError> =>
  Effect.gen(function* () {
    const { fee, ledger, own, receiver } = yield* Effect.all(
      {
        own: readAccountRoot(rpc, address),
        receiver: readAccountRoot(rpc, to),
        ledger: readLatestLedger(rpc),
        fee: given === undefined ? readFee(rpc) : Effect.succeed(given)
      },
      { concurrency: "unbounded" }
    )
    const problem = own === undefined || key === undefined ? undefined : findKeyProblem(address, key, own)
    if (problem !== undefined) return yield* invalidArgument("prepare", problem)
    if (receiver?.has(accountFlags.requireTag) && note.tag === undefined)
      return yield* new MemoRequired({
        address: to,
        reason: "it takes nothing without a destination tag, which is a memo of digits"
      })
    if (receiver?.has(accountFlags.depositAuth)) {
      const { deposit_authorized } = yield* rpc.depositAuthorized(address, to, { ledgerIndex: "current" })
      if (!deposit_authorized)
        return yield* invalidArgument(
          "prepare",
          `${to} takes payments only from those that it has authorized`
        )
    }
    return { to, note, own, receiver, ledger, fee }
  })

/** The preview of a payment to an address, with the tag and the memo that it has. */
export const prepareWithNote = (
  context: SignerContext,
  payment: Payment,
  { note, to }: Pick<PaymentPlan, "note" | "to">
): Effect.Effect<Prepared<XrpTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = context
    const token = payment.token === undefined ? undefined : parseToken(payment.token)
    if (payment.token !== undefined && token === undefined)
      return yield* invalidArgument(
        "prepare",
        "token must be a currency and its issuer, such as USD.rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq; the currency is three characters or 40 hexadecimal digits"
      )
    const plan = yield* readPlan(context, to, note)
    const plotted = yield* token === undefined
      ? planCoins(context, payment, plan)
      : planTokens(context, payment, plan, token)
    yield* checkFeeCap(plan.fee, payment.maxFee, { asset: row.symbol, decimals: row.decimals }, caps.xrp.fee)
    const { amount } = plotted.transaction
    return {
      network,
      from: address,
      to: plan.to,
      ...(token === undefined ? {} : { token: token.token }),
      amount,
      fee: plan.fee,
      ...plotted
    }
  })

/** The preview of a payment. */
export const prepare = (
  context: SignerContext,
  payment: Payment
): Effect.Effect<Prepared<XrpTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network } = context
    const named = parseDestination(payment.to, network)
    const destination =
      typeof named !== "string" && named.address === address
        ? "is the account itself, which the ledger refuses"
        : named
    if (typeof destination === "string")
      return yield* new InvalidAddress({ address: String(payment.to), network, reason: destination })
    const parsedMemo = yield* parseMemo(payment.memo, ["id", "text"])
    const note = toTagAndMemo(parsedMemo, destination)
    if (typeof note === "string") return yield* invalidArgument("prepare", note)
    const prepared = yield* prepareWithNote(context, payment, { note, to: destination.address })
    const asText =
      parsedMemo === undefined || note.memo === undefined ? [] : warnOfTextId(parsedMemo, "a destination tag")
    return { ...prepared, warnings: [...prepared.warnings, ...asText] }
  })
