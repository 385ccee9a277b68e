/**
 * Cosmos Hub. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import type { Family } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { InitRpc } from "../promise.js"
import type { MakeRpc, NetworkOf } from "../Sdk.js"
import { rosettaProbe } from "./Cardano.js"

/**
 * The family of Cosmos, whose nodes are asked over the Rosetta routes that it inherits.
 *
 * @since 0.1.0
 * @category family
 */
export const cosmos: Family<{}> = {
  endpoints: {},
  probe: () => rosettaProbe("cosmos", "mainnet")
}

/**
 * Makes the client of Cosmos networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: InitRpc<NetworkOf<"cosmos">> = /*#__PURE__*/ initWith({ cosmos })

/**
 * Makes the client of Cosmos networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: MakeRpc<NetworkOf<"cosmos">> = /*#__PURE__*/ makeWith({ cosmos })
