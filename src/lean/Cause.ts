import type * as Original from "effect/Cause"
import * as Micro from "effect/Micro"
import { left, right } from "./Either.js"
import { as } from "./micro.js"

/** A cause of Micro is one: a failure, a defect or an interruption. */
export const failureOrCause: typeof Original.failureOrCause = /*#__PURE__*/ as(
  (cause: Micro.MicroCause<unknown>) => (cause._tag === "Fail" ? left(cause.error) : right(cause))
)

export const isInterruptedOnly: typeof Original.isInterruptedOnly = /*#__PURE__*/ as(Micro.causeIsInterrupt)

/** What was thrown, as it is: Micro keeps no other cause beside it. */
export const squash: typeof Original.squash = /*#__PURE__*/ as(Micro.causeSquash)
