/**
 * What EOS nodes take and give.
 *
 * @since 0.1.0
 */

/**
 * A name of an account, contract, action, table or permission: up to 13 of the characters `a-z`, `1-5` and `.`.
 *
 * @since 0.1.0
 * @category types
 */
export type Name = string

/**
 * An amount with its symbol, whose precision is that of the digits: `1.0000 EOS`.
 *
 * @since 0.1.0
 * @category types
 */
export type Asset = string

/**
 * Bytes in hex, without prefix.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * Bytes in base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * A time in UTC without a zone: `2023-07-01T00:00:00.500`.
 *
 * @since 0.1.0
 * @category types
 */
export type Time = string

/**
 * A public key: `EOS6MRy…` or `PUB_K1_…`.
 *
 * @since 0.1.0
 * @category types
 */
export type PublicKey = string

/**
 * An integer of 64 bits in an answer: a number up to 2^32, and decimal digits above.
 *
 * @since 0.1.0
 * @category types
 */
export type Int64 = number | string

/**
 * A decimal number in an answer, mostly as text: `0.30000000000000004`.
 *
 * @since 0.1.0
 * @category types
 */
export type Float = number | string

/**
 * An integer as an argument.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * An extension: its number and its bytes.
 *
 * @since 0.1.0
 * @category types
 */
export type Extension = readonly [id: number, data: Hex]

/**
 * An account in one of its roles.
 *
 * @since 0.1.0
 * @category types
 */
export interface PermissionLevel {
  readonly actor: Name
  readonly permission: Name
}

/**
 * An action as an argument. Its data are the contract's own, as fields or in hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface Action {
  readonly account: Name
  readonly name: Name
  readonly authorization: ReadonlyArray<PermissionLevel>
  readonly data?: unknown
  readonly hexData?: Hex
}

/**
 * A transaction as an argument.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly expiration: Time
  readonly refBlockNum: number
  readonly refBlockPrefix: number
  readonly maxNetUsageWords: Integer
  readonly maxCpuUsageMs: Integer
  readonly delaySec: Integer
  readonly contextFreeActions?: ReadonlyArray<Action>
  readonly actions: ReadonlyArray<Action>
  readonly transactionExtensions?: ReadonlyArray<readonly [id: number, data?: Hex]>
}

/**
 * A transaction in its packed form, signed or to be tried. `compression` tells whether it is packed by zlib.
 *
 * @since 0.1.0
 * @category types
 */
export interface PackedTransaction {
  readonly signatures?: ReadonlyArray<string>
  readonly compression?: boolean | 0 | 1 | "none" | "zlib"
  readonly packedContextFreeData?: Hex
  readonly packedTrx?: Hex
}

/**
 * A transaction with its signatures beside it, which the node packs.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction extends Transaction {
  readonly signatures?: ReadonlyArray<string>
  readonly contextFreeData?: ReadonlyArray<Hex>
}

/**
 * An action in an answer. Its data are fields if the node knows the contract, and hex if not.
 *
 * @since 0.1.0
 * @category types
 */
export interface ActionOnChain {
  readonly account: Name
  readonly name: Name
  readonly authorization: ReadonlyArray<PermissionLevel>
  readonly data: unknown
  readonly hex_data?: Hex
}

