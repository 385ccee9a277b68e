/**
 * What Cardano's Rosetta API takes and gives.
 *
 * @since 0.1.0
 */

/**
 * An integer as an argument.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = number | bigint

/**
 * An amount in the smallest unit of its currency, in decimal digits, negative where it is taken away.
 *
 * @since 0.1.0
 * @category types
 */
export type Value = string

/**
 * Bytes in hex, without prefix.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * Data of a chain beyond the interface, by its own names. Integers are `bigint`.
 *
 * @since 0.1.0
 * @category types
 */
export type Metadata = Readonly<Record<string, unknown>>

/**
 * A chain, and a network of it: `cardano`, `mainnet`.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkIdentifier {
  readonly blockchain: string
  readonly network: string
  readonly sub_network_identifier?: { readonly network: string; readonly metadata?: Metadata }
}

/**
 * Height and hash of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockIdentifier {
  readonly index: number
  readonly hash: string
}

/**
 * Height or hash of a block. With neither it is the newest one.
 *
 * @since 0.1.0
 * @category types
 */
export interface PartialBlockIdentifier {
  readonly index?: Integer
  readonly hash?: string
}

/**
 * Hash of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionIdentifier {
  readonly hash: string
}

/**
 * Place of an operation in its transaction, from 0; `network_index` is its place on the chain, as that of an output.
 *
 * @since 0.1.0
 * @category types
 */
export interface OperationIdentifier {
  readonly index: number
  readonly network_index?: number
}

/**
 * An account: its address, and the part of it that is meant, if it has such.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountIdentifier {
  readonly address: string
  readonly sub_account?: { readonly address: string; readonly metadata?: Metadata }
  readonly metadata?: Metadata
}

/**
 * A token of Cardano: its policy, and what its registry says of it. The logo is a PNG in base64, or an address of one.
 *
 * @since 0.1.0
 * @category types
 */
export interface CurrencyMetadata extends Metadata {
  readonly policyId?: Hex
  readonly subject?: Hex
  readonly name?: string
  readonly description?: string
  readonly ticker?: string
  readonly url?: string
  readonly logo?: { readonly format?: string; readonly value?: string }
}

/**
 * A currency: on Cardano `ADA` with 6 decimals, or the name of a token in hex, with its policy in the metadata.
 *
 * @since 0.1.0
 * @category types
 */
export interface Currency {
  readonly symbol: string
  readonly decimals: number
  readonly metadata?: CurrencyMetadata
}

/**
 * An amount of a currency.
 *
 * @since 0.1.0
 * @category types
 */
export interface Amount {
  readonly value: Value
  readonly currency: Currency
  readonly metadata?: Metadata
}

/**
 * An output, named by transaction and index: `2f23…3e8f:1`.
 *
 * @since 0.1.0
 * @category types
 */
export interface CoinIdentifier {
  readonly identifier: string
}

/**
 * An unspent output. Tokens in it are in the metadata, by its identifier.
 *
 * @since 0.1.0
 * @category types
 */
export interface Coin {
  readonly coin_identifier: CoinIdentifier
  readonly amount: Amount
  readonly metadata?: Readonly<Record<string, ReadonlyArray<TokenBundle>>>
}

/**
 * The action of an operation on an output.
 *
 * @since 0.1.0
 * @category types
 */
export interface CoinChange {
  readonly coin_identifier: CoinIdentifier
  readonly coin_action: "coin_created" | "coin_spent"
}

/**
 * Name of a curve. Cardano's is `edwards25519`.
 *
 * @since 0.1.0
 * @category types
 */
export type CurveType = "secp256k1" | "secp256k1_bip340" | "secp256r1" | "edwards25519" | "tweedle" | "pallas"

/**
 * Name of a signature scheme. Cardano's is `ed25519`.
 *
 * @since 0.1.0
 * @category types
 */
export type SignatureType =
  | "ecdsa"
  | "ecdsa_recovery"
  | "ed25519"
  | "schnorr_1"
  | "schnorr_bip340"
  | "schnorr_poseidon"

