/**
 * What beacon nodes take and give.
 *
 * @since 0.1.0
 */

/**
 * Bytes, hexadecimal with 0x: roots, public keys, signatures, bit fields, blobs.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * An integer as an answer has it: a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Uint = string

/**
 * An integer of an answer that may be negative: a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Int = string

/**
 * An integer as an argument: a decimal string, a number or a bigint.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * A validator as an argument: its index, or its BLS public key (0x).
 *
 * @since 0.1.0
 * @category types
 */
export type ValidatorId = string | number | bigint

/**
 * The fork whose format an answer has.
 *
 * @since 0.1.0
 * @category types
 */
export type ConsensusVersion =
  | "phase0"
  | "altair"
  | "bellatrix"
  | "capella"
  | "deneb"
  | "electra"
  | "fulu"
  | "gloas"
  | (string & {})

/**
 * The answer of a beacon node.
 *
 * @since 0.1.0
 * @category types
 */
export interface Data<out A> {
  readonly data: A
}

/**
 * An answer about a block or a state. `execution_optimistic`: the execution layer has not yet checked all of it.
 * `finalized`: it can no longer change.
 *
 * @since 0.1.0
 * @category types
 */
export interface Answer<out A> extends Data<A> {
  readonly execution_optimistic: boolean
  readonly finalized: boolean
}

/**
 * An answer whose format depends on the fork, which is `version`.
 *
 * @since 0.1.0
 * @category types
 */
export interface VersionedData<out A> extends Data<A> {
  readonly version: ConsensusVersion
}

/**
 * An answer about a block or a state whose format depends on the fork, which is `version`.
 *
 * @since 0.1.0
 * @category types
 */
export interface VersionedAnswer<out A> extends Answer<A> {
  readonly version: ConsensusVersion
}

/**
 * The genesis of a chain. `genesis_time` is in Unix seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface Genesis {
  readonly genesis_time: Uint
  readonly genesis_validators_root: Hex
  readonly genesis_fork_version: Hex
}

/**
 * The hash tree root of a block or state.
 *
 * @since 0.1.0
 * @category types
 */
export interface Root {
  readonly root: Hex
}

/**
 * A switch of fork versions, and the epoch in which it takes effect.
 *
 * @since 0.1.0
 * @category types
 */
export interface Fork {
  readonly previous_version: Hex
  readonly current_version: Hex
  readonly epoch: Uint
}

/**
 * An epoch and the root of the block at its start.
 *
 * @since 0.1.0
 * @category types
 */
export interface Checkpoint {
  readonly epoch: Uint
  readonly root: Hex
}

/**
 * How far a state is justified and finalized. Before the first finality the epochs are 0 and the roots zero.
 *
 * @since 0.1.0
 * @category types
 */
export interface FinalityCheckpoints {
  readonly previous_justified: Checkpoint
  readonly current_justified: Checkpoint
  readonly finalized: Checkpoint
}

/**
 * The RANDAO mix of an epoch.
 *
 * @since 0.1.0
 * @category types
 */
export interface Randao {
  readonly randao: Hex
}

/**
 * The state of a validator in its life.
 *
 * @since 0.1.0
 * @category types
 */
export type ValidatorStatus =
  | "pending_initialized"
  | "pending_queued"
  | "active_ongoing"
  | "active_exiting"
  | "active_slashed"
  | "exited_unslashed"
  | "exited_slashed"
  | "withdrawal_possible"
  | "withdrawal_done"

/**
 * A choice of validators by status: an exact status, or a group of them.
 *
 * @since 0.1.0
 * @category types
 */
export type ValidatorStatusFilter = ValidatorStatus | "pending" | "active" | "exited" | "withdrawal"

/**
 * A validator as the registry has it. `effective_balance` is in Gwei; an epoch that is not yet set is
 * 18446744073709551615.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorRecord {
  readonly pubkey: Hex
  readonly withdrawal_credentials: Hex
  readonly effective_balance: Uint
  readonly slashed: boolean
  readonly activation_eligibility_epoch: Uint
  readonly activation_epoch: Uint
  readonly exit_epoch: Uint
  readonly withdrawable_epoch: Uint
}

/**
 * A validator with its index, its balance (Gwei) and its status.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validator {
  readonly index: Uint
  readonly balance: Uint
  readonly status: ValidatorStatus
  readonly validator: ValidatorRecord
}

/**
 * The balance of a validator, in Gwei.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorBalance {
  readonly index: Uint
  readonly balance: Uint
}

/**
 * The index, the public key and the activation epoch of a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorIdentity {
  readonly index: Uint
  readonly pubkey: Hex
  readonly activation_epoch: Uint
}

/**
 * A choice of validators, by index or public key and by status. An empty list, like none, means all.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorFilter {
  readonly ids?: ReadonlyArray<string>
  readonly statuses?: ReadonlyArray<ValidatorStatusFilter>
}

/**
 * The validators (their indices) that attest together in a slot.
 *
 * @since 0.1.0
 * @category types
 */
