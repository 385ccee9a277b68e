/**
 * Transactions of Tron as bytes (protocol buffers, by the definitions of java-tron). They are written here and not read from a node,
 * so that nothing is signed that was not asked for.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { decodeAddress } from "./address.js"
import type { TronTransaction } from "./Types.js"

export type Bytes = ReadonlyArray<number>

const encodeVarint = (value: bigint): Bytes =>
  value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...encodeVarint(value >> 7n)]

/** A field that is a number: absent where it is zero, as the encoding has it. */
export const encodeNumber = (field: number, value: bigint): Bytes =>
  value === 0n ? [] : [...encodeVarint(BigInt(field << 3)), ...encodeVarint(value)]

export const encodeBytes = (field: number, value: Bytes | Uint8Array): Bytes =>
  value.length === 0
    ? []
    : [...encodeVarint(BigInt((field << 3) | 2)), ...encodeVarint(BigInt(value.length)), ...value]

const encodeText = (field: number, value: string): Bytes =>
  encodeBytes(field, new TextEncoder().encode(value))

/** The block that a transaction names, and its times in milliseconds. */
export interface BlockReference {
  readonly blockId: string
  readonly timestamp: bigint
  readonly expiration: bigint
}

/** The number of the contract that a transaction has: of coins, or of a call. */
export const contractTypeOf = ({ data, token }: Pick<TronTransaction, "data" | "token">): number =>
  token === undefined && data === undefined ? 1 : 31

/** A contract of the protocol: its number, its name, and its fields. */
export interface Contract {
  readonly type: number
  readonly name: string
  readonly fields: Bytes
}

/** The contract of a payment or a call. A token gets no coins. */
const toContract = (transaction: TronTransaction): Contract => {
  const type = contractTypeOf(transaction)
  const { amount, data, from, to, token } = transaction
  return type === 1
    ? {
        type,
        name: "TransferContract",
        fields: [
          ...encodeBytes(1, decodeAddress(from)),
          ...encodeBytes(2, decodeAddress(to)),
          ...encodeNumber(3, amount)
        ]
      }
    : {
        type,
        name: "TriggerSmartContract",
        fields: [
          ...encodeBytes(1, decodeAddress(from)),
          ...encodeBytes(2, decodeAddress(token ?? to)),
          ...encodeNumber(3, token === undefined ? amount : 0n),
          ...encodeBytes(4, hexToBytes(data ?? ""))
        ]
      }
}

/** The part of a transaction that is signed. One that stakes has another contract than a payment. */
export const encodeRawData = (
  transaction: TronTransaction,
  { blockId, expiration, timestamp }: BlockReference,
  { fields, name, type }: Contract = toContract(transaction)
): Uint8Array => {
  const parameter = [...encodeText(1, `type.googleapis.com/protocol.${name}`), ...encodeBytes(2, fields)]
  const { feeLimit, memo, shared } = transaction
  const contract = [
    ...encodeNumber(1, BigInt(type)),
    ...encodeBytes(2, parameter),
    ...encodeNumber(5, BigInt(shared?.permission ?? 0))
  ]
  return Uint8Array.from([
    ...encodeBytes(1, hexToBytes(blockId.slice(12, 16))),
    ...encodeBytes(4, hexToBytes(blockId.slice(16, 32))),
    ...encodeNumber(8, expiration),
    ...encodeText(10, memo ?? ""),
    ...encodeBytes(11, contract),
    ...encodeNumber(14, timestamp),
    ...encodeNumber(18, feeLimit ?? 0n)
  ])
}

/** The id of a transaction: the hash that is signed. */
export const computeId = (raw: Uint8Array): Uint8Array => sha256(raw)

/** The part of a transaction of several members that they sign: it names its block already. */
export const encodeSharedData = (transaction: TronTransaction): Uint8Array => {
  const { expiration, shared } = transaction
  if (shared === undefined || expiration === undefined)
    throw new Error("it is not one that several members sign")
  const { block, timestamp } = shared
  return encodeRawData(transaction, { blockId: block.padStart(32, "0"), timestamp, expiration })
}

/** A signed transaction as nodes take it. */
export const encodeSigned = (raw: Uint8Array, signatures: ReadonlyArray<Uint8Array>): string =>
  bytesToHex([...encodeBytes(1, raw), ...signatures.flatMap((signature) => encodeBytes(2, signature))])

/** Bytes of a transaction with so many signatures that bandwidth is paid for: its own, and room for its result. */
export const signedSizeOf = (raw: Uint8Array, signatures: number): bigint =>
  BigInt(encodeSigned(raw, Array(signatures).fill(new Uint8Array(65))).length / 2 + 64)
