/** What holds the key of an account of the XRP Ledger. */
import * as Effect from "effect/Effect"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import { InvalidKey } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { ed25519Library, ignoreRequest, makeAccountKey } from "../accountKey.js"
import type { Account as ExternalAccount, FromMnemonic, SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal } from "../signerChecks.js"
import { parseDestination } from "./address.js"
import type { Account } from "./ripple.js"
import type { XrpFrom, XrpKey } from "./Types.js"

export type RippleModule = typeof import("./ripple.js")

/** Libraries repeat what they are given: none of their words is told. */
const tryMakeAccount = (make: () => Account, reason: string): Effect.Effect<Account, InvalidKey> =>
  Effect.try({ try: make, catch: () => new InvalidKey({ reason }) })

const accountFromMnemonic = (ripple: RippleModule, from: FromMnemonic) =>
  Effect.flatMap(
    loadPeer("@scure/bip39 @scure/bip32", () =>
      Promise.all([import("../keys/bip39.js"), import("../keys/bip32.js")])
    ),
    ([{ deriveKey }, { deriveSecp256k1 }]) =>
      Effect.flatMap(
        deriveKey(from, { standard: (index) => `m/44'/144'/0'/0/${index}` }, deriveSecp256k1),
        (key) => tryMakeAccount(() => ripple.accountFromSecp256k1Key(key), "it is none of the curve's keys")
      )
  )

const accountFromPrivateKey = (ripple: RippleModule, given: string): Effect.Effect<Account, InvalidKey> => {
  const text = given.trim()
  if (/^s[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(text))
    return tryMakeAccount(
      () => ripple.accountFromSeed(text),
      "a family seed has a checksum, and this one's fails"
    )
  if (/^ED[0-9A-F]{64}$/i.test(text))
    return tryMakeAccount(
      () => ripple.accountFromEd25519Key(hexToBytes(text.slice(2))),
      "it is none of the curve's keys"
    )
  return /^(00)?[0-9a-f]{64}$/i.test(text)
    ? tryMakeAccount(
        () => ripple.accountFromSecp256k1Key(hexToBytes(text.slice(-64))),
        "it is none of the curve's keys"
      )
    : invalidKey(
        "a private key of the XRP Ledger is a family seed (s…), or 32 bytes: 64 hexadecimal digits, behind ED if they are of Ed25519"
      )
}

const accountFromExternal = (
  ripple: RippleModule,
  external: ExternalAccount
): Effect.Effect<Account, SignerError> =>
  Effect.map(
    makeAccountKey(external, { secp256k1: ripple.secp256k1Library, ed25519: ed25519Library }),
    ({ publicKey, scheme, sign }) =>
      ripple.accountFromSignFunction(
        `${scheme === "ed25519" ? "ED" : ""}${bytesToHex(publicKey).toUpperCase()}`,
        sign
      )
  )

const makeKeyAccount = (ripple: RippleModule, from: XrpKey): Effect.Effect<Account, SignerError> => {
  if ("mnemonic" in from) return accountFromMnemonic(ripple, from)
  if ("privateKey" in from) return accountFromPrivateKey(ripple, reveal(from.privateKey))
  const { publicKey, sign } = from
  if (typeof sign !== "function")
    return invalidKey("must have mnemonic, privateKey, account, or sign with publicKey")
  const reason = "publicKey must be 33 bytes: 66 hexadecimal digits that begin with 02, 03 or ED"
  return /^(0[23]|ED)[0-9A-F]{64}$/i.test(publicKey)
    ? tryMakeAccount(
        () => ripple.accountFromSignFunction(publicKey.toUpperCase(), ignoreRequest(sign)),
        reason
      )
    : invalidKey(reason)
}

const isExternal = (from: XrpFrom): from is Exclude<XrpFrom, XrpKey> => isRecord(from.account)

/** The account of a key, or that which it is the regular key of. */
export const makeAccount = (ripple: RippleModule, from: XrpFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  const [key, owner] = isExternal(from)
    ? [accountFromExternal(ripple, from.account), from.address]
    : [makeKeyAccount(ripple, from), from.account]
  if (owner === undefined) return key
  const found = parseDestination(owner)
  if (typeof found === "string") return invalidKey(`its account ${found}`)
  return found.address === owner
    ? Effect.map(key, (own) => ({ ...own, address: owner }))
    : invalidKey("its account must be a classic address, which begins with r")
}
