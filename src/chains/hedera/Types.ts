/**
 * What Hedera's mirror nodes take and give.
 *
 * @since 0.1.0
 */
import type { Json } from "../../data/untrusted.js"

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
