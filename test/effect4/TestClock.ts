/** The clock of `effect/testing`, which knows who sleeps. */
import * as Clock from "effect4/Clock"
import * as Duration from "effect4/Duration"
import * as Effect from "effect4/Effect"
import * as Original from "effect4/testing/TestClock"

const sleepers = new WeakMap<Clock.Clock, Set<{ readonly at: number }>>()

/** Runs a test with a clock of its own, which begins at 0. */
export const provided = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Original.testClockWith((clock) => {
    const asleep = new Set<{ readonly at: number }>()
    const own = {
      ...clock,
      sleep: (duration: Duration.Duration) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const sleeper = { at: clock.currentTimeMillisUnsafe() + Duration.toMillis(duration) }
            asleep.add(sleeper)
            return sleeper
          }),
          () => clock.sleep(duration),
          (sleeper) => Effect.sync(() => asleep.delete(sleeper))
        )
    }
    sleepers.set(own, asleep)
    return Effect.provideService(effect, Clock.Clock, own)
  }).pipe(Effect.provide(Original.layer({ warningDelay: "1 hour" })))

/** All fibers wait for time, or for what is not of this process. */
const settled = Effect.callback<void>((resume) => {
  const turn = (n: number): void => void setTimeout(() => (n === 0 ? resume(Effect.void) : turn(n - 1)), 0)
  turn(2)
})

/** Whoever has begun before comes to where it sleeps; so does what begins with a promise. */
export const adjust = (duration: Duration.Input): Effect.Effect<void> =>
  Effect.andThen(settled, Effect.andThen(Original.adjust(duration), settled))

export const sleeps = (): Effect.Effect<ReadonlyArray<number>> =>
  Effect.clockWith((clock) => Effect.sync(() => [...(sleepers.get(clock) ?? [])].map(({ at }) => at)))
