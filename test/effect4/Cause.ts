import * as Cause from "effect4/Cause"
import * as Result from "effect4/Result"
import { type Either, left, right } from "./Either.js"

export * from "effect4/Cause"
export { hasInterruptsOnly as isInterruptedOnly } from "effect4/Cause"

/** A cause is a list of reasons now; the first failure of them, if there is one. */
export const failureOrCause = <E>(cause: Cause.Cause<E>): Either<Cause.Cause<never>, E> =>
  Result.match(Cause.findError(cause), { onFailure: right, onSuccess: left })
