/** Public keys as key services write them, in the form that accounts have. */
import { bytesOfBase64 } from "../data/base64.js"
import { bytesToHex } from "../data/hex.js"
import type { Account } from "../signers/Signer.js"

type PublicKey = Pick<Account, "scheme" | "publicKey">

/** A point of secp256k1 by its coordinates, 32 bytes each, compressed. */
export const compressPoint = (x: Uint8Array, y: Uint8Array): PublicKey => ({
  scheme: "secp256k1",
  publicKey: `${(y.at(-1) ?? 0) % 2 === 0 ? "02" : "03"}${bytesToHex(x)}`
})

/** What stands before the key in DER: `id-ecPublicKey` with secp256k1 (RFC 5480, SEC 2) and a whole point, and `id-Ed25519` (RFC 8410). */
const KOBLITZ_HEADER = "3056301006072a8648ce3d020106052b8104000a03420004"
const EDWARDS_HEADER = "302a300506032b6570032100"

/** A public key in DER (SubjectPublicKeyInfo, RFC 5280). Undefined for keys of other kinds. */
export const parseDerPublicKey = (der: Uint8Array): PublicKey | undefined => {
  const digits = bytesToHex(der)
  const hasHeader = (header: string, keyLength: number) =>
    digits.startsWith(header) && der.length === header.length / 2 + keyLength
  if (hasHeader(KOBLITZ_HEADER, 64)) return compressPoint(der.slice(-64, -32), der.slice(-32))
  return hasHeader(EDWARDS_HEADER, 32)
    ? { scheme: "ed25519", publicKey: bytesToHex(der.slice(-32)) }
    : undefined
}

/** The same between the lines of PEM. */
export const parsePemPublicKey = (pem: string): PublicKey | undefined => {
  const base64 = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(pem)?.[1]
  return base64 === undefined ? undefined : parseDerPublicKey(bytesOfBase64(base64.replace(/\s/g, "")))
}
