/**
 * Casper. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { Init } from "../promise.js"
import type { Make, NetworkOf } from "../Sdk.js"

/**
 * The family of Casper.
 *
 * @since 0.1.0
 * @category family
 */
export const casper: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("info_get_status", [], ["last_added_block_info", "height"], "/rpc")
}

/**
 * Makes the client of Casper networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"casper">> = /*#__PURE__*/ initWith({ casper })

/**
 * Makes the client of Casper networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"casper">> = /*#__PURE__*/ makeWith({ casper })
