import { sha256 } from "@noble/hashes/sha2.js"
import { createBase58check } from "@scure/base"

const base58 = /*#__PURE__*/ createBase58check(sha256)

/** The first byte of every address of Tron and its testnets. */
const PREFIX = 0x41

/**
 * The problem of an address of Tron, if there is one: its shape, a wrong digit (its checksum fails), or that it is one of another
 * chain.
 *
 * @since 0.1.0
 * @category predicates
 */
export const tronAddressProblem = (address: string): string | undefined => {
  if (/^0x[0-9a-f]{40}$/i.test(address)) return "must be an address of Tron, and is one of an EVM chain"
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(address)) return "must be T and 33 digits of base58"
  try {
    const bytes = base58.decode(address)
    return bytes.length === 21 && bytes[0] === PREFIX
      ? undefined
      : "must begin with T, and is one of another chain"
  } catch {
    return "has a wrong digit: its checksum fails"
  }
}

/** The 21 bytes of an address that has no problem. */
export const bytesOf = (address: string): Uint8Array => base58.decode(address)

/** The address of 20 bytes, which are those of the key on EVM chains. */
export const addressOf = (bytes: Uint8Array): string => base58.encode(Uint8Array.of(PREFIX, ...bytes))
