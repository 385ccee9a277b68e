/**
 * Addresses of SegWit, of each version and prefix.
 *
 * @since 0.1.0
 */
import { bech32, computeChecksum, encodeWords, expandPrefix, regroupBits } from "../../signers/bech32.js"

/** The checksum constant of later SegWit versions (BIP-350). */
const BECH32M_CONSTANT = Array.from({ length: 6 }, (_, i) => ((1 ^ 0x2bc830a3) >> (25 - 5 * i)) & 31)

/**
 * The address of a witness program.
 *
 * @since 0.1.0
 * @category conversions
 */
export const encodeSegwit = (version: number, program: Uint8Array, prefix: string): string => {
  const words = [version, ...(regroupBits(program, 8, 5, true) ?? [])]
  const checksum = computeChecksum(bech32, [...expandPrefix(prefix), ...words])
  const own = version === 0 ? checksum : checksum.map((digit, i) => digit ^ (BECH32M_CONSTANT[i] ?? 0))
  return `${prefix}1${encodeWords([...words, ...own])}`
}
