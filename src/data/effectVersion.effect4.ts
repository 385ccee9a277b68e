import type * as Result from "effect/Result"

/**
 * A type of the surface for Effect 4. Under Effect 3, which has no such module, it is the text of the compiler's error. It depends on
 * nothing that a program can infer, so that with Effect 4 it is the type itself.
 */
export type OnThisEffect<A> = string extends keyof typeof Result
  ? "effect-chains/effect4 is for Effect 4: with Effect 3, import effect-chains"
  : A
