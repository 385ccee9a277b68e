/** Encodes what an account of Cosmos does for another one, and what it allows, over `cosmjs-types`. Loaded with the first of them. */
import { MsgExec, MsgGrant, MsgRevoke } from "cosmjs-types/cosmos/authz/v1beta1/tx"
import { SendAuthorization } from "cosmjs-types/cosmos/bank/v1beta1/authz"
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx"
import { BasicAllowance } from "cosmjs-types/cosmos/feegrant/v1beta1/feegrant"
import { MsgGrantAllowance, MsgRevokeAllowance } from "cosmjs-types/cosmos/feegrant/v1beta1/tx"
import type { Message } from "./protobuf.js"
import type { CosmosTransaction } from "./Types.js"

const coinsOf = ({ amount, denom }: CosmosTransaction) => [{ denom, amount: String(amount) }]

/** A payment of the coins of another account. */
const encodeExec = (transaction: CosmosTransaction): Message => {
  const { from, onBehalfOf = "", to } = transaction
  const payment = { fromAddress: onBehalfOf, toAddress: to, amount: coinsOf(transaction) }
  const msgs = [{ typeUrl: MsgSend.typeUrl, value: MsgSend.encode(payment).finish() }]
  return { typeUrl: MsgExec.typeUrl, value: MsgExec.encode({ grantee: from, msgs }).finish() }
}

/** The end of a grant, in seconds since 1970. */
const endOf = (expires: number | undefined) =>
  expires === undefined ? {} : { expiration: { seconds: BigInt(expires), nanos: 0 } }

const encodeFeeGrant = (transaction: CosmosTransaction): Message => {
  const { from: granter, grant, to: grantee } = transaction
  if (grant?.action === "revoke")
    return {
      typeUrl: MsgRevokeAllowance.typeUrl,
      value: MsgRevokeAllowance.encode({ granter, grantee }).finish()
    }
  const allowance = {
    typeUrl: BasicAllowance.typeUrl,
    value: BasicAllowance.encode({ spendLimit: coinsOf(transaction), ...endOf(grant?.expires) }).finish()
  }
  return {
    typeUrl: MsgGrantAllowance.typeUrl,
    value: MsgGrantAllowance.encode({ granter, grantee, allowance }).finish()
  }
}

const encodePaymentGrant = (transaction: CosmosTransaction): Message => {
  const { from: granter, grant, to: grantee } = transaction
  if (grant?.action === "revoke")
    return {
      typeUrl: MsgRevoke.typeUrl,
      value: MsgRevoke.encode({ granter, grantee, msgTypeUrl: MsgSend.typeUrl }).finish()
    }
  const limit = { spendLimit: coinsOf(transaction), allowList: [...(grant?.recipients ?? [])] }
  const authorization = {
    typeUrl: SendAuthorization.typeUrl,
    value: SendAuthorization.encode(limit).finish()
  }
  return {
    typeUrl: MsgGrant.typeUrl,
    value: MsgGrant.encode({
      granter,
      grantee,
      grant: { authorization, ...endOf(grant?.expires) }
    }).finish()
  }
}

/** The message of a transaction with `grant` or `onBehalfOf`. */
export const encodeGranted = (transaction: CosmosTransaction): Message => {
  const { grant } = transaction
  if (grant === undefined) return encodeExec(transaction)
  return grant.kind === "fees" ? encodeFeeGrant(transaction) : encodePaymentGrant(transaction)
}
