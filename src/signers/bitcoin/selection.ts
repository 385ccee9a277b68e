/** Which outputs a payment spends: sizes, fees, change and dust. Amounts are in the smallest unit. */
import { maxOf } from "../evidence.js"
import type { Chain } from "./networks.js"
import type { AddressType, BitcoinInput } from "./Types.js"

/**
 * What a payment has to pay: an amount to a script, at a rate for 1,000 virtual bytes, with change to a script of one's own. `leastFee`
 * is what a transaction of a size pays at least, if that is more than the rate asks for.
 */
export interface SelectionTerms {
  readonly leastFee?: (size: number) => bigint
  /** What each input or output costs, if the fee is counted by them. */
  readonly actionFee?: bigint
  readonly amount: bigint
  readonly rate: bigint
  /** How an output is unlocked: by the type of its address. */
  readonly type: AddressType | Unlock
  /** The lengths of both scripts, in bytes. */
  readonly to: number
  readonly own: number
  /** The least change that is worth an output. */
  readonly dust: bigint
}

export interface Selection {
  readonly coins: ReadonlyArray<BitcoinInput>
  readonly fee: bigint
  /** 0 if there is none. */
  readonly change: bigint
}

/** Nodes relay no larger transactions (virtual bytes). */
const MAX_SIZE = 100_000

/** What unlocks an output, in bytes. `script` is the one whose hash its address has, with its length. */
export interface Unlock {
  readonly bytes: number
  readonly isWitness: boolean
  readonly script?: number
}

/**
 * What unlocks an output: a signature of at most 72 bytes and a public key, or, of Taproot, a signature of 64 bytes, with
 * their lengths. In a witness their number comes before them, and four of its bytes are one of the transaction's size.
 */
const unlocks: Readonly<Record<AddressType, Unlock>> = {
  p2pkh: { bytes: 1 + 72 + 1 + 33, isWitness: false },
  p2wpkh: { bytes: 1 + 72 + 1 + 33, isWitness: true },
  p2tr: { bytes: 1 + 64, isWitness: true },
  "p2sh-p2wpkh": { bytes: 1 + 72 + 1 + 33, isWitness: true, script: 1 + 22 }
}

const varIntSize = (count: number): number => (count < 0xfd ? 1 : count <= 0xffff ? 3 : 5)

/** The most virtual bytes of a transaction with this number of inputs and these output scripts. */
export const sizeOf = (
  inputs: number,
  type: AddressType | Unlock,
  scripts: ReadonlyArray<number>
): number => {
  const { bytes, isWitness, script = 0 } = typeof type === "string" ? unlocks[type] : type
  const bare =
    8 +
    varIntSize(inputs) +
    inputs * (41 + script) +
    varIntSize(scripts.length) +
    scripts.reduce((sum, length) => sum + 8 + varIntSize(length) + length, 0)
  return isWitness ? Math.ceil((bare * 4 + 2 + inputs * (1 + bytes)) / 4) : bare + inputs * bytes
}

export const feeForSize = (size: number, rate: bigint): bigint => (BigInt(size) * rate + 999n) / 1_000n

/** Two inputs or outputs are paid for even if there are fewer: a payment and its change are. */
const LEAST_ACTIONS = 2

/** The fee of a payment with this number of inputs, with change or without. */
export const feeOf = (
  { actionFee, leastFee = () => 0n, own, rate, to, type }: SelectionTerms,
  inputs: number,
  hasChange: boolean
): bigint => {
  if (actionFee !== undefined) return actionFee * BigInt(Math.max(LEAST_ACTIONS, inputs))
  const size = sizeOf(inputs, type, hasChange ? [to, own] : [to])
  return maxOf(feeForSize(size, rate), leastFee(size))
}

/** Whether a script is a program of SegWit: a version and 2 to 40 bytes. */
const isWitness = (script: Uint8Array): boolean =>
  script.length >= 4 &&
  script.length <= 42 &&
  (script[0] === 0 || ((script[0] ?? 0) >= 0x51 && (script[0] ?? 0) <= 0x60)) &&
  script[1] === script.length - 2

