/**
 * The workflow of a payment of Bitcoin's kind: it reserves outputs of its account, then is signed, stored, sent and checked until it is deep in
 * the chain. Each activity may run twice.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Workflow from "@effect/workflow/Workflow"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Network, SdkError, Units } from "effect-chains"
import type { PrepareError, ReadError } from "effect-chains/effect/signers/Evm"
import { keepIfAllowed } from "../durable/authorize.js"
import { isUnsigned, type OrderId } from "../durable/Order.js"
import { makeFindOutcome, makeRecordOutcome, outcomeSchedule, retryForever } from "../durable/retries.js"
import { runTurn, runTurns } from "../durable/turns.js"
import type { Account, Ledger } from "../Ledger.js"
import {
  type AccountQueue,
  type CheckError,
  type CheckResult,
  decodePlan,
  encodePlan,
  type OrderRef,
  type Policy,
  sumAmounts,
  toUtxo
} from "./AccountQueue.js"
import { ConfirmedTransaction, digestOf, Order, Outcome, type Plan, SendError } from "./Order.js"
import type { PaymentEnded, PaymentKey, Utxo, UtxoStore, UtxosTaken } from "./UtxoStore.js"

export const BitcoinSend = Workflow.make({
  name: "fleet/BitcoinSend",
  payload: { order: Order },
  success: ConfirmedTransaction,
  error: SendError,
  idempotencyKey: ({ order }) => `${order.network}/${order.from}/${order.key}`,
  suspendedRetrySchedule: outcomeSchedule
})

export const recordOutcome = makeRecordOutcome(Outcome)
const isSendError = Schema.is(SendError)

/** The account of an order, as the ledger names it. */
export const accountOf = ({ from, network }: Pick<OrderId, "from" | "network">): Account => ({
  network,
  address: from
})

/** Outputs of ours count as spent by somebody else only this many blocks later. */
export const TAKEN_DEPTH = 6

/** What has been wrong in every check since a time (milliseconds since 1970), and the height of the chain then. */
const Problem = Schema.Struct({
  kind: Schema.Literal("Refused", "Gone"),
  since: Schema.Number,
  height: Schema.Number
})
type Problem = typeof Problem.Type

const PollResult = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: ConfirmedTransaction }),
  Schema.TaggedStruct("Refused", { error: SendError }),
  Schema.TaggedStruct("Waiting", {
    isMined: Schema.Boolean,
    problem: Schema.optionalWith(Problem, { exact: true })
  })
).annotations({ title: "PollResult" })
type PollResult = typeof PollResult.Type

const Reservation = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: ConfirmedTransaction }),
  Schema.TaggedStruct("Reserved", { plan: Schema.String }),
  Schema.TaggedStruct("Waiting", {})
).annotations({ title: "Reservation" })
type Reservation = typeof Reservation.Type

const computeFeeCap = (
  { network, payment: { maxFee } }: Order,
  fee: bigint,
  { maxFeeMultiplier }: Policy
): bigint => {
  if (typeof maxFee === "bigint") return maxFee
  const most = maxFee === undefined ? Option.none() : Units.parse(maxFee, Network.info(network).decimals)
  return Option.getOrElse(most, () => (fee * BigInt(Math.round(maxFeeMultiplier * 100))) / 100n)
}

/** What a process needs for its payments. */
export interface PaymentServices {
  readonly ledger: Ledger
  readonly utxos: UtxoStore
  readonly policy: Policy
}

const findOutcome = makeFindOutcome(Outcome)

/** Whether another try may succeed. */
const isTransient = (error: PrepareError | SdkError.PolicyDenied): boolean =>
  !isSendError(error) ||
  error._tag === "RpcError" ||
  // the list of outputs could not be read
  (error._tag === "InvalidArgument" && error.call !== "prepare")

/** Whether an account has too little, even with all that its other payments have reserved. */
const isUnderfunded = (
  { available, needed }: SdkError.InsufficientFunds,
  { network }: Order,
  reserved: ReadonlyArray<Utxo>
): boolean => {
  const units = (amount: string) =>
    Option.getOrElse(Units.parse(amount, Network.info(network).decimals), () => 0n)
  return units(needed) > units(available) + sumAmounts(reserved)
}

const toDone = <E>(outcome: Either.Either<ConfirmedTransaction, E>) =>
  Effect.map(outcome, (confirmed) => ({ _tag: "Done" as const, confirmed }))

/** The recorded end of a payment: another runner may have ended it. */
const findEnd = (ledger: Ledger, at: PaymentKey) =>
  Effect.flatMap(findOutcome(ledger, at), (outcome) =>
    outcome === undefined ? Effect.succeed(undefined) : toDone(outcome)
  )

