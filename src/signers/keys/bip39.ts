/** Seeds of mnemonics (BIP-39): loaded with the first signer that is made from one. */
import { mnemonicToSeed, mnemonicToSeedWebcrypto, validateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import * as Effect from "effect/Effect"
import { type InvalidKey, InvalidMnemonic } from "../../data/SdkError.js"
import { checkMnemonic, type DerivationPaths, resolvePath } from "../mnemonic.js"
import type { FromMnemonic } from "../Signer.js"
import { reveal } from "../signerChecks.js"

/**
 * Hashes words to a seed by the runtime's own PBKDF2, which takes an eighth of the library's time. Pages without TLS have none, and some mobile
 * runtimes have another part of Web Crypto alone.
 */
const hashWords = (words: string, passphrase: string): Promise<Uint8Array> =>
  mnemonicToSeedWebcrypto(words, passphrase).catch(() => mnemonicToSeed(words, passphrase))

/** Derives the private key on a curve: at the given path, or at the path of the given index. */
export const deriveKey = <Key>(
  from: FromMnemonic,
  paths: DerivationPaths,
  derive: (seed: Uint8Array, path: string) => Key
): Effect.Effect<Key, InvalidMnemonic | InvalidKey> =>
  Effect.flatMap(
    Effect.all([
      checkMnemonic(from, wordlist, (words) => validateMnemonic(words, wordlist)),
      resolvePath(from, paths)
    ]),
    ([words, path]) =>
      Effect.tryPromise({
        try: async () => derive(await hashWords(words, reveal(from.passphrase ?? "")), path),
        // the library's message is not repeated, since it may contain the words
        catch: () => new InvalidMnemonic({ reason: "no key can be derived from it" })
      })
  )
