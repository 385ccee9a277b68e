/**
 * Hedera: the REST API of mirror nodes (`/api/v1`). Queries are camelCase here and have dots on the wire (`accountId` is `account.id`);
 * answers keep the names of the wire. Integers are `bigint`; decimals, positions and the like are `number`. Amounts are in tinybars
 * (10^-8 HBAR) where nothing else is said.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, getProbe, type ReadNativeBalances } from "../balancer/Family.js"
import { hex0x } from "../data/bytes.js"
import { type Failure, get, group, post } from "../data/Endpoint.js"
import { isRecord, type Json } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { toFailure } from "./internal/faults.js"

/**
 * The id of an account, a contract, a token, a topic, a schedule or a file: `0.0.123`.
 *
 * @since 0.1.0
 * @category types
 */
export type EntityId = string

/**
 * A time: seconds since 1970, a point, and nine digits of nanoseconds. As a `number` it would lose digits.
 *
 * @since 0.1.0
 * @category types
 */
export type Timestamp = string

/**
 * An address of the EVM: 0x and 40 hexadecimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export type EvmAddress = string

/**
 * A value, or a comparison with one: `gte:0.0.100`, `lt:1651560386.060890949`.
 *
 * @since 0.1.0
 * @category types
 */
export type Filter = string | number | bigint

/**
 * Part of every list: the path and the query of the next page, or null behind the last one.
 *
 * @since 0.1.0
 * @category types
 */
export interface Page {
  readonly links: { readonly next: string | null }
}

/**
 * How many entries a page has (25 if not said, 100 at most), and their order.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paging {
  readonly limit?: number
  readonly order?: "asc" | "desc"
}

/**
 * When something was: one comparison, or two that make a span. Each is a text, since a `number` would lose digits.
 *
 * @since 0.1.0
 * @category types
 */
export interface AtTime {
  readonly timestamp?: string | ReadonlyArray<string>
}

/**
 * Which executions of contracts are asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface ResultFilter extends Paging, AtTime {
  readonly blockHash?: string
  readonly blockNumber?: Filter
  readonly from?: string
  /** Also those that other executions have made. */
  readonly internal?: boolean
  readonly transactionIndex?: number
}

/**
 * Which logs are asked for. Topics need a span of time.
 *
 * @since 0.1.0
 * @category types
 */
export interface LogFilter extends Paging, AtTime {
  readonly index?: Filter
  readonly topic0?: string | ReadonlyArray<string>
  readonly topic1?: string | ReadonlyArray<string>
  readonly topic2?: string | ReadonlyArray<string>
  readonly topic3?: string | ReadonlyArray<string>
}

/**
 * Which balances are asked for: by account, by amount or by key.
 *
 * @since 0.1.0
 * @category types
 */
export interface BalanceFilter extends Paging, AtTime {
  readonly accountId?: Filter
  readonly accountBalance?: Filter
  readonly accountPublickey?: string
}

/**
 * An account. Amounts are in tinybars; what a node does not know is null.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountInfo {
  readonly account: EntityId | null
  readonly alias: string | null
  readonly auto_renew_period: bigint | null
  readonly balance: Balance | null
  readonly created_timestamp: Timestamp | null
  readonly decline_reward: boolean
  readonly delegation_address: EvmAddress | null
  readonly deleted: boolean | null
  readonly ethereum_nonce: bigint | null
  readonly evm_address: EvmAddress | null
  readonly expiry_timestamp: Timestamp | null
  readonly key: Key | null
  readonly max_automatic_token_associations: number | null
  readonly memo: string | null
  readonly pending_reward?: bigint
  readonly receiver_sig_required: boolean | null
  readonly staked_account_id: EntityId | null
  readonly staked_node_id: bigint | null
  readonly stake_period_start: Timestamp | null
}

/**
 * A balance with the time it was at: tinybars, and tokens in their smallest units.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balance {
  readonly timestamp: Timestamp | null
  readonly balance: bigint | null
  readonly tokens: ReadonlyArray<{ readonly token_id: EntityId | null; readonly balance: bigint }>
}

/**
 * A key: one, or a list or threshold of keys as Protobuf (`ProtobufEncoded`).
 *
 * @since 0.1.0
 * @category types
 */
export interface Key {
  readonly _type: "ECDSA_SECP256K1" | "ED25519" | "ProtobufEncoded"
  readonly key: string
}

/**
 * An account with a page of its transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountWithTransactions extends AccountInfo, Page {
  readonly transactions: ReadonlyArray<Transaction>
}

/**
 * A transaction. `charged_tx_fee` and `transfers` are in tinybars.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly batch_key: Key | null
  readonly bytes: string | null
  readonly charged_tx_fee: bigint
  readonly consensus_timestamp: Timestamp
  readonly entity_id: EntityId | null
  readonly high_volume: boolean
  readonly high_volume_pricing_multiplier: bigint | null
  readonly max_custom_fees: ReadonlyArray<CustomFeeLimit>
  readonly max_fee: string
  readonly memo_base64: string | null
  readonly name: TransactionType
  readonly nft_transfers: ReadonlyArray<{
    readonly is_approval: boolean
    readonly receiver_account_id: EntityId | null
    readonly sender_account_id: EntityId | null
    readonly serial_number: bigint
    readonly token_id: EntityId | null
  }>
  readonly node: EntityId | null
  readonly nonce: bigint
  readonly parent_consensus_timestamp: Timestamp | null
  readonly result: string
  readonly scheduled: boolean
  readonly staking_reward_transfers: ReadonlyArray<StakingRewardTransfer>
  readonly token_transfers: ReadonlyArray<{
    readonly token_id: EntityId | null
    readonly account: EntityId | null
    readonly amount: bigint
    readonly is_approval?: boolean
  }>
  readonly transaction_hash: string
  readonly transaction_id: string
  readonly transfers: ReadonlyArray<{
    readonly account: EntityId | null
    readonly amount: bigint
    readonly is_approval?: boolean
  }>
  readonly valid_duration_seconds: string
  readonly valid_start_timestamp: Timestamp
}

/**
 * The most that a payer gives for custom fees.
 *
 * @since 0.1.0
 * @category types
 */
