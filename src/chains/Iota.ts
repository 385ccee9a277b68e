/**
 * IOTA and Shimmer (Stardust): the node, its indexer and explorer, and Wasp with its chains. Nothing is renamed: fields are
 * those of the wire. Amounts are decimal text (10^-6 of the coin), times are in seconds unless they say otherwise.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./iota/endpoints.js"

export { endpoints } from "./iota/endpoints.js"
export type * from "./iota/Types.js"

/**
 * The client of IOTA and Shimmer.
 *
 * @since 0.1.0
 * @category clients
 */
export interface IotaRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of IOTA.
 *
 * @since 0.1.0
 * @category families
 */
export const iota: Family<typeof endpoints, IotaRpc> = {
  endpoints,
  layout: { servers: { waspUrl: { routes: /^\/(?:v1\/|auth\b)/ } } },
  probe: () => getProbe("/api/core/v2/info", ["status", "latestMilestone", "index"])
}
