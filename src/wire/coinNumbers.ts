import { type IntegerCodec, numberIntegers } from "../data/integers.js"
import { parseDecimal, parseNumbers } from "./lossless.js"

/** Finds numbers with at least eight digits before eight decimals: shorter amounts fit into a double. */
const longAmount = /\d{8}\.\d{8}/

/** An amount in whole coins, with eight decimals. */
const coinAmount = /^-?\d+\.\d{8}$/

/**
 * Reads the JSON of chains that write amounts in whole coins with eight decimals, as Bitcoin does. An amount that does not fit into a double is
 * read as text; other numbers as in {@link numberIntegers}.
 */
export const coinNumbers: IntegerCodec = {
  ...numberIntegers,
  // nodes of this kind have no quantities: a bigint is a JSON number
  stringify: (value) =>
    JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? Number(item) : item)),
  isNumber: true,
  parse: (text, numbers, member) => {
    // throws if an integer would lose digits
    const json = numberIntegers.parse(text, numbers, member)
    return longAmount.test(text)
      ? parseNumbers(text, (digits) => (coinAmount.test(digits) ? parseDecimal(digits) : Number(digits)))
      : json
  }
}
