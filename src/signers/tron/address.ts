import { decodeBase58 } from "../../chains/internal/base58.js"
import { decodeBase58Check, encodeBase58Check } from "../base58Check.js"

/** The first byte of every address of Tron and its testnets. */
const PREFIX = 0x41

/**
 * The problem of an address of Tron, if there is one: its shape, a wrong digit (its checksum fails), or that it is one of another
 * chain.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string): string | undefined => {
  if (typeof address !== "string") return "must be text"
  if (/^0x[0-9a-f]{40}$/i.test(address)) return "must be an address of Tron, and is one of an EVM chain"
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(address)) return "must be T and 33 digits of base58"
  const bytes = decodeBase58Check(address)
  if (bytes === undefined) return "has a wrong digit: its checksum fails"
  return bytes.length === 21 && bytes[0] === PREFIX
    ? undefined
    : "must begin with T, and is one of another chain"
}

/** The 21 bytes of an address that has no problem. */
export const decodeAddress = (address: string): Uint8Array => decodeBase58(address).subarray(0, -4)

/** The address of 20 bytes, which are those of the key on EVM chains. */
export const encodeAddress = (own: Uint8Array): string => encodeBase58Check(Uint8Array.of(PREFIX, ...own))
