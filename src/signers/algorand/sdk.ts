/** What signers of Algorand need of algosdk and `@noble/curves`: loaded with the first of them. Keys stay in the closures of accounts. */
import { ed25519 } from "@noble/curves/ed25519.js"
import {
  makeAssetTransferTxnWithSuggestedParamsFromObject,
  makePaymentTxnWithSuggestedParamsFromObject,
  type Transaction
} from "algosdk"
import { base64Of, bytesOfBase64 } from "../../data/base64.js"
import type { SignBytes } from "../accountKey.js"
import type { Signed } from "../Signer.js"
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

/** Builds a transaction with these fields and no others. Throws on invalid addresses. */
export const buildTransaction = (
  { amount, fee, firstValid, from, lastValid, lease, memo, to, token }: DatedTransaction,
  genesis: Genesis
): Transaction => {
  const common = {
    sender: from,
    receiver: to,
    amount,
    lease: bytesOfBase64(lease),
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
  return token === undefined
    ? makePaymentTxnWithSuggestedParamsFromObject(common)
    : makeAssetTransferTxnWithSuggestedParamsFromObject({ ...common, assetIndex: BigInt(token) })
}

/** What a signature and its frame add to a transaction. */
const SIGNATURE_BYTES = 75

/** The bytes of a transaction, signed. */
export const signedSizeOf = (transaction: Transaction): bigint =>
  BigInt(transaction.toByte().length + SIGNATURE_BYTES)

/** A transaction as nodes take it (Base64), and its id. */
export const attachSignature = (
  transaction: Transaction,
  address: string,
  signature: Uint8Array
): Signed => ({
  raw: base64Of(transaction.attachSignature(address, signature)),
  hash: transaction.txID()
})

/** The bytes of a message to sign. Their prefix differs from that of transactions. */
export const toMessageBytes = (message: string | Uint8Array): Uint8Array =>
  Uint8Array.of(77, 88, ...(typeof message === "string" ? new TextEncoder().encode(message) : message))
