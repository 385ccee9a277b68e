/**
 * ZKsync: the EVM endpoints, and the zks_ methods of its own (batches, bridges, fees, proofs).
 *
 * @since 0.1.0
 */

import type { Family } from "../balancer/Family.js"
import { hex0x } from "../data/bytes.js"
import { group, rpc } from "../data/Endpoint.js"
import type { Client, RawRpc, WithAnswers } from "../transport/Client.js"
import * as Evm from "./Evm.js"
import { getTransactionReceipt, sendRawTransactionSync } from "./evm/endpoints.js"
import { checkingNames } from "./internal/checkingNames.js"

/**
 * The cost that a transaction would have. `gas_per_pubdata_limit` is gas per byte of data that is published on L1.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeEstimate {
  readonly gas_limit: Evm.Hex
  readonly max_fee_per_gas: Evm.Hex
  readonly max_priority_fee_per_gas: Evm.Hex
  readonly gas_per_pubdata_limit: Evm.Hex
}

/**
 * Addresses of the bridges between L1 and L2.
 *
 * @since 0.1.0
 * @category types
 */
export interface BridgeContracts {
  readonly l1Erc20DefaultBridge?: Evm.Hex | null
  readonly l2Erc20DefaultBridge?: Evm.Hex | null
  readonly l1WethBridge?: Evm.Hex | null
  readonly l2WethBridge?: Evm.Hex | null
  readonly l1SharedDefaultBridge?: Evm.Hex | null
  readonly l2SharedDefaultBridge?: Evm.Hex | null
  readonly l2LegacySharedBridge?: Evm.Hex | null
}

/**
 * The finality of a transaction on the layer below.
 *
 * @since 0.1.0
 * @category types
 */
export type Finality = "pending" | "fast_finalized" | "finalized"

/**
 * The hashes of the system contracts of a batch.
 *
 * @since 0.1.0
 * @category types
 */
export interface SystemContracts {
  readonly bootloader: Evm.Hex
  readonly default_aa: Evm.Hex
  readonly evm_emulator?: Evm.Hex | null
}

/**
 * A batch or block on its way to L1. Prices are in wei, times in ISO 8601; fields of later steps are null, and older nodes lack
 * those of finality, of the chain that settles, and of precommits.
 *
 * @since 0.1.0
 * @category types
 */
export interface BatchDetails {
  readonly number: number
  readonly timestamp: number
  readonly l1TxCount: number
  readonly l2TxCount: number
  readonly rootHash: Evm.Hex | null
  readonly status: "sealed" | "verified" | "fastFinalized"
  readonly commitTxHash: Evm.Hex | null
  readonly commitTxFinality?: Finality | null
  readonly commitChainId?: number | null
  readonly committedAt: string | null
  readonly proveTxHash: Evm.Hex | null
  readonly proveTxFinality?: Finality | null
  readonly proveChainId?: number | null
  readonly provenAt: string | null
  readonly executeTxHash: Evm.Hex | null
  readonly executeTxFinality?: Finality | null
  readonly executeChainId?: number | null
  readonly executedAt: string | null
  readonly precommitTxHash?: Evm.Hex | null
  readonly precommitTxFinality?: Finality | null
  readonly precommitChainId?: number | null
  readonly precommittedAt?: string | null
  readonly l1GasPrice: number
  readonly l2FairGasPrice: number
  readonly fairPubdataPrice?: number | null
  readonly baseSystemContractsHashes: SystemContracts
}

/**
 * A block, with the batch that holds it and the version of the protocol that made it.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockDetails extends BatchDetails {
  readonly l1BatchNumber: number
  readonly operatorAddress: Evm.Hex
  readonly protocolVersion?: string | null
}

/**
 * A transaction on its way to L1. `fee` is in wei.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionDetails {
  readonly isL1Originated: boolean
  readonly status: "pending" | "included" | "precommitted" | "fastFinalized" | "verified" | "failed"
  readonly fee: Evm.Hex
  readonly gasPerPubdata: Evm.Hex
  readonly initiatorAddress: Evm.Hex
  readonly receivedAt: string
  readonly ethCommitTxHash: Evm.Hex | null
  readonly ethProveTxHash: Evm.Hex | null
  readonly ethExecuteTxHash: Evm.Hex | null
  readonly ethPrecommitTxHash?: Evm.Hex | null
}

/**
 * Proof that a message or log of L2 is in the tree of its batch.
 *
 * @since 0.1.0
 * @category types
 */