/**
 * A public key.
 *
 * @since 0.1.0
 * @category types
 */
export interface PublicKey {
  readonly hex_bytes: Hex
  readonly curve_type: CurveType
}

/**
 * Tokens of one policy.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenBundle {
  readonly policyId: Hex
  readonly tokens: ReadonlyArray<Amount>
}

/**
 * A machine of a stake pool. The port is in decimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export interface Relay {
  readonly type?: string
  readonly ipv4?: string
  readonly ipv6?: string
  readonly dnsName?: string
  readonly port?: string
}

/**
 * The registration of a stake pool. Pledge and cost are in lovelaces.
 *
 * @since 0.1.0
 * @category types
 */
export interface PoolRegistrationParams {
  readonly vrfKeyHash: Hex
  readonly rewardAddress: string
  readonly pledge: Value
  readonly cost: Value
  readonly poolOwners: ReadonlyArray<string>
  readonly relays: ReadonlyArray<Relay>
  readonly margin?: { readonly numerator: string; readonly denominator: string }
  readonly margin_percentage?: string
  readonly poolMetadata?: { readonly url: string; readonly hash: Hex }
}

/**
 * The registration of a key for votes.
 *
 * @since 0.1.0
 * @category types
 */
export interface VoteRegistrationMetadata {
  readonly stakeKey: PublicKey
  readonly votingKey: PublicKey
  readonly rewardAddress: string
  readonly votingNonce: number
  readonly votingSignature: Hex
}

/**
 * A representative to whom votes are delegated: an id, or a standing answer.
 *
 * @since 0.1.0
 * @category types
 */
export interface Drep {
  readonly type: "key_hash" | "script_hash" | "abstain" | "no_confidence"
  readonly id?: Hex
}

/**
 * A vote of a stake pool on a governance action, which is named by transaction and index.
 *
 * @since 0.1.0
 * @category types
 */
export interface PoolGovernanceVoteParams {
  readonly governance_action_hash: string
  readonly pool_credential: PublicKey
  readonly vote: "yes" | "no" | "abstain"
  readonly vote_rationale?: { readonly url: string; readonly data_hash: Hex }
}

/**
 * The data of Cardano's operations beyond the interface. The names are the node's own, and are sent as they are given.
 *
 * @since 0.1.0
 * @category types
 */
export interface OperationMetadata {
  readonly withdrawalAmount?: Amount
  readonly depositAmount?: Amount
  readonly refundAmount?: Amount
  readonly staking_credential?: PublicKey
  readonly pool_key_hash?: Hex
  readonly epoch?: number
  readonly tokenBundle?: ReadonlyArray<TokenBundle>
  readonly poolRegistrationCert?: Hex
  readonly poolRegistrationParams?: PoolRegistrationParams
  readonly voteRegistrationMetadata?: VoteRegistrationMetadata
  readonly drep?: Drep
  readonly poolGovernanceVoteParams?: PoolGovernanceVoteParams
  readonly [name: string]: unknown
}

/**
 * A part of a transaction that changes one account: on Cardano of type `input`, `output`, `stakeKeyRegistration`,
 * `stakeDelegation`, `withdrawal`, `poolRegistration`, `dRepVoteDelegation` and others. On the chain it has a status.
 *
 * @since 0.1.0
 * @category types
 */
export interface Operation {
  readonly operation_identifier: OperationIdentifier
  readonly related_operations?: ReadonlyArray<OperationIdentifier>
  readonly type: string
  readonly status?: string
  readonly account?: AccountIdentifier
  readonly amount?: Amount
  readonly coin_change?: CoinChange
  readonly metadata?: OperationMetadata
}

