/** Payments of an account of TON: their previews. */
import * as Effect from "effect/Effect"
import { caip2IdIn, tvm } from "../../data/caip2.js"
import { InvalidAddress, MemoRequired, reasonOf } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { agreed, malformed } from "../evidence.js"
import { aroundId, memoOf, type Told } from "../memos.js"
import {
  affordable,
  capped,
  feeAbove,
  type Outgoing,
  type Payment,
  type Prepared,
  type PrepareError,
  refused,
  smallest
} from "../Signer.js"
import { type Facts, factsOf, tokenLine } from "../tokens.js"
import { type Place, read, shown } from "./address.js"
import { type Holding, holdingOf, type Jetton, jettonOf } from "./jettons.js"
import { type Account, LIFETIME, now, type State, settled } from "./reading.js"
import type { TonTransaction } from "./Types.js"

const placed = ({ isTest, network }: Account, address: string): Effect.Effect<Place, InvalidAddress> => {
  const found = read(address, isTest)
  return typeof found === "string"
    ? Effect.fail(new InvalidAddress({ address: String(address), network, reason: found }))
    : Effect.succeed(found)
}

/** The bytes that a memo may have: more make a payment dear. */
const LONGEST_MEMO = 1_000

const isMemo = (memo: string): boolean => {
  const size = new TextEncoder().encode(memo).length
  return size > 0 && size <= LONGEST_MEMO
}

/** The nanotons that leave the account beside the fee. */
export const coinsOf = ({ amount, token }: TonTransaction): bigint => token?.attached ?? amount

/** What a node tells of fees is for the moment: this much is more than they become, in hundredths. */
const ROOM = 150n

/** The most that a payment costs: what it takes on a node now, and half of it more. It is tried with one nanoton, which is there. */
const feeOf = ({ contract, rpc }: Account, { isDeployed, seqno }: State, transaction: TonTransaction) =>
  Effect.gen(function* () {
    const { token } = transaction
    const small =
      token === undefined
        ? { ...transaction, amount: 1n }
        : { ...transaction, token: { ...token, attached: 1n } }
    const order = { seqno, validUntil: (yield* now) + LIFETIME }
    const body = yield* Effect.tryPromise({
      try: () => contract.trial(small, order),
      catch: (error) => refused("prepare", reasonOf(error))
    })
    const { result } = yield* agreed(
      rpc.estimateFee({
        address: contract.raw,
        body,
        ignore_chksig: true,
        ...(isDeployed ? {} : { init_code: contract.code, init_data: contract.data })
      }),
      (one, other) => {
        const [first, second] = [feesIn(one), feesIn(other)]
        return first <= second * NEAR && second <= first * NEAR
      }
    )
    const told = feesIn({ result })
    if (!(told >= 0 && told < Number.MAX_SAFE_INTEGER))
      return yield* malformed("estimateFee", "its fees are no amounts")
    return (BigInt(Math.ceil(told)) * ROOM) / 100n + 1n
  })

type Estimate = Effect.Effect.Success<ReturnType<Account["rpc"]["estimateFee"]>>

/** Estimates of two honest nodes. */
const NEAR = 2

/** All fees of an estimate, in nanotons. */
const feesIn = ({ result: { source_fees } }: Estimate): number => {
  const { fwd_fee, gas_fee, in_fwd_fee, storage_fee } = source_fees
  return Number(fwd_fee) + Number(gas_fee) + Number(in_fwd_fee) + Number(storage_fee)
}

/** Whether the receiver's contract is there. */
const isActive = ({ rpc }: Account, raw: string) =>
  Effect.map(rpc.getAddressInformation(raw), ({ result }) => result.state === "active")

/** Exchanges have one address for many: nodes with the API of `/v2` know those that want a memo. */
const wantsMemo = ({ rpc }: Account, raw: string): Effect.Effect<boolean> =>
  Effect.orElseSucceed(
    Effect.map(rpc.getAccount(raw), ({ memo_required }) => memo_required === true),
    () => false
  )

