/**
 * Kadena (Chainweb). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { getProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Kadena: the cut, of which the height of chain 0 is read.
 *
 * @since 0.1.0
 * @category family
 */
export const kadena: Family<{}> = {
  endpoints: {},
  probe: (_, { testnet }) => getProbe(`/chainweb/0.0/${testnet === true ? "testnet04" : "mainnet01"}/cut`, ["hashes", "0", "height"])
}
