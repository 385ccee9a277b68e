/**
 * What clients of picked endpoints of EVM chains are made of, on both surfaces.
 *
 * @since 0.1.0
 */
export * from "../../chains/evm/endpoints.js"
export type * from "../../chains/evm/Types.js"
export {
  type EvmNetwork,
  type EvmPicked,
  rawBatchRpcCall,
  rawRpcCall,
  waitForTransaction
} from "../../client/evm.js"
export type { PickedParts, Picks } from "../../client/picked.js"
export { make as batch } from "../../transport/Batch.js"
export { make as coalesce } from "../../transport/Coalesce.js"
export { make as quorum } from "../../transport/Quorum.js"
export type { Layers } from "../../transport/stack.js"
