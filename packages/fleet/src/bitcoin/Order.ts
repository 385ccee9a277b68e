/** What is asked for on chains of Bitcoin's kind, what comes of it, and how both are kept. */
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Network, SdkErrorSchema } from "effect-chains"
import { addressProblem, type BitcoinTransaction } from "effect-chains/effect/signers/Bitcoin"
import {
  Amount,
  type ErrorSchema,
  Key,
  makeDigest,
  makeOutcomeSchema,
  sharedErrors
} from "../durable/Order.js"

const BitcoinNetwork = Schema.String.pipe(
  Schema.filter((id): id is Network.Network => Network.isNetwork(id) && Network.isUtxo(id), {
    message: () =>
      "must be the id of a network of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, such as bitcoin-mainnet"
  })
)

/**
 * A payment of Bitcoin or its kin that is to be made once. `key` is the caller's own (1 to 200 characters, no spaces): under one key an
 * account makes one payment, however often it is asked for. `payment` is what the signer's `prepare` takes; `maxFee` is also the most
 * that the fee may be raised to. It has ended when it is `confirmations` deep in the chain (default 1: in a block).
 *
 * @since 0.1.0
 * @category schemas
 */
export const Order = Schema.Struct({
  key: Key,
  network: BitcoinNetwork,
  from: Schema.String,
  payment: Schema.Struct({
    to: Schema.String,
    amount: Amount,
    maxFee: Schema.optionalWith(Amount, { exact: true })
  }),
  confirmations: Schema.optionalWith(
    Schema.Int.pipe(Schema.positive({ message: () => "must be a whole number of at least 1" })),
    { exact: true }
  )
}).pipe(
  Schema.filter(({ from, network }) => {
    const problem = addressProblem(from, network)
    return problem === undefined ? undefined : { path: ["from"], message: problem }
  })
)

/**
 * A payment of Bitcoin or its kin that is to be made once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Order extends Schema.Schema.Type<typeof Order> {}

/**
 * A payment that is in the chain as deep as was asked for. `hash` is the id of its transaction, `block` the height of its block.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ConfirmedTransaction = Schema.Struct({
  key: Schema.String,
  network: Schema.String,
  from: Schema.String,
  hash: Schema.String,
  block: Schema.Number,
  blockHash: Schema.String
})

/**
 * A payment that is in the chain as deep as was asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfirmedTransaction extends Schema.Schema.Type<typeof ConfirmedTransaction> {}

/** The errors that are ends. */
const sendErrors = [...sharedErrors, "TransactionDropped"] as const
type SendErrorSchema = ErrorSchema<(typeof sendErrors)[number]>

/**
 * How a payment ends that is not made.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendError = Schema.Schema.Type<SendErrorSchema>

/**
 * How a payment ends that is not made: it was refused by the checks of the signer, nothing would sign it, nodes kept refusing it until
 * its coins were paid back to the account, or somebody else has spent its coins. The last two are `TransactionDropped`, unless nodes have
 * said why they refuse it (`RpcError`).
 *
 * @since 0.1.0
 * @category schemas
 */
export const SendError: Schema.Schema<SendError, Schema.Schema.Encoded<SendErrorSchema>> = Schema.Union(
  ...sendErrors.map((name) => SdkErrorSchema[name])
).annotations({ title: "Ended" })

/** What came of an order, as the ledger keeps it. */
export const Outcome: Schema.Schema<
  Either.Either<ConfirmedTransaction, SendError>,
  string
> = makeOutcomeSchema(ConfirmedTransaction, SendError)

/** A transaction, the most that its fee may become, in the smallest unit, and how deep who has asked for it wants it. */
export interface Plan {
  readonly transaction: BitcoinTransaction
  readonly cap: bigint
  readonly confirmations?: number
}

/** A plan as the database keeps it. */
export const PlanText: Schema.Schema<Plan, string> = Schema.parseJson(
  Schema.Struct({
    transaction: Schema.Struct({
      inputs: Schema.Array(
        Schema.Struct({
          txid: Schema.String,
          vout: Schema.Number,
          amount: Schema.BigInt,
          previous: Schema.optionalWith(Schema.String, { exact: true })
        })
      ),
      outputs: Schema.Array(Schema.Struct({ address: Schema.String, amount: Schema.BigInt })),
      fee: Schema.BigInt,
      replaceable: Schema.optionalWith(Schema.Boolean, { exact: true })
    }),
    cap: Schema.BigInt,
    confirmations: Schema.optionalWith(Schema.Number, { exact: true })
  })
)

/** The digest of all that an order says beside its key. */
export const digestOf: (order: Order) => string = makeDigest(Order)
