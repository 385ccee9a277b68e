/** Puts `…` in place of secrets. */
export type HideSecrets = (text: string) => string

/** Any JSON, whose integers may be of any size: answers, or parts of them, that each version of a chain chooses anew. */
export type Json =
  | string
  | number
  | bigint
  | boolean
  | null
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json }

/** Whether a value is an object with members, and no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The member of a value that came from elsewhere; a getter that throws is an absent member. */
export const readMember = (value: unknown, name: string): unknown => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

/** The depth to which data of others is read: deeper values become `…`. */
export const MAX_DEPTH = 64

/** The longest text of others in an error or a log line: a longer one is a page or a dump. */
const MAX_TEXT_LENGTH = 8_192

/** Data in an error has so many characters in all: 64 KiB of revert data as hexadecimal digits, and as much again. */
const MAX_DATA_LENGTH = 262_144

/** Room for the words on how much was left out, so that a cut text is not cut again. */
const NOTE_LENGTH = 64

/** Hides nothing. */
const hideNothing: HideSecrets = (text) => text

/** Terminals obey control characters, readers are fooled by those that turn the direction, and half a pair is no text. */
const unsafeCharacters = /[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}\p{Cs}]/gu

const escapeCharacter = (character: string): string =>
  character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

const wordEnd = /[\s"'<>()[\]{},]/

/** The beginning of a text, which does not end within a word if it can: half a secret would be told, and not recognised. */
const cutAtWordEnd = (text: string, maxLength: number): string => {
  let end = Math.min(maxLength, text.length)
  const least = Math.max(end >> 1, end - 2_048)
  while (end > least && !wordEnd.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The words of others as they may be repeated: without secrets and control characters, and cut, with how much is missing. */
export const sanitizeText = (
  text: string,
  hide: HideSecrets = hideNothing,
  maxLength = MAX_TEXT_LENGTH
): string => {
  if (text.length <= maxLength + NOTE_LENGTH) return hide(text).replace(unsafeCharacters, escapeCharacter)
  const kept = cutAtWordEnd(hide(text.slice(0, 2 * maxLength + 4_096)), maxLength)
  return `${kept.replace(unsafeCharacters, escapeCharacter)}… (${text.length - maxLength} characters more)`
}

/** Data of others like {@link sanitizeText}: texts and names at every depth. Values that are neither data nor text stay as they are. */
export const sanitize = (
  data: unknown,
  hide: HideSecrets = hideNothing,
  maxLength = MAX_DATA_LENGTH
): unknown => {
  let remaining = maxLength
  const walk = (value: unknown, depth: number): unknown => {
    remaining--
    if (typeof value === "string") {
      const text = sanitizeText(value, hide, Math.max(0, remaining))
      remaining -= text.length
      return text
    }
    if (typeof value !== "object" || value === null) return value
    const prototype: unknown = Object.getPrototypeOf(value)
    if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value
    if (depth === 0) return "…"
    if (Array.isArray(value)) {
      const items: Array<unknown> = []
      for (let i = 0; i < value.length && remaining > 0; i++) items.push(walk(value[i], depth - 1))
      return items.length === value.length ? items : [...items, `… (${value.length - items.length} more)`]
    }
    const names = Object.keys(value)
    const members: Array<readonly [string, unknown]> = []
    for (let i = 0; i < names.length && remaining > 0; i++) {
      const name = sanitizeText(names[i] ?? "", hide)
      remaining -= name.length
      members.push([name, walk(Reflect.get(value, names[i] ?? ""), depth - 1)])
    }
    if (members.length < names.length) members.push(["…", `(${names.length - members.length} more)`])
    return Object.fromEntries(members)
  }
  return walk(data, MAX_DEPTH)
}

/** Data of others as JSON in a line of text, in which integers may be `bigint`: undefined where there is nothing. */
export const toPrintableJson = (
  data: unknown,
  maxLength = MAX_TEXT_LENGTH,
  hide?: HideSecrets
): string | undefined => {
  if (typeof data === "bigint") return sanitizeText(String(data), hide, maxLength)
  const json = JSON.stringify(sanitize(data, hide, maxLength), (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )
  return json === undefined ? undefined : sanitizeText(json, hide, maxLength)
}
