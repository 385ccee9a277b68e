/**
 * Ethereum and the chains that speak its JSON-RPC (execution-apis; debug_ and trace_ as in Geth, Erigon and
 * OpenEthereum). Quantities that are worth computing with arrive as `bigint`; the fields of blocks, transactions and
 * receipts stay the 0x strings of the wire.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import {
  type ChainCheck,
  type Family,
  type FamilyAccounts,
  type FamilyNodes,
  fieldAt,
  type ReadNativeBalances,
  rpcProbe
} from "../balancer/Family.js"
import { group, rpc } from "../data/Endpoint.js"
import { rightOf } from "../data/eitherValues.js"
import { type RpcCallError, TransactionDropped, type TransactionFailed } from "../data/SdkError.js"
import type { Client, MakeMethods, RawRpc, WithAnswers } from "../transport/Client.js"
import {
  blockNumber,
  dialect,
  getBlockByNumber,
  getTransactionByHash,
  getTransactionCount,
  getTransactionReceipt,
  makeHeldBlockCall,
  quantity
} from "./evm/endpoints.js"
import type { BlockBy, Hex, HexInput, Log, Mined, Receipt, Transaction } from "./evm/Types.js"
import { table } from "./evm/table.js"
import {
  type CheckOutcome,
  makeOutcomeCheck,
  pollUntilConfirmed,
  type SeenTransaction,
  type WaitError,
  type WaitOptions
} from "./internal/Confirmation.js"
import { explainFailure } from "./internal/revertReason.js"

export { classify, dialect, makeHeldBlockCall, needsArchive, quantity } from "./evm/endpoints.js"
export type * from "./evm/Types.js"

/**
 * The endpoints of every EVM chain.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof table = /*#__PURE__*/ group(dialect, table)

/**
 * The errors of waiting for a transaction of an EVM chain.
 *
 * @since 0.1.0
 * @category errors
 */
export type EvmWaitError = WaitError | TransactionDropped | TransactionFailed<Receipt>

/**
 * The methods of the clients of EVM chains beside single calls.
 *
 * @since 0.1.0
 * @category clients
 */
export interface EvmComposed {
  /**
   * Receipt of a transaction once it is as deep as wanted, in the branch that the chain has kept. One that has failed is `TransactionFailed`,
   * unless `allowFailure` asks for its receipt.
   */
  readonly waitForTransaction: (
    transactionHash: HexInput,
    options?: WaitOptions
  ) => Effect.Effect<Receipt, EvmWaitError>
}

/** The calls by which a transaction is followed. */
const confirmationMethods = /*#__PURE__*/ group(dialect, {
  blockNumber,
  getBlockByNumber,
  getTransactionByHash,
  getTransactionCount,
  getTransactionReceipt
})

/**
 * Looks for a transaction. A receipt of a block that is not the chain's (any more) is none; a transaction that was there,
 * and is gone while its sender's nonce has moved on, will not come back.
 */
const checkTransaction = (
  rpc: Client<typeof confirmationMethods>,
  hash: HexInput
): Effect.Effect<SeenTransaction<Receipt> | undefined, RpcCallError | TransactionDropped> => {
  let known: Transaction | undefined
  const seen = (receipt: Receipt) =>
    Effect.map(
      Effect.all([rpc.blockNumber(), rpc.getBlockByNumber(receipt.blockNumber)], { concurrency: 2 }),
      ([head, mined]) =>
        mined?.hash === receipt.blockHash
          ? { transaction: receipt, confirmations: Number(head - BigInt(receipt.blockNumber)) + 1 }
          : undefined
    )
  const missing = Effect.gen(function* () {
    const transaction = yield* rpc.getTransactionByHash(hash)
    if (transaction !== null) {
      known = transaction
      return undefined
    }
    if (known === undefined) return undefined
    const nonce = yield* rpc.getTransactionCount(known.from, "latest")
    if (nonce <= BigInt(known.nonce)) return undefined
    // it may have been mined between the questions
    const receipt = yield* rpc.getTransactionReceipt(hash)
    if (receipt !== null) return yield* seen(receipt)
    const reason = `another transaction of ${known.from} has its nonce, ${BigInt(known.nonce)}`
    return yield* new TransactionDropped({ hash, reason })
  })
  return Effect.flatMap(rpc.getTransactionReceipt(hash), (receipt) =>
    receipt === null ? missing : seen(receipt)
  )
}

