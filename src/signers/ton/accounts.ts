/** What holds the key of an account of TON: words, a private key, or a function that signs. */
import * as Effect from "effect/Effect"
import { isRecord } from "../../data/untrusted.js"
import { hexToBytes, bytesToHex } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import { type InvalidKey, InvalidMnemonic } from "../../data/SdkError.js"
import { wordsOf } from "../mnemonic.js"
import { invalidKey, madeFromNothing, reveal, type SignerError } from "../Signer.js"
import type { Key } from "./cells.js"
import type { FromTonMnemonic, TonFrom } from "./Types.js"

export type Cells = typeof import("./cells.js")

const ofPrivateKey = (cells: Cells, given: string): Effect.Effect<Key, InvalidKey> => {
  const digits = given.trim().replace(/^0x/, "").toLowerCase()
  if (!/^(?:[0-9a-f]{64}){1,2}$/.test(digits))
    return invalidKey("a private key of TON is 32 or 64 bytes: 64 or 128 hexadecimal digits")
  const key = cells.keyOf(hexToBytes(digits.slice(0, 64)))
  return digits.length === 64 || bytesToHex(key.publicKey) === digits.slice(64)
    ? Effect.succeed(key)
    : invalidKey("its second half is not the public key of its first half")
}

/** The words of BIP-39 at the standard path, or at that which is given. */
const ofBip39 = (cells: Cells, from: FromTonMnemonic): Effect.Effect<Key, SignerError> =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("../keys/phrase.js"), import("../keys/slip10.js")])),
    ([{ keyOf }, { ed25519 }]) =>
      Effect.map(keyOf(from, { standard: (index) => `m/44'/607'/${index}'` }, ed25519), cells.keyOf)
  )

/** What TON's own way makes of the words and their password. */
const hashed = <A>(
  { mnemonic, passphrase = "" }: FromTonMnemonic,
  hash: (words: ReadonlyArray<string>, password: string) => Promise<A>
): Effect.Effect<A, InvalidMnemonic> =>
  Effect.tryPromise({
    try: () => hash(wordsOf(mnemonic), reveal(passphrase)),
    // whatever a library says of words is not repeated
    catch: () => new InvalidMnemonic({ reason: "no key can be derived from it" })
  })

/** TON makes no other words than 24: fewer pass its check by chance alone. */
const isOwn = (cells: Cells, from: FromTonMnemonic): Effect.Effect<boolean, InvalidMnemonic> =>
  hashed(from, async (words, password) => words.length === 24 && cells.areOfTon(words, password))

const ofOwn = (cells: Cells, from: FromTonMnemonic): Effect.Effect<Key, InvalidMnemonic | InvalidKey> =>
  from.path !== undefined || (from.index ?? 0) !== 0 || from.derivation !== undefined
    ? invalidKey("TON's own words have one key: there is no index, no path and no derivation")
    : Effect.map(hashed(from, cells.seedOf), cells.keyOf)

/** Whether these are words of BIP-39. Where that cannot be told, it is an error: they could be another account. */
const isBip39 = (cells: Cells, from: FromTonMnemonic): Effect.Effect<boolean, SignerError> =>
  Effect.catchIf(
    Effect.as(ofBip39(cells, { ...from, index: 0 }), true),
    ({ _tag }) => _tag === "InvalidMnemonic",
    () => Effect.succeed(false)
  )

/** Words are those whose check they pass. The few that pass both would be another account with the other one. */
const ofMnemonic = (cells: Cells, from: FromTonMnemonic): Effect.Effect<Key, SignerError> =>
  Effect.gen(function* () {
    const { words } = from
    if (words !== undefined && words !== "bip39" && words !== "ton")
      return yield* invalidKey('words must be "bip39" or "ton"')
    if (words === "bip39") return yield* ofBip39(cells, from)
    if (yield* isOwn(cells, from)) {
      if (words === undefined && (yield* isBip39(cells, from)))
        return yield* new InvalidMnemonic({
          reason:
            'its words are good as TON\'s own and as those of BIP-39: say which by words, "ton" or "bip39"'
        })
      return yield* ofOwn(cells, from)
    }
    if (words === "ton")
      return yield* new InvalidMnemonic({
        reason: "its words are not 24 of TON's own, or have another password"
      })
    return yield* ofBip39(cells, from)
  })

export const keyOf = (cells: Cells, from: TonFrom): Effect.Effect<Key, SignerError> => {
  if (!isRecord(from as unknown)) return madeFromNothing
  const given: TonFrom = from
  if (given.wallet !== undefined && given.wallet !== "v4" && given.wallet !== "v5")
    return invalidKey('wallet must be "v4" or "v5"')
  if ("mnemonic" in given) return ofMnemonic(cells, given)
  if ("privateKey" in given) return ofPrivateKey(cells, reveal(given.privateKey))
  if (typeof given.sign !== "function")
    return invalidKey("must have mnemonic, privateKey, or sign with publicKey")
  const digits = String(given.publicKey).replace(/^0x/, "")
  return /^[0-9a-f]{64}$/i.test(digits)
    ? Effect.succeed({ publicKey: hexToBytes(digits), sign: given.sign })
    : invalidKey("publicKey must be 64 hexadecimal digits")
}
