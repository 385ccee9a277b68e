/**
 * The workflow of a transaction: it is prepared, gets a nonce, then is signed, stored, sent and checked until it is deep in the chain. Each
 * activity may run twice, and begins with what the ledger has. One activity does all: a runner that takes over thousands of workflows reads the
 * reply of each activity that has ended.
 */

import type { SqlError } from "@effect/sql/SqlError"
import * as Workflow from "@effect/workflow/Workflow"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import type { PrepareError } from "effect-chains/effect/signers/Evm"
import { isUnsigned, type OrderId } from "../durable/Order.js"
import {
  makeDecodeOutcome,
  makeRecordOutcome,
  outcomeSchedule,
  retryForever,
  retrySchedule
} from "../durable/retries.js"
import { runTurn, runTurns } from "../durable/turns.js"
import type { Account, Entry, Ledger } from "../Ledger.js"
import * as AccountQueue from "./AccountQueue.js"
import { ConfirmedTransaction, digestOf, Order, Outcome, PlanText, SendError } from "./Order.js"

export const EvmSend = Workflow.make({
  name: "fleet/EvmSend",
  payload: { order: Order },
  success: ConfirmedTransaction,
  error: SendError,
  idempotencyKey: ({ order }) => `${order.network}/${order.from.toLowerCase()}/${order.key}`,
  suspendedRetrySchedule: outcomeSchedule
})

const encodePlan = Schema.encodeSync(PlanText)
const decodePlan = Schema.decode(PlanText)

/** The account of an order, as the ledger names it. */
export const accountOf = ({ from, network }: Pick<OrderId, "from" | "network">): Account => ({
  network,
  address: from.toLowerCase()
})

/** The result of a turn: the end, an error for which the nonce is filled, or neither. */
const PollResult = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: ConfirmedTransaction }),
  Schema.TaggedStruct("Refused", { error: SendError }),
  Schema.TaggedStruct("Waiting", { isMined: Schema.Boolean })
).annotations({ title: "PollResult" })
type PollResult = Schema.Schema.Type<typeof PollResult>

/** The outcome of a mined transaction. */
export const toOutcome = (
  order: Pick<Order, "key" | "network" | "from">,
  nonce: number,
  { receipt, signed: { hash } }: Extract<AccountQueue.CheckResult, { _tag: "Mined" }>
): Either.Either<ConfirmedTransaction, SendError> =>
  receipt.status === "0x0"
    ? Either.left(new SdkError.TransactionFailed({ hash, reason: "it was reverted", receipt }))
    : Either.right({
        key: order.key,
        network: order.network,
        from: order.from,
        nonce,
        hash,
        block: Number(receipt.blockNumber),
        blockHash: receipt.blockHash
      })

export const recordOutcome = makeRecordOutcome(Outcome)

const decodeOutcome = makeDecodeOutcome(Outcome)

/** The entry of an order, which has a nonce and a plan then, or has ended. */
const ensureNonce = (
  queue: AccountQueue.AccountQueue,
  ledger: Ledger,
  policy: AccountQueue.Policy,
  order: Order
): Effect.Effect<Entry> =>
  Effect.gen(function* () {
    const entry = yield* retryForever(ledger.findOrCreate(queue.account, order.key, digestOf(order)))
    if (entry.state === "ended" || entry.nonce !== undefined) return entry
    let contradictedSince: number | undefined
    /** Nodes that contradict each other may agree later. If they do not within `giveUpAfter`, one of them lies, and the order ends. */
    const isOver = (error: SqlError | PrepareError | SdkError.PolicyDenied): Effect.Effect<boolean> =>
      error._tag === "NoQuorum"
        ? Effect.map(Clock.currentTimeMillis, (now) => {
            contradictedSince ??= now
            return now - contradictedSince >= Duration.toMillis(policy.giveUpAfter)
          })
        : Effect.succeed(AccountQueue.isSendError(error))
    const reserved = yield* Effect.gen(function* () {
      const { confirmations = 1 } = order
      return yield* queue.plan(order, (plan) =>
        Effect.flatMap(queue.transactionCount, (count) =>
          ledger.reserveNonce(entry, encodePlan({ ...plan, confirmations }), count)
        )
      )
    }).pipe(
      queue.workLimit.withPermits(1),
      Effect.tapError((error) => Effect.logDebug("tried again", error)),
      Effect.retry({ schedule: retrySchedule, until: isOver }),
      Effect.either
    )
    if (Either.isRight(reserved)) return reserved.right
    const error = reserved.left
    if (!AccountQueue.isSendError(error)) return yield* Effect.die(error)
    // a refused preview ends the order, unless another runner has given it a nonce meanwhile
    yield* retryForever(recordOutcome(ledger, entry, Either.left(error)))
    return yield* ensureNonce(queue, ledger, policy, order)
  })

