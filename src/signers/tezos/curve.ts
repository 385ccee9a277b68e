/** What signers of Tezos need of `@noble/curves`: loaded with the first of them. Keys stay in the closures of accounts. */
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { blake2b } from "@noble/hashes/blake2.js"
import type { AccountKey, SignBytes } from "../accountKey.js"
import { toLowS } from "../keys/lowS.js"
import type { KeyScheme, PolicyRequest } from "../Signer.js"
import { decodeWithPrefix, encodeWithPrefix, type PrefixKind } from "./address.js"

export { secp256k1Library } from "../keys/secp256k1.js"

/** A curve of the chain, and the kinds of its texts. */
interface Curve {
  readonly address: PrefixKind
  readonly publicKey: PrefixKind
  readonly signature: PrefixKind
  readonly length: number
  readonly publicOf: (secret: Uint8Array) => Uint8Array
  readonly sign: (hash: Uint8Array, secret: Uint8Array) => Uint8Array
  /** Normalizes a signature to the form that nodes accept. Throws if it is invalid. */
  readonly canonical: (signature: Uint8Array) => Uint8Array
  readonly verify: (signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array) => boolean
}

const ed25519Curve: Curve = {
  address: "tz1",
  publicKey: "edpk",
  signature: "edsig",
  length: 32,
  publicOf: (secret) => ed25519.getPublicKey(secret),
  sign: (hash, secret) => ed25519.sign(hash, secret),
  canonical: (signature) => signature,
  verify: (signature, hash, publicKey) => ed25519.verify(signature, hash, publicKey)
}

const secp256k1Curve: Curve = {
  address: "tz2",
  publicKey: "sppk",
  signature: "spsig",
  length: 33,
  publicOf: (secret) => secp256k1.getPublicKey(secret, true),
  sign: (hash, secret) => secp256k1.sign(hash, secret, { prehash: false }),
  canonical: toLowS,
  verify: (signature, hash, publicKey) => secp256k1.verify(signature, hash, publicKey, { prehash: false })
}

/** An account and its signing function. The chain needs its public key before the first payment. */
export interface Account {
  readonly address: string
  readonly publicKey: string
  /** Throws if the signature is not this account's. */
  readonly signHash: (hash: Uint8Array, request?: PolicyRequest) => Promise<Uint8Array>
  readonly formatSignature: (signature: Uint8Array) => string
}

/** The hash of bytes to sign, and of operations. */
export const computeHash = (bytes: Uint8Array): Uint8Array => blake2b(bytes, { dkLen: 32 })

/** Makes an account. Its function signs the 32 bytes that the chain hashes a message to. */
const makeAccountOnCurve = (curve: Curve, publicKey: Uint8Array, sign: SignBytes): Account => {
  const address = encodeWithPrefix(curve.address, blake2b(publicKey, { dkLen: 20 }))
  return {
    address,
    publicKey: encodeWithPrefix(curve.publicKey, publicKey),
    signHash: async (hash, request) => {
      const signature = curve.canonical(Uint8Array.from(await sign(hash.slice(), request)))
      if (!curve.verify(signature, hash, publicKey))
        throw new Error(`the signature is not that of ${address}`)
      return signature
    },
    formatSignature: (signature) => encodeWithPrefix(curve.signature, signature)
  }
}

/** Makes the account of a public key: edpk or sppk. Undefined for others. */
export const accountFromPublicKey = (publicKey: string, sign: SignBytes): Account | undefined => {
  for (const curve of [ed25519Curve, secp256k1Curve]) {
    const bytes = decodeWithPrefix(curve.publicKey, publicKey, curve.length)
    if (bytes !== undefined) return makeAccountOnCurve(curve, bytes, sign)
  }
  return undefined
}

const curveByScheme: Readonly<Record<KeyScheme, Curve>> = { ed25519: ed25519Curve, secp256k1: secp256k1Curve }

/** Makes the account of a key that is elsewhere. */
export const accountFromKey = ({ publicKey, scheme, sign }: AccountKey): Account =>
  makeAccountOnCurve(curveByScheme[scheme], publicKey, sign)

const accountFromSecret = (curve: Curve, secret: Uint8Array): Account =>
  makeAccountOnCurve(curve, curve.publicOf(secret), (hash) => curve.sign(hash, secret))

/** The account of 32 bytes on ed25519. */
export const accountFromSeed = (seed: Uint8Array): Account => accountFromSecret(ed25519Curve, seed)

/** Makes the account of a private key in the form of the chain's tools. Throws, or yields undefined, if it is invalid. */
export const accountFromText = (text: string): Account | undefined => {
  const seed = decodeWithPrefix("edsk", text, 32)
  if (seed !== undefined) return accountFromSeed(seed)
  const koblitzSecret = decodeWithPrefix("spsk", text, 32)
  if (koblitzSecret !== undefined) return accountFromSecret(secp256k1Curve, koblitzSecret)
  const whole = decodeWithPrefix("edskWhole", text, 64)
  if (whole === undefined) return undefined
  const account = accountFromSeed(whole.slice(0, 32))
  // its second half is its public key
  return account.publicKey === encodeWithPrefix("edpk", whole.slice(32)) ? account : undefined
}
