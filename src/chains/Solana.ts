/**
 * Solana. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import { type Init, initWith } from "../promise.js"
import { type Make, makeWith, type NetworkOf } from "../Sdk.js"

/**
 * The family of Solana.
 *
 * @since 0.1.0
 * @category family
 */
export const solana: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("getBlockHeight", [], [])
}

/**
 * Makes the client of Solana networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"solana">> = /*#__PURE__*/ initWith({ solana })

/**
 * Makes the client of Solana networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"solana">> = /*#__PURE__*/ makeWith({ solana })
