/** Payments of an account of Bitcoin or one of its kin: previews. */
import * as Effect from "effect/Effect"
import { isRecord } from "../../data/untrusted.js"
import { bytesToHex } from "../../data/hex.js"
import {
  DustAmount,
  type InsufficientFunds,
  InvalidAddress,
  InvalidAmount,
  InvalidArgument
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { affordable, capped, feeAbove, type Prepared, type PrepareError, smallest } from "../Signer.js"
import { type Receiver, read } from "./address.js"
import { keyOf } from "./Coins.js"
import { checkedCoin, type Place, rateOf, review } from "./reading.js"
import { dustOf, feeOf, lacking, type Selection, select, type Terms } from "./selection.js"
import type { BitcoinInput, BitcoinPayment, BitcoinTransaction } from "./Types.js"

const refused = (reason: string) => new InvalidArgument({ call: "prepare", reason })

/** The coin of the chain, for errors and previews. */
const coinOf = ({ account, row }: Place) => ({
  address: account.address,
  asset: row.symbol,
  decimals: row.decimals
})

const receiverOf = (
  { account: { chain, network } }: Place,
  to: string
): Effect.Effect<Receiver, InvalidAddress> => {
  const found = read(to, chain)
  return typeof found === "string"
    ? Effect.fail(new InvalidAddress({ address: String(to), network, reason: found }))
    : Effect.succeed(found)
}

/** Outputs are checked by the nodes as they are chosen: so many at once. */
const AT_ONCE = 8

/** Outputs to choose from, by their places. */
type Purse = Map<string, BitcoinInput>

const purseOf = ({ coins }: Place, listed: ReadonlyArray<BitcoinInput>): Purse =>
  new Map([...coins.free(listed), ...coins.change()].map((coin) => [keyOf(coin), coin]))

/** What blocks have is chosen first, before change that none of them has. */
const choose = ({ coins }: Place, terms: Terms, purse: Purse): Selection | undefined => {
  const all = [...purse.values()]
  return (
    select(
      terms,
      all.filter((coin) => coins.giving(coin) === undefined)
    ) ?? select(terms, all)
  )
}

/** Nothing that could be chosen is enough: the error with the numbers. */
const tooLittle = (
  place: Place,
  terms: Terms,
  purse: Purse
): Effect.Effect<never, InsufficientFunds | InvalidAmount> => {
  const { available, needed } = lacking(terms, [...purse.values()])
  return Effect.zipRight(
    affordable(needed, available, coinOf(place)),
    Effect.fail(
      new InvalidAmount({
        amount: Units.format(terms.amount, place.row.decimals),
        reason: "is spread over more outputs than one transaction can spend: send less at once"
      })
    )
  )
}

/**
 * The outputs to spend, as nodes know them. Those that turn out to be gone, or to have another amount, are left out or corrected, and
 * it is chosen anew.
 */
const chosen = (
  place: Place,
  terms: Terms,
  listed: ReadonlyArray<BitcoinInput>
): Effect.Effect<Selection, PrepareError> =>
  Effect.gen(function* () {
    let purse = purseOf(place, listed)
    const checked = new Set<string>()
    if (choose(place, terms, purse) === undefined) {
      yield* review(place, listed)
      purse = purseOf(place, listed)
    }
    while (true) {
      const selection = choose(place, terms, purse)
      if (selection === undefined) return yield* tooLittle(place, terms, purse)
      const unchecked = selection.coins.filter((coin) => !checked.has(keyOf(coin)))
      if (unchecked.length === 0) return selection
      const found = yield* Effect.forEach(unchecked, (coin) => checkedCoin(place, coin), {
        concurrency: AT_ONCE
      })
      for (const [at, coin] of unchecked.entries()) {
        const known = found[at]
        checked.add(keyOf(coin))
        if (known === undefined) purse.delete(keyOf(coin))
        else purse.set(keyOf(coin), known)
      }
    }
  })

/** More inputs than these make a payment dear. */
const MANY = 20

const warningsOf = (
  { account }: Place,
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
    ...(coins.length > MANY ? [`It spends ${coins.length} outputs, each of which adds to the fee.`] : []),
    ...feeAbove(fee, amount),
    ...(isLow
      ? [
          "Nodes have no estimate of fees: this is the least that they relay, and it may take long to get into a block."
        ]
      : [])
  ]
}

/** The account without some of its outputs. */
const apart = (place: Place, without: ReadonlyArray<Pick<BitcoinInput, "txid" | "vout">>): Place => {
  const others = new Set(without.map(keyOf))
  const free = (all: ReadonlyArray<BitcoinInput>) => all.filter((coin) => !others.has(keyOf(coin)))
  return {
    ...place,
    coins: { ...place.coins, change: () => free(place.coins.change()) },
    find: (address) => Effect.map(place.find(address), free)
  }
}

export const prepare = (
  whole: Place,
  payment: BitcoinPayment
): Effect.Effect<Prepared<BitcoinTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { without = [] } = payment
    if (!Array.isArray(without) || without.some((each) => !isRecord(each)))
      return yield* refused("without is a list of { txid, vout }")
    const place = apart(whole, without)
    const { account, find, row } = place
    const { address, chain, network, script: own, type } = account
    if (payment.memo !== undefined) return yield* refused(`payments on ${network} have no memo`)
    if (payment.token !== undefined) return yield* refused(`${network} has no tokens`)
    const receiver = yield* receiverOf(place, payment.to)
    const { script, to } = receiver
    const amount = yield* smallest(payment.amount, row.decimals, row.symbol)
    const format = (value: bigint) => Units.format(value, row.decimals)
    const least = dustOf(chain, script)
    if (amount < least)
      return yield* new DustAmount({ amount: format(amount), least: format(least), asset: row.symbol })
    const [{ isLow, rate }, listed] = yield* Effect.all([rateOf(place), find(address)], {
      concurrency: "unbounded"
    })
    const terms: Terms = {
      amount,
      rate,
      type,
      to: script.length,
      own: own.length,
      dust: dustOf(chain, own)
    }
    const selection = yield* chosen(place, terms, listed)
    const { change, coins, fee } = selection
    // change that would be dust is a part of the fee
    const most = feeOf({ ...terms, rate: chain.most }, coins.length, true) + terms.dust
    yield* capped(fee, payment.maxFee, coinOf(place), most)
    return {
      network,
      from: address,
      to,
      amount,
      fee,
      ...(change === 0n ? {} : { change }),
      outgoing: [{ asset: row.symbol, amount: format(amount + fee) }],
      warnings: warningsOf(place, receiver, selection, { amount, isLow }),
      transaction: {
        inputs: coins,
        outputs: [{ address: to, amount }, ...(change === 0n ? [] : [{ address, amount: change }])],
        fee
      }
    }
  })
