/** What holds the key of an account of Stellar. */
import * as Effect from "effect/Effect"
import { isRecord } from "../../data/untrusted.js"
import { loadPeer } from "../../data/loadOnce.js"
import { type FromMnemonic, invalidKey, madeFromNothing, reveal, type SignerError } from "../Signer.js"
import { addressProblem, keyOfSeed } from "./address.js"
import type { Account } from "./base.js"
import type { StellarFrom } from "./Types.js"

export type Base = typeof import("./base.js")

const ofMnemonic = (base: Base, from: FromMnemonic): Effect.Effect<Account, SignerError> =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("../keys/phrase.js"), import("../keys/slip10.js")])),
    ([{ keyOf }, { ed25519 }]) =>
      Effect.map(keyOf(from, { standard: (index) => `m/44'/148'/${index}'` }, ed25519), base.ofKey)
  )

export const accountOf = (base: Base, from: StellarFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return madeFromNothing
  if ("mnemonic" in from) return ofMnemonic(base, from)
  if ("privateKey" in from) {
    const key = keyOfSeed(reveal(from.privateKey).trim())
    return key === undefined
      ? invalidKey("a private key of Stellar is a seed: S and 55 digits of base32, with a checksum")
      : Effect.succeed(base.ofKey(key))
  }
  const { address, sign } = from
  if (typeof sign !== "function") return invalidKey("must have mnemonic, privateKey, or sign with address")
  const problem = addressProblem(address)
  if (problem !== undefined) return invalidKey(`its address ${problem}`)
  return address.startsWith("G")
    ? Effect.succeed(base.ofSign(address, sign))
    : invalidKey("its address must be that of the account, which begins with G")
}
