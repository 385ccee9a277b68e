/** Keys from mnemonics, for families whose library has none of that: loaded with the first signer that needs it. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha512 } from "@noble/hashes/sha2.js"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeed, validateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import * as Effect from "effect/Effect"
import { type InvalidKey, InvalidMnemonic } from "../data/SdkError.js"
import { checked, pathOf } from "./mnemonic.js"
import { type FromMnemonic, reveal } from "./Signer.js"

/** The private key at a path (BIP-32, on secp256k1). */
export const secp256k1 = (seed: Uint8Array, path: string): Uint8Array => {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  // a key that is derived from a seed has its private part
  if (privateKey === null) throw new Error(`there is no private key at ${path}`)
  return privateKey
}

/** The private key at a path (SLIP-10, on ed25519), whose parts are all hardened. */
export const ed25519 = (seed: Uint8Array, path: string): Uint8Array => {
  const start = hmac(sha512, new TextEncoder().encode("ed25519 seed"), seed)
  const end = path
    .split("/")
    .slice(1)
    .reduce((parent, part) => {
      const data = new Uint8Array(37)
      data.set(parent.subarray(0, 32), 1)
      new DataView(data.buffer).setUint32(33, Number.parseInt(part, 10) + 0x8000_0000)
      return hmac(sha512, parent.subarray(32), data)
    }, start)
  return end.slice(0, 32)
}

/** The private key that is meant, on the curve of `derive`: at the path that was given, or at that of its number. */
export const keyOf = (
  from: FromMnemonic,
  standard: (index: number) => string,
  derive: (seed: Uint8Array, path: string) => Uint8Array
): Effect.Effect<Uint8Array, InvalidMnemonic | InvalidKey> =>
  Effect.flatMap(
    Effect.all([
      checked(from, wordlist, (words) => validateMnemonic(words, wordlist)),
      pathOf(from, standard)
    ]),
    ([words, path]) =>
      Effect.tryPromise({
        try: async () =>
          derive(
            await mnemonicToSeed(words, from.passphrase === undefined ? "" : reveal(from.passphrase)),
            path
          ),
        // whatever a library says of words is not repeated
        catch: () => new InvalidMnemonic({ reason: "no key can be derived from it" })
      })
  )
