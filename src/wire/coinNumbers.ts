import { type Integers, numberIntegers } from "../data/integers.js"
import { exactly, parseNumbers } from "./lossless.js"

/** A number of eight digits and more before eight decimals: shorter amounts a double holds. */
const long = /\d{8}\.\d{8}/

/** Whole coins as nodes of Bitcoin's kind write them: eight decimals. */
const coins = /^-?\d+\.\d{8}$/

/**
 * JSON numbers of chains that write amounts in whole coins with eight decimals. An amount that a double cannot hold is its text, and any
 * other number is what it is in {@link numberIntegers}.
 */
export const coinNumbers: Integers = {
  ...numberIntegers,
  isNumber: true,
  parse: (text, numbers, member) => {
    // integers that would lose digits are an error
    const json = numberIntegers.parse(text, numbers, member)
    return long.test(text)
      ? parseNumbers(text, (digits) => (coins.test(digits) ? exactly(digits) : Number(digits)))
      : json
  }
}
