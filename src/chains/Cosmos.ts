/**
 * Cosmos Hub. Its nodes are checked here; its endpoints are called raw until their table arrives.
 *
 * @since 0.1.0
 */
import { type Family } from "../balancer/Family.js"
import { rosettaProbe } from "./Cardano.js"

/**
 * The family of Cosmos, whose nodes are asked over the Rosetta routes that it inherits.
 *
 * @since 0.1.0
 * @category family
 */
export const cosmos: Family<{}> = {
  endpoints: {},
  probe: () => rosettaProbe("cosmos", "mainnet")
}
