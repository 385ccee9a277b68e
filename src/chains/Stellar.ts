/**
 * Stellar (Horizon). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import { type Init, initWith } from "../promise.js"
import { type Make, makeWith, type NetworkOf } from "../Sdk.js"

/**
 * The family of Stellar.
 *
 * @since 0.1.0
 * @category family
 */
export const stellar: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/fee_stats", ["last_ledger"])
}

/**
 * Makes the client of Stellar networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"stellar">> = /*#__PURE__*/ initWith({ stellar })

/**
 * Makes the client of Stellar networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"stellar">> = /*#__PURE__*/ makeWith({ stellar })
