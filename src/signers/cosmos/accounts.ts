/** What holds the key of an account of Cosmos: a key of ours, or someone who signs. */
import * as Effect from "effect/Effect"
import { hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import { InvalidKey } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { ignoreRequest, makeAccountKey, type SignBytes } from "../accountKey.js"
import type { FromMnemonic, SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal } from "../signerChecks.js"
import type { CosmosFrom } from "./Types.js"

export type CurveModule = typeof import("./curve.js")

export interface Account {
  readonly publicKey: Uint8Array
  /** Signs 32 bytes: `r` and `s`. What else is behind them is left out. */
  readonly sign: SignBytes
}

const accountFromBytes = (curve: CurveModule, key: Uint8Array): Effect.Effect<Account, InvalidKey> =>
  Effect.try({
    try: () => ({ publicKey: curve.publicKeyOf(key), sign: curve.makeSignHash(key) }),
    catch: () => new InvalidKey({ reason: "it is none of the curve's keys" })
  })

const accountFromPrivateKey = (curve: CurveModule, given: string): Effect.Effect<Account, InvalidKey> => {
  const digits = given.trim().replace(/^0x/, "")
  return /^[0-9a-f]{64}$/i.test(digits)
    ? accountFromBytes(curve, hexToBytes(digits))
    : invalidKey("a private key of Cosmos is 32 bytes: 64 hexadecimal digits")
}

const accountFromMnemonic = (curve: CurveModule, from: FromMnemonic): Effect.Effect<Account, SignerError> =>
  Effect.flatMap(
    loadPeer("@scure/bip39 @scure/bip32", () =>
      Promise.all([import("../keys/bip39.js"), import("../keys/bip32.js")])
    ),
    ([{ deriveKey }, { deriveSecp256k1 }]) =>
      Effect.flatMap(
        deriveKey(from, { standard: (index) => `m/44'/118'/0'/0/${index}` }, deriveSecp256k1),
        (key) => accountFromBytes(curve, key)
      )
  )

const accountFromSignFunction = (
  curve: CurveModule,
  given: unknown,
  sign: SignBytes
): Effect.Effect<Account, InvalidKey> => {
  const digits = String(given).replace(/^0x/, "")
  const publicKey = /^[0-9a-f]{66}$/i.test(digits) ? hexToBytes(digits) : new Uint8Array()
  return curve.isPublicKey(publicKey)
    ? Effect.succeed({ publicKey, sign })
    : invalidKey("publicKey must be a compressed public key: 66 hexadecimal digits")
}

export const makeAccount = (curve: CurveModule, from: CosmosFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  const given: CosmosFrom = from
  if ("mnemonic" in given) return accountFromMnemonic(curve, given)
  if ("privateKey" in given) return accountFromPrivateKey(curve, reveal(given.privateKey))
  if ("account" in given) return makeAccountKey(given.account, { secp256k1: curve.secp256k1Library })
  if (typeof given.sign === "function")
    return accountFromSignFunction(curve, given.publicKey, ignoreRequest(given.sign))
  return invalidKey("must have mnemonic, privateKey, account, or sign with publicKey")
}
