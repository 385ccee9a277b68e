/**
 * EOS (Vaulta). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { at, type Family } from "../balancer/Family.js"

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