/**
 * A transaction in an answer.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionOnChain {
  readonly expiration: Time
  readonly ref_block_num: number
  readonly ref_block_prefix: number
  readonly max_net_usage_words: number
  readonly max_cpu_usage_ms: number
  readonly delay_sec: number
  readonly context_free_actions: ReadonlyArray<ActionOnChain>
  readonly actions: ReadonlyArray<ActionOnChain>
  readonly transaction_extensions?: ReadonlyArray<Extension>
}

/**
 * State of a transaction in a block.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionState = "executed" | "soft_fail" | "hard_fail" | "delayed" | "expired"

/**
 * The resources that a transaction has used: microseconds, and words of 8 bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface ReceiptHeader {
  readonly status: TransactionState
  readonly cpu_usage_us: number
  readonly net_usage_words: number
}

/**
 * A transaction of a block: only its id if it was scheduled before.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionReceipt extends ReceiptHeader {
  readonly trx:
    | string
    | {
        readonly id: string
        readonly signatures: ReadonlyArray<string>
        readonly compression: "none" | "zlib"
        readonly packed_context_free_data: Hex
        readonly context_free_data: ReadonlyArray<Hex>
        readonly packed_trx: Hex
        readonly transaction: TransactionOnChain
      }
}

/**
 * A producer and the keys that sign its blocks: `[0, { threshold, keys }]`, or its one key in older schedules.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScheduledProducer {
  readonly producer_name: Name
  readonly authority?: readonly [
    kind: number,
    authority: {
      readonly threshold: number
      readonly keys: ReadonlyArray<{ readonly key: PublicKey; readonly weight: number }>
    }
  ]
  readonly block_signing_key?: PublicKey
}

/**
 * Producers that take turns.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProducerSchedule {
  readonly version: number
  readonly producers: ReadonlyArray<ScheduledProducer>
}

/**
 * Header of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly timestamp: Time
  readonly producer: Name
  readonly confirmed: number
  readonly previous: string
  readonly transaction_mroot: Hex
  readonly action_mroot: Hex
  readonly schedule_version: number
  readonly new_producers?: ProducerSchedule | null
  readonly header_extensions?: ReadonlyArray<Extension>
  readonly producer_signature: string
}

/**
 * A block as it is passed between nodes.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedBlock extends BlockHeader {
  readonly transactions: ReadonlyArray<TransactionReceipt>
  readonly block_extensions?: ReadonlyArray<Extension>
}

/**
 * A block, with the node's additions.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block extends SignedBlock {
  readonly id: string
  readonly block_num: number
  readonly ref_block_prefix: number
}

/**
 * A block without its transactions, with the fields by which transactions refer to it.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockInfo extends BlockHeader {
  readonly id: string
  readonly block_num: number
  readonly ref_block_num: number
  readonly ref_block_prefix: number
}

/**
 * Header of a block with its id.
 *
 * @since 0.1.0
 * @category types
 */
export interface IdentifiedHeader {
  readonly id: string
  readonly signed_block_header: BlockHeader
  readonly block_extensions?: ReadonlyArray<Extension>
}

/**
 * The state of a block that a node keeps for consensus. Nodes of today fill only number, id and header.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeaderState {
  readonly block_num: number
  readonly id: string
  readonly header: BlockHeader
  readonly dpos_proposed_irreversible_blocknum?: number
  readonly dpos_irreversible_blocknum?: number
  readonly active_schedule?: ProducerSchedule
  readonly pending_schedule?: {
    readonly schedule_lib_num: number
    readonly schedule_hash: Hex
    readonly schedule: ProducerSchedule
  }
  readonly blockroot_merkle?: unknown
  readonly producer_to_last_produced?: ReadonlyArray<readonly [producer: Name, block: number]>
  readonly producer_to_last_implied_irb?: ReadonlyArray<readonly [producer: Name, block: number]>
  readonly valid_block_signing_authority?: ScheduledProducer["authority"]
  readonly confirm_count?: ReadonlyArray<number>
  readonly activated_protocol_features?: unknown
  readonly additional_signatures?: ReadonlyArray<string>
}

/**
 * State of the chain and version of the node. CPU limits are microseconds, NET limits bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface Info {
  readonly server_version: string
  readonly chain_id: Hex
  readonly head_block_num: number
  readonly head_block_id: string
  readonly head_block_time: Time
  readonly head_block_producer: Name
  readonly last_irreversible_block_num: number
  readonly last_irreversible_block_id: string
  readonly last_irreversible_block_time?: Time
  readonly virtual_block_cpu_limit: Int64
  readonly virtual_block_net_limit: Int64
  readonly block_cpu_limit: Int64
  readonly block_net_limit: Int64
  readonly server_version_string?: string
  readonly server_full_version_string?: string
  readonly fork_db_head_block_num?: number
  readonly fork_db_head_block_id?: string
  readonly total_cpu_weight?: Int64
  readonly total_net_weight?: Int64
  readonly earliest_available_block_num?: number
}

/**
 * A limit of an account: microseconds of CPU, or bytes of NET. -1 is no limit.
 *
 * @since 0.1.0
 * @category types
 */
