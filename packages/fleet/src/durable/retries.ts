/** Retries of failures that pass, and the outcomes of orders in the ledger. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { Entry, EntryRef, Ledger } from "../Ledger.js"

/** Often at first, then every five seconds. */
export const retrySchedule = Schedule.exponential("200 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds"))
)

/** Retries until it succeeds: a store or nodes that are away come back. */
export const retryForever = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  effect.pipe(
    Effect.tapError((error) => Effect.logDebug("tried again", error)),
    Effect.retry(retrySchedule),
    Effect.orDie
  )

/** The engine dies of these errors while its store or a runner is away. Its work is stored, so that a call may be repeated. */
const UNAVAILABLE_TAGS: ReadonlySet<unknown> = new Set([
  "PersistenceError",
  "SqlError",
  "SocketError",
  "RpcClientError",
  "RunnerUnavailable",
  "RunnerNotRegistered",
  "EntityNotAssignedToRunner",
  "MailboxFull",
  "AlreadyProcessingMessage"
])

export const isUnavailable = (cause: Cause.Cause<unknown>): boolean =>
  [...Cause.defects(cause), ...Cause.failures(cause)].some(
    (each) => typeof each === "object" && each !== null && "_tag" in each && UNAVAILABLE_TAGS.has(each._tag)
  )

/** Retries while the store or a runner is away. */
export const retryWhileUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  schedule: Schedule.Schedule<unknown>
): Effect.Effect<A, E, R> =>
  effect.pipe(Effect.sandbox, Effect.retry({ schedule, while: isUnavailable }), Effect.unsandbox)

/** How often the outcome of an order is looked up by those who wait for it. */
export const outcomeSchedule = Schedule.exponential("200 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("2 seconds"))
)

const endedCounter = Metric.counter("fleet_transactions_ended", {
  description: "Transactions that have ended, by how",
  incremental: true
})

export const feeBumps: Metric.Metric.Counter<number> = Metric.counter("fleet_transactions_raised", {
  description: "Transactions that were signed anew with a higher fee",
  incremental: true
})

/** Makes a function that records an outcome in the ledger, and counts it once. */
export const makeRecordOutcome = <A, E extends { readonly _tag: string }>(
  text: Schema.Schema<Either.Either<A, E>, string>
) => {
  const encode = Schema.encodeSync(text)
  return (ledger: Ledger, entry: EntryRef, outcome: Either.Either<A, E>) =>
    Effect.flatMap(ledger.recordEnd(entry, encode(outcome)), (isFirst) =>
      isFirst
        ? Metric.increment(
            Metric.tagged(endedCounter, "outcome", Either.isRight(outcome) ? "Confirmed" : outcome.left._tag)
          )
        : Effect.void
    )
}

/** Makes a function that reads the outcome of an entry, if it has ended. */
export const makeDecodeOutcome = <A, E>(text: Schema.Schema<Either.Either<A, E>, string>) => {
  const decode = Schema.decode(text)
  return (entry: Entry | undefined): Effect.Effect<Either.Either<A, E> | undefined> =>
    entry?.state !== "ended" || entry.outcome === undefined
      ? Effect.succeed(undefined)
      : Effect.orDie(decode(entry.outcome))
}

/** Makes a function that looks up the outcome of an order: another runner may have recorded one, or this one before it died. */
export const makeFindOutcome = <A, E>(text: Schema.Schema<Either.Either<A, E>, string>) => {
  const end = makeDecodeOutcome(text)
  return (
    ledger: Ledger,
    { key, ...account }: Pick<Entry, "network" | "address" | "key">
  ): Effect.Effect<Either.Either<A, E> | undefined> =>
    retryForever(Effect.flatMap(ledger.find(account, key), end))
}

/** Makes a function that fails with the recorded error of an order, so that nothing more is done for it. */
export const makeFailIfRefused = <A, E>(text: Schema.Schema<Either.Either<A, E>, string>) => {
  const find = makeFindOutcome(text)
  return (...order: Parameters<typeof find>): Effect.Effect<void, E> =>
    Effect.flatMap(find(...order), (found) =>
      found !== undefined && Either.isLeft(found) ? Effect.fail(found.left) : Effect.void
    )
}
