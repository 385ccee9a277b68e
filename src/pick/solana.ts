/**
 * Small clients of Solana: each endpoint is an import, and so are batches, shared requests, quorums, confirmations
 * and raw calls. A client has exactly the methods that you pick.
 *
 * ```ts
 * import { SOLANA } from "effect-chains/chains"
 * import { createClient, getBalance } from "effect-chains/solana"
 *
 * const client = await createClient({ network: SOLANA, endpoints: { getBalance } })
 * const balance = await client.rpc.getBalance("11111111111111111111111111111111")
 * ```
 *
 * @since 0.1.0
 */

import type { Timed } from "../chains/registry.js"
import { makePickedSource } from "../client/picked.js"
import type { PickedInitConfig, PromisePickedClient } from "../client/pickedPromise.js"
import { type SolanaNetwork, solana } from "../client/pickSolana.js"
import { makePromiseClient } from "../client/promiseSurface.js"
import type { Consistency, ConsistencyError } from "../config/Config.js"
import type { PickedEndpoints, PickedRpc } from "../transport/Client.js"
import type { Layers } from "../transport/layerStack.js"

export type { PickedInitConfig, PromisePickedClient } from "../client/pickedPromise.js"
export type { LayeredCallOptions } from "../client/promiseSurface.js"
export * from "./parts/solana.js"

/**
 * Makes a client of picked endpoints of a Solana network. Rejects with `InvalidConfig` for an invalid configuration;
 * unreachable nodes do not reject it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const createClient: <
  const N extends SolanaNetwork,
  G extends PickedEndpoints,
  L extends Layers = {},
  C extends Consistency = "eventual"
>(
  config: PickedInitConfig<N, C, G, L>
) => Promise<PromisePickedClient<N, Timed<PickedRpc<G>>, L, ConsistencyError<C>>> =
  /*#__PURE__*/ makePromiseClient(/*#__PURE__*/ makePickedSource(solana))
