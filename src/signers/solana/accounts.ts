/** What holds the key of an account of Solana: a key of ours, a signer of kit, or a function that signs. */
import * as Effect from "effect/Effect"
import { decodeBase58, encodeBase58 } from "../../chains/internal/base58.js"
import { loadPeer } from "../../data/loadOnce.js"
import { type InvalidKey, reasonOf, SigningFailed } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { ed25519Library, ignoreRequest, makeAccountKey, type SignBytes } from "../accountKey.js"
import type { FromMnemonic, PolicyRequest, SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal } from "../signerChecks.js"
import { addressProblem, decodeAddress } from "./address.js"
import type { SignableTransaction } from "./kit.js"
import type { KitSigner, SolanaFrom } from "./Types.js"

/** What holds the key. The signatures of both are verified. */
export interface Account {
  readonly address: string
  readonly signTransaction: (transaction: SignableTransaction, request?: PolicyRequest) => Promise<Uint8Array>
  readonly signMessage: (bytes: Uint8Array, request?: PolicyRequest) => Promise<Uint8Array>
}

export type KitModule = typeof import("./kit.js")

/** Makes an account that signs bytes. It gets a copy of the bytes, so that it cannot change what is sent. */
const accountFromSignFunction = (kit: KitModule, address: string, sign: SignBytes): Account => {
  const signed = async (bytes: Uint8Array, request?: PolicyRequest) =>
    kit.toVerifiedSignature(address, bytes, await sign(bytes.slice(), request))
  return {
    address,
    signTransaction: ({ messageBytes }, request) => signed(Uint8Array.from(messageBytes), request),
    signMessage: signed
  }
}

/** Makes the account of a private key. If the public key follows it, it must be the private key's own. */
const accountFromBytes = (
  kit: KitModule,
  key: Uint8Array
): Effect.Effect<Account, InvalidKey | SigningFailed> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => kit.keyPairFromPrivateKey(key.slice(0, 32)),
      // the library's message is about WebCrypto, which has Ed25519 only in secure contexts of newer browsers
      catch: (error) => new SigningFailed({ reason: reasonOf(error) })
    }),
    ({ address, sign }) => {
      const own = decodeBase58(address)
      return key.subarray(32).every((byte, i) => byte === own[i])
        ? Effect.succeed(accountFromSignFunction(kit, address, sign))
        : invalidKey("its second half is not the public key of its first half")
    }
  )

/** Parses a JSON list of numbers. Errors do not repeat the text, since it is a key. */
const parseByteList = (text: string): Uint8Array | undefined => {
  try {
    const list: ReadonlyArray<unknown> = JSON.parse(text)
    const bytes = Uint8Array.from(list, Number)
    return bytes.every((byte, i) => byte === list[i]) ? bytes : undefined
  } catch {
    return undefined
  }
}

const accountFromPrivateKey = (
  kit: KitModule,
  given: string
): Effect.Effect<Account, InvalidKey | SigningFailed> => {
  const text = given.trim()
  const isList = text.startsWith("[")
  const key = isList ? parseByteList(text) : decodeAddress(text)
  return key !== undefined && (key.length === 64 || (key.length === 32 && !isList))
    ? accountFromBytes(kit, key)
    : invalidKey("a private key of Solana is Base58 of 64 or 32 bytes, or a list of 64 numbers in JSON")
}

const accountFromMnemonic = (kit: KitModule, from: FromMnemonic): Effect.Effect<Account, SignerError> =>
  Effect.flatMap(
    loadPeer("@solana/kit @scure/bip39", () =>
      Promise.all([import("../keys/bip39.js"), import("../keys/slip10.js")])
    ),
    ([{ deriveKey }, { deriveEd25519 }]) =>
      Effect.flatMap(
        deriveKey(
          from,
          {
            standard: (index) => `m/44'/501'/${index}'/0'`,
            tatum: (index) => `m/44'/501'/0'/0'/${index}'`
          },
          deriveEd25519
        ),
        (key) => accountFromBytes(kit, key)
      )
  )

/** What a signer of kit yields for one input: signatures by address, or a transaction with them. */
const findSignature = (address: string, answer: unknown): unknown => {
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined
  const signatures = isRecord(first) && isRecord(first.signatures) ? first.signatures : first
  return isRecord(signatures) ? signatures[address] : undefined
}

const accountFromKit = (kit: KitModule, given: KitSigner): Account => {
  const { address } = given
  // kit types the inputs with its own types, which are not named in ours
  const signer = given as unknown as {
    readonly [K in keyof KitSigner]: (inputs: ReadonlyArray<object>) => Promise<unknown>
  }
  return {
    address,
    signTransaction: async (transaction) => {
      const bytes = Uint8Array.from(transaction.messageBytes)
      const answer = await (signer.signTransactions === undefined
        ? signer.modifyAndSignTransactions?.([transaction])
        : signer.signTransactions([transaction]))
      return kit.toVerifiedSignature(address, bytes, findSignature(address, answer))
    },
    signMessage: async (content) => {
      if (signer.signMessages === undefined) throw new Error("this signer of kit signs no messages")
      const answer = await signer.signMessages([{ content: content.slice(), signatures: {} }])
      return kit.toVerifiedSignature(address, content, findSignature(address, answer))
    }
  }
}

const isKitSigner = (signer: unknown): signer is KitSigner =>
  isRecord(signer) &&
  (typeof signer.signTransactions === "function" || typeof signer.modifyAndSignTransactions === "function")

const withValidAddress = (address: string, account: () => Account): Effect.Effect<Account, InvalidKey> => {
  const problem = addressProblem(address)
  return problem === undefined ? Effect.sync(account) : invalidKey(`its address ${problem}`)
}

export const makeAccount = (kit: KitModule, from: SolanaFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  const given: SolanaFrom = from
  if ("mnemonic" in given) return accountFromMnemonic(kit, given)
  if ("privateKey" in given) return accountFromPrivateKey(kit, reveal(given.privateKey))
  if ("kit" in given)
    return isKitSigner(given.kit)
      ? withValidAddress(given.kit.address, () => accountFromKit(kit, given.kit))
      : invalidKey("a signer of kit has signTransactions; one that sends what it signs cannot be used")
  if ("account" in given)
    return Effect.map(makeAccountKey(given.account, { ed25519: ed25519Library }), ({ publicKey, sign }) =>
      accountFromSignFunction(kit, encodeBase58(publicKey), sign)
    )
  if (typeof given.sign === "function")
    return withValidAddress(given.address, () =>
      accountFromSignFunction(kit, given.address, ignoreRequest(given.sign))
    )
  return invalidKey("must have mnemonic, privateKey, account, kit, or sign with address")
}
