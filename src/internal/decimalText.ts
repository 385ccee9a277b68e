import { format } from "../Units.js"

/** A number that is not negative, as JSON writes it: an exponent stays small enough to be written out. */
const written = /^(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/

/** Whether a text is such a number. */
export const isDecimalText = (text: string): boolean => written.test(text)

/** A number's digits without an exponent, divided by 10^places: exact, never through a float. */
export const plainDecimal = (text: string, places = 0): string => {
  const [, whole = "0", fraction = "", exponent = "0"] = written.exec(text) ?? []
  const scale = fraction.length - Number(exponent) + places
  const digits = BigInt(`${whole}${fraction}`)
  return scale >= 0 ? format(digits, scale) : format(digits * 10n ** BigInt(-scale), 0)
}
