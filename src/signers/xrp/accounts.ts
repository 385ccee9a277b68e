/** What holds the key of an account of the XRP Ledger. */
import * as Effect from "effect/Effect"
import { isRecord } from "../../data/untrusted.js"
import { hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import { InvalidKey } from "../../data/SdkError.js"
import { type FromMnemonic, invalidKey, madeFromNothing, reveal, type SignerError } from "../Signer.js"
import { read } from "./address.js"
import type { Account } from "./ripple.js"
import type { XrpFrom } from "./Types.js"

export type Ripple = typeof import("./ripple.js")

/** Libraries repeat what they are given: none of their words is told. */
const tried = (make: () => Account, reason: string): Effect.Effect<Account, InvalidKey> =>
  Effect.try({ try: make, catch: () => new InvalidKey({ reason }) })

const ofMnemonic = (ripple: Ripple, from: FromMnemonic) =>
  Effect.flatMap(
    loadPeer("@scure/bip39 @scure/bip32", () =>
      Promise.all([import("../keys/phrase.js"), import("../keys/bip32.js")])
    ),
    ([{ keyOf }, { secp256k1 }]) =>
      Effect.flatMap(keyOf(from, { standard: (index) => `m/44'/144'/0'/0/${index}` }, secp256k1), (key) =>
        tried(() => ripple.ofSecp256k1(key), "it is none of the curve's keys")
      )
  )

const ofPrivateKey = (ripple: Ripple, given: string): Effect.Effect<Account, InvalidKey> => {
  const text = given.trim()
  if (/^s[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(text))
    return tried(() => ripple.ofSeed(text), "a family seed has a checksum, and this one's fails")
  if (/^ED[0-9A-F]{64}$/i.test(text))
    return tried(() => ripple.ofEd25519(hexToBytes(text.slice(2))), "it is none of the curve's keys")
  return /^(00)?[0-9a-f]{64}$/i.test(text)
    ? tried(() => ripple.ofSecp256k1(hexToBytes(text.slice(-64))), "it is none of the curve's keys")
    : invalidKey(
        "a private key of the XRP Ledger is a family seed (s…), or 32 bytes: 64 hexadecimal digits, behind ED if they are of Ed25519"
      )
}

const keyOf = (ripple: Ripple, from: XrpFrom): Effect.Effect<Account, SignerError> => {
  if ("mnemonic" in from) return ofMnemonic(ripple, from)
  if ("privateKey" in from) return ofPrivateKey(ripple, reveal(from.privateKey))
  const { publicKey, sign } = from
  if (typeof sign !== "function") return invalidKey("must have mnemonic, privateKey, or sign with publicKey")
  const reason = "publicKey must be 33 bytes: 66 hexadecimal digits that begin with 02, 03 or ED"
  return /^(0[23]|ED)[0-9A-F]{64}$/i.test(publicKey)
    ? tried(() => ripple.ofSign(publicKey.toUpperCase(), sign), reason)
    : invalidKey(reason)
}

/** The account of a key, or that which it is the regular key of. */
export const accountOf = (ripple: Ripple, from: XrpFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return madeFromNothing
  const { account } = from
  if (account === undefined) return keyOf(ripple, from)
  const found = read(account)
  if (typeof found === "string") return invalidKey(`its account ${found}`)
  return found.address === account
    ? Effect.map(keyOf(ripple, from), (key) => ({ ...key, address: account }))
    : invalidKey("its account must be a classic address, which begins with r")
}