/**
 * A transaction; on Cardano with its size in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly transaction_identifier: TransactionIdentifier
  readonly operations: ReadonlyArray<Operation>
  readonly related_transactions?: ReadonlyArray<{
    readonly network_identifier?: NetworkIdentifier
    readonly transaction_identifier: TransactionIdentifier
    readonly direction: "forward" | "backward"
  }>
  readonly metadata?: Metadata & { readonly size?: number; readonly scriptSize?: number }
}

/**
 * A block. Its time is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly block_identifier: BlockIdentifier
  readonly parent_block_identifier: BlockIdentifier
  readonly timestamp: number
  readonly transactions: ReadonlyArray<Transaction>
  readonly metadata?: Metadata & {
    readonly transactionsCount?: number
    readonly createdBy?: string
    readonly size?: number
    readonly epochNo?: number
    readonly slotNo?: number
  }
}

/**
 * A block, and the transactions to ask for one by one. No block: the chain has left this index out.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockAnswer {
  readonly block?: Block
  readonly other_transactions?: ReadonlyArray<TransactionIdentifier>
}

/**
 * A transaction, and the block that it is in.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTransaction {
  readonly block_identifier: BlockIdentifier
  readonly transaction: Transaction
}

/**
 * How far the chain is. The time is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkStatus {
  readonly current_block_identifier: BlockIdentifier
  readonly current_block_timestamp: number
  readonly genesis_block_identifier: BlockIdentifier
  readonly oldest_block_identifier?: BlockIdentifier
  readonly sync_status?: {
    readonly current_index?: number
    readonly target_index?: number
    readonly stage?: string
    readonly synced?: boolean
  }
  readonly peers?: ReadonlyArray<{ readonly peer_id: string; readonly metadata?: Metadata }>
}

/**
 * An error as the interface declares it.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeclaredError {
  readonly code: number
  readonly message: string
  readonly description?: string
  readonly retriable: boolean
  readonly details?: Metadata
}

/**
 * The case of letters in hashes.
 *
 * @since 0.1.0
 * @category types
 */
export type LetterCase = "upper_case" | "lower_case" | "case_sensitive"

/**
 * Versions of node and interface, and their vocabulary: types and states of operations, errors, procedures.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkOptions {
  readonly version: {
    readonly rosetta_version: string
    readonly node_version: string
    readonly middleware_version?: string
    readonly metadata?: Metadata
  }
  readonly allow: {
    readonly operation_statuses: ReadonlyArray<{ readonly status: string; readonly successful: boolean }>
    readonly operation_types: ReadonlyArray<string>
    readonly errors: ReadonlyArray<DeclaredError>
    readonly historical_balance_lookup: boolean
    readonly timestamp_start_index?: number
    readonly call_methods: ReadonlyArray<string>
    readonly balance_exemptions: ReadonlyArray<{
      readonly sub_account_address?: string
      readonly currency?: Currency
      readonly exemption_type?: "greater_or_equal" | "less_or_equal" | "dynamic"
    }>
    readonly mempool_coins: boolean
    readonly block_hash_case?: LetterCase | null
    readonly transaction_hash_case?: LetterCase | null
  }
}

/**
 * The balances of an account in every currency, at a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountBalance {
  readonly block_identifier: BlockIdentifier
  readonly balances: ReadonlyArray<Amount>
  readonly metadata?: Metadata
}

/**
 * Unspent outputs of an account, at a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountCoins {
  readonly block_identifier: BlockIdentifier
  readonly coins: ReadonlyArray<Coin>
  readonly metadata?: Metadata
}

/**
 * A payload to be signed, by whom, and how.
 *
 * @since 0.1.0
 * @category types
 */
export interface SigningPayload {
  readonly address?: string
  readonly account_identifier?: AccountIdentifier
  readonly hex_bytes: Hex
  readonly signature_type?: SignatureType
}

