/** Public keys and signatures of accounts on secp256k1, whose forms differ: loaded with the libraries of families on it. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import type { SchemeLibrary } from "../accountKey.js"
import { toLowS } from "./lowS.js"

/** Signatures have 64 bytes or are in DER, and `s` may be the higher one of its two values. */
export const secp256k1Library: SchemeLibrary = {
  isPublicKey: (bytes) => secp256k1.utils.isValidPublicKey(bytes, true),
  normalizeSignature: (signature) =>
    toLowS(
      signature.length === 64 ? signature : secp256k1.Signature.fromBytes(signature, "der").toBytes("compact")
    )
}