/** The dust limit of an output with this script. Nodes compute it from the cost of spending the output. */
export const dustLimitOf = ({ dust }: Chain, script: Uint8Array): bigint =>
  "least" in dust
    ? dust.least
    : (BigInt(8 + varIntSize(script.length) + script.length + (isWitness(script) ? 67 : 148)) * dust.rate) /
      1_000n

export const sum = (coins: ReadonlyArray<Pick<BitcoinInput, "amount">>): bigint =>
  coins.reduce((total, { amount }) => total + amount, 0n)

/** Whether a transaction with this number of inputs fits into what nodes relay. */
export const isTooLarge = ({ own, to, type }: SelectionTerms, inputs: number): boolean =>
  sizeOf(inputs, type, [to, own]) > MAX_SIZE

/** The fee and the change of a payment that spends just these coins, if they are enough. Change that would be dust is part of the fee. */
export const completeSelection = (
  terms: SelectionTerms,
  coins: ReadonlyArray<BitcoinInput>
): Selection | undefined => {
  const rest = sum(coins) - terms.amount
  const withChange = feeOf(terms, coins.length, true)
  if (rest >= withChange + terms.dust) return { coins, fee: withChange, change: rest - withChange }
  return rest >= feeOf(terms, coins.length, false) ? { coins, fee: rest, change: 0n } : undefined
}

/**
 * Selects the outputs to spend: the smallest one that suffices, or else as few as possible, the largest first, and the last as small as
 * possible. Outputs that cost more than they are worth are not used. Undefined if all of them do not suffice, or more are needed than
 * fit.
 */
export const select = (terms: SelectionTerms, coins: ReadonlyArray<BitcoinInput>): Selection | undefined => {
  const falling = [...coins].sort((a, b) => Number(b.amount - a.amount))
  const chosen: Array<BitcoinInput> = []
  for (const coin of falling) {
    if (isTooLarge(terms, chosen.length + 1)) return undefined
    if (completeSelection(terms, [...chosen, coin]) !== undefined)
      // this output suffices, and comes before the chosen ones
      for (const last of falling.reverse()) {
        const found = completeSelection(terms, [...chosen, last])
        if (found !== undefined) return found
      }
    chosen.push(coin)
  }
  return undefined
}

/** A sweep: the outputs that it spends, the fee, what arrives, and the outputs that stay. */
export interface Sweep {
  readonly coins: ReadonlyArray<BitcoinInput>
  readonly fee: bigint
  readonly amount: bigint
  readonly left: ReadonlyArray<BitcoinInput>
}

/** What one more input adds to the fee. */
export const inputFeeOf = (terms: SelectionTerms): bigint => feeOf(terms, 2, false) - feeOf(terms, 1, false)

/**
 * Selects the outputs of a sweep: all that are worth more than it costs to spend them, the largest first, as many as fit into one
 * transaction. The amount is not above 0 if they are worth less than the fee.
 */
export const selectAll = (terms: SelectionTerms, all: ReadonlyArray<BitcoinInput>): Sweep => {
  const falling = [...all].sort((a, b) => Number(b.amount - a.amount))
  const coins: Array<BitcoinInput> = []
  for (const coin of falling) {
    const next = coins.length + 1
    if (coin.amount <= inputFeeOf(terms) || sizeOf(next, terms.type, [terms.to]) > MAX_SIZE) break
    coins.push(coin)
  }
  const fee = feeOf(terms, Math.max(1, coins.length), false)
  return { coins, fee, amount: sum(coins) - fee, left: falling.slice(coins.length) }
}

/** Computes fee and change for these outputs, or fails if they do not suffice. */
export const findShortfall = (
  terms: SelectionTerms,
  coins: ReadonlyArray<BitcoinInput>
): { readonly needed: bigint; readonly available: bigint } => ({
  needed: terms.amount + feeOf(terms, Math.max(1, coins.length), false),
  available: sum(coins)
})
