import * as Schedules from "effect4/Schedule"

export * from "../../src/effect4/Schedule.js"

/** As long as both go on, after the longer pause of theirs. */
export const intersect = <A, B>(one: Schedules.Schedule<A>, other: Schedules.Schedule<B>) =>
  Schedules.max([one, other])
