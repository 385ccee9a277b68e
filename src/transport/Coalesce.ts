/**
 * Coalescing: a layer in which equal reads in flight share one request.
 *
 * Invariants: an answer goes to the callers that wait when it comes, and is not kept; every caller gets a value of its own, which it may
 * change; a read that begins after a write of the same client never gets the answer to a read that was sent before; a request is interrupted
 * only when its last caller is.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { CoalesceLayer } from "../config/Config.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  optionsKey,
  type Reply,
  type Trace,
  Tracing,
  type TracingService,
  type TransportService,
  type TransportWithOptions
} from "../wire/Transport.js"

type Resume = (outcome: Effect.Effect<unknown, CallError>) => void

/** A value with its reply, which is decoded again for each further caller. */
interface Answer {
  readonly reply: Reply
  readonly value: unknown
}

/** A request in flight and its callers. It runs in a fiber of its own, so that the first caller can be interrupted like any other. */
class SharedRequest {
  private readonly callers = new Set<Resume>()
  fiber: Fiber.RuntimeFiber<Answer, CallError> | undefined = undefined
  private trace: Trace | undefined = undefined

  constructor(
    private readonly call: Call<unknown>,
    private readonly requests: Map<string, SharedRequest>,
    private readonly key: string
  ) {
    requests.set(key, this)
  }

  /** Sends the request for all callers. */
  send(inner: TransportService, tracing: TracingService | undefined): Effect.Effect<Answer, CallError> {
    const { call } = this
    const shared: Call<Answer> = {
      ...call,
      // each caller handles these for itself
      pastBlock: undefined,
      accepted: undefined,
      heightOf: ({ value }) => call.heightOf?.(value),
      decode: (reply) => Either.map(call.decode(reply), (value) => ({ reply, value }))
    }
    return tracing === undefined
      ? inner.send(shared)
      : tracing.traceShared(shared, [call], (traced) => {
          this.trace = traced.trace
          return inner.send(traced)
        })
  }

  join(resume: Resume, caller: Call<unknown>): Effect.Effect<void> {
    this.callers.add(resume)
    this.trace?.join(caller)
    return Effect.suspend(() => {
      this.callers.delete(resume)
      if (this.callers.size > 0 || this.fiber === undefined) return Effect.void
      this.unregister()
      return Fiber.interrupt(this.fiber)
    })
  }

  end(exit: Exit.Exit<Answer, CallError>): void {
    this.unregister()
    this.distribute(exit)
  }

  private unregister(): void {
    if (this.requests.get(this.key) === this) this.requests.delete(this.key)
  }

  /** Gives the value to all callers: the same one if it is immutable, else a newly decoded one for each but the first. */
  private distribute(exit: Exit.Exit<Answer, CallError>): void {
    if (Exit.isFailure(exit)) {
      for (const resume of this.callers) resume(exit)
      return
    }
    const { reply, value } = exit.value
    const shared = Exit.succeed(value)
    const isChangeable = typeof value === "object" && value !== null
    let taken = false
    for (const resume of this.callers) {
      resume(isChangeable && taken ? this.decodeAgain(reply) : shared)
      taken = true
    }
  }

  private decodeAgain(reply: Reply): Exit.Exit<unknown, CallError> {
    return Either.match(this.call.decode(reply), {
      onLeft: ({ error }): Exit.Exit<unknown, CallError> => Exit.fail(error),
      onRight: (value) => Exit.succeed(value)
    })
  }
}

/** The key by which calls share a request: the call's own key, its routing and its options. */
const sharingKey = (call: Call<unknown>, key: string, options: CallOptionsShape): string =>
  `${call.archive ? "a" : ""}${call.gateway ? "g" : ""} ${optionsKey(options)}${key}`

/**
 * Makes the layer of the option `coalesce`: coalescing, or a layer of the user's own such as a cache. A caller that joins a request shares its
 * outcome, the deadline of the first caller included. The scope ends all requests.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: CoalesceLayer = (inner, config) =>
  typeof config.coalesce === "function"
    ? config.coalesce(inner, config)
    : shareInFlight(inner, config.coalesce)

/**
 * Makes a transport in which equal reads in flight share one request if `CallOptions.coalesce` says so, by default if `everywhere` is true.
 *
 * @since 0.1.0
 * @category constructors
 */
export const shareInFlight = (
  inner: TransportService,
  everywhere: boolean
): Effect.Effect<TransportWithOptions, never, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    const tracing = yield* Tracing
    const fibers = new Set<Fiber.RuntimeFiber<Answer, CallError>>()
    let requests = new Map<string, SharedRequest>()
    const forgetAll = Effect.sync(() => {
      requests = new Map()
    })
    yield* Effect.addFinalizer(() => Fiber.interruptAll(fibers))

    const startRequest = (flight: SharedRequest, options: CallOptionsShape): void => {
      const fiber = Runtime.runFork(
        runtime,
        Effect.provideService(flight.send(inner, tracing), CallOptions, options)
      )
      flight.fiber = fiber
      fibers.add(fiber)
      fiber.addObserver((exit) => {
        fibers.delete(fiber)
        flight.end(exit)
      })
    }

    const joinOrStart = (
      call: Call<unknown>,
      key: string,
      options: CallOptionsShape
    ): Effect.Effect<unknown, CallError> =>
      Effect.async((resume) => {
        const known = requests.get(key)
        const flight = known ?? new SharedRequest(call, requests, key)
        const leave = flight.join(resume, call)
        if (known === undefined) startRequest(flight, options)
        return leave
      })

    const sendWith = <A>(call: Call<A>, options: CallOptionsShape): Effect.Effect<A, CallError> => {
      const { deduplicationKey } = call
      if (call.repeat !== "read") return Effect.ensuring(inner.send(call), forgetAll)
      return deduplicationKey === undefined || !(options.coalesce ?? everywhere)
        ? inner.send(call)
        : // calls with the same key have the same endpoint and so the same type, which the compiler cannot know
          (joinOrStart(call, sharingKey(call, deduplicationKey, options), options) as Effect.Effect<
            A,
            CallError
          >)
    }

    return {
      nodeUrl: (archive) => inner.nodeUrl(archive),
      send: (call) => Effect.flatMap(CallOptions, (options) => sendWith(call, options)),
      sendWith
    }
  })
