/**
 * Checks transactions of Stellar. `@stellar/stellar-base` decodes and verifies them.
 *
 * @since 0.1.0
 */
import { extractBaseAddress, FeeBumpTransaction, Keypair, TransactionBuilder } from "@stellar/stellar-base"
import { RejectedTransaction } from "./TransactionCheck.js"

/**
 * The hash of a transaction (XDR, Base64), if its source has signed it for the passphrase's network.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkTransaction = (
  envelope: string,
  passphrase: string
): { readonly hash: string } | RejectedTransaction => {
  const transaction = TransactionBuilder.fromXDR(envelope, passphrase)
  if (transaction.toXDR() !== envelope) return new RejectedTransaction("unreadable", "")
  // operations may have sources of their own
  const sources =
    transaction instanceof FeeBumpTransaction
      ? [transaction.feeSource]
      : [transaction.source, ...transaction.operations.flatMap(({ source = [] }) => source)]
  const keys = [...new Set(sources.map(extractBaseAddress))].map((each) => Keypair.fromPublicKey(each))
  const bytes = transaction.hash()
  const hash = bytes.toString("hex")
  const isBy = (key: Keypair, each: (typeof transaction.signatures)[number]): boolean =>
    each.hint().equals(key.signatureHint()) && key.verify(bytes, each.signature())
  const isSigned =
    keys.every((key) => transaction.signatures.some((each) => isBy(key, each))) &&
    // an additional signature is refused as well
    transaction.signatures.every((each) => keys.some((key) => isBy(key, each)))
  return isSigned ? { hash } : new RejectedTransaction("signature", "tx_bad_auth", hash)
}
