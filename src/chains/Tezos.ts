/**
 * Tezos through an Octez node. Answers keep the names of the wire. Amounts (mutez, 10^-6 tez), counters, gas and all
 * other integers of 64 bits or more are decimal strings; levels, cycles and counts are numbers. A call that says nothing
 * else is about the head of the main chain: `chainId` is `main`, `test`, or a chain's id, and `block` is `head`,
 * `genesis`, a level, a hash, or one of them with `~2` behind it, for the second block before.
 *
 * @since 0.1.0
 */
import { type Family, type FamilyAccounts, getProbe } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./tezos/endpoints.js"

export { endpoints } from "./tezos/endpoints.js"
export type * from "./tezos/Types.js"

/**
 * The client of Tezos.
 *
 * @since 0.1.0
 * @category clients
 */
export interface TezosRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Tezos.
 *
 * @since 0.1.0
 * @category families
 */
export const tezos: Family<typeof endpoints, TezosRpc> = {
  endpoints,
  probe: () => getProbe("/chains/main/blocks/head/header", ["level"])
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^(tz[1-4]|KT1|sr1)[1-9A-HJ-NP-Za-km-z]{33}$/, "tz1 to tz4, KT1 or sr1, and 33 digits of base58"]
} satisfies FamilyAccounts
