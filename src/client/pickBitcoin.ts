/**
 * Clients of picked endpoints of Bitcoin and its forks: what both surfaces share.
 *
 * @since 0.1.0
 */
import { type BitcoinComposed, checks, composed, endpoints, estimateFeeEndpoints } from "../chains/Bitcoin.js"
import { dialect } from "../chains/bitcoin/endpoints.js"
import type { AnyNetworkOf } from "../chains/registry.js"
import type { Composed, RawRpc } from "../transport/Client.js"
import { makeRawPick, type PickableFamily } from "./picked.js"

/**
 * The networks of Bitcoin, Litecoin, Zcash and Bitcoin Cash. Dogecoin is not among them: its nodes take other
 * arguments.
 *
 * @since 0.1.0
 * @category types
 */
export type BitcoinNetwork = AnyNetworkOf<"utxo" | "utxo-estimatefee">

/** The families of Bitcoin and its forks, without their table of endpoints. */
export const bitcoin: PickableFamily = { families: ["utxo", "utxo-estimatefee"], dialect, checks }

/**
 * Waits until a transaction has the wanted confirmations in the chain's main branch, and returns it.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const waitForTransaction: Composed<BitcoinComposed["waitForTransaction"]> = {
  compose: ({ methods }) => composed(methods).waitForTransaction
}

/** The methods that raw calls know: those of all these chains. */
const allEndpoints = /*#__PURE__*/ Object.assign({}, endpoints, estimateFeeEndpoints)

/**
 * Sends a whole JSON-RPC body with the caller's id, and returns its `result`. It knows all methods of these chains,
 * so the bundle gets their tables.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawRpcCall: Composed<RawRpc["rawRpcCall"]> = /*#__PURE__*/ makeRawPick(
  allEndpoints,
  "rawRpcCall"
)

/**
 * Sends several JSON-RPC bodies in one request, and returns one outcome per body, in the order of the bodies. It
 * knows all methods of these chains, so the bundle gets their tables.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawBatchRpcCall: Composed<RawRpc["rawBatchRpcCall"]> = /*#__PURE__*/ makeRawPick(
  allEndpoints,
  "rawBatchRpcCall"
)
