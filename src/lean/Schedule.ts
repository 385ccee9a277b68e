import * as Micro from "effect/Micro"
import type * as Original from "effect/Schedule"
import { Clock } from "./Clock.js"
import { toMillis } from "./Duration.js"
import { as, fail, flatMap, type live, map, suspend } from "./micro.js"

/** Pauses by their count: milliseconds, or the end. It knows nothing of time and of what it is asked with. */
class Schedule {
  readonly pause: (count: number) => Micro.Micro<number | undefined>
  constructor(pause: Schedule["pause"]) {
    this.pause = pause
  }
}

export type { Schedule }

export const isSchedule: typeof Original.isSchedule = /*#__PURE__*/ as((u: unknown) => u instanceof Schedule)

export const forever: typeof Original.forever = /*#__PURE__*/ as(
  /*#__PURE__*/ new Schedule(() => Micro.succeed(0))
)

export const recurs: typeof Original.recurs = /*#__PURE__*/ as(
  (times: number) => new Schedule((count) => Micro.succeed(count < times ? 0 : undefined))
)

export const spaced: typeof Original.spaced = /*#__PURE__*/ as(
  (duration: number) => new Schedule(() => Micro.succeed(toMillis(duration)))
)

/** The output of these schedules is their count. */
export const modifyDelayEffect: typeof Original.modifyDelayEffect = /*#__PURE__*/ as(
  ({ pause }: Schedule, change: (count: number, delay: number) => Micro.Micro<number>) =>
    new Schedule((count) =>
      as(
        flatMap(pause(count), (delay) =>
          delay === undefined
            ? Micro.succeed(undefined)
            : map(change(count, as(delay)), (changed) => toMillis(as(changed)))
        )
      )
    )
)

/** Waits for the next of a schedule's pauses, and fails at its end. */
export const driver: typeof Original.driver = /*#__PURE__*/ as(({ pause }: Schedule) =>
  Micro.sync(() => {
    let count = 0
    return {
      next: () =>
        Micro.flatMap(
          as<Micro.Micro<number | undefined>>(suspend(() => pause(count))),
          (delay): Micro.Micro<void, unknown> => {
            if (delay === undefined) return as(fail(undefined))
            count += 1
            return delay > 0
              ? Micro.withMicroFiber((fiber) =>
                  as(as<typeof live>(fiber.getRef(as<never>(Clock))).sleep(as(delay)))
                )
              : Micro.void
          }
        )
    }
  })
)
