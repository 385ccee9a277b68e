/**
 * Sweeps of token addresses for Promise clients: `effect-chains/signers/sweep`.
 *
 * ```ts
 * const { data, error } = await sweepToken({ from, gas, token, to, maxGas: "0.002" })
 * ```
 *
 * @since 0.1.0
 */
import { runToResult, toEffectCalls } from "./client/promiseBridge.js"
import type { Result } from "./data/CallResult.js"
import type { SendOptions } from "./signers/Signer.js"
import type {
  PreparedSweep,
  PrepareSweepError,
  PrepareSweepOptions,
  SweepError,
  SweepSigner,
  Swept
} from "./signers/sweep.js"
import * as Sweep from "./signers/sweep.js"
import type { Promised } from "./transport/Client.js"

export type {
  PreparedSweep,
  PrepareSweepError,
  PrepareSweepOptions,
  Shortage,
  SweepError,
  SweepSigner,
  Swept
} from "./signers/sweep.js"

/**
 * A sweep of an address that has tokens, with signers of Promise clients. The options are those of the Effect surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenSweep<in out Tx> extends Omit<Sweep.TokenSweep<Tx>, "from" | "gas"> {
  readonly from: Promised<SweepSigner<Tx>>
  readonly gas: Promised<SweepSigner<Tx>>
}

const toEffectSweep = <Tx, S extends TokenSweep<Tx>>(sweep: S) => ({
  ...sweep,
  from: toEffectCalls<SweepSigner<Tx>>(sweep.from),
  gas: toEffectCalls<SweepSigner<Tx>>(sweep.gas)
})

/**
 * The preview of a sweep: what the gas account pays, or, if nothing is missing, the payment of the tokens. Nothing is signed.
 *
 * @since 0.1.0
 * @category operations
 */
export const prepareSweep = <Tx>(
  sweep: TokenSweep<Tx>,
  options: PrepareSweepOptions = {}
): Promise<Result<PreparedSweep<Tx>, PrepareSweepError>> =>
  runToResult(Sweep.prepareSweep(toEffectSweep(sweep), options))

/**
 * Sends the tokens of an address that has no coins for its fee: the gas account pays what is missing first. After `SweepIncomplete` make the
 * same call again.
 *
 * @since 0.1.0
 * @category operations
 */
export const sweepToken = <Tx>(sweep: TokenSweep<Tx> & SendOptions): Promise<Result<Swept<Tx>, SweepError>> =>
  runToResult(Sweep.sweepToken(toEffectSweep(sweep)))
