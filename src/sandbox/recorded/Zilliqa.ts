/** Recordings of Zilliqa's native API. */
import { endpoints } from "../../chains/Zilliqa.js"
import { makeRecordings, type RecordedFamily, type RecordedRequest } from "./Recording.js"
import { blockHash, syntheticHex } from "./Synthetic.js"

const blocksPerDsBlock = 100
const gasPrice = "2000000016"
const key = `02${syntheticHex("key")}`
const signature = syntheticHex("signature", 64)
const address = syntheticHex("contract", 20)
const empty = "0".repeat(64)

const microseconds = (request: RecordedRequest, height: number): string =>
  `${Math.floor(request.timeOf(height))}000`
const dsBlockOf = (height: number): number => Math.floor(height / blocksPerDsBlock)

const txBlock = (request: RecordedRequest, height: number) => ({
  header: {
    BlockNum: String(height),
    DSBlockNum: String(dsBlockOf(height)),
    GasLimit: "650000",
    GasUsed: "50",
    MbInfoHash: empty,
    MinerPubKey: `0x${key}`,
    NumMicroBlocks: 1,
    NumPages: 1,
    NumTxns: 1,
    PrevBlockHash: blockHash(height - 1),
    Rewards: "0",
    StateDeltaHash: empty,
    StateRootHash: syntheticHex(`state ${height}`),
    Timestamp: microseconds(request, height),
    TxnFees: "100000000800",
    Version: 1
  },
  body: {
    BlockHash: blockHash(height),
    HeaderSign: signature,
    MicroBlockInfos: [
      { MicroBlockHash: syntheticHex(`micro ${height}`), MicroBlockShardId: 0, MicroBlockTxnRootHash: empty }
    ]
  }
})

const dsBlock = (request: RecordedRequest, number: number) => ({
  header: {
    BlockNum: String(number),
    Difficulty: 3,
    DifficultyDS: 5,
    GasPrice: gasPrice,
    LeaderPubKey: `0x${key}`,
    PoWWinners: [`0x${key}`],
    PrevHash: syntheticHex(`ds ${number - 1}`),
    Timestamp: microseconds(request, number * blocksPerDsBlock)
  },
  signature
})

const transaction = (request: RecordedRequest, id: string) => ({
  ID: id,
  amount: "1000000000000",
  gasLimit: "50",
  gasPrice,
  nonce: "1",
  receipt: {
    accepted: true,
    cumulative_gas: "50",
    epoch_num: String(request.height - 3),
    event_logs: [
      {
        _eventname: "Sent",
        address: `0x${address}`,
        params: [{ vname: "amount", type: "Uint128", value: "1000000000000" }]
      }
    ],
    success: true
  },
  senderPubKey: `0x${key}`,
  signature: `0x${signature}`,
  toAddr: address,
  version: "65537"
})

const requestedHash = (request: RecordedRequest): string =>
  request.text(0, syntheticHex("transaction")).replace(/^0x/, "")
const page = (request: RecordedRequest) => ({ CurrPage: request.whole(1, 0), NumPages: 1 })
const counts = { TransactionRate: 0, TxBlockRate: 1, DSBlockRate: 0.01 }
const sharding = { NumPeers: [20] }

/**
 * The answers of a node of Zilliqa.
 *
 * @since 0.1.0
 * @category constants
 */
