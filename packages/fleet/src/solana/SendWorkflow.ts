/**
 * The workflow of a payment of Solana: prepared, signed with a blockhash, kept, handed to nodes, and looked for until it is deep in the
 * chain. It gets another blockhash only once all that was signed for it can land no more. Each activity may run twice.
 */

import type { SqlError } from "@effect/sql/SqlError"
import * as Activity from "@effect/workflow/Activity"
import * as DurableClock from "@effect/workflow/DurableClock"
import * as Workflow from "@effect/workflow/Workflow"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Network, SdkError } from "effect-chains"
import type { PrepareError, ReadError } from "effect-chains/effect/signers/Evm"
import { agreed, type SolanaSigner } from "effect-chains/effect/signers/Solana"
import { toDeadOutcome } from "../durable/deadWorkflows.js"
import type { OrderId } from "../durable/Order.js"
import {
  makeFailIfRefused,
  makeRecordOutcome,
  outcomeSchedule,
  retryForever,
  retrySchedule
} from "../durable/retries.js"
import type { Account, Ledger } from "../Ledger.js"
import { ConfirmedTransaction, Order, Outcome, Plan, SendError } from "./Order.js"
import type { SignedStore, SignedTransaction } from "./SignedStore.js"

interface SignatureStatus {
  readonly slot: bigint
  readonly err: unknown
  readonly confirmationStatus?: string | null
}

/**
 * The client of Solana, as far as durable payments use it. Every client of Solana is one.
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
 * An account that pays, and the nodes of its network. Its key stays in the process.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaAccount {
  readonly client: SolanaTransactionClient
  readonly signer: SolanaSigner
}

/**
 * How payments are seen through. The chain is looked at every `poll` (2 seconds), and what it does not have is handed on as often; after
 * `attention` (30 seconds) a payment is left to the database for a while, and takes no memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly poll: Duration.DurationInput
  readonly attention: Duration.DurationInput
}

export const defaults: Policy = { poll: "2 seconds", attention: "30 seconds" }

export const SolanaSend = Workflow.make({
  name: "fleet/SolanaSend",
  payload: { order: Order },
  success: ConfirmedTransaction,
  error: SendError,
  idempotencyKey: ({ order }) => `${order.network}/${order.from}/${order.key}`,
  suspendedRetrySchedule: outcomeSchedule
})

export const recordOutcome = makeRecordOutcome(Outcome)

/** The account of an order, as the ledger names it. */
export const accountOf = ({ from, network }: Pick<OrderId, "from" | "network">): Account => ({
  network,
  address: from
})

const isSendError = Schema.is(SendError)

const PollResult = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: ConfirmedTransaction }),
  Schema.TaggedStruct("Waiting", { isMined: Schema.Boolean })
).annotations({ title: "Turn" })
type PollResult = typeof PollResult.Type

/** What a look has found. `Gone`: nothing that was signed can land any more, and the chain has none of it. */
type CheckResult =
  | { readonly _tag: "Waiting"; readonly isMined: boolean }
  | { readonly _tag: "Mined"; readonly hash: string; readonly status: SignatureStatus }
  | { readonly _tag: "Refused"; readonly error: SdkError.RpcError }
  | { readonly _tag: "Gone" }

const WAITING: CheckResult = { _tag: "Waiting", isMined: false }

/** What nodes say of a transaction that they have, and of a blockhash that they do not know (yet, or any more). */
const ALREADY_PROCESSED = /already been processed|AlreadyProcessed/
const UNKNOWN_BLOCKHASH = /blockhash not found|BlockhashNotFound/i

/** Whether a block has it, and it has failed there. */
const isFailed = (status: SignatureStatus | null | undefined): boolean => (status?.err ?? null) !== null

/** What a line needs to know of an order. */
type OrderRef = Pick<Order, "key" | "network" | "from" | "commitment">

const isConfirmed = (
  { confirmationStatus }: SignatureStatus,
  { commitment = "finalized" }: OrderRef
): boolean => confirmationStatus === "finalized" || confirmationStatus === commitment

