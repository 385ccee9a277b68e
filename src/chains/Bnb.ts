/**
 * BNB Beacon Chain (Tendermint RPC). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { rpcProbe, type Family } from "../balancer/Family.js"

/**
 * The family of the BNB Beacon Chain.
 *
 * @since 0.1.0
 * @category family
 */
export const bnb: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("block", {}, ["block", "header", "height"])
}
