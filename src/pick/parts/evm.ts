/**
 * The endpoints and layers for clients of EVM chains, for both surfaces.
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
} from "../../client/pickEvm.js"
export type { PickOptions } from "../../client/picked.js"
export type { PickedEndpoints } from "../../transport/Client.js"
export type { Layers } from "../../transport/layerStack.js"
export * from "../../transport/layers.js"
