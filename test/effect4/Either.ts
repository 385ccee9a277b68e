/**
 * A `Result` is no effect, its tags are `Success` and `Failure`, and what it holds is called by them. Where sources read a tag or
 * yield one, they would be written anew; until then this is an effect that says what it ends with.
 */
import * as Effect from "effect4/Effect"

export type Left<L, R> = Effect.Effect<R, L> & { readonly _tag: "Left"; readonly left: L }
export type Right<L, R> = Effect.Effect<R, L> & { readonly _tag: "Right"; readonly right: R }
export type Either<R, L = never> = Left<L, R> | Right<L, R>

const made = new WeakSet<object>()

const marked = <A extends object>(value: A): A => {
  made.add(value)
  return value
}

export const right = <R>(value: R): Either<R> =>
  marked(
    Object.assign(
      Effect.sync(() => value),
      { _tag: "Right" as const, right: value }
    )
  )
export const left = <L>(value: L): Either<never, L> =>
  marked(
    Object.assign(
      Effect.suspend(() => Effect.fail(value)),
      { _tag: "Left" as const, left: value }
    )
  )

export const isEither = (value: unknown): value is Either<unknown, unknown> =>
  typeof value === "object" && value !== null && made.has(value)
export const isLeft = <R, L>(self: Either<R, L>): self is Left<L, R> => self._tag === "Left"
export const isRight = <R, L>(self: Either<R, L>): self is Right<L, R> => self._tag === "Right"

export const map = <R, L, R2>(self: Either<R, L>, f: (value: R) => R2): Either<R2, L> =>
  isRight(self) ? right(f(self.right)) : left(self.left)
export const mapLeft = <R, L, L2>(self: Either<R, L>, f: (error: L) => L2): Either<R, L2> =>
  isRight(self) ? right(self.right) : left(f(self.left))
export const getOrNull = <R, L>(self: Either<R, L>): R | null => (isRight(self) ? self.right : null)

interface Ends<R, L, A, B> {
  readonly onLeft: (left: L) => A
  readonly onRight: (right: R) => B
}

const matched = <R, L, A, B>(self: Either<R, L>, on: Ends<R, L, A, B>): A | B =>
  isRight(self) ? on.onRight(self.right) : on.onLeft(self.left)

export function match<R, L, A, B = A>(on: Ends<R, L, A, B>): (self: Either<R, L>) => A | B
export function match<R, L, A, B = A>(self: Either<R, L>, on: Ends<R, L, A, B>): A | B
export function match<R, L, A, B>(
  ...args: [Ends<R, L, A, B>] | [Either<R, L>, Ends<R, L, A, B>]
): A | B | ((self: Either<R, L>) => A | B) {
  return args.length === 1 ? (self) => matched(self, args[0]) : matched(args[0], args[1])
}
