/** Encodes what stakes coins on Cosmos, over `cosmjs-types`. Loaded with the first transaction that stakes. */
import { MsgWithdrawDelegatorReward } from "cosmjs-types/cosmos/distribution/v1beta1/tx"
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from "cosmjs-types/cosmos/staking/v1beta1/tx"
import type { Message } from "./protobuf.js"
import type { CosmosTransaction } from "./Types.js"

/** The message of a transaction with `staking`: its validator is `to`. */
export const encodeStaking = ({ amount, denom, from, staking, to }: CosmosTransaction): Message => {
  const parties = { delegatorAddress: from, validatorAddress: to }
  const coin = { denom, amount: String(amount) }
  switch (staking?.action) {
    case "delegate":
      return {
        typeUrl: MsgDelegate.typeUrl,
        value: MsgDelegate.encode({ ...parties, amount: coin }).finish()
      }
    case "undelegate":
      return {
        typeUrl: MsgUndelegate.typeUrl,
        value: MsgUndelegate.encode({ ...parties, amount: coin }).finish()
      }
    case "redelegate": {
      const { from: source = "" } = staking
      const moved = {
        delegatorAddress: from,
        validatorSrcAddress: source,
        validatorDstAddress: to,
        amount: coin
      }
      return { typeUrl: MsgBeginRedelegate.typeUrl, value: MsgBeginRedelegate.encode(moved).finish() }
    }
    case "claim":
      return {
        typeUrl: MsgWithdrawDelegatorReward.typeUrl,
        value: MsgWithdrawDelegatorReward.encode(parties).finish()
      }
    default:
      throw new Error("staking.action must be delegate, undelegate, redelegate or claim")
  }
}
