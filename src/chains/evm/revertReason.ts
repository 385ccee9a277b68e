/** Why a transaction has failed, which its receipt does not say: it is executed again. Loaded with the first one that has failed. */
import * as Effect from "effect/Effect"
import { group } from "../../data/Endpoint.js"
import { describeRevertData, findRevertData, findRevertMessage, isRevert } from "../../data/revert.js"
import type { RpcCallError } from "../../data/SdkError.js"
import type { MakeMethods } from "../../transport/Client.js"
import type { FailureReason } from "../internal/Confirmation.js"
import { call, classify, dialect, getTransactionByHash } from "./endpoints.js"
import type { Receipt, Transaction, TransactionRequest } from "./Types.js"

/** Milliseconds that the reason may take: the outcome is known, and is not kept from the caller for longer. */
const EXPLAIN_MS = 5_000

/** The transaction as a call. It offers no price, since its sender may have nothing left for the gas. */
const toCall = ({ accessList, from, gas, input, to, value }: Transaction): TransactionRequest => ({
  from,
  gas,
  value,
  data: input,
  ...(to === null ? {} : { to }),
  ...(accessList === undefined ? {} : { accessList })
})

/**
 * What the error of a call says of the execution. Undefined if it does not speak of that: the node lacks the state, or the sender has less by
 * now than it pays.
 */
const toReason = (error: RpcCallError): FailureReason | undefined => {
  if (error._tag !== "RpcError") return undefined
  if (isRevert(error)) {
    const data = findRevertData(error.data)
    const reason = (data === undefined ? undefined : describeRevertData(data)) ?? findRevertMessage(error)
    return data === undefined || data === "0x" ? { reason } : { reason, data }
  }
  const { code, rpcMessage: reason } = error
  return classify({ code, message: reason }) === "caller" && !/funds|balance|nonce/i.test(reason)
    ? { reason }
    : undefined
}

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
  const executeAt = (transaction: Transaction, block: bigint) =>
    Effect.match(rpc.call(toCall(transaction), block), { onFailure: toReason, onSuccess: () => undefined })
  const explained = Effect.gen(function* () {
    const transaction = yield* rpc.getTransactionByHash(receipt.transactionHash)
    if (transaction === null) return failure
    const block = BigInt(receipt.blockNumber)
    const reason = (yield* executeAt(transaction, block)) ?? (yield* executeAt(transaction, block - 1n))
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
