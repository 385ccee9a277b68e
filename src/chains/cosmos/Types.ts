/**
 * What nodes of the Cosmos SDK take and give.
 *
 * @since 0.1.0
 */

/**
 * An address, bech32: `cosmos1…` of an account, `cosmosvaloper1…` of a validator, `cosmosvalcons1…` of its key.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * An integer of an answer that may be above 2^53: a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Int64 = string

/**
 * An integer as an argument.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * A decimal fraction, as a decimal string with up to 18 decimals.
 *
 * @since 0.1.0
 * @category types
 */
export type Dec = string

/**
 * Bytes, base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * A time, RFC 3339.
 *
 * @since 0.1.0
 * @category types
 */
export type Time = string

/**
 * A span of time in seconds: `1209600s`.
 *
 * @since 0.1.0
 * @category types
 */
export type Duration = string

/**
 * A structure whose type (`/cosmos.bank.v1beta1.MsgSend`) decides its other fields. Modules of a chain add types of their own.
 *
 * @since 0.1.0
 * @category types
 */
export interface Any {
  readonly "@type": string
  readonly [field: string]: unknown
}

/**
 * An amount of a coin, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface Coin {
  readonly denom: string
  readonly amount: Int64
}

/**
 * An amount of a coin, with fractions of its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecCoin {
  readonly denom: string
  readonly amount: Dec
}

/**
 * A part of a list: the `next_key` of the part before, or an offset; how many; whether to count all of them.
 *
 * @since 0.1.0
 * @category types
 */
export interface Pagination {
  readonly key?: Base64
  readonly offset?: Integer
  readonly limit?: Integer
  readonly countTotal?: boolean
  readonly reverse?: boolean
}

/**
 * A part of a list, under the names of the wire or as one object. The object's fields win.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paging {
  readonly "pagination.key"?: Base64
  readonly "pagination.offset"?: Integer
  readonly "pagination.limit"?: Integer
  readonly "pagination.countTotal"?: boolean
  readonly "pagination.reverse"?: boolean
  readonly pagination?: Pagination
}

/**
 * The continuation of a list. `next_key` is null at its end; `total` is `0` unless it was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paged {
  readonly pagination: { readonly next_key: Base64 | null; readonly total: Int64 } | null
}

/**
 * A public key, with the bytes of most kinds in `key`.
 *
 * @since 0.1.0
 * @category types
 */
export interface PublicKey extends Any {
  readonly key?: Base64
}

/**
 * The fields of every kind of account.
 *
 * @since 0.1.0
 * @category types
 */
export interface BaseAccount {
  readonly address: Address
  readonly pub_key: PublicKey | null
  readonly account_number: Int64
  readonly sequence: Int64
}

/**
 * An account. A plain one has the fields of its base itself; modules have it in `base_account`, vesting accounts further in.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account extends Any {
  readonly address?: Address
  readonly pub_key?: PublicKey | null
  readonly account_number?: Int64
  readonly sequence?: Int64
  readonly base_account?: BaseAccount
  readonly name?: string
  readonly permissions?: ReadonlyArray<string>
  readonly base_vesting_account?: BaseVestingAccount
  readonly start_time?: Int64
  readonly vesting_periods?: ReadonlyArray<{
    readonly length: Int64
    readonly amount: ReadonlyArray<Coin>
  }>
}

/**
 * The fields of every vesting account. `end_time` is in Unix seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface BaseVestingAccount {
  readonly base_account: BaseAccount
  readonly original_vesting: ReadonlyArray<Coin>
  readonly delegated_free: ReadonlyArray<Coin>
  readonly delegated_vesting: ReadonlyArray<Coin>
  readonly end_time: Int64
}

/**
 * Limits and gas costs of transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuthParams {
  readonly max_memo_characters: Int64
  readonly tx_sig_limit: Int64
  readonly tx_size_cost_per_byte: Int64
  readonly sig_verify_cost_ed25519: Int64
  readonly sig_verify_cost_secp256k1: Int64
}

/**
 * A right of an account to act in the name of another. Without `expiration`, for good.
 *
 * @since 0.1.0
 * @category types
 */
export interface Grant {
  readonly authorization: Any
  readonly expiration: Time | null
}

/**
 * The same with both accounts.
 *
 * @since 0.1.0
 * @category types
 */
export interface GrantAuthorization extends Grant {
  readonly granter: Address
  readonly grantee: Address
}

