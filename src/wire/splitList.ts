/** The text of an element of a JSON list. */
export interface ListElement {
  readonly text: string
  /** The member `id` of an object, if it is a number or a number as text. */
  readonly id: number | undefined
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** The index of the closing quote of the string that starts at `from`, or -1. */
export const findStringEnd = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return -1
}

const parseIdAt = (text: string, from: number): number | undefined => {
  const [, quoted, bare] = /^(?:"(\d{1,16})"|(\d{1,16}))(?=[\s,}])/.exec(text.slice(from, from + 20)) ?? []
  const digits = quoted ?? bare
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Splits a JSON list into the texts of its elements without parsing them, so that each can be parsed by its endpoint and a broken element does
 * not affect the others. Undefined if the text is not a list. The elements are not validated: whoever parses one checks its id again.
 */
export const splitList = (text: string): ReadonlyArray<ListElement> | undefined => {
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== OPEN_LIST) return undefined
  const elements: Array<ListElement> = []
  let depth = 1
  let start = skipSpace(text, at + 1)
  let id: number | undefined
  for (at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = findStringEnd(text, at)
      if (end === -1) return undefined
      // "id" as a key of the element itself
      if (depth === 2 && text.startsWith('"id"', at)) {
        const colon = skipSpace(text, end + 1)
        if (text.charCodeAt(colon) === COLON) id = parseIdAt(text, skipSpace(text, colon + 1))
      }
      at = end
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST || (code === COMMA && depth === 1)) {
      if (code !== COMMA) depth--
      if (depth === 0 || code === COMMA) {
        if (at > start) elements.push({ text: text.slice(start, at), id })
        id = undefined
        start = skipSpace(text, at + 1)
      }
      if (depth === 0) return code === CLOSE_LIST && start === text.length ? elements : undefined
    }
  }
  return undefined
}

/** The text of the member `result` of a JSON object, if it has one. */
export const findResult = (text: string): string | undefined => {
  let depth = 0
  let start: number | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = findStringEnd(text, at)
      if (end === -1) return undefined
      const colon = skipSpace(text, end + 1)
      if (depth === 1 && text.startsWith('"result"', at) && text.charCodeAt(colon) === COLON)
        start = skipSpace(text, colon + 1)
      at = end
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST || code === COMMA) {
      if (start !== undefined && depth === 1) return text.slice(start, at).trim()
      if (code !== COMMA) depth--
    }
  }
  return undefined
}
