/**
 * The BNB Beacon Chain over Tendermint's JSON-RPC. Answers keep the names of the wire and its integers: 64-bit ones are
 * decimal strings, small ones are numbers. A transaction that the chain refuses is an error, with the answer as its `data`.
 *
 * @since 0.1.0
 */

import { type Family, rpcProbe } from "../balancer/Family.js"
import { bytesOfBase64 } from "../data/base64.js"
import { type BytesForm, base64, byFieldName, hex, hex0x } from "../data/bytes.js"
import { type Dialect, type Fault, group, merge, type Refusal, rpc } from "../data/Endpoint.js"
import { bytesToHex } from "../data/hex.js"
import { numberIntegers } from "../data/integers.js"
import { isRecord } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { standardFaultOf, tendermintCallerFault } from "./internal/faults.js"

/**
 * An integer as an answer has it: a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Int64 = string

/**
 * An integer as an argument. It is sent as a decimal string, which nodes of every version read.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * Bytes, base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * A hash or an address, hexadecimal in capitals.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * A key and its type, such as `tendermint/PubKeyEd25519`.
 *
 * @since 0.1.0
 * @category types
 */
export interface PubKey {
  readonly type: string
  readonly value: Base64
}

/**
 * A block by its height. Without it, the newest.
 *
 * @since 0.1.0
 * @category types
 */
export interface AtHeight {
  readonly height?: Integer
}

/**
 * A part of a list. Pages count from 1.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paging {
  readonly page?: Integer
  readonly perPage?: Integer
}

/**
 * The hash of a block, and of the parts that it is sent in.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockId {
  readonly hash: Hex
  readonly parts: { readonly total: number | Int64; readonly hash: Hex }
}

/**
 * The header of a block. `time` is in RFC 3339.
 *
 * @since 0.1.0
 * @category types
 */
export interface Header {
  readonly version: { readonly block: Int64; readonly app?: Int64 }
  readonly chain_id: string
  readonly height: Int64
  readonly time: string
  /** Of older nodes: transactions in the block. */
  readonly num_txs?: Int64
  /** Of older nodes: transactions in the chain up to this block. */
  readonly total_txs?: Int64
  readonly last_block_id: BlockId
  readonly last_commit_hash: Hex
  readonly data_hash: Hex
  readonly validators_hash: Hex
  readonly next_validators_hash: Hex
  readonly consensus_hash: Hex
  readonly app_hash: Hex
  readonly last_results_hash: Hex
  readonly evidence_hash: Hex
  readonly proposer_address: Hex
}

/**
 * The vote of a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Vote {
  readonly type: number
  readonly height: Int64
  readonly round: Int64 | number
  readonly block_id: BlockId
  readonly timestamp: string
  readonly validator_address: Hex
  readonly validator_index: Int64 | number
  readonly signature: Base64 | null
}

/**
 * The signature of a validator under a block, as newer nodes have it.
 *
 * @since 0.1.0
 * @category types
 */
export interface CommitSignature {
  readonly block_id_flag: number
  readonly validator_address: Hex
  readonly timestamp: string
  readonly signature: Base64 | null
}

/**
 * The signatures under a block: `precommits` (null for who did not vote) or, of newer nodes, `signatures`.
 *
 * @since 0.1.0
 * @category types
 */
export interface Commit {
  readonly height?: Int64
  readonly round?: number
  readonly block_id: BlockId
  readonly precommits?: ReadonlyArray<Vote | null> | null
  readonly signatures?: ReadonlyArray<CommitSignature>
}

/**
 * Proof that a validator has misbehaved.
 *
 * @since 0.1.0
 * @category types
 */
export interface Evidence {
  readonly type: string
  readonly value?: unknown
}

/**
 * A block with its transactions, base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly header: Header
  readonly data: { readonly txs: ReadonlyArray<Base64> | null }
  readonly evidence: { readonly evidence: ReadonlyArray<Evidence> | null }
  readonly last_commit: Commit | null
}

/**
 * A block's id and header. `block_size` is in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockMeta {
  readonly block_id: BlockId
  readonly block_size?: Int64
  readonly header: Header
  readonly num_txs?: Int64
}

/**
 * A block: with `block_meta` or, of newer nodes, with `block_id`.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockResult {
  readonly block_meta?: BlockMeta
  readonly block_id?: BlockId
  readonly block: Block
}

/**
 * An event of a transaction or block: names and values, base64 or text by the node's version.
 *
 * @since 0.1.0
 * @category types
 */
