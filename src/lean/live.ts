import type { Clock } from "effect/Clock"
import { as } from "./cast.js"
import { async, sync, unit } from "./machine.js"

/** A timer holds 31 bits, and would be over at once if it were to hold more: one that is longer ends after 24 days. */
const LONGEST = 2 ** 31 - 1

const now = (): number => Date.now()
const nanos = (): bigint => BigInt(Math.round(performance.now() * 1e6))

/** The time of the machine. Nanoseconds count from the start of the process or page. */
export const live: Clock = /*#__PURE__*/ as({
  unsafeCurrentTimeMillis: now,
  unsafeCurrentTimeNanos: nanos,
  currentTimeMillis: /*#__PURE__*/ sync(now),
  currentTimeNanos: /*#__PURE__*/ sync(nanos),
  sleep: (duration: number) =>
    async<void>((resume) => {
      const timer = setTimeout(() => resume(unit), Math.min(duration, LONGEST))
      return sync(() => clearTimeout(timer))
    })
})
