import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"

/** What comes of an effect while time passes, `step` milliseconds at once, until it has come to an end; after each step `then` is done. */
export const runWithTime = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  step: number,
  then: (tick: number) => unknown = () => {},
  steps = 400
): Effect.Effect<Either.Either<A, E>, never, R> =>
  Effect.gen(function* () {
    let isOver = false
    const ending = Effect.ensuring(
      Effect.either(effect),
      Effect.sync(() => {
        isOver = true
      })
    )
    const fiber = yield* Effect.fork(ending)
    for (let tick = 0; tick < steps && !isOver; ) {
      // libraries that sign take turns of the event loop, of which the clock knows nothing: time stands still meanwhile
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      const { length } = yield* TestClock.sleeps()
      if (length === 0) continue
      yield* TestClock.adjust(step)
      then(tick++)
    }
    return yield* Fiber.join(fiber)
  })
