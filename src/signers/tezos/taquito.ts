/** What signers of Tezos need of `@taquito/local-forging`: loaded with the first of them. */
import { CODEC, getCodec, LocalForger, ProtocolsHash } from "@taquito/local-forging"
import type { Micheline, OperationContent } from "../../chains/Tezos.js"
import { isRecord } from "../../data/untrusted.js"

const forger = new LocalForger()

/** A value as JSON whose fields stand in one order. */
const stringifySorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each)
      ? Object.fromEntries(
          Object.keys(each)
            .sort()
            .map((name) => [name, each[name]])
        )
      : each
  )

/** An operation as bytes, hexadecimal. Throws unless these bytes read back say what was asked for, and nothing else. */
export const forgeOperation = async (
  branch: string,
  contents: ReadonlyArray<OperationContent>
): Promise<string> => {
  const asked = { branch, contents: [...contents] }
  // the library's types of contents are those of a package for requests, and are checked by reading back
  const bytes = await forger.forge(asked as never)
  const read: unknown = await forger.parse(bytes)
  if (stringifySorted(read) !== stringifySorted(asked))
    throw new Error("the bytes say something else than what was asked for")
  return bytes
}

/** A value as the chain packs it, hexadecimal: as it stands in an operation, without its length. */
export const packMicheline = (value: Micheline): string =>
  `05${getCodec(CODEC.VALUE, ProtocolsHash.PtParisBx).encoder(value).slice(8)}`
