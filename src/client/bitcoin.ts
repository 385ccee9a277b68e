/**
 * What clients of picked endpoints of Bitcoin and its kin have in common on both surfaces.
 *
 * @since 0.1.0
 */
import { type BitcoinComposed, checks, composed, endpoints, estimateFeeEndpoints } from "../chains/Bitcoin.js"
import { dialect } from "../chains/bitcoin/endpoints.js"
import type { AnyNetworkOf } from "../chains/registry.js"
import type { Composed, RawRpc } from "../transport/Client.js"
import { makeRawPick, type PickableFamily } from "./picked.js"

/**
 * The networks of Bitcoin, Litecoin, Zcash and Bitcoin Cash. Nodes of Dogecoin take other arguments, and have their whole client alone.
 *
 * @since 0.1.0
 * @category types
 */
export type BitcoinNetwork = AnyNetworkOf<"utxo" | "utxo-estimatefee">

/** The families of Bitcoin and its kin, without a table. */
export const bitcoin: PickableFamily = { families: ["utxo", "utxo-estimatefee"], dialect, checks }

/**
 * Transaction once it is as deep as wanted, in the branch that the chain has kept.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const waitForTransaction: Composed<BitcoinComposed["waitForTransaction"]> = {
  compose: ({ methods }) => composed(methods).waitForTransaction
}

/** What raw calls know: the methods of all these chains. */
const allEndpoints = /*#__PURE__*/ Object.assign({}, endpoints, estimateFeeEndpoints)

/**
 * Sends a whole JSON-RPC body with the caller's id, and yields its `result`. It knows all methods of these chains, and brings their
 * tables with it.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawRpcCall: Composed<RawRpc["rawRpcCall"]> = /*#__PURE__*/ makeRawPick(
  allEndpoints,
  "rawRpcCall"
)

/**
 * Sends several JSON-RPC bodies in one request; yields one outcome per body, in the order of the bodies. It knows all methods of these
 * chains, and brings their tables with it.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawBatchRpcCall: Composed<RawRpc["rawBatchRpcCall"]> = /*#__PURE__*/ makeRawPick(
  allEndpoints,
  "rawBatchRpcCall"
)