export interface ResourceLimit {
  readonly used: Int64
  readonly available: Int64
  readonly max: Int64
  readonly last_usage_update_time?: Time
  readonly current_used?: Int64
}

/**
 * The rule of who has to sign: weights have to reach the threshold. Waits are seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface Authority {
  readonly threshold: number
  readonly keys: ReadonlyArray<{ readonly key: PublicKey; readonly weight: number }>
  readonly accounts: ReadonlyArray<{ readonly permission: PermissionLevel; readonly weight: number }>
  readonly waits: ReadonlyArray<{ readonly wait_sec: number; readonly weight: number }>
}

/**
 * An action that a permission is enough for; all of the contract without a name.
 *
 * @since 0.1.0
 * @category types
 */
export interface LinkedAction {
  readonly account: Name
  readonly action?: Name | null
}

/**
 * A permission of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface Permission {
  readonly perm_name: Name
  readonly parent: Name
  readonly required_auth: Authority
  readonly linked_actions?: ReadonlyArray<LinkedAction>
}

/**
 * An account. RAM is in bytes, weights are staked amounts in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly account_name: Name
  readonly head_block_num: number
  readonly head_block_time: Time
  readonly privileged: boolean
  readonly last_code_update: Time
  readonly created: Time
  readonly core_liquid_balance?: Asset
  readonly ram_quota: Int64
  readonly ram_usage: Int64
  readonly net_weight: Int64
  readonly cpu_weight: Int64
  readonly net_limit: ResourceLimit
  readonly cpu_limit: ResourceLimit
  readonly subjective_cpu_bill_limit?: ResourceLimit
  readonly permissions: ReadonlyArray<Permission>
  readonly eosio_any_linked_actions?: ReadonlyArray<LinkedAction>
  readonly total_resources: {
    readonly owner: Name
    readonly net_weight: Asset
    readonly cpu_weight: Asset
    readonly ram_bytes: Int64
  } | null
  readonly self_delegated_bandwidth: {
    readonly from: Name
    readonly to: Name
    readonly net_weight: Asset
    readonly cpu_weight: Asset
  } | null
  readonly refund_request: {
    readonly owner: Name
    readonly request_time: Time
    readonly net_amount: Asset
    readonly cpu_amount: Asset
  } | null
  readonly voter_info: {
    readonly owner: Name
    readonly proxy: Name
    readonly producers: ReadonlyArray<Name>
    readonly staked: Int64
    readonly last_vote_weight: Float
    readonly proxied_vote_weight: Float
    readonly is_proxy: number | boolean
    readonly flags1?: number
    readonly reserved2?: number
    readonly reserved3?: string
  } | null
  readonly rex_info: Readonly<Record<string, unknown>> | null
}

/**
 * The interface of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface Abi {
  readonly version: string
  readonly types: ReadonlyArray<{ readonly new_type_name: string; readonly type: string }>
  readonly structs: ReadonlyArray<{
    readonly name: string
    readonly base: string
    readonly fields: ReadonlyArray<{ readonly name: string; readonly type: string }>
  }>
  readonly actions: ReadonlyArray<{
    readonly name: Name
    readonly type: string
    readonly ricardian_contract: string
  }>
  readonly tables: ReadonlyArray<{
    readonly name: Name
    readonly index_type: string
    readonly key_names: ReadonlyArray<string>
    readonly key_types: ReadonlyArray<string>
    readonly type: string
  }>
  readonly ricardian_clauses: ReadonlyArray<{ readonly id: string; readonly body: string }>
  readonly error_messages: ReadonlyArray<{ readonly error_code: Int64; readonly error_msg: string }>
  readonly abi_extensions: ReadonlyArray<Extension>
  readonly variants?: ReadonlyArray<{ readonly name: string; readonly types: ReadonlyArray<string> }>
  readonly action_results?: ReadonlyArray<{ readonly name: Name; readonly result_type: string }>
}

/**
 * A block producer. The votes are weighted, a decimal number as text.
 *
 * @since 0.1.0
 * @category types
 */
