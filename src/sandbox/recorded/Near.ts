/** Recordings of NEAR, in nearcore's format. */

import { encodeBase58 } from "../../chains/internal/base58.js"
import { type BlockRef, endpoints } from "../../chains/Near.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import {
  base58ToHex,
  blockHashBase58,
  heightOfBlockHash,
  syntheticBase64,
  syntheticBytes
} from "./Synthetic.js"

const shard = 0
const blocksPerEpoch = 43_200
const gasPrice = "100000000"
const stake = "25000000000000000000000000000000"
const hash = (seed: string): string => encodeBase58(syntheticBytes(seed))
const key = `ed25519:${hash("key")}`
const signature = `ed25519:${encodeBase58(syntheticBytes("signature", 64))}`
const accessKey = { nonce: 1, permission: "FullAccess" } as const
const validator = { account_id: "sandbox.near", public_key: key, stake }

const epochOf = (height: number): number => Math.floor(height / blocksPerEpoch)
const nanoseconds = (request: RecordedRequest, height: number): bigint =>
  BigInt(Math.floor(request.timeOf(height))) * 1_000_000n

/** The height of the block with a hash in Base58. */
const heightOfHash = (text: string, none: number): number => heightOfBlockHash(base58ToHex(text), none, text)

/** The requested block: by height or hash, or the newest. */
const requestedHeight = (request: RecordedRequest): number => {
  const id: BlockRef["blockId"] | null = Object(request.params).block_id
  return typeof id === "string"
    ? heightOfHash(id, request.height)
    : id === undefined || id === null
      ? request.height
      : Number(id)
}

const chunkHeader = (height: number) => ({
  balance_burnt: "0",
  chunk_hash: hash(`chunk ${height}`),
  encoded_length: 8,
  encoded_merkle_root: hash("empty"),
  gas_limit: 1_000_000_000_000_000n,
  gas_used: 0,
  height_created: height,
  height_included: height,
  outcome_root: hash("outcomes"),
  outgoing_receipts_root: hash("receipts"),
  prev_block_hash: blockHashBase58(height - 1),
  prev_state_root: hash(`state ${height - 1}`),
  rent_paid: "0",
  shard_id: shard,
  signature,
  tx_root: hash("transactions"),
  validator_proposals: [],
  validator_reward: "0"
})

const innerLite = (request: RecordedRequest, height: number) => ({
  block_merkle_root: hash(`blocks ${height}`),
  epoch_id: hash(`epoch ${epochOf(height)}`),
  height,
  next_bp_hash: hash("producers"),
  next_epoch_id: hash(`epoch ${epochOf(height) + 1}`),
  outcome_root: hash("outcomes"),
  prev_state_root: hash(`state ${height - 1}`),
  timestamp: nanoseconds(request, height),
  timestamp_nanosec: String(nanoseconds(request, height))
})

const header = (request: RecordedRequest, height: number) => ({
  ...innerLite(request, height),
  approvals: [signature, null],
  block_body_hash: hash(`body ${height}`),
  block_ordinal: height,
  challenges_result: [],
  challenges_root: hash("empty"),
  chunk_endorsements: [[255]],
  chunk_headers_root: hash(`chunks ${height}`),
  chunk_mask: [true],
  chunk_receipts_root: hash("receipts"),
  chunk_tx_root: hash("transactions"),
  chunks_included: 1,
  epoch_sync_data_hash: null,
  gas_price: gasPrice,
  hash: blockHashBase58(height),
  last_ds_final_block: blockHashBase58(height - 1),
  last_final_block: blockHashBase58(height - 2),
  latest_protocol_version: 79,
  prev_hash: blockHashBase58(height - 1),
  prev_height: height - 1,
  random_value: hash(`random ${height}`),
  rent_paid: "0",
  signature,
  total_supply: "1270000000000000000000000000000000",
  validator_proposals: [],
  validator_reward: "0"
})

const transaction = (request: RecordedRequest, txHash: string) => ({
  actions: [{ Transfer: { deposit: "1000000000000000000000000" } }],
  hash: txHash,
  nonce: 1,
  priority_fee: 0,
  public_key: key,
  receiver_id: "sandbox.near",
  signature,
  signer_id: request.text("sender_account_id", "alice.near")
})

const outcome = (request: RecordedRequest, id: string) => ({
  block_hash: blockHashBase58(request.height - 3),
  id,
  outcome: {
    executor_id: "sandbox.near",
    gas_burnt: 223_182_562_500n,
    logs: [],
    metadata: { gas_profile: [], version: 3 },
    receipt_ids: [],
    status: { SuccessValue: "" },
    tokens_burnt: "22318256250000000000"
  },
  proof: [{ direction: "Left" as const, hash: hash("proof") }]
})

const sentHash = (request: RecordedRequest): string => hash(request.text("signed_tx_base64", "transaction"))

