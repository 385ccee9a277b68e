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
  at,
  type ChainCheck,
  type Family,
  type FamilyAccounts,
  type FamilyNodes,
  type Holds,
  type NativeBalances,
  rpcProbe
} from "../balancer/Family.js"
import {
  type Choice,
  type Dialect,
  type Fault,
  group,
  type PastBlock,
  Refused,
  rpc
} from "../data/Endpoint.js"
import { isRecord, shown } from "../data/foreign.js"
import { numberIntegers } from "../data/integers.js"
import { TransactionDropped } from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import type { Answering, Client, MakeClient, RawRpc } from "../transport/Client.js"
import { decodeRpc, nextId } from "../wire/jsonRpc.js"
import { confirmed, type Seen, type WaitError, type WaitOptions } from "./internal/Confirmation.js"
import { standard } from "./internal/faults.js"

/**
 * Bytes or a quantity as nodes give it: hexadecimal with 0x. It is the type that viem and ox have for it.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = `0x${string}`

/**
 * Bytes or a quantity as an argument: the same text, of any string type, so that nobody needs a cast.
 *
 * @since 0.1.0
 * @category types
 */
export type HexInput = string

/**
 * A block: a tag, a height (number, bigint, or 0x string), or a hash as in EIP-1898.
 *
 * @since 0.1.0
 * @category types
 */
export type Block =
  | "latest"
  | "pending"
  | "earliest"
  | "safe"
  | "finalized"
  | number
  | bigint
  | (string & {})
  | { readonly blockHash: HexInput; readonly requireCanonical?: boolean }

/**
 * A quantity as an argument: a number or bigint is sent as 0x string.
 *
 * @since 0.1.0
 * @category types
 */
export type Quantity = HexInput | number | bigint

/**
 * A call or transaction as `eth_call` and `eth_estimateGas` take it. Amounts are in wei.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionRequest {
  readonly from?: HexInput
  readonly to?: HexInput
  readonly gas?: Quantity
  readonly gasPrice?: Quantity
  readonly maxFeePerGas?: Quantity
  readonly maxPriorityFeePerGas?: Quantity
  readonly maxFeePerBlobGas?: Quantity
  readonly value?: Quantity
  readonly data?: HexInput
  readonly input?: HexInput
  readonly nonce?: Quantity
  readonly type?: Quantity
  readonly chainId?: Quantity
  readonly accessList?: ReadonlyArray<AccessListItem<HexInput>>
  readonly blobVersionedHashes?: ReadonlyArray<HexInput>
  readonly authorizationList?: ReadonlyArray<Authorization<HexInput, Quantity>>
}

/**
 * An address and the storage slots of it that a transaction touches (EIP-2930).
 *
 * @since 0.1.0
 * @category types
 */
export interface AccessListItem<H = Hex> {
  readonly address: H
  readonly storageKeys: ReadonlyArray<H>
}

/**
 * The signed permission of an account that its code be that of a contract (EIP-7702). A `chainId` of 0 is any chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface Authorization<H = Hex, Q = Hex> {
  readonly chainId: Q
  readonly address: H
  readonly nonce: Q
  readonly yParity: Q
  readonly r: H
  readonly s: H
}

/**
 * A transaction as nodes give it. `blockHash`, `blockNumber` and `transactionIndex` are null while it is pending.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly hash: Hex
  readonly blockHash: Hex | null
  readonly blockNumber: Hex | null
  readonly blockTimestamp?: Hex | null
  readonly transactionIndex: Hex | null
  readonly from: Hex
  readonly to: Hex | null
  readonly nonce: Hex
  readonly gas: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly maxFeePerBlobGas?: Hex
  readonly value: Hex
  readonly input: Hex
  readonly type: Hex
  readonly chainId?: Hex
  readonly accessList?: ReadonlyArray<AccessListItem>
  readonly blobVersionedHashes?: ReadonlyArray<Hex>
  readonly authorizationList?: ReadonlyArray<Authorization>
  readonly v: Hex
  readonly r: Hex
  readonly s: Hex
  readonly yParity?: Hex
}

/**
 * The header of a block as nodes give it. `number`, `hash`, `nonce`, `miner` and `logsBloom` are null in a pending block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly number: Hex | null
  readonly hash: Hex | null
  readonly parentHash: Hex
  readonly nonce: Hex | null
  readonly sha3Uncles: Hex
  readonly logsBloom: Hex | null
  readonly transactionsRoot: Hex
  readonly stateRoot: Hex
  readonly receiptsRoot: Hex
  readonly miner: Hex | null
  readonly difficulty?: Hex
  readonly totalDifficulty?: Hex | null
  readonly extraData: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly timestamp: Hex
  readonly mixHash?: Hex
  readonly baseFeePerGas?: Hex
  readonly withdrawalsRoot?: Hex
  readonly blobGasUsed?: Hex
  readonly excessBlobGas?: Hex
  readonly parentBeaconBlockRoot?: Hex
  readonly requestsHash?: Hex
  readonly blockAccessListHash?: Hex
}

/**
 * The fields that no mined block lacks.
 *
 * @since 0.1.0
 * @category types
 */
export interface Mined {
  readonly number: Hex
  readonly hash: Hex
  readonly nonce: Hex
  readonly logsBloom: Hex
  readonly miner: Hex
}

/**
 * A block as nodes give it. `transactions` holds whole ones where they were asked for (`Full`), else their hashes.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockResult<Full extends boolean = boolean, T = Transaction> extends BlockHeader {
  readonly size: Hex
  readonly withdrawals?: ReadonlyArray<Withdrawal>
  readonly transactions: Full extends true ? ReadonlyArray<T> : ReadonlyArray<Hex>
  readonly uncles: ReadonlyArray<Hex>
}

/**
 * An uncle as nodes give it: the header of a block that is not part of the chain. Geth leaves out `transactions`, of which nodes
 * have none.
 *
 * @since 0.1.0
 * @category types
 */
export interface UncleResult extends BlockHeader {
  readonly size: Hex
  readonly transactions?: ReadonlyArray<Hex>
  readonly uncles: ReadonlyArray<Hex>
}

/**
 * The block that a call yields, by its flag for whole transactions (`T`), with more fields (`More`); null if there is none.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockBy<More = unknown, T = Transaction> extends Choice<boolean> {
  readonly answer: (BlockResult<this["choice"], T> & More) | null
}

/**
 * A withdrawal of a validator (EIP-4895). `amount` is in gwei.
 *
 * @since 0.1.0
 * @category types
 */
export interface Withdrawal {
  readonly index: Hex
  readonly validatorIndex: Hex
  readonly address: Hex
  readonly amount: Hex
}

/**
 * An event that a contract has emitted. The places in blocks and transactions are null while it is pending. `topics` is a tuple
 * as viem has it, so that a log goes into `decodeEventLog`.
 *
 * @since 0.1.0
 * @category types
 */
export interface Log {
  readonly address: Hex
  readonly topics: [] | [signature: Hex, ...indexed: Array<Hex>]
  readonly data: Hex
  readonly blockNumber: Hex | null
  readonly blockHash: Hex | null
  readonly blockTimestamp?: Hex
  readonly transactionHash: Hex | null
  readonly transactionIndex: Hex | null
  readonly logIndex: Hex | null
  readonly removed: boolean
}

/**
 * The outcome of a mined transaction. `status` is 0x1 for success, 0x0 for a revert (EIP-658). Newer nodes give the time of the
 * block besides (seconds since 1970).
 *
 * @since 0.1.0
 * @category types
 */
