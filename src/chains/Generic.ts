/**
 * The client of networks that have none of their own: raw JSON-RPC calls.
 *
 * @since 0.1.0
 */
import type { Family } from "../balancer/Family.js"
import type { RawRpc } from "../Client.js"
import { group } from "../Endpoint.js"
import { makeWith } from "../internal/assemble.js"
import { faultOf } from "../internal/faults.js"
import { initWith } from "../internal/start.js"
import type { InitRpc } from "../promise.js"
import type { MakeRpc, NetworkOf } from "../Sdk.js"

/**
 * The client of a network without endpoints of its own.
 *
 * @since 0.1.0
 * @category client
 */
export interface GenericRpc extends RawRpc {}

/**
 * The family of networks without endpoints of their own: nothing is known of how to ask for a height, so their nodes are
 * not checked.
 *
 * @since 0.1.0
 * @category family
 */
export const generic: Family<{}> = { endpoints: group({ classify: faultOf }, {}) }

/**
 * Makes the client of networks without endpoints of their own on the Promise surface, with nothing of other chains
 * in the bundle. Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: InitRpc<NetworkOf<"generic">> = /*#__PURE__*/ initWith({ generic })

/**
 * Makes the client of networks without endpoints of their own on the Effect surface, with nothing of other chains in
 * the bundle. Any other network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: MakeRpc<NetworkOf<"generic">> = /*#__PURE__*/ makeWith({ generic })