export interface Event {
  readonly type: string
  readonly attributes: ReadonlyArray<Tag>
}

/**
 * A name and its value.
 *
 * @since 0.1.0
 * @category types
 */
export interface Tag {
  readonly key: string
  readonly value: string | null
  readonly index?: boolean
}

/**
 * The outcome of a transaction: `code` 0 (or none) is success, anything else a failure that `log` explains.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxResult {
  readonly code?: number
  readonly data?: Base64 | null
  readonly log?: string
  readonly info?: string
  readonly gas_wanted?: Int64
  readonly gas_used?: Int64
  readonly tags?: ReadonlyArray<Tag> | null
  readonly events?: ReadonlyArray<Event> | null
  readonly codespace?: string
}

/**
 * A change of a validator's voting power.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorUpdate {
  readonly pub_key: PubKey
  readonly power?: Int64
}

/**
 * Limits that validators agree on.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusParams {
  readonly block: { readonly max_bytes: Int64; readonly max_gas: Int64; readonly time_iota_ms?: Int64 }
  readonly evidence: {
    readonly max_age?: Int64
    readonly max_age_num_blocks?: Int64
    readonly max_age_duration?: Int64
    readonly max_bytes?: Int64
  }
  readonly validator: { readonly pub_key_types: ReadonlyArray<string> }
  readonly version?: { readonly app?: Int64; readonly app_version?: Int64 }
}

/**
 * The outcomes of the transactions of a block: in `results` or, of newer nodes, beside the height.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockResults {
  readonly height: Int64
  readonly results?: {
    readonly deliver_tx: ReadonlyArray<TxResult> | null
    readonly end_block: { readonly validator_updates: ReadonlyArray<ValidatorUpdate> | null } | null
    readonly begin_block: { readonly events?: ReadonlyArray<Event> } | null
  }
  readonly txs_results?: ReadonlyArray<TxResult> | null
  readonly begin_block_events?: ReadonlyArray<Event> | null
  readonly end_block_events?: ReadonlyArray<Event> | null
  readonly finalize_block_events?: ReadonlyArray<Event> | null
  readonly validator_updates?: ReadonlyArray<ValidatorUpdate> | null
  readonly consensus_param_updates?: ConsensusParams | null
}

/**
 * Headers of a range of blocks, newest first.
 *
 * @since 0.1.0
 * @category types
 */
export interface Blockchain {
  readonly last_height: Int64
  readonly block_metas: ReadonlyArray<BlockMeta> | null
}

/**
 * A header and the signatures under it. `canonical` is false for the newest block, whose signatures may still change.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedHeader {
  readonly signed_header: { readonly header: Header; readonly commit: Commit }
  readonly canonical: boolean
}

/**
 * A validator and its voting power.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validator {
  readonly address: Hex
  readonly pub_key: PubKey
  readonly voting_power: Int64
  readonly proposer_priority?: Int64
}

/**
 * The validators of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validators {
  readonly block_height: Int64
  readonly validators: ReadonlyArray<Validator>
  readonly count?: Int64
  readonly total?: Int64
}

/**
 * Proof that a transaction is in a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxProof {
  readonly RootHash?: Hex
  readonly root_hash?: Hex
  readonly Data?: Base64
  readonly data?: Base64
  readonly Proof?: MerkleProof
  readonly proof?: MerkleProof
}

/**
 * The way from a leaf to the root.
 *
 * @since 0.1.0
 * @category types
 */
export interface MerkleProof {
  readonly total: Int64 | number
  readonly index: Int64 | number
  readonly leaf_hash: Base64
  readonly aunts: ReadonlyArray<Base64>
}

/**
 * A transaction in a block: bytes, place and outcome. A failed one is an answer too: see `tx_result.code`.
 *
 * @since 0.1.0
 * @category types
 */
export interface Tx {
  readonly hash: Hex
  readonly height: Int64
  readonly index: number
  readonly tx_result: TxResult
  readonly tx: Base64
  readonly proof?: TxProof
}

/**
 * Transactions that were found, and how many there are on all pages.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxSearch {
  readonly txs: ReadonlyArray<Tx> | null
  readonly total_count: Int64
}

/**
 * Blocks that were found, and how many there are on all pages.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockSearch {
  readonly blocks: ReadonlyArray<BlockResult> | null
  readonly total_count: Int64
}

/**
 * The answer to a transaction that a node takes into its pool. A refusal is an error.
 *
 * @since 0.1.0
 * @category types
 */
