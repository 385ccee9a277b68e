/**
 * What NEAR nodes take and give.
 *
 * @since 0.1.0
 */
import type { Json } from "../../data/untrusted.js"

/**
 * The name of an account (`alice.near`), or 64 hexadecimal digits of an implicit one.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountId = string

/**
 * An amount in yoctoNEAR (10^-24 NEAR), a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Yocto = string

/**
 * A hash of 32 bytes, Base58.
 *
 * @since 0.1.0
 * @category types
 */
export type Hash = string

/**
 * A public key with its curve: `ed25519:…` or `secp256k1:…`, Base58.
 *
 * @since 0.1.0
 * @category types
 */
export type PublicKey = string

/**
 * A signature with its curve: `ed25519:…` or `secp256k1:…`, Base58.
 *
 * @since 0.1.0
 * @category types
 */
export type Signature = string

/**
 * Bytes, Base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * The number of a shard.
 *
 * @since 0.1.0
 * @category types
 */
export type ShardId = number

/**
 * How final a block has to be.
 *
 * @since 0.1.0
 * @category types
 */
export type Finality = "optimistic" | "near-final" | "final"

/**
 * A block: by height or hash, by finality, or the first one of the chain. Default: the newest final one.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockRef {
  readonly blockId?: number | bigint | Hash
  readonly finality?: Finality
  readonly syncCheckpoint?: "genesis" | "earliest_available"
}

/**
 * An account at a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountRef extends BlockRef {
  readonly accountId: AccountId
}

/**
 * How far a transaction is.
 *
 * @since 0.1.0
 * @category types
 */
export type TxStatus = "NONE" | "INCLUDED" | "EXECUTED_OPTIMISTIC" | "INCLUDED_FINAL" | "EXECUTED" | "FINAL"

/**
 * A transaction by its hash and the account that signed it. The node waits until it is as far as `waitUntil` says.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxRef {
  readonly txHash: Hash
  readonly senderAccountId: AccountId
  readonly waitUntil?: TxStatus
}

/**
 * The node: its chain, its version, and how far it is.
 *
 * @since 0.1.0
 * @category types
 */
export interface Status {
  readonly chain_id: string
  readonly genesis_hash: Hash
  readonly latest_protocol_version: number
  readonly protocol_version: number
  readonly node_public_key: PublicKey
  readonly node_key?: PublicKey | null
  readonly rpc_addr?: string | null
  readonly sync_info: SyncInfo
  readonly uptime_sec: number
  readonly validator_account_id?: AccountId | null
  readonly validator_public_key?: PublicKey | null
  readonly validators: ReadonlyArray<{ readonly account_id: AccountId }>
  readonly version: {
    readonly build: string
    readonly commit: string
    readonly rustc_version?: string
    readonly version: string
  }
}

