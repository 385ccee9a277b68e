/** What signers of the XRP Ledger need of its libraries: loaded with the first of them. Keys stay in the closures of accounts. */
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha512 } from "@noble/hashes/sha2.js"
import { decode, encode, encodeForMultisigning } from "ripple-binary-codec"
import { deriveAddress, deriveKeypair, sign, verify } from "ripple-keypairs"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { isRecord } from "../../data/untrusted.js"
import type { SignBytes } from "../accountKey.js"
import { toLowS } from "../keys/lowS.js"
import type { PolicyRequest, Signed } from "../Signer.js"
import { fromPaymentJson, toTransactionJson } from "./paymentJson.js"
import type { XrpTransaction } from "./Types.js"

export { secp256k1Library } from "../keys/secp256k1.js"

/** What holds the key of an address, and signs bytes as the ledger verifies them. All are hexadecimal digits in upper case. */
export interface Account {
  readonly address: string
  /** The address that its key has, which is another one where it is the regular key of the account. */
  readonly key: string
  readonly publicKey: string
  readonly sign: (message: string, request?: PolicyRequest) => Promise<string>
}

/** A payment that has all that is signed. From a ticket, its sequence is 0. */
export type CompleteTransaction = XrpTransaction & { readonly sequence: number; readonly lastLedger: number }

const toUpperHex = (bytes: Uint8Array): string => bytesToHex(bytes).toUpperCase()

/** The hash of the ledger: the first half of SHA-512. */
const sha512Half = (bytes: Uint8Array): Uint8Array => sha512(bytes).slice(0, 32)

const accountFromKeyPair = (publicKey: string, privateKey: string): Account => {
  const address = deriveAddress(publicKey)
  return { address, key: address, publicKey, sign: async (message) => sign(message, privateKey) }
}

/** The account of a private key on secp256k1. Throws unless it is one. */
export const accountFromSecp256k1Key = (key: Uint8Array): Account =>
  accountFromKeyPair(toUpperHex(secp256k1.getPublicKey(key, true)), `00${toUpperHex(key)}`)

/** The account of a private key on ed25519. */
export const accountFromEd25519Key = (key: Uint8Array): Account =>
  accountFromKeyPair(`ED${toUpperHex(ed25519.getPublicKey(key))}`, `ED${toUpperHex(key)}`)

/** The account of a family seed, of either curve. Throws if it is none. */
export const accountFromSeed = (seed: string): Account => {
  const { privateKey, publicKey } = deriveKeypair(seed)
  return accountFromKeyPair(publicKey, privateKey)
}

/** A signature on secp256k1 as the ledger has it, in DER. */
const toDer = (given: Uint8Array): string =>
  toUpperHex(secp256k1.Signature.fromBytes(toLowS(Uint8Array.from(given).slice(0, 64))).toBytes("der"))

/** The account of a public key that a function signs with. Throws unless it is one; no signature is believed. */
export const accountFromSignFunction = (publicKey: string, signs: SignBytes): Account => {
  const address = deriveAddress(publicKey)
  const isEdwards = publicKey.startsWith("ED")
  if (!isEdwards) secp256k1.Point.fromBytes(hexToBytes(publicKey))
  return {
    address,
    key: address,
    publicKey,
    sign: async (message, request) => {
      const bytes = hexToBytes(message)
      const given = await signs(isEdwards ? bytes : sha512Half(bytes), request)
      const signature = isEdwards ? toUpperHex(Uint8Array.from(given)) : toDer(given)
      if (!verify(message, signature, publicKey)) throw new Error(`the signature is not that of ${address}`)
      return signature
    }
  }
}

/** JSON that is the same for the same fields, whatever their order. Amounts have one form here and in the library. */
const stringifySorted = (json: unknown): string =>
  JSON.stringify(json, (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort()) : value
  )

/** A payment as bytes, which are read back: they say what it says, and nothing else. */
const encodeVerified = (json: Readonly<Record<string, unknown>>): string => {
  const bytes = encode(json)
  if (stringifySorted(decode(bytes)) !== stringifySorted(json))
    throw new Error("its bytes say something else")
  return bytes
}

/** The hash of bytes behind four that say what they are. */
const hashBehind = (prefix: string, raw: string): string =>
  toUpperHex(sha512Half(hexToBytes(`${prefix}${raw}`)))

/** A transaction for a key: "" if members sign it, and it has none of its own. */
const toSignedJson = (transaction: CompleteTransaction, networkId: number, publicKey: string) => ({
  ...toTransactionJson(transaction, networkId),
  Sequence: transaction.sequence,
  LastLedgerSequence: transaction.lastLedger,
  SigningPubKey: publicKey
})

