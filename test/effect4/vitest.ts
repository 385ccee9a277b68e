/** `@effect/vitest` for Effect 4, whose own needs a newer vitest. Each test has a clock of `effect/testing`, which it adjusts. */
import * as Cause from "effect4/Cause"
import * as Effect from "effect4/Effect"
import * as Exit from "effect4/Exit"
import * as fc from "fast-check"
import * as V from "vitest"
import { runPromiseExit } from "../../src/effect4/Effect.js"
import * as TestClock from "./TestClock.js"

export * from "vitest"

type Any = Effect.Effect<unknown, unknown>
type Body = (...args: ReadonlyArray<unknown>) => Any
type Options = number | (V.TestOptions & { readonly fastCheck?: fc.Parameters<unknown> })
type Arbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>

const run = async (effect: Any): Promise<unknown> => {
  const exit = await runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) throw new Error("All fibers interrupted without errors.")
  const thrown = Cause.squash(exit.cause)
  // vitest writes into what is thrown, and fields of the SDK's errors are not written
  throw "_tag" in Object(thrown) ? new Error(Cause.pretty(exit.cause)) : thrown
}

const optionsOf = (given?: Options): V.TestOptions =>
  typeof given === "number" ? { timeout: given } : (given ?? {})

/** One arbitrary for all values of a run. */
const together = (arbitraries: Arbitraries | ReadonlyArray<fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  Array.isArray(arbitraries) ? fc.tuple(...arbitraries) : fc.record(arbitraries as Arbitraries)

const runsOf = (given?: Options): fc.Parameters<[unknown]> =>
  typeof given === "object" ? ((given.fastCheck ?? {}) as fc.Parameters<[unknown]>) : {}

const testerOf = (around: (effect: Any) => Any) => {
  const ran = (body: Body, ...args: ReadonlyArray<unknown>): Promise<unknown> =>
    run(around(Effect.suspend(() => body(...args))))
  const tester =
    (it: typeof V.it) =>
    (name: string, body: Body, given?: Options): void =>
      it(name, optionsOf(given), (context) => ran(body, context).then(() => {}))
  return Object.assign(tester(V.it), {
    skip: tester(V.it.skip as typeof V.it),
    only: tester(V.it.only as typeof V.it),
    fails: tester(V.it.fails as typeof V.it),
    skipIf: (condition: unknown) => tester(V.it.skipIf(condition) as typeof V.it),
    runIf: (condition: unknown) => tester(V.it.runIf(condition) as typeof V.it),
    each: (cases: ReadonlyArray<unknown>) => (name: string, body: Body, given?: Options) =>
      V.it.for(cases)(name, optionsOf(given), (args) => ran(body, args).then(() => {})),
    prop: (name: string, arbitraries: Arbitraries, body: Body, given?: Options) =>
      V.it(name, optionsOf(given), (context) =>
        fc.assert(
          fc.asyncProperty(together(arbitraries), async (values) => void (await ran(body, values, context))),
          runsOf(given)
        )
      )
  })
}

export const it = Object.assign(V.it, {
  effect: testerOf((effect) => TestClock.provided(effect)),
  scoped: testerOf((effect) => TestClock.provided(Effect.scoped(effect))),
  live: testerOf((effect) => effect),
  scopedLive: testerOf((effect) => Effect.scoped(effect)),
  prop: (name: string, arbitraries: Arbitraries, body: (values: unknown) => unknown, given?: Options) =>
    V.it(name, optionsOf(given), () =>
      fc.assert(
        fc.property(together(arbitraries), (values) => void body(values)),
        runsOf(given)
      )
    )
})
