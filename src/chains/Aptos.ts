/**
 * Aptos: the REST API of its nodes (`/v1`). Queries are camelCase here and snake_case on the wire; bodies and answers keep the names of
 * the wire. Integers of 64 bits and more are decimal strings where nodes write text, and `bigint` where they write numbers; chain ids,
 * positions and thresholds are `number`. Amounts of APT are in octas (10^-8 APT).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, getProbe, type ReadNativeBalances } from "../balancer/Family.js"
import { group } from "../data/Endpoint.js"
import type { Client, MakeMethods, RawRpc } from "../transport/Client.js"
import {
  dialect,
  endpoints,
  getAccountBalance,
  getBlockByVersion,
  getLedgerInfo,
  getTransactionByHash
} from "./aptos/endpoints.js"
import type { AptosComposed, AptosWaitError, Hash, Transaction } from "./aptos/Types.js"
import {
  makeOutcomeCheck,
  pollUntilConfirmed,
  type SeenTransaction,
  type WaitOptions
} from "./internal/Confirmation.js"

export { endpoints } from "./aptos/endpoints.js"
export type * from "./aptos/Types.js"

/**
 * The client of Aptos.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AptosRpc extends Client<typeof endpoints>, RawRpc, AptosComposed {}

const checkOutcome = /*#__PURE__*/ makeOutcomeCheck<Transaction>((transaction) =>
  transaction.type !== "pending_transaction" && !transaction.success
    ? { reason: transaction.vm_status }
    : undefined
)

/**
 * Makes the methods of the client of Aptos beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (methods: MakeMethods): AptosComposed => {
  const nodes = methods(group(dialect, { getBlockByVersion, getLedgerInfo, getTransactionByHash }))
  const checkTransaction = (
    hash: Hash,
    { confirmations = 1 }: WaitOptions
  ): Effect.Effect<SeenTransaction<Transaction> | undefined, AptosWaitError> =>
    Effect.gen(function* () {
      const transaction = yield* Effect.catchTag(
        nodes.getTransactionByHash({ hash }),
        "RequestRejected",
        (error) => (error.status === 404 ? Effect.succeed(undefined) : Effect.fail(error))
      )
      if (transaction === undefined) return undefined
      if (transaction.type === "pending_transaction") return { transaction, confirmations: 0 }
      if (confirmations === 1) return { transaction, confirmations: 1 }
      const block = yield* nodes.getBlockByVersion({ version: transaction.version })
      const ledger = yield* nodes.getLedgerInfo()
      const above = BigInt(ledger.block_height) - BigInt(block.block_height)
      return { transaction, confirmations: Math.max(1, Number(above) + 1) }
    })
  return {
    waitForTransaction: (hash, options = {}) =>
      pollUntilConfirmed(hash, options, checkTransaction(hash, options), checkOutcome)
  }
}

/**
 * The family of Aptos.
 *
 * @since 0.1.0
 * @category families
 */
export const aptos: Family<typeof endpoints, AptosRpc> = {
  endpoints,
  composed,
  layout: { tail: "/v1" },
  probe: () => getProbe("/v1", ["block_height"])
}

const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const nodes = client(group(dialect, { getAccountBalance }))
  return Effect.forEach(addresses, (address) =>
    nodes.getAccountBalance({ address, assetType: "0x1::aptos_coin::AptosCoin" })
  )
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^0x[0-9a-fA-F]{1,64}$/, "0x and up to 64 hexadecimal digits"],
  nativeBalances
} satisfies FamilyAccounts
