/**
 * Cosmos Hub over the REST routes of the Cosmos SDK, and over those of Rosetta that it inherits (see `Cardano`). Names of
 * arguments and answers are those of the wire. 64-bit integers of answers are decimal strings, small ones are numbers;
 * amounts are decimal strings in the denomination beside them (1 ATOM = 10^6 uatom), rates and shares are decimal strings
 * with 18 decimals. A transaction that the chain does not take is an error; one that failed in its block is an answer.
 *
 * @since 0.1.0
 */

import { type Family, getProbe } from "../balancer/Family.js"
import { type BytesForm, base64, byFieldName, eachOf, hex, whenTextOrBytes } from "../data/bytes.js"
import { type Failure, type Fault, get, group, merge, post, type Refusal } from "../data/Endpoint.js"
import { type IntegerCodec, numberIntegers } from "../data/integers.js"
import { isRecord } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { isRefusalStatus } from "../wire/jsonRpc.js"
import { rosettaEndpoints, rosettaProbe } from "./Cardano.js"
import { faultOf as standard, tendermintCallerFault } from "./internal/faults.js"

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

/** The reasons that nodes give by number alone: they speak of the pool, which has no log. */
const unloggedErrors: ReadonlyMap<string, string> = new Map([
  ["sdk 19", "tx already in mempool"],
  ["sdk 20", "mempool is full"],
  ["sdk 21", "tx too large"]
])

/** The refusal of the application or the pool, in its own words. */
const readError = (value: unknown): Refusal | undefined => {
  if (!isRecord(value)) return undefined
  const { code = 0, codespace, info, log, raw_log: rawLog, txhash } = value
  // an object may be no number at all, and then it is no code
  if ((typeof code !== "number" && typeof code !== "string") || Number(code) === 0) return undefined
  const place = `${typeof codespace === "string" ? codespace : ""} ${String(code)}`.trim()
  const text = [rawLog, log, info].find((each) => typeof each === "string" && each !== "")
  const hash = typeof txhash === "string" && txhash !== "" ? ` (transaction ${txhash})` : ""
  return {
    message: `${place}: ${String(text ?? unloggedErrors.get(place) ?? "refused")}${hash}`,
    code: Number(code)
  }
}

/** A transaction that was not taken, or a query that the application refuses. */
const refusal = (answer: unknown): Refusal | undefined =>
  isRecord(answer) ? readError(answer.tx_response ?? answer) : undefined

/** Words about data that another node may have: blocks and states that it dropped or has not got yet, an index. */
const elsewhereMessage =
  /failed to load state|version does not exist|not available, lowest height|bigger then the chain length|greater than the current height|must be less than or equal to|could not find (results|block)|\btx(?: \(?[0-9a-f]{64}\)?)? not found|indexing is disabled/i

const nodeMessage =
  /mempool is full|timed out|deadline exceeded|rate limit|too many requests|try again|overloaded|connection (refused|reset|error)|no such host|transport is closing|error while dialing/i

/**
 * Whose fault an error is that has no status: a refusal by the application, whose codes are positive and which speaks of
 * the transaction, or an answer to a raw call of Tendermint, which has the reason in `data`.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}): Fault => {
  const text = typeof error.data === "string" ? `${error.message}: ${error.data}` : error.message
  // only words of the SDK's own count: a log of another module may be made of the words of a contract
  if (error.code > 0) {
    return /^sdk 20:/.test(text)
      ? "node"
      : /^sdk \d+:/.test(text) && elsewhereMessage.test(text)
        ? "elsewhere"
        : "caller"
  }
  if (nodeMessage.test(text)) return "node"
  return elsewhereMessage.test(text)
    ? "elsewhere"
    : tendermintCallerFault.test(text)
      ? "caller"
      : standard(error)
}

/** Codes of gRPC, which stand in the body of a failed answer. */
const UNKNOWN = 2
const DEADLINE_EXCEEDED = 4
const UNIMPLEMENTED = 12
const INTERNAL = 13
const UNAVAILABLE = 14

/**
 * The SDK answers 500 for most faults of a request, so that the status says little. A request that the application
 * has refused is the caller's; where nobody can tell, another node is asked, and no node is blamed.
 */
const faultOf = (code: number, message: string): Fault => {
  if (code === DEADLINE_EXCEEDED || code === UNAVAILABLE) return "node"
  // the gateway's own words for a route that this version does not have
  if (code === UNIMPLEMENTED || message === "Not Found") return "elsewhere"
  const refused = / with gas used: '\d+'/.test(message)
  if (!refused && elsewhereMessage.test(message)) return "elsewhere"
  if (refused || (code !== UNKNOWN && code !== INTERNAL)) return "caller"
  return nodeMessage.test(message) ? "node" : /codespace \S+ code \d+/.test(message) ? "caller" : "elsewhere"
}

