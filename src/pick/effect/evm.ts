/**
 * Small Effect clients of EVM chains: each endpoint is an import, and so are batches, shared requests, quorums,
 * confirmations and raw calls. A client has exactly the methods that you pick.
 *
 * ```ts
 * import { ETHEREUM } from "effect-chains/chains"
 * import { createClient, getBalance } from "effect-chains/effect/evm"
 *
 * const client = yield* createClient({ network: ETHEREUM, endpoints: { getBalance } })
 * const balance = yield* client.rpc.getBalance("0x…")
 * ```
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { makeEffectClient } from "../../client/effectSurface.js"
import { type EvmNetwork, type EvmPicked, evm } from "../../client/pickEvm.js"
import { makePickedSource, type PickedClient, type PickedConfig } from "../../client/picked.js"
import type { Consistency, ConsistencyError } from "../../config/Config.js"
import type { OnThisEffect } from "../../data/effectVersion.js"
import type { InitError } from "../../data/SdkError.js"
import type { Http } from "../../http/service.js"
import type { PickedEndpoints } from "../../transport/Client.js"
import type { Layers } from "../../transport/layerStack.js"

export type { PickedClient, PickedConfig } from "../../client/picked.js"
export * from "../parts/evm.js"

/**
 * Makes a client of picked endpoints of an EVM network, for as long as the scope lasts. Fails for an invalid
 * configuration; unreachable nodes do not fail it.
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
  config: OnThisEffect<PickedConfig<N, C, G, L>>
) => Effect.Effect<PickedClient<N, EvmPicked<N, G>, ConsistencyError<C>>, InitError, Http | Scope.Scope> =
  /*#__PURE__*/ makeEffectClient(/*#__PURE__*/ makePickedSource(evm))
