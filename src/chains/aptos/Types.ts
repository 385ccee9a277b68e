/**
 * What Aptos nodes take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { RestCallError, TransactionFailed, TransactionNotConfirmed } from "../../data/SdkError.js"
import type { Json } from "../../data/untrusted.js"
import type { WaitOptions } from "../internal/Confirmation.js"

/**
 * An address: 0x and up to 64 hexadecimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * Bytes, hexadecimal with 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type HexBytes = string

/**
 * A hash of 32 bytes: 0x and 64 hexadecimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export type Hash = string

/**
 * An integer of 64 bits as nodes write it, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type U64 = string

/**
 * An integer of 128 bits as nodes write it, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type U128 = string

/**
 * An integer of 256 bits as nodes write it, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type U256 = string

/**
 * An integer as an argument: above 2^53 a bigint or a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * An account: its sequence number and its authentication key.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountData {
  readonly sequence_number: U64
  readonly authentication_key: HexBytes
}

/**
 * A resource of an account: its type and its fields.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveResource {
  readonly type: string
  readonly data: { readonly [name: string]: Json }
}

/**
 * A module: its bytecode and its interface.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveModuleBytecode {
  readonly bytecode: HexBytes
  readonly abi?: MoveModule
}

/**
 * A block: the versions of the transactions in it, and these on demand.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly block_height: U64
  readonly block_hash: Hash
  readonly block_timestamp: U64
  readonly first_version: U64
  readonly last_version: U64
  readonly transactions?: ReadonlyArray<Transaction>
}

/**
 * An event with the version of its transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface VersionedEvent {
  readonly version: U64
  readonly guid: EventGuid
  readonly sequence_number: U64
  readonly type: string
  readonly data: Json
}

/**
 * The chain, and how far the node is with it.
 *
 * @since 0.1.0
 * @category types
 */
export interface IndexResponse {
  readonly chain_id: number
  readonly epoch: U64
  readonly ledger_version: U64
  readonly oldest_ledger_version: U64
  readonly ledger_timestamp: U64
  readonly node_role: "validator" | "full_node"
  readonly oldest_block_height: U64
  readonly block_height: U64
  readonly git_hash?: string
  readonly encryption_key?: string
}

/**
 * A Move value. Integers up to 32 bits are `bigint`, larger ones are decimal strings.
 *
 * @since 0.1.0
 * @category types
 */
export type MoveValue =
  | bigint
  | U64
  | U128
  | U256
  | string
  | boolean
  | Address
  | ReadonlyArray<MoveValue>
  | HexBytes
  | { readonly [name: string]: Json }

/**
 * A transaction of any kind, by its `type`.
 *
 * @since 0.1.0
 * @category types
 */
export type Transaction =
  | ({ readonly type: "pending_transaction" } & PendingTransaction)
  | ({ readonly type: "user_transaction" } & UserTransaction)
  | ({ readonly type: "genesis_transaction" } & GenesisTransaction)
  | ({ readonly type: "block_metadata_transaction" } & BlockMetadataTransaction)
  | ({ readonly type: "state_checkpoint_transaction" } & StateCheckpointTransaction)
  | ({ readonly type: "block_epilogue_transaction" } & BlockEpilogueTransaction)
  | ({ readonly type: "validator_transaction" } & ValidatorTransaction)

/**
 * A transaction in the mempool.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingTransaction {
  readonly hash: Hash
  readonly sender: Address
  readonly sequence_number: U64
  readonly max_gas_amount: U64
  readonly gas_unit_price: U64
  readonly expiration_timestamp_secs: U64
  readonly payload: TransactionPayload
  readonly signature?: TransactionSignature
  readonly replay_protection_nonce?: U64
}

/**
 * What the chain tells of every transaction that it has executed.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutedTransaction {
  readonly version: U64
  readonly hash: Hash
  readonly state_change_hash: Hash
  readonly event_root_hash: Hash
  readonly state_checkpoint_hash?: Hash
  readonly gas_used: U64
  readonly success: boolean
  readonly vm_status: string
  readonly accumulator_root_hash: Hash
  readonly changes: ReadonlyArray<WriteSetChange>
}

/**
 * A transaction of a user that the chain has executed.
 *
 * @since 0.1.0
 * @category types
 */
