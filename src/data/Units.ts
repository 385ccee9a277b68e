/**
 * Amounts between the smallest unit of a coin and whole coins: exact, in both directions.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import { withoutTail } from "./tail.js"

/**
 * Whole coins as a decimal string, never in exponent form: `format(1500000000000000000n, 18)` is `"1.5"`. A quantity of an EVM node, such
 * as a receipt's gas price, is taken as it is.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = (given: bigint | `0x${string}`, decimals: number): string => {
  const amount = BigInt(given)
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = withoutTail(digits.slice(digits.length - decimals), "0")
  return `${amount < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`
}

/** Longer texts are no amounts: the largest number of a contract has 78 digits, and BigInt takes the square of the time. */
const MAX_LENGTH = 10_000

const decimal = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/

/**
 * The smallest units in a decimal string of whole coins: `parse("1.5", 18)` is `1500000000000000000n`. None if it is no
 * decimal number, is in exponent form, has more digits after the point than the coin, or more than 10,000 characters.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (coins: string, decimals: number): Option.Option<bigint> => {
  if (coins.length > MAX_LENGTH || decimals > MAX_LENGTH) return Option.none()
  const [, sign, whole = "", after = "", alone = ""] = decimal.exec(coins.trim()) ?? []
  const digits = withoutTail(after + alone, "0")
  if (sign === undefined || digits.length > decimals) return Option.none()
  const units = BigInt(`${whole}${digits.padEnd(decimals, "0")}` || "0")
  return Option.some(sign === "-" ? -units : units)
}
