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
import { type Call, type CallError, CallOptions, type TransportService } from "../wire/Transport.js"

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

/** Counts a read that waits no more. */
const countEnd = (read: Read, onCallEnd: TransportService["onCallEnd"]): Read =>
  onCallEnd === undefined ? read : Effect.onExit(read, (exit) => Effect.sync(() => onCallEnd(exit)))

/**
 * Adds a read to its batch, and returns what waits for it; undefined if it can't be added as it is. `begin` runs what becomes of it if its
 * batch can't be sent.
 */
const joinBatch = (
  { joinBatch: join, onCallEnd }: TransportService,
  call: Call<unknown>,
  options: Context.Context<never>,
  begin: Begin
): Read | undefined => {
  let settled: Read | undefined
  let resumeWaiting: ((outcome: Read) => void) | undefined
  const leave = join?.(call, Context.get(options, CallOptions), (outcome) => {
    settled = Exit.isExit(outcome) ? outcome : begin(outcome)
    resumeWaiting?.(settled)
  })
  if (leave === undefined) return undefined
  const wait = Effect.suspend(
    () =>
      settled ??
      Effect.async<unknown, CallError>((resume) => {
        resumeWaiting = resume
        return leave
      })
  )
  return countEnd(wait, onCallEnd)
}

/**
 * Begins a read, and lets Effect continue with the next one of a batch before it waits. Effect's `Request` takes three times as much CPU: it
 * makes a proxy, a deferred and fibers for each read. It isn't needed, since reads find their list by themselves. A read that has a span, or
 * other options than those of a batch, begins in a fiber of its own.
 */
export const beginRead: ToEffectRequest = (transport, call) =>
  Effect.withFiberRuntime((fiber, { runtimeFlags }) => {
    const { currentContext: context, currentTracer } = fiber
    const begin: Begin = (read) =>
      waitFor(Runtime.runFork(Runtime.make({ context, runtimeFlags, fiberRefs: fiber.getFiberRefs() }), read))
    const isTraced = currentTracer !== Context.get(DefaultServices.liveServices, Tracer.Tracer)
    const joined = isTraced ? undefined : joinBatch(transport, call, context, begin)
    return Effect.blocked(RequestBlock.empty, joined ?? begin(transport.send(call)))
  })
