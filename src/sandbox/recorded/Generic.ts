/** Recordings of networks without a client of their own: the best known JSON-RPC methods of their nodes. */
import type { RecordedFamily, RecordedRequest } from "./Recording.js"
import { blockHash, encodeHash, heightOf, hex } from "./Synthetic.js"

const quantity = (value: number): string => `0x${value.toString(16)}`
const given = ({ params }: RecordedRequest): Readonly<Record<string, unknown>> =>
  Object(Array.isArray(params) ? params[0] : params)

/** NEAR names a block by its height, its hash or its finality. */
const nearHeight = (request: RecordedRequest): number => {
  const id = given(request).block_id
  return typeof id === "number" ? id : request.height
}

const near = (request: RecordedRequest, height: number) => ({
  author: "sandbox.near",
  header: {
    height,
    hash: encodeHash(height),
    prev_hash: encodeHash(height - 1),
    // the same as a number is too large for one, and is left out
    timestamp_nanosec: `${Math.floor(request.timeOf(height))}000000`,
    gas_price: "100000000",
    total_supply: "1270000000000000000000000000000000",
    chunks_included: 0
  },
  chunks: []
})

/** Substrate's headers name their numbers in hexadecimal. */
const substrate = (height: number) => ({
  parentHash: `0x${blockHash(height - 1)}`,
  number: quantity(height),
  stateRoot: `0x${hex(`state ${height}`)}`,
  extrinsicsRoot: `0x${hex(`extrinsics ${height}`)}`,
  digest: { logs: [] }
})

const substrateHeight = (request: RecordedRequest): number => heightOf(request.text(0, ""), request.height)

/**
 * The answers of NEAR, Polkadot, Zilliqa and Avalanche's P and X chains to their best known methods.
 *
 * @since 0.1.0
 * @category constants
 */
export const generic: RecordedFamily = {
  height: 20_000_000,
  blockTime: 5_000,
  protocol: "rpc",
  recordings: [
    {
      method: "status",
      answer: (request: RecordedRequest) => ({
        chain_id: request.testnet ? "testnet" : "mainnet",
        version: { version: "2.7.0", build: "sandbox" },
        sync_info: {
          latest_block_hash: encodeHash(request.height),
          latest_block_height: request.height,
          latest_block_time: new Date(request.timeOf(request.height)).toISOString(),
          syncing: false
        },
        validators: []
      })
    },
    { method: "block", answer: (request: RecordedRequest) => near(request, nearHeight(request)) },
    { method: "gas_price", answer: { gas_price: "100000000" } },
    {
      method: "query",
      answer: (request: RecordedRequest) => ({
        amount: "100000000000000000000000000",
        locked: "0",
        code_hash: "11111111111111111111111111111111",
        storage_usage: 182,
        storage_paid_at: 0,
        block_height: request.height,
        block_hash: encodeHash(request.height)
      })
    },
    {
      method: "system_chain",
      answer: ({ testnet }: RecordedRequest) => (testnet ? "Westend" : "Polkadot")
    },
    { method: "system_name", answer: "Sandbox recording" },
    { method: "system_version", answer: "1.17.0" },
    { method: "system_health", answer: { peers: 20, isSyncing: false, shouldHavePeers: true } },
    {
      method: "chain_getHeader",
      answer: (request: RecordedRequest) => substrate(substrateHeight(request))
    },
    {
      method: "chain_getBlock",
      answer: (request: RecordedRequest) => ({
        block: { header: substrate(substrateHeight(request)), extrinsics: [] },
        justifications: null
      })
    },
    {
      method: "chain_getBlockHash",
      answer: (request: RecordedRequest) => `0x${blockHash(request.whole(0, request.height))}`
    },
    {
      method: "chain_getFinalizedHead",
      answer: ({ height }: RecordedRequest) => `0x${blockHash(height - 2)}`
    },
    { method: "GetNetworkId", answer: ({ testnet }: RecordedRequest) => (testnet ? "333" : "1") },
    {
      method: "GetBlockchainInfo",
      answer: ({ height }: RecordedRequest) => ({
        CurrentDSEpoch: String(Math.floor(height / 100)),
        CurrentMiniEpoch: String(height),
        NumDSBlocks: String(Math.floor(height / 100)),
        NumPeers: 20,
        NumTransactions: String(height),
        NumTxBlocks: String(height),
        TransactionRate: 0,
        TxBlockRate: 0
      })
    },
    {
      method: "GetLatestTxBlock",
      answer: (request: RecordedRequest) => ({
        header: {
          BlockNum: String(request.height),
          PrevBlockHash: blockHash(request.height - 1),
          Timestamp: String(Math.floor(request.timeOf(request.height)) * 1000),
          NumTxns: 0
        },
        body: { BlockHash: blockHash(request.height) }
      })
    },
    { method: "GetBalance", answer: { balance: "100000000000000", nonce: 1 } },
    { method: "GetMinimumGasPrice", answer: "2000000000" },
    {
      method: "platform.getHeight",
      answer: ({ height }: RecordedRequest) => ({ height: String(height) })
    },
    {
      method: "platform.getBalance",
      answer: { balance: "100000000000", unlocked: "100000000000", utxoIDs: [] }
    },
    {
      method: "avm.getHeight",
      answer: ({ height }: RecordedRequest) => ({ height: String(height) })
    },
    { method: "avm.getBalance", answer: { balance: "100000000000", utxoIDs: [] } },
    {
      method: "info.getNetworkID",
      answer: ({ testnet }: RecordedRequest) => ({ networkID: testnet ? "5" : "1" })
    }
  ]
}
