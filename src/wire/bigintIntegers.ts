import { type IntegerCodec, UnsafeInteger } from "../data/integers.js"
import { parseLossless, stringifyLossless } from "./lossless.js"

interface Pattern {
  /** It matches the end of a path, at any depth. */
  readonly isDeep: boolean
  /** It matches the user's own data, which is left unchanged. */
  readonly isForeign: boolean
  readonly names: ReadonlyArray<string>
}

/** Parses a pattern such as `value.[].slot`: `[]` is any index, `*` any key, `**.decimals` any depth; `!**.data` excludes a subtree. */
const parsePattern = (path: string): Pattern => {
  const isForeign = path.startsWith("!")
  const names = path.slice(isForeign ? 1 : 0).split(".")
  const isDeep = names[0] === "**"
  return { isDeep, isForeign, names: isDeep ? names.slice(1) : names }
}

const matches = (
  { isDeep, names }: Pattern,
  path: ReadonlyArray<string>,
  array: ReadonlyArray<boolean>
): boolean => {
  const from = path.length - names.length
  return (
    (isDeep ? from >= 0 : from === 0) &&
    names.every((name, i) =>
      name === "*" ? true : name === "[]" ? array[from + i] === true : name === path[from + i]
    )
  )
}

/** Patterns by the name at their end, so that the time per integer does not depend on the number of patterns. */
interface Patterns {
  readonly byLastName: ReadonlyMap<string, ReadonlyArray<Pattern>>
  readonly wildcards: ReadonlyArray<Pattern>
  readonly foreign: ReadonlyArray<Pattern>
}

const indexPatterns = (paths: ReadonlyArray<string>): Patterns => {
  const patterns = paths.map(parsePattern)
  const byLastName = new Map<string, Array<Pattern>>()
  const wildcards: Array<Pattern> = []
  for (const pattern of patterns) {
    const last = pattern.names[pattern.names.length - 1] ?? "*"
    if (pattern.isForeign) continue
    if (last === "*" || last === "[]") wildcards.push(pattern)
    else byLastName.set(last, [...(byLastName.get(last) ?? []), pattern])
  }
  return { byLastName, wildcards, foreign: patterns.filter((pattern) => pattern.isForeign) }
}

/** The position of a value: `path`, and `inList` for each step. Both are mutated during the walk, since copies would cost the depth. */
interface Walk {
  readonly patterns: Patterns
  readonly path: Array<string>
  readonly inList: Array<boolean>
  readonly member: string | undefined
}

const toSafeNumbers = (value: unknown, walk: Walk): unknown => {
  const { inList, member, path, patterns } = walk
  if (typeof value === "bigint") {
    const named = patterns.byLastName.get(path[path.length - 1] ?? "") ?? []
    const hit = (pattern: Pattern): boolean => matches(pattern, path, inList)
    if (!named.some(hit) && !patterns.wildcards.some(hit)) return value
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    if (member !== undefined && path[0] !== member) return value
    throw new UnsafeInteger(["$", ...path].join("."))
  }
  if (typeof value !== "object" || value === null) return value
  if (patterns.foreign.some((pattern) => matches(pattern, path, inList))) return value
  const inside = (key: string, item: unknown): unknown => {
    path.push(key)
    inList.push(isList)
    const demoted = toSafeNumbers(item, walk)
    path.pop()
    inList.pop()
    return demoted
  }
  const isList = Array.isArray(value)
  return isList
    ? value.map((item, i) => inside(String(i), item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(key, item)]))
}

/** Reads JSON integers as `bigint`, except at the key paths that the endpoint lists. */
export const bigintIntegers: IntegerCodec = {
  parse: (text, numbers, member) => {
    const json = parseLossless(text)
    return numbers.length === 0
      ? json
      : toSafeNumbers(json, { patterns: indexPatterns(numbers), path: [], inList: [], member })
  },
  stringify: (value) => stringifyLossless(value) ?? "null"
}
