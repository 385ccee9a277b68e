/**
 * What Tron nodes take and give.
 *
 * @since 0.1.0
 */

/**
 * A whole number as an argument: sun, or the smallest unit of a token.
 *
 * @since 0.1.0
 * @category types
 */
export type Amount = number | bigint

/**
 * Whether addresses are Base58 (`visible`) or hex, in the request and in the answer.
 *
 * @since 0.1.0
 * @category types
 */
export interface Visible {
  readonly visible?: boolean
}

/**
 * Options of everything that makes a transaction. `permissionId` is the permission that will sign, sent as `Permission_id`: the
 * owner's by default. `extraData` is hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionOptions extends Visible {
  readonly permissionId?: number
  readonly extraData?: string
}

/**
 * Options of a deployment. `feeLimit` and `callValue` are in sun.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeployOptions extends TransactionOptions {
  readonly feeLimit?: Amount
  readonly parameter?: string
  readonly originEnergyLimit?: Amount
  readonly callValue?: Amount
  readonly consumeUserResourcePercent?: number
}

/**
 * Options of the issue of a TRC-10 token.
 *
 * @since 0.1.0
 * @category types
 */
export interface AssetOptions extends TransactionOptions {
  readonly freeAssetNetLimit?: Amount
  readonly publicFreeAssetNetLimit?: Amount
  readonly frozenSupply?: { readonly frozen_amount: Amount; readonly frozen_days: number }
  readonly precision?: number
  readonly description?: string
}

/**
 * The resource that TRX is staked for.
 *
 * @since 0.1.0
 * @category types
 */
export type Resource = "BANDWIDTH" | "ENERGY"

/**
 * A resource in an answer, where old stakes of TRX can be for votes alone. The node leaves out bandwidth.
 *
 * @since 0.1.0
 * @category types
 */
export type StakedResource = Resource | "TRON_POWER"

/**
 * The kind of an account. The node leaves out the normal one.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountType = "Normal" | "AssetIssue" | "Contract"

/**
 * Supply of a TRC-10 token that its issuer cannot use for some days.
 *
 * @since 0.1.0
 * @category types
 */
export interface FrozenSupply {
  readonly frozen_amount: bigint
  readonly frozen_days: bigint
}

/**
 * A map of integers by name, as java-tron writes it. The node leaves out what is zero.
 *
 * @since 0.1.0
 * @category types
 */
export type Amounts = ReadonlyArray<{ readonly key: string; readonly value?: bigint }>

/**
 * A parameter of the chain, by its number, and the value that it is to have.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposalParameter {
  readonly key?: bigint
  readonly value?: bigint
}

/**
 * A block by hash and height.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockIdentifier {
  readonly hash: string
  readonly number: Amount
}

/**
 * A permission of an account: who may sign for it, with which weight. `operations` is a bit set as hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface Permission {
  readonly type: number
  readonly permissionName: string
  readonly threshold: number
  readonly operations?: string
  readonly keys: ReadonlyArray<{ readonly address: string; readonly weight: number }>
}

/**
 * A permission in an answer. `id` is 0 for the owner's, 1 for that of a witness, and from 2 on for others;
 * `operations` is a bit set as hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountPermission {
  readonly type?: "Owner" | "Witness" | "Active"
  readonly id?: bigint
  readonly permission_name?: string
  readonly threshold?: bigint
  readonly parent_id?: bigint
  readonly operations?: string
  readonly keys?: ReadonlyArray<{ readonly address: string; readonly weight?: bigint }>
}

/**
 * A vote for a witness.
 *
 * @since 0.1.0
 * @category types
 */
export interface Vote {
  readonly voteAddress: string
  readonly voteCount: number
}

/**
 * A transaction that is not signed yet. The signature is of `raw_data_hex`.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnsignedTransaction {
  readonly visible?: boolean
  readonly txID: string
  readonly raw_data: RawData
  readonly raw_data_hex: string
  /** The address of a contract that the transaction deploys. */
  readonly contract_address?: string
}

