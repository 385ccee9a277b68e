import * as Clocks from "effect4/Clock"
import * as Providers from "effect4/ConfigProvider"
import type * as Context from "effect4/Context"
import type * as Duration from "effect4/Duration"
import * as Effects from "effect4/Effect"
import type * as Exit from "effect4/Exit"
import { dual } from "effect4/Function"
import * as Latches from "effect4/Latch"
import type * as LogLevels from "effect4/LogLevel"
import * as Schedulers from "effect4/Scheduler"
import type * as Scope from "effect4/Scope"
import type * as Semaphores from "effect4/Semaphore"
import type * as Tracers from "effect4/Tracer"
import { type Clock, clockOf, viewOf } from "./Clock.js"
import { asked, type Fiber } from "./Fiber.js"
import type { LogLevel } from "./LogLevel.js"

export * from "effect4/Effect"
export {
  andThen as zipRight,
  callback as async,
  catch as catchAll,
  catchCause as catchAllCause,
  result as either,
  updateContext as mapInputContext
} from "effect4/Effect"
export { makeUnsafe as unsafeMakeSemaphore } from "effect4/Semaphore"

export type Semaphore = Semaphores.Semaphore

export type Effect<A, E = never, R = never> = Effects.Effect<A, E, R>

/** The types of an effect's parts stand beside it. */
export declare namespace Effect {
  type Success<T> = Effects.Success<T>
  type Error<T> = Effects.Error<T>
  type Context<T> = Effects.Services<T>
}

/** Fibers say `pollUnsafe` where they said `unsafePoll`. */
export const fork = <A, E, R>(self: Effect<A, E, R>): Effect<Fiber<A, E>, never, R> =>
  Effects.map(Effects.forkChild(self), asked)
export const forkDaemon = <A, E, R>(self: Effect<A, E, R>): Effect<Fiber<A, E>, never, R> =>
  Effects.map(Effects.forkDetach(self), asked)
export const forkScoped = <A, E, R>(self: Effect<A, E, R>): Effect<Fiber<A, E>, never, R | Scope.Scope> =>
  Effects.map(Effects.forkScoped(self), asked)
export const forkIn: {
  (scope: Scope.Scope): <A, E, R>(self: Effect<A, E, R>) => Effect<Fiber<A, E>, never, R>
  <A, E, R>(self: Effect<A, E, R>, scope: Scope.Scope): Effect<Fiber<A, E>, never, R>
} = dual(
  2,
  <A, E, R>(self: Effect<A, E, R>, scope: Scope.Scope): Effect<Fiber<A, E>, never, R> =>
    Effects.map(Effects.forkIn(self, scope), asked)
)
/** A task of Effect 4 costs a turn of the event loop, and took a microtask before. After many in a row, others get their turn. */
let row = 0
const scheduler = new Schedulers.MixedScheduler("async", (task) => {
  let isOver = false
  const run = (): void => void (isOver || task())
  if (++row % 2_048 === 0) setTimeout(run, 0)
  else queueMicrotask(run)
  return () => {
    isOver = true
  }
})

export const runFork = <A, E>(effect: Effect<A, E>): Fiber<A, E> =>
  asked(Effects.runFork(effect, { scheduler }))
export const runPromise = <A, E>(effect: Effect<A, E>): Promise<A> =>
  Effects.runPromise(effect, { scheduler })
export const runPromiseExit = <A, E>(effect: Effect<A, E>): Promise<Exit.Exit<A, E>> =>
  Effects.runPromiseExit(effect, { scheduler })

/** An option of `acquireRelease`; but that releases what was acquired to its end alone, and this one a part of it, too. */
export const acquireReleaseInterruptible = <A, E, R, R2>(
  acquire: Effect<A, E, R>,
  release: (exit: Exit.Exit<unknown, unknown>) => Effect<void, never, R2>
): Effect<A, E, R | R2 | Scope.Scope> => Effects.ensuring(acquire, Effects.addFinalizer(release))

interface Late<E> {
  readonly duration: Duration.Input
  readonly onTimeout: () => E
}

/** `timeoutOrElse`, with a failure. */
export const timeoutFail: {
  <E2>(late: Late<E2>): <A, E, R>(self: Effect<A, E, R>) => Effect<A, E | E2, R>
  <A, E, R, E2>(self: Effect<A, E, R>, late: Late<E2>): Effect<A, E | E2, R>
} = dual(
  2,
  <A, E, R, E2>(self: Effect<A, E, R>, { duration, onTimeout }: Late<E2>): Effect<A, E | E2, R> =>
    Effects.timeoutOrElse(self, { duration, orElse: () => Effects.failSync(onTimeout) })
)

