/**
 * What Tezos nodes take and give.
 *
 * @since 0.1.0
 */

/**
 * Any JSON: answers whose fields each protocol chooses anew.
 *
 * @since 0.1.0
 * @category types
 */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }

/**
 * An account (`tz…`), a contract (`KT1…`) or a rollup (`sr1…`).
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * An amount in mutez (10^-6 tez), a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Mutez = string

/**
 * An integer of any size, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Int = string

/**
 * Bytes, hexadecimal without 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * A time, RFC 3339.
 *
 * @since 0.1.0
 * @category types
 */
export type Time = string

/**
 * A value or type of Michelson. Its words are the contract's own and are sent as they are.
 *
 * @since 0.1.0
 * @category types
 */
export type Micheline =
  | { readonly int: Int }
  | { readonly string: string }
  | { readonly bytes: Hex }
  | {
      readonly prim: string
      readonly args?: ReadonlyArray<Micheline>
      readonly annots?: ReadonlyArray<string>
    }
  | ReadonlyArray<Micheline>

/**
 * A chain; default `main`.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainRef {
  readonly chainId?: string
}

/**
 * A block of a chain; default `head` of `main`.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockRef extends ChainRef {
  readonly block?: string | number | bigint
}

/**
 * An account or contract, at a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractRef extends BlockRef {
  readonly contractId: Address
}

/**
 * A baker, at a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegateRef extends BlockRef {
  readonly delegate: Address
}

/**
 * Types of contracts with their abbreviations written out.
 *
 * @since 0.1.0
 * @category types
 */
export interface NormalizeTypes {
  readonly normalizeTypes?: boolean
}

/**
 * The notation of Micheline.
 *
 * @since 0.1.0
 * @category types
 */
export type Unparsing = "Readable" | "Optimized" | "Optimized_legacy"

/**
 * The part of a block's header that all protocols have.
 *
 * @since 0.1.0
 * @category types
 */
export interface ShellHeader {
  readonly level: number
  readonly proto: number
  readonly predecessor: string
  readonly timestamp: Time
  readonly validation_pass: number
  readonly operations_hash: string
  readonly fitness: ReadonlyArray<Hex>
  readonly context: string
}

/**
 * Header of a block without its place in its chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawHeader extends ShellHeader {
  readonly payload_hash?: string
  readonly payload_round?: number
  readonly proof_of_work_nonce?: Hex
  readonly seed_nonce_hash?: string
  readonly priority?: number
  readonly liquidity_baking_escape_vote?: boolean | "on" | "off" | "pass"
  readonly liquidity_baking_toggle_vote?: "on" | "off" | "pass"
  readonly adaptive_issuance_vote?: "on" | "off" | "pass"
  readonly per_block_votes?: ReadonlyArray<Json>
  readonly signature?: string
}

/**
 * Header of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader extends RawHeader {
  readonly protocol: string
  readonly chain_id: string
  readonly hash: string
}

/**
 * Place of a level in its cycle.
 *
 * @since 0.1.0
 * @category types
 */
export interface Level {
  readonly level: number
  readonly level_position: number
  readonly cycle: number
  readonly cycle_position: number
  readonly expected_commitment: boolean
}

/**
 * The part of every change of a balance: `change`, in mutez, may be negative. `origin` is missing in blocks before 2021, and the
 * hash belongs to `delayed_operation`.
 *
 * @since 0.1.0
 * @category types
 */
export interface BalanceChange {
  readonly change: Int
  readonly origin?: "block" | "migration" | "subsidy" | "simulation" | "delayed_operation"
  readonly delayed_operation_hash?: string
}

/**
 * A change of what an account can spend.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractUpdate extends BalanceChange {
  readonly kind: "contract"
  readonly contract: Address
}

/**
 * A change of the fees that a block collects until its end.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccumulatorUpdate extends BalanceChange {
  readonly kind: "accumulator"
  readonly category: "block fees"
}

/**
 * The owner of a frozen deposit: a baker (its stake, or its edge on the rewards of others; `baker` until Paris), one of its
 * stakers, or all of them together (`delegate` alone).
 *
 * @since 0.1.0
 * @category types
 */
export interface Staker {
  readonly baker_own_stake?: Address
  readonly baker_edge?: Address
  readonly baker?: Address
  readonly contract?: Address
  readonly delegate?: Address
}

/**
 * A change of what is frozen: deposits of bakers and stakers, bonds of rollups, and stake that is being given back (with the
 * cycle in which that began). Until 2023 `delegate` stands in the place of `staker`, and old protocols have rewards and fees here.
 *
 * @since 0.1.0
 * @category types
 */
export interface FreezerUpdate extends BalanceChange {
  readonly kind: "freezer"
  readonly category:
    | "deposits"
    | "unstaked_deposits"
    | "bonds"
    | "rewards"
    | "fees"
    | "legacy_deposits"
    | "legacy_rewards"
    | "legacy_fees"
  readonly staker?: Staker
  readonly delegate?: Address
  readonly contract?: Address
  readonly bond_id?: { readonly smart_rollup: Address } | { readonly tx_rollup: Address }
  readonly cycle?: number
}

/**
 * Tez that come into being, as a change of their source: `change` is negative.
 *
 * @since 0.1.0
 * @category types
 */
export interface MintedUpdate extends BalanceChange {
  readonly kind: "minted"
  readonly category:
    | "baking rewards"
    | "baking bonuses"
    | "attesting rewards"
    | "endorsing rewards"
    | "DAL attesting rewards"
    | "nonce revelation rewards"
    | "double signing evidence rewards"
    | "smart_rollup_refutation_rewards"
    | "subsidy"
    | "invoice"
    | "commitment"
    | "bootstrap"
    | "minted"
    | (string & {})
}

/**
 * Tez that cease to be. Of rewards that a baker has lost it is said why: it did not take part, or did not reveal its nonce.
 *
 * @since 0.1.0
 * @category types
 */
