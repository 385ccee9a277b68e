import type * as Original from "effect/Exit"
import { as } from "./cast.js"
import * as FiberRuntime from "./fiberRuntime.js"

export const succeed: typeof Original.succeed = /*#__PURE__*/ as(FiberRuntime.succeed)
export const fail: typeof Original.fail = /*#__PURE__*/ as(FiberRuntime.fail)
export const failCause: typeof Original.failCause = /*#__PURE__*/ as(FiberRuntime.failCause)
export const isSuccess: typeof Original.isSuccess = /*#__PURE__*/ as(
  ({ _tag }: FiberRuntime.Exit) => _tag === "Success"
)
export const isFailure: typeof Original.isFailure = /*#__PURE__*/ as(
  ({ _tag }: FiberRuntime.Exit) => _tag === "Failure"
)

/** Fibers have no ids here. */
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as(() => FiberRuntime.interrupt)

const nothing: typeof Original.void = /*#__PURE__*/ as(FiberRuntime.unit)

export { nothing as void }
