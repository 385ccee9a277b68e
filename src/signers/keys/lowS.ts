/** Signatures on secp256k1 in the one form that chains take: loaded with what signs. */
import { secp256k1 } from "@noble/curves/secp256k1.js"

const { Fn } = secp256k1.Point

/** Normalizes a signature (`r` and `s`, 64 bytes) to the lower of its two values of `s`. Throws if it is invalid. */
export const toLowS = (signature: Uint8Array): Uint8Array => {
  const { r, s } = secp256k1.Signature.fromBytes(signature, "compact")
  return new secp256k1.Signature(r, s > Fn.ORDER / 2n ? Fn.neg(s) : s).toBytes("compact")
}
