import type * as Either from "effect/Either"

/**
 * A type of the surface for Effect 3. Under Effect 4, which has no such module, it is the text of the compiler's error. It depends on
 * nothing that a program can infer, so that with Effect 3 it is the type itself.
 */
export type OnThisEffect<A> = string extends keyof typeof Either
  ? "effect-chains is for Effect 3: with Effect 4, import effect-chains/effect4"
  : A
