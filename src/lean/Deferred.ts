import type * as Original from "effect/Deferred"
import * as Micro from "effect/Micro"
import { as, scheduler } from "./micro.js"

type Any = Micro.Micro<unknown, unknown>

class Deferred {
  private readonly waiting = new Set<(end: Any) => void>()
  private end: Any | undefined
  /** The first end stands. Those who wait go on after the one who tells it. */
  done(end: Any): void {
    if (this.end !== undefined) return
    this.end = end
    if (this.waiting.size > 0)
      scheduler.scheduleTask(() => {
        for (const resume of this.waiting) resume(end)
        this.waiting.clear()
      }, 0)
  }
  readonly await = Micro.suspend(
    () =>
      this.end ??
      Micro.async<unknown, unknown>((resume) => {
        this.waiting.add(resume)
        return Micro.sync(() => void this.waiting.delete(resume))
      })
  )
}

export type { Deferred }

export const make: typeof Original.make = /*#__PURE__*/ as(() => Micro.sync(() => new Deferred()))
const awaited: typeof Original.await = /*#__PURE__*/ as((self: Deferred) => self.await)

export { awaited as await }
export const unsafeDone: typeof Original.unsafeDone = /*#__PURE__*/ as((self: Deferred, end: Any) =>
  self.done(end)
)
