/**
 * Clients of picked endpoints of Solana: what both surfaces share.
 *
 * @since 0.1.0
 */
import type { AnyNetworkOf } from "../chains/registry.js"
import { checks, composed, endpoints, type SolanaComposed } from "../chains/Solana.js"
import { dialect } from "../chains/solana/endpoints.js"
import type { Composed, RawRpc } from "../transport/Client.js"
import { makeRawPick, type PickableFamily } from "./picked.js"

/**
 * The networks of Solana.
 *
 * @since 0.1.0
 * @category types
 */
export type SolanaNetwork = AnyNetworkOf<"solana">

/** The family of Solana, without its table of endpoints. */
export const solana: PickableFamily = { families: ["solana"], dialect, checks }

/**
 * Waits until a transaction has the wanted confirmations, and returns its status. One that has failed is
 * `TransactionFailed`, unless `allowFailure` asks for its status.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const waitForTransaction: Composed<SolanaComposed["waitForTransaction"]> = {
  compose: ({ methods }) => composed(methods).waitForTransaction
}

/**
 * Sends a whole JSON-RPC body with the caller's id, and returns its `result`. It knows all methods of Solana, so the
 * bundle gets their table.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawRpcCall: Composed<RawRpc["rawRpcCall"]> = /*#__PURE__*/ makeRawPick(endpoints, "rawRpcCall")

/**
 * Sends several JSON-RPC bodies in one request, and returns one outcome per body, in the order of the bodies. It
 * knows all methods of Solana, so the bundle gets their table.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawBatchRpcCall: Composed<RawRpc["rawBatchRpcCall"]> = /*#__PURE__*/ makeRawPick(
  endpoints,
  "rawBatchRpcCall"
)
