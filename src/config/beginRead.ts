/** Reads that Effect batches. The two versions of Effect collect them in different ways. */
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as RequestBlock from "effect/RequestBlock"
import * as Runtime from "effect/Runtime"
import * as Tracer from "effect/Tracer"
import type { ToEffectRequest } from "../wire/effectRequest.js"
import type { CallError, EnterBatch } from "../wire/Transport.js"

type Read = Effect.Effect<unknown, CallError>

/** Begins a read in a fiber of its own, and returns what waits for it. */
type Begin = (read: Read) => Read

/** Waits for a read that has begun, and interrupts it with its caller. */
const waitFor = (read: Fiber.RuntimeFiber<unknown, CallError>): Read =>
  Effect.suspend(
    () =>
      read.unsafePoll() ??
      Effect.async<unknown, CallError>((resume) => {
        read.addObserver(resume)
        return Fiber.interrupt(read)
      })
  )

/**
 * Adds a read to its batch, and returns what waits for it. `begin` runs what becomes of it if its batch can't be sent.
 */
const enterBatch = (enter: EnterBatch, begin: Begin): Read => {
  let settled: Read | undefined
  let resumeWaiting: ((outcome: Read) => void) | undefined
  const leave = enter((outcome) => {
    settled = Exit.isExit(outcome) ? outcome : begin(outcome)
    resumeWaiting?.(settled)
  })
  return Effect.suspend(
    () =>
      settled ??
      Effect.async<unknown, CallError>((resume) => {
        resumeWaiting = resume
        return leave
      })
  )
}

/**
 * Begins a read, and lets Effect continue with the next one of a batch before it waits. Effect's `Request` takes three times as much CPU: it
 * makes a proxy, a deferred and fibers for each read. It isn't needed, since reads find their list by themselves. A read that has a span, or
 * other options than those of a batch, begins in a fiber of its own.
 */
export const beginRead: ToEffectRequest = (read, enter) =>
  Effect.withFiberRuntime((fiber, { runtimeFlags }) => {
    const { currentContext: context, currentTracer } = fiber
    const begin: Begin = (read) =>
      waitFor(Runtime.runFork(Runtime.make({ context, runtimeFlags, fiberRefs: fiber.getFiberRefs() }), read))
    const isTraced = currentTracer !== Context.get(DefaultServices.liveServices, Tracer.Tracer)
    return Effect.blocked(
      RequestBlock.empty,
      enter === undefined || isTraced ? begin(read) : enterBatch(enter, begin)
    )
  })
