/** The service of durable transactions, for all families: it takes orders, starts their workflows, and waits for their outcomes. */
import * as Singleton from "@effect/cluster/Singleton"
import * as SqlClient from "@effect/sql/SqlClient"
import * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import { type Services, toFleetError } from "../engine.js"
import type { FleetError } from "../FleetError.js"
import * as Ledger from "../Ledger.js"
import type { OrderId } from "./Order.js"
import { isUnavailable, makeDecodeOutcome, outcomeSchedule, retryWhileUnavailable } from "./retries.js"

/**
 * The key was used before for another order. Nothing is sent. Take a new key for a new payment, and the same arguments for another try of the
 * same payment.
 *
 * @since 0.1.0
 * @category errors
 */
export class KeyReused extends Data.TaggedError("KeyReused")<{
  readonly key: string
  readonly network: string
  readonly from: string
}> {
  override get message(): string {
    return `The key ${this.key} of ${this.from} on ${this.network} was used before with other arguments. Nothing was sent. A new payment needs a new key; another try of the same one has the same arguments.`
  }
}

/**
 * The errors of submitting an order. After `InvalidArgument` and `KeyReused` nothing is sent. After a `FleetError` submit the order again with
 * the same key.
 *
 * @since 0.1.0
 * @category errors
 */
export type SubmitError = SdkError.InvalidArgument | KeyReused | FleetError

/**
 * Durable transactions of a family: orders `O` end as `A` or fail with `E`.
 *
 * @since 0.1.0
 * @category models
 */
export interface DurableTransactions<O extends OrderId, A, E> {
  readonly submit: (order: O) => Effect.Effect<void, SubmitError>
  readonly send: (order: O) => Effect.Effect<A, SubmitError | E>
  readonly result: (
    order: Pick<O, "network" | "from" | "key">
  ) => Effect.Effect<Option.Option<Either.Either<A, E>>, FleetError>
}

/** A workflow of `@effect/workflow` whose payload is an order. */
export interface OrderWorkflow<O, A, E> {
  readonly execute: <const Discard extends boolean = false>(
    payload: { readonly order: O },
    options?: { readonly discard?: Discard }
  ) => Effect.Effect<
    Discard extends true ? string : A,
    Discard extends true ? never : E,
    WorkflowEngine.WorkflowEngine
  >
  readonly toLayer: (
    execute: (payload: {
      readonly order: O
    }) => Effect.Effect<A, E, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
  ) => Layer.Layer<never, never, WorkflowEngine.WorkflowEngine>
}

/** What the service needs of a family. */
export interface TransactionFamily<O extends OrderId, I, A, E> {
  readonly order: Schema.Schema<O, I>
  readonly outcome: Schema.Schema<Either.Either<A, E>, string>
  readonly accountOf: (order: Pick<OrderId, "from" | "network">) => Ledger.Account
  readonly digestOf: (order: O) => string
  readonly workflow: OrderWorkflow<O, A, E>
}

/** How long a caller waits for a store that is away, until submitting fails. */
const submitSchedule = Schedule.spaced("500 millis").pipe(Schedule.upTo("5 seconds"))

/** Turns defects of the store into a `FleetError`. Another defect is a bug of ours. */
const withFleetError = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | FleetError, R> =>
  Effect.catchAllCause(
    effect,
    (cause): Effect.Effect<never, E | FleetError> =>
      isUnavailable(cause) ? Effect.fail(toFleetError(Cause.squash(cause))) : Effect.failCause(cause)
  )

const accountName = ({ address, network }: Ledger.Account): string => `${network}/${address}`

/** Queues by the names of their accounts. */
export const toQueueMap = <L extends { readonly account: Ledger.Account }>(
  queues: ReadonlyArray<L>
): ReadonlyMap<string, L> => new Map(queues.map((queue) => [accountName(queue.account), queue]))

/** Makes a function that finds the queue of an order. A runner without it waits until another one takes the work. */
export const makeFindQueue = <L>(
  accountOf: (order: Pick<OrderId, "from" | "network">) => Ledger.Account,
  queues: ReadonlyMap<string, L>
) => {
  const find = (order: OrderId): Effect.Effect<L> => {
    const queue = queues.get(accountName(accountOf(order)))
    return queue === undefined
      ? Effect.logWarning(
          `${order.from} on ${order.network} is none of the accounts of this runner: give all runners the same`
        ).pipe(Effect.delay("5 seconds"), Effect.andThen(Effect.suspend(() => find(order))))
      : Effect.succeed(queue)
  }
  return find
}

/** Makes a function that checks an order against its schema. An option that it does not know is refused: it would be lost. */
const makeValidateOrder = <O extends OrderId, I>(schema: Schema.Schema<O, I>) => {
  const validate = Schema.validateEither(schema, { onExcessProperty: "error" })
  return (order: O): Effect.Effect<O, SdkError.InvalidArgument> =>
    Effect.mapError(validate(order), (error) => {
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      const path = issue === undefined || issue.path.length === 0 ? "the order" : issue.path.join(".")
      return new SdkError.InvalidArgument({
        call: "send",
        reason: `${path} ${issue?.message ?? "cannot be read"}`
      })
    })
}

