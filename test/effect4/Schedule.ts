import * as Effect from "effect4/Effect"
import * as Schedules from "effect4/Schedule"

export * from "../../src/effect4/Schedule.js"

/** A delay is an effect. */
export const addDelay = <Output>(
  self: Schedules.Schedule<Output>,
  delay: () => number
): Schedules.Schedule<Output> => Schedules.addDelay(self, () => Effect.sync(delay))

/** As long as both go on, after the longer pause of theirs. */
export const intersect = <A, B>(one: Schedules.Schedule<A>, other: Schedules.Schedule<B>) =>
  Schedules.max([one, other])