export interface BurnedUpdate extends BalanceChange {
  readonly kind: "burned"
  readonly category:
    | "storage fees"
    | "punishments"
    | "lost attesting rewards"
    | "lost endorsing rewards"
    | "lost DAL attesting rewards"
    | "smart_rollup_refutation_punishments"
    | "burned"
    | (string & {})
  readonly delegate?: Address
  readonly participation?: boolean
  readonly revelation?: boolean
}

/**
 * A change of what the sale of 2017 has promised to an owner who has not claimed it yet (a blinded hash).
 *
 * @since 0.1.0
 * @category types
 */
export interface CommitmentUpdate extends BalanceChange {
  readonly kind: "commitment"
  readonly category?: "commitment"
  readonly committer: string
}

/**
 * A change of shares in a stake: `change` is in pseudotokens, and no tez.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakingUpdate extends BalanceChange {
  readonly kind: "staking"
  readonly category: "delegator_numerator" | "delegate_denominator"
  readonly delegator?: Address
  readonly delegate?: Address
}

/**
 * A change of a balance, told apart by its `kind`.
 *
 * @since 0.1.0
 * @category types
 */
export type BalanceUpdate =
  | ContractUpdate
  | AccumulatorUpdate
  | FreezerUpdate
  | MintedUpdate
  | BurnedUpdate
  | CommitmentUpdate
  | StakingUpdate

/**
 * The test chain beside the main one, as old protocols had it; today none runs.
 *
 * @since 0.1.0
 * @category types
 */
export type TestChainStatus =
  | { readonly status: "not_running" }
  | { readonly status: "forking"; readonly protocol: string; readonly expiration: Time }
  | {
      readonly status: "running"
      readonly chain_id: string
      readonly genesis: string
      readonly protocol: string
      readonly expiration: Time
    }

/**
 * The weight of the attestations in a block: of all bakers, needed, and there.
 *
 * @since 0.1.0
 * @category types
 */
export interface CommitteePower {
  readonly total_committee_power: Int
  readonly threshold: Int
  readonly recorded_power: Int
}

/**
 * An address and the number that INDEX_ADDRESS gave it.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressIndex {
  readonly address: Address
  readonly index: Int
}

/**
 * The effects of a block beside its operations.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockMetadata {
  readonly protocol: string
  readonly next_protocol: string
  readonly test_chain_status: TestChainStatus
  readonly max_operations_ttl: number
  readonly max_operation_data_length: number
  readonly max_block_header_length: number
  readonly max_operation_list_length: ReadonlyArray<{ readonly max_size: number; readonly max_op?: number }>
  readonly proposer?: Address
  readonly baker?: Address
  readonly proposer_consensus_key?: Address
  readonly baker_consensus_key?: Address
  readonly level_info?: Level
  /** Of blocks before 2021, as `level_info` and `voting_period_info` of later ones. */
  readonly level?: Level & { readonly voting_period: number; readonly voting_period_position: number }
  readonly voting_period_kind?: string
  readonly voting_period_info?: VotingPeriodInfo
  readonly nonce_hash?: string | null
  readonly consumed_gas?: Int
  readonly consumed_milligas?: Int
  readonly deactivated?: ReadonlyArray<Address>
  readonly balance_updates?: ReadonlyArray<BalanceUpdate>
  readonly liquidity_baking_escape_ema?: number
  readonly liquidity_baking_toggle_ema?: number
  readonly adaptive_issuance_vote_ema?: number
  readonly adaptive_issuance_activation_cycle?: number | null
  readonly implicit_operations_results?: ReadonlyArray<OperationResult>
  readonly dal_attestation?: Int
  readonly all_bakers_attest_activation_level?: Level | null
  readonly attestations?: CommitteePower | null
  readonly preattestations?: CommitteePower | null
  readonly address_registry_diff?: ReadonlyArray<AddressIndex>
}

/**
 * An error of the protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolError {
  readonly kind: string
  readonly id: string
  readonly [field: string]: Json | undefined
}

/**
 * A change of big maps or Sapling states by an operation: by id, negative if they live no longer than it.
 *
 * @since 0.1.0
 * @category types
 */
export type LazyStorageDiff =
  | { readonly kind: "big_map"; readonly id: Int; readonly diff: BigMapDiff }
  | { readonly kind: "sapling_state"; readonly id: Int; readonly diff: SaplingStateDiff }

/**
 * A change of a big map; a key without a value is removed.
 *
 * @since 0.1.0
 * @category types
 */
export interface BigMapDiff {
  readonly action: "update" | "remove" | "copy" | "alloc"
  readonly source?: Int
  readonly key_type?: Micheline
  readonly value_type?: Micheline
  readonly updates?: ReadonlyArray<{
    readonly key_hash: string
    readonly key: Micheline
    readonly value?: Micheline
  }>
}

/**
 * A change of a Sapling state.
 *
 * @since 0.1.0
 * @category types
 */
export interface SaplingStateDiff {
  readonly action: "update" | "remove" | "copy" | "alloc"
  readonly source?: Int
  readonly memo_size?: number
  readonly updates?: SaplingUpdates
}

/**
 * New commitments, ciphertexts and nullifiers of a Sapling state.
 *
 * @since 0.1.0
 * @category types
 */
export interface SaplingUpdates {
  readonly commitments_and_ciphertexts: ReadonlyArray<
    readonly [
      commitment: Hex,
      ciphertext: {
        readonly cv: Hex
        readonly epk: Hex
        readonly payload_enc: Hex
        readonly nonce_enc: Hex
        readonly payload_out: Hex
        readonly nonce_out: Hex
      }
    ]
  >
  readonly nullifiers: ReadonlyArray<Hex>
}

/**
 * A change of a big map as blocks before 2021 tell it.
 *
 * @since 0.1.0
 * @category types
 */