/**
 * A signature, its payload, and the key that verifies it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Signature {
  readonly signing_payload: SigningPayload
  readonly public_key: PublicKey
  readonly signature_type: SignatureType
  readonly hex_bytes: Hex
}

/**
 * The parameters beside the key from which Cardano's addresses are derived: the type, and the keys of stake or pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeriveMetadata {
  readonly addressType?: string
  readonly stakingCredential?: PublicKey
  readonly poolKeyHash?: Hex
  readonly [name: string]: unknown
}

/**
 * Parameters of Cardano's protocol that fees and sizes follow. Amounts are in lovelaces, sizes in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolParameters {
  readonly coinsPerUtxoSize: Value
  readonly maxTxSize: number
  readonly maxValSize: number
  readonly keyDeposit: Value
  readonly maxCollateralInputs: number
  readonly minFeeCoefficient: number
  readonly minFeeConstant: number
  readonly minPoolCost: Value
  readonly poolDeposit: Value
  readonly protocol: number
}

/**
 * The parameters of a transaction beside its operations: on Cardano the last slot in which it is valid, and the protocol's
 * parameters. It can be given back as it was answered.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConstructionMetadata {
  readonly ttl?: number | string
  readonly protocol_parameters?: ProtocolParameters
  readonly [name: string]: unknown
}

/**
 * The data of the chain that a transaction needs: its answer goes into `generateUnsignedTransactionAndSigningPayloads`.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConstructionMetadataAnswer {
  readonly metadata: ConstructionMetadata
  readonly suggested_fee?: ReadonlyArray<Amount>
}

/**
 * The options for `getTransactionConstructionMetadata`: on Cardano the slots for which the transaction is valid,
 * and its size in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface Preprocessed {
  readonly options?: Metadata & { readonly relative_ttl?: number; readonly transaction_size?: number }
  readonly required_public_keys?: ReadonlyArray<AccountIdentifier>
}

/**
 * A transaction without signatures, and the payloads to be signed.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnsignedTransaction {
  readonly unsigned_transaction: string
  readonly payloads: ReadonlyArray<SigningPayload>
}

/**
 * The operations of a transaction, and its signers.
 *
 * @since 0.1.0
 * @category types
 */
export interface ParsedTransaction {
  readonly operations: ReadonlyArray<Operation>
  readonly signers?: ReadonlyArray<string>
  readonly account_identifier_signers?: ReadonlyArray<AccountIdentifier>
  readonly metadata?: Metadata
}

/**
 * Hash of a transaction that was computed or sent.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionAnswer {
  readonly transaction_identifier: TransactionIdentifier
  readonly metadata?: Metadata
}

/**
 * A choice of transactions: those to which all conditions apply, or any of them (`operator`).
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionSearch extends OfNetwork {
  readonly operator?: "and" | "or"
  /** The highest block to look at. */
  readonly maxBlock?: Integer
  readonly offset?: Integer
  readonly limit?: Integer
  readonly transactionIdentifier?: TransactionIdentifier
  readonly accountIdentifier?: AccountIdentifier
  readonly coinIdentifier?: CoinIdentifier
  readonly currency?: Currency
  /** State of an operation. */
  readonly status?: string
  /** Type of an operation. */
  readonly type?: string
  readonly address?: string
  readonly success?: boolean
}

/**
 * A page of transactions, newest first, and where the next one starts.
 *
 * @since 0.1.0
 * @category types
 */
export interface FoundTransactions {
  readonly transactions: ReadonlyArray<BlockTransaction>
  readonly total_count: number
  readonly next_offset?: number
}

/**
 * Blocks that were added and given up, in order.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockEvents {
  readonly max_sequence: number
  readonly events: ReadonlyArray<{
    readonly sequence: number
    readonly block_identifier: BlockIdentifier
    readonly type: "block_added" | "block_removed"
  }>
}

/**
 * The chain that a call is about.
 *
 * @since 0.1.0
 * @category types
 */
export interface OfNetwork {
  readonly networkIdentifier: NetworkIdentifier
}

/**
 * A question to a network, with fields of the chain's own.
 *
 * @since 0.1.0
 * @category types
 */
export interface OfNetworkWithMetadata extends OfNetwork {
  readonly metadata?: Metadata
}

/**
 * A signed transaction, hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface Signed extends OfNetwork {
  readonly signedTransaction: string
}
