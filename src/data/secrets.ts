import type { HideSecrets } from "./untrusted.js"

/**
 * The parts of urls and headers that are no secrets: a letter, a small number, a version, and the words in paths of nodes.
 * Everything else may be one, however short it is.
 */
const commonWord =
  /^(?:.?|\d{1,3}|v\d+|true|false|rpc|json-?rpc|api|rest|https?|wss?|ext|bc|nodes?|blockchain|chain|evm|eth|mainnet|testnet|archive|public|user)$/i

/** The ids of networks, by their form: the table of all of them would be in every application for this. */
const networkId =
  /^[a-z]+(?:-[a-z]+){0,2}-(?:mainnet|testnet|previewnet|devnet|sepolia|holesky|hoodi|amoy|preprod|baobab|coston|songbird|gobi|saigon|blaze|kairos|alpha|nile)\d?(?:-[a-z]+\d?)?$/

export const isCommonWord = (text: string): boolean => commonWord.test(text) || networkId.test(text)

const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const toBinaryString = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

/** A text as base64 has it wherever that begins with it: the last digit depends on the byte after it. */
const base64FormsOf = (text: string): ReadonlyArray<string> => {
  const bytes = toBinaryString(text)
  const digits = btoa(bytes).slice(0, Math.floor((bytes.length * 4) / 3))
  return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]
}

/** The forms in which a secret may be written. */
const writtenFormsOf = (secret: string): ReadonlyArray<string> => {
  const plain = decodeUri(secret)
  return [secret, plain].flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    ...base64FormsOf(text)
  ])
}

/** The secrets of a url: user info, values of the query, and parts of the path that are no words. */
export const findSecretsInUrl = (url: string): ReadonlyArray<string> => {
  // a text that is no url begins with a host all the same
  const { hash, password, pathname, search, username } = URL.canParse(url)
    ? new URL(url)
    : { hash: "", password: "", pathname: url.replace(/^[^/?#]*/, ""), search: "", username: "" }
  const parts = `${pathname}${hash}`.split(/[/?#]+/)
  const values = search.split(/[?&]+/).map((pair) => pair.slice(pair.indexOf("=") + 1))
  return [...parts, ...parts.flatMap((part) => part.split(/[=:;,@&]+/)), ...values, username]
    .filter((part) => !isCommonWord(part))
    .concat(password)
}

/** A secret that is no longer than this counts only where no letter or digit stands beside it: else it is part of a word. */
const SHORT_LENGTH = 4

const regExpCharacters = /[\\^$.*+?()[\]{}|/-]/g

const matchAnyOf = (texts: ReadonlyArray<string>, flags: string): RegExp | undefined =>
  texts.length === 0
    ? undefined
    : new RegExp(texts.map((text) => text.replace(regExpCharacters, "\\$&")).join("|"), flags)

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\da-z]/i.test(character)

/** Puts `…` in place of secrets, however they are written. */
export const makeHideSecrets = (secrets: ReadonlyArray<string>): HideSecrets => {
  const all = [...new Set(secrets.filter(({ length }) => length > 1).flatMap(writtenFormsOf))]
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length)
  const long = matchAnyOf(
    all.filter(({ length }) => length >= SHORT_LENGTH),
    "gi"
  )
  const short = matchAnyOf(
    all.filter(({ length }) => length < SHORT_LENGTH),
    "g"
  )
  return (text) => {
    const shortened = long === undefined ? text : text.replace(long, "…")
    return short === undefined
      ? shortened
      : shortened.replace(short, (found, at: number) =>
          isWordCharacter(shortened[at - 1]) || isWordCharacter(shortened[at + found.length]) ? found : "…"
        )
  }
}

/** The secrets that an answer may repeat: its later readers do not know which client has asked for it. */
const hideSecretsByAnswer = new WeakMap<object, HideSecrets>()

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Marks an answer with the secrets that errors about it have to hide. */
export const markSecrets = <A>(answer: A, hide: HideSecrets): A => {
  if (isObject(answer)) hideSecretsByAnswer.set(answer, hide)
  return answer
}

/** The secrets that errors about an answer have to hide. */
export const hideSecretsOf = (answer: unknown): HideSecrets | undefined =>
  isObject(answer) ? hideSecretsByAnswer.get(answer) : undefined
