import * as Cause from "effect4/Cause"
import * as Result from "effect4/Result"

export * from "effect4/Cause"
export {
  findErrorOption as failureOption,
  hasInterruptsOnly as isInterruptedOnly,
  isNoSuchElementError as isNoSuchElementException
} from "effect4/Cause"

/** A cause is a list of reasons. Yields the first failure of them, or the cause if it has none. */
export const failureOrCause = <E>(cause: Cause.Cause<E>): Result.Result<Cause.Cause<never>, E> =>
  Result.match(Cause.findError(cause), { onFailure: Result.succeed, onSuccess: Result.fail })