/**
 * The contents of transactions, by the type of their contract (`protocol.Transaction.Contract` of java-tron). Amounts are in sun
 * or the smallest unit of a token, times in milliseconds; fields that are zero or empty are left out.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractValues {
  readonly AccountCreateContract: {
    readonly owner_address: string
    readonly account_address: string
    readonly type?: AccountType
  }
  readonly AccountPermissionUpdateContract: {
    readonly owner_address: string
    readonly owner?: AccountPermission
    readonly witness?: AccountPermission
    readonly actives?: ReadonlyArray<AccountPermission>
  }
  readonly AccountUpdateContract: { readonly owner_address: string; readonly account_name: string }
  readonly AssetIssueContract: {
    readonly owner_address: string
    readonly id?: string
    readonly name: string
    readonly abbr?: string
    readonly total_supply: bigint
    readonly frozen_supply?: ReadonlyArray<FrozenSupply>
    readonly trx_num: bigint
    readonly precision?: bigint
    readonly num: bigint
    readonly start_time: bigint
    readonly end_time: bigint
    readonly description?: string
    readonly url: string
    readonly vote_score?: bigint
    readonly free_asset_net_limit?: bigint
    readonly public_free_asset_net_limit?: bigint
    readonly public_free_asset_net_usage?: bigint
    readonly public_latest_free_net_time?: bigint
  }
  readonly CancelAllUnfreezeV2Contract: { readonly owner_address: string }
  readonly ClearABIContract: { readonly owner_address: string; readonly contract_address: string }
  readonly CreateSmartContract: {
    readonly owner_address: string
    readonly new_contract: Contract
    readonly call_token_value?: bigint
    readonly token_id?: bigint
  }
  readonly DelegateResourceContract: {
    readonly owner_address: string
    readonly resource?: Resource
    readonly balance: bigint
    readonly receiver_address: string
    readonly lock?: boolean
    readonly lock_period?: bigint
  }
  readonly ExchangeCreateContract: {
    readonly owner_address: string
    readonly first_token_id: string
    readonly first_token_balance: bigint
    readonly second_token_id: string
    readonly second_token_balance: bigint
  }
  readonly ExchangeInjectContract: {
    readonly owner_address: string
    readonly exchange_id: bigint
    readonly token_id: string
    readonly quant: bigint
  }
  readonly ExchangeTransactionContract: {
    readonly owner_address: string
    readonly exchange_id: bigint
    readonly token_id: string
    readonly quant: bigint
    readonly expected?: bigint
  }
  readonly ExchangeWithdrawContract: {
    readonly owner_address: string
    readonly exchange_id: bigint
    readonly token_id: string
    readonly quant: bigint
  }
  readonly FreezeBalanceContract: {
    readonly owner_address: string
    readonly frozen_balance: bigint
    readonly frozen_duration: bigint
    readonly resource?: StakedResource
    readonly receiver_address?: string
  }
  readonly FreezeBalanceV2Contract: {
    readonly owner_address: string
    readonly frozen_balance: bigint
    readonly resource?: StakedResource
  }
  readonly MarketCancelOrderContract: { readonly owner_address: string; readonly order_id: string }
  readonly MarketSellAssetContract: {
    readonly owner_address: string
    readonly sell_token_id: string
    readonly sell_token_quantity: bigint
    readonly buy_token_id: string
    readonly buy_token_quantity: bigint
  }
  readonly ParticipateAssetIssueContract: {
    readonly owner_address: string
    readonly to_address: string
    readonly asset_name: string
    readonly amount: bigint
  }
  readonly ProposalApproveContract: {
    readonly owner_address: string
    readonly proposal_id: bigint
    readonly is_add_approval?: boolean
  }
  readonly ProposalCreateContract: {
    readonly owner_address: string
    readonly parameters: ReadonlyArray<ProposalParameter>
  }
  readonly ProposalDeleteContract: { readonly owner_address: string; readonly proposal_id: bigint }
  readonly SetAccountIdContract: { readonly owner_address: string; readonly account_id: string }
  readonly ShieldedTransferContract: {
    readonly transparent_from_address?: string
    readonly from_amount?: bigint
    readonly spend_description?: ReadonlyArray<Readonly<Record<string, string>>>
    readonly receive_description?: ReadonlyArray<Readonly<Record<string, string>>>
    readonly binding_signature?: string
    readonly transparent_to_address?: string
    readonly to_amount?: bigint
  }
  readonly TransferAssetContract: {
    readonly owner_address: string
    readonly asset_name: string
    readonly to_address: string
    readonly amount: bigint
  }
  readonly TransferContract: {
    readonly owner_address: string
    readonly to_address: string
    readonly amount: bigint
  }
  readonly TriggerSmartContract: {
    readonly owner_address: string
    readonly contract_address: string
    readonly call_value?: bigint
    readonly data?: string
    readonly call_token_value?: bigint
    readonly token_id?: bigint
  }
  readonly UnDelegateResourceContract: {
    readonly owner_address: string
    readonly resource?: Resource
    readonly balance: bigint
    readonly receiver_address: string
  }
  readonly UnfreezeAssetContract: { readonly owner_address: string }
  readonly UnfreezeBalanceContract: {
    readonly owner_address: string
    readonly resource?: StakedResource
    readonly receiver_address?: string
  }
  readonly UnfreezeBalanceV2Contract: {
    readonly owner_address: string
    readonly unfreeze_balance: bigint
    readonly resource?: StakedResource
  }
  readonly UpdateAssetContract: {
    readonly owner_address: string
    readonly description?: string
    readonly url?: string
    readonly new_limit?: bigint
    readonly new_public_limit?: bigint
  }
  readonly UpdateBrokerageContract: { readonly owner_address: string; readonly brokerage?: bigint }
  readonly UpdateEnergyLimitContract: {
    readonly owner_address: string
    readonly contract_address: string
    readonly origin_energy_limit: bigint
  }
  readonly UpdateSettingContract: {
    readonly owner_address: string
    readonly contract_address: string
    readonly consume_user_resource_percent?: bigint
  }
  readonly VoteAssetContract: {
    readonly owner_address: string
    readonly vote_address?: ReadonlyArray<string>
    readonly support?: boolean
    readonly count?: bigint
  }
  readonly VoteWitnessContract: {
    readonly owner_address: string
    readonly votes: ReadonlyArray<{ readonly vote_address: string; readonly vote_count: bigint }>
    readonly support?: boolean
  }
  readonly WithdrawBalanceContract: { readonly owner_address: string }
  readonly WithdrawExpireUnfreezeContract: { readonly owner_address: string }
  readonly WitnessCreateContract: { readonly owner_address: string; readonly url: string }
  readonly WitnessUpdateContract: { readonly owner_address: string; readonly update_url: string }
}

/**
 * The part of a transaction that says what it does, by its type. `Permission_id` is the permission that signs, if it is not the
 * owner's.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractCall = {
  readonly [Type in keyof ContractValues]: {
    readonly type: Type
    readonly parameter: { readonly value: ContractValues[Type]; readonly type_url: string }
    readonly Permission_id?: bigint
  }
}[keyof ContractValues]

/**
 * The signed part of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawData {
  readonly contract: ReadonlyArray<ContractCall>
  readonly ref_block_bytes: string
  readonly ref_block_hash: string
  readonly ref_block_num?: bigint
  readonly expiration: bigint
  readonly timestamp?: bigint
  readonly fee_limit?: bigint
  readonly data?: string
  readonly scripts?: string
}

/**
 * A signed transaction as it is sent: the unsigned one with its signatures.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction {
  readonly visible?: boolean
  readonly txID?: string
  readonly raw_data?: object
  readonly raw_data_hex?: string
  readonly signature?: ReadonlyArray<string>
}

/**
 * How the run of a contract ended.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractResult =
  | "DEFAULT"
  | "SUCCESS"
  | "REVERT"
  | "BAD_JUMP_DESTINATION"
  | "OUT_OF_MEMORY"
  | "PRECOMPILED_CONTRACT"
  | "STACK_TOO_SMALL"
  | "STACK_TOO_LARGE"
  | "ILLEGAL_OPERATION"
  | "STACK_OVERFLOW"
  | "OUT_OF_ENERGY"
  | "OUT_OF_TIME"
  | "JVM_STACK_OVER_FLOW"
  | "UNKNOWN"
  | "TRANSFER_FAILED"
  | "INVALID_CODE"
  | (string & {})

/**
 * Figures that transactions of some types leave behind: amounts in sun, or the smallest unit of a token.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionOutcome {
  readonly assetIssueID?: string
  readonly withdraw_amount?: bigint
  readonly unfreeze_amount?: bigint
  readonly withdraw_expire_amount?: bigint
  readonly cancel_unfreezeV2_amount?: Amounts
  readonly exchange_id?: bigint
  readonly exchange_received_amount?: bigint
  readonly exchange_inject_another_amount?: bigint
  readonly exchange_withdraw_another_amount?: bigint
  readonly shielded_transaction_fee?: bigint
  readonly orderId?: string
  readonly orderDetails?: ReadonlyArray<{
    readonly makerOrderId?: string
    readonly takerOrderId?: string
    readonly fillSellQuantity?: bigint
    readonly fillBuyQuantity?: bigint
  }>
}

/**
 * A log of a contract. Addresses are hex without the first byte 41.
 *
 * @since 0.1.0
 * @category types
 */
