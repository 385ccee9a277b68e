/**
 * Hedera: the REST API of mirror nodes (`/api/v1`). Queries are camelCase here and have dots on the wire (`accountId` is `account.id`);
 * answers keep the names of the wire. Integers are `bigint`; decimals, positions and the like are `number`. Amounts are in tinybars
 * (10^-8 HBAR) where nothing else is said.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, getProbe, type ReadNativeBalances } from "../balancer/Family.js"
import { group } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { dialect, endpoints, getAccount } from "./hedera/endpoints.js"

export { endpoints } from "./hedera/endpoints.js"
export type * from "./hedera/Types.js"

/**
 * The client of a mirror node.
 *
 * @since 0.1.0
 * @category clients
 */
export interface HederaMirrorRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Hedera's mirror nodes. No answer of theirs names the network: nodes of the table's networks are not asked for it, and
 * those of a definition are asked for the hash of the first block.
 *
 * @since 0.1.0
 * @category families
 */
export const hederaMirror: Family<typeof endpoints, HederaMirrorRpc> = {
  endpoints,
  layout: { tail: "/api/v1" },
  probe: () => getProbe("/api/v1/blocks?limit=1&order=desc", ["blocks", 0, "number"])
}

const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const nodes = client(group(dialect, { getAccount }))
  return Effect.forEach(addresses, (account) =>
    Effect.map(nodes.getAccount({ account, transactions: false }), ({ balance }) => balance?.balance ?? 0n)
  )
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^\d+\.\d+\.\d+$/, "three numbers with points: 0.0.123"],
  nativeBalances
} satisfies FamilyAccounts