export interface CustomFeeLimit {
  readonly account_id: EntityId | null
  readonly amount: bigint
  readonly denominating_token_id: EntityId | null
}

/**
 * The type of a transaction. Newer networks have more.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionType =
  | "ATOMICBATCH"
  | "CONSENSUSCREATETOPIC"
  | "CONSENSUSDELETETOPIC"
  | "CONSENSUSSUBMITMESSAGE"
  | "CONSENSUSUPDATETOPIC"
  | "CONTRACTCALL"
  | "CONTRACTCREATEINSTANCE"
  | "CONTRACTDELETEINSTANCE"
  | "CONTRACTUPDATEINSTANCE"
  | "CRSPUBLICATION"
  | "CRYPTOADDLIVEHASH"
  | "CRYPTOAPPROVEALLOWANCE"
  | "CRYPTOCREATEACCOUNT"
  | "CRYPTODELETE"
  | "CRYPTODELETEALLOWANCE"
  | "CRYPTODELETELIVEHASH"
  | "CRYPTOTRANSFER"
  | "CRYPTOUPDATEACCOUNT"
  | "ETHEREUMTRANSACTION"
  | "FILEAPPEND"
  | "FILECREATE"
  | "FILEDELETE"
  | "FILEUPDATE"
  | "FREEZE"
  | "HINTSKEYPUBLICATION"
  | "HINTSPARTIALSIGNATURE"
  | "HINTSPREPROCESSINGVOTE"
  | "HISTORYPROOFKEYPUBLICATION"
  | "HISTORYPROOFSIGNATURE"
  | "HISTORYPROOFVOTE"
  | "HOOKSTORE"
  | "LEDGERIDPUBLICATION"
  | "MIGRATIONROOTHASHVOTE"
  | "NODECREATE"
  | "NODEDELETE"
  | "NODESTAKEUPDATE"
  | "NODEUPDATE"
  | "REGISTEREDNODECREATE"
  | "REGISTEREDNODEDELETE"
  | "REGISTEREDNODEUPDATE"
  | "SCHEDULECREATE"
  | "SCHEDULEDELETE"
  | "SCHEDULESIGN"
  | "STATESIGNATURETRANSACTION"
  | "SYSTEMDELETE"
  | "SYSTEMUNDELETE"
  | "TOKENAIRDROP"
  | "TOKENASSOCIATE"
  | "TOKENBURN"
  | "TOKENCANCELAIRDROP"
  | "TOKENCLAIMAIRDROP"
  | "TOKENCREATION"
  | "TOKENDELETION"
  | "TOKENDISSOCIATE"
  | "TOKENFEESCHEDULEUPDATE"
  | "TOKENFREEZE"
  | "TOKENGRANTKYC"
  | "TOKENMINT"
  | "TOKENPAUSE"
  | "TOKENREJECT"
  | "TOKENREVOKEKYC"
  | "TOKENUNFREEZE"
  | "TOKENUNPAUSE"
  | "TOKENUPDATE"
  | "TOKENUPDATENFTS"
  | "TOKENWIPE"
  | "UNCHECKEDSUBMIT"
  | "UTILPRNG"
  | (string & {})

/**
 * A reward for staking that a transaction has paid, in tinybars.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakingRewardTransfer {
  readonly account: EntityId | null
  readonly amount: bigint
}

/**
 * A hook of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface Hook {
  readonly admin_key: Key | null
  readonly contract_id: EntityId | null
  readonly created_timestamp: Timestamp | null
  readonly deleted: boolean
  readonly extension_point: "ACCOUNT_ALLOWANCE_HOOK"
  readonly hook_id: bigint
  readonly owner_id: EntityId | null
  readonly timestamp_range: TimestampRange | null
  readonly type: "EVM"
}

/**
 * A span of time: from the first moment up to, and without, the last one; null if it has not ended.
 *
 * @since 0.1.0
 * @category types
 */
export interface TimestampRange {
  readonly from: Timestamp
  readonly to: Timestamp | null
}

/**
 * A page of the storage of a hook.
 *
 * @since 0.1.0
 * @category types
 */
export interface HookStorages extends Page {
  readonly hook_id: bigint
  readonly owner_id: EntityId | null
  readonly storage: ReadonlyArray<HookStorage>
}

/**
 * A slot of the storage of a hook.
 *
 * @since 0.1.0
 * @category types
 */
export interface HookStorage {
  readonly key: string
  readonly value: string | null
  readonly timestamp: Timestamp
}