export interface Log {
  readonly address: string
  readonly topics?: ReadonlyArray<string>
  readonly data?: string
}

/**
 * A call that a contract made. `note` is hex of its kind (call, create, suicide), `callValue` in sun or of a TRC-10 token.
 *
 * @since 0.1.0
 * @category types
 */
export interface InternalTransaction {
  readonly hash: string
  readonly caller_address: string
  readonly transferTo_address?: string
  readonly callValueInfo?: ReadonlyArray<{ readonly callValue?: bigint; readonly tokenId?: string }>
  readonly note?: string
  readonly rejected?: boolean
  readonly extra?: string
}

/**
 * A transaction on the chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction extends UnsignedTransaction {
  readonly signature?: ReadonlyArray<string>
  readonly ret?: ReadonlyArray<
    TransactionOutcome & {
      readonly ret?: "SUCESS" | "FAILED"
      readonly contractRet?: ContractResult
      readonly fee?: bigint
    }
  >
}

/**
 * That a transaction was taken.
 *
 * @since 0.1.0
 * @category types
 */
export interface Broadcast {
  readonly result: boolean
  readonly txid: string
  readonly code?: string
  readonly message?: string
}

/**
 * The outcome of a call of a contract. `constant_result` holds the returned words as hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface Triggered {
  readonly result: { readonly result?: boolean; readonly code?: string; readonly message?: string }
  /** What was run; `ret` tells whether it has failed. */
  readonly transaction?: UnsignedTransaction & {
    readonly ret?: ReadonlyArray<{ readonly ret?: "SUCESS" | "FAILED" }>
  }
  readonly constant_result?: ReadonlyArray<string>
  readonly energy_used?: bigint
  readonly energy_penalty?: bigint
  readonly logs?: ReadonlyArray<Log>
  readonly internal_transactions?: ReadonlyArray<InternalTransaction>
  readonly txid?: string
}

