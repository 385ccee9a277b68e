/**
 * Algorand: the node (algod) and the indexer. Answers keep the names of the wire; their integers are `bigint` (amounts
 * in microalgos, 10^-6 Algo, or in the smallest unit of an asset), except `decimals` and the small codes `type` and
 * `action`. Queries are camelCase here and dash-case on the wire.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { algodEndpoints, indexerEndpoints } from "./algorand/endpoints.js"

export { algodEndpoints, indexerEndpoints } from "./algorand/endpoints.js"
export type * from "./algorand/Types.js"

/**
 * The client of algod.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AlgodRpc extends Client<typeof algodEndpoints>, RawRpc {}

/**
 * The client of the indexer.
 *
 * @since 0.1.0
 * @category clients
 */
export interface IndexerRpc extends Client<typeof indexerEndpoints>, RawRpc {}

/**
 * The family of Algorand nodes.
 *
 * @since 0.1.0
 * @category families
 */
export const algod: Family<typeof algodEndpoints, AlgodRpc> = {
  endpoints: algodEndpoints,
  probe: () => getProbe("/v2/status", ["last-round"])
}

/**
 * The family of Algorand indexers.
 *
 * @since 0.1.0
 * @category families
 */
export const indexer: Family<typeof indexerEndpoints, IndexerRpc> = {
  endpoints: indexerEndpoints,
  probe: () => getProbe("/health", ["round"])
}
