import type { Clock } from "effect/Clock"
import type { Context } from "effect/Context"
import type * as Original from "effect/Effect"
import { dual } from "effect/Function"
import * as Micro from "effect/Micro"
import * as Lean from "../../src/lean/Effect.js"
import { left, right } from "../../src/lean/Either.js"
import { as, fail, options } from "../../src/lean/micro.js"
import { isLayer, type Layer } from "./Layer.js"
import { Random } from "./Random.js"
import { ignored } from "./Scheduler.js"

export * from "../../src/lean/Effect.js"

/** What only tests use of effect's: see src/lean/micro.ts for the cast. */
type Any = Micro.Micro<unknown, unknown>

export const die: typeof Original.die = /*#__PURE__*/ as(Micro.die)
export const dieMessage: typeof Original.dieMessage = /*#__PURE__*/ as((message: string) =>
  Micro.die(new Error(message))
)
export const promise: typeof Original.promise = /*#__PURE__*/ as(Micro.promise)
export const yieldNow: typeof Original.yieldNow = /*#__PURE__*/ as(() => Micro.yieldNow)
export const exit: typeof Original.exit = /*#__PURE__*/ as(Micro.exit)
export const either: typeof Original.either = /*#__PURE__*/ as((self: Any) =>
  Micro.match(self, { onFailure: left, onSuccess: right })
)
export const merge: typeof Original.merge = /*#__PURE__*/ as((self: Any) =>
  Micro.match(self, { onFailure: (error) => error, onSuccess: (value) => value })
)
export const flatten: typeof Original.flatten = /*#__PURE__*/ as(Micro.flatten)
export const orDie: typeof Original.orDie = /*#__PURE__*/ as(Micro.orDie)
export const repeatN: typeof Original.repeatN = /*#__PURE__*/ as((self: Any, times: number) =>
  Micro.repeat(self, { times })
)
export const replicateEffect: typeof Original.replicateEffect = /*#__PURE__*/ as(Micro.replicateEffect)
export const onInterrupt: typeof Original.onInterrupt = /*#__PURE__*/ as(
  dual(2, (self: Any, then: () => Micro.Micro<void>) => Micro.onInterrupt(self, Micro.suspend(then)))
)
export const fromNullable: typeof Original.fromNullable = /*#__PURE__*/ as((value: unknown) =>
  value == null ? fail(value) : Micro.succeed(value)
)

/** Tests ask fibers for their end as they ask effect's, which say `null` where there is none. */
const asked = (fiber: Micro.MicroFiber<unknown, unknown>): unknown => {
  const poll = fiber.unsafePoll.bind(fiber)
  return Object.assign(fiber, { unsafePoll: () => poll() ?? null })
}

export const fork: typeof Original.fork = /*#__PURE__*/ as((self: Any) => Micro.map(Micro.fork(self), asked))
export const forkScoped: typeof Original.forkScoped = /*#__PURE__*/ as((self: Original.Effect<unknown>) =>
  Micro.flatMap(Micro.scope, (scope) =>
    Micro.map(as<Micro.Micro<Micro.MicroFiber<unknown, unknown>>>(Lean.forkIn(self, as(scope))), asked)
  )
)

/** On a scheduler that a test steps through, or on that of the runtime. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(
  (effect: Any, given: typeof options = options) => asked(Micro.runFork(effect, given))
)

/** The supervisor of a test sees all fibers on its scheduler; the one that is supervised is none of them. */
export const supervised: typeof Original.supervised = /*#__PURE__*/ as((self: Any) =>
  Micro.withMicroFiber<unknown, unknown, never>((fiber) => {
    ignored.add(fiber)
    return self
  })
)

/** By a layer, or by services. */
export const provide: typeof Original.provide = /*#__PURE__*/ as(
  dual(2, (self: Any, services: Layer | Context<never>) =>
    isLayer(services)
      ? Micro.scoped(
          Micro.flatMap(as<Layer>(services).build, (context) => Micro.provideContext(self, context))
        )
      : Micro.provideContext(self, as<Context<never>>(services))
  )
)

export const withClock: typeof Original.withClock = /*#__PURE__*/ as(
  dual(2, (self: Original.Effect<unknown>, clock: Clock) => Lean.withClock(self, clock))
)
export const withScheduler: typeof Original.withScheduler = /*#__PURE__*/ as(
  dual(2, (self: Any, given: Micro.MicroScheduler) =>
    Micro.provideService(self, Micro.CurrentScheduler, given)
  )
)
export const withRandom: typeof Original.withRandom = /*#__PURE__*/ as(
  dual(2, (self: Any, random: never) => Micro.provideService(self, as<never>(Random), random))
)

export const runPromise: typeof Original.runPromise = /*#__PURE__*/ as(async (effect: Any) => {
  const end = await Micro.runPromiseExit(effect, options)
  if (end._tag === "Success") return end.value
  throw Micro.causeSquash(end.cause)
})