/**
 * An item of a non-fungible token. Its metadata is in Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Nft {
  readonly account_id: EntityId | null
  readonly created_timestamp: Timestamp | null
  readonly delegating_spender: EntityId | null
  readonly deleted: boolean
  readonly metadata: string
  readonly modified_timestamp: Timestamp | null
  readonly serial_number: bigint
  readonly spender: EntityId | null
  readonly token_id: EntityId | null
}

/**
 * A reward for staking, in tinybars.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakingReward {
  readonly account_id: EntityId | null
  readonly amount: bigint
  readonly timestamp: Timestamp
}

/**
 * A token that an account is associated with, and its balance in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenRelationship {
  readonly automatic_association: boolean | null
  readonly balance: bigint
  readonly created_timestamp: Timestamp | null
  readonly decimals: number | null
  readonly freeze_status: "NOT_APPLICABLE" | "FROZEN" | "UNFROZEN" | null
  readonly kyc_status: "NOT_APPLICABLE" | "GRANTED" | "REVOKED"
  readonly token_id: EntityId | null
}

/**
 * Tokens that an account has sent and the receiver has not claimed.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenAirdrop {
  readonly amount: bigint
  readonly receiver_id: EntityId | null
  readonly sender_id: EntityId | null
  readonly serial_number?: bigint | null
  readonly timestamp: TimestampRange
  readonly token_id: EntityId | null
}

/**
 * An amount that another account may spend, and what is left of it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Allowance {
  readonly amount: bigint
  readonly amount_granted: bigint
  readonly owner: EntityId | null
  readonly spender: EntityId | null
  readonly timestamp: TimestampRange
}

/**
 * An amount of a token that another account may spend.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenAllowance extends Allowance {
  readonly token_id: EntityId | null
}

/**
 * Whether another account may spend all items of a non-fungible token.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftAllowance {
  readonly approved_for_all: boolean
  readonly owner: EntityId | null
  readonly spender: EntityId | null
  readonly timestamp: TimestampRange
  readonly token_id: EntityId | null
}

/**
 * A page of balances with the time they were at.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balances extends Page {
  readonly timestamp: Timestamp | null
  readonly balances: ReadonlyArray<AccountBalance>
}

/**
 * The balance of an account: tinybars, and tokens in their smallest units.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountBalance {
  readonly account: EntityId | null
  readonly balance: bigint
  readonly tokens: ReadonlyArray<TokenBalance>
}

/**
 * The balance of a token, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenBalance {
  readonly token_id: EntityId | null
  readonly balance: bigint
}

/**
 * A block: a record file of the consensus nodes, with the span of time that its transactions are of.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly count: bigint
  readonly gas_used: bigint | null
  readonly hapi_version: string | null
  readonly hash: string
  readonly logs_bloom: string | null
  readonly name: string
  readonly number: bigint
  readonly previous_hash: string
  readonly size: bigint | null
  readonly timestamp: TimestampRange
}

/**
 * What a contract answers a call with.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractCallResponse {
  readonly result: string
}

/**
 * A contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface Contract {
  readonly admin_key: Key | null
  readonly auto_renew_account: EntityId | null
  readonly auto_renew_period: bigint | null
  readonly contract_id: EntityId | null
  readonly created_timestamp: Timestamp | null
  readonly deleted: boolean
  readonly evm_address: EvmAddress
  readonly expiration_timestamp: Timestamp | null
  readonly file_id: EntityId | null
  readonly max_automatic_token_associations: number | null
  readonly memo: string
  readonly nonce: bigint | null
  readonly obtainer_id: EntityId | null
  readonly permanent_removal: boolean | null
  readonly proxy_account_id: EntityId | null
  readonly timestamp: TimestampRange
}

/**
 * A contract with its bytecode.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractWithBytecode extends Contract {
  readonly bytecode: string | null
  readonly runtime_bytecode: string | null
}

/**
 * The execution of a contract. `amount` is in tinybars, or in weibars with `hbar: false`.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractResult {
  readonly access_list: ReadonlyArray<AccessList>
  readonly address: string | null
  readonly authorization_list: ReadonlyArray<AuthorizationList>
  readonly amount: bigint | null
  readonly block_gas_used: bigint | null
  readonly block_hash: string | null
  readonly block_number: bigint | null
  readonly bloom: string | null
  readonly call_result: string | null
  readonly chain_id: string | null
  readonly contract_id: EntityId | null
  readonly created_contract_ids: ReadonlyArray<EntityId | null> | null
  readonly error_message: string | null
  readonly failed_initcode: string | null
  readonly from: EvmAddress | null
  readonly function_parameters: string | null
  readonly gas_consumed: bigint | null
  readonly gas_limit: bigint
  readonly gas_price: string | null
  readonly gas_used: bigint | null
  readonly hash: string
  readonly max_fee_per_gas: string | null
  readonly max_priority_fee_per_gas: string | null
  readonly nonce: bigint | null
  readonly r: string | null
  readonly result: string
  readonly s: string | null
  readonly status: string
  readonly timestamp: Timestamp
  readonly to: EvmAddress | null
  readonly transaction_index: number | null
  readonly type: number | null
  readonly v: number | null
}

/**
 * Slots of storage that a transaction has announced.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccessList {
  readonly address: string
  readonly storage_keys: ReadonlyArray<string>
}

/**
 * An authorization of EIP-7702.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuthorizationList {
  readonly address: string
  readonly chain_id: string
  readonly nonce: bigint
  readonly r: string
  readonly s: string
  readonly y_parity: string
}

/**
 * A slot of the storage of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractState {
  readonly address: EvmAddress
  readonly contract_id: EntityId | null
  readonly timestamp: Timestamp
  readonly slot: string
  readonly value: string
}

/**
 * The execution of a contract with its logs and changes of state.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractResultDetails extends ContractResult {
  readonly logs: ReadonlyArray<ContractResultLog>
  readonly state_changes: ReadonlyArray<ContractResultStateChange>
}

/**
 * A log of an execution.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractResultLog {
  readonly address: string
  readonly bloom: string | null
  readonly contract_id: EntityId | null
  readonly data: string | null
  readonly index: number
  readonly topics: ReadonlyArray<string>
}

/**
 * A slot of storage that an execution has read, and perhaps written.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractResultStateChange {
  readonly address: EvmAddress
  readonly contract_id: EntityId | null
  readonly slot: string
  readonly value_read: string
  readonly value_written: string | null
}

/**
 * A call within an execution.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractAction {
  readonly call_depth: number
  readonly call_operation_type:
    | "CALL"
    | "CALLCODE"
    | "CREATE"
    | "CREATE2"
    | "DELEGATECALL"
    | "STATICCALL"
    | "UNKNOWN"
  readonly call_type: "NO_ACTION" | "CALL" | "CREATE" | "PRECOMPILE" | "SYSTEM"
  readonly caller: EntityId | null
  readonly caller_type: "ACCOUNT" | "CONTRACT"
  readonly from: string
  readonly gas: bigint
  readonly gas_used: bigint
  readonly index: number
  readonly input: string | null
  readonly recipient: EntityId | null
  readonly recipient_type: "ACCOUNT" | "CONTRACT" | null
  readonly result_data: string | null
  readonly result_data_type: "OUTPUT" | "REVERT_REASON" | "ERROR"
  readonly timestamp: Timestamp
  readonly to: EvmAddress | null
  readonly value: bigint
}

/**
 * An execution, step by step.
 *
 * @since 0.1.0
 * @category types
 */
export interface Opcodes {
  readonly address: string
  readonly contract_id: EntityId | null
  readonly failed: boolean
  readonly gas: bigint
  readonly opcodes: ReadonlyArray<Opcode>
  readonly return_value: string
}

