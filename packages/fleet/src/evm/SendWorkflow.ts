/**
 * The workflow of a transaction: prepared, given a nonce, signed, kept, handed to nodes, and looked for until it is deep in the chain.
 * Each activity may run twice, and begins with what the ledger has. One does all: who takes over thousands of workflows reads a reply of
 * each activity that has ended.
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
import { SdkError } from "effect-chains"
import type { PrepareError } from "effect-chains/effect/signers/Evm"
import type { OrderId } from "../durable/Order.js"
import {
  makeDecodeOutcome,
  makeRecordOutcome,
  outcomeSchedule,
  retryForever,
  retrySchedule
} from "../durable/retries.js"
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

/** What one attention comes to: the end, a decision, or that it goes on after a rest. */
const PollResult = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: ConfirmedTransaction }),
  Schema.TaggedStruct("Refused", { error: SendError }),
  Schema.TaggedStruct("Waiting", { isMined: Schema.Boolean })
).annotations({ title: "Turn" })
type PollResult = Schema.Schema.Type<typeof PollResult>

/** What a transaction in a block means to who has asked for it. */
export const toOutcome = (
  order: Pick<Order, "key" | "network" | "from">,
  nonce: number,
  { bytes: { hash }, receipt }: Extract<AccountQueue.CheckResult, { _tag: "Mined" }>
): Either.Either<ConfirmedTransaction, SendError> =>
  receipt.status === "0x0"
    ? Either.left(new SdkError.TransactionFailed({ hash, reason: "it was reverted" }))
    : Either.right({
        key: order.key,
        network: order.network,
        from: order.from,
        nonce,
        hash,
        block: Number(receipt.blockNumber),
        blockHash: receipt.blockHash
      })

/** Keeps the outcome, and counts it once. */
export const recordOutcome = makeRecordOutcome(Outcome)

const decodeOutcome = makeDecodeOutcome(Outcome)

/** What the ledger has of an order, with its nonce and its plan, unless it has ended. */
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
    /** Nodes that contradict each other may agree later. Those that do not for as long as `patience` are an end: one of them lies. */
    const isOver = (error: SqlError | PrepareError): Effect.Effect<boolean> =>
      error._tag === "NoQuorum"
        ? Effect.map(Clock.currentTimeMillis, (now) => {
            contradictedSince ??= now
            return now - contradictedSince >= Duration.toMillis(policy.patience)
          })
        : Effect.succeed(AccountQueue.isSendError(error))
    const reserved = yield* Effect.gen(function* () {
      const { confirmations = 1 } = order
      const plan = encodePlan({ ...(yield* queue.prepare(order)), confirmations })
      return yield* ledger.reserveNonce(entry, plan, yield* queue.count)
    }).pipe(
      queue.turn.withPermits(1),
      Effect.tapError((error) => Effect.logDebug("tried again", error)),
      Effect.retry({ schedule: retrySchedule, until: isOver }),
      Effect.either
    )
    if (Either.isRight(reserved)) return reserved.right
    const error = reserved.left
    if (!AccountQueue.isSendError(error)) return yield* Effect.die(error)
    // a preview that is refused is the end, unless another runner has given it a nonce meanwhile
    yield* retryForever(recordOutcome(ledger, entry, Either.left(error)))
    return yield* ensureNonce(queue, ledger, policy, order)
  })

/** A while of looking at a transaction, until something has come of it. One that was refused is filled. */
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
    /** Keeps the end, unless the ledger has another. */
    const end = (outcome: Either.Either<ConfirmedTransaction, SendError>) =>
      Effect.gen(function* () {
        yield* retryForever(recordOutcome(ledger, entry, outcome))
        return { _tag: "Done" as const, confirmed: yield* outcome }
      })
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.attention)
    const patience = Duration.toMillis(policy.patience)
    let isMined = false
    for (;;) {
      const looked = yield* Effect.either(queue.turn.withPermits(1)(queue.look(target)))
      const now = yield* Clock.currentTimeMillis
      const isOver = now >= until
      if (Either.isLeft(looked)) {
        const error = looked.left
        // a key that does not sign is asked for the whole of an attention
        if (error._tag === "SigningFailed" && isOver && refusal === undefined)
          return { _tag: "Refused", error }
        yield* Effect.logDebug("tried again", error)
      } else {
        const seen = looked.right
        if (seen._tag === "Mined")
          return yield* end(
            seen.bytes.purpose === "pay"
              ? toOutcome(order, nonce, seen)
              : Either.left(
                  refusal ??
                    new SdkError.SigningFailed({
                      reason: "its nonce was filled with nothing, and nothing was paid"
                    })
                )
          )
        if (seen._tag === "Taken")
          return yield* end(Either.left(new SdkError.NonceTaken({ address: queue.address, nonce })))
        if (seen._tag === "Waiting") isMined = seen.isMined
        else if (refusal === undefined && now - seen.since >= patience)
          return { _tag: "Refused", error: seen.error }
      }
      if (isOver) return { _tag: "Waiting", isMined }
      yield* Effect.sleep(policy.poll)
    }
  })

/** A transaction from its preview to its end. */
export const makeExecute = (
  find: (order: Order) => Effect.Effect<AccountQueue.AccountQueue>,
  ledger: Ledger,
  policy: AccountQueue.Policy
) =>
  Effect.fnUntraced(function* (order: Order) {
    let refusal: SendError | undefined
    for (let turn = 0; ; turn++) {
      const given = refusal
      const seen: PollResult = yield* Activity.make({
        name: `turn/${turn}`,
        success: PollResult,
        error: SendError,
        execute: Effect.flatMap(find(order), (line) => poll(line, ledger, policy, order, given))
      })
      if (seen._tag === "Done") return seen.confirmed
      if (seen._tag === "Refused") refusal = seen.error
      else
        yield* DurableClock.sleep({
          name: `rest/${turn}`,
          // a transaction that waits for blocks on top of it needs no haste; one before others is needed by them
          duration: seen.isMined ? Duration.seconds(Math.min(60, 5 * (turn + 1))) : "1 second",
          inMemoryThreshold: "0 millis"
        })
    }
  })
