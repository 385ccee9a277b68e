/** Base58 with a checksum, which Bitcoin, Tron, Tezos and the XRP Ledger use. */
import { sha256 } from "@noble/hashes/sha2.js"
import { decodeBase58, encodeBase58 } from "../chains/internal/base58.js"

/** The first four bytes of the hash of a hash. */
const computeChecksum = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes)).subarray(0, 4)

export const encodeBase58Check = (bytes: Uint8Array, alphabet?: string): string =>
  encodeBase58(Uint8Array.of(...bytes, ...computeChecksum(bytes)), alphabet)

/** Decodes a text; undefined if its checksum is wrong. Throws on characters outside Base58. */
export const decodeBase58Check = (text: string, alphabet?: string): Uint8Array | undefined => {
  const whole = decodeBase58(text, alphabet)
  const bytes = whole.subarray(0, -4)
  return computeChecksum(bytes).every((byte, i) => byte === whole[bytes.length + i]) ? bytes : undefined
}