export interface LogProof {
  readonly proof: ReadonlyArray<Evm.Hex>
  readonly id: number
  readonly root: Evm.Hex
  readonly batch_number?: number
}

/**
 * Proofs of storage slots against the tree of a batch.
 *
 * @since 0.1.0
 * @category types
 */
export interface StorageProof {
  readonly address: Evm.Hex
  readonly storageProof: ReadonlyArray<{
    readonly key: Evm.Hex
    readonly proof: ReadonlyArray<Evm.Hex>
    readonly value: Evm.Hex
    readonly index: number
  }>
}

/**
 * A token that the bridge knows.
 *
 * @since 0.1.0
 * @category types
 */
export interface Token {
  readonly l1Address: Evm.Hex
  readonly l2Address: Evm.Hex
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/**
 * A version of the protocol, and the hashes of its system contracts.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolVersion {
  readonly version_id?: number | null
  readonly minorVersion?: number | null
  readonly timestamp: number
  readonly verification_keys_hashes?: Readonly<Record<string, unknown>> | null
  readonly base_system_contracts?: SystemContracts | null
  readonly bootloaderCodeHash?: Evm.Hex | null
  readonly defaultAccountCodeHash?: Evm.Hex | null
  readonly evmSimulatorCodeHash?: Evm.Hex | null
  readonly l2_system_upgrade_tx_hash?: Evm.Hex | null
  readonly l2SystemUpgradeTxHash?: Evm.Hex | null
}

/**
 * A transaction that was sent, with the storage and the events that it touched.
 *
 * @since 0.1.0
 * @category types
 */
export interface DetailedOutput {
  readonly transactionHash: Evm.Hex
  readonly storageLogs: ReadonlyArray<{
    readonly address: Evm.Hex
    readonly key: Evm.Hex
    readonly writtenValue: Evm.Hex
  }>
  readonly events: ReadonlyArray<Log>
}

/**
 * The prices of gas and of data that is published (`pubdata`), in wei.
 *
 * @since 0.1.0
 * @category types
 */
export interface BatchFeeInput {
  readonly fair_l2_gas_price: number
  readonly fair_pubdata_price: number
  readonly l1_gas_price: number
}

/**
 * The numerator and the denominator of a rate.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ratio {
  readonly numerator: number
  readonly denominator: number
}

/**
 * The parameters that fees are computed from, by the version of their model. Prices are in wei; `conversion_ratio` is the price of
 * the base token.
 *
 * @since 0.1.0
 * @category types
 */
export type FeeParams =
  | {
      readonly V1: {
        readonly config: { readonly minimal_l2_gas_price: number }
        readonly l1_gas_price: number
      }
    }
  | {
      readonly V2: {
        readonly config: {
          readonly minimal_l2_gas_price: number
          readonly compute_overhead_part: number
          readonly pubdata_overhead_part: number
          readonly batch_overhead_l1_gas: number
          readonly max_gas_per_batch: number
          readonly max_pubdata_per_batch: number
        }
        readonly l1_gas_price: number
        readonly l1_pubdata_price: number
        readonly conversion_ratio?: Ratio & { readonly l1?: Ratio | null; readonly sl?: Ratio | null }
      }
    }

/**
 * What transactions from L1 and of upgrades of the protocol have: what they may cost, and what of it is minted and given back
 * where (wei). Older nodes give the hash of L1's transaction and its block.
 *
 * @since 0.1.0
 * @category types
 */
export interface PriorityData {
  readonly sender: Evm.Hex
  readonly maxFeePerGas: Evm.Hex
  readonly gasLimit: Evm.Hex
  readonly gasPerPubdataLimit: Evm.Hex
  readonly canonicalTxHash: Evm.Hex
  readonly toMint: Evm.Hex
  readonly refundRecipient: Evm.Hex
  readonly ethHash?: Evm.Hex
  readonly ethBlock?: number
}

/**
 * The data of a transaction from L1: with its number in the queue. Fees are in wei; `deadlineBlock` is older nodes'.
 *
 * @since 0.1.0
 * @category types
 */
export interface L1Data extends PriorityData {
  readonly serialId: number
  readonly layer2TipFee: Evm.Hex
  readonly fullFee: Evm.Hex
  readonly opProcessingType: string
  readonly priorityQueueType: string
  readonly deadlineBlock?: number
}

/**
 * The data of a transaction that upgrades the protocol: with the version that it upgrades it to, such as `Version24`.
 *
 * @since 0.1.0
 * @category types
 */
export interface UpgradeData extends PriorityData {
  readonly upgradeId: string
}

/**
 * A transaction as a node keeps it: with the data of its sort, the call, and the time when it came, in milliseconds. Bytes are
 * lists of numbers.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawTransaction {
  readonly common_data:
    | {
        readonly L2: {
          readonly nonce: number
          readonly fee: FeeEstimate
          readonly initiatorAddress: Evm.Hex
          readonly signature: ReadonlyArray<number>
          readonly transactionType: string
          readonly input: { readonly hash: Evm.Hex; readonly data: ReadonlyArray<number> } | null
          readonly paymasterParams: {
            readonly paymaster: Evm.Hex
            readonly paymasterInput: ReadonlyArray<number>
          }
        }
      }
    | { readonly L1: L1Data }
    | { readonly ProtocolUpgrade: UpgradeData }
  readonly execute: {
    readonly contractAddress: Evm.Hex | null
    readonly calldata: Evm.Hex
    readonly value: Evm.Hex
    readonly factoryDeps: ReadonlyArray<ReadonlyArray<number>> | null
  }
  readonly received_timestamp_ms: number
  readonly raw_bytes: Evm.Hex | null
}

/**
 * A transaction of ZKsync: with its place in a batch, once it is in one. Those from L1 have no signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction extends Omit<Evm.Transaction, "v" | "r" | "s"> {
  readonly l1BatchNumber?: Evm.Hex | null
  readonly l1BatchTxIndex?: Evm.Hex | null
  readonly v?: Evm.Hex
  readonly r?: Evm.Hex
  readonly s?: Evm.Hex
}

/**
 * An event: with the batch that it is in, if any, and its number in its transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Log extends Omit<Evm.Log, "blockTimestamp"> {
  readonly blockTimestamp?: Evm.Hex | null
  readonly l1BatchNumber: Evm.Hex | null
  readonly transactionLogIndex: Evm.Hex | null
  readonly logType: string | null
}

/**
 * A message from L2 to L1 that a transaction has made.
 *
 * @since 0.1.0
 * @category types
 */
export interface L2ToL1Log {
  readonly blockHash: Evm.Hex | null
  readonly blockNumber: Evm.Hex
  readonly l1BatchNumber: Evm.Hex | null
  readonly logIndex: Evm.Hex
  readonly transactionIndex: Evm.Hex
  readonly transactionHash: Evm.Hex
  readonly transactionLogIndex: Evm.Hex
  readonly txIndexInL1Batch: Evm.Hex | null
  readonly shardId: Evm.Hex
  readonly isService: boolean
  readonly sender: Evm.Hex
  readonly key: Evm.Hex
  readonly value: Evm.Hex
}

/**
 * The outcome of a transaction: with its place in a batch, null before it is in one, and its messages to L1.
 *
 * @since 0.1.0
 * @category types
 */
export interface Receipt extends Evm.Receipt<Log> {
  readonly l1BatchNumber: Evm.Hex | null
  readonly l1BatchTxIndex: Evm.Hex | null
  readonly l2ToL1Logs: ReadonlyArray<L2ToL1Log>
}

/**
 * What a block has besides: the batch that it is in, and the time of that (seconds since 1970); null before there is one.
 *
 * @since 0.1.0
 * @category types
 */
export interface BatchedBlock {
  readonly l1BatchNumber: Evm.Hex | null
  readonly l1BatchTimestamp: Evm.Hex | null
  readonly sealFields?: ReadonlyArray<Evm.Hex>
}

const zksMethods = {
  /** Fee of a transaction. */
  zksEstimateFee: rpc<[transaction: Evm.TransactionRequest], FeeEstimate>("zks_estimateFee"),
  /** Gas of a transaction that comes from L1. */
  zksEstimateGasL1ToL2: rpc<[transaction: Evm.TransactionRequest], bigint>("zks_estimateGasL1ToL2").decode(
    Evm.quantity
  ),
  /** Gas that a byte of published data costs. */
  zksGasPerPubdata: rpc<[], bigint>("zks_gasPerPubdata").decode(Evm.quantity),
  /** Prices that fees are computed from, as the node would take them for a batch now. */
  zksGetBatchFeeInput: rpc<[], BatchFeeInput>("zks_getBatchFeeInput"),
  /** Address of the contract Multicall3; null if there is none. */
  zksGetL2Multicall3: rpc<[], Evm.Hex | null>("zks_getL2Multicall3"),
  /** Address of the contract that compares times; null if there is none. */
  zksGetTimestampAsserter: rpc<[], Evm.Hex | null>("zks_getTimestampAsserter"),
  /**
   * Balances of an address by token address, as 0x strings in the tokens' smallest units.
   *
   * @deprecated Nodes no longer have it: ask the tokens' contracts, or an indexer.
   */
  zksGetAllAccountBalances: rpc<[address: Evm.HexInput], Readonly<Record<Evm.Hex, Evm.Hex>>>(
    "zks_getAllAccountBalances"
  ),
  /** L1 address of the base token. */
  zksGetBaseTokenL1Address: rpc<[], Evm.Hex>("zks_getBaseTokenL1Address"),
  /** Details of a block; null if it does not exist yet. */
  zksGetBlockDetails: rpc<[blockNumber: number], BlockDetails | null>("zks_getBlockDetails").echoes({
    number: 0
  }),
  /** Addresses of the bridges. */
  zksGetBridgeContracts: rpc<[], BridgeContracts>("zks_getBridgeContracts"),
  /** Address of the bridge hub on L1. */
  zksGetBridgeHubContract: rpc<[], Evm.Hex | null>("zks_getBridgehubContract"),
  /** Bytes of a contract's code by its hash; null if unknown. */
  zksGetBytecodeByHash: rpc<[hash: Evm.HexInput], ReadonlyArray<number> | null>("zks_getBytecodeByHash")
    .bytes({ 0: hex0x(32) })
    .lists("?"),
  /**
   * Tokens that the bridge knows, from an id on.
   *
   * @deprecated Nodes no longer have it: ask an indexer.
   */
  zksGetConfirmedTokens: rpc<[from: number, limit: number], ReadonlyArray<Token>>(
    "zks_getConfirmedTokens"
  ).lists(),
  /** Parameters that fees are computed from. */
  zksGetFeeParams: rpc<[], FeeParams>("zks_getFeeParams"),
  /** First and last block of a batch, as 0x strings; null if it does not exist yet. */
  zksGetL1BatchBlockRange: rpc<[batch: number], readonly [first: Evm.Hex, last: Evm.Hex] | null>(
    "zks_getL1BatchBlockRange"
  ).lists("?"),
  /** Details of a batch; null if it does not exist yet. */
  zksGetL1BatchDetails: rpc<[batch: number], BatchDetails | null>("zks_getL1BatchDetails").echoes({
    number: 0
  }),
  /** Gas price on L1, in wei. */
  zksGetL1GasPrice: rpc<[], bigint>("zks_getL1GasPrice").decode(Evm.quantity),
  /** Proof of a log of a transaction; null if it is not in a batch yet. */
  zksGetL2ToL1LogProof: rpc<[transactionHash: Evm.HexInput, logIndex?: bigint], LogProof | null>(
    "zks_getL2ToL1LogProof"
  )
    .params((hash, index) => [hash, index === undefined ? index : Number(index)])
    .bytes({ 0: hex0x(32) })
    .lists("proof"),
  /**
   * Proof of a message from L2 to L1; null if it is not in a batch yet.
   *
   * @deprecated Nodes no longer have it: `zksGetL2ToL1LogProof` proves the log of the message.
   */
  zksGetL2ToL1MsgProof: rpc<
    [
      message: {
        readonly block: number
        readonly sender: Evm.HexInput
        readonly msg: Evm.HexInput
        readonly l2LogPosition?: number
      }
    ],
    LogProof | null
  >("zks_getL2ToL1MsgProof")
    .params(checkingNames(({ block, sender, msg, l2LogPosition }) => [block, sender, msg, l2LogPosition]))
    .lists("proof"),
  /** Address of ZKsync's contract on L1. */
  zksGetMinContract: rpc<[], Evm.Hex>("zks_getMainContract"),
  /** Proofs of storage slots of an account (`data`), by key (`arrayOfData`), in a batch (`timePoint`). */
  zksGetProof: rpc<
    [
      storage: {
        readonly data: Evm.HexInput
        readonly arrayOfData: ReadonlyArray<Evm.HexInput>
        readonly timePoint: number
      }
    ],
    StorageProof | null
  >("zks_getProof")
    .echoes({ address: "data" })
    .params(checkingNames(({ data, arrayOfData, timePoint }) => [data, arrayOfData, timePoint]))
    .lists("storageProof"),
  /**
   * A version of the protocol, by default the newest; null if unknown.
   *
   * @deprecated Nodes are about to lose it, and have no other such method for everybody.
   */
  zksGetProtocolVersion: rpc<[version?: number], ProtocolVersion | null>("zks_getProtocolVersion"),
  /** Transactions of a block as the node keeps them. */
  zksGetRawBlockTransactions: rpc<[blockNumber: number], ReadonlyArray<RawTransaction>>(
    "zks_getRawBlockTransactions"
  ).lists(),
  /** Paymaster of a test network; null on mainnet. */
  zksGetTestnetPaymaster: rpc<[], Evm.Hex | null>("zks_getTestnetPaymaster"),
  /** Details of a transaction; null if unknown. */
  zksGetTransactionDetails: rpc<[transactionHash: Evm.HexInput], TransactionDetails | null>(
    "zks_getTransactionDetails"
  ).bytes({ 0: hex0x(32) }),
  /** Number of the newest batch. */
  zksL1BatchNumber: rpc<[], bigint>("zks_L1BatchNumber").decode(Evm.quantity),
  /** Chain id of L1. */
  zksL1ChainId: rpc<[], bigint>("zks_L1ChainId").decode(Evm.quantity),
  /**
   * Sends a signed transaction, and yields what it touched. Safe to repeat.
   *
   * @deprecated Nodes no longer have it under this name: `sendRawTransactionSync` yields the receipt.
   */
  zksSendRawTransactionWithDetailedOutput: rpc<[signedTransaction: Evm.HexInput], DetailedOutput>(
    "zks_sendRawTransactionWithDetailedOutput"
  )
    .bytes({ 0: hex0x() })
    .broadcast()
    .lists("storageLogs", "events")
}

/**
 * The endpoints of ZKsync.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof Evm.endpoints & typeof zksMethods = group(Evm.dialect, {
  ...Evm.endpoints,
  // receipts have a list of their own
  getTransactionReceipt: getTransactionReceipt.lists("logs", "l2ToL1Logs"),
  sendRawTransactionSync: sendRawTransactionSync.lists("logs", "l2ToL1Logs"),
  ...zksMethods
})

/**
 * The client of ZKsync.
 *
 * @since 0.1.0
 * @category clients
 */
export interface ZkSyncRpc
  extends WithAnswers<
    Client<typeof endpoints> & RawRpc & Evm.EvmComposed,
    Evm.Answers<Transaction, Receipt, BatchedBlock, Log>
  > {}

/**
 * The family of ZKsync.
 *
 * @since 0.1.0
 * @category families
 */
export const zksync: Family<typeof endpoints, ZkSyncRpc> = {
  endpoints,
  ...Evm.nodes
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = Evm.accounts
