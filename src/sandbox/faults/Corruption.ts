/**
 * Answers that are wrong in a small place.
 *
 * @since 0.1.0
 */
import { isLosslessNumber, LosslessNumber } from "lossless-json"
import { isJson } from "./Exchange.js"
import { below, pick, type Random } from "./Random.js"

/**
 * A way to be wrong: a `digit` of a number or of a text (hexadecimal digits count in `0x…`) is another one, a field is
 * missing (`drop`), or a value has another JSON `type`.
 *
 * @since 0.1.0
 * @category models
 */
export type How = "digit" | "drop" | "type"

type Path = ReadonlyArray<string | number>

interface Place {
  readonly path: Path
  readonly value: unknown
}

/** Every value inside of a value, itself included. */
const places = (value: unknown, path: Path = []): ReadonlyArray<Place> => [
  { path, value },
  ...(Array.isArray(value)
    ? value.flatMap((item, i) => places(item, [...path, i]))
    : isJson(value)
      ? Object.entries(value).flatMap(([name, item]) => places(item, [...path, name]))
      : [])
]

const hexadecimal = /^0x[0-9a-f]+$/i

/** The places of the digits in a text or a number. */
const digits = (value: unknown): ReadonlyArray<number> => {
  const text = isLosslessNumber(value) ? value.value : value
  if (typeof text !== "string") return []
  const isDigit = hexadecimal.test(text) ? /[0-9a-f]/i : /[0-9]/
  const from = hexadecimal.test(text) ? 2 : 0
  return [...text].flatMap((letter, i) => (i >= from && isDigit.test(letter) ? [i] : []))
}

/** Never 0, so that numbers stay numbers and keep their length. */
const otherDigit = (next: Random, value: unknown): unknown => {
  const text = isLosslessNumber(value) ? value.value : String(value)
  const at = pick(next, digits(value)) ?? 0
  const all = hexadecimal.test(text) ? "123456789abcdef" : "123456789"
  const digit = pick(
    next,
    [...all].filter((candidate) => candidate !== text[at]?.toLowerCase())
  )
  const changed = text.slice(0, at) + digit + text.slice(at + 1)
  return isLosslessNumber(value) ? new LosslessNumber(changed) : changed
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : isLosslessNumber(value) ? "number" : typeof value

const otherType = (next: Random, value: unknown): unknown =>
  pick(
    next,
    [null, true, 4_660, "corrupt", [], {}].filter((candidate) => typeOf(candidate) !== typeOf(value))
  )

/** The value with the part at a path replaced, or without it. */
const at = (value: unknown, path: Path, put: ((old: unknown) => unknown) | "drop"): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return put === "drop" ? value : put(value)
  if (Array.isArray(value))
    return value.map((item: unknown, i: number) => (i === step ? at(item, rest, put) : item))
  if (!isJson(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      name !== step
        ? [[name, item]]
        : rest.length === 0 && put === "drop"
          ? []
          : [[name, at(item, rest, put)]]
    )
  )
}

const once = (next: Random, value: unknown, how: How | undefined): unknown => {
  const all = places(value)
  const candidates: Readonly<Record<How, ReadonlyArray<Place>>> = {
    digit: all.filter((place) => digits(place.value).length > 0),
    // A field has a name, an item of a list has not.
    drop: all.filter(({ path }) => typeof path.at(-1) === "string"),
    type: all
  }
  const wanted = how === undefined ? (["digit", "drop", "type"] as const) : ([how] as const)
  const chosen = pick(
    next,
    wanted.filter((way) => candidates[way].length > 0)
  )
  // `type` fits everywhere: something is wrong afterwards even where there is no digit or no field.
  const way: How = chosen ?? "type"
  const place = candidates[way][below(next, candidates[way].length)]
  if (place === undefined) return value
  if (way === "drop") return at(value, place.path, "drop")
  return at(value, place.path, (old) => (way === "digit" ? otherDigit(next, old) : otherType(next, old)))
}

/**
 * The value with so many changes, each at a place of its own choice. Without `how` each change is one of the ways that
 * its place allows; a way that fits nowhere becomes `type`.
 *
 * @since 0.1.0
 * @category operations
 */
export const corrupt = (next: Random, value: unknown, changes: number, how: How | undefined): unknown => {
  let result = value
  for (let i = 0; i < changes; i++) result = once(next, result, how)
  return result
}
