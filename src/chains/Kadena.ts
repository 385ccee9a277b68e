/**
 * Kadena (Chainweb). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import { type Init, initWith } from "../promise.js"
import { type Make, makeWith, type NetworkOf } from "../Sdk.js"

/**
 * The family of Kadena: the cut, of which the height of chain 0 is read.
 *
 * @since 0.1.0
 * @category family
 */
export const kadena: Family<{}> = {
  endpoints: {},
  probe: (_, { testnet }) =>
    getProbe(`/chainweb/0.0/${testnet === true ? "testnet04" : "mainnet01"}/cut`, ["hashes", "0", "height"])
}

/**
 * Makes the client of Kadena networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"kadena">> = /*#__PURE__*/ initWith({ kadena })

/**
 * Makes the client of Kadena networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"kadena">> = /*#__PURE__*/ makeWith({ kadena })