/**
 * A block with its transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly blockID: string
  readonly block_header: {
    readonly raw_data: {
      readonly number?: bigint
      readonly timestamp?: bigint
      readonly txTrieRoot: string
      readonly witness_address: string
      readonly parentHash: string
      readonly version?: bigint
    }
    readonly witness_signature?: string
  }
  readonly transactions?: ReadonlyArray<Transaction>
}

/**
 * Staked TRX of the first kind (Stake 1.0), in sun.
 *
 * @since 0.1.0
 * @category types
 */
export interface Frozen {
  readonly frozen_balance?: bigint
  readonly expire_time?: bigint
}

/**
 * The energy of an account: used, staked for, and delegated (in sun).
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountResource {
  readonly energy_usage?: bigint
  readonly frozen_balance_for_energy?: Frozen
  readonly latest_consume_time_for_energy?: bigint
  readonly energy_window_size?: bigint
  readonly energy_window_optimized?: boolean
  readonly delegated_frozen_balance_for_energy?: bigint
  readonly acquired_delegated_frozen_balance_for_energy?: bigint
  readonly delegated_frozenV2_balance_for_energy?: bigint
  readonly acquired_delegated_frozenV2_balance_for_energy?: bigint
  readonly storage_limit?: bigint
  readonly storage_usage?: bigint
  readonly latest_exchange_storage_time?: bigint
}

/**
 * An account. The node leaves out fields that are zero or empty.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly address?: string
  readonly account_name?: string
  readonly balance?: bigint
  readonly create_time?: bigint
  readonly latest_opration_time?: bigint
  readonly latest_consume_time?: bigint
  readonly latest_consume_free_time?: bigint
  readonly net_usage?: bigint
  readonly free_net_usage?: bigint
  readonly net_window_size?: bigint
  readonly frozenV2?: ReadonlyArray<{ readonly type?: StakedResource; readonly amount?: bigint }>
  readonly unfrozenV2?: ReadonlyArray<{
    readonly type?: StakedResource
    readonly unfreeze_amount: bigint
    readonly unfreeze_expire_time: bigint
  }>
  readonly type?: AccountType
  readonly account_id?: string
  readonly allowance?: bigint
  readonly latest_withdraw_time?: bigint
  readonly is_witness?: boolean
  readonly is_committee?: boolean
  readonly asset?: Amounts
  readonly assetV2?: ReadonlyArray<{ readonly key: string; readonly value: bigint }>
  readonly asset_issued_name?: string
  readonly asset_issued_ID?: string
  readonly asset_optimized?: boolean
  readonly latest_asset_operation_time?: Amounts
  readonly latest_asset_operation_timeV2?: Amounts
  readonly free_asset_net_usage?: Amounts
  readonly free_asset_net_usageV2?: Amounts
  readonly frozen?: ReadonlyArray<Frozen>
  readonly frozen_supply?: ReadonlyArray<Frozen>
  readonly old_tron_power?: bigint
  readonly tron_power?: Frozen
  readonly net_window_optimized?: boolean
  readonly delegated_frozen_balance_for_bandwidth?: bigint
  readonly acquired_delegated_frozen_balance_for_bandwidth?: bigint
  readonly delegated_frozenV2_balance_for_bandwidth?: bigint
  readonly acquired_delegated_frozenV2_balance_for_bandwidth?: bigint
  readonly code?: string
  readonly codeHash?: string
  readonly votes?: ReadonlyArray<{ readonly vote_address: string; readonly vote_count: bigint }>
  readonly account_resource?: AccountResource
  readonly owner_permission?: AccountPermission
  readonly witness_permission?: AccountPermission
  readonly active_permission?: ReadonlyArray<AccountPermission>
}

/**
 * Balance of an account at a block, in sun.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountBalance {
  readonly balance?: bigint
  readonly block_identifier: { readonly hash: string; readonly number: bigint }
}

/**
 * Bandwidth of an account, in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountNet {
  readonly freeNetUsed?: bigint
  readonly freeNetLimit?: bigint
  readonly NetUsed?: bigint
  readonly NetLimit?: bigint
  readonly assetNetUsed?: Amounts
  readonly assetNetLimit?: Amounts
  readonly TotalNetLimit?: bigint
  readonly TotalNetWeight?: bigint
}

/**
 * Bandwidth (bytes) and energy of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountResources extends AccountNet {
  readonly EnergyUsed?: bigint
  readonly EnergyLimit?: bigint
  readonly TotalEnergyLimit?: bigint
  readonly TotalEnergyWeight?: bigint
  readonly TotalTronPowerWeight?: bigint
  readonly storageUsed?: bigint
  readonly storageLimit?: bigint
  readonly tronPowerUsed?: bigint
  readonly tronPowerLimit?: bigint
}

/**
 * Whether an address is well-formed.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressValidation {
  readonly result: boolean
  readonly message: string
}

/**
 * Delegations between two accounts. Balances are in sun.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegatedResources {
  readonly delegatedResource?: ReadonlyArray<{
    readonly from: string
    readonly to: string
    readonly frozen_balance_for_bandwidth?: bigint
    readonly frozen_balance_for_energy?: bigint
    readonly expire_time_for_bandwidth?: bigint
    readonly expire_time_for_energy?: bigint
  }>
}

/**
 * Accounts that an account has delegations from and to.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegationIndex {
  readonly account?: string
  readonly fromAccounts?: ReadonlyArray<string>
  readonly toAccounts?: ReadonlyArray<string>
}

/**
 * Changes of balances in a block, by transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockBalance {
  readonly block_identifier: { readonly hash: string; readonly number: bigint }
  readonly timestamp: bigint
  readonly transaction_balance_trace?: ReadonlyArray<{
    readonly transaction_identifier: string
    readonly type: string
    readonly status: string
    readonly operation?: ReadonlyArray<{
      readonly operation_identifier?: bigint
      readonly address: string
      readonly amount: bigint
    }>
  }>
}

/**
 * The resources that a transaction used: bandwidth in bytes, energy, and what was burnt for them in sun.
 *
 * @since 0.1.0
 * @category types
 */