/**
 * How far the node is with the chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface SyncInfo {
  readonly earliest_block_hash?: Hash | null
  readonly earliest_block_height?: bigint | null
  readonly earliest_block_time?: string | null
  readonly epoch_id?: Hash | null
  readonly epoch_start_height?: bigint | null
  readonly latest_block_hash: Hash
  readonly latest_block_height: bigint
  readonly latest_block_time: string
  readonly latest_state_root: Hash
  readonly syncing: boolean
}

/**
 * The connections of the node.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkState {
  readonly active_peers: ReadonlyArray<{
    readonly account_id?: AccountId | null
    readonly addr?: string | null
    readonly id: string
  }>
  readonly known_producers: ReadonlyArray<{
    readonly account_id: AccountId
    readonly addr?: string | null
    readonly peer_id: string
  }>
  readonly num_active_peers: number
  readonly peer_max_count: number
  readonly received_bytes_per_sec: bigint
  readonly sent_bytes_per_sec: bigint
}

/**
 * A validator and its stake.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorStake {
  readonly account_id: AccountId
  readonly public_key: PublicKey
  readonly stake: Yocto
  readonly validator_stake_struct_version?: "V1"
}

/**
 * The header of a block. `timestamp` is in nanoseconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly approvals: ReadonlyArray<Signature | null>
  readonly block_body_hash?: Hash | null
  readonly block_merkle_root: Hash
  readonly block_ordinal?: bigint | null
  readonly challenges_result: ReadonlyArray<{
    readonly account_id: AccountId
    readonly is_double_sign: boolean
  }>
  readonly challenges_root: Hash
  readonly chunk_endorsements?: ReadonlyArray<ReadonlyArray<number>> | null
  readonly chunk_headers_root: Hash
  readonly chunk_mask: ReadonlyArray<boolean>
  readonly chunk_receipts_root: Hash
  readonly chunk_tx_root: Hash
  readonly chunks_included: number
  readonly epoch_id: Hash
  readonly epoch_sync_data_hash?: Hash | null
  readonly gas_price: Yocto
  readonly hash: Hash
  readonly height: bigint
  readonly last_ds_final_block: Hash
  readonly last_final_block: Hash
  readonly latest_protocol_version: number
  readonly next_bp_hash: Hash
  readonly next_epoch_id: Hash
  readonly outcome_root: Hash
  readonly prev_hash: Hash
  readonly prev_height?: bigint | null
  readonly prev_state_root: Hash
  readonly random_value: Hash
  readonly rent_paid: Yocto
  readonly signature: Signature
  readonly timestamp: bigint
  readonly timestamp_nanosec: string
  readonly total_supply: Yocto
  readonly validator_proposals: ReadonlyArray<ValidatorStake>
  readonly validator_reward: Yocto
}

/**
 * The sizes of receipts that a shard asks leave to send to others, each a bit of the bitmap.
 *
 * @since 0.1.0
 * @category types
 */
export interface BandwidthRequests {
  readonly V1: {
    readonly requests: ReadonlyArray<{
      readonly requested_values_bitmap: { readonly data: ReadonlyArray<bigint> }
      readonly to_shard: bigint
    }>
  }
}

/**
 * The header of a chunk, which is the part of a block that one shard has.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChunkHeader {
  readonly balance_burnt: Yocto
  readonly bandwidth_requests?: BandwidthRequests | null
  readonly chunk_hash: Hash
  readonly congestion_info?: {
    readonly allowed_shard: ShardId
    readonly buffered_receipts_gas: string
    readonly delayed_receipts_gas: string
    readonly receipt_bytes: bigint
  } | null
  readonly encoded_length: bigint
  readonly encoded_merkle_root: Hash
  readonly gas_limit: bigint
  readonly gas_used: bigint
  readonly height_created: bigint
  readonly height_included: bigint
  readonly outcome_root: Hash
  readonly outgoing_receipts_root: Hash
  readonly prev_block_hash: Hash
  readonly prev_state_root: Hash
  readonly rent_paid: Yocto
  readonly shard_id: ShardId
  readonly signature: Signature
  readonly tx_root: Hash
  readonly validator_proposals: ReadonlyArray<ValidatorStake>
  readonly validator_reward: Yocto
}

/**
 * A block: its header and those of its chunks.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly author: AccountId
  readonly chunks: ReadonlyArray<ChunkHeader>
  readonly header: BlockHeader
}

/**
 * What a key may sign: everything, or calls of one contract.
 *
 * @since 0.1.0
 * @category types
 */
export type Permission =
  | "FullAccess"
  | {
      readonly FunctionCall: {
        readonly allowance?: Yocto | null
        readonly method_names: ReadonlyArray<string>
        readonly receiver_id: AccountId
      }
    }

/**
 * A key of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccessKey {
  readonly nonce: bigint
  readonly permission: Permission
}

/**
 * A contract that any account may use: by its code or by the account that keeps it up to date.
 *
 * @since 0.1.0
 * @category types
 */
export type GlobalContract = { readonly CodeHash: Hash } | { readonly AccountId: AccountId } | Hash

/**
 * The steps of transactions that are written in one way wherever they stand: records of one name and its details.
 *
 * @since 0.1.0
 * @category types
 */
export type BasicAction =
  | { readonly DeployContract: { readonly code: Base64 } }
  | {
      readonly FunctionCall: {
        readonly args: Base64
        readonly deposit: Yocto
        readonly gas: bigint
        readonly method_name: string
      }
    }
  | { readonly Transfer: { readonly deposit: Yocto } }
  | { readonly Stake: { readonly public_key: PublicKey; readonly stake: Yocto } }
  | { readonly AddKey: { readonly access_key: AccessKey; readonly public_key: PublicKey } }
  | { readonly DeleteKey: { readonly public_key: PublicKey } }
  | { readonly DeleteAccount: { readonly beneficiary_id: AccountId } }

