/**
 * Payments of Solana that are made once, whatever becomes of the processes that make them.
 *
 * @since 0.1.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import { type AskError, KeyReused } from "./EvmTransactions.js"
import { ofSql, type Services } from "./engine.js"
import { isAway, whileAway } from "./evm/Sending.js"
import type { FleetError } from "./FleetError.js"
import * as Ledger from "./Ledger.js"
import { type Confirmed, digestOf, type Ended, Order, Outcome } from "./solana/Order.js"
import { defaults, linesOf, type Policy, run, type SolanaAccount, SolanaSend } from "./solana/Sending.js"
import * as Signed from "./solana/Signed.js"

export { type AskError, KeyReused } from "./EvmTransactions.js"
export { Confirmed, Ended, Order } from "./solana/Order.js"
export type { Policy, SolanaAccount, SolanaNodes } from "./solana/Sending.js"

/**
 * Durable payments of Solana. Once `submit` has succeeded, the payment is made or has a typed end, though every process should be killed;
 * `send` waits for that, and may be called again with the same order to wait again. `result` tells what came of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class SolanaTransactions extends Context.Tag("@effect-chains/fleet/SolanaTransactions")<
  SolanaTransactions,
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

const nameOf = ({ from, network }: Pick<Order, "from" | "network">): string => `${network}/${from}`

/** The service, of a process with these accounts, or of one that carries out nothing. */
const service = (names: ReadonlySet<string> | undefined) =>
  Effect.gen(function* () {
    const ledger = Ledger.make(yield* SqlClient.SqlClient)
    const engine = yield* WorkflowEngine.WorkflowEngine

    const outcomeOf = (entry: Ledger.Entry | undefined) =>
      entry?.state !== "ended" || entry.outcome === undefined
        ? Effect.succeedNone
        : Effect.asSome(Effect.orDie(decodeOutcome(entry.outcome)))

    const start = (given: Order) =>
      Effect.gen(function* () {
        const order = yield* checked(given)
        const { from, key, network } = order
        if (names?.has(nameOf(order)) === false)
          return yield* new SdkError.InvalidArgument({
            call: "send",
            reason: `from is ${from} on ${network}, which is none of the accounts of this process`
          })
        const digest = digestOf(order)
        const entry = yield* Effect.orDie(ledger.enter({ network, address: from }, key, digest))
        if (entry.digest !== digest) return yield* new KeyReused({ key, network, from })
        const outcome = yield* outcomeOf(entry)
        if (Option.isNone(outcome)) yield* SolanaSend.execute({ order }, { discard: true })
        return { order, outcome }
      }).pipe(
        (starting) => stored(whileAway(starting, briefly)),
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
      )

    return SolanaTransactions.of({
      submit: (order) => Effect.asVoid(start(order)),
      send: (given) =>
        Effect.flatMap(start(given), ({ order, outcome }) =>
          Option.isSome(outcome)
            ? outcome.value
            : whileAway(SolanaSend.execute({ order }), Schedule.spaced("1 second")).pipe(
                Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
              )
        ),
      result: ({ from, key, network }) =>
        ledger
          .find({ network, address: from }, key)
          .pipe(Effect.orDie, Effect.flatMap(outcomeOf), (asked) => stored(whileAway(asked, briefly)))
    })
  })

/**
 * Durable payments in a process that carries out none: an API, say, whose runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  SolanaTransactions,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = Layer.effect(SolanaTransactions, service(undefined))

/**
 * Durable payments of these accounts, in a process that carries them out. Every runner of a fleet has the same accounts; their keys stay
 * in the processes, and no key is in the database. One that lacks an account waits until another runner takes its work.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<SolanaAccount>, E, R>,
  policy: Partial<Policy> = {}
): Layer.Layer<SolanaTransactions, E, R | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signed = Signed.make(sql)
      const lines = linesOf(yield* accounts, signed)
      type Line = typeof lines extends ReadonlyMap<string, infer L> ? L : never
      const find = (order: Order): Effect.Effect<Line> => {
        const line = lines.get(nameOf(order))
        return line === undefined
          ? Effect.logWarning(
              `${order.from} on ${order.network} is none of the accounts of this runner: give all runners the same`
            ).pipe(Effect.delay("5 seconds"), Effect.andThen(Effect.suspend(() => find(order))))
          : Effect.succeed(line)
      }
      const carrying = run(find, Ledger.make(sql), signed, { ...defaults, ...policy })
      return Layer.mergeAll(
        SolanaSend.toLayer(({ order }) => whileAway(carrying(order), Schedule.spaced("1 second"))),
        Layer.effect(SolanaTransactions, service(new Set(lines.keys())))
      )
    })
  )
