/**
 * Rostrum and electrs: Electrum servers with a JSON-RPC over HTTP. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { rpcProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Electrum servers.
 *
 * @since 0.1.0
 * @category family
 */
export const rostrum: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("blockchain.headers.tip", [], ["height"])
}
