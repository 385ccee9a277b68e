import type {
  PublicZksyncRpcSchema,
  ZksyncRpcBlock,
  ZksyncRpcLog,
  ZksyncRpcTransaction,
  ZksyncRpcTransactionReceipt
} from "viem/zksync"
import type { Answers as Evm, Of } from "./viem.js"

/** ZKsync's own methods, and those of every EVM network whose answers have more fields there. */
interface Own extends Of<PublicZksyncRpcSchema> {
  readonly eth_getBlockByHash: ZksyncRpcBlock | null
  readonly eth_getBlockByNumber: ZksyncRpcBlock | null
  readonly eth_getLogs: ReadonlyArray<ZksyncRpcLog>
  readonly eth_getTransactionByBlockHashAndIndex: ZksyncRpcTransaction | null
  readonly eth_getTransactionByBlockNumberAndIndex: ZksyncRpcTransaction | null
  readonly eth_getTransactionByHash: ZksyncRpcTransaction | null
  readonly eth_getTransactionReceipt: ZksyncRpcTransactionReceipt | null
  readonly eth_getBlockReceipts: ReadonlyArray<ZksyncRpcTransactionReceipt> | null
  readonly eth_sendRawTransactionSync: ZksyncRpcTransactionReceipt
}

export interface Answers extends Own, Omit<Evm, keyof Own> {}
