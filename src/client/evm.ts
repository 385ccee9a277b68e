/**
 * What clients of picked endpoints of EVM chains have in common on both surfaces.
 *
 * @since 0.1.0
 */
import { checks, composed, dialect, type EvmComposed, endpoints, type RollupAnswers } from "../chains/Evm.js"
import type { AnyNetworkOf } from "../chains/registry.js"
import { evmFamilies, type Rollup, type RollupStacks } from "../data/Network.js"
import type { Composed, PickedRpc, RawRpc, WithAnswers } from "../transport/Client.js"
import { makeRawPick, type PickableFamily } from "./picked.js"

/**
 * The networks whose nodes speak the JSON-RPC of EVM chains.
 *
 * @since 0.1.0
 * @category types
 */
export type EvmNetwork = AnyNetworkOf<(typeof evmFamilies)[number]>

/**
 * The methods of picked endpoints on a network: answers of rollups have fields of their own.
 *
 * @since 0.1.0
 * @category types
 */
export type EvmPicked<N extends EvmNetwork, G> = N extends { readonly rollup: infer R extends Rollup }
  ? WithAnswers<PickedRpc<G>, RollupAnswers[R]>
  : N extends keyof RollupStacks
    ? WithAnswers<PickedRpc<G>, RollupAnswers[RollupStacks[N] & Rollup]>
    : PickedRpc<G>

/** The families of EVM chains, without a table. */
export const evm: PickableFamily = { families: evmFamilies, dialect, checks }

/**
 * Receipt of a transaction once it is as deep as wanted, in the branch that the chain has kept; it may have failed.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const waitForTransaction: Composed<EvmComposed["waitForTransaction"]> = {
  compose: ({ methods }) => composed(methods).waitForTransaction
}

/**
 * Sends a whole JSON-RPC body with the caller's id, and yields its `result`. It knows all methods of EVM chains, and brings their
 * table with it.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawRpcCall: Composed<RawRpc["rawRpcCall"]> = /*#__PURE__*/ makeRawPick(endpoints, "rawRpcCall")

/**
 * Sends several JSON-RPC bodies in one request; yields one outcome per body, in the order of the bodies. It knows all methods of EVM
 * chains, and brings their table with it.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawBatchRpcCall: Composed<RawRpc["rawBatchRpcCall"]> = /*#__PURE__*/ makeRawPick(
  endpoints,
  "rawBatchRpcCall"
)
