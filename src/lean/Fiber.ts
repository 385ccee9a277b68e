import type * as Original from "effect/Fiber"
import { as } from "./cast.js"
import { awaited, interruptAll as endAll, type Fiber, joined, suspend, sync } from "./machine.js"

export const join: typeof Original.join = /*#__PURE__*/ as(joined)
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as((fiber: Fiber) =>
  suspend(() => {
    fiber.interrupt()
    return awaited(fiber)
  })
)
export const interruptAll: typeof Original.interruptAll = /*#__PURE__*/ as(endAll)

/** At once: the end is not waited for in a fiber of its own. */
export const interruptFork: typeof Original.interruptFork = /*#__PURE__*/ as((fiber: Fiber) =>
  sync(() => fiber.interrupt())
)
