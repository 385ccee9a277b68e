/** How payments get to nodes of Algorand, and what becomes of them. */
import * as Effect from "effect/Effect"
import { neverFails, pollUntilConfirmed } from "../../chains/internal/Confirmation.js"
import { TransactionDropped } from "../../data/SdkError.js"
import type { Broadcaster } from "../broadcast.js"
import { type SignerContext, undefinedIfMissing } from "./payments.js"
import type { AlgorandCalls, AlgorandTransaction } from "./Types.js"

/** The rounds after a payment's last one until it counts as dropped, since nodes differ by some rounds. */
const CLOCK_MARGIN_ROUNDS = 10n

/**
 * Reads how deep a payment is in the chain. The round is read first, so that a payment that is missing after its last round stays
 * missing.
 */
export const lookUpTransaction = (rpc: AlgorandCalls, hash: string, transaction: AlgorandTransaction) =>
  Effect.gen(function* () {
    const { "last-round": last } = yield* rpc.getNodeStatus()
    const pending = yield* undefinedIfMissing(rpc.getPendingTransaction({ txid: hash }))
    const round = pending?.["confirmed-round"] ?? 0n
    // the block may be newer than the round
    if (round > 0n) return { transaction, confirmations: Math.max(1, Number(last - round) + 1) }
    const said = pending?.["pool-error"] ?? ""
    const { lastValid = last } = transaction
    if (last <= lastValid + CLOCK_MARGIN_ROUNDS)
      return pending === undefined || said !== "" ? undefined : { transaction, confirmations: 0 }
    return yield* new TransactionDropped({
      hash,
      reason: said === "" ? `it was valid up to round ${lastValid}, and no block has it` : said
    })
  })

/** Milliseconds until nodes show a payment that waits for a block at another one. */
const PROPAGATION_MS = 3_000

export const makeBroadcaster = (
  { nodes, rpc }: Pick<SignerContext, "nodes" | "rpc">,
  transaction: AlgorandTransaction
): Broadcaster => ({
  nodes,
  propagationMs: PROPAGATION_MS,
  broadcast: ({ raw }) => rpc.broadcastTransaction({ rawtxn: raw }),
  lookUp: (txid) =>
    Effect.map(lookUpTransaction(rpc, txid, transaction), (seen) => (seen === undefined ? "absent" : "known"))
})

/** Waits until a payment is deep enough in the chain. */
export const waitForConfirmations = (
  rpc: AlgorandCalls,
  hash: string,
  transaction: AlgorandTransaction,
  confirmations: number
) =>
  pollUntilConfirmed(
    hash,
    { confirmations, pollingInterval: 2_000, timeout: 480_000 },
    lookUpTransaction(rpc, hash, transaction),
    neverFails
  )
