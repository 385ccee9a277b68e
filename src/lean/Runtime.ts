import type * as Original from "effect/Runtime"
import { as } from "./cast.js"
import { type Ends, held } from "./finalizers.js"
import { type Effect, type Fiber, runFork as started } from "./machine.js"

/** A runtime is what a fiber has. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(
  (runtime: Pick<Fiber, "context" | "scheduler">, effect: Effect, options?: { readonly scope?: Ends }) => {
    const fiber = started(effect, runtime)
    if (options?.scope !== undefined) started(held(fiber, options.scope), runtime)
    return fiber
  }
)
