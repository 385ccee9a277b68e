import { type BytesForm, InvalidBytes } from "../../data/bytes.js"
import { toPrintableJson } from "../../data/untrusted.js"

const bitcoinAlphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Bytes as Base58, in Bitcoin's alphabet if no other is given. */
export const encodeBase58 = (bytes: Uint8Array, alphabet: string = bitcoinAlphabet): string => {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let digits = ""
  for (; value > 0n; value /= 58n) digits = (alphabet[Number(value % 58n)] ?? "") + digits
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return alphabet.charAt(0).repeat(zeros === -1 ? bytes.length : zeros) + digits
}

/** No chain has longer texts: the largest transaction of Solana takes 1,683 characters, and reading takes their square. */
const MAX_LENGTH = 4_096

/** The bytes of a Base58 text; throws on a character that is none of the alphabet, and on more than 4,096. */
export const decodeBase58 = (text: string, alphabet: string = bitcoinAlphabet): Uint8Array => {
  if (text.length > MAX_LENGTH) throw new Error(`${text.length} characters are too many for Base58`)
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) throw new Error(`${character} is no Base58 character`)
    value = value * 58n + BigInt(digit)
  }
  const bytes: Array<number> = []
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n))
  const zeros = [...text].findIndex((character) => character !== alphabet.charAt(0))
  const leading = zeros === -1 ? text.length : zeros
  return Uint8Array.from([...new Array<number>(leading).fill(0), ...bytes])
}

const decodedLengthOf = (text: string): number | undefined => {
  try {
    return decodeBase58(text).length
  } catch {
    return undefined
  }
}

/** Bytes as Base58, of this size if there is one. */
export const base58 =
  (size?: number): BytesForm =>
  (value, place) => {
    const length =
      value instanceof Uint8Array
        ? value.length
        : typeof value === "string"
          ? decodedLengthOf(value)
          : undefined
    if (length === undefined || (size !== undefined && length !== size)) {
      const given = value instanceof Uint8Array ? `${value.length} bytes` : toPrintableJson(value, 100)
      throw new InvalidBytes(
        `${place} must be ${size === undefined ? "bytes" : `${size} bytes`} in Base58, or a Uint8Array; it is ${given}`
      )
    }
    return value instanceof Uint8Array ? encodeBase58(value) : value
  }
