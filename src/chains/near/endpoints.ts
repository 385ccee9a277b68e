/**
 * The endpoints of NEAR, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { base64, byFieldName } from "../../data/bytes.js"
import { type Fault, group, rpc } from "../../data/Endpoint.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { standardFaultOf } from "../internal/faults.js"
import type {
  AccessKey,
  AccessKeys,
  Account,
  AccountId,
  AccountRef,
  AtBlock,
  Base64,
  Block,
  BlockRef,
  CallResult,
  Changes,
  ChangesInBlock,
  ChangesQuery,
  Chunk,
  ContractCode,
  ContractState,
  GenesisConfig,
  Hash,
  LightClientBlock,
  LightClientProof,
  NetworkState,
  ProofQuery,
  ProtocolConfig,
  PublicKey,
  Query,
  QueryResult,
  Receipt,
  ShardId,
  Status,
  TransactionResult,
  TransactionWithReceipts,
  TxRef,
  TxStatus,
  ValidatorStake,
  Validators,
  Yocto
} from "./Types.js"

/** Fields that are a `number` wherever they stand: all that is no height, amount of gas, size, nonce or time. */
const numbers: ReadonlyArray<string> = [
  "**.allowed_shard",
  "**.already_delivered_shards.[]",
  "**.chunk_endorsements.[].[]",
  "**.chunks_included",
  "**.expected",
  "**.index",
  "**.latest_protocol_version",
  "**.network_version",
  "**.num_active_peers",
  "**.num_expected_blocks",
  "**.num_expected_chunks",
  "**.num_expected_chunks_per_shard.[]",
  "**.num_expected_endorsements",
  "**.num_expected_endorsements_per_shard.[]",
  "**.num_produced_blocks",
  "**.num_produced_chunks",
  "**.num_produced_chunks_per_shard.[]",
  "**.num_produced_endorsements",
  "**.num_produced_endorsements_per_shard.[]",
  "**.peer_max_count",
  "**.produced",
  "**.protocol_version",
  "**.shard_id",
  "**.shards.[]",
  "**.shards_endorsed.[]",
  "**.target_shard",
  "**.uptime_sec",
  "**.version"
]

/** Data that another node may have: blocks that this one dropped or has not got, shards that it does not follow. */
const elsewhereMessage = /garbage collected|DB Not Found|not track|unknown (?:block|chunk|epoch)/i

/** What of the chain may be at another node, and the words by which a node says that it has it not. */
const missingPartMessage = /(?:block|chunk|epoch|receipt|transaction|state)\b/i

