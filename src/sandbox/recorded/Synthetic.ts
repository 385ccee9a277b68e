/**
 * Valid values that belong to no chain: hashes, identifiers and addresses, derived from a seed.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import { decodeBase58, encodeBase58 } from "../../chains/internal/base58.js"
import { UnknownBlockHash } from "./Recording.js"

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest()

/**
 * Bytes of any length, derived from a seed.
 *
 * @since 0.1.0
 * @category conversions
 */
export const syntheticBytes = (seed: string, length = 32): Buffer => {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
    sha256(i === 0 ? seed : `${i} ${seed}`)
  )
  return Buffer.concat(blocks).subarray(0, length)
}

/**
 * Synthetic bytes in hexadecimal, lower case.
 *
 * @since 0.1.0
 * @category conversions
 */
export const syntheticHex = (seed: string, length = 32): string =>
  syntheticBytes(seed, length).toString("hex")

/**
 * Synthetic bytes in hexadecimal, upper case.
 *
 * @since 0.1.0
 * @category conversions
 */
export const syntheticUpperHex = (seed: string, length = 32): string =>
  syntheticHex(seed, length).toUpperCase()

/**
 * Synthetic bytes in Base64.
 *
 * @since 0.1.0
 * @category conversions
 */
export const syntheticBase64 = (seed: string, length = 32): string =>
  syntheticBytes(seed, length).toString("base64")

/**
 * The hash of a block (64 hexadecimal digits, lower case). Its last four bytes are the block's height, so that a hash
 * leads back to its block.
 *
 * @since 0.1.0
 * @category getters
 */
export const blockHash = (height: number): string =>
  syntheticHex(`block ${height}`, 28) + (height % 2 ** 32).toString(16).padStart(8, "0")

/**
 * The height of the block with a hash (hexadecimal, with or without 0x), `none` without a hash. Any other hash throws
 * an {@link UnknownBlockHash}, whose `name` is the hash as the caller wrote it.
 *
 * @since 0.1.0
 * @category getters
 */
export const heightOfBlockHash = (hash: string, none: number, name = hash): number => {
  if (name === "") return none
  const digits = hash.replace(/^0x/, "").toLowerCase()
  const height = Number.parseInt(digits.slice(-8), 16)
  if (Number.isSafeInteger(height) && blockHash(height) === digits) return height
  throw new UnknownBlockHash(name)
}

/**
 * The hash of a block in Base58, as NEAR writes it.
 *
 * @since 0.1.0
 * @category getters
 */
export const blockHashBase58 = (height: number): string => encodeBase58(Buffer.from(blockHash(height), "hex"))

/**
 * Bytes as Base58 with a checksum (double SHA-256), as Tezos and Tron write them.
 *
 * @since 0.1.0
 * @category getters
 */
export const base58Check = (prefix: ReadonlyArray<number>, payload: Uint8Array): string => {
  const body = Buffer.concat([Uint8Array.from(prefix), payload])
  return encodeBase58(Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]))
}

/**
 * Bytes in Base32 (RFC 4648, upper case, no padding), as Algorand writes them.
 *
 * @since 0.1.0
 * @category conversions
 */
export const encodeBase32 = (input: Uint8Array): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  let text = ""
  let value = 0
  let bits = 0
  for (const byte of input) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >>> bits) & 31] ?? ""
    }
  }
  return bits > 0 ? text + (alphabet[(value << (5 - bits)) & 31] ?? "") : text
}

/**
 * The bytes of a Base58 text in hexadecimal, lower case; empty for an invalid text.
 *
 * @since 0.1.0
 * @category conversions
 */
export const base58ToHex = (text: string): string => {
  try {
    return Buffer.from(decodeBase58(text)).toString("hex")
  } catch {
    return ""
  }
}
