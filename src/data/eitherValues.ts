/**
 * What an Either holds. Sources do not read its fields and do not run it: on Effect 4 it is a `Result`, whose fields have other names,
 * and which is no effect (`eitherValues.effect4.ts`).
 */
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"

/** The error of an Either that is known to be one. */
export const leftOf = <L, R>(self: Either.Left<L, R>): L => self.left

/** The value of an Either that is known to have one. */
export const rightOf = <L, R>(self: Either.Right<L, R>): R => self.right

/** An Either as an effect. */
export const toEffect = <R, L>(self: Either.Either<R, L>): Effect.Effect<R, L> => self
