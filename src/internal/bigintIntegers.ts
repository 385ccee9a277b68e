import { isInteger, parse, stringify } from "lossless-json"
import { type Integers, UnsafeInteger } from "./integers.js"

/** `value.[].slot`: names, `[]` for any index, `*` for any key; `**.decimals` for a name at any depth. */
const matches = (
  pattern: ReadonlyArray<string>,
  path: ReadonlyArray<string>,
  array: ReadonlyArray<boolean>
): boolean =>
  pattern[0] === "**"
    ? pattern.length === 2 && pattern[1] === path[path.length - 1] && array[array.length - 1] === false
    : pattern.length === path.length &&
      pattern.every((part, i) => part === "*" || (part === "[]" ? array[i] === true : part === path[i]))

const demote = (
  value: unknown,
  patterns: ReadonlyArray<ReadonlyArray<string>>,
  path: ReadonlyArray<string>,
  array: ReadonlyArray<boolean>
): unknown => {
  if (typeof value === "bigint") {
    if (!patterns.some((pattern) => matches(pattern, path, array))) return value
    const number = Number(value)
    if (!Number.isSafeInteger(number)) throw new UnsafeInteger(["$", ...path].join("."))
    return number
  }
  if (Array.isArray(value)) {
    return value.map((item, i) => demote(item, patterns, [...path, String(i)], [...array, true]))
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      demote(item, patterns, [...path, key], [...array, false])
    ])
  )
}

/** JSON integers are `bigint`, whatever their size, except at the key paths that the endpoint lists. */
export const bigintIntegers: Integers = {
  parse: (text, numbers) => {
    const json: unknown = parse(text, undefined, (digits) =>
      isInteger(digits) ? BigInt(digits) : Number(digits)
    )
    return numbers.length === 0
      ? json
      : demote(
          json,
          numbers.map((path) => path.split(".")),
          [],
          []
        )
  },
  stringify: (value) => stringify(value) ?? "null"
}
