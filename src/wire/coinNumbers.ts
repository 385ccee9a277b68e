import { type IntegerCodec, numberIntegers } from "../data/integers.js"
import { parseDecimal, parseNumbers } from "./lossless.js"

/** A number of eight digits and more before eight decimals: shorter amounts a double holds. */
const longAmount = /\d{8}\.\d{8}/

/** Whole coins as nodes of Bitcoin's kind write them: eight decimals. */
const coinAmount = /^-?\d+\.\d{8}$/

/**
 * JSON numbers of chains that write amounts in whole coins with eight decimals. An amount that a double cannot hold is its text, and any
 * other number is what it is in {@link numberIntegers}.
 */
export const coinNumbers: IntegerCodec = {
  ...numberIntegers,
  isNumber: true,
  parse: (text, numbers, member) => {
    // integers that would lose digits are an error
    const json = numberIntegers.parse(text, numbers, member)
    return longAmount.test(text)
      ? parseNumbers(text, (digits) => (coinAmount.test(digits) ? parseDecimal(digits) : Number(digits)))
      : json
  }
}