export interface LegacyBigMapDiff {
  readonly action: "update" | "remove" | "copy" | "alloc"
  readonly big_map?: Int
  readonly source_big_map?: Int
  readonly destination_big_map?: Int
  readonly key_hash?: string
  readonly key?: Micheline
  readonly value?: Micheline
  readonly key_type?: Micheline
  readonly value_type?: Micheline
}

/**
 * A ticket: who made it, and what it says.
 *
 * @since 0.1.0
 * @category types
 */
export interface TicketToken {
  readonly ticketer: Address
  readonly content_type: Micheline
  readonly content: Micheline
}

/**
 * Changes of the owners of a ticket.
 *
 * @since 0.1.0
 * @category types
 */
export interface TicketUpdate {
  readonly ticket_token: TicketToken
  readonly updates: ReadonlyArray<{ readonly account: Address; readonly amount: Int }>
}

/**
 * The end of a dispute over a smart rollup: who has lost and why, or nobody has won.
 *
 * @since 0.1.0
 * @category types
 */
export type GameResult =
  | {
      readonly kind: "loser"
      readonly reason: "conflict_resolved" | "timeout"
      readonly player: Address
    }
  | { readonly kind: "draw" }

/**
 * The outcome of an operation; gas, storage and amounts are decimal strings. Which fields there are depends on the operation.
 *
 * @since 0.1.0
 * @category types
 */
export interface OperationResult {
  readonly status?: "applied" | "failed" | "skipped" | "backtracked"
  readonly kind?: string
  readonly errors?: ReadonlyArray<ProtocolError>
  readonly storage?: Micheline
  readonly big_map_diff?: ReadonlyArray<LegacyBigMapDiff>
  readonly lazy_storage_diff?: ReadonlyArray<LazyStorageDiff>
  readonly balance_updates?: ReadonlyArray<BalanceUpdate>
  readonly originated_contracts?: ReadonlyArray<Address>
  readonly consumed_gas?: Int
  readonly consumed_milligas?: Int
  readonly storage_size?: Int
  readonly paid_storage_size_diff?: Int
  readonly allocated_destination_contract?: boolean
  readonly global_address?: string
  readonly ticket_hash?: string
  readonly ticket_updates?: ReadonlyArray<TicketUpdate>
  readonly ticket_receipt?: ReadonlyArray<TicketUpdate>
  readonly address_registry_diff?: ReadonlyArray<AddressIndex>
  readonly address?: Address
  readonly genesis_commitment_hash?: string
  readonly size?: Int
  readonly inbox_level?: number
  readonly staked_hash?: string
  readonly commitment_hash?: string
  readonly published_at_level?: number
  readonly game_status?: "ongoing" | { readonly result: GameResult }
  readonly whitelist_update?: Json
  readonly slot_header?: {
    readonly version: string
    readonly level: number
    readonly index: number
    readonly commitment: string
  }
}

/**
 * The power of a consensus operation: its slots, and since Tallinn the stake behind it too.
 *
 * @since 0.1.0
 * @category types
 */
export type ConsensusPower = number | { readonly slots: number; readonly baking_power: Int | null }

/**
 * The outcome of an operation and of those that it led to; of a consensus operation who made it, and with how much power.
 *
 * @since 0.1.0
 * @category types
 */
export interface OperationMetadata {
  readonly balance_updates?: ReadonlyArray<BalanceUpdate>
  readonly operation_result?: OperationResult
  readonly internal_operation_results?: ReadonlyArray<InternalOperationResult>
  readonly delegate?: Address
  readonly consensus_power?: ConsensusPower
  readonly preendorsement_power?: number
  readonly endorsement_power?: number
  readonly consensus_key?: Address
  readonly slots?: ReadonlyArray<number>
  readonly committee?: ReadonlyArray<{
    readonly delegate: Address
    readonly consensus_pkh: Address
    readonly consensus_power?: ConsensusPower
  }>
  readonly total_consensus_power?: ConsensusPower
  readonly forbidden_delegate?: Address
  readonly punished_delegate?: Address
  readonly rewarded_delegate?: Address
  readonly misbehaviour?: Misbehaviour
  readonly operation_hash?: string
  readonly allocated_destination_contract?: boolean
}

/**
 * An operation that a contract has made. Which fields there are depends on `kind`; those of an event are its type, tag and
 * payload.
 *
 * @since 0.1.0
 * @category types
 */
export interface InternalOperation {
  readonly kind: "transaction" | "origination" | "delegation" | "event" | (string & {})
  readonly source: Address
  readonly nonce: number
  readonly amount?: Mutez
  readonly destination?: Address
  readonly parameters?: { readonly entrypoint: string; readonly value: Micheline }
  readonly balance?: Mutez
  readonly delegate?: Address
  readonly script?: Script
  readonly type?: Micheline
  readonly tag?: string
  readonly payload?: Micheline
  readonly public_key?: string
  readonly value?: Micheline
  readonly limit?: Mutez
}

/**
 * An operation that a contract has made, and its outcome.
 *
 * @since 0.1.0
 * @category types
 */
export interface InternalOperationResult extends InternalOperation {
  readonly result: OperationResult
}

/**
 * A baker's breach of the rules: two blocks, or two (pre)attestations, for one place.
 *
 * @since 0.1.0
 * @category types
 */
export interface Misbehaviour {
  readonly level: number
  readonly round: number
  readonly kind: "preattestation" | "attestation" | "block"
}

/**
 * The place that consensus operations are about.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusContent {
  readonly level: number
  readonly round: number
  readonly block_payload_hash: string
}

/**
 * A member of an aggregate: a slot of a preattestation; of an attestation, the slots of the data layer too, if it attests any.
 *
 * @since 0.1.0
 * @category types
 */
export type CommitteeMember = number | { readonly slot: number; readonly dal_attestation?: Int }

/**
 * A consensus operation as evidence against its maker.
 *
 * @since 0.1.0
 * @category types
 */
