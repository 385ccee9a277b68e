import type * as Original from "effect/Exit"
import { as } from "./cast.js"
import {
  type Exit,
  fail as failWith,
  failCause as failWithCause,
  interrupt as interruptedExit,
  succeed as succeedWith,
  unit
} from "./fiberRuntime.js"

export const succeed: typeof Original.succeed = /*#__PURE__*/ as(succeedWith)
export const fail: typeof Original.fail = /*#__PURE__*/ as(failWith)
export const failCause: typeof Original.failCause = /*#__PURE__*/ as(failWithCause)
export const isSuccess: typeof Original.isSuccess = /*#__PURE__*/ as(({ _tag }: Exit) => _tag === "Success")
export const isFailure: typeof Original.isFailure = /*#__PURE__*/ as(({ _tag }: Exit) => _tag === "Failure")

/** Fibers have no ids here. */
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as(() => interruptedExit)

const nothing: typeof Original.void = /*#__PURE__*/ as(unit)

export { nothing as void }
