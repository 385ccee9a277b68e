/**
 * Options of single calls: what holds for the calls inside an effect, in place of the configuration.
 *
 * ```ts
 * const height = sdk.rpc.blockNumber().pipe(CallOptions.with({ timeout: 2_000 }))
 * ```
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import { CallOptions, type CallOptionsShape } from "../wire/Transport.js"

export {
  type BatchOptions,
  CallOptions,
  type CallOptionsShape,
  type QuorumOptions
} from "../wire/Transport.js"

const with_: {
  (options: CallOptionsShape): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(self: Effect.Effect<A, E, R>, options: CallOptionsShape): Effect.Effect<A, E, R>
} = dual(
  2,
  <A, E, R>(self: Effect.Effect<A, E, R>, options: CallOptionsShape): Effect.Effect<A, E, R> =>
    Effect.flatMap(CallOptions, (outer) => Effect.provideService(self, CallOptions, { ...outer, ...options }))
)

export {
  /**
   * Sets options for all calls inside an effect. Options that are set outside of it hold on, unless it sets the same ones:
   * of each, the innermost wins.
   *
   * @since 0.1.0
   * @category combinators
   */
  with_ as with
}
