/**
 * Solana: the JSON-RPC of its nodes. Integers of results are `bigint` (lamports, slots, Unix times in seconds), but for
 * small ones that cannot grow: decimals, indices, versions, commissions in percent, error codes. Addresses, hashes and
 * signatures are Base58.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import {
  type Family,
  type FamilyAccounts,
  type FamilyNodes,
  fieldAt,
  type ReadNativeBalances,
  rpcProbe
} from "../balancer/Family.js"
import { group } from "../data/Endpoint.js"
import { TransactionExpired, type TransactionFailed } from "../data/SdkError.js"
import { toPrintableJson } from "../data/untrusted.js"
import type { Client, MakeMethods, RawRpc } from "../transport/Client.js"
import {
  makeOutcomeCheck,
  pollUntilConfirmed,
  type SeenTransaction,
  type WaitError,
  type WaitOptions
} from "./internal/Confirmation.js"
import { dialect, getBalance, getEpochInfo, getSignatureStatuses } from "./solana/endpoints.js"
import type { Commitment, Integer, Signature, SignatureStatus } from "./solana/Types.js"
import { table } from "./solana/table.js"

export { classify, needsArchive } from "./solana/endpoints.js"
export type * from "./solana/Types.js"

/**
 * The endpoints of Solana.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof table = /*#__PURE__*/ group(dialect, table)

/**
 * Options of waiting for a transaction: `confirmations` blocks, or a `commitment` (default `confirmed`), whichever is more. With
 * `lastValidBlockHeight`, the wait ends with `TransactionExpired` once a later block is final and the chain does not have the transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface SolanaWaitOptions extends WaitOptions {
  readonly commitment?: Commitment
  readonly lastValidBlockHeight?: Integer
}

/**
 * The errors of waiting for a transaction of Solana.
 *
 * @since 0.1.0
 * @category errors
 */
export type SolanaWaitError = WaitError | TransactionExpired | TransactionFailed<SignatureStatus>

/**
 * The methods of the client of Solana beside single calls.
 *
 * @since 0.1.0
 * @category clients
 */
export interface SolanaComposed {
  /**
   * Status of a transaction once it is as deep as wanted. One that has failed is `TransactionFailed`, unless `allowFailure` asks for its
   * status, whose `err` tells why.
   */
  readonly waitForTransaction: (
    signature: Signature,
    options?: SolanaWaitOptions
  ) => Effect.Effect<SignatureStatus, SolanaWaitError>
}

const checkOutcome = /*#__PURE__*/ makeOutcomeCheck<SignatureStatus>(({ err }) =>
  err === null || err === undefined ? undefined : { reason: toPrintableJson(err) ?? "it has failed" }
)

const commitmentDepths: { readonly [C in Commitment]: number } = { processed: 0, confirmed: 1, finalized: 2 }

/**
 * Makes the methods of the client of Solana beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (methods: MakeMethods): SolanaComposed => {
  const rpc = methods(group(dialect, { getEpochInfo, getSignatureStatuses }))
  const checkTransaction = (
    signature: Signature,
    { commitment = "confirmed", lastValidBlockHeight }: SolanaWaitOptions
  ): Effect.Effect<SeenTransaction<SignatureStatus> | undefined, SolanaWaitError> =>
    Effect.gen(function* () {
      // the height first: a transaction that is in no block at it can be in none after it. Blocks that are not final may be given up
      const reached =
        lastValidBlockHeight === undefined ? undefined : yield* rpc.getEpochInfo({ commitment: "finalized" })
      const { context, value } = yield* rpc.getSignatureStatuses([signature], {
        searchTransactionHistory: true
      })
      const status = value[0] ?? undefined
      if (status !== undefined) {
        const depth = commitmentDepths[status.confirmationStatus ?? "processed"]
        const confirmations =
          status.confirmations === null ? Number.POSITIVE_INFINITY : Number(status.confirmations) + 1
        return depth < commitmentDepths[commitment] ? undefined : { transaction: status, confirmations }
      }
      if (
        reached === undefined ||
        lastValidBlockHeight === undefined ||
        reached.blockHeight <= BigInt(lastValidBlockHeight) ||
        // the node that knows nothing of it may be another one, which is behind
        context.slot < reached.absoluteSlot
      )
        return undefined
      return yield* new TransactionExpired({
        hash: signature,
        lastValidBlockHeight: BigInt(lastValidBlockHeight),
        height: reached.blockHeight
      })
    })
  return {
    waitForTransaction: (signature, options = {}) =>
      pollUntilConfirmed(signature, options, checkTransaction(signature, options), checkOutcome)
  }
}

/**
 * The JSON-RPC client of Solana.
 *
 * @since 0.1.0
 * @category clients
 */
export interface SolanaRpc extends Client<typeof endpoints>, RawRpc, SolanaComposed {}

/** Balances as the node last saw them, in lamports. An address without a balance in the batch is asked for by itself. */
const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const nodes = client(group(dialect, { getBalance }))
  const config = { commitment: "processed" } as const
  const bodies = addresses.map((address) => ({ method: "getBalance", params: [address, config] }))
  return Effect.flatMap(nodes.rawBatchRpcCall(bodies), (items) =>
    Effect.forEach(addresses, (address, i) => {
      const lamports = fieldAt("value")(items[i]?.pipe(Either.getOrNull))
      return typeof lamports === "bigint"
        ? Effect.succeed(lamports)
        : Effect.map(nodes.getBalance(address, config), ({ value }) => value)
    })
  )
}

const probe = () => rpcProbe("getBlockHeight", [], [])

/**
 * How Solana's nodes are checked.
 *
 * @since 0.1.0
 * @category families
 */
export const checks = { probe } satisfies FamilyNodes

/**
 * The highest version of transactions whose answers `Types` describe: what to ask nodes for, which refuse to show newer ones than they
 * are asked for (code -32015).
 *
 * @since 0.1.0
 * @category constants
 */
export const highestTransactionVersion = 1

/**
 * The family of Solana.
 *
 * @since 0.1.0
 * @category families
 */
export const solana: Family<typeof endpoints, SolanaRpc> = { endpoints, probe, composed }

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "32 to 44 digits of base58"],
  nativeBalances
} satisfies FamilyAccounts
