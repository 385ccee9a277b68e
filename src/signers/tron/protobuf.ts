/**
 * Transactions of Tron as bytes (protocol buffers, by the definitions of java-tron). They are written here and not read from a node,
 * so that nothing is signed that was not asked for.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { hexToBytes, bytesToHex } from "../../data/hex.js"
import { bytesOf } from "./address.js"
import type { TronTransaction } from "./Types.js"

type Bytes = ReadonlyArray<number>

const varint = (value: bigint): Bytes =>
  value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]

/** A field that is a number: absent where it is zero, as the encoding has it. */
const number = (field: number, value: bigint): Bytes =>
  value === 0n ? [] : [...varint(BigInt(field << 3)), ...varint(value)]

const bytes = (field: number, value: Bytes | Uint8Array): Bytes =>
  value.length === 0 ? [] : [...varint(BigInt((field << 3) | 2)), ...varint(BigInt(value.length)), ...value]

const text = (field: number, value: string): Bytes => bytes(field, new TextEncoder().encode(value))

/** The block that a transaction names, and its times in milliseconds. */
export interface Reference {
  readonly blockId: string
  readonly timestamp: bigint
  readonly expiration: bigint
}

/** A contract of the protocol: its number, its name, and its fields. A token gets no coins. */
const contractOf = ({ amount, data, from, to, token }: TronTransaction): readonly [bigint, string, Bytes] =>
  token === undefined && data === undefined
    ? [1n, "TransferContract", [...bytes(1, bytesOf(from)), ...bytes(2, bytesOf(to)), ...number(3, amount)]]
    : [
        31n,
        "TriggerSmartContract",
        [
          ...bytes(1, bytesOf(from)),
          ...bytes(2, bytesOf(token ?? to)),
          ...number(3, token === undefined ? amount : 0n),
          ...bytes(4, hexToBytes(data ?? ""))
        ]
      ]

/** The part of a transaction that is signed. */
export const rawData = (
  transaction: TronTransaction,
  { blockId, expiration, timestamp }: Reference
): Uint8Array => {
  const [type, name, fields] = contractOf(transaction)
  const parameter = [...text(1, `type.googleapis.com/protocol.${name}`), ...bytes(2, fields)]
  const { feeLimit, memo } = transaction
  return Uint8Array.from([
    ...bytes(1, hexToBytes(blockId.slice(12, 16))),
    ...bytes(4, hexToBytes(blockId.slice(16, 32))),
    ...number(8, expiration),
    ...text(10, memo ?? ""),
    ...bytes(11, [...number(1, type), ...bytes(2, parameter)]),
    ...number(14, timestamp),
    ...number(18, feeLimit ?? 0n)
  ])
}

/** The id of a transaction: the hash that is signed. */
export const idOf = (raw: Uint8Array): Uint8Array => sha256(raw)

/** A signed transaction as nodes take it. */
export const signedHex = (raw: Uint8Array, signature: Uint8Array): string =>
  bytesToHex([...bytes(1, raw), ...bytes(2, signature)])

/** Bytes of a signed transaction that bandwidth is paid for: its own, and room for its result. */
export const sizeOf = (raw: Uint8Array): bigint => BigInt(signedHex(raw, new Uint8Array(65)).length / 2 + 64)
