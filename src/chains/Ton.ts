/**
 * TON: the indexed API under `/v2`, and the classic calls that a lite server answers. Nothing is renamed: fields of
 * objects are those of the wire. In the answers of `/v2` amounts (nanotons, 10^-9 TON, or the smallest unit of a jetton)
 * and logical times are `bigint`; times (seconds), heights and counts are numbers. The classic calls have both as text.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./ton/endpoints.js"

export { endpoints } from "./ton/endpoints.js"
export type * from "./ton/Types.js"

/**
 * The client of TON. Its raw calls go to the classic JSON-RPC.
 *
 * @since 0.1.0
 * @category clients
 */
export interface TonRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of TON.
 *
 * @since 0.1.0
 * @category families
 */
export const ton: Family<typeof endpoints, TonRpc> = {
  endpoints,
  layout: { servers: { tonCenterUrl: { routes: /^\/(?!v2\/)/, path: "/api/v2" } } },
  probe: (_id, _network, isOwn) => ({
    ...getProbe("/v2/liteserver/get_masterchain_info", ["last", "seqno"]),
    ...(isOwn ? { otherwise: getProbe("/getMasterchainInfo", ["result", "last", "seqno"]) } : {})
  })
}
