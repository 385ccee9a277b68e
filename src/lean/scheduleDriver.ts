import { Clock } from "./Clock.js"
import { as } from "./cast.js"
import { type Effect, fail, flatMap, suspend, sync, unit, withFiber } from "./fiberRuntime.js"
import type { liveClock } from "./liveClock.js"

/** Pauses by their count: milliseconds, or the end. It knows nothing of time and of what it is asked with. */
export class Schedule {
  readonly delayAfter: (count: number) => Effect<number | undefined>
  constructor(pause: Schedule["delayAfter"]) {
    this.delayAfter = pause
  }
}

/** Waits for the next of a schedule's pauses, and fails at its end. */
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
