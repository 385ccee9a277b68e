/**
 * Payments of accounts of Cosmos with several keys: the document that members sign (amino JSON), the address that their keys make, and the
 * transaction with their signatures. Loaded with the first of them.
 */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx"
import { LegacyAminoPubKey } from "cosmjs-types/cosmos/crypto/multisig/keys"
import { CompactBitArray, MultiSignature } from "cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig"
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys"
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing"
import { ModeInfo } from "cosmjs-types/cosmos/tx/v1beta1/tx"
import { bytesOfBase64 } from "../../data/base64.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { isRecord } from "../../data/untrusted.js"
import type { Signed } from "../Signer.js"
import { encodeBech32 } from "./address.js"
import type { Chain } from "./networks.js"
import type { TrialTerms } from "./payments.js"
import {
  attachSignature,
  type CompleteTransaction,
  encodeParts,
  encodePayment,
  type Message,
  type SigningKey,
  toMessageOfKey
} from "./protobuf.js"
import type { CosmosTransaction } from "./Types.js"

/** The keys of an account (compressed, as hexadecimal) in their order, and how many of them have to sign. */
export interface Multisig {
  readonly keys: ReadonlyArray<string>
  readonly threshold: number
}

/** The most keys whose number has one byte. Chains take fewer: a trial tells. */
const MAX_KEYS = 127

/** What amino writes before keys of several members, and before a key of secp256k1 with its 33 bytes. */
const MULTISIG_PREFIX = [0x22, 0xc1, 0xf7, 0xe2]
const KEY_PREFIX = [0xeb, 0x5a, 0xe9, 0x87, 33]

/** A public key as hexadecimal; it is given so, or as Base64. Throws if it is none. */
export const parseKey = (text: string): string => {
  const digits = text.replace(/^0x/, "").toLowerCase()
  const key = /^[0-9a-f]{66}$/.test(digits) ? hexToBytes(digits) : readBase64(text)
  if (!secp256k1.utils.isValidPublicKey(key, true))
    throw new Error(`members: ${text} is no compressed public key of secp256k1, as hexadecimal or Base64`)
  return bytesToHex(key)
}

const readBase64 = (text: string): Uint8Array => {
  try {
    return bytesOfBase64(text)
  } catch {
    return new Uint8Array()
  }
}

/** The address of an account with several keys: of the SHA-256 of their amino encoding. Throws if there is none. */
export const multisigAddressOf = ({ keys, threshold }: Multisig, { prefix }: Chain): string => {
  if (!Number.isSafeInteger(threshold) || threshold < 1 || threshold > keys.length)
    throw new Error(`threshold: it must be a whole number from 1 to that of the members, ${keys.length}`)
  if (keys.length > MAX_KEYS || new Set(keys).size < keys.length)
    throw new Error(`members: they must be at most ${MAX_KEYS}, each another one`)
  const encoded = keys.flatMap((key) => [0x12, KEY_PREFIX.length + 33, ...KEY_PREFIX, ...hexToBytes(key)])
  const hash = sha256(Uint8Array.from([...MULTISIG_PREFIX, 0x08, threshold, ...encoded]))
  return encodeBech32(prefix, hash.slice(0, 20))
}

/** Keys in the order of their addresses, in which most programs make accounts of them. */
const sortByAddress = (keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const hexOf = (key: string): string => bytesToHex(ripemd160(sha256(hexToBytes(key))))
  return [...keys].sort((one, other) => (hexOf(one) < hexOf(other) ? -1 : 1))
}

/** The keys in the order that makes an address: as given, or sorted. Throws if neither does. */
export const orderKeys = (account: string, { keys: given, threshold }: Multisig, chain: Chain): Multisig => {
  const keys = given.map(parseKey)
  const found = [keys, sortByAddress(keys)].find(
    (each) => multisigAddressOf({ keys: each, threshold }, chain) === account
  )
  if (found !== undefined) return { keys: found, threshold }
  const made = multisigAddressOf({ keys, threshold }, chain)
  throw new Error(
    `members: ${threshold} of these ${keys.length} make the address ${made}, and sorted another one, but not ${account}`
  )
}

/** The keys that the chain shows of an account, after its first payment; undefined if it shows none. Throws if they are of another kind. */
export const readShownKeys = (shown: unknown): Multisig | undefined => {
  if (!isRecord(shown)) return undefined
  const { "@type": type, public_keys: keys, threshold } = shown
  if (type !== LegacyAminoPubKey.typeUrl || !Array.isArray(keys) || typeof threshold !== "number")
    throw new Error("it has one key, and not several")
  return {
    threshold,
    keys: keys.map((each: unknown) => {
      if (!isRecord(each) || each["@type"] !== PubKey.typeUrl || typeof each.key !== "string")
        throw new Error("a member of it has another key than one of secp256k1")
      return parseKey(each.key)
    })
  }
}