export interface Broadcast {
  readonly code: number
  readonly data: Hex
  readonly log: string
  readonly codespace?: string
  readonly hash: Hex
}

/**
 * A transaction in a block, with both of its checks. A refusal by either of them is an error.
 *
 * @since 0.1.0
 * @category types
 */
export interface BroadcastCommit {
  readonly check_tx: TxResult
  readonly deliver_tx?: TxResult
  readonly tx_result?: TxResult
  readonly hash: Hex
  readonly height: Int64
}

/**
 * The pool. `txs` is left out where only numbers were asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnconfirmedTxs {
  readonly n_txs: Int64
  readonly total: Int64
  readonly total_bytes: Int64
  readonly txs?: ReadonlyArray<Base64> | null
}

/**
 * The application behind the node.
 *
 * @since 0.1.0
 * @category types
 */
export interface AbciInfo {
  readonly response: {
    readonly data?: string
    readonly version?: string
    readonly app_version?: Int64
    readonly last_block_height?: Int64
    readonly last_block_app_hash?: Base64
  }
}

/**
 * A proof of a value in the application's store: its steps, one by one.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProofOps {
  readonly ops: ReadonlyArray<{ readonly type: string; readonly key: Base64; readonly data: Base64 }>
}

/**
 * An answer of the application. Key and value are base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface AbciQuery {
  readonly response: {
    readonly code?: number
    readonly log?: string
    readonly info?: string
    readonly index?: Int64
    readonly key?: Base64 | null
    readonly value?: Base64 | null
    /** Of older nodes. */
    readonly proof?: ProofOps | null
    readonly proofOps?: ProofOps | null
    readonly height?: Int64
    readonly codespace?: string
  }
}

/**
 * The identity of a node on the peer-to-peer network.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeInfo {
  readonly protocol_version: { readonly p2p: Int64; readonly block: Int64; readonly app: Int64 }
  readonly id: string
  readonly listen_addr: string
  readonly network: string
  readonly version: string
  readonly channels: Hex
  readonly moniker: string
  readonly other: { readonly tx_index: string; readonly rpc_address: string }
}

/**
 * The node: its identity, how far it is (`catching_up` while it is behind), and its key as a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Status {
  readonly node_info: NodeInfo
  readonly sync_info: {
    readonly latest_block_hash: Hex
    readonly latest_app_hash: Hex
    readonly latest_block_height: Int64
    readonly latest_block_time: string
    readonly earliest_block_hash?: Hex
    readonly earliest_app_hash?: Hex
    readonly earliest_block_height?: Int64
    readonly earliest_block_time?: string
    readonly catching_up: boolean
  }
  readonly validator_info: {
    readonly address: Hex
    readonly pub_key: PubKey
    readonly voting_power: Int64
  }
}

/**
 * The counters of one direction of a connection: bytes, and bytes per second. Spans of time are in nanoseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface Flow {
  readonly Active?: boolean
  readonly Start: string
  readonly Duration: Int64
  readonly Idle: Int64
  readonly Bytes: Int64
  readonly Samples: Int64
  readonly InstRate: Int64
  readonly CurRate: Int64
  readonly AvgRate: Int64
  readonly PeakRate: Int64
  readonly BytesRem: Int64
  readonly TimeRem: Int64
  readonly Progress: number
}

/**
 * The counters of a connection. `Duration` is in nanoseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConnectionStatus {
  readonly Duration: Int64
  readonly SendMonitor: Flow
  readonly RecvMonitor: Flow
  readonly Channels: ReadonlyArray<{
    readonly ID: number
    readonly SendQueueCapacity: Int64
    readonly SendQueueSize: Int64
    readonly Priority: Int64
    readonly RecentlySent: Int64
  }>
}

/**
 * A peer.
 *
 * @since 0.1.0
 * @category types
 */
export interface Peer {
  readonly node_info: NodeInfo
  readonly is_outbound: boolean
  readonly connection_status: ConnectionStatus
  readonly remote_ip: string
}

/**
 * The node's connections.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetInfo {
  readonly listening: boolean
  readonly listeners: ReadonlyArray<string>
  readonly n_peers: Int64
  readonly peers: ReadonlyArray<Peer>
}

/**
 * The genesis of the chain. `app_state` belongs to the application.
 *
 * @since 0.1.0
 * @category types
 */
