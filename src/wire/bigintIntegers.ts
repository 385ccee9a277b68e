import { stringify } from "lossless-json"
import { type Integers, UnsafeInteger } from "../data/integers.js"
import { parseLossless } from "./lossless.js"

interface Pattern {
  /** Matches the end of a path, at any depth. */
  readonly deep: boolean
  /** Its matches are the user's own data: nothing inside them is looked at. */
  readonly foreign: boolean
  readonly names: ReadonlyArray<string>
}

/** `value.[].slot`: names, `[]` for any index, `*` for any key; `**.decimals` at any depth; `!**.data` leaves a subtree alone. */
const compile = (path: string): Pattern => {
  const foreign = path.startsWith("!")
  const names = path.slice(foreign ? 1 : 0).split(".")
  const deep = names[0] === "**"
  return { deep, foreign, names: deep ? names.slice(1) : names }
}

const matches = (
  { deep, names }: Pattern,
  path: ReadonlyArray<string>,
  array: ReadonlyArray<boolean>
): boolean => {
  const from = path.length - names.length
  return (
    (deep ? from >= 0 : from === 0) &&
    names.every((name, i) =>
      name === "*" ? true : name === "[]" ? array[from + i] === true : name === path[from + i]
    )
  )
}

/** A long list costs an integer no more than a short one: patterns are found by the name at their end. */
interface Patterns {
  readonly named: ReadonlyMap<string, ReadonlyArray<Pattern>>
  readonly open: ReadonlyArray<Pattern>
  readonly foreign: ReadonlyArray<Pattern>
}

const arrange = (paths: ReadonlyArray<string>): Patterns => {
  const patterns = paths.map(compile)
  const named = new Map<string, Array<Pattern>>()
  const open: Array<Pattern> = []
  for (const pattern of patterns) {
    const last = pattern.names[pattern.names.length - 1] ?? "*"
    if (pattern.foreign) continue
    if (last === "*" || last === "[]") open.push(pattern)
    else named.set(last, [...(named.get(last) ?? []), pattern])
  }
  return { named, open, foreign: patterns.filter((pattern) => pattern.foreign) }
}

/** `path` and `array` tell where a value is. They grow and shrink with the walk: a copy for each value would cost its depth. */
interface Walk {
  readonly patterns: Patterns
  readonly path: Array<string>
  readonly array: Array<boolean>
  readonly member: string | undefined
}

const demote = (value: unknown, walk: Walk): unknown => {
  const { array, member, path, patterns } = walk
  if (typeof value === "bigint") {
    const named = patterns.named.get(path[path.length - 1] ?? "") ?? []
    const hit = (pattern: Pattern): boolean => matches(pattern, path, array)
    if (!named.some(hit) && !patterns.open.some(hit)) return value
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    if (member !== undefined && path[0] !== member) return value
    throw new UnsafeInteger(["$", ...path].join("."))
  }
  if (typeof value !== "object" || value === null) return value
  if (patterns.foreign.some((pattern) => matches(pattern, path, array))) return value
  const inside = (key: string, item: unknown): unknown => {
    path.push(key)
    array.push(isList)
    const demoted = demote(item, walk)
    path.pop()
    array.pop()
    return demoted
  }
  const isList = Array.isArray(value)
  return isList
    ? value.map((item, i) => inside(String(i), item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(key, item)]))
}

/** JSON integers are `bigint`, whatever their size, except at the key paths that the endpoint lists. */
export const bigintIntegers: Integers = {
  parse: (text, numbers, member) => {
    const json = parseLossless(text)
    return numbers.length === 0
      ? json
      : demote(json, { patterns: arrange(numbers), path: [], array: [], member })
  },
  stringify: (value) => stringify(value) ?? "null"
}