/** Makes a function that waits for the end of a workflow. If the workflow dies, its recovery records the outcome. */
const makeAwaitEnd =
  <O, A, E, R>(
    execute: (order: O) => Effect.Effect<A, E, R>,
    findOutcome: (order: O) => Effect.Effect<Option.Option<Either.Either<A, E>>>
  ) =>
  (order: O): Effect.Effect<A, E, R> => {
    const awaitRecovered = retryWhileUnavailable(findOutcome(order), Schedule.spaced("1 second")).pipe(
      Effect.flatten,
      Effect.retry(outcomeSchedule),
      Effect.orDie,
      Effect.flatten
    )
    return Effect.catchAllCause(retryWhileUnavailable(execute(order), Schedule.spaced("1 second")), (cause) =>
      Either.match(Cause.failureOrCause(cause), {
        onLeft: (error) => Effect.fail(error),
        onRight: (death) =>
          Effect.zipRight(
            Effect.logWarning("A workflow died: its outcome follows once it is recovered", death),
            awaitRecovered
          )
      })
    )
  }

/** Makes the service of a process with these accounts. Without accounts it submits orders of any account, and runs none. */
export const make = <O extends OrderId, I, A, E>(
  { accountOf, digestOf, order: schema, outcome: text, workflow }: TransactionFamily<O, I, A, E>,
  queues: ReadonlyMap<string, unknown> | undefined
): Effect.Effect<
  DurableTransactions<O, A, E>,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> => {
  const decodeOutcome = makeDecodeOutcome(text)
  const validateOrder = makeValidateOrder(schema)

  return Effect.gen(function* () {
    const ledger = Ledger.make(yield* SqlClient.SqlClient)
    const engine = yield* WorkflowEngine.WorkflowEngine

    const outcomeOfEntry = (entry: Ledger.Entry | undefined) =>
      Effect.map(decodeOutcome(entry), Option.fromNullable)

    /** Writes the order to the ledger and starts its workflow, or finds its outcome. */
    const startWorkflow = (given: O) =>
      Effect.gen(function* () {
        const order = yield* validateOrder(given)
        const { from, key, network } = order
        const account = accountOf(order)
        if (queues?.has(accountName(account)) === false)
          return yield* new SdkError.InvalidArgument({
            call: "send",
            reason: `from is ${from} on ${network}, which is none of the accounts of this process`
          })
        const digest = digestOf(order)
        const entry = yield* Effect.orDie(ledger.findOrCreate(account, key, digest))
        if (entry.digest !== digest) return yield* new KeyReused({ key, network, from })
        const outcome = yield* outcomeOfEntry(entry)
        if (Option.isNone(outcome)) yield* workflow.execute({ order }, { discard: true })
        return { order, outcome }
      }).pipe(
        (starting) => withFleetError(retryWhileUnavailable(starting, submitSchedule)),
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
      )

    /** The outcome of an order, if the ledger has one. */
    const findOutcome = (order: Pick<O, "network" | "from" | "key">) =>
      ledger.find(accountOf(order), order.key).pipe(Effect.orDie, Effect.flatMap(outcomeOfEntry))

    const awaitEnd = makeAwaitEnd((order: O) => workflow.execute({ order }), findOutcome)

    return {
      submit: (order) => Effect.asVoid(startWorkflow(order)),
      send: (given) =>
        Effect.flatMap(startWorkflow(given), ({ order, outcome }) =>
          Option.isSome(outcome)
            ? outcome.value
            : Effect.provideService(awaitEnd(order), WorkflowEngine.WorkflowEngine, engine)
        ),
      result: (order) => withFleetError(retryWhileUnavailable(findOutcome(order), submitSchedule))
    }
  })
}

/** The service of a family, in the context. */
type Service<Self, O extends OrderId, A, E> = Context.Tag<Self, DurableTransactions<O, A, E>>

/** Makes the layer of a process that submits orders and runs none. */
export const makeLayerClient = <Self, O extends OrderId, I, A, E>(
  service: Service<Self, O, A, E>,
  family: TransactionFamily<O, I, A, E>
): Layer.Layer<Self, never, SqlClient.SqlClient | WorkflowEngine.WorkflowEngine> =>
  Layer.effect(service, make(family, undefined))

/** What a runner needs besides its family. One of all runners runs `recovery`, under `name`. `wrap` adds checks to the service. */
interface Runner<O extends OrderId, A, E> {
  readonly name: string
  readonly queues: ReadonlyMap<string, unknown>
  readonly execute: (
    order: O
  ) => Effect.Effect<A, E, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
  readonly recovery: Effect.Effect<void, never, Services>
  readonly wrap?: (service: DurableTransactions<O, A, E>) => DurableTransactions<O, A, E>
}

/** Makes the layer of a runner: the workflow of its orders, the recovery of those that died, and the service. */
export const makeLayer = <Self, O extends OrderId, I, A, E>(
  service: Service<Self, O, A, E>,
  family: TransactionFamily<O, I, A, E>,
  { execute, name, queues, recovery, wrap = identity }: Runner<O, A, E>
): Layer.Layer<Self, never, Services> =>
  Layer.mergeAll(
    family.workflow.toLayer(({ order }) =>
      retryWhileUnavailable(execute(order), Schedule.spaced("1 second"))
    ),
    Singleton.make(name, recovery),
    Layer.effect(service, Effect.map(make(family, queues), wrap))
  )