export interface Committee {
  readonly index: Uint
  readonly slot: Uint
  readonly validators: ReadonlyArray<Uint>
}

/**
 * The validators (their indices) of a sync committee: all in order, and by subcommittee.
 *
 * @since 0.1.0
 * @category types
 */
export interface SyncCommittee {
  readonly validators: ReadonlyArray<Uint>
  readonly validator_aggregates: ReadonlyArray<ReadonlyArray<Uint>>
}

/**
 * A validator whose balance is to move to another one; both are indices.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingConsolidation {
  readonly source_index: Uint
  readonly target_index: Uint
}

/**
 * A deposit that waits to be credited. `amount` is in Gwei, `slot` that of the block which brought it.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingDeposit {
  readonly pubkey: Hex
  readonly withdrawal_credentials: Hex
  readonly amount: Uint
  readonly signature: Hex
  readonly slot: Uint
}

/**
 * A partial withdrawal that waits for its epoch. `amount` is in Gwei.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingPartialWithdrawal {
  readonly validator_index: Uint
  readonly amount: Uint
  readonly withdrawable_epoch: Uint
}

/**
 * The header of a beacon block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly slot: Uint
  readonly proposer_index: Uint
  readonly parent_root: Hex
  readonly state_root: Hex
  readonly body_root: Hex
}

/**
 * A header with the proposer's signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedBlockHeader {
  readonly message: BlockHeader
  readonly signature: Hex
}

/**
 * A header, the root of its block, and whether that block is on the canonical chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeaderInfo {
  readonly root: Hex
  readonly canonical: boolean
  readonly header: SignedBlockHeader
}

/**
 * The vote of an attester. Since Electra `index` is 0, and the committees are in the attestation.
 *
 * @since 0.1.0
 * @category types
 */
export interface AttestationData {
  readonly slot: Uint
  readonly index: Uint
  readonly beacon_block_root: Hex
  readonly source: Checkpoint
  readonly target: Checkpoint
}

/**
 * An aggregated vote. `committee_bits` exists since Electra.
 *
 * @since 0.1.0
 * @category types
 */
export interface Attestation {
  readonly aggregation_bits: Hex
  readonly committee_bits?: Hex
  readonly data: AttestationData
  readonly signature: Hex
}

/**
 * A vote with the indices of its validators in place of bits.
 *
 * @since 0.1.0
 * @category types
 */
export interface IndexedAttestation {
  readonly attesting_indices: ReadonlyArray<Uint>
  readonly data: AttestationData
  readonly signature: Hex
}

/**
 * Two votes that contradict each other: proof against those who cast both.
 *
 * @since 0.1.0
 * @category types
 */
export interface AttesterSlashing {
  readonly attestation_1: IndexedAttestation
  readonly attestation_2: IndexedAttestation
}

/**
 * Two headers by one proposer for one slot: proof against the proposer.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposerSlashing {
  readonly signed_header_1: SignedBlockHeader
  readonly signed_header_2: SignedBlockHeader
}

/**
 * A validator's signed wish to leave, valid from `epoch` on.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedVoluntaryExit {
  readonly message: { readonly epoch: Uint; readonly validator_index: Uint }
  readonly signature: Hex
}

/**
 * A validator's signed change of its withdrawal credentials from a BLS key to an execution address.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedBlsToExecutionChange {
  readonly message: {
    readonly validator_index: Uint
    readonly from_bls_pubkey: Hex
    readonly to_execution_address: Hex
  }
  readonly signature: Hex
}

/**
 * A deposit and its Merkle proof against the deposit contract. `amount` is in Gwei.
 *
 * @since 0.1.0
 * @category types
 */
export interface Deposit {
  readonly proof: ReadonlyArray<Hex>
  readonly data: {
    readonly pubkey: Hex
    readonly withdrawal_credentials: Hex
    readonly amount: Uint
    readonly signature: Hex
  }
}

