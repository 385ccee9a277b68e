/**
 * Options of single calls: what holds for the calls inside an effect, in place of the configuration.
 *
 * ```ts
 * const height = sdk.rpc.blockNumber().pipe(CallOptions.with({ timeout: "2 seconds" }))
 * ```
 *
 * @since 0.1.0
 */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Stream from "effect/Stream"
import {
  CallOptions,
  type CallOptionsShape,
  type OptionError,
  type QuorumOptions
} from "../wire/Transport.js"

import { inMilliseconds } from "./Config.js"

export type { BatchOptions, CallOptionsShape, OptionError, QuorumOptions } from "../wire/Transport.js"

type Given = CallOptionsShape<QuorumOptions, bigint | number, DurationInput>

const with_: {
  <Q extends QuorumOptions = never, M extends bigint | number = never>(
    options: CallOptionsShape<Q, M, DurationInput>
  ): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E | OptionError<Q, M>, R>
  <A, E, R, Q extends QuorumOptions = never, M extends bigint | number = never>(
    self: Effect.Effect<A, E, R>,
    options: CallOptionsShape<Q, M, DurationInput>
  ): Effect.Effect<A, E | OptionError<Q, M>, R>
} = dual(2, <A, E, R>(self: Effect.Effect<A, E, R>, options: Given): Effect.Effect<A, E, R> => {
  const own = inMilliseconds(options)
  return Effect.flatMap(CallOptions, (outer) =>
    Effect.provideService(self, CallOptions, { ...outer, ...own })
  )
})

export {
  /**
   * Sets options for all calls inside an effect. Options that are set outside of it hold on, unless it sets the same ones:
   * of each, the innermost wins. `quorum` and `minBlock` bring the errors with which their reads can fail.
   *
   * @since 0.1.0
   * @category combinators
   */
  with_ as with
}

/**
 * Sets options for all calls inside a stream, as `with` does for an effect.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withStream: {
  <Q extends QuorumOptions = never, M extends bigint | number = never>(
    options: CallOptionsShape<Q, M, DurationInput>
  ): <A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E | OptionError<Q, M>, R>
  <A, E, R, Q extends QuorumOptions = never, M extends bigint | number = never>(
    self: Stream.Stream<A, E, R>,
    options: CallOptionsShape<Q, M, DurationInput>
  ): Stream.Stream<A, E | OptionError<Q, M>, R>
} = dual(2, <A, E, R>(self: Stream.Stream<A, E, R>, options: Given): Stream.Stream<A, E, R> => {
  const own = inMilliseconds(options)
  return Stream.unwrap(
    Effect.map(CallOptions, (outer) => Stream.provideService(self, CallOptions, { ...outer, ...own }))
  )
})
