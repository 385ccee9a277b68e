/**
 * Stellar (Horizon). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { getProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Stellar.
 *
 * @since 0.1.0
 * @category family
 */
export const stellar: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/fee_stats", ["last_ledger"])
}
