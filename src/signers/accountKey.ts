/** The keys of accounts that are elsewhere, in the form in which the families of signers use keys. */
import * as Effect from "effect/Effect"
import { hexToBytes } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { InvalidKey, MissingPeer } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Account, KeyScheme, PolicyRequest } from "./Signer.js"
import { invalidKey } from "./signerChecks.js"

/** Signs bytes of a request, which says what they stand for. */
export type SignBytes = (bytes: Uint8Array, request?: PolicyRequest) => Uint8Array | Promise<Uint8Array>

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
  key: K & { readonly sign: (bytes: A, request?: PolicyRequest) => B },
  request: PolicyRequest | undefined
): K & { readonly sign: (bytes: A) => B } => ({ ...key, sign: (bytes: A) => key.sign(bytes, request) })

/** Public keys as hexadecimal digits. */
const publicKeyDigits: Readonly<Record<KeyScheme, RegExp>> = {
  secp256k1: /^0[23][0-9a-f]{64}$/i,
  ed25519: /^[0-9a-f]{64}$/i
}

const publicKeyForms: Readonly<Record<KeyScheme, string>> = {
  secp256k1: "a compressed public key of secp256k1: 66 hexadecimal digits that begin with 02 or 03",
  ed25519: "a public key of ed25519: 64 hexadecimal digits"
}

const isScheme = (scheme: unknown): scheme is KeyScheme =>
  typeof scheme === "string" && Object.hasOwn(publicKeyDigits, scheme)

const requireEdwardsSignature = (signature: Uint8Array): Uint8Array => {
  if (signature.length === 64) return signature
  throw new Error(`the account's signature has ${signature.length} bytes, and one of ed25519 has 64`)
}

/** Asks the account, which gets a copy of the bytes. The families verify what it yields. */
const makeSign =
  ({ sign }: Account, normalize: (signature: Uint8Array) => Uint8Array): SignBytes =>
  async (bytes, request) => {
    if (request === undefined) throw new Error("an account signs only what a signer asks for")
    const signature: unknown = await sign({ ...request, bytes: bytes.slice() })
    if (!ArrayBuffer.isView(signature)) throw new Error("the account's signature is no Uint8Array")
    const { buffer, byteLength, byteOffset } = signature
    return normalize(new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength)))
  }

/** The key of an account, if it is of one of the schemes that a family takes. */
export const makeAccountKey = (
  account: Account,
  schemes: ReadonlyArray<KeyScheme>
): Effect.Effect<AccountKey, InvalidKey | MissingPeer> => {
  if (!isRecord(account as unknown) || typeof account.sign !== "function")
    return invalidKey("account must have scheme, publicKey and sign")
  const { publicKey: given, scheme } = account
  if (!isScheme(scheme)) return invalidKey("the account's scheme must be secp256k1 or ed25519")
  if (!schemes.includes(scheme))
    return invalidKey(`the account signs with ${scheme}, and the network takes ${schemes.join(" or ")}`)
  const digits = String(given).replace(/^0x/, "")
  const wrongKey = invalidKey(`the account's publicKey must be ${publicKeyForms[scheme]}`)
  if (!publicKeyDigits[scheme].test(digits)) return wrongKey
  const publicKey = hexToBytes(digits)
  if (scheme === "ed25519")
    return Effect.succeed({ scheme, publicKey, sign: makeSign(account, requireEdwardsSignature) })
  return Effect.flatMap(
    loadPeer("@noble/curves", () => import("./keys/secp256k1.js")),
    ({ isPublicKey, normalizeSignature }) =>
      isPublicKey(publicKey)
        ? Effect.succeed({ scheme, publicKey, sign: makeSign(account, normalizeSignature) })
        : wrongKey
  )
}
