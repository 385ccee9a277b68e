/** Keys of accounts of TON: mnemonics, private keys, and functions that sign. */
import * as Effect from "effect/Effect"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import { type InvalidKey, InvalidMnemonic } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { ed25519Library, ignoreRequest, makeAccountKey } from "../accountKey.js"
import { splitWords } from "../mnemonic.js"
import type { SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal } from "../signerChecks.js"
import type { WalletKey } from "./cells.js"
import type { FromTonMnemonic, TonFrom } from "./Types.js"

export type CellsModule = typeof import("./cells.js")

const keyFromPrivateKey = (cells: CellsModule, given: string): Effect.Effect<WalletKey, InvalidKey> => {
  const digits = given.trim().replace(/^0x/, "").toLowerCase()
  if (!/^(?:[0-9a-f]{64}){1,2}$/.test(digits))
    return invalidKey("a private key of TON is 32 or 64 bytes: 64 or 128 hexadecimal digits")
  const key = cells.keyFromSeed(hexToBytes(digits.slice(0, 64)))
  return digits.length === 64 || bytesToHex(key.publicKey) === digits.slice(64)
    ? Effect.succeed(key)
    : invalidKey("its second half is not the public key of its first half")
}

/** Derives the key of a BIP-39 mnemonic at the given path, or the standard one. */
const keyFromBip39 = (cells: CellsModule, from: FromTonMnemonic): Effect.Effect<WalletKey, SignerError> =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("../keys/bip39.js"), import("../keys/slip10.js")])),
    ([{ deriveKey }, { deriveEd25519 }]) =>
      Effect.map(
        deriveKey(from, { standard: (index) => `m/44'/607'/${index}'` }, deriveEd25519),
        cells.keyFromSeed
      )
  )

/** Derives the key of TON's own mnemonic and its password. */
const hashWords = <A>(
  { mnemonic, passphrase = "" }: FromTonMnemonic,
  hash: (words: ReadonlyArray<string>, password: string) => Promise<A>
): Effect.Effect<A, InvalidMnemonic> =>
  Effect.tryPromise({
    try: () => hash(splitWords(mnemonic), reveal(passphrase)),
    // the library's message is not repeated, since it may contain the words
    catch: () => new InvalidMnemonic({ reason: "no key can be derived from it" })
  })

/** TON makes only mnemonics of 24 words; shorter ones pass its check by chance. */
const isTonMnemonic = (cells: CellsModule, from: FromTonMnemonic): Effect.Effect<boolean, InvalidMnemonic> =>
  hashWords(from, async (words, password) => words.length === 24 && cells.isTonMnemonic(words, password))

const keyFromTonMnemonic = (
  cells: CellsModule,
  from: FromTonMnemonic
): Effect.Effect<WalletKey, InvalidMnemonic | InvalidKey> =>
  from.path !== undefined || (from.index ?? 0) !== 0 || from.derivation !== undefined
    ? invalidKey("TON's own words have one key: there is no index, no path and no derivation")
    : Effect.map(hashWords(from, cells.seedFromMnemonic), cells.keyFromSeed)

/** Whether these are words of BIP-39. If that is unclear it fails, since the other kind would be another account. */
const isBip39Mnemonic = (cells: CellsModule, from: FromTonMnemonic): Effect.Effect<boolean, SignerError> =>
  Effect.catchTag(Effect.as(keyFromBip39(cells, { ...from, index: 0 }), true), "InvalidMnemonic", () =>
    Effect.succeed(false)
  )

/**
 * Decides which kind a mnemonic is, by the checksums. The few that pass both are refused, since the other kind would be another account.
 */
const keyFromMnemonic = (cells: CellsModule, from: FromTonMnemonic): Effect.Effect<WalletKey, SignerError> =>
  Effect.gen(function* () {
    const { words } = from
    if (words !== undefined && words !== "bip39" && words !== "ton")
      return yield* invalidKey('words must be "bip39" or "ton"')
    if (words === "bip39") return yield* keyFromBip39(cells, from)
    if (yield* isTonMnemonic(cells, from)) {
      if (words === undefined && (yield* isBip39Mnemonic(cells, from)))
        return yield* new InvalidMnemonic({
          reason:
            'its words are good as TON\'s own and as those of BIP-39: say which by words, "ton" or "bip39"'
        })
      return yield* keyFromTonMnemonic(cells, from)
    }
    if (words === "ton")
      return yield* new InvalidMnemonic({
        reason: "its words are not 24 of TON's own, or have another password"
      })
    return yield* keyFromBip39(cells, from)
  })

export const makeKey = (cells: CellsModule, from: TonFrom): Effect.Effect<WalletKey, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  const given: TonFrom = from
  if (given.wallet !== undefined && given.wallet !== "v4" && given.wallet !== "v5")
    return invalidKey('wallet must be "v4" or "v5"')
  if ("mnemonic" in given) return keyFromMnemonic(cells, given)
  if ("privateKey" in given) return keyFromPrivateKey(cells, reveal(given.privateKey))
  if ("account" in given) return makeAccountKey(given.account, { ed25519: ed25519Library })
  if (typeof given.sign !== "function")
    return invalidKey("must have mnemonic, privateKey, account, or sign with publicKey")
  const digits = String(given.publicKey).replace(/^0x/, "")
  return /^[0-9a-f]{64}$/i.test(digits)
    ? Effect.succeed({ publicKey: hexToBytes(digits), sign: ignoreRequest(given.sign) })
    : invalidKey("publicKey must be 64 hexadecimal digits")
}