export interface UserTransaction extends ExecutedTransaction {
  readonly sender: Address
  readonly sequence_number: U64
  readonly max_gas_amount: U64
  readonly gas_unit_price: U64
  readonly expiration_timestamp_secs: U64
  readonly payload: TransactionPayload
  readonly signature?: TransactionSignature
  readonly replay_protection_nonce?: U64
  readonly events: ReadonlyArray<Event>
  readonly timestamp: U64
}

/**
 * The place of a transaction in its block.
 *
 * @since 0.1.0
 * @category types
 */
export interface PersistedAuxiliaryInfo {
  readonly transaction_index?: number
}

/**
 * A transaction in short.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionSummary {
  readonly sender: Address
  readonly version: U64
  readonly transaction_hash: Hash
  readonly replay_protector: U64
}

/**
 * Which transactions of a batch were refused, and why.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionsBatchSubmissionResult {
  readonly transaction_failures: ReadonlyArray<{
    readonly error: { readonly message: string; readonly error_code: string; readonly vm_error_code?: bigint }
    readonly transaction_index: number
  }>
}

/**
 * Prices of a unit of gas, in octas.
 *
 * @since 0.1.0
 * @category types
 */
export interface GasEstimation {
  readonly deprioritized_gas_estimate?: bigint
  readonly gas_estimate: bigint
  readonly prioritized_gas_estimate?: bigint
}

/**
 * What a transaction does.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionPayload =
  | ({ readonly type: "entry_function_payload" } & EntryFunctionPayload)
  | ({ readonly type: "script_payload" } & ScriptPayload)
  | { readonly type: "module_bundle_payload" }
  | ({ readonly type: "multisig_payload" } & MultisigPayload)
  | ({ readonly type: "encrypted_transaction_payload" } & EncryptedTransactionPayload)

/**
 * The signature of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionSignature =
  | ({ readonly type: "ed25519_signature" } & Ed25519Signature)
  | ({ readonly type: "multi_ed25519_signature" } & MultiEd25519Signature)
  | ({ readonly type: "multi_agent_signature" } & MultiAgentSignature)
  | ({ readonly type: "fee_payer_signature" } & FeePayerSignature)
  | SingleSender
  | { readonly type: "no_account_signature" }

/**
 * The signature of an account whose kind is no longer told by `type`: its fields tell it.
 *
 * @since 0.1.0
 * @category types
 */
export type SingleSender<A extends AccountSignature = AccountSignature> = A extends unknown
  ? Omit<A, "type"> & { readonly type: "single_sender" }
  : never

/**
 * The interface of a module.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveModule {
  readonly address: Address
  readonly name: string
  readonly friends: ReadonlyArray<string>
  readonly exposed_functions: ReadonlyArray<MoveFunction>
  readonly structs: ReadonlyArray<MoveStruct>
}

/**
 * The stream of events that an event belongs to.
 *
 * @since 0.1.0
 * @category types
 */
export interface EventGuid {
  readonly creation_number: U64
  readonly account_address: Address
}

/**
 * The first transaction of the chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface GenesisTransaction extends ExecutedTransaction {
  readonly payload: GenesisPayload
  readonly events: ReadonlyArray<Event>
}

/**
 * The transaction at the start of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockMetadataTransaction extends ExecutedTransaction {
  readonly id: Hash
  readonly epoch: U64
  readonly round: U64
  readonly events: ReadonlyArray<Event>
  readonly previous_block_votes_bitvec: ReadonlyArray<number>
  readonly proposer: Address
  readonly failed_proposer_indices: ReadonlyArray<number>
  readonly timestamp: U64
  readonly block_metadata_extension?: BlockMetadataExtension
}

/**
 * The transaction that commits to the state at the end of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateCheckpointTransaction extends ExecutedTransaction {
  readonly timestamp: U64
}

/**
 * The last transaction of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockEpilogueTransaction extends ExecutedTransaction {
  readonly timestamp: U64
  readonly block_end_info?: BlockEndInfo
}

/**
 * A transaction of the validators.
 *
 * @since 0.1.0
 * @category types
 */
