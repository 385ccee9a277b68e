import * as Effect from "effect4/Effect"
import { ignored, seen } from "./Scheduler.js"

/** Fibers on a scheduler of the test, from now on, that have not ended. */
export const track = Effect.sync(() => {
  seen.clear()
  const value = Effect.sync(() => {
    for (const fiber of seen) if (ignored.has(fiber) || fiber.pollUnsafe() !== undefined) seen.delete(fiber)
    return [...seen]
  })
  return { value }
})
