/**
 * The workflow of a sweep, for all families. Its transactions are durable ones with keys of their own, so that it may be killed at any moment:
 * each plan is stored before its transaction is submitted, and a transaction that was submitted is made once.
 */
import * as Activity from "@effect/workflow/Activity"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Network, SdkError, SdkErrorSchema, Units } from "effect-chains"
import { prepareSweep, type SweepSigner } from "effect-chains/effect/signers/sweep"
import type { DurableTransactions } from "../durable/DurableTransactions.js"
import { isDead, recoverRepeatedly } from "../durable/deadWorkflows.js"
import type { OrderId } from "../durable/Order.js"
import {
  makeDecodeOutcome,
  makeFindOutcome,
  makeRecordOutcome,
  retryForever,
  retrySchedule
} from "../durable/retries.js"
import { runTurn, runTurns, type TurnTiming } from "../durable/turns.js"
import type { Services } from "../engine.js"
import { FleetError } from "../FleetError.js"
import type { Account, Ledger } from "../Ledger.js"
import { Plan, type SweepOrder } from "./Order.js"

/** An account of a runner: it has tokens to sweep, or pays gas. */
export interface SweepAccount<in out Tx> {
  readonly signer: SweepSigner<Tx>
  /** The coins of the account. Absent where fees are not bumped: a bumped fee may not be above them. */
  readonly readBalance?: Effect.Effect<bigint, unknown>
}

/** The result of a sweep: the transactions that have paid its gas, and the one that has sent its tokens. */
export interface SweepResult<C> {
  readonly key: string
  readonly network: string
  readonly from: string
  readonly fundings: ReadonlyArray<C>
  readonly payment: C
}

/** A transaction of a sweep. Amounts are in the smallest unit. */
export interface SweepPayment {
  readonly key: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly maxFee: bigint
  readonly token?: string
  readonly memo?: string
}

type Id = Pick<OrderId, "network" | "from">

/**
 * What the workflow needs of a family. `O` are its sweeps, which fail with `F`. `T` are the orders of its transactions, which end as `C` or fail
 * with `E`.
 */
export interface SweepFamily<Tx, O extends SweepOrder, T extends OrderId, C, E, F, I> {
  readonly findAccount: (order: OrderId) => Effect.Effect<SweepAccount<Tx>>
  readonly transactions: DurableTransactions<T, C, E>
  readonly toOrder: (order: O, payment: SweepPayment) => T
  readonly outcome: Schema.Schema<Either.Either<C, E>, string>
  readonly sweepError: Schema.Schema<F, I>
  readonly sweepOutcome: Schema.Schema<Either.Either<SweepResult<C>, F>, string>
  /** The account of a transaction, as the ledger names it. */
  readonly accountOf: (order: Id) => Account
}

/** Sweeps have entries of their own in the ledger: those of the address are its transactions. */
export const sweepAccountOf =
  (accountOf: (order: Id) => Account) =>
  (order: Id): Account => {
    const { address, network } = accountOf(order)
    return { network, address: `sweep:${address}` }
  }

/** The transactions of one sweep: more would mean that the fee rises faster than it is paid. */
const MAX_TRANSACTIONS = 8

/** For how long nodes may contradict each other, or not show gas that is in a block. */
const GIVE_UP_MS = Duration.toMillis("10 minutes")

/** A fee is bumped to this multiple of itself at most, as in the default policy of transactions. */
const MAX_FEE_MULTIPLIER = 4n

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)

const invalidArgument = (reason: string) => new SdkError.InvalidArgument({ call: "sweep", reason })