/**
 * Whether a coin may be sent.
 *
 * @since 0.1.0
 * @category types
 */
export interface SendEnabled {
  readonly denom: string
  readonly enabled: boolean
}

/**
 * The names of a coin, and its units: one unit is 10^`exponent` of the base.
 *
 * @since 0.1.0
 * @category types
 */
export interface DenomMetadata {
  readonly description: string
  readonly denom_units: ReadonlyArray<{
    readonly denom: string
    readonly exponent: number
    readonly aliases: ReadonlyArray<string>
  }>
  readonly base: string
  readonly display: string
  readonly name?: string
  readonly symbol?: string
  readonly uri?: string
  readonly uri_hash?: string
}

/**
 * The amount of a coin that an account has.
 *
 * @since 0.1.0
 * @category types
 */
export interface DenomOwner {
  readonly address: Address
  readonly balance: Coin
}

/**
 * How a node is set up: the least price of gas that it takes, and its pruning.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeConfig {
  readonly minimum_gas_price: string
  readonly pruning_keep_recent?: string
  readonly pruning_interval?: string
  readonly halt_height?: Int64
}

/**
 * How far a node is, and how far back its state goes.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeStatus {
  readonly earliest_store_height: Int64
  readonly height: Int64
  readonly timestamp: Time | null
  readonly app_hash: Base64
  readonly validator_hash: Base64
}

/**
 * The hash of a block, and of the parts that it is sent in.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockId {
  readonly hash: Base64
  readonly part_set_header: { readonly total: number; readonly hash: Base64 }
}

/**
 * The header of a block. The proposer's address is base64, and bech32 in `sdk_block`.
 *
 * @since 0.1.0
 * @category types
 */
export interface Header {
  readonly version: { readonly block: Int64; readonly app: Int64 }
  readonly chain_id: string
  readonly height: Int64
  readonly time: Time
  readonly last_block_id: BlockId
  readonly last_commit_hash: Base64
  readonly data_hash: Base64
  readonly validators_hash: Base64
  readonly next_validators_hash: Base64
  readonly consensus_hash: Base64
  readonly app_hash: Base64
  readonly last_results_hash: Base64
  readonly evidence_hash: Base64
  readonly proposer_address: string
}

