/** Algorand's own mnemonics: 24 words for a key, and one for its checksum. Loaded with the first signer that is made from one. */
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { seedFromMnemonic } from "algosdk"
import * as Effect from "effect/Effect"
import type { InvalidMnemonic } from "../../data/SdkError.js"
import { checkMnemonic } from "../mnemonic.js"
import type { FromMnemonic } from "../Signer.js"

/** The number of words. No mnemonic of BIP-39 has it. */
export const WORD_COUNT = 25

const isValidMnemonic = (words: string): boolean => {
  try {
    return seedFromMnemonic(words).length === 32
  } catch {
    return false
  }
}

/** Decodes the key in the words. */
export const seedFromWords = (from: FromMnemonic): Effect.Effect<Uint8Array, InvalidMnemonic> =>
  Effect.map(checkMnemonic(from, wordlist, isValidMnemonic, [WORD_COUNT]), seedFromMnemonic)
