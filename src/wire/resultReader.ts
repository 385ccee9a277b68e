/** Checks of results by the endpoint table: lists must be lists, and fields that echo an argument must have its value. */
import type { Checks, Dialect, Spec } from "../data/Endpoint.js"
import { isRecord, toPrintableJson } from "../data/untrusted.js"

/** Decodes a result of a call with these arguments. Throws if the node has answered something else. */
export type ResultReader = (args: ReadonlyArray<unknown>) => (result: unknown) => unknown

const describeKind = (value: unknown): string =>
  isRecord(value) ? "an object" : typeof value === "string" ? "text" : `a ${typeof value}`

const toList = (value: unknown): unknown => {
  if (Array.isArray(value)) return value
  if (value === null || value === undefined) return []
  throw new Error(`a list was expected, not ${describeKind(value)}`)
}

/**
 * Ensures a list at a path. A missing field or null becomes an empty list, since some versions of nodes leave out empty lists. If the record
 * itself is missing, nothing is added.
 */
const ensureList = (value: unknown, names: ReadonlyArray<string>): unknown => {
  const [name, ...others] = names
  if (name === "?" && value === null) return value
  if (name === undefined || name === "" || name === "?") return toList(value)
  if (!isRecord(value)) {
    if (value === null || value === undefined) return value
    throw new Error(`an object was expected, not ${Array.isArray(value) ? "a list" : describeKind(value)}`)
  }
  const inner = ensureList(value[name], others)
  return inner === value[name] ? value : { ...value, [name]: inner }
}

const isInteger = (value: unknown): boolean =>
  typeof value === "bigint" ||
  Number.isSafeInteger(value) ||
  (typeof value === "string" && /^(\d+|0x[0-9a-f]+)$/i.test(value))

const isHexNumber = (value: unknown): boolean => typeof value !== "string" || /^0x/i.test(value)

/** Whether a value is a hash or an address: those are long, heights and tags are short. */
const isHash = (value: unknown): boolean => typeof value === "string" && value.length >= 40

/** Hex text without 0x, in lower case. */
const normalizeHex = (text: string): string => text.toLowerCase().replace(/^0x/, "")

/**
 * Whether an answer echoes the argument, as far as the two can be compared: a height or a tag (`latest`) cannot be compared with a hash. The
 * case of letters does not matter. A missing value counts as equal.
 */
const isSameValue = (requested: unknown, answered: unknown): boolean => {
  if (isHash(answered) ? !isHash(requested) : isHash(requested) && isInteger(answered)) return true
  if (isInteger(requested) && isInteger(answered) && (isHexNumber(requested) || isHexNumber(answered)))
    return BigInt(String(requested)) === BigInt(String(answered))
  if (typeof requested !== "string" || typeof answered !== "string") return true
  if (isInteger(answered) && /^[a-z]{3,12}$/i.test(requested)) return true
  return normalizeHex(requested) === normalizeHex(answered)
}

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
          ? Reflect.get(inner, name)
          : undefined,
      value
    )

const argumentAt = (args: ReadonlyArray<unknown>, key: number | string): unknown =>
  typeof key === "number" ? args[key] : valueAt(args[0], key)

const checkEchoes = (
  echoes: NonNullable<Checks["echoes"]>,
  canonical: NonNullable<Dialect["canonical"]>,
  args: ReadonlyArray<unknown>,
  result: unknown
): void => {
  const form = (value: unknown): unknown => (typeof value === "string" ? canonical(value) : value)
  for (const [path, key] of Object.entries(echoes)) {
    const requested = argumentAt(args, key)
    const answered = valueAt(result, path)
    if (!isSameValue(form(requested), form(answered)))
      throw new Error(
        `its ${path} is ${toPrintableJson(answered, 100)}, and ${toPrintableJson(requested, 100)} was asked for`
      )
  }
}

/** The text, or undefined if it is empty. */
const undefinedIfEmpty = (text: string): string | undefined => text || undefined

/** Makes the decoder of an endpoint's results; undefined if there is nothing to decode or check. */
export const makeResultReader = (
  { decode, echoes, lists }: Spec,
  { canonical = undefinedIfEmpty }: Dialect = {}
): ResultReader | undefined => {
  if (decode === undefined && echoes === undefined && lists === undefined) return undefined
  const convert = decode as ((result: unknown) => unknown) | undefined
  const paths = lists?.map((path) => path.split(".")) ?? []
  return (args) => (result) => {
    if (echoes !== undefined) checkEchoes(echoes, canonical, args, result)
    const value = convert === undefined ? result : convert(result)
    return paths.reduce(ensureList, value)
  }
}
