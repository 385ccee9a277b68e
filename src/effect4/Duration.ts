import * as Durations from "effect4/Duration"
import type * as Option from "effect4/Option"

export * from "effect4/Duration"

export type DurationInput = Durations.Input

export const decodeUnknown: (input: unknown) => Option.Option<Durations.Duration> = (input) =>
  Durations.fromInput(input as Durations.Input)

/** Durations may be negative; those of options are no less than nothing. */
export const toMillis = (self: Durations.Input): number => Math.max(0, Durations.toMillis(self))