const completedTransaction = (
  request: RecordedRequest,
  txHash = request.text("tx_hash", sentHash(request))
) => ({
  final_execution_status: "FINAL" as const,
  receipts_outcome: [outcome(request, hash(`receipt of ${txHash}`))],
  status: { SuccessValue: "" },
  transaction: transaction(request, txHash),
  transaction_outcome: outcome(request, txHash)
})

const receipt = (request: RecordedRequest, id: string) => ({
  predecessor_id: "alice.near",
  priority: 0,
  receipt: {
    Action: {
      actions: [{ Transfer: { deposit: "1000000000000000000000000" } }],
      gas_price: gasPrice,
      input_data_ids: [],
      is_promise_yield: false,
      output_data_receivers: [],
      signer_id: "alice.near",
      signer_public_key: key
    }
  },
  receipt_id: id,
  receiver_id: request.text("receiver_id", "sandbox.near")
})

const account = {
  amount: "100000000000000000000000000",
  code_hash: "11111111111111111111111111111111",
  locked: "0",
  storage_paid_at: 0,
  storage_usage: 182
}

const answerQuery = ({ text }: RecordedRequest) => {
  switch (text("request_type", "")) {
    case "view_code":
    case "view_global_contract_code":
    case "view_global_contract_code_by_account_id":
      return { code_base64: "AGFzbQEAAAA=", hash: hash("code") }
    case "view_state":
      return { values: [{ key: syntheticBase64("key", 3), value: syntheticBase64("value", 3) }] }
    case "view_access_key":
      return accessKey
    case "view_access_key_list":
      return { keys: [{ access_key: accessKey, public_key: key }] }
    case "call_function":
      // the JSON text "1000000"
      return { logs: [], result: [...Buffer.from('"1000000"')] }
    default:
      return account
  }
}

const config = {
  avg_hidden_validator_seats_per_shard: [0],
  block_producer_kickout_threshold: 80,
  chunk_producer_kickout_threshold: 80,
  chunk_validator_only_kickout_threshold: 70,
  dynamic_resharding: false,
  epoch_length: blocksPerEpoch,
  fishermen_threshold: "340282366920938463463374607431768211455",
  gas_limit: 1_000_000_000_000_000n,
  gas_price_adjustment_rate: [1, 100],
  genesis_height: 9_820_210,
  genesis_time: "2020-07-21T16:55:51.591948Z",
  max_gas_price: "10000000000000000000000",
  max_inflation_rate: [1, 20],
  max_kickout_stake_perc: 30,
  min_gas_price: gasPrice,
  minimum_stake_divisor: 10,
  minimum_stake_ratio: [1, 62_500],
  minimum_validators_per_shard: 1,
  num_block_producer_seats: 100,
  num_block_producer_seats_per_shard: [100],
  num_blocks_per_year: 31_536_000,
  online_max_threshold: [99, 100],
  online_min_threshold: [9, 10],
  protocol_reward_rate: [1, 10],
  protocol_treasury_account: "treasury.near",
  protocol_upgrade_stake_threshold: [4, 5],
  protocol_version: 79,
  shuffle_shard_assignment_for_chunk_producers: false,
  target_validator_mandates_per_shard: 68,
  transaction_validity_period: 86_400
} as const

const chainId = ({ testnet }: RecordedRequest): string => (testnet ? "testnet" : "mainnet")

/**
 * The answers of a node of NEAR.
 *
 * @since 0.1.0
 * @category constants
 */
