/** What JSON integers become. The JavaScript type of an integer never depends on its value. */
export interface Integers {
  readonly parse: (text: string, numbers: ReadonlyArray<string>) => unknown
  readonly stringify: (value: unknown) => string
}

/** An integer arrived that a `number` cannot hold. */
export class UnsafeInteger extends Error {
  constructor(path: string) {
    super(`the integer at ${path} is above 2^53 and would lose digits`)
  }
}

/** Sixteen digits outside a string: only then may an integer be unsafe, so other bodies cost one scan and no walk. */
const long = /[[:,\s]-?\d{16}/

const check = (value: unknown, path: string): void => {
  if (typeof value === "number") {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new UnsafeInteger(path)
  } else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value)) check(child, `${path}.${key}`)
  }
}

/** A bigint argument is a quantity: `0x` and hexadecimal digits (Ethereum JSON-RPC). */
const quantities = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? `0x${value.toString(16)}` : value

/** JSON integers are `number`; one that a `number` cannot hold is an error, never a rounded value. */
export const numberIntegers: Integers = {
  parse: (text) => {
    const json: unknown = JSON.parse(text)
    if (long.test(text)) check(json, "$")
    return json
  },
  stringify: (value) => JSON.stringify(value, quantities)
}
