/**
 * Zilliqa: the JSON-RPC API of its native side. Amounts are in Qa (10^-12 ZIL), and they, heights and times (microseconds)
 * are decimal strings; counts and codes are numbers. Hashes and addresses are hexadecimal, without 0x in answers. Nodes of
 * Zilliqa 2 answer for the old structure (directory service, shards) with values that stand still.
 *
 * @since 0.1.0
 */
import { type Family, rpcProbe } from "../balancer/Family.js"
import { type BytesForm, byFieldName, hex, hex0x } from "../data/bytes.js"
import { type Fault, group, rpc } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { standardFaultOf } from "./internal/faults.js"

/**
 * An amount in Qa (10^-12 ZIL), a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Qa = string

/**
 * An integer of any size, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Int = string

/**
 * Bytes, hexadecimal: a hash, a key, a signature, or an address of 20 bytes.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * The number of a block.
 *
 * @since 0.1.0
 * @category types
 */
export type BlockNumber = string | number | bigint

/**
 * A value of Scilla, the language of contracts, as JSON: text for what is simple, objects for what is not.
 *
 * @since 0.1.0
 * @category types
 */
export type Scilla = string | ReadonlyArray<Scilla> | { readonly [name: string]: Scilla }

/**
 * A named value of Scilla, with its type.
 *
 * @since 0.1.0
 * @category types
 */
export interface Param {
  readonly vname: string
  readonly type: string
  readonly value: Scilla
}

/**
 * The state of a contract: the values of its fields.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractState {
  readonly [field: string]: Scilla
}

/**
 * The chain: how far it is, and how fast.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainInfo {
  readonly CurrentDSEpoch: Int
  readonly CurrentMiniEpoch: Int
  readonly DSBlockRate: number
  readonly NumDSBlocks: Int
  readonly NumPeers: number
  readonly NumTransactions: Int
  readonly NumTxBlocks: Int
  readonly NumTxnsDSEpoch: Int
  readonly NumTxnsTxEpoch: Int
  readonly ShardingStructure: ShardingStructure
  readonly TransactionRate: number
  readonly TxBlockRate: number
}

/**
 * How many nodes each shard has.
 *
 * @since 0.1.0
 * @category types
 */
export interface ShardingStructure {
  readonly NumPeers: ReadonlyArray<number>
}

/**
 * A block of the directory service, which began an epoch.
 *
 * @since 0.1.0
 * @category types
 */
export interface DsBlock {
  readonly header: {
    readonly BlockNum: Int
    readonly Difficulty: number
    readonly DifficultyDS: number
    readonly GasPrice: Qa
    readonly LeaderPubKey: Hex
    readonly PoWWinners: ReadonlyArray<Hex>
    readonly PrevHash: Hex
    readonly Timestamp: Int
  }
  readonly signature: Hex
}

