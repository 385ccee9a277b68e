/** Encodes what stakes coins on Tron. Loaded with the first transaction that stakes. */
import { decodeAddress } from "./address.js"
import { type Contract, encodeBytes, encodeNumber } from "./protobuf.js"
import type { TronTransaction } from "./Types.js"

/** Sun of a vote: each staked TRX has one. */
export const SUN_PER_VOTE = 1_000_000n

/** What the actions are in the protocol. */
const contracts = {
  stake: [54, "FreezeBalanceV2Contract"],
  unstake: [55, "UnfreezeBalanceV2Contract"],
  finalize_unstake: [56, "WithdrawExpireUnfreezeContract"],
  cancel_unstake: [59, "CancelAllUnfreezeV2Contract"],
  delegate: [4, "VoteWitnessContract"],
  claim: [13, "WithdrawBalanceContract"],
  delegate_resource: [57, "DelegateResourceContract"],
  undelegate_resource: [58, "UnDelegateResourceContract"]
} as const

/** What accounts of Tron do with their stake. */
export type TronStakingAction = keyof typeof contracts

const isAction = (action: string): action is TronStakingAction => Object.hasOwn(contracts, action)

/** The number of a resource, of which bandwidth is the first. */
const resourceCode = ({ staking }: TronTransaction): bigint => {
  const code = ["BANDWIDTH", "ENERGY"].indexOf(staking?.resource ?? "")
  if (code < 0) throw new Error("staking.resource must be BANDWIDTH or ENERGY")
  return BigInt(code)
}

/** The fields behind the owner. */
const encodeDetails = (transaction: TronTransaction, action: TronStakingAction) => {
  const { amount, to } = transaction
  switch (action) {
    case "stake":
    case "unstake":
      return [...encodeNumber(2, amount), ...encodeNumber(3, resourceCode(transaction))]
    case "delegate":
      return encodeBytes(2, [...encodeBytes(1, decodeAddress(to)), ...encodeNumber(2, amount / SUN_PER_VOTE)])
    case "delegate_resource":
    case "undelegate_resource":
      return [
        ...encodeNumber(2, resourceCode(transaction)),
        ...encodeNumber(3, amount),
        ...encodeBytes(4, decodeAddress(to))
      ]
    default:
      return []
  }
}

/** The contract of a transaction with `staking`. Throws if it is none that the chain has. */
export const encodeStaking = (transaction: TronTransaction): Contract => {
  const { action = "" } = transaction.staking ?? {}
  if (!isAction(action)) throw new Error(`staking.action must be one of ${Object.keys(contracts).join(", ")}`)
  const [type, name] = contracts[action]
  return {
    type,
    name,
    fields: [...encodeBytes(1, decodeAddress(transaction.from)), ...encodeDetails(transaction, action)]
  }
}
