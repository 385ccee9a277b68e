/**
 * Tezos (Octez). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import { type Init, initWith } from "../promise.js"
import { type Make, makeWith, type NetworkOf } from "../Sdk.js"

/**
 * The family of Tezos.
 *
 * @since 0.1.0
 * @category family
 */
export const tezos: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/chains/main/blocks/head/header", ["level"])
}

/**
 * Makes the client of Tezos networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"tezos">> = /*#__PURE__*/ initWith({ tezos })

/**
 * Makes the client of Tezos networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"tezos">> = /*#__PURE__*/ makeWith({ tezos })
