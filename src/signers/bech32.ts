/** Texts of digits of five bits, with a checksum by which a wrong one is found: bech32 (BIP-173), bech32m (BIP-350) and CashAddr. */

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

/** The parameters of a checksum: the bits that stay when the next digit is added, and the generator for each bit that overflows. */
interface Bech32Code {
  readonly bits: bigint
  readonly generators: ReadonlyArray<bigint>
}

export const bech32: Bech32Code = {
  bits: 25n,
  generators: [0x3b6a57b2n, 0x26508e6dn, 0x1ea119fan, 0x3d4233ddn, 0x2a1462b3n]
}

export const cashAddr: Bech32Code = {
  bits: 35n,
  generators: [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]
}

/** Computes the checksum of a text's digits and prefix. Valid texts have a fixed value. */
export const computeRemainder = ({ bits, generators }: Bech32Code, words: ReadonlyArray<number>): bigint =>
  words.reduce((sum, word) => {
    const out = sum >> bits
    return generators.reduce(
      (each, generator, i) => ((out >> BigInt(i)) & 1n ? each ^ generator : each),
      ((sum & ((1n << bits) - 1n)) << 5n) ^ BigInt(word)
    )
  }, 1n)

/** The digits of the checksum that leaves a number. */
export const computeChecksum = (
  code: Bech32Code,
  words: ReadonlyArray<number>,
  left = 1n
): ReadonlyArray<number> => {
  const length = Number(code.bits / 5n) + 1
  const rest = computeRemainder(code, [...words, ...new Array<number>(length).fill(0)]) ^ left
  return Array.from({ length }, (_, i) => Number((rest >> BigInt(5 * (length - 1 - i))) & 31n))
}

export const lowBitsOfPrefix = (prefix: string): ReadonlyArray<number> =>
  Array.from(prefix, (each) => each.charCodeAt(0) & 31)

/** Expands the prefix as the checksum of bech32 requires. */
export const expandPrefix = (prefix: string): ReadonlyArray<number> => [
  ...Array.from(prefix, (each) => each.charCodeAt(0) >> 5),
  0,
  ...lowBitsOfPrefix(prefix)
]

/** Regroups numbers of `from` bits into numbers of `to` bits. Undefined if more than padding is left over. */
export function regroupBits(
  words: Iterable<number>,
  from: number,
  to: number,
  isPadded: true
): ReadonlyArray<number>
export function regroupBits(
  words: Iterable<number>,
  from: number,
  to: number,
  isPadded: false
): ReadonlyArray<number> | undefined
export function regroupBits(
  words: Iterable<number>,
  from: number,
  to: number,
  isPadded: boolean
): ReadonlyArray<number> | undefined {
  const out: Array<number> = []
  let value = 0
  let bits = 0
  for (const word of words) {
    value = (value << from) | word
    for (bits += from; bits >= to; bits -= to) out.push((value >> (bits - to)) & ((1 << to) - 1))
    value &= (1 << bits) - 1
  }
  if (isPadded) return bits === 0 ? out : [...out, value << (to - bits)]
  return bits < from && value === 0 ? out : undefined
}

/** The digits of a text in small letters, or undefined. */
export const decodeWords = (text: string): ReadonlyArray<number> | undefined => {
  const words = Array.from(text, (digit) => ALPHABET.indexOf(digit))
  return words.includes(-1) ? undefined : words
}

/** Decodes digits to bytes; undefined if more than padding is left over. */
export const wordsToBytes = (words: ReadonlyArray<number>): Uint8Array | undefined => {
  const bytes = regroupBits(words, 5, 8, false)
  return bytes === undefined ? undefined : Uint8Array.from(bytes)
}

export const encodeWords = (words: ReadonlyArray<number>): string =>
  words.map((word) => ALPHABET[word]).join("")

/** In one case: in upper case texts are shorter as QR codes. */
export const toSingleCase = (text: string): string | undefined =>
  text === text.toUpperCase() || text === text.toLowerCase() ? text.toLowerCase() : undefined