export type ValidatorTransaction =
  | ({ readonly validator_transaction_type: "observed_jwk_update" } & JWKUpdateTransaction)
  | ({ readonly validator_transaction_type: "dkg_result" } & DKGResultTransaction)
  | ({ readonly validator_transaction_type: "chunky_d_k_g_result" } & ChunkyDKGResultTransaction)

/**
 * A change of the state.
 *
 * @since 0.1.0
 * @category types
 */
export type WriteSetChange =
  | ({ readonly type: "delete_module" } & DeleteModule)
  | ({ readonly type: "delete_resource" } & DeleteResource)
  | ({ readonly type: "delete_table_item" } & DeleteTableItem)
  | ({ readonly type: "write_module" } & WriteModule)
  | ({ readonly type: "write_resource" } & WriteResource)
  | ({ readonly type: "write_table_item" } & WriteTableItem)

/**
 * An event.
 *
 * @since 0.1.0
 * @category types
 */
export interface Event {
  readonly guid: EventGuid
  readonly sequence_number: U64
  readonly type: string
  readonly data: Json
}

/**
 * A call of an entry function.
 *
 * @since 0.1.0
 * @category types
 */
export interface EntryFunctionPayload {
  readonly function: string
  readonly type_arguments: ReadonlyArray<string>
  readonly arguments: ReadonlyArray<Json>
}

/**
 * A script with its arguments.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScriptPayload {
  readonly code: MoveScriptBytecode
  readonly type_arguments: ReadonlyArray<string>
  readonly arguments: ReadonlyArray<Json>
}

/**
 * A transaction of a multisig account.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultisigPayload {
  readonly multisig_address: Address
  readonly transaction_payload?: MultisigTransactionPayload
}

/**
 * What an encrypted transaction does, as far as it is decrypted.
 *
 * @since 0.1.0
 * @category types
 */
export type EncryptedTransactionPayload =
  | ({ readonly encrypted_state: "encrypted" } & EncryptedPayload)
  | ({ readonly encrypted_state: "failed_decryption" } & FailedDecryptionPayload)
  | ({ readonly encrypted_state: "decrypted" } & DecryptedPayload)

/**
 * A signature of one Ed25519 key.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ed25519Signature {
  readonly public_key: HexBytes
  readonly signature: HexBytes
}

/**
 * A signature of several Ed25519 keys.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultiEd25519Signature {
  readonly public_keys: ReadonlyArray<HexBytes>
  readonly signatures: ReadonlyArray<HexBytes>
  readonly threshold: number
  readonly bitmap: HexBytes
}

/**
 * The signatures of a transaction of several accounts.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultiAgentSignature {
  readonly sender: AccountSignature
  readonly secondary_signer_addresses: ReadonlyArray<Address>
  readonly secondary_signers: ReadonlyArray<AccountSignature>
}

/**
 * The signatures of a transaction whose fee another account pays.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeePayerSignature {
  readonly sender: AccountSignature
  readonly secondary_signer_addresses: ReadonlyArray<Address>
  readonly secondary_signers: ReadonlyArray<AccountSignature>
  readonly fee_payer_address: Address
  readonly fee_payer_signer: AccountSignature
}

/**
 * The signature of an account.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountSignature =
  | ({ readonly type: "ed25519_signature" } & Ed25519Signature)
  | ({ readonly type: "multi_ed25519_signature" } & MultiEd25519Signature)
  | ({ readonly type: "single_key_signature" } & SingleKeySignature)
  | ({ readonly type: "multi_key_signature" } & MultiKeySignature)
  | { readonly type: "no_account_signature" }
  | ({ readonly type: "abstract_signature" } & AbstractSignature)

/**
 * The signature of a function.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveFunction {
  readonly name: string
  readonly visibility: "private" | "public" | "friend"
  readonly is_entry: boolean
  readonly is_view: boolean
  readonly generic_type_params: ReadonlyArray<MoveFunctionGenericTypeParam>
  readonly params: ReadonlyArray<string>
  readonly return: ReadonlyArray<string>
}

/**
 * A struct or an enum of a module.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveStruct {
  readonly name: string
  readonly is_native: boolean
  readonly is_event: boolean
  readonly is_enum: boolean
  readonly abilities: ReadonlyArray<string>
  readonly generic_type_params: ReadonlyArray<MoveStructGenericTypeParam>
  readonly fields: ReadonlyArray<MoveStructField>
  readonly variants: ReadonlyArray<MoveStructVariant>
}

/**
 * The changes with which the chain begins.
 *
 * @since 0.1.0
 * @category types
 */
