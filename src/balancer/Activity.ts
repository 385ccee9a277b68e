/**
 * The activity of a client: checks and probes pause while no calls come.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { monotonic } from "../http/service.js"

/**
 * The activity of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Activity {
  /** Records a call that begins at `now`, and wakes the background work. */
  readonly recordCall: <A, E>(call: Effect.Effect<A, E>, now: number) => Effect.Effect<A, E>
  /** Waits for the next call, unless there was one within the last `ms` milliseconds. */
  readonly waitForCall: (ms: number) => Effect.Effect<void>
}

/**
 * Makes the activity of a client without any call so far.
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
        // wake inside the call: a call that never starts must not wake the checks
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
