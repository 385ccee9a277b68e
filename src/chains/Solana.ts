/**
 * Solana. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { rpcProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Solana.
 *
 * @since 0.1.0
 * @category family
 */
export const solana: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("getBlockHeight", [], [])
}
