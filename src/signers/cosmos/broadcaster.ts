/** How payments get to nodes of Cosmos, and what becomes of them. */
import * as Effect from "effect/Effect"
import { makeOutcomeCheck, pollUntilConfirmed } from "../../chains/internal/Confirmation.js"
import { TransactionDropped } from "../../data/SdkError.js"
import type { Broadcaster, TransactionStatus } from "../broadcast.js"
import type { ReadError, SubmitError } from "../Signer.js"
import type { SignerContext } from "./payments.js"
import { findHashBySequence, readAccountNumbers, readHeight, undefinedIfMissing } from "./reading.js"
import type { CosmosCalls, CosmosTransaction } from "./Types.js"

/** The blocks after a payment's last height until it counts as dropped, since nodes differ by some blocks. */
export const HEIGHT_MARGIN = 5n

/** An account, as far as its payments in blocks are concerned. */
type PayerContext = Pick<SignerContext, "address" | "chain" | "nodes" | "rpc">

/** A payment that no block can have any more: the chain is above its height, and has not counted it. */
const isExpired = (
  { address, chain, rpc }: PayerContext,
  { sequence = 0n, timeoutHeight = 0n }: CosmosTransaction
): Effect.Effect<boolean, ReadError> =>
  Effect.flatMap(readHeight(rpc, chain), (height) =>
    timeoutHeight === 0n || height <= timeoutHeight + HEIGHT_MARGIN
      ? Effect.succeed(false)
      : Effect.map(
          readAccountNumbers(rpc, address),
          (numbers) => numbers !== undefined && numbers.sequence <= sequence
        )
  )

/**
 * The milliseconds until nodes show a payment that one of them has accepted. They show it only in a block, and the next block may miss
 * it.
 */
const PROPAGATION_MS = 15_000

const makeDroppedError = (hash: string, timeoutHeight: bigint | undefined): TransactionDropped =>
  new TransactionDropped({ hash, reason: `it was valid up to block ${timeoutHeight}, and no block has it` })

/** Looks up a payment: a block has it, a block has another one with its sequence, or no block can have it any more. */
const lookUpTransaction = (
  context: PayerContext,
  hash: string,
  transaction: CosmosTransaction
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const { address, rpc } = context
    if ((yield* undefinedIfMissing(rpc.getTxByHash(hash))) !== undefined) return "known"
    const there = yield* findHashBySequence(rpc, address, transaction.sequence ?? 0n)
    if (there !== undefined) return there.toUpperCase() === hash.toUpperCase() ? "known" : "replaced"
    return (yield* isExpired(context, transaction))
      ? yield* makeDroppedError(hash, transaction.timeoutHeight)
      : "absent"
  })

export const makeBroadcaster = (context: PayerContext, transaction: CosmosTransaction): Broadcaster => ({
  nodes: context.nodes,
  propagationMs: PROPAGATION_MS,
  broadcast: ({ raw }) => context.rpc.broadcastTx({ tx_bytes: raw, mode: "BROADCAST_MODE_SYNC" }),
  lookUp: (hash) => lookUpTransaction(context, hash, transaction)
})

/** Reads how deep a payment is in the chain. */
const lookUpPayment = (context: PayerContext, hash: string, transaction: CosmosTransaction) =>
  Effect.gen(function* () {
    const { chain, rpc } = context
    const answer = yield* undefinedIfMissing(rpc.getTxByHash(hash))
    if (answer !== undefined) {
      const height = yield* readHeight(rpc, chain)
      const { tx_response } = answer
      return { transaction: tx_response, confirmations: Number(height - BigInt(tx_response.height)) + 1 }
    }
    if (yield* isExpired(context, transaction))
      return yield* makeDroppedError(hash, transaction.timeoutHeight)
    return undefined
  })

type TxResponse = Effect.Effect.Success<ReturnType<CosmosCalls["getTxByHash"]>>["tx_response"]

/** Why a transaction of a block has failed there; undefined if it has not. */
export const findFailure = ({ code, codespace, raw_log }: TxResponse): string | undefined =>
  code === 0 ? undefined : raw_log === "" ? `${codespace} ${code}` : raw_log

const checkOutcome = makeOutcomeCheck<TxResponse>((response) => {
  const reason = findFailure(response)
  return reason === undefined ? undefined : { reason }
})

/** Waits until a payment is deep enough in the chain, or dropped. A payment that failed in its block is a failure. */
export const waitForConfirmations = (
  context: PayerContext,
  hash: string,
  transaction: CosmosTransaction,
  confirmations: number
): Effect.Effect<void, SubmitError> =>
  Effect.asVoid(
    pollUntilConfirmed(
      hash,
      { confirmations, pollingInterval: 3_000, timeout: 360_000 },
      lookUpPayment(context, hash, transaction),
      checkOutcome
    )
  )