/** The outcome of a nonce that is mined. If it was filled with an empty transaction, the order has failed. */
const toOutcomeOfNonce = (
  order: Order,
  nonce: number,
  mined: Extract<AccountQueue.CheckResult, { _tag: "Mined" }>,
  refusal: SendError | undefined
): Either.Either<ConfirmedTransaction, SendError> =>
  mined.signed.purpose === "pay"
    ? toOutcome(order, nonce, mined)
    : Either.left(
        refusal ??
          new SdkError.SigningFailed({ reason: "its nonce was filled with nothing, and nothing was paid" })
      )

/** One turn: checks a transaction until it has ended. The nonce of one that was refused is filled. */
const poll = (
  queue: AccountQueue.AccountQueue,
  ledger: Ledger,
  policy: AccountQueue.Policy,
  order: Order,
  refusal: SendError | undefined
): Effect.Effect<PollResult, SendError> =>
  Effect.gen(function* () {
    const entry = yield* ensureNonce(queue, ledger, policy, order)
    const outcome = yield* decodeOutcome(entry)
    if (outcome !== undefined) return { _tag: "Done", confirmed: yield* outcome }
    const { nonce, plan } = entry
    if (nonce === undefined || plan === undefined)
      return yield* Effect.dieMessage("an entry has no nonce, though it was given one")
    const target: AccountQueue.NonceTarget = {
      nonce,
      plan: yield* Effect.orDie(decodePlan(plan)),
      purpose: refusal === undefined ? "pay" : "fill",
      confirmations: order.confirmations ?? 1
    }
    /** Records an outcome, unless the ledger has another one. */
    const end = (outcome: Either.Either<ConfirmedTransaction, SendError>) =>
      Effect.gen(function* () {
        yield* retryForever(recordOutcome(ledger, entry, outcome))
        return { _tag: "Done" as const, confirmed: yield* outcome }
      })
    const giveUpAfterMs = Duration.toMillis(policy.giveUpAfter)
    let isMined = false
    return yield* runTurn<AccountQueue.CheckResult, AccountQueue.CheckError, PollResult, SendError>(policy, {
      check: queue.workLimit.withPermits(1)(queue.checkNonce(target)),
      // a failing signer is retried for a whole turn
      onFailed: (error, { isTimeUp }) =>
        Effect.succeed(
          isUnsigned(error) && isTimeUp && refusal === undefined ? { _tag: "Refused", error } : undefined
        ),
      onChecked: (seen, { now }) => {
        if (seen._tag === "Mined") return end(toOutcomeOfNonce(order, nonce, seen, refusal))
        if (seen._tag === "Taken")
          return end(Either.left(new SdkError.NonceTaken({ address: queue.address, nonce })))
        if (seen._tag === "Waiting") isMined = seen.isMined
        else if (refusal === undefined && now - seen.since >= giveUpAfterMs)
          return Effect.succeed({ _tag: "Refused", error: seen.error })
        return Effect.succeed(undefined)
      },
      onTimeUp: () => ({ _tag: "Waiting", isMined })
    })
  })

/** A transaction from its preview to its end. */
export const makeExecute =
  (
    find: (order: Order) => Effect.Effect<AccountQueue.AccountQueue>,
    ledger: Ledger,
    policy: AccountQueue.Policy
  ) =>
  (order: Order) =>
    runTurns<
      PollResult,
      Schema.Schema.Encoded<typeof PollResult>,
      SendError,
      Schema.Schema.Encoded<typeof SendError>,
      ConfirmedTransaction,
      SendError | undefined
    >({
      name: "poll",
      result: PollResult,
      error: SendError,
      initial: undefined,
      turn: (refusal) => Effect.flatMap(find(order), (queue) => poll(queue, ledger, policy, order, refusal)),
      next: (result, refusal, index) => {
        if (result._tag === "Done") return { end: result.confirmed }
        if (result._tag === "Refused") return { state: result.error }
        // a mined transaction only waits for confirmations; an unmined one holds up those after it
        const pause = result.isMined ? Duration.seconds(Math.min(60, 5 * (index + 1))) : "1 second"
        return { state: refusal, pause }
      }
    })
