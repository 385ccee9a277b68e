/**
 * XRP Ledger. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { Init } from "../promise.js"
import type { Make, NetworkOf } from "../Sdk.js"

/**
 * The family of the XRP Ledger.
 *
 * @since 0.1.0
 * @category family
 */
export const xrp: Family<{}> = {
  endpoints: {},
  probe: () =>
    rpcProbe(
      "ledger",
      [{ ledger_index: "current", transactions: false, expand: false, owner_funds: false }],
      ["ledger_current_index"]
    )
}

/**
 * Makes the client of networks of the XRP ledger on the Promise surface, with nothing of other chains in the bundle.
 * Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"xrp">> = /*#__PURE__*/ initWith({ xrp })

/**
 * Makes the client of networks of the XRP ledger on the Effect surface, with nothing of other chains in the bundle.
 * Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"xrp">> = /*#__PURE__*/ makeWith({ xrp })