/** Receipts from before Byzantium (`root` in place of `status`) do not tell whether the transaction has failed. */
const makeReceiptCheck = (methods: MakeMethods): CheckOutcome<Receipt, TransactionFailed<Receipt>> =>
  makeOutcomeCheck(
    ({ status }) =>
      typeof status === "string" && /^0x0+$/.test(status) ? { reason: "it was reverted" } : undefined,
    (receipt, failure) => explainFailure(methods, receipt, failure)
  )

/**
 * Makes the methods of the clients of EVM chains beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (methods: MakeMethods): EvmComposed => {
  const rpc = methods(confirmationMethods)
  const checkOutcome = makeReceiptCheck(methods)
  return {
    waitForTransaction: (hash, options = {}) =>
      pollUntilConfirmed(hash, options, checkTransaction(rpc, hash), checkOutcome)
  }
}

/**
 * The JSON-RPC client of an EVM chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface EvmRpc extends Client<typeof endpoints>, RawRpc, EvmComposed {}

/**
 * The answers with fields of a chain's own: its transactions, its receipts, and what its blocks and logs have besides.
 *
 * @since 0.1.0
 * @category types
 */
export interface Answers<T, R, More = unknown, L = Log> {
  readonly getBlockByHash: BlockBy<Mined & More, T>
  readonly getBlockByNumber: BlockBy<More, T>
  readonly getBlockReceipts: ReadonlyArray<R> | null
  readonly getLogs: ReadonlyArray<L>
  readonly getTransactionByBlockHashAndIndex: T | null
  readonly getTransactionByBlockNumberAndIndex: T | null
  readonly getTransactionByHash: T | null
  readonly getTransactionReceipt: R | null
  readonly sendRawTransactionSync: R
  readonly waitForTransaction: R
}

/**
 * A transaction of an OP stack chain. One that comes from L1 (type 0x7e) has its source, and what it mints (wei).
 *
 * @since 0.1.0
 * @category types
 */
export interface OpTransaction extends Transaction {
  readonly sourceHash?: Hex
  readonly mint?: Hex
  readonly isSystemTx?: boolean
  readonly depositReceiptVersion?: Hex
}

/**
 * A receipt of an OP stack chain: with the fee of L1 (wei) and what it comes from, which upgrades of the chain have changed, and
 * with the nonce of a deposit. `l1FeeScalar` is a decimal fraction, and gone since Ecotone.
 *
 * @since 0.1.0
 * @category types
 */
export interface OpReceipt extends Receipt {
  readonly l1Fee?: Hex
  readonly l1GasPrice?: Hex
  readonly l1GasUsed?: Hex
  readonly l1FeeScalar?: string | null
  readonly l1BaseFeeScalar?: Hex
  readonly l1BlobBaseFee?: Hex
  readonly l1BlobBaseFeeScalar?: Hex
  readonly operatorFeeConstant?: Hex
  readonly operatorFeeScalar?: Hex
  readonly daFootprintGasScalar?: Hex
  readonly depositNonce?: Hex
  readonly depositReceiptVersion?: Hex
}

/**
 * A transaction of an Arbitrum chain. Those between its layers (types 0x64 to 0x69) have fields of retryable tickets. Amounts are
 * in wei.
 *
 * @since 0.1.0
 * @category types
 */
export interface ArbitrumTransaction extends Transaction {
  readonly requestId?: Hex
  readonly ticketId?: Hex
  readonly maxRefund?: Hex
  readonly submissionFeeRefund?: Hex
  readonly refundTo?: Hex
  readonly l1BaseFee?: Hex
  readonly depositValue?: Hex
  readonly retryTo?: Hex | null
  readonly retryValue?: Hex
  readonly retryData?: Hex
  readonly beneficiary?: Hex
  readonly maxSubmissionFee?: Hex
}

/**
 * A receipt of an Arbitrum chain: with the part of the gas that pays for L1, and the block of L1 that its block saw.
 *
 * @since 0.1.0
 * @category types
 */
