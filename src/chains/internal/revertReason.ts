/** Why a transaction has failed, which its receipt does not say: it is executed again. */
import * as Effect from "effect/Effect"
import { group } from "../../data/Endpoint.js"
import { loadOnce } from "../../data/loadOnce.js"
import type { MakeMethods } from "../../transport/Client.js"
import { call, classify, dialect, getTransactionByHash } from "../evm/endpoints.js"
import type { Receipt } from "../evm/Types.js"
import type { FailureReason } from "./Confirmation.js"

/** What reads the errors of nodes is loaded with the first transaction that has failed. */
const loadRevert = /*#__PURE__*/ loadOnce(() => import("../../data/revert.js"), Effect.succeed)

/** Milliseconds that the reason may take: the outcome is known, and is not kept from the caller for longer. */
const EXPLAIN_MS = 5_000

/**
 * Reads why a transaction has failed: nodes execute it again on the state after its block, and, where it succeeds there, on the state before.
 * Its own state was between these, so that a reason may be none of its own; `failure` stays where no node tells one in time.
 */
export const explainFailure = (
  methods: MakeMethods,
  receipt: Receipt,
  failure: FailureReason
): Effect.Effect<FailureReason> => {
  const rpc = methods(group(dialect, { call, getTransactionByHash }))
  const explained = Effect.gen(function* () {
    const { readExecutionError, toCall } = yield* loadRevert
    const transaction = yield* rpc.getTransactionByHash(receipt.transactionHash)
    if (transaction === null) return failure
    const executeAt = (at: bigint) =>
      Effect.match(rpc.call(toCall(transaction), at), {
        onFailure: (error) => readExecutionError(error, classify),
        onSuccess: () => undefined
      })
    const block = BigInt(receipt.blockNumber)
    const reason = (yield* executeAt(block)) ?? (yield* executeAt(block - 1n))
    if (reason !== undefined) return reason
    // both are quantities of the wire, without leading zeros
    return typeof transaction.gas === "string" && transaction.gas === receipt.gasUsed
      ? { reason: "its gas did not suffice" }
      : failure
  })
  return explained.pipe(
    Effect.timeoutFail({ duration: EXPLAIN_MS, onTimeout: () => failure }),
    Effect.orElseSucceed(() => failure)
  )
}
