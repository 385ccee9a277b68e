import * as Micro from "effect/Micro"
import type * as Original from "effect/Supervisor"
import { as } from "../../src/lean/micro.js"
import { ignored, seen } from "./Scheduler.js"

/** Fibers on a scheduler of the test, from now on, that have not ended. */
export const track: typeof Original.track = /*#__PURE__*/ as(
  Micro.sync(() => {
    seen.clear()
    const value = Micro.sync(() => {
      for (const fiber of seen) if (ignored.has(fiber) || fiber.unsafePoll() != null) seen.delete(fiber)
      return [...seen]
    })
    return { value }
  })
)
