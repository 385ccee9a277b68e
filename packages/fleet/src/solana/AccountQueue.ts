/**
 * The payments of an account of Solana: each is signed with a blockhash, stored, and sent. It is signed anew, with another blockhash, only once
 * nothing that was signed for it can land any more.
 */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Network, SdkError } from "effect-chains"
import type { PrepareError, ReadError } from "effect-chains/effect/signers/Evm"
import type { WithPolicy } from "effect-chains/effect/signers/policy"
import { type SolanaSigner, withAgreement } from "effect-chains/effect/signers/Solana"
import type { Unsigned } from "../durable/Order.js"
import type { Account } from "../Ledger.js"
import type { Order, Plan } from "./Order.js"
import type { PaymentKey, SignedStore, SignedTransaction } from "./SignedStore.js"

export interface SignatureStatus {
  readonly slot: bigint
  readonly err: unknown
  readonly confirmationStatus?: string | null
}

/**
 * The part of a client that durable payments use. Every client of Solana has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaTransactionClient {
  readonly network: Network.Network
  readonly rpc: {
    readonly getEpochInfo: (config: {
      readonly commitment: "finalized"
    }) => Effect.Effect<{ readonly absoluteSlot: bigint; readonly blockHeight: bigint }, ReadError>
    readonly getFirstAvailableBlock: () => Effect.Effect<bigint, ReadError>
    readonly getLatestBlockhash: (config: { readonly commitment: "confirmed" }) => Effect.Effect<
      {
        readonly context: { readonly slot: bigint }
        readonly value: { readonly blockhash: string; readonly lastValidBlockHeight: bigint }
      },
      ReadError
    >
    readonly getSignatureStatuses: (
      signatures: ReadonlyArray<string>,
      config: { readonly searchTransactionHistory: true }
    ) => Effect.Effect<
      { readonly context: { readonly slot: bigint }; readonly value: ReadonlyArray<SignatureStatus | null> },
      ReadError
    >
    readonly sendTransaction: (
      transaction: string,
      config: { readonly encoding: "base64"; readonly preflightCommitment: "confirmed" }
    ) => Effect.Effect<string, ReadError>
  }
}

/**
 * An account that pays, with the client of its network. Its key stays in the process.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaAccount extends WithPolicy {
  readonly client: SolanaTransactionClient
  readonly signer: SolanaSigner
}

/**
 * How payments are driven to their end.
 *
 * - `pollingInterval` (2 seconds) is the time between two checks of the chain. What the chain does not have is sent again as often.
 * - `suspendAfter` (30 seconds) is how long a payment is checked until it is suspended. It takes no memory then, and is resumed later.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly pollingInterval: Duration.DurationInput
  readonly suspendAfter: Duration.DurationInput
}

export const defaults: Policy = { pollingInterval: "2 seconds", suspendAfter: "30 seconds" }

/** What a check has found. `Gone`: nothing that was signed can land any more, and the chain has none of it. */
export type CheckResult =
  | { readonly _tag: "Waiting"; readonly isMined: boolean }
  | { readonly _tag: "Mined"; readonly hash: string; readonly status: SignatureStatus }
  | { readonly _tag: "Refused"; readonly error: SdkError.RpcError }
  | { readonly _tag: "Gone" }

export const WAITING: CheckResult = { _tag: "Waiting", isMined: false }

/** A node has the transaction already. */
const ALREADY_PROCESSED = /already been processed|AlreadyProcessed/
/** A node does not know the blockhash: not yet, or not any more. */
const UNKNOWN_BLOCKHASH = /blockhash not found|BlockhashNotFound/i

/** Whether a block has the transaction, and it failed there. */
const isFailed = (status: SignatureStatus | null | undefined): boolean => (status?.err ?? null) !== null

/** What a check needs of an order. */
export type OrderRef = Pick<Order, "key" | "network" | "from" | "commitment">

const isConfirmed = (
  { confirmationStatus }: SignatureStatus,
  { commitment = "finalized" }: OrderRef
): boolean => confirmationStatus === "finalized" || confirmationStatus === commitment

/** The payments of an account. */
export interface AccountQueue {
  readonly account: Account
  readonly network: Network.Network
  readonly signer: SolanaSigner
  readonly rules: WithPolicy
  /** Where the stores have a payment. */
  readonly keyOf: (order: Pick<Order, "key">) => PaymentKey
  readonly broadcast: (signed: SignedTransaction) => Effect.Effect<CheckResult, ReadError>
  /** Signs the next round and stores it. Gives what is stored: another runner may have been first. */
  readonly signNextRound: (
    order: OrderRef,
    plan: Plan,
    round: number
  ) => Effect.Effect<SignedTransaction, SqlError | ReadError | Unsigned | PrepareError>
  readonly checkPayment: (
    order: OrderRef,
    known: ReadonlyArray<SignedTransaction>,
    newest: SignedTransaction
  ) => Effect.Effect<CheckResult, ReadError>
}