/**
 * The proposer's view of the deposit contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface Eth1Data {
  readonly deposit_root: Hex
  readonly deposit_count: Uint
  readonly block_hash: Hex
}

/**
 * The members of the sync committee that have signed, and their aggregated signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface SyncAggregate {
  readonly sync_committee_bits: Hex
  readonly sync_committee_signature: Hex
}

/**
 * A withdrawal to the execution layer. `amount` is in Gwei.
 *
 * @since 0.1.0
 * @category types
 */
export interface Withdrawal {
  readonly index: Uint
  readonly validator_index: Uint
  readonly address: Hex
  readonly amount: Uint
}

/**
 * An execution block with roots in place of its lists. `base_fee_per_gas` is in wei, `timestamp` in Unix seconds;
 * withdrawals exist since Capella, blob gas since Deneb.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionPayloadHeader {
  readonly parent_hash: Hex
  readonly fee_recipient: Hex
  readonly state_root: Hex
  readonly receipts_root: Hex
  readonly logs_bloom: Hex
  readonly prev_randao: Hex
  readonly block_number: Uint
  readonly gas_limit: Uint
  readonly gas_used: Uint
  readonly timestamp: Uint
  readonly extra_data: Hex
  readonly base_fee_per_gas: Uint
  readonly blob_gas_used?: Uint
  readonly excess_blob_gas?: Uint
  readonly block_hash: Hex
  readonly transactions_root: Hex
  readonly withdrawals_root?: Hex
}

/**
 * An execution block inside a beacon block; its transactions are the raw bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionPayload
  extends Omit<ExecutionPayloadHeader, "transactions_root" | "withdrawals_root"> {
  readonly transactions: ReadonlyArray<Hex>
  readonly withdrawals?: ReadonlyArray<Withdrawal>
}

/**
 * A deposit that the execution layer hands over (EIP-6110). `amount` is in Gwei.
 *
 * @since 0.1.0
 * @category types
 */
export interface DepositRequest {
  readonly pubkey: Hex
  readonly withdrawal_credentials: Hex
  readonly amount: Uint
  readonly signature: Hex
  readonly index: Uint
}

/**
 * A withdrawal or exit that was asked for on the execution layer (EIP-7002). `amount` is in Gwei; 0 is an exit.
 *
 * @since 0.1.0
 * @category types
 */
export interface WithdrawalRequest {
  readonly source_address: Hex
  readonly validator_pubkey: Hex
  readonly amount: Uint
}

/**
 * A consolidation that was asked for on the execution layer (EIP-7251).
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsolidationRequest {
  readonly source_address: Hex
  readonly source_pubkey: Hex
  readonly target_pubkey: Hex
}

/**
 * The requests of the execution layer to the consensus layer in a block (EIP-7685).
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionRequests {
  readonly deposits: ReadonlyArray<DepositRequest>
  readonly withdrawals: ReadonlyArray<WithdrawalRequest>
  readonly consolidations: ReadonlyArray<ConsolidationRequest>
}

/**
 * The offer of a builder to deliver an execution payload, in Gloas (EIP-7732). `value` and `execution_payment` are in Gwei.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionPayloadBid {
  readonly parent_block_hash: Hex
  readonly parent_block_root: Hex
  readonly block_hash: Hex
  readonly prev_randao: Hex
  readonly fee_recipient: Hex
  readonly gas_limit: Uint
  readonly builder_index: Uint
  readonly slot: Uint
  readonly value: Uint
  readonly execution_payment: Uint
  readonly blob_kzg_commitments: ReadonlyArray<Hex>
  readonly execution_requests_root: Hex
}

/**
 * A bid with the builder's signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedExecutionPayloadBid {
  readonly message: ExecutionPayloadBid
  readonly signature: Hex
}

/**
 * The aggregated votes, in Gloas (EIP-7732), on whether the payload of a block was delivered, and its blobs.
 *
 * @since 0.1.0
 * @category types
 */
export interface PayloadAttestation {
  readonly aggregation_bits: Hex
  readonly data: {
    readonly beacon_block_root: Hex
    readonly slot: Uint
    readonly payload_present: boolean
    readonly blob_data_available: boolean
  }
  readonly signature: Hex
}

