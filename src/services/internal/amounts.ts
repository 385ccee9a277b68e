import * as Schema from "effect/Schema"
import * as Units from "../../data/Units.js"

/** The smallest units of an amount of coins or tokens, if it is one. */
export const toUnits = (coins: string, decimals: number): bigint | undefined => {
  const units = Units.parse(coins, decimals)
  return units._tag === "Some" ? units.value : undefined
}

/** A decimal number as JSON or the provider writes it. An exponent stays small enough to be written out. */
const decimalPattern = /^([+-]?\d{1,200})(?:\.(\d{1,200}))?(?:[eE]([+-]?\d{1,3}))?$/

/** A number: its digits, and how many of them are behind the point. Below zero there are zeros before it, which are not written. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** A text that is no number counts for nothing. */
const parseDecimal = (text: string): Decimal => {
  const [, whole = "0", after = "", exponent = "0"] = decimalPattern.exec(text) ?? []
  return { digits: BigInt(whole.replace("+", "") + after), scale: after.length - Number(exponent) }
}

/** The digits of a number with more of them behind the point. */
const digitsAt = ({ digits, scale }: Decimal, more: number): bigint => digits * 10n ** BigInt(more - scale)

const formatDecimal = (amount: Decimal): string => {
  const scale = Math.max(0, amount.scale)
  return Units.format(digitsAt(amount, scale), scale)
}

const addDecimals = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale)
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale }
}

/** Whether a text is a decimal number. */
export const isAmount = (text: string): boolean => decimalPattern.test(text)

/** The sum of decimal numbers, never in exponent form and never rounded. */
export const sumAmounts = (amounts: ReadonlyArray<string>): string =>
  formatDecimal(amounts.map(parseDecimal).reduce(addDecimals, { digits: 0n, scale: 0 }))

/** A decimal number as text: its own digits, but never in exponent form. */
export const toPlainDecimal = (text: string): string =>
  /e/i.test(text) ? formatDecimal(parseDecimal(text)) : text

/** A decimal number divided by 10^exponent, exact, without needless zeros. */
export const divideByPowerOf10 = (text: string, exponent = 0): string => {
  const { digits, scale } = parseDecimal(text)
  return formatDecimal({ digits, scale: scale + exponent })
}

/** The schema of an amount in an answer whose numbers are text. */
export const Amount = Schema.String.pipe(
  Schema.filter(isAmount, { message: () => "must be a decimal number" })
)

/** The schema of an amount of at least 0 in an answer whose numbers are text. */
export const NonNegativeAmount = Amount.pipe(
  Schema.filter((text) => !text.startsWith("-"), { message: () => "must not be below zero" })
)
