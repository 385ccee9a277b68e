import type * as Clock from "effect/Clock"

/**
 * The time in milliseconds on a clock that never jumps: for deadlines and pauses. It has nothing to do with the time of day,
 * which a machine may set anew while calls are in flight.
 */
export const monotonic = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6
