/**
 * Stellar through Horizon. Answers keep the names of the wire. Amounts are decimal strings with seven decimals (one
 * lumen is 10^7 stroops), fees and sequence numbers are decimal strings of integers; ledgers and counts are numbers.
 * Queries are camelCase here and snake_case on the wire.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./stellar/endpoints.js"

export { endpoints } from "./stellar/endpoints.js"
export type * from "./stellar/Types.js"

/**
 * The client of Stellar.
 *
 * @since 0.1.0
 * @category clients
 */
export interface StellarRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Stellar.
 *
 * @since 0.1.0
 * @category families
 */
export const stellar: Family<typeof endpoints, StellarRpc> = {
  endpoints,
  probe: () => getProbe("/fee_stats", ["last_ledger"])
}
