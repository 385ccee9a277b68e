/**
 * Conditions of subscriptions: whether an event meets all of them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const fields = [
  "value",
  "contractAddress",
  "from",
  "to",
  "tokenId",
  "tokenMetadata.type",
  "tokenMetadata.symbol"
] as const

/**
 * A field of an event that a condition compares.
 *
 * @since 0.1.0
 * @category models
 */
export type Field = (typeof fields)[number]

const withMessage = (words: string) => ({ message: () => ({ message: words, override: true }) })

/**
 * A condition of a subscription. As at the provider, every field supports every operator, and values are text.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Condition = Schema.Struct({
  field: Schema.Literal(...fields).annotations(withMessage(`field must be one of ${fields.join(", ")}`)),
  operator: Schema.Literal(">", ">=", "<", "<=", "==", "!=").annotations(
    withMessage("operator must be one of >, >=, <, <=, ==, !=")
  ),
  value: Schema.String.annotations(withMessage("value must be text"))
})

const isWholeNumber = (text: string): boolean => /^\d+$/.test(text)

/** Compares hexadecimal addresses without regard to case. */
const isSameValue = (a: string, b: string): boolean =>
  a === b || (/^0x/i.test(a) && a.toLowerCase() === b.toLowerCase())

/** The order of two values; undefined where they are not comparable. Whole numbers are compared by size. */
const compareValues = (a: string, b: string): number | undefined => {
  if (!isWholeNumber(a) || !isWholeNumber(b)) return undefined
  const difference = BigInt(a) - BigInt(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const meetsCondition = ({ operator, value }: typeof Condition.Type, actual: string | undefined): boolean => {
  const ordered = actual === undefined ? undefined : compareValues(actual, value)
  const isSame = actual !== undefined && (ordered === 0 || isSameValue(actual, value))
  switch (operator) {
    case "==":
      return isSame
    case "!=":
      return !isSame
    case ">":
      return ordered === 1
    case ">=":
      return ordered === 1 || ordered === 0
    case "<":
      return ordered === -1
    case "<=":
      return ordered === -1 || ordered === 0
  }
}

/**
 * Whether an event meets all conditions. A field that the event lacks is not equal to any value, and neither less nor
 * greater.
 *
 * @since 0.1.0
 * @category predicates
 */
export const meetsConditions = (
  conditions: ReadonlyArray<typeof Condition.Type>,
  fieldOf: (field: Field) => string | undefined
): boolean => conditions.every((condition) => meetsCondition(condition, fieldOf(condition.field)))
