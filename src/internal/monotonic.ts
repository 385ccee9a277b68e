import type * as Clock from "effect/Clock"

/** Milliseconds by a clock, for measuring how long something takes: setting the time of day does not move them. */
export const monotonic = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6
