import { Clock } from "./Clock.js"
import { as } from "./cast.js"
import { type Effect, fail, flatMap, suspend, sync, unit, withFiber } from "./fiberRuntime.js"
import type { liveClock } from "./liveClock.js"

/**
 * A schedule: the delay after a number of runs, in milliseconds, or undefined at its end. It knows neither time nor
 * input.
 */
export class Schedule {
  readonly delayAfter: (count: number) => Effect<number | undefined>
  constructor(pause: Schedule["delayAfter"]) {
    this.delayAfter = pause
  }
}

/** Makes a driver, which waits for the schedule's delays, and fails at its end. */
export const makeDriver = ({ delayAfter }: Schedule): Effect<{ readonly next: () => Effect<void> }> =>
  sync(() => {
    let count = 0
    return {
      next: () =>
        flatMap(
          suspend(() => delayAfter(count)),
          (delay): Effect<void> => {
            if (delay === undefined) return fail(undefined)
            count += 1
            return delay > 0
              ? withFiber((fiber) => as(as<typeof liveClock>(fiber.getRef(as(Clock))).sleep(as(delay))))
              : unit
          }
        )
    }
  })
