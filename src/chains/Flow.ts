/**
 * Flow: the REST API of its access nodes. Arguments are camelCase; answers keep the names of the wire. Heights, amounts (in
 * 10^-8 FLOW), indexes and all other integers of 64 bits are decimal strings. Ids are 64 hexadecimal digits, addresses 16.
 * Cadence (scripts, arguments, values) is Base64. Raw JSON-RPC calls are those of Flow's EVM side.
 *
 * @since 0.1.0
 */

import { type Family, getProbe } from "../balancer/Family.js"
import { base64, byFieldName, eachOf, hex } from "../data/bytes.js"
import { type Failure, get, group, post } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { readMessage, standardFaultOf, toFailure } from "./internal/faults.js"
import { joinWithCommas } from "./internal/joinWithCommas.js"

/**
 * The id of a block, transaction, collection or result: 64 hexadecimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export type Id = string

/**
 * The address of an account: 16 hexadecimal digits, with or without 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * An integer of 64 bits, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Int = string

/**
 * Bytes, Base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * A height, or the newest block that is sealed or final.
 *
 * @since 0.1.0
 * @category types
 */
export type Height = number | bigint | Int | "sealed" | "final"

/**
 * Parts of an answer that are given in full (`expand`), and the only fields that are given (`select`).
 *
 * @since 0.1.0
 * @category types
 */
export interface Shape {
  readonly expand?: ReadonlyArray<string>
  readonly select?: ReadonlyArray<string>
}

/**
 * How many execution nodes have to agree on an answer, and which.
 *
 * @since 0.1.0
 * @category types
 */
export interface Executors {
  readonly agreeingExecutorsCount?: number | bigint
  readonly requiredExecutorIds?: ReadonlyArray<Id>
  readonly includeExecutorMetadata?: boolean
}

/**
 * Which execution nodes agreed on an answer.
 *
 * @since 0.1.0
 * @category types
 */
export interface Metadata {
  readonly executor_metadata?: {
    readonly execution_result_id?: Id
    readonly executor_ids?: ReadonlyArray<Id>
  }
}

/**
 * The place of an answer, as a path.
 *
 * @since 0.1.0
 * @category types
 */
export interface Links {
  readonly _self: string
}

/**
 * The header of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly id: Id
  readonly parent_id: Id
  readonly height: Int
  readonly timestamp: string
  readonly parent_voter_signature: Base64
}

/**
 * The guarantee of nodes that a collection of transactions can be had.
 *
 * @since 0.1.0
 * @category types
 */
export interface CollectionGuarantee {
  readonly collection_id: Id
  readonly signer_ids: ReadonlyArray<Id>
  readonly signature: Base64
  readonly reference_block_id?: Id
  readonly cluster_chain_id?: string
}

