import type { Trx, Types } from "tronweb"

/** The answer of a client's method that returns the node's answer unchanged. */
type From<M extends keyof Trx> = Trx[M] extends (...given: never) => Promise<infer A> ? A : never

interface Blocks {
  readonly block: ReadonlyArray<Types.Block>
}

/** The client gives the transaction the type of its kind, which is one of all kinds. */
interface Triggered extends Omit<Types.TransactionWrapper, "transaction"> {
  readonly transaction: Types.Transaction
}

interface Tokens {
  readonly assetIssue: ReadonlyArray<Types.Token>
}

/** Calls that make a transaction of one kind, which the transaction has. */
type Making =
  | "POST /wallet/createtransaction"
  | "POST /wallet/transferasset"
  | "POST /wallet/participateassetissue"
  | "POST /wallet/freezebalance"
  | "POST /wallet/unfreezebalance"
  | "POST /wallet/freezebalancev2"
  | "POST /wallet/unfreezebalancev2"
  | "POST /wallet/cancelallunfreezev2"
  | "POST /wallet/delegateresource"
  | "POST /wallet/undelegateresource"
  | "POST /wallet/withdrawexpireunfreeze"
  | "POST /wallet/withdrawbalance"
  | "POST /wallet/votewitnessaccount"
  | "POST /wallet/clearabi"
  | "POST /wallet/updatesetting"
  | "POST /wallet/updateenergylimit"
  | "POST /wallet/createassetissue"
  | "POST /wallet/updateasset"
  | "POST /wallet/createaccount"
  | "POST /wallet/updateaccount"
  | "POST /wallet/accountpermissionupdate"

/** The client returns only the list of an answer that has nothing else. */
export interface Answers extends Readonly<Record<Making, Types.Transaction>> {
  readonly "POST /wallet/deploycontract": Types.Transaction &
    Pick<Types.CreateSmartContractTransaction, "contract_address">
  readonly "POST /wallet/getaccount": From<"getUnconfirmedAccount">
  readonly "POST /wallet/getaccountnet": Types.AccountNetMessage
  readonly "POST /wallet/getaccountresource": From<"getAccountResources">
  readonly "POST /wallet/getdelegatedresourcev2": From<"getDelegatedResourceV2">
  readonly "POST /wallet/getdelegatedresourceaccountindexv2": From<"getDelegatedResourceAccountIndexV2">
  readonly "POST /wallet/getavailableunfreezecount": From<"getAvailableUnfreezeCount">
  readonly "POST /wallet/getcandelegatedmaxsize": From<"getCanDelegatedMaxSize">
  readonly "POST /wallet/getcanwithdrawunfreezeamount": From<"getCanWithdrawUnfreezeAmount">
  readonly "POST /wallet/getblock": Types.Block
  readonly "POST /wallet/getblockbynum": Types.Block
  readonly "POST /wallet/getblockbyid": Types.Block
  readonly "POST /wallet/getnowblock": From<"getCurrentBlock">
  readonly "POST /wallet/getblockbylatestnum": Blocks
  readonly "POST /wallet/getblockbylimitnext": Blocks
  readonly "POST /wallet/gettransactionbyid": Types.GetTransactionResponse
  readonly "POST /wallet/gettransactionfrompending": Types.GetTransactionResponse
  readonly "POST /wallet/gettransactioninfobyid": From<"getUnconfirmedTransactionInfo">
  readonly "POST /wallet/gettransactioninfobyblocknum": ReadonlyArray<Types.TransactionInfo>
  readonly "POST /wallet/broadcasttransaction": Omit<
    Types.BroadcastReturn<Types.SignedTransaction>,
    "transaction"
  >
  readonly "POST /wallet/broadcasthex": Omit<Types.BroadcastHexReturn, "transaction">
  readonly "POST /wallet/getsignweight": From<"getSignWeight">
  readonly "POST /wallet/getapprovedlist": From<"getApprovedList">
  readonly "POST /wallet/triggersmartcontract": Triggered
  readonly "POST /wallet/triggerconstantcontract": Triggered
  readonly "POST /wallet/estimateenergy": Triggered
  readonly "POST /wallet/getassetissuebyid": Types.Token
  readonly "POST /wallet/getassetissuebyname": Types.Token
  readonly "POST /wallet/getassetissuebyaccount": Tokens
  readonly "POST /wallet/getassetissuelistbyname": Tokens
  readonly "POST /wallet/getassetissuelist": Tokens
  readonly "POST /wallet/getpaginatedassetissuelist": Tokens
  readonly "POST /wallet/getreward": { readonly reward: From<"getReward"> }
  readonly "POST /wallet/getbrokerage": { readonly brokerage: From<"getBrokerage"> }
  readonly "POST /wallet/getbandwidthprices": { readonly prices: From<"getBandwidthPrices"> }
  readonly "GET /wallet/getenergyprices": { readonly prices: From<"getEnergyPrices"> }
  readonly "GET /wallet/getnodeinfo": From<"getNodeInfo">
  readonly "GET /wallet/getchainparameters": { readonly chainParameter: From<"getChainParameters"> }
  readonly "GET /wallet/listwitnesses": { readonly witnesses: From<"listSuperRepresentatives"> }
  readonly "GET /wallet/listproposals": { readonly proposals: From<"listProposals"> }
}
