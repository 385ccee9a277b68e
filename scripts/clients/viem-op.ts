import type { OpStackRpcBlock, OpStackRpcTransaction, OpStackRpcTransactionReceipt } from "viem/op-stack"

/** Methods of every EVM network whose answers have more fields on rollups of the OP stack. */
export interface Answers {
  readonly eth_getBlockByHash: OpStackRpcBlock | null
  readonly eth_getBlockByNumber: OpStackRpcBlock | null
  readonly eth_getTransactionByBlockHashAndIndex: OpStackRpcTransaction | null
  readonly eth_getTransactionByBlockNumberAndIndex: OpStackRpcTransaction | null
  readonly eth_getTransactionByHash: OpStackRpcTransaction | null
  readonly eth_getTransactionReceipt: OpStackRpcTransactionReceipt | null
  readonly eth_getBlockReceipts: ReadonlyArray<OpStackRpcTransactionReceipt> | null
  readonly eth_sendRawTransactionSync: OpStackRpcTransactionReceipt
}