export const near: RecordedFamily = {
  unknown: (hash) =>
    new RecordedRefusal({
      name: "HANDLER_ERROR",
      cause: { name: "UNKNOWN_BLOCK", info: {} },
      code: -32_000,
      message: "Server error",
      data: `DB Not Found Error: BLOCK: ${hash} \n Cause: Unknown`
    }),

  height: 150_000_000,
  blockTime: 600,
  protocol: "rpc",
  recordings: makeRecordings(
    endpoints,
    {
      status: (request) => ({
        chain_id: chainId(request),
        genesis_hash: blockHashBase58(0),
        latest_protocol_version: 79,
        protocol_version: 79,
        node_public_key: key,
        node_key: null,
        rpc_addr: "0.0.0.0:3030",
        sync_info: {
          earliest_block_hash: blockHashBase58(request.height - 200_000),
          earliest_block_height: request.height - 200_000,
          earliest_block_time: new Date(request.timeOf(request.height - 200_000)).toISOString(),
          epoch_id: hash(`epoch ${epochOf(request.height)}`),
          epoch_start_height: epochOf(request.height) * blocksPerEpoch,
          latest_block_hash: blockHashBase58(request.height),
          latest_block_height: request.height,
          latest_block_time: new Date(request.timeOf(request.height)).toISOString(),
          latest_state_root: hash(`state ${request.height}`),
          syncing: false
        },
        uptime_sec: 86_400,
        validator_account_id: null,
        validator_public_key: null,
        validators: [{ account_id: validator.account_id }],
        version: { build: "sandbox", commit: "sandbox", rustc_version: "1.86.0", version: "2.7.0" }
      }),
      networkInfo: {
        active_peers: [{ account_id: null, addr: "127.0.0.1:24567", id: key }],
        known_producers: [{ account_id: validator.account_id, addr: null, peer_id: key }],
        num_active_peers: 1,
        peer_max_count: 40,
        received_bytes_per_sec: 1_000_000,
        sent_bytes_per_sec: 1_000_000
      },
      block: (request) => ({
        author: validator.account_id,
        chunks: [chunkHeader(requestedHeight(request))],
        header: header(request, requestedHeight(request))
      }),
      chunk: (request) => ({
        author: validator.account_id,
        header: chunkHeader(requestedHeight(request)),
        receipts: [receipt(request, hash("receipt"))],
        transactions: [transaction(request, hash("transaction"))]
      }),
      gasPrice: { gas_price: gasPrice },
      validators: ({ height }) => ({
        current_fishermen: [],
        current_proposals: [],
        current_validators: [
          {
            ...validator,
            is_slashed: false,
            num_expected_blocks: 10,
            num_expected_chunks: 10,
            num_expected_chunks_per_shard: [10],
            num_expected_endorsements: 10,
            num_expected_endorsements_per_shard: [10],
            num_produced_blocks: 10,
            num_produced_chunks: 10,
            num_produced_chunks_per_shard: [10],
            num_produced_endorsements: 10,
            num_produced_endorsements_per_shard: [10],
            shards: [shard],
            shards_endorsed: [shard]
          }
        ],
        epoch_height: epochOf(height),
        epoch_start_height: epochOf(height) * blocksPerEpoch,
        next_fishermen: [],
        next_validators: [{ ...validator, shards: [shard] }],
        prev_epoch_kickout: [
          { account_id: "late.near", reason: { NotEnoughBlocks: { expected: 10, produced: 1 } } }
        ]
      }),
      tx: (request) => completedTransaction(request),
      txStatus: (request) => ({
        ...completedTransaction(request),
        receipts: [receipt(request, hash("receipt"))]
      }),
      receipt: (request) => receipt(request, request.text("receipt_id", hash("receipt"))),
      changes: (request) => ({
        block_hash: blockHashBase58(requestedHeight(request)),
        changes: [
          {
            cause: { type: "receipt_processing", receipt_hash: hash("receipt") },
            type: "account_update",
            change: { account_id: "sandbox.near", ...account }
          }
        ]
      }),
      changesInBlock: (request) => ({
        block_hash: blockHashBase58(requestedHeight(request)),
        changes: [{ account_id: "sandbox.near", type: "account_touched" as const }]
      }),
      lightClientProof: (request) => ({
        block_header_lite: {
          inner_lite: innerLite(request, request.height - 3),
          inner_rest_hash: hash("rest"),
          prev_block_hash: blockHashBase58(request.height - 4)
        },
        block_proof: [{ direction: "Right" as const, hash: hash("proof") }],
        outcome_proof: outcome(
          request,
          request.text("transaction_hash", request.text("receipt_id", hash("receipt")))
        ),
        outcome_root_proof: []
      }),
      nextLightClientBlock: (request) => ({
        approvals_after_next: [signature, null],
        inner_lite: innerLite(request, request.height - 2),
        inner_rest_hash: hash("rest"),
        next_block_inner_hash: hash("next"),
        next_bps: [validator],
        prev_block_hash: blockHashBase58(request.height - 3)
      }),
      protocolConfig: (request) => ({
        ...config,
        chain_id: chainId(request),
        runtime_config: { storage_amount_per_byte: "10000000000000000000" },
        shard_layout: { V2: { version: 3 } }
      }),
      genesisConfig: (request) => ({
        ...config,
        chain_id: chainId(request),
        protocol_version: 29,
        total_supply: "1000000000000000000000000000000000",
        validators: [{ account_id: validator.account_id, amount: stake, public_key: key }]
      }),
      validatorsOrdered: [validator],
      congestionLevel: { congestion_level: 0.25 },
      maintenanceWindows: ({ height }) => [{ start: height + 10, end: height + 20 }],
      sendTx: (request) => completedTransaction(request, sentHash(request)),
      broadcastTxAsync: (request) => sentHash(request),
      broadcastTxCommit: (request) => completedTransaction(request, sentHash(request))
    },
    {
      // one method has answers of several types
      query: (request: RecordedRequest) => ({
        ...answerQuery(request),
        block_hash: blockHashBase58(requestedHeight(request)),
        block_height: requestedHeight(request)
      })
    }
  )
}