/** Prepares a payment without the `excluded` outputs, and reserves its own. Yields the stored plan. */
const reserveOnce = (
  { ledger, policy, utxos }: PaymentServices,
  queue: AccountQueue,
  order: Order,
  excluded: ReadonlyArray<Utxo>
): Effect.Effect<string, SqlError | PrepareError | SdkError.PolicyDenied | PaymentEnded | UtxosTaken> =>
  Effect.gen(function* () {
    const { plan } = yield* ledger.findOrCreate(queue.account, order.key, digestOf(order))
    if (plan !== undefined) return plan
    const prepared = yield* queue.prepare(order.payment, excluded)
    const { transaction } = prepared
    const { confirmations = 1 } = order
    const cap = computeFeeCap(order, prepared.fee, policy)
    const made = encodePlan({ transaction, cap, confirmations })
    return yield* keepIfAllowed(
      queue.rules,
      { prepared, fee: cap },
      utxos.reserve(queue.keyOf(order), made, transaction.inputs.map(toUtxo))
    )
  }).pipe(queue.prepareLock.withPermits(1))

/** One turn: tries to reserve outputs until the payment has them, or cannot have them. */
const reserve = (
  services: PaymentServices,
  queue: AccountQueue,
  order: Order
): Effect.Effect<Reservation, SendError> =>
  Effect.suspend(() => {
    const { ledger, policy, utxos } = services
    const at = queue.keyOf(order)
    const taken: Array<Utxo> = []
    // the next preview is without outputs that others have reserved meanwhile
    const check: Effect.Effect<string, SqlError | PrepareError | SdkError.PolicyDenied | PaymentEnded> =
      Effect.catchTag(reserveOnce(services, queue, order, taken), "UtxosTaken", (error) => {
        taken.push(...error.utxos)
        return check
      })
    const fail = (error: SendError) =>
      Effect.zipRight(
        retryForever(utxos.endUnsigned(at, recordOutcome(ledger, at, Either.left(error)))),
        Effect.fail(error)
      )
    return runTurn<string, Effect.Effect.Error<typeof check>, Reservation, SendError>(policy, {
      check,
      onChecked: (plan) => Effect.succeed({ _tag: "Reserved", plan }),
      onFailed: (error, { isTimeUp }) =>
        Effect.gen(function* () {
          if (error._tag === "PaymentEnded") return yield* findEnd(ledger, at)
          if (error._tag === "InsufficientFunds") {
            const reserved = yield* retryForever(utxos.listReserved(queue.account))
            // lists of outputs are late: those of the newest block may be missing
            return isTimeUp && isUnderfunded(error, order, reserved) ? yield* fail(error) : undefined
          }
          return error._tag !== "SqlError" && isSendError(error) && !isTransient(error)
            ? yield* fail(error)
            : undefined
        }),
      onTimeUp: () => ({ _tag: "Waiting" })
    })
  })

/** The outcome of a payment whose transaction is deep enough. */
const toOutcome = (
  queue: AccountQueue,
  { from, key, network }: OrderRef,
  { blockHash, first, signed }: Extract<CheckResult, { _tag: "Mined" }>,
  refusal: SendError | undefined
): Effect.Effect<Either.Either<ConfirmedTransaction, SendError>, ReadError> =>
  Effect.gen(function* () {
    if (signed.purpose === "back")
      return Either.left(
        refusal?._tag === "RpcError"
          ? refusal
          : new SdkError.TransactionDropped({
              hash: first.hash,
              reason: `no node has it, and its coins were paid back to the account by ${signed.hash}`
            })
      )
    const header = yield* queue.rpc.getBlockHeader(blockHash, true)
    return typeof header === "string"
      ? yield* Effect.dieMessage("a node gave the bytes of a header that were not asked for")
      : Either.right({ key, network, from, hash: signed.hash, block: header.height, blockHash })
  })

/** What earlier turns know of a payment. */
export interface PollState {
  readonly plan: Plan
  readonly refusal?: SendError | undefined
  readonly problem?: Problem | undefined
}

/** A check, with what the next step needs: the outcome, or the height of the chain. */
type Checked =
  | Extract<CheckResult, { _tag: "Waiting" }>
  | (Extract<CheckResult, { _tag: "Mined" }> & {
      readonly outcome: Either.Either<ConfirmedTransaction, SendError>
    })
  | (Extract<CheckResult, { _tag: "Refused" | "Gone" }> & { readonly height: number })

type CheckedProblem = Extract<Checked, { _tag: "Refused" | "Gone" }>

/** Whether a problem has lasted long enough to end the payment. */
const isLasting = (
  seen: CheckedProblem,
  { height, since }: Problem,
  now: number,
  { giveUpAfter }: Policy
): boolean => {
  if (now - since < Duration.toMillis(giveUpAfter)) return false
  // Without an error of a node, one that is not asked may have the payment: then a block should have it by now.
  return (seen._tag === "Refused" && seen.error._tag === "RpcError") || seen.height - height >= TAKEN_DEPTH
}

