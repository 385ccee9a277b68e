/**
 * The results of rx, as a module of their own: bundlers leave out the members of a namespace that nothing uses where the importing file
 * makes it (`import * as Result`), and not all of them do where another file exports it.
 */
import { Result as RxResult } from "@effect-rx/rx-react"

export type Result<A, E = never> = RxResult.Result<A, E>

export const failure = RxResult.failure
export const failureWithPrevious = RxResult.failureWithPrevious
export const initial = RxResult.initial
export const isFailure = RxResult.isFailure
export const isInitial = RxResult.isInitial
export const isSuccess = RxResult.isSuccess
export const map = RxResult.map
export const replacePrevious = RxResult.replacePrevious
export const success = RxResult.success
export const value = RxResult.value
export const waiting = RxResult.waiting
export const waitingFrom = RxResult.waitingFrom
