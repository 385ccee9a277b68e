/**
 * Options of single calls. They override the configuration for the calls inside an effect.
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
import { AsEffectRequest } from "../wire/effectRequest.js"
import {
  CallOptions,
  type CallOptionsShape,
  type OptionError,
  type QuorumOptions
} from "../wire/Transport.js"
import { beginRead } from "./beginRead.js"
import { toMilliseconds } from "./durations.js"

export type { BatchOptions, CallOptionsShape, OptionError, QuorumOptions } from "../wire/Transport.js"

type CallOptionsInput = CallOptionsShape<QuorumOptions, bigint | number, DurationInput>

/** Adds the options that are set outside. The innermost one wins. */
const mergeOuterOptions = (options: CallOptionsInput): Effect.Effect<CallOptionsShape> => {
  const own = toMilliseconds(options)
  return Effect.map(CallOptions, (outer) => ({ ...outer, ...own }))
}

/**
 * Sets options for all calls inside an effect. It adds to options that are set outside; of the same option the
 * innermost wins. `quorum` and `minBlock` add their errors to the effect.
 *
 * @since 0.1.0
 * @category combinators
 */
const with_: {
  <Q extends QuorumOptions = never, M extends bigint | number = never>(
    options: CallOptionsShape<Q, M, DurationInput>
  ): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E | OptionError<Q, M>, R>
  <A, E, R, Q extends QuorumOptions = never, M extends bigint | number = never>(
    self: Effect.Effect<A, E, R>,
    options: CallOptionsShape<Q, M, DurationInput>
  ): Effect.Effect<A, E | OptionError<Q, M>, R>
} = dual(
  2,
  <A, E, R>(self: Effect.Effect<A, E, R>, options: CallOptionsInput): Effect.Effect<A, E, R> =>
    Effect.flatMap(mergeOuterOptions(options), (all) => Effect.provideService(self, CallOptions, all))
)

export { with_ as with }

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
} = dual(
  2,
  <A, E, R>(self: Stream.Stream<A, E, R>, options: CallOptionsInput): Stream.Stream<A, E, R> =>
    Stream.unwrap(
      Effect.map(mergeOuterOptions(options), (all) => Stream.provideService(self, CallOptions, all))
    )
)

/**
 * Lets Effect batch the reads inside an effect: `Effect.forEach(…, { batching: true })` and `Effect.all` then send
 * them in one batch, instead of one after the other. It also sets the option `batch`. Reads of many fibers do not
 * need this: the option `batch` alone sends them in one batch. An interrupted fiber waits for its batch, at most
 * `timeout`.
 *
 * ```ts
 * const balances = Effect.forEach(addresses, (address) => sdk.rpc.getBalance(address), { batching: true }).pipe(
 *   CallOptions.withBatching
 * )
 * ```
 *
 * @since 0.1.0
 * @category combinators
 */
export const withBatching = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(with_(self, { batch: true }), AsEffectRequest, beginRead)