export type GenesisPayload = { readonly type: "write_set_payload" } & WriteSetPayload

/**
 * Further data of a block.
 *
 * @since 0.1.0
 * @category types
 */
export type BlockMetadataExtension =
  | { readonly type: "v0" }
  | ({ readonly type: "v1" } & BlockMetadataExtensionRandomness)
  | ({ readonly type: "v2" } & BlockMetadataExtensionRandomnessAndDecKey)

/**
 * Which limits a block has reached.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockEndInfo {
  readonly block_gas_limit_reached: boolean
  readonly block_output_limit_reached: boolean
  readonly block_effective_block_gas_units: bigint
  readonly block_approx_output_size: bigint
}

/**
 * An update of the keys of identity providers.
 *
 * @since 0.1.0
 * @category types
 */
export interface JWKUpdateTransaction extends ExecutedTransaction {
  readonly events: ReadonlyArray<Event>
  readonly timestamp: U64
  readonly quorum_certified_update: ExportedQuorumCertifiedUpdate
}

/**
 * The result of a distributed key generation.
 *
 * @since 0.1.0
 * @category types
 */
export interface DKGResultTransaction extends ExecutedTransaction {
  readonly events: ReadonlyArray<Event>
  readonly timestamp: U64
  readonly dkg_transcript: ExportedDKGTranscript
}

/**
 * The result of a distributed key generation in chunks.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChunkyDKGResultTransaction extends ExecutedTransaction {
  readonly events: ReadonlyArray<Event>
  readonly timestamp: U64
  readonly certified_subtrx: ExportedCertifiedAggregatedChunkySubtranscript
  readonly encryption_key: HexBytes
}

/**
 * A module that is gone.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeleteModule {
  readonly address: Address
  readonly state_key_hash: string
  readonly module: string
}

/**
 * A resource that is gone.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeleteResource {
  readonly address: Address
  readonly state_key_hash: string
  readonly resource: string
}

/**
 * An item of a table that is gone.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeleteTableItem {
  readonly state_key_hash: string
  readonly handle: HexBytes
  readonly key: HexBytes
  readonly data?: DeletedTableData
}

/**
 * A module that was written.
 *
 * @since 0.1.0
 * @category types
 */
export interface WriteModule {
  readonly address: Address
  readonly state_key_hash: string
  readonly data: MoveModuleBytecode
}

/**
 * A resource that was written.
 *
 * @since 0.1.0
 * @category types
 */
export interface WriteResource {
  readonly address: Address
  readonly state_key_hash: string
  readonly data: MoveResource
}

/**
 * An item of a table that was written.
 *
 * @since 0.1.0
 * @category types
 */
export interface WriteTableItem {
  readonly state_key_hash: string
  readonly handle: HexBytes
  readonly key: HexBytes
  readonly value: HexBytes
  readonly data?: DecodedTableData
}

/**
 * A script: its bytecode and its interface.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveScriptBytecode {
  readonly bytecode: HexBytes
  readonly abi?: MoveFunction
}

/**
 * What a multisig account does.
 *
 * @since 0.1.0
 * @category types
 */
export type MultisigTransactionPayload =
  | ({ readonly type: "entry_function_payload" } & EntryFunctionPayload)
  | ({ readonly type: "script_payload" } & ScriptPayload)

/**
 * A payload that is still encrypted.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncryptedPayload {
  readonly payload_hash: Hash
  readonly ciphertext: HexBytes
  readonly encryption_epoch: U64
  readonly claimed_entry_fun?: ClaimedEntryFunction
}

/**
 * A payload that could not be decrypted.
 *
 * @since 0.1.0
 * @category types
 */