export interface Producer {
  readonly owner: Name
  readonly total_votes: Float
  readonly producer_key?: PublicKey
  readonly is_active?: number | boolean
  readonly url: string
  readonly unpaid_blocks?: number
  readonly last_claim_time?: Time | Int64
  readonly location?: number
  readonly producer_authority?: ScheduledProducer["authority"]
}

/**
 * A page of producers: fields if `json` was asked for, and hex if not. `more` is the `lowerBound` of the next page, empty
 * on the last one.
 *
 * @since 0.1.0
 * @category types
 */
export interface Producers {
  readonly rows: ReadonlyArray<Producer> | ReadonlyArray<Hex>
  readonly total_producer_vote_weight: Float
  readonly more: Name
}

/**
 * A choice of rows of a table. Without `json` they are hex. `keyType` and `encodeType` tell what bounds are: `name`, `i64`,
 * `i128`, `i256`, `float64`, `sha256`, and `dec` or `hex`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TableQuery {
  readonly json?: boolean
  readonly code: Name
  readonly table: Name
  readonly scope: string
  readonly indexPosition?: Integer
  readonly keyType?: string
  readonly encodeType?: string
  readonly tableKey?: string
  readonly lowerBound?: Integer
  readonly upperBound?: Integer
  readonly limit?: Integer
  readonly reverse?: boolean
  readonly showPayer?: boolean
  /** Milliseconds after which the node answers with the rows that it has. */
  readonly timeLimitMs?: number
}

/**
 * A choice of rows of a key-value table (nodes of EOSIO 2.1).
 *
 * @since 0.1.0
 * @category types
 */
export interface KvTableQuery {
  readonly json?: boolean
  readonly code: Name
  readonly table: Name
  readonly indexName: Name
  readonly encodeType?: string
  readonly indexValue?: Integer
  readonly lowerBound?: Integer
  readonly upperBound?: Integer
  readonly limit?: Integer
  readonly reverse?: boolean
  readonly showPayer?: boolean
}

/**
 * A page of rows, which are the contract's own: fields or hex, and with `showPayer` `{ data, payer }`. If there is `more`,
 * `next_key` is the `lowerBound` of the next page.
 *
 * @since 0.1.0
 * @category types
 */
export interface TableRows {
  readonly rows: ReadonlyArray<unknown>
  readonly more: boolean
  readonly next_key?: string
  readonly next_key_bytes?: Hex
}

/**
 * A page of the scopes that tables have. `more` is the `lowerBound` of the next page, empty on the last one.
 *
 * @since 0.1.0
 * @category types
 */
export interface TableScopes {
  readonly rows: ReadonlyArray<{
    readonly code: Name
    readonly scope: Name
    readonly table: Name
    readonly payer: Name
    readonly count: number
  }>
  readonly more: string
}

/**
 * A token: its supply, its largest supply, and its issuer.
 *
 * @since 0.1.0
 * @category types
 */
export interface CurrencyStats {
  readonly supply: Asset
  readonly max_supply: Asset
  readonly issuer: Name
}

/**
 * A transaction that waits for its time. It is fields if `json` was asked for, and hex if not.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScheduledTransaction {
  readonly trx_id: string
  readonly sender: Name
  readonly sender_id: string
  readonly payer: Name
  readonly delay_until: Time
  readonly expiration: Time
  readonly published: Time
  readonly transaction: TransactionOnChain | Hex
}

/**
 * A feature of the protocol that is switched on.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolFeature {
  readonly feature_digest: Hex
  readonly activation_ordinal: number
  readonly activation_block_num: number
  readonly description_digest: Hex
  readonly dependencies: ReadonlyArray<Hex>
  readonly protocol_feature_type: string
  readonly specification: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/**
 * A permission that keys or accounts have a part in.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuthorizedAccount {
  readonly account_name: Name
  readonly permission_name: Name
  readonly authorizing_account?: PermissionLevel
  readonly authorizing_key?: PublicKey
  readonly weight: number
  readonly threshold: number
}

/**
 * Limits of the chain. CPU is in microseconds, NET in bytes, times are in seconds, percentages are hundredths.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainConfig {
  readonly max_block_net_usage: Int64
  readonly target_block_net_usage_pct: number
  readonly max_transaction_net_usage: number
  readonly base_per_transaction_net_usage: number
  readonly net_usage_leeway: number
  readonly context_free_discount_net_usage_num: number
  readonly context_free_discount_net_usage_den: number
  readonly max_block_cpu_usage: number
  readonly target_block_cpu_usage_pct: number
  readonly max_transaction_cpu_usage: number
  readonly min_transaction_cpu_usage: number
  readonly max_transaction_lifetime: number
  readonly deferred_trx_expiration_window: number
  readonly max_transaction_delay: number
  readonly max_inline_action_size: number
  readonly max_inline_action_depth: number
  readonly max_authority_depth: number
  readonly max_action_return_value_size?: number
}

/**
 * Limits of contracts. Sizes are in bytes, pages have 64 KiB.
 *
 * @since 0.1.0
 * @category types
 */
