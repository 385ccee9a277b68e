/** What signers of Stellar need of its libraries: loaded with the first of them. Keys stay in the closures of accounts. */
import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { Account, Asset, Memo, Operation, Transaction, TransactionBuilder } from "@stellar/stellar-base"
import { base64Of, bytesOfBase64 } from "../../data/base64.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import type { SignBytes } from "../accountKey.js"
import type { Cosignature, PolicyRequest, Signed } from "../Signer.js"
import { decodePublicKey, encodeAddress } from "./address.js"
import { DECIMALS, parseToken, splitMemo } from "./assets.js"
import type { StellarTransaction } from "./Types.js"

/** What holds the key of an address, and signs bytes with it. */
export interface StellarAccount {
  readonly address: string
  readonly sign: (bytes: Uint8Array, request?: PolicyRequest) => Promise<Uint8Array>
}

/** A payment that has all that is signed. */
export type CompleteTransaction = StellarTransaction & { readonly sequence: bigint; readonly expires: number }

/** The account of a private key. */
export const accountFromKey = (key: Uint8Array): StellarAccount => ({
  address: encodeAddress(ed25519.getPublicKey(key)),
  sign: async (bytes) => ed25519.sign(bytes, key)
})

/** The account of an address that a function signs for. No signature is believed, and the bytes that it gets are a copy. */
export const accountFromSignFunction = (address: string, signs: SignBytes): StellarAccount => ({
  address,
  sign: async (bytes, request) => {
    const signature = Uint8Array.from(await signs(bytes.slice(), request))
    if (signature.length !== 64 || !ed25519.verify(signature, bytes, decodePublicKey(address)))
      throw new Error(`the signature is not that of ${address}`)
    return signature
  }
})

/** Formats an amount with all of its digits, as the library expects it. */
export const formatAmount = (amount: bigint): string => {
  const digits = amount.toString().padStart(DECIMALS + 1, "0")
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}

/** Describes a payment in the library's terms, without its classes. A payment that creates an account has no asset. */
const toComparable = ({
  amount,
  creates,
  expires,
  fee,
  from,
  memo,
  sequence,
  to,
  token
}: CompleteTransaction) => ({
  source: from,
  fee: String(fee),
  sequence: String(sequence),
  timeBounds: { minTime: "0", maxTime: String(expires) },
  memo: memo === undefined ? ["none", ""] : splitMemo(memo),
  operations: [
    creates === true
      ? { type: "createAccount", destination: to, startingBalance: formatAmount(amount), asset: token }
      : { type: "payment", destination: to, asset: token ?? "native", amount: formatAmount(amount) }
  ]
})

/** Describes an operation in the same terms and order, including fields that a payment does not have. */
const toComparableOperation = (operation: Operation) => {
  if (operation.type !== "payment") return operation
  const { amount, asset, destination, type, ...rest } = operation
  return { type, destination, asset: asset.toString(), amount, ...rest }
}

/** Formats the bytes of a memo: as text, or as hexadecimal. */
const formatMemoBytes = (type: string, bytes: Uint8Array): string =>
  type === "text" ? new TextDecoder().decode(bytes) : bytesToHex(bytes)

/** Describes the bytes of a transaction in the same terms and order, including fields that a payment does not have. */
const decodeEnvelope = (xdr: string, passphrase: string) => {
  const built = TransactionBuilder.fromXDR(xdr, passphrase)
  if (!(built instanceof Transaction)) throw new Error("it is paid by another account")
  const { fee, memo, operations, sequence, source, timeBounds } = built
  return {
    source,
    fee,
    sequence,
    timeBounds,
    memo: [
      memo.type,
      memo.value instanceof Uint8Array ? formatMemoBytes(memo.type, memo.value) : String(memo.value ?? "")
    ],
    operations: operations.map(toComparableOperation),
    ledgerBounds: built.ledgerBounds,
    minAccountSequence: built.minAccountSequence,
    minAccountSequenceAge: built.minAccountSequenceAge,
    minAccountSequenceLedgerGap: built.minAccountSequenceLedgerGap,
    extraSigners: built.extraSigners
  }
}

const makeOperation = ({ amount, creates, to, token }: CompleteTransaction) => {
  if (creates === true)
    return Operation.createAccount({ destination: to, startingBalance: formatAmount(amount) })
  const asset = parseToken(token ?? "")
  return Operation.payment({
    destination: to,
    asset: asset === undefined ? Asset.native() : new Asset(asset.code, asset.issuer),
    amount: formatAmount(amount)
  })
}

const makeMemo = (memo: StellarTransaction["memo"]): Memo => {
  if (memo === undefined) return Memo.none()
  const [kind, text] = splitMemo(memo)
  if (kind === "id") return Memo.id(text)
  if (kind === "text") return Memo.text(text)
  // the library takes a hash as a `Buffer`, or as hexadecimal digits
  return kind === "hash" ? Memo.hash(bytesToHex(hexToBytes(text))) : Memo.return(bytesToHex(hexToBytes(text)))
}