export interface ArbitrumReceipt extends Receipt {
  readonly gasUsedForL1: Hex
  readonly l1BlockNumber: Hex
  readonly timeboosted?: boolean
}

/**
 * What a block of an Arbitrum chain has besides: the block of L1 that it saw, and the number and the root of the messages to L1.
 *
 * @since 0.1.0
 * @category types
 */
export interface ArbitrumBlock {
  readonly l1BlockNumber: Hex
  readonly sendCount: Hex
  readonly sendRoot: Hex
}

/**
 * The answers of rollups with fields of their own, by the stack that the table of networks says.
 *
 * @since 0.1.0
 * @category types
 */
export interface RollupAnswers {
  readonly op: Answers<OpTransaction, OpReceipt>
  readonly arbitrum: Answers<ArbitrumTransaction, ArbitrumReceipt, ArbitrumBlock>
}

/**
 * The JSON-RPC client of an OP stack chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface OpRpc extends WithAnswers<EvmRpc, RollupAnswers["op"]> {}

/**
 * The JSON-RPC client of an Arbitrum chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface ArbitrumRpc extends WithAnswers<EvmRpc, RollupAnswers["arbitrum"]> {}

/**
 * The clients of rollups, by the stack that the table of networks says.
 *
 * @since 0.1.0
 * @category types
 */
export interface Rollups {
  readonly op: OpRpc
  readonly arbitrum: ArbitrumRpc
}

/**
 * How nodes of an EVM chain are asked for their chain.
 *
 * @since 0.1.0
 * @category families
 */
export const chain: ChainCheck = {
  verb: "POST",
  path: "",
  body: { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] },
  chainIn: (answer) => {
    const id = fieldAt("result")(answer)
    if (typeof id !== "string") return undefined
    const number = Number(id)
    return Number.isNaN(number) ? id : String(number)
  }
}

/** Up to this many balances are asked for one by one: a batch is the last resort of some nodes. */
const MAX_SINGLE_CALLS = 2

const pendingBalance = /*#__PURE__*/ group(dialect, {
  balance: /*#__PURE__*/ rpc<[address: string], bigint>("eth_getBalance")
    .params((address) => [address, "pending"])
    .decode(quantity)
})

/** Balances with the transactions of the pool, in wei. An address without a balance in the batch is asked for by itself. */
const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const nodes = client(pendingBalance)
  if (addresses.length <= MAX_SINGLE_CALLS)
    return Effect.forEach(addresses, (address) => nodes.balance(address), { concurrency: MAX_SINGLE_CALLS })
  const bodies = addresses.map((address) => ({ method: "eth_getBalance", params: [address, "pending"] }))
  return Effect.flatMap(nodes.rawBatchRpcCall(bodies), (items) =>
    Effect.forEach(addresses, (address, i) => {
      const item = items[i]
      const balance = item && Either.isRight(item) ? rightOf(item) : undefined
      return typeof balance === "string" && /^0x[0-9a-f]+$/i.test(balance)
        ? Effect.succeed(BigInt(balance))
        : nodes.balance(address)
    })
  )
}

const probe = () => rpcProbe("eth_blockNumber", [], [])

/**
 * How nodes are checked that speak the JSON-RPC of EVM chains.
 *
 * @since 0.1.0
 * @category families
 */
export const checks = { chain, makeHasBlockCall: makeHeldBlockCall, probe } satisfies FamilyNodes

/**
 * How nodes are checked that speak the JSON-RPC of EVM chains, also those of families with endpoints of their own, and the methods
 * besides.
 *
 * @since 0.1.0
 * @category families
 */
export const nodes = { chain, makeHasBlockCall: makeHeldBlockCall, probe, composed } satisfies FamilyNodes

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^0x[0-9a-fA-F]{40}$/, "0x and 40 hexadecimal digits"],
  nativeBalances
} satisfies FamilyAccounts

/**
 * The family of the EVM chains.
 *
 * @since 0.1.0
 * @category families
 */
export const evm: Family<typeof endpoints, EvmRpc> = {
  endpoints,
  chain,
  makeHasBlockCall: makeHeldBlockCall,
  probe,
  composed
}