export interface WasmConfig {
  readonly max_mutable_global_bytes: number
  readonly max_table_elements: number
  readonly max_section_elements: number
  readonly max_linear_memory_init: number
  readonly max_func_local_bytes: number
  readonly max_nested_structures: number
  readonly max_symbol_bytes: number
  readonly max_module_bytes: number
  readonly max_code_bytes: number
  readonly max_pages: number
  readonly max_call_depth: number
}

/**
 * Parameters of the chain, and of its contracts' engine where those can be set.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusParameters {
  readonly chain_config: ChainConfig
  readonly wasm_config?: WasmConfig
}

/**
 * The accounts that decide on finality.
 *
 * @since 0.1.0
 * @category types
 */
export interface FinalizerPolicy {
  readonly generation: number
  readonly threshold: Int64
  readonly finalizers: ReadonlyArray<{
    readonly description: string
    readonly weight: Int64
    readonly public_key: string
  }>
}

/**
 * The accounts that decide on finality now and next, and their last votes.
 *
 * @since 0.1.0
 * @category types
 */
export interface FinalizerInfo {
  readonly active_finalizer_policy: FinalizerPolicy | null
  readonly pending_finalizer_policy: FinalizerPolicy | null
  readonly last_tracked_votes: ReadonlyArray<{
    readonly description: string
    readonly public_key: string
    readonly is_vote_strong: boolean
    readonly finalizer_policy_generation: number
    readonly voted_for_block_id: string
    readonly voted_for_block_num: number
    readonly voted_for_block_timestamp: Time
  }>
}

/**
 * The state of a transaction, as far as the node keeps track.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionStatus {
  readonly state: "UNKNOWN" | "LOCALLY_APPLIED" | "FORKED_OUT" | "IN_BLOCK" | "IRREVERSIBLE" | "FAILED"
  readonly block_number?: number
  readonly block_id?: string
  readonly block_timestamp?: Time
  readonly expiration?: Time
  readonly head_number: number
  readonly head_id: string
  readonly head_timestamp: Time
  readonly irreversible_number: number
  readonly irreversible_id: string
  readonly irreversible_timestamp: Time
  readonly earliest_tracked_block_id: string
  readonly earliest_tracked_block_number: number
}

/**
 * Why a transaction failed.
 *
 * @since 0.1.0
 * @category types
 */
export interface Exception {
  readonly code: number
  readonly name: string
  readonly message: string
  readonly stack: ReadonlyArray<unknown>
}

