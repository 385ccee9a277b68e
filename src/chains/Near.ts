/**
 * NEAR: the JSON-RPC API of its nodes. Arguments are camelCase and go out in snake_case; answers keep the names of the wire.
 * Heights, nonces, gas, sizes and times are `bigint` (block times are nanoseconds, which no `number` holds); shards, versions
 * and counts are `number`. Amounts are in yoctoNEAR (10^-24 NEAR), decimal strings. A call that names no block is about the
 * newest final one.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./near/endpoints.js"

export { classify, endpoints } from "./near/endpoints.js"
export type * from "./near/Types.js"

/**
 * The client of NEAR.
 *
 * @since 0.1.0
 * @category clients
 */
export interface NearRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of NEAR.
 *
 * @since 0.1.0
 * @category families
 */
export const near: Family<typeof endpoints, NearRpc> = {
  endpoints,
  probe: () => rpcProbe("status", [], ["sync_info", "latest_block_height"])
}
