/**
 * Amounts for ordinary code: between whole coins, as people write them, and the smallest unit, as chains count.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import { InvalidArgument, kindOf } from "./SdkError.js"
import { format, parse } from "./Units.js"

/** A token says its decimals in a byte. */
const MAX_DECIMALS = 255

const makeInvalidArgument = (call: string, reason: string): InvalidArgument =>
  new InvalidArgument({ call, reason })

const checkDecimals = (call: string, decimals: number): number => {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS) return decimals
  throw makeInvalidArgument(
    call,
    `decimals must be a whole number from 0 to ${MAX_DECIMALS}, not ${kindOf(decimals)}`
  )
}

/** Digits, and a point between two of them: nothing around them, neither sign nor exponent. */
const plainDecimal = /^\d+(?:\.\d+)?$/

/**
 * The smallest units in an amount of whole coins: `parseUnits("1.5", 18)` is `1500000000000000000n`. It takes digits with at most one
 * point between them, and throws `InvalidArgument` for everything else: a sign (an amount is never negative), blanks, `"5."`, `".5"`, an
 * exponent, or more digits after the point than `decimals`, which would be rounded.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseUnits = (coins: string, decimals: number): bigint => {
  const call = "parseUnits"
  checkDecimals(call, decimals)
  if (typeof coins !== "string" || !plainDecimal.test(coins))
    throw makeInvalidArgument(
      call,
      `the amount must be digits with at most one point between them, such as "1.5", not ${typeof coins === "string" ? JSON.stringify(coins.slice(0, 40)) : kindOf(coins)}`
    )
  const units = parse(coins, decimals)
  const value = Option.getOrUndefined(units)
  if (value === undefined)
    throw makeInvalidArgument(
      call,
      `the amount has more than ${decimals} digits after the point, or too many in all`
    )
  return value
}

/**
 * An amount of the smallest units in whole coins, without zeros at its end: `formatUnits(1500000000000000000n, 18)` is `"1.5"`. A
 * negative one, such as the difference of two, has its sign. Throws `InvalidArgument` if `decimals` is no whole number from 0 to 255.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatUnits = (amount: bigint, decimals: number): string =>
  format(amount, checkDecimals("formatUnits", decimals))

/**
 * The wei in an amount of ether, which is that of `parseUnits` with 18 decimals: `parseEther("1.5")`. Throws `InvalidArgument` where
 * that does.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseEther = (ether: string): bigint => parseUnits(ether, 18)

/**
 * An amount of wei in ether: `formatEther(1500000000000000000n)` is `"1.5"`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatEther = (wei: bigint): string => formatUnits(wei, 18)
