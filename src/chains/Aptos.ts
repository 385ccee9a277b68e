/**
 * Aptos: the REST API of its nodes (`/v1`). Queries are camelCase here and snake_case on the wire; bodies and answers keep the names of
 * the wire. Integers of 64 bits and more are decimal strings where nodes write text, and `bigint` where they write numbers; chain ids,
 * positions and thresholds are `number`. Amounts of APT are in octas (10^-8 APT).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, getProbe, type ReadNativeBalances } from "../balancer/Family.js"
import { type BytesForm, byFieldName, eachOf, hex0x, whenTextOrBytes } from "../data/bytes.js"
import { type Failure, type Fault, get, group, post } from "../data/Endpoint.js"
import type { RestCallError, TransactionNotConfirmed } from "../data/SdkError.js"
import { isRecord, type Json } from "../data/untrusted.js"
import type { Client, MakeMethods, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { pollUntilConfirmed, type SeenTransaction, type WaitOptions } from "./internal/Confirmation.js"
import { toFailure } from "./internal/faults.js"

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

/** Fields that are a `number` wherever they stand. Under the other names is the data of contracts, whose integers are `bigint`. */
const numbers: ReadonlyArray<string> = [
  "!**.arguments",
  "!**.data",
  "**.chain_id",
  "**.failed_proposer_indices.[]",
  "**.id.[]",
  "**.index",
  "**.payload.[]",
  "**.previous_block_votes_bitvec.[]",
  "**.signatures_required",
  "**.threshold",
  "**.transaction_index"
]

/** Bytes by their names, in signatures and payloads. A key or a signature of several schemes is an object. */
const bytesByName: BytesForm = byFieldName(
  {
    auth_data: hex0x(),
    bitmap: hex0x(),
    bytecode: hex0x(),
    ciphertext: hex0x(),
    payload_hash: hex0x(32),
    decryption_nonce: hex0x(),
    public_key: whenTextOrBytes(hex0x(), () => bytesByName),
    public_keys: eachOf(whenTextOrBytes(hex0x(), () => bytesByName)),
    signature: whenTextOrBytes(hex0x(), () => bytesByName),
    signatures: eachOf(whenTextOrBytes(hex0x(), () => bytesByName)),
    value: hex0x()
  },
  ["arguments", "key"]
)

/** Codes of errors about what this node has not, and another one may have. */
const elsewhereCode =
  /^(?:version_not_found|transaction_not_found|block_not_found|version_pruned|block_pruned|bcs_not_supported|api_disabled)$/

/** Codes of errors that speak of the node. */
const nodeCode = /^(?:health_check_failed|mempool_is_full|rate_limited|internal_error|web_framework_error)$/

/** Whose fault an error is, by the code that the node has put beside its words. */
const faultOf = (code: string): Fault =>
  elsewhereCode.test(code) ? "elsewhere" : nodeCode.test(code) ? "node" : "caller"

const failure = (answer: unknown, status: number): Failure | undefined => {
  if (!isRecord(answer)) return undefined
  const { error_code: code, message } = answer
  return typeof code === "string" && typeof message === "string"
    ? toFailure(message, status, faultOf(code))
    : undefined
}

const dialect = {
  prefix: "/v1",
  query: "snake",
  integers: bigintIntegers,
  numbers,
  bytes: bytesByName,
  failure
} as const

const getTransactionByHash = get("/transactions/by_hash/{hash}")
  .returns<Transaction>()
  .echoes({ hash: "hash" })

const getBlockByVersion = get("/blocks/by_version/{version}")
  .query<{ readonly withTransactions?: boolean }>()
  .returns<Block>()

const getLedgerInfo = get("").returns<IndexResponse>()

const getAccountBalance = get("/accounts/{address}/balance/{assetType}").query<AtVersion>().returns<bigint>()

