/** What several members of an account of Tron sign, read back from its bytes. */
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { decodeTransferCall } from "./abi.js"
import { encodeAddress } from "./address.js"
import { encodeSharedData } from "./protobuf.js"
import type { TronTransaction } from "./Types.js"

/** A transaction with all that is signed. */
export type CompleteTransaction = TronTransaction & Required<Pick<TronTransaction, "expiration" | "shared">>

type Field = bigint | Uint8Array

const readVarint = (bytes: Uint8Array, at: number): readonly [value: bigint, next: number] => {
  const end = bytes.findIndex((byte, i) => i >= at && byte < 128)
  if (end < 0 || end - at > 9) throw new Error("it ends within a number")
  const value = bytes.subarray(at, end + 1).reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 127), 0n)
  return [value, end + 1]
}

/** The fields of a message by their numbers: numbers and bytes. The last of several with one number counts. */
const readFields = (bytes: Uint8Array): ReadonlyMap<number, Field> => {
  const fields = new Map<number, Field>()
  let at = 0
  while (at < bytes.length) {
    const [tag, from] = readVarint(bytes, at)
    const [value, next] = readVarint(bytes, from)
    const field = Number(tag >> 3n)
    const isBytes = (tag & 7n) === 2n
    if (!isBytes && (tag & 7n) !== 0n) throw new Error(`its field ${field} is neither a number nor bytes`)
    at = isBytes ? next + Number(value) : next
    if (at > bytes.length) throw new Error(`its field ${field} is longer than it`)
    fields.set(field, isBytes ? bytes.subarray(next, at) : value)
  }
  return fields
}

const numberOf = (fields: ReadonlyMap<number, Field>, field: number): bigint => {
  const value = fields.get(field) ?? 0n
  if (typeof value !== "bigint") throw new Error(`its field ${field} is no number`)
  return value
}

const bytesOf = (fields: ReadonlyMap<number, Field>, field: number): Uint8Array => {
  const value = fields.get(field) ?? new Uint8Array()
  if (typeof value === "bigint") throw new Error(`its field ${field} is a number`)
  return value
}

const addressOf = (fields: ReadonlyMap<number, Field>, field: number): string =>
  encodeAddress(bytesOf(fields, field).subarray(1))

type Terms = Pick<TronTransaction, "from" | "to" | "amount" | "token" | "data">

/** A payment in coins (1), or the call of a token's contract (31). */
const readTerms = (type: bigint, fields: ReadonlyMap<number, Field>): Terms => {
  const from = addressOf(fields, 1)
  const target = addressOf(fields, 2)
  if (type === 1n) return { from, to: target, amount: numberOf(fields, 3) }
  if (type !== 31n) throw new Error(`it is no payment, but a contract of the type ${type}`)
  const data = bytesToHex(bytesOf(fields, 4))
  return { from, ...decodeTransferCall(data), token: target, data }
}

/** The bytes that are signed, as hexadecimal. */
export const encodePayload = (transaction: CompleteTransaction): string =>
  bytesToHex(encodeSharedData(transaction))

/**
 * Reads them. Whatever is not read is missing when they are written again: another field, a second contract, coins for the contract of
 * a token. Throws then.
 */
export const decodePayload = (payload: string): CompleteTransaction => {
  if (!/^([0-9a-f]{2})+$/.test(payload)) throw new Error("it must be hexadecimal digits in lower case")
  const raw = readFields(hexToBytes(payload))
  const contract = readFields(bytesOf(raw, 11))
  const value = readFields(bytesOf(readFields(bytesOf(contract, 2)), 2))
  const memo = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(raw, 10))
  const feeLimit = numberOf(raw, 18)
  const transaction: CompleteTransaction = {
    ...readTerms(numberOf(contract, 1), value),
    ...(memo === "" ? {} : { memo }),
    ...(feeLimit === 0n ? {} : { feeLimit }),
    expiration: numberOf(raw, 8),
    shared: {
      permission: Number(numberOf(contract, 5)),
      block: bytesToHex([...bytesOf(raw, 1), ...bytesOf(raw, 4)]),
      timestamp: numberOf(raw, 14)
    }
  }
  if (encodePayload(transaction) !== payload)
    throw new Error("it has more than a payment, or is not written as the chain writes it")
  return transaction
}
