import type * as Duration from "effect4/Duration"
import * as Effect from "effect4/Effect"
import * as Schedules from "effect4/Schedule"

export * from "effect4/Schedule"

/** The output and the pause come in one record. */
export const modifyDelayEffect = <Output, Input, E, R, E2, R2>(
  self: Schedules.Schedule<Output, Input, E, R>,
  change: (output: Output, delay: Duration.Duration) => Effect.Effect<Duration.Input, E2, R2>
): Schedules.Schedule<Output, Input, E | E2, R | R2> =>
  Schedules.modifyDelay(self, ({ duration, output }) => change(output, duration))

/** A step that sleeps. It fails with `Done` at the end of the schedule. */
export const driver = <Output, Input, E, R>(self: Schedules.Schedule<Output, Input, E, R>) =>
  Effect.map(Schedules.toStepWithSleep(self), (next) => ({ next }))