/**
 * A step of an execution.
 *
 * @since 0.1.0
 * @category types
 */
export interface Opcode {
  readonly depth: number
  readonly gas: bigint
  readonly gas_cost: bigint
  readonly memory: ReadonlyArray<string> | null
  readonly op: string
  readonly pc: number
  readonly reason?: string | null
  readonly stack: ReadonlyArray<string> | null
  readonly storage: { readonly [name: string]: string } | null
}

/**
 * A log with its place on the chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractLog extends ContractResultLog {
  readonly block_hash: string
  readonly block_number: bigint
  readonly root_contract_id: EntityId | null
  readonly timestamp: Timestamp
  readonly transaction_hash: string
  readonly transaction_index: number | null
}

/**
 * The exchange rates that fees go by, now and next.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExchangeRates {
  readonly current_rate: ExchangeRate
  readonly next_rate: ExchangeRate
  readonly timestamp: Timestamp
}

/**
 * So many tinybars are worth so many US cents (both times 10^8), until a time in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExchangeRate {
  readonly cent_equivalent: number
  readonly expiration_time: bigint
  readonly hbar_equivalent: number
}

/**
 * Prices of gas by type of transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkFees {
  readonly fees: ReadonlyArray<NetworkFee>
  readonly timestamp: Timestamp
}

/**
 * The price of gas of a type of transaction, in tinybars.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkFee {
  readonly gas: bigint
  readonly transaction_type: string
}

/**
 * The estimated fee of a transaction, in tinycents (10^-8 US cents).
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeEstimates {
  readonly high_volume_multiplier: bigint
  readonly network: FeeEstimateNetwork
  readonly node: FeeEstimate
  readonly service: FeeEstimate
  readonly total: bigint
}

/**
 * The part of the network in a fee: the part of the node, so many times.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeEstimateNetwork {
  readonly multiplier: number
  readonly subtotal: bigint
}

/**
 * A part of a fee.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeEstimate {
  readonly base: bigint
  readonly extras: ReadonlyArray<FeeExtra>
}

/**
 * What is paid beside the base of a part of a fee.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeExtra {
  readonly charged: bigint
  readonly count: bigint
  readonly fee_per_unit: bigint
  readonly included: bigint
  readonly name: string
  readonly subtotal: bigint
}

/**
 * A consensus node. Stakes and rewards are in tinybars.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkNode {
  readonly admin_key: Key | null
  readonly associated_registered_nodes: ReadonlyArray<bigint>
  readonly decline_reward: boolean | null
  readonly description: string | null
  readonly file_id: EntityId | null
  readonly grpc_proxy_endpoint: ServiceEndpoint
  readonly max_stake: bigint | null
  readonly memo: string | null
  readonly min_stake: bigint | null
  readonly node_account_id: EntityId | null
  readonly node_id: bigint
  readonly node_cert_hash: string | null
  readonly public_key: string | null
  readonly reward_rate_start: bigint | null
  readonly service_endpoints: ReadonlyArray<ServiceEndpoint>
  readonly stake: bigint | null
  readonly stake_not_rewarded: bigint | null
  readonly stake_rewarded: bigint | null
  readonly staking_period: TimestampRange | null
  readonly timestamp: TimestampRange
}

/**
 * The address of a service of a consensus node.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServiceEndpoint {
  readonly domain_name: string
  readonly ip_address_v4: string
  readonly port: number
}

/**
 * A registered node, which serves others than the consensus.
 *
 * @since 0.1.0
 * @category types
 */
export interface RegisteredNode {
  readonly admin_key: Key | null
  readonly created_timestamp: Timestamp | null
  readonly description: string | null
  readonly registered_node_id: bigint
  readonly service_endpoints: ReadonlyArray<RegisteredServiceEndpoint>
  readonly timestamp: TimestampRange
}

/**
 * The address of a registered service, and what it serves.
 *
 * @since 0.1.0
 * @category types
 */
export interface RegisteredServiceEndpoint {
  readonly block_node: RegisteredBlockNodeEndpoint | null
  readonly domain_name?: string | null
  readonly general_service: RegisteredGeneralServiceEndpoint | null
  readonly ip_address?: string | null
  readonly mirror_node: RegisteredMirrorNodeEndpoint | null
  readonly port: number
  readonly requires_tls: boolean
  readonly rpc_relay: RegisteredRpcRelayEndpoint | null
  readonly type: RegisteredNodeType
}

/**
 * What a block node serves.
 *
 * @since 0.1.0
 * @category types
 */
export interface RegisteredBlockNodeEndpoint {
  readonly endpoint_apis: ReadonlyArray<RegisteredBlockNodeApi>
}

/**
 * What a block node can be asked for.
 *
 * @since 0.1.0
 * @category types
 */
export type RegisteredBlockNodeApi =
  | "OTHER"
  | "STATUS"
  | "PUBLISH"
  | "SUBSCRIBE_STREAM"
  | "STATE_PROOF"
  | "UNRECOGNIZED"

/**
 * What a service of another kind serves.
 *
 * @since 0.1.0
 * @category types
 */
export interface RegisteredGeneralServiceEndpoint {
  readonly description: string
}

/**
 * A mirror node, of which nothing more is told.
 *
 * @since 0.1.0
 * @category types
 */
export type RegisteredMirrorNodeEndpoint = { readonly [name: string]: Json }

/**
 * A JSON-RPC relay, of which nothing more is told.
 *
 * @since 0.1.0
 * @category types
 */
export type RegisteredRpcRelayEndpoint = { readonly [name: string]: Json }

/**
 * The kind of a registered node.
 *
 * @since 0.1.0
 * @category types
 */
export type RegisteredNodeType = "BLOCK_NODE" | "GENERAL_SERVICE" | "MIRROR_NODE" | "RPC_RELAY"

