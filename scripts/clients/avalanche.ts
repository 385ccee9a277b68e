import type { avm, Common, pvm } from "@avalabs/avalanchejs"

/** The answer of a client's method that returns the node's answer unchanged. */
type From<M extends keyof pvm.PVMApi> = pvm.PVMApi[M] extends (...given: never) => Promise<infer A>
  ? A
  : never

export interface Answers {
  readonly "platform.getHeight": From<"getHeight">
  readonly "platform.getTimestamp": From<"getTimestamp">
  readonly "platform.getTxStatus": From<"getTxStatus">
  readonly "platform.issueTx": Common.IssueTxResponse
  readonly "platform.getUTXOs": Common.GetUTXOsApiResp
  readonly "platform.getBalance": From<"getBalance">
  readonly "platform.getCurrentValidators": From<"getCurrentValidators">
  readonly "platform.getL1Validator": pvm.GetL1ValidatorResponse
  readonly "platform.sampleValidators": From<"sampleValidators">
  readonly "platform.getSubnet": From<"getSubnet">
  readonly "platform.getSubnets": From<"getSubnets">
  readonly "platform.getBlockchains": From<"getBlockchains">
  readonly "platform.getBlockchainStatus": From<"getBlockchainStatus">
  readonly "platform.validatedBy": From<"validatedBy">
  readonly "platform.validates": From<"validates">
  readonly "platform.getCurrentSupply": From<"getCurrentSupply">
  readonly "platform.getMinStake": From<"getMinStake">
  readonly "platform.getTotalStake": From<"getTotalStake">
  readonly "platform.getStakingAssetID": From<"getStakingAssetID">
  readonly "platform.getFeeConfig": pvm.FeeConfigResponse
  readonly "platform.getFeeState": pvm.FeeStateResponse
  readonly "avm.getTxStatus": Common.GetTxStatusResponse
  readonly "avm.issueTx": Common.IssueTxResponse
  readonly "avm.getUTXOs": Common.GetUTXOsApiResp
  readonly "avm.getAllBalances": avm.GetAllBalancesResponse
  readonly "avm.getAssetDescription": Common.GetAssetDescriptionResponse
  readonly "avm.getTxFee": avm.GetTxFeeResponse
}
