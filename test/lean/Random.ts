import * as EffectOf from "effect/Effect"
import type * as Original from "effect/Random"
import { Reference } from "../../src/lean/Context.js"
import { as } from "../../src/lean/cast.js"
import { type Effect, sync, withFiber } from "../../src/lean/fiberRuntime.js"
import * as Lean from "../../src/lean/Random.js"

/** Numbers are made as effect makes them: what a test has seeded is the same on both runtimes. */
export { fixed, make } from "effect/Random"

/** The chance that a test provides; where it provides none, there is that of the lean runtime. */
export const Random = /*#__PURE__*/ Reference<never>()("effect-chains/test/Random", {
  defaultValue: (): Original.Random | undefined => undefined
})

const drawn = (
  draw: (random: Original.Random) => EffectOf.Effect<number>,
  otherwise: EffectOf.Effect<number>
): EffectOf.Effect<number> =>
  as(
    withFiber((fiber) => {
      const random = as<Original.Random | undefined>(fiber.getRef(as(Random)))
      return random === undefined ? as<Effect>(otherwise) : sync(() => EffectOf.runSync(draw(random)))
    })
  )

export const next: typeof Original.next = /*#__PURE__*/ drawn((random) => random.next, Lean.next)
export const nextInt: typeof Original.nextInt = /*#__PURE__*/ drawn((random) => random.nextInt, Lean.nextInt)