/** How a turn ends a payment. Each yields the end that the ledger has: another runner may have been first. */
const makeEndings = ({ ledger, utxos }: PaymentServices, at: PaymentKey) => {
  const findOr = (outcome: Either.Either<ConfirmedTransaction, SendError>) =>
    Effect.flatMap(findOutcome(ledger, at), (recorded) => toDone(recorded ?? outcome))
  return {
    endLanded: (
      spent: Parameters<UtxoStore["endLanded"]>[1],
      outcome: Either.Either<ConfirmedTransaction, SendError>
    ) =>
      Effect.zipRight(
        retryForever(utxos.endLanded(at, spent, recordOutcome(ledger, at, outcome))),
        findOr(outcome)
      ),
    /** Undefined if something was signed, which may still land. */
    endUnsigned: (outcome: Either.Either<ConfirmedTransaction, SendError>) =>
      Effect.flatMap(retryForever(utxos.endUnsigned(at, recordOutcome(ledger, at, outcome))), (hasEnded) =>
        hasEnded ? findOr(outcome) : Effect.succeed(undefined)
      )
  }
}

/** One turn: checks a payment until it has ended. One that was refused is paid back to the account. */
export const poll = (
  services: PaymentServices,
  queue: AccountQueue,
  order: OrderRef,
  { plan, refusal, ...before }: PollState
): Effect.Effect<PollResult, SendError> =>
  Effect.suspend(() => {
    const { ledger, policy } = services
    const at = queue.keyOf(order)
    const { endLanded, endUnsigned } = makeEndings(services, at)
    const purpose = refusal === undefined ? "pay" : "back"
    let { problem } = before
    let isMined = false

    const check: Effect.Effect<Checked, CheckError> = Effect.gen(function* () {
      const seen = yield* queue.checkPayment(order, plan, purpose)
      if (seen._tag === "Mined") return { ...seen, outcome: yield* toOutcome(queue, order, seen, refusal) }
      return seen._tag === "Waiting" ? seen : { ...seen, height: yield* queue.height }
    })
    /** Nodes refuse the payment, or its outputs are gone. That ends it once it has lasted. */
    const handleProblem = (
      seen: CheckedProblem,
      now: number
    ): Effect.Effect<PollResult | undefined, SendError> => {
      if (problem?.kind !== seen._tag) problem = { kind: seen._tag, since: now, height: seen.height }
      if (!isLasting(seen, problem, now, policy)) return Effect.succeed(undefined)
      if (seen._tag === "Refused")
        return Effect.succeed(purpose === "pay" ? { _tag: "Refused", error: seen.error } : undefined)
      const reason = "what it spends is not there any more: somebody else has spent coins of the account"
      return endLanded(
        seen.spent,
        Either.left(new SdkError.TransactionDropped({ hash: seen.first.hash, reason }))
      )
    }

    return runTurn<Checked, CheckError, PollResult, SendError>(policy, {
      check,
      onChecked: (seen, { now }) => {
        isMined = seen._tag === "Waiting" && seen.isMined
        if (seen._tag === "Refused" || seen._tag === "Gone") return handleProblem(seen, now)
        problem = undefined
        return seen._tag === "Waiting"
          ? Effect.succeed(undefined)
          : Effect.flatMap(Effect.orDie(decodePlan(seen.signed.plan)), ({ transaction }) =>
              endLanded(transaction.inputs, seen.outcome)
            )
      },
      onFailed: (error, { isTimeUp }) => {
        if (error._tag === "PaymentEnded") return findEnd(ledger, at)
        // a failing signer is retried for a whole turn
        return isUnsigned(error) && isTimeUp ? endUnsigned(Either.left(error)) : Effect.succeed(undefined)
      },
      onTimeUp: () => ({ _tag: "Waiting", isMined, ...(problem === undefined ? {} : { problem }) })
    })
  })

/** Blocks are minutes apart, so that pauses grow to a minute. */
const pauseAfter = (index: number): Duration.Duration => Duration.seconds(Math.min(60, 2 * index + 1))

/** A payment from its reservation to its end. */
export const makeExecute =
  (find: (order: Order) => Effect.Effect<AccountQueue>, services: PaymentServices) => (order: Order) =>
    Effect.gen(function* () {
      const reserved = yield* runTurns<
        Reservation,
        Schema.Schema.Encoded<typeof Reservation>,
        SendError,
        Schema.Schema.Encoded<typeof SendError>,
        Exclude<Reservation, { _tag: "Waiting" }>,
        undefined
      >({
        name: "reserve",
        result: Reservation,
        error: SendError,
        initial: undefined,
        turn: () => Effect.flatMap(find(order), (queue) => reserve(services, queue, order)),
        next: (result, _, index) =>
          result._tag === "Waiting" ? { state: undefined, pause: pauseAfter(index) } : { end: result }
      })
      if (reserved._tag === "Done") return reserved.confirmed
      return yield* runTurns<
        PollResult,
        Schema.Schema.Encoded<typeof PollResult>,
        SendError,
        Schema.Schema.Encoded<typeof SendError>,
        ConfirmedTransaction,
        PollState
      >({
        name: "poll",
        result: PollResult,
        error: SendError,
        initial: { plan: yield* Effect.orDie(decodePlan(reserved.plan)) },
        turn: (state) => Effect.flatMap(find(order), (queue) => poll(services, queue, order, state)),
        next: (result, state, index) => {
          if (result._tag === "Done") return { end: result.confirmed }
          if (result._tag === "Refused") return { state: { ...state, refusal: result.error } }
          return { state: { ...state, problem: result.problem }, pause: pauseAfter(index) }
        }
      })
    })
