/** Payments of an account of Bitcoin or one of its relatives, and their previews. */
import * as Effect from "effect/Effect"
import { bytesToHex } from "../../data/hex.js"
import {
  DustAmount,
  type InsufficientFunds,
  InvalidAddress,
  InvalidAmount,
  InvalidArgument
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import type { Prepared, PrepareError } from "../Signer.js"
import {
  checkBalance,
  checkFeeCap,
  sweepableAmount,
  toFixedAmount,
  warnOfHighFee,
  warnOfKept
} from "../signerChecks.js"
import { parseReceiver, type Receiver } from "./address.js"
import { keyOf } from "./Coins.js"
import { checkCoin, estimateFeeRate, reviewOutbox, type SignerContext } from "./reading.js"
import {
  dustLimitOf,
  feeOf,
  findShortfall,
  inputFeeOf,
  type Selection,
  type SelectionTerms,
  select,
  selectAll
} from "./selection.js"
import type { BitcoinInput, BitcoinPayment, BitcoinTransaction } from "./Types.js"

const invalidPayment = (reason: string) => new InvalidArgument({ call: "prepare", reason })

/** The coin of the chain, for errors and previews. */
const coinOf = ({ account, row }: SignerContext) => ({
  address: account.address,
  asset: row.symbol,
  decimals: row.decimals
})

const checkReceiver = (
  { account: { chain, network } }: SignerContext,
  to: string
): Effect.Effect<Receiver, InvalidAddress> => {
  const found = parseReceiver(to, chain)
  return typeof found === "string"
    ? Effect.fail(new InvalidAddress({ address: String(to), network, reason: found }))
    : Effect.succeed(found)
}

/** How many chosen outputs are checked by nodes at the same time. */
const CHECK_CONCURRENCY = 8

/** Outputs to choose from, by their places. */
type AvailableCoins = Map<string, BitcoinInput>

const availableCoinsOf = ({ coins }: SignerContext, listed: ReadonlyArray<BitcoinInput>): AvailableCoins =>
  new Map([...coins.filterUnspent(listed), ...coins.unspentChange()].map((coin) => [keyOf(coin), coin]))

/** Confirmed outputs are chosen before unconfirmed change. */
const selectCoins = (
  { coins }: SignerContext,
  terms: SelectionTerms,
  purse: AvailableCoins
): Selection | undefined => {
  const all = [...purse.values()]
  return (
    select(
      terms,
      all.filter((coin) => coins.findParent(coin) === undefined)
    ) ?? select(terms, all)
  )
}

/** Nothing that could be chosen is enough: the error with the numbers. */
const insufficientFunds = (
  context: SignerContext,
  terms: SelectionTerms,
  purse: AvailableCoins
): Effect.Effect<never, InsufficientFunds | InvalidAmount> => {
  const { available, needed } = findShortfall(terms, [...purse.values()])
  return Effect.zipRight(
    checkBalance(needed, available, coinOf(context)),
    Effect.fail(
      new InvalidAmount({
        amount: Units.format(terms.amount, context.row.decimals),
        reason: "is spread over more outputs than one transaction can spend: send less at once"
      })
    )
  )
}

/**
 * Chooses the outputs to spend, and checks them with nodes. Outputs that are gone or have another amount are dropped or corrected, and
 * the choice is made again.
 */
const selectCheckedCoins = (
  context: SignerContext,
  terms: SelectionTerms,
  listed: ReadonlyArray<BitcoinInput>
): Effect.Effect<Selection, PrepareError> =>
  Effect.gen(function* () {
    let available = availableCoinsOf(context, listed)
    const checked = new Set<string>()
    if (selectCoins(context, terms, available) === undefined) {
      yield* reviewOutbox(context, listed)
      available = availableCoinsOf(context, listed)
    }
    while (true) {
      const selection = selectCoins(context, terms, available)
      if (selection === undefined) return yield* insufficientFunds(context, terms, available)
      const unchecked = selection.coins.filter((coin) => !checked.has(keyOf(coin)))
      if (unchecked.length === 0) return selection
      const found = yield* Effect.forEach(unchecked, (coin) => checkCoin(context, coin), {
        concurrency: CHECK_CONCURRENCY
      })
      for (const [at, coin] of unchecked.entries()) {
        const known = found[at]
        checked.add(keyOf(coin))
        if (known === undefined) available.delete(keyOf(coin))
        else available.set(keyOf(coin), known)
      }
    }
  })

/** Spends all outputs that nodes confirm and that are worth it, without change. */
const selectSweep = (
  context: SignerContext,
  terms: SelectionTerms,
  listed: ReadonlyArray<BitcoinInput>,
  receiver: Receiver
) =>
  Effect.gen(function* () {
    const { account, row } = context
    yield* reviewOutbox(context, listed)
    const chosen = selectAll(terms, [...availableCoinsOf(context, listed).values()])
    const checked = yield* Effect.forEach(chosen.coins, (coin) => checkCoin(context, coin), {
      concurrency: CHECK_CONCURRENCY
    })
    const { amount, coins, fee, left } = selectAll(
      terms,
      checked.filter((coin) => coin !== undefined)
    )
    const coin = coinOf(context)
    yield* sweepableAmount(amount + fee, fee, coin)
    const least = dustLimitOf(account.chain, receiver.script)
    const shown = (value: bigint) => Units.format(value, row.decimals)
    if (amount < least)
      return yield* new DustAmount({ amount: shown(amount), least: shown(least), asset: row.symbol })
    const stay = [...chosen.left, ...left]
    const kept = stay.reduce((total, each) => total + each.amount, 0n)
    const isWorthLess = stay.every((each) => each.amount <= inputFeeOf(terms))
    const why = isWorthLess
      ? "outputs that cost more to spend than they are worth"
      : "more outputs than one transaction can spend. Send again for them"
    return { amount, selection: { coins, fee, change: 0n }, kept: warnOfKept("all", kept, coin, why) }
  })

/** More inputs than these make a payment dear. */
const MANY_INPUTS = 20

const findWarnings = (
  { account }: SignerContext,
  { isOld, script }: Receiver,
  { coins, fee }: Selection,
  { amount, isLow }: { readonly amount: bigint; readonly isLow: boolean }
): ReadonlyArray<string> => {
  return [
    ...(bytesToHex(script) === bytesToHex(account.script) ? ["The receiver is the account itself."] : []),
    ...(isOld
      ? [
          "The address is in the old form, which those of Bitcoin have too: make sure that it is one of Bitcoin Cash."
        ]
      : []),
    ...(coins.length > MANY_INPUTS
      ? [`It spends ${coins.length} outputs, each of which adds to the fee.`]
      : []),
    ...warnOfHighFee(fee, amount),
    ...(isLow
      ? [
          "Nodes have no estimate of fees: this is the least that they relay, and it may take long to get into a block."
        ]
      : [])
  ]
}

/** The account without some of its outputs. */
const withoutCoins = (
  context: SignerContext,
  without: ReadonlyArray<Pick<BitcoinInput, "txid" | "vout">>
): SignerContext => {
  const others = new Set(without.map(keyOf))
  const free = (all: ReadonlyArray<BitcoinInput>) => all.filter((coin) => !others.has(keyOf(coin)))
  return {
    ...context,
    coins: { ...context.coins, unspentChange: () => free(context.coins.unspentChange()) },
    findUtxos: (address) => Effect.map(context.findUtxos(address), free)
  }
}

/** The receiver and the amount of a payment, which must be more than dust. */
const checkPayment = (context: SignerContext, payment: BitcoinPayment) =>
  Effect.gen(function* () {
    const { account, row } = context
    const { chain, network } = account
    if (payment.memo !== undefined) return yield* invalidPayment(`payments on ${network} have no memo`)
    if (payment.token !== undefined) return yield* invalidPayment(`${network} has no tokens`)
    const receiver = yield* checkReceiver(context, payment.to)
    const amount = yield* toFixedAmount(payment.amount, row.decimals, row.symbol)
    const format = (value: bigint) => Units.format(value, row.decimals)
    const least = dustLimitOf(chain, receiver.script)
    return amount !== undefined && amount < least
      ? yield* new DustAmount({ amount: format(amount), least: format(least), asset: row.symbol })
      : { receiver, amount }
  })

export const prepare = (
  whole: SignerContext,
  payment: BitcoinPayment
): Effect.Effect<Prepared<BitcoinTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { without = [] } = payment
    if (!Array.isArray(without) || without.some((each) => !isRecord(each)))
      return yield* invalidPayment("without is a list of { txid, vout }")
    const context = withoutCoins(whole, without)
    const { account, findUtxos, row } = context
    const { address, chain, network, script: own, type } = account
    const { amount: fixed, receiver } = yield* checkPayment(context, payment)
    const { script, to } = receiver
    const [{ isLow, rate }, listed] = yield* Effect.all([estimateFeeRate(context), findUtxos(address)], {
      concurrency: "unbounded"
    })
    const terms: SelectionTerms = {
      amount: fixed ?? 0n,
      rate,
      type,
      to: script.length,
      own: own.length,
      dust: dustLimitOf(chain, own)
    }
    const { amount, kept, selection } =
      fixed === undefined
        ? yield* selectSweep(context, terms, listed, receiver)
        : { amount: fixed, kept: [], selection: yield* selectCheckedCoins(context, terms, listed) }
    const { change, coins, fee } = selection
    // change that would be dust is a part of the fee
    const most = feeOf({ ...terms, rate: chain.most }, coins.length, true) + terms.dust
    yield* checkFeeCap(fee, payment.maxFee, coinOf(context), most)
    return {
      network,
      from: address,
      to,
      amount,
      fee,
      ...(change === 0n ? {} : { change }),
      outgoing: [{ asset: row.symbol, amount: Units.format(amount + fee, row.decimals) }],
      warnings: [...findWarnings(context, receiver, selection, { amount, isLow }), ...kept],
      transaction: {
        inputs: coins,
        outputs: [{ address: to, amount }, ...(change === 0n ? [] : [{ address, amount: change }])],
        fee
      }
    }
  })

/** The sum of amounts; undefined if they are none. */
const sumOf = (amounts: ReadonlyArray<{ readonly amount: bigint }>): bigint | undefined =>
  Array.isArray(amounts) && amounts.every((each) => isRecord(each) && typeof each.amount === "bigint")
    ? amounts.reduce((sum, { amount }) => sum + amount, 0n)
    : undefined

/** Whether a transaction is the one of its preview: it pays the receiver, and gives the rest but the fee back to its account. */
export const isAsPreviewed = (
  { account: { address } }: SignerContext,
  { amount, change = 0n, fee, to, transaction }: Prepared<BitcoinTransaction>
): boolean => {
  const { inputs, outputs } = transaction
  if (sumOf(outputs) === undefined) return false
  const [paid, ...rest] = outputs
  return (
    paid?.address === to &&
    paid.amount === amount &&
    transaction.fee === fee &&
    rest.every((output) => output.address === address) &&
    sumOf(rest) === change &&
    sumOf(inputs) === amount + change + fee
  )
}
