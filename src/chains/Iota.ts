/**
 * IOTA and Shimmer (Stardust). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { getProbe, type Family } from "../balancer/Family.js"

/**
 * The family of IOTA.
 *
 * @since 0.1.0
 * @category family
 */
export const iota: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/api/core/v2/info", ["status", "latestMilestone", "index"])
}
