/**
 * Bitcoin and the chains that speak the JSON-RPC of Bitcoin Core. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import { type Init, initWith } from "../promise.js"
import { type Make, makeWith, type NetworkOf } from "../Sdk.js"

/**
 * The family of chains that speak the JSON-RPC of Bitcoin Core.
 *
 * @since 0.1.0
 * @category family
 */
export const bitcoin: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("getblockcount", [], [])
}

/**
 * Makes the client of networks that speak the JSON-RPC of Bitcoin Core on the Promise surface, with nothing of other
 * chains in the bundle. Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<NetworkOf<"utxo" | "utxo-estimatefee" | "doge">> = /*#__PURE__*/ initWith({
  utxo: bitcoin,
  "utxo-estimatefee": bitcoin,
  doge: bitcoin
})

/**
 * Makes the client of networks that speak the JSON-RPC of Bitcoin Core on the Effect surface, with nothing of other
 * chains in the bundle. Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<NetworkOf<"utxo" | "utxo-estimatefee" | "doge">> = /*#__PURE__*/ makeWith({
  utxo: bitcoin,
  "utxo-estimatefee": bitcoin,
  doge: bitcoin
})
