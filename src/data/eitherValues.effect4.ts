/** What a `Result` holds, which is no effect. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"

/** The error of a Result that is known to be one. */
export const leftOf = <L, R>(self: Either.Left<L, R>): L => self.failure

/** The value of a Result that is known to have one. */
export const rightOf = <L, R>(self: Either.Right<L, R>): R => self.success

/** A Result as an effect. */
export const toEffect = <R, L>(self: Either.Either<R, L>): Effect.Effect<R, L> => Effect.fromResult(self)
