/**
 * Clients of picked endpoints of EVM chains: what both surfaces share.
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
 * The methods of picked endpoints on a network. Answers of rollups have further fields.
 *
 * @since 0.1.0
 * @category types
 */
export type EvmPicked<N extends EvmNetwork, G> = N extends { readonly rollup: infer R extends Rollup }
  ? WithAnswers<PickedRpc<G>, RollupAnswers[R]>
  : N extends keyof RollupStacks
    ? WithAnswers<PickedRpc<G>, RollupAnswers[RollupStacks[N] & Rollup]>
    : PickedRpc<G>

/** The families of EVM chains, without their tables of endpoints. */
export const evm: PickableFamily = { families: evmFamilies, dialect, checks }

/**
 * Waits until a transaction has the wanted confirmations in the chain's main branch, and returns its receipt. One that has
 * failed is `TransactionFailed`, unless `allowFailure` asks for its receipt.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const waitForTransaction: Composed<EvmComposed["waitForTransaction"]> = {
  compose: ({ methods }) => composed(methods).waitForTransaction
}

/**
 * Sends a whole JSON-RPC body with the caller's id, and returns its `result`. It knows all methods of EVM chains, so
 * the bundle gets their table.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawRpcCall: Composed<RawRpc["rawRpcCall"]> = /*#__PURE__*/ makeRawPick(endpoints, "rawRpcCall")

/**
 * Sends several JSON-RPC bodies in one request, and returns one outcome per body, in the order of the bodies. It
 * knows all methods of EVM chains, so the bundle gets their table.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rawBatchRpcCall: Composed<RawRpc["rawBatchRpcCall"]> = /*#__PURE__*/ makeRawPick(
  endpoints,
  "rawBatchRpcCall"
)