/**
 * One step of a transaction: a name, or a record of one name and its details.
 *
 * @since 0.1.0
 * @category types
 */
export type Action =
  | "CreateAccount"
  | BasicAction
  | { readonly Delegate: { readonly delegate_action: DelegateAction; readonly signature: Signature } }
  | { readonly DeployGlobalContract: { readonly code: Base64 } }
  | { readonly DeployGlobalContractByAccountId: { readonly code: Base64 } }
  | { readonly UseGlobalContract: { readonly code_hash: Hash } }
  | { readonly UseGlobalContractByAccountId: { readonly account_id: AccountId } }
  | {
      readonly DeterministicStateInit: {
        readonly code: GlobalContract
        readonly data: Readonly<Record<Base64, Base64>>
        readonly deposit: Yocto
      }
    }

/**
 * A step that one account has signed and another one pays for. Nodes write some of them in another way than other steps.
 *
 * @since 0.1.0
 * @category types
 */
export type DelegatedAction =
  | BasicAction
  | { readonly CreateAccount: Readonly<Record<string, never>> }
  | {
      readonly DeployGlobalContract: {
        readonly code: Base64
        readonly deploy_mode: "CodeHash" | "AccountId"
      }
    }
  | { readonly UseGlobalContract: { readonly contract_identifier: Exclude<GlobalContract, Hash> } }

/**
 * Actions that one account has signed and another one pays for.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegateAction {
  readonly actions: ReadonlyArray<DelegatedAction>
  readonly max_block_height: bigint
  readonly nonce: bigint
  readonly public_key: PublicKey
  readonly receiver_id: AccountId
  readonly sender_id: AccountId
}

/**
 * A signed transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction {
  readonly actions: ReadonlyArray<Action>
  readonly hash: Hash
  readonly nonce: bigint
  readonly priority_fee?: bigint
  readonly public_key: PublicKey
  readonly receiver_id: AccountId
  readonly signature: Signature
  readonly signer_id: AccountId
}

/**
 * A message between accounts: what a transaction, or a contract that it called, leads to.
 *
 * @since 0.1.0
 * @category types
 */
export interface Receipt {
  readonly predecessor_id: AccountId
  readonly priority?: bigint
  readonly receipt: ReceiptBody
  readonly receipt_id: Hash
  readonly receiver_id: AccountId
}

/**
 * The content of a receipt: actions, data for one that waits, or a contract on its way to the shards.
 *
 * @since 0.1.0
 * @category types
 */
export type ReceiptBody =
  | {
      readonly Action: {
        readonly actions: ReadonlyArray<Action>
        readonly gas_price: Yocto
        readonly input_data_ids: ReadonlyArray<Hash>
        readonly is_promise_yield?: boolean
        readonly output_data_receivers: ReadonlyArray<{
          readonly data_id: Hash
          readonly receiver_id: AccountId
        }>
        readonly refund_to?: AccountId | null
        readonly signer_id: AccountId
        readonly signer_public_key: PublicKey
      }
    }
  | {
      readonly Data: {
        readonly data?: Base64 | null
        readonly data_id: Hash
        readonly is_promise_resume?: boolean
      }
    }
  | {
      readonly GlobalContractDistribution: {
        readonly already_delivered_shards: ReadonlyArray<ShardId>
        readonly code: Base64
        readonly id: GlobalContract
        readonly target_shard: ShardId
      }
    }

/**
 * A chunk with its transactions and receipts.
 *
 * @since 0.1.0
 * @category types
 */
export interface Chunk {
  readonly author: AccountId
  readonly header: ChunkHeader
  readonly receipts: ReadonlyArray<Receipt>
  readonly transactions: ReadonlyArray<SignedTransaction>
}

/**
 * The block that an answer about the state is of.
 *
 * @since 0.1.0
 * @category types
 */
export interface AtBlock {
  readonly block_hash: Hash
  readonly block_height: bigint
}