/** Builds a payment without signatures, after reading its bytes back: they must contain exactly the payment. */
const build = (payment: CompleteTransaction, passphrase: string): Transaction => {
  if (payment.bump !== undefined) throw new Error("it pays the fee of another transaction, and is no payment")
  if (payment.sponsors !== undefined) throw new Error("it sponsors an account, and is no payment")
  const built = new TransactionBuilder(new Account(payment.from, String(payment.sequence - 1n)), {
    fee: String(payment.fee),
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: payment.expires },
    memo: makeMemo(payment.memo)
  })
    .addOperation(makeOperation(payment))
    .build()
  if (JSON.stringify(decodeEnvelope(built.toXDR(), passphrase)) !== JSON.stringify(toComparable(payment)))
    throw new Error("its bytes say something else")
  return built
}

const hashOf = (built: Transaction): Uint8Array => Uint8Array.from(built.hash())

/** Signs a payment. */
export const signTransaction = async (
  { address, sign }: StellarAccount,
  payment: CompleteTransaction,
  passphrase: string
): Promise<Signed> => {
  const built = build(payment, passphrase)
  const hash = hashOf(built)
  // it verifies the signature, too
  built.addSignature(address, base64Of(await sign(hash)))
  return { raw: built.toXDR(), hash: bytesToHex(hash) }
}

export const requireComplete = (payment: StellarTransaction): CompleteTransaction => {
  const { expires, sequence } = payment
  if (expires === undefined || sequence === undefined)
    throw new Error("it has no number and no end yet, which its signers sign too")
  return { ...payment, expires, sequence }
}

/** The bytes of a payment before anybody has signed it (XDR in Base64). */
export const encodePayload = (payment: CompleteTransaction, passphrase: string): string =>
  build(payment, passphrase).toXDR()

/** The hash of a payment, which is signed. */
export const hashPayload = (payment: CompleteTransaction, passphrase: string): string =>
  bytesToHex(hashOf(build(payment, passphrase)))

const readMemo = ({ type, value }: Memo): StellarTransaction["memo"] => {
  const text = value instanceof Uint8Array ? formatMemoBytes(type, value) : String(value)
  if (type === "none") return undefined
  if (type === "id") return { id: text }
  if (type === "text") return { text }
  return type === "hash" ? { hash: text } : { return: text }
}

/** The amount of a payment, in stroops: the library gives it with all of its digits. */
const parseAmount = (amount: string): bigint => BigInt(amount.replace(".", ""))

const readOperation = (operation: Operation | undefined) => {
  if (operation?.type === "createAccount")
    return { to: operation.destination, amount: parseAmount(operation.startingBalance), creates: true }
  if (operation?.type !== "payment") throw new Error("it is no payment")
  const { amount, asset, destination } = operation
  return {
    to: destination,
    amount: parseAmount(amount),
    ...(asset.isNative() ? {} : { token: asset.toString() })
  }
}

/** Reads the bytes of a payment. Throws unless they are one and nothing else. */
export const decodePayload = (payload: string, passphrase: string): CompleteTransaction => {
  const built = TransactionBuilder.fromXDR(payload, passphrase)
  if (!(built instanceof Transaction)) throw new Error("it is paid by another account")
  const memo = readMemo(built.memo)
  const payment = {
    from: built.source,
    ...readOperation(built.operations[0]),
    ...(memo === undefined ? {} : { memo }),
    fee: BigInt(built.fee),
    sequence: BigInt(built.sequence),
    expires: Number(built.timeBounds?.maxTime)
  }
  if (encodePayload(payment, passphrase) !== payload)
    throw new Error("it is another transaction than a payment, or has more than one has")
  return payment
}

/** Signs a payment of an account as one of its signers. */
export const cosignTransaction = async (
  { sign }: StellarAccount,
  payment: StellarTransaction,
  passphrase: string
): Promise<Cosignature> => ({
  signature: base64Of(await sign(hashOf(build(requireComplete(payment), passphrase))))
})

/** Whether a signature (Base64) of a hash is that of an address. */
export const isSignatureOf = (address: string, hash: Uint8Array, signature: string): boolean => {
  try {
    return ed25519.verify(bytesOfBase64(signature), hash, decodePublicKey(address))
  } catch {
    // it has not even the form of one
    return false
  }
}

/** Whether a signature of a payment is a signer's. */
export const isSignerSignature = (
  payment: CompleteTransaction,
  passphrase: string,
  member: string,
  signature: string
): boolean => {
  const hash = hashOf(build(payment, passphrase))
  return isSignatureOf(member, hash, signature)
}

/** The bytes of a payment with the signatures of its signers. The ledger refuses those that it does not need. */
export const joinSignatures = (
  payment: CompleteTransaction,
  passphrase: string,
  signatures: ReadonlyArray<{ readonly member: string; readonly signature: string }>
): Signed => {
  const built = build(payment, passphrase)
  for (const { member, signature } of signatures) built.addSignature(member, signature)
  return { raw: built.toXDR(), hash: bytesToHex(hashOf(built)) }
}

/** Signs a message: text, or bytes (SEP-53). Its hash begins as no transaction does. */
export const signMessage = async (
  { sign }: StellarAccount,
  message: string | Uint8Array
): Promise<string> => {
  const encoder = new TextEncoder()
  const bytes = typeof message === "string" ? encoder.encode(message) : Uint8Array.from(message)
  return base64Of(await sign(sha256(Uint8Array.of(...encoder.encode("Stellar Signed Message:\n"), ...bytes))))
}
