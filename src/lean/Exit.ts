import type * as Original from "effect/Exit"
import * as Micro from "effect/Micro"
import { as } from "./micro.js"

/** By the cause of this runtime, whose making renders nothing. */
export { fail } from "./micro.js"

export const succeed: typeof Original.succeed = /*#__PURE__*/ as(Micro.exitSucceed)
export const failCause: typeof Original.failCause = /*#__PURE__*/ as(Micro.exitFailCause)
export const isSuccess: typeof Original.isSuccess = /*#__PURE__*/ as(Micro.exitIsSuccess)
export const isFailure: typeof Original.isFailure = /*#__PURE__*/ as(Micro.exitIsFailure)

/** Fibers have no ids here, and nobody is named. */
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as(() => Micro.exitInterrupt)

const nothing: typeof Original.void = /*#__PURE__*/ as(Micro.exitVoid)

export { nothing as void }