/**
 * The state of staking. Amounts are in tinybars.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkStake {
  readonly max_stake_rewarded: bigint
  readonly max_staking_reward_rate_per_hbar: bigint
  readonly max_total_reward: bigint
  readonly node_reward_fee_fraction: number
  readonly reserved_staking_rewards: bigint
  readonly reward_balance_threshold: bigint
  readonly stake_total: bigint
  readonly staking_period: TimestampRange
  readonly staking_period_duration: bigint
  readonly staking_periods_stored: bigint
  readonly staking_reward_fee_fraction: number
  readonly staking_reward_rate: bigint
  readonly staking_start_threshold: bigint
  readonly unreserved_staking_reward_balance: bigint
}

/**
 * The supply of the coin, in tinybars as decimal strings.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkSupply {
  readonly released_supply: string
  readonly timestamp: Timestamp
  readonly total_supply: string
}

/**
 * A transaction that waits for signatures or for its time. Its body is Protobuf in Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Schedule {
  readonly admin_key: Key | null
  readonly consensus_timestamp: Timestamp
  readonly creator_account_id: EntityId | null
  readonly deleted: boolean
  readonly executed_timestamp: Timestamp | null
  readonly expiration_time: Timestamp | null
  readonly memo: string
  readonly payer_account_id: EntityId | null
  readonly schedule_id: EntityId | null
  readonly signatures: ReadonlyArray<ScheduleSignature>
  readonly transaction_body: string
  readonly wait_for_expiry: boolean
}

/**
 * A signature of a scheduled transaction, in Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScheduleSignature {
  readonly consensus_timestamp: Timestamp
  readonly public_key_prefix: string
  readonly signature: string
  readonly type: "CONTRACT" | "ED25519" | "RSA_3072" | "ECDSA_384" | "ECDSA_SECP256K1" | "UNKNOWN"
}

/**
 * A transaction with the custom fees that it has paid.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionDetail extends Transaction {
  readonly assessed_custom_fees: ReadonlyArray<AssessedCustomFee>
}

/**
 * A custom fee that a transaction has paid.
 *
 * @since 0.1.0
 * @category types
 */
export interface AssessedCustomFee {
  readonly amount: bigint
  readonly collector_account_id: EntityId | null
  readonly effective_payer_account_ids: ReadonlyArray<EntityId | null>
  readonly token_id: EntityId | null
}

/**
 * A topic.
 *
 * @since 0.1.0
 * @category types
 */
export interface Topic {
  readonly admin_key: Key | null
  readonly auto_renew_account: EntityId | null
  readonly auto_renew_period: bigint | null
  readonly created_timestamp: Timestamp | null
  readonly custom_fees: ConsensusCustomFees
  readonly deleted: boolean | null
  readonly fee_exempt_key_list: ReadonlyArray<Key | null>
  readonly fee_schedule_key: Key | null
  readonly memo: string
  readonly submit_key: Key | null
  readonly timestamp: TimestampRange
  readonly topic_id: EntityId | null
}

/**
 * The fees of a topic.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusCustomFees {
  readonly created_timestamp: Timestamp
  readonly fixed_fees: ReadonlyArray<FixedCustomFee>
}

/**
 * A fixed fee of a topic.
 *
 * @since 0.1.0
 * @category types
 */
export interface FixedCustomFee {
  readonly amount: bigint
  readonly collector_account_id: EntityId | null
  readonly denominating_token_id: EntityId | null
}

/**
 * A message of a topic, in Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface TopicMessage {
  readonly chunk_info?: ChunkInfo | null
  readonly consensus_timestamp: Timestamp
  readonly message: string
  readonly payer_account_id: EntityId | null
  readonly running_hash: string
  readonly running_hash_version: number
  readonly sequence_number: bigint
  readonly topic_id: EntityId | null
}

/**
 * The place of a message that was sent in several parts.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChunkInfo {
  readonly initial_transaction_id: TransactionId
  readonly number: number
  readonly total: number
}

/**
 * The parts of the id of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionId {
  readonly account_id: EntityId | null
  readonly nonce: bigint | null
  readonly scheduled: boolean | null
  readonly transaction_valid_start: Timestamp
}

/**
 * A token in short.
 *
 * @since 0.1.0
 * @category types
 */
export interface Token {
  readonly admin_key: Key | null
  readonly decimals: number
  readonly metadata?: string
  readonly name: string
  readonly symbol: string
  readonly token_id: EntityId | null
  readonly type: string
}

/**
 * A token. Supplies are decimal strings in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenInfo {
  readonly admin_key: Key | null
  readonly auto_renew_account: EntityId | null
  readonly auto_renew_period: bigint | null
  readonly created_timestamp: Timestamp
  readonly decimals: string
  readonly deleted: boolean | null
  readonly expiry_timestamp: bigint | null
  readonly fee_schedule_key: Key | null
  readonly freeze_default: boolean
  readonly freeze_key: Key | null
  readonly initial_supply: string
  readonly kyc_key: Key | null
  readonly max_supply: string
  readonly metadata: string
  readonly metadata_key: Key | null
  readonly modified_timestamp: Timestamp
  readonly name: string
  readonly memo: string
  readonly pause_key: Key | null
  readonly pause_status: "NOT_APPLICABLE" | "PAUSED" | "UNPAUSED"
  readonly supply_key: Key | null
  readonly supply_type: "FINITE" | "INFINITE"
  readonly symbol: string
  readonly token_id: EntityId | null
  readonly total_supply: string
  readonly treasury_account_id: EntityId | null
  readonly type: "FUNGIBLE_COMMON" | "NON_FUNGIBLE_UNIQUE"
  readonly wipe_key: Key | null
  readonly custom_fees: CustomFees
}

/**
 * The fees of a token.
 *
 * @since 0.1.0
 * @category types
 */
export interface CustomFees {
  readonly created_timestamp: Timestamp
  readonly fixed_fees: ReadonlyArray<FixedFee>
  readonly fractional_fees: ReadonlyArray<FractionalFee>
  readonly royalty_fees: ReadonlyArray<RoyaltyFee>
}

/**
 * A fixed fee of a token.
 *
 * @since 0.1.0
 * @category types
 */
export interface FixedFee {
  readonly all_collectors_are_exempt: boolean
  readonly amount: bigint
  readonly collector_account_id: EntityId | null
  readonly denominating_token_id: EntityId | null
}

