/**
 * What contracts of EVM chains and of Tron take and give: the types that follow from an ABI.
 *
 * @since 0.1.0
 */
import type {
  Abi,
  AbiEvent,
  AbiFunction,
  AbiParameter,
  AbiParametersToPrimitiveTypes,
  AbiParameterToPrimitiveType,
  AbiStateMutability
} from "abitype"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Block, Hex, HexInput, Log, LogFilter } from "../chains/evm/Types.js"
import type { AnswerBy, Choice, Chooser, StreamChooser } from "../data/Endpoint.js"
import type {
  ContractReverted,
  GatewayError,
  InvalidAddress,
  InvalidArgument,
  LoadError,
  MissingPeer
} from "../data/SdkError.js"
import type { EvmCalls, EvmRequest, EvmSigner, EvmTransaction } from "../signers/evm/Types.js"
import type { ReadError, SendError, SendOptions, Sent } from "../signers/Signer.js"
import type { TronCalls, TronRequest, TronSigner, TronTransaction } from "../signers/tron/Types.js"
import type {
  LogSubscription,
  SubscriptionError,
  SubscriptionOptions
} from "../subscriptions/Subscription.js"

/**
 * The errors of reading from a contract.
 *
 * @since 0.1.0
 * @category errors
 */
export type ContractError =
  | ReadError
  | ContractReverted
  | InvalidAddress
  | InvalidArgument
  | MissingPeer
  | LoadError

/**
 * The errors of writing to a contract.
 *
 * @since 0.1.0
 * @category errors
 */
export type WriteError = ContractError | SendError

/**
 * The errors of names. A contract may refer to a gateway for its records.
 *
 * @since 0.1.0
 * @category errors
 */
export type NameError = ContractError | GatewayError

/**
 * What a contract asks for off-chain (EIP-3668): the contract, the urls of its gateways with `{sender}` and `{data}` as placeholders, and
 * the request.
 *
 * @since 0.1.0
 * @category models
 */
export interface OffchainRequest {
  readonly sender: Hex
  readonly urls: ReadonlyArray<string>
  readonly data: Hex
}

/**
 * Which gateways of contracts are asked: those over https (`true`, the default), none (`false`), or with `"localhost"` also those of this
 * machine over http. That is for development: the owner of a name could make a program call its own machine. A function replaces the
 * SDK's requests; it yields the bytes for the contract as hexadecimal.
 *
 * @since 0.1.0
 * @category models
 */
export interface NameOptions<out Answer = Effect.Effect<string, unknown>> {
  readonly ccipRead?: boolean | "localhost" | ((request: OffchainRequest) => Answer)
}

/**
 * A log of any EVM chain. Some chains do not have its time.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractLog extends Omit<Log, "blockTimestamp"> {
  readonly blockTimestamp?: Hex | null
}

/**
 * The calls that contracts need. Every client of an EVM chain has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractCalls extends Pick<EvmCalls, "call" | "estimateGas" | "getCode"> {
  readonly getLogs: (filter: LogFilter) => Effect.Effect<ReadonlyArray<ContractLog>, ReadError>
  readonly getTransactionReceipt: (
    hash: HexInput
  ) => Effect.Effect<{ readonly status?: Hex } | null, ReadError>
}

/**
 * A client of an EVM chain, as far as contracts use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractClient {
  readonly network: string
  readonly rpc: ContractCalls
}

/**
 * A client that also subscribes to logs.
 *
 * @since 0.1.0
 * @category models
 */
export interface LogClient {
  readonly network: string
  readonly rpc: {
    readonly subscribe: {
      readonly logs: (
        filter?: LogSubscription,
        options?: StreamOptions
      ) => Stream.Stream<ContractLog, SubscriptionError>
    }
  }
}

