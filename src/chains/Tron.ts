/**
 * Tron. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { rpcProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Tron, whose nodes answer the height as EVM nodes do.
 *
 * @since 0.1.0
 * @category family
 */
export const tron: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("eth_blockNumber", [], [])
}