/**
 * The endpoints of Aptos.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(dialect, {
  /** Chain, and how far the node is with it. */
  getLedgerInfo,
  /** Succeeds if the node is at most so many seconds behind. */
  checkHealth: get("/-/healthy")
    .query<{ readonly durationSecs?: number }>()
    .returns<{ readonly message: string }>(),
  /** Configuration of the node, as far as it shows it. */
  getNodeInfo: get("/info").returns<{ readonly [name: string]: Json }>(),
  /** Account: its sequence number and its authentication key. */
  getAccount: get("/accounts/{address}").query<AtVersion>().returns<AccountData>(),
  /** Balance of a coin type or of the address of a fungible asset, in its smallest unit. */
  getAccountBalance,
  /** Resources of an account. */
  getAccountResources: get("/accounts/{address}/resources")
    .query<AtVersion & { readonly start?: string; readonly limit?: number }>()
    .returns<ReadonlyArray<MoveResource>>()
    .lists(),
  /** Resource of an account by its type. */
  getAccountResource: get("/accounts/{address}/resource/{resourceType}")
    .query<AtVersion>()
    .returns<MoveResource>(),
  /** Modules of an account. */
  getAccountModules: get("/accounts/{address}/modules")
    .query<AtVersion & { readonly start?: string; readonly limit?: number }>()
    .returns<ReadonlyArray<MoveModuleBytecode>>()
    .lists(),
  /** Module of an account by its name. */
  getAccountModule: get("/accounts/{address}/module/{moduleName}")
    .query<AtVersion>()
    .returns<MoveModuleBytecode>(),
  /** Transactions of an account in the order of its sequence numbers. */
  getAccountTransactions: get("/accounts/{address}/transactions")
    .query<Paging>()
    .returns<ReadonlyArray<Transaction>>()
    .lists(),
  /** Transactions of an account in short, also those without a sequence number. */
  getAccountTransactionSummaries: get("/accounts/{address}/transaction_summaries")
    .query<{ readonly startVersion?: Integer; readonly endVersion?: Integer; readonly limit?: number }>()
    .returns<ReadonlyArray<TransactionSummary>>()
    .lists(),
  /** Events of an account by the number of their stream. */
  getEventsByCreationNumber: get("/accounts/{address}/events/{creationNumber}")
    .query<Paging>()
    .returns<ReadonlyArray<VersionedEvent>>()
    .lists(),
  /** Events of an account by the resource and the field that have their stream. */
  getEventsByEventHandle: get("/accounts/{address}/events/{eventHandle}/{fieldName}")
    .query<Paging>()
    .returns<ReadonlyArray<VersionedEvent>>()
    .lists(),
  /** Block by its height. */
  getBlockByHeight: get("/blocks/by_height/{blockHeight}")
    .query<{ readonly withTransactions?: boolean }>()
    .returns<Block>()
    .echoes({ block_height: "blockHeight" }),
  /** Block that has the transaction of a version. */
  getBlockByVersion,
  /** Transactions of the chain, oldest first; without `start` the newest ones. */
  getTransactions: get("/transactions").query<Paging>().returns<ReadonlyArray<Transaction>>().lists(),
  /** Transaction by its hash; one in the mempool has the type `pending_transaction`. */
  getTransactionByHash,
  /** Same, once it is no longer pending, or after a second. */
  waitTransactionByHash: get("/transactions/wait_by_hash/{hash}")
    .returns<Transaction>()
    .echoes({ hash: "hash" }),
  /** Transaction by its version. */
  getTransactionByVersion: get("/transactions/by_version/{version}")
    .returns<Transaction>()
    .echoes({ version: "version" }),
  /** Places of transactions in their blocks. */
  getTransactionsAuxiliaryInfo: get("/transactions/auxiliary_info")
    .query<{ readonly startVersion: Integer; readonly limit?: number }>()
    .returns<ReadonlyArray<PersistedAuxiliaryInfo>>()
    .lists(),
  /** Sends a signed transaction (BCS), and yields it as it waits in the mempool. Safe to repeat. */
  submitTransaction: post("/transactions")
    .body<{ readonly transaction: Uint8Array }>()
    .raw("transaction", "application/x.aptos.signed_transaction+bcs")
    .returns<PendingTransaction>()
    .broadcast(),
  /** Sends a signed transaction in JSON, and yields it as it waits in the mempool. Safe to repeat. */
  submitTransactionJson: post("/transactions")
    .body<SignedTransaction>()
    .verbatim()
    .returns<PendingTransaction>()
    .broadcast(),
  /** Sends signed transactions in JSON. The answer has those that were refused. Safe to repeat. */
  submitBatch: post("/transactions/batch")
    .body<{ readonly transactions: ReadonlyArray<SignedTransaction> }>()
    .whole("transactions")
    .verbatim()
    .returns<TransactionsBatchSubmissionResult>()
    .lists("transaction_failures")
    .broadcast(),
  /** Outcome that a transaction (BCS) with an invalid signature would have. */
  simulateTransaction: post(
    "/transactions/simulate{?estimateMaxGasAmount,estimateGasUnitPrice,estimatePrioritizedGasUnitPrice}"
  )
    .body<{
      readonly transaction: Uint8Array
      readonly estimateMaxGasAmount?: boolean
      readonly estimateGasUnitPrice?: boolean
      readonly estimatePrioritizedGasUnitPrice?: boolean
    }>()
    .raw("transaction", "application/x.aptos.signed_transaction+bcs")
    .returns<ReadonlyArray<UserTransaction>>()
    .lists(),
  /** Bytes of a transaction that are to be signed, hexadecimal. A node may give others than those that were meant. */
  encodeSubmission: post("/transactions/encode_submission")
    .body<UnsignedTransaction & { readonly secondary_signers?: ReadonlyArray<Address> }>()
    .verbatim()
    .returns<HexBytes>(),
  /** Prices of a unit of gas, in octas. */
  estimateGasPrice: get("/estimate_gas_price").returns<GasEstimation>(),
  /** Values that a view function returns. */
  view: post("/view{?ledgerVersion}")
    .body<ViewRequest & AtVersion>()
    .verbatim()
    .returns<ReadonlyArray<MoveValue>>()
    .numbers([])
    .lists(),
  /** Item of a table by its key. */
  getTableItem: post("/tables/{tableHandle}/item{?ledgerVersion}")
    .body<AtVersion & { readonly key_type: string; readonly value_type: string; readonly key: Json }>()
    .verbatim()
    .returns<MoveValue>()
    .numbers([]),
  /** Item of a table by its key in BCS. */
  getRawTableItem: post("/tables/{tableHandle}/raw_item{?ledgerVersion}")
    .body<AtVersion & { readonly key: HexBytes }>()
    .bytes({ key: hex0x() })
    .verbatim()
    .returns<MoveValue>()
    .numbers([])
})