/**
 * A fee that is a fraction of what is transferred.
 *
 * @since 0.1.0
 * @category types
 */
export interface FractionalFee {
  readonly all_collectors_are_exempt: boolean
  readonly amount: { readonly numerator: bigint; readonly denominator: bigint }
  readonly collector_account_id: EntityId | null
  readonly denominating_token_id: EntityId | null
  readonly maximum: bigint | null
  readonly minimum: bigint
  readonly net_of_transfers: boolean
}

/**
 * A fee that is a fraction of what is paid for an item.
 *
 * @since 0.1.0
 * @category types
 */
export interface RoyaltyFee {
  readonly all_collectors_are_exempt: boolean
  readonly amount: { readonly numerator: bigint; readonly denominator: bigint }
  readonly collector_account_id: EntityId | null
  readonly fallback_fee: { readonly amount: bigint; readonly denominating_token_id: EntityId | null } | null
}

/**
 * A page of the balances of a token with the time they were at.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenBalances extends Page {
  readonly timestamp: Timestamp | null
  readonly balances: ReadonlyArray<{
    readonly account: EntityId | null
    readonly balance: bigint
    readonly decimals: number | null
  }>
}

/**
 * A transfer of an item.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftTransactionTransfer {
  readonly consensus_timestamp: Timestamp
  readonly is_approval: boolean
  readonly nonce: bigint
  readonly receiver_account_id: EntityId | null
  readonly sender_account_id: EntityId | null
  readonly transaction_id: string
  readonly type: TransactionType
}

/** Fields that are a `number` wherever they stand: none of them can be above 2^53, and some of them are fractions. */
const numbers: ReadonlyArray<string> = [
  "**.call_depth",
  "**.cent_equivalent",
  "**.chunk_info.number",
  "**.chunk_info.total",
  "**.decimals",
  "**.depth",
  "**.hbar_equivalent",
  "**.index",
  "**.initial_transaction_id.nonce",
  "**.max_automatic_token_associations",
  "**.multiplier",
  "**.node_reward_fee_fraction",
  "**.pc",
  "**.port",
  "**.running_hash_version",
  "**.staking_reward_fee_fraction",
  "**.transaction_index",
  "**.type",
  "**.v"
]

/** The texts in `_status.messages`: what is wrong, and a detail where there is one. */
const readMessages = (answer: unknown): ReadonlyArray<string> => {
  const status = isRecord(answer) ? answer._status : undefined
  const messages = isRecord(status) ? status.messages : undefined
  if (!Array.isArray(messages)) return []
  return messages.flatMap((each: unknown) => {
    if (!isRecord(each) || typeof each.message !== "string") return []
    return [
      typeof each.detail === "string" && each.detail !== "" ? `${each.message}: ${each.detail}` : each.message
    ]
  })
}

/**
 * A mirror node says 404 of what the network has not, and of what it has not read yet, or does not keep: only other nodes can tell.
 */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const messages = readMessages(answer)
  return messages.length === 0
    ? undefined
    : toFailure(messages.join("; "), status, status === 404 ? "elsewhere" : "caller")
}

/**
 * Ids are compared in their whole form alone, and hashes: nodes take `123`, an alias and an EVM address for `0.0.123`, and times without
 * their zeros.
 */
const canonical = (text: string): string | undefined =>
  /^(\d+\.\d+\.\d+|0x[\da-f]{64})$/i.test(text) ? text : undefined

const dialect = {
  prefix: "/api/v1",
  query: "dot",
  integers: bigintIntegers,
  numbers,
  canonical,
  failure
} as const

const getAccount = get("/accounts/{account}")
  .query<Paging & AtTime & { readonly transactiontype?: TransactionType; readonly transactions?: boolean }>()
  .returns<AccountWithTransactions>()
  .lists("transactions")
  .echoes({ account: "account" })

