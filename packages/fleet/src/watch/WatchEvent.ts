/** What watchers tell, as handlers get it and as the store keeps it. */
import * as Schema from "effect/Schema"

/**
 * What was paid: the network's own coin, or a token (`token` is the address of its contract, on Solana of its mint). Anybody can make
 * one, and its contract can tell of payments as it likes, so compare `token` with the tokens that you know.
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
 * A payment of a watched address, in (`other` paid it) or out (it paid `other`). One between two watched addresses is two of them.
 * `amount` is in the smallest unit (wei, satoshis, lamports, that of a token; of an ERC-721 1), `height` the block's (on Solana its slot),
 * `time` the block's in seconds since 1970 (0 where nodes do not know it). `other` is null where it is not one address: of a withdrawal
 * of a validator, whose `transaction` is null too, of transactions of Bitcoin's kind, and of those of Solana with more sides. `log` is the
 * index of a token's log in its block, on chains of Bitcoin's kind that of the output (in) or the input (out) in its transaction, otherwise
 * null. Addresses are as the chain writes them, those of EVM in small letters.
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

/** The place of an event among those of its watcher and shard. */
const eventFields = {
  watcher: Schema.String,
  shard: Schema.Number,
  sequence: Schema.Number,
  payment: Payment
}

/**
 * A payment that is in the chain. `sequence` counts the events of a watcher's shard from 0, without gaps: one that is not above the last
 * that was handled is a repetition.
 *
 * @since 0.1.0
 * @category models
 */
export class Paid extends Schema.TaggedClass<Paid>("@effect-chains/fleet/Paid")("Paid", eventFields) {}

/**
 * A payment that was told and is in the chain no more, since its block has left it. Those of one reorganisation come newest first, before
 * the payments of the blocks that took their place; a transaction that is in one of these is told again as `Paid`.
 *
 * @since 0.1.0
 * @category models
 */
export class RolledBack extends Schema.TaggedClass<RolledBack>("@effect-chains/fleet/RolledBack")(
  "RolledBack",
  eventFields
) {}

/**
 * What a handler gets.
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

/** A block as it was told. */
export type HandledBlock = typeof HandledBlock.Type

/**
 * A step of the cursor: over new blocks (`keep` is the first height that is kept for reorganisations), or back to an ancestor, off blocks
 * that have left the chain (the newest first).
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

/** The events of a step, of which the first has this sequence. The same step has the same events, whoever tells them. */
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