export interface Receipt<L = Log> {
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly contractAddress: Hex | null
  readonly cumulativeGasUsed: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly blobGasUsed?: Hex
  readonly blobGasPrice?: Hex
  readonly logs: ReadonlyArray<L>
  readonly logsBloom: Hex
  readonly type: Hex
  readonly status?: Hex
  readonly root?: Hex
  readonly blockTimestamp?: Hex
}

/**
 * A choice of logs. A topic may be null (any) or a list (any of these).
 *
 * @since 0.1.0
 * @category types
 */
export interface LogFilter {
  readonly fromBlock?: Block
  readonly toBlock?: Block
  readonly blockHash?: HexInput
  readonly address?: HexInput | ReadonlyArray<HexInput>
  readonly topics?: ReadonlyArray<HexInput | null | ReadonlyArray<HexInput>>
}

/**
 * An account and storage slots with their Merkle proofs (EIP-1186).
 *
 * @since 0.1.0
 * @category types
 */
export interface Proof {
  readonly address: Hex
  readonly accountProof: ReadonlyArray<Hex>
  readonly balance: Hex
  readonly codeHash: Hex
  readonly nonce: Hex
  readonly storageHash: Hex
  readonly storageProof: ReadonlyArray<{
    readonly key: Hex
    readonly value: Hex
    readonly proof: ReadonlyArray<Hex>
  }>
}

/**
 * The progress of a node's synchronisation; `false` when it is done.
 *
 * @since 0.1.0
 * @category types
 */
export type Syncing =
  | false
  | { readonly startingBlock?: Hex; readonly currentBlock?: Hex; readonly highestBlock?: Hex }

/**
 * Base fees (wei) of a range of blocks, one more than the blocks asked for, and the priority fees at the percentiles.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeHistory {
  readonly oldestBlock: Hex
  readonly baseFeePerGas: ReadonlyArray<Hex>
  readonly gasUsedRatio: ReadonlyArray<number>
  readonly baseFeePerBlobGas?: ReadonlyArray<Hex>
  readonly blobGasUsedRatio?: ReadonlyArray<number>
  readonly reward?: ReadonlyArray<ReadonlyArray<Hex>>
}

/**
 * The access list that would make a call cheaper, and the cost of the call with it (gas).
 *
 * @since 0.1.0
 * @category types
 */
export interface AccessListResult {
  readonly accessList: ReadonlyArray<AccessListItem>
  readonly gasUsed: Hex
  readonly error?: string
}

/**
 * What a block has touched (EIP-7928), by account. An `index` is that of a transaction, from 1; 0 is before the first one.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountAccess {
  readonly address: Hex
  readonly storageChanges?: ReadonlyArray<{
    readonly key: Hex
    readonly changes: ReadonlyArray<{ readonly index: Hex; readonly value: Hex }>
  }>
  readonly storageReads?: ReadonlyArray<Hex>
  readonly balanceChanges?: ReadonlyArray<{ readonly index: Hex; readonly value: Hex }>
  readonly nonceChanges?: ReadonlyArray<{ readonly index: Hex; readonly value: Hex }>
  readonly codeChanges?: ReadonlyArray<{ readonly index: Hex; readonly code: Hex }>
}

/**
 * A fork of a chain, from its activation (seconds since 1970) on (EIP-7910).
 *
 * @since 0.1.0
 * @category types
 */
export interface ForkConfig {
  readonly activationTime: number
  readonly blobSchedule: {
    readonly baseFeeUpdateFraction: number
    readonly max: number
    readonly target: number
  }
  readonly chainId: Hex
  readonly forkId: Hex
  readonly precompiles: Readonly<Record<string, Hex>>
  readonly systemContracts: Readonly<Record<string, Hex>>
}

/**
 * The current fork of a chain, the next one and the last one that a node knows of; null if there is none.
 *
 * @since 0.1.0
 * @category types
 */
export interface ForkConfigs {
  readonly current: ForkConfig
  readonly next: ForkConfig | null
  readonly last: ForkConfig | null
}

/**
 * The data of a sort that a node has: from `oldestBlock` on, unless it is disabled; `window` keeps the newest blocks only.
 *
 * @since 0.1.0
 * @category types
 */
export interface Capability {
  readonly disabled: boolean
  readonly oldestBlock?: Hex
  readonly deleteStrategy?: { readonly type: "window"; readonly retentionBlocks: Hex }
}

/**
 * The data that a node has.
 *
 * @since 0.1.0
 * @category types
 */
export interface Capabilities {
  readonly head: { readonly number: Hex; readonly hash: Hex }
  readonly state: Capability
  readonly tx: Capability
  readonly logs: Capability
  readonly receipts: Capability
  readonly blocks: Capability
  readonly stateproofs: Capability
}

/**
 * A transaction whose missing fields the node has filled in: as bytes (`raw`) and as fields, without a signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface FilledTransaction {
  readonly raw: Hex
  readonly tx: Partial<Transaction>
}

/**
 * An account as a call shall see it: `state` replaces all of its storage, `stateDiff` some slots.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountOverride {
  readonly nonce?: Quantity
  readonly balance?: Quantity
  readonly code?: HexInput
  readonly state?: Readonly<Record<HexInput, HexInput>>
  readonly stateDiff?: Readonly<Record<HexInput, HexInput>>
  readonly movePrecompileToAddress?: HexInput
}

/**
 * Accounts as calls shall see them, by address.
 *
 * @since 0.1.0
 * @category types
 */
export type StateOverrides = Readonly<Record<HexInput, AccountOverride>>

/**
 * The fields of a block as calls shall see them. `time` is in seconds, prices are in wei.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockOverrides {
  readonly number?: Quantity
  readonly prevRandao?: Quantity
  readonly time?: Quantity
  readonly gasLimit?: Quantity
  readonly feeRecipient?: HexInput
  readonly baseFeePerGas?: Quantity
  readonly blobBaseFee?: Quantity
  readonly withdrawals?: ReadonlyArray<{
    readonly index: Quantity
    readonly validatorIndex: Quantity
    readonly address: HexInput
    readonly amount: Quantity
  }>
}

/**
 * Blocks of calls that build on each other. With `validation` the calls must be able to be transactions, and with
 * `traceTransfers` transfers of the native coin are logs of the address 0xeeee….
 *
 * @since 0.1.0
 * @category types
 */
export interface Simulation {
  readonly blockStateCalls: ReadonlyArray<{
    readonly blockOverrides?: BlockOverrides
    readonly stateOverrides?: StateOverrides
    readonly calls?: ReadonlyArray<TransactionRequest>
  }>
  readonly traceTransfers?: boolean
  readonly validation?: boolean
  readonly returnFullTransactions?: boolean
}

/**
 * The outcome of a simulated call. `status` is 0x1 for success; a failed call has an `error` (code 3: reverted, -32015: the
 * EVM could not go on) in place of logs.
 *
 * @since 0.1.0
 * @category types
 */
export interface SimulatedCall {
  readonly status: Hex
  readonly returnData: Hex
  readonly gasUsed: Hex
  readonly maxUsedGas?: Hex
  readonly logs?: ReadonlyArray<Log>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Hex }
}

/**
 * A simulated block, with the outcomes of its calls.
 *
 * @since 0.1.0
 * @category types
 */
export type SimulatedBlock<Full extends boolean = boolean> = BlockResult<Full> &
  Mined & { readonly calls: ReadonlyArray<SimulatedCall> }

