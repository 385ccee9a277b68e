/**
 * Algorand: the node (algod) and the indexer. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { getProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Algorand nodes.
 *
 * @since 0.1.0
 * @category family
 */
export const algod: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/v2/status", ["last-round"])
}

/**
 * The family of Algorand indexers.
 *
 * @since 0.1.0
 * @category family
 */
export const indexer: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/health", ["round"])
}
