/**
 * BNB Beacon Chain (Tendermint RPC). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { Init } from "../promise.js"
import type { Make, NetworkOf } from "../Sdk.js"

/**
 * The family of the BNB Beacon Chain.
 *
 * @since 0.1.0
 * @category family
 */
export const bnb: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("block", {}, ["block", "header", "height"])
}

/**
 * Makes the client of the BNB Beacon Chain on the Promise surface, with nothing of other chains in the bundle. Any
 * other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"bnb">> = /*#__PURE__*/ initWith({ bnb })

/**
 * Makes the client of the BNB Beacon Chain on the Effect surface, with nothing of other chains in the bundle. Any
 * other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"bnb">> = /*#__PURE__*/ makeWith({ bnb })