/** An error of the gateway before the application's routes. Anything else comes from proxies, whose status speaks. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  if (!isRecord(answer) || isRefusalStatus(status)) return undefined
  const { code, details, message } = answer
  return typeof code === "number" && typeof message === "string" && Array.isArray(details)
    ? { messages: [message], fault: faultOf(code, message) }
    : undefined
}

/** Integers of the caller's messages: 64-bit ones are decimal strings in the JSON of protocol buffers. */
const integers: IntegerCodec = {
  parse: numberIntegers.parse,
  stringify: (value) =>
    JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item)) ?? "null"
}

/** Pages that are asked for as one object go out under dotted names. */
const toPagination = (input?: Paging): Readonly<Record<string, unknown>> => {
  const { pagination = {}, ...fields } = input ?? {}
  if (!isRecord(pagination)) throw new Error("pagination must be an object")
  return {
    ...fields,
    ...Object.fromEntries(Object.entries(pagination).map(([name, value]) => [`pagination.${name}`, value]))
  }
}

const inMempoolMessage = /^sdk 19: .*\(transaction ([0-9A-F]{64})\)$/

/** The success of a transaction that the node has in its pool already: the answer to the broadcast that brought it there. */
const toMempoolAnswer = async (_: unknown, text: string): Promise<{ readonly tx_response: TxResponse }> => {
  const [, txhash] = inMempoolMessage.exec(text) ?? []
  if (txhash === undefined) throw new Error("the node does not say which transaction")
  return {
    tx_response: {
      height: "0",
      txhash,
      codespace: "",
      code: 0,
      data: "",
      raw_log: "",
      logs: [],
      info: "",
      gas_wanted: "0",
      gas_used: "0",
      tx: null,
      timestamp: "",
      events: []
    }
  }
}

/** A public key, or several with theirs. */
const publicKey: BytesForm = (value, place, args) =>
  byFieldName({ key: base64(), public_keys: eachOf(publicKey) })(value, place, args)

/** What has one meaning in all calls. Messages and extensions are of modules, of which every chain has its own. */
const bytesByName = byFieldName(
  {
    amino_binary: base64(),
    data: whenTextOrBytes(base64()),
    elems: base64(),
    evidence_hash: base64(),
    "pagination.key": base64(),
    public_key: publicKey,
    public_keys: eachOf(publicKey),
    signatures: eachOf(base64()),
    tx_bytes: base64()
  },
  ["extension_options", "messages", "non_critical_extension_options"]
)