export interface InlinedConsensusOperation {
  readonly branch: string
  readonly operations: {
    readonly kind: string
    readonly slot?: number
    readonly level?: number
    readonly round?: number
    readonly block_payload_hash?: string
    readonly dal_attestation?: Int
    readonly consensus_content?: ConsensusContent
    readonly committee?: ReadonlyArray<CommitteeMember>
  }
  readonly signature?: string
}

/**
 * A shard of the data availability layer with the proof that its commitment has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface ShardWithProof {
  readonly shard: readonly [index: number, share: ReadonlyArray<Hex>]
  readonly proof: string
}

/**
 * The commitment to a slot of the data availability layer.
 *
 * @since 0.1.0
 * @category types
 */
export interface SlotHeader {
  readonly slot_index: number
  readonly commitment: string
  readonly commitment_proof: string
}

/**
 * A step in the dispute over a smart rollup: it begins with two commitments, and each move narrows down the ticks, or proves one.
 *
 * @since 0.1.0
 * @category types
 */
export type Refutation =
  | {
      readonly refutation_kind: "start"
      readonly player_commitment_hash: string
      readonly opponent_commitment_hash: string
    }
  | {
      readonly refutation_kind: "move"
      readonly choice: Int
      readonly step:
        | ReadonlyArray<{ readonly state?: string | null; readonly tick: Int }>
        | { readonly pvm_step: Hex; readonly input_proof?: RollupInputProof }
    }

/**
 * The proof of what a smart rollup has read: a message of its inbox, what was revealed to it, or its first input.
 *
 * @since 0.1.0
 * @category types
 */
export type RollupInputProof =
  | {
      readonly input_proof_kind: "inbox_proof"
      readonly level: number
      readonly message_counter: Int
      readonly serialized_proof: Hex
    }
  | { readonly input_proof_kind: "reveal_proof"; readonly reveal_proof: RollupRevealProof }
  | { readonly input_proof_kind: "first_input" }

/**
 * The proof of what was revealed to a smart rollup: data of its own, or a page of the data availability layer.
 *
 * @since 0.1.0
 * @category types
 */
export type RollupRevealProof =
  | { readonly reveal_proof_kind: "raw_data_proof"; readonly raw_data: Hex }
  | { readonly reveal_proof_kind: "metadata_proof" | "dal_parameters_proof" }
  | {
      readonly reveal_proof_kind: "dal_page_proof"
      readonly dal_page_id: {
        readonly published_level: number
        readonly slot_index: number
        readonly page_index: number
      }
      readonly dal_proof: Hex
    }

/**
 * A commitment of a smart rollup.
 *
 * @since 0.1.0
 * @category types
 */
export interface RollupCommitment {
  readonly compressed_state: string
  readonly inbox_level: number
  readonly predecessor: string
  readonly number_of_ticks: Int
}

/**
 * A value of a field of an operation: JSON, for the fields of protocols that are newer than this table, or one of the types of the
 * others.
 *
 * @since 0.1.0
 * @category types
 */
export type ContentField =
  | Json
  | Micheline
  | Script
  | OperationMetadata
  | RawHeader
  | InlinedConsensusOperation
  | RollupCommitment
  | ConsensusContent
  | Refutation
  | ShardWithProof
  | SlotHeader
  | ReadonlyArray<CommitteeMember>
  | undefined

/**
 * One content of an operation. Which fields there are depends on `kind`: `transaction`, `origination`,
 * `reveal`, `delegation`, `attestation` …
 *
 * @since 0.1.0
 * @category types
 */
export interface OperationContent {
  readonly kind: string
  readonly source?: Address
  readonly fee?: Mutez
  readonly counter?: Int
  readonly gas_limit?: Int
  readonly storage_limit?: Int
  readonly amount?: Mutez
  readonly destination?: Address
  readonly parameters?: { readonly entrypoint: string; readonly value: Micheline }
  readonly public_key?: string
  readonly pk?: string
  readonly proof?: string | Hex | null
  readonly delegate?: Address
  readonly balance?: Mutez
  readonly script?: Script
  readonly value?: Micheline
  readonly limit?: Mutez
  readonly slot?: number
  readonly level?: number
  readonly round?: number
  readonly block_payload_hash?: string
  readonly dal_attestation?: Int
  readonly consensus_content?: ConsensusContent
  readonly committee?: ReadonlyArray<CommitteeMember>
  readonly attestation?: InlinedConsensusOperation
  readonly consensus_slot?: number
  readonly slot_index?: number
  readonly lag_index?: number
  readonly shard_with_proof?: ShardWithProof
  readonly slot_header?: SlotHeader
  readonly pkh?: Address
  readonly secret?: Hex
  readonly solution?: readonly [Hex, Hex]
  readonly op1?: InlinedConsensusOperation
  readonly op2?: InlinedConsensusOperation
  readonly bh1?: RawHeader
  readonly bh2?: RawHeader
  readonly period?: number
  readonly proposal?: string
  readonly proposals?: ReadonlyArray<string>
  readonly ballot?: "yay" | "nay" | "pass"
  readonly nonce?: Hex | number
  readonly arbitrary?: Hex
  readonly entrypoint?: string
  readonly ticket_contents?: Micheline
  readonly ticket_ty?: Micheline
  readonly ticket_ticketer?: Address
  readonly ticket_amount?: Int
  readonly consensus_key?: Address
  readonly rollup?: Address
  readonly message?: ReadonlyArray<Hex> | Hex
  readonly pvm_kind?: string
  readonly kernel?: Hex
  readonly parameters_ty?: Micheline
  readonly commitment?: RollupCommitment | string
  readonly cemented_commitment?: string
  readonly output_proof?: Hex
  readonly opponent?: Address
  readonly refutation?: Refutation
  readonly staker?: Address
  readonly stakers?: { readonly alice: Address; readonly bob: Address }
  readonly whitelist?: ReadonlyArray<Address>
  readonly metadata?: OperationMetadata
  readonly [field: string]: ContentField
}

