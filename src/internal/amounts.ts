import * as Schema from "effect/Schema"
import * as Units from "../Units.js"

/** A decimal number as JSON or the provider writes it. An exponent stays small enough to be written out. */
const written = /^([+-]?)(\d{1,200})(?:\.(\d{1,200}))?(?:[eE]([+-]?\d{1,3}))?$/

/** Digits, and how many of them are behind the point. */
interface Scaled {
  readonly digits: bigint
  readonly scale: number
}

const scaled = (text: string): Scaled | undefined => {
  const [, sign, whole = "", fraction = "", exponent = "0"] = written.exec(text) ?? []
  if (sign === undefined) return undefined
  const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** Whether a text is a decimal number. */
export const isAmount = (text: string): boolean => written.test(text)

/** The sum of decimal numbers, never in exponent form and never rounded. What is no number counts for nothing. */
export const sum = (amounts: ReadonlyArray<string>): string => {
  const parts = amounts.map((text) => scaled(text) ?? { digits: 0n, scale: 0 })
  const scale = parts.reduce((most, part) => Math.max(most, part.scale), 0)
  const total = parts.reduce((all, part) => all + part.digits * 10n ** BigInt(scale - part.scale), 0n)
  return Units.format(total, scale)
}

/** A decimal number as text: its own digits, but never in exponent form. */
export const plain = (text: string): string => (/e/i.test(text) ? sum([text]) : text)

/** An amount in an answer whose numbers are text. */
export const Amount = Schema.String.pipe(
  Schema.filter(isAmount, { message: () => "must be a decimal number" })
)

/** An amount in an answer whose numbers are text, which is none where it is below zero. */
export const Holding = Amount.pipe(
  Schema.filter((text) => !text.startsWith("-"), { message: () => "must not be below zero" })
)