/**
 * The signatures under a block. Addresses are base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Commit {
  readonly height: Int64
  readonly round: number
  readonly block_id: BlockId
  readonly signatures: ReadonlyArray<{
    readonly block_id_flag: string
    readonly validator_address: Base64
    readonly timestamp: Time
    readonly signature: Base64 | null
  }>
}

/**
 * The vote of a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Vote {
  readonly type: string
  readonly height: Int64
  readonly round: number
  readonly block_id: BlockId
  readonly timestamp: Time
  readonly validator_address: Base64
  readonly validator_index: number
  readonly signature: Base64
  readonly extension?: Base64
  readonly extension_signature?: Base64
}

/**
 * A validator as the consensus has it. Address and key are base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusValidator {
  readonly address: Base64
  readonly pub_key: { readonly ed25519?: Base64; readonly secp256k1?: Base64 }
  readonly voting_power: Int64
  readonly proposer_priority: Int64
}

/**
 * Proof in a block that validators have misbehaved: two votes of one validator, or an attack on light clients.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockEvidence {
  readonly duplicate_vote_evidence?: {
    readonly vote_a: Vote
    readonly vote_b: Vote
    readonly total_voting_power: Int64
    readonly validator_power: Int64
    readonly timestamp: Time
  }
  readonly light_client_attack_evidence?: {
    readonly conflicting_block: {
      readonly signed_header: { readonly header: Header; readonly commit: Commit }
      readonly validator_set: {
        readonly validators: ReadonlyArray<ConsensusValidator>
        readonly proposer: ConsensusValidator
        readonly total_voting_power: Int64
      }
    }
    readonly common_height: Int64
    readonly byzantine_validators: ReadonlyArray<ConsensusValidator>
    readonly total_voting_power: Int64
    readonly timestamp: Time
  }
}

/**
 * A block with its transactions, base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly header: Header
  readonly data: { readonly txs: ReadonlyArray<Base64> }
  readonly evidence: { readonly evidence: ReadonlyArray<BlockEvidence> }
  readonly last_commit: Commit | null
}

/**
 * A block and its id. Newer nodes have it in `sdk_block` too, with a readable address of the proposer.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockAnswer {
  readonly block_id: BlockId
  readonly block: Block
  readonly sdk_block?: Block | null
}

/**
 * A block with its transactions as structures.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockWithTxs extends Paged {
  readonly txs: ReadonlyArray<Tx>
  readonly block_id: BlockId
  readonly block: Block
}

/**
 * The validators of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorSet extends Paged {
  readonly block_height: Int64
  readonly validators: ReadonlyArray<{
    readonly address: Address
    readonly pub_key: PublicKey
    readonly voting_power: Int64
    readonly proposer_priority: Int64
  }>
}

/**
 * A node on the peer-to-peer network, and its software.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeInfo {
  readonly default_node_info: {
    readonly protocol_version: { readonly p2p: Int64; readonly block: Int64; readonly app: Int64 }
    readonly default_node_id: string
    readonly listen_addr: string
    readonly network: string
    readonly version: string
    readonly channels: Base64
    readonly moniker: string
    readonly other: { readonly tx_index: string; readonly rpc_address: string }
  }
  readonly application_version: {
    readonly name: string
    readonly app_name: string
    readonly version: string
    readonly git_commit: string
    readonly build_tags: string
    readonly go_version: string
    readonly build_deps: ReadonlyArray<{
      readonly path: string
      readonly version: string
      readonly sum: string
    }>
    readonly cosmos_sdk_version?: string
  }
}

/**
 * An answer of the application's store. Key and value are base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface AbciQuery {
  readonly code: number
  readonly log: string
  readonly info: string
  readonly index: Int64
  readonly key: Base64 | null
  readonly value: Base64 | null
  readonly proof_ops: {
    readonly ops: ReadonlyArray<{ readonly type: string; readonly key: Base64; readonly data: Base64 }>
  } | null
  readonly height: Int64
  readonly codespace: string
}

/**
 * Limits that validators agree on.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusParams {
  readonly block: { readonly max_bytes: Int64; readonly max_gas: Int64 } | null
  readonly evidence: {
    readonly max_age_num_blocks: Int64
    readonly max_age_duration: Duration
    readonly max_bytes: Int64
  } | null
  readonly validator: { readonly pub_key_types: ReadonlyArray<string> } | null
  readonly version?: { readonly app?: Int64 } | null
  readonly abci?: { readonly vote_extensions_enable_height?: Int64 } | null
}

/**
 * The rewards of a delegator with a validator that were not withdrawn.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegatorReward {
  readonly validator_address: Address
  readonly reward: ReadonlyArray<DecCoin>
}

/**
 * The earnings of a validator: for its own stake, and as commission.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorDistribution {
  readonly operator_address: Address
  readonly self_bond_rewards: ReadonlyArray<DecCoin>
  readonly commission: ReadonlyArray<DecCoin>
}

/**
 * Shares of the fees.
 *
 * @since 0.1.0
 * @category types
 */
export interface DistributionParams {
  readonly community_tax: Dec
  readonly base_proposer_reward?: Dec
  readonly bonus_proposer_reward?: Dec
  readonly withdraw_addr_enabled: boolean
}

/**
 * The loss of a validator by a slash: the fraction of its stake.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorSlash {
  readonly validator_period: Int64
  readonly fraction: Dec
}

/**
 * Proof that a validator has misbehaved. Those of two blocks at one height (equivocation) have the fields below.
 *
 * @since 0.1.0
 * @category types
 */
export interface Evidence extends Any {
  readonly height?: Int64
  readonly time?: Time
  readonly power?: Int64
  readonly consensus_address?: Address
}

/**
 * Fees that an account pays for another.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeAllowance {
  readonly granter: Address
  readonly grantee: Address
  readonly allowance: Any
}

/**
 * The state of a proposal in its life.
 *
 * @since 0.1.0
 * @category types
 */
export type ProposalStatus =
  | "PROPOSAL_STATUS_UNSPECIFIED"
  | "PROPOSAL_STATUS_DEPOSIT_PERIOD"
  | "PROPOSAL_STATUS_VOTING_PERIOD"
  | "PROPOSAL_STATUS_PASSED"
  | "PROPOSAL_STATUS_REJECTED"
  | "PROPOSAL_STATUS_FAILED"

/**
 * The options of a vote.
 *
 * @since 0.1.0
 * @category types
 */