/**
 * A block of transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxBlock {
  readonly header: {
    readonly BlockNum: Int
    readonly DSBlockNum: Int
    readonly GasLimit: Int
    readonly GasUsed: Int
    readonly MbInfoHash: Hex
    readonly MinerPubKey: Hex
    readonly NumMicroBlocks: number
    readonly NumPages: number
    readonly NumTxns: number
    readonly PrevBlockHash: Hex
    readonly Rewards: Qa
    readonly StateDeltaHash: Hex
    readonly StateRootHash: Hex
    readonly Timestamp: Int
    readonly TxnFees: Qa
    readonly Version: number
  }
  readonly body: {
    readonly BlockHash: Hex
    readonly HeaderSign: Hex
    readonly MicroBlockInfos: ReadonlyArray<{
      readonly MicroBlockHash: Hex
      readonly MicroBlockShardId: number
      readonly MicroBlockTxnRootHash: Hex
    }>
  }
}

/**
 * A page of blocks, newest first.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockPage {
  readonly data: ReadonlyArray<{ readonly BlockNum: number; readonly Hash: Hex }>
  readonly maxPages: number
}

/**
 * The events, messages and errors of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Receipt {
  readonly accepted?: boolean
  readonly cumulative_gas: Int
  readonly epoch_num: Int
  readonly errors?: Readonly<Record<string, ReadonlyArray<number>>>
  readonly event_logs?: ReadonlyArray<{
    readonly _eventname: string
    readonly address: Hex
    readonly params: ReadonlyArray<Param>
  }>
  readonly exceptions?: ReadonlyArray<{ readonly line: number; readonly message: string }>
  readonly success: boolean
  readonly transitions?: ReadonlyArray<{
    readonly accepted?: boolean
    readonly addr: Hex
    readonly depth: number
    readonly msg: {
      readonly _amount: Qa
      readonly _recipient: Hex
      readonly _tag: string
      readonly params: ReadonlyArray<Param>
    }
  }>
}

/**
 * A transaction in a block. `code` and `data` are of contracts, as text.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly ID: Hex
  readonly amount: Qa
  readonly code?: string
  readonly data?: string
  readonly gasLimit: Int
  readonly gasPrice: Qa
  readonly nonce: Int
  readonly receipt: Receipt
  readonly senderPubKey: Hex
  readonly signature: Hex
  readonly toAddr: Hex
  readonly version: Int
}

/**
 * How far a transaction is: `status` and `modificationState` are codes of the node, and `success` says whether it is done.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionStatus {
  readonly ID: Hex
  readonly _id?: { readonly $oid: string } | null
  readonly amount: Qa
  readonly data?: string
  readonly epochInserted: Int
  readonly epochUpdated: Int
  readonly gasLimit: Int
  readonly gasPrice: Qa
  readonly lastModified: Int
  readonly modificationState: number
  readonly nonce: Int
  readonly senderAddr: Hex
  readonly signature: Hex
  readonly status: number
  readonly success: boolean
  readonly toAddr: Hex
  readonly version: Int
}

/**
 * A signed transaction to send. `toAddr` has the checksum in its letters; `code` and `data` are of contracts, as text.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction {
  readonly version: number
  readonly nonce: number
  readonly toAddr: string
  readonly amount: Qa
  readonly pubKey: Hex
  readonly gasPrice: Qa
  readonly gasLimit: Int
  readonly code?: string
  readonly data?: string
  readonly signature: Hex
  readonly priority?: boolean
}

/**
 * A transaction that a node has taken. `ContractAddress` is there if it makes a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface Created {
  readonly Info: string
  readonly TranID: Hex
  readonly ContractAddress?: Hex
}

/**
 * A page of the transactions of a block, by shard or in full.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionPage<A> {
  readonly CurrPage: number
  readonly NumPages: number
  readonly Transactions: ReadonlyArray<A>
}

/**
 * An account: its balance in Qa, and its last nonce.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balance {
  readonly balance: Qa
  readonly nonce: number
}

/**
 * A proof of a state, as nodes of the trie.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateProof {
  readonly accountProof: ReadonlyArray<Hex>
  readonly stateProof: ReadonlyArray<Hex>
}

/** By code: data that another node may have, errors about the node, and those about the request. */
const faults: Readonly<Record<number, Fault>> = {
  // no such block or transaction here
  [-20]: "elsewhere",
  // a method that this version has dropped
  [-32]: "elsewhere",
  // the node begins, or cannot work
  [-28]: "node",
  [-3]: "caller",
  [-5]: "caller",
  [-8]: "caller",
  [-22]: "caller",
  [-25]: "caller",
  [-26]: "caller"
}

/**
 * Whose fault an error is.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: { readonly code: number; readonly message: string }): Fault =>
  faults[error.code] ?? standardFaultOf(error)

/** Blocks go out as text. */
const byNumber = (block: BlockNumber): ReadonlyArray<string> => [String(block)]

/** A block and a page of its transactions, both counted from 0. */
const toPageParams = (block: BlockNumber, page?: bigint): ReadonlyArray<string> => [
  String(block),
  String(page ?? 0)
]

/** Some nodes want a parameter, even where there is none to give. */
const emptyParams = (): ReadonlyArray<string> => [""]

/** Methods outside of the table that only read: others of the native side, and those of its EVM side. */
const reads =
  /^(?:Get[A-Z]\w*|(?:eth_(?:get(?!Filter)|call|chainId|blockNumber|gasPrice|estimate|feeHistory|maxPriority|syncing|accounts)|net_|web3_|trace_|debug_trace|ots_)\w*)$/

/** Nodes read hexadecimal digits with 0x and without. */
const digits =
  (size: number): BytesForm =>
  (value, place, args) =>
    (typeof value === "string" && value.startsWith("0x") ? hex0x : hex)(size)(value, place, args)

