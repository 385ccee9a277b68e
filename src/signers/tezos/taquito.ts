/** What signers of Tezos need of `@taquito/local-forging`: loaded with the first of them. */
import { CODEC, getCodec, LocalForger, ProtocolsHash } from "@taquito/local-forging"
import type { Micheline, OperationContent } from "../../chains/Tezos.js"
import { isRecord } from "../../data/foreign.js"

const forger = new LocalForger()

/** A value whose fields stand in one order, without those that are absent. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .filter((name) => value[name] !== undefined)
      .sort()
      .map((name) => [name, ordered(value[name])])
  )
}

/** An operation as bytes, hexadecimal. Throws unless these bytes read back say what was asked for, and nothing else. */
export const forged = async (branch: string, contents: ReadonlyArray<OperationContent>): Promise<string> => {
  const asked = { branch, contents: [...contents] }
  // the library's types of contents are those of a package for requests, and are checked by reading back
  const bytes = await forger.forge(asked as never)
  const read: unknown = await forger.parse(bytes)
  if (JSON.stringify(ordered(read)) !== JSON.stringify(ordered(asked)))
    throw new Error("the bytes say something else than what was asked for")
  return bytes
}

/** A value as the chain packs it, hexadecimal: as it stands in an operation, without its length. */
export const packed = (value: Micheline): string =>
  `05${getCodec(CODEC.VALUE, ProtocolsHash.PtParisBx).encoder(value).slice(8)}`
