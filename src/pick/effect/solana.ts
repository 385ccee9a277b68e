/**
 * Small Effect clients of Solana: each endpoint is an import, and so are batches, shared requests, quorums,
 * confirmations and raw calls. A client has exactly the methods that you pick.
 *
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { SOLANA } from "effect-chains/chains"
 * import { createClient, getBalance } from "effect-chains/effect/solana"
 *
 * const program = Effect.gen(function* () {
 *   const client = yield* createClient({ network: SOLANA, endpoints: { getBalance } })
 *   return yield* client.rpc.getBalance("11111111111111111111111111111111")
 * })
 * ```
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { makeEffectClient } from "../../client/effectSurface.js"
import { makePickedSource, type PickedClient, type PickedConfig } from "../../client/picked.js"
import { type SolanaNetwork, solana } from "../../client/pickSolana.js"
import type { Consistency, ConsistencyError } from "../../config/Config.js"
import type { OnThisEffect } from "../../data/effectVersion.js"
import type { InitError } from "../../data/SdkError.js"
import type { Http } from "../../http/service.js"
import type { PickedEndpoints, PickedRpc } from "../../transport/Client.js"
import type { Layers } from "../../transport/layerStack.js"

export type { PickedClient, PickedConfig } from "../../client/picked.js"
export * from "../parts/solana.js"

/**
 * Makes a client of picked endpoints of a Solana network, for as long as the scope lasts. Fails for an invalid
 * configuration; unreachable nodes do not fail it.
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
  config: OnThisEffect<PickedConfig<N, C, G, L>>
) => Effect.Effect<PickedClient<N, PickedRpc<G>, ConsistencyError<C>>, InitError, Http | Scope.Scope> =
  /*#__PURE__*/ makeEffectClient(/*#__PURE__*/ makePickedSource(solana))
