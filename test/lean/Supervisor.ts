import type * as Original from "effect/Supervisor"
import { as } from "../../src/lean/cast.js"
import { sync } from "../../src/lean/fiberRuntime.js"
import { ignored, seen } from "./Scheduler.js"

/** Fibers on a scheduler of the test, from now on, that have not ended. */
export const track: typeof Original.track = /*#__PURE__*/ as(
  sync(() => {
    seen.clear()
    const value = sync(() => {
      for (const fiber of seen) if (ignored.has(fiber) || fiber.unsafePoll() != null) seen.delete(fiber)
      return [...seen]
    })
    return { value }
  })
)
