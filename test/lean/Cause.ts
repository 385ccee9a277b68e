import type * as Original from "effect/Cause"
import * as Micro from "effect/Micro"
import { as, fail as failing } from "../../src/lean/micro.js"

export * from "../../src/lean/Cause.js"

export const fail: typeof Original.fail = /*#__PURE__*/ as((error: unknown) =>
  Reflect.get(failing(error), "cause")
)
export const die: typeof Original.die = /*#__PURE__*/ as(Micro.causeDie)
export const isFailType: typeof Original.isFailType = /*#__PURE__*/ as(Micro.causeIsFail)
export const isInterrupted: typeof Original.isInterrupted = /*#__PURE__*/ as(Micro.causeIsInterrupt)
export const isDie: typeof Original.isDie = /*#__PURE__*/ as(Micro.causeIsDie)
export const pretty: typeof Original.pretty = /*#__PURE__*/ as((cause: Micro.MicroCause<unknown>) => {
  const squashed = Micro.causeSquash(cause)
  return squashed instanceof Error ? (squashed.stack ?? String(squashed)) : String(squashed)
})