/**
 * An account: `amount` is free, `locked` is staked, both in yoctoNEAR.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly amount: Yocto
  readonly code_hash: Hash
  readonly global_contract_account_id?: AccountId | null
  readonly global_contract_hash?: Hash | null
  readonly locked: Yocto
  readonly storage_paid_at?: bigint
  readonly storage_usage: bigint
}

/**
 * The program of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractCode {
  readonly code_base64: Base64
  readonly hash: Hash
}

/**
 * Entries of a contract's state, and the proof of them where it was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractState {
  readonly proof?: ReadonlyArray<Base64>
  readonly values: ReadonlyArray<{ readonly key: Base64; readonly value: Base64 }>
}

/**
 * The keys of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccessKeys {
  readonly keys: ReadonlyArray<{ readonly access_key: AccessKey; readonly public_key: PublicKey }>
}

/**
 * What a view method of a contract yields: bytes, mostly those of JSON.
 *
 * @since 0.1.0
 * @category types
 */
export interface CallResult {
  readonly logs: ReadonlyArray<string>
  readonly result: ReadonlyArray<number>
}

/**
 * A question about the state, by the name of its type: the general form of the `view…` methods.
 *
 * @since 0.1.0
 * @category types
 */
export type Query = BlockRef &
  (
    | {
        readonly requestType: "view_account" | "view_code" | "view_access_key_list"
        readonly accountId: AccountId
      }
    | {
        readonly requestType: "view_state"
        readonly accountId: AccountId
        readonly prefixBase64: Base64
        readonly includeProof?: boolean
      }
    | {
        readonly requestType: "view_access_key"
        readonly accountId: AccountId
        readonly publicKey: PublicKey
      }
    | {
        readonly requestType: "call_function"
        readonly accountId: AccountId
        readonly methodName: string
        readonly argsBase64: Base64
      }
    | { readonly requestType: "view_global_contract_code"; readonly codeHash: Hash }
    | { readonly requestType: "view_global_contract_code_by_account_id"; readonly accountId: AccountId }
  )

/**
 * The answer to a question about the state, which depends on its type.
 *
 * @since 0.1.0
 * @category types
 */
export type QueryResult = (Account | ContractCode | ContractState | AccessKey | AccessKeys | CallResult) &
  AtBlock

/**
 * The counts of what a validator should have done in an epoch, and of what it did.
 *
 * @since 0.1.0
 * @category types
 */
export interface CurrentValidator {
  readonly account_id: AccountId
  readonly is_slashed: boolean
  readonly num_expected_blocks: number
  readonly num_expected_chunks?: number
  readonly num_expected_chunks_per_shard?: ReadonlyArray<number>
  readonly num_expected_endorsements?: number
  readonly num_expected_endorsements_per_shard?: ReadonlyArray<number>
  readonly num_produced_blocks: number
  readonly num_produced_chunks?: number
  readonly num_produced_chunks_per_shard?: ReadonlyArray<number>
  readonly num_produced_endorsements?: number
  readonly num_produced_endorsements_per_shard?: ReadonlyArray<number>
  readonly public_key: PublicKey
  readonly shards: ReadonlyArray<ShardId>
  readonly shards_endorsed?: ReadonlyArray<ShardId>
  readonly stake: Yocto
}

/**
 * What a validator should have made in an epoch, and what it made.
 *
 * @since 0.1.0
 * @category types
 */
export interface Production {
  readonly expected: number
  readonly produced: number
}

/**
 * Why a validator is one no more.
 *
 * @since 0.1.0
 * @category types
 */
export type KickoutReason =
  | "Unstaked"
  | "DidNotGetASeat"
  | "_UnusedSlashed"
  | { readonly NotEnoughBlocks: Production }
  | { readonly NotEnoughChunks: Production }
  | { readonly NotEnoughChunkEndorsements: Production }
  | { readonly NotEnoughStake: { readonly stake_u128: Yocto; readonly threshold_u128: Yocto } }
  | { readonly ProtocolVersionTooOld: { readonly network_version: number; readonly version: number } }