/**
 * An operation of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Operation {
  readonly protocol: string
  readonly chain_id: string
  readonly hash: string
  readonly branch: string
  readonly contents: ReadonlyArray<OperationContent>
  readonly signature?: string
  readonly metadata?: "too large"
}

/**
 * A block. Its operations are in four lists: consensus, votes, anonymous, managers.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly protocol: string
  readonly chain_id: string
  readonly hash: string
  readonly header: RawHeader
  readonly metadata?: BlockMetadata
  readonly operations: ReadonlyArray<ReadonlyArray<Operation>>
}

/**
 * A contract's program and storage.
 *
 * @since 0.1.0
 * @category types
 */
export interface Script {
  readonly code: Micheline
  readonly storage: Micheline
}

/**
 * An account or contract; `balance` in mutez.
 *
 * @since 0.1.0
 * @category types
 */
export interface Contract {
  readonly balance: Mutez
  readonly delegate?: Address
  readonly counter?: Int
  readonly script?: Script
  readonly revealed?: boolean
}

/**
 * Entry points of a contract with the types of their arguments.
 *
 * @since 0.1.0
 * @category types
 */
export interface Entrypoints {
  readonly entrypoints: Readonly<Record<string, Micheline>>
  readonly unreachable?: ReadonlyArray<{ readonly path: ReadonlyArray<string> }>
}

/**
 * A ticket that an account has, and how many of it.
 *
 * @since 0.1.0
 * @category types
 */
export interface TicketBalance {
  readonly ticketer: Address
  readonly content_type: Micheline
  readonly content: Micheline
  readonly amount: Int
}

/**
 * Stake of an account that is being given back, in mutez.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnstakeRequests {
  readonly finalizable: ReadonlyArray<{
    readonly delegate: Address
    readonly cycle: number
    readonly amount: Mutez
  }>
  readonly unfinalizable: {
    readonly delegate?: Address
    readonly requests: ReadonlyArray<{ readonly cycle: number; readonly amount: Mutez }>
  } | null
}

/**
 * A fraction of two small numbers.
 *
 * @since 0.1.0
 * @category types
 */
export type Fraction = { readonly numerator: number; readonly denominator: number }

/**
 * Parameters of the data availability layer: sizes in bytes, lags in blocks, and parts of the rewards.
 *
 * @since 0.1.0
 * @category types
 */
export type DalConstants = {
  readonly feature_enable: boolean
  readonly incentives_enable?: boolean
  readonly dynamic_lag_enable?: boolean
  readonly number_of_slots: number
  readonly attestation_lag?: number
  readonly attestation_lags?: ReadonlyArray<number>
  readonly attestation_threshold?: number
  readonly redundancy_factor: number
  readonly page_size: number
  readonly slot_size: number
  readonly number_of_shards: number
  readonly minimal_participation_ratio?: Fraction
  readonly rewards_ratio?: Fraction
  readonly traps_fraction?: Fraction
}

/**
 * The parts of what the chain mints, and how much that is per minute, in mutez, before it follows the stake.
 *
 * @since 0.1.0
 * @category types
 */
export type IssuanceWeights = {
  readonly base_total_issued_per_minute: Mutez
  readonly baking_reward_fixed_portion_weight: number
  readonly baking_reward_bonus_weight: number
  readonly attesting_reward_weight: number
  readonly seed_nonce_revelation_tip_weight: number
  readonly vdf_revelation_tip_weight: number
  readonly dal_rewards_weight?: number
  readonly liquidity_baking_subsidy_weight?: number
}

/** A fraction of decimal strings, as a plain record. */
type BigFraction = { readonly numerator: Int; readonly denominator: Int }

/**
 * How what the chain mints follows the stake: bounds of the yearly rate, its growth, and periods in cycles.
 *
 * @since 0.1.0
 * @category types
 */
export type RewardConstants = {
  readonly issuance_ratio_final_min?: BigFraction
  readonly issuance_ratio_final_max?: BigFraction
  readonly issuance_ratio_initial_min?: BigFraction
  readonly issuance_ratio_initial_max?: BigFraction
  readonly issuance_ratio_min?: BigFraction
  readonly issuance_ratio_max?: BigFraction
  readonly initial_period?: number
  readonly transition_period?: number
  readonly max_bonus: Int
  readonly growth_rate: BigFraction
  readonly center_dz: BigFraction
  readonly radius_dz: BigFraction
}

/**
 * Parameters of the protocol. Each protocol has its own; those here without a question mark are in all since 2021.
 *
 * @since 0.1.0
 * @category types
 */
