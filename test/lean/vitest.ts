/** `@effect/vitest` for the lean runtime: each test has a clock of its own, which it adjusts. */
import type * as Original from "@effect/vitest"
import type * as EffectOf from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as V from "vitest"
import { Clock } from "../../src/lean/Clock.js"
import { as } from "../../src/lean/cast.js"
import { scoped } from "../../src/lean/Effect.js"
import { type Effect, provideService, runPromiseExit, squash, suspend } from "../../src/lean/fiberRuntime.js"
import * as TestClock from "./TestClock.js"

export * from "vitest"

type Any = Effect
type Body = (...args: ReadonlyArray<unknown>) => Any
type Options = number | (V.TestOptions & { readonly fastCheck?: fc.Parameters<unknown> })
type Arbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>

const run = async (effect: Any): Promise<unknown> => {
  const exit = await runPromiseExit(effect)
  if (exit._tag === "Success") return exit.value
  throw exit.cause._tag === "Interrupt"
    ? new Error("All fibers interrupted without errors.")
    : squash(exit.cause)
}

const optionsOf = (given?: Options): V.TestOptions =>
  typeof given === "number" ? { timeout: given } : (given ?? {})

/** One arbitrary for all values of a run. */
const together = (arbitraries: Arbitraries | ReadonlyArray<fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  Array.isArray(arbitraries) ? fc.tuple(...arbitraries) : fc.record(as<Arbitraries>(arbitraries))

const runsOf = (given?: Options): fc.Parameters<[unknown]> =>
  typeof given === "object" ? as(given.fastCheck ?? {}) : {}

const testerOf = (around: (effect: Any) => Any): Original.Vitest.Tester<never> => {
  const ran = (body: Body, ...args: ReadonlyArray<unknown>): Promise<unknown> =>
    run(around(suspend(() => body(...args))))
  const tester =
    (it: typeof V.it) =>
    (name: string, body: Body, given?: Options): void =>
      it(name, optionsOf(given), (context) => ran(body, context).then(() => {}))
  return as(
    Object.assign(tester(V.it), {
      skip: tester(as(V.it.skip)),
      only: tester(as(V.it.only)),
      fails: tester(as(V.it.fails)),
      skipIf: (condition: unknown) => tester(as(V.it.skipIf(condition))),
      runIf: (condition: unknown) => tester(as(V.it.runIf(condition))),
      each: (cases: ReadonlyArray<unknown>) => (name: string, body: Body, given?: Options) =>
        V.it.for(cases)(name, optionsOf(given), (args) => ran(body, args).then(() => {})),
      prop: (name: string, arbitraries: Arbitraries, body: Body, given?: Options) =>
        V.it(name, optionsOf(given), (context) =>
          fc.assert(
            fc.asyncProperty(
              together(arbitraries),
              async (values) => void (await ran(body, values, context))
            ),
            runsOf(given)
          )
        )
    })
  )
}

const inScope = (effect: Any): Any => as(scoped(as<EffectOf.Effect<unknown>>(effect)))
const timed = (effect: Any): Any => provideService(effect, as(Clock), TestClock.make())

export const it: typeof Original.it = /*#__PURE__*/ as(
  Object.assign(V.it, {
    effect: testerOf(timed),
    scoped: testerOf((effect) => timed(inScope(effect))),
    live: testerOf((effect) => effect),
    scopedLive: testerOf((effect) => inScope(effect)),
    prop: (name: string, arbitraries: Arbitraries, body: (values: unknown) => unknown, given?: Options) =>
      V.it(name, optionsOf(given), () =>
        fc.assert(
          fc.property(together(arbitraries), (values) => void body(values)),
          runsOf(given)
        )
      )
  })
)
