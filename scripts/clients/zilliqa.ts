import type { Blockchain } from "@zilliqa-js/blockchain"
import type {
  BlockchainInfo,
  BlockList,
  DsBlockObj,
  MinerInfo,
  ShardingStructure,
  TransactionObj,
  TransactionStatusObj,
  TxBlockObj,
  TxList
} from "@zilliqa-js/core/dist/types/src/types.js"

/** The texts and numbers of a method that returns the node's answer unchanged. */
type From<M extends keyof Blockchain> = Blockchain[M] extends (
  ...given: never
) => Promise<{ readonly result?: infer R }>
  ? R
  : never

export interface Answers {
  readonly GetBlockchainInfo: BlockchainInfo
  readonly GetShardingStructure: ShardingStructure
  readonly GetDsBlock: DsBlockObj
  readonly GetLatestDsBlock: DsBlockObj
  readonly GetNumDSBlocks: From<"getNumDSBlocks">
  readonly GetDSBlockRate: From<"getDSBlockRate">
  readonly DSBlockListing: BlockList
  readonly GetTxBlock: TxBlockObj
  readonly GetLatestTxBlock: TxBlockObj
  readonly GetNumTxBlocks: From<"getNumTxBlocks">
  readonly GetTxBlockRate: From<"getTxBlockRate">
  readonly TxBlockListing: BlockList
  readonly GetNumTransactions: From<"getNumTransactions">
  readonly GetTransactionRate: From<"getTransactionRate">
  readonly GetCurrentMiniEpoch: From<"getCurrentMiniEpoch">
  readonly GetTotalCoinSupply: From<"getTotalCoinSupply">
  readonly GetMinerInfo: MinerInfo
  readonly GetTransaction: TransactionObj
  readonly GetTransactionStatus: TransactionStatusObj
  readonly GetRecentTransactions: TxList
  readonly GetTransactionsForTxBlock: From<"getTransactionsForTxBlock">
  readonly GetTxnBodiesForTxBlock: ReadonlyArray<TransactionObj>
  readonly GetNumTxnsTxEpoch: From<"getNumTxnsTxEpoch">
  readonly GetNumTxnsDSEpoch: From<"getNumTxnsDSEpoch">
  readonly GetMinimumGasPrice: From<"getMinimumGasPrice">
  readonly GetContractAddressFromTransactionID: From<"getContractAddressFromTransactionID">
  readonly GetSmartContractCode: From<"getSmartContractCode">
}
