/** The calls of a client on the Effect surface: they end with the client's scope. */
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { NodePoolView } from "../balancer/NodePool.js"
import { makeDestroyedError } from "../data/destroyed.js"
import type { Aborted } from "../data/SdkError.js"
import type { TransportService } from "../wire/Transport.js"
import type { ClientSource, ConnectedParts } from "./clientParts.js"

/** A pull of a stream: it fails with none at the stream's end. */
type Pull<A, E> = Effect.Effect<Chunk.Chunk<A>, Option.Option<E>>

/** Runs the calls of a client until its scope closes. */
export interface CallScope {
  /** Runs a call, which fails with `Aborted` if the client ends first or has ended. */
  readonly run: <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E | Aborted>
  /** Runs each pull of a stream in the same way. */
  readonly runPull: <A, E>(pull: Pull<A, E>) => Pull<A, E | Aborted>
}

/**
 * Keeps fibers that an effect forks from logging their failures. A failed attempt is the client's own affair: the call
 * may succeed on another node.
 */
export const withoutForkLogs = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withUnhandledErrorLogLevel(effect, Option.none())

/** Makes the calls' scope. Closing it interrupts running calls, and waits until they have ended. */
export const makeCallScope: Effect.Effect<CallScope, never, Scope.Scope> = /*#__PURE__*/ Effect.suspend(
  () => {
    const running = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
    let isClosed = false
    const runUntilClosed = <A, E, E2>(
      call: Effect.Effect<A, E>,
      makeError: () => E2
    ): Effect.Effect<A, E | E2> =>
      Effect.suspend(() =>
        isClosed
          ? Effect.fail(makeError())
          : // interruptible: a caller that is not must not keep the scope from closing
            withoutForkLogs(
              Effect.flatMap(Effect.fork(Effect.interruptible(call)), (fiber) =>
                Effect.async<A, E | E2>((resume) => {
                  running.add(fiber)
                  fiber.addObserver((exit) => {
                    running.delete(fiber)
                    resume(isClosed && Exit.isInterrupted(exit) ? Effect.fail(makeError()) : exit)
                  })
                  if (isClosed) fiber.unsafeInterruptAsFork(fiber.id())
                  return Fiber.interrupt(fiber)
                })
              )
            )
      )
    const close = Effect.suspend(() => {
      isClosed = true
      return Fiber.interruptAll(running)
    })
    return Effect.as(
      Effect.addFinalizer(() => close),
      {
        run: (call) => runUntilClosed(call, makeDestroyedError),
        runPull: (pull) => runUntilClosed(pull, () => Option.some(makeDestroyedError()))
      } satisfies CallScope
    )
  }
)

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

const bindTransport = ({ run }: CallScope, transport: TransportService): TransportService => ({
  ...transport,
  send: (call) => run(transport.send(call))
})

const bindNodes = ({ run }: CallScope, { check, listen, snapshot }: NodePoolView): NodePoolView => ({
  listen,
  snapshot,
  check: Effect.ignore(run(check))
})

/** The client that a source makes, with its calls' scope. */
export type Scoped<Made> = Made & { readonly callScope: CallScope }

/** Makes the parts of a client whose calls end with its scope. */
export const makeScopedParts = <Made extends { readonly sdk: { readonly nodes: NodePoolView } }, E>(
  connected: ConnectedParts,
  makeParts: (connected: ConnectedParts) => Effect.Effect<Made, E, Scope.Scope>
): Effect.Effect<Scoped<Made>, E, Scope.Scope> =>
  Effect.flatMap(makeCallScope, (callScope) =>
    Effect.map(
      makeParts({
        ...connected,
        transport: bindTransport(callScope, connected.transport),
        bindComposed: (calls) => bindCalls(callScope, calls)
      }),
      (made) => ({ ...made, callScope, sdk: { ...made.sdk, nodes: bindNodes(callScope, made.sdk.nodes) } })
    )
  )

/** A source whose clients' calls end with their scope. */
export const scopeCalls = <Made extends { readonly sdk: { readonly nodes: NodePoolView } }>(
  source: ClientSource<Made>
): ClientSource<Scoped<Made>> => ({
  ...source,
  makeParts: (connected, liftCalls) =>
    makeScopedParts(connected, (bound) => source.makeParts(bound, liftCalls))
})