/**
 * The seal of a block: nodes have verified what it did.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockSeal {
  readonly block_id: Id
  readonly result_id: Id
  readonly final_state: string
  readonly aggregated_approval_signatures: ReadonlyArray<{
    readonly verifier_signatures: ReadonlyArray<Base64>
    readonly signer_ids: ReadonlyArray<Id>
  }>
}

/**
 * The content of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockPayload {
  readonly collection_guarantees: ReadonlyArray<CollectionGuarantee>
  readonly block_seals: ReadonlyArray<BlockSeal>
}

/**
 * A block. Its content and its result are paths in `_expandable`, unless they were asked for in full.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly header: BlockHeader
  readonly payload?: BlockPayload
  readonly execution_result?: ExecutionResult
  readonly _expandable?: { readonly payload?: string; readonly execution_result?: string }
  readonly _links?: Links
  readonly block_status: "BLOCK_UNKNOWN" | "BLOCK_FINALIZED" | "BLOCK_SEALED"
}

/**
 * A collection: some transactions of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Collection {
  readonly id: Id
  readonly transactions?: ReadonlyArray<Transaction>
  readonly _expandable: { readonly transactions?: ReadonlyArray<string> }
  readonly _links?: Links
}

/**
 * The key of the account that a transaction uses a number of, so that it is done once.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProposalKey {
  readonly address: Address
  readonly key_index: Int
  readonly sequence_number: Int
}

/**
 * A signature of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionSignature {
  readonly address: Address
  readonly key_index: Int
  readonly signature: Base64
}

/**
 * A transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly id: Id
  readonly script: Base64
  readonly arguments: ReadonlyArray<Base64>
  readonly reference_block_id: Id
  readonly gas_limit: Int
  readonly payer: Address
  readonly proposal_key: ProposalKey
  readonly authorizers: ReadonlyArray<Address>
  readonly payload_signatures: ReadonlyArray<TransactionSignature>
  readonly envelope_signatures: ReadonlyArray<TransactionSignature>
  readonly result?: TransactionResult
  readonly _expandable: { readonly result?: string }
  readonly _links?: Links
}

/**
 * A signed transaction to send.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction {
  readonly script: Base64
  readonly arguments: ReadonlyArray<Base64>
  readonly referenceBlockId: Id
  readonly gasLimit: Int
  readonly payer: Address
  readonly proposalKey: { readonly address: Address; readonly keyIndex: Int; readonly sequenceNumber: Int }
  readonly authorizers: ReadonlyArray<Address>
  readonly payloadSignatures: ReadonlyArray<{
    readonly address: Address
    readonly keyIndex: Int
    readonly signature: Base64
  }>
  readonly envelopeSignatures: ReadonlyArray<{
    readonly address: Address
    readonly keyIndex: Int
    readonly signature: Base64
  }>
}

/**
 * The outcome of a transaction. `status_code` is not 0 if it failed, and `error_message` says why.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionResult {
  readonly block_id: Id
  readonly collection_id: Id
  readonly execution?: "Pending" | "Success" | "Failure"
  readonly status: "Pending" | "Finalized" | "Executed" | "Sealed" | "Expired" | "Unknown"
  readonly status_code: number
  readonly error_message: string
  readonly computation_used: Int
  readonly events: ReadonlyArray<Event>
  readonly metadata?: Metadata
  readonly _links?: Links
}

/**
 * An event. Its payload is JSON of Cadence, in Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Event {
  readonly type: string
  readonly transaction_id: Id
  readonly transaction_index: Int
  readonly event_index: Int
  readonly payload: Base64
}

/**
 * The events of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockEvents {
  readonly block_id: Id
  readonly block_height: Int
  readonly block_timestamp: string
  readonly events: ReadonlyArray<Event>
  readonly metadata?: Metadata
  readonly _links?: Links
}

/**
 * What the execution of a block led to, by chunk.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionResult {
  readonly id: Id
  readonly block_id: Id
  readonly events: ReadonlyArray<Event>
  readonly chunks?: ReadonlyArray<{
    readonly block_id: Id
    readonly collection_index: Int
    readonly start_state: string
    readonly end_state: string
    readonly event_collection: string
    readonly index: Int
    readonly number_of_transactions: Int
    readonly total_computation_used: Int
  }>
  readonly previous_result_id: Id
  readonly metadata?: Metadata
  readonly _links?: Links
}

/**
 * The receipt of an execution node for a result.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionReceipt {
  readonly executor_id: Id
  readonly result_id: Id
  readonly spocks?: ReadonlyArray<Base64>
  readonly executor_signature: Base64
  readonly execution_result?: ExecutionResult
  readonly _expandable: { readonly execution_result?: string }
  readonly metadata?: Metadata
}

/**
 * A key of an account. Signatures count once their weights reach 1000.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountKey {
  readonly index: Int
  readonly public_key: string
  readonly signing_algorithm: "BLSBLS12381" | "ECDSAP256" | "ECDSASecp256k1" | (string & {})
  readonly hashing_algorithm: "SHA2_256" | "SHA2_384" | "SHA3_256" | "SHA3_384" | "KMAC128" | (string & {})
  readonly sequence_number: Int
  readonly weight: Int
  readonly revoked: boolean
  readonly metadata?: Metadata
}

/**
 * An account: its balance in 10^-8 FLOW. Keys and contracts are paths in `_expandable`, unless they were asked for in full.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly address: Address
  readonly balance: Int
  readonly keys?: ReadonlyArray<AccountKey>
  readonly contracts?: Readonly<Record<string, Base64>>
  readonly metadata?: Metadata
  readonly _expandable: { readonly keys?: string; readonly contracts?: string }
  readonly _links?: Links
}

/**
 * The node: its version, and the heights that it has.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeVersionInfo {
  readonly semver: string
  readonly commit: string
  readonly spork_id: Id
  readonly protocol_version: Int
  readonly protocol_state_version?: Int
  readonly spork_root_block_height: Int
  readonly node_root_block_height: Int
  readonly compatible_range?: { readonly start_height: Int; readonly end_height: Int }
}

/** Blocks and results that the node does not have: those of earlier sporks, pruned ones, and ones that are yet to come. */
const elsewhereMessage =
  /not found|root (?:block )?height|not (?:yet )?(?:available|indexed|executed|sealed)|spork|pruned|out of range/i

