/** What sweeps of all families have in common: their keys, their plans, and the errors that end them. */
import * as Schema from "effect/Schema"
import { SdkErrorSchema } from "effect-chains"
import { Amount, type ErrorSchema } from "../durable/Order.js"

/** The caller's key of a sweep. The transactions of the sweep have keys that begin with it. */
export const SweepKey = Schema.String.pipe(
  Schema.pattern(/^[^\s\p{C}]{1,180}$/u, {
    message: () => "must be 1 to 180 characters without spaces, the same for each try of one sweep"
  })
)

/** The fields of an order that are the same in all families, besides its addresses. */
export const sweepFields = {
  key: SweepKey,
  token: Schema.String,
  to: Schema.String,
  amount: Schema.optionalWith(Amount, { exact: true }),
  maxGas: Amount
}

/** An order of any family. */
export interface SweepOrder {
  readonly key: string
  readonly network: string
  readonly from: string
  readonly gas: string
  readonly token: string
  readonly to: string
  readonly amount?: string | bigint
  readonly memo?: string
  readonly maxGas: string | bigint
}

/** The next transaction of a sweep, in the smallest unit: gas for the address, which has `available`, or the payment of its tokens. */
export const Plan = Schema.Union(
  Schema.TaggedStruct("Fund", { amount: Schema.BigInt, maxFee: Schema.BigInt, available: Schema.BigInt }),
  Schema.TaggedStruct("Pay", { amount: Schema.BigInt, maxFee: Schema.BigInt })
).annotations({ title: "SweepPlan" })
export type Plan = typeof Plan.Type

type GasOverCap = Schema.Schema.Type<ErrorSchema<"GasOverCap">>

/** Makes the schema of a sweep's errors: those of its transactions, and the cap of its gas. */
export const makeSweepError = <E, I>(
  sendError: Schema.Schema<E, I>
): Schema.Schema<E | GasOverCap, I | Schema.Schema.Encoded<ErrorSchema<"GasOverCap">>> =>
  Schema.Union(sendError, SdkErrorSchema.GasOverCap).annotations({ title: "SweepEnded" })