const makeBroadcast =
  ({ rpc }: SolanaTransactionClient): AccountQueue["broadcast"] =>
  ({ raw }) =>
    rpc.sendTransaction(raw, { encoding: "base64", preflightCommitment: "confirmed" }).pipe(
      Effect.as(WAITING),
      Effect.catchTag("RpcError", (error) =>
        ALREADY_PROCESSED.test(error.message) || UNKNOWN_BLOCKHASH.test(error.message)
          ? Effect.succeed(WAITING)
          : Effect.succeed<CheckResult>({ _tag: "Refused", error })
      )
    )

const makeSign = (
  { client: { rpc }, signer }: SolanaAccount,
  store: SignedStore,
  keyOf: AccountQueue["keyOf"]
): AccountQueue["signNextRound"] => {
  const sign: AccountQueue["signNextRound"] = (order, plan, round) =>
    Effect.gen(function* () {
      const { context, value } = yield* rpc.getLatestBlockhash({ commitment: "confirmed" })
      const { blockhash, lastValidBlockHeight } = value
      const signed = yield* signer.sign({ ...plan, blockhash, lastValidBlockHeight })
      const stored = yield* store.storeSigned(keyOf(order), {
        ...signed,
        round,
        lastValidBlockHeight,
        slot: context.slot
      })
      // an equal payment under another key has this transaction: the next blockhash makes another one
      return stored ?? (yield* Effect.delay(sign(order, plan, round), "400 millis"))
    })
  return sign
}

const makeCheck =
  ({ rpc }: SolanaTransactionClient, broadcast: AccountQueue["broadcast"]): AccountQueue["checkPayment"] =>
  (order, known, newest) =>
    Effect.gen(function* () {
      // The height is read first: a transaction that is in no block at this height can be in none after it.
      const heights = rpc.getEpochInfo({ commitment: "finalized" })
      const statuses = rpc.getSignatureStatuses(
        known.map(({ hash }) => hash),
        { searchTransactionHistory: true }
      )
      const { absoluteSlot, blockHeight } = yield* heights
      const { context, value } = yield* statuses
      for (const [i, { hash }] of known.entries()) {
        const status = value[i]
        if (status === null || status === undefined) continue
        if (!isConfirmed(status, order)) return { _tag: "Waiting", isMined: true }
        if (!isFailed(status)) return { _tag: "Mined", hash, status }
        // A failure ends the payment as unpaid: two nodes have to agree on it where there are two.
        const again = yield* withAgreement(
          statuses,
          (one, other) => isFailed(one.value[i]) === isFailed(other.value[i])
        )
        return isFailed(again.value[i]) ? { _tag: "Mined", hash, status } : { _tag: "Waiting", isMined: true }
      }
      const isPast = (epoch: { readonly blockHeight: bigint }): boolean =>
        epoch.blockHeight > newest.lastValidBlockHeight
      const isNowhere = (found: { readonly value: ReadonlyArray<SignatureStatus | null> }): boolean =>
        found.value.every((status) => status === null)
      // a node that is behind does not know it yet
      if (!isPast({ blockHeight }) || context.slot < absoluteSlot) return yield* broadcast(newest)
      // It would be signed anew: two nodes have to agree where there are two.
      const height = yield* withAgreement(heights, (one, other) => isPast(one) === isPast(other))
      const found = yield* withAgreement(statuses, (one, other) => isNowhere(one) === isNowhere(other))
      if (!isPast(height) || !isNowhere(found)) return WAITING
      const [oldest = newest] = known
      // a node that has dropped old blocks may have dropped the one that has it
      return (yield* rpc.getFirstAvailableBlock()) <= oldest.slot ? { _tag: "Gone" } : WAITING
    })

/** Makes the queue of an account. */
export const make = ({ client, signer, ...rules }: SolanaAccount, store: SignedStore): AccountQueue => {
  const account: Account = { network: client.network, address: signer.address }
  const keyOf: AccountQueue["keyOf"] = ({ key }) => ({ ...account, key })
  const broadcast = makeBroadcast(client)
  return {
    account,
    network: client.network,
    signer,
    rules,
    keyOf,
    broadcast,
    signNextRound: makeSign({ client, signer }, store, keyOf),
    checkPayment: makeCheck(client, broadcast)
  }
}