export interface FailedDecryptionPayload {
  readonly payload_hash: Hash
  readonly ciphertext: HexBytes
  readonly encryption_epoch: U64
  readonly claimed_entry_fun?: ClaimedEntryFunction
}

/**
 * A payload that was decrypted.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecryptedPayload {
  readonly payload_hash: Hash
  readonly ciphertext: HexBytes
  readonly encryption_epoch: U64
  readonly claimed_entry_fun?: ClaimedEntryFunction
  readonly decrypted_payload: EncryptedTransactionInnerPayload
  readonly decryption_nonce: HexBytes
}

/**
 * A signature of one key of any scheme.
 *
 * @since 0.1.0
 * @category types
 */
export interface SingleKeySignature {
  readonly public_key: PublicKey
  readonly signature: Signature
}

/**
 * A signature of several keys of any scheme.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultiKeySignature {
  readonly public_keys: ReadonlyArray<PublicKey>
  readonly signatures: ReadonlyArray<IndexedSignature>
  readonly signatures_required: number
}

/**
 * A signature that a function of the account checks.
 *
 * @since 0.1.0
 * @category types
 */
export interface AbstractSignature {
  readonly function_info: string
  readonly auth_data: HexBytes
}

/**
 * A type parameter of a function.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveFunctionGenericTypeParam {
  readonly constraints: ReadonlyArray<string>
}

/**
 * A type parameter of a struct.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveStructGenericTypeParam {
  readonly constraints: ReadonlyArray<string>
}

/**
 * A field of a struct.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveStructField {
  readonly name: string
  readonly type: string
}

/**
 * A variant of an enum.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveStructVariant {
  readonly name: string
  readonly fields: ReadonlyArray<MoveStructField>
}

/**
 * A set of changes.
 *
 * @since 0.1.0
 * @category types
 */
export interface WriteSetPayload {
  readonly write_set: WriteSet
}

/**
 * The randomness of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockMetadataExtensionRandomness {
  readonly randomness?: HexBytes
}

/**
 * The randomness and the decryption key of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockMetadataExtensionRandomnessAndDecKey {
  readonly randomness?: HexBytes
  readonly decryption_key?: HexBytes
}

/**
 * An update that a quorum has signed.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExportedQuorumCertifiedUpdate {
  readonly update: ExportedProviderJWKs
  readonly multi_sig: ExportedAggregateSignature
}

/**
 * The transcript of a distributed key generation.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExportedDKGTranscript {
  readonly epoch: U64
  readonly author: Address
  readonly payload: HexBytes
}

/**
 * The transcript of a distributed key generation in chunks.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExportedCertifiedAggregatedChunkySubtranscript {
  readonly epoch: U64
  readonly author: Address
  readonly subtrx: HexBytes
  readonly signature: ExportedAggregateSignature
}

/**
 * The key of an item that is gone, decoded.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeletedTableData {
  readonly key: Json
  readonly key_type: string
}

/**
 * An item of a table, decoded.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecodedTableData {
  readonly key: Json
  readonly key_type: string
  readonly value: Json
  readonly value_type: string
}

/**
 * The entry function that an encrypted payload claims to call.
 *
 * @since 0.1.0
 * @category types
 */
export interface ClaimedEntryFunction {
  readonly module: string
  readonly name?: string
}

/**
 * What an encrypted transaction does.
 *
 * @since 0.1.0
 * @category types
 */
export type EncryptedTransactionInnerPayload =
  | ({ readonly type: "entry_function_payload" } & EntryFunctionPayload)
  | ({ readonly type: "script_payload" } & ScriptPayload)
  | ({ readonly type: "multisig_payload" } & MultisigPayload)

/**
 * A public key with its scheme.
 *
 * @since 0.1.0
 * @category types
 */
export type PublicKey =
  | ({ readonly type: "ed25519" } & { readonly value: HexBytes })
  | ({ readonly type: "secp256k1_ecdsa" } & { readonly value: HexBytes })
  | ({ readonly type: "secp256r1_ecdsa" } & { readonly value: HexBytes })
  | ({ readonly type: "keyless" } & { readonly value: HexBytes })
  | ({ readonly type: "federated_keyless" } & { readonly value: HexBytes })
  | ({ readonly type: "slh_dsa__sha2_128s" } & { readonly value: HexBytes })

