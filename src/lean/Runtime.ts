import type { Context } from "effect/Context"
import * as Micro from "effect/Micro"
import type * as Original from "effect/Runtime"
import { as, inScope, started } from "./micro.js"

/** A runtime is the services that the fiber has. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(
  (
    context: Context<never>,
    effect: Micro.Micro<unknown, unknown>,
    options?: { readonly scope?: Micro.MicroScope }
  ) => {
    const fiber = started(Micro.provideContext(effect, context))
    if (options?.scope !== undefined) started(inScope(fiber, options.scope))
    return fiber
  }
)