/**
 * What contracts need of a signer.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractSigner extends Pick<EvmSigner, "address" | "network" | "sendTransaction"> {}

/**
 * The source of a contract: its address, its ABI (`as const`, which types the contract), and, for writes, a signer of the same network.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractOptions<out A, out S> {
  readonly address: string
  readonly abi: A
  readonly signer?: S
}

/**
 * The block at which something is read (default: the latest one), and the account that asks.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions {
  readonly block?: Block
  readonly from?: string
}

/**
 * How many calls a multicall has in one request (default: 500). If a node cannot answer them, they are split in halves.
 *
 * @since 0.1.0
 * @category models
 */
export interface MulticallOptions {
  readonly batchSize?: number
}

/**
 * Options of calls that are tried: the account that asks (default: the signer's), the wei that are sent along, and the block.
 *
 * @since 0.1.0
 * @category models
 */
export interface SimulateOptions extends ReadOptions {
  readonly value?: bigint
}

/**
 * Options of a write: the wei that are sent along, the most that the fee may be, its speed, whether it goes to the signer's private node
 * alone, and for how many confirmations to wait.
 *
 * @since 0.1.0
 * @category models
 */
export interface WriteOptions
  extends Pick<EvmRequest, "allowNonceGap" | "maxFee" | "private" | "speed">,
    SendOptions {
  readonly value?: bigint
}

/**
 * Options of a stream of events.
 *
 * @since 0.1.0
 * @category models
 */
export interface StreamOptions extends Omit<SubscriptionOptions<never>, "polling"> {
  readonly polling?: number | false
}

/**
 * A read that is not done yet, for {@link multicall}. It is plain data.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractCall<out Answer = unknown> {
  readonly address: string
  readonly functionName: string
  readonly item: AbiFunction
  readonly args: ReadonlyArray<unknown>
  readonly abi: ReadonlyArray<unknown>
  /** The type of its answer. The field does not exist. */
  readonly answer?: Answer
}

/**
 * An event of a contract: its log, and its decoded arguments. The chain only keeps hashes of indexed text, bytes, lists and tuples.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractEvent<out Name extends string, out Args> extends ContractLog {
  readonly name: Name
  readonly args: Args
}

/** An ABI of unknown content has items of every kind. */
type AbiOrUnknown<A> = A extends Abi ? A : Abi

interface Named {
  readonly name: string
}

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never

type CanonicalType<P> = P extends {
  readonly type: `tuple${infer Rest}`
  readonly components: infer Components extends ReadonlyArray<AbiParameter>
}
  ? `(${CanonicalTypes<Components>})${Rest}`
  : P extends { readonly type: infer Type extends string }
    ? Type
    : never

type CanonicalTypes<Ps extends ReadonlyArray<unknown>, Before extends string = ""> = Ps extends readonly [
  infer One,
  ...infer Others
]
  ? CanonicalTypes<Others, Before extends "" ? CanonicalType<One> : `${Before},${CanonicalType<One>}`>
  : Before

/**
 * The name of an item in the contract. Overloads have their signatures, such as `transfer(address,uint256)`. So does an item called
 * `then`, which JavaScript would call by itself.
 */
type MemberName<
  I extends Named & { readonly inputs: ReadonlyArray<unknown> },
  All extends Named
> = string extends I["name"]
  ? string
  : true extends
        | IsUnion<Extract<All, { readonly name: I["name"] }>>
        | (I["name"] extends "then" ? true : false)
    ? `${I["name"]}(${CanonicalTypes<I["inputs"]>})`
    : I["name"]

type Functions<A extends Abi> = Extract<A[number], { readonly type: "function" }>

type WithMutability<F extends AbiFunction, M extends AbiStateMutability> = F extends unknown
  ? [F["stateMutability"] & M] extends [never]
    ? never
    : F
  : never

type Inputs<F extends AbiFunction> = AbiParametersToPrimitiveTypes<F["inputs"], "inputs">

/**
 * The answer of a function: nothing, its single value, or several as a tuple.
 *
 * @since 0.1.0
 * @category types
 */
export type AnswerOf<F extends AbiFunction> = number extends F["outputs"]["length"]
  ? unknown
  : F["outputs"] extends readonly []
    ? undefined
    : F["outputs"] extends readonly [infer One extends AbiParameter]
      ? AbiParameterToPrimitiveType<One, "outputs">
      : AbiParametersToPrimitiveTypes<F["outputs"], "outputs">

