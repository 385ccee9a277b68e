/**
 * Cardano over Rosetta (Mesh): blocks, balances, unspent outputs, and the construction of transactions, which are signed
 * elsewhere. Arguments have camelCase names; objects inside them may also be as the chain answered them. Amounts are
 * decimal strings of the smallest unit; block indexes, decimals and other numbers that the interface declares are
 * `number`, and any other integer (of metadata, of the result of a call) is a `bigint`.
 *
 * @since 0.1.0
 */

import { at, type Family, type FamilyAccounts, type Probe } from "../balancer/Family.js"
import { type BytesForm, byFieldName, hex, whenTextOrBytes } from "../data/bytes.js"
import { type Failure, type Fault, group, post, type Refusal } from "../data/Endpoint.js"
import { isRecord } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { isRefusalStatus } from "../wire/jsonRpc.js"

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

/**
 * The probe of a chain behind Rosetta: POST /network/status with the chain's identifier.
 *
 * @since 0.1.0
 * @category families
 */
export const rosettaProbe = (blockchain: string, network: string): Probe => ({
  verb: "POST",
  path: "/network/status",
  body: { network_identifier: { blockchain, network } },
  height: at("current_block_identifier", "index")
})

interface RosettaError {
  readonly code: number
  readonly message: string
  readonly retriable: boolean
  readonly details: unknown
}

/** The error that an answer is. No other answer of the interface has these fields. */
const readError = (answer: unknown): RosettaError | undefined => {
  if (!isRecord(answer)) return undefined
  const { code, details, message, retriable } = answer
  const isCode = typeof code === "number" || typeof code === "bigint"
  return isCode && typeof message === "string" && typeof retriable === "boolean"
    ? { code: Number(code), message, retriable, details }
    : undefined
}

const formatError = ({ details, message }: RosettaError): ReadonlyArray<string> => {
  const more = isRecord(details) && typeof details.message === "string" ? details.message : undefined
  return more === undefined ? [message] : [message, more]
}

/**
 * A server that cannot do its work says so in words. Data that it lacks, and errors that it calls retriable, may be different
 * elsewhere; but servers call wrong addresses and undecodable bytes retriable too, so that no node is blamed for it.
 */
const faultOf = (message: string, retriable: boolean): Fault =>
  /downstream|timeout|timed out|misconfigured|environment configurations/i.test(message)
    ? "node"
    : retriable || /not found|offline mode|not implemented/i.test(message)
      ? "elsewhere"
      : "caller"

/** Rosetta has one status for all errors, 500: its body tells whose fault it is. Other statuses come from proxies. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const said = readError(answer)
  return said === undefined || status > 500 || isRefusalStatus(status)
    ? undefined
    : { messages: formatError(said), fault: faultOf(said.message, said.retriable) }
}

const refusal = (answer: unknown): Refusal | undefined => {
  const said = readError(answer)
  return said === undefined ? undefined : { code: said.code, message: formatError(said).join("; ") }
}

/** Paths of the numbers that the interface declares; the rest is the chain's own. */
const numbers: ReadonlyArray<string> = [
  "**.block_identifier.index",
  "**.parent_block_identifier.index",
  "current_block_identifier.index",
  "current_block_timestamp",
  "genesis_block_identifier.index",
  "oldest_block_identifier.index",
  "sync_status.current_index",
  "sync_status.target_index",
  "allow.errors.[].code",
  "allow.timestamp_start_index",
  "block.timestamp",
  "**.operation_identifier.index",
  "**.operation_identifier.network_index",
  "**.related_operations.[].index",
  "**.related_operations.[].network_index",
  "**.currency.decimals",
  "max_sequence",
  "events.[].sequence",
  "total_count",
  "next_offset",
  "block.metadata.transactionsCount",
  "block.metadata.size",
  "block.metadata.epochNo",
  "block.metadata.slotNo",
  "**.transactions.[].metadata.size",
  "**.transactions.[].metadata.scriptSize",
  "**.transaction.metadata.size",
  "**.transaction.metadata.scriptSize",
  "**.operations.[].metadata.epoch",
  "**.operations.[].metadata.voteRegistrationMetadata.votingNonce",
  "options.relative_ttl",
  "options.transaction_size",
  "metadata.ttl",
  "metadata.protocol_parameters.*"
]