/**
 * The validators of an epoch, and those of the next.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validators {
  readonly current_fishermen: ReadonlyArray<ValidatorStake>
  readonly current_proposals: ReadonlyArray<ValidatorStake>
  readonly current_validators: ReadonlyArray<CurrentValidator>
  readonly epoch_height: bigint
  readonly epoch_start_height: bigint
  readonly next_fishermen: ReadonlyArray<ValidatorStake>
  readonly next_validators: ReadonlyArray<ValidatorStake & { readonly shards: ReadonlyArray<ShardId> }>
  readonly prev_epoch_kickout: ReadonlyArray<{
    readonly account_id: AccountId
    readonly reason: KickoutReason
  }>
}

/**
 * A measure of something, and the most that it may be.
 *
 * @since 0.1.0
 * @category types
 */
export type Excess<Of extends string> = { readonly [K in Of | "limit"]: bigint }

/**
 * Why a key may not sign what it signed. Amounts are in yoctoNEAR.
 *
 * @since 0.1.0
 * @category types
 */
export type AccessKeyError =
  | "RequiresFullAccess"
  | "DepositWithFunctionCall"
  | {
      readonly AccessKeyNotFound: { readonly account_id: AccountId; readonly public_key: PublicKey }
    }
  | {
      readonly ReceiverMismatch: { readonly ak_receiver: AccountId; readonly tx_receiver: AccountId }
    }
  | { readonly MethodNameMismatch: { readonly method_name: string } }
  | {
      readonly NotEnoughAllowance: {
        readonly account_id: AccountId
        readonly allowance: Yocto
        readonly cost: Yocto
        readonly public_key: PublicKey
      }
    }

/**
 * What is wrong with the actions of a transaction or receipt.
 *
 * @since 0.1.0
 * @category types
 */
export type ActionsError =
  | "DelegateActionMustBeOnlyOne"
  | "DeleteActionMustBeFinal"
  | "FunctionCallZeroAttachedGas"
  | "IntegerOverflow"
  | { readonly TotalPrepaidGasExceeded: Excess<"total_prepaid_gas"> }
  | { readonly TotalNumberOfActionsExceeded: Excess<"total_number_of_actions"> }
  | { readonly AddKeyMethodNamesNumberOfBytesExceeded: Excess<"total_number_of_bytes"> }
  | { readonly AddKeyMethodNameLengthExceeded: Excess<"length"> }
  | { readonly InvalidAccountId: { readonly account_id: AccountId } }
  | { readonly ContractSizeExceeded: Excess<"size"> }
  | { readonly FunctionCallMethodNameLengthExceeded: Excess<"length"> }
  | { readonly FunctionCallArgumentsLengthExceeded: Excess<"length"> }
  | { readonly UnsuitableStakingKey: { readonly public_key: PublicKey } }
  | {
      readonly UnsupportedProtocolFeature: {
        readonly protocol_feature: string
        readonly version: number
      }
    }

/**
 * What is wrong with a receipt that a contract has made.
 *
 * @since 0.1.0
 * @category types
 */
export type ReceiptError =
  | { readonly InvalidPredecessorId: { readonly account_id: AccountId } }
  | { readonly InvalidReceiverId: { readonly account_id: AccountId } }
  | { readonly InvalidSignerId: { readonly account_id: AccountId } }
  | { readonly InvalidDataReceiverId: { readonly account_id: AccountId } }
  | { readonly ReturnedValueLengthExceeded: Excess<"length"> }
  | { readonly NumberInputDataDependenciesExceeded: Excess<"number_of_input_data_dependencies"> }
  | { readonly ActionsValidation: ActionsError }
  | { readonly ReceiptSizeExceeded: Excess<"size"> }

/**
 * Why the call of a contract failed. `ExecutionError` is what the contract, or the machine that ran it, has said.
 *
 * @since 0.1.0
 * @category types
 */
export type FunctionCallError =
  | "WasmUnknownError"
  | "_EVMError"
  | { readonly ExecutionError: string }
  | { readonly MethodResolveError: "MethodEmptyName" | "MethodNotFound" | "MethodInvalidSignature" }
  | {
      readonly CompilationError:
        | { readonly CodeDoesNotExist: { readonly account_id: AccountId } }
        | { readonly PrepareError: string }
        | { readonly WasmerCompileError: { readonly msg: string } }
    }
  | { readonly LinkError: { readonly msg: string } }
  | { readonly WasmTrap: string }
  | { readonly HostError: string | { readonly [kind: string]: Json } }