const absentMessage = /not found|missing|out of bounds|does ?n[o']t exist|has never been observed/i

const nodeMessage =
  /fully synchronized|not synced|not ready|still syncing|timeout|timed out|overloaded|try again|too many/i

const callerMessage =
  /InvalidTxError|invalid|while viewing|wasm execution failed|contract (?:code|state)|parse|deserialize|access key|too large/i

/**
 * Whose fault an error is. Nodes have one code and one message for nearly all of them, and the reason in `data`.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}): Fault => {
  const usual = standardFaultOf(error)
  if (usual !== "unclear") return usual
  const reason = typeof error.data === "string" ? error.data : bigintIntegers.stringify(error.data)
  const text = `${error.message}: ${reason}`
  if (nodeMessage.test(text)) return "node"
  if (elsewhereMessage.test(text) || (missingPartMessage.test(text) && absentMessage.test(text)))
    return "elsewhere"
  return callerMessage.test(text) ? "caller" : "unclear"
}

/** The block of a question: a node takes none without one. */
const withFinality = (input?: BlockRef): BlockRef =>
  input?.blockId === undefined && input?.finality === undefined && input?.syncCheckpoint === undefined
    ? { ...input, finality: "final" }
    : input

/** A question about the state of one type. */
const makeViewParams =
  (requestType: Query["requestType"]) =>
  <A extends BlockRef>(input: A): object => {
    const named = { ...input, requestType }
    return withFinality(named)
  }

/** The block in whose state a question was answered. */
const blockEchoes = { block_hash: "blockId", block_height: "blockId" }

/** Methods outside of the table that only read, among them the new names of experimental ones. */
const reads =
  /^(?:health|client_config|genesis_config|maintenance_windows|changes|block_effects|light_client_proof|EXPERIMENTAL_(?!broadcast)\w+)$/

/**
 * The endpoints of NEAR.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  {
    integers: bigintIntegers,
    numbers,
    names: "snake",
    parameters: "named",
    bytes: byFieldName({ argsBase64: base64(), keyPrefixBase64: base64(), prefixBase64: base64() }),
    classify,
    reads
  },
  {
    /** Node: its chain, its version, and how far it is. */
    status: rpc<[], Status>("status").lists("validators"),
    /** Connections of the node. */
    networkInfo: rpc<[], NetworkState>("network_info").lists("active_peers", "known_producers"),
    /** Block by height, hash or finality, or the newest final one. */
    block: rpc<[block?: BlockRef], Block>("block")
      .echoes({ "header.hash": "blockId", "header.height": "blockId" })
      .params(withFinality)
      .lists("chunks"),
    /** Chunk by its hash, or by block and shard. */
    chunk: rpc<
      [
        chunk:
          | { readonly chunkId: Hash }
          | { readonly blockId: number | bigint | Hash; readonly shardId: ShardId }
      ],
      Chunk
    >("chunk")
      .echoes({ "header.chunk_hash": "chunkId", "header.shard_id": "shardId" })
      .lists("receipts", "transactions"),
    /** Any question about the state, by its type. The methods that begin with `view` have types of their own. */
    query: rpc<[query: Query], QueryResult>("query")
      .echoes(blockEchoes)
      .params(withFinality)
      .numbers([...numbers, "result.[]"]),
    /** Account: its free and its staked balance, in yoctoNEAR. */
    viewAccount: rpc<[account: AccountRef], Account & AtBlock>("query")
      .echoes(blockEchoes)
      .params(makeViewParams("view_account")),
    /** Program of a contract. */
    viewCode: rpc<[account: AccountRef], ContractCode & AtBlock>("query")
      .echoes(blockEchoes)
      .params(makeViewParams("view_code")),
    /** State of a contract, or those entries whose keys begin with a prefix. Nodes refuse large ones. */
    viewState: rpc<
      [account: AccountRef & { readonly prefixBase64: Base64; readonly includeProof?: boolean }],
      ContractState & AtBlock
    >("query")
      .echoes(blockEchoes)
      .params(makeViewParams("view_state"))
      .lists("values"),
    /** Key of an account: its nonce and what it may sign. */
    viewAccessKey: rpc<[key: AccountRef & { readonly publicKey: PublicKey }], AccessKey & AtBlock>("query")
      .echoes(blockEchoes)
      .params(makeViewParams("view_access_key")),
    /** All keys of an account. */
    viewAccessKeyList: rpc<[account: AccountRef], AccessKeys & AtBlock>("query")
      .echoes(blockEchoes)
      .params(makeViewParams("view_access_key_list"))
      .lists("keys"),
    /** Result of a view method of a contract, with arguments in Base64 (mostly of JSON). */
    callFunction: rpc<
      [call: AccountRef & { readonly methodName: string; readonly argsBase64: Base64 }],
      CallResult & AtBlock
    >("query")
      .echoes(blockEchoes)
      .params(makeViewParams("call_function"))
      .numbers(["result.[]"])
      .lists("logs", "result"),
    /** Price of gas in yoctoNEAR, at a block or at the newest. */
    gasPrice: rpc<[block?: number | bigint | Hash | null], { readonly gas_price: Yocto }>("gas_price").params(
      (block) => ({ blockId: block ?? null })
    ),
    /** Validators of an epoch, by its id or by its last block; without either, of the one that is running. */
    validators: rpc<
      [epoch?: { readonly epochId: Hash } | { readonly blockId: number | bigint | Hash }],
      Validators
    >("validators")
      .params((epoch) => epoch ?? { latest: null })
      .lists(
        "current_fishermen",
        "current_proposals",
        "current_validators",
        "next_fishermen",
        "next_validators",
        "prev_epoch_kickout"
      ),
    /** Transaction and its outcome. */
    tx: rpc<[tx: TxRef], TransactionResult>("tx").echoes({ "transaction.hash": "txHash" }),
    /** Transaction, its outcome and its receipts. */
    txStatus: rpc<[tx: TxRef], TransactionWithReceipts>("EXPERIMENTAL_tx_status").echoes({
      "transaction.hash": "txHash"
    }),
    /** Receipt by its id. */
    receipt: rpc<[receipt: { readonly receiptId: Hash }], Receipt>("EXPERIMENTAL_receipt").echoes({
      receipt_id: "receiptId"
    }),
    /** Changes of accounts, keys, code or data in a block. */
    changes: rpc<[query: ChangesQuery], Changes>("EXPERIMENTAL_changes")
      .echoes({ block_hash: "blockId" })
      .params(withFinality)
      .lists("changes"),
    /** Accounts that a block touched. */
    changesInBlock: rpc<[block?: BlockRef], ChangesInBlock>("EXPERIMENTAL_changes_in_block")
      .echoes({ block_hash: "blockId" })
      .params(withFinality)
      .lists("changes"),
    /** Proof of an outcome, for a light client. */
    lightClientProof: rpc<[query: ProofQuery], LightClientProof>("EXPERIMENTAL_light_client_proof").lists(
      "block_proof",
      "outcome_root_proof"
    ),
    /** Next block for a light client, after the one with this hash. */
    nextLightClientBlock: rpc<[block: { readonly lastBlockHash: Hash }], LightClientBlock>(
      "next_light_client_block"
    ),
    /** Parameters of the protocol at a block. */
    protocolConfig: rpc<[block?: BlockRef], ProtocolConfig>("EXPERIMENTAL_protocol_config")
      .params(withFinality)
      .lists(
        "avg_hidden_validator_seats_per_shard",
        "gas_price_adjustment_rate",
        "max_inflation_rate",
        "num_block_producer_seats_per_shard",
        "protocol_reward_rate"
      ),
    /** How the chain began. */
    genesisConfig: rpc<[], GenesisConfig>("EXPERIMENTAL_genesis_config").lists(
      "validators",
      "avg_hidden_validator_seats_per_shard",
      "gas_price_adjustment_rate",
      "max_inflation_rate",
      "num_block_producer_seats_per_shard",
      "protocol_reward_rate"
    ),
    /** Validators in the order in which they make blocks. */
    validatorsOrdered: rpc<
      [block?: { readonly blockId?: number | bigint | Hash | null }],
      ReadonlyArray<ValidatorStake>
    >("EXPERIMENTAL_validators_ordered")
      .params((block) => ({ blockId: block?.blockId ?? null }))
      .lists(),
    /** How full a shard is, from 0 to 1. */
    congestionLevel: rpc<
      [
        chunk:
          | { readonly chunkId: Hash }
          | { readonly blockId: number | bigint | Hash; readonly shardId: ShardId }
      ],
      { readonly congestion_level: number }
    >("EXPERIMENTAL_congestion_level"),
    /** Ranges of heights in which a validator has nothing to make: it may be updated then. */
    maintenanceWindows: rpc<
      [validator: { readonly accountId: AccountId }],
      ReadonlyArray<{ readonly start: bigint; readonly end: bigint }>
    >("EXPERIMENTAL_maintenance_windows").lists(),
    /** Sends a signed transaction (Base64), and waits until it is as far as `waitUntil` says. Safe to repeat. */
    sendTx: rpc<[tx: { readonly signedTxBase64: Base64; readonly waitUntil?: TxStatus }], TransactionResult>(
      "send_tx"
    )
      .bytes({ signedTxBase64: base64() })
      .broadcast(),
    /** Sends a signed transaction (Base64), and yields its hash at once. Safe to repeat. */
    broadcastTxAsync: rpc<[tx: { readonly signedTxBase64: Base64 }], Hash>("broadcast_tx_async")
      .bytes({ signedTxBase64: base64() })
      .broadcast(),
    /** Sends a signed transaction (Base64), and waits for its outcome. Safe to repeat. */
    broadcastTxCommit: rpc<[tx: { readonly signedTxBase64: Base64 }], TransactionResult>(
      "broadcast_tx_commit"
    )
      .bytes({ signedTxBase64: base64() })
      .broadcast()
  }
)