export interface ResourceReceipt {
  readonly energy_usage?: bigint
  readonly energy_fee?: bigint
  readonly origin_energy_usage?: bigint
  readonly energy_usage_total?: bigint
  readonly energy_penalty_total?: bigint
  readonly net_usage?: bigint
  readonly net_fee?: bigint
  readonly result?: ContractResult
}

/**
 * The effects and the costs of a transaction. `fee` is in sun.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionInfo extends TransactionOutcome {
  readonly id: string
  readonly fee?: bigint
  readonly packingFee?: bigint
  readonly blockNumber: bigint
  readonly blockTimeStamp: bigint
  readonly contractResult: ReadonlyArray<string>
  readonly contract_address?: string
  readonly receipt: ResourceReceipt
  readonly log?: ReadonlyArray<Log>
  readonly result?: "SUCESS" | "FAILED"
  readonly resMessage?: string
  readonly internal_transactions?: ReadonlyArray<InternalTransaction>
}

/**
 * A history of prices: `time:sun` pairs, comma separated.
 *
 * @since 0.1.0
 * @category types
 */
export interface Prices {
  readonly prices: string
}

/**
 * An entry of an ABI, with the words of java-tron: they begin with capitals.
 *
 * @since 0.1.0
 * @category types
 */
export interface AbiEntry {
  readonly type?: "Constructor" | "Function" | "Event" | "Fallback" | "Receive" | "Error" | (string & {})
  readonly name?: string
  readonly inputs?: ReadonlyArray<AbiParameter>
  readonly outputs?: ReadonlyArray<AbiParameter>
  readonly stateMutability?: "Pure" | "View" | "Nonpayable" | "Payable" | (string & {})
  readonly anonymous?: boolean
  readonly constant?: boolean
  readonly payable?: boolean
}

