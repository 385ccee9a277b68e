import type * as Original from "effect/Runtime"
import { as } from "./cast.js"
import { type Effect, type Fiber, runFork as runEffect } from "./fiberRuntime.js"
import { interruptWithScope, type LeanScope } from "./finalizers.js"

/** A runtime is a fiber's services and scheduler. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(
  (
    runtime: Pick<Fiber, "context" | "scheduler">,
    effect: Effect,
    options?: { readonly scope?: LeanScope }
  ) => {
    const fiber = runEffect(effect, runtime)
    if (options?.scope !== undefined) runEffect(interruptWithScope(fiber, options.scope), runtime)
    return fiber
  }
)
