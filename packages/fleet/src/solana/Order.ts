/** What is asked for on Solana, what comes of it, and how both are kept. */
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Network } from "effect-chains"
import { addressProblem } from "effect-chains/effect/signers/Solana"
import { Amount, Key, makeDigest, makeOutcomeSchema, SharedSendError } from "../durable/Order.js"

const SolanaNetwork = Schema.String.pipe(
  Schema.filter((id): id is Network.Network => Network.isNetwork(id) && Network.isSolana(id), {
    message: () => "must be the id of a network of Solana, such as solana-mainnet"
  })
)

const Address = Schema.String.pipe(Schema.filter((text) => addressProblem(text)))

/**
 * A payment of Solana that is to be made once. `key` is the caller's own (1 to 200 characters, no spaces): under one key an account
 * makes one payment, however often it is asked for. `payment` is what the signer's `prepare` takes, in SOL or, with `token`, in that
 * mint's. It has ended when its block is final, or with `commitment: "confirmed"` half a minute sooner, when two thirds of the stake have
 * voted for it.
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
    maxFee: Schema.optionalWith(Amount, { exact: true })
  }),
  commitment: Schema.optionalWith(Schema.Literal("confirmed", "finalized"), { exact: true })
})

/**
 * A payment of Solana that is to be made once.
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
 * How a payment ends that is not made: it was refused by the checks of the signer, nothing would sign it, nodes refused it until it could
 * no longer land, or it has failed in its block.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SendError: Schema.Schema<
  SendError,
  Schema.Schema.Encoded<typeof SharedSendError>
> = SharedSendError

/**
 * How a payment ends that is not made.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendError = SharedSendError

/** What came of an order, as the ledger keeps it. */
export const Outcome: Schema.Schema<
  Either.Either<ConfirmedTransaction, SendError>,
  string
> = makeOutcomeSchema(ConfirmedTransaction, SendError)

/** What is to be signed, but for its blockhash. */
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
  memo: Schema.optionalWith(Schema.String, { exact: true })
})
export type Plan = typeof Plan.Type

/** The digest of all that an order says beside its key. */
export const digestOf: (order: Order) => string = makeDigest(Order)