const toCoins = (denom: string, amount: bigint) => (amount === 0n ? [] : [{ amount: String(amount), denom }])

/** Characters that nodes write otherwise into JSON than this package does. */
const isWrittenOtherwise = (text: string): boolean =>
  Array.from(text).some((character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x20 || code === 0x2028 || code === 0x2029 || (code >= 0xd800 && code <= 0xdfff)
  })

const requireComplete = (transaction: CosmosTransaction): CompleteTransaction => {
  const { accountNumber, feeGranter, grant, onBehalfOf, sequence, staking, timeoutHeight } = transaction
  if ([feeGranter, grant, onBehalfOf, staking].some((each) => each !== undefined))
    throw new Error("it is another transaction than a payment")
  if (accountNumber === undefined || sequence === undefined || timeoutHeight === undefined)
    throw new Error("it has no number, sequence and last height yet, which its members sign too")
  return { ...transaction, accountNumber, sequence, timeoutHeight }
}

/** What members sign: the payment as JSON whose fields are sorted (`SIGN_MODE_LEGACY_AMINO_JSON`). Throws if it is none. */
export const encodeDocument = (transaction: CosmosTransaction, { chainId, denom: coin }: Chain): string => {
  const {
    accountNumber,
    amount,
    denom,
    fee,
    from,
    gas,
    memo = "",
    sequence,
    timeoutHeight,
    to
  } = requireComplete(transaction)
  if (isWrittenOtherwise(memo)) throw new Error("memo: it must be one line without control characters")
  // the fields in the order of their names
  const document = {
    account_number: String(accountNumber),
    chain_id: chainId,
    fee: { amount: toCoins(coin, fee), gas: String(gas) },
    memo,
    msgs: [
      {
        type: "cosmos-sdk/MsgSend",
        value: { amount: toCoins(denom, amount), from_address: from, to_address: to }
      }
    ],
    sequence: String(sequence),
    timeout_height: String(timeoutHeight)
  }
  // as nodes write these in JSON
  return JSON.stringify(document)
    .replaceAll("&", "\\u0026")
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
}

export const documentBytesOf = (transaction: CosmosTransaction, chain: Chain): Uint8Array =>
  new TextEncoder().encode(encodeDocument(transaction, chain))

export const hashDocument = (document: Uint8Array): Uint8Array => sha256(document)

