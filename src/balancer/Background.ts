/**
 * Background work: fibers that keep no process alive, shared requests, and repetition until success.
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

/** Runs an effect with timers that do not keep a process alive. Only the live clock is replaced. */
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
 * Runs an effect in the background until it ends or the scope closes. It keeps no process alive.
 *
 * @since 0.1.0
 * @category operations
 */
export const runInBackground = <A, E>(effect: Effect.Effect<A, E>, scope: Scope.Scope): Effect.Effect<void> =>
  Effect.as(Effect.forkIn(withUnrefTimers(effect), scope), undefined)

/**
 * Requests in flight that callers share by key. They run in a scope: a caller that gives up does not end them for the others.
 *
 * @since 0.1.0
 * @category models
 */
export interface InFlight<in K, out A, out E> {
  readonly run: (key: K) => Effect.Effect<A, E>
  readonly isRunning: (key: K) => boolean
}

/**
 * Shares a request among all callers with the same key.
 *
 * @since 0.1.0
 * @category operations
 */
export const shareInFlight = <K, A, E>(
  scope: Scope.Scope,
  send: (key: K) => Effect.Effect<A, E>
): InFlight<K, A, E> => {
  const running = new Map<K, Fiber.Fiber<A, E>>()
  return {
    isRunning: (key) => running.has(key),
    run: (key) =>
      Effect.suspend(() => {
        const before = running.get(key)
        if (before !== undefined) return Fiber.join(before)
        return send(key).pipe(
          Effect.ensuring(Effect.sync(() => running.delete(key))),
          Effect.forkIn(scope),
          Effect.flatMap((fiber) => {
            // keep running fibers only: `unsafePoll` of a running fiber is null in Effect and undefined in src/lean
            if (fiber.unsafePoll() == null) running.set(key, fiber)
            return Fiber.join(fiber)
          })
        )
      })
  }
}

/**
 * Repeats `trial` with the pauses of a schedule until it yields `true` or the schedule ends.
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
