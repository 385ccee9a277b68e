/** Public keys and signatures of accounts on secp256k1, whose forms differ: loaded with the first of those accounts. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { toLowS } from "./lowS.js"

/** Normalizes a signature of 64 bytes or in DER to 64 bytes with the lower `s`. Throws if it is neither. */
export const normalizeSignature = (signature: Uint8Array): Uint8Array =>
  toLowS(
    signature.length === 64 ? signature : secp256k1.Signature.fromBytes(signature, "der").toBytes("compact")
  )

/** Whether bytes are a compressed public key. */
export const isPublicKey = (bytes: Uint8Array): boolean => secp256k1.utils.isValidPublicKey(bytes, true)

/** A public key with both coordinates: 65 bytes. */
export const uncompress = (publicKey: Uint8Array): Uint8Array =>
  secp256k1.Point.fromBytes(publicKey).toBytes(false)
