/**
 * Encodes transactions of Cosmos, over `cosmjs-types`, from the fields that are given here and no others. Loaded with the first signer.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx"
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys"
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing"
import { AuthInfo, ModeInfo, SignDoc, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx"
import { base64Of } from "../../data/base64.js"
import { bytesToHex } from "../../data/hex.js"
import type { Signed } from "../Signer.js"
import type { Chain } from "./networks.js"
import type { CosmosTransaction } from "./Types.js"

/** A payment with its place in the account's, and the height after which no block can have it. */
export type CompleteTransaction = CosmosTransaction &
  Required<Pick<CosmosTransaction, "accountNumber" | "sequence" | "timeoutHeight">>

/** The two parts of a transaction that are signed. */
export interface TransactionParts {
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
}

/** A message of a transaction, or a key, encoded. */
export interface Message {
  readonly typeUrl: string
  readonly value: Uint8Array
}

const toCoins = (denom: string, amount: bigint) => (amount === 0n ? [] : [{ denom, amount: String(amount) }])

export const encodePayment = ({ amount, denom, from, to }: CosmosTransaction): Message => ({
  typeUrl: MsgSend.typeUrl,
  value: MsgSend.encode({ fromAddress: from, toAddress: to, amount: toCoins(denom, amount) }).finish()
})

/** A key, encoded, and how it signs. */
export interface SigningKey {
  readonly publicKey: Message
  readonly modeInfo: ModeInfo
}

export const toMessageOfKey = (key: Uint8Array): Message => ({
  typeUrl: PubKey.typeUrl,
  value: PubKey.encode({ key }).finish()
})

const toSigningKey = (key: Uint8Array | SigningKey): SigningKey =>
  key instanceof Uint8Array
    ? {
        publicKey: toMessageOfKey(key),
        modeInfo: ModeInfo.fromPartial({ single: { mode: SignMode.SIGN_MODE_DIRECT } })
      }
    : key

/** The parts of a transaction. The key is one of secp256k1, or another one with how it signs. */
export const encodeParts = (
  message: Message,
  {
    fee,
    feeGranter = "",
    gas,
    memo = "",
    sequence,
    timeoutHeight
  }: Pick<CompleteTransaction, "fee" | "feeGranter" | "gas" | "memo" | "sequence" | "timeoutHeight">,
  key: Uint8Array | SigningKey,
  chain: Chain
): TransactionParts => ({
  bodyBytes: TxBody.encode(
    TxBody.fromPartial({
      messages: [message],
      memo,
      timeoutHeight
    })
  ).finish(),
  authInfoBytes: AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          ...toSigningKey(key),
          sequence
        }
      ],
      fee: { amount: toCoins(chain.denom, fee), gasLimit: gas, granter: feeGranter }
    })
  ).finish()
})

/** The hash to sign: of the transaction's parts, for one account of one chain. */
export const hashToSign = (parts: TransactionParts, { chainId }: Chain, accountNumber: bigint): Uint8Array =>
  sha256(SignDoc.encode({ ...parts, chainId, accountNumber }).finish())

/** A transaction as nodes take it (Base64), and its hash. */
export const attachSignature = (parts: TransactionParts, signature: Uint8Array): Signed => {
  const bytes = TxRaw.encode({ ...parts, signatures: [signature] }).finish()
  return { raw: base64Of(bytes), hash: bytesToHex(sha256(bytes)).toUpperCase() }
}
