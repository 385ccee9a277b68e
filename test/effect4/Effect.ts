/** What only tests use, under the names of Effect 3. */
import * as Providers from "effect4/ConfigProvider"
import * as Effect from "effect4/Effect"
import type * as Exit from "effect4/Exit"
import { dual } from "effect4/Function"
import * as Random from "effect4/Random"
import type * as Result from "effect4/Result"
import * as Schedulers from "effect4/Scheduler"
import type * as Scope from "effect4/Scope"
import type { Clock } from "../../src/effect4/Clock.js"
import * as Adapted from "../../src/effect4/Effect.js"
import { asked as adapted, type Fiber } from "../../src/effect4/Fiber.js"
import { ignored } from "./Scheduler.js"

export { tapCause as tapErrorCause } from "effect4/Effect"
export * from "../../src/effect4/Effect.js"

export const either = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Result.Result<A, E>, never, R> =>
  Effect.result(self)

export const merge = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | E, never, R> =>
  Effect.match(self, { onFailure: (error): A | E => error, onSuccess: (value): A | E => value })

export const repeatN = <A, E, R>(self: Effect.Effect<A, E, R>, times: number): Effect.Effect<A, E, R> =>
  times === 0 ? self : Effect.andThen(self, repeatN(self, times - 1))

export const fromNullable = <A>(value: A) =>
  value == null ? Effect.fail(value) : Effect.succeed(value as NonNullable<A>)

export const withConfigProvider: {
  (provider: Providers.ConfigProvider): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(self: Effect.Effect<A, E, R>, provider: Providers.ConfigProvider): Effect.Effect<A, E, R>
} = dual(2, <A, E, R>(self: Effect.Effect<A, E, R>, provider: Providers.ConfigProvider) =>
  Effect.provideService(self, Providers.ConfigProvider, provider)
)

/** Tests ask fibers for their end as Effect 3's, which say `null` where there is none. */
const asked = <A, E>(fiber: Fiber<A, E>): Fiber<A, E> => {
  const poll = fiber.unsafePoll
  return Object.assign(fiber, { unsafePoll: () => poll() ?? (null as unknown as Exit.Exit<A, E>) })
}

export const fork = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Fiber<A, E>, never, R> =>
  Effect.map(Adapted.fork(self), asked)
export const forkScoped = <A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<Fiber<A, E>, never, R | Scope.Scope> => Effect.map(Adapted.forkScoped(self), asked)

/** On a scheduler that a test steps through, or on that of the runtime. */
export const runFork = <A, E>(
  effect: Effect.Effect<A, E>,
  options?: { readonly scheduler: Schedulers.Scheduler }
): Fiber<A, E> =>
  asked(options === undefined ? Adapted.runFork(effect) : adapted(Effect.runFork(effect, options)))

/** A scheduler of Effect 3, which has its tasks itself. */
interface Scheduling {
  readonly scheduleTask: (task: () => void) => void
  readonly shouldYield: () => boolean
}

export const withScheduler =
  ({ scheduleTask, shouldYield }: Scheduling) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(self, Schedulers.Scheduler, {
      executionMode: "async",
      shouldYield,
      makeDispatcher: () => ({ scheduleTask, flush: () => {} })
    })

export const withRandom: {
  (random: Random.Random): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(self: Effect.Effect<A, E, R>, random: Random.Random): Effect.Effect<A, E, R>
} = dual(2, <A, E, R>(self: Effect.Effect<A, E, R>, random: Random.Random) =>
  Effect.provideService(self, Random.Random, random)
)

/** The supervisor of a test sees all fibers on its scheduler; the one that is supervised is none of them. */
export const supervised = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    ignored.add(fiber)
    return self
  })

export const yieldNow = (): Effect.Effect<void> => Effect.yieldNow

export const withClock: {
  (clock: Clock): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(self: Effect.Effect<A, E, R>, clock: Clock): Effect.Effect<A, E, R>
} = dual(2, Adapted.withClock)
