import type * as Original from "effect/Deferred"
import { as } from "./cast.js"
import { type Effect, scheduler, suspend, sync } from "./fiberRuntime.js"
import { WaitQueue } from "./waitQueue.js"

class Deferred {
  private readonly waitQueue = new WaitQueue()
  private end: Effect | undefined = undefined
  /** Completes the deferred, unless it is complete. */
  done(end: Effect): void {
    if (this.end !== undefined) return
    this.end = end
    this.waitQueue.wake(scheduler, end)
  }
  readonly await = suspend(() => this.end ?? this.waitQueue.wait)
}

export type { Deferred }

export const make: typeof Original.make = /*#__PURE__*/ as(() => sync(() => new Deferred()))
const awaitDeferred: typeof Original.await = /*#__PURE__*/ as((self: Deferred) => self.await)

export { awaitDeferred as await }
export const unsafeDone: typeof Original.unsafeDone = /*#__PURE__*/ as((self: Deferred, end: Effect) =>
  self.done(end)
)