/**
 * The methods of the client of Aptos beside single calls.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AptosComposed {
  /** Transaction once the chain has executed it; `success` tells whether it has failed. `confirmations` are blocks. */
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
export type AptosWaitError = RestCallError | TransactionNotConfirmed

/**
 * The client of Aptos.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AptosRpc extends Client<typeof endpoints>, RawRpc, AptosComposed {}

/**
 * Makes the methods of the client of Aptos beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (methods: MakeMethods): AptosComposed => {
  const nodes = methods(group(dialect, { getBlockByVersion, getLedgerInfo, getTransactionByHash }))
  const checkTransaction = (
    hash: Hash,
    { confirmations = 1 }: WaitOptions
  ): Effect.Effect<SeenTransaction<Transaction> | undefined, AptosWaitError> =>
    Effect.gen(function* () {
      const transaction = yield* Effect.catchTag(
        nodes.getTransactionByHash({ hash }),
        "RequestRejected",
        (error) => (error.status === 404 ? Effect.succeed(undefined) : Effect.fail(error))
      )
      if (transaction === undefined) return undefined
      if (transaction.type === "pending_transaction") return { transaction, confirmations: 0 }
      if (confirmations === 1) return { transaction, confirmations: 1 }
      const block = yield* nodes.getBlockByVersion({ version: transaction.version })
      const ledger = yield* nodes.getLedgerInfo()
      const above = BigInt(ledger.block_height) - BigInt(block.block_height)
      return { transaction, confirmations: Math.max(1, Number(above) + 1) }
    })
  return {
    waitForTransaction: (hash, options = {}) =>
      pollUntilConfirmed(hash, options, checkTransaction(hash, options))
  }
}

/**
 * The family of Aptos.
 *
 * @since 0.1.0
 * @category families
 */
export const aptos: Family<typeof endpoints, AptosRpc> = {
  endpoints,
  composed,
  layout: { tail: "/v1" },
  probe: () => getProbe("/v1", ["block_height"])
}

const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const nodes = client(group(dialect, { getAccountBalance }))
  return Effect.forEach(addresses, (address) =>
    nodes.getAccountBalance({ address, assetType: "0x1::aptos_coin::AptosCoin" })
  )
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^0x[0-9a-fA-F]{1,64}$/, "0x and up to 64 hexadecimal digits"],
  nativeBalances
} satisfies FamilyAccounts
