/** Lies of nodes: answers of honest ones with another value in one of their fields. */
import * as Effect from "effect/Effect"
import { isRecord } from "../../src/data/untrusted.js"

/** A field of an answer: the call, which of its answers, and the way to the field. */
export interface Field {
  readonly call: string
  readonly path: ReadonlyArray<string | number>
}

export type Lie = (honest: unknown) => unknown

const isLeaf = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || typeof value === "string" || value === null

/** The fields of a value. Lists are as long as they are: their first members stand for all. */
export const fieldsOf = (
  value: unknown,
  path: ReadonlyArray<string | number> = []
): ReadonlyArray<Field["path"]> => {
  if (isLeaf(value)) return [path]
  if (Array.isArray(value)) return value.slice(0, 6).flatMap((each, at) => fieldsOf(each, [...path, at]))
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, each]) => fieldsOf(each, [...path, name]))
    : []
}

/** A value with another one in a field of it. */
export const changed = (value: unknown, [name, ...rest]: Field["path"], lie: Lie): unknown => {
  if (name === undefined) return lie(value)
  if (Array.isArray(value)) return value.map((each, at) => (at === name ? changed(each, rest, lie) : each))
  return isRecord(value) ? { ...value, [name]: changed(value[String(name)], rest, lie) } : value
}

/** Calls whose answers are noted, or changed. */
export const watched = (calls: object, each: (call: string, answer: unknown) => unknown): never =>
  // what the calls are is the family's: they are passed on as they came
  new Proxy(calls, {
    get: (all, name) => {
      const call: unknown = Reflect.get(all, name)
      return typeof call !== "function"
        ? call
        : (...given: ReadonlyArray<unknown>) =>
            Effect.map(call.apply(all, given) as Effect.Effect<unknown>, (answer) =>
              each(String(name), answer)
            )
    }
  }) as never

/** A number in the form of another one. */
export const timesIn =
  (factor: bigint): Lie =>
  (honest) => {
    if (typeof honest === "bigint") return honest * factor
    if (typeof honest === "number") return honest * Number(factor)
    if (typeof honest !== "string") return honest
    if (/^0x[0-9a-f]+$/i.test(honest)) {
      const value = (BigInt(honest) * factor).toString(16)
      // a word of the ABI stays one
      return `0x${honest.length === 66 ? value.padStart(64, "0").slice(-64) : value}`
    }
    if (/^[0-9a-f]{64}$/i.test(honest))
      return (BigInt(`0x${honest}`) * factor).toString(16).padStart(64, "0").slice(-64)
    if (/^\d+$/.test(honest)) return String(BigInt(honest) * factor)
    return /^\d+\.\d+$/.test(honest) ? String(Number(honest) * Number(factor)) : honest
  }

export const others: ReadonlyArray<readonly [string, Lie]> = [
  ["nothing of it", () => null],
  ["an empty text", () => ""],
  ["zero", timesIn(0n)],
  ["a text", () => "0xzz"],
  ["no number", () => Number.NaN],
  ["less than nothing", (honest) => (typeof honest === "bigint" ? -1n : -1)],
  ["a fraction", () => 0.5],
  ["the largest word", () => `0x${"f".repeat(64)}`],
  ["a list", () => []]
]
