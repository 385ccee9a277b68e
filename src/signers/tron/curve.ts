/** What signers of Tron need of `@noble/curves`: loaded with the first of them. Keys stay in the closures of accounts. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import type { SignBytes } from "../accountKey.js"
import { toLowS } from "../keys/lowS.js"
import { encodeAddress } from "./address.js"

export { secp256k1Library } from "../keys/secp256k1.js"

/** The address of a compressed public key. */
export const addressFromPublicKey = (publicKey: Uint8Array): string =>
  encodeAddress(keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(12))

/** The address of a private key. Throws unless it is one of the curve. */
export const addressFromPrivateKey = (privateKey: Uint8Array): string =>
  addressFromPublicKey(secp256k1.getPublicKey(privateKey))

export const makeSignHash =
  (privateKey: Uint8Array): SignBytes =>
  (hash) =>
    secp256k1.sign(hash, privateKey, { prehash: false })

/** The address whose signature (64 bytes, and the parity) it is of a hash; undefined if it is none. */
export const recoverAddress = (
  hash: Uint8Array,
  signature: Uint8Array,
  parity: number
): string | undefined => {
  try {
    const recovered = Uint8Array.of(parity, ...signature.subarray(0, 64))
    return addressFromPublicKey(secp256k1.recoverPublicKey(recovered, hash, { prehash: false }))
  } catch {
    // no point of the curve has this parity
    return undefined
  }
}

/** The signature of an address over a hash, with the lower `s` and its parity. Throws if it is none. */
export const signVerified = async (
  hash: Uint8Array,
  sign: SignBytes,
  address: string
): Promise<Uint8Array> => {
  const given = await sign(hash)
  const low = toLowS(Uint8Array.from(given).slice(0, 64))
  for (const parity of [0, 1])
    if (recoverAddress(hash, low, parity) === address) return Uint8Array.of(...low, parity)
  throw new Error(`the signature is not that of ${address}`)
}

/** The hash of a message that is signed (version 2 of Tron's way). */
export const hashMessage = (message: string | Uint8Array): Uint8Array => {
  const bytes = typeof message === "string" ? new TextEncoder().encode(message) : message
  const before = new TextEncoder().encode(`\u0019TRON Signed Message:\n${bytes.length}`)
  return keccak_256(Uint8Array.of(...before, ...bytes))
}
