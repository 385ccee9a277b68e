/**
 * Casper over JSON-RPC, as nodes of 1.x and the sidecar of 2.x have it. A block is named by its height (a number) or its
 * hash (text). Arguments and answers have the names of the wire; amounts are decimal strings in motes (10^-9 CSPR), and
 * integers are `bigint` (heights, eras, ids), except weights, rates and versions.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./casper/endpoints.js"

export { classify, endpoints } from "./casper/endpoints.js"
export type * from "./casper/Types.js"

/**
 * The client of Casper.
 *
 * @since 0.1.0
 * @category clients
 */
export interface CasperRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Casper.
 *
 * @since 0.1.0
 * @category families
 */
export const casper: Family<typeof endpoints, CasperRpc> = {
  endpoints,
  layout: { servers: { jsonRpcUrl: { routes: /^$/, path: "/rpc" } } },
  probe: (_id, _network, isOwn) =>
    rpcProbe("info_get_status", [], ["last_added_block_info", "height"], isOwn ? "" : "/rpc")
}
