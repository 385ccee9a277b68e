import * as Effect from "effect4/Effect"
import type * as Exit from "effect4/Exit"
import * as Fibers from "effect4/Fiber"
import * as Option from "effect4/Option"

export * from "../../src/effect4/Fiber.js"

export const poll = <A, E>(fiber: Fibers.Fiber<A, E>): Effect.Effect<Option.Option<Exit.Exit<A, E>>> =>
  Effect.sync(() => Option.fromUndefinedOr(fiber.pollUnsafe()))

/** Whoever interrupts a fiber is told its end. */
export const interrupt = <A, E>(fiber: Fibers.Fiber<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.andThen(Fibers.interrupt(fiber), Fibers.await(fiber))
