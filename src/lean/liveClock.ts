import type { Clock } from "effect/Clock"
import { as } from "./cast.js"
import { async, sync, unit } from "./fiberRuntime.js"

/** The longest timer: 31 bits of milliseconds, 24 days. A longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

const nowMs = (): number => Date.now()
const nowNanos = (): bigint => BigInt(Math.round(performance.now() * 1e6))

/** The system clock. Nanoseconds count from the start of the process or page. */
export const liveClock: Clock = /*#__PURE__*/ as({
  unsafeCurrentTimeMillis: nowMs,
  unsafeCurrentTimeNanos: nowNanos,
  currentTimeMillis: /*#__PURE__*/ sync(nowMs),
  currentTimeNanos: /*#__PURE__*/ sync(nowNanos),
  sleep: (duration: number) =>
    async<void>((resume) => {
      const timer = setTimeout(() => resume(unit), Math.min(duration, MAX_TIMER_MS))
      return sync(() => clearTimeout(timer))
    })
})
