/**
 * Whether calls come: checks and probes rest while they do not.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { monotonic } from "../http/service.js"

/**
 * The calls of a client, as far as what goes on behind them has to know.
 *
 * @since 0.1.0
 * @category models
 */
export interface Activity {
  /** A call that begins at this time, and that wakes what rests. */
  readonly recordCall: <A, E>(call: Effect.Effect<A, E>, now: number) => Effect.Effect<A, E>
  /** Waits for the next call, unless there was one less than so many milliseconds ago. */
  readonly waitForCall: (ms: number) => Effect.Effect<void>
}

/**
 * No call has come yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Activity> = /*#__PURE__*/ Effect.map(
  /*#__PURE__*/ Effect.makeLatch(false),
  (awake) => {
    let last = Number.NEGATIVE_INFINITY
    let isAwake = false
    const wake = Effect.suspend(() => {
      isAwake = true
      return awake.open
    })
    return {
      recordCall: (call, now) => {
        last = now
        // by the call itself: one that is interrupted before it begins changes nothing
        return isAwake ? call : Effect.zipRight(wake, call)
      },
      waitForCall: (ms) =>
        Effect.clockWith((clock) => {
          if (monotonic(clock) - last < ms) return Effect.void
          isAwake = false
          awake.unsafeClose()
          return awake.await
        })
    }
  }
)