/**
 * The blocks of a simulation, by its `returnFullTransactions`.
 *
 * @since 0.1.0
 * @category types
 */
export interface SimulationBy extends Choice {
  readonly answer: ReadonlyArray<SimulatedBlock<FullIn<this["choice"]>>>
}

/** Whether the answer to a simulation has whole transactions. */
type FullIn<S> = S extends { readonly returnFullTransactions: infer Full extends boolean }
  ? Full
  : "returnFullTransactions" extends keyof S
    ? boolean
    : false

/**
 * The gas of a user operation (ERC-4337).
 *
 * @since 0.1.0
 * @category types
 */
export interface UserOperationGas<Q = Hex> {
  readonly preVerificationGas: Q
  readonly verificationGasLimit: Q
  readonly callGasLimit: Q
  readonly paymasterVerificationGasLimit?: Q | null
  readonly paymasterPostOpGasLimit?: Q | null
}

/**
 * A user operation of ERC-4337 without its gas: with `initCode` and `paymasterAndData` of entry point 0.6, or with `factory`,
 * `paymaster` and their data of 0.7 and later.
 *
 * @since 0.1.0
 * @category types
 */
export interface UserOperationCall<H = Hex, Q = Hex> {
  readonly sender: H
  readonly nonce: Q
  readonly initCode?: H
  readonly factory?: H | null
  readonly factoryData?: H | null
  readonly callData: H
  readonly maxFeePerGas?: Q
  readonly maxPriorityFeePerGas?: Q
  readonly paymaster?: H | null
  readonly paymasterData?: H | null
  readonly paymasterAndData?: H
  readonly paymasterSignature?: H | null
  readonly signature: H
  readonly eip7702Auth?: Authorization<H, Q> | null
}

/**
 * A whole user operation.
 *
 * @since 0.1.0
 * @category types
 */
export type UserOperation<H = Hex, Q = Hex> = UserOperationCall<H, Q> & UserOperationGas<Q>

/**
 * A user operation, and its place on the chain; null while it has none.
 *
 * @since 0.1.0
 * @category types
 */
export interface FoundUserOperation {
  readonly userOperation: UserOperation & {
    readonly maxFeePerGas: Hex
    readonly maxPriorityFeePerGas: Hex
  }
  readonly entryPoint: Hex
  readonly blockNumber: Hex | null
  readonly blockHash: Hex | null
  readonly transactionHash: Hex | null
}

/**
 * The outcome of a user operation: its own logs, and the receipt of the bundle that it was in. `actualGasCost` is in wei.
 *
 * @since 0.1.0
 * @category types
 */
export interface UserOperationReceipt {
  readonly userOpHash: Hex
  readonly entryPoint: Hex
  readonly sender: Hex
  readonly nonce: Hex
  readonly paymaster?: Hex | null
  readonly actualGasCost: Hex
  readonly actualGasUsed: Hex
  readonly success: boolean
  readonly reason?: string | null
  readonly logs: ReadonlyArray<Log>
  readonly receipt: Receipt
}

/**
 * Options of the debug_ tracers (Geth). Without `tracer` the node logs every opcode, to which `disable…`, `enable…` and `limit`
 * belong. A tracer may also be the JavaScript of one; `timeout` is a duration such as `"5s"`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TraceOptions {
  readonly tracer?: keyof TracerResults | "muxTracer" | (string & {})
  readonly tracerConfig?: Readonly<Record<string, unknown>>
  readonly timeout?: string
  readonly reexec?: number
  readonly limit?: number
  readonly disableStorage?: boolean
  readonly disableStack?: boolean
  readonly enableMemory?: boolean
  readonly enableReturnData?: boolean
}

/**
 * Options of tracing a call: those of tracers, and what the call shall see.
 *
 * @since 0.1.0
 * @category types
 */
export interface TraceCallOptions extends TraceOptions {
  readonly stateOverrides?: StateOverrides
  readonly blockOverrides?: BlockOverrides
  readonly txIndex?: Quantity
}

/**
 * One opcode of a transaction, and the state before it. Nodes older than the specification (Geth 1.16) leave out the 0x of
 * `memory` and `storage`.
 *
 * @since 0.1.0
 * @category types
 */
export interface StructLog {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly error?: string
  readonly refund?: number
  readonly stack?: ReadonlyArray<Hex>
  readonly memory?: ReadonlyArray<Hex>
  readonly returnData?: Hex
  readonly storage?: Readonly<Record<Hex, Hex>>
}

/**
 * The opcodes of a transaction, as a node logs them without a tracer. `gas` is what was used.
 *
 * @since 0.1.0
 * @category types
 */
export interface OpcodeTrace {
  readonly gas: number
  readonly failed: boolean
  readonly returnValue: Hex
  readonly structLogs: ReadonlyArray<StructLog>
}

/**
 * A call with the calls that it made (`callTracer`). `type` is the opcode; logs are there with `tracerConfig: { withLog: true }`.
 *
 * @since 0.1.0
 * @category types
 */
export interface CallFrame {
  readonly type: string
  readonly from: Hex
  readonly to?: Hex
  readonly value?: Hex
  readonly gas: Hex
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly revertReason?: string
  readonly calls?: ReadonlyArray<CallFrame>
  readonly logs?: ReadonlyArray<{
    readonly address: Hex
    readonly topics: [] | [signature: Hex, ...indexed: Array<Hex>]
    readonly data: Hex
    readonly index?: Hex
    readonly position?: Hex
  }>
}

/**
 * The parts of accounts that a transaction needs (`prestateTracer`), by address.
 *
 * @since 0.1.0
 * @category types
 */
export type Prestate = Readonly<
  Record<
    Hex,
    {
      readonly balance?: Hex
      readonly nonce?: number
      readonly code?: Hex
      readonly codeHash?: Hex
      readonly storage?: Readonly<Record<Hex, Hex>>
    }
  >
>

/**
 * The parts of accounts that a transaction changes, before and after it (`prestateTracer` with `diffMode`).
 *
 * @since 0.1.0
 * @category types
 */
export interface PrestateDiff {
  readonly pre: Prestate
  readonly post: Prestate
}

/**
 * The results of the tracers that nodes have built in. Calls of `4byteTracer` are counted by selector and size of the arguments.
 *
 * @since 0.1.0
 * @category types
 */
export interface TracerResults {
  readonly callTracer: CallFrame
  readonly flatCallTracer: ReadonlyArray<Trace>
  readonly prestateTracer: Prestate
  readonly "4byteTracer": Readonly<Record<`0x${string}-${number}`, number>>
  readonly noopTracer: Readonly<Record<string, never>>
}

/**
 * The result of tracing by options: of a tracer of one's own it is unknown.
 *
 * @since 0.1.0
 * @category types
 */
export type TracedBy<O> = O extends {
  readonly tracerConfig: { readonly diffMode: true }
  readonly tracer: "prestateTracer"
}
  ? PrestateDiff
  : O extends { readonly tracer: keyof TracerResults }
    ? TracerResults[O["tracer"]]
    : "tracer" extends keyof O
      ? unknown
      : OpcodeTrace

/**
 * The trace of a transaction, by the options.
 *
 * @since 0.1.0
 * @category types
 */
export interface TraceBy extends Choice {
  readonly answer: TracedBy<this["choice"]>
}

/**
 * The trace of a transaction of a block: a result, or the error in its place.
 *
 * @since 0.1.0
 * @category types
 */
export interface TracedTransaction<A = unknown> {
  readonly txHash: Hex
  readonly result?: A
  readonly error?: string
}

