import { decodeBase58 } from "../../chains/internal/base58.js"
import { hexToBytes } from "../../data/hex.js"
import { decodeBase58Check, encodeBase58Check } from "../base58Check.js"

/** The first byte of every address of Tron and its testnets. */
const PREFIX = 0x41

/** The form of addresses that nodes write: the first byte and those of the key, without a checksum. */
const hexAddress = /^41[0-9a-f]{40}$/i

/**
 * The problem of an address of Tron, in Base58 or in hexadecimal digits (`41…`), if there is one: its shape, a wrong digit (the checksum
 * of Base58 fails), or that it is one of another chain.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string): string | undefined => {
  if (typeof address !== "string") return "must be text"
  if (/^0x[0-9a-f]{40}$/i.test(address)) return "must be an address of Tron, and is one of an EVM chain"
  if (hexAddress.test(address)) return undefined
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(address)) return "must be T and 33 digits of base58"
  const bytes = decodeBase58Check(address)
  if (bytes === undefined) return "has a wrong digit: its checksum fails"
  return bytes.length === 21 && bytes[0] === PREFIX
    ? undefined
    : "must begin with T, and is one of another chain"
}

/** The 21 bytes of an address that has no problem. */
export const decodeAddress = (address: string): Uint8Array =>
  hexAddress.test(address) ? hexToBytes(address) : decodeBase58(address).subarray(0, -4)

/** The address of 20 bytes, which are those of the key on EVM chains. */
export const encodeAddress = (own: Uint8Array): string => encodeBase58Check(Uint8Array.of(PREFIX, ...own))

/** An address that has no problem, in Base58. */
export const toBase58Address = (address: string): string =>
  hexAddress.test(address) ? encodeAddress(hexToBytes(address).subarray(1)) : address
