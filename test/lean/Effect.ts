import type { Clock } from "effect/Clock"
import type * as Original from "effect/Effect"
import { dual } from "effect/Function"
import { as } from "../../src/lean/cast.js"
import * as Lean from "../../src/lean/Effect.js"
import { left, right } from "../../src/lean/Either.js"
import * as Machine from "../../src/lean/fiberRuntime.js"
import type { AnyTag, Services } from "../../src/lean/services.js"
import { dying, isLayer, type Layer } from "./Layer.js"
import { Random } from "./Random.js"
import { ignored } from "./Scheduler.js"

export * from "../../src/lean/Effect.js"

/** What only tests use of effect's: see src/lean/cast.ts for the cast. */
type Any = Machine.Effect

export const die: typeof Original.die = /*#__PURE__*/ as(Machine.die)
export const dieMessage: typeof Original.dieMessage = /*#__PURE__*/ as((message: string) =>
  Machine.die(new Error(message))
)
export const promise: typeof Original.promise = /*#__PURE__*/ as((run: () => Promise<unknown>) =>
  dying(as(Lean.tryPromise(run)))
)
export const yieldNow: typeof Original.yieldNow = /*#__PURE__*/ as(() => Machine.yieldNow)
export const exit: typeof Original.exit = /*#__PURE__*/ as(Machine.exit)
export const either: typeof Original.either = /*#__PURE__*/ as((self: Original.Effect<unknown, unknown>) =>
  Lean.match(self, { onFailure: left, onSuccess: right })
)
export const merge: typeof Original.merge = /*#__PURE__*/ as((self: Original.Effect<unknown, unknown>) =>
  Lean.match(self, { onFailure: (error) => error, onSuccess: (value) => value })
)
export const flatten: typeof Original.flatten = /*#__PURE__*/ as((self: Machine.Effect<Any>) =>
  Machine.flatMap(self, (inner) => inner)
)
export const orDie: typeof Original.orDie = /*#__PURE__*/ as(dying)

export const repeatN: typeof Original.repeatN = /*#__PURE__*/ as((self: Any, count: number) =>
  Machine.map(
    Machine.forEachInOrder(Array(count + 1).fill(undefined), () => self),
    (all) => all.at(-1)
  )
)
export const replicateEffect: typeof Original.replicateEffect = /*#__PURE__*/ as(
  (self: Original.Effect<unknown>, count: number, options?: { readonly concurrency: "unbounded" }) =>
    Lean.forEach(Array(count).fill(undefined), () => self, options)
)
export const onInterrupt: typeof Original.onInterrupt = /*#__PURE__*/ as(
  dual(2, (self: Any, last: () => Any) =>
    Machine.onExit(self, (end) =>
      end._tag === "Failure" && end.cause._tag === "Interrupt" ? last() : Machine.unit
    )
  )
)
export const fromNullable: typeof Original.fromNullable = /*#__PURE__*/ as((value: unknown) =>
  value == null ? Machine.fail(value) : Machine.succeed(value)
)

/** Tests ask fibers for their end as they ask effect's, which say `null` where there is none. */
const asked = (fiber: Machine.Fiber): unknown => {
  const poll = fiber.unsafePoll.bind(fiber)
  return Object.assign(fiber, { unsafePoll: () => poll() ?? null })
}

export const fork: typeof Original.fork = /*#__PURE__*/ as((self: Any) =>
  Machine.map(Machine.fork(self), asked)
)
export const forkScoped: typeof Original.forkScoped = /*#__PURE__*/ as((self: Original.Effect<unknown>) =>
  Machine.map(as<Machine.Effect<Machine.Fiber>>(Lean.forkScoped(self)), asked)
)

/** On a scheduler that a test steps through, or on that of the runtime. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(
  (...args: Parameters<typeof Machine.runFork>) => asked(Machine.runFork(...args))
)

/** The supervisor of a test sees all fibers on its scheduler; the one that is supervised is none of them. */
export const supervised: typeof Original.supervised = /*#__PURE__*/ as((self: Any) =>
  Machine.withFiber((fiber) => {
    ignored.add(fiber)
    return self
  })
)

/** By a layer, or by services. */
export const provide: typeof Original.provide = /*#__PURE__*/ as(
  dual(2, (self: Any, services: Layer | Services) =>
    isLayer(services)
      ? Lean.scoped(
          as<Original.Effect<unknown>>(
            Machine.flatMap(as<Layer>(services).build, (built) => Machine.provide(self, built))
          )
        )
      : Machine.provide(self, as(services))
  )
)

export const withClock: typeof Original.withClock = /*#__PURE__*/ as(
  dual(2, (self: Original.Effect<unknown>, clock: Clock) => Lean.withClock(self, clock))
)
export const withScheduler: typeof Original.withScheduler = /*#__PURE__*/ as(
  dual(2, (self: Any, given: Machine.Scheduler) =>
    Machine.withFiber((fiber) => {
      const own = fiber.scheduler
      fiber.scheduler = given
      return Machine.onExit(self, () =>
        Machine.sync(() => {
          fiber.scheduler = own
        })
      )
    })
  )
)
export const withRandom: typeof Original.withRandom = /*#__PURE__*/ as(
  dual(2, (self: Any, random: unknown) => Machine.provideService(self, as<AnyTag>(Random), random))
)
