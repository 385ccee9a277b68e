/** An `Either` is a `Result`, whose type parameters stand in the same order. It is no effect. */
import * as Result from "effect4/Result"

export {
  fail as left,
  getOrNull,
  isFailure as isLeft,
  isResult as isEither,
  isSuccess as isRight,
  map,
  mapError as mapLeft,
  succeed as right
} from "effect4/Result"

export type Either<R, L = never> = Result.Result<R, L>
export type Left<L, R> = Result.Failure<R, L>
export type Right<L, R> = Result.Success<R, L>

interface Ends<L, R, A, B> {
  readonly onLeft: (left: L) => A
  readonly onRight: (right: R) => B
}

const renamed = <L, R, A, B>({ onLeft, onRight }: Ends<L, R, A, B>) => ({
  onFailure: onLeft,
  onSuccess: onRight
})

export function match<L, R, A, B = A>(on: Ends<L, R, A, B>): (self: Result.Result<R, L>) => A | B
export function match<L, R, A, B = A>(self: Result.Result<R, L>, on: Ends<L, R, A, B>): A | B
export function match<L, R, A, B>(
  ...args: [Ends<L, R, A, B>] | [Result.Result<R, L>, Ends<L, R, A, B>]
): A | B | ((self: Result.Result<R, L>) => A | B) {
  return args.length === 1 ? Result.match(renamed(args[0])) : Result.match(args[0], renamed(args[1]))
}
