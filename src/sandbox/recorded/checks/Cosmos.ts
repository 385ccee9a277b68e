/**
 * Checks transactions of Cosmos. `cosmjs-types` decodes them, and `@noble/curves` verifies them.
 *
 * @since 0.1.0
 */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx"
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys"
import { AuthInfo, SignDoc, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx"
import { encodeBech32 } from "../../../signers/cosmos/address.js"
import type { Chain } from "../../../signers/cosmos/networks.js"
import { areSameBytes, RejectedTransaction } from "./TransactionCheck.js"

/**
 * Whether a message needs the account's signature. Messages other than payments have the account in one of their
 * fields.
 */
const isSigner = (
  address: string,
  { typeUrl, value }: { readonly typeUrl: string; readonly value: Uint8Array }
): boolean =>
  typeUrl === MsgSend.typeUrl
    ? MsgSend.decode(value).fromAddress === address
    : Buffer.from(value).includes(address)

/**
 * The hash of a transaction (Base64), if its messages' account has signed it, with the named key, for an account number
 * on the chain.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkTransaction = (
  transaction: string,
  { prefix, chainId }: Pick<Chain, "prefix" | "chainId">,
  accountNumber: bigint
): { readonly hash: string } | RejectedTransaction => {
  const bytes = new Uint8Array(Buffer.from(transaction, "base64"))
  const raw = TxRaw.decode(bytes)
  const body = TxBody.decode(raw.bodyBytes)
  const auth = AuthInfo.decode(raw.authInfoBytes)
  if (!areSameBytes(TxRaw.encode(raw).finish(), bytes) || body.messages.length === 0)
    return new RejectedTransaction("unreadable", "errUnknownField")
  const [info] = auth.signerInfos
  const [signature = new Uint8Array()] = raw.signatures
  const { bodyBytes, authInfoBytes } = raw
  const document = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()
  const wrong = new RejectedTransaction(
    "signature",
    `signature verification failed; please verify account number (${accountNumber}), sequence (${info?.sequence ?? 0n}) and chain-id (${chainId})`
  )
  if (info?.publicKey?.typeUrl !== PubKey.typeUrl || raw.signatures.length !== 1 || signature.length !== 64)
    return wrong
  const { key } = PubKey.decode(info.publicKey.value)
  const address = encodeBech32(prefix, ripemd160(sha256(key)))
  if (!body.messages.every((message) => isSigner(address, message)))
    return new RejectedTransaction(
      "signature",
      `pubKey does not match signer address ${address} with signer index: 0`
    )
  return secp256k1.verify(signature, sha256(document), key, { prehash: false })
    ? { hash: Buffer.from(sha256(bytes)).toString("hex").toUpperCase() }
    : wrong
}