/** Signs a payment. What is signed, and what is hashed, stands behind four bytes that say what it is. */
export const signTransaction = async (
  account: Account,
  transaction: CompleteTransaction,
  networkId: number
): Promise<Signed> => {
  const json = toSignedJson(transaction, networkId, account.publicKey)
  const raw = encodeVerified({ ...json, TxnSignature: await account.sign(`53545800${encodeVerified(json)}`) })
  return { raw, hash: hashBehind("54584E00", raw) }
}

const requireComplete = (transaction: XrpTransaction): CompleteTransaction => {
  const { lastLedger, sequence } = transaction
  if (sequence === undefined || lastLedger === undefined)
    throw new Error("it has no number and no last ledger yet, which its members sign too")
  return { ...transaction, sequence, lastLedger }
}

/** The bytes of a payment before its members have signed it. */
export const encodePayload = (transaction: XrpTransaction, networkId: number): string =>
  encodeVerified(toSignedJson(requireComplete(transaction), networkId, ""))

/** Reads them. Throws unless they are a payment and nothing else. */
export const decodePayload = (payload: string, networkId: number): CompleteTransaction => {
  const transaction = requireComplete(fromPaymentJson(decode(payload)))
  if (encodePayload(transaction, networkId) !== payload)
    throw new Error("it is another transaction than a payment, or has more than one has")
  return transaction
}

/** The bytes of a transaction of the ledger, as a payload has them: without its signatures. */
export const payloadOf = ({ Signers: _, ...json }: Readonly<Record<string, unknown>>): string => encode(json)

/** What identifies a payload: its hash behind the four bytes of a transaction that is signed. */
export const hashPayload = (payload: string): string => hashBehind("53545800", payload)

/** A member's signature of a payment. */
export interface MemberSignature {
  readonly member: string
  readonly publicKey: string
  readonly signature: string
}

/** Signs a payment of an account as one of its members: behind the bytes stands the member's own address. */
export const cosignTransaction = async (
  account: Account,
  transaction: XrpTransaction,
  networkId: number
): Promise<Omit<MemberSignature, "member">> => {
  if (account.key !== account.address)
    throw new Error(`it is the regular key of ${account.address}: members sign with their own key here`)
  const json = toSignedJson(requireComplete(transaction), networkId, "")
  encodeVerified(json)
  return {
    publicKey: account.publicKey,
    signature: await account.sign(encodeForMultisigning(json, account.address))
  }
}

/** Whether a signature of a payment is a member's, with the key that its address is made of. */
export const isMemberSignature = (
  transaction: XrpTransaction,
  networkId: number,
  { member, publicKey, signature }: MemberSignature
): boolean => {
  const json = toSignedJson(requireComplete(transaction), networkId, "")
  try {
    return (
      deriveAddress(publicKey) === member && verify(encodeForMultisigning(json, member), signature, publicKey)
    )
  } catch {
    // it has not even the form of one
    return false
  }
}

/** The bytes of a payment with the signatures of its members, in the order of their account ids, and its hash. */
export const joinSignatures = (
  transaction: XrpTransaction,
  networkId: number,
  signatures: ReadonlyArray<MemberSignature>
): Signed => {
  const signers = signatures
    .map(({ member, publicKey, signature }) => ({
      Signer: { Account: member, SigningPubKey: publicKey, TxnSignature: signature }
    }))
    .sort((one, other) => (accountIdOf(one.Signer.Account) < accountIdOf(other.Signer.Account) ? -1 : 1))
  const raw = encodeVerified({
    ...toSignedJson(requireComplete(transaction), networkId, ""),
    Signers: signers
  })
  return { raw, hash: hashBehind("54584E00", raw) }
}

/** The account id of an address as hexadecimal digits: what stands behind the bytes that a member signs. */
const accountIdOf = (address: string): string =>
  encodeForMultisigning({ TransactionType: "Payment", SigningPubKey: "" }, address).slice(-40)

/** Signs a message: text, or bytes. What the ledger signs itself begins with three letters and a zero, and is none. */
export const signMessage = (account: Account, message: string | Uint8Array): Promise<string> => {
  const bytes = typeof message === "string" ? new TextEncoder().encode(message) : Uint8Array.from(message)
  const hex = toUpperHex(bytes)
  if (/^([4-5][0-9A-F]){3}00/.test(hex))
    throw new Error(
      "the message begins as a transaction or a claim does, which its signature could be used for"
    )
  return account.sign(hex)
}