/** The id of a payment: the hash that members sign. That of the transaction is another one for each choice of signatures. */
export const idOf = (transaction: CosmosTransaction, chain: Chain): string =>
  bytesToHex(hashDocument(documentBytesOf(transaction, chain))).toUpperCase()

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
const firstOf = (value: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(value) ? recordOf(value[0]) : {}
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const numberOf = (value: unknown): bigint => {
  if (typeof value !== "string" || !/^\d{1,40}$/.test(value)) throw new Error("a number of it is none")
  return BigInt(value)
}

/** What a payment says in a document and in the answers of nodes. */
interface Told {
  readonly message: Readonly<Record<string, unknown>>
  readonly fees: unknown
  readonly gas: unknown
  readonly memo: unknown
  readonly accountNumber: unknown
  readonly sequence: unknown
  readonly timeoutHeight: unknown
}

/** A payment as its parts tell it. What a payment does not have is left out. Throws if its numbers are none. */
const readPayment = ({ fees, gas, memo, message, ...numbers }: Told): CompleteTransaction => ({
  from: textOf(message.from_address),
  to: textOf(message.to_address),
  denom: textOf(firstOf(message.amount).denom),
  amount: numberOf(firstOf(message.amount).amount),
  fee: numberOf(firstOf(fees).amount ?? "0"),
  gas: numberOf(gas),
  ...(textOf(memo) === "" ? {} : { memo: textOf(memo) }),
  accountNumber: numberOf(numbers.accountNumber),
  sequence: numberOf(numbers.sequence),
  timeoutHeight: numberOf(numbers.timeoutHeight)
})

/** Reads what members sign. Throws unless it is a payment on the chain and nothing else. */
export const decodeDocument = (payload: string, chain: Chain): CompleteTransaction => {
  const document = recordOf(JSON.parse(payload))
  const { amount: fees, gas } = recordOf(document.fee)
  const transaction = readPayment({
    ...{ fees, gas, memo: document.memo },
    message: recordOf(firstOf(document.msgs).value),
    accountNumber: document.account_number,
    sequence: document.sequence,
    timeoutHeight: document.timeout_height
  })
  if (transaction.amount === 0n || encodeDocument(transaction, chain) !== payload)
    throw new Error(`it is another transaction than a payment on ${chain.chainId}, or has more than one has`)
  return transaction
}

const hasOne = (list: unknown): boolean => Array.isArray(list) && list.length === 1

/** Whether a transaction, as nodes tell it, is a payment, whoever has signed it. */
export const isPayment = (tx: unknown, transaction: CompleteTransaction, chain: Chain): boolean => {
  const { auth_info, body } = recordOf(tx)
  const { fee, signer_infos: signers } = recordOf(auth_info)
  const { memo, messages, timeout_height: timeoutHeight } = recordOf(body)
  const { amount: fees, gas_limit: gas } = recordOf(fee)
  const message = firstOf(messages)
  if (message["@type"] !== MsgSend.typeUrl || ![messages, message.amount, signers].every(hasOne)) return false
  const { accountNumber } = transaction
  try {
    const { sequence } = firstOf(signers)
    const found = readPayment({
      ...{ message, fees, gas, memo, sequence, timeoutHeight },
      accountNumber: String(accountNumber)
    })
    return encodeDocument(found, chain) === encodeDocument(transaction, chain)
  } catch {
    return false
  }
}

/** The signature of a member: 64 bytes as Base64, with the lower `s` that the chain requires. */
export const isMemberSignature = (
  transaction: CompleteTransaction,
  chain: Chain,
  { member, signature }: { readonly member: string; readonly signature: string }
): boolean => {
  const hash = hashDocument(documentBytesOf(transaction, chain))
  try {
    const [bytes, key] = [bytesOfBase64(signature), hexToBytes(member)]
    return secp256k1.verify(bytes, hash, key, { prehash: false, lowS: true })
  } catch {
    // it has not even the form of one
    return false
  }
}

/** Which keys have signed, one bit each from the highest on. */
const toBitArray = (bits: ReadonlyArray<boolean>) => {
  const elems = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [i, isSet] of bits.entries()) if (isSet) elems[i >> 3] = (elems[i >> 3] ?? 0) | (0x80 >> (i & 7))
  return CompactBitArray.fromPartial({ extraBitsStored: bits.length % 8, elems })
}

/** The keys of an account, and the signatures by the keys that have signed. */
interface SignedMultisig extends Multisig {
  readonly signatures: ReadonlyMap<string, Uint8Array>
}

/** How an account of several keys signs: which of them do. */
const toSigningKey = ({ keys, signatures, threshold }: SignedMultisig): SigningKey => ({
  publicKey: {
    typeUrl: LegacyAminoPubKey.typeUrl,
    value: LegacyAminoPubKey.encode({
      threshold,
      publicKeys: keys.map((key) => toMessageOfKey(hexToBytes(key)))
    }).finish()
  },
  modeInfo: ModeInfo.fromPartial({
    multi: {
      bitarray: toBitArray(keys.map((key) => signatures.has(key))),
      modeInfos: [...signatures.keys()].map(() => ({
        single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON }
      }))
    }
  })
})

/** A transaction with the signatures of members, in the order of their keys. */
const encodeMultisigned = (
  message: Message,
  terms: TrialTerms,
  multisig: SignedMultisig,
  chain: Chain
): Signed => {
  const signatures = multisig.keys.flatMap((key) => multisig.signatures.get(key) ?? [])
  return attachSignature(
    encodeParts(message, terms, toSigningKey(multisig), chain),
    MultiSignature.encode({ signatures }).finish()
  )
}

/** A transaction with as many signatures as it takes, of zeros, which nodes do not look at in a trial. */
export const encodeTrial = (
  message: Message,
  terms: TrialTerms,
  multisig: Multisig,
  chain: Chain
): string => {
  const signing = multisig.keys.slice(0, multisig.threshold)
  const signatures = new Map(signing.map((key) => [key, new Uint8Array(64)]))
  return encodeMultisigned(message, terms, { ...multisig, signatures }, chain).raw
}

/** A payment with the signatures of its members, as nodes take it (Base64), and its hash. */
export const joinSignatures = (
  transaction: CompleteTransaction,
  chain: Chain,
  multisig: Multisig,
  given: ReadonlyArray<{ readonly member: string; readonly signature: string }>
): Signed => {
  const signatures = new Map(given.map(({ member, signature }) => [member, bytesOfBase64(signature)]))
  return encodeMultisigned(encodePayment(transaction), transaction, { ...multisig, signatures }, chain)
}
