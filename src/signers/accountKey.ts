/** The keys of accounts that are elsewhere, in the form in which the families of signers use keys. */
import * as Effect from "effect/Effect"
import { hexToBytes } from "../data/hex.js"
import type { InvalidKey } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Account, KeyScheme, PolicyRequest, SigningRequest } from "./Signer.js"
import { invalidKey } from "./signerChecks.js"

/** A request, with what the bytes to sign are the hash of, where the family says it. */
export type RequestWithPreimage = PolicyRequest & Pick<SigningRequest, "preimage">

/** Signs bytes of a request, which says what they stand for. */
export type SignBytes = (bytes: Uint8Array, request?: RequestWithPreimage) => Uint8Array | Promise<Uint8Array>

/** A request with what the bytes to sign are the hash of. */
export const withPreimage = (
  request: PolicyRequest | undefined,
  preimage: Uint8Array
): RequestWithPreimage | undefined => (request === undefined ? undefined : { ...request, preimage })

/** A public key (33 bytes on secp256k1, 32 on ed25519), and the function that signs with its private one: 64 bytes. */
export interface AccountKey {
  readonly scheme: KeyScheme
  readonly publicKey: Uint8Array
  readonly sign: SignBytes
}

/** A function without the second argument, which is for accounts: a function of a user may have another one there. */
export const ignoreRequest =
  <A, B>(sign: (bytes: A) => B) =>
  (bytes: A): B =>
    sign(bytes)

/** A key whose holder sees what is signed. */
export const withRequest = <A, B, K>(
  key: K & { readonly sign: (bytes: A, request?: RequestWithPreimage) => B },
  request: RequestWithPreimage | undefined
): K & { readonly sign: (bytes: A) => B } => ({ ...key, sign: (bytes: A) => key.sign(bytes, request) })

/** What a library does for a scheme. */
export interface SchemeLibrary {
  /** Whether bytes in the form of a public key are one. */
  readonly isPublicKey: (bytes: Uint8Array) => boolean
  /** A signature in any form that accounts may yield, as 64 bytes. Throws if it has none of them. */
  readonly normalizeSignature: (signature: Uint8Array) => Uint8Array
}

/** Points and signatures of ed25519 have one form: whether they are right shows when a signature is verified. */
export const ed25519Library: SchemeLibrary = {
  isPublicKey: () => true,
  normalizeSignature: (signature) => {
    if (signature.length === 64) return signature
    throw new Error(`the account's signature has ${signature.length} bytes, and one of ed25519 has 64`)
  }
}

/** Public keys as hexadecimal digits, and in words. */
const publicKeyForms: Readonly<Record<KeyScheme, { readonly digits: RegExp; readonly words: string }>> = {
  secp256k1: {
    digits: /^0[23][0-9a-f]{64}$/i,
    words: "a compressed public key of secp256k1: 66 hexadecimal digits that begin with 02 or 03"
  },
  ed25519: { digits: /^[0-9a-f]{64}$/i, words: "a public key of ed25519: 64 hexadecimal digits" }
}

const isScheme = (scheme: unknown): scheme is KeyScheme =>
  typeof scheme === "string" && Object.hasOwn(publicKeyForms, scheme)

/** Asks the account, which gets copies of all bytes. The families verify what it yields. */
const makeSign =
  ({ sign }: Account, { normalizeSignature }: SchemeLibrary): SignBytes =>
  async (bytes, request) => {
    if (request === undefined) throw new Error("an account signs only what a signer asks for")
    const { preimage, ...rest } = request
    const copied = preimage === undefined ? rest : { ...rest, preimage: preimage.slice() }
    const signature: unknown = await sign({ ...copied, bytes: bytes.slice() })
    if (!ArrayBuffer.isView(signature)) throw new Error("the account's signature is no Uint8Array")
    const { buffer, byteLength, byteOffset } = signature
    return normalizeSignature(new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength)))
  }

/** The key of an account, if it is of one of the schemes that a family has. */
export const makeAccountKey = (
  account: Account,
  libraries: Readonly<Partial<Record<KeyScheme, SchemeLibrary>>>
): Effect.Effect<AccountKey, InvalidKey> => {
  if (!isRecord(account as unknown) || typeof account.sign !== "function")
    return invalidKey("account must have scheme, publicKey and sign")
  const { publicKey: given, scheme } = account
  if (!isScheme(scheme)) return invalidKey("the account's scheme must be secp256k1 or ed25519")
  const library = libraries[scheme]
  if (library === undefined)
    return invalidKey(
      `the account signs with ${scheme}, and the network takes ${Object.keys(libraries).join(" or ")}`
    )
  const digits = String(given).replace(/^0x/, "")
  const { digits: pattern, words } = publicKeyForms[scheme]
  return pattern.test(digits) && library.isPublicKey(hexToBytes(digits))
    ? Effect.succeed({ scheme, publicKey: hexToBytes(digits), sign: makeSign(account, library) })
    : invalidKey(`the account's publicKey must be ${words}`)
}
