/**
 * TON. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { Init } from "../promise.js"
import type { Make, NetworkOf } from "../Sdk.js"

/**
 * The family of TON.
 *
 * @since 0.1.0
 * @category family
 */
export const ton: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/v2/liteserver/get_masterchain_info", ["last", "seqno"])
}

/**
 * Makes the client of TON networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"ton">> = /*#__PURE__*/ initWith({ ton })

/**
 * Makes the client of TON networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"ton">> = /*#__PURE__*/ makeWith({ ton })