const readEndpoints = group(
  { integers, bytes: bytesByName, failure, classify },
  {
    /** Accounts. */
    getAccounts: get("/cosmos/auth/v1beta1/accounts")
      .query<Paging>()
      .returns<Paged & { readonly accounts: ReadonlyArray<Account> }>()
      .prepare(toPagination)
      .lists("accounts"),
    /** Account: number and sequence, which the next transaction needs. */
    getAccountDetails: get("/cosmos/auth/v1beta1/accounts/{address}").returns<{
      readonly account: Account
    }>(),
    /** The same, with the fields of the base for every kind of account (newer nodes). */
    getAccountInfo: get("/cosmos/auth/v1beta1/account_info/{address}").returns<{
      readonly info: BaseAccount
    }>(),
    /** Address of an account by its number (newer nodes). */
    getAddressByAccountNumber: get("/cosmos/auth/v1beta1/address_by_id/{id}")
      .query<{ readonly account_id?: Integer }>()
      .returns<{ readonly account_address: Address }>(),
    /** Limits and gas costs of transactions. */
    getAllParams: get("/cosmos/auth/v1beta1/params").returns<{ readonly params: AuthParams }>(),
    /** Accounts of the chain's modules (newer nodes). */
    getModuleAccounts: get("/cosmos/auth/v1beta1/module_accounts")
      .returns<{
        readonly accounts: ReadonlyArray<Account>
      }>()
      .lists("accounts"),
    /** Account of a module, such as `gov` (newer nodes). */
    getModuleAccountByName: get("/cosmos/auth/v1beta1/module_accounts/{name}").returns<{
      readonly account: Account
    }>(),
    /** What addresses of the chain begin with (newer nodes). */
    getBech32Prefix: get("/cosmos/auth/v1beta1/bech32").returns<{ readonly bech32_prefix: string }>(),
    /** Bytes of an address, base64 (newer nodes). */
    getAddressBytes: get("/cosmos/auth/v1beta1/bech32/{address_string}").returns<{
      readonly address_bytes: Base64
    }>(),
    /** What an account has allowed another one to do in its name. */
    getGrants: get("/cosmos/authz/v1beta1/grants")
      .query<
        Paging & { readonly granter: Address; readonly grantee: Address; readonly msg_type_url?: string }
      >()
      .returns<Paged & { readonly grants: ReadonlyArray<Grant> }>()
      .prepare(toPagination)
      .lists("grants"),
    /** What an account has been allowed to do in the name of others. */
    getGranteeGrants: get("/cosmos/authz/v1beta1/grants/grantee/{grantee}")
      .query<Paging>()
      .returns<Paged & { readonly grants: ReadonlyArray<GrantAuthorization> }>()
      .prepare(toPagination)
      .lists("grants"),
    /** What an account has allowed others to do in its name. */
    getGranterGrants: get("/cosmos/authz/v1beta1/grants/granter/{granter}")
      .query<Paging>()
      .returns<Paged & { readonly grants: ReadonlyArray<GrantAuthorization> }>()
      .prepare(toPagination)
      .lists("grants"),
    /** Balances of an account, in the smallest units. */
    getAllBalances: get("/cosmos/bank/v1beta1/balances/{address}")
      .query<Paging & { readonly resolve_denom?: boolean }>()
      .returns<Paged & { readonly balances: ReadonlyArray<Coin> }>()
      .prepare(toPagination)
      .lists("balances"),
    /** Balance of an account in one coin, in its smallest unit. */
    getBalanceByDenom: get("/cosmos/bank/v1beta1/balances/{address}/by_denom")
      .query<{ readonly denom: string }>()
      .returns<{ readonly balance: Coin | null }>(),
    /** What an account can spend, without what is locked, in the smallest units. */
    getSpendableBalances: get("/cosmos/bank/v1beta1/spendable_balances/{address}")
      .query<Paging>()
      .returns<Paged & { readonly balances: ReadonlyArray<Coin> }>()
      .prepare(toPagination)
      .lists("balances"),
    /** What an account can spend of one coin, in its smallest unit (newer nodes). */
    getSpendableBalanceByDenom: get("/cosmos/bank/v1beta1/spendable_balances/{address}/by_denom")
      .query<{ readonly denom: string }>()
      .returns<{ readonly balance: Coin | null }>(),
    /** Coins in existence, in the smallest units. */
    getTotalSupply: get("/cosmos/bank/v1beta1/supply")
      .query<Paging>()
      .returns<Paged & { readonly supply: ReadonlyArray<Coin> }>()
      .prepare(toPagination)
      .lists("supply"),
    /** How much there is of a coin, by a route that nodes have dropped with SDK 0.46: see `getSupplyByDenom`. */
    getSupplyOfCoin: get("/cosmos/bank/v1beta1/supply/{+denom}").returns<{ readonly amount: Coin }>(),
    /** How much there is of a coin, in its smallest unit. */
    getSupplyByDenom: get("/cosmos/bank/v1beta1/supply/by_denom")
      .query<{ readonly denom: string }>()
      .returns<{ readonly amount: Coin }>(),
    /** Whether coins may be sent. */
    getBankParams: get("/cosmos/bank/v1beta1/params").returns<{
      readonly params: {
        readonly send_enabled: ReadonlyArray<SendEnabled>
        readonly default_send_enabled: boolean
      }
    }>(),
    /** Coins for which sending is allowed or forbidden, other than by default (newer nodes). */
    getSendEnabled: get("/cosmos/bank/v1beta1/send_enabled")
      .query<Paging & { readonly denoms?: ReadonlyArray<string> }>()
      .returns<Paged & { readonly send_enabled: ReadonlyArray<SendEnabled> }>()
      .prepare(toPagination)
      .lists("send_enabled"),
    /** What coins are called, and their units. */
    getDenomsMetadata: get("/cosmos/bank/v1beta1/denoms_metadata")
      .query<Paging>()
      .returns<Paged & { readonly metadatas: ReadonlyArray<DenomMetadata> }>()
      .prepare(toPagination)
      .lists("metadatas"),
    /** What a coin is called, and its units. A name with slashes (`ibc/…`) keeps them. */
    getDenomMetadata: get("/cosmos/bank/v1beta1/denoms_metadata/{+denom}").returns<{
      readonly metadata: DenomMetadata
    }>(),
    /** The same, by a route that takes every name (newer nodes). */
    getDenomMetadataByQuery: get("/cosmos/bank/v1beta1/denoms_metadata_by_query_string")
      .query<{ readonly denom: string }>()
      .returns<{ readonly metadata: DenomMetadata }>(),
    /** Accounts that have a coin. A name with slashes (`ibc/…`) keeps them. */
    getDenomOwners: get("/cosmos/bank/v1beta1/denom_owners/{+denom}")
      .query<Paging>()
      .returns<Paged & { readonly denom_owners: ReadonlyArray<DenomOwner> }>()
      .prepare(toPagination)
      .lists("denom_owners"),
    /** The same, by a route that takes every name (newer nodes). */
    getDenomOwnersByQuery: get("/cosmos/bank/v1beta1/denom_owners_by_query")
      .query<Paging & { readonly denom: string }>()
      .returns<Paged & { readonly denom_owners: ReadonlyArray<DenomOwner> }>()
      .prepare(toPagination)
      .lists("denom_owners"),
    /** Price of gas in a coin that the chain asks for now (chains with a fee market). A name with slashes (`ibc/…`) keeps them. */
    getGasPrice: get("/api/feemarket/v1/gas_price/{+denom}").returns<{ readonly price: DecCoin }>(),
    /** How the node is set up. */
    getNodeConfig: get("/cosmos/base/node/v1beta1/config").returns<NodeConfig>(),
    /** How far the node is, and how far back its state goes (newer nodes). */
    getNodeStatus: get("/cosmos/base/node/v1beta1/status").returns<NodeStatus>(),
    /** The newest block. */
    getLatestBlock: get("/cosmos/base/tendermint/v1beta1/blocks/latest").returns<BlockAnswer>(),
    /** Block by height. */
    getBlockByHeight: get("/cosmos/base/tendermint/v1beta1/blocks/{height}")
      .echoes({ "block.header.height": "height" })
      .returns<BlockAnswer>(),
    /** Node: who it is, and its software. */
    getNodeInfo: get("/cosmos/base/tendermint/v1beta1/node_info").returns<NodeInfo>(),
    /** Whether the node is still catching up with the chain. */
    getSyncing: get("/cosmos/base/tendermint/v1beta1/syncing").returns<{ readonly syncing: boolean }>(),
    /** Validators of the newest block. */
    getLatestValidatorSet: get("/cosmos/base/tendermint/v1beta1/validatorsets/latest")
      .query<Paging>()
      .returns<ValidatorSet>()
      .prepare(toPagination)
      .lists("validators"),
    /** Validators of a block. */
    getValidatorSetByHeight: get("/cosmos/base/tendermint/v1beta1/validatorsets/{height}")
      .echoes({ block_height: "height" })
      .query<Paging>()
      .returns<ValidatorSet>()
      .prepare(toPagination)
      .lists("validators"),
    /** Limits that validators agree on (newer nodes). */
    getConsensusParams: get("/cosmos/consensus/v1/params").returns<{
      readonly params: ConsensusParams
    }>(),
    /** What the community has to spend, in the smallest units. */
    getCommunityPool: get("/cosmos/distribution/v1beta1/community_pool")
      .returns<{
        readonly pool: ReadonlyArray<DecCoin>
      }>()
      .lists("pool"),
    /** What a delegator has earned with a validator and not withdrawn, in the smallest units. */
    getDelegationRewards: get(
      "/cosmos/distribution/v1beta1/delegators/{delegator_address}/rewards/{validator_address}"
    )
      .returns<{ readonly rewards: ReadonlyArray<DecCoin> }>()
      .lists("rewards"),
    /** The same with every validator, and in all. */
    getDelegationTotalRewards: get("/cosmos/distribution/v1beta1/delegators/{delegator_address}/rewards")
      .returns<{ readonly rewards: ReadonlyArray<DelegatorReward>; readonly total: ReadonlyArray<DecCoin> }>()
      .lists("rewards", "total"),
    /** Addresses of the validators that an account has staked with. */
    getDelegatorValidators: get("/cosmos/distribution/v1beta1/delegators/{delegator_address}/validators")
      .returns<{ readonly validators: ReadonlyArray<Address> }>()
      .lists("validators"),
    /** Where a delegator's rewards go. */
    getDelegatorWithdrawAddress: get(
      "/cosmos/distribution/v1beta1/delegators/{delegator_address}/withdraw_address"
    ).returns<{ readonly withdraw_address: Address }>(),
    /** Shares of the fees. */
    getDistributionParams: get("/cosmos/distribution/v1beta1/params").returns<{
      readonly params: DistributionParams
    }>(),
    /** What a validator earns, for its own stake and as commission (newer nodes). */
    getValidatorDistribution: get("/cosmos/distribution/v1beta1/validators/{validator_address}")
      .returns<ValidatorDistribution>()
      .lists("self_bond_rewards", "commission"),
    /** What a validator has earned as commission and not withdrawn, in the smallest units. */
    getValidatorCommission: get(
      "/cosmos/distribution/v1beta1/validators/{validator_address}/commission"
    ).returns<{ readonly commission: { readonly commission: ReadonlyArray<DecCoin> } }>(),
    /** What a validator and its delegators have earned and not withdrawn, in the smallest units. */
    getValidatorOutstandingRewards: get(
      "/cosmos/distribution/v1beta1/validators/{validator_address}/outstanding_rewards"
    ).returns<{ readonly rewards: { readonly rewards: ReadonlyArray<DecCoin> } }>(),
    /** When a validator has lost stake, between two heights. */
    getValidatorSlashes: get("/cosmos/distribution/v1beta1/validators/{validator_address}/slashes")
      .query<Paging & { readonly starting_height?: Integer; readonly ending_height?: Integer }>()
      .returns<Paged & { readonly slashes: ReadonlyArray<ValidatorSlash> }>()
      .prepare(toPagination)
      .lists("slashes"),
    /** Proofs that validators have misbehaved. */
    getAllEvidence: get("/cosmos/evidence/v1beta1/evidence")
      .query<Paging>()
      .returns<Paged & { readonly evidence: ReadonlyArray<Evidence> }>()
      .prepare(toPagination)
      .lists("evidence"),
    /** Proof that a validator has misbehaved, by its hash (hexadecimal; older nodes: base64). */
    getEvidence: get("/cosmos/evidence/v1beta1/evidence/{hash}")
      .query<{ readonly evidence_hash?: Base64 }>()
      .returns<{ readonly evidence: Evidence }>(),
    /** Fees that an account pays for another. */
    getAllowance: get("/cosmos/feegrant/v1beta1/allowance/{granter}/{grantee}")
      .echoes({ "allowance.granter": "granter", "allowance.grantee": "grantee" })
      .returns<{
        readonly allowance: FeeAllowance
      }>(),
    /** Fees that others pay for an account. */
    getAllowanceForAddress: get("/cosmos/feegrant/v1beta1/allowances/{grantee}")
      .query<Paging>()
      .returns<Paged & { readonly allowances: ReadonlyArray<FeeAllowance> }>()
      .prepare(toPagination)
      .lists("allowances"),
    /** Fees that an account pays for others. */
    getIssuedAllowances: get("/cosmos/feegrant/v1beta1/issued/{granter}")
      .query<Paging>()
      .returns<Paged & { readonly allowances: ReadonlyArray<FeeAllowance> }>()
      .prepare(toPagination)
      .lists("allowances"),
    /** Rules of governance: `voting`, `deposit` or `tallying`. */
    getGovernanceParams: get("/cosmos/gov/v1beta1/params/{params_type}").returns<GovParams>(),
    /** Proposals by state, voter and depositor. */
    getAllProposals: get("/cosmos/gov/v1beta1/proposals")
      .query<ProposalSearch>()
      .returns<Paged & { readonly proposals: ReadonlyArray<Proposal> }>()
      .prepare(toPagination)
      .lists("proposals"),
    /** Proposal. */
    getProposalDetails: get("/cosmos/gov/v1beta1/proposals/{proposal_id}")
      .echoes({ "proposal.proposal_id": "proposal_id" })
      .returns<{
        readonly proposal: Proposal
      }>(),
    /** Deposits on a proposal, in the smallest units. */
    getDeposits: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/deposits")
      .query<Paging>()
      .returns<Paged & { readonly deposits: ReadonlyArray<Deposit> }>()
      .prepare(toPagination)
      .lists("deposits"),
    /** Deposit of an account on a proposal, in the smallest units. */
    getDeposit: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/deposits/{depositor}")
      .echoes({ "deposit.proposal_id": "proposal_id", "deposit.depositor": "depositor" })
      .returns<{
        readonly deposit: Deposit
      }>(),
    /** Votes on a proposal, summed up. */
    getTallyResult: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/tally").returns<{
      readonly tally: Tally
    }>(),
    /** Votes on a proposal. */
    getVotes: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/votes")
      .query<Paging>()
      .returns<Paged & { readonly votes: ReadonlyArray<ProposalVote> }>()
      .prepare(toPagination)
      .lists("votes"),
    /** Vote of an account on a proposal. */
    getVote: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/votes/{voter}")
      .echoes({ "vote.proposal_id": "proposal_id", "vote.voter": "voter" })
      .returns<{
        readonly vote: ProposalVote
      }>(),
    /** Governance of newer nodes, where a proposal has messages. */
    govV1: {
      /** What the chain has given itself as its constitution, if it has. */
      getConstitution: get("/cosmos/gov/v1/constitution").returns<{ readonly constitution: string }>(),
      /** Rules of governance: `voting`, `deposit` or `tallying`. */
      getParams: get("/cosmos/gov/v1/params/{params_type}").returns<GovParamsV1>(),
      /** Proposals by state, voter and depositor. */
      getProposals: get("/cosmos/gov/v1/proposals")
        .query<ProposalSearch>()
        .returns<Paged & { readonly proposals: ReadonlyArray<ProposalV1> }>()
        .prepare(toPagination)
        .lists("proposals"),
      /** Proposal. */
      getProposal: get("/cosmos/gov/v1/proposals/{proposal_id}")
        .echoes({ "proposal.id": "proposal_id" })
        .returns<{
          readonly proposal: ProposalV1
        }>(),
      /** Deposits on a proposal, in the smallest units. */
      getDeposits: get("/cosmos/gov/v1/proposals/{proposal_id}/deposits")
        .query<Paging>()
        .returns<Paged & { readonly deposits: ReadonlyArray<Deposit> }>()
        .prepare(toPagination)
        .lists("deposits"),
      /** Deposit of an account on a proposal, in the smallest units. */
      getDeposit: get("/cosmos/gov/v1/proposals/{proposal_id}/deposits/{depositor}")
        .echoes({ "deposit.proposal_id": "proposal_id", "deposit.depositor": "depositor" })
        .returns<{
          readonly deposit: Deposit
        }>(),
      /** Votes on a proposal, summed up. */
      getTallyResult: get("/cosmos/gov/v1/proposals/{proposal_id}/tally").returns<{
        readonly tally: TallyV1
      }>(),
      /** Votes on a proposal. */
      getVotes: get("/cosmos/gov/v1/proposals/{proposal_id}/votes")
        .query<Paging>()
        .returns<Paged & { readonly votes: ReadonlyArray<ProposalVoteV1> }>()
        .prepare(toPagination)
        .lists("votes"),
      /** Vote of an account on a proposal. */
      getVote: get("/cosmos/gov/v1/proposals/{proposal_id}/votes/{voter}")
        .echoes({ "vote.proposal_id": "proposal_id", "vote.voter": "voter" })
        .returns<{
          readonly vote: ProposalVoteV1
        }>()
    },
    /** New coins per year, in the smallest unit. */
    getAnnualProvisions: get("/cosmos/mint/v1beta1/annual_provisions").returns<{
      readonly annual_provisions: Dec
    }>(),
    /** Share of new coins per year. */
    getInflation: get("/cosmos/mint/v1beta1/inflation").returns<{ readonly inflation: Dec }>(),
    /** How much new coin there may be. */
    getMintingParams: get("/cosmos/mint/v1beta1/params").returns<{ readonly params: MintParams }>(),
    /** Parameter of a module, as JSON in a text. */
    getSpecificParam: get("/cosmos/params/v1beta1/params")
      .query<{ readonly subspace: string; readonly key: string }>()
      .returns<{ readonly param: Param }>(),
    /** Names of all parameters, by module (newer nodes). */
    getSubspaces: get("/cosmos/params/v1beta1/subspaces")
      .returns<{
        readonly subspaces: ReadonlyArray<{ readonly subspace: string; readonly keys: ReadonlyArray<string> }>
      }>()
      .lists("subspaces"),
    /** What validators lose their stake for. */
    getSlashingParams: get("/cosmos/slashing/v1beta1/params").returns<{
      readonly params: SlashingParams
    }>(),
    /** How reliably validators sign blocks. */
    getSigningInfos: get("/cosmos/slashing/v1beta1/signing_infos")
      .query<Paging>()
      .returns<Paged & { readonly info: ReadonlyArray<SigningInfo> }>()
      .prepare(toPagination)
      .lists("info"),
    /** How reliably a validator signs blocks, by the address of its key. */
    getSingingInfoByConsAddress: get("/cosmos/slashing/v1beta1/signing_infos/{cons_address}").returns<{
      readonly val_signing_info: SigningInfo
    }>(),
    /** What an account has staked. A validator is no part of this question; it is accepted and not sent. */
    getDelegations: get("/cosmos/staking/v1beta1/delegations/{delegator_address}")
      .query<Paging & { readonly validator_addr?: Address }>()
      .returns<Paged & { readonly delegation_responses: ReadonlyArray<Delegation> }>()
      .prepare(({ validator_addr: _, ...input }) => toPagination(input))
      .lists("delegation_responses"),
    /** What is staked with a validator. A delegator is no part of this question; it is accepted and not sent. */
    getDelegationsForValidator: get("/cosmos/staking/v1beta1/validators/{validator_addr}/delegations")
      .query<Paging & { readonly delegator_address?: Address }>()
      .returns<Paged & { readonly delegation_responses: ReadonlyArray<Delegation> }>()
      .prepare(({ delegator_address: _, ...input }) => toPagination(input))
      .lists("delegation_responses"),
    /** What an account has staked with a validator. */
    getDelegation: get("/cosmos/staking/v1beta1/validators/{validator_addr}/delegations/{delegator_addr}")
      .echoes({
        "delegation_response.delegation.delegator_address": "delegator_addr",
        "delegation_response.delegation.validator_address": "validator_addr"
      })
      .returns<{ readonly delegation_response: Delegation }>(),
    /** What an account has moved from one validator to another. */
    getRedelegations: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/redelegations")
      .query<Paging & { readonly src_validator_addr?: Address; readonly dst_validator_addr?: Address }>()
      .returns<Paged & { readonly redelegation_responses: ReadonlyArray<Redelegation> }>()
      .prepare(toPagination)
      .lists("redelegation_responses"),
    /** What an account has taken back, and when it gets it. */
    getUnbondingDelegations: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/unbonding_delegations")
      .query<Paging>()
      .returns<Paged & { readonly unbonding_responses: ReadonlyArray<UnbondingDelegation> }>()
      .prepare(toPagination)
      .lists("unbonding_responses"),
    /** What an account has taken back from a validator, and when it gets it. */
    getUnbondingDelegation: get(
      "/cosmos/staking/v1beta1/validators/{validator_addr}/delegations/{delegator_addr}/unbonding_delegation"
    )
      .echoes({ "unbond.delegator_address": "delegator_addr", "unbond.validator_address": "validator_addr" })
      .returns<{ readonly unbond: UnbondingDelegation }>(),
    /** What has been taken back from a validator. */
    getValidatorUnbondingDelegations: get(
      "/cosmos/staking/v1beta1/validators/{validator_addr}/unbonding_delegations"
    )
      .query<Paging>()
      .returns<Paged & { readonly unbonding_responses: ReadonlyArray<UnbondingDelegation> }>()
      .prepare(toPagination)
      .lists("unbonding_responses"),
    /** Validators that an account has staked with. */
    getValidators: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/validators")
      .query<Paging & { readonly status?: BondStatus }>()
      .returns<Paged & { readonly validators: ReadonlyArray<Validator> }>()
      .prepare(toPagination)
      .lists("validators"),
    /** Validator that an account has staked with. */
    getValidatorInfo: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/validators/{validator_addr}")
      .echoes({ "validator.operator_address": "validator_addr" })
      .returns<{ readonly validator: Validator }>(),
    /** Validators of a state, or all of them. */
    getValidatorsForGivenStatus: get("/cosmos/staking/v1beta1/validators")
      .query<Paging & { readonly status?: BondStatus }>()
      .returns<Paged & { readonly validators: ReadonlyArray<Validator> }>()
      .prepare(toPagination)
      .lists("validators"),
    /** Validator. */
    getValidatorInfoForAddress: get("/cosmos/staking/v1beta1/validators/{validator_addr}")
      .echoes({ "validator.operator_address": "validator_addr" })
      .returns<{
        readonly validator: Validator
      }>(),
    /** Header and validators of a block. Nodes keep the newest 10,000 or so. */
    getHistoricalInfo: get("/cosmos/staking/v1beta1/historical_info/{height}")
      .echoes({ "hist.header.height": "height" })
      .returns<{
        readonly hist: HistoricalInfo
      }>(),
    /** Rules of staking. */
    getStakingParams: get("/cosmos/staking/v1beta1/params").returns<{ readonly params: StakingParams }>(),
    /** Staked coins, in the smallest unit. */
    getPoolInfo: get("/cosmos/staking/v1beta1/pool").returns<{ readonly pool: StakingPool }>(),
    /** Transactions by their events, such as `tx.height=5` (newer nodes: in one `query`). A failed one is an answer too. */
    getTxsByEvent: get("/cosmos/tx/v1beta1/txs")
      .query<
        Paging & {
          readonly events?: ReadonlyArray<string>
          readonly query?: string
          readonly order_by?: "ORDER_BY_UNSPECIFIED" | "ORDER_BY_ASC" | "ORDER_BY_DESC"
          readonly page?: Integer
          readonly limit?: Integer
        }
      >()
      .returns<TxSearch>()
      .prepare(toPagination)
      .lists("txs", "tx_responses"),
    /** Transaction by its hash (hexadecimal). A failed one is an answer too: see `tx_response.code`. */
    getTxByHash: get("/cosmos/tx/v1beta1/txs/{hash}")
      .bytes({ 0: hex(32) })
      .echoes({ "tx_response.txhash": 0 })
      .returns<TxAnswer>()
      .args((hash: string) => ({ hash })),
    /** Block by height, with its transactions as structures (newer nodes). */
    getBlockWithTxs: get("/cosmos/tx/v1beta1/txs/block/{height}")
      .echoes({ "block.header.height": "height" })
      .query<Paging>()
      .returns<BlockWithTxs>()
      .prepare(toPagination)
      .lists("txs"),
    /** Runs a transaction (`tx_bytes`, base64; older nodes: `tx`) without sending it: what gas it takes. Signatures may be empty. */
    simulate: post("/cosmos/tx/v1beta1/simulate")
      .body<{ readonly tx?: Tx; readonly tx_bytes?: Base64 }>()
      .returns<Simulation>()
      .verbatim(),
    /** Structure of a transaction's bytes, base64 (newer nodes). */
    decodeTx: post("/cosmos/tx/v1beta1/decode")
      .body<{ readonly tx_bytes: Base64 }>()
      .returns<{ readonly tx: Tx }>(),
    /** Bytes of a transaction, base64 (newer nodes). */
    encodeTx: post("/cosmos/tx/v1beta1/encode")
      .body<{ readonly tx: Tx }>()
      .returns<{ readonly tx_bytes: Base64 }>()
      .verbatim(),
    /** Structure of a transaction in the older encoding (base64), as JSON in a text (newer nodes). */
    decodeTxAmino: post("/cosmos/tx/v1beta1/decode/amino")
      .body<{ readonly amino_binary: Base64 }>()
      .returns<{ readonly amino_json: string }>(),
    /** Bytes (base64) of a transaction in the older encoding, from JSON in a text (newer nodes). */
    encodeTxAmino: post("/cosmos/tx/v1beta1/encode/amino")
      .body<{ readonly amino_json: string }>()
      .returns<{ readonly amino_binary: Base64 }>(),
    /** Height at which an upgrade was applied; `0` if it was not. */
    getAppliedPlan: get("/cosmos/upgrade/v1beta1/applied_plan/{name}").returns<{
      readonly height: Int64
    }>(),
    /** Account that may upgrade the chain (newer nodes). */
    getUpgradeAuthority: get("/cosmos/upgrade/v1beta1/authority").returns<{
      readonly address: Address
    }>(),
    /** Upgrade that is to come, or null. */
    getCurrentPlan: get("/cosmos/upgrade/v1beta1/current_plan").returns<{
      readonly plan: UpgradePlan | null
    }>(),
    /** Versions of the chain's modules. */
    getModuleVersions: get("/cosmos/upgrade/v1beta1/module_versions")
      .query<{ readonly module_name?: string }>()
      .returns<{
        readonly module_versions: ReadonlyArray<{ readonly name: string; readonly version: Int64 }>
      }>()
      .lists("module_versions"),
    /** State of the consensus for the chain after an upgrade, by the last height before it. */
    getUpgradedConsensusState: get("/cosmos/upgrade/v1beta1/upgraded_consensus_state/{last_height}")
      .returns<{ readonly upgraded_consensus_state: Base64 }>()
      .args((lastHeight: Integer) => ({ last_height: lastHeight }))
  }
)