type OptionsFor<F extends AbiFunction, O> = "payable" extends F["stateMutability"] ? O : Omit<O, "value">

type ReadMutability = "view" | "pure"
type WriteMutability = "nonpayable" | "payable"

/**
 * The reads of an ABI, by their names.
 *
 * @since 0.1.0
 * @category types
 */
export type Reads<A extends Abi> = {
  readonly [F in WithMutability<Functions<A>, ReadMutability> as MemberName<F, Functions<A>>]: (
    ...args: [...Inputs<F>, options?: ReadOptions]
  ) => Effect.Effect<AnswerOf<F>, ContractError>
}

/**
 * The reads of an ABI as data, for a multicall.
 *
 * @since 0.1.0
 * @category types
 */
export type Calls<A extends Abi> = {
  readonly [F in WithMutability<Functions<A>, ReadMutability> as MemberName<F, Functions<A>>]: (
    ...args: Inputs<F>
  ) => ContractCall<AnswerOf<F>>
}

/**
 * The writes of an ABI, tried without being sent: what they would answer.
 *
 * @since 0.1.0
 * @category types
 */
export type Simulations<A extends Abi> = {
  readonly [F in WithMutability<Functions<A>, WriteMutability> as MemberName<F, Functions<A>>]: (
    ...args: [...Inputs<F>, options?: OptionsFor<F, SimulateOptions>]
  ) => Effect.Effect<AnswerOf<F>, ContractError>
}

/**
 * The gas that the writes of an ABI would use.
 *
 * @since 0.1.0
 * @category types
 */
export type Estimates<A extends Abi> = {
  readonly [F in WithMutability<Functions<A>, WriteMutability> as MemberName<F, Functions<A>>]: (
    ...args: [...Inputs<F>, options?: OptionsFor<F, Omit<SimulateOptions, "block">>]
  ) => Effect.Effect<bigint, ContractError>
}

/**
 * The writes of an ABI.
 *
 * @since 0.1.0
 * @category types
 */
export type Writes<A extends Abi> = {
  readonly [F in WithMutability<Functions<A>, WriteMutability> as MemberName<F, Functions<A>>]: (
    ...args: [...Inputs<F>, options?: OptionsFor<F, WriteOptions>]
  ) => Effect.Effect<Sent<EvmTransaction>, WriteError>
}

type Events<A extends Abi> = Exclude<
  Extract<A[number], { readonly type: "event" }>,
  { readonly anonymous: true }
>

/** Types of indexed arguments that are kept as hashes. */
type HashedType = "string" | "bytes" | `tuple${string}` | `${string}]`

type EventInput = AbiEvent["inputs"][number]

type EventValue<I extends EventInput> = I extends { readonly isAddress: true }
  ? AbiParameterToPrimitiveType<I, "outputs">
  : I extends { readonly indexed: true; readonly type: HashedType }
    ? Hex
    : AbiParameterToPrimitiveType<I, "outputs">

/** Whether all arguments have names: they are a list otherwise. */
type AreNamed<Inputs extends ReadonlyArray<EventInput>> = true extends (
  Inputs[number] extends infer I
    ? I extends { readonly name: infer Name extends string }
      ? Name extends ""
        ? true
        : never
      : true
    : never
)
  ? false
  : true

type Positional<Inputs extends ReadonlyArray<EventInput>> = {
  readonly [K in keyof Inputs]: EventValue<Inputs[K]>
}

/**
 * The arguments of an event: by name, or as a list if one of them has no name.
 *
 * @since 0.1.0
 * @category types
 */
export type EventArgs<E extends AbiEvent> = E extends unknown
  ? number extends E["inputs"]["length"]
    ? unknown
    : AreNamed<E["inputs"]> extends true
      ? { readonly [I in E["inputs"][number] as I["name"] & string]: EventValue<I> }
      : Positional<E["inputs"]>
  : never

