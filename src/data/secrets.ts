import type { Hiding } from "./foreign.js"

/**
 * The parts of urls and headers that are no secrets: a letter, a small number, a version, and the words in paths of nodes.
 * Everything else may be one, however short it is.
 */
const word =
  /^(?:.?|\d{1,3}|v\d+|true|false|rpc|json-?rpc|api|rest|https?|wss?|ext|bc|nodes?|blockchain|chain|evm|eth|mainnet|testnet|archive|public|user)$/i

/** The ids of networks, by their form: the table of all of them would be in every application for this. */
const network =
  /^[a-z]+(?:-[a-z]+){0,2}-(?:mainnet|testnet|previewnet|devnet|sepolia|holesky|hoodi|amoy|preprod|baobab|coston|songbird|gobi|saigon|blaze|kairos|alpha|nile)\d?(?:-[a-z]+\d?)?$/

export const isWord = (text: string): boolean => word.test(text) || network.test(text)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const bytesOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

/** A text as base64 has it wherever that begins with it: the last digit depends on the byte after it. */
const inBase64 = (text: string): ReadonlyArray<string> => {
  const bytes = bytesOf(text)
  const digits = btoa(bytes).slice(0, Math.floor((bytes.length * 4) / 3))
  return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]
}

/** The forms in which a secret may be written. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const plain = decoded(secret)
  return [secret, plain].flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    ...inBase64(text)
  ])
}

/** The secrets of a url: user info, values of the query, and parts of the path that are no words. */
export const secretsOfUrl = (url: string): ReadonlyArray<string> => {
  // a text that is no url begins with a host all the same
  const { hash, password, pathname, search, username } = URL.canParse(url)
    ? new URL(url)
    : { hash: "", password: "", pathname: url.replace(/^[^/?#]*/, ""), search: "", username: "" }
  const parts = `${pathname}${hash}`.split(/[/?#]+/)
  const values = search.split(/[?&]+/).map((pair) => pair.slice(pair.indexOf("=") + 1))
  return [...parts, ...parts.flatMap((part) => part.split(/[=:;,@&]+/)), ...values, username]
    .filter((part) => !isWord(part))
    .concat(password)
}

/** A secret that is no longer than this counts only where no letter or digit stands beside it: else it is part of a word. */
const SHORT = 4

const special = /[\\^$.*+?()[\]{}|/-]/g

const anyOf = (texts: ReadonlyArray<string>, flags: string): RegExp | undefined =>
  texts.length === 0
    ? undefined
    : new RegExp(texts.map((text) => text.replace(special, "\\$&")).join("|"), flags)

const isPart = (character: string | undefined): boolean =>
  character !== undefined && /[\da-z]/i.test(character)

/** Puts `…` in place of secrets, however they are written. */
export const hiding = (secrets: ReadonlyArray<string>): Hiding => {
  const all = [...new Set(secrets.filter(({ length }) => length > 1).flatMap(formsOf))]
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length)
  const long = anyOf(
    all.filter(({ length }) => length >= SHORT),
    "gi"
  )
  const short = anyOf(
    all.filter(({ length }) => length < SHORT),
    "g"
  )
  return (text) => {
    const told = long === undefined ? text : text.replace(long, "…")
    return short === undefined
      ? told
      : told.replace(short, (found, at: number) =>
          isPart(told[at - 1]) || isPart(told[at + found.length]) ? found : "…"
        )
  }
}

/** The secrets that an answer may repeat: its later readers do not know which client has asked for it. */
const asked = new WeakMap<object, Hiding>()

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Marks an answer with the secrets that errors about it have to hide. */
export const askedBy = <A>(answer: A, hide: Hiding): A => {
  if (isObject(answer)) asked.set(answer, hide)
  return answer
}

/** The secrets that errors about an answer have to hide. */
export const hidingIn = (answer: unknown): Hiding | undefined =>
  isObject(answer) ? asked.get(answer) : undefined