export const zilliqa: RecordedFamily = {
  height: 12_000_000,
  blockTime: 1_000,
  protocol: "rpc",
  recordings: makeRecordings(endpoints, {
    getNetworkId: ({ testnet }) => (testnet ? "333" : "1"),
    getBlockchainInfo: ({ height }) => ({
      ...counts,
      CurrentDSEpoch: String(dsBlockOf(height)),
      CurrentMiniEpoch: String(height),
      NumDSBlocks: String(dsBlockOf(height)),
      NumPeers: 20,
      NumTransactions: String(height),
      NumTxBlocks: String(height),
      NumTxnsDSEpoch: String(height % blocksPerDsBlock),
      NumTxnsTxEpoch: "1",
      ShardingStructure: sharding
    }),
    getShardingStructure: sharding,
    getDsBlock: (request) => dsBlock(request, request.whole(0, dsBlockOf(request.height))),
    getLatestDsBlock: (request) => dsBlock(request, dsBlockOf(request.height)),
    getNumDSBlocks: ({ height }) => String(dsBlockOf(height)),
    getDSBlockRate: counts.DSBlockRate,
    dsBlockListing: ({ height }) => ({
      data: [{ BlockNum: dsBlockOf(height), Hash: syntheticHex(`ds ${dsBlockOf(height)}`) }],
      maxPages: dsBlockOf(height)
    }),
    getTxBlock: (request) => txBlock(request, request.whole(0, request.height)),
    getLatestTxBlock: (request) => txBlock(request, request.height),
    getNumTxBlocks: ({ height }) => String(height),
    getTxBlockRate: counts.TxBlockRate,
    txBlockListing: ({ height }) => ({
      data: [{ BlockNum: height, Hash: blockHash(height) }],
      maxPages: height
    }),
    getNumTransactions: ({ height }) => String(height),
    getTransactionRate: counts.TransactionRate,
    getCurrentMiniEpoch: ({ height }) => String(height),
    getCurrentDSEpoch: ({ height }) => String(dsBlockOf(height)),
    getTotalCoinSupply: "19488320000.000000000000",
    getMinerInfo: { dscommittee: [`0x${key}`], shards: [{ nodes: [`0x${key}`], size: 1 }] },
    createTransaction: {
      Info: "Non-contract txn, sent to shard",
      TranID: syntheticHex("transaction")
    },
    getTransaction: (request) => transaction(request, requestedHash(request)),
    getTransactionStatus: (request) => ({
      ID: requestedHash(request),
      _id: { $oid: syntheticHex("oid", 12) },
      amount: "1000000000000",
      epochInserted: String(request.height - 4),
      epochUpdated: String(request.height - 3),
      gasLimit: "50",
      gasPrice,
      lastModified: microseconds(request, request.height - 3),
      modificationState: 2,
      nonce: "1",
      senderAddr: syntheticHex("sender", 20),
      signature: `0x${signature}`,
      status: 3,
      success: true,
      toAddr: address,
      version: "65537"
    }),
    getRecentTransactions: { TxnHashes: [syntheticHex("transaction")], number: 1 },
    getTransactionsForTxBlock: [[syntheticHex("transaction")]],
    getTransactionsForTxBlockEx: (request) => ({
      ...page(request),
      Transactions: [[syntheticHex("transaction")]]
    }),
    getTxnBodiesForTxBlock: (request) => [transaction(request, syntheticHex("transaction"))],
    getTxnBodiesForTxBlockEx: (request) => ({
      ...page(request),
      Transactions: [transaction(request, syntheticHex("transaction"))]
    }),
    getNumTxnsTxEpoch: "1",
    getNumTxnsDSEpoch: ({ height }) => String(height % blocksPerDsBlock),
    getMinimumGasPrice: gasPrice,
    getContractAddressFromTransactionID: address,
    getSmartContracts: [{ address, state: { _balance: "0" } }],
    getSmartContractCode: { code: "scilla_version 0\n" },
    getSmartContractInit: [
      { vname: "_scilla_version", type: "Uint32", value: "0" },
      { vname: "_this_address", type: "ByStr20", value: `0x${address}` }
    ],
    getSmartContractState: { _balance: "0", balances: { [`0x${address}`]: "1000" } },
    getSmartContractSubState: (request) => ({ [request.text(1, "_balance")]: "0" }),
    getStateProof: { accountProof: [syntheticHex("account")], stateProof: [syntheticHex("state")] },
    getBalance: { balance: "100000000000000", nonce: 1 },
    getVersion: { Version: "v0.20.0", Commit: "sandbox" }
  })
}
