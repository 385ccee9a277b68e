/** What signers of EVM chains need of ox: loaded with the first of them. Keys stay in the closures of accounts. */
import * as Address from "ox/Address"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Secp256k1 from "ox/Secp256k1"
import * as Signature from "ox/Signature"
import * as Eip1559 from "ox/TxEnvelopeEip1559"
import * as Legacy from "ox/TxEnvelopeLegacy"
import * as TypedData from "ox/TypedData"
import type { SchemeLibrary } from "../accountKey.js"
import type { EvmTransaction, SignHash, TypedDataDefinition } from "./Types.js"

type HexString = `0x${string}`

export const makeSignHash =
  (privateKey: HexString): SignHash =>
  (payload) =>
    Signature.toHex(Secp256k1.sign({ payload, privateKey }))

/** Throws unless it is a key of the curve. */
export const addressFromPrivateKey = (privateKey: HexString): HexString =>
  Address.checksum(Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey })))

interface Points {
  readonly fromHex: (digits: string) => { readonly toHex: (isCompressed: boolean) => string }
}

/** ox re-exports its curve, whose class of points has another name in later versions than its types have here. */
const { Point, ProjectivePoint } = Secp256k1.noble as unknown as Readonly<
  Record<"Point" | "ProjectivePoint", Points>
>

/** The digits of a public key with both coordinates. Throws unless it is one of the curve. */
const uncompress = (publicKey: Uint8Array): string =>
  (Point ?? ProjectivePoint).fromHex(Hex.fromBytes(publicKey).slice(2)).toHex(false)

/** The address of a compressed public key. */
export const addressFromPublicKey = (publicKey: Uint8Array): HexString =>
  Address.checksum(Hex.slice(Hash.keccak256(`0x${uncompress(publicKey).slice(2)}`), 12))

/** What accounts that are elsewhere need. The lower `s` is found when their signatures are verified. */
export const secp256k1Library: SchemeLibrary = {
  isPublicKey: (bytes) => {
    try {
      return uncompress(bytes) !== ""
    } catch {
      return false
    }
  },
  normalizeSignature: (signature) =>
    signature.length === 64 ? signature : Signature.toBytes(Signature.fromDerBytes(signature)).slice(0, 64)
}

export const computeHash = (raw: HexString): HexString => Hash.keccak256(raw)

export const toChecksumAddress = (address: HexString): HexString => Address.checksum(address)

/** The order of the curve: chains take the lower of the two values that `s` can have (EIP-2). */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Normalizes a signature, after checking that it is the address's over the hash. */
const findOwnSignature = (
  payload: HexString,
  signature: HexString,
  address: HexString
): Signature.Signature | undefined => {
  if (!Hex.validate(signature, { strict: true }) || Hex.size(signature) < 64) return undefined
  const given = BigInt(Hex.slice(signature, 32, 64))
  const s = Hex.fromNumber(given > CURVE_ORDER / 2n ? CURVE_ORDER - given : given, { size: 32 })
  for (const v of ["1b", "1c"]) {
    // by its bytes: versions of ox have other fields in their signatures
    const found = Signature.fromHex(`${Hex.slice(signature, 0, 32)}${s.slice(2)}${v}`)
    try {
      if (Address.isEqual(Secp256k1.recoverAddress({ payload, signature: found }), address)) return found
    } catch {
      // no point of the curve has this parity
    }
  }
  return undefined
}

/** Signs a hash, with what it is the hash of. */
type SignPayload = (payload: HexString, preimage?: HexString) => HexString | Promise<HexString>

const signVerified = async (
  payload: HexString,
  sign: SignPayload,
  address: HexString,
  preimage?: HexString
): Promise<Signature.Signature> => {
  const signature = findOwnSignature(payload, await sign(payload, preimage), address)
  if (signature === undefined) throw new Error(`the signature is not that of ${address}`)
  return signature
}

