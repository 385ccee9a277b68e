/**
 * The endpoints and layers for clients of Solana, for both surfaces.
 *
 * @since 0.1.0
 */
export * from "../../chains/solana/endpoints.js"
export type * from "../../chains/solana/Types.js"
export type { PickOptions } from "../../client/picked.js"
export {
  rawBatchRpcCall,
  rawRpcCall,
  type SolanaNetwork,
  waitForTransaction
} from "../../client/pickSolana.js"
export type { PickedEndpoints } from "../../transport/Client.js"
export type { Layers } from "../../transport/layerStack.js"
export * from "../../transport/layers.js"