/**
 * Why an action failed: a name, or a record of one name and its details. Amounts are in yoctoNEAR.
 *
 * @since 0.1.0
 * @category types
 */
export type ActionErrorKind =
  | string
  | { readonly AccountAlreadyExists: { readonly account_id: AccountId } }
  | { readonly AccountDoesNotExist: { readonly account_id: AccountId } }
  | {
      readonly CreateAccountOnlyByRegistrar: {
        readonly account_id: AccountId
        readonly predecessor_id: AccountId
        readonly registrar_account_id: AccountId
      }
    }
  | {
      readonly CreateAccountNotAllowed: {
        readonly account_id: AccountId
        readonly predecessor_id: AccountId
      }
    }
  | { readonly OnlyImplicitAccountCreationAllowed: { readonly account_id: AccountId } }
  | { readonly ActorNoPermission: { readonly account_id: AccountId; readonly actor_id: AccountId } }
  | {
      readonly DeleteKeyDoesNotExist: {
        readonly account_id: AccountId
        readonly public_key: PublicKey
      }
    }
  | {
      readonly AddKeyAlreadyExists: {
        readonly account_id: AccountId
        readonly public_key: PublicKey
      }
    }
  | { readonly DeleteAccountStaking: { readonly account_id: AccountId } }
  | { readonly DeleteAccountWithLargeState: { readonly account_id: AccountId } }
  | { readonly LackBalanceForState: { readonly account_id: AccountId; readonly amount: Yocto } }
  | { readonly TriesToUnstake: { readonly account_id: AccountId } }
  | {
      readonly TriesToStake: {
        readonly account_id: AccountId
        readonly balance: Yocto
        readonly locked: Yocto
        readonly stake: Yocto
      }
    }
  | {
      readonly InsufficientStake: {
        readonly account_id: AccountId
        readonly minimum_stake: Yocto
        readonly stake: Yocto
      }
    }
  | { readonly FunctionCallError: FunctionCallError }
  | { readonly NewReceiptValidationError: ReceiptError }
  | {
      readonly DelegateActionSenderDoesNotMatchTxReceiver: {
        readonly receiver_id: AccountId
        readonly sender_id: AccountId
      }
    }
  | { readonly DelegateActionAccessKeyError: AccessKeyError }
  | {
      readonly DelegateActionInvalidNonce: {
        readonly ak_nonce: bigint
        readonly delegate_nonce: bigint
      }
    }
  | {
      readonly DelegateActionNonceTooLarge: {
        readonly delegate_nonce: bigint
        readonly upper_bound: bigint
      }
    }
  | {
      readonly GlobalContractDoesNotExist: { readonly identifier: Exclude<GlobalContract, Hash> }
    }

/**
 * Why a transaction is none that the chain takes: a name, or a record of one name and its details. Amounts are in yoctoNEAR.
 *
 * @since 0.1.0
 * @category types
 */
export type InvalidTxError =
  | string
  | { readonly InvalidAccessKeyError: AccessKeyError }
  | { readonly InvalidSignerId: { readonly signer_id: AccountId } }
  | { readonly SignerDoesNotExist: { readonly signer_id: AccountId } }
  | { readonly InvalidNonce: { readonly ak_nonce: bigint; readonly tx_nonce: bigint } }
  | { readonly NonceTooLarge: { readonly tx_nonce: bigint; readonly upper_bound: bigint } }
  | { readonly InvalidReceiverId: { readonly receiver_id: AccountId } }
  | {
      readonly NotEnoughBalance: {
        readonly balance: Yocto
        readonly cost: Yocto
        readonly signer_id: AccountId
      }
    }
  | { readonly LackBalanceForState: { readonly amount: Yocto; readonly signer_id: AccountId } }
  | { readonly ActionsValidation: ActionsError }
  | { readonly TransactionSizeExceeded: Excess<"size"> }
  | { readonly StorageError: string | { readonly [kind: string]: Json } }
  | { readonly ShardCongested: { readonly congestion_level: number; readonly shard_id: ShardId } }
  | { readonly ShardStuck: { readonly missed_chunks: bigint; readonly shard_id: ShardId } }

