/**
 * Transactions of EVM networks that are made once, whatever becomes of the processes that make them.
 *
 * @since 0.1.0
 */
import * as Singleton from "@effect/cluster/Singleton"
import * as SqlClient from "@effect/sql/SqlClient"
import * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import { ofSql, type Services } from "./engine.js"
import * as Line from "./evm/Line.js"
import { type Confirmed, digestOf, type Ended, Order, Outcome } from "./evm/Order.js"
import { accountOf, EvmSend, isAway, run, whileAway } from "./evm/Sending.js"
import * as Sweep from "./evm/Sweep.js"
import type { FleetError } from "./FleetError.js"
import * as Ledger from "./Ledger.js"

export type { EvmAccount, EvmNodes, Policy } from "./evm/Line.js"
export { Confirmed, Ended, Order } from "./evm/Order.js"

/**
 * The failure of a key that was used before for something else. Nothing is sent: take a new key for a new payment, and for another try
 * of the same one the same arguments.
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
 * The errors of what asks for a transaction: nothing is sent for `InvalidArgument` and `KeyReused`; after a `FleetError` it may be asked
 * for again with the same key.
 *
 * @since 0.1.0
 * @category errors
 */
export type AskError = SdkError.InvalidArgument | KeyReused | FleetError

/**
 * Durable transactions of EVM networks. Once `submit` has succeeded, the transaction is made or has a typed end, though every process
 * should be killed; `send` waits for that, and may be called again with the same order to wait again. `result` tells what came of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class EvmTransactions extends Context.Tag("@effect-chains/fleet/EvmTransactions")<
  EvmTransactions,
  {
    readonly submit: (order: Order) => Effect.Effect<void, AskError>
    readonly send: (order: Order) => Effect.Effect<Confirmed, AskError | Ended>
    readonly result: (
      order: Pick<Order, "network" | "from" | "key">
    ) => Effect.Effect<Option.Option<Either.Either<Confirmed, Ended>>, FleetError>
  }
>() {}

const decodeOutcome = Schema.decode(Outcome)
const validate = Schema.validateEither(Order)

/** Why an order cannot be carried out, if it cannot. */
const checked = (order: Order): Effect.Effect<Order, SdkError.InvalidArgument> =>
  Effect.mapError(validate(order), (error) => {
    const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
    const path = issue === undefined || issue.path.length === 0 ? "the order" : issue.path.join(".")
    return new SdkError.InvalidArgument({
      call: "send",
      reason: `${path} ${issue?.message ?? "cannot be read"}`
    })
  })

/** So long a store is waited for by somebody who wants to know whether an order was taken. */
const briefly = Schedule.spaced("500 millis").pipe(Schedule.upTo("5 seconds"))

/** The store's errors as those of a fleet; another defect is one of ours. */
const stored = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | FleetError, R> =>
  Effect.catchAllCause(
    effect,
    (cause): Effect.Effect<never, E | FleetError> =>
      isAway(cause) ? Effect.fail(ofSql(Cause.squash(cause))) : Effect.failCause(cause)
  )

/** The service, of a process with these accounts, or of one that carries out nothing. */
const service = (lines: ReadonlyMap<string, Line.Line> | undefined) =>
  Effect.gen(function* () {
    const ledger = Ledger.make(yield* SqlClient.SqlClient)
    const engine = yield* WorkflowEngine.WorkflowEngine

    const outcomeOf = (entry: Ledger.Entry | undefined) =>
      entry?.state !== "ended" || entry.outcome === undefined
        ? Effect.succeedNone
        : Effect.asSome(Effect.orDie(decodeOutcome(entry.outcome)))

    /** Writes the order down, or finds what came of it. */
    const enter = (given: Order) =>
      Effect.gen(function* () {
        const order = yield* checked(given)
        const { from, key, network } = order
        const account = accountOf(order)
        if (lines?.has(`${account.network}/${account.address}`) === false)
          return yield* new SdkError.InvalidArgument({
            call: "send",
            reason: `from is ${from} on ${network}, which is none of the accounts of this process`
          })
        const digest = digestOf(order)
        const entry = yield* Effect.orDie(ledger.enter(account, key, digest))
        if (entry.digest !== digest) return yield* new KeyReused({ key, network, from })
        return { order, outcome: yield* outcomeOf(entry) }
      })

    const start = (given: Order) =>
      enter(given).pipe(
        Effect.tap(({ order, outcome }) =>
          Option.isSome(outcome) ? Effect.void : EvmSend.execute({ order }, { discard: true })
        ),
        (starting) => stored(whileAway(starting, briefly)),
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
      )

    return EvmTransactions.of({
      submit: (order) => Effect.asVoid(start(order)),
      send: (given) =>
        Effect.flatMap(start(given), ({ order, outcome }) =>
          Option.isSome(outcome)
            ? outcome.value
            : whileAway(EvmSend.execute({ order }), Schedule.spaced("1 second")).pipe(
                Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
              )
        ),
      result: ({ from, key, network }) =>
        ledger
          .find(accountOf({ from, network }), key)
          .pipe(Effect.orDie, Effect.flatMap(outcomeOf), (asked) => stored(whileAway(asked, briefly)))
    })
  })

/**
 * Durable transactions in a process that carries out none: an API, say, whose runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  EvmTransactions,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = Layer.effect(EvmTransactions, service(undefined))

/**
 * Durable transactions of these accounts, in a process that carries them out. Every runner of a fleet has the same accounts; their keys
 * stay in the processes, and no key is in the database. One that lacks an account waits until another runner takes its work.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<Line.EvmAccount>, E, R>,
  policy: Partial<Line.Policy> = {}
): Layer.Layer<EvmTransactions, E, R | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const settings = { ...Line.defaults, ...policy }
      const ledger = Ledger.make(yield* SqlClient.SqlClient)
      const made = yield* Effect.forEach(yield* accounts, (each) => Line.make(each, ledger, settings))
      const lines = new Map(made.map((line) => [`${line.account.network}/${line.account.address}`, line]))
      const find = (order: Order): Effect.Effect<Line.Line> => {
        const { address, network } = accountOf(order)
        const line = lines.get(`${network}/${address}`)
        return line === undefined
          ? Effect.logWarning(
              `${order.from} on ${network} is none of the accounts of this runner: give all runners the same`
            ).pipe(Effect.delay("5 seconds"), Effect.andThen(Effect.suspend(() => find(order))))
          : Effect.succeed(line)
      }
      const carrying = run(find, ledger, settings)
      return Layer.mergeAll(
        EvmSend.toLayer(({ order }) => whileAway(carrying(order), Schedule.spaced("1 second"))),
        Singleton.make("fleet/evm", Effect.repeat(Sweep.make(lines, ledger), Schedule.spaced("5 seconds"))),
        Layer.effect(EvmTransactions, service(lines))
      )
    })
  )
