/** Addresses of the families that have no signer, and so no codec of their own: read by their checksums alone. */
import { blake2b } from "@noble/hashes/blake2.js"
import { decodeBase58 } from "../chains/internal/base58.js"
import { decodeBase58Check } from "./base58Check.js"
import { bech32, computeRemainder, decodeWords, expandPrefix, toSingleCase, wordsToBytes } from "./bech32.js"

/** The bytes of a Base58 text; undefined where it is none. */
export const decodeBase58OrUndefined = (text: string): Uint8Array | undefined => {
  try {
    return decodeBase58(text)
  } catch {
    return undefined
  }
}

/** What a text of Base58 holds whose checksum is right. */
export const decodeBase58CheckOrUndefined = (text: string, alphabet?: string): Uint8Array | undefined => {
  try {
    const bytes = decodeBase58Check(text, alphabet)
    return bytes === undefined || bytes.length === 0 ? undefined : bytes
  } catch {
    return undefined
  }
}

/** The first two bytes of the transparent addresses of Zcash, and their networks. */
const zcashVersions: ReadonlyMap<number, "zcash-mainnet" | "zcash-testnet"> = /*#__PURE__*/ new Map([
  [0x1cb8, "zcash-mainnet"],
  [0x1cbd, "zcash-mainnet"],
  [0x1d25, "zcash-testnet"],
  [0x1cba, "zcash-testnet"]
])

/** The network of a transparent address of Zcash. */
export const findZcashNetwork = (text: string): "zcash-mainnet" | "zcash-testnet" | undefined => {
  const bytes = decodeBase58CheckOrUndefined(text)
  return bytes?.length === 22 ? zcashVersions.get(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) : undefined
}

/** The remainders of bech32 and bech32m. */
const BECH32_CONSTANTS: ReadonlySet<bigint> = new Set([1n, 0x2bc830a3n])

/** The prefix and the bytes of a text of bech32 or bech32m whose checksum is right; it may be longer than BIP-173 allows. */
export const decodeBech32 = (
  given: string
): { readonly prefix: string; readonly bytes: Uint8Array; readonly text: string } | undefined => {
  const text = toSingleCase(given)
  const at = text?.lastIndexOf("1") ?? -1
  if (text === undefined || at < 1 || text.length > 300) return undefined
  const prefix = text.slice(0, at)
  const words = decodeWords(text.slice(at + 1))
  if (words === undefined || words.length < 6 || !/^[!-~]+$/.test(prefix)) return undefined
  if (!BECH32_CONSTANTS.has(computeRemainder(bech32, [...expandPrefix(prefix), ...words]))) return undefined
  const bytes = wordsToBytes(words.slice(0, -6))
  return bytes === undefined ? undefined : { prefix, bytes, text }
}

const SS58_PREFIX = /*#__PURE__*/ new TextEncoder().encode("SS58PRE")

/** The prefix of an address of Polkadot's kind (SS58) of 32 bytes whose checksum is right. */
export const findSs58Prefix = (text: string): number | undefined => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(text)) return undefined
  const bytes = decodeBase58OrUndefined(text)
  const [first = 0, second = 0] = bytes ?? []
  const width = first < 64 ? 1 : 2
  if (bytes?.length !== width + 34 || first >= 128) return undefined
  const sum = blake2b(Uint8Array.of(...SS58_PREFIX, ...bytes.subarray(0, -2)), { dkLen: 64 })
  if (bytes[bytes.length - 2] !== sum[0] || bytes[bytes.length - 1] !== sum[1]) return undefined
  return width === 1 ? first : ((first & 0x3f) << 2) | (second >> 6) | ((second & 0x3f) << 8)
}

/** The five letters behind an id of Hedera (HIP-15): those of the network whose ledger has this id. */
export const computeHederaChecksum = (id: string, ledger: number): string => {
  const digits = Array.from(id, (character) => (character === "." ? 10 : Number(character)))
  const sumOf = (parity: number) =>
    digits.reduce((sum, digit, at) => (at % 2 === parity ? sum + digit : sum), 0) % 11
  const fold = (values: ReadonlyArray<number>, modulus: number) =>
    values.reduce((sum, each) => (sum * 31 + each) % modulus, 0)
  const three = 26 ** 3
  const five = 26 ** 5
  const sums = ((digits.length % 5) * 11 + sumOf(0)) * 11 + sumOf(1)
  const own = sums * three + fold(digits, three) + fold([ledger, 0, 0, 0, 0, 0, 0], five)
  let rest = ((own % five) * 1_000_003) % five
  let letters = ""
  for (let i = 0; i < 5; i++) {
    letters = String.fromCharCode(97 + (rest % 26)) + letters
    rest = Math.floor(rest / 26)
  }
  return letters
}
