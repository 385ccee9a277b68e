/**
 * The results of rx, as a module of their own: bundlers leave out the members of a namespace that nothing uses where the importing file
 * makes it (`import * as Result`), and not all of them do where another file exports it.
 */
import { Result as RxResult } from "@effect-rx/rx-react"

export type Result<A, E = never> = RxResult.Result<A, E>

export const failure: typeof RxResult.failure = RxResult.failure
export const failureWithPrevious: typeof RxResult.failureWithPrevious = RxResult.failureWithPrevious
export const initial: typeof RxResult.initial = RxResult.initial
export const isFailure: typeof RxResult.isFailure = RxResult.isFailure
export const isInitial: typeof RxResult.isInitial = RxResult.isInitial
export const isSuccess: typeof RxResult.isSuccess = RxResult.isSuccess
export const map: typeof RxResult.map = RxResult.map
export const replacePrevious: typeof RxResult.replacePrevious = RxResult.replacePrevious
export const success: typeof RxResult.success = RxResult.success
export const value: typeof RxResult.value = RxResult.value
export const waiting: typeof RxResult.waiting = RxResult.waiting
export const waitingFrom: typeof RxResult.waitingFrom = RxResult.waitingFrom
