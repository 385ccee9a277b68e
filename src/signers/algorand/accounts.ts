/** What holds the key of an account of Algorand: a key of ours, or someone who signs. */
import * as Effect from "effect/Effect"
import { bytesOfBase64 } from "../../data/base64.js"
import { hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { InvalidKey } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { ed25519Library, ignoreRequest, makeAccountKey, type SignBytes } from "../accountKey.js"
import { splitWords } from "../mnemonic.js"
import type { FromAccount, FromMnemonic, SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal } from "../signerChecks.js"
import { addressProblem, encodeAddress } from "./address.js"
import type { AlgorandFrom } from "./Types.js"

export type SdkModule = typeof import("./sdk.js")

export interface Account {
  readonly address: string
  readonly sign: SignBytes
}

/** Makes the account of a private key. If the public key follows it, it must be the private key's own. */
const accountFromBytes = (sdk: SdkModule, key: Uint8Array): Effect.Effect<Account, InvalidKey> => {
  const seed = key.slice(0, 32)
  const own = sdk.publicKeyFromSeed(seed)
  return key.subarray(32).every((byte, i) => byte === own[i])
    ? Effect.succeed({ address: sdk.addressFromSeed(seed), sign: sdk.makeSignBytes(seed) })
    : invalidKey("its second half is not the public key of its first half")
}

/** The bytes of a key: hexadecimal digits have other lengths than Base64 has. */
const parseKey = (text: string): Uint8Array | undefined => {
  const digits = text.replace(/^0x/, "")
  if (/^([0-9a-f]{64}|[0-9a-f]{128})$/i.test(digits)) return hexToBytes(digits)
  return /^([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==)$/.test(text) ? bytesOfBase64(text) : undefined
}

const accountFromPrivateKey = (sdk: SdkModule, given: string): Effect.Effect<Account, InvalidKey> => {
  const key = parseKey(given.trim())
  return key === undefined
    ? invalidKey("a private key of Algorand is 32 or 64 bytes, as hexadecimal or Base64")
    : accountFromBytes(sdk, key)
}

/** Algorand's own mnemonics are one key: nothing is derived from them. */
const accountFromAlgorandWords = (sdk: SdkModule, from: FromMnemonic): Effect.Effect<Account, SignerError> =>
  (from.index ?? 0) === 0 && from.path === undefined && from.passphrase === undefined
    ? Effect.flatMap(
        loadPeer("algosdk @scure/bip39", () => import("./words.js")),
        ({ seedFromWords }) => Effect.flatMap(seedFromWords(from), (seed) => accountFromBytes(sdk, seed))
      )
    : invalidKey("25 words are one key: index, path and passphrase are for mnemonics of BIP-39")

const accountFromBip39 = (sdk: SdkModule, from: FromMnemonic): Effect.Effect<Account, SignerError> =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("../keys/bip39.js"), import("../keys/slip10.js")])),
    ([{ deriveKey: phraseKey }, { deriveEd25519 }]) =>
      Effect.flatMap(
        phraseKey(from, { standard: (index) => `m/44'/283'/${index}'/0'/0'` }, deriveEd25519),
        (seed) => accountFromBytes(sdk, seed)
      )
  )

/** Beside a key, `account` is the address of an account that was rekeyed to it. */
const isExternal = (from: AlgorandFrom): from is Extract<AlgorandFrom, FromAccount> =>
  "account" in from && !["mnemonic", "privateKey", "sign"].some((name) => name in from)

/** Whose key it is. */
const makeKeyAccount = (sdk: SdkModule, given: AlgorandFrom): Effect.Effect<Account, SignerError> => {
  if ("mnemonic" in given)
    return splitWords(given.mnemonic).length === 25
      ? accountFromAlgorandWords(sdk, given)
      : accountFromBip39(sdk, given)
  if ("privateKey" in given) return accountFromPrivateKey(sdk, reveal(given.privateKey))
  if (isExternal(given))
    return Effect.map(makeAccountKey(given.account, { ed25519: ed25519Library }), ({ publicKey, sign }) => ({
      address: encodeAddress(publicKey),
      sign
    }))
  const { address, sign } = given
  if (typeof sign !== "function")
    return invalidKey("must have mnemonic, privateKey, account, or sign with address")
  const problem = addressProblem(address)
  return problem === undefined
    ? Effect.succeed({ address, sign: ignoreRequest(sign) })
    : invalidKey(`its address ${problem}`)
}

/** The account of a key, or one that was rekeyed to it. */
export const makeAccount = (
  sdk: SdkModule,
  from: AlgorandFrom
): Effect.Effect<Account & { readonly payer: string }, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  const payer = isExternal(from) ? from.address : from.account
  const problem = payer === undefined ? undefined : addressProblem(payer)
  return problem === undefined
    ? Effect.map(makeKeyAccount(sdk, from), (own) => ({ ...own, payer: payer ?? own.address }))
    : invalidKey(`its account ${problem}`)
}