/** Refuses orders of which a process does not have the gas account, as it refuses those of an address that it does not have. */
export const withGasAccounts =
  (accountOf: (order: Id) => Account, queues: ReadonlyMap<string, unknown>) =>
  <O extends SweepOrder, A, E>(service: DurableTransactions<O, A, E>): DurableTransactions<O, A, E> => {
    const check = <B, F>(
      order: O,
      then: Effect.Effect<B, F>
    ): Effect.Effect<B, F | SdkError.InvalidArgument> => {
      const { gas, network } = order
      const { address } = accountOf({ network, from: gas })
      return queues.has(`${network}/${address}`)
        ? then
        : Effect.fail(
            invalidArgument(`gas is ${gas} on ${network}, which is none of the accounts of this process`)
          )
    }
    // an order that cannot be read is refused by the service itself
    const isRead = ({ gas, network }: O): boolean => typeof gas === "string" && typeof network === "string"
    return {
      ...service,
      submit: (order) => (isRead(order) ? check(order, service.submit(order)) : service.submit(order)),
      send: (order) => (isRead(order) ? check(order, service.send(order)) : service.send(order))
    }
  }

const keyOf = (key: string, kind: "gas" | "sweep", index: number): string =>
  `${key}/${kind}${index === 0 ? "" : `/${index + 1}`}`

/** The cap of a sweep in the smallest unit. One that cannot be read is refused with the first preview. */
const toCap = ({ maxGas, network }: SweepOrder): bigint =>
  typeof maxGas === "bigint"
    ? maxGas
    : Option.getOrElse(
        Network.isNetwork(network) ? Units.parse(maxGas, Network.info(network).decimals) : Option.none(),
        () => 0n
      )

/** What is known of a sweep before its next transaction: what its gas has cost at most, and the coins of its address before the last gas. */
interface Progress {
  readonly spent: bigint
  readonly before: bigint | undefined
}

/** Plans the next transaction. Only errors that end the sweep are its own: others pass, and it is tried again. */
const planNext = <Tx, O extends SweepOrder, T extends OrderId, C, E, F, I>(
  { findAccount, sweepError }: SweepFamily<Tx, O, T, C, E, F, I>,
  order: O,
  { before, spent }: Progress
): Effect.Effect<Plan, F | SdkError.InvalidArgument> =>
  Effect.gen(function* () {
    const { amount, gas, key, maxGas, memo, network, to, token } = order
    const [from, payer] = yield* Effect.all([findAccount(order), findAccount({ key, network, from: gas })])
    const isEnd = Schema.is(sweepError)
    const began = yield* Clock.currentTimeMillis
    for (;;) {
      const prepared = yield* Effect.either(
        prepareSweep(
          {
            from: from.signer,
            gas: payer.signer,
            token,
            to,
            maxGas,
            ...(amount === undefined ? {} : { amount }),
            ...(memo === undefined ? {} : { memo })
          },
          { spent }
        )
      )
      const isTimeUp = (yield* Clock.currentTimeMillis) - began >= GIVE_UP_MS
      if (Either.isLeft(prepared)) {
        const error: unknown = prepared.left
        if (isEnd(error) && (prepared.left._tag !== "NoQuorum" || isTimeUp)) return yield* Effect.fail(error)
        yield* Effect.logDebug("tried again", error)
      } else {
        const { funding, payment, shortage } = prepared.right
        if (payment !== undefined) {
          const balance =
            from.readBalance === undefined ? 0n : yield* Effect.orElseSucceed(from.readBalance, () => 0n)
          const { amount, fee } = payment
          return { _tag: "Pay" as const, amount, maxFee: max(fee, min(balance, fee * MAX_FEE_MULTIPLIER)) }
        }
        // a node that still shows the coins of before is behind: it would have the address funded twice
        if (funding !== undefined && shortage !== undefined) {
          const { available } = shortage
          if (before === undefined || available > before) {
            const { amount, fee } = funding
            const maxFee = min(toCap(order) - spent - amount, fee * MAX_FEE_MULTIPLIER)
            return { _tag: "Fund" as const, amount, maxFee, available }
          }
          if (isTimeUp)
            return yield* invalidArgument(
              `no node shows the gas that ${order.from} was paid, or something else has spent it`
            )
        }
      }
      yield* Effect.sleep("1 second")
    }
  })

