/**
 * Cardano over Rosetta (Mesh). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { at, type Family, type Probe } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { InitRpc } from "../promise.js"
import type { MakeRpc, NetworkOf } from "../Sdk.js"

/**
 * The probe of a chain behind Rosetta: POST /network/status with the chain's identifier.
 *
 * @since 0.1.0
 * @category family
 */
export const rosettaProbe = (blockchain: string, network: string): Probe => ({
  verb: "POST",
  path: "/network/status",
  body: { network_identifier: { blockchain, network } },
  height: at("current_block_identifier", "index")
})

/**
 * The family of Cardano.
 *
 * @since 0.1.0
 * @category family
 */
export const cardano: Family<{}> = {
  endpoints: {},
  probe: (id) => rosettaProbe("cardano", id === "cardano-mainnet" ? "mainnet" : "preprod")
}

/**
 * Makes the client of Cardano networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: InitRpc<NetworkOf<"cardano">> = /*#__PURE__*/ initWith({ cardano })

/**
 * Makes the client of Cardano networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: MakeRpc<NetworkOf<"cardano">> = /*#__PURE__*/ makeWith({ cardano })
