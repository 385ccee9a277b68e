/**
 * TON. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { getProbe, type Family } from "../balancer/Family.js"

/**
 * The family of TON.
 *
 * @since 0.1.0
 * @category family
 */
export const ton: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/v2/liteserver/get_masterchain_info", ["last", "seqno"])
}
