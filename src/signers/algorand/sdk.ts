/** What signers of Algorand need of algosdk and `@noble/curves`: loaded with the first of them. Keys stay in the closures of accounts. */
import { ed25519 } from "@noble/curves/ed25519.js"
import {
  appendSignRawMultisigSignature,
  createMultisigTransaction,
  decodeUnsignedTransaction,
  encodeUnsignedTransaction,
  makeAssetTransferTxnWithSuggestedParamsFromObject,
  makeKeyRegistrationTxnWithSuggestedParamsFromObject,
  makePaymentTxnWithSuggestedParamsFromObject,
  multisigAddress,
  type Transaction
} from "algosdk"
import { base64Of, bytesOfBase64 } from "../../data/base64.js"
import type { SignBytes } from "../accountKey.js"
import type { Cosignature, Signed } from "../Signer.js"
import { decodeAddress, encodeAddress } from "./address.js"
import type { Genesis } from "./networks.js"
import type { AlgorandTransaction } from "./Types.js"

/** Signs bytes: 64 bytes (Ed25519). */
/** A payment with the rounds that can have it, and its lease. */
export type DatedTransaction = AlgorandTransaction &
  Required<Pick<AlgorandTransaction, "firstValid" | "lastValid" | "lease">>

export const publicKeyFromSeed = (seed: Uint8Array): Uint8Array => ed25519.getPublicKey(seed)

export const addressFromSeed = (seed: Uint8Array): string => encodeAddress(publicKeyFromSeed(seed))

export const makeSignBytes =
  (seed: Uint8Array): SignBytes =>
  (bytes) =>
    ed25519.sign(bytes, seed)

/** Checks the signature of an address over bytes. Throws if it is invalid. */
export const signVerified = async (
  bytes: Uint8Array,
  sign: SignBytes,
  address: string
): Promise<Uint8Array> => {
  // a copy, so that the key's holder cannot change what is sent
  const signature = Uint8Array.from(await sign(bytes.slice()))
  if (!ed25519.verify(signature, bytes, decodeAddress(address), { zip215: false }))
    throw new Error(`the signature is not that of ${address}`)
  return signature
}

/** The keys that an account votes with from then on: none for one that goes offline. Throws on other actions. */
const readKeys = ({ action, participation }: NonNullable<AlgorandTransaction["staking"]>) => {
  if (action === "go_offline" && participation === undefined) return {}
  if (action !== "go_online" || participation === undefined)
    throw new Error("staking.action must be go_online, with participation, or go_offline")
  const { selectionKey, stateProofKey, voteKey, ...rounds } = participation
  return {
    ...rounds,
    voteKey: bytesOfBase64(voteKey),
    selectionKey: bytesOfBase64(selectionKey),
    stateProofKey: bytesOfBase64(stateProofKey)
  }
}

/** Builds a transaction with these fields and no others. Throws on invalid addresses. */
export const buildTransaction = (transaction: DatedTransaction, genesis: Genesis): Transaction => {
  const { amount, fee, firstValid, from, lastValid, lease: given, memo, staking, to, token } = transaction
  if (transaction.sponsored !== undefined)
    throw new Error(
      "another account pays its fee: cosignFee signs for that account, and submitSponsored sends it"
    )
  const common = {
    sender: from,
    receiver: to,
    amount,
    lease: bytesOfBase64(given),
    note: new TextEncoder().encode(memo),
    suggestedParams: {
      fee,
      minFee: fee,
      flatFee: true,
      firstValid,
      lastValid,
      genesisID: genesis.id,
      genesisHash: bytesOfBase64(genesis.hash)
    }
  }
  if (staking !== undefined) {
    const { lease, note, sender, suggestedParams } = common
    return makeKeyRegistrationTxnWithSuggestedParamsFromObject({
      ...{ lease, note, sender, suggestedParams },
      ...readKeys(staking)
    })
  }
  return token === undefined
    ? makePaymentTxnWithSuggestedParamsFromObject(common)
    : makeAssetTransferTxnWithSuggestedParamsFromObject({ ...common, assetIndex: BigInt(token) })
}

/** What a signature and its frame add to a transaction. */
const SIGNATURE_BYTES = 75

/** The same where another key than the sender's signs: its address stands beside. */
export const REKEYED_SIGNATURE_BYTES = 114n

/** The bytes of a transaction, signed. */
export const signedSizeOf = (transaction: Transaction, signatureBytes = BigInt(SIGNATURE_BYTES)): bigint =>
  BigInt(transaction.toByte().length) + signatureBytes

