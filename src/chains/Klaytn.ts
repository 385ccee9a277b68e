/**
 * Klaytn and Kaia under their old name: the EVM endpoints, most of which exist under the chain's own `klay_` names too.
 * Their last argument chooses: `true` for `klay_`, otherwise `eth_`.
 *
 * @since 0.1.0
 */
import type { Family } from "../balancer/Family.js"
import { type Choice, dual, group } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import * as Evm from "./Evm.js"

/**
 * A signature of a transaction, as Klaytn's own methods have it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Signature {
  readonly V: Evm.Hex
  readonly R: Evm.Hex
  readonly S: Evm.Hex
}

/**
 * A transaction by Klaytn's own methods. `type` is a name and `typeInt` its number; the fee payer is there in fee delegated types,
 * with the percentage that he pays (`feeRatio`) in those of partial delegation.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction
  extends Omit<Evm.Transaction, "to" | "value" | "input" | "v" | "r" | "s" | "yParity"> {
  readonly to?: Evm.Hex | null
  readonly value?: Evm.Hex
  readonly input?: Evm.Hex
  readonly typeInt: number
  readonly senderTxHash: Evm.Hex | null
  readonly signatures: ReadonlyArray<Signature>
  readonly feePayer?: Evm.Hex
  readonly feePayerSignatures?: ReadonlyArray<Signature>
  readonly feeRatio?: number
  readonly codeFormat?: string
  readonly humanReadable?: boolean
  readonly key?: Evm.Hex
}

/**
 * A receipt by Klaytn's own methods: the transaction, and its outcome. `txError` is the code of a failure.
 *
 * @since 0.1.0
 * @category types
 */
export interface Receipt
  extends Omit<Transaction, "hash" | "blockTimestamp">,
    Omit<
      Evm.Receipt,
      "to" | "type" | "cumulativeGasUsed" | "blockHash" | "blockNumber" | "transactionIndex"
    > {
  readonly blockHash: Evm.Hex
  readonly blockNumber: Evm.Hex
  readonly transactionIndex: Evm.Hex
  readonly txError?: Evm.Hex
}

/**
 * What a block has besides by Klaytn's own methods, which leave out the fields of proof of work (`nonce`, `miner`, `sha3Uncles`,
 * `difficulty`). `timestampFoS` is the fraction of its second, `reward` the address that its reward goes to.
 *
 * @since 0.1.0
 * @category types
 */
export interface NativeBlock {
  readonly reward: Evm.Hex
  readonly blockScore: Evm.Hex
  readonly governanceData: Evm.Hex
  readonly voteData: Evm.Hex
  readonly timestampFoS: Evm.Hex
  readonly randomReveal: Evm.Hex
}

/**
 * The answer of a method that exists under two names: `Own` if the argument asks for Klaytn's own.
 *
 * @since 0.1.0
 * @category types
 */
export interface ByName<Eth, Own> extends Choice<boolean> {
  readonly answer: this["choice"] extends false ? Eth : this["choice"] extends true ? Own : Eth | Own
}

type Block = Partial<NativeBlock>

const prefix = "klay_"
const evm = Evm.endpoints