export interface Genesis {
  readonly genesis: {
    readonly genesis_time: string
    readonly chain_id: string
    readonly initial_height?: Int64
    readonly consensus_params: ConsensusParams
    readonly validators?: ReadonlyArray<{
      readonly address?: Hex
      readonly pub_key: PubKey
      readonly power: Int64
      readonly name: string
    }>
    readonly app_hash: Hex
    readonly app_state?: Readonly<Record<string, unknown>>
  }
}

/**
 * A part of the genesis file, base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface GenesisChunk {
  readonly chunk: Int64 | number
  readonly total: Int64 | number
  readonly data: Base64
}

/**
 * The votes of a round, each as a line of text, and as a bit array with the share of the power that has voted.
 *
 * @since 0.1.0
 * @category types
 */
export interface RoundVotes {
  readonly round: Int64 | number
  readonly prevotes: ReadonlyArray<string> | null
  readonly prevotes_bit_array: string
  readonly precommits: ReadonlyArray<string> | null
  readonly precommits_bit_array: string
}

/**
 * The node's position in the round of voting, in short. Nodes of other versions may have more.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusState {
  readonly round_state: {
    readonly "height/round/step": string
    readonly start_time: string
    readonly proposal_block_hash: Hex
    readonly locked_block_hash: Hex
    readonly valid_block_hash: Hex
    readonly height_vote_set: ReadonlyArray<RoundVotes>
    /** Of newer nodes. */
    readonly proposer?: { readonly address: Hex; readonly index: number }
    readonly [field: string]: unknown
  }
}

/**
 * The validators of a height, and whose turn it is to propose.
 *
 * @since 0.1.0
 * @category types
 */
export interface RoundValidators {
  readonly validators: ReadonlyArray<Validator>
  readonly proposer: Validator
}

/**
 * The position of a peer in the round of voting. Bit arrays are text, one character for a validator; rounds are -1 where there
 * is none.
 *
 * @since 0.1.0
 * @category types
 */
export interface PeerState {
  readonly round_state: {
    readonly height: Int64
    readonly round: Int64 | number
    readonly step: number
    readonly start_time: string
    readonly proposal: boolean
    readonly proposal_block_parts_header?: { readonly total: Int64 | number; readonly hash: Hex }
    readonly proposal_pol_round?: Int64 | number | null
    readonly proposal_pol?: string | null
    readonly prevotes?: string | null
    readonly precommits?: string | null
    readonly last_commit_round?: Int64 | number | null
    readonly last_commit?: string | null
    readonly catchup_commit_round?: Int64 | number | null
    readonly catchup_commit?: string | null
    readonly [field: string]: unknown
  }
  readonly stats?: { readonly votes: Int64; readonly block_parts: Int64 }
}

/**
 * The node's position in the round of voting, and those of its peers. The proposal and the locked and the valid block are
 * there while there are such.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusDump {
  readonly round_state: {
    readonly height: Int64
    readonly round: Int64 | number
    readonly step: number
    readonly start_time: string
    readonly commit_time: string
    readonly validators: RoundValidators
    readonly locked_round: Int64 | number
    readonly valid_round: Int64 | number
    readonly votes: ReadonlyArray<RoundVotes>
    readonly commit_round: Int64 | number
    readonly last_commit: {
      readonly votes: ReadonlyArray<string>
      readonly votes_bit_array: string
      readonly peer_maj_23s: Readonly<Record<string, unknown>>
    } | null
    readonly last_validators: RoundValidators
    readonly triggered_timeout_precommit: boolean
    readonly [field: string]: unknown
  }
  readonly peers: ReadonlyArray<{ readonly node_address: string; readonly peer_state: PeerState }>
}

/** The refusal of the application or the pool, in its own words. */
const readError = (value: unknown): Refusal | undefined => {
  if (!isRecord(value)) return undefined
  const { code = 0, codespace, info, log } = value
  // an object may be no number at all, and then it is no code
  if ((typeof code !== "number" && typeof code !== "string") || Number(code) === 0) return undefined
  const text = [log, info].find((each) => typeof each === "string" && each !== "")
  const place = typeof codespace === "string" && codespace !== "" ? `${codespace} ` : ""
  return { message: `${place}${String(code)}: ${String(text ?? "refused")}`, code: Number(code) }
}

