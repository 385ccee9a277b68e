/**
 * Tron: the EVM endpoints over JSON-RPC, and the wallet routes of java-tron. Integers of the wallet routes are `bigint`;
 * amounts are in sun (10^-6 TRX), times in milliseconds since 1970. Methods that make a transaction give it unsigned.
 *
 * @since 0.1.0
 */

import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, type ReadTokenDetails, rpcProbe } from "../balancer/Family.js"
import { textOf } from "../data/abiText.js"
import { hex } from "../data/bytes.js"
import { type Dialect, type Failure, get, group, merge, post, type Refusal } from "../data/Endpoint.js"
import { hexToBytes } from "../data/hex.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import * as Evm from "./Evm.js"
import { faultOf, toFailure } from "./internal/faults.js"

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

const toSun = (amount: Amount): bigint => BigInt(amount)

/** Options of what makes a transaction. Nodes read the id of a permission under its name in the transaction, and no other. */
const toOptions = ({
  permissionId,
  ...options
}: TransactionOptions = {}): Readonly<Record<string, unknown>> => ({
  ...options,
  ...(permissionId === undefined ? {} : { Permission_id: permissionId })
})

const toTrigger = (
  owner: string,
  contract: string,
  functionSelector: string,
  parameter: string,
  options: object = {}
): Readonly<Record<string, unknown>> => ({
  ownerAddress: owner,
  contractAddress: contract,
  functionSelector,
  parameter,
  ...options
})

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Messages of java-tron are hex of UTF-8, or plain. */
const decodeMessage = (message: unknown, fallback: string): string =>
  typeof message !== "string" || message === ""
    ? fallback
    : /^([0-9a-f]{2})+$/i.test(message)
      ? new TextDecoder().decode(hexToBytes(message))
      : message

/** Codes that refuse nothing: the last two say whether a transaction has enough signatures, which was the question. */
const successCode = /^(SUCCESS|ENOUGH_PERMISSION|NOT_ENOUGH_PERMISSION)$/

/**
 * How java-tron says no with an HTTP 200: an `Error`, or a `code` beside a `result` that is not true.
 *
 * @since 0.1.0
 * @category getters
 */
export const refusal = (answer: unknown): Refusal | undefined => {
  const error = memberOf(answer, "Error")
  if (error !== undefined) {
    return { message: typeof error === "string" ? error : bigintIntegers.stringify(error) }
  }
  for (const part of [answer, memberOf(answer, "result")]) {
    const code = memberOf(part, "code")
    if (typeof code === "string" && !successCode.test(code) && memberOf(part, "result") !== true) {
      return { message: `${code}: ${decodeMessage(memberOf(part, "message"), "refused")}` }
    }
  }
  return undefined
}

/** Words that speak of the node: busy, alone, or behind. */
const nodeMessage =
  /SERVER_BUSY|NOT_ENOUGH_EFFECTIVE_CONNECTION|NO_CONNECTION|BLOCK_UNSOLIDIFIED|lack of computing resources|frequency limit/

/** Whose fault a refusal is, by the codes of java-tron and the exceptions that it names in its errors. */
const classify: Dialect["classify"] = (error) => {
  const { message } = error
  if (nodeMessage.test(message)) return "node"
  if (/lite fullnode|(api|method) is (closed|unavailable|not supported)/i.test(message)) return "elsewhere"
  return /^(?!OTHER_ERROR)([A-Z_]{4,}: |class )|[Ii]nvalid|INVALID|not exist/.test(message)
    ? "caller"
    : faultOf(error)
}

/** The same refusals with a 4xx. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const message = refusal(answer)?.message
  return toFailure(message, status, classify({ code: 0, message: message ?? "" }))
}

const dialect: Dialect = { integers: bigintIntegers, body: "snake", refusal, classify, failure }

/** The answer of a node to a transaction that is new to it, for one that an earlier attempt has delivered. */
const transactionIdOf = async ([transaction]: ReadonlyArray<unknown>): Promise<Broadcast> => {
  const txid = memberOf(transaction, "txID")
  if (typeof txid !== "string") throw new Error("the transaction has no txID")
  return { result: true, txid }
}