/**
 * The body of a beacon block. Optional fields came with forks: the sync aggregate with Altair, the execution payload
 * with Bellatrix, credential changes with Capella, blob commitments with Deneb, execution requests with Electra. With Gloas
 * the payload, its commitments and requests leave the block for those of a builder's bid.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockBody {
  readonly randao_reveal: Hex
  readonly eth1_data: Eth1Data
  readonly graffiti: Hex
  readonly proposer_slashings: ReadonlyArray<ProposerSlashing>
  readonly attester_slashings: ReadonlyArray<AttesterSlashing>
  readonly attestations: ReadonlyArray<Attestation>
  readonly deposits: ReadonlyArray<Deposit>
  readonly voluntary_exits: ReadonlyArray<SignedVoluntaryExit>
  readonly sync_aggregate?: SyncAggregate
  readonly execution_payload?: ExecutionPayload
  readonly bls_to_execution_changes?: ReadonlyArray<SignedBlsToExecutionChange>
  readonly blob_kzg_commitments?: ReadonlyArray<Hex>
  readonly execution_requests?: ExecutionRequests
  readonly signed_execution_payload_bid?: SignedExecutionPayloadBid
  readonly payload_attestations?: ReadonlyArray<PayloadAttestation>
  readonly parent_execution_requests?: ExecutionRequests
}

/**
 * A beacon block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly slot: Uint
  readonly proposer_index: Uint
  readonly parent_root: Hex
  readonly state_root: Hex
  readonly body: BlockBody
}

/**
 * A beacon block with the proposer's signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedBlock {
  readonly message: Block
  readonly signature: Hex
}

/**
 * The body of a block with the header of its execution payload in place of the payload; there is none since Gloas.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlindedBlockBody
  extends Omit<
    BlockBody,
    | "execution_payload"
    | "signed_execution_payload_bid"
    | "payload_attestations"
    | "parent_execution_requests"
  > {
  readonly execution_payload_header?: ExecutionPayloadHeader
}

/**
 * A beacon block without its execution payload.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlindedBlock extends Omit<Block, "body"> {
  readonly body: BlindedBlockBody
}

/**
 * A blinded block with the proposer's signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedBlindedBlock {
  readonly message: BlindedBlock
  readonly signature: Hex
}

/**
 * A blob with the proofs that it belongs to its block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlobSidecar {
  readonly index: Uint
  readonly blob: Hex
  readonly kzg_commitment: Hex
  readonly kzg_proof: Hex
  readonly signed_block_header: SignedBlockHeader
  readonly kzg_commitment_inclusion_proof: ReadonlyArray<Hex>
}

/**
 * A column of the extended blobs of a block. In Fulu it has the proofs that it belongs there, since Gloas slot and root of
 * the block.
 *
 * @since 0.1.0
 * @category types
 */
export interface DataColumnSidecar {
  readonly index: Uint
  readonly column: ReadonlyArray<Hex>
  readonly kzg_proofs: ReadonlyArray<Hex>
  readonly kzg_commitments?: ReadonlyArray<Hex>
  readonly signed_block_header?: SignedBlockHeader
  readonly kzg_commitments_inclusion_proof?: ReadonlyArray<Hex>
  readonly slot?: Uint
  readonly beacon_block_root?: Hex
}

/**
 * The reward of a proposer for a block, in Gwei: the total and its parts.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockRewards {
  readonly proposer_index: Uint
  readonly total: Uint
  readonly attestations: Uint
  readonly sync_aggregate: Uint
  readonly proposer_slashings: Uint
  readonly attester_slashings: Uint
}

/**
 * The reward of a member of a sync committee for a block, in Gwei; negative for a missing signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface SyncCommitteeReward {
  readonly validator_index: Uint
  readonly reward: Int
}

/**
 * The reward for the attestation of an epoch by its parts, in Gwei; negative for a missing or wrong one.
 * `inclusion_delay` is of phase 0.
 *
 * @since 0.1.0
 * @category types
 */
export interface AttestationReward {
  readonly head: Int
  readonly target: Int
  readonly source: Int
  readonly inclusion_delay?: Uint
  readonly inactivity: Int
}

/**
 * What validators earned with their attestations in an epoch, and what they could have earned, by effective balance (Gwei).
 *
 * @since 0.1.0
 * @category types
 */
export interface AttestationRewards {
  readonly ideal_rewards: ReadonlyArray<AttestationReward & { readonly effective_balance: Uint }>
  readonly total_rewards: ReadonlyArray<AttestationReward & { readonly validator_index: Uint }>
}

/**
 * The public keys of a sync committee, and their aggregate.
 *
 * @since 0.1.0
 * @category types
 */
export interface SyncCommitteeKeys {
  readonly pubkeys: ReadonlyArray<Hex>
  readonly aggregate_pubkey: Hex
}