/**
 * A parameter of an entry of an ABI.
 *
 * @since 0.1.0
 * @category types
 */
export interface AbiParameter {
  readonly name?: string
  readonly type: string
  readonly indexed?: boolean
}

/**
 * A contract with its ABI and code.
 *
 * @since 0.1.0
 * @category types
 */
export interface Contract {
  readonly bytecode?: string
  readonly name?: string
  readonly origin_address?: string
  readonly contract_address?: string
  readonly abi?: { readonly entrys?: ReadonlyArray<AbiEntry> }
  readonly call_value?: bigint
  readonly consume_user_resource_percent?: bigint
  readonly origin_energy_limit?: bigint
  readonly code_hash?: string
  readonly trx_hash?: string
  readonly version?: bigint
}

/**
 * A contract with its run-time code and the state of its energy: `energy_factor` is the surcharge on busy contracts, in
 * hundredths of a percent.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractInfo {
  readonly smart_contract?: Contract
  readonly runtimecode?: string
  readonly contract_state?: {
    readonly energy_usage?: bigint
    readonly energy_factor?: bigint
    readonly update_cycle?: bigint
  }
}

/**
 * A TRC-10 token. Names and urls are hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface Asset {
  readonly id?: string
  readonly owner_address?: string
  readonly name?: string
  readonly abbr?: string
  readonly total_supply?: bigint
  readonly trx_num?: bigint
  readonly num?: bigint
  readonly start_time?: bigint
  readonly end_time?: bigint
  readonly precision?: bigint
  readonly description?: string
  readonly url?: string
  readonly frozen_supply?: ReadonlyArray<FrozenSupply>
  readonly order?: bigint
  readonly vote_score?: bigint
  readonly free_asset_net_limit?: bigint
  readonly public_free_asset_net_limit?: bigint
  readonly public_free_asset_net_usage?: bigint
  readonly public_latest_free_net_time?: bigint
}

/**
 * A list of TRC-10 tokens.
 *
 * @since 0.1.0
 * @category types
 */
