/**
 * Checks transactions of Tron. java-tron's definitions decode them, and `@noble/curves` verifies them.
 *
 * @since 0.1.0
 */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { RejectedTransaction } from "./TransactionCheck.js"

type MessageFields = ReadonlyMap<number, ReadonlyArray<bigint | Buffer>>

/** The values of a protocol buffer's fields. */
const readFields = (bytes: Buffer): MessageFields => {
  const fields = new Map<number, Array<bigint | Buffer>>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) break
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
    throw new Error("Protocol message contained an invalid tag (zero).")
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const all = fields.get(tag >> 3) ?? []
    fields.set(tag >> 3, all)
    if ((tag & 7) === 0) all.push(varint())
    else if ((tag & 7) === 2) {
      const length = Number(varint())
      if (at + length > bytes.length)
        throw new Error("While parsing a protocol message, the input ended unexpectedly")
      all.push(bytes.subarray(at, at + length))
      at += length
    } else throw new Error("Protocol message tag had invalid wire type.")
  }
  return fields
}

const bytesAt = (fields: MessageFields, field: number): Buffer => {
  const value = fields.get(field)?.[0]
  return typeof value === "object" ? value : Buffer.alloc(0)
}

const recoverAddress = (signature: Buffer, hash: Uint8Array): string | undefined => {
  const [parity = 0] = signature.subarray(64)
  try {
    const recovered = Uint8Array.of(parity >= 27 ? parity - 27 : parity, ...signature.subarray(0, 64))
    const key = secp256k1.recoverPublicKey(recovered, hash, { prehash: false })
    const point = secp256k1.Point.fromBytes(key).toBytes(false)
    return `41${Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString("hex")}`
  } catch {
    return undefined
  }
}

/**
 * A transaction in hexadecimal: its signed bytes, its signatures and its hash.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronSent {
  readonly raw: string
  readonly signatures: ReadonlyArray<string>
}

/**
 * The parts of a whole transaction.
 *
 * @since 0.1.0
 * @category operations
 */
export const splitTransaction = (transaction: string): TronSent => {
  const fields = readFields(Buffer.from(transaction, "hex"))
  const signatures = (fields.get(2) ?? []).flatMap((each) =>
    typeof each === "object" ? each.toString("hex") : []
  )
  return { raw: bytesAt(fields, 1).toString("hex"), signatures }
}

/**
 * The id of a transaction, if only its owner has signed it, it names a block of the chain, and it has not expired.
 * `blockId` yields the id of the block whose height ends with two bytes.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkTransaction = (
  { raw, signatures }: TronSent,
  { blockId, now }: { readonly blockId: (end: number) => string; readonly now: number }
): { readonly id: string } | RejectedTransaction => {
  const bytes = Buffer.from(raw, "hex")
  const fields = readFields(bytes)
  const contract = readFields(bytesAt(fields, 11))
  const owner = bytesAt(readFields(bytesAt(readFields(bytesAt(contract, 2)), 2)), 1).toString("hex")
  const hash = sha256(bytes)
  const id = Buffer.from(hash).toString("hex")
  const reference = bytesAt(fields, 1)
  const block = reference.length === 2 ? blockId(reference.readUInt16BE()) : ""
  if (block.slice(16, 32) !== bytesAt(fields, 4).toString("hex") || block === "")
    return new RejectedTransaction("chain", "Tapos check error", id)
  const expiration = fields.get(8)?.[0] ?? 0n
  if (typeof expiration !== "bigint" || expiration <= BigInt(Math.floor(now)))
    return new RejectedTransaction("chain", "Transaction expired", id)
  const [signature = ""] = signatures
  if (signatures.length !== 1 || signature.length !== 130 || owner === "")
    return new RejectedTransaction("signature", "miss sig or contract", id)
  const signer = recoverAddress(Buffer.from(signature, "hex"), hash)
  return signer === owner
    ? { id }
    : new RejectedTransaction(
        "signature",
        `${signature} is signed by ${signer ?? "nobody"} but it is not contained of permission.`,
        id
      )
}
