/**
 * Casper. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { rpcProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Casper.
 *
 * @since 0.1.0
 * @category family
 */
export const casper: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("info_get_status", [], ["last_added_block_info", "height"], "/rpc")
}