/**
 * The traces of a block's transactions, by the options.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTracesBy extends Choice {
  readonly answer: ReadonlyArray<TracedTransaction<TracedBy<this["choice"]>>>
}

/**
 * A block that a node has refused, and its bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface BadBlock {
  readonly hash: Hex
  readonly block: BlockResult<true>
  readonly rlp: Hex
}

/**
 * Slots of a contract's storage by the hashes of their keys, and the hash from which the next page begins.
 *
 * @since 0.1.0
 * @category types
 */
export interface StorageRange {
  readonly storage: Readonly<Record<Hex, { readonly key: Hex | null; readonly value: Hex }>>
  readonly nextKey: Hex | null
}

/**
 * The trace_ outputs that a node shall make.
 *
 * @since 0.1.0
 * @category types
 */
export type TraceType = "trace" | "vmTrace" | "stateDiff"

/**
 * The place of a step in its transaction (`traceAddress`: the way from the top), and that of the transaction in the chain, which
 * simulated ones lack. A failed step has an `error` and no result.
 *
 * @since 0.1.0
 * @category types
 */
export interface TracePlace {
  readonly error?: string
  readonly subtraces: number
  readonly traceAddress: ReadonlyArray<number>
  readonly blockHash?: Hex
  readonly blockNumber?: number
  readonly transactionHash?: Hex | null
  readonly transactionPosition?: number | null
}

/**
 * One step of a transaction in the flat trace format (OpenEthereum), told apart by `type`: a call, a contract made or destroyed,
 * or the reward of a block.
 *
 * @since 0.1.0
 * @category types
 */
export type Trace = TracePlace &
  (
    | {
        readonly type: "call"
        readonly action: {
          readonly callType: string
          readonly from: Hex
          readonly to: Hex
          readonly gas: Hex
          readonly input: Hex
          readonly value: Hex
        }
        readonly result?: { readonly gasUsed: Hex; readonly output: Hex } | null
      }
    | {
        readonly type: "create"
        readonly action: {
          readonly creationMethod?: string
          readonly from: Hex
          readonly gas: Hex
          readonly init: Hex
          readonly value: Hex
        }
        readonly result?: { readonly address: Hex; readonly code: Hex; readonly gasUsed: Hex } | null
      }
    | {
        readonly type: "suicide"
        readonly action: { readonly address: Hex; readonly balance: Hex; readonly refundAddress: Hex }
        readonly result?: null
      }
    | {
        readonly type: "reward"
        readonly action: { readonly author: Hex; readonly rewardType: string; readonly value: Hex }
        readonly result?: null
      }
  )

/**
 * The change of a value: none (`=`), from nothing (`+`), to nothing (`-`), or from one to another (`*`).
 *
 * @since 0.1.0
 * @category types
 */
export type StateChange =
  | "="
  | { readonly "+": Hex }
  | { readonly "-": Hex }
  | { readonly "*": { readonly from: Hex; readonly to: Hex } }

/**
 * The changes of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountChange {
  readonly balance: StateChange
  readonly code: StateChange
  readonly nonce: StateChange
  readonly storage: Readonly<Record<Hex, StateChange>>
}

/**
 * The opcodes of a call, with those of the calls that it made (`sub`). `ex` is what an opcode did: what it wrote and pushed, and
 * the gas that was left.
 *
 * @since 0.1.0
 * @category types
 */
export interface VmTrace {
  readonly code: Hex
  readonly ops: ReadonlyArray<{
    readonly cost: number
    readonly pc: number
    readonly op?: string
    readonly idx?: string
    readonly ex: {
      readonly mem: { readonly data: Hex; readonly off: number } | null
      readonly push: ReadonlyArray<Hex>
      readonly store: { readonly key: Hex; readonly val: Hex } | null
      readonly used: number
    } | null
    readonly sub: VmTrace | null
  }>
}

/**
 * The effects of a replayed call, in the outputs that were asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface TraceResult {
  readonly output: Hex
  readonly trace: ReadonlyArray<Trace> | null
  readonly stateDiff: Readonly<Record<Hex, AccountChange>> | null
  readonly vmTrace: VmTrace | null
  readonly transactionHash?: Hex
}

/**
 * The transactions that `trace_filter` looks for.
 *
 * @since 0.1.0
 * @category types
 */
export interface TraceFilter {
  readonly fromBlock?: Block
  readonly toBlock?: Block
  readonly fromAddress?: ReadonlyArray<HexInput>
  readonly toAddress?: ReadonlyArray<HexInput>
  readonly mode?: "union" | "intersection"
  readonly after?: number
  readonly count?: number
}

/**
 * Transactions waiting in a node's pool, by sender and nonce.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxPoolContent {
  readonly pending: Readonly<Record<Hex, Readonly<Record<string, Transaction>>>>
  readonly queued: Readonly<Record<Hex, Readonly<Record<string, Transaction>>>>
}

/**
 * The same as sentences.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxPoolInspect {
  readonly pending: Readonly<Record<Hex, Readonly<Record<string, string>>>>
  readonly queued: Readonly<Record<Hex, Readonly<Record<string, string>>>>
}

/**
 * The number of transactions that wait in a node's pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxPoolStatus {
  readonly pending: Hex
  readonly queued: Hex
}

const isQuantity = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-f]{1,256}$/i.test(value)

const hex = (value: Quantity, what: string): Hex => {
  if (
    typeof value === "bigint"
      ? value >= 0n
      : typeof value === "number" && Number.isSafeInteger(value) && value >= 0
  ) {
    return `0x${value.toString(16)}`
  }
  if (typeof value === "string") {
    if (isQuantity(value)) return value
    if (/^\d+$/.test(value)) return `0x${BigInt(value).toString(16)}`
  }
  throw new Error(`${what} must be a whole number from 0 or a 0x string, not ${shown(value, 200)}`)
}

const tags: ReadonlySet<unknown> = new Set(["latest", "pending", "earliest", "safe", "finalized"])

const block = (value: Block = "latest"): unknown =>
  tags.has(value) || typeof value === "object" ? value : hex(value, "the block")

const index = (value: Quantity): Hex => hex(value, "the index")

/** A request with its numbers, at any depth, as nodes take them: all of them are quantities. Texts are sent as they are. */
const encoded = (value: unknown, name = "value"): unknown =>
  typeof value === "number" || typeof value === "bigint"
    ? hex(value, `the ${name}`)
    : Array.isArray(value)
      ? value.map((item) => encoded(item, name))
      : isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([key, field]) => [key, encoded(field, key)]))
        : value

const filter = <F extends { readonly fromBlock?: Block; readonly toBlock?: Block }>(value: F): unknown => ({
  ...value,
  ...(value.fromBlock === undefined ? {} : { fromBlock: block(value.fromBlock) }),
  ...(value.toBlock === undefined ? {} : { toBlock: block(value.toBlock) })
})

/**
 * A quantity of the wire (0x string) as `bigint`; throws on anything else.
 *
 * @since 0.1.0
 * @category conversions
 */
export const quantity = (value: string): bigint => {
  if (!isQuantity(value)) {
    throw new Error(`a quantity was expected, not ${shown(value, 200)}`)
  }
  return BigInt(value)
}

/** The words of an eth_call reply. An empty one means that there is no contract, or none with this function. */
const words = (reply: string): string => {
  if (typeof reply !== "string" || !/^0x[0-9a-f]*$/i.test(reply)) throw new Error("a 0x string was expected")
  if (reply === "0x") throw new Refused("there is no contract with this function at the address")
  return reply.slice(2)
}