export interface Constants {
  readonly proof_of_work_nonce_size: number
  readonly nonce_length: number
  readonly max_operation_data_length: number
  readonly blocks_per_cycle: number
  readonly blocks_per_commitment: number
  readonly hard_gas_limit_per_operation: Int
  readonly hard_gas_limit_per_block: Int
  readonly proof_of_work_threshold: Int
  readonly hard_storage_limit_per_operation: Int
  readonly cost_per_byte: Mutez
  readonly origination_size: number
  readonly minimal_block_delay: Int
  readonly delay_increment_per_round: Int
  readonly consensus_committee_size: number
  readonly max_anon_ops_per_block?: number
  readonly max_proposals_per_delegate?: number
  readonly max_micheline_node_count?: number
  readonly max_micheline_bytes_limit?: number
  readonly max_allowed_global_constants_depth?: number
  readonly cache_layout_size?: number
  readonly michelson_maximum_type_size?: number
  readonly max_operations_time_to_live?: number
  readonly consensus_rights_delay?: number
  readonly blocks_preservation_cycles?: number
  readonly delegate_parameters_activation_delay?: number
  readonly consensus_key_activation_delay?: number
  readonly denunciation_period?: number
  readonly issuance_modification_delay?: number
  readonly slashing_delay?: number
  readonly unstake_finalization_delay?: number
  readonly tolerated_inactivity_period?: number
  readonly nonce_revelation_threshold?: number
  readonly cycles_per_voting_period?: number
  readonly minimal_stake?: Mutez
  readonly minimal_frozen_stake?: Mutez
  readonly vdf_difficulty?: Int
  readonly quorum_min?: number
  readonly quorum_max?: number
  readonly min_proposal_quorum?: number
  readonly liquidity_baking_subsidy?: Mutez
  readonly liquidity_baking_toggle_ema_threshold?: number
  readonly minimal_participation_ratio?: Fraction
  readonly consensus_threshold_size?: number
  readonly consensus_threshold?: number
  readonly limit_of_delegation_over_baking?: number
  readonly percentage_of_frozen_deposits_slashed_per_double_baking?: number
  readonly percentage_of_frozen_deposits_slashed_per_double_attestation?: number
  readonly max_slashing_per_block?: number
  readonly max_slashing_threshold?: number | Fraction
  readonly max_slashing_period?: number
  readonly testnet_dictator?: Address
  readonly initial_seed?: string
  readonly cache_script_size?: number
  readonly cache_stake_distribution_cycles?: number
  readonly cache_sampler_state_cycles?: number
  readonly cache_stake_info_cycles?: number
  readonly cache_swrr_selected_distribution_cycles?: number
  readonly global_limit_of_staking_over_baking?: number
  readonly edge_of_staking_over_delegation?: number
  readonly adaptive_issuance_launch_ema_threshold?: number
  readonly adaptive_issuance_activation_vote_enable?: boolean
  readonly adaptive_issuance_force_activation?: boolean
  readonly autostaking_enable?: boolean
  readonly ns_enable?: boolean
  readonly direct_ticket_spending_enable?: boolean
  readonly aggregate_attestation?: boolean
  readonly allow_tz4_delegate_enable?: boolean
  readonly all_bakers_attest_activation_threshold?: Fraction
  readonly all_bakers_attest_activation_level?: number | null
  readonly native_contracts_enable?: boolean
  readonly swrr_new_baker_lottery_enable?: boolean
  readonly tz5_account_enable?: boolean
  readonly smart_rollup_arith_pvm_enable?: boolean
  readonly smart_rollup_riscv_pvm_enable?: boolean
  readonly smart_rollup_private_enable?: boolean
  readonly smart_rollup_canonical_rollup_address?: Address
  readonly smart_rollup_origination_size?: number
  readonly smart_rollup_challenge_window_in_blocks?: number
  readonly smart_rollup_commitment_period_in_blocks?: number
  readonly smart_rollup_timeout_period_in_blocks?: number
  readonly smart_rollup_stake_amount?: Mutez
  readonly smart_rollup_max_active_outbox_levels?: number
  readonly smart_rollup_max_lookahead_in_blocks?: number
  readonly smart_rollup_max_number_of_cemented_commitments?: number
  readonly smart_rollup_max_number_of_messages_per_level?: Int
  readonly smart_rollup_max_number_of_parallel_games?: number
  readonly smart_rollup_max_outbox_messages_per_level?: number
  readonly smart_rollup_max_wrapped_proof_binary_size?: number
  readonly smart_rollup_message_size_limit?: number
  readonly smart_rollup_number_of_sections_in_dissection?: number
  readonly smart_rollup_reveal_activation_level?: {
    readonly raw_data: { readonly Blake2B: number }
    readonly metadata: number
    readonly dal_page: number
    readonly dal_parameters: number
    readonly dal_attested_slots_validity_lag?: number
  }
  readonly zk_rollup_enable?: boolean
  readonly zk_rollup_origination_size?: number
  readonly zk_rollup_min_pending_to_process?: number
  readonly zk_rollup_max_ticket_payload_size?: number
  readonly dal_parametric?: DalConstants
  readonly issuance_weights?: IssuanceWeights
  readonly adaptive_rewards_params?: RewardConstants
  readonly [name: string]: Json | undefined
}

/**
 * The amounts that the chain mints in a cycle, in mutez.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExpectedIssuance {
  readonly cycle: number
  readonly baking_reward_fixed_portion: Mutez
  readonly baking_reward_bonus_per_slot?: Mutez
  readonly baking_reward_bonus_per_block?: Mutez
  readonly attesting_reward_per_slot?: Mutez
  readonly attesting_reward_per_block?: Mutez
  readonly seed_nonce_revelation_tip: Mutez
  readonly vdf_revelation_tip: Mutez
  readonly dal_attesting_reward_per_shard?: Mutez
}

/**
 * A period of voting on a new protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface VotingPeriod {
  readonly index: number
  readonly kind:
    | "proposal"
    | "exploration"
    | "cooldown"
    | "promotion"
    | "adoption"
    // until 2021
    | "testing_vote"
    | "testing"
    | "promotion_vote"
  readonly start_position: number
}

/**
 * A period of voting, and how many blocks of it are over and left.
 *
 * @since 0.1.0
 * @category types
 */
export interface VotingPeriodInfo {
  readonly voting_period: VotingPeriod
  readonly position: number
  readonly remaining: number
}

/**
 * Right to bake a block in a round.
 *
 * @since 0.1.0
 * @category types
 */
export interface BakingRight {
  readonly level: number
  readonly delegate: Address
  readonly round: number
  readonly estimated_time?: Time
  readonly consensus_key: Address
}

/**
 * Rights to attest a level.
 *
 * @since 0.1.0
 * @category types
 */
export interface AttestationRights {
  readonly level: number
  readonly delegates: ReadonlyArray<{
    readonly delegate: Address
    readonly first_slot: number
    readonly attestation_power?: number
    readonly attesting_power?: number | Int
    readonly consensus_key: Address
  }>
  readonly estimated_time?: Time
}

/**
 * A block of a node's history, by hash and level.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockDescriptor {
  readonly block_hash: string
  readonly level: number
}

/**
 * A block that the node has refused.
 *
 * @since 0.1.0
 * @category types
 */
export interface InvalidBlock {
  readonly block: string
  readonly level: number
  readonly errors: ReadonlyArray<ProtocolError>
}