/** A node refuses with a code and a message. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const message = readMessage(answer, "message")
  return toFailure(
    message,
    status,
    status === 404 || elsewhereMessage.test(message ?? "") ? "elsewhere" : "caller"
  )
}

/** Methods of Flow's EVM side that only read. */
const reads =
  /^(?:eth_(?:get(?!Filter)|call|chainId|blockNumber|gasPrice|estimate|feeHistory|maxPriority|syncing|accounts)|net_|web3_|trace_|debug_trace)\w*$/

/**
 * The endpoints of Flow.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  {
    prefix: "/v1",
    query: "snake",
    body: "snake",
    integers: bigintIntegers,
    numbers: ["**.*"],
    bytes: byFieldName({ arguments: eachOf(base64()), script: base64(), signature: base64() }),
    failure,
    classify: standardFaultOf,
    reads,
    broadcasts: /^eth_sendRawTransaction$/
  },
  {
    /** Blocks by heights, or by a range of them; `sealed` and `final` are the newest. */
    getBlocks: get("/blocks")
      .query<
        Shape & {
          readonly height?: Height | ReadonlyArray<Height>
          readonly startHeight?: Height
          readonly endHeight?: Height
        }
      >()
      .returns<ReadonlyArray<Block>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Block by its id, in a list. Several ids have commas between. */
    getBlock: get("/blocks/{id}")
      .query<Shape>()
      .returns<ReadonlyArray<Block>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Content of a block. */
    getBlockPayload: get("/blocks/{id}/payload")
      .query<Shape>()
      .returns<BlockPayload>()
      .prepare(joinWithCommas)
      .lists("collection_guarantees", "block_seals"),
    /** Transaction by its id. */
    getTransaction: get("/transactions/{id}")
      .bytes({ id: hex(32) })
      .echoes({ id: "id" })
      .query<Shape & { readonly blockId?: Id; readonly collectionId?: Id }>()
      .returns<Transaction>()
      .prepare(joinWithCommas)
      .lists("arguments", "authorizers", "payload_signatures", "envelope_signatures"),
    /** Transactions of a block, by its id or height. */
    getTransactions: get("/transactions")
      .query<Shape & { readonly blockId?: Id; readonly blockHeight?: Height }>()
      .returns<ReadonlyArray<Transaction>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Sends a signed transaction. Safe to repeat. */
    sendTransaction: post("/transactions")
      .body<SignedTransaction>()
      .returns<Transaction>()
      .broadcast()
      .lists("arguments", "authorizers", "payload_signatures", "envelope_signatures"),
    /** Outcome of a transaction. */
    getTransactionResult: get("/transaction_results/{transactionId}")
      .query<Shape & Executors & { readonly blockId?: Id; readonly collectionId?: Id }>()
      .returns<TransactionResult>()
      .prepare(joinWithCommas)
      .lists("events"),
    /** Outcomes of the transactions of a block, by its id or height. */
    getTransactionResults: get("/transaction_results")
      .query<Shape & Executors & { readonly blockId?: Id; readonly blockHeight?: Height }>()
      .returns<ReadonlyArray<TransactionResult>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Collection by its id. */
    getCollection: get("/collections/{id}")
      .echoes({ id: "id" })
      .query<Shape>()
      .returns<Collection>()
      .prepare(joinWithCommas),
    /** Results of blocks by their ids. */
    getExecutionResults: get("/execution_results")
      .query<Pick<Shape, "select"> & Executors & { readonly blockId: Id | ReadonlyArray<Id> }>()
      .returns<ReadonlyArray<ExecutionResult>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Result by its id. */
    getExecutionResult: get("/execution_results/{id}")
      .echoes({ id: "id" })
      .query<Pick<Shape, "select"> & Executors>()
      .returns<ExecutionResult>()
      .prepare(joinWithCommas)
      .lists("events"),
    /** Receipts for a block. */
    getExecutionReceipts: get("/execution_receipts")
      .query<Shape & { readonly blockId: Id }>()
      .returns<ReadonlyArray<ExecutionReceipt>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Receipts for a result. */
    getExecutionReceiptsOfResult: get("/execution_receipts/results/{id}")
      .query<Shape>()
      .returns<ReadonlyArray<ExecutionReceipt>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Account, at a height or at the newest sealed block. */
    getAccount: get("/accounts/{address}")
      .echoes({ address: "address" })
      .query<Shape & Executors & { readonly blockHeight?: Height }>()
      .returns<Account>()
      .prepare(joinWithCommas),
    /** Balance of an account, in 10^-8 FLOW. */
    getAccountBalance: get("/accounts/{address}/balance")
      .query<Shape & Executors & { readonly blockHeight?: Height }>()
      .returns<{ readonly balance: Int; readonly metadata?: Metadata }>()
      .prepare(joinWithCommas),
    /** Keys of an account. */
    getAccountKeys: get("/accounts/{address}/keys")
      .query<Shape & Executors & { readonly blockHeight?: Height }>()
      .returns<{ readonly keys: ReadonlyArray<AccountKey>; readonly metadata?: Metadata }>()
      .prepare(joinWithCommas)
      .lists("keys"),
    /** Key of an account. */
    getAccountKey: get("/accounts/{address}/keys/{index}")
      .echoes({ index: "index" })
      .query<Shape & Executors & { readonly blockHeight?: Height }>()
      .returns<AccountKey>()
      .prepare(joinWithCommas),
    /** Value that a Cadence script returns (JSON of Cadence, Base64), at a block or at the newest sealed one. */
    executeScript: post("/scripts{?blockId,blockHeight}")
      .body<{
        readonly script: Base64
        readonly arguments: ReadonlyArray<Base64>
        readonly blockId?: Id
        readonly blockHeight?: Height
      }>()
      .returns<Base64>(),
    /** Events of a type (`A.1654653399040a61.FlowToken.TokensDeposited`), by heights or blocks. */
    getEvents: get("/events")
      .query<
        Pick<Shape, "select"> &
          Executors & {
            readonly type: string
            readonly startHeight?: Height
            readonly endHeight?: Height
            readonly blockIds?: ReadonlyArray<Id>
          }
      >()
      .returns<ReadonlyArray<BlockEvents>>()
      .prepare(joinWithCommas)
      .lists(),
    /** Chain of the node: `flow-mainnet`, `flow-testnet`. */
    getNetworkParameters: get("/network/parameters").returns<{ readonly chain_id: string }>(),
    /** Version of the node, and the heights that it has. */
    getNodeVersionInfo: get("/node_version_info").returns<NodeVersionInfo>()
  }
)

/**
 * The client of Flow.
 *
 * @since 0.1.0
 * @category clients
 */
export interface FlowRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Flow.
 *
 * @since 0.1.0
 * @category families
 */
export const flow: Family<typeof endpoints, FlowRpc> = {
  endpoints,
  probe: () => getProbe("/v1/blocks?height=sealed", [0, "header", "height"])
}
