import type * as Context from "effect4/Context"
import * as Effect from "effect4/Effect"
import * as Fibers from "effect4/Fiber"
import type * as Scope from "effect4/Scope"
import { asked, type Fiber } from "./Fiber.js"

/** A runtime is a context of services. */
export type Runtime<R> = Context.Context<R>

export const runFork = <R, A, E>(
  runtime: Runtime<R>,
  effect: Effect.Effect<A, E, R>,
  options?: { readonly scope?: Scope.Scope }
): Fiber<A, E> => {
  const fiber = asked(Effect.runForkWith(runtime)(effect))
  if (options?.scope !== undefined) Fibers.runIn(fiber, options.scope)
  return fiber
}
