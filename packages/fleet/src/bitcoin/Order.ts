/** Orders of chains of Bitcoin's kind, their outcomes, and how both are stored. */
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
 * A payment of Bitcoin or its kin that is made exactly once. `key` is your idempotency key (1 to 200 characters, no spaces): under one key an
 * account makes one payment, however often you submit it. `payment` is what the signer's `prepare` takes; `maxFee` also caps a bumped fee. It
 * has ended when it is `confirmations` deep in the chain (default 1: in a block).
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
 * A payment of Bitcoin or its kin that is made exactly once.
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

/** The errors that end an order. */
const sendErrors = [...sharedErrors, "TransactionDropped"] as const
type SendErrorSchema = ErrorSchema<(typeof sendErrors)[number]>

/**
 * The error of a payment that was not made.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendError = Schema.Schema.Type<SendErrorSchema>

/**
 * The error of a payment that was not made: the signer's checks refused it; it was not signed; nodes kept refusing it until its coins were paid
 * back to the account; or somebody else has spent its coins. The last two are `TransactionDropped`, or the nodes' `RpcError` if they gave one.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SendError: Schema.Schema<SendError, Schema.Schema.Encoded<SendErrorSchema>> = Schema.Union(
  ...sendErrors.map((name) => SdkErrorSchema[name])
).annotations({ title: "Ended" })

/** The outcome of an order, as the ledger stores it. */
export const Outcome: Schema.Schema<
  Either.Either<ConfirmedTransaction, SendError>,
  string
> = makeOutcomeSchema(ConfirmedTransaction, SendError)

/** A transaction, the cap of its fee in the smallest unit, and how deep it has to be. */
export interface Plan {
  readonly transaction: BitcoinTransaction
  readonly cap: bigint
  readonly confirmations?: number
}

/** A plan as the database stores it. */
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

/** The SHA-256 of an order without its key. */
export const digestOf: (order: Order) => string = makeDigest(Order)
