/**
 * Klaytn and Kaia under their old name: the EVM endpoints, most of which exist under the chain's own `klay_` names too.
 * Their last argument chooses: `true` for `klay_`, otherwise `eth_`.
 *
 * @since 0.1.0
 */
import type { Family } from "../balancer/Family.js"
import { dual, group } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import * as Evm from "./Evm.js"

const prefix = "klay_"
const evm = Evm.endpoints

const native = {
  /** Height of the newest block. */
  blockNumber: dual<[native?: boolean], bigint, "read">(evm.blockNumber, { argument: 0, prefix }),
  /** Chain id (EIP-155). */
  chainId: dual<[native?: boolean], bigint, "read">(evm.chainId, { argument: 0, prefix }),
  /** Price of a unit of gas, in kei (10^-18 KLAY). */
  gasPrice: dual<[native?: boolean], bigint, "read">(evm.gasPrice, { argument: 0, prefix }),
  /** Priority fee per unit of gas, in kei. */
  maxPriorityFeePerGas: dual<[native?: boolean], bigint, "read">(evm.maxPriorityFeePerGas, {
    argument: 0,
    prefix
  }),
  /** Balance of an address, in kei. */
  getBalance: dual<[address: Evm.Hex, block?: Evm.Block, native?: boolean], bigint, "read">(evm.getBalance, {
    argument: 2,
    prefix
  }),
  /** Number of transactions sent from an address: its next nonce. */
  getTransactionCount: dual<[address: Evm.Hex, block?: Evm.Block, native?: boolean], bigint, "read">(
    evm.getTransactionCount,
    { argument: 2, prefix }
  ),
  /** Code of a contract; `0x` where there is none. */
  getCode: dual<[address: Evm.Hex, block?: Evm.Block, native?: boolean], Evm.Hex, "read">(evm.getCode, {
    argument: 2,
    prefix
  }),
  /** Value of a storage slot of a contract. */
  getStorageAt: dual<
    [address: Evm.Hex, position: Evm.Quantity, block?: Evm.Block, native?: boolean],
    Evm.Hex,
    "read"
  >(evm.getStorageAt, { argument: 3, prefix }),
  /** Gas that a transaction would use. */
  estimateGas: dual<[transaction: Evm.TransactionRequest, native?: boolean], bigint, "read">(
    evm.estimateGas,
    {
      argument: 1,
      prefix
    }
  ),
  /** Block by hash; null if unknown. */
  getBlockByHash: dual<
    [blockHash: Evm.Hex, includeTransactions?: boolean, native?: boolean],
    Evm.BlockResult | null,
    "read"
  >(evm.getBlockByHash, { argument: 2, prefix }),
  /** Block by height or tag; null if it does not exist yet. */
  getBlockByNumber: dual<
    [block: Evm.Block, includeTransactions?: boolean, native?: boolean],
    Evm.BlockResult | null,
    "read"
  >(evm.getBlockByNumber, { argument: 2, prefix }),
  /** Receipts of all transactions of a block; null if it does not exist yet. */
  getBlockReceipts: dual<[block: Evm.Block, native?: boolean], ReadonlyArray<Evm.Receipt> | null, "read">(
    evm.getBlockReceipts,
    { argument: 1, prefix }
  ),
  /** Number of transactions of a block, as 0x string; null if unknown. */
  getBlockTransactionCountByHash: dual<[blockHash: Evm.Hex, native?: boolean], Evm.Hex | null, "read">(
    evm.getBlockTransactionCountByHash,
    { argument: 1, prefix }
  ),
  /** Number of transactions of a block, as 0x string; null if it does not exist yet. */
  getBlockTransactionCountByNumber: dual<[block: Evm.Block, native?: boolean], Evm.Hex | null, "read">(
    evm.getBlockTransactionCountByNumber,
    { argument: 1, prefix }
  ),
  /** Transaction by hash; null if unknown. */
  getTransactionByHash: dual<[transactionHash: Evm.Hex, native?: boolean], Evm.Transaction | null, "read">(
    evm.getTransactionByHash,
    { argument: 1, prefix }
  ),
  /** Transaction by its place in a block; null if there is none. */
  getTransactionByBlockHashAndIndex: dual<
    [blockHash: Evm.Hex, index: Evm.Quantity, native?: boolean],
    Evm.Transaction | null,
    "read"
  >(evm.getTransactionByBlockHashAndIndex, { argument: 2, prefix }),
  /** Transaction by its place in a block; null if there is none. */
  getTransactionByBlockNumberAndIndex: dual<
    [block: Evm.Block, index: Evm.Quantity, native?: boolean],
    Evm.Transaction | null,
    "read"
  >(evm.getTransactionByBlockNumberAndIndex, { argument: 2, prefix }),
  /** Receipt of a mined transaction; null while it is not. */
  getTransactionReceipt: dual<[transactionHash: Evm.Hex, native?: boolean], Evm.Receipt | null, "read">(
    evm.getTransactionReceipt,
    { argument: 1, prefix }
  ),
  /** Logs that match a filter. */
  getLogs: dual<[filter: Evm.LogFilter, native?: boolean], ReadonlyArray<Evm.Log>, "read">(evm.getLogs, {
    argument: 1,
    prefix
  }),
  /** Sends a signed transaction, and yields its hash. Safe to repeat. */
  sendRawTransaction: dual<[signedTransaction: Evm.Hex, native?: boolean], Evm.Hex, "broadcast">(
    evm.sendRawTransaction,
    { argument: 1, prefix }
  )
}

/**
 * The endpoints of Klaytn.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: Omit<typeof Evm.endpoints, keyof typeof native> & typeof native = group(Evm.dialect, {
  ...evm,
  ...native
})

/**
 * The JSON-RPC client of Klaytn.
 *
 * @since 0.1.0
 * @category clients
 */
export interface KlaytnRpc extends Client<typeof endpoints>, RawRpc, Evm.EvmComposed {}

/**
 * The family of Klaytn.
 *
 * @since 0.1.0
 * @category families
 */
export const klaytn: Family<typeof endpoints, KlaytnRpc> = {
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
