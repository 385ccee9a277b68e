import type * as Original from "effect/Deferred"
import { as } from "./cast.js"
import { type Effect, scheduler, suspend, sync } from "./machine.js"
import { Waiting } from "./waiting.js"

class Deferred {
  private readonly waiting = new Waiting()
  private end: Effect | undefined = undefined
  /** The first end stands. */
  done(end: Effect): void {
    if (this.end !== undefined) return
    this.end = end
    this.waiting.wake(scheduler, end)
  }
  readonly await = suspend(() => this.end ?? this.waiting.wait)
}

export type { Deferred }

export const make: typeof Original.make = /*#__PURE__*/ as(() => sync(() => new Deferred()))
const awaited: typeof Original.await = /*#__PURE__*/ as((self: Deferred) => self.await)

export { awaited as await }
export const unsafeDone: typeof Original.unsafeDone = /*#__PURE__*/ as((self: Deferred, end: Effect) =>
  self.done(end)
)