/** A transaction that was not taken, or failed in its block, and a query that the application refuses. */
const refusal = (answer: unknown): Refusal | undefined =>
  isRecord(answer)
    ? "hash" in answer && !("index" in answer)
      ? (readError(answer) ??
        readError(answer.check_tx) ??
        readError(answer.deliver_tx) ??
        readError(answer.tx_result))
      : readError(answer.response)
    : undefined

/** Words about data that another node may have: blocks that it dropped or has not got yet. */
const elsewhereMessage =
  /not available|lowest height|must be less than|could not find|not found|indexing is disabled|initial height/i

const nodeMessage = /mempool is full|timed out|rate limit|too many|try again|overloaded/i

/**
 * Whose fault an error is. Tendermint has one message for nearly all of them, and the reason in `data`; the codes of the
 * application, which are positive, speak of the transaction.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}): Fault => {
  if (error.code > 0) return "caller"
  const text = typeof error.data === "string" ? `${error.message}: ${error.data}` : error.message
  if (nodeMessage.test(text)) return "node"
  return elsewhereMessage.test(text)
    ? "elsewhere"
    : tendermintCallerFault.test(text)
      ? "caller"
      : standardFaultOf(error)
}

/** Integers are text in parameters: nodes of the Beacon Chain take no numbers. */
const toTexts = (input?: object): object =>
  Object.fromEntries(
    Object.entries(input ?? {}).map(([name, value]) => [
      name,
      typeof value === "number" || typeof value === "bigint" ? String(value) : value
    ])
  )

/** Nodes read bytes in their own encoding, and as hexadecimal digits behind 0x. */
const bytesOrHex0x =
  (form: (size?: number) => BytesForm, size?: number): BytesForm =>
  (value, place, args) =>
    (typeof value === "string" && value.startsWith("0x") ? hex0x : form)(size)(value, place, args)

/** What has one meaning in all calls. Evidence is written as the node has it. */
const bytesByName = byFieldName(
  { data: bytesOrHex0x(hex), hash: bytesOrHex0x(base64, 32), tx: bytesOrHex0x(base64) },
  ["evidence"]
)

/** Answers have hashes as hexadecimal digits, and an empty one where there is nothing. */
const canonical = (text: string): string | undefined =>
  /^[\w+/]{43}=$/.test(text) ? bytesToHex(bytesOfBase64(text)) : text === "" ? undefined : text

const dialect: Dialect = {
  integers: numberIntegers,
  parameters: "named",
  bytes: bytesByName,
  canonical,
  classify,
  refusal
}