const uint = (reply: string): bigint => BigInt(`0x${words(reply).slice(0, 64)}`)

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

const bytes = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** A `string` of the contract ABI; or the `bytes32` that the first tokens (MKR, SAI) used in its place. */
const text = (reply: string): string => {
  const digits = words(reply)
  if (digits.length === 64) return utf8.decode(bytes(withoutTail(digits, "00")))
  const start = Number(BigInt(`0x${digits.slice(0, 64)}`)) * 2
  const size = digits.slice(start, start + 64)
  const length = size.length === 64 ? Number(BigInt(`0x${size}`)) * 2 : Number.NaN
  const content = digits.slice(start + 64, start + 64 + length)
  if (content.length !== length) throw new Refused("the contract's answer is not a string")
  return utf8.decode(bytes(content))
}

/** EIP-165: a contract that does not know supportsInterface supports nothing. */
const bool = (reply: string): boolean => reply !== "0x" && uint(reply) === 1n

/** A call of a token's function without arguments, by its selector. */
const tokenCall =
  (selector: string) =>
  (tokenAddress: HexInput): ReadonlyArray<unknown> => [{ to: tokenAddress, data: selector }, "latest"]

/** Position of the block among the parameters, of the methods that need history when it is not the latest. */
const historical: Readonly<Record<string, number>> = {
  getBalance: 1,
  getStorageAt: 2,
  getStorageValues: 1,
  getBlockByNumber: 0
}

const isPast = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && value !== "latest"

/**
 * Which calls belong on an archive node (specification, section 4): getCode, call, debug and trace methods always;
 * balance, storage, block-by-number and log queries when their block is not the latest.
 *
 * @since 0.1.0
 * @category getters
 */
export const needsArchive = (method: string, params: unknown): boolean => {
  const [space = "", name = ""] = method.split("_")
  if (space === "debug" || space === "trace" || name === "getCode" || name === "call") return true
  if (!Array.isArray(params)) return false
  if (name === "getLogs") {
    const [range] = params
    return typeof range === "object" && range !== null && (isPast(range.fromBlock) || isPast(range.toBlock))
  }
  const position = historical[name]
  return position !== undefined && isPast(params[position])
}

/** A block that is named by its number; the tags mean blocks at the head, which every node has, but for the first one. */
const numbered = (block: unknown): PastBlock | undefined => {
  const number =
    block === "earliest" ? 0 : typeof block === "string" && /^0x/.test(block) ? Number(block) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** Position of the block among the parameters, of methods that answer with nothing where they lack the data. */
const listing: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getLogs: 0,
  trace_block: 0,
  trace_filter: 0
}

/** The past block in which a call looks for something: of a range, the first one. */
const past = (method: string, params: unknown): PastBlock | undefined => {
  const position = listing[method]
  const value: unknown = position === undefined || !Array.isArray(params) ? undefined : params[position]
  if (typeof value !== "object" || value === null) return numbered(value)
  const { blockHash, fromBlock }: { readonly blockHash?: unknown; readonly fromBlock?: unknown } = value
  return typeof blockHash === "string" && blockHash.startsWith("0x")
    ? `0x${blockHash.slice(2)}`
    : numbered(fromBlock)
}

/**
 * Asks a node whether it holds a block: header and body, which nodes that have thrown their history away refuse or do not know.
 *
 * @since 0.1.0
 * @category getters
 */
export const holds: Holds = (block) => {
  const id = nextId()
  const method = typeof block === "number" ? "eth_getBlockByNumber" : "eth_getBlockByHash"
  const params = [typeof block === "number" ? `0x${block.toString(16)}` : block, false]
  const { parse } = numberIntegers
  return {
    label: method,
    repeat: "read",
    archive: false,
    gateway: false,
    verb: "POST",
    path: "",
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    decode: (reply) =>
      Either.map(
        decodeRpc(reply, { method, id, parse, numbers: [], decode: undefined, dialect }),
        (found) => found !== null
      )
  }
}

/**
 * Words of nodes and providers in their errors, in the order in which they count. The rest of a revert may be words of
 * the contract, so that nothing after it must decide.
 */
const said: ReadonlyArray<readonly [RegExp, Fault]> = [
  [/revert|vm:? (err|exc|exe)|(filter|subscription|type) not/i, "caller"],
  // the request itself takes the time, as it may on every node
  [/(execution|query|enabled).{0,12}time/i, "unclear"],
  [
    /rate.?limit|too many req|(requests?|credits) (count|limit)|quota|overload|busy|healthy|backend (?!resp)|timed? ?out|try again|temporar|shutting|initial sync|unauthor|authenti/i,
    "node"
  ],
  [
    /not (be |yet |currently )?(found|avail|canon|incl|enab)|n.t exist|(not |un)support|unavail|disabled|unknown block|no state|missing trie|prun|archive|historical|indexing|older than|of ?range|beyond|unfinal|window|is full/i,
    "elsewhere"
  ],
  // the transaction is wrong, or the request asks for too much
  [
    /^invalid (?!char|resp|up)|gas|nonce|funds|transfer|\bfee|underpr|already ?[eikr]|known trans|chain ?id|another chain|sender|account (0x|lim)|blob|stack [lou]|depth|collision|write prot|data out|range|exceeds|too (large|long|short)|too many bl|size|limit the|less num|more than|negative|replay/i,
    "caller"
  ]
]

/** The faults by the codes of EVM nodes, where the words are not known. */
const codes: Readonly<Record<number, Fault>> = {
  [-32003]: "caller",
  [-32015]: "caller",
  [-32001]: "elsewhere",
  4444: "elsewhere",
  [-32005]: "node"
}

/**
 * Whose fault a JSON-RPC error of an EVM node is. An unknown error (-32000 or -32603 with other words) is unclear.
 *
 * @since 0.1.0
 * @category getters
 */
export const classify = ({ code, message }: { readonly code: number; readonly message: string }): Fault => {
  // 3 is a revert; 4 says of a transaction that it was taken, and waits (EIP-7966); -38… are of eth_simulateV1
  if (code === 3 || code === 4 || Math.trunc(code / 1000) === -38) return "caller"
  // the words that count stand at the beginning, and the rest may be of any length
  const text = message.slice(0, 1000)
  return said.find(([pattern]) => pattern.test(text))?.[1] ?? codes[code] ?? standard[code] ?? "unclear"
}

