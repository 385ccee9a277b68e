/**
 * Rostrum and electrs: Electrum servers with a JSON-RPC over HTTP. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import { type Init, initWith } from "../promise.js"
import { type Make, makeWith, type NetworkOf } from "../Sdk.js"

/**
 * The family of Electrum servers.
 *
 * @since 0.1.0
 * @category family
 */
export const rostrum: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("blockchain.headers.tip", [], ["height"])
}

/**
 * Makes the client of Electrum servers (rostrum and electrs) on the Promise surface, with nothing of other chains in
 * the bundle. Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"rostrum" | "electrs">> = /*#__PURE__*/ initWith({
  rostrum,
  electrs: rostrum
})

/**
 * Makes the client of Electrum servers (rostrum and electrs) on the Effect surface, with nothing of other chains in
 * the bundle. Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"rostrum" | "electrs">> = /*#__PURE__*/ makeWith({
  rostrum,
  electrs: rostrum
})
