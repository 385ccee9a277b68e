import type { SdkError } from "../../data/SdkError.js"

/** What nodes say of a transaction that is not in their pool and in no block they know, by code: it may come yet. */
const unknownAnswers: Readonly<Record<number, RegExp>> = {
  // Bitcoin Core and what descends from it
  [-5]: /^/,
  // bcoin and bcash: most of their errors have this code
  [-1]: /^transaction not found/i
}

/**
 * Whether an error of `getRawTransaction` says that the node knows no such transaction, in the pool or in a block, in the words of the
 * programs that run nodes of Bitcoin and its kin.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isUnknownTransaction = (error: SdkError): boolean =>
  error._tag === "RpcError" && unknownAnswers[error.code]?.test(error.rpcMessage) === true