/**
 * An execution block with roots in place of its lists, since Capella.
 *
 * @since 0.1.0
 * @category types
 */
export interface CapellaPayloadHeader extends ExecutionPayloadHeader {
  readonly withdrawals_root: Hex
}

/**
 * A header for light clients. The execution part and its Merkle branch exist since Capella.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightClientHeader {
  readonly beacon: BlockHeader
  readonly execution?: CapellaPayloadHeader
  readonly execution_branch?: ReadonlyArray<Hex>
}

/**
 * The start of a light client: a header it trusts, and the sync committee of that time.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightClientBootstrap {
  readonly header: LightClientHeader
  readonly current_sync_committee: SyncCommitteeKeys
  readonly current_sync_committee_branch: ReadonlyArray<Hex>
}

/**
 * The newest header that a sync committee has signed; the signature is of `signature_slot`.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightClientOptimisticUpdate {
  readonly attested_header: LightClientHeader
  readonly sync_aggregate: SyncAggregate
  readonly signature_slot: Uint
}

/**
 * A header that a sync committee has signed, and the header that is finalized by it.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightClientFinalityUpdate extends LightClientOptimisticUpdate {
  readonly finalized_header: LightClientHeader
  readonly finality_branch: ReadonlyArray<Hex>
}

/**
 * A finality update with the next sync committee: a light client's step from one period to the next.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightClientUpdate extends LightClientFinalityUpdate {
  readonly next_sync_committee: SyncCommitteeKeys
  readonly next_sync_committee_branch: ReadonlyArray<Hex>
}

/**
 * Constants, presets and configuration by name: 0x strings, decimal strings, or lists.
 *
 * @since 0.1.0
 * @category types
 */
export type SpecConstants = Readonly<
  Record<string, string | ReadonlyArray<string | Readonly<Record<string, string>>>>
>

/**
 * The deposit contract: its address, and the id (EIP-155) of the chain it is on.
 *
 * @since 0.1.0
 * @category types
 */
export interface DepositContract {
  readonly chain_id: Uint
  readonly address: Hex
}

/**
 * A block in the fork choice. `weight` is the Gwei that vote for it. Lighthouse has null for unknown fields,
 * such as the parent of its oldest block.
 *
 * @since 0.1.0
 * @category types
 */
export interface ForkChoiceNode {
  readonly slot: Uint
  readonly block_root: Hex
  readonly parent_root: Hex | null
  readonly justified_epoch: Uint
  readonly finalized_epoch: Uint
  readonly weight: Uint
  readonly validity: "valid" | "invalid" | "optimistic" | null
  readonly execution_block_hash: Hex | null
  readonly extra_data?: Readonly<Record<string, unknown>>
}

/**
 * The node's fork choice. `extra_data` differs from one client to the next.
 *
 * @since 0.1.0
 * @category types
 */
export interface ForkChoice {
  readonly justified_checkpoint: Checkpoint
  readonly finalized_checkpoint: Checkpoint
  readonly fork_choice_nodes: ReadonlyArray<ForkChoiceNode>
  readonly extra_data?: Readonly<Record<string, unknown>>
}

/**
 * A leaf of the fork choice.
 *
 * @since 0.1.0
 * @category types
 */
export interface Head {
  readonly root: Hex
  readonly slot: Uint
  readonly execution_optimistic: boolean
}

/**
 * A vote in a state of phase 0 that is not yet counted.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingAttestation {
  readonly aggregation_bits: Hex
  readonly data: AttestationData
  readonly inclusion_delay: Uint
  readonly proposer_index: Uint
}

/**
 * A whole state. Optional fields came with forks: participation, inactivity scores and sync committees with Altair (in place
 * of attestations), the payload's header with Bellatrix, withdrawals and summaries with Capella, the queues with Electra, the
 * proposers with Fulu. Forks to come may have more.
 *
 * @since 0.1.0
 * @category types
 */
