import type * as Original from "effect/Cause"
import { as } from "./cast.js"
import { left, right } from "./Either.js"
import { type Cause, squash as squashCause } from "./fiberRuntime.js"

/** A cause has one reason here: a failure, a defect or an interruption. */
export const failureOrCause: typeof Original.failureOrCause = /*#__PURE__*/ as((cause: Cause) =>
  cause._tag === "Fail" ? left(cause.error) : right(cause)
)

export const isInterruptedOnly: typeof Original.isInterruptedOnly = /*#__PURE__*/ as(
  ({ _tag }: Cause) => _tag === "Interrupt"
)

/** The failure or defect itself. */
export const squash: typeof Original.squash = /*#__PURE__*/ as(squashCause)