/**
 * RAM that an account has gained or lost, in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountDelta {
  readonly account: Name
  readonly delta: Int64
}

/**
 * The effects of an action, and the actions that it caused. `elapsed` is microseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ActionTrace {
  readonly action_ordinal: number
  readonly creator_action_ordinal: number
  readonly closest_unnotified_ancestor_action_ordinal: number
  readonly receipt: {
    readonly receiver: Name
    readonly act_digest: Hex
    readonly global_sequence: Int64
    readonly recv_sequence: Int64
    readonly auth_sequence: ReadonlyArray<readonly [account: Name, sequence: Int64]>
    readonly code_sequence: number
    readonly abi_sequence: number
  } | null
  readonly receiver: Name
  readonly act: ActionOnChain
  readonly context_free: boolean
  readonly elapsed: Int64
  readonly console: string
  readonly trx_id: string
  readonly block_num: number
  readonly block_time: Time
  readonly producer_block_id: string | null
  readonly account_ram_deltas: ReadonlyArray<AccountDelta>
  readonly except?: Exception | null
  readonly error_code?: Int64 | null
  readonly return_value_hex_data?: Hex
  readonly return_value_data?: unknown
  readonly inline_traces?: ReadonlyArray<ActionTrace>
}

/**
 * The effects of a transaction. `elapsed` is microseconds, `net_usage` bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionTrace {
  readonly id: string
  readonly block_num: number
  readonly block_time: Time
  readonly producer_block_id: string | null
  readonly receipt: ReceiptHeader | null
  readonly elapsed: Int64
  readonly net_usage: Int64
  readonly scheduled: boolean
  readonly action_traces: ReadonlyArray<ActionTrace>
  readonly account_ram_delta: AccountDelta | null
  readonly failed_dtrx_trace?: TransactionTrace | null
  readonly except: Exception | null
  readonly error_code: Int64 | null
}

/**
 * A transaction that was taken, and its effects so far. The latter are absent if the node has had the transaction from
 * an earlier attempt of the same call.
 *
 * @since 0.1.0
 * @category types
 */
export interface PushedTransaction {
  readonly transaction_id: string
  readonly processed?: TransactionTrace
}

/**
 * The effects of a transaction that is tried.
 *
 * @since 0.1.0
 * @category types
 */
export interface TriedTransaction {
  readonly transaction_id: string
  readonly processed: TransactionTrace
}

/**
 * One of several transactions: taken, or why not.
 *
 * @since 0.1.0
 * @category types
 */
export interface PushOutcome {
  readonly transaction_id: string
  readonly processed: TransactionTrace | { readonly error: string }
}

/**
 * Action of a block in the node's traces. The data are hex, and fields (`params`) if the node has the contract's interface.
 *
 * @since 0.1.0
 * @category types
 */
export interface TracedAction {
  readonly global_sequence: Int64
  readonly receiver: Name
  readonly account: Name
  readonly action: Name
  readonly authorization: ReadonlyArray<{ readonly account: Name; readonly permission: Name }>
  readonly data: Hex
  readonly params?: unknown
  readonly return_value?: Hex
  readonly return_data?: unknown
}

/**
 * Transaction of a block in the node's traces.
 *
 * @since 0.1.0
 * @category types
 */
export interface TracedTransaction {
  readonly id: string
  readonly block_num?: number
  readonly block_time?: Time
  readonly producer_block_id?: string | null
  readonly actions: ReadonlyArray<TracedAction>
  readonly status?: TransactionState | number
  readonly cpu_usage_us?: number
  readonly net_usage_words?: number
  readonly signatures?: ReadonlyArray<string>
  readonly transaction_header?: Pick<
    TransactionOnChain,
    | "expiration"
    | "ref_block_num"
    | "ref_block_prefix"
    | "max_net_usage_words"
    | "max_cpu_usage_ms"
    | "delay_sec"
  >
}

/**
 * Block in the node's traces. Its time ends in `Z`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TracedBlock {
  readonly id: string
  readonly number: number
  readonly previous_id: string
  readonly status: "irreversible" | "pending"
  readonly timestamp: Time
  readonly producer: Name
  readonly transaction_mroot?: Hex
  readonly action_mroot?: Hex
  readonly schedule_version?: number
  readonly transactions: ReadonlyArray<TracedTransaction>
}

/**
 * An action in an account's history.
 *
 * @since 0.1.0
 * @category types
 */
export interface HistoryAction {
  readonly global_action_seq: Int64
  readonly account_action_seq: Int64
  readonly block_num: number
  readonly block_time: Time
  readonly action_trace: ActionTrace
  readonly irreversible?: boolean
}

/**
 * A transaction from the history.
 *
 * @since 0.1.0
 * @category types
 */
export interface HistoryTransaction {
  readonly id: string
  readonly trx?: {
    readonly receipt?: ReceiptHeader
    readonly trx?: TransactionOnChain & {
      readonly signatures: ReadonlyArray<string>
      readonly context_free_data?: ReadonlyArray<Hex>
    }
  }
  readonly block_time: Time
  readonly block_num: number
  readonly last_irreversible_block: number
  readonly irreversible?: boolean
  readonly traces: ReadonlyArray<ActionTrace>
}