export type VoteOption =
  | "VOTE_OPTION_UNSPECIFIED"
  | "VOTE_OPTION_YES"
  | "VOTE_OPTION_ABSTAIN"
  | "VOTE_OPTION_NO"
  | "VOTE_OPTION_NO_WITH_VETO"

/**
 * A vote, and which share of the voter's power it has.
 *
 * @since 0.1.0
 * @category types
 */
export interface WeightedVote {
  readonly option: VoteOption
  readonly weight: Dec
}

/**
 * The fields of any proposal. Times are null until it gets so far.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposalState {
  readonly status: ProposalStatus
  readonly submit_time: Time | null
  readonly deposit_end_time: Time | null
  readonly total_deposit: ReadonlyArray<Coin>
  readonly voting_start_time: Time | null
  readonly voting_end_time: Time | null
}

/**
 * Votes on a proposal, in the smallest unit of the staked coin.
 *
 * @since 0.1.0
 * @category types
 */
export interface Tally {
  readonly yes: Int64
  readonly abstain: Int64
  readonly no: Int64
  readonly no_with_veto: Int64
}

/**
 * A proposal with one content: text, a change of parameters, an upgrade.
 *
 * @since 0.1.0
 * @category types
 */
export interface Proposal extends ProposalState {
  readonly proposal_id: Int64
  readonly content: (Any & { readonly title?: string; readonly description?: string }) | null
  readonly final_tally_result: Tally
}

/**
 * Votes on a proposal as gov v1 has them, in the smallest unit of the staked coin.
 *
 * @since 0.1.0
 * @category types
 */
export interface TallyV1 {
  readonly yes_count: Int64
  readonly abstain_count: Int64
  readonly no_count: Int64
  readonly no_with_veto_count: Int64
}

/**
 * A proposal as gov v1 has it: with messages that are run if it passes.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposalV1 extends ProposalState {
  readonly id: Int64
  readonly messages: ReadonlyArray<Any>
  readonly final_tally_result: TallyV1 | null
  readonly metadata: string
  readonly title?: string
  readonly summary?: string
  readonly proposer?: Address
  readonly expedited?: boolean
  readonly failed_reason?: string
}

/**
 * The deposit of an account on a proposal.
 *
 * @since 0.1.0
 * @category types
 */
export interface Deposit {
  readonly proposal_id: Int64
  readonly depositor: Address
  readonly amount: ReadonlyArray<Coin>
}

/**
 * The vote of an account. `option` is set only where the whole power went to one option.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposalVote {
  readonly proposal_id: Int64
  readonly voter: Address
  readonly option?: VoteOption
  readonly options: ReadonlyArray<WeightedVote>
}

/**
 * The vote of an account as gov v1 has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposalVoteV1 {
  readonly proposal_id: Int64
  readonly voter: Address
  readonly options: ReadonlyArray<WeightedVote>
  readonly metadata: string
}

/**
 * Rules of governance. Of the three parts, the one that was asked for is filled in.
 *
 * @since 0.1.0
 * @category types
 */
export interface GovParams {
  readonly voting_params: { readonly voting_period: Duration } | null
  readonly deposit_params: {
    readonly min_deposit: ReadonlyArray<Coin>
    readonly max_deposit_period: Duration
  } | null
  readonly tally_params: {
    readonly quorum: Dec
    readonly threshold: Dec
    readonly veto_threshold: Dec
  } | null
}

/**
 * Rules of governance as gov v1 has them: newer nodes give all of them in `params`.
 *
 * @since 0.1.0
 * @category types
 */
export interface GovParamsV1 extends GovParams {
  readonly params?: {
    readonly min_deposit: ReadonlyArray<Coin>
    readonly max_deposit_period: Duration
    readonly voting_period: Duration
    readonly quorum: Dec
    readonly threshold: Dec
    readonly veto_threshold: Dec
    readonly min_initial_deposit_ratio: Dec
    readonly proposal_cancel_ratio?: Dec
    readonly proposal_cancel_dest?: Address
    readonly expedited_voting_period?: Duration
    readonly expedited_threshold?: Dec
    readonly expedited_min_deposit?: ReadonlyArray<Coin>
    readonly burn_vote_quorum: boolean
    readonly burn_proposal_deposit_prevote: boolean
    readonly burn_vote_veto: boolean
    readonly min_deposit_ratio?: Dec
  } | null
}

/**
 * A choice of proposals.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposalSearch extends Paging {
  readonly proposal_status?: ProposalStatus
  readonly voter?: Address
  readonly depositor?: Address
}

/**
 * The limits of new coin. Rates are per year.
 *
 * @since 0.1.0
 * @category types
 */