export interface BeaconState extends Readonly<Record<string, unknown>> {
  readonly genesis_time: Uint
  readonly genesis_validators_root: Hex
  readonly slot: Uint
  readonly fork: Fork
  readonly latest_block_header: BlockHeader
  readonly block_roots: ReadonlyArray<Hex>
  readonly state_roots: ReadonlyArray<Hex>
  readonly historical_roots: ReadonlyArray<Hex>
  readonly eth1_data: Eth1Data
  readonly eth1_data_votes: ReadonlyArray<Eth1Data>
  readonly eth1_deposit_index: Uint
  readonly validators: ReadonlyArray<ValidatorRecord>
  readonly balances: ReadonlyArray<Uint>
  readonly randao_mixes: ReadonlyArray<Hex>
  readonly slashings: ReadonlyArray<Uint>
  readonly justification_bits: Hex
  readonly previous_justified_checkpoint: Checkpoint
  readonly current_justified_checkpoint: Checkpoint
  readonly finalized_checkpoint: Checkpoint
  readonly previous_epoch_attestations?: ReadonlyArray<PendingAttestation>
  readonly current_epoch_attestations?: ReadonlyArray<PendingAttestation>
  readonly previous_epoch_participation?: ReadonlyArray<Uint>
  readonly current_epoch_participation?: ReadonlyArray<Uint>
  readonly inactivity_scores?: ReadonlyArray<Uint>
  readonly current_sync_committee?: SyncCommitteeKeys
  readonly next_sync_committee?: SyncCommitteeKeys
  readonly latest_execution_payload_header?: ExecutionPayloadHeader
  readonly next_withdrawal_index?: Uint
  readonly next_withdrawal_validator_index?: Uint
  readonly historical_summaries?: ReadonlyArray<{
    readonly block_summary_root: Hex
    readonly state_summary_root: Hex
  }>
  readonly deposit_requests_start_index?: Uint
  readonly deposit_balance_to_consume?: Uint
  readonly exit_balance_to_consume?: Uint
  readonly earliest_exit_epoch?: Uint
  readonly consolidation_balance_to_consume?: Uint
  readonly earliest_consolidation_epoch?: Uint
  readonly pending_deposits?: ReadonlyArray<PendingDeposit>
  readonly pending_partial_withdrawals?: ReadonlyArray<PendingPartialWithdrawal>
  readonly pending_consolidations?: ReadonlyArray<PendingConsolidation>
  readonly proposer_lookahead?: ReadonlyArray<Uint>
}

/**
 * The identity of a node on the peer-to-peer network. The addresses are multiaddrs; `attnets` and `syncnets` are bits per
 * subnet.
 *
 * @since 0.1.0
 * @category types
 */
export interface Identity {
  readonly peer_id: string
  readonly enr: string
  readonly p2p_addresses: ReadonlyArray<string>
  readonly discovery_addresses: ReadonlyArray<string>
  readonly metadata: {
    readonly seq_number: Uint
    readonly attnets: Hex
    readonly syncnets?: Hex
    readonly custody_group_count?: Uint
  }
}

/**
 * The state of the connection to a peer.
 *
 * @since 0.1.0
 * @category types
 */
export type PeerState = "disconnected" | "connecting" | "connected" | "disconnecting"

/**
 * The side that opened the connection to a peer.
 *
 * @since 0.1.0
 * @category types
 */
export type PeerDirection = "inbound" | "outbound"

/**
 * A peer of a node. `enr` is null where the node does not know it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Peer {
  readonly peer_id: string
  readonly enr: string | null
  readonly last_seen_p2p_address: string
  readonly state: PeerState
  readonly direction: PeerDirection
}

/**
 * Peers of a node, and how many they are.
 *
 * @since 0.1.0
 * @category types
 */
export interface Peers extends Data<ReadonlyArray<Peer>> {
  readonly meta: { readonly count: number }
}

/**
 * Number of peers by the state of their connection.
 *
 * @since 0.1.0
 * @category types
 */
export interface PeerCount {
  readonly disconnected: Uint
  readonly connecting: Uint
  readonly connected: Uint
  readonly disconnecting: Uint
}

/**
 * How far a node is with its synchronisation; `sync_distance` is in slots, 0 when it is done. `el_offline`: its
 * execution client does not answer.
 *
 * @since 0.1.0
 * @category types
 */
export interface SyncingStatus {
  readonly head_slot: Uint
  readonly sync_distance: Uint
  readonly is_syncing: boolean
  readonly is_optimistic: boolean
  readonly el_offline: boolean
}

/**
 * Name and version of a node's software.
 *
 * @since 0.1.0
 * @category types
 */
export interface Version {
  readonly version: string
}

/**
 * A program as the Engine API names it: a code of two letters, name, version, and the first bytes of its commit.
 *
 * @since 0.1.0
 * @category types
 */
export interface ClientVersion {
  readonly code: string
  readonly name: string
  readonly version: string
  readonly commit: Hex
}

/**
 * The programs of a node: the beacon node, and its execution client where that is known.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeVersions {
  readonly beacon_node: ClientVersion
  readonly execution_client?: ClientVersion
}
