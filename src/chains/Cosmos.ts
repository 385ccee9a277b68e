/**
 * Cosmos Hub over the REST routes of the Cosmos SDK, and over those of Rosetta that it inherits (see `Cardano`). Names of
 * arguments and answers are those of the wire. 64-bit integers of answers are decimal strings, small ones are numbers;
 * amounts are decimal strings in the denomination beside them (1 ATOM = 10^6 uatom), rates and shares are decimal strings
 * with 18 decimals. A transaction that the chain does not take is an error; one that failed in its block is an answer.
 *
 * @since 0.1.0
 */
import { type Family, getProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { rosettaProbe } from "./Cardano.js"
import { endpoints } from "./cosmos/endpoints.js"

export { classify, endpoints } from "./cosmos/endpoints.js"
export type * from "./cosmos/Types.js"

/**
 * The client of Cosmos.
 *
 * @since 0.1.0
 * @category clients
 */
export interface CosmosRpc extends Client<typeof endpoints>, RawRpc {}

const latestBlock = getProbe("/cosmos/base/tendermint/v1beta1/blocks/latest", ["block", "header", "height"])

const rosetta = rosettaProbe("cosmos", "mainnet")

/**
 * The family of Cosmos. The provider has the routes of the Cosmos SDK under /api, and those of Rosetta beside them; an own node's
 * url is that of the REST server of the Cosmos SDK. The Rosetta server is another program, for which there is `rosettaUrl`.
 *
 * @since 0.1.0
 * @category families
 */
export const cosmos: Family<typeof endpoints, CosmosRpc> = {
  endpoints,
  layout: {
    provider: { routes: /^\/cosmos\//, prefix: "/api" },
    servers: { rosettaUrl: { routes: /^\/(?!cosmos\/)/ } }
  },
  // nobody knows what a Rosetta server calls a chain that is not in the table
  probe: (_id, { cosmos }, isOwn) =>
    cosmos !== undefined ? latestBlock : isOwn ? { ...latestBlock, otherwise: rosetta } : rosetta
}