/** The payments of an account. */
export const makeQueue = ({ client, signer }: SolanaAccount, signed: SignedStore) => {
  const { rpc } = client
  const at = ({ key }: Pick<Order, "key">) => ({ network: client.network, address: signer.address, key })

  const hand = ({ raw }: SignedTransaction): Effect.Effect<CheckResult, ReadError> =>
    rpc.sendTransaction(raw, { encoding: "base64", preflightCommitment: "confirmed" }).pipe(
      Effect.as(WAITING),
      Effect.catchTag("RpcError", (error) =>
        ALREADY_PROCESSED.test(error.message) || UNKNOWN_BLOCKHASH.test(error.message)
          ? Effect.succeed(WAITING)
          : Effect.succeed<CheckResult>({ _tag: "Refused", error })
      )
    )

  /** Signs the next round and keeps it. Another runner may have been first, and another key may have the same bytes. */
  const sign = (
    order: OrderRef,
    plan: Plan,
    round: number
  ): Effect.Effect<SignedTransaction, SqlError | ReadError | SdkError.SigningFailed | PrepareError> =>
    Effect.gen(function* () {
      const { context, value } = yield* rpc.getLatestBlockhash({ commitment: "confirmed" })
      const { blockhash, lastValidBlockHeight } = value
      const made = yield* signer.sign({ ...plan, blockhash, lastValidBlockHeight })
      const kept = yield* signed.storeSigned(at(order), {
        ...made,
        round,
        lastValidBlockHeight,
        slot: context.slot
      })
      return kept ?? (yield* Effect.delay(sign(order, plan, round), "400 millis"))
    })

  const look = (
    order: OrderRef,
    known: ReadonlyArray<SignedTransaction>,
    newest: SignedTransaction
  ): Effect.Effect<CheckResult, ReadError> =>
    Effect.gen(function* () {
      // the height first: a transaction that is in no block at it can be in none after it
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
        // it ends as unpaid then: two nodes have to say so where there are two
        const again = yield* agreed(
          statuses,
          (one, other) => isFailed(one.value[i]) === isFailed(other.value[i])
        )
        return isFailed(again.value[i]) ? { _tag: "Mined", hash, status } : { _tag: "Waiting", isMined: true }
      }
      const isPast = (told: { readonly blockHeight: bigint }): boolean =>
        told.blockHeight > newest.lastValidBlockHeight
      const isNowhere = (told: { readonly value: ReadonlyArray<SignatureStatus | null> }): boolean =>
        told.value.every((status) => status === null)
      // a node that is behind knows nothing of it, nor does one that has forgotten the blocks in which it may be
      if (!isPast({ blockHeight }) || context.slot < absoluteSlot) return yield* hand(newest)
      // another one is signed for it then: two nodes have to say so where there are two
      const height = yield* agreed(heights, (one, other) => isPast(one) === isPast(other))
      const shown = yield* agreed(statuses, (one, other) => isNowhere(one) === isNowhere(other))
      if (!isPast(height) || !isNowhere(shown)) return WAITING
      const [oldest = newest] = known
      return (yield* rpc.getFirstAvailableBlock()) <= oldest.slot ? { _tag: "Gone" } : WAITING
    })

  return {
    account: { network: client.network, address: signer.address },
    network: client.network,
    at,
    look,
    sign,
    hand,
    signer
  }
}

export type AccountQueue = ReturnType<typeof makeQueue>

const toOutcome = (
  { from, key, network }: OrderRef,
  { hash, status }: Extract<CheckResult, { _tag: "Mined" }>
): Either.Either<ConfirmedTransaction, SendError> =>
  status.err === null || status.err === undefined
    ? Either.right({ key, network, from, hash, slot: Number(status.slot) })
    : Either.left(
        new SdkError.TransactionFailed({
          hash,
          reason: JSON.stringify(status.err, (_, each: unknown) =>
            typeof each === "bigint" ? String(each) : each
          )
        })
      )

/** The end of a payment whose workflow died, and of which nothing that was signed can land. */
const DEAD_EXPIRED = toDeadOutcome("and nothing of it can land any more")

/** A while of looking, until something has come of it. Without a plan nothing is signed. */
export const poll = (
  line: AccountQueue,
  signed: SignedStore,
  policy: Policy,
  order: OrderRef,
  plan: Plan | undefined
): Effect.Effect<
  PollResult | { readonly _tag: "Over"; readonly outcome: Either.Either<ConfirmedTransaction, SendError> }
