/** Puts `…` in place of secrets. */
export type Hiding = (text: string) => string

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
export const member = (value: unknown, name: string): unknown => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

/** The depth to which data of others is read: deeper values become `…`. */
export const DEPTH = 64

/** The longest text of others in an error or a log line: a longer one is a page or a dump. */
const LONGEST = 8_192

/** Data in an error has so many characters in all: 64 KiB of revert data as hexadecimal digits, and as much again. */
const MOST = 262_144

/** Room for the words on how much was left out, so that a cut text is not cut again. */
const SLACK = 64

/** Hides nothing. */
const nothing: Hiding = (text) => text

/** Terminals obey control characters, readers are fooled by those that turn the direction, and half a pair is no text. */
const unsafe = /[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}\p{Cs}]/gu

const escaped = (character: string): string =>
  character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

const ends = /[\s"'<>()[\]{},]/

/** The beginning of a text, which does not end within a word if it can: half a secret would be told, and not recognised. */
const beginning = (text: string, most: number): string => {
  let end = Math.min(most, text.length)
  const least = Math.max(end >> 1, end - 2_048)
  while (end > least && !ends.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The words of others as they may be repeated: without secrets and control characters, and cut, with how much is missing. */
export const tell = (said: string, hide: Hiding = nothing, most = LONGEST): string => {
  if (said.length <= most + SLACK) return hide(said).replace(unsafe, escaped)
  const kept = beginning(hide(said.slice(0, 2 * most + 4_096)), most)
  return `${kept.replace(unsafe, escaped)}… (${said.length - most} characters more)`
}

/** Data of others like {@link tell}: texts and names at every depth. Values that are neither data nor text stay as they are. */
export const tellAll = (data: unknown, hide: Hiding = nothing, most = MOST): unknown => {
  let left = most
  const walk = (value: unknown, depth: number): unknown => {
    left--
    if (typeof value === "string") {
      const told = tell(value, hide, Math.max(0, left))
      left -= told.length
      return told
    }
    if (typeof value !== "object" || value === null) return value
    const prototype: unknown = Object.getPrototypeOf(value)
    if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value
    if (depth === 0) return "…"
    if (Array.isArray(value)) {
      const items: Array<unknown> = []
      for (let i = 0; i < value.length && left > 0; i++) items.push(walk(value[i], depth - 1))
      return items.length === value.length ? items : [...items, `… (${value.length - items.length} more)`]
    }
    const names = Object.keys(value)
    const members: Array<readonly [string, unknown]> = []
    for (let i = 0; i < names.length && left > 0; i++) {
      const name = tell(names[i] ?? "", hide)
      left -= name.length
      members.push([name, walk(Reflect.get(value, names[i] ?? ""), depth - 1)])
    }
    if (members.length < names.length) members.push(["…", `(${names.length - members.length} more)`])
    return Object.fromEntries(members)
  }
  return walk(data, DEPTH)
}

/** Data of others as JSON in a line of text, in which integers may be `bigint`: undefined where there is nothing. */
export const shown = (data: unknown, most = LONGEST, hide?: Hiding): string | undefined => {
  if (typeof data === "bigint") return tell(String(data), hide, most)
  const json = JSON.stringify(tellAll(data, hide, most), (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )
  return json === undefined ? undefined : tell(json, hide, most)
}
