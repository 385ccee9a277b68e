/** The reading and writing of JSON integers. The JavaScript type of an integer never depends on its value. */
export interface IntegerCodec {
  /** With `member`, the text is an answer or a list of answers, and only integers in that member of it can fail. */
  readonly parse: (text: string, numbers: ReadonlyArray<string>, member?: "result") => unknown
  readonly stringify: (value: unknown) => string
  /** Integers are `number`, by a reader of its own. */
  readonly isNumber?: true
}

/** An integer arrived that a `number` cannot hold: the answer is right, and the SDK is the one that cannot read it. */
export class UnsafeInteger extends Error {
  constructor(path: string) {
    super(`the integer at ${path} is above 2^53 and would lose digits`)
  }
}

/** An integer of sixteen digits or more, mostly outside of strings: only such a one may be unsafe. */
const longInteger = /(?:^|[[:,\s])(-?\d{16,})(?![\d.eE])/g

/** The unsafe integers of a text, as JSON.parse rounds them. Most bodies have none, and cost one scan and no walk. */
const findUnsafeIntegers = (text: string): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [, digits] of text.matchAll(longInteger)) {
    const value = Number(digits)
    if (!Number.isSafeInteger(value)) found.add(value)
  }
  return found
}

const requireSafeIntegers = (
  value: unknown,
  unsafe: ReadonlySet<number>,
  rounded: ReadonlyArray<string>,
  path: string
): void => {
  if (typeof value === "number") {
    if (unsafe.has(value) && !rounded.includes(`**${path.slice(path.lastIndexOf("."))}`))
      throw new UnsafeInteger(path)
  } else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value))
      requireSafeIntegers(child, unsafe, rounded, `${path}.${key}`)
  }
}

/** A bigint argument is a quantity: `0x` and hexadecimal digits (Ethereum JSON-RPC), which has no sign. */
const quantityReplacer = (_: string, value: unknown): unknown => {
  if (typeof value !== "bigint") return value
  if (value < 0n) throw new RangeError(`${value} is negative, which a quantity cannot be`)
  return `0x${value.toString(16)}`
}

/** A list of texts, as most parameters are: it has no integers, and a look at each value doubles the time. */
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

/**
 * JSON integers are `number`; one that a `number` cannot hold is an error, never a rounded value, unless its name is among
 * `numbers` (`**.name`): those are integers of which the size matters and the digits do not.
 */
export const numberIntegers: IntegerCodec = {
  parse: (text, numbers, member) => {
    const json: unknown = JSON.parse(text)
    const unsafe = findUnsafeIntegers(text)
    if (unsafe.size === 0) return json
    for (const answer of member !== undefined && Array.isArray(json) ? json : [json]) {
      if (member === undefined) requireSafeIntegers(answer, unsafe, numbers, "$")
      else requireSafeIntegers(Object(answer)[member], unsafe, numbers, `$.${member}`)
    }
    return json
  },
  stringify: (value) => JSON.stringify(value, isTextList(value) ? undefined : quantityReplacer) ?? "null"
}