type Indexed<I> = I extends { readonly indexed: true; readonly type: infer Type }
  ? Type extends `tuple${string}` | `${string}]`
    ? never
    : I
  : never

type IndexedFilter<I extends EventInput> =
  AbiParameterToPrimitiveType<I, "inputs"> extends infer Value ? Value | ReadonlyArray<Value> | null : never

/**
 * The wanted events, by their indexed arguments: one value, several alternatives, or null for all. Arguments without a name go by their
 * position.
 *
 * @since 0.1.0
 * @category types
 */
export type EventFilter<E extends AbiEvent> = E extends unknown
  ? number extends E["inputs"]["length"]
    ? Readonly<Record<string, unknown>>
    : AreNamed<E["inputs"]> extends true
      ? { readonly [I in Indexed<E["inputs"][number]> as I["name"] & string]?: IndexedFilter<I> }
      : { readonly [K in keyof E["inputs"] & `${number}`]?: IndexedFilter<E["inputs"][K] & EventInput> }
  : never

/**
 * The events to list: of a range of blocks (default: from the first one to the latest; nodes limit the range), or of one block.
 *
 * @since 0.1.0
 * @category models
 */
export interface EventQuery<out Filter> extends Pick<LogFilter, "fromBlock" | "toBlock" | "blockHash"> {
  readonly args?: Filter
  /**
   * Leaves out logs that have the event's signature and do not fit its ABI (default). With `false` they are included, with undefined
   * `args`. A token of another standard may have the same signature with other indexed arguments.
   */
  readonly strict?: boolean
}

/**
 * The events to stream: those with these indexed arguments, and with `strict: false` also the logs that do not fit.
 *
 * @since 0.1.0
 * @category models
 */
export interface EventStreamQuery<out Filter> extends Pick<EventQuery<Filter>, "args" | "strict"> {}

/**
 * Options of lists and streams of events: `onSkip` gets each log that is left out.
 *
 * @since 0.1.0
 * @category models
 */
export interface EventOptions {
  readonly onSkip?: (skipped: SkippedLog) => void
}

/**
 * A log that has an event's signature and does not fit its ABI. `count` is the number of such logs in the list or stream so far.
 *
 * @since 0.1.0
 * @category models
 */
export interface SkippedLog {
  readonly log: ContractLog
  readonly reason: string
  readonly count: number
}

/**
 * The events that a query lists: with `strict: false` there may be some without `args`.
 *
 * @since 0.1.0
 * @category types
 */
export interface EventsBy<E extends AbiEvent> extends Choice<unknown> {
  readonly answer: ReadonlyArray<AnswerBy<EventBy<E>, this["choice"]>>
}

/**
 * One event that a query lists or streams: with `strict: false` it may have no `args`.
 *
 * @since 0.1.0
 * @category types
 */
export interface EventBy<E extends AbiEvent> extends Choice<unknown> {
  readonly answer: E extends unknown
    ? ContractEvent<
        E["name"],
        EventArgs<E> | (this["choice"] extends { readonly strict: false } ? undefined : never)
      >
    : never
}

/**
 * The events of an ABI, by name: past ones as a list, and new ones as a stream.
 *
 * @since 0.1.0
 * @category types
 */
export type EventsOf<A extends Abi, Streams extends boolean> = {
  readonly [K in EventKeys<Events<A>, Events<A>>]: EventMember<EventAt<Events<A>, Events<A>, K>, Streams>
}

type EventKeys<E extends AbiEvent, All extends AbiEvent> = E extends unknown ? MemberName<E, All> : never

/** The forms of an event: events with one name and signature that differ in their indexed arguments. */
type EventAt<E extends AbiEvent, All extends AbiEvent, K> = E extends unknown
  ? MemberName<E, All> extends K
    ? E
    : never
  : never

interface EventMember<E extends AbiEvent, Streams extends boolean> {
  readonly list: Chooser<
    [query?: EventQuery<EventFilter<E>>, options?: EventOptions],
    0,
    {},
    EventsBy<E>,
    ContractError
  >
  readonly stream: Streams extends true
    ? StreamChooser<
        [query?: EventStreamQuery<EventFilter<E>>, options?: StreamOptions & EventOptions],
        0,
        {},
        EventBy<E>,
        ContractError | SubscriptionError
      >
    : NeedsSubscriptions
}

