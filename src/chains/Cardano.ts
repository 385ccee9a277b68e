/**
 * Cardano over Rosetta (Mesh): blocks, balances, unspent outputs, and the construction of transactions, which are signed
 * elsewhere. Arguments have camelCase names; objects inside them may also be as the chain answered them. Amounts are
 * decimal strings of the smallest unit; block indexes, decimals and other numbers that the interface declares are
 * `number`, and any other integer (of metadata, of the result of a call) is a `bigint`.
 *
 * @since 0.1.0
 */
import { type Family, type FamilyAccounts, fieldAt, type Probe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./cardano/endpoints.js"

export { endpoints, rosettaEndpoints } from "./cardano/endpoints.js"
export type * from "./cardano/Types.js"

/**
 * The probe of a chain behind Rosetta: POST /network/status with the chain's identifier.
 *
 * @since 0.1.0
 * @category families
 */
export const rosettaProbe = (blockchain: string, network: string): Probe => ({
  verb: "POST",
  path: "/network/status",
  body: { network_identifier: { blockchain, network } },
  height: fieldAt("current_block_identifier", "index")
})

/**
 * The client of Cardano.
 *
 * @since 0.1.0
 * @category clients
 */
export interface CardanoRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Cardano.
 *
 * @since 0.1.0
 * @category families
 */
export const cardano: Family<typeof endpoints, CardanoRpc> = {
  endpoints,
  probe: (id, { cardano }) =>
    rosettaProbe("cardano", cardano?.network ?? (id === "cardano-mainnet" ? "mainnet" : "preprod"))
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^[0-9A-Za-z_]{4,150}$/, "4 to 150 letters, digits and underscores"],
  oneAddress: true
} satisfies FamilyAccounts