> =>
  Effect.gen(function* () {
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.attention)
    let isMined = false
    let refusal: SdkError.RpcError | undefined
    /** The round that was gone when it was looked for last: one answer alone is not believed. */
    let gone: number | undefined
    for (;;) {
      const looked = yield* Effect.either(
        Effect.gen(function* () {
          const known = yield* signed.listSigned(line.at(order))
          const newest = known.at(-1)
          if (newest === undefined)
            return plan === undefined ? WAITING : yield* line.hand(yield* line.sign(order, plan, 0))
          const seen = yield* line.look(order, known, newest)
          if (seen._tag !== "Gone") {
            gone = undefined
            return seen
          }
          if (gone !== newest.round) {
            gone = newest.round
            return WAITING
          }
          if (refusal !== undefined || plan === undefined) return seen
          return yield* line.hand(yield* line.sign(order, plan, newest.round + 1))
        })
      )
      const isOver = (yield* Clock.currentTimeMillis) >= until
      if (Either.isLeft(looked)) {
        const error = looked.left
        // a key that does not sign is asked for the whole of an attention; what it signed before may still land
        if (error._tag === "SigningFailed" && isOver && (yield* hasNothingSigned(signed, line, order)))
          return { _tag: "Over", outcome: Either.left(error) }
        yield* Effect.logDebug("tried again", error)
      } else {
        const seen = looked.right
        if (seen._tag === "Mined") return { _tag: "Over", outcome: toOutcome(order, seen) }
        if (seen._tag === "Gone")
          return { _tag: "Over", outcome: refusal === undefined ? DEAD_EXPIRED : Either.left(refusal) }
        if (seen._tag === "Refused") refusal = seen.error
        isMined = seen._tag === "Waiting" && seen.isMined
      }
      // one that is refused is not left before it is known whether it can land
      if (isOver && refusal === undefined && gone === undefined) return { _tag: "Waiting", isMined }
      yield* Effect.sleep(policy.poll)
    }
  })

const hasNothingSigned = (signed: SignedStore, line: AccountQueue, order: OrderRef): Effect.Effect<boolean> =>
  Effect.map(retryForever(signed.listSigned(line.at(order))), (known) => known.length === 0)

const failIfRefused = makeFailIfRefused(Outcome)

/** A payment from its preview to its end. */
export const makeExecute = (
  find: (order: Order) => Effect.Effect<AccountQueue>,
  ledger: Ledger,
  signed: SignedStore,
  policy: Policy
) =>
  Effect.fnUntraced(function* (order: Order) {
    const finish = <E extends SendError>(error: E) =>
      retryForever(recordOutcome(ledger, { ...accountOf(order), key: order.key }, Either.left(error)))
    const plan = yield* Activity.make({
      name: "prepare",
      success: Plan,
      error: SendError,
      execute: Effect.flatMap(find(order), ({ signer }) =>
        signer.prepare(order.payment).pipe(
          Effect.retry({ schedule: retrySchedule, until: isSendError }),
          Effect.catchAll(
            (error): Effect.Effect<never, SendError> =>
              isSendError(error) ? Effect.fail(error) : Effect.die(error)
          ),
          Effect.map(({ transaction }) => {
            const { blockhash: _, lastValidBlockHeight: __, ...rest } = transaction
            return rest
          })
        )
      ).pipe(Effect.tapError(finish), (prepared) =>
        Effect.zipRight(failIfRefused(ledger, { ...accountOf(order), key: order.key }), prepared)
      )
    })
    for (let turn = 0; ; turn++) {
      const seen: PollResult = yield* Activity.make({
        name: `attend/${turn}`,
        success: PollResult,
        error: SendError,
        execute: Effect.gen(function* () {
          const line = yield* find(order)
          const come = yield* poll(line, signed, policy, order, plan)
          if (come._tag !== "Over") return come
          yield* retryForever(recordOutcome(ledger, line.at(order), come.outcome))
          if (Either.isLeft(come.outcome)) return yield* Effect.fail(come.outcome.left)
          return { _tag: "Done" as const, confirmed: come.outcome.right }
        })
      })
      if (seen._tag === "Done") return seen.confirmed
      yield* DurableClock.sleep({
        name: `rest/${turn}`,
        duration: seen.isMined ? "5 seconds" : "1 second",
        inMemoryThreshold: "0 millis"
      })
    }
  })
