import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { Aborted } from "../data/SdkError.js"

/** A call of those that do not live in the client's scope themselves, and end with it all the same. */
export const within =
  (scope: Scope.Scope) =>
  <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | Aborted> =>
    Effect.flatMap(Effect.forkIn(call, scope), (fiber) =>
      Effect.catchAllCause(
        Fiber.join(fiber),
        (cause): Effect.Effect<never, E | Aborted> =>
          Cause.isInterruptedOnly(cause)
            ? Effect.fail(new Aborted({ reason: new Error("The client has been destroyed") }))
            : Effect.failCause(cause)
      )
    )
