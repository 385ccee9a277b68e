/** The events of watchers, and how they are stored. */
import * as Schema from "effect/Schema"

/**
 * What was paid: the network's own coin, or a token. `token` is the address of its contract, on Solana of its mint. Anybody can create a
 * token, and its contract can log payments that never happened: compare `token` with the tokens that you know.
 *
 * @since 0.1.0
 * @category models
 */
export const Asset: Schema.Union<
  [
    Schema.Struct<{ readonly kind: Schema.Literal<["native"]> }>,
    Schema.Struct<{ readonly kind: Schema.Literal<["erc20", "spl"]>; readonly token: typeof Schema.String }>,
    Schema.Struct<{
      readonly kind: Schema.Literal<["erc721", "erc1155"]>
      readonly token: typeof Schema.String
      readonly id: typeof Schema.BigInt
    }>
  ]
> = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("native") }),
  Schema.Struct({ kind: Schema.Literal("erc20", "spl"), token: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("erc721", "erc1155"), token: Schema.String, id: Schema.BigInt })
)

/**
 * A payment of a watched address. A payment between two watched addresses is two of these.
 *
 * - `direction`: `in` if `other` paid the address, `out` if the address paid `other`.
 * - `amount`: in the smallest unit (wei, satoshis, lamports, that of the token). An ERC-721 token is 1.
 * - `height`: the block's; on Solana its slot. `block` is its hash.
 * - `time`: the block's, in seconds since 1970; 0 if nodes do not know it.
 * - `transaction`: its hash; null for the withdrawal of a validator.
 * - `other`: null if it is not one address. That is so for withdrawals of validators, on chains of Bitcoin's kind, and for transactions of
 *   Solana with more than two sides.
 * - `log`: the index of a token's log in its block; on chains of Bitcoin's kind the index of the output (in) or input (out) in its
 *   transaction; otherwise null.
 *
 * Addresses are as the chain writes them, those of EVM networks with the checksum of EIP-55.
 *
 * @since 0.1.0
 * @category models
 */
export class Payment extends Schema.Class<Payment>("@effect-chains/fleet/Payment")({
  network: Schema.String,
  height: Schema.Number,
  block: Schema.String,
  time: Schema.Number,
  transaction: Schema.NullOr(Schema.String),
  log: Schema.NullOr(Schema.Number),
  address: Schema.String,
  direction: Schema.Literal("in", "out"),
  other: Schema.NullOr(Schema.String),
  asset: Asset,
  amount: Schema.BigInt
}) {}

/** The fields of an event. */
const eventFields = {
  watcher: Schema.String,
  shard: Schema.Number,
  sequence: Schema.Number,
  payment: Payment
}

/**
 * A payment is in the chain. `sequence` counts the events of a watcher's shard from 0, without gaps. An event is a repetition if its
 * `sequence` is not above the last handled one.
 *
 * @since 0.1.0
 * @category models
 */
export class Paid extends Schema.TaggedClass<Paid>("@effect-chains/fleet/Paid")("Paid", eventFields) {}

/**
 * An earlier payment is not in the chain any more, since its block has left it. Those of one reorganisation come newest first, before the
 * payments of the new blocks. A transaction that is in a new block is `Paid` again.
 *
 * @since 0.1.0
 * @category models
 */
export class RolledBack extends Schema.TaggedClass<RolledBack>("@effect-chains/fleet/RolledBack")(
  "RolledBack",
  eventFields
) {}

/**
 * The event that a handler gets.
 *
 * @since 0.1.0
 * @category models
 */
export type WatchEvent = Paid | RolledBack

const HandledBlock = Schema.Struct({
  height: Schema.Number,
  hash: Schema.String,
  payments: Schema.Array(Payment)
})

/** A block whose payments were handled. */
export type HandledBlock = typeof HandledBlock.Type

/**
 * A step of the cursor. `Forward` goes over new blocks; blocks up to the height `keep` are not stored any more. `Back` goes to an ancestor;
 * `gone` are the blocks that have left the chain, the newest first.
 */
export const Step = Schema.Union(
  Schema.TaggedStruct("Forward", { blocks: Schema.Array(HandledBlock), keep: Schema.Number }),
  Schema.TaggedStruct("Back", {
    height: Schema.Number,
    hash: Schema.String,
    gone: Schema.Array(HandledBlock)
  })
)
export type Step = typeof Step.Type

export const StepText = Schema.parseJson(Step)
export const PaymentsText = Schema.parseJson(Schema.Array(Payment))

/** The events of a step. The first has the given sequence. A step has the same events in every runner. */
export const toEvents = (
  step: Step,
  { sequence, ...at }: { readonly watcher: string; readonly shard: number; readonly sequence: number }
): ReadonlyArray<WatchEvent> =>
  step._tag === "Forward"
    ? step.blocks
        .flatMap(({ payments }) => payments)
        .map((payment, i) => new Paid({ ...at, sequence: sequence + i, payment }))
    : step.gone
        .flatMap(({ payments }) => payments.toReversed())
        .map((payment, i) => new RolledBack({ ...at, sequence: sequence + i, payment }))