/** The hash under which a signed transaction is known: the Keccak-256 of its bytes. */
const transactionHash = async ([raw]: ReadonlyArray<unknown>): Promise<Hex> => {
  const { keccak256 } = await import("../data/keccak.js")
  const digest = keccak256(bytes(String(raw).replace(/^0x/, "")))
  return `0x${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
}

/** Methods outside of the table that only read. Those of filters belong to a node. */
const reads =
  /^(?:(?:eth|klay|kaia|debug|erigon|bor|zks|alchemy|linea|qn)_get(?!Filter)\w+|(?:eth|klay|kaia)_(?:accounts|coinbase|mining|hashrate|baseFee|callMany|callBundle|estimate\w+|fillTransaction|supportedEntryPoints)|debug_(?:trace\w+|accountRange|accountAt|dumpBlock|dbGet|intermediateRoots|executionWitness)|(?:trace|ots|net|txpool|web3|rollup|optimism)_\w+|erigon_(?:forks|blockNumber)|alchemy_simulate\w+|linea_estimateGas|(?:anvil|hardhat)_(?:nodeInfo|metadata)|admin_(?:nodeInfo|peers)|rpc_modules)$/

/** Methods outside of the table that send signed transactions. */
const broadcasts = /^(?:eth|klay|kaia)_send(?:RawTransaction\w*|Private\w*Transaction|UserOperation|Bundle)$/

/**
 * How EVM nodes speak JSON-RPC, and which calls belong on an archive node.
 *
 * @since 0.1.0
 * @category getters
 */
export const dialect: Dialect = {
  integers: numberIntegers,
  archive: needsArchive,
  past,
  classify,
  reads,
  broadcasts
}

/**
 * The endpoints of every EVM chain.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(dialect, {
  /** Height of the newest block. */
  blockNumber: rpc<[], bigint>("eth_blockNumber").decode(quantity).height(),
  /** Chain id (EIP-155). */
  chainId: rpc<[], bigint>("eth_chainId").decode(quantity),
  /** Price of a unit of gas, in wei, as the node suggests it. */
  gasPrice: rpc<[], bigint>("eth_gasPrice").decode(quantity),
  /** Priority fee per unit of gas, in wei, as the node suggests it (EIP-1559). */
  maxPriorityFeePerGas: rpc<[], bigint>("eth_maxPriorityFeePerGas").decode(quantity),
  /** Base fee per unit of blob gas, in wei (EIP-7516). */
  blobBaseFee: rpc<[], bigint>("eth_blobBaseFee").decode(quantity),
  /** Base fee per unit of gas of the next block, in wei. */
  baseFee: rpc<[], bigint>("eth_baseFee").decode(quantity),
  /** Base fees and priority fees of past blocks. */
  feeHistory: rpc<
    [blockCount: Quantity, newestBlock: Block, rewardPercentiles?: ReadonlyArray<number>],
    FeeHistory
  >("eth_feeHistory").params((count, newest, percentiles) => [
    hex(count, "the count"),
    block(newest),
    percentiles ?? []
  ]),
  /** Balance of an address, in wei. */
  getBalance: rpc<[address: HexInput, block?: Block], bigint>("eth_getBalance")
    .params((address, at) => [address, block(at)])
    .decode(quantity),
  /** Number of transactions sent from an address: its next nonce. */
  getTransactionCount: rpc<[address: HexInput, block?: Block], bigint>("eth_getTransactionCount")
    .params((address, at) => [address, block(at)])
    .decode(quantity),
  /** Code of a contract; `0x` where there is none. */
  getCode: rpc<[address: HexInput, block?: Block], Hex>("eth_getCode").params((address, at) => [
    address,
    block(at)
  ]),
  /** Value of a storage slot of a contract. */
  getStorageAt: rpc<[address: HexInput, position: Quantity, block?: Block], Hex>("eth_getStorageAt").params(
    (address, position, at) => [address, hex(position, "the position"), block(at)]
  ),
  /** Values of storage slots of several contracts, by address, in the order of the slots asked for. */
  getStorageValues: rpc<
    [slots: Readonly<Record<HexInput, ReadonlyArray<HexInput>>>, block?: Block],
    Readonly<Record<Hex, ReadonlyArray<Hex>>>
  >("eth_getStorageValues").params((slots, at) => [slots, block(at)]),
  /** Account and storage slots with Merkle proofs (EIP-1186). */
  getProof: rpc<[address: HexInput, storageKeys: ReadonlyArray<HexInput>, block?: Block], Proof>(
    "eth_getProof"
  ).params((address, keys, at) => [address, keys, block(at)]),
  /** Runs a call without a transaction, and yields what it returned. */
  call: rpc<[transaction: TransactionRequest, block?: Block], Hex>("eth_call").params((transaction, at) => [
    encoded(transaction),
    block(at)
  ]),
  /** Gas that a transaction would use. */
  estimateGas: rpc<[transaction: TransactionRequest, block?: Block], bigint>("eth_estimateGas")
    .params((transaction, at) =>
      at === undefined ? [encoded(transaction)] : [encoded(transaction), block(at)]
    )
    .decode(quantity),
  /** Access list for a transaction (EIP-2930), and the gas used with it. */
  createAccessList: rpc<[transaction: TransactionRequest, block?: Block], AccessListResult>(
    "eth_createAccessList"
  ).params((transaction, at) => [encoded(transaction), block(at)]),
  /** Simulates blocks of calls on top of each other (eth_simulateV1). */
  simulate: rpc<[payload: Simulation, block?: Block], unknown>("eth_simulateV1")
    .params((payload, at) => [encoded(payload), block(at)])
    .choosing<0, Simulation, SimulationBy>(),
  /** Block by hash, with hashes of its transactions or, if asked, whole ones; null if unknown. */
  getBlockByHash: rpc<[blockHash: HexInput, includeTransactions?: boolean], unknown>("eth_getBlockByHash")
    .params((hash, include) => [hash, include ?? false])
    .choosing<1, false, BlockBy<Mined>>(),
  /** Block by height or tag, with whole transactions or, if asked, their hashes; null if it does not exist yet. */
  getBlockByNumber: rpc<[block: Block, includeTransactions?: boolean], unknown>("eth_getBlockByNumber")
    .params((at, include) => [block(at), include ?? true])
    .choosing<1, true, BlockBy>(),
  /** What a block has touched (EIP-7928); null if it does not exist yet. */
  getBlockAccessList: rpc<[block: Block], ReadonlyArray<AccountAccess> | null>(
    "eth_getBlockAccessList"
  ).params((at) => [block(at)]),
  /** Receipts of all transactions of a block; null if it does not exist yet. */
  getBlockReceipts: rpc<[block: Block], ReadonlyArray<Receipt> | null>("eth_getBlockReceipts").params(
    (at) => [block(at)]
  ),
  /** Number of transactions of a block, as 0x string; null if unknown. */
  getBlockTransactionCountByHash: rpc<[blockHash: HexInput], Hex | null>(
    "eth_getBlockTransactionCountByHash"
  ),
  /** Number of transactions of a block, as 0x string; null if it does not exist yet. */
  getBlockTransactionCountByNumber: rpc<[block: Block], Hex | null>(
    "eth_getBlockTransactionCountByNumber"
  ).params((at) => [block(at)]),
  /** Transaction by hash; null if unknown. */
  getTransactionByHash: rpc<[transactionHash: HexInput], Transaction | null>("eth_getTransactionByHash"),
  /** Transaction by its place in a block; null if there is none. */
  getTransactionByBlockHashAndIndex: rpc<[blockHash: HexInput, index: Quantity], Transaction | null>(
    "eth_getTransactionByBlockHashAndIndex"
  ).params((hash, at) => [hash, index(at)]),
  /** Transaction by its place in a block; null if there is none. */
  getTransactionByBlockNumberAndIndex: rpc<[block: Block, index: Quantity], Transaction | null>(
    "eth_getTransactionByBlockNumberAndIndex"
  ).params((at, i) => [block(at), index(i)]),
  /** Receipt of a mined transaction; null while it is not. */
  getTransactionReceipt: rpc<[transactionHash: HexInput], Receipt | null>("eth_getTransactionReceipt"),
  /** Address of the contract that a transaction has created; null if it is not mined or created none. */
  getContractAddress: rpc<[transactionHash: HexInput], Hex | null>("eth_getTransactionReceipt").decode(
    (receipt: Receipt | null) => receipt?.contractAddress ?? null
  ),
  /** Uncle block by its place; null if there is none. */
  getUncleByBlockHashAndIndex: rpc<[blockHash: HexInput, index: Quantity], UncleResult | null>(
    "eth_getUncleByBlockHashAndIndex"
  ).params((hash, at) => [hash, index(at)]),
  /** Uncle block by its place; null if there is none. */
  getUncleByBlockNumberAndIndex: rpc<[block: Block, index: Quantity], UncleResult | null>(
    "eth_getUncleByBlockNumberAndIndex"
  ).params((at, i) => [block(at), index(i)]),
  /** Number of uncles of a block, as 0x string; null if unknown. */
  getUncleCountByBlockHash: rpc<[blockHash: HexInput], Hex | null>("eth_getUncleCountByBlockHash"),
  /** Number of uncles of a block, as 0x string; null if it does not exist yet. */
  getUncleCountByBlockNumber: rpc<[block: Block], Hex | null>("eth_getUncleCountByBlockNumber").params(
    (at) => [block(at)]
  ),
  /** Logs that match a filter. Nodes limit the range of blocks. */
  getLogs: rpc<[filter: LogFilter], ReadonlyArray<Log>>("eth_getLogs").params((value) => [filter(value)]),
  /** Sends a signed transaction, and yields its hash. Safe to repeat. */
  sendRawTransaction: rpc<[signedTransaction: HexInput], Hex>("eth_sendRawTransaction").broadcast({
    known:
      /already (known|imported|exists)|alreadyknown|\bknown transaction|already in (the )?(mempool|pool|system)|tx with same hash/i,
    result: transactionHash,
    // if a transaction was mined before it came again, nodes look at its nonce alone
    perhaps: { known: /nonce (is )?too low|oldnonce/i, by: "eth_getTransactionByHash" }
  }),
  /**
   * Sends a signed transaction, and yields its receipt (EIP-7966). The node waits for it so long (milliseconds), or as long
   * as it thinks right.
   */
  sendRawTransactionSync: rpc<[signedTransaction: HexInput, timeout?: number], Receipt>(
    "eth_sendRawTransactionSync"
  ).broadcast(),
  /** A transaction with its missing fields as the node would fill them in. */
  fillTransaction: rpc<[transaction: TransactionRequest], FilledTransaction>("eth_fillTransaction").params(
    (transaction) => [encoded(transaction)]
  ),
  /** Sends a user operation to a bundler (ERC-4337), and yields its hash. */
  sendUserOperation: rpc<[userOperation: UserOperation<HexInput, Quantity>, entryPoint: HexInput], Hex>(
    "eth_sendUserOperation"
  )
    .params((operation, entryPoint) => [encoded(operation), entryPoint])
    .broadcast(),
  /** Gas that a user operation would need. Its signature need not be right, but as long as a right one. */
  estimateUserOperationGas: rpc<
    [
      userOperation: UserOperationCall<HexInput, Quantity> & Partial<UserOperationGas<Quantity>>,
      entryPoint: HexInput,
      stateOverrides?: StateOverrides
    ],
    UserOperationGas
  >("eth_estimateUserOperationGas").params((operation, entryPoint, overrides) => [
    encoded(operation),
    entryPoint,
    encoded(overrides)
  ]),
  /** User operation by its hash; null if unknown. */
  getUserOperationByHash: rpc<[userOperationHash: HexInput], FoundUserOperation | null>(
    "eth_getUserOperationByHash"
  ),
  /** Outcome of a user operation; null while it is in no block. */
  getUserOperationReceipt: rpc<[userOperationHash: HexInput], UserOperationReceipt | null>(
    "eth_getUserOperationReceipt"
  ),
  /** Entry points that the bundler takes user operations for. */
  supportedEntryPoints: rpc<[], ReadonlyArray<Hex>>("eth_supportedEntryPoints"),
  /** Version of the Ethereum protocol that the node speaks. */
  protocolVersion: rpc<[], string>("eth_protocolVersion"),
  /** Configuration of the current, the next and the last fork (EIP-7910). */
  config: rpc<[], ForkConfigs>("eth_config"),
  /** The data that the node has, by sort. */
  capabilities: rpc<[], Capabilities>("eth_capabilities"),
  /** Progress of the node's synchronisation. */
  syncing: rpc<[], Syncing>("eth_syncing"),
  /** Name and version of the node's software. */
  clientVersion: rpc<[], string>("web3_clientVersion"),
  /** Keccak-256 of bytes. */
  sha3: rpc<[data: HexInput], Hex>("web3_sha3"),
  /** Network id, decimal. */
  netVersion: rpc<[], string>("net_version"),
  /** Whether the node listens for peers. */
  netListening: rpc<[], boolean>("net_listening"),
  /** Number of peers. */
  netPeerCount: rpc<[], bigint>("net_peerCount").decode(quantity),
  /** Blocks that the node has refused. */
  debugGetBadBlocks: rpc<[], ReadonlyArray<BadBlock>>("debug_getBadBlocks"),
  /** Storage of a contract in the middle of a block. */
  debugStorageRangeAt: rpc<
    [
      blockHash: HexInput,
      transactionIndex: number,
      contractAddress: HexInput,
      startKey: HexInput,
      limit: number
    ],
    StorageRange
  >("debug_storageRangeAt"),
  /** Traces a block given as RLP. */
  debugTraceBlock: rpc<[blockRlp: HexInput, options?: TraceOptions], unknown>("debug_traceBlock").choosing<
    1,
    {},
    BlockTracesBy
  >(),
  /** Traces a block by hash. */
  debugTraceBlockByHash: rpc<[blockHash: HexInput, options?: TraceOptions], unknown>(
    "debug_traceBlockByHash"
  ).choosing<1, {}, BlockTracesBy>(),
  /** Traces a block by height or tag. */
  debugTraceBlockByNumber: rpc<[block: Block, options?: TraceOptions], unknown>("debug_traceBlockByNumber")
    .params((at, options) => [block(at), options])
    .choosing<1, {}, BlockTracesBy>(),
  /** Traces a call without a transaction. */
  debugTraceCall: rpc<[transaction: TransactionRequest, block: Block, options?: TraceCallOptions], unknown>(
    "debug_traceCall"
  )
    .params((transaction, at, options) => [encoded(transaction), block(at), options])
    .choosing<2, {}, TraceBy>(),
  /** Traces a mined transaction. */
  debugTraceTransaction: rpc<[transactionHash: HexInput, options?: TraceOptions], unknown>(
    "debug_traceTransaction"
  ).choosing<1, {}, TraceBy>(),
  /** A block as RLP. */
  debugGetRawBlock: rpc<[block: Block], Hex>("debug_getRawBlock").params((at) => [block(at)]),
  /** What a block has touched (EIP-7928) as RLP. */
  debugGetRawBlockAccessList: rpc<[block: Block], Hex>("debug_getRawBlockAccessList").params((at) => [
    block(at)
  ]),
  /** The header of a block as RLP. */
  debugGetRawHeader: rpc<[block: Block], Hex>("debug_getRawHeader").params((at) => [block(at)]),
  /** The receipts of a block as RLP (EIP-2718). */
  debugGetRawReceipts: rpc<[block: Block], ReadonlyArray<Hex>>("debug_getRawReceipts").params((at) => [
    block(at)
  ]),
  /** A transaction as RLP (EIP-2718). */
  debugGetRawTransaction: rpc<[transactionHash: HexInput], Hex>("debug_getRawTransaction"),
  /** Flat traces of all transactions of a block. */
  traceBlock: rpc<[block: Block, options?: TraceOptions], ReadonlyArray<Trace>>("trace_block").params(
    (at, options) => [block(at), options]
  ),
  /** Runs a call and traces it. */
  traceCall: rpc<
    [transaction: TransactionRequest, traceTypes: ReadonlyArray<TraceType>, block?: Block],
    TraceResult
  >("trace_call").params((transaction, traceTypes, at) => [encoded(transaction), traceTypes, block(at)]),
  /** Runs several calls on top of each other and traces them; one list of trace types per call. */
  traceCallMany: rpc<
    [
      transactions: ReadonlyArray<TransactionRequest>,
      traceTypes: ReadonlyArray<ReadonlyArray<TraceType>>,
      block?: Block
    ],
    ReadonlyArray<TraceResult>
  >("trace_callMany").params((transactions, traceTypes, at) => {
    if (transactions.length !== traceTypes.length) {
      throw new Error(`there are ${transactions.length} calls and ${traceTypes.length} lists of trace types`)
    }
    return [transactions.map((transaction, i) => [encoded(transaction), traceTypes[i]]), block(at)]
  }),
  /** Flat traces that match a filter. */
  traceFilter: rpc<[filter: TraceFilter], ReadonlyArray<Trace>>("trace_filter").params((value) => [
    filter(value)
  ]),
  /** Traces a signed transaction without sending it. */
  traceRawTransaction: rpc<[signedTransaction: HexInput, traceTypes: ReadonlyArray<TraceType>], TraceResult>(
    "trace_rawTransaction"
  ),
  /** Replays all transactions of a block. */
  traceReplayBlockTransactions: rpc<
    [block: Block, traceTypes: ReadonlyArray<TraceType>],
    ReadonlyArray<TraceResult>
  >("trace_replayBlockTransactions").params((at, traceTypes) => [block(at), traceTypes]),
  /** Replays a transaction. */
  traceReplayTransaction: rpc<[transactionHash: HexInput, traceTypes: ReadonlyArray<TraceType>], TraceResult>(
    "trace_replayTransaction"
  ),
  /** Flat traces of a transaction; null if unknown. */
  traceTransaction: rpc<[transactionHash: HexInput], ReadonlyArray<Trace> | null>("trace_transaction"),
  /** Transactions waiting in the node's pool. */
  txPoolContent: rpc<[], TxPoolContent>("txpool_content"),
  /** Transactions of one sender waiting in the node's pool. */
  txPoolContentFrom: rpc<
    [address: HexInput],
    {
      readonly pending: Readonly<Record<string, Transaction>>
      readonly queued: Readonly<Record<string, Transaction>>
    }
  >("txpool_contentFrom"),
  /** Transactions waiting in the node's pool, as sentences. */
  txPoolInspect: rpc<[], TxPoolInspect>("txpool_inspect"),
  /** Number of transactions waiting in the node's pool. */
  txPoolStatus: rpc<[], TxPoolStatus>("txpool_status"),
  /** Name of a token (ERC-20, ERC-721). */
  getTokenName: rpc<[tokenAddress: HexInput], string>("eth_call")
    .params(tokenCall("0x06fdde03"))
    .decode(text),
  /** Ticker of a token. */
  getTokenSymbol: rpc<[tokenAddress: HexInput], string>("eth_call")
    .params(tokenCall("0x95d89b41"))
    .decode(text),
  /** Decimals of a token (ERC-20). */
  getTokenDecimals: rpc<[tokenAddress: HexInput], bigint>("eth_call")
    .params(tokenCall("0x313ce567"))
    .decode(uint),
  /** Tokens in existence, in the token's smallest unit. */
  getTokenTotalSupply: rpc<[tokenAddress: HexInput], bigint>("eth_call")
    .params(tokenCall("0x18160ddd"))
    .decode(uint),
  /** Most tokens that can ever exist, in the token's smallest unit (ERC-20 with a cap). */
  getTokenCap: rpc<[tokenAddress: HexInput], bigint>("eth_call").params(tokenCall("0x355274ea")).decode(uint),
  /** Whether a contract is a multitoken (ERC-165, interface of ERC-1155). */
  supportsInterfaceERC1155: rpc<[contractAddress: HexInput], boolean>("eth_call")
    .params(tokenCall(`0x01ffc9a7d9b67a26${"0".repeat(56)}`))
    .decode(bool)
})

/**
 * The errors of waiting for a transaction of an EVM chain.
 *
 * @since 0.1.0
 * @category errors
 */
export type EvmWaitError = WaitError | TransactionDropped

/**
 * The methods of the clients of EVM chains beside single calls.
 *
 * @since 0.1.0
 * @category clients
 */
export interface EvmComposed {
  /** Receipt of a transaction once it is as deep as wanted, in the branch that the chain has kept; it may have failed. */
  readonly waitForTransaction: (
    transactionHash: HexInput,
    options?: WaitOptions
  ) => Effect.Effect<Receipt, EvmWaitError>
}

const { blockNumber, getBlockByNumber, getTransactionByHash, getTransactionCount, getTransactionReceipt } =
  endpoints

/** The calls by which a transaction is followed. */
const watched = group(dialect, {
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
const look = (
  rpc: Client<typeof watched>,
  hash: HexInput
): Effect.Effect<Seen<Receipt> | undefined, EvmWaitError> => {
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

/**
 * Makes the methods of the clients of EVM chains beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (client: MakeClient): EvmComposed => {
  const rpc = client(watched)
  return {
    waitForTransaction: (hash, options = {}) => confirmed(hash, options, look(rpc, hash))
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
 * The JSON-RPC client of an OP stack chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface OpRpc extends Answering<EvmRpc, Answers<OpTransaction, OpReceipt>> {}

/**
 * The JSON-RPC client of an Arbitrum chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface ArbitrumRpc
  extends Answering<EvmRpc, Answers<ArbitrumTransaction, ArbitrumReceipt, ArbitrumBlock>> {}

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
  body: { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] },
  matches: (answer, network) => {
    const id = at("result")(answer)
    return typeof id !== "string" || network.chainId === undefined
      ? undefined
      : Number(id) === network.chainId
  }
}

/** Up to this many balances are asked for one by one: a batch is the last resort of some nodes. */
const SINGLES = 2

const pending = group(dialect, {
  balance: rpc<[address: string], bigint>("eth_getBalance")
    .params((address) => [address, "pending"])
    .decode(quantity)
})

/** Balances with the transactions of the pool, in wei. An address without a balance in the batch is asked for by itself. */
const nativeBalances: NativeBalances = (client, addresses) => {
  const nodes = client(pending)
  if (addresses.length <= SINGLES)
    return Effect.forEach(addresses, (address) => nodes.balance(address), { concurrency: SINGLES })
  const bodies = addresses.map((address) => ({ method: "eth_getBalance", params: [address, "pending"] }))
  return Effect.flatMap(nodes.rawBatchRpcCall(bodies), (items) =>
    Effect.forEach(addresses, (address, i) => {
      const item = items[i]
      const balance = item?._tag === "Right" ? item.right : undefined
      return typeof balance === "string" && /^0x[0-9a-f]+$/i.test(balance)
        ? Effect.succeed(BigInt(balance))
        : nodes.balance(address)
    })
  )
}

/**
 * How nodes are checked that speak the JSON-RPC of EVM chains, also those of families with endpoints of their own.
 *
 * @since 0.1.0
 * @category families
 */
export const nodes = {
  chain,
  holds,
  probe: () => rpcProbe("eth_blockNumber", [], []),
  composed
} satisfies FamilyNodes

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
export const evm: Family<typeof endpoints, EvmRpc> = { endpoints, ...nodes }
