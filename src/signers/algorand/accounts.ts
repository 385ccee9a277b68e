/** What holds the key of an account of Algorand: a key of ours, or someone who signs. */
import * as Effect from "effect/Effect"
import { bytesOfBase64 } from "../../data/base64.js"
import { isRecord } from "../../data/untrusted.js"
import { hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { InvalidKey } from "../../data/SdkError.js"
import { wordsOf } from "../mnemonic.js"
import { type FromMnemonic, invalidKey, madeFromNothing, reveal, type SignerError } from "../Signer.js"
import { addressProblem } from "./address.js"
import type { SignBytes } from "./sdk.js"
import type { AlgorandFrom } from "./Types.js"

export type Sdk = typeof import("./sdk.js")

export interface Account {
  readonly address: string
  readonly sign: SignBytes
}

/** The account of a key, which is that of the public one behind it where there is one. */
const ofBytes = (sdk: Sdk, key: Uint8Array): Effect.Effect<Account, InvalidKey> => {
  const seed = key.slice(0, 32)
  const own = sdk.publicKeyOf(seed)
  return key.subarray(32).every((byte, i) => byte === own[i])
    ? Effect.succeed({ address: sdk.addressOfSeed(seed), sign: sdk.signWith(seed) })
    : invalidKey("its second half is not the public key of its first half")
}

/** The bytes of a key: hexadecimal digits have other lengths than Base64 has. */
const keyOf = (text: string): Uint8Array | undefined => {
  const digits = text.replace(/^0x/, "")
  if (/^([0-9a-f]{64}|[0-9a-f]{128})$/i.test(digits)) return hexToBytes(digits)
  return /^([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==)$/.test(text) ? bytesOfBase64(text) : undefined
}

const ofPrivateKey = (sdk: Sdk, given: string): Effect.Effect<Account, InvalidKey> => {
  const key = keyOf(given.trim())
  return key === undefined
    ? invalidKey("a private key of Algorand is 32 or 64 bytes, as hexadecimal or Base64")
    : ofBytes(sdk, key)
}

/** Algorand's own words are one key: nothing is derived from them. */
const ofWords = (sdk: Sdk, from: FromMnemonic): Effect.Effect<Account, SignerError> =>
  (from.index ?? 0) === 0 && from.path === undefined && from.passphrase === undefined
    ? Effect.flatMap(
        loadPeer("algosdk @scure/bip39", () => import("./words.js")),
        ({ seedOf }) => Effect.flatMap(seedOf(from), (seed) => ofBytes(sdk, seed))
      )
    : invalidKey("25 words are one key: index, path and passphrase are for mnemonics of BIP-39")

const ofPhrase = (sdk: Sdk, from: FromMnemonic): Effect.Effect<Account, SignerError> =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("../keys/phrase.js"), import("../keys/slip10.js")])),
    ([{ keyOf: phraseKey }, { ed25519 }]) =>
      Effect.flatMap(
        phraseKey(from, { standard: (index) => `m/44'/283'/${index}'/0'/0'` }, ed25519),
        (seed) => ofBytes(sdk, seed)
      )
  )

export const accountOf = (sdk: Sdk, from: AlgorandFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return madeFromNothing
  const given: AlgorandFrom = from
  if ("mnemonic" in given)
    return wordsOf(given.mnemonic).length === 25 ? ofWords(sdk, given) : ofPhrase(sdk, given)
  if ("privateKey" in given) return ofPrivateKey(sdk, reveal(given.privateKey))
  const { address, sign } = given
  if (typeof sign !== "function") return invalidKey("must have mnemonic, privateKey, or sign with address")
  const problem = addressProblem(address)
  return problem === undefined ? Effect.succeed({ address, sign }) : invalidKey(`its address ${problem}`)
}