export interface Assets {
  readonly assetIssue?: ReadonlyArray<Asset>
}

/**
 * A witness: a super representative, or a candidate.
 *
 * @since 0.1.0
 * @category types
 */
export interface Witness {
  readonly address: string
  readonly voteCount?: bigint
  readonly url: string
  readonly totalProduced?: bigint
  readonly totalMissed?: bigint
  readonly latestBlockNum?: bigint
  readonly latestSlotNum?: bigint
  readonly isJobs?: boolean
  readonly pubKey?: string
}

/**
 * A proposal of a witness to change parameters of the chain. The node leaves out the state of a new one (PENDING).
 *
 * @since 0.1.0
 * @category types
 */
export interface Proposal {
  readonly proposal_id: bigint
  readonly proposer_address: string
  readonly parameters: ReadonlyArray<ProposalParameter>
  readonly expiration_time: bigint
  readonly create_time: bigint
  readonly approvals?: ReadonlyArray<string>
  readonly state?: "PENDING" | "DISAPPROVED" | "APPROVED" | "CANCELED"
}

/**
 * A transaction in an answer about its signatures.
 *
 * @since 0.1.0
 * @category types
 */
export interface CheckedTransaction {
  readonly transaction?: Transaction
  readonly txid: string
  readonly result?: { readonly result?: boolean; readonly code?: string; readonly message?: string }
}

