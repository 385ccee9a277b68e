/**
 * Small clients of EVM chains: each endpoint is an import, and so are batches, shared requests, quorums,
 * confirmations and raw calls. A client has exactly the methods that you pick.
 *
 * ```ts
 * import { ETHEREUM } from "effect-chains/chains"
 * import { createClient, getBalance } from "effect-chains/evm"
 *
 * const client = await createClient({ network: ETHEREUM, endpoints: { getBalance } })
 * const balance = await client.rpc.getBalance("0x…")
 * ```
 *
 * @since 0.1.0
 */

import type { Timed } from "../chains/registry.js"
import { type EvmNetwork, type EvmPicked, evm } from "../client/pickEvm.js"
import { makePickedSource } from "../client/picked.js"
import type { PickedInitConfig, PromisePickedClient } from "../client/pickedPromise.js"
import { makePromiseClient } from "../client/promiseSurface.js"
import type { Consistency, ConsistencyError } from "../config/Config.js"
import type { PickedEndpoints } from "../transport/Client.js"
import type { Layers } from "../transport/layerStack.js"

export { make as eip1193, ProviderRpcError } from "../client/adapters/Eip1193.js"
export type { PickedInitConfig, PromisePickedClient } from "../client/pickedPromise.js"
export type { LayeredCallOptions } from "../client/promiseSurface.js"
export * from "./parts/evm.js"

/**
 * Makes a client of picked endpoints of an EVM network. Rejects with `InvalidConfig` for an invalid configuration;
 * unreachable nodes do not reject it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const createClient: <
  const N extends EvmNetwork,
  G extends PickedEndpoints,
  L extends Layers = {},
  C extends Consistency = "eventual"
>(
  config: PickedInitConfig<N, C, G, L>
) => Promise<PromisePickedClient<N, Timed<EvmPicked<N, G>>, L, ConsistencyError<C>>> =
  /*#__PURE__*/ makePromiseClient(/*#__PURE__*/ makePickedSource(evm))