const toLowerHex = (hex: HexString): HexString => `0x${hex.slice(2).toLowerCase()}`

/** A transaction with the hashes of its blobs in place of them. */
interface NamingBlobs extends Omit<EvmTransaction, "blobs"> {
  readonly blobVersionedHashes?: ReadonlyArray<HexString>
}

/** A transaction as those see it who sign it: they sign the hashes of blobs, which stand beside it. */
export const nameBlobs = async ({ blobs, ...rest }: EvmTransaction): Promise<NamingBlobs> => {
  if (blobs === undefined) return rest
  const { computeVersionedHash } = await import("./blobEnvelope.js")
  return { ...rest, blobVersionedHashes: blobs.map(({ commitment }) => computeVersionedHash(commitment)) }
}

/** The fields of a transaction that are signed: the others are for the signer alone. */
export const signedFieldsOf = ({ nonceLimit: _, private: __, replaces: ___, ...fields }: NamingBlobs) =>
  fields

/** The bytes of a transaction as blocks have them, with a signature or without one, and the signature that such bytes have. */
interface TransactionCodec {
  readonly serialize: (signature?: Signature.Signature) => HexString
  readonly readSignature: (raw: HexString) => Signature.Signature | undefined
}

const toFields = (transaction: EvmTransaction) => {
  const { blobs: _, ...own } = transaction
  const { data, nonce = 0, to, ...rest } = signedFieldsOf(own)
  return {
    ...rest,
    nonce: BigInt(nonce),
    // some versions of ox keep the case of what they are given
    ...(to === undefined ? {} : { to: toLowerHex(to) }),
    ...(data === undefined ? {} : { data: toLowerHex(data) })
  }
}

/** A transaction without blobs. */
const codecOf = (transaction: EvmTransaction): TransactionCodec => {
  const { gasPrice, ...fields } = toFields(transaction)
  const optionsOf = (signature?: Signature.Signature) => (signature === undefined ? {} : { signature })
  // a legacy transaction has one price
  if (gasPrice !== undefined) {
    const envelope = Legacy.from({ ...fields, gasPrice })
    return {
      serialize: (signature) => Legacy.serialize(envelope, optionsOf(signature)),
      readSignature: (raw) => Signature.extract(Legacy.deserialize(raw))
    }
  }
  const envelope = Eip1559.from(fields)
  return {
    serialize: (signature) => Eip1559.serialize(envelope, optionsOf(signature)),
    // ox types bytes by their first one, which it checks itself
    readSignature: (raw) => Signature.extract(Eip1559.deserialize(raw as Eip1559.Serialized))
  }
}

const loadCodec = async (transaction: EvmTransaction): Promise<TransactionCodec> => {
  const { blobs } = transaction
  if (blobs === undefined) return codecOf(transaction)
  const { gasPrice: _, ...fields } = toFields(transaction)
  return (await import("./blobEnvelope.js")).codecOf(fields, blobs)
}

/** A signed transaction as nodes take it. */
export const toNetworkForm = async (signed: HexString, { blobs }: EvmTransaction): Promise<HexString> =>
  blobs === undefined ? signed : (await import("./blobEnvelope.js")).addBlobs(signed, blobs)

/** The bytes of a transaction as blocks have them, signed. */
export const signTransaction = async (
  transaction: EvmTransaction,
  sign: SignPayload,
  address: HexString
): Promise<HexString> => {
  const { serialize } = await loadCodec(transaction)
  const unsigned = serialize()
  return serialize(await signVerified(computeHash(unsigned), sign, address, unsigned))
}

/** Whether signed bytes are this transaction, signed by the address. */
export const isSignedTransactionOf = async (
  raw: HexString,
  transaction: EvmTransaction,
  address: HexString
): Promise<boolean> => {
  const { readSignature, serialize } = await loadCodec(transaction)
  try {
    const signature = readSignature(raw)
    return (
      signature !== undefined &&
      serialize(signature) === raw.toLowerCase() &&
      Address.isEqual(Secp256k1.recoverAddress({ payload: computeHash(serialize()), signature }), address)
    )
  } catch {
    return false
  }
}

