/**
 * Further endpoints of nodes of Bitcoin Cash.
 *
 * @since 0.1.0
 */
import { hex } from "../../data/bytes.js"
import { rpc } from "../../data/Endpoint.js"
import type { DoubleSpendProof, Hex } from "./Types.js"

/** Fee in whole coins per 1000 bytes. Some nodes take the number of blocks to wait. @since 0.1.0 @category endpoints */
export const estimateFee = /*#__PURE__*/ rpc<[blocks?: number], number>("estimatefee")

/** Proof that a transaction in the pool was spent twice, by the transaction's id or its own; null if there is none. @since 0.1.0 @category endpoints */
export const getDsProof = /*#__PURE__*/ rpc<
  [id: Hex, verbosity?: 0 | 1 | 2 | 3, recursive?: boolean],
  DoubleSpendProof | null
>("getdsproof").bytes({ 0: /*#__PURE__*/ hex(32) })

/** Proofs of double spends that the node has: their ids, or more by verbosity. @since 0.1.0 @category endpoints */
export const getDsProofList = /*#__PURE__*/ rpc<
  [verbosity?: number, includeOrphans?: boolean],
  ReadonlyArray<Hex | DoubleSpendProof>
>("getdsprooflist").lists()

/** How sure it is, from 0 to 1, that a transaction in the pool is not being double spent. @since 0.1.0 @category endpoints */
export const getDsProofScore = /*#__PURE__*/ rpc<[txid: Hex], number>("getdsproofscore").bytes({
  0: /*#__PURE__*/ hex(32)
})

/** Hash of the newest block that the node will not give up any more. @since 0.1.0 @category endpoints */
export const getFinalizedBlockHash = /*#__PURE__*/ rpc<[], Hex>("getfinalizedblockhash")
