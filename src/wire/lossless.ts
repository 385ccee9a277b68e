import { findStringEnd } from "./splitList.js"

/** A number of JSON; the group is its fraction and exponent, which an integer lacks. */
const numeral = /^-?(?:0|[1-9]\d*)((?:\.\d+)?(?:[eE][-+]?\d+)?)$/

/** What a number is read as: `isWhole` tells that it has neither a fraction nor an exponent. */
type ReadNumber<A> = (digits: string, isWhole: boolean) => A

/** Numbers of a text give way to their places in a list; strings are left alone. */
const replaceNumbers = <A>(text: string, numbers: Array<A>, read: ReadNumber<A>): string => {
  const place = (token: string): string => {
    const [, fraction] = numeral.exec(token) ?? []
    // a text that is no number stays where it is, and is refused there
    return fraction === undefined ? token : String(numbers.push(read(token, fraction === "")) - 1)
  }
  let result = ""
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from)
    const until = quote === -1 ? text.length : quote
    result += text.slice(from, until).replace(/[-+.\d][-+.\deE]*/g, place)
    const end = quote === -1 ? -1 : findStringEnd(text, quote)
    from = end === -1 ? text.length : end + 1
    result += text.slice(until, from)
  }
  return result
}

/** Puts the numbers back in their places. */
const restoreNumbers = (value: unknown, numbers: ReadonlyArray<unknown>): unknown => {
  if (typeof value === "number") return numbers[value]
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = restoreNumbers(value[i], numbers)
    return value
  }
  // a value that was just read belongs to nobody else
  const members = value as Record<string, unknown>
  for (const key of Object.keys(members)) members[key] = restoreNumbers(members[key], numbers)
  return value
}

/** JSON whose numbers are read by a function of their digits. */
export const parseNumbers = <A>(text: string, read: ReadNumber<A>): unknown => {
  const numbers: Array<A> = []
  return restoreNumbers(JSON.parse(replaceNumbers(text, numbers, read)), numbers)
}

/**
 * A decimal number of JSON as a `number`, or as its text where it has more digits than tell a double from its neighbours. One with an
 * exponent is a `number`.
 */
export const parseDecimal = (digits: string): number | string =>
  /e/i.test(digits) || Math.abs(Number(digits.replace(".", ""))) < 2 ** 52 ? Number(digits) : digits

/** Whole coins with eight decimals, as chains of Bitcoin's kind write amounts. */
const coinAmount = /^-?\d+\.\d{8}$/

/**
 * JSON whose integers are `bigint`, whatever their size; a number with a fraction or an exponent is a `number`, but for an amount in whole
 * coins that a double cannot hold: that is its text.
 */
export const parseLossless = (text: string): unknown =>
  parseNumbers(text, (digits, isWhole) =>
    isWhole ? BigInt(digits) : coinAmount.test(digits) ? parseDecimal(digits) : Number(digits)
  )

/** JSON whose integers are text, as is each decimal number that a double cannot hold. */
export const parseIntegersAsText = (text: string): unknown =>
  integersToText(parseNumbers(text, (digits, isWhole) => (isWhole ? BigInt(digits) : parseDecimal(digits))))

const bigintToText = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? String(value) : value

/** An answer, or a list of answers, whose integers are text; ids are those of the requests. */
export const integersToText = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(integersToText)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [
      name,
      name === "id" ? member : JSON.parse(JSON.stringify(member, bigintToText))
    ])
  )
}

/** The digits of a value that is written as a number; undefined for any other value. */
type WriteNumber = (value: unknown) => string | undefined

const writeBigint: WriteNumber = (value) => (typeof value === "bigint" ? String(value) : undefined)

/** A value as JSON, in which a `bigint` keeps all of its digits; undefined for a value that JSON does not have. */
export const stringifyLossless = (
  value: unknown,
  writeNumber: WriteNumber = writeBigint
): string | undefined => {
  const number = writeNumber(value)
  if (number !== undefined) return number
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if ("toJSON" in value && typeof value.toJSON === "function")
    return stringifyLossless(value.toJSON(), writeNumber)
  if (Array.isArray(value))
    return `[${Array.from(value, (item) => stringifyLossless(item, writeNumber) ?? "null")}]`
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = stringifyLossless(member, writeNumber)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members}}`
}