/** Makes a function that submits a transaction of a sweep and waits for its end. */
const makeRunTransaction = <T extends OrderId, C, E>(
  transactions: DurableTransactions<T, C, E>,
  outcome: Schema.Schema<Either.Either<C, E>, string>,
  timing: TurnTiming
) => {
  const Turn = Schema.Union(
    Schema.TaggedStruct("Ended", { outcome }),
    Schema.TaggedStruct("Refused", { error: SdkErrorSchema.InvalidArgument }),
    Schema.TaggedStruct("Waiting", {})
  ).annotations({ title: "SweepTurn" })
  type Turn = typeof Turn.Type
  const submit = (order: T): Effect.Effect<SdkError.InvalidArgument | undefined> =>
    transactions.submit(order).pipe(
      Effect.as(undefined),
      Effect.retry({
        schedule: retrySchedule,
        while: (error) => error instanceof FleetError && error.reason !== "InvalidOption"
      }),
      Effect.catchAll((error) =>
        error instanceof FleetError
          ? Effect.die(error)
          : Effect.succeed(
              error._tag === "KeyReused"
                ? invalidArgument(`the key ${order.key} was used before for another transaction`)
                : error
            )
      )
    )
  const turn = (order: T): Effect.Effect<Turn> =>
    Effect.gen(function* () {
      const refused = yield* submit(order)
      if (refused !== undefined) return { _tag: "Refused", error: refused }
      return yield* runTurn<Option.Option<Either.Either<C, E>>, FleetError, Turn, never>(timing, {
        check: transactions.result(order),
        onChecked: (found) =>
          Effect.succeed(Option.isSome(found) ? { _tag: "Ended", outcome: found.value } : undefined),
        onFailed: () => Effect.succeed(undefined),
        onTimeUp: () => ({ _tag: "Waiting" })
      })
    })
  return (name: string, order: T) =>
    runTurns<
      Turn,
      Schema.Schema.Encoded<typeof Turn>,
      never,
      never,
      Either.Either<C, E | SdkError.InvalidArgument>,
      undefined
    >({
      name,
      result: Turn,
      error: Schema.Never,
      initial: undefined,
      turn: () => turn(order),
      next: (seen) => {
        if (seen._tag === "Waiting") return { state: undefined, pause: "1 second" }
        return { end: seen._tag === "Ended" ? seen.outcome : Either.left(seen.error) }
      }
    })
}

/** Whether a payment of tokens was refused since its fee has risen above the coins of its address. */
const lacksCoins = (error: unknown): boolean =>
  error instanceof SdkError.InsufficientFunds && error.token === undefined

/** An error of the SDK. */
export interface Tagged {
  readonly _tag: string
}

/** Makes the function that runs a sweep from its first plan to its end. */
export const makeExecute = <
  Tx,
  O extends SweepOrder,
  T extends OrderId,
  C,
  E extends Tagged,
  F extends Tagged,
  I
