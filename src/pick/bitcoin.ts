/**
 * Small clients of Bitcoin, Litecoin, Zcash and Bitcoin Cash: each endpoint is an import, and so are batches, shared
 * requests, quorums, confirmations and raw calls. A client has exactly the methods that you pick.
 *
 * ```ts
 * import { BITCOIN } from "effect-chains/chains"
 * import { createClient, getBlockCount } from "effect-chains/bitcoin"
 *
 * const client = await createClient({ network: BITCOIN, endpoints: { getBlockCount } })
 * const height = await client.rpc.getBlockCount()
 * ```
 *
 * @since 0.1.0
 */

import type { Timed } from "../chains/registry.js"
import { type BitcoinNetwork, bitcoin } from "../client/pickBitcoin.js"
import { makePickedSource } from "../client/picked.js"
import type { PickedInitConfig, PromisePickedClient } from "../client/pickedPromise.js"
import { makePromiseClient } from "../client/promiseSurface.js"
import type { Consistency, ConsistencyError } from "../config/Config.js"
import type { PickedEndpoints, PickedRpc } from "../transport/Client.js"
import type { Layers } from "../transport/layerStack.js"

export type { PickedInitConfig, PromisePickedClient } from "../client/pickedPromise.js"
export type { LayeredCallOptions } from "../client/promiseSurface.js"
export * from "./parts/bitcoin.js"

/**
 * Makes a client of picked endpoints of Bitcoin or one of its forks. Rejects with `InvalidConfig` for an invalid
 * configuration; unreachable nodes do not reject it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const createClient: <
  const N extends BitcoinNetwork,
  G extends PickedEndpoints,
  L extends Layers = {},
  C extends Consistency = "eventual"
>(
  config: PickedInitConfig<N, C, G, L>
) => Promise<PromisePickedClient<N, Timed<PickedRpc<G>>, L, ConsistencyError<C>>> =
  /*#__PURE__*/ makePromiseClient(/*#__PURE__*/ makePickedSource(bitcoin))