/** Methods whose parameters have names in snake_case. */
const snakeEndpoints = group(
  { ...dialect, names: "snake" },
  {
    /** Version and height of the application behind the node. */
    abciInfo: rpc<[], AbciInfo>("abci_info"),
    /** Asks the application: `path` says what, `data` (hexadecimal) with what. A refusal is an error. */
    abciQuery: rpc<
      [
        query: {
          readonly path: string
          readonly data?: string
          readonly height?: Integer
          readonly prove?: boolean
        }
      ],
      AbciQuery
    >("abci_query").params(toTexts),
    /** Block by height, or the newest. */
    block: rpc<[block?: AtHeight], BlockResult>("block")
      .echoes({ "block.header.height": "height" })
      .params(toTexts),
    /** Block by hash. Not every node has it. */
    blockByHash: rpc<[block: { readonly hash: string }], BlockResult>("block_by_hash").echoes({
      "block_meta.block_id.hash": "hash",
      "block_id.hash": "hash"
    }),
    /** What the transactions of a block did. Nodes call the method `block_results`. */
    blockResult: rpc<[block?: AtHeight], BlockResults>("block_results")
      .echoes({ height: "height" })
      .params(toTexts),
    /** Blocks by the events of their beginning and end. Not every node has it. */
    blockSearch: rpc<
      [search: { readonly query: string; readonly orderBy?: "asc" | "desc" } & Paging],
      BlockSearch
    >("block_search").params(toTexts),
    /** Sends proof that a validator has misbehaved. Safe to repeat. */
    broadcastEvidence: rpc<[input: { readonly evidence: Evidence }], { readonly hash: string }>(
      "broadcast_evidence"
    )
      // in a list, in which no names are changed
      .params((input) => [input.evidence])
      .broadcast(),
    /** Sends a signed transaction (base64) without waiting for its check. Safe to repeat. */
    broadcastTxAsync: rpc<[input: { readonly tx: string }], Broadcast>("broadcast_tx_async").broadcast(),
    /** Sends a signed transaction and waits until it is in a block: for tests, nodes advise. Safe to repeat. */
    broadcastTxCommit: rpc<[input: { readonly tx: string }], BroadcastCommit>(
      "broadcast_tx_commit"
    ).broadcast(),
    /** Sends a signed transaction (base64), waits for its check; a refusal is an error. Safe to repeat. */
    broadcastTxSync: rpc<[input: { readonly tx: string }], Broadcast>("broadcast_tx_sync").broadcast(),
    /** What the check says of a transaction, which is not sent. Not every node has it. */
    checkTx: rpc<[input: { readonly tx: string }], TxResult>("check_tx"),
    /** Header of a block and the signatures under it. */
    commit: rpc<[block?: AtHeight], SignedHeader>("commit")
      .echoes({ "signed_header.header.height": "height" })
      .params(toTexts),
    /** Limits that validators agree on, at a block. */
    consensusParams: rpc<
      [block?: AtHeight],
      { readonly block_height: Int64; readonly consensus_params: ConsensusParams }
    >("consensus_params")
      .echoes({ block_height: "height" })
      .params(toTexts),
    /** Where the node is in the round of voting. */
    consensusState: rpc<[], ConsensusState>("consensus_state"),
    /** Where the node and its peers are in the round of voting. */
    dumpConsensusState: rpc<[], ConsensusDump>("dump_consensus_state").lists("peers"),
    /** How the chain began. Large files are refused: see `genesisChunked`. */
    genesis: rpc<[], Genesis>("genesis"),
    /** Part of the genesis file, from 0. Not every node has it. */
    genesisChunked: rpc<[part?: { readonly chunk?: Integer }], GenesisChunk>("genesis_chunked")
      .echoes({ chunk: "chunk" })
      .params(toTexts),
    /** Header by height, or the newest. Not every node has it. */
    header: rpc<[block?: AtHeight], { readonly header: Header }>("header")
      .echoes({ "header.height": "height" })
      .params(toTexts),
    /** Header by hash. Not every node has it. */
    headerByHash: rpc<[block: { readonly hash: string }], { readonly header: Header }>("header_by_hash"),
    /** Succeeds if the node is up. */
    health: rpc<[], Readonly<Record<string, never>>>("health"),
    /** Connections of the node. */
    netInfo: rpc<[], NetInfo>("net_info").lists("listeners", "peers"),
    /** Size of the pool: transactions and bytes. */
    numUnconfirmedTxs: rpc<[], UnconfirmedTxs>("num_unconfirmed_txs"),
    /** Node: who it is and how far. */
    status: rpc<[], Status>("status"),
    /** Transaction by hash (base64, or hexadecimal with 0x). A failed one is an answer too. */
    tx: rpc<[query: { readonly hash: string; readonly prove?: boolean }], Tx>("tx").echoes({ hash: "hash" }),
    /** Transactions by their events, such as `tx.height=5`. */
    txSearch: rpc<
      [
        search: {
          readonly query: string
          readonly prove?: boolean
          readonly orderBy?: "asc" | "desc"
        } & Paging
      ],
      TxSearch
    >("tx_search").params(toTexts),
    /** Transactions in the pool, 30 or `limit` of them. */
    unconfirmedTxs: rpc<[query?: { readonly limit?: Integer }], UnconfirmedTxs>("unconfirmed_txs").params(
      toTexts
    ),
    /** Validators of a block. */
    validators: rpc<[query?: AtHeight & Paging], Validators>("validators")
      .echoes({ block_height: "height" })
      .params(toTexts)
      .lists("validators")
  }
)

/** The one method whose parameters nodes know in camelCase alone. */
const camelEndpoints = group(
  { ...dialect, names: "camel" },
  {
    /** Headers of a range of blocks, newest first, 20 at most. */
    blockchain: rpc<[range: { readonly minHeight?: Integer; readonly maxHeight?: Integer }], Blockchain>(
      "blockchain"
    ).params(toTexts)
  }
)

/**
 * The endpoints of the BNB Beacon Chain.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(snakeEndpoints, camelEndpoints)

/**
 * The client of the BNB Beacon Chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface BnbRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of the BNB Beacon Chain.
 *
 * @since 0.1.0
 * @category families
 */
export const bnb: Family<typeof endpoints, BnbRpc> = {
  endpoints,
  probe: () => rpcProbe("block", {}, ["block", "header", "height"])
}