const walletEndpoints = group(dialect, {
  /** Account by address; an empty object if it was never used. */
  getAccount: post("/wallet/getaccount")
    .echoes({ address: 0 })
    .returns<Account>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Balance of an account at a block, in sun. */
  getAccountBalance: post("/wallet/getaccountbalance")
    .returns<AccountBalance>()
    .args<[account: { readonly address: string }, block: BlockIdentifier, options?: Visible]>(
      (account, block, options) => ({ accountIdentifier: account, blockIdentifier: block, ...options })
    ),
  /** Bandwidth of an account. */
  getAccountNet: post("/wallet/getaccountnet")
    .returns<AccountNet>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Bandwidth and energy of an account. */
  getAccountResources: post("/wallet/getaccountresource")
    .returns<AccountResources>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Whether an address is well-formed, and how it was written. */
  validateAddress: post("/wallet/validateaddress")
    .returns<AddressValidation>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** An unsigned transaction that creates an account. */
  createAccount: post("/wallet/createaccount")
    .returns<UnsignedTransaction>()
    .args<[owner: string, account: string, options?: TransactionOptions]>((owner, account, options) => ({
      ownerAddress: owner,
      accountAddress: account,
      ...toOptions(options)
    })),
  /** An unsigned transaction that names an account. */
  updateAccount: post("/wallet/updateaccount")
    .returns<UnsignedTransaction>()
    .args<[owner: string, accountName: string, options?: TransactionOptions]>(
      (owner, accountName, options) => ({ ownerAddress: owner, accountName, ...toOptions(options) })
    ),
  /** An unsigned transaction that changes the permissions of an account. */
  accountPermissionUpdate: post("/wallet/accountpermissionupdate")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        actives: ReadonlyArray<Permission>,
        ownerPermission?: Permission,
        options?: TransactionOptions & { readonly witness?: Permission }
      ]
    >((owner, actives, ownerPermission, options) => ({
      ownerAddress: owner,
      actives,
      owner: ownerPermission,
      ...toOptions(options)
    })),
  /** An unsigned transfer of TRX; `amount` in sun. */
  createTransaction: post("/wallet/createtransaction")
    .returns<UnsignedTransaction>()
    .args<[owner: string, to: string, amount: Amount, options?: TransactionOptions]>(
      (owner, to, amount, options) => ({
        ownerAddress: owner,
        toAddress: to,
        amount: toSun(amount),
        ...toOptions(options)
      })
    ),
  /** Sends a signed transaction. Safe to repeat. */
  broadcastTransaction: post("/wallet/broadcasttransaction")
    .returns<Broadcast>()
    .verbatim()
    .broadcast({ known: /^DUP_TRANSACTION_ERROR/, result: transactionIdOf })
    .args<[transaction: SignedTransaction]>((transaction) => ({ ...transaction })),
  /** Sends a signed transaction given as protobuf hex. Safe to repeat. */
  broadcastHex: post("/wallet/broadcasthex")
    .bytes({ 0: hex() })
    .returns<Broadcast>()
    .broadcast()
    .args<[transaction: string]>((transaction) => ({ transaction })),
  /** An unsigned stake of TRX (Stake 2.0); `balance` in sun. */
  freezeBalanceV2: post("/wallet/freezebalancev2")
    .returns<UnsignedTransaction>()
    .args<[owner: string, balance: Amount, resource: Resource, options?: TransactionOptions]>(
      (owner, balance, resource, options) => ({
        ownerAddress: owner,
        frozenBalance: toSun(balance),
        resource,
        ...toOptions(options)
      })
    ),
  /** An unsigned unstake of TRX (Stake 2.0); `balance` in sun. */
  unfreezeBalanceV2: post("/wallet/unfreezebalancev2")
    .returns<UnsignedTransaction>()
    .args<[owner: string, balance: Amount, resource: Resource, options?: TransactionOptions]>(
      (owner, balance, resource, options) => ({
        ownerAddress: owner,
        unfreezeBalance: toSun(balance),
        resource,
        ...toOptions(options)
      })
    ),
  /** An unsigned cancellation of all unstakes that are under way. */
  cancelAllUnfreezeV2: post("/wallet/cancelallunfreezev2")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** An unsigned stake of TRX (Stake 1.0); `balance` in sun, `duration` in days. */
  freezeBalance: post("/wallet/freezebalance")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        balance: Amount,
        duration: number,
        resource: Resource,
        options?: TransactionOptions & { readonly receiverAddress?: string }
      ]
    >((owner, balance, duration, resource, options) => ({
      ownerAddress: owner,
      frozenBalance: toSun(balance),
      frozenDuration: duration,
      resource,
      ...toOptions(options)
    })),
  /** An unsigned unstake of TRX (Stake 1.0). */
  unfreezeBalance: post("/wallet/unfreezebalance")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        resource: Resource,
        options?: TransactionOptions & { readonly receiverAddress?: string }
      ]
    >((owner, resource, options) => ({ ownerAddress: owner, resource, ...toOptions(options) })),
  /** An unsigned delegation of staked resource; `balance` in sun. */
  delegateResource: post("/wallet/delegateresource")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        receiver: string,
        balance: Amount,
        resource: Resource,
        lock: boolean,
        options?: TransactionOptions
      ]
    >((owner, receiver, balance, resource, lock, options) => ({
      ownerAddress: owner,
      receiverAddress: receiver,
      balance: toSun(balance),
      resource,
      lock,
      ...toOptions(options)
    })),
  /** An unsigned end of a delegation; `balance` in sun. */
  unDelegateResource: post("/wallet/undelegateresource")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        receiver: string,
        balance: Amount,
        resource: Resource,
        lock: boolean,
        options?: TransactionOptions
      ]
    >((owner, receiver, balance, resource, lock, options) => ({
      ownerAddress: owner,
      receiverAddress: receiver,
      balance: toSun(balance),
      resource,
      lock,
      ...toOptions(options)
    })),
  /** An unsigned withdrawal of TRX whose unstaking is over. */
  withdrawExpireUnfreeze: post("/wallet/withdrawexpireunfreeze")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** An unsigned withdrawal of the rewards of a witness. */
  withdrawBalance: post("/wallet/withdrawbalance")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** How many unstakes an account may still begin. */
  getAvailableUnfreezeCount: post("/wallet/getavailableunfreezecount")
    .returns<{ readonly count: bigint }>()
    .args<[owner: string, options?: Visible]>((owner, options) => ({ ownerAddress: owner, ...options })),
  /** TRX that an account can withdraw, in sun. */
  getCanWithdrawUnfreezeAmount: post("/wallet/getcanwithdrawunfreezeamount")
    .returns<{ readonly amount: bigint }>()
    .args<[owner: string, options?: Visible & { readonly timestamp?: number }]>((owner, options) => ({
      ownerAddress: owner,
      ...options
    })),
  /** How much an account can delegate, in sun; type 0 is bandwidth, 1 energy. */
  getCanDelegatedMaxSize: post("/wallet/getcandelegatedmaxsize")
    .returns<{ readonly max_size: bigint }>()
    .args<[owner: string, type: 0 | 1, options?: Visible]>((owner, type, options) => ({
      ownerAddress: owner,
      type,
      ...options
    })),
  /** Resource delegated from one account to another (Stake 1.0). */
  getDelegatedResource: post("/wallet/getdelegatedresource")
    .returns<DelegatedResources>()
    .verbatim()
    .args<[from: string, to: string, options?: Visible]>((from, to, options) => ({
      fromAddress: from,
      toAddress: to,
      ...options
    })),
  /** Resource delegated from one account to another (Stake 2.0). */
  getDelegatedResourceV2: post("/wallet/getdelegatedresourcev2")
    .returns<DelegatedResources>()
    .verbatim()
    .args<[from: string, to: string, options?: Visible]>((from, to, options) => ({
      fromAddress: from,
      toAddress: to,
      ...options
    })),
  /** Accounts that an account has delegations with (Stake 1.0). */
  getDelegatedResourceAccountIndex: post("/wallet/getdelegatedresourceaccountindex")
    .returns<DelegationIndex>()
    .args<[account: string, options?: Visible]>((account, options) => ({ value: account, ...options })),
  /** Accounts that an account has delegations with (Stake 2.0). */
  getDelegatedResourceAccountIndexV2: post("/wallet/getdelegatedresourceaccountindexv2")
    .returns<DelegationIndex>()
    .args<[account: string, options?: Visible]>((account, options) => ({ value: account, ...options })),
  /** Block by height or hash, by default without its transactions. */
  getBlock: post("/wallet/getblock")
    .echoes({ blockID: 0, "block_header.raw_data.number": 0 })
    .returns<Block>()
    .args<[idOrNum: string, options?: { readonly detail?: boolean }]>((idOrNum, options) => ({
      idOrNum,
      ...options
    })),
  /** Block by height. */
  getBlockByNum: post("/wallet/getblockbynum")
    .echoes({ "block_header.raw_data.number": 0 })
    .returns<Block>()
    .args<[num: number]>((num) => ({ num })),
  /** Block by hash. */
  getBlockById: post("/wallet/getblockbyid")
    .bytes({ 0: hex(32) })
    .echoes({ blockID: 0 })
    .returns<Block>()
    .args<[id: string]>((id) => ({ value: id })),
  /** The newest blocks. */
  getBlockByLatestNum: post("/wallet/getblockbylatestnum")
    .returns<{ readonly block: ReadonlyArray<Block> }>()
    .args<[count: number]>((count) => ({ num: count }))
    .lists("block"),
  /** Blocks from a height, up to but without another. */
  getBlockByLimitNext: post("/wallet/getblockbylimitnext")
    .returns<{ readonly block: ReadonlyArray<Block> }>()
    .verbatim()
    .args<[start: number, end: number]>((start, end) => ({ startNum: start, endNum: end }))
    .lists("block"),
  /** The newest block. */
  getNowBlock: post("/wallet/getnowblock").returns<Block>(),
  /** Changes of balances in a block. */
  getBlockBalance: post("/wallet/getblockbalance")
    .echoes({ "block_identifier.hash": 0, "block_identifier.number": 1 })
    .returns<BlockBalance>()
    .args<[hash: string, number: Amount, options?: Visible]>((hash, number, options) => ({
      hash,
      number: toSun(number),
      ...options
    })),
  /** Transaction by id. */
  getTransactionById: post("/wallet/gettransactionbyid")
    .bytes({ 0: hex(32) })
    .echoes({ txID: 0 })
    .returns<Transaction>()
    .args<[id: string, options?: Visible]>((id, options) => ({ value: id, ...options })),
  /** Fee, block and logs of a transaction. */
  getTransactionInfoById: post("/wallet/gettransactioninfobyid")
    .bytes({ 0: hex(32) })
    .echoes({ id: 0 })
    .returns<TransactionInfo>()
    .args<[id: string]>((id) => ({ value: id }))
    .lists("contractResult"),
  /** Fees and logs of all transactions of a block. */
  getTransactionInfoByBlockNum: post("/wallet/gettransactioninfobyblocknum")
    .echoes({ "0.blockNumber": 0 })
    .returns<ReadonlyArray<TransactionInfo>>()
    .args<[num: number]>((num) => ({ num }))
    .lists(),
  /** Peers of the node. */
  listNodes: get("/wallet/listnodes").returns<{ readonly nodes?: ReadonlyArray<KnownNode> }>(),
  /** State of the node. */
  getNodeInfo: get("/wallet/getnodeinfo").returns<NodeInfo>(),
  /** Parameters of the chain that witnesses can change. */
  getChainParameters: get("/wallet/getchainparameters")
    .returns<{
      readonly chainParameter: ReadonlyArray<{ readonly key: string; readonly value?: bigint }>
    }>()
    .lists("chainParameter"),
  /** TRX burnt since the genesis, in sun. */
  getBurnTRX: get("/wallet/getburntrx").returns<{ readonly burnTrxAmount: bigint }>(),
  /** History of the price of energy: `time:sun` pairs, comma separated. */
  getEnergyPrices: get("/wallet/getenergyprices").returns<Prices>(),
  /** History of the price of bandwidth: `time:sun` pairs, comma separated. */
  getBandwidthPrices: post("/wallet/getbandwidthprices").returns<Prices>(),
  /** Contract by address, with its ABI and code. */
  getContract: post("/wallet/getcontract")
    .echoes({ contract_address: 0 })
    .returns<Contract>()
    .args<[contract: string, options?: Visible]>((contract, options) => ({ value: contract, ...options })),
  /** Contract by address, with its run-time code and state. */
  getContractInfo: post("/wallet/getcontractinfo")
    .echoes({ "smart_contract.contract_address": 0 })
    .returns<ContractInfo>()
    .args<[contract: string, options?: Visible]>((contract, options) => ({ value: contract, ...options })),
  /** An unsigned transaction that calls a contract. */
  triggerSmartContract: post("/wallet/triggersmartcontract")
    .returns<Triggered>()
    .args<
      [
        owner: string,
        contract: string,
        functionSelector: string,
        parameter: string,
        options?: TransactionOptions & { readonly feeLimit?: Amount; readonly callValue?: Amount }
      ]
    >((owner, contract, functionSelector, parameter, options) =>
      toTrigger(owner, contract, functionSelector, parameter, toOptions(options))
    ),
  /** Runs a call of a contract without a transaction. */
  triggerConstantContract: post("/wallet/triggerconstantcontract")
    .returns<Triggered>()
    .args<
      [
        owner: string,
        contract: string,
        functionSelector: string,
        parameter: string,
        options?: Visible & { readonly callValue?: Amount }
      ]
    >((owner, contract, functionSelector, parameter, options) =>
      toTrigger(owner, contract, functionSelector, parameter, options)
    ),
  /** Energy that a call of a contract would use. */
  estimateEnergy: post("/wallet/estimateenergy")
    .returns<{ readonly result: Triggered["result"]; readonly energy_required?: bigint }>()
    .args<[owner: string, contract: string, functionSelector: string, parameter: string, options?: Visible]>(
      (owner, contract, functionSelector, parameter, options) =>
        toTrigger(owner, contract, functionSelector, parameter, options)
    ),
  /** An unsigned transaction that deploys a contract. */
  deployContract: post("/wallet/deploycontract")
    .returns<UnsignedTransaction>()
    .args<[abi: string, bytecode: string, owner: string, name: string, options?: DeployOptions]>(
      (abi, bytecode, owner, name, options) => ({
        abi,
        bytecode,
        ownerAddress: owner,
        name,
        ...toOptions(options)
      })
    ),
  /** An unsigned transaction that removes the ABI of a contract. */
  clearAbi: post("/wallet/clearabi")
    .returns<UnsignedTransaction>()
    .args<[owner: string, contract: string, options?: TransactionOptions]>((owner, contract, options) => ({
      ownerAddress: owner,
      contractAddress: contract,
      ...toOptions(options)
    })),
  /** An unsigned change of the share of energy (percent) that callers pay. */
  updateSetting: post("/wallet/updatesetting")
    .returns<UnsignedTransaction>()
    .args<[owner: string, contract: string, percent: number, options?: TransactionOptions]>(
      (owner, contract, percent, options) => ({
        ownerAddress: owner,
        contractAddress: contract,
        consumeUserResourcePercent: percent,
        ...toOptions(options)
      })
    ),
  /** An unsigned change of the energy that the deployer pays at most. */
  updateEnergyLimit: post("/wallet/updateenergylimit")
    .returns<UnsignedTransaction>()
    .args<[owner: string, contract: string, limit: number, options?: TransactionOptions]>(
      (owner, contract, limit, options) => ({
        ownerAddress: owner,
        contractAddress: contract,
        originEnergyLimit: limit,
        ...toOptions(options)
      })
    ),
  /** An unsigned transaction that issues a TRC-10 token; names as hex. */
  createAssetIssue: post("/wallet/createassetissue")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        name: string,
        abbr: string,
        totalSupply: Amount,
        trxNum: number,
        num: number,
        startTime: number,
        endTime: number,
        url: string,
        options?: AssetOptions
      ]
    >((owner, name, abbr, totalSupply, trxNum, num, startTime, endTime, url, options) => ({
      ownerAddress: owner,
      name,
      abbr,
      totalSupply: toSun(totalSupply),
      trxNum,
      num,
      startTime,
      endTime,
      url,
      ...toOptions(options)
    })),
  /** An unsigned change of a TRC-10 token. */
  updateAsset: post("/wallet/updateasset")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        url: string,
        options?: TransactionOptions & {
          readonly description?: string
          readonly newLimit?: Amount
          readonly newPublicLimit?: Amount
        }
      ]
    >((owner, url, options) => ({ ownerAddress: owner, url, ...toOptions(options) })),
  /** An unsigned transfer of a TRC-10 token. */
  transferAsset: post("/wallet/transferasset")
    .returns<UnsignedTransaction>()
    .args<[owner: string, to: string, assetName: string, amount: Amount, options?: TransactionOptions]>(
      (owner, to, assetName, amount, options) => ({
        ownerAddress: owner,
        toAddress: to,
        assetName,
        amount: toSun(amount),
        ...toOptions(options)
      })
    ),
  /** An unsigned purchase in the sale of a TRC-10 token. */
  participateAssetIssue: post("/wallet/participateassetissue")
    .returns<UnsignedTransaction>()
    .args<[to: string, owner: string, assetName: string, amount: Amount, options?: TransactionOptions]>(
      (to, owner, assetName, amount, options) => ({
        toAddress: to,
        ownerAddress: owner,
        assetName,
        amount: toSun(amount),
        ...toOptions(options)
      })
    ),
  /** An unsigned release of the frozen supply of a TRC-10 token. */
  unfreezeAsset: post("/wallet/unfreezeasset")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** TRC-10 tokens that an account has issued. */
  getAssetIssueByAccount: post("/wallet/getassetissuebyaccount")
    .returns<Assets>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** TRC-10 token by id. */
  getAssetIssueById: post("/wallet/getassetissuebyid")
    .returns<Asset>()
    .args<[id: number]>((id) => ({ value: id })),
  /** TRC-10 token by name. */
  getAssetIssueByName: post("/wallet/getassetissuebyname")
    .returns<Asset>()
    .args<[name: string]>((name) => ({ value: name })),
  /** All TRC-10 tokens of a name. */
  getAssetIssueListByName: post("/wallet/getassetissuelistbyname")
    .returns<Assets>()
    .args<[name: string]>((name) => ({ value: name })),
  /** All TRC-10 tokens. */
  getAssetIssueList: post("/wallet/getassetissuelist").returns<Assets>(),
  /** TRC-10 tokens, a page at a time. */
  getPaginatedAssetIssueList: post("/wallet/getpaginatedassetissuelist")
    .returns<Assets>()
    .args<[offset: number, limit: number]>((offset, limit) => ({ offset, limit })),
  /** Witnesses (super representatives and candidates). */
  listWitnesses: get("/wallet/listwitnesses")
    .returns<{ readonly witnesses: ReadonlyArray<Witness> }>()
    .lists("witnesses"),
  /** Reward of an account that is not withdrawn yet, in sun. */
  getReward: post("/wallet/getreward")
    .returns<{ readonly reward: bigint }>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Share of its rewards (percent) that a witness keeps. */
  getBrokerage: post("/wallet/getbrokerage")
    .returns<{ readonly brokerage: bigint }>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** An unsigned vote for witnesses. */
  voteWitnessAccount: post("/wallet/votewitnessaccount")
    .returns<UnsignedTransaction>()
    .args<[owner: string, votes: ReadonlyArray<Vote>, options?: TransactionOptions]>(
      (owner, votes, options) => ({ ownerAddress: owner, votes, ...toOptions(options) })
    ),
  /** Proposals of witnesses to change the parameters of the chain. */
  listProposals: get("/wallet/listproposals")
    .returns<{ readonly proposals: ReadonlyArray<Proposal> }>()
    .lists("proposals"),
  /** Transactions waiting in the pool, by id. */
  getTransactionListFromPending: get("/wallet/gettransactionlistfrompending")
    .returns<{
      readonly txId: ReadonlyArray<string>
    }>()
    .lists("txId"),
  /** Transaction waiting in the pool. */
  getTransactionFromPending: post("/wallet/gettransactionfrompending")
    .echoes({ txID: 0 })
    .returns<Transaction>()
    .args<[id: string]>((id) => ({ value: id })),
  /** Number of transactions waiting in the pool. */
  getPendingSize: get("/wallet/getpendingsize").returns<{ readonly pendingSize: bigint }>(),
  /** Weight of the signatures of a transaction. */
  getSignWeight: post("/wallet/getsignweight")
    .returns<SignWeight>()
    .verbatim()
    .args<[transaction: SignedTransaction]>((transaction) => ({ ...transaction })),
  /** Accounts that have signed a transaction. */
  getApprovedList: post("/wallet/getapprovedlist")
    .returns<ApprovedList>()
    .verbatim()
    .args<[transaction: SignedTransaction]>((transaction) => ({ ...transaction }))
})

