/** Addresses of Solana, and other texts that are mistaken for them. */
import { decodeBase58 } from "../../chains/internal/base58.js"

/** Decodes Base58; undefined if the text is invalid. */
export const decodeAddress = (text: string): Uint8Array | undefined => {
  try {
    return decodeBase58(text)
  } catch {
    // the library's message names the wrong character, which may be part of a key
    return undefined
  }
}

/** Shapes of other chains' addresses that are mistaken for those of Solana. */
const otherChainShapes: ReadonlyArray<readonly [shape: RegExp, chain: string]> = [
  [/^0x[0-9a-f]{40}$/i, "an EVM chain"],
  [/^(bc|tb|bcrt)1[02-9ac-hj-np-z]{8,87}$/i, "Bitcoin"]
]

/** The first of the 25 bytes of addresses that are Base58, too. */
const otherChainVersions: ReadonlyMap<number | undefined, string> = new Map([
  [0x00, "Bitcoin"],
  [0x05, "Bitcoin"],
  [0x6f, "Bitcoin"],
  [0xc4, "Bitcoin"],
  [0x41, "Tron"]
])

const guessChain = (address: string, bytes: Uint8Array | undefined): string | undefined =>
  bytes?.length === 25
    ? otherChainVersions.get(bytes[0])
    : otherChainShapes.find(([shape]) => shape.test(address))?.[1]

/**
 * The problem of an address of Solana (Base58 of 32 bytes), if there is one. It starts with a verb, and names the other chain if the text
 * looks like one of its addresses.
 *
 * @since 0.1.0
 * @category getters
 */
export const addressProblem = (address: string): string | undefined => {
  if (typeof address !== "string") return "must be text"
  const bytes = decodeAddress(address)
  if (bytes?.length === 32) return undefined
  const chain = guessChain(address, bytes)
  return chain === undefined
    ? "must be Base58 of 32 bytes"
    : `looks like an address of ${chain}, and one of Solana is Base58 of 32 bytes`
}
