import type * as Original from "effect4/Cause"

export * from "../../src/effect4/Cause.js"

/** A cause is a list of reasons. */
export const isFailType = ({ reasons }: Original.Cause<unknown>): boolean =>
  reasons.length === 1 && reasons[0]?._tag === "Fail"
export const isInterrupted = ({ reasons }: Original.Cause<unknown>): boolean =>
  reasons.some(({ _tag }) => _tag === "Interrupt")
