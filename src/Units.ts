/**
 * Amounts between the smallest unit of a coin and whole coins: exact, in both directions.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"

/**
 * Whole coins as a decimal string, never in exponent form: `format(1500000000000000000n, 18)` is `"1.5"`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = (amount: bigint, decimals: number): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "")
  return `${amount < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`
}

const decimal = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)$/

/**
 * The smallest units in a decimal string of whole coins: `parse("1.5", 18)` is `1500000000000000000n`. None if it is no
 * decimal number, is in exponent form, or has more digits after the point than the coin.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (coins: string, decimals: number): Option.Option<bigint> => {
  const [, sign, whole = "", fraction = ""] = decimal.exec(coins.trim()) ?? []
  const digits = fraction.replace(/0+$/, "")
  if (sign === undefined || digits.length > decimals) return Option.none()
  const units = BigInt(`${whole}${digits.padEnd(decimals, "0")}` || "0")
  return Option.some(sign === "-" ? -units : units)
}
