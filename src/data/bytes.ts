/** Bytes as callers give them: text of one encoding, or a `Uint8Array`. What is neither is refused before anything is sent or signed. */
import { base64Of } from "./base64.js"
import { bytesToHex } from "./hex.js"
import { isRecord, toPrintableJson } from "./untrusted.js"

/**
 * Checks bytes at a place (`args[0].data`) and yields the text that is sent; throws on anything else. `args` are all arguments of the
 * call, where the encoding follows from another one.
 */
export type BytesForm = (value: unknown, place: string, args: ReadonlyArray<unknown>) => unknown

/** The bytes of a call: by the position of the argument, or by the name of a field of its one input. */
export type BytesForms = Readonly<Record<string, BytesForm>>

/** Text that must be bytes and is none, or has another length than its type. */
export class InvalidBytes extends Error {}

const formatSize = (size: number | undefined): string => (size === undefined ? "bytes" : `${size} bytes`)

const isOfSize = (length: number, size: number | undefined): boolean => size === undefined || length === size

/** Hexadecimal digits in pairs, of `size` bytes, behind `prefix`. */
const hexForm =
  (prefix: "0x" | "", size: number | undefined): BytesForm =>
  (value, place) => {
    if (value instanceof Uint8Array && isOfSize(value.length, size)) return `${prefix}${bytesToHex(value)}`
    if (typeof value === "string" && value.startsWith(prefix)) {
      const rest = value.slice(prefix.length)
      if (rest.length % 2 === 0 && !/[^0-9a-f]/i.test(rest) && isOfSize(rest.length / 2, size)) return value
    }
    const what = size === undefined ? "an even number of" : 2 * size
    const given = value instanceof Uint8Array ? `${value.length} bytes` : toPrintableJson(value, 100)
    throw new InvalidBytes(
      `${place} must be ${formatSize(size)}: ${prefix === "" ? "" : "0x and "}${what} hexadecimal digits${
        prefix === "" ? " without 0x" : ""
      }, or a Uint8Array; it is ${given}`
    )
  }

/** Bytes as hexadecimal digits behind 0x, of this size if there is one. */
export const hex0x = (size?: number): BytesForm => hexForm("0x", size)

/** Bytes as hexadecimal digits without 0x, of this size if there is one. */
export const hex = (size?: number): BytesForm => hexForm("", size)

/** Bytes as EVM chains have them, as the text that is sent. */
export const hexBytes = (value: unknown, place: string, size?: number): `0x${string}` =>
  // the form yields text that begins so, or throws
  hexForm("0x", size)(value, place, []) as `0x${string}`

/** What is wrong with bytes, by a check of them, if anything is. */
export const findProblem = (check: () => unknown): string | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The same check for a list of them. */
export const eachOf =
  (form: BytesForm): BytesForm =>
  (value, place, args) =>
    Array.isArray(value) ? value.map((one, i) => form(one, `${place}[${i}]`, args)) : value

/** A value of several types: where it is text or bytes it is checked; the rest (a height, an object) is not. */
export const unlessNumber =
  (form: BytesForm): BytesForm =>
  (value, place, args) =>
    (typeof value === "string" && !/^\d{1,15}$/.test(value)) || value instanceof Uint8Array
      ? form(value, place, args)
      : value

/** Bytes as Base64 for urls, without padding, of this size if there is one. */
export const base64Url =
  (size?: number): BytesForm =>
  (value, place) => {
    if (value instanceof Uint8Array && isOfSize(value.length, size))
      return base64Of(value).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_")
    // one character more than four is less than a byte
    if (typeof value === "string" && /^[\w-]*$/.test(value) && value.length % 4 !== 1) {
      if (isOfSize(Math.floor((value.length * 3) / 4), size)) return value
    }
    throw new InvalidBytes(
      `${place} must be ${formatSize(size)} in Base64 for urls without padding, or a Uint8Array; it is ${value instanceof Uint8Array ? `${value.length} bytes` : toPrintableJson(value, 100)}`
    )
  }

const paddedBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Bytes as Base64 with its padding, of this size if there is one. */
export const base64 =
  (size?: number): BytesForm =>
  (value, place) => {
    if (value instanceof Uint8Array && isOfSize(value.length, size)) return base64Of(value)
    if (typeof value === "string" && paddedBase64.test(value)) {
      const length = (value.length / 4) * 3 - (value.length - value.replace(/=+$/, "").length)
      if (isOfSize(length, size)) return value
    }
    throw new InvalidBytes(
      `${place} must be ${formatSize(size)} in Base64, or a Uint8Array; it is ${value instanceof Uint8Array ? `${value.length} bytes` : toPrintableJson(value, 100)}`
    )
  }

/** A value of several types: text and bytes are checked, and the rest is read by `other`, if that is given. */
export const whenTextOrBytes =
  (form: BytesForm, other?: () => BytesForm): BytesForm =>
  (value, place, args) =>
    typeof value === "string" || value instanceof Uint8Array
      ? form(value, place, args)
      : other === undefined
        ? value
        : other()(value, place, args)

/** The fields of an object, at any depth, that are bytes by their names. Under the names of `own` is the user's data, in which names mean nothing. */
export const byFieldName =
  (forms: BytesForms, own: ReadonlyArray<string> = []): BytesForm =>
  (value, place, args) => {
    const inner = (one: unknown, at: string): unknown => {
      if (Array.isArray(one)) return one.map((item, i) => inner(item, `${at}[${i}]`))
      if (!isRecord(one) || one instanceof Uint8Array) return one
      return Object.fromEntries(
        Object.entries(one).map(([name, field]) => {
          const form = field === null || !Object.hasOwn(forms, name) ? undefined : forms[name]
          const there = at === "" ? name : `${at}.${name}`
          return [
            name,
            own.includes(name)
              ? field
              : form === undefined || field === undefined
                ? inner(field, there)
                : form(field, there, args)
          ]
        })
      )
    }
    return inner(value, place)
  }

/** Checks the bytes among the arguments of a call. Those that were left out are nobody's. */
export const checkArgumentBytes = (
  forms: BytesForms,
  args: ReadonlyArray<unknown>
): ReadonlyArray<unknown> => {
  const checked = [...args]
  for (const [key, form] of Object.entries(forms)) {
    const position = Number(key)
    const isPosition = !Number.isNaN(position)
    const input: unknown = checked[isPosition ? position : 0]
    if (isPosition) {
      if (input !== undefined && input !== null) checked[position] = form(input, `args[${key}]`, args)
    } else if (typeof input === "object" && input !== null && Object.hasOwn(input, key)) {
      const value: unknown = Reflect.get(input, key)
      if (value !== undefined && value !== null) checked[0] = { ...input, [key]: form(value, key, args) }
    }
  }
  return checked
}
