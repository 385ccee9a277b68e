/**
 * ZKsync: the EVM endpoints, and the zks_ methods of its own (batches, bridges, fees, proofs).
 *
 * @since 0.1.0
 */

import type { Family } from "../balancer/Family.js"
import { group, rpc } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import * as Evm from "./Evm.js"
import { reading } from "./internal/reading.js"

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
}

/**
 * A batch or block on its way to L1. Gas prices are in wei, times in ISO 8601; fields of later steps are null.
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
  readonly status: "sealed" | "verified"
  readonly commitTxHash: Evm.Hex | null
  readonly committedAt: string | null
  readonly proveTxHash: Evm.Hex | null
  readonly provenAt: string | null
  readonly executeTxHash: Evm.Hex | null
  readonly executedAt: string | null
  readonly l1GasPrice: number
  readonly l2FairGasPrice: number
  readonly fairPubdataPrice?: number | null
  readonly baseSystemContractsHashes: { readonly bootloader: Evm.Hex; readonly default_aa: Evm.Hex }
}

/**
 * A block, with the batch that holds it and the version of the protocol that made it.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockDetails extends BatchDetails {
  readonly l1BatchNumber: number
  readonly operatorAddress?: Evm.Hex
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
  readonly status: "pending" | "included" | "verified" | "failed"
  readonly fee: Evm.Hex
  readonly gasPerPubdata: Evm.Hex
  readonly initiatorAddress: Evm.Hex
  readonly receivedAt: string
  readonly ethCommitTxHash: Evm.Hex | null
  readonly ethProveTxHash: Evm.Hex | null
  readonly ethExecuteTxHash: Evm.Hex | null
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
  readonly version_id?: number
  readonly minorVersion?: number
  readonly timestamp: number
  readonly verification_keys_hashes?: unknown
  readonly base_system_contracts?: { readonly bootloader: Evm.Hex; readonly default_aa: Evm.Hex }
  readonly bootloaderCodeHash?: Evm.Hex
  readonly defaultAccountCodeHash?: Evm.Hex
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
  readonly events: ReadonlyArray<Evm.Log>
}

const own = {
  /** Fee of a transaction. */
  zksEstimateFee: rpc<[transaction: Evm.TransactionRequest], FeeEstimate>("zks_estimateFee"),
  /** Gas of a transaction that comes from L1. */
  zksEstimateGasL1ToL2: rpc<[transaction: Evm.TransactionRequest], bigint>("zks_estimateGasL1ToL2").decode(
    Evm.quantity
  ),
  /** Balances of an address by token address, as 0x strings in the tokens' smallest units. */
  zksGetAllAccountBalances: rpc<[address: Evm.Hex], Readonly<Record<Evm.Hex, Evm.Hex>>>(
    "zks_getAllAccountBalances"
  ),
  /** L1 address of the base token. */
  zksGetBaseTokenL1Address: rpc<[], Evm.Hex>("zks_getBaseTokenL1Address"),
  /** Details of a block; null if it does not exist yet. */
  zksGetBlockDetails: rpc<[blockNumber: number], BlockDetails | null>("zks_getBlockDetails"),
  /** Addresses of the bridges. */
  zksGetBridgeContracts: rpc<[], BridgeContracts>("zks_getBridgeContracts"),
  /** Address of the bridge hub on L1. */
  zksGetBridgeHubContract: rpc<[], Evm.Hex | null>("zks_getBridgehubContract"),
  /** Bytes of a contract's code by its hash; null if unknown. */
  zksGetBytecodeByHash: rpc<[hash: Evm.Hex], ReadonlyArray<number> | null>("zks_getBytecodeByHash"),
  /** Tokens that the bridge knows, from an id on. */
  zksGetConfirmedTokens: rpc<[from: number, limit: number], ReadonlyArray<Token>>("zks_getConfirmedTokens"),
  /** Parameters that fees are computed from. */
  zksGetFeeParams: rpc<[], Readonly<Record<string, unknown>>>("zks_getFeeParams"),
  /** First and last block of a batch, as 0x strings; null if it does not exist yet. */
  zksGetL1BatchBlockRange: rpc<[batch: number], readonly [first: Evm.Hex, last: Evm.Hex] | null>(
    "zks_getL1BatchBlockRange"
  ),
  /** Details of a batch; null if it does not exist yet. */
  zksGetL1BatchDetails: rpc<[batch: number], BatchDetails | null>("zks_getL1BatchDetails"),
  /** Gas price on L1, in wei. */
  zksGetL1GasPrice: rpc<[], bigint>("zks_getL1GasPrice").decode(Evm.quantity),
  /** Proof of a log of a transaction; null if it is not in a batch yet. */
  zksGetL2ToL1LogProof: rpc<[transactionHash: Evm.Hex, logIndex?: number], LogProof | null>(
    "zks_getL2ToL1LogProof"
  ),
  /** Proof of a message from L2 to L1; null if it is not in a batch yet. */
  zksGetL2ToL1MsgProof: rpc<
    [
      message: {
        readonly block: number
        readonly sender: Evm.Hex
        readonly msg: Evm.Hex
        readonly l2LogPosition?: number
      }
    ],
    LogProof | null
  >("zks_getL2ToL1MsgProof").params(
    reading(({ block, sender, msg, l2LogPosition }) => [block, sender, msg, l2LogPosition])
  ),
  /** Address of ZKsync's contract on L1. */
  zksGetMinContract: rpc<[], Evm.Hex>("zks_getMainContract"),
  /** Proofs of storage slots of an account (`data`), by key (`arrayOfData`), in a batch (`timePoint`). */
  zksGetProof: rpc<
    [
      storage: {
        readonly data: Evm.Hex
        readonly arrayOfData: ReadonlyArray<Evm.Hex>
        readonly timePoint: number
      }
    ],
    StorageProof | null
  >("zks_getProof").params(reading(({ data, arrayOfData, timePoint }) => [data, arrayOfData, timePoint])),
  /** A version of the protocol, by default the newest; null if unknown. */
  zksGetProtocolVersion: rpc<[version?: number], ProtocolVersion | null>("zks_getProtocolVersion"),
  /** Transactions of a block as the node keeps them. */
  zksGetRawBlockTransactions: rpc<[blockNumber: number], ReadonlyArray<unknown>>(
    "zks_getRawBlockTransactions"
  ),
  /** Paymaster of a test network; null on mainnet. */
  zksGetTestnetPaymaster: rpc<[], Evm.Hex | null>("zks_getTestnetPaymaster"),
  /** Details of a transaction; null if unknown. */
  zksGetTransactionDetails: rpc<[transactionHash: Evm.Hex], TransactionDetails | null>(
    "zks_getTransactionDetails"
  ),
  /** Number of the newest batch. */
  zksL1BatchNumber: rpc<[], bigint>("zks_L1BatchNumber").decode(Evm.quantity),
  /** Chain id of L1. */
  zksL1ChainId: rpc<[], bigint>("zks_L1ChainId").decode(Evm.quantity),
  /** Sends a signed transaction, and yields what it touched. Safe to repeat. */
  zksSendRawTransactionWithDetailedOutput: rpc<[signedTransaction: Evm.Hex], DetailedOutput>(
    "zks_sendRawTransactionWithDetailedOutput"
  ).broadcast()
}

/**
 * The endpoints of ZKsync.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof Evm.endpoints & typeof own = group(Evm.dialect, { ...Evm.endpoints, ...own })

/**
 * The client of ZKsync.
 *
 * @since 0.1.0
 * @category clients
 */
export interface ZkSyncRpc extends Client<typeof endpoints>, RawRpc, Evm.EvmComposed {}

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
