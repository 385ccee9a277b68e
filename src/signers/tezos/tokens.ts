/** Reads the details of tokens from contracts of Tezos (TZIP-12): a map from token ids to details, somewhere in the storage. */
import * as Effect from "effect/Effect"
import type { Micheline } from "../../chains/Tezos.js"
import { hexToBytes } from "../../data/hex.js"
import { isRecord } from "../../data/untrusted.js"
import { withAgreement } from "../evidence.js"
import type { ReadError } from "../Signer.js"
import { parseDecimals } from "../tokens.js"
import { parseToken } from "./address.js"
import type { TezosCalls } from "./Types.js"

/** The known details of a token. */
export interface TokenDetails {
  readonly symbol?: string | undefined
  readonly decimals?: number | undefined
}

/** The parts of a node of Micheline, which a node may write as a list. */
const argsOf = (node: unknown): ReadonlyArray<unknown> => {
  const args = isRecord(node) ? node.args : node
  return Array.isArray(args) ? args : []
}

/** The two parts of a pair or of its type. A pair of more than two parts is nested. */
const splitPair = (pair: unknown): readonly [unknown, unknown] => {
  const [first, second, ...rest] = argsOf(pair)
  return [first, rest.length === 0 ? second : { prim: "pair", args: [second, ...rest] }]
}

/** The id of the map of details in a storage of this type. */
const findMetadataMap = (type: unknown, value: unknown): string | undefined => {
  if (!isRecord(type)) return undefined
  if (type.prim === "pair") {
    const [types, values] = [splitPair(type), splitPair(value)]
    return findMetadataMap(types[0], values[0]) ?? findMetadataMap(types[1], values[1])
  }
  const isIt =
    type.prim === "big_map" && Array.isArray(type.annots) && type.annots.includes("%token_metadata")
  return isIt && isRecord(value) && typeof value.int === "string" ? value.int : undefined
}

/** A text among the details of a token, which are bytes of UTF-8 by their names. */
const readDetail = (details: unknown, name: string): string | undefined => {
  for (const entry of argsOf(splitPair(details)[1])) {
    const [key, value] = splitPair(entry)
    if (!isRecord(key) || key.string !== name || !isRecord(value)) continue
    return typeof value.bytes === "string" ? new TextDecoder().decode(hexToBytes(value.bytes)) : undefined
  }
  return undefined
}

const storageTypeOf = (code: unknown): unknown =>
  argsOf(argsOf(code).find((section) => isRecord(section) && section.prim === "storage"))[0]

/** Reads the details of a token. The map's key is the hash of the packed token id. */
export const readTokenDetails = (
  { getBigMapValue, getContractScript }: Pick<TezosCalls, "getBigMapValue" | "getContractScript">,
  token: string,
  expressionOf: (value: Micheline) => string
): Effect.Effect<TokenDetails, ReadError> => {
  const { contract, id = "0" } = parseToken(token)
  return Effect.gen(function* () {
    const { code, storage } = yield* getContractScript({ contractId: contract })
    const bigMapId = findMetadataMap(storageTypeOf(code), storage)
    if (bigMapId === undefined) return {}
    const details = yield* withAgreement(
      getBigMapValue({ bigMapId, scriptExpression: expressionOf({ int: id }) }),
      (one, other) => readDetail(one, "decimals") === readDetail(other, "decimals")
    )
    return { symbol: readDetail(details, "symbol"), decimals: parseDecimals(readDetail(details, "decimals")) }
  }).pipe(
    // no such contract or token: the simulation of the payment reports that better
    Effect.catchTag("RequestRejected", () => Effect.succeed({}))
  )
}
