/** What unsigned transactions of Bitcoin's kind are made of. */
import { byFieldName, hex } from "../../data/bytes.js"
import type { Input, Outputs } from "../bitcoin/Types.js"

/** The bytes of outputs that are named by their transactions. */
export const inputBytes = /*#__PURE__*/ byFieldName({ txid: /*#__PURE__*/ hex() })

/** The parameters of calls that make them. Nodes count places, so that a locktime stands before `replaceable`. */
export const toUnsignedParams = (
  inputs: ReadonlyArray<Input>,
  outputs: Outputs,
  locktime?: number,
  replaceable?: boolean
): ReadonlyArray<unknown> => [
  inputs,
  outputs,
  locktime ?? (replaceable === undefined ? undefined : 0),
  replaceable
]
