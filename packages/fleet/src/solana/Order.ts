/** Orders of Solana, their outcomes, and how both are stored. */
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Network } from "effect-chains"
import { addressProblem } from "effect-chains/effect/signers/Solana"
import { Amount, Key, makeDigest, makeOutcomeSchema, SharedSendError, Speed } from "../durable/Order.js"

export const SolanaNetwork = Schema.String.pipe(
  Schema.filter((id): id is Network.Network => Network.isNetwork(id) && Network.isSolana(id), {
    message: () => "must be the id of a network of Solana, such as solana-mainnet"
  })
)

export const Address = Schema.String.pipe(Schema.filter((text) => addressProblem(text)))

export const Commitment = Schema.Literal("confirmed", "finalized")

/**
 * A payment of Solana that is made exactly once. `key` is your idempotency key (1 to 200 characters, no spaces): under one key an account makes
 * one payment, however often you submit it. `payment` is what the signer's `prepare` takes, in SOL or, with `token`, in that mint's token. It
 * has ended when its block is final. With `commitment: "confirmed"` it ends about half a minute sooner, when two thirds of the stake have voted
 * for it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Order = Schema.Struct({
  key: Key,
  network: SolanaNetwork,
  from: Address,
  payment: Schema.Struct({
    to: Schema.String,
    amount: Amount,
    token: Schema.optionalWith(Schema.String, { exact: true }),
    memo: Schema.optionalWith(Schema.String, { exact: true }),
    maxFee: Schema.optionalWith(Amount, { exact: true }),
    speed: Schema.optionalWith(Speed, { exact: true })
  }),
  commitment: Schema.optionalWith(Commitment, { exact: true })
})

/**
 * A payment of Solana that is made exactly once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Order extends Schema.Schema.Type<typeof Order> {}

/**
 * A payment that is in the chain. `hash` is the signature of its transaction, `slot` that of its block.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ConfirmedTransaction = Schema.Struct({
  key: Schema.String,
  network: Schema.String,
  from: Schema.String,
  hash: Schema.String,
  slot: Schema.Number
})

/**
 * A payment that is in the chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfirmedTransaction extends Schema.Schema.Type<typeof ConfirmedTransaction> {}

/**
 * The error of a payment that was not made: the signer's checks refused it; it was not signed; nodes refused it until it could no longer land;
 * or it failed in its block.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SendError: Schema.Schema<
  SendError,
  Schema.Schema.Encoded<typeof SharedSendError>
> = SharedSendError

/**
 * The error of a payment that was not made.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendError = SharedSendError

/** The outcome of an order, as the ledger stores it. */
export const Outcome: Schema.Schema<
  Either.Either<ConfirmedTransaction, SendError>,
  string
> = makeOutcomeSchema(ConfirmedTransaction, SendError)

/** What is to be signed, without its blockhash. */
export const Plan = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  amount: Schema.BigInt,
  token: Schema.optionalWith(
    Schema.Struct({
      mint: Schema.String,
      program: Schema.String,
      decimals: Schema.Number,
      source: Schema.String,
      destination: Schema.String,
      creates: Schema.Boolean
    }),
    { exact: true }
  ),
  memo: Schema.optionalWith(Schema.String, { exact: true }),
  computeUnitLimit: Schema.optionalWith(Schema.Number, { exact: true }),
  computeUnitPrice: Schema.optionalWith(Schema.BigInt, { exact: true })
})
export type Plan = typeof Plan.Type

/** The SHA-256 of an order without its key. */
export const digestOf: (order: Order) => string = makeDigest(Order)