/** Hexadecimal digits of a node's answer; throws on anything else. */
const requireHex = (value: unknown): HexString => {
  Hex.assert(value, { strict: true })
  return value
}

const toAmount = (value: unknown): bigint => Hex.toBigInt(requireHex(value))

/**
 * Reads a transaction as a node shows it. Undefined unless its own bytes have the hash and a signature of the address, so that nothing in it
 * can be another one than what was signed.
 */
export const readSigned = (
  shown: Readonly<Record<string, unknown>>,
  hash: string,
  address: HexString
): (EvmTransaction & { readonly nonce: number }) | undefined => {
  try {
    const {
      chainId,
      gas,
      gasPrice,
      input,
      maxFeePerGas,
      maxPriorityFeePerGas,
      nonce,
      r,
      s,
      to,
      type,
      value
    } = shown
    const data = requireHex(input)
    const transaction = {
      chainId: Number(toAmount(chainId)),
      nonce: Number(toAmount(nonce)),
      ...(to === null ? {} : { to: toChecksumAddress(requireHex(to)) }),
      value: toAmount(value),
      ...(data === "0x" ? {} : { data }),
      gas: toAmount(gas),
      ...(type === "0x2"
        ? { maxFeePerGas: toAmount(maxFeePerGas), maxPriorityFeePerGas: toAmount(maxPriorityFeePerGas) }
        : { gasPrice: toAmount(gasPrice) })
    }
    const { serialize } = codecOf(transaction)
    const word = (part: unknown): HexString => Hex.fromNumber(toAmount(part), { size: 32 })
    const signature = findOwnSignature(computeHash(serialize()), Hex.concat(word(r), word(s)), address)
    return signature !== undefined && computeHash(serialize(signature)) === hash ? transaction : undefined
  } catch {
    // what is not even a transaction is none of the address
    return undefined
  }
}

/** A message as bytes in hexadecimal. */
export const toMessageHex = (message: string | Uint8Array): HexString =>
  typeof message === "string" ? Hex.fromString(message) : Hex.fromBytes(message)

/** A message, signed after EIP-191. */
export const signMessage = async (
  message: string | Uint8Array,
  sign: SignHash,
  address: HexString
): Promise<HexString> =>
  Signature.toHex(await signVerified(PersonalMessage.getSignPayload(toMessageHex(message)), sign, address))

/** Typed data as EIP-712 encodes it: 0x1901, and the hashes of its domain and its message. Throws unless it is some. */
const encodeTypedData = (data: TypedDataDefinition): HexString => {
  // the compiler checks a program's own data; data from outside is checked here
  const definition = data as Parameters<typeof TypedData.encode>[0]
  TypedData.assert(definition)
  return TypedData.encode(definition)
}

/** The hash of typed data, which is signed (EIP-712). Throws unless it is some. */
export const hashTypedData = (data: TypedDataDefinition): HexString => computeHash(encodeTypedData(data))

/** Who has signed a hash, by a signature of 65 bytes; undefined if it is nobody's. */
export const recoverSigner = (payload: HexString, signature: HexString): HexString | undefined => {
  try {
    return Address.checksum(Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(signature) }))
  } catch {
    return undefined
  }
}

/** The hash that wallets sign for `eth_sign`: that of 32 bytes as a message. */
export const hashMessage = (bytes: HexString): HexString => PersonalMessage.getSignPayload(bytes)

/** Typed data, signed after EIP-712. */
export const signTypedData = async (
  data: TypedDataDefinition,
  sign: SignPayload,
  address: HexString
): Promise<HexString> => {
  const encoded = encodeTypedData(data)
  return Signature.toHex(await signVerified(computeHash(encoded), sign, address, encoded))
}
