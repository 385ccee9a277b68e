import * as Three from "effect/Effect"
import * as Random from "effect/Random"
import type * as Original from "effect4/Random"

export * from "effect4/Random"

const drawn = (random: Random.Random): Original.Random => ({
  nextIntUnsafe: () => Three.runSync(random.nextInt),
  nextDoubleUnsafe: () => Three.runSync(random.next)
})

/** Numbers are made as Effect 3 makes them: what a test has seeded is the same on all runtimes. */
export const make = (seed: unknown): Original.Random => drawn(Random.make(seed))
export const fixed = (values: readonly [number, ...ReadonlyArray<number>]): Original.Random =>
  drawn(Random.fixed([...values] as [number, ...Array<number>]))
