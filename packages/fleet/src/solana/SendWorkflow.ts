/**
 * The workflow of a payment of Solana: it is prepared, then signed, stored, sent and checked until it is deep in the chain. Each activity may
 * run twice.
 */
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import { keepIfAllowed } from "../durable/authorize.js"
import { toDeadOutcome } from "../durable/deadWorkflows.js"
import { isUnsigned, type OrderId } from "../durable/Order.js"
import {
  makeFailIfRefused,
  makeRecordOutcome,
  outcomeSchedule,
  retryForever,
  retrySchedule
} from "../durable/retries.js"
import { runTurn, runTurns } from "../durable/turns.js"
import type { Account, Ledger } from "../Ledger.js"
import { type AccountQueue, type CheckResult, type OrderRef, type Policy, WAITING } from "./AccountQueue.js"
import { ConfirmedTransaction, Order, Outcome, Plan, SendError } from "./Order.js"
import type { SignedStore } from "./SignedStore.js"

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
).annotations({ title: "PollResult" })
type PollResult = typeof PollResult.Type

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
          ),
          receipt: status
        })
      )

/** The outcome of a payment whose workflow died, once nothing that was signed can land any more. */
const DEAD_EXPIRED = toDeadOutcome("and nothing of it can land any more")

/** The payment has ended, which its caller records. */
interface EndedResult {
  readonly _tag: "Ended"
  readonly outcome: Either.Either<ConfirmedTransaction, SendError>
}

/** What a turn has found so far. */
interface TurnState {
  isMined: boolean
  refusal: SdkError.RpcError | undefined
  /** The round that was gone in the last check: it takes two checks in a row to believe that. */
  goneRound: number | undefined
}

/** Checks a payment. It signs and sends the next round if nothing that was signed can land any more. */
const checkOrSign = (
  queue: AccountQueue,
  store: SignedStore,
  order: OrderRef,
  plan: Plan | undefined,
  state: TurnState
) =>
  Effect.gen(function* () {
    const known = yield* store.listSigned(queue.keyOf(order))
    const newest = known.at(-1)
    if (newest === undefined)
      return plan === undefined ? WAITING : yield* queue.broadcast(yield* queue.signNextRound(order, plan, 0))
    const seen = yield* queue.checkPayment(order, known, newest)
    if (seen._tag !== "Gone") {
      state.goneRound = undefined
      return seen
    }
    if (state.goneRound !== newest.round) {
      state.goneRound = newest.round
      return WAITING
    }
    if (state.refusal !== undefined || plan === undefined) return seen
    return yield* queue.broadcast(yield* queue.signNextRound(order, plan, newest.round + 1))
  })

/** One turn: checks a payment until it has ended. Without a plan nothing is signed. */
export const poll = (
  queue: AccountQueue,
  store: SignedStore,
  policy: Policy,
  order: OrderRef,
  plan: Plan | undefined
): Effect.Effect<PollResult | EndedResult> =>
  Effect.suspend(() => {
    const state: TurnState = { isMined: false, refusal: undefined, goneRound: undefined }
    const end = (outcome: EndedResult["outcome"]): EndedResult => ({ _tag: "Ended", outcome })
    const check = checkOrSign(queue, store, order, plan, state)
    const hasNothingSigned = Effect.map(
      retryForever(store.listSigned(queue.keyOf(order))),
      (known) => known.length === 0
    )

    return runTurn<CheckResult, Effect.Effect.Error<typeof check>, PollResult | EndedResult, never>(policy, {
      check,
      // a failing signer is retried for a whole turn; what it signed before may still land
      onFailed: (error, { isTimeUp }) =>
        isUnsigned(error) && isTimeUp
          ? Effect.map(hasNothingSigned, (nothing) => (nothing ? end(Either.left(error)) : undefined))
          : Effect.succeed(undefined),
      onChecked: (seen) => {
        const { refusal } = state
        if (seen._tag === "Mined") return Effect.succeed(end(toOutcome(order, seen)))
        if (seen._tag === "Gone")
          return Effect.succeed(end(refusal === undefined ? DEAD_EXPIRED : Either.left(refusal)))
        if (seen._tag === "Refused") state.refusal = seen.error
        state.isMined = seen._tag === "Waiting" && seen.isMined
        return Effect.succeed(undefined)
      },
      // a turn with a refusal goes on until it is known whether the payment can land
      onTimeUp: () =>
        state.refusal === undefined && state.goneRound === undefined
          ? { _tag: "Waiting", isMined: state.isMined }
          : undefined
    })
  })

const failIfRefused = makeFailIfRefused(Outcome)

/** Prepares a payment. An error that ends it is recorded. */
const prepare = (find: (order: Order) => Effect.Effect<AccountQueue>, ledger: Ledger, order: Order) => {
  const at = { ...accountOf(order), key: order.key }
  return Activity.make({
    name: "prepare",
    success: Plan,
    error: SendError,
    execute: Effect.flatMap(find(order), ({ rules, signer }) =>
      signer.prepare(order.payment).pipe(
        Effect.flatMap((prepared) => {
          const { blockhash: _, lastValidBlockHeight: __, ...plan } = prepared.transaction
          return keepIfAllowed(rules, { prepared, fee: prepared.fee }, Effect.succeed(plan))
        }),
        Effect.retry({ schedule: retrySchedule, until: isSendError }),
        Effect.catchAll(
          (error): Effect.Effect<never, SendError> =>
            isSendError(error) ? Effect.fail(error) : Effect.die(error)
        )
      )
    ).pipe(
      Effect.tapError((error) => retryForever(recordOutcome(ledger, at, Either.left(error)))),
      (prepared) => Effect.zipRight(failIfRefused(ledger, at), prepared)
    )
  })
}

/** A payment from its preview to its end. */
export const makeExecute =
  (find: (order: Order) => Effect.Effect<AccountQueue>, ledger: Ledger, store: SignedStore, policy: Policy) =>
  (order: Order) =>
    Effect.flatMap(prepare(find, ledger, order), (plan) => {
      const turn = Effect.gen(function* () {
        const queue = yield* find(order)
        const polled = yield* poll(queue, store, policy, order, plan)
        if (polled._tag !== "Ended") return polled
        yield* retryForever(recordOutcome(ledger, queue.keyOf(order), polled.outcome))
        return { _tag: "Done" as const, confirmed: yield* polled.outcome }
      })
      return runTurns<
        PollResult,
        Schema.Schema.Encoded<typeof PollResult>,
        SendError,
        Schema.Schema.Encoded<typeof SendError>,
        ConfirmedTransaction,
        undefined
      >({
        name: "poll",
        result: PollResult,
        error: SendError,
        initial: undefined,
        turn: () => turn,
        next: (result) =>
          result._tag === "Done"
            ? { end: result.confirmed }
            : { state: undefined, pause: result.isMined ? "5 seconds" : "1 second" }
      })
    })