>(
  family: SweepFamily<Tx, O, T, C, E | SdkError.InvalidArgument, F | E | SdkError.InvalidArgument, I>,
  ledger: Ledger,
  timing: TurnTiming
) => {
  type Failure = F | E | SdkError.InvalidArgument
  const runTransaction = makeRunTransaction(family.transactions, family.outcome, timing)
  const sweep = (order: O) =>
    Effect.gen(function* () {
      const { from, gas, key, memo, network, to, token } = order
      const fundings: Array<C> = []
      let progress: Progress = { spent: 0n, before: undefined }
      let payments = 0
      for (let index = 0; index < MAX_TRANSACTIONS; index++) {
        const plan: Plan = yield* Activity.make({
          name: `plan/${index}`,
          success: Plan,
          error: family.sweepError,
          execute: planNext(family, order, progress)
        })
        const { amount, maxFee } = plan
        const payment: SweepPayment =
          plan._tag === "Fund"
            ? { key: keyOf(key, "gas", fundings.length), from: gas, to: from, amount, maxFee }
            : {
                key: keyOf(key, "sweep", payments++),
                from,
                to,
                amount,
                maxFee,
                token,
                ...(memo === undefined ? {} : { memo })
              }
        const ended = yield* runTransaction(`transaction/${index}`, family.toOrder(order, payment))
        if (Either.isLeft(ended)) {
          if (plan._tag === "Pay" && lacksCoins(ended.left)) continue
          return yield* Effect.fail<Failure>(ended.left)
        }
        if (plan._tag === "Pay") return { key, network, from, fundings, payment: ended.right }
        fundings.push(ended.right)
        progress = { spent: progress.spent + amount + maxFee, before: plan.available }
      }
      return yield* Effect.fail<Failure>(
        invalidArgument("its fee has risen again and again while its gas was paid")
      )
    })
  const recordOutcome = makeRecordOutcome(family.sweepOutcome)
  const findOutcome = makeFindOutcome(family.sweepOutcome)
  const entryAccountOf = sweepAccountOf(family.accountOf)
  return (order: O) =>
    Effect.gen(function* () {
      const outcome = yield* Effect.either(sweep(order))
      const entry = { ...entryAccountOf(order), key: order.key }
      // the ledger keeps the first outcome
      const kept = yield* Activity.make({
        name: "end",
        success: family.sweepOutcome,
        execute: Effect.zipRight(
          retryForever(recordOutcome(ledger, entry, outcome)),
          Effect.map(findOutcome(ledger, entry), (found) => found ?? outcome)
        )
      })
      return yield* kept
    })
}

/**
 * Ends sweeps whose workflow died. A transaction that was submitted goes on by itself, and the sweep has its outcome then; without one its
 * tokens were not sent.
 */
export const makeRecovery = <
  Tx,
  O extends SweepOrder,
  T extends OrderId,
  C,
  E extends Tagged,
  F extends Tagged,
  I,
  A extends Id
>(
  family: SweepFamily<Tx, O, T, C, E | SdkError.SigningFailed, F | E | SdkError.SigningFailed, I>,
  workflow: Parameters<typeof isDead>[0],
  executionId: (account: A, key: string) => Effect.Effect<string>,
  accounts: ReadonlyArray<A>,
  ledger: Ledger,
  every: Duration.DurationInput
): Effect.Effect<void, never, Services> => {
  const recordOutcome = makeRecordOutcome(family.sweepOutcome)
  const decodeOutcome = makeDecodeOutcome(family.outcome)
  const entryAccountOf = sweepAccountOf(family.accountOf)
  const listPayments = (account: Account, key: string) =>
    Effect.map(
      Effect.forEach(
        Array.from({ length: MAX_TRANSACTIONS }, (_, index) => keyOf(key, "sweep", index)),
        (each) => ledger.find(account, each)
      ),
      (entries) => entries.filter((entry) => entry !== undefined)
    )
  return recoverRepeatedly(
    new Map(accounts.map((each) => [`${each.network}/${each.from}`, each])),
    every,
    (account) => ledger.listOpen(entryAccountOf(account)),
    (account, entry) =>
      Effect.gen(function* () {
        const { key } = entry
        const { from, network } = account
        const payments = yield* listPayments(family.accountOf(account), key)
        const id = yield* executionId(account, key)
        if (!(yield* isDead(workflow, id, entry, payments.length > 0))) return
        const last = payments.at(-1)
        const outcome = yield* decodeOutcome(last)
        if (last !== undefined && outcome === undefined) return
        // who has paid its gas is in the outcomes of the keys of its gas
        const ended: Either.Either<SweepResult<C>, E | SdkError.SigningFailed> = outcome === undefined
          ? DEAD
          : Either.map(outcome, (payment) => ({ key, network, from, fundings: [], payment }))
        yield* recordOutcome(ledger, entry, ended)
      })
  )
}

const DEAD = Either.left(
  new SdkError.SigningFailed({
    reason:
      "its workflow died before its tokens were sent: a sweep under a new key goes on with the gas that the address has"
  })
)