/** Cardano's parameters have camelCase names on the wire. */
const parameters: ReadonlyArray<string> = [
  "protocolParameters",
  "protocol_parameters",
  "depositParameters",
  "deposit_parameters"
]

/** What has one meaning in all calls. The parameters of a procedure are its own. */
const bytesByName: BytesForm = byFieldName(
  {
    dataHash: hex(32),
    hash: hex(32),
    hexBytes: hex(),
    id: whenTextOrBytes(hex()),
    policyId: hex(),
    poolKeyHash: hex(),
    poolRegistrationCert: hex(),
    subject: hex(),
    vrfKeyHash: hex(32),
    votingSignature: hex(),
    data_hash: hex(32),
    hex_bytes: hex(),
    pool_key_hash: hex()
  },
  ["parameters"]
)

/**
 * The endpoints of any chain behind Rosetta. In operations, the content of `metadata` is sent as it is given.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rosettaEndpoints = group(
  {
    body: "snake",
    integers: bigintIntegers,
    numbers,
    bytes: bytesByName,
    failure,
    refusal,
    classify: ({ message }) => faultOf(message, false)
  },
  {
    /** Networks that the server knows. */
    getNetworkList: post("/network/list")
      .body<{ readonly metadata?: Metadata }>()
      .returns<{ readonly network_identifiers: ReadonlyArray<NetworkIdentifier> }>()
      // the server wants an object, even if there is nothing in it
      .prepare((input) => ({ request: input ?? {} }))
      .whole("request")
      .lists("network_identifiers"),
    /** Newest, oldest and first block, and how far the node is with reading the chain. */
    getNetworkStatus: post("/network/status").body<OfNetworkWithMetadata>().returns<NetworkStatus>(),
    /** Versions, types of operations, errors, and what the server can do. */
    getNetworkOptions: post("/network/options").body<OfNetworkWithMetadata>().returns<NetworkOptions>(),
    /** Block with its transactions, by height, hash, or the newest one. */
    getBlock: post("/block")
      .echoes({
        "block.block_identifier.hash": "blockIdentifier.hash",
        "block.block_identifier.index": "blockIdentifier.index"
      })
      .body<OfNetwork & { readonly blockIdentifier: PartialBlockIdentifier }>()
      .returns<BlockAnswer>(),
    /** Transaction of a block. */
    getBlockTransaction: post("/block/transaction")
      .echoes({ "transaction.transaction_identifier.hash": "transactionIdentifier.hash" })
      .body<
        OfNetwork & {
          readonly blockIdentifier: { readonly index: Integer; readonly hash: string }
          readonly transactionIdentifier: TransactionIdentifier
        }
      >()
      .returns<{ readonly transaction: Transaction }>(),
    /** Hashes of the transactions that wait for a block. */
    getMempool: post("/mempool")
      .body<OfNetworkWithMetadata>()
      .returns<{ readonly transaction_identifiers: ReadonlyArray<TransactionIdentifier> }>()
      .lists("transaction_identifiers"),
    /** Transaction that waits for a block. */
    getMempoolTransaction: post("/mempool/transaction")
      .echoes({ "transaction.transaction_identifier.hash": "transactionIdentifier.hash" })
      .body<OfNetwork & { readonly transactionIdentifier: TransactionIdentifier }>()
      .returns<{ readonly transaction: Transaction; readonly metadata?: Metadata }>(),
    /** Balances of an account, now or at a block, in the smallest units. */
    getAccountBalance: post("/account/balance")
      .body<
        OfNetwork & {
          readonly accountIdentifier: AccountIdentifier
          readonly blockIdentifier?: PartialBlockIdentifier
          readonly currencies?: ReadonlyArray<Currency>
        }
      >()
      .returns<AccountBalance>()
      .lists("balances"),
    /** Unspent outputs of an account, in the smallest units. */
    getAccountCoins: post("/account/coins")
      .body<
        OfNetwork & {
          readonly accountIdentifier: AccountIdentifier
          readonly includeMempool?: boolean
          readonly currencies?: ReadonlyArray<Currency>
        }
      >()
      .returns<AccountCoins>()
      .lists("coins"),
    /** Address of a public key. */
    deriveAccount: post("/construction/derive")
      .body<OfNetwork & { readonly publicKey: PublicKey; readonly metadata?: DeriveMetadata }>()
      .returns<{
        readonly address?: string
        readonly account_identifier?: AccountIdentifier
        readonly metadata?: Metadata
      }>(),
    /** What the node has to be asked before these operations can be a transaction. Works without a connection to the chain. */
    constructionPreprocess: post("/construction/preprocess")
      .body<OfNetworkWithMetadata & { readonly operations: ReadonlyArray<Operation> }>()
      .returns<Preprocessed>()
      .keep("operations.metadata", ...parameters),
    /** What a transaction needs to know of the chain, and the fee, in the smallest unit. */
    getTransactionConstructionMetadata: post("/construction/metadata")
      .body<OfNetwork & { readonly options?: Metadata; readonly publicKeys?: ReadonlyArray<PublicKey> }>()
      .returns<ConstructionMetadataAnswer>()
      .keep(...parameters),
    /** Transaction without signatures, and what is to be signed. */
    generateUnsignedTransactionAndSigningPayloads: post("/construction/payloads")
      .body<
        OfNetwork & {
          readonly operations: ReadonlyArray<Operation>
          readonly metadata?: ConstructionMetadata & { readonly protocolParameters?: ProtocolParameters }
          readonly publicKeys?: ReadonlyArray<PublicKey>
        }
      >()
      .returns<UnsignedTransaction>()
      .keep("operations.metadata", ...parameters)
      .lists("payloads"),
    /** Transaction with its signatures. */
    createNetworkTransaction: post("/construction/combine")
      .body<
        OfNetwork & { readonly unsignedTransaction: string; readonly signatures: ReadonlyArray<Signature> }
      >()
      .returns<{ readonly signed_transaction: string }>(),
    /** Operations of a transaction, and of a signed one those who signed. */
    parseTransaction: post("/construction/parse")
      .body<OfNetwork & { readonly signed: boolean; readonly transaction: string }>()
      .returns<ParsedTransaction>()
      .lists("operations"),
    /** Hash of a signed transaction. */
    getHashOfTransaction: post("/construction/hash").body<Signed>().returns<TransactionAnswer>(),
    /** Sends a signed transaction. Safe to repeat. */
    submitTransaction: post("/construction/submit").body<Signed>().returns<TransactionAnswer>().broadcast(),
    /** Calls a procedure of the server, which may change something there: it is never repeated by itself. */
    call: post("/call")
      .body<OfNetwork & { readonly method: string; readonly parameters: Readonly<Record<string, unknown>> }>()
      .returns<{ readonly result: Metadata; readonly idempotent: boolean }>()
      .keep("parameters")
      .write(),
    /** Blocks that were added and given up; without an offset the newest events. */
    getEventsBlocks: post("/events/blocks")
      .body<OfNetwork & { readonly offset?: Integer; readonly limit?: Integer }>()
      .returns<BlockEvents>()
      .lists("events"),
    /** Transactions that match conditions. */
    searchTransactions: post("/search/transactions")
      .body<TransactionSearch>()
      .returns<FoundTransactions>()
      .lists("transactions")
  }
)

/**
 * The endpoints of Cardano.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = rosettaEndpoints

/**
 * The client of Cardano.
 *
 * @since 0.1.0
 * @category clients
 */
export interface CardanoRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Cardano.
 *
 * @since 0.1.0
 * @category families
 */
export const cardano: Family<typeof endpoints, CardanoRpc> = {
  endpoints,
  probe: (id, { cardano }) =>
    rosettaProbe("cardano", cardano?.network ?? (id === "cardano-mainnet" ? "mainnet" : "preprod"))
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^[0-9A-Za-z_]{4,150}$/, "4 to 150 letters, digits and underscores"],
  oneAddress: true
} satisfies FamilyAccounts
