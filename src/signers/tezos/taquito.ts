/** What signers of Tezos need of `@taquito/local-forging`: loaded with the first of them. */
import { CODEC, getCodec, LocalForger, ProtocolsHash } from "@taquito/local-forging"
import type { Micheline, OperationContent } from "../../chains/Tezos.js"
import { isRecord } from "../../data/untrusted.js"

const forger = new LocalForger()

/** JSON with sorted keys, for comparisons. */
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

/** Encodes an operation as hexadecimal. Throws unless the bytes decode to exactly that operation. */
export const forgeOperation = async (
  branch: string,
  contents: ReadonlyArray<OperationContent>
): Promise<string> => {
  const operation = { branch, contents: [...contents] }
  // the library types contents for its requests; decoding the bytes again checks them
  const bytes = await forger.forge(operation as never)
  const read: unknown = await forger.parse(bytes)
  if (stringifySorted(read) !== stringifySorted(operation))
    throw new Error("the bytes say something else than what was asked for")
  return bytes
}

/** Packs a value as the chain does, as hexadecimal: its form in an operation, without the length. */
export const packMicheline = (value: Micheline): string =>
  `05${getCodec(CODEC.VALUE, ProtocolsHash.PtParisBx).encoder(value).slice(8)}`