/**
 * The endpoints of a mirror node. `account` is an id, an alias or an EVM address, `contract` an id or an EVM address.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(dialect, {
  /** Accounts, all or by id, balance or key. */
  getAccounts: get("/accounts")
    .query<
      Paging & {
        readonly accountBalance?: Filter
        readonly accountId?: Filter
        readonly accountPublickey?: string
        readonly balance?: boolean
      }
    >()
    .returns<Page & { readonly accounts: ReadonlyArray<AccountInfo> }>()
    .lists("accounts"),
  /** Account with a page of its transactions; `transactions: false` leaves them out. */
  getAccount,
  /** Hooks of an account. */
  getAccountHooks: get("/accounts/{account}/hooks")
    .query<Paging & { readonly hookId?: Filter }>()
    .returns<Page & { readonly hooks: ReadonlyArray<Hook> }>()
    .lists("hooks"),
  /** Storage of a hook. */
  getAccountHookStorage: get("/accounts/{account}/hooks/{hookId}/storage")
    .query<Paging & AtTime & { readonly key?: string | ReadonlyArray<string> }>()
    .returns<HookStorages>()
    .lists("storage"),
  /** Items of non-fungible tokens that an account holds. */
  getAccountNfts: get("/accounts/{account}/nfts")
    .query<
      Paging & { readonly serialnumber?: Filter; readonly spenderId?: Filter; readonly tokenId?: Filter }
    >()
    .returns<Page & { readonly nfts: ReadonlyArray<Nft> }>()
    .lists("nfts"),
  /** Rewards for staking that an account was paid. */
  getAccountRewards: get("/accounts/{account}/rewards")
    .query<Paging & AtTime>()
    .returns<Page & { readonly rewards: ReadonlyArray<StakingReward> }>()
    .lists("rewards"),
  /** Tokens that an account is associated with, and its balances. */
  getAccountTokens: get("/accounts/{account}/tokens")
    .query<Paging & { readonly tokenId?: Filter }>()
    .returns<Page & { readonly tokens: ReadonlyArray<TokenRelationship> }>()
    .lists("tokens"),
  /** Airdrops that an account has sent, and nobody has claimed. */
  getAccountOutstandingAirdrops: get("/accounts/{account}/airdrops/outstanding")
    .query<
      Paging & { readonly receiverId?: Filter; readonly serialnumber?: Filter; readonly tokenId?: Filter }
    >()
    .returns<Page & { readonly airdrops: ReadonlyArray<TokenAirdrop> }>()
    .lists("airdrops"),
  /** Airdrops that an account may claim. */
  getAccountPendingAirdrops: get("/accounts/{account}/airdrops/pending")
    .query<
      Paging & { readonly senderId?: Filter; readonly serialnumber?: Filter; readonly tokenId?: Filter }
    >()
    .returns<Page & { readonly airdrops: ReadonlyArray<TokenAirdrop> }>()
    .lists("airdrops"),
  /** Tinybars of an account that others may spend. */
  getAccountCryptoAllowances: get("/accounts/{account}/allowances/crypto")
    .query<Paging & { readonly spenderId?: Filter }>()
    .returns<Page & { readonly allowances: ReadonlyArray<Allowance> }>()
    .lists("allowances"),
  /** Tokens of an account that others may spend. */
  getAccountTokenAllowances: get("/accounts/{account}/allowances/tokens")
    .query<Paging & { readonly spenderId?: Filter; readonly tokenId?: Filter }>()
    .returns<Page & { readonly allowances: ReadonlyArray<TokenAllowance> }>()
    .lists("allowances"),
  /** Non-fungible tokens of an account that others may spend; with `owner: false` those of others that it may spend. */
  getAccountNftAllowances: get("/accounts/{account}/allowances/nfts")
    .query<Paging & { readonly accountId?: Filter; readonly owner?: boolean; readonly tokenId?: Filter }>()
    .returns<Page & { readonly allowances: ReadonlyArray<NftAllowance> }>()
    .lists("allowances"),
  /** Balances of accounts, as of the last of the network's regular snapshots. */
  getBalances: get("/balances").query<BalanceFilter>().returns<Balances>().lists("balances"),
  /** Blocks. */
  getBlocks: get("/blocks")
    .query<Paging & AtTime & { readonly blockNumber?: Filter }>()
    .returns<Page & { readonly blocks: ReadonlyArray<Block> }>()
    .lists("blocks"),
  /** Block by its hash or its number. */
  getBlock: get("/blocks/{hashOrNumber}").returns<Block>(),
  /** Calls a contract without a transaction, or estimates its gas. */
  callContract: post("/contracts/call")
    .body<{
      /** Number of a block, or `latest` (the default), `pending` or `earliest`. */
      readonly block?: string
      readonly data?: string | Uint8Array
      readonly estimate?: boolean
      readonly from?: EvmAddress
      readonly gas?: number | bigint
      readonly gasPrice?: number | bigint
      readonly to?: EvmAddress
      readonly value?: number | bigint
    }>()
    .bytes({ data: hex0x(), from: hex0x(20), to: hex0x(20) })
    .returns<ContractCallResponse>(),
  /** Contracts. */
  getContracts: get("/contracts")
    .query<Paging & { readonly contractId?: Filter }>()
    .returns<Page & { readonly contracts: ReadonlyArray<Contract> }>()
    .lists("contracts"),
  /** Contract with its bytecode. */
  getContract: get("/contracts/{contract}")
    .query<AtTime>()
    .returns<ContractWithBytecode>()
    .echoes({ contract_id: "contract" }),
  /** Executions of a contract. */
  getContractResults: get("/contracts/{contract}/results")
    .query<ResultFilter>()
    .returns<Page & { readonly results: ReadonlyArray<ContractResult> }>()
    .lists("results"),
  /** Storage of a contract. */
  getContractState: get("/contracts/{contract}/state")
    .query<Paging & AtTime & { readonly slot?: string | ReadonlyArray<string> }>()
    .returns<Page & { readonly state: ReadonlyArray<ContractState> }>()
    .lists("state"),
  /** Execution of a contract by its time. */
  getContractResultAt: get("/contracts/{contract}/results/{timestamp}")
    .query<{ readonly hbar?: boolean }>()
    .returns<ContractResultDetails>()
    .lists("access_list", "authorization_list", "logs", "state_changes"),
  /** Executions of all contracts. */
  getResults: get("/contracts/results")
    .query<ResultFilter & { readonly hbar?: boolean }>()
    .returns<Page & { readonly results: ReadonlyArray<ContractResult> }>()
    .lists("results"),
  /** Execution by the id of its transaction or its hash as of Ethereum. */
  getResult: get("/contracts/results/{transactionIdOrHash}")
    .query<{ readonly hbar?: boolean; readonly nonce?: number }>()
    .returns<ContractResultDetails>()
    .lists("access_list", "authorization_list", "logs", "state_changes"),
  /** Calls within an execution. */
  getResultActions: get("/contracts/results/{transactionIdOrHash}/actions")
    .query<Paging & { readonly index?: Filter }>()
    .returns<Page & { readonly actions: ReadonlyArray<ContractAction> }>()
    .lists("actions"),
  /** Steps of an execution, which the node runs again. */
  getResultOpcodes: get("/contracts/results/{transactionIdOrHash}/opcodes")
    .query<{ readonly memory?: boolean; readonly stack?: boolean; readonly storage?: boolean }>()
    .returns<Opcodes>()
    .lists("opcodes"),
  /** Logs of a contract. */
  getContractLogs: get("/contracts/{contract}/results/logs")
    .query<LogFilter>()
    .returns<Page & { readonly logs: ReadonlyArray<ContractLog> }>()
    .lists("logs"),
  /** Logs of all contracts. */
  getLogs: get("/contracts/results/logs")
    .query<LogFilter & { readonly transactionHash?: string }>()
    .returns<Page & { readonly logs: ReadonlyArray<ContractLog> }>()
    .lists("logs"),
  /** Exchange rates that fees go by. */
  getExchangeRate: get("/network/exchangerate").query<AtTime>().returns<ExchangeRates>(),
  /** Prices of gas. */
  getNetworkFees: get("/network/fees")
    .query<Pick<Paging, "order"> & AtTime>()
    .returns<NetworkFees>()
    .lists("fees"),
  /** Fee that a transaction (Protobuf) would pay, in tinycents. */
  estimateFees: post("/network/fees{?mode,high_volume_throttle}")
    .body<{
      readonly transaction: Uint8Array
      readonly mode?: "INTRINSIC" | "STATE"
      /** How much of the throttle is in use, in hundredths of a percent. */
      readonly highVolumeThrottle?: number
    }>()
    .raw("transaction", "application/protobuf")
    .prepare(({ highVolumeThrottle, ...input }) => ({ ...input, high_volume_throttle: highVolumeThrottle }))
    .returns<FeeEstimates>(),
  /** Consensus nodes. */
  getNetworkNodes: get("/network/nodes")
    .query<Paging & { readonly fileId?: Filter; readonly nodeId?: Filter }>()
    .returns<Page & { readonly nodes: ReadonlyArray<NetworkNode> }>()
    .lists("nodes"),
  /** Registered nodes: block nodes, mirror nodes, relays and others. */
  getRegisteredNodes: get("/network/registered-nodes")
    .query<Paging & { readonly registerednodeId?: Filter; readonly type?: RegisteredNodeType }>()
    .returns<Page & { readonly registered_nodes: ReadonlyArray<RegisteredNode> }>()
    .lists("registered_nodes"),
  /** State of staking. */
  getNetworkStake: get("/network/stake").returns<NetworkStake>(),
  /** Supply of the coin. */
  getNetworkSupply: get("/network/supply").query<AtTime>().returns<NetworkSupply>(),
  /** Scheduled transactions. */
  getSchedules: get("/schedules")
    .query<Paging & { readonly accountId?: Filter; readonly scheduleId?: Filter }>()
    .returns<Page & { readonly schedules: ReadonlyArray<Schedule> }>()
    .lists("schedules"),
  /** Scheduled transaction. */
  getSchedule: get("/schedules/{scheduleId}")
    .returns<Schedule>()
    .lists("signatures")
    .echoes({ schedule_id: "scheduleId" }),
  /** Transactions. */
  getTransactions: get("/transactions")
    .query<
      Paging &
        AtTime & {
          readonly accountId?: Filter
          readonly result?: "success" | "fail"
          readonly transactiontype?: TransactionType
          readonly type?: "credit" | "debit"
        }
    >()
    .returns<Page & { readonly transactions: ReadonlyArray<Transaction> }>()
    .lists("transactions"),
  /** Transactions of an id (`0.0.10-1234567890-000000321`): that of the payer, and those that came of it. */
  getTransaction: get("/transactions/{transactionId}")
    .query<{ readonly nonce?: number; readonly scheduled?: boolean }>()
    .returns<{ readonly transactions: ReadonlyArray<TransactionDetail> }>()
    .lists("transactions"),
  /** Topic. */
  getTopic: get("/topics/{topicId}")
    .returns<Topic>()
    .lists("fee_exempt_key_list")
    .echoes({ topic_id: "topicId" }),
  /** Messages of a topic. */
  getTopicMessages: get("/topics/{topicId}/messages")
    .query<Paging & AtTime & { readonly encoding?: "base64" | "utf-8"; readonly sequencenumber?: Filter }>()
    .returns<Page & { readonly messages: ReadonlyArray<TopicMessage> }>()
    .lists("messages"),
  /** Message of a topic by its number. */
  getTopicMessage: get("/topics/{topicId}/messages/{sequenceNumber}")
    .returns<TopicMessage>()
    .echoes({ topic_id: "topicId" }),
  /** Message by its time. */
  getTopicMessageAt: get("/topics/messages/{timestamp}").returns<TopicMessage>(),
  /** Tokens. */
  getTokens: get("/tokens")
    .query<
      Paging & {
        readonly accountId?: Filter
        readonly name?: string
        readonly publickey?: string
        readonly tokenId?: Filter
        readonly type?: TokenInfo["type"] | ReadonlyArray<TokenInfo["type"]>
      }
    >()
    .returns<Page & { readonly tokens: ReadonlyArray<Token> }>()
    .lists("tokens"),
  /** Token. */
  getToken: get("/tokens/{tokenId}")
    .query<{ readonly timestamp?: string }>()
    .returns<TokenInfo>()
    .echoes({ token_id: "tokenId" }),
  /** Who holds a token, and how much, in its smallest unit. */
  getTokenBalances: get("/tokens/{tokenId}/balances")
    .query<BalanceFilter>()
    .returns<TokenBalances>()
    .lists("balances"),
  /** Items of a non-fungible token. */
  getTokenNfts: get("/tokens/{tokenId}/nfts")
    .query<Paging & { readonly accountId?: Filter; readonly serialnumber?: Filter }>()
    .returns<Page & { readonly nfts: ReadonlyArray<Nft> }>()
    .lists("nfts"),
  /** Item of a non-fungible token. */
  getTokenNft: get("/tokens/{tokenId}/nfts/{serialNumber}").returns<Nft>().echoes({ token_id: "tokenId" }),
  /** Transfers of an item. */
  getNftTransactions: get("/tokens/{tokenId}/nfts/{serialNumber}/transactions")
    .query<Paging & AtTime>()
    .returns<Page & { readonly transactions: ReadonlyArray<NftTransactionTransfer> }>()
    .lists("transactions")
})

/**
 * The client of a mirror node.
 *
 * @since 0.1.0
 * @category clients
 */
export interface HederaMirrorRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Hedera's mirror nodes. No answer of theirs names the network: nodes of the table's networks are not asked for it, and
 * those of a definition are asked for the hash of the first block.
 *
 * @since 0.1.0
 * @category families
 */
export const hederaMirror: Family<typeof endpoints, HederaMirrorRpc> = {
  endpoints,
  layout: { tail: "/api/v1" },
  probe: () => getProbe("/api/v1/blocks?limit=1&order=desc", ["blocks", 0, "number"])
}

const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const nodes = client(group(dialect, { getAccount }))
  return Effect.forEach(addresses, (account) =>
    Effect.map(nodes.getAccount({ account, transactions: false }), ({ balance }) => balance?.balance ?? 0n)
  )
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^\d+\.\d+\.\d+$/, "three numbers with points: 0.0.123"],
  nativeBalances
} satisfies FamilyAccounts
