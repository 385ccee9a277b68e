/** The calls of a client on the Effect surface: they end with the client's scope. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { NodePoolView } from "../balancer/NodePool.js"
import { makeDestroyedError } from "../data/destroyed.js"
import type { Aborted } from "../data/SdkError.js"
import type { TransportService } from "../wire/Transport.js"
import type { ClientSource, ConnectedParts } from "./clientParts.js"
import { asFiber } from "./forks.js"

/** Runs the calls of a client until its scope closes. */
export class CallScope {
  private readonly running = new Set<Fiber.RuntimeFiber<unknown>>()
  private isClosed = false

  /** Interrupts running calls, and waits until they have ended. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isClosed = true
    return Fiber.interruptAll(this.running)
  })

  /** Runs a call, which fails with `Aborted` if the client ends first or has ended. */
  readonly run = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | Aborted> =>
    this.runOr(call, makeDestroyedError)

  /** Runs a call, unless the client has ended. The call itself ends with the client. */
  readonly start = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | Aborted> =>
    Effect.suspend(
      (): Effect.Effect<A, E | Aborted> => (this.isClosed ? Effect.fail(makeDestroyedError()) : call)
    )

  /** Runs a call, which fails with this error if the client ends first or has ended. */
  runOr<A, E, E2>(call: Effect.Effect<A, E>, makeError: () => E2): Effect.Effect<A, E | E2> {
    return Effect.flatMap(Effect.runtime<never>(), (runtime) =>
      // the fiber begins where it is registered: a caller that is interrupted in between would leave it behind
      Effect.async<A, E | E2>((resume) => {
        if (this.isClosed) {
          resume(Effect.fail(makeError()))
          return undefined
        }
        const fiber = Runtime.runFork(runtime, asFiber(call))
        this.running.add(fiber)
        fiber.addObserver((exit) => {
          this.running.delete(fiber)
          const outcome = Exit.isSuccess(exit) ? exit.value : Exit.failCause(exit.cause)
          resume(this.isClosed && Exit.isInterrupted(outcome) ? Effect.fail(makeError()) : outcome)
        })
        return Fiber.interrupt(fiber)
      })
    )
  }
}

const isCallable = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** Binds the functions of an object whose results are effects. Their marks stay. */
const bindCalls = ({ run }: CallScope, calls: object): object =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]: readonly [string, unknown]) => [
      name,
      isCallable(call)
        ? Object.assign((...args: ReadonlyArray<unknown>) => {
            const made = call(...args)
            return Effect.isEffect(made) ? run(made as Effect.Effect<unknown, Error>) : made
          }, call)
        : call
    ])
  )

const bindTransport = (transport: TransportService, bind: CallScope["run"]): TransportService => ({
  ...transport,
  send: (call) => bind(transport.send(call))
})

const bindNodes = ({ run }: CallScope, { check, listen, snapshot }: NodePoolView): NodePoolView => ({
  listen,
  snapshot,
  check: Effect.ignore(run(check))
})

/** The client that a source makes, with its calls' scope. */
export type Scoped<Made> = Made & { readonly callScope: CallScope }

interface ScopableParts {
  readonly sdk: { readonly nodes: NodePoolView }
}

/** Makes the parts of a client whose calls end with its scope. `bind` binds the calls of the transport. */
const makeParts = <Made extends ScopableParts, E>(
  callScope: CallScope,
  bind: CallScope["run"],
  connected: ConnectedParts,
  make: (connected: ConnectedParts) => Effect.Effect<Made, E, Scope.Scope>
): Effect.Effect<Scoped<Made>, E, Scope.Scope> =>
  // before the finalizers of all other parts, which calls need
  Effect.zipRight(
    Effect.addFinalizer(() => callScope.close),
    Effect.map(
      make({
        ...connected,
        transport: bindTransport(connected.transport, bind),
        bindComposed: (calls) => bindCalls(callScope, calls)
      }),
      (made) => ({ ...made, callScope, sdk: { ...made.sdk, nodes: bindNodes(callScope, made.sdk.nodes) } })
    )
  )

/** Makes the parts of a client over a transport from elsewhere, whose calls end with the client's scope. */
export const makeScopedParts = <Made extends ScopableParts, E>(
  connected: ConnectedParts,
  make: (connected: ConnectedParts) => Effect.Effect<Made, E, Scope.Scope>
): Effect.Effect<Scoped<Made>, E, Scope.Scope> =>
  Effect.suspend(() => {
    const callScope = new CallScope()
    // reads do not enter batches of the other client past `send`, which is bound
    const { joinBatch: _, ...transport } = connected.transport
    return makeParts(callScope, callScope.run, { ...connected, transport }, make)
  })

/**
 * A source of one client, whose calls end with its scope. They are bound below the layers that share requests, so that a
 * batch is bound once.
 */
export const scopeCalls = <Made extends ScopableParts>(
  source: ClientSource<Made>
): ClientSource<Scoped<Made>> => {
  const callScope = new CallScope()
  return {
    ...source,
    bindPool: (pool) => bindTransport(pool, callScope.run),
    makeParts: (connected, liftCalls) =>
      makeParts(callScope, callScope.start, connected, (bound) => source.makeParts(bound, liftCalls))
  }
}
