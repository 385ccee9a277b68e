/**
 * EOS (Vaulta). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { at, type Family } from "../balancer/Family.js"
import { makeWith } from "../internal/assemble.js"
import { initWith } from "../internal/start.js"
import type { InitRpc } from "../promise.js"
import type { MakeRpc, NetworkOf } from "../Sdk.js"

/**
 * The family of EOS.
 *
 * @since 0.1.0
 * @category family
 */
export const eos: Family<{}> = {
  endpoints: {},
  probe: () => ({ verb: "POST", path: "/v1/chain/get_info", height: at("head_block_num") })
}

/**
 * Makes the client of EOS networks on the Promise surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: InitRpc<NetworkOf<"eos">> = /*#__PURE__*/ initWith({ eos })

/**
 * Makes the client of EOS networks on the Effect surface, with nothing of other chains in the bundle. Any other
 * network is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: MakeRpc<NetworkOf<"eos">> = /*#__PURE__*/ makeWith({ eos })
