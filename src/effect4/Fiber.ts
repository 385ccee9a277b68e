import * as Effect from "effect4/Effect"
import type * as Exit from "effect4/Exit"
import type * as Fibers from "effect4/Fiber"

export * from "effect4/Fiber"

export interface Fiber<out A, out E = never> extends Fibers.Fiber<A, E> {
  readonly unsafePoll: () => Exit.Exit<A, E> | undefined
}

export type RuntimeFiber<A, E = never> = Fiber<A, E>

/** A fiber under the names of before. */
export const asked = <A, E>(fiber: Fibers.Fiber<A, E>): Fiber<A, E> =>
  Object.assign(fiber, { unsafePoll: () => fiber.pollUnsafe() })

/** At once: the end is not waited for in a fiber of its own. */
export const interruptFork = <A, E>(fiber: Fibers.Fiber<A, E>): Effect.Effect<void> =>
  Effect.sync(() => fiber.interruptUnsafe())
