/** Reads that Effect batches. The two versions of Effect collect them in different ways. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as RequestBlock from "effect/RequestBlock"
import * as Runtime from "effect/Runtime"
import type { CallError } from "../wire/Transport.js"

/** Waits for a read that has begun, and interrupts it with its caller. */
const waitFor = (read: Fiber.RuntimeFiber<unknown, CallError>): Effect.Effect<unknown, CallError> =>
  Effect.suspend(
    () =>
      read.unsafePoll() ??
      Effect.async<unknown, CallError>((resume) => {
        read.addObserver(resume)
        return Fiber.interrupt(read)
      })
  )

/**
 * Begins a read in a fiber of its own, and lets Effect continue with the next one of a batch before it waits. Effect's `Request` takes three
 * times as much CPU: it makes a proxy, a deferred and fibers for each read. It isn't needed, since reads find their list by themselves.
 */
export const beginRead = (read: Effect.Effect<unknown, CallError>): Effect.Effect<unknown, CallError> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) =>
    Effect.blocked(RequestBlock.empty, waitFor(Runtime.runFork(runtime, read)))
  )