const nativeMethods = {
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
  getBalance: dual<[address: Evm.HexInput, block?: Evm.OptionalBlock, native?: boolean], bigint, "read">(
    evm.getBalance,
    {
      argument: 2,
      prefix
    }
  ),
  /** Number of transactions sent from an address: its next nonce. */
  getTransactionCount: dual<
    [address: Evm.HexInput, block?: Evm.OptionalBlock, native?: boolean],
    bigint,
    "read"
  >(evm.getTransactionCount, { argument: 2, prefix }),
  /** Code of a contract; `0x` where there is none. */
  getCode: dual<[address: Evm.HexInput, block?: Evm.OptionalBlock, native?: boolean], Evm.Hex, "read">(
    evm.getCode,
    {
      argument: 2,
      prefix
    }
  ),
  /** Value of a storage slot of a contract. */
  getStorageAt: dual<
    [address: Evm.HexInput, position: Evm.Quantity, block?: Evm.OptionalBlock, native?: boolean],
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
    [blockHash: Evm.HexInput, includeTransactions?: boolean, native?: boolean],
    unknown,
    "read"
  >(evm.getBlockByHash, { argument: 2, prefix })
    .lists("transactions", "uncles")
    .choosing<1, false, Evm.BlockBy<Evm.Mined & Block>>(),
  /** Block by height or tag; null if it does not exist yet. */
  getBlockByNumber: dual<
    [block: Evm.Block, includeTransactions?: boolean, native?: boolean],
    unknown,
    "read"
  >(evm.getBlockByNumber, { argument: 2, prefix })
    .lists("transactions", "uncles")
    .choosing<1, true, Evm.BlockBy<Block>>(),
  /** Receipts of all transactions of a block; null if it does not exist yet. */
  getBlockReceipts: dual<[block: Evm.Block, native?: boolean], unknown, "read">(evm.getBlockReceipts, {
    argument: 1,
    prefix
  }).choosing<1, false, ByName<ReadonlyArray<Evm.Receipt> | null, ReadonlyArray<Receipt> | null>>(),
  /** Number of transactions of a block, as 0x string; null if unknown. */
  getBlockTransactionCountByHash: dual<[blockHash: Evm.HexInput, native?: boolean], Evm.Hex | null, "read">(
    evm.getBlockTransactionCountByHash,
    { argument: 1, prefix }
  ),
  /** Number of transactions of a block, as 0x string; null if it does not exist yet. */
  getBlockTransactionCountByNumber: dual<[block: Evm.Block, native?: boolean], Evm.Hex | null, "read">(
    evm.getBlockTransactionCountByNumber,
    { argument: 1, prefix }
  ),
  /** Transaction by hash; null if unknown. */
  getTransactionByHash: dual<[transactionHash: Evm.HexInput, native?: boolean], unknown, "read">(
    evm.getTransactionByHash,
    { argument: 1, prefix }
  ).choosing<1, false, ByName<Evm.Transaction | null, Transaction | null>>(),
  /** Transaction by its place in a block; null if there is none. */
  getTransactionByBlockHashAndIndex: dual<
    [blockHash: Evm.HexInput, index: Evm.Quantity, native?: boolean],
    unknown,
    "read"
  >(evm.getTransactionByBlockHashAndIndex, { argument: 2, prefix }).choosing<
    2,
    false,
    ByName<Evm.Transaction | null, Transaction | null>
  >(),
  /** Transaction by its place in a block; null if there is none. */
  getTransactionByBlockNumberAndIndex: dual<
    [block: Evm.Block, index: Evm.Quantity, native?: boolean],
    unknown,
    "read"
  >(evm.getTransactionByBlockNumberAndIndex, { argument: 2, prefix }).choosing<
    2,
    false,
    ByName<Evm.Transaction | null, Transaction | null>
  >(),
  /** Receipt of a mined transaction; null while it is not. */
  getTransactionReceipt: dual<[transactionHash: Evm.HexInput, native?: boolean], unknown, "read">(
    evm.getTransactionReceipt,
    { argument: 1, prefix }
  )
    .lists("logs")
    .choosing<1, false, ByName<Evm.Receipt | null, Receipt | null>>(),
  /** Logs that match a filter. */
  getLogs: dual<[filter: Evm.LogFilter, native?: boolean], ReadonlyArray<Evm.Log>, "read">(evm.getLogs, {
    argument: 1,
    prefix
  }).lists(),
  /** Sends a signed transaction, and yields its hash. Safe to repeat. */
  sendRawTransaction: dual<[signedTransaction: Evm.HexInput, native?: boolean], Evm.Hex, "broadcast">(
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
export const endpoints: Omit<typeof Evm.endpoints, keyof typeof nativeMethods> & typeof nativeMethods = group(
  Evm.dialect,
  {
    ...evm,
    ...nativeMethods
  }
)

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
