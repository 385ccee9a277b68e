import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Units from "../../data/Units.js"

/** A decimal number as JSON or the provider writes it. An exponent stays small enough to be written out. */
const written = /^[+-]?\d{1,200}(?:\.\d{1,200})?(?:[eE][+-]?\d{1,3})?$/

/** A text that is no number counts for nothing. */
const parsed = (text: string): BigDecimal.BigDecimal =>
  Option.getOrElse(written.test(text) ? BigDecimal.fromString(text) : Option.none(), () =>
    BigDecimal.fromBigInt(0n)
  )

/** BigDecimal has exponents for small numbers, which amounts never have here. */
const write = ({ scale, value }: BigDecimal.BigDecimal): string =>
  scale >= 0 ? Units.format(value, scale) : Units.format(value * 10n ** BigInt(-scale), 0)

/** Whether a text is a decimal number. */
export const isAmount = (text: string): boolean => written.test(text)

/** The sum of decimal numbers, never in exponent form and never rounded. */
export const sum = (amounts: ReadonlyArray<string>): string =>
  write(amounts.map(parsed).reduce((all, each) => BigDecimal.sum(all, each), BigDecimal.fromBigInt(0n)))

/** A decimal number as text: its own digits, but never in exponent form. */
export const plain = (text: string): string => (/e/i.test(text) ? write(parsed(text)) : text)

/** A decimal number divided by 10^places, exact, without needless zeros. */
export const scaled = (text: string, places = 0): string => {
  const { scale, value } = parsed(text)
  return write(BigDecimal.make(value, scale + places))
}

/** An amount in an answer whose numbers are text. */
export const Amount = Schema.String.pipe(
  Schema.filter(isAmount, { message: () => "must be a decimal number" })
)

/** An amount in an answer whose numbers are text, and which must not be below zero. */
export const Holding = Amount.pipe(
  Schema.filter((text) => !text.startsWith("-"), { message: () => "must not be below zero" })
)