/**
 * The endpoints of Zilliqa.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  {
    integers: bigintIntegers,
    numbers: ["**.*"],
    classify,
    reads,
    broadcasts: /^eth_sendRawTransaction$/
  },
  {
    /** Id of the network: `1` is the main one. */
    getNetworkId: rpc<[], string>("GetNetworkId").params(emptyParams),
    /** Chain: how far it is, and how fast. */
    getBlockchainInfo: rpc<[], BlockchainInfo>("GetBlockchainInfo").params(emptyParams),
    /** How many nodes each shard has. */
    getShardingStructure: rpc<[], ShardingStructure>("GetShardingStructure")
      .params(emptyParams)
      .lists("NumPeers"),
    /** Block of the directory service by number. */
    getDsBlock: rpc<[block: BlockNumber], DsBlock>("GetDsBlock").params(byNumber),
    /** Newest block of the directory service. */
    getLatestDsBlock: rpc<[], DsBlock>("GetLatestDsBlock").params(emptyParams),
    /** Count of blocks of the directory service. */
    getNumDSBlocks: rpc<[], Int>("GetNumDSBlocks").params(emptyParams),
    /** Blocks of the directory service per second. */
    getDSBlockRate: rpc<[], number>("GetDSBlockRate").params(emptyParams),
    /** Page of blocks of the directory service, from 1, newest first. */
    dsBlockListing: rpc<[page: number], BlockPage>("DSBlockListing").lists("data"),
    /** Block of transactions by number. */
    getTxBlock: rpc<[block: BlockNumber], TxBlock>("GetTxBlock").params(byNumber),
    /** Newest block of transactions. */
    getLatestTxBlock: rpc<[], TxBlock>("GetLatestTxBlock").params(emptyParams),
    /** Count of blocks of transactions. */
    getNumTxBlocks: rpc<[], Int>("GetNumTxBlocks").params(emptyParams),
    /** Blocks of transactions per second. */
    getTxBlockRate: rpc<[], number>("GetTxBlockRate").params(emptyParams),
    /** Page of blocks of transactions, from 1, newest first. */
    txBlockListing: rpc<[page: number], BlockPage>("TxBlockListing").lists("data"),
    /** Count of all transactions. */
    getNumTransactions: rpc<[], Int>("GetNumTransactions").params(emptyParams),
    /** Transactions per second. */
    getTransactionRate: rpc<[], number>("GetTransactionRate").params(emptyParams),
    /** Number of the epoch of transactions. */
    getCurrentMiniEpoch: rpc<[], Int>("GetCurrentMiniEpoch").params(emptyParams),
    /** Number of the epoch of the directory service. */
    getCurrentDSEpoch: rpc<[], Int>("GetCurrentDSEpoch").params(emptyParams),
    /** All coins that there are, in whole ZIL. */
    getTotalCoinSupply: rpc<[], string>("GetTotalCoinSupply").params(emptyParams),
    /** Keys of the nodes that made a block of the directory service. */
    getMinerInfo: rpc<
      [block: BlockNumber],
      {
        readonly dscommittee: ReadonlyArray<Hex>
        readonly shards: ReadonlyArray<{ readonly nodes: ReadonlyArray<Hex>; readonly size: number }>
      }
    >("GetMinerInfo")
      .params(byNumber)
      .lists("dscommittee", "shards"),
    /** Sends a signed transaction. Safe to repeat. */
    createTransaction: rpc<[transaction: SignedTransaction], Created>("CreateTransaction")
      .bytes({ 0: byFieldName({ pubKey: digits(33), signature: digits(64) }) })
      .broadcast(),
    /** Transaction in a block, with its receipt. */
    getTransaction: rpc<[hash: Hex], Transaction>("GetTransaction")
      .bytes({ 0: digits(32) })
      .echoes({ ID: 0 }),
    /** How far a transaction is that was sent within the last hours. */
    getTransactionStatus: rpc<[hash: Hex], TransactionStatus>("GetTransactionStatus").bytes({
      0: digits(32)
    }),
    /** Hashes of the newest transactions, 100 at most. */
    getRecentTransactions: rpc<[], { readonly TxnHashes: ReadonlyArray<Hex>; readonly number: number }>(
      "GetRecentTransactions"
    )
      .params(emptyParams)
      .lists("TxnHashes"),
    /** Hashes of the transactions of a block, by shard. */
    getTransactionsForTxBlock: rpc<[block: BlockNumber], ReadonlyArray<ReadonlyArray<Hex> | null>>(
      "GetTransactionsForTxBlock"
    )
      .params(byNumber)
      .lists(),
    /** Page of the same, from 0. */
    getTransactionsForTxBlockEx: rpc<
      [block: BlockNumber, page?: bigint],
      TransactionPage<ReadonlyArray<Hex> | null>
    >("GetTransactionsForTxBlockEx")
      .params(toPageParams)
      .lists("Transactions"),
    /** Transactions of a block, with their receipts. */
    getTxnBodiesForTxBlock: rpc<[block: BlockNumber], ReadonlyArray<Transaction>>("GetTxnBodiesForTxBlock")
      .params(byNumber)
      .lists(),
    /** Page of the same, from 0. */
    getTxnBodiesForTxBlockEx: rpc<[block: BlockNumber, page?: bigint], TransactionPage<Transaction>>(
      "GetTxnBodiesForTxBlockEx"
    )
      .params(toPageParams)
      .lists("Transactions"),
    /** Count of transactions of the running epoch. */
    getNumTxnsTxEpoch: rpc<[], Int>("GetNumTxnsTxEpoch").params(emptyParams),
    /** Count of transactions of the running epoch of the directory service. */
    getNumTxnsDSEpoch: rpc<[], Int>("GetNumTxnsDSEpoch").params(emptyParams),
    /** Lowest price of gas, in Qa. */
    getMinimumGasPrice: rpc<[], Qa>("GetMinimumGasPrice").params(emptyParams),
    /** Address of the contract that a transaction made. */
    getContractAddressFromTransactionID: rpc<[hash: Hex], Hex>("GetContractAddressFromTransactionID").bytes({
      0: digits(32)
    }),
    /** Contracts of an account, with their state. */
    getSmartContracts: rpc<
      [address: Hex],
      ReadonlyArray<{ readonly address: Hex; readonly state?: ContractState }>
    >("GetSmartContracts")
      .bytes({ 0: digits(20) })
      .lists(),
    /** Program of a contract, in Scilla. */
    getSmartContractCode: rpc<[address: Hex], { readonly code: string }>("GetSmartContractCode").bytes({
      0: digits(20)
    }),
    /** Values that a contract was made with. */
    getSmartContractInit: rpc<[address: Hex], ReadonlyArray<Param>>("GetSmartContractInit")
      .bytes({ 0: digits(20) })
      .lists(),
    /** State of a contract, all of it. */
    getSmartContractState: rpc<[address: Hex], ContractState>("GetSmartContractState").bytes({
      0: digits(20)
    }),
    /** Field of a contract's state, or the entry of a map under `indices`; null if there is none. */
    getSmartContractSubState: rpc<
      [address: Hex, field: string, indices?: ReadonlyArray<string>],
      ContractState | null
    >("GetSmartContractSubState")
      .bytes({ 0: digits(20) })
      .params((address, field, indices) => [address, field, indices ?? []]),
    /** Proof of a contract's state, at a block or at the newest one. */
    getStateProof: rpc<[address: Hex, key: Hex, block?: BlockNumber], StateProof>("GetStateProof")
      .bytes({ 0: digits(20), 1: digits(32) })
      .params((address, key, block) => [address, key, String(block ?? "latest")])
      .lists("accountProof", "stateProof"),
    /** Balance of an account in Qa, and its last nonce. An account that nobody has used is an error. */
    getBalance: rpc<[address: Hex], Balance>("GetBalance").bytes({ 0: digits(20) }),
    /** Version and commit of the node. */
    getVersion: rpc<[], { readonly Version: string; readonly Commit: string }>("GetVersion").params(
      emptyParams
    )
  }
)

/**
 * The client of Zilliqa.
 *
 * @since 0.1.0
 * @category clients
 */
export interface ZilliqaRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Zilliqa.
 *
 * @since 0.1.0
 * @category families
 */
export const zilliqa: Family<typeof endpoints, ZilliqaRpc> = {
  endpoints,
  probe: () => rpcProbe("GetBlockchainInfo", [""], ["NumTxBlocks"])
}