/**
 * Why a transaction failed: one of its actions (by index), or the transaction as such. Versions to come may have more kinds.
 *
 * @since 0.1.0
 * @category types
 */
export type TxError =
  | {
      readonly ActionError: {
        readonly index?: number | null
        readonly kind: ActionErrorKind
      }
    }
  | { readonly InvalidTxError: InvalidTxError }

/**
 * The outcome of a transaction or receipt. `SuccessValue` is Base64.
 *
 * @since 0.1.0
 * @category types
 */
export type OutcomeStatus =
  | "Unknown"
  | { readonly Failure: TxError }
  | { readonly SuccessValue: Base64 }
  | { readonly SuccessReceiptId: Hash }

/**
 * A step of the way from a leaf to the root of a Merkle tree.
 *
 * @since 0.1.0
 * @category types
 */
export interface MerkleStep {
  readonly direction: "Left" | "Right"
  readonly hash: Hash
}

/**
 * What a transaction or receipt did, with the proof of it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Outcome {
  readonly block_hash: Hash
  readonly id: Hash
  readonly outcome: {
    readonly executor_id: AccountId
    readonly gas_burnt: bigint
    readonly logs: ReadonlyArray<string>
    readonly metadata?: {
      readonly gas_profile?: ReadonlyArray<{
        readonly cost: string
        readonly cost_category: string
        readonly gas_used: string
      }> | null
      readonly version: number
    }
    readonly receipt_ids: ReadonlyArray<Hash>
    readonly status: OutcomeStatus
    readonly tokens_burnt: Yocto
  }
  readonly proof: ReadonlyArray<MerkleStep>
}

/**
 * A transaction and its outcome, as far as the node waited for it: without waiting, `final_execution_status` alone may be there.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionResult {
  readonly final_execution_status: TxStatus
  readonly receipts_outcome?: ReadonlyArray<Outcome>
  readonly status?:
    | "NotStarted"
    | "Started"
    | { readonly Failure: TxError }
    | { readonly SuccessValue: Base64 }
  readonly transaction?: SignedTransaction
  readonly transaction_outcome?: Outcome
}

/**
 * The same with the receipts.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionWithReceipts extends TransactionResult {
  readonly receipts?: ReadonlyArray<Receipt>
}

/**
 * Why a value of the state changed: `type` says what did it.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChangeCause {
  readonly type: string
  readonly tx_hash?: Hash
  readonly receipt_hash?: Hash
}

/**
 * A change of the state. Which fields `change` has depends on `type`.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateChange {
  readonly cause: ChangeCause
  readonly type: string
  readonly change: Partial<Account> & {
    readonly account_id: AccountId
    readonly access_key?: AccessKey
    readonly public_key?: PublicKey
    readonly gas_key?: {
      readonly balance: Yocto | bigint
      readonly num_nonces: bigint
      readonly permission: Permission
    }
    readonly index?: number
    readonly nonce?: bigint
    readonly key_base64?: Base64
    readonly value_base64?: Base64
    readonly code_base64?: Base64
  }
}

/**
 * Which changes are asked for.
 *
 * @since 0.1.0
 * @category types
 */
export type ChangesQuery = BlockRef &
  (
    | {
        readonly changesType: "account_changes" | "all_access_key_changes" | "contract_code_changes"
        readonly accountIds: ReadonlyArray<AccountId>
      }
    | {
        readonly changesType: "single_access_key_changes"
        readonly keys: ReadonlyArray<{ readonly accountId: AccountId; readonly publicKey: PublicKey }>
      }
    | {
        readonly changesType: "data_changes"
        readonly accountIds: ReadonlyArray<AccountId>
        readonly keyPrefixBase64: Base64
      }
  )

/**
 * The changes of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Changes {
  readonly block_hash: Hash
  readonly changes: ReadonlyArray<StateChange>
}

/**
 * The accounts that a block touched, and what of them.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChangesInBlock {
  readonly block_hash: Hash
  readonly changes: ReadonlyArray<{
    readonly account_id: AccountId
    readonly type: "account_touched" | "access_key_touched" | "data_touched" | "contract_code_touched"
  }>
}

/**
 * The part of a header that light clients need.
 *
 * @since 0.1.0
 * @category types
 */
