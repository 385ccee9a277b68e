/**
 * XRP Ledger. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { rpcProbe, type Family } from "../balancer/Family.js"

/**
 * The family of the XRP Ledger.
 *
 * @since 0.1.0
 * @category family
 */
export const xrp: Family<{}> = {
  endpoints: {},
  probe: () => rpcProbe("ledger", [{ ledger_index: "current", transactions: false, expand: false, owner_funds: false }], ["ledger_current_index"])
}
