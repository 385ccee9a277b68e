/**
 * Checks mnemonics (BIP-39) before a library derives keys from them: libraries accept invalid ones silently, or repeat the words in
 * errors.
 */
import * as Effect from "effect/Effect"
import { InvalidKey, InvalidMnemonic } from "../data/SdkError.js"
import type { FromMnemonic, Secret } from "./Signer.js"
import { reveal } from "./signerChecks.js"

/** The possible numbers of words. */
const WORD_COUNTS: ReadonlyArray<number> = [12, 15, 18, 21, 24]

/** Splits a mnemonic into words. */
export const splitWords = (mnemonic: Secret): ReadonlyArray<string> =>
  reveal(mnemonic).normalize("NFKD").trim().toLowerCase().split(/\s+/)

const describeCount = ([first, ...rest]: ReadonlyArray<string>): string =>
  first === "" ? "no words" : rest.length === 0 ? "1 word" : `${rest.length + 1} words`

/** The words as they are hashed, if all of them are in the list and their checksum is right. */
export const checkMnemonic = (
  { mnemonic }: FromMnemonic,
  list: ReadonlyArray<string>,
  isValid: (words: string) => boolean,
  lengths = WORD_COUNTS
): Effect.Effect<string, InvalidMnemonic> => {
  const words = splitWords(mnemonic)
  if (!lengths.includes(words.length))
    return Effect.fail(
      new InvalidMnemonic({ reason: `it has ${describeCount(words)}, and must have ${lengths.join(", ")}` })
    )
  const wrong = words.findIndex((word) => !list.includes(word))
  if (wrong >= 0)
    return Effect.fail(
      new InvalidMnemonic({
        reason: `word ${wrong + 1} is not in the English list of BIP-39`,
        position: wrong + 1
      })
    )
  const phrase = words.join(" ")
  return isValid(phrase)
    ? Effect.succeed(phrase)
    : Effect.fail(
        new InvalidMnemonic({ reason: "its checksum is wrong: a word is another one or stands elsewhere" })
      )
}

const PATH_PATTERN = /^m(\/\d{1,10}'?)+$/

/** Whether each part of a path is hardened. */
const isFullyHardened = (path: string): boolean => !/\d(\/|$)/.test(path)

/** The derivation paths of a network by index. `tatum` is absent if `@tatumio/tatum`'s wallet packages derive none. */
export interface DerivationPaths {
  readonly standard: (index: number) => string
  readonly tatum?: ((index: number) => string) | undefined
}

/**
 * The path of the key to derive: the given one, or that of an index. Curves whose standard path is hardened in all parts have keys only
 * at hardened paths (SLIP-10).
 */
export const resolvePath = (
  { derivation = "standard", index = 0, path }: FromMnemonic,
  { standard, tatum }: DerivationPaths
): Effect.Effect<string, InvalidKey> => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= 0x8000_0000)
    return Effect.fail(new InvalidKey({ reason: "index must be a whole number from 0 to 2147483647" }))
  if (derivation !== "standard" && derivation !== "tatum")
    return Effect.fail(new InvalidKey({ reason: 'derivation must be "standard" or "tatum"' }))
  const numbered = derivation === "tatum" ? tatum : standard
  if (numbered === undefined)
    return Effect.fail(
      new InvalidKey({
        reason:
          'derivation "tatum" is none here, since @tatumio\'s wallet packages derive no accounts of this network: leave it out, or give path'
      })
    )
  const found = path ?? numbered(index)
  if (typeof found === "string" && isFullyHardened(standard(0)) && !isFullyHardened(found))
    return Effect.fail(
      new InvalidKey({ reason: `each part of its path must be hardened, as in ${standard(0)}` })
    )
  return PATH_PATTERN.test(found) &&
    found
      .split("/")
      .slice(1)
      .every((part) => Number.parseInt(part, 10) < 0x8000_0000)
    ? Effect.succeed(found)
    : Effect.fail(new InvalidKey({ reason: `path must be a derivation path such as ${standard(0)}` }))
}
