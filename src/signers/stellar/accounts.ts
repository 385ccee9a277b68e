/** What holds the key of an account of Stellar. */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../data/loadOnce.js"
import { isRecord } from "../../data/untrusted.js"
import { ed25519Library, ignoreRequest, makeAccountKey } from "../accountKey.js"
import type { FromMnemonic, SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal } from "../signerChecks.js"
import { addressProblem, encodeAddress, keyFromSeed } from "./address.js"
import type { StellarAccount } from "./base.js"
import type { StellarFrom } from "./Types.js"

export type BaseModule = typeof import("./base.js")

const accountFromMnemonic = (
  base: BaseModule,
  from: FromMnemonic
): Effect.Effect<StellarAccount, SignerError> =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("../keys/bip39.js"), import("../keys/slip10.js")])),
    ([{ deriveKey }, { deriveEd25519 }]) =>
      Effect.map(
        deriveKey(from, { standard: (index) => `m/44'/148'/${index}'` }, deriveEd25519),
        base.accountFromKey
      )
  )

export const makeAccount = (
  base: BaseModule,
  from: StellarFrom
): Effect.Effect<StellarAccount, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  if ("mnemonic" in from) return accountFromMnemonic(base, from)
  if ("privateKey" in from) {
    const key = keyFromSeed(reveal(from.privateKey).trim())
    return key === undefined
      ? invalidKey("a private key of Stellar is a seed: S and 55 digits of base32, with a checksum")
      : Effect.succeed(base.accountFromKey(key))
  }
  if ("account" in from)
    return Effect.map(makeAccountKey(from.account, { ed25519: ed25519Library }), ({ publicKey, sign }) =>
      base.accountFromSignFunction(encodeAddress(publicKey), sign)
    )
  const { address, sign } = from
  if (typeof sign !== "function")
    return invalidKey("must have mnemonic, privateKey, account, or sign with address")
  const problem = addressProblem(address)
  if (problem !== undefined) return invalidKey(`its address ${problem}`)
  return address.startsWith("G")
    ? Effect.succeed(base.accountFromSignFunction(address, ignoreRequest(sign)))
    : invalidKey("its address must be that of the account, which begins with G")
}
