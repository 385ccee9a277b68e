/**
 * What goes on behind the calls: fibers that keep no process alive, questions that calls share, and one fiber that looks
 * after all calls that wait.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/time.js"

/** An effect whose timers do not keep a process alive. Another clock than the live one is left as it is. */
const unreferenced = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
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
              // a timer holds 31 bits: what is longer than 24 days ends then
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
 * @category fibers
 */
export const behind = <A, E>(effect: Effect.Effect<A, E>, scope: Scope.Scope): Effect.Effect<void> =>
  Effect.as(Effect.forkIn(unreferenced(effect), scope), undefined)

/**
 * Asks once for all who want to know meanwhile: in the scope, so that who gives up does not end it for the others. `keep` is
 * told where they may join, and nothing (undefined) when it is over.
 *
 * @since 0.1.0
 * @category sharing
 */
export const shared = <A, E>(
  question: Effect.Effect<A, E>,
  scope: Scope.Scope,
  keep: (running: Fiber.Fiber<A, E> | undefined) => void
): Effect.Effect<A, E> =>
  question.pipe(
    Effect.ensuring(Effect.sync(() => keep(undefined))),
    Effect.forkIn(scope),
    Effect.flatMap((fiber) => {
      // it may be over already, and an answer that is over must not be kept
      if (fiber.unsafePoll() === null) keep(fiber)
      return Fiber.join(fiber)
    })
  )

/**
 * Tries again and again until that yields `true`. `pauseAt` is the pause after so many trials, in milliseconds; `told` is told
 * when the next one is.
 *
 * @since 0.1.0
 * @category repetition
 */
export const untilOver = (
  trial: Effect.Effect<boolean>,
  pauseAt: (count: number) => number,
  told?: { askedAgainAt: number | undefined }
): Effect.Effect<void> => {
  const from = (count: number): Effect.Effect<void> =>
    Effect.flatMap(trial, (isOver) =>
      isOver
        ? Effect.void
        : Effect.clockWith((clock) => {
            const pause = pauseAt(count)
            if (told !== undefined) told.askedAgainAt = monotonic(clock) + pause
            return Effect.zipRight(Effect.sleep(pause), from(count + 1))
          })
    )
  return from(0)
}

/**
 * A call that waits: when it is tired of that (milliseconds on the clock that never jumps), and how it is told.
 *
 * @since 0.1.0
 * @category models
 */
export interface Waiting {
  readonly due: number
  readonly wake: () => void
}

/**
 * The calls that wait. `add` comes with `begin` before it, which sees to it that somebody looks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Watch {
  readonly begin: Effect.Effect<void>
  readonly add: (call: Waiting) => void
  readonly remove: (call: Waiting) => void
}

/** The shortest and the longest pause between two looks, in milliseconds. */
const SOON = 10
const LOOK = 50

/**
 * One fiber for all calls that wait, in the scope: a timer per call would cost more than most calls do. It ends when nobody
 * waits.
 *
 * @since 0.1.0
 * @category constructors
 */
export const watch = (scope: Scope.Scope): Watch => {
  const waiting = new Set<Waiting>()
  let watching = false
  const look: Effect.Effect<void> = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    let next = Number.POSITIVE_INFINITY
    for (const call of waiting) {
      if (call.due > now) {
        next = Math.min(next, call.due)
        continue
      }
      waiting.delete(call)
      call.wake()
    }
    // whoever comes meanwhile may be due before all others
    // (a pause that is too short to be counted would be none)
    if (next < Number.POSITIVE_INFINITY)
      return Effect.zipRight(Effect.sleep(Math.max(1, Math.min(LOOK, next - now))), look)
    watching = false
    return Effect.void
  })
  return {
    begin: Effect.suspend(() => {
      if (watching) return Effect.void
      watching = true
      return behind(Effect.zipRight(Effect.sleep(SOON), look), scope)
    }),
    add: (call) => void waiting.add(call),
    remove: (call) => void waiting.delete(call)
  }
}
