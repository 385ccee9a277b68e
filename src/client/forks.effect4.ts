/** Fibers of calls, on Effect 4. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as References from "effect/References"

/**
 * Keeps fibers that an effect forks from logging their failures. A failed attempt is the client's own affair: the call
 * may succeed on another node.
 */
export const withoutForkLogs = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, References.UnhandledLogLevel, undefined)

/** Runs a call in a fiber of its own, which can be interrupted even if its caller can't. */
export const forkCall = <A, E>(
  call: Effect.Effect<A, E>
): Effect.Effect<Fiber.RuntimeFiber<Exit.Exit<A, E>>> =>
  Effect.forkDaemon(withoutForkLogs(Effect.exit(Effect.interruptible(call))))

/** Interrupts a fiber, and does not wait for its end. */
export const interruptNow = (fiber: Fiber.RuntimeFiber<unknown>): void => fiber.interruptUnsafe()
