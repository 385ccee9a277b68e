import { findStringEnd } from "./splitList.js"

/** A JSON number; the group is its fraction and exponent, empty for an integer. */
const numeral = /^-?(?:0|[1-9]\d*)((?:\.\d+)?(?:[eE][-+]?\d+)?)$/

/** Reads a number from its digits. `isWhole`: it has neither a fraction nor an exponent. */
type ReadNumber<A> = (digits: string, isWhole: boolean) => A

/** Replaces each number of a JSON text by its index in `numbers`. Strings stay unchanged. */
const replaceNumbers = <A>(text: string, numbers: Array<A>, read: ReadNumber<A>): string => {
  const place = (token: string): string => {
    const [, fraction] = numeral.exec(token) ?? []
    // an invalid number stays, and JSON.parse refuses it
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

/** Replaces the indices by the numbers. */
const restoreNumbers = (value: unknown, numbers: ReadonlyArray<unknown>): unknown => {
  if (typeof value === "number") return numbers[value]
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = restoreNumbers(value[i], numbers)
    return value
  }
  // the value was just parsed, so it may be mutated
  const members = value as Record<string, unknown>
  for (const key of Object.keys(members)) members[key] = restoreNumbers(members[key], numbers)
  return value
}

/** Parses JSON, and reads each number by a function. */
export const parseNumbers = <A>(text: string, read: ReadNumber<A>): unknown => {
  const numbers: Array<A> = []
  return restoreNumbers(JSON.parse(replaceNumbers(text, numbers, read)), numbers)
}

/**
 * Parses a decimal number: as a `number`, or as text if it has more digits than a double can hold. With an exponent it is always a `number`.
 */
export const parseDecimal = (digits: string): number | string =>
  /e/i.test(digits) || Math.abs(Number(digits.replace(".", ""))) < 2 ** 52 ? Number(digits) : digits

/** An amount in whole coins, with eight decimals. */
const coinAmount = /^-?\d+\.\d{8}$/

/**
 * Parses JSON with integers as `bigint`. A number with a fraction or an exponent is a `number`, except for an amount in whole coins that does not
 * fit into a double: that is text.
 */
export const parseLossless = (text: string): unknown =>
  parseNumbers(text, (digits, isWhole) =>
    isWhole ? BigInt(digits) : coinAmount.test(digits) ? parseDecimal(digits) : Number(digits)
  )

/** Parses JSON with integers as text, and also each decimal number that does not fit into a double. */
export const parseIntegersAsText = (text: string): unknown =>
  integersToText(parseNumbers(text, (digits, isWhole) => (isWhole ? BigInt(digits) : parseDecimal(digits))))

const bigintToText = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? String(value) : value

/** Converts the integers of an answer, or of a list of answers, to text. The ids of JSON-RPC stay unchanged. */
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
