/** Sweeps of EVM networks: their orders, their outcomes, and their workflow. */
import * as Workflow from "@effect/workflow/Workflow"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type ErrorSchema, hashJson, makeOutcomeSchema } from "../durable/Order.js"
import { outcomeSchedule } from "../durable/retries.js"
import { makeSweepError, sweepFields } from "../sweep/Order.js"
import type { SweepPayment } from "../sweep/sweepWorkflow.js"
import { Address, Confirmations, ConfirmedTransaction, EvmNetwork, type Order, SendError } from "./Order.js"

/**
 * A sweep that is made exactly once. `key` is your idempotency key (1 to 180 characters, no spaces). The address `from` sends its `token` to
 * `to`: all of it, or `amount`. If it lacks coins for the fee, the account `gas` pays them first, and spends `maxGas` at most, its fees
 * included. It has ended when the payment of the tokens is `confirmations` blocks deep (default 1). Its transactions have the keys
 * `key + "/gas"` and `key + "/sweep"`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SweepOrder = Schema.Struct({
  ...sweepFields,
  network: EvmNetwork,
  from: Address,
  gas: Address,
  confirmations: Schema.optionalWith(Confirmations, { exact: true })
})

/**
 * A sweep that is made exactly once.
 *
 * @since 0.1.0
 * @category models
 */
export interface SweepOrder extends Schema.Schema.Type<typeof SweepOrder> {}

/**
 * A sweep that has ended. `fundings` have paid its gas: none if the address had coins. `payment` has sent its tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SweptTokens = Schema.Struct({
  key: Schema.String,
  network: Schema.String,
  from: Schema.String,
  fundings: Schema.Array(ConfirmedTransaction),
  payment: ConfirmedTransaction
})

/**
 * A sweep that has ended.
 *
 * @since 0.1.0
 * @category models
 */
export interface SweptTokens extends Schema.Schema.Type<typeof SweptTokens> {}

/**
 * The error of a sweep whose tokens were not sent: `GasOverCap` if `maxGas` does not suffice, or the error of one of its transactions. Gas that
 * was paid stays at the address, and a sweep under a new key goes on with it.
 *
 * @since 0.1.0
 * @category errors
 */
export type SweepError = SendError | Schema.Schema.Type<ErrorSchema<"GasOverCap">>

/**
 * The schema of a sweep's error.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SweepError: Schema.Schema<
  SweepError,
  Schema.Schema.Encoded<typeof SendError> | Schema.Schema.Encoded<ErrorSchema<"GasOverCap">>
> = makeSweepError(SendError)

export const EvmSweep = Workflow.make({
  name: "fleet/EvmSweep",
  payload: { order: SweepOrder },
  success: SweptTokens,
  error: SweepError,
  idempotencyKey: ({ order }) => `${order.network}/${order.from.toLowerCase()}/${order.key}`,
  suspendedRetrySchedule: outcomeSchedule
})

export const sweepOutcome: Schema.Schema<Either.Either<SweptTokens, SweepError>, string> = makeOutcomeSchema(
  SweptTokens,
  SweepError
)

const encode = Schema.encodeSync(SweepOrder)

/** The SHA-256 of a sweep without its key. */
export const digestOf = (order: SweepOrder): string => {
  const { key: _, from, gas, ...rest } = encode(order)
  return hashJson({ ...rest, from: from.toLowerCase(), gas: gas.toLowerCase() })
}

/** The order of a transaction of a sweep. Gas is waited for until it is in a block. */
export const toOrder = (
  { confirmations, network }: SweepOrder,
  { from, key, ...payment }: SweepPayment
): Order => ({
  key,
  network,
  from,
  payment,
  ...(payment.token === undefined || confirmations === undefined ? {} : { confirmations })
})