export interface MintParams {
  readonly mint_denom: string
  readonly inflation_rate_change: Dec
  readonly inflation_max: Dec
  readonly inflation_min: Dec
  readonly goal_bonded: Dec
  readonly blocks_per_year: Int64
  readonly max_supply?: Int64
}

/**
 * A parameter of a module. The value is JSON in a text.
 *
 * @since 0.1.0
 * @category types
 */
export interface Param {
  readonly subspace: string
  readonly key: string
  readonly value: string
}

/**
 * The rules by which a validator loses its stake. The window is in blocks.
 *
 * @since 0.1.0
 * @category types
 */
export interface SlashingParams {
  readonly signed_blocks_window: Int64
  readonly min_signed_per_window: Dec
  readonly downtime_jail_duration: Duration
  readonly slash_fraction_double_sign: Dec
  readonly slash_fraction_downtime: Dec
}

/**
 * How reliably a validator signs blocks.
 *
 * @since 0.1.0
 * @category types
 */
export interface SigningInfo {
  readonly address: Address
  readonly start_height: Int64
  readonly index_offset: Int64
  readonly jailed_until: Time
  readonly tombstoned: boolean
  readonly missed_blocks_counter: Int64
}

/**
 * Whether a validator's stake is bonded.
 *
 * @since 0.1.0
 * @category types
 */
export type BondStatus =
  | "BOND_STATUS_UNSPECIFIED"
  | "BOND_STATUS_UNBONDED"
  | "BOND_STATUS_UNBONDING"
  | "BOND_STATUS_BONDED"

/**
 * A validator. Tokens are in the smallest unit of the staked coin.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validator {
  readonly operator_address: Address
  readonly consensus_pubkey: PublicKey | null
  readonly jailed: boolean
  readonly status: BondStatus
  readonly tokens: Int64
  readonly delegator_shares: Dec
  readonly description: {
    readonly moniker: string
    readonly identity: string
    readonly website: string
    readonly security_contact: string
    readonly details: string
  }
  readonly unbonding_height: Int64
  readonly unbonding_time: Time
  readonly commission: {
    readonly commission_rates: {
      readonly rate: Dec
      readonly max_rate: Dec
      readonly max_change_rate: Dec
    }
    readonly update_time: Time
  }
  readonly min_self_delegation: Int64
  readonly unbonding_on_hold_ref_count?: Int64
  readonly unbonding_ids?: ReadonlyArray<Int64>
}

/**
 * The stake of an account with a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Delegation {
  readonly delegation: {
    readonly delegator_address: Address
    readonly validator_address: Address
    readonly shares: Dec
  }
  readonly balance: Coin
}

/**
 * The stake that an account takes back from a validator, and when it gets it. Amounts are in the staked coin's smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnbondingDelegation {
  readonly delegator_address: Address
  readonly validator_address: Address
  readonly entries: ReadonlyArray<{
    readonly creation_height: Int64
    readonly completion_time: Time
    readonly initial_balance: Int64
    readonly balance: Int64
    readonly unbonding_id?: Int64
    readonly unbonding_on_hold_ref_count?: Int64
  }>
}

/**
 * A part of a stake that moves from one validator to another.
 *
 * @since 0.1.0
 * @category types
 */
export interface RedelegationEntry {
  readonly creation_height: Int64
  readonly completion_time: Time
  readonly initial_balance: Int64
  readonly shares_dst: Dec
  readonly unbonding_id?: Int64
  readonly unbonding_on_hold_ref_count?: Int64
}

/**
 * The stake that an account has moved from one validator to another. The entries of `redelegation` are empty: they are beside it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Redelegation {
  readonly redelegation: {
    readonly delegator_address: Address
    readonly validator_src_address: Address
    readonly validator_dst_address: Address
    readonly entries: ReadonlyArray<RedelegationEntry> | null
  }
  readonly entries: ReadonlyArray<{
    readonly redelegation_entry: RedelegationEntry
    readonly balance: Int64
  }>
}

/**
 * The header and the validators of a block, as the staking module keeps them.
 *
 * @since 0.1.0
 * @category types
 */
export interface HistoricalInfo {
  readonly header: Header
  readonly valset: ReadonlyArray<Validator>
}

