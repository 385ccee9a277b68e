/** Orders of EVM networks, their outcomes, and how both are stored. */
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Network, SdkErrorSchema } from "effect-chains"
import type { EvmTransaction } from "effect-chains/effect/signers/Evm"
import {
  Amount,
  type ErrorSchema,
  hashJson,
  Key,
  makeOutcomeSchema,
  Speed,
  sharedErrors
} from "../durable/Order.js"

const Payment = Schema.Struct({
  to: Schema.String,
  amount: Amount,
  token: Schema.optionalWith(Schema.String, { exact: true }),
  maxFee: Schema.optionalWith(Amount, { exact: true }),
  speed: Schema.optionalWith(Speed, { exact: true })
})

const TransactionFields = Schema.Struct({
  to: Schema.optionalWith(Schema.String, { exact: true }),
  data: Schema.optionalWith(Schema.String, { exact: true }),
  value: Schema.optionalWith(Amount, { exact: true }),
  maxFee: Schema.optionalWith(Amount, { exact: true }),
  speed: Schema.optionalWith(Speed, { exact: true })
})

/** Addresses are compared in lower case. The signer checks their checksums. */
export const Address = Schema.String.pipe(
  Schema.pattern(/^0x[0-9a-fA-F]{40}$/, { message: () => "must be an address: 0x and 40 hexadecimal digits" })
)

export const EvmNetwork = Schema.String.pipe(
  Schema.filter((id): id is Network.Network => Network.isNetwork(id) && Network.isEvm(id), {
    message: () => "must be the id of an EVM network, such as ethereum-mainnet"
  })
)

export const Confirmations = Schema.Int.pipe(
  Schema.between(1, 10_000, { message: () => "must be a whole number of blocks from 1 to 10000" })
)

/**
 * A transaction that is sent exactly once. `key` is your idempotency key (1 to 200 characters, no spaces): under one key an account sends one
 * transaction, however often you submit it. `from` pays on `network`: a `payment` in coins or tokens, or your own `transaction`, as the
 * signer's `prepare` and `prepareTransaction` take them. It has ended when it is `confirmations` blocks deep (default 1).
 *
 * @since 0.1.0
 * @category schemas
 */
export const Order = Schema.Struct({
  key: Key,
  network: EvmNetwork,
  from: Address,
  payment: Schema.optionalWith(Payment, { exact: true }),
  transaction: Schema.optionalWith(TransactionFields, { exact: true }),
  confirmations: Schema.optionalWith(Confirmations, { exact: true })
}).pipe(
  Schema.filter(({ payment, transaction }) =>
    (payment === undefined) === (transaction === undefined)
      ? "must have either payment or transaction"
      : undefined
  )
)

/**
 * A transaction that is sent exactly once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Order extends Schema.Schema.Type<typeof Order> {}

/**
 * A transaction that is in the chain as deep as was asked for. `block` is the number of its block.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ConfirmedTransaction = Schema.Struct({
  key: Schema.String,
  network: Schema.String,
  from: Schema.String,
  nonce: Schema.Number,
  hash: Schema.String,
  block: Schema.Number,
  blockHash: Schema.String
})

/**
 * A transaction that is in the chain as deep as was asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfirmedTransaction extends Schema.Schema.Type<typeof ConfirmedTransaction> {}

/** The errors that end an order. */
const sendErrors = [...sharedErrors, "NonceTaken", "NoQuorum"] as const
type SendErrorSchema = ErrorSchema<(typeof sendErrors)[number]>

/**
 * The error of a transaction that was not made.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendError = Schema.Schema.Type<SendErrorSchema>

/**
 * The error of a transaction that was not made: the signer's checks or a node refused it before it had a nonce; nodes kept contradicting each
 * other before it had one (`NoQuorum`); it was not signed, or its workflow died before that (`SigningFailed`, `PolicyDenied`); a node kept refusing it
 * (`RpcError`); it was reverted (`TransactionFailed`); or somebody else has used its nonce (`NonceTaken`).
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

/** A prepared transaction, the cap of its fee in wei, and how deep it has to be. */
export const Plan = Schema.Struct({
  transaction: Schema.Struct({
    chainId: Schema.Number,
    to: Schema.optionalWith(Schema.TemplateLiteral("0x", Schema.String), { exact: true }),
    value: Schema.BigInt,
    data: Schema.optionalWith(Schema.TemplateLiteral("0x", Schema.String), { exact: true }),
    gas: Schema.BigInt,
    gasPrice: Schema.optionalWith(Schema.BigInt, { exact: true }),
    maxFeePerGas: Schema.optionalWith(Schema.BigInt, { exact: true }),
    maxPriorityFeePerGas: Schema.optionalWith(Schema.BigInt, { exact: true })
  }),
  cap: Schema.BigInt,
  confirmations: Schema.optionalWith(Schema.Number, { exact: true })
})

/** What is to be signed, without its nonce. */
export interface Plan {
  readonly transaction: Omit<EvmTransaction, "nonce">
  readonly cap: bigint
  readonly confirmations?: number
}

export const PlanText: Schema.Schema<Plan, string> = Schema.parseJson(Plan)

const encode = Schema.encodeSync(Order)

/** The SHA-256 of an order without its key. Another digest under the same key is another order. */
export const digestOf = (order: Order): string => {
  const { key: _, from, ...rest } = encode(order)
  return hashJson({ ...rest, from: from.toLowerCase() })
}
