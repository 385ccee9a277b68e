/**
 * IOTA and Shimmer (Stardust). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { Init } from "../promise.js"
import type { Make, NetworkOf } from "../Sdk.js"

/**
 * The family of IOTA.
 *
 * @since 0.1.0
 * @category family
 */
export const iota: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/api/core/v2/info", ["status", "latestMilestone", "index"])
}

/**
 * Makes the client of IOTA networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"iota">> = /*#__PURE__*/ initWith({ iota })

/**
 * Makes the client of IOTA networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"iota">> = /*#__PURE__*/ makeWith({ iota })
