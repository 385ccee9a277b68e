/** The clock of `effect/testing`, which knows who sleeps. */
import * as Clock from "effect4/Clock"
import * as Duration from "effect4/Duration"
import * as Effect from "effect4/Effect"
import * as Original from "effect4/testing/TestClock"

const sleepers = new WeakMap<Clock.Clock, Set<{ readonly at: number }>>()

/** Runs a test with a clock of its own, which begins at 0. */
export const provided = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.scoped(
    Effect.flatMap(Original.make({ warningDelay: "1 hour" }), (clock) => {
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
    })
  ) as Effect.Effect<A, E, R>

/** All fibers wait for time, or for what is not of this process. */
const settled = Effect.callback<void>((resume) => {
  const turn = (n: number): void => void setTimeout(() => (n === 0 ? resume(Effect.void) : turn(n - 1)), 0)
  turn(2)
})

/** One after the other: whoever is woken may sleep again before the end. */
export const adjust = (duration: Duration.Input): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const asleep = sleepers.get(clock) ?? new Set()
    const end = clock.currentTimeMillisUnsafe() + Duration.toMillis(Duration.fromInputUnsafe(duration))
    const step: Effect.Effect<void> = Effect.flatMap(settled, () => {
      const next = Math.min(...[...asleep].map(({ at }) => at), end)
      const now = clock.currentTimeMillisUnsafe()
      return next >= end
        ? Effect.andThen(Original.adjust(end - now), settled)
        : Effect.andThen(Original.adjust(next - now), step)
    })
    return step
  })

export const sleeps = (): Effect.Effect<ReadonlyArray<number>> =>
  Effect.clockWith((clock) => Effect.sync(() => [...(sleepers.get(clock) ?? [])].map(({ at }) => at)))
