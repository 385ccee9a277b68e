/**
 * Makes small errors in answers.
 *
 * @since 0.1.0
 */
import { ExactNumber, isJsonObject } from "./CallEdits.js"
import { pickRandom, type Random, randomBelow } from "./Random.js"

/**
 * The kind of an error: a `digit` of a number or of a text is changed (a hexadecimal digit in `0x…`), a field is
 * missing (`drop`), or a value has another JSON `type`.
 *
 * @since 0.1.0
 * @category models
 */
export type CorruptionKind = "digit" | "drop" | "type"

type JsonPath = ReadonlyArray<string | number>

interface JsonPlace {
  readonly path: JsonPath
  readonly value: unknown
}

/** All values inside a value, and itself. */
const listPlaces = (value: unknown, path: JsonPath = []): ReadonlyArray<JsonPlace> => [
  { path, value },
  ...(Array.isArray(value)
    ? value.flatMap((item, i) => listPlaces(item, [...path, i]))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([name, item]) => listPlaces(item, [...path, name]))
      : [])
]

const HEXADECIMAL = /^0x[0-9a-f]+$/i

const findDigits = (value: unknown): ReadonlyArray<number> => {
  const text = value instanceof ExactNumber ? value.digits : value
  if (typeof text !== "string") return []
  const isDigit = HEXADECIMAL.test(text) ? /[0-9a-f]/i : /[0-9]/
  const from = HEXADECIMAL.test(text) ? 2 : 0
  return [...text].flatMap((letter, i) => (i >= from && isDigit.test(letter) ? [i] : []))
}

/** The new digit is never 0, so that numbers stay valid and keep their length. */
const changeDigit = (next: Random, value: unknown): unknown => {
  const text = value instanceof ExactNumber ? value.digits : String(value)
  const at = pickRandom(next, findDigits(value)) ?? 0
  const all = HEXADECIMAL.test(text) ? "123456789abcdef" : "123456789"
  const digit = pickRandom(
    next,
    [...all].filter((candidate) => candidate !== text[at]?.toLowerCase())
  )
  const changed = text.slice(0, at) + digit + text.slice(at + 1)
  return value instanceof ExactNumber ? new ExactNumber(changed) : changed
}

const jsonTypeOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "array"
      : value instanceof ExactNumber
        ? "number"
        : typeof value

const changeType = (next: Random, value: unknown): unknown =>
  pickRandom(
    next,
    [null, true, 4_660, "corrupt", [], {}].filter((candidate) => jsonTypeOf(candidate) !== jsonTypeOf(value))
  )

/** The value with the part at a path replaced, or without it. */
const replaceAt = (value: unknown, path: JsonPath, put: ((old: unknown) => unknown) | "drop"): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return put === "drop" ? value : put(value)
  if (Array.isArray(value))
    return value.map((item: unknown, i: number) => (i === step ? replaceAt(item, rest, put) : item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      name !== step
        ? [[name, item]]
        : rest.length === 0 && put === "drop"
          ? []
          : [[name, replaceAt(item, rest, put)]]
    )
  )
}

const corruptOnce = (next: Random, value: unknown, how: CorruptionKind | undefined): unknown => {
  const all = listPlaces(value)
  const candidates: Readonly<Record<CorruptionKind, ReadonlyArray<JsonPlace>>> = {
    digit: all.filter((place) => findDigits(place.value).length > 0),
    // only fields have a name, items of a list do not
    drop: all.filter(({ path }) => typeof path.at(-1) === "string"),
    type: all
  }
  const wanted = how === undefined ? (["digit", "drop", "type"] as const) : ([how] as const)
  const chosen = pickRandom(
    next,
    wanted.filter((way) => candidates[way].length > 0)
  )
  // `type` is possible everywhere, even without digits and fields
  const way: CorruptionKind = chosen ?? "type"
  const place = candidates[way][randomBelow(next, candidates[way].length)]
  if (place === undefined) return value
  if (way === "drop") return replaceAt(value, place.path, "drop")
  return replaceAt(value, place.path, (old) =>
    way === "digit" ? changeDigit(next, old) : changeType(next, old)
  )
}

/**
 * Makes the given number of changes at random positions. Without `how`, each change is of a kind that is possible at
 * its position. A kind that is possible nowhere becomes `type`.
 *
 * @since 0.1.0
 * @category operations
 */
export const corrupt = (
  next: Random,
  value: unknown,
  changes: number,
  how: CorruptionKind | undefined
): unknown => {
  let result = value
  for (let i = 0; i < changes; i++) result = corruptOnce(next, result, how)
  return result
}
