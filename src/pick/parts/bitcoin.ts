/**
 * The endpoints and layers for clients of Bitcoin and its forks, for both surfaces.
 *
 * @since 0.1.0
 */
export * from "../../chains/bitcoin/cash.js"
export * from "../../chains/bitcoin/endpoints.js"
export * from "../../chains/bitcoin/modern.js"
export type * from "../../chains/bitcoin/Types.js"
export * from "../../chains/bitcoin/zcash.js"
export {
  type BitcoinNetwork,
  rawBatchRpcCall,
  rawRpcCall,
  waitForTransaction
} from "../../client/pickBitcoin.js"
export type { PickOptions } from "../../client/picked.js"
export type { PickedEndpoints } from "../../transport/Client.js"
export type { Layers } from "../../transport/layerStack.js"
export * from "../../transport/layers.js"