/**
 * Rules of staking.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakingParams {
  readonly unbonding_time: Duration
  readonly max_validators: number
  readonly max_entries: number
  readonly historical_entries: number
  readonly bond_denom: string
  readonly min_commission_rate?: Dec
}

/**
 * Staked coins, bonded and not, in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakingPool {
  readonly not_bonded_tokens: Int64
  readonly bonded_tokens: Int64
}

/**
 * An upgrade of the chain that is to come, at a height.
 *
 * @since 0.1.0
 * @category types
 */
export interface UpgradePlan {
  readonly name: string
  readonly time: Time
  readonly height: Int64
  readonly info: string
  readonly upgraded_client_state: Any | null
}

/**
 * How a transaction was signed: by one key, or by several (`bitarray` says which).
 *
 * @since 0.1.0
 * @category types
 */
export interface ModeInfo {
  readonly single?: { readonly mode: string }
  readonly multi?: {
    readonly bitarray: { readonly extra_bits_stored: number; readonly elems: Base64 }
    readonly mode_infos: ReadonlyArray<ModeInfo>
  }
}

/**
 * A transaction. Messages are structures of the chain's own, which are sent as they are given; signatures are base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Tx {
  readonly body: {
    readonly messages: ReadonlyArray<Any>
    readonly memo?: string
    readonly timeout_height?: Int64
    readonly extension_options?: ReadonlyArray<Any>
    readonly non_critical_extension_options?: ReadonlyArray<Any>
    readonly unordered?: boolean
    readonly timeout_timestamp?: Time | null
  }
  readonly auth_info: {
    readonly signer_infos: ReadonlyArray<{
      readonly public_key: PublicKey | null
      readonly mode_info: ModeInfo
      readonly sequence: Int64
    }>
    readonly fee: {
      readonly amount: ReadonlyArray<Coin>
      readonly gas_limit: Int64
      readonly payer?: Address
      readonly granter?: Address
    }
    readonly tip?: { readonly amount: ReadonlyArray<Coin>; readonly tipper: Address } | null
  }
  readonly signatures: ReadonlyArray<Base64>
}

/**
 * An event of a transaction: names and values, text or (of older nodes) base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Event {
  readonly type: string
  readonly attributes: ReadonlyArray<{
    readonly key: string
    readonly value: string | null
    readonly index?: boolean
  }>
}

/**
 * An event in the log of a message: names and values, as text.
 *
 * @since 0.1.0
 * @category types
 */
export interface LogEvent {
  readonly type: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: string }>
}

/**
 * The outcome of a transaction: `code` 0 is success, anything else a failure that `raw_log` explains. Hashes and `data` are
 * hexadecimal in capitals.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxResponse {
  readonly height: Int64
  readonly txhash: string
  readonly codespace: string
  readonly code: number
  readonly data: string
  readonly raw_log: string
  readonly logs: ReadonlyArray<{
    readonly msg_index: number
    readonly log: string
    readonly events: ReadonlyArray<LogEvent>
  }>
  readonly info: string
  readonly gas_wanted: Int64
  readonly gas_used: Int64
  readonly tx: (Any & Partial<Tx>) | null
  readonly timestamp: Time
  readonly events: ReadonlyArray<Event>
}

/**
 * A transaction in a block, and its outcome.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxAnswer {
  readonly tx: Tx
  readonly tx_response: TxResponse
}

/**
 * Transactions that were found, and their outcomes. `total` is of newer nodes, older ones have it in `pagination`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxSearch extends Paged {
  readonly txs: ReadonlyArray<Tx>
  readonly tx_responses: ReadonlyArray<TxResponse>
  readonly total?: Int64
}

/**
 * The effects that a transaction would have: gas, messages' results and events.
 *
 * @since 0.1.0
 * @category types
 */
export interface Simulation {
  readonly gas_info: { readonly gas_wanted: Int64; readonly gas_used: Int64 }
  readonly result: {
    readonly data: Base64 | null
    readonly log: string
    readonly events: ReadonlyArray<Event>
    readonly msg_responses?: ReadonlyArray<Any>
  }
}

/**
 * How long a broadcast waits: for the check of the transaction (sync), or for nothing (async). Newer nodes refuse the block.
 *
 * @since 0.1.0
 * @category types
 */
export type BroadcastMode =
  | "BROADCAST_MODE_UNSPECIFIED"
  | "BROADCAST_MODE_BLOCK"
  | "BROADCAST_MODE_SYNC"
  | "BROADCAST_MODE_ASYNC"
