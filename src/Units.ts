/**
 * Amounts between the smallest unit of a coin and whole coins: exact, in both directions.
 *
 * @since 0.1.0
 */
import * as BigDecimal from "effect/BigDecimal"
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

/**
 * The smallest units in a decimal string of whole coins: `parse("1.5", 18)` is `1500000000000000000n`. None if it is no
 * decimal number, or has more digits after the point than the coin.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (coins: string, decimals: number): Option.Option<bigint> =>
  Option.flatMap(BigDecimal.fromString(coins.trim()), (value) => {
    const { scale, value: digits } = BigDecimal.normalize(value)
    return scale > decimals ? Option.none() : Option.some(digits * 10n ** BigInt(decimals - scale))
  })