/** Endpoints whose answers have a code of the application, where any but 0 means no. */
const checkedEndpoints = group(
  { integers, bytes: bytesByName, failure, classify, refusal },
  {
    /** Sends a signed transaction (base64). One that is not taken is an error. Safe to repeat. */
    broadcastTx: post("/cosmos/tx/v1beta1/txs")
      .bytes({ tx_bytes: base64() })
      .body<{ readonly tx_bytes: Base64; readonly mode: BroadcastMode }>()
      .returns<{ readonly tx_response: TxResponse }>()
      .broadcast({ known: inMempoolMessage, result: toMempoolAnswer }),
    /** Asks the application's store: `path` says what, `data` (base64) with what. A refusal is an error. */
    abciQuery: get("/cosmos/base/tendermint/v1beta1/abci_query")
      .query<{
        readonly path: string
        readonly data?: Base64
        readonly height?: Integer
        readonly prove?: boolean
      }>()
      .returns<AbciQuery>()
  }
)

/**
 * The endpoints of Cosmos: those of the Cosmos SDK, and those of Rosetta.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof readEndpoints & typeof checkedEndpoints & typeof rosettaEndpoints = merge(
  merge(readEndpoints, checkedEndpoints),
  rosettaEndpoints
)

/**
 * The client of Cosmos.
 *
 * @since 0.1.0
 * @category clients
 */
export interface CosmosRpc extends Client<typeof endpoints>, RawRpc {}

const latestBlock = getProbe("/cosmos/base/tendermint/v1beta1/blocks/latest", ["block", "header", "height"])
const rosetta = rosettaProbe("cosmos", "mainnet")

/**
 * The family of Cosmos. The provider has the routes of the Cosmos SDK under /api, and those of Rosetta beside them; an own node's
 * url is that of the REST server of the Cosmos SDK. The Rosetta server is another program, for which there is `rosettaUrl`.
 *
 * @since 0.1.0
 * @category families
 */
export const cosmos: Family<typeof endpoints, CosmosRpc> = {
  endpoints,
  layout: {
    provider: { routes: /^\/cosmos\//, prefix: "/api" },
    servers: { rosettaUrl: { routes: /^\/(?!cosmos\/)/ } }
  },
  // nobody knows what a Rosetta server calls a chain that is not in the table
  probe: (_id, { cosmos }, isOwn) =>
    cosmos !== undefined ? latestBlock : isOwn ? { ...latestBlock, otherwise: rosetta } : rosetta
}
