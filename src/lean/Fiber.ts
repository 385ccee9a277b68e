import type * as Original from "effect/Fiber"
import * as Micro from "effect/Micro"
import { as, interrupted } from "./micro.js"

export const join: typeof Original.join = /*#__PURE__*/ as(Micro.fiberJoin)
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as(interrupted)
export const interruptAll: typeof Original.interruptAll = /*#__PURE__*/ as(Micro.fiberInterruptAll)

/** At once: the end is not waited for in a fiber of its own. */
export const interruptFork: typeof Original.interruptFork = /*#__PURE__*/ as(
  (fiber: Micro.MicroFiber<unknown, unknown>) => Micro.sync(() => fiber.unsafeInterrupt())
)