/**
 * The weight of the signatures of a transaction, and whether it is enough: the node leaves out the code if it is.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignWeight {
  readonly permission?: AccountPermission
  readonly approved_list?: ReadonlyArray<string>
  readonly current_weight?: bigint
  readonly result: {
    readonly code?:
      | "ENOUGH_PERMISSION"
      | "NOT_ENOUGH_PERMISSION"
      | "SIGNATURE_FORMAT_ERROR"
      | "COMPUTE_ADDRESS_ERROR"
      | "PERMISSION_ERROR"
      | "OTHER_ERROR"
    readonly message?: string
  }
  readonly transaction: CheckedTransaction
}

/**
 * The accounts that have signed a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface ApprovedList {
  readonly approved_list?: ReadonlyArray<string>
  readonly result: {
    readonly code?: "SUCCESS" | "SIGNATURE_FORMAT_ERROR" | "COMPUTE_ADDRESS_ERROR" | "OTHER_ERROR"
    readonly message?: string
  }
  readonly transaction: CheckedTransaction
}

/**
 * A peer in the state of a node. Times are milliseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface PeerState {
  readonly host?: string
  readonly port?: bigint
  readonly nodeId?: string
  readonly active?: boolean
  readonly connectTime?: bigint
  readonly avgLatency?: number | bigint
  readonly lastSyncBlock?: string
  readonly lastBlockUpdateTime?: bigint
  readonly headBlockTimeWeBothHave?: bigint
  readonly headBlockWeBothHave?: string
  readonly needSyncFromPeer?: boolean
  readonly needSyncFromUs?: boolean
  readonly syncFlag?: boolean
  readonly remainNum?: bigint
  readonly syncToFetchSize?: bigint
  readonly syncToFetchSizePeekNum?: bigint
  readonly syncBlockRequestedSize?: bigint
  readonly unFetchSynNum?: bigint
  readonly blockInPorcSize?: bigint
  readonly score?: bigint
  readonly nodeCount?: bigint
  readonly inFlow?: bigint
  readonly disconnectTimes?: bigint
  readonly localDisconnectReason?: string
  readonly remoteDisconnectReason?: string
}

/**
 * The state of a node: its blocks (`Num:…,ID:…`), its peers, its configuration and its machine. Shares are from 0 to 1, sizes in
 * bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeInfo {
  readonly beginSyncNum: bigint
  readonly block: string
  readonly solidityBlock: string
  readonly currentConnectCount: bigint
  readonly activeConnectCount?: bigint
  readonly passiveConnectCount?: bigint
  readonly totalFlow?: bigint
  readonly peerList?: ReadonlyArray<PeerState>
  readonly configNodeInfo?: {
    readonly codeVersion?: string
    readonly versionNum?: string
    readonly p2pVersion?: string
    readonly listenPort?: bigint
    readonly discoverEnable?: boolean
    readonly activeNodeSize?: bigint
    readonly passiveNodeSize?: bigint
    readonly sendNodeSize?: bigint
    readonly maxConnectCount?: bigint
    readonly sameIpMaxConnectCount?: bigint
    readonly backupListenPort?: bigint
    readonly backupMemberSize?: bigint
    readonly backupPriority?: bigint
    readonly dbVersion?: bigint
    readonly minParticipationRate?: bigint
    readonly supportConstant?: boolean
    readonly minTimeRatio?: number | bigint
    readonly maxTimeRatio?: number | bigint
    readonly allowCreationOfContracts?: bigint
    readonly allowAdaptiveEnergy?: bigint
  }
  readonly machineInfo?: {
    readonly threadCount?: bigint
    readonly deadLockThreadCount?: bigint
    readonly cpuCount?: bigint
    readonly totalMemory?: bigint
    readonly freeMemory?: bigint
    readonly cpuRate?: number | bigint
    readonly javaVersion?: string
    readonly osName?: string
    readonly jvmTotalMemory?: bigint
    readonly jvmFreeMemory?: bigint
    readonly processCpuRate?: number | bigint
    readonly memoryDescInfoList?: ReadonlyArray<{
      readonly name: string
      readonly initSize: bigint
      readonly useSize: bigint
      readonly maxSize: bigint
      readonly useRate: number | bigint
    }>
    readonly deadLockThreadInfoList?: ReadonlyArray<{
      readonly name: string
      readonly lockName: string
      readonly lockOwner: string
      readonly state: string
      readonly blockTime: bigint
      readonly waitTime: bigint
      readonly stackTrace: string
    }>
  }
  readonly cheatWitnessInfoMap?: Readonly<Record<string, string>>
}

/**
 * A peer that a node knows. `host` is hex of its text.
 *
 * @since 0.1.0
 * @category types
 */
export interface KnownNode {
  readonly address: { readonly host: string; readonly port?: bigint }
}
