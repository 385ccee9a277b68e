/**
 * What an Either holds. Sources do not read its fields and do not run it: on Effect 4 it is a `Result`, whose fields have other names,
 * and which is no effect.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

const itself = <A>(value: A): A => value

const other = (): never => {
  throw new Error("The other side of an Either")
}

const valueOf = <L, R, A>(self: Either.Either<R, L>, onLeft: (left: L) => A, onRight: (right: R) => A): A =>
  Either.match(self, { onLeft, onRight })

/** The error of an Either that is known to be one. */
export const leftOf = <L, R>(self: Either.Left<L, R>): L => valueOf<L, R, L>(self, itself, other)

/** The value of an Either that is known to have one. */
export const rightOf = <L, R>(self: Either.Right<L, R>): R => valueOf<L, R, R>(self, other, itself)

/** An Either as an effect. */
export const toEffect = <R, L>(self: Either.Either<R, L>): Effect.Effect<R, L> =>
  Either.match(self, {
    onLeft: (error): Effect.Effect<R, L> => Effect.fail(error),
    onRight: (value) => Effect.succeed(value)
  })
