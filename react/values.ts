/** Equality and keys of arguments, configurations and answers. */
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"

const identities = new WeakMap<object, number>()
let lastIdentity = 0

/** A number for an object that is compared by identity. */
const identityOf = (value: object): number => {
  const id = identities.get(value) ?? ++lastIdentity
  identities.set(value, id)
  return id
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

export const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * An address of an EVM network, in any spelling. Elsewhere nodes may answer one spelling only, so entries are not shared. The shape stands here
 * because `data/evmAddress.ts` brings a hash of 1 kB along.
 */
export const evmAddress = /^0x[0-9a-f]{40}$/i

/**
 * A string that is the same for equal values: plain data is compared by content, everything else by identity. The spellings of an EVM
 * address are equal.
 */
export const toKey = (value: unknown): string => {
  if (typeof value === "string" && evmAddress.test(value)) return `"${value.toLowerCase()}"`
  if (typeof value === "bigint") return `${value}n`
  if (typeof value === "number") return `${value}`
  if (Array.isArray(value)) return `[${value.map(toKey).join()}]`
  if (value instanceof Uint8Array) return `<${value.join()}>`
  if (typeof value === "function") return `#${identityOf(value)}`
  if (!isObject(value)) return JSON.stringify(value) ?? typeof value
  if (!isPlainObject(value)) return `#${identityOf(value)}`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toKey(field)}`).join()}}`
}

const isData = (value: unknown): value is object =>
  isObject(value) && (Array.isArray(value) || value instanceof Uint8Array || isPlainObject(value))

/** Whether two values are equal data. `isAlike` compares what is not data: by default it is unequal. */
export const isEqual = (
  one: unknown,
  other: unknown,
  isAlike: (one: unknown, other: unknown) => boolean = () => false
): boolean => {
  if (Equal.equals(one, other) || Object.is(one, other)) return true
  if (!isData(one) || !isData(other) || Array.isArray(one) !== Array.isArray(other))
    return isAlike(one, other)
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isEqual(Reflect.get(one, name), Reflect.get(other, name), isAlike)
    )
  )
}

/** Whether two values have the same fields, with values of the same types: then they are likely meant to be equal. */
export const isSameKind = (one: unknown, other: unknown): boolean =>
  isEqual(one, other, (a, b) => typeof a === typeof b)

/** The next answer, or the previous one if both are equal: the same object tells React that nothing has changed. */
export const keepIdentity = <A>(previous: Option.Option<A>, next: A): A =>
  Option.isSome(previous) && isEqual(previous.value, next) ? previous.value : next
