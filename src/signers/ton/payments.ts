/** Payments of an account of TON: their previews. */
import * as Effect from "effect/Effect"
import { caip2IdIn, tvm } from "../../data/caip2.js"
import { InvalidAddress, MemoRequired, reasonOf } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import { type ParsedMemo, parseMemo, warnOfTextAroundId } from "../memos.js"
import type { Outgoing, Payment, Prepared, PrepareError } from "../Signer.js"
import {
  checkBalance,
  checkFeeCap,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toFixedAmount,
  toSmallestUnit,
  warnOfHighFee
} from "../signerChecks.js"
import { readTokenFacts, type TokenFacts, toOutgoing } from "../tokens.js"
import { formatAddress, type ParsedAddress, parseAddress } from "./address.js"
import { type Holding, type Jetton, readHolding, readJetton } from "./jettons.js"
import {
  nowSeconds,
  type SignerContext,
  VALID_SECONDS,
  type WalletState,
  waitForLastOrder
} from "./reading.js"
import type { TonToken, TonTokenPayment, TonTransaction } from "./Types.js"

export const parseOnNetwork = (
  { isTest, network }: SignerContext,
  address: string
): Effect.Effect<ParsedAddress, InvalidAddress> => {
  const found = parseAddress(address, isTest)
  return typeof found === "string"
    ? Effect.fail(new InvalidAddress({ address: String(address), network, reason: found }))
    : Effect.succeed(found)
}

/** The bytes that a memo may have: more make a payment dear. */
const MAX_MEMO_BYTES = 1_000

const isMemo = (memo: string): boolean => {
  const size = new TextEncoder().encode(memo).length
  return size > 0 && size <= MAX_MEMO_BYTES
}

/** The nanotons that leave the account beside the fee. */
export const attachedCoinsOf = ({ amount, relay, token }: TonTransaction): bigint =>
  relay === undefined
    ? (token?.attached ?? amount)
    : relay.messages.reduce((sum, message) => sum + message.amount, 0n)

/** The line of a preview about a relay, by which a changed one is found. */
export const describeRelay = (
  transaction: TonTransaction,
  { asset, decimals }: SignerContext["coin"]
): string => {
  const { address, commission = 0n } = transaction.relay ?? {}
  return `The relay ${address} hands it to the chain, and takes ${commission} of the smallest unit of the token for it. It sends up to ${Units.format(attachedCoinsOf(transaction), decimals)} ${asset} along, of which it gets back what is left.`
}

/** Whether a preview says what goes with the tokens of a transaction, and what a relay takes. */
export const isAsPreviewed = (
  { coin }: SignerContext,
  { outgoing, transaction, warnings }: Prepared<TonTransaction>
): boolean => {
  const { amount, relay, token } = transaction
  if (token === undefined) return relay === undefined
  return relay === undefined
    ? warnings.includes(describeAttached(token, coin))
    : warnings.includes(describeRelay(transaction, coin)) && outgoing[0]?.units === amount + relay.commission
}

/**
 * The fee of tokens of an account that has too little for a node to try their payment, in nanotons: the most of usual ones (`caps.ts`). It
 * makes the error name an amount that suffices.
 */
const UNTRIED_FEE = 20_000_000n

/** What a node tells of fees is for the moment: this much is more than they become, in hundredths. */
const FEE_PERCENT = 150n

/** The most that a payment costs: what it takes on a node now, and half of it more. It is tried with one nanoton, which is there. */
const estimateFee = (
  { contract, rpc }: SignerContext,
  { isDeployed, seqno }: WalletState,
  transaction: TonTransaction
) =>
  Effect.gen(function* () {
    const { token } = transaction
    const small =
      token === undefined
        ? { ...transaction, amount: 1n, sweeps: false }
        : { ...transaction, token: { ...token, attached: 1n } }
    const order = { seqno, validUntil: (yield* nowSeconds) + VALID_SECONDS }
    const body = yield* Effect.tryPromise({
      try: () => contract.makeTrialBody(small, order),
      catch: (error) => invalidArgument("prepare", reasonOf(error))
    })
    const { result } = yield* withAgreement(
      rpc.estimateFee({
        address: contract.raw,
        body,
        ignore_chksig: true,
        ...(isDeployed ? {} : { init_code: contract.code, init_data: contract.data })
      }),
      (one, other) => {
        const [first, second] = [sumFees(one), sumFees(other)]
        return first <= second * MAX_FEE_FACTOR && second <= first * MAX_FEE_FACTOR
      }
    )
    const fee = sumFees({ result })
    if (!(fee >= 0 && fee < Number.MAX_SAFE_INTEGER))
      return yield* makeMalformedError("estimateFee", "its fees are no amounts")
    return (BigInt(Math.ceil(fee)) * FEE_PERCENT) / 100n + 1n
  })

type FeeEstimate = Effect.Effect.Success<ReturnType<SignerContext["rpc"]["estimateFee"]>>

/** Estimates of two honest nodes. */
const MAX_FEE_FACTOR = 2

