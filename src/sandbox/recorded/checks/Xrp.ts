/**
 * Checks transactions of the XRP Ledger. `ripple-binary-codec` decodes them, and `ripple-keypairs` verifies them.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import { decode, encode, encodeForSigning } from "ripple-binary-codec"
import { deriveAddress, verify } from "ripple-keypairs"
import { RejectedTransaction } from "./TransactionCheck.js"

/** The prefix of a transaction's bytes in its id. */
const ID_PREFIX = Buffer.from("TXN\0")

/**
 * The fields of a transaction (hexadecimal) and its id, if its account's key has signed it. It must not name a network,
 * as on the public networks.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkTransaction = (
  blob: string
): { readonly hash: string; readonly fields: Readonly<Record<string, unknown>> } | RejectedTransaction => {
  const fields: Readonly<Record<string, unknown>> = decode(blob)
  if (encode({ ...fields }) !== blob.toUpperCase())
    return new RejectedTransaction("unreadable", "fails local checks: the encoding is not canonical.")
  const bytes = Buffer.concat([ID_PREFIX, Buffer.from(blob, "hex")])
  const hash = createHash("sha512").update(bytes).digest("hex").slice(0, 64).toUpperCase()
  if (fields.NetworkID !== undefined)
    return new RejectedTransaction("chain", "telNETWORK_ID_MAKES_TX_NON_CANONICAL", hash)
  const { Account, SigningPubKey, TxnSignature } = fields
  const wrong = new RejectedTransaction("unreadable", "fails local checks: Invalid signature.", hash)
  if (typeof SigningPubKey !== "string" || typeof TxnSignature !== "string" || SigningPubKey === "")
    return wrong
  if (!verify(encodeForSigning({ ...fields }), TxnSignature, SigningPubKey)) return wrong
  return deriveAddress(SigningPubKey) === Account
    ? { hash, fields }
    : new RejectedTransaction("signature", "tefBAD_AUTH", hash)
}
