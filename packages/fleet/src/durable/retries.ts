/** What is tried again until it works, and how an outcome is kept. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { Entry, EntryRef, Ledger } from "../Ledger.js"

/** What passes by itself is tried again until it has: often at first, then every five seconds. */
export const retrySchedule = Schedule.exponential("200 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds"))
)

/** Tries until it works: a store or nodes that are away come back, and nothing is lost meanwhile. */
export const retryForever = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  effect.pipe(
    Effect.tapError((error) => Effect.logDebug("tried again", error)),
    Effect.retry(retrySchedule),
    Effect.orDie
  )

/** What the engine dies of where its store or another runner is away. What it has done stands there, so that it may be asked again. */
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

/** Asks again for what the store or a runner was away for. */
export const retryWhileUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  schedule: Schedule.Schedule<unknown>
): Effect.Effect<A, E, R> =>
  effect.pipe(Effect.sandbox, Effect.retry({ schedule, while: isUnavailable }), Effect.unsandbox)

/** How late somebody who waits hears of the end. */
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

/** Keeps an outcome, and counts it once. */
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

/** The end that an entry of the ledger tells, if it has ended. */
export const makeDecodeOutcome = <A, E>(text: Schema.Schema<Either.Either<A, E>, string>) => {
  const decode = Schema.decode(text)
  return (entry: Entry | undefined): Effect.Effect<Either.Either<A, E> | undefined> =>
    entry?.state !== "ended" || entry.outcome === undefined
      ? Effect.succeed(undefined)
      : Effect.orDie(decode(entry.outcome))
}

/** What the ledger says of an order that has ended: another runner may have been first, or this one died before it could say so. */
export const makeFindOutcome = <A, E>(text: Schema.Schema<Either.Either<A, E>, string>) => {
  const end = makeDecodeOutcome(text)
  return (
    ledger: Ledger,
    { key, ...account }: Pick<Entry, "network" | "address" | "key">
  ): Effect.Effect<Either.Either<A, E> | undefined> =>
    retryForever(Effect.flatMap(ledger.find(account, key), end))
}

/** Fails as the ledger has it for an order that was refused: what comes after that must not be done. */
export const makeFailIfRefused = <A, E>(text: Schema.Schema<Either.Either<A, E>, string>) => {
  const find = makeFindOutcome(text)
  return (...order: Parameters<typeof find>): Effect.Effect<void, E> =>
    Effect.flatMap(find(...order), (found) =>
      found !== undefined && Either.isLeft(found) ? Effect.fail(found.left) : Effect.void
    )
}