/**
 * A signature with its scheme.
 *
 * @since 0.1.0
 * @category types
 */
export type Signature =
  | ({ readonly type: "ed25519" } & { readonly value: HexBytes })
  | ({ readonly type: "secp256k1_ecdsa" } & { readonly value: HexBytes })
  | ({ readonly type: "web_authn" } & { readonly value: HexBytes })
  | ({ readonly type: "keyless" } & { readonly value: HexBytes })
  | ({ readonly type: "slh_dsa__sha2_128s" } & { readonly value: HexBytes })

/**
 * A signature with the number of its key.
 *
 * @since 0.1.0
 * @category types
 */
export interface IndexedSignature {
  readonly index: number
  readonly signature: Signature
}

/**
 * A set of changes: as they are, or made by a script.
 *
 * @since 0.1.0
 * @category types
 */
export type WriteSet =
  | ({ readonly type: "script_write_set" } & ScriptWriteSet)
  | ({ readonly type: "direct_write_set" } & DirectWriteSet)

/**
 * The keys of an identity provider.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExportedProviderJWKs {
  readonly issuer: string
  readonly version: bigint
  readonly jwks: ReadonlyArray<Jwk>
}

/**
 * An aggregate signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExportedAggregateSignature {
  readonly signer_indices: ReadonlyArray<bigint>
  readonly sig?: HexBytes
}

/**
 * A script that makes changes.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScriptWriteSet {
  readonly execute_as: Address
  readonly script: ScriptPayload
}

/**
 * Changes and events.
 *
 * @since 0.1.0
 * @category types
 */
export interface DirectWriteSet {
  readonly changes: ReadonlyArray<WriteSetChange>
  readonly events: ReadonlyArray<Event>
}

/**
 * A key of an identity provider.
 *
 * @since 0.1.0
 * @category types
 */
export type Jwk = RsaJwk | UnsupportedJwk

/**
 * An RSA key.
 *
 * @since 0.1.0
 * @category types
 */
export interface RsaJwk {
  readonly kid: string
  readonly kty: string
  readonly alg: string
  readonly e: string
  readonly n: string
}

/**
 * A key of a scheme that the chain does not support.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnsupportedJwk {
  readonly id: ReadonlyArray<number>
  readonly payload: ReadonlyArray<number>
}

/**
 * A call of a view function: its full name (`0x1::coin::balance`), its type arguments and its arguments, integers of 64 bits and more as text.
 *
 * @since 0.1.0
 * @category types
 */
export interface ViewRequest {
  readonly function: string
  readonly type_arguments: ReadonlyArray<string>
  readonly arguments: ReadonlyArray<Json>
}

/**
 * A transaction before its signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnsignedTransaction {
  readonly sender: Address
  readonly sequence_number: U64
  readonly max_gas_amount: U64
  readonly gas_unit_price: U64
  readonly expiration_timestamp_secs: U64
  readonly payload: TransactionPayload
  readonly replay_protection_nonce?: U64
}

/**
 * A signed transaction, in JSON.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction extends UnsignedTransaction {
  readonly signature: TransactionSignature
}

/**
 * The version of the ledger that a question is about: by default the newest.
 *
 * @since 0.1.0
 * @category types
 */
export interface AtVersion {
  readonly ledgerVersion?: Integer
}

/**
 * The part of a list: from where, and how many.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paging {
  readonly start?: Integer
  readonly limit?: number
}

/**
 * The methods of the client of Aptos beside single calls.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AptosComposed {
  /**
   * Transaction once the chain has executed it. One that has failed is `TransactionFailed`, unless `allowFailure` asks for it: `vm_status`
   * tells why. `confirmations` are blocks.
   */
  readonly waitForTransaction: (
    hash: Hash,
    options?: WaitOptions
  ) => Effect.Effect<Transaction, AptosWaitError>
}

/**
 * The errors of waiting for a transaction of Aptos.
 *
 * @since 0.1.0
 * @category errors
 */
export type AptosWaitError = RestCallError | TransactionNotConfirmed | TransactionFailed<Transaction>