/**
 * The type of the writes of a contract without a signer.
 *
 * @since 0.1.0
 * @category types
 */
export type NeedsSigner = {}

/**
 * The type of the streams of a contract whose client has no subscriptions.
 *
 * @since 0.1.0
 * @category types
 */
export type NeedsSubscriptions = {}

/**
 * A contract. Functions that share a name go by their signatures: `read["balanceOf(address,uint256)"]`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Contract<A, Writable extends boolean = false, Streams extends boolean = false> {
  readonly address: string
  /** Reads; a single output is the answer, several are a tuple. */
  readonly read: Reads<AbiOrUnknown<A>>
  /** The same reads as data, for a multicall. */
  readonly calls: Calls<AbiOrUnknown<A>>
  /** Writes that are tried and not sent: what they would answer. */
  readonly simulate: Simulations<AbiOrUnknown<A>>
  /** The gas that writes would use. */
  readonly estimateGas: Estimates<AbiOrUnknown<A>>
  /** Writes: tried first, then signed and sent. */
  readonly write: Writable extends true ? Writes<AbiOrUnknown<A>> : NeedsSigner
  /** Events, decoded. */
  readonly events: EventsOf<AbiOrUnknown<A>, Streams>
}

/**
 * The answers of several calls in order, each with an outcome of its own.
 *
 * @since 0.1.0
 * @category types
 */
export type AnswersOf<Calls extends ReadonlyArray<ContractCall>> = {
  readonly [K in keyof Calls]: Calls[K] extends ContractCall<infer Answer> ? Answer : never
}

/**
 * The calls that contracts of Tron need. Every client of Tron has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronContractCalls
  extends Pick<TronCalls, "getChainParameters" | "triggerConstantContract">,
    Pick<ContractCalls, "getLogs"> {}

/**
 * A client of Tron, as far as contracts use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronContractClient {
  readonly network: string
  readonly rpc: TronContractCalls
}

/**
 * What contracts need of a signer of Tron.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronContractSigner extends Pick<TronSigner, "address" | "network" | "sendTransaction"> {}

/**
 * The account that calls a contract of Tron (default: the signer's). Nodes only answer at the newest block.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronReadOptions extends Pick<ReadOptions, "from"> {}

/**
 * Options of calls that are tried on Tron: the account that asks (default: the signer's), and the sun that are sent along.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronSimulateOptions extends TronReadOptions {
  readonly value?: bigint
}

/**
 * Options of a write on Tron: the sun that are sent along, a memo, the most that the fee may be, and for how many confirmations to wait.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronWriteOptions extends Pick<TronRequest, "maxFee" | "memo">, SendOptions {
  readonly value?: bigint
}

/**
 * What a write needs on Tron: its energy, and the sun that are burned for it by an account that has staked nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface EnergyEstimate {
  readonly energy: bigint
  readonly fee: bigint
}

/** A parameter of an ABI whose addresses are text, since Tron writes them in Base58. */
type Base58Address<P> = P extends { readonly type: `address${infer Rest}` }
  ? Omit<P, "type"> & { readonly type: `string${Rest}`; readonly isAddress: true }
  : P extends { readonly components: infer Components }
    ? Omit<P, "components"> & { readonly components: Base58Addresses<Components> }
    : P

type Base58Addresses<Ps> = { readonly [K in keyof Ps]: Base58Address<Ps[K]> }

type TronFunction<F extends AbiFunction> = F extends unknown
  ? Omit<F, "inputs" | "outputs"> & {
      readonly inputs: Base58Addresses<F["inputs"]>
      readonly outputs: Base58Addresses<F["outputs"]>
    }
  : never

type TronEventItem<E extends AbiEvent> = E extends unknown
  ? Omit<E, "inputs"> & { readonly inputs: Base58Addresses<E["inputs"]> }
  : never

