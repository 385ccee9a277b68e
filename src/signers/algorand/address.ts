/** Addresses of Algorand: a public key, or the hash of a program, and its checksum, in Base32. */
import { sha512_256 } from "@noble/hashes/sha2.js"
import { regroupBits } from "../bech32.js"

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** The address of 32 bytes. */
export const encodeAddress = (own: Uint8Array): string =>
  (regroupBits(Uint8Array.of(...own, ...sha512_256(own).subarray(28)), 8, 5, true) ?? [])
    .map((digit) => ALPHABET[digit])
    .join("")

/** The 32 bytes of an address that has no problem. */
export const decodeAddress = (address: string): Uint8Array => {
  const digits = Array.from(address, (digit) => ALPHABET.indexOf(digit))
  return Uint8Array.from(regroupBits(digits, 5, 8, false) ?? []).subarray(0, 32)
}

/**
 * The problem of an address of Algorand, if there is one: its shape, or a wrong digit (its checksum fails).
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string): string | undefined => {
  if (typeof address !== "string") return "must be text"
  if (/^0x[0-9a-f]{40}$/i.test(address)) return "must be an address of Algorand, and is one of an EVM chain"
  if (!/^[A-Z2-7]{58}$/.test(address)) return "must be 58 digits of Base32, which are capitals and 2 to 7"
  const own = decodeAddress(address)
  if (encodeAddress(own) !== address) return "has a wrong digit: its checksum fails"
  return own.every((byte) => byte === 0) ? "is the address of nobody: what it is sent is lost" : undefined
}
