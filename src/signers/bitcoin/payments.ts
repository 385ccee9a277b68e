/** Payments of an account of Bitcoin or one of its relatives, and their previews. */
import * as Effect from "effect/Effect"
import { bytesToHex } from "../../data/hex.js"
import {
  DustAmount,
  type FeeOverCap,
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
import { checkCoin, estimateFeeRate, reviewCoin, reviewOutbox, type SignerContext, TXID } from "./reading.js"
import {
  completeSelection,
  dustLimitOf,
  feeOf,
  findShortfall,
  inputFeeOf,
  isTooLarge,
  type Selection,
  type SelectionTerms,
  select,
  selectAll,
  sum
} from "./selection.js"
import type { BitcoinInput, BitcoinOutput, BitcoinPayment, BitcoinTransaction, Outpoint } from "./Types.js"

const invalidPayment = (reason: string) => new InvalidArgument({ call: "prepare", reason })

/** The coin of the chain, for errors and previews. */
export const coinOf = ({ account, row }: SignerContext) => ({
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

/** Refuses an amount that nodes do not relay to a script. */
const checkDust = (
  { account: { chain }, row }: SignerContext,
  amount: bigint,
  { script }: Receiver
): Effect.Effect<void, DustAmount> => {
  const least = dustLimitOf(chain, script)
  const format = (value: bigint) => Units.format(value, row.decimals)
  return amount < least
    ? Effect.fail(new DustAmount({ amount: format(amount), least: format(least), asset: row.symbol }))
    : Effect.void
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
export const insufficientFunds = (
  context: SignerContext,
  terms: SelectionTerms,
  coins: ReadonlyArray<BitcoinInput>
): Effect.Effect<never, InsufficientFunds | InvalidAmount> => {
  const { available, needed } = findShortfall(terms, coins)
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
      if (selection === undefined) return yield* insufficientFunds(context, terms, [...available.values()])
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

/** Refuses a sweep that nodes would not relay: what arrives is dust, or nothing. */
const checkSweep = (
  context: SignerContext,
  { amount, fee }: { readonly amount: bigint; readonly fee: bigint },
  receiver: Receiver
): Effect.Effect<void, InsufficientFunds | DustAmount> =>
  Effect.zipRight(sweepableAmount(amount + fee, fee, coinOf(context)), checkDust(context, amount, receiver))

/** The receiver of a payment and its amount, which a sweep does not have. */
interface CheckedPayment {
  readonly receiver: Receiver
  readonly amount: bigint | undefined
}

/** What a payment spends, and what it pays: the amount of a sweep comes of its outputs. */
export interface Choice {
  readonly amount: bigint
  readonly selection: Selection
  readonly warnings: ReadonlyArray<string>
}

/** The outputs that a payment names, as nodes know them. One that cannot be spent is the error, by its name. */
const readNamedCoins = (context: SignerContext, named: ReadonlyArray<Outpoint>) =>
  Effect.forEach(
    named,
    (place) =>
      Effect.gen(function* () {
        const { coins } = context
        const txid = place.txid.toLowerCase()
        const name = `the output ${txid}:${place.vout}`
        const coin: BitcoinInput = { ...place, txid, amount: 0n }
        const [spender] = coins.findSpenders([coin])
        if (spender !== undefined)
          return yield* invalidPayment(`${name} is spent by ${spender.hash} of this signer`)
        const change = coins.unspentChange().find((each) => keyOf(each) === keyOf(coin))
        const review = yield* reviewCoin(context, change ?? coin)
        return "problem" in review ? yield* invalidPayment(`${name} ${review.problem}`) : { ...review, name }
      }),
    { concurrency: CHECK_CONCURRENCY }
  )

/** Spends all of the outputs that a payment names, and no others. */
const selectNamedCoins = (
  context: SignerContext,
  terms: SelectionTerms,
  { amount: fixed, receiver }: CheckedPayment,
  named: ReadonlyArray<Outpoint>
): Effect.Effect<Choice, PrepareError> =>
  Effect.gen(function* () {
    const reviews = yield* readNamedCoins(context, named)
    const coins = reviews.map(({ coin }) => coin)
    const warnings = reviews
      .filter(({ coin, isConfirmed }) => !isConfirmed && context.coins.findParent(coin) === undefined)
      .map(({ name }) => `No block has ${name} yet: if it never comes, this payment does not either.`)
    if (isTooLarge(terms, coins.length))
      return yield* invalidPayment(`utxos has ${coins.length} outputs, more than one transaction can spend`)
    if (fixed === undefined) {
      const fee = feeOf(terms, coins.length, false)
      const amount = sum(coins) - fee
      yield* checkSweep(context, { amount, fee }, receiver)
      return { amount, selection: { coins, fee, change: 0n }, warnings }
    }
    const selection = completeSelection(terms, coins)
    return selection === undefined
      ? yield* insufficientFunds(context, terms, coins)
      : { amount: fixed, selection, warnings }
  })

/** Spends all outputs that nodes confirm and that are worth it, without change. */
const selectSweep = (
  context: SignerContext,
  terms: SelectionTerms,
  listed: ReadonlyArray<BitcoinInput>,
  receiver: Receiver
): Effect.Effect<Choice, PrepareError> =>
  Effect.gen(function* () {
    yield* reviewOutbox(context, listed)
    const chosen = selectAll(terms, [...availableCoinsOf(context, listed).values()])
    const checked = yield* Effect.forEach(chosen.coins, (coin) => checkCoin(context, coin), {
      concurrency: CHECK_CONCURRENCY
    })
    const { amount, coins, fee, left } = selectAll(
      terms,
      checked.filter((coin) => coin !== undefined)
    )
    yield* checkSweep(context, { amount, fee }, receiver)
    const stay = [...chosen.left, ...left]
    const kept = sum(stay)
    const isWorthLess = stay.every((each) => each.amount <= inputFeeOf(terms))
    const why = isWorthLess
      ? "outputs that cost more to spend than they are worth"
      : "more outputs than one transaction can spend. Send again for them"
    return {
      amount,
      selection: { coins, fee, change: 0n },
      warnings: warnOfKept("all", kept, coinOf(context), why)
    }
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
const withoutCoins = (context: SignerContext, without: ReadonlyArray<Outpoint>): SignerContext => {
  const others = new Set(without.map(keyOf))
  const free = (all: ReadonlyArray<BitcoinInput>) => all.filter((coin) => !others.has(keyOf(coin)))
  return {
    ...context,
    coins: { ...context.coins, unspentChange: () => free(context.coins.unspentChange()) },
    findUtxos: (address) => Effect.map(context.findUtxos(address), free)
  }
}

/** The receiver and the amount of a payment, which must be more than dust. */
const checkPayment = (
  context: SignerContext,
  payment: BitcoinPayment
): Effect.Effect<CheckedPayment, InvalidArgument | InvalidAddress | InvalidAmount | DustAmount> =>
  Effect.gen(function* () {
    const { account, row } = context
    const { network } = account
    if (payment.memo !== undefined) return yield* invalidPayment(`payments on ${network} have no memo`)
    if (payment.token !== undefined) return yield* invalidPayment(`${network} has no tokens`)
    const receiver = yield* checkReceiver(context, payment.to)
    const amount = yield* toFixedAmount(payment.amount, row.decimals, row.symbol)
    if (amount !== undefined) yield* checkDust(context, amount, receiver)
    return { receiver, amount }
  })

/** The problem of the outputs that a payment names or leaves alone; undefined if there is none. */
const outpointsProblem = ({ replaceable, utxos, without = [] }: BitcoinPayment): string | undefined => {
  if (!Array.isArray(without) || without.some((each) => !isRecord(each)))
    return "without is a list of { txid, vout }"
  if (replaceable !== undefined && typeof replaceable !== "boolean")
    return "replaceable must be true or false"
  if (utxos === undefined) return undefined
  const isOutpoint = (each: unknown) =>
    isRecord(each) &&
    TXID.test(String(each.txid)) &&
    Number.isSafeInteger(each.vout) &&
    Number(each.vout) >= 0
  if (!Array.isArray(utxos) || utxos.length === 0 || !utxos.every(isOutpoint))
    return "utxos is a list of { txid, vout }, with at least one"
  const keys = utxos.map(({ txid, vout }: Outpoint) => keyOf({ txid: txid.toLowerCase(), vout }))
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) return `utxos has the output ${twice} twice`
  const excluded = without.map(keyOf).find((key) => keys.includes(key))
  return excluded === undefined ? undefined : `the output ${excluded} is in utxos and in without`
}

/** Chooses what a payment spends: as few outputs as possible, or, for a sweep, all. */
const chooseCoins = (
  context: SignerContext,
  terms: SelectionTerms,
  { amount, receiver }: CheckedPayment,
  listed: ReadonlyArray<BitcoinInput>
): Effect.Effect<Choice, PrepareError> =>
  amount === undefined
    ? selectSweep(context, terms, listed, receiver)
    : Effect.map(selectCheckedCoins(context, terms, listed), (selection) => ({
        amount,
        selection,
        warnings: []
      }))

/** What a preview is made of. */
interface PreviewParts extends Choice {
  readonly terms: SelectionTerms
  readonly to: string
  readonly maxFee: string | bigint | undefined
  readonly transaction?: Pick<BitcoinTransaction, "replaceable" | "replaces">
  /** What leaves the account, if it is not the amount and the fee. */
  readonly leaving?: bigint
}

/** The preview of a transaction, if its fee is no more than its cap. */
export const toPrepared = (
  context: SignerContext,
  { amount, leaving, maxFee, selection, terms, to, transaction = {}, warnings }: PreviewParts
): Effect.Effect<Prepared<BitcoinTransaction>, FeeOverCap | InvalidAmount> => {
  const { account, change: place, row } = context
  const { address, chain, network } = account
  const { change, coins, fee } = selection
  const { leastFee: _, ...bare } = terms
  // change that would be dust is a part of the fee
  const most = feeOf({ ...bare, rate: chain.most }, coins.length, true) + terms.dust
  return Effect.as(checkFeeCap(fee, maxFee, coinOf(context), most), {
    network,
    from: address,
    to,
    amount,
    fee,
    ...(change === 0n ? {} : { change }),
    outgoing: [{ asset: row.symbol, amount: Units.format(leaving ?? amount + fee, row.decimals) }],
    warnings,
    transaction: {
      inputs: coins,
      outputs: [{ address: to, amount }, ...(change === 0n ? [] : [{ ...place, amount: change }])],
      fee,
      ...transaction
    }
  })
}

/** What a payment of an account to a script has to pay. */
export const termsOf = (
  { account: { chain, script: own, type } }: SignerContext,
  { script }: Pick<Receiver, "script">,
  amount: bigint,
  rate: bigint
): SelectionTerms => ({
  amount,
  rate,
  type,
  to: script.length,
  own: own.length,
  dust: dustLimitOf(chain, own),
  ...(chain.actionFee === undefined ? {} : { actionFee: chain.actionFee })
})

export const prepare = (
  whole: SignerContext,
  payment: BitcoinPayment
): Effect.Effect<Prepared<BitcoinTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const problem = outpointsProblem(payment)
    if (problem !== undefined) return yield* invalidPayment(problem)
    const { maxFee, utxos: named, without = [] } = payment
    const context = withoutCoins(whole, without)
    const { chain, address } = context.account
    const { replaceable = chain.isReplaceable } = payment
    const checked = yield* checkPayment(context, payment)
    const { receiver } = checked
    const [{ isLow, rate }, listed] = yield* Effect.all(
      [estimateFeeRate(context), named === undefined ? context.findUtxos(address) : Effect.succeed([])],
      { concurrency: "unbounded" }
    )
    const terms = termsOf(context, receiver, checked.amount ?? 0n, rate)
    const choice = yield* named === undefined
      ? chooseCoins(context, terms, checked, listed)
      : selectNamedCoins(context, terms, checked, named)
    return yield* toPrepared(context, {
      ...choice,
      terms,
      to: receiver.to,
      maxFee,
      warnings: [
        ...findWarnings(context, receiver, choice.selection, { amount: choice.amount, isLow }),
        ...choice.warnings
      ],
      transaction: replaceable ? { replaceable } : {}
    })
  })

/** The sum of amounts; undefined if they are none. */
const sumOf = (amounts: ReadonlyArray<{ readonly amount: bigint }>): bigint | undefined =>
  Array.isArray(amounts) && amounts.every((each) => isRecord(each) && typeof each.amount === "bigint")
    ? amounts.reduce((sum, { amount }) => sum + amount, 0n)
    : undefined

/** Whether an output pays the account. */
export const isOwnOutput = ({ keyAt }: SignerContext, output: BitcoinOutput): boolean =>
  output.address === keyAt(output).address

/** Whether a transaction is the one of its preview: it pays the receiver, and gives the rest but the fee back to its account. */
export const isAsPreviewed = (
  context: SignerContext,
  { amount, change = 0n, fee, to, transaction }: Prepared<BitcoinTransaction>
): boolean => {
  const { inputs, outputs } = transaction
  if (sumOf(outputs) === undefined) return false
  const [paid, ...rest] = outputs
  return (
    paid?.address === to &&
    paid.amount === amount &&
    transaction.fee === fee &&
    rest.every((output) => isOwnOutput(context, output)) &&
    sumOf(rest) === change &&
    sumOf(inputs) === amount + change + fee
  )
}