/** A payment before its fee is known. */
interface Plan {
  readonly to: string
  readonly transaction: TonTransaction
  readonly sent: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

const planCoins = (account: Account, payment: Payment, memo: Told | undefined, to: Place) =>
  Effect.gen(function* () {
    const { address, coin, isTest } = account
    const amount = yield* smallest(payment.amount, coin.decimals, coin.asset)
    const isThere = yield* isActive(account, to.raw)
    const bounce = to.isBounceable && isThere
    const name = shown({ ...to, isBounceable: bounce }, isTest)
    const plan: Plan = {
      to: name,
      transaction: {
        from: address,
        to: name,
        amount,
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

/** The nanotons that go with tokens: most of them come back. The receiver's wallet is made of them where it has none. */
const ATTACHED = 100_000_000n

/** The least that makes a contract tell the receiver. */
const FORWARD = 1n

const NOT_TOLD = "The decimals of the token are not in the chain: its amount is in the smallest unit."

const amountOf = (payment: Payment, { decimals, name }: Facts) =>
  decimals === undefined && typeof payment.amount !== "bigint"
    ? Effect.fail(
        refused(
          "prepare",
          `the decimals of ${name} are not in the chain: give a bigint in the smallest unit, or decimals`
        )
      )
    : smallest(payment.amount, decimals ?? 0, name)

/** What a jetton is, by the bounceable form of its address. */
const factsFor = ({ row }: Account, { decimals, symbol }: Jetton, master: string, payment: Payment) =>
  factsOf({
    row,
    token: master,
    asset: `${caip2IdIn("tvm", tvm, row.id)}/jetton:${master}`,
    decimals: payment.decimals,
    told: { decimals: Effect.succeed(decimals), symbol: Effect.succeed(symbol) }
  })

const planTokens = (
  account: Account,
  payment: Payment,
  memo: Told | undefined,
  { to, token }: { readonly to: Place; readonly token: string }
) =>
  Effect.gen(function* () {
    const { address, coin, contract, isTest, network } = account
    const master = yield* placed(account, token)
    const jetton = yield* jettonOf(account, master.raw, token)
    const wallet = yield* jetton.walletOf(contract.raw)
    const none: Holding = { balance: 0n, owner: contract.raw, master: master.raw }
    const [found, other] = yield* Effect.all([holdingOf(account, wallet), holdingOf(account, to.raw)], {
      concurrency: "unbounded"
    })
    const held = found ?? none
    if (held.owner !== contract.raw || held.master !== master.raw)
      return yield* refused("prepare", `${token} names a wallet that is not this account's`)
    if (other !== undefined || to.raw === master.raw)
      return yield* new InvalidAddress({
        address: payment.to,
        network,
        reason: "is a contract of a token: name the owner that is to have it"
      })
    const show = (raw: string) => shown({ raw, isBounceable: true }, isTest)
    const facts = yield* factsFor(account, jetton, show(master.raw), payment)
    const amount = yield* amountOf(payment, facts)
    const { decimals = 0, name: asset } = facts
    if (amount > held.balance && (yield* jetton.isUnclaimed(wallet, found !== undefined)))
      return yield* refused(
        "prepare",
        `${asset} is mintless: what the account was given of it counts once it is claimed with a proof, which its issuer has and the chain does not. Claim it by a payment from a wallet app that knows ${asset}, and pay then`
      )
    yield* affordable(amount, held.balance, { address, asset, decimals })
    const name = shown(to, isTest)
    const plan: Plan = {
      to: name,
      transaction: {
        from: address,
        to: name,
        amount,
        bounce: true,
        ...(memo === undefined ? {} : { memo: memo.text }),
        token: { master: show(master.raw), wallet: show(wallet), attached: ATTACHED, forward: FORWARD }
      },
      sent: [tokenLine(show(master.raw), amount, facts)],
      warnings: [
        `${Units.format(ATTACHED, coin.decimals)} ${coin.asset} go with the tokens to pay for their way: what is left of them comes back.`,
        ...(facts.decimals === undefined ? [NOT_TOLD] : []),
        ...facts.warnings
      ]
    }
    return plan
  })

const checkedMemo = (payment: Payment) =>
  Effect.flatMap(memoOf(payment.memo, ["id", "text"]), (memo) =>
    memo === undefined || isMemo(memo.text)
      ? Effect.succeed(memo)
      : Effect.fail(refused("prepare", `a memo must be text of 1 to ${LONGEST_MEMO} bytes`))
  )

export const prepare = (
  account: Account,
  payment: Payment
): Effect.Effect<Prepared<TonTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const memo = yield* checkedMemo(payment)
    const { address, coin, contract, network } = account
    const { token } = payment
    const place = yield* placed(account, payment.to)
    const state = yield* settled(account)
    const { sent, to, transaction, warnings } =
      token === undefined
        ? yield* planCoins(account, payment, memo, place)
        : yield* planTokens(account, payment, memo, { to: place, token })
    if (memo === undefined && (yield* wantsMemo(account, place.raw)))
      return yield* new MemoRequired({ address: payment.to, reason: "its owner tells payments apart by it" })
    const coins = coinsOf(transaction)
    yield* affordable(coins + 1n, state.balance, { address, ...coin })
    const fee = yield* feeOf(account, state, transaction)
    yield* capped(fee, payment.maxFee, coin, caps.ton.fee)
    yield* affordable(coins + fee, state.balance, { address, ...coin })
    return {
      network,
      from: address,
      to,
      ...(transaction.token === undefined ? {} : { token: transaction.token.master }),
      amount: transaction.amount,
      fee,
      outgoing: [...sent, { asset: coin.asset, amount: Units.format(coins + fee, coin.decimals) }],
      warnings: [
        ...(place.raw === contract.raw ? ["The receiver is the account itself."] : []),
        ...(state.isDeployed ? [] : ["The account's own contract is made by this payment, its first one."]),
        ...warnings,
        ...(token === undefined ? feeAbove(fee, transaction.amount) : []),
        ...aroundId(memo)
      ],
      transaction
    }
  })
