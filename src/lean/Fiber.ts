import type * as Original from "effect/Fiber"
import { as } from "./cast.js"
import {
  awaitFiber,
  type Fiber,
  interruptAll as interruptFibers,
  joinFiber,
  suspend,
  sync
} from "./fiberRuntime.js"

export const join: typeof Original.join = /*#__PURE__*/ as(joinFiber)
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as((fiber: Fiber) =>
  suspend(() => {
    fiber.interrupt()
    return awaitFiber(fiber)
  })
)
export const interruptAll: typeof Original.interruptAll = /*#__PURE__*/ as(interruptFibers)

/** Interrupts at once, and does not wait for the end. */
export const interruptFork: typeof Original.interruptFork = /*#__PURE__*/ as((fiber: Fiber) =>
  sync(() => fiber.interrupt())
)