/** All fees of an estimate, in nanotons. */
const sumFees = ({ result: { source_fees } }: FeeEstimate): number => {
  const { fwd_fee, gas_fee, in_fwd_fee, storage_fee } = source_fees
  return Number(fwd_fee) + Number(gas_fee) + Number(in_fwd_fee) + Number(storage_fee)
}

/** Whether the receiver's contract is there. */
const isActive = ({ rpc }: SignerContext, raw: string) =>
  Effect.map(rpc.getAddressInformation(raw), ({ result }) => result.state === "active")

/** Exchanges have one address for many: nodes with the API of `/v2` know those that want a memo. */
export const requiresMemo = ({ rpc }: SignerContext, raw: string): Effect.Effect<boolean> =>
  Effect.orElseSucceed(
    Effect.map(rpc.getAccount(raw), ({ memo_required }) => memo_required === true),
    () => false
  )

/** A payment before its fee is known. */
interface PaymentPlan {
  readonly to: string
  readonly transaction: TonTransaction
  readonly sent: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

const planCoins = (
  account: SignerContext,
  payment: Payment,
  memo: ParsedMemo | undefined,
  to: ParsedAddress
) =>
  Effect.gen(function* () {
    const { address, coin, isTest } = account
    const fixed = yield* toFixedAmount(payment.amount, coin.decimals, coin.asset)
    const isThere = yield* isActive(account, to.raw)
    const bounce = to.isBounceable && isThere
    const name = formatAddress({ ...to, isBounceable: bounce }, isTest)
    const plan: PaymentPlan = {
      to: name,
      transaction: {
        from: address,
        to: name,
        // of a sweep, the amount is known with the fee
        ...(fixed === undefined ? { amount: 1n, sweeps: true } : { amount: fixed }),
        bounce,
        ...(memo === undefined ? {} : { memo: memo.text })
      },
      sent: [],
      warnings: isThere
        ? []
        : [
            to.isBounceable
              ? "The receiver's account is not active, and its address asks for what it cannot take to come back: it is sent so that it stays there."
              : "The receiver's account is not active yet."
          ]
    }
    return plan
  })

/** The nanotons that go with tokens to pay for their way: most of them come back. The receiver's wallet is made of them where it has none. */
const WAY_COINS = 100_000_000n

/** The line of a preview about the coins that go with tokens, by which changed ones are found. */
export const describeAttached = (
  { attached, forward, wallet }: TonToken,
  { asset, decimals }: SignerContext["coin"]
): string => {
  const show = (nanotons: bigint): string => `${Units.format(nanotons, decimals)} ${asset}`
  return `${show(attached)} go with the tokens to the account's contract for them (${wallet}) and pay their way: ${show(forward)} of these go on to the receiver with the notice of the tokens, and what is left comes back.`
}

/** The least that makes a contract tell the receiver. */
const LEAST_FORWARD = 1n

const DECIMALS_UNKNOWN = "The decimals of the token are not in the chain: its amount is in the smallest unit."

const parseTokenAmount = (payment: Payment, { decimals, name }: TokenFacts) =>
  isSweep(payment.amount)
    ? Effect.succeed(undefined)
    : decimals === undefined && typeof payment.amount !== "bigint"
      ? Effect.fail(
          invalidArgument(
            "prepare",
            `the decimals of ${name} are not in the chain: give a bigint in the smallest unit, or decimals`
          )
        )
      : toSmallestUnit(payment.amount, decimals ?? 0, name)

/** What a jetton is, by the bounceable form of its address. */
const readFacts = ({ row }: SignerContext, { decimals, symbol }: Jetton, master: string, payment: Payment) =>
  readTokenFacts({
    row,
    token: master,
    asset: `${caip2IdIn("tvm", tvm, row.id)}/jetton:${master}`,
    decimals: payment.decimals,
    fromChain: { decimals: Effect.succeed(decimals), symbol: Effect.succeed(symbol) }
  })

/** Reads the account's wallet of a jetton, and checks that the receiver is no contract of a token. */
const readJettonWallet = (
  account: SignerContext,
  payment: Payment,
  { to, token }: { readonly to: ParsedAddress; readonly token: string }
) =>
  Effect.gen(function* () {
    const { contract, network } = account
    const master = yield* parseOnNetwork(account, token)
    const jetton = yield* readJetton(account, master.raw, token)
    const wallet = yield* jetton.walletOf(contract.raw)
    const none: Holding = { balance: 0n, owner: contract.raw, master: master.raw }
    const [found, other] = yield* Effect.all([readHolding(account, wallet), readHolding(account, to.raw)], {
      concurrency: "unbounded"
    })
    const held = found ?? none
    if (held.owner !== contract.raw || held.master !== master.raw)
      return yield* invalidArgument("prepare", `${token} names a wallet that is not this account's`)
    if (other !== undefined || to.raw === master.raw)
      return yield* new InvalidAddress({
        address: payment.to,
        network,
        reason: "is a contract of a token: name the owner that is to have it"
      })
    return { jetton, wallet, master: master.raw, balance: held.balance, isDeployed: found !== undefined }
  })

export const planTokens = (
  account: SignerContext,
  payment: Payment,
  memo: ParsedMemo | undefined,
  { forward, to, token }: { readonly forward: bigint; readonly to: ParsedAddress; readonly token: string }
) =>
  Effect.gen(function* () {
    const { address, coin, isTest } = account
    const { balance, isDeployed, jetton, master, wallet } = yield* readJettonWallet(account, payment, {
      to,
      token
    })
    const show = (raw: string) => formatAddress({ raw, isBounceable: true }, isTest)
    const facts = yield* readFacts(account, jetton, show(master), payment)
    const fixed = yield* parseTokenAmount(payment, facts)
    const { decimals = 0, name: asset } = facts
    const held = { address, asset, token: show(master), decimals }
    if ((fixed ?? 1n) > balance && (yield* jetton.isUnclaimed(wallet, isDeployed)))
      return yield* invalidArgument(
        "prepare",
        `${asset} is mintless: what the account was given of it counts once it is claimed with a proof, which its issuer has and the chain does not. Claim it by a payment from a wallet app that knows ${asset}, and pay then`
      )
    const amount = fixed ?? (yield* sweepableAmount(balance, 0n, held))
    yield* checkBalance(amount, balance, held)
    const name = formatAddress(to, isTest)
    // a nanoton more is within them
    const attached = forward === LEAST_FORWARD ? WAY_COINS : WAY_COINS + forward
    const transfer = { master: show(master), wallet: show(wallet), attached, forward }
    const plan: PaymentPlan = {
      to: name,
      transaction: {
        from: address,
        to: name,
        amount,
        bounce: true,
        ...(memo === undefined ? {} : { memo: memo.text }),
        token: transfer
      },
      sent: [toOutgoing(show(master), amount, facts)],
      warnings: [
        describeAttached(transfer, coin),
        ...(facts.decimals === undefined ? [DECIMALS_UNKNOWN] : []),
        ...facts.warnings
      ]
    }
    return plan
  })

export const checkMemo = (payment: Payment) =>
  Effect.flatMap(parseMemo(payment.memo, ["id", "text"]), (memo) =>
    memo === undefined || isMemo(memo.text)
      ? Effect.succeed(memo)
      : Effect.fail(invalidArgument("prepare", `a memo must be text of 1 to ${MAX_MEMO_BYTES} bytes`))
  )

export const prepare = (
  account: SignerContext,
  payment: Payment,
  forward = LEAST_FORWARD
): Effect.Effect<Prepared<TonTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const memo = yield* checkMemo(payment)
    const { address, coin, contract, network } = account
    const { token } = payment
    const receiver = yield* parseOnNetwork(account, payment.to)
    const state = yield* waitForLastOrder(account)
    const {
      sent,
      to,
      transaction: planned,
      warnings
    } = token === undefined
      ? yield* planCoins(account, payment, memo, receiver)
      : yield* planTokens(account, payment, memo, { forward, to: receiver, token })
    if (memo === undefined && (yield* requiresMemo(account, receiver.raw)))
      return yield* new MemoRequired({ address: payment.to, reason: "its owner tells payments apart by it" })
    const least = attachedCoinsOf(planned) + 1n
    const untried = token === undefined ? least : least + UNTRIED_FEE
    yield* checkBalance(least > state.balance ? untried : least, state.balance, { address, ...coin })
    const fee = yield* estimateFee(account, state, planned)
    yield* checkFeeCap(fee, payment.maxFee, coin, caps.ton.fee)
    const transaction =
      planned.sweeps === true
        ? { ...planned, amount: yield* sweepableAmount(state.balance, fee, { address, ...coin }) }
        : planned
    const coins = attachedCoinsOf(transaction)
    yield* checkBalance(coins + fee, state.balance, { address, ...coin })
    return {
      network,
      from: address,
      to,
      ...(transaction.token === undefined ? {} : { token: transaction.token.master }),
      amount: transaction.amount,
      fee,
      outgoing: [...sent, { asset: coin.asset, amount: Units.format(coins + fee, coin.decimals) }],
      warnings: [
        ...(receiver.raw === contract.raw ? ["The receiver is the account itself."] : []),
        ...(state.isDeployed ? [] : ["The account's own contract is made by this payment, its first one."]),
        ...warnings,
        ...(transaction.sweeps === true
          ? [
              "Nothing stays in the account: what the payment costs less than its fee, and what arrives before it, goes to the receiver, too."
            ]
          : []),
        ...(token === undefined ? warnOfHighFee(fee, transaction.amount) : []),
        ...warnOfTextAroundId(memo)
      ],
      transaction
    }
  })

/** The preview of a payment in tokens whose receiver gets coins with the notice of them. */
export const prepareToken = (
  account: SignerContext,
  payment: TonTokenPayment
): Effect.Effect<Prepared<TonTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { forward, ...rest } = isRecord(payment) ? payment : { token: undefined }
    if (forward === undefined || rest.token === undefined)
      return yield* invalidArgument("prepareToken", "it takes { to, amount, token, forward }")
    const { asset, decimals } = account.coin
    return yield* prepare(account, rest, yield* toSmallestUnit(forward, decimals, asset))
  })
