/** Fibers of calls, on Effect 4. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as References from "effect/References"

/**
 * Keeps fibers that an effect forks from logging their failures. A failed attempt is the client's own affair: the call
 * may succeed on another node.
 */
export const withoutForkLogs = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, References.UnhandledLogLevel, undefined)

/** A call for a fiber of its own, which can be interrupted even if its caller can't. */
export const asFiber = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  withoutForkLogs(Effect.exit(Effect.interruptible(call)))