/** The clock under the names of before: see {@link ./Clock.ts}. */
export const clockWith = <A, E, R>(f: (clock: Clock) => Effect<A, E, R>): Effect<A, E, R> =>
  Effects.clockWith((clock) => f(viewOf(clock)))
export const clock: Effect<Clock> = clockWith(Effects.succeed)
export const withClock = <A, E, R>(self: Effect<A, E, R>, given: Clock): Effect<A, E, R> =>
  Effects.provideService(self, Clocks.Clock, clockOf(given))

/** An observer is taken away by what adding it returned, and the id is a number. */
export const withFiberRuntime = <A, E, R>(
  f: (fiber: {
    readonly id: () => number
    readonly addObserver: (observer: (exit: Exit.Exit<unknown, unknown>) => void) => void
    readonly removeObserver: (observer: (exit: Exit.Exit<unknown, unknown>) => void) => void
  }) => Effect<A, E, R>
): Effect<A, E, R> =>
  Effects.withFiber((fiber) => {
    let stop = (): void => {}
    return f({
      id: () => fiber.id,
      addObserver: (observer) => {
        stop = fiber.addObserver(observer)
      },
      removeObserver: () => stop()
    })
  })

/** What is done with a value must be an effect. */
const tapped = <A, E, R, B>(self: Effect<A, E, R>, then: (value: A) => B) =>
  Effects.flatMap(self, (value): Effect<A, E | Effects.Error<B>, R | Effects.Services<B>> => {
    const next: unknown = then(value)
    return Effects.isEffect(next) ? Effects.as(next as Effect<unknown, never>, value) : Effects.succeed(value)
  })

export const tap: {
  <A, B>(
    then: (value: NoInfer<A>) => B
  ): <E, R>(self: Effect<A, E, R>) => Effect<A, E | Effects.Error<B>, R | Effects.Services<B>>
  <A, E, R, B>(
    self: Effect<A, E, R>,
    then: (value: NoInfer<A>) => B
  ): Effect<A, E | Effects.Error<B>, R | Effects.Services<B>>
} = dual(2, tapped)
export const zipLeft: {
  <E2, R2>(that: Effect<unknown, E2, R2>): <A, E, R>(self: Effect<A, E, R>) => Effect<A, E | E2, R | R2>
  <A, E, R, E2, R2>(self: Effect<A, E, R>, that: Effect<unknown, E2, R2>): Effect<A, E | E2, R | R2>
} = Effects.tap

/** A runtime is a context. */
export const context = <R = never>(): Effect<Context.Context<R>, never, R> => Effects.context<R>()
export const runtime = <R = never>(): Effect<Context.Context<R>, never, R> => Effects.context<R>()

/** A module of its own has latches, and what they have is called `…Unsafe`. */
export const makeLatch = (isOpen?: boolean): Effect<Latches.Latch & { readonly unsafeClose: () => void }> =>
  Effects.map(Latches.make(isOpen), (latch) =>
    Object.assign(latch, { unsafeClose: (): void => void latch.closeUnsafe() })
  )

export const contextWithEffect = <R, A, E, R2>(
  f: (context: Context.Context<R>) => Effect<A, E, R2>
): Effect<A, E, R | R2> => Effects.contextWith(f)
export const configProviderWith = <A, E, R>(
  f: (provider: Providers.ConfigProvider) => Effect<A, E, R>
): Effect<A, E, R> => Effects.flatMap(Providers.ConfigProvider, f)
export const tracerWith = <A, E, R>(f: (tracer: Tracers.Tracer) => Effect<A, E, R>): Effect<A, E, R> =>
  Effects.flatMap(Effects.tracer, f)
export const dieMessage = (message: string): Effect<never> => Effects.die(new Error(message))

/** A level is a word, and the function takes it alone. */
export const logWithLevel = (level: LogLevel, ...message: ReadonlyArray<unknown>): Effect<void> =>
  level.name === "All" || level.name === "None" ? Effects.void : Effects.logWithLevel(level.name)(...message)

/** What fibers inherit is a service. */
export const locally =
  (reference: Context.Reference<LogLevels.LogLevel>, level: LogLevel) =>
  <A, E, R>(self: Effect<A, E, R>): Effect<A, E, R> =>
    Effects.provideService(self, reference, level.name)

/** No span has a stack trace of its own accord. */
type SpanOptions = Tracers.SpanOptionsNoTrace & { readonly captureStackTrace?: false }

export const useSpan: <A, E, R>(
  name: string,
  options: SpanOptions,
  use: (span: Tracers.Span) => Effect<A, E, R>
) => Effect<A, E, R> = Effects.useSpan
export const makeSpanScoped: (
  name: string,
  options: SpanOptions
) => Effect<Tracers.Span, never, Scope.Scope> = Effects.makeSpanScoped
