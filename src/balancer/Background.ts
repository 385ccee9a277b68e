/**
 * Work behind the calls: fibers that keep no process alive, questions that calls share, and trials that are repeated.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"

/** An effect whose timers do not keep a process alive. Another clock than the live one is left as it is. */
const withUnrefTimers = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) =>
    clock === Context.get(DefaultServices.liveServices, Clock.Clock)
      ? Effect.withClock(effect, {
          [Clock.ClockTypeId]: Clock.ClockTypeId,
          unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
          unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
          currentTimeMillis: clock.currentTimeMillis,
          currentTimeNanos: clock.currentTimeNanos,
          sleep: (duration) =>
            Effect.async<void>((resume) => {
              // a timer holds 31 bits: a longer one ends after 24 days
              const delay = Math.min(2 ** 31 - 1, Duration.toMillis(duration))
              const timer = setTimeout(() => resume(Effect.void), delay)
              if (typeof timer === "object") timer.unref()
              return Effect.sync(() => clearTimeout(timer))
            })
        })
      : effect
  )

/**
 * Runs an effect behind the calls, until it ends or the scope does. It keeps no process alive.
 *
 * @since 0.1.0
 * @category operations
 */
export const runInBackground = <A, E>(effect: Effect.Effect<A, E>, scope: Scope.Scope): Effect.Effect<void> =>
  Effect.as(Effect.forkIn(withUnrefTimers(effect), scope), undefined)

/**
 * Questions that are asked once for all callers of that time. They run in a scope: a caller that gives up does not end them for
 * the others.
 *
 * @since 0.1.0
 * @category models
 */
export interface InFlight<in K, out A, out E> {
  readonly run: (key: K) => Effect.Effect<A, E>
  readonly isRunning: (key: K) => boolean
}

/**
 * Shares a question among all who ask it of the same key.
 *
 * @since 0.1.0
 * @category operations
 */
export const shareInFlight = <K, A, E>(
  scope: Scope.Scope,
  question: (key: K) => Effect.Effect<A, E>
): InFlight<K, A, E> => {
  const running = new Map<K, Fiber.Fiber<A, E>>()
  return {
    isRunning: (key) => running.has(key),
    run: (key) =>
      Effect.suspend(() => {
        const before = running.get(key)
        if (before !== undefined) return Fiber.join(before)
        return question(key).pipe(
          Effect.ensuring(Effect.sync(() => running.delete(key))),
          Effect.forkIn(scope),
          Effect.flatMap((fiber) => {
            // it may be over already, and an answer that is over must not be kept; a lean fiber that runs has no exit at all
            if (fiber.unsafePoll() == null) running.set(key, fiber)
            return Fiber.join(fiber)
          })
        )
      })
  }
}

/**
 * Tries until that yields `true`, with these pauses.
 *
 * @since 0.1.0
 * @category operations
 */
export const repeatUntilTrue = (
  trial: Effect.Effect<boolean>,
  pauses: Schedule.Schedule<unknown>
): Effect.Effect<void> =>
  Effect.flatMap(Schedule.driver(pauses), (driver) => {
    const next: Effect.Effect<void> = Effect.flatMap(trial, (isOver) =>
      isOver
        ? Effect.void
        : Effect.matchEffect(driver.next(undefined), { onFailure: () => Effect.void, onSuccess: () => next })
    )
    return next
  })
