/**
 * Bitcoin and the chains that speak the JSON-RPC of Bitcoin Core. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { rpcProbe, type Family } from "../balancer/Family.js"

/**
 * The family of chains that speak the JSON-RPC of Bitcoin Core.
 *
 * @since 0.1.0
 * @category family
 */
export const bitcoin: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("getblockcount", [], [])
}