/** A transaction as nodes take it (Base64), and its id. */
export const attachSignature = (
  transaction: Transaction,
  address: string,
  signature: Uint8Array
): Signed => ({
  raw: base64Of(transaction.attachSignature(address, signature)),
  hash: transaction.txID()
})

/** The members of an account, in their order, and how many of them have to sign. */
export interface Multisig {
  readonly addrs: Array<string>
  readonly threshold: number
}

/** The address of an account with several members: the hash of their keys and their number. Throws if there is none. */
export const multisigAddressOf = ({ addrs, threshold }: Multisig): string =>
  multisigAddress({ version: 1, threshold, addrs }).toString()

/** The bytes that the signatures of members and their frame add to a transaction. */
export const multisigBytesOf = ({ addrs }: Multisig): bigint => BigInt(64 + 112 * addrs.length)

/** Throws unless a transaction has the rounds and the lease that several sign. */
export const requireDated = (transaction: AlgorandTransaction): DatedTransaction => {
  const { firstValid, lastValid, lease } = transaction
  if (firstValid === undefined || lastValid === undefined || lease === undefined)
    throw new Error("it has no rounds and no lease yet, which all who sign it sign too")
  return { ...transaction, firstValid, lastValid, lease }
}

/** The bytes of a payment before anybody has signed it (MessagePack in Base64). */
export const encodePayload = (transaction: DatedTransaction, genesis: Genesis): string =>
  base64Of(encodeUnsignedTransaction(buildTransaction(transaction, genesis)))

/** Reads the bytes of a payment. Throws unless they are one and nothing else. */
export const decodePayload = (payload: string, genesis: Genesis): DatedTransaction => {
  const { assetTransfer, fee, firstValid, lastValid, lease, note, payment, sender } =
    decodeUnsignedTransaction(bytesOfBase64(payload))
  const paid = payment ?? assetTransfer
  if (paid === undefined || lease === undefined) throw new Error("it is no payment with a lease")
  const memo = new TextDecoder().decode(note)
  const transaction = {
    from: sender.toString(),
    to: paid.receiver.toString(),
    amount: paid.amount,
    ...(assetTransfer === undefined ? {} : { token: String(assetTransfer.assetIndex) }),
    fee,
    ...(memo === "" ? {} : { memo }),
    firstValid,
    lastValid,
    lease: base64Of(lease)
  }
  if (encodePayload(transaction, genesis) !== payload)
    throw new Error("it is another transaction than a payment, or has more than one has")
  return transaction
}

/** The id of a payment, whoever signs it. */
export const idOf = (transaction: DatedTransaction, genesis: Genesis): string =>
  buildTransaction(transaction, genesis).txID()

/** Signs a payment of an account as one of its members. */
export const cosignTransaction = async (
  transaction: AlgorandTransaction,
  genesis: Genesis,
  sign: SignBytes,
  address: string
): Promise<Cosignature> => {
  const bytes = buildTransaction(requireDated(transaction), genesis).bytesToSign()
  return { signature: base64Of(await signVerified(bytes, sign, address)) }
}

/** Whether a signature of a payment is a member's. */
export const isMemberSignature = (
  transaction: DatedTransaction,
  genesis: Genesis,
  member: string,
  signature: string
): boolean => {
  const bytes = buildTransaction(transaction, genesis).bytesToSign()
  try {
    return ed25519.verify(bytesOfBase64(signature), bytes, decodeAddress(member), { zip215: false })
  } catch {
    // it has not even the form of one
    return false
  }
}

/** A payment with the signatures of its members, as nodes take it (Base64), and its id. */
export const joinSignatures = (
  transaction: DatedTransaction,
  genesis: Genesis,
  multisig: Multisig,
  signatures: ReadonlyArray<{ readonly member: string; readonly signature: string }>
): Signed => {
  const built = buildTransaction(transaction, genesis)
  const metadata = { version: 1, ...multisig }
  const raw = signatures.reduce(
    (blob, { member, signature }) =>
      appendSignRawMultisigSignature(blob, metadata, member, bytesOfBase64(signature)).blob,
    createMultisigTransaction(built, metadata)
  )
  return { raw: base64Of(raw), hash: built.txID() }
}

/** The bytes of a message to sign. Their prefix differs from that of transactions. */
export const toMessageBytes = (message: string | Uint8Array): Uint8Array =>
  Uint8Array.of(77, 88, ...(typeof message === "string" ? new TextEncoder().encode(message) : message))