/** The members of a contract of Tron, for functions that may be read or written. */
type TronMembers<A extends Abi, M extends AbiStateMutability, Options, Answer, E> = {
  readonly [F in WithMutability<Functions<A>, M> as MemberName<F, Functions<A>>]: (
    ...args: [...Inputs<TronFunction<F>>, options?: OptionsFor<F, Options>]
  ) => Effect.Effect<[Answer] extends [never] ? AnswerOf<TronFunction<F>> : Answer, E>
}

/**
 * The reads of an ABI of Tron as data, for a multicall.
 *
 * @since 0.1.0
 * @category types
 */
export type TronCallsOf<A extends Abi> = {
  readonly [F in WithMutability<Functions<A>, ReadMutability> as MemberName<F, Functions<A>>]: (
    ...args: Inputs<TronFunction<F>>
  ) => ContractCall<AnswerOf<TronFunction<F>>>
}

/**
 * An event of a contract of Tron: its log, and its decoded arguments.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronEvent<out Name extends string, out Args>
  extends Omit<ContractEvent<Name, Args>, "address"> {
  readonly address: string
}

/**
 * The events of a contract of Tron, by their names.
 *
 * @since 0.1.0
 * @category types
 */
export type TronEvents<A extends Abi, Streams extends boolean> = {
  readonly [K in EventKeys<Events<A>, Events<A>>]: TronEventMember<
    TronEventItem<EventAt<Events<A>, Events<A>, K>>,
    Streams
  >
}

/**
 * The events that a query of Tron lists: with `strict: false` there may be some without `args`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TronEventsBy<E extends AbiEvent> extends Choice<unknown> {
  readonly answer: ReadonlyArray<AnswerBy<TronEventBy<E>, this["choice"]>>
}

/**
 * One event of Tron that a query lists or streams: with `strict: false` it may have no `args`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TronEventBy<E extends AbiEvent> extends Choice<unknown> {
  readonly answer: E extends unknown
    ? TronEvent<
        E["name"],
        EventArgs<E> | (this["choice"] extends { readonly strict: false } ? undefined : never)
      >
    : never
}

interface TronEventMember<E extends AbiEvent, Streams extends boolean> {
  readonly list: Chooser<
    [query?: EventQuery<EventFilter<E>>, options?: EventOptions],
    0,
    {},
    TronEventsBy<E>,
    ContractError
  >
  readonly stream: Streams extends true
    ? StreamChooser<
        [query?: EventStreamQuery<EventFilter<E>>, options?: StreamOptions & EventOptions],
        0,
        {},
        TronEventBy<E>,
        ContractError | SubscriptionError
      >
    : NeedsSubscriptions
}

/**
 * A contract of Tron. Addresses are base58 in answers, and base58 or 41 and 40 hexadecimal digits in arguments.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronContract<A, Writable extends boolean = false, Streams extends boolean = false> {
  readonly address: string
  /** Reads; a single output is the answer, several are a tuple. */
  readonly read: TronMembers<AbiOrUnknown<A>, ReadMutability, TronReadOptions, never, ContractError>
  /** The same reads as data, for a multicall. */
  readonly calls: TronCallsOf<AbiOrUnknown<A>>
  /** Writes that are tried and not sent: what they would answer. */
  readonly simulate: TronMembers<AbiOrUnknown<A>, WriteMutability, TronSimulateOptions, never, ContractError>
  /** The energy that writes would use, and its price. */
  readonly estimateEnergy: TronMembers<
    AbiOrUnknown<A>,
    WriteMutability,
    TronSimulateOptions,
    EnergyEstimate,
    ContractError
  >
  /** Writes: tried first, then signed and sent. */
  readonly write: Writable extends true
    ? TronMembers<AbiOrUnknown<A>, WriteMutability, TronWriteOptions, Sent<TronTransaction>, WriteError>
    : NeedsSigner
  /** Events, decoded. */
  readonly events: TronEvents<AbiOrUnknown<A>, Streams>
}