/**
 * The endpoints of Tron.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof Evm.endpoints & typeof walletEndpoints = merge(Evm.endpoints, walletEndpoints)

/**
 * The client of Tron.
 *
 * @since 0.1.0
 * @category clients
 */
export interface TronRpc extends Client<typeof endpoints>, RawRpc {}

const contractCalls = group(dialect, { ask: walletEndpoints.triggerConstantContract })

/** Decimals are one byte. */
const parseDecimals = (hex: string): number | undefined => {
  const value = BigInt(`0x${hex.slice(0, 64)}`)
  return value <= 255n ? Number(value) : undefined
}

/** The answer of a contract to a call without arguments: nothing if there is no contract, or none with this function. */
const callContract = (
  nodes: Client<typeof contractCalls>,
  contract: string,
  selector: string
): Effect.Effect<string | undefined, RpcCallError> =>
  nodes.ask(contract, contract, selector, "", { visible: true }).pipe(
    Effect.map(({ constant_result: [hex = ""] = [] }) => (/^([0-9a-f]{2})+$/i.test(hex) ? hex : undefined)),
    Effect.catchTag("RequestRejected", () => Effect.succeed(undefined))
  )

/** The details of a token, by its TRC-20 contract. */
const tokenDetails: ReadTokenDetails = (client, contract) => {
  const nodes = client(contractCalls)
  return Effect.gen(function* () {
    const name = yield* callContract(nodes, contract, "symbol()")
    const places = yield* callContract(nodes, contract, "decimals()")
    const symbol = name === undefined ? undefined : textOf(name)
    const decimals = places === undefined ? undefined : parseDecimals(places)
    return {
      ...(symbol === undefined ? {} : { symbol }),
      ...(decimals === undefined ? {} : { decimals })
    }
  })
}

/**
 * The family of Tron, whose nodes answer the height as EVM nodes do. An own node's url is that of its HTTP API, with the JSON-RPC
 * in /jsonrpc beside it, or that of this JSON-RPC; java-tron has the two on ports of their own, for which there is `jsonRpcUrl`.
 *
 * @since 0.1.0
 * @category families
 */
export const tron: Family<typeof endpoints, TronRpc> = {
  endpoints,
  chain: Evm.chain,
  layout: { servers: { jsonRpcUrl: { routes: /^$/, path: "/jsonrpc" } } },
  probe: () => rpcProbe("eth_blockNumber", [], [])
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^T[1-9A-HJ-NP-Za-km-z]{33}$/, "T and 33 digits of base58"],
  account: { path: "tron/account/", coins: "balance", tokens: "trc20", refusal: "Error" },
  tokenDetails
} satisfies FamilyAccounts
