import type * as Original from "effect/Schedule"
import { as } from "./cast.js"
import { toMillis } from "./Duration.js"
import { type Effect, flatMap, map, succeed } from "./fiberRuntime.js"
import { makeDriver, Schedule } from "./scheduleDriver.js"

export const isSchedule: typeof Original.isSchedule = /*#__PURE__*/ as((u: unknown) => u instanceof Schedule)

export const forever: typeof Original.forever = /*#__PURE__*/ as(/*#__PURE__*/ new Schedule(() => succeed(0)))

export const recurs: typeof Original.recurs = /*#__PURE__*/ as(
  (times: number) => new Schedule((count) => succeed(count < times ? 0 : undefined))
)

export const spaced: typeof Original.spaced = /*#__PURE__*/ as(
  (duration: number) => new Schedule(() => succeed(toMillis(duration)))
)

/** These schedules output their count. */
export const modifyDelayEffect: typeof Original.modifyDelayEffect = /*#__PURE__*/ as(
  ({ delayAfter }: Schedule, change: (count: number, delay: number) => Effect<number>) =>
    new Schedule((count) =>
      flatMap(
        delayAfter(count),
        (delay): Effect<number | undefined> =>
          delay === undefined ? succeed(undefined) : map(change(count, delay), (changed) => toMillis(changed))
      )
    )
)

export const driver: typeof Original.driver = /*#__PURE__*/ as(makeDriver)