export interface InnerLite {
  readonly block_merkle_root: Hash
  readonly epoch_id: Hash
  readonly height: bigint
  readonly next_bp_hash: Hash
  readonly next_epoch_id: Hash
  readonly outcome_root: Hash
  readonly prev_state_root: Hash
  readonly timestamp: bigint
  readonly timestamp_nanosec: string
}

/**
 * The transaction or receipt to prove, to a light client that is at `lightClientHead`.
 *
 * @since 0.1.0
 * @category types
 */
export type ProofQuery = { readonly lightClientHead: Hash } & (
  | { readonly type: "transaction"; readonly transactionHash: Hash; readonly senderId: AccountId }
  | { readonly type: "receipt"; readonly receiptId: Hash; readonly receiverId: AccountId }
)

/**
 * The proof of an outcome for a light client.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightClientProof {
  readonly block_header_lite: {
    readonly inner_lite: InnerLite
    readonly inner_rest_hash: Hash
    readonly prev_block_hash: Hash
  }
  readonly block_proof: ReadonlyArray<MerkleStep>
  readonly outcome_proof: Outcome
  readonly outcome_root_proof: ReadonlyArray<MerkleStep>
}

/**
 * The next block for a light client: nothing in it where the client has the newest.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightClientBlock {
  readonly approvals_after_next?: ReadonlyArray<Signature | null>
  readonly inner_lite?: InnerLite
  readonly inner_rest_hash?: Hash
  readonly next_block_inner_hash?: Hash
  readonly next_bps?: ReadonlyArray<ValidatorStake> | null
  readonly prev_block_hash?: Hash
}

/**
 * A fraction.
 *
 * @since 0.1.0
 * @category types
 */
export type Ratio = readonly [numerator: bigint, denominator: bigint]

/**
 * Parameters of the protocol. `runtime_config` and `shard_layout` are of each version's own shape.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolConfig {
  readonly avg_hidden_validator_seats_per_shard: ReadonlyArray<bigint>
  readonly block_producer_kickout_threshold: bigint
  readonly chain_id: string
  readonly chunk_producer_kickout_threshold: bigint
  readonly chunk_validator_only_kickout_threshold?: bigint
  readonly dynamic_resharding: boolean
  readonly epoch_length: bigint
  readonly fishermen_threshold: Yocto
  readonly gas_limit: bigint
  readonly gas_price_adjustment_rate: Ratio
  readonly genesis_height: bigint
  readonly genesis_time: string
  readonly max_gas_price: Yocto
  readonly max_inflation_rate: Ratio
  readonly max_kickout_stake_perc?: bigint
  readonly min_gas_price: Yocto
  readonly minimum_stake_divisor?: bigint
  readonly minimum_stake_ratio?: Ratio
  readonly minimum_validators_per_shard?: bigint
  readonly num_block_producer_seats: bigint
  readonly num_block_producer_seats_per_shard: ReadonlyArray<bigint>
  readonly num_blocks_per_year: bigint
  readonly online_max_threshold?: Ratio
  readonly online_min_threshold?: Ratio
  readonly protocol_reward_rate: Ratio
  readonly protocol_treasury_account: AccountId
  readonly protocol_upgrade_stake_threshold?: Ratio
  readonly protocol_version: number
  readonly runtime_config: { readonly [name: string]: Json }
  readonly shard_layout?: Json
  readonly shuffle_shard_assignment_for_chunk_producers?: boolean
  readonly target_validator_mandates_per_shard?: bigint
  readonly transaction_validity_period: bigint
}

/**
 * How the chain began: the parameters of that time, and the validators.
 *
 * @since 0.1.0
 * @category types
 */
export interface GenesisConfig extends Omit<ProtocolConfig, "runtime_config"> {
  readonly chunk_producer_assignment_changes_limit?: bigint
  readonly num_chunk_only_producer_seats?: bigint
  readonly num_chunk_producer_seats?: bigint
  readonly num_chunk_validator_seats?: bigint
  readonly total_supply: Yocto
  readonly use_production_config?: boolean
  readonly validators: ReadonlyArray<{
    readonly account_id: AccountId
    readonly amount: Yocto
    readonly public_key: PublicKey
  }>
}
