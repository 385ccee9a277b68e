/**
 * Ethereum with both of its layers: the JSON-RPC of the execution layer, and the REST routes of the beacon chain under
 * `beacon.v1`.
 *
 * @since 0.1.0
 */
import type { Family } from "../balancer/Family.js"
import { group } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import * as Beacon from "./Beacon.js"
import * as Evm from "./Evm.js"

/**
 * The endpoints of Ethereum.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof Evm.endpoints & { readonly beacon: typeof Beacon.endpoints } = group(
  Evm.dialect,
  { ...Evm.endpoints, beacon: Beacon.endpoints }
)

/**
 * The client of Ethereum.
 *
 * @since 0.1.0
 * @category clients
 */
export interface EthereumRpc extends Client<typeof endpoints>, RawRpc, Evm.EvmComposed {}

/**
 * The family of Ethereum.
 *
 * @since 0.1.0
 * @category families
 */
export const ethereum: Family<typeof endpoints, EthereumRpc> = {
  endpoints,
  ...Evm.nodes,
  layout: { servers: { beaconUrl: { routes: /^\/eth\// } } }
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = Evm.accounts
