/**
 * Checks transactions of Algorand. algosdk decodes them, and `@noble/curves` verifies them. Multisignatures and
 * signatures by programs are refused.
 *
 * @since 0.1.0
 */
import { ed25519 } from "@noble/curves/ed25519.js"
import { decodeSignedTransaction, encodeMsgpack } from "algosdk"
import { areSameBytes, RejectedTransaction } from "./TransactionCheck.js"

/** The lengths of the values in a MessagePack map, other than those that have their length with them. */
const FIXED_LENGTHS: Readonly<Record<number, number>> = {
  192: 1,
  194: 1,
  195: 1,
  204: 2,
  205: 3,
  206: 5,
  207: 9
}

/** The end of the value at a position. The transactions of a group follow one another. */
const findEnd = (bytes: Buffer, at: number): number => {
  const kind = bytes.readUInt8(at)
  const whole = FIXED_LENGTHS[kind]
  if (kind < 0x80) return at + 1
  if (whole !== undefined) return at + whole
  if (kind >= 0xa0 && kind < 0xc0) return at + 1 + (kind & 31)
  if (kind === 0xc4 || kind === 0xd9) return at + 2 + bytes.readUInt8(at + 1)
  if (kind === 0xc5 || kind === 0xda) return at + 3 + bytes.readUInt16BE(at + 1)
  const isLong = kind === 0xdc || kind === 0xde
  const count = isLong ? bytes.readUInt16BE(at + 1) : kind & 15
  const isMap = kind < 0x90 || kind === 0xde
  if (!isLong && kind >= 0xa0)
    throw new Error(`[pos ${at}]: unrecognized descriptor byte: ${kind.toString(16)}`)
  let end = at + (isLong ? 3 : 1)
  for (let left = isMap ? count * 2 : count; left > 0; left--) end = findEnd(bytes, end)
  return end
}

const checkOne = (
  bytes: Buffer,
  genesis: { readonly id: string; readonly hash: string }
): string | RejectedTransaction => {
  const signed = decodeSignedTransaction(bytes)
  if (!areSameBytes(encodeMsgpack(signed), bytes))
    return new RejectedTransaction("unreadable", "[pos 0]: the encoding is not canonical")
  const { sgnr, sig, txn } = signed
  const id = txn.txID()
  const named = Buffer.from(txn.genesisHash ?? new Uint8Array()).toString("base64")
  if (txn.genesisID !== undefined && txn.genesisID !== genesis.id)
    return new RejectedTransaction(
      "chain",
      `tx.GenesisID <${txn.genesisID}> does not match expected <${genesis.id}>`,
      id
    )
  if (named !== genesis.hash)
    return new RejectedTransaction(
      "chain",
      `tx.GenesisHash <${named}> does not match expected <${genesis.hash}>`,
      id
    )
  const key = (sgnr ?? txn.sender).publicKey
  const isSigned = sig !== undefined && ed25519.verify(sig, txn.bytesToSign(), key, { zip215: false })
  // no recorded account has delegated its signatures to another key
  if (isSigned && sgnr !== undefined)
    return new RejectedTransaction(
      "chain",
      `should have been authorized by ${txn.sender} but was actually authorized by ${sgnr}`,
      id
    )
  return isSigned
    ? id
    : new RejectedTransaction("signature", "At least one signature didn't pass verification", id)
}

/**
 * The id of a group's first transaction, if each of them is signed by its account for the chain.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkTransactions = (
  bytes: Buffer,
  genesis: { readonly id: string; readonly hash: string }
): { readonly id: string } | RejectedTransaction => {
  let first = ""
  for (let at = 0, end = 0; at < bytes.length || first === ""; at = end) {
    end = findEnd(bytes, at)
    const found = checkOne(bytes.subarray(at, end), genesis)
    if (found instanceof RejectedTransaction) return found
    first ||= found
  }
  return { id: first }
}
