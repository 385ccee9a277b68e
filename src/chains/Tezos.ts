/**
 * Tezos (Octez). Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { getProbe, type Family } from "../balancer/Family.js"

/**
 * The family of Tezos.
 *
 * @since 0.1.0
 * @category family
 */
export const tezos: Family<{}> = {
  endpoints: {},
  probe: () => getProbe("/chains/main/blocks/head/header", ["level"])
}