/**
 * The newest block that can no longer be undone, and how far back a node's history goes (before 2021).
 *
 * @since 0.1.0
 * @category types
 */
export interface Checkpoint {
  readonly block: RawHeader
  readonly save_point: number
  readonly caboose: number
  readonly history_mode: Json
}

/**
 * The conditions of a node's mempool: the least fee in mutez, and fractions of 10^-9 tez (numerator and denominator) per unit of gas
 * and byte. Fields that have their default are left out, unless asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface MempoolFilter {
  readonly minimal_fees?: Mutez
  readonly minimal_nanotez_per_gas_unit?: readonly [numerator: Int, denominator: Int]
  readonly minimal_nanotez_per_byte?: readonly [numerator: Int, denominator: Int]
  readonly allow_script_failure?: boolean
  readonly clock_drift?: string | null
  readonly replace_by_fee_factor?: readonly [numerator: Int, denominator: Int]
  readonly max_operations?: number
  readonly max_total_bytes?: number
}

/**
 * The part of a block's header that is its protocol's.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolData extends Omit<RawHeader, keyof ShellHeader> {
  readonly protocol: string
}

/**
 * A key that a baker signs with, and its hash.
 *
 * @since 0.1.0
 * @category types
 */
export interface BakerKey {
  readonly pkh: Address
  readonly pk: string
}

/**
 * The key that a baker bakes with, and those that will follow it by cycle.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusKeys {
  readonly active: BakerKey
  readonly pendings?: ReadonlyArray<BakerKey & { readonly cycle: number }>
}

/**
 * The tz4 key that a baker attests data with, if it has one, and those that will follow it by cycle.
 *
 * @since 0.1.0
 * @category types
 */
export interface CompanionKeys {
  readonly active: BakerKey | null
  readonly pendings?: ReadonlyArray<BakerKey & { readonly cycle: number }>
}

/**
 * A baker's part in the consensus of a cycle: slots that it is expected in, has missed, and may still miss; rewards in mutez.
 *
 * @since 0.1.0
 * @category types
 */
export interface Participation {
  readonly expected_cycle_activity: number
  readonly minimal_cycle_activity: number
  readonly missed_slots: number
  readonly missed_levels: number
  readonly remaining_allowed_missed_slots: number
  readonly expected_attesting_rewards: Mutez
}

/**
 * A baker's part in attesting the data availability layer in a cycle; rewards in mutez.
 *
 * @since 0.1.0
 * @category types
 */
export interface DalParticipation {
  readonly expected_assigned_shards_per_slot: number
  readonly delegate_attested_dal_slots: number
  readonly delegate_attestable_dal_slots: number
  readonly expected_dal_rewards: Mutez
  readonly sufficient_dal_participation: boolean
  readonly denounced: boolean
}

/**
 * Conditions under which others stake with a baker: how much of its own stake they may reach (in millionths), and its share of their
 * rewards (in 10^-9).
 *
 * @since 0.1.0
 * @category types
 */
export interface StakingParameters {
  readonly limit_of_staking_over_baking_millionth: number
  readonly edge_of_baking_over_staking_billionth: number
}

/**
 * An accusation that a baker broke the rules: who made it, and in which operation.
 *
 * @since 0.1.0
 * @category types
 */
export interface Denunciation {
  readonly operation_hash: string
  readonly rewarded: Address
  readonly misbehaviour: Misbehaviour
}

/**
 * A voter of the current period: the weight of its votes, its ballot or its proposals, and how many it may still make.
 *
 * @since 0.1.0
 * @category types
 */
export interface VotingInfo {
  readonly voting_power?: Int
  readonly current_ballot?: "yay" | "nay" | "pass"
  readonly current_proposals?: ReadonlyArray<string>
  readonly remaining_proposals?: number
}

/**
 * The least that was delegated to a baker in a cycle, in mutez, and where that was reached.
 *
 * @since 0.1.0
 * @category types
 */
export interface MinimalDelegated {
  readonly amount: Mutez
  readonly level?: Level
}

/**
 * Mutez that were unstaked in a cycle.
 *
 * @since 0.1.0
 * @category types
 */
export interface CycleDeposit {
  readonly cycle: number
  readonly deposit: Mutez
}

/**
 * All about a baker; amounts are in mutez. Protocols before Quebec have other names for the same (`full_balance`, `staking_balance`
 * …), which those of today have as calls of their own.
 *
 * @since 0.1.0
 * @category types
 */
export interface Delegate {
  readonly deactivated: boolean
  readonly is_forbidden?: boolean
  readonly participation?: Participation
  readonly dal_participation?: DalParticipation
  readonly grace_period: number
  readonly active_staking_parameters?: StakingParameters
  readonly pending_staking_parameters?: ReadonlyArray<PendingStakingParameters>
  readonly baking_power?: Int
  readonly total_staked?: Mutez
  readonly total_delegated?: Mutez
  readonly min_delegated_in_current_cycle?: MinimalDelegated
  readonly own_full_balance?: Mutez
  readonly own_staked?: Mutez
  readonly own_delegated?: Mutez
  readonly external_staked?: Mutez
  readonly external_delegated?: Mutez
  readonly total_unstaked_per_cycle?: ReadonlyArray<CycleDeposit>
  readonly denunciations?: ReadonlyArray<Denunciation>
  readonly estimated_shared_pending_slashed_amount?: Mutez
  readonly staking_denominator?: Int
  readonly current_voting_power?: Int
  readonly voting_power?: Int
  readonly voting_info?: VotingInfo
  readonly consensus_key?: ConsensusKeys
  readonly companion_key?: CompanionKeys
  readonly stakers?: ReadonlyArray<StakerDeposit>
  readonly delegators?: ReadonlyArray<Address>
  readonly [field: string]: Json | undefined | Level | DelegateField
}

/**
 * The types of the fields of a baker that are no plain JSON.
 *
 * @since 0.1.0
 * @category types
 */
