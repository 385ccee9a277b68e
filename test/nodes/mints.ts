/** Tokens of Solana as their programs keep them: accounts that tests put into a cluster. */
import { decodeBase58 } from "../../src/chains/internal/base58.js"

/** A mint with six decimals, and the extensions of Token-2022 behind it. */
export const mintData = (extensions: Buffer = Buffer.alloc(0)): Buffer => {
  const data = Buffer.alloc(extensions.length === 0 ? 82 : 166)
  data.writeBigUInt64LE(10n ** 15n, 36)
  data.writeUInt8(6, 44)
  data.writeUInt8(1, 45)
  if (extensions.length > 0) data.writeUInt8(1, 165)
  return Buffer.concat([data, extensions])
}

/** What an owner holds of a mint, in an account of Token-2022 with its marks. */
export const holdingData = (mint: string, owner: string, amount: bigint, extensions: Buffer): Buffer => {
  const data = Buffer.alloc(166)
  data.set(decodeBase58(mint), 0)
  data.set(decodeBase58(owner), 32)
  data.writeBigUInt64LE(amount, 64)
  data.writeUInt8(1, 108)
  data.writeUInt8(2, 165)
  return Buffer.concat([data, extensions])
}

export const extension = (kind: number, value: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(kind, 0)
  head.writeUInt16LE(value.length, 2)
  return Buffer.concat([head, value])
}

/** Half a percent of each transfer, at most 1,000 of the smallest unit. */
export const feeConfig = (): Buffer => {
  const fee = Buffer.alloc(18)
  fee.writeBigUInt64LE(1_000n, 8)
  fee.writeUInt16LE(50, 16)
  return extension(1, Buffer.concat([Buffer.alloc(72), fee, fee]))
}
