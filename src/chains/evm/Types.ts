/**
 * What EVM nodes take and give.
 *
 * @since 0.1.0
 */
import type { Choice } from "../../data/Endpoint.js"

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
 * Bytes as an argument: 0x and an even number of hexadecimal digits (of the length of the type: 64 for a hash), or the bytes
 * themselves. Anything else is an `InvalidArgument` that names its place, before a node is asked.
 *
 * @since 0.1.0
 * @category types
 */
export type BytesInput = HexInput | Uint8Array

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
  | { readonly blockHash: BytesInput; readonly requireCanonical?: boolean }

/**
 * A {@link Block} in an argument that may be left out: its height is a bigint or a 0x string. A `number` does not compile, since `map`
 * and `Effect.forEach` pass one to their callback, the index.
 *
 * @since 0.1.0
 * @category types
 */
export type OptionalBlock = Exclude<Block, number>

/**
 * A quantity as an argument: a number or bigint is sent as 0x string.
 *
 * @since 0.1.0
 * @category types
 */
export type Quantity = HexInput | number | bigint

/**
 * A call or transaction as `eth_call` and `eth_estimateGas` take it. Amounts are in wei; `data` is bytes. `to` is null where a contract
 * is made, as in transactions that nodes give.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionRequest<B = BytesInput> {
  readonly from?: HexInput
  readonly to?: HexInput | null
  readonly gas?: Quantity
  readonly gasPrice?: Quantity
  readonly maxFeePerGas?: Quantity
  readonly maxPriorityFeePerGas?: Quantity
  readonly maxFeePerBlobGas?: Quantity
  readonly value?: Quantity
  readonly data?: B
  readonly input?: B
  readonly nonce?: Quantity
  readonly type?: Quantity
  readonly chainId?: Quantity
  readonly accessList?: ReadonlyArray<AccessListItem<HexInput>>
  readonly blobVersionedHashes?: ReadonlyArray<BytesInput>
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
  readonly blockHash?: BytesInput
  readonly address?: HexInput | ReadonlyArray<HexInput>
  readonly topics?: ReadonlyArray<BytesInput | null | ReadonlyArray<BytesInput>>
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
  readonly code?: BytesInput
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