export type DelegateField =
  | Participation
  | DalParticipation
  | StakingParameters
  | MinimalDelegated
  | VotingInfo
  | ConsensusKeys
  | CompanionKeys
  | ReadonlyArray<PendingStakingParameters | CycleDeposit | Denunciation | StakerDeposit>

/**
 * Conditions of staking with a baker that will hold from a cycle on.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingStakingParameters {
  readonly cycle: number
  readonly parameters: StakingParameters
}

/**
 * What an account has staked with a baker, in mutez.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakerDeposit {
  readonly staker: Address
  readonly frozen_deposits: Mutez
}

/**
 * The nonce of a block: revealed, promised by its hash, or forgotten (an empty object).
 *
 * @since 0.1.0
 * @category types
 */
export interface Nonce {
  readonly nonce?: Hex
  readonly hash?: string
}

/**
 * Changes of a Sapling state since a place in it, and the root of its tree.
 *
 * @since 0.1.0
 * @category types
 */
export interface SaplingDiff extends SaplingUpdates {
  readonly root: Hex
}

/**
 * The inbox that all smart rollups share: its level, and the commitments to its messages.
 *
 * @since 0.1.0
 * @category types
 */
export interface RollupInbox {
  readonly level: number
  readonly old_levels_messages: {
    readonly index: Int
    readonly content: { readonly hash: string; readonly level: number }
    readonly back_pointers: ReadonlyArray<string>
  }
  readonly nb_messages_in_commitment_period?: Int
  readonly current_level?: Json
}

/**
 * A baker that validates a level, with its slots (`rounds` since Tallinn).
 *
 * @since 0.1.0
 * @category types
 */
export interface Validator {
  readonly level?: number
  readonly delegate: Address
  readonly slots?: ReadonlyArray<number>
  readonly rounds?: ReadonlyArray<number>
  readonly consensus_key: Address
  readonly companion_key?: Address
  readonly attesting_power?: Int
  readonly attestation_slot?: number
}

/**
 * The bakers that validate a level (since Tallinn).
 *
 * @since 0.1.0
 * @category types
 */
export interface LevelValidators {
  readonly level: number
  readonly consensus_threshold?: Int
  readonly consensus_committee?: Int
  readonly all_bakers_attest_activated: boolean
  readonly delegates: ReadonlyArray<Validator>
}

/**
 * A fraction, of decimal strings.
 *
 * @since 0.1.0
 * @category types
 */
export interface Quotient {
  readonly numerator: Int
  readonly denominator: Int
}

/**
 * What bakers and others have staked, and how much of it is beyond the limits of the bakers, in mutez.
 *
 * @since 0.1.0
 * @category types
 */
export interface CurrentlyStaked {
  readonly delegates: Mutez
  readonly delegators: Mutez
  readonly overstaked: Mutez
}

/**
 * Which bakers are assigned which shards of the data availability layer at a level.
 *
 * @since 0.1.0
 * @category types
 */
export interface DalShards {
  readonly delegate: Address
  readonly indexes: ReadonlyArray<number>
}

/**
 * An operation in a node's mempool.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingOperation {
  readonly hash: string
  readonly protocol?: string
  readonly branch: string
  readonly contents?: ReadonlyArray<OperationContent>
  readonly data?: Hex
  readonly signature?: string
  readonly error?: ReadonlyArray<ProtocolError>
}

/**
 * Operations in a node's mempool. Those that are refused come with their errors; old versions of the answer
 * have pairs of hash and operation there.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingOperations {
  readonly validated?: ReadonlyArray<PendingOperation>
  readonly applied?: ReadonlyArray<PendingOperation>
  readonly refused: ReadonlyArray<PendingOperation | readonly [string, Json]>
  readonly outdated: ReadonlyArray<PendingOperation | readonly [string, Json]>
  readonly branch_refused: ReadonlyArray<PendingOperation | readonly [string, Json]>
  readonly branch_delayed: ReadonlyArray<PendingOperation | readonly [string, Json]>
  readonly unprocessed: ReadonlyArray<PendingOperation | readonly [string, Json]>
}

/**
 * Version of a node, and the network that it is on.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeVersion {
  readonly version: {
    readonly product?: string
    readonly major: number
    readonly minor: number
    readonly build?: number
    readonly additional_info: Json
  }
  readonly network_version: {
    readonly chain_name: string
    readonly distributed_db_version: number
    readonly p2p_version: number
  }
  readonly commit_info: { readonly commit_hash: string; readonly commit_date: string } | null
}

/**
 * An operation to be signed: it is the user's own, and sent as it is.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnsignedOperation {
  readonly branch: string
  readonly contents: ReadonlyArray<OperationContent>
}

/**
 * An operation, signed.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedOperation extends UnsignedOperation {
  readonly protocol?: string
  readonly signature?: string
}

/**
 * Outcome of an operation that was not sent: `status` and errors are in the metadata of its contents.
 *
 * @since 0.1.0
 * @category types
 */
export interface AppliedOperation {
  readonly contents: ReadonlyArray<OperationContent>
  readonly signature?: string
  readonly id?: string
  readonly kind?: string
}

/**
 * A file of a protocol's source, hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolComponent {
  readonly name: string
  readonly interface?: Hex
  readonly implementation: Hex
}

/**
 * Source of a protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolSource {
  readonly expected_env_version: number
  readonly components: ReadonlyArray<ProtocolComponent>
}

/**
 * A call of a view, or of code that is on no chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface CodeRun extends BlockRef {
  readonly script: Micheline
  readonly storage: Micheline
  readonly input: Micheline
  readonly amount: Mutez
  readonly chain_id: string
  readonly balance?: Mutez
  readonly source?: Address
  readonly payer?: Address
  readonly self?: Address
  readonly entrypoint?: string
  readonly unparsingMode?: Unparsing
  readonly gas?: Int
  readonly now?: Int
  readonly level?: Int
}
