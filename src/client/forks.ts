/** Fibers of calls. The two versions of Effect have the level of what is logged of a fiber's failure in different places. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"

/**
 * Keeps fibers that an effect forks from logging their failures. A failed attempt is the client's own affair: the call
 * may succeed on another node.
 */
export const withoutForkLogs = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withUnhandledErrorLogLevel(effect, Option.none())

/** The same for the rest of a fiber, at a fraction of the cost. */
const disableForkLogs = /*#__PURE__*/ FiberRef.set(
  FiberRef.unhandledErrorLogLevel,
  /*#__PURE__*/ Option.none()
)

/** A call for a fiber of its own, which can be interrupted even if its caller can't. */
export const asFiber = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.zipRight(disableForkLogs, Effect.exit(Effect.interruptible(call)))
