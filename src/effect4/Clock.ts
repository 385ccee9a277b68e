import * as Clocks from "effect4/Clock"
import * as Context from "effect4/Context"
import type * as Duration from "effect4/Duration"
import type * as Effect from "effect4/Effect"

export const ClockTypeId = "effect-chains/effect4/Clock"

/** What is called `…Unsafe` began with `unsafe`, and the nanoseconds are those of a clock that never goes back. */
export interface Clock {
  readonly [ClockTypeId]: typeof ClockTypeId
  unsafeCurrentTimeMillis(): number
  unsafeCurrentTimeNanos(): bigint
  readonly currentTimeMillis: Effect.Effect<number>
  readonly currentTimeNanos: Effect.Effect<bigint>
  sleep(duration: Duration.Duration): Effect.Effect<void>
}

const views = new WeakMap<Clocks.Clock, Clock>()

/** A clock of Effect 4 under the names of before, one for each, so that it can be told whether it is the live one. */
export const viewOf = (clock: Clocks.Clock): Clock => {
  const before = views.get(clock)
  if (before !== undefined) return before
  const view: Clock = {
    [ClockTypeId]: ClockTypeId,
    unsafeCurrentTimeMillis: () => clock.currentTimeMillisUnsafe(),
    unsafeCurrentTimeNanos: () => clock.monotonicTimeNanosUnsafe(),
    currentTimeMillis: clock.currentTimeMillis,
    currentTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
  views.set(clock, view)
  return view
}

/** The way back. */
export const clockOf = (view: Clock): Clocks.Clock => ({
  currentTimeMillisUnsafe: () => view.unsafeCurrentTimeMillis(),
  currentTimeMillis: view.currentTimeMillis,
  currentTimeNanosUnsafe: () => view.unsafeCurrentTimeNanos(),
  currentTimeNanos: view.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => view.unsafeCurrentTimeNanos(),
  monotonicTimeNanos: view.currentTimeNanos,
  sleep: (duration) => view.sleep(duration)
})

/** The key under which `DefaultServices` has the live clock. */
export const Clock = Context.Service<Clock, Clock>("effect-chains/effect4/Clock")
export const live: Clock = viewOf(Context.get(Context.empty(), Clocks.Clock))
