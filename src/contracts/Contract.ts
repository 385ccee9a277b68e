/**
 * Contracts of EVM chains and of Tron by their ABIs: reads, writes, simulations, and events. The encoder (ox) and the chain's own code
 * are loaded with the first call.
 *
 * @since 0.1.0
 */
import type { AbiFunction } from "abitype"
import * as Effect from "effect/Effect"
import type { LogFilter } from "../chains/evm/Types.js"
import { loadPeer, memoizeSuccess } from "../data/loadOnce.js"
import { InvalidArgument } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { type EventForms, isReadFunction, parseAbi } from "./abiItems.js"
import type {
  AnyContractOptions,
  ChainContracts,
  ContractContext,
  ContractOperations,
  TronContractContext
} from "./contractOperations.js"
import type {
  Contract,
  ContractCall,
  ContractError,
  ContractLog,
  ContractOptions,
  EventOptions,
  EventQuery,
  EventStreamQuery,
  ReadOptions,
  StreamOptions,
  TronContract,
  TronReadOptions
} from "./Types.js"

export type * from "./Types.js"

/** The filter of a stream of events, and the decoder of its logs. */
export interface EventStreamSource {
  readonly filter: Effect.Effect<Pick<LogFilter, "address" | "topics">, ContractError>
  /** Decodes a log to its event; empty if the log is of another event. */
  readonly decode: Effect.Effect<(log: ContractLog) => ReadonlyArray<unknown>, ContractError>
  readonly options: StreamOptions | undefined
}

/** How a surface makes a stream. */
export type MakeStream = (streaming: EventStreamSource) => unknown

/** A contract at its address. */
interface ContractPlace extends Pick<ContractCall, "abi" | "address"> {
  readonly operations: Effect.Effect<ContractOperations, ContractError>
}

type CallArguments = ReadonlyArray<unknown>

/** A call of a function, and the options after its arguments. */
const parseCall = (
  { abi, address }: ContractPlace,
  functionName: string,
  item: AbiFunction,
  args: CallArguments
): { readonly call: ContractCall; readonly options: AnyContractOptions } => {
  const count = item.inputs.length
  const last = args[count]
  const hasOptions = args.length === count + 1 && (last === undefined || isRecord(last))
  return {
    // arguments that are too many are refused with those that do not fit
    call: { abi, address, functionName, item, args: hasOptions ? args.slice(0, count) : args },
    // nodes and the signer check the options' fields
    options: hasOptions && isRecord(last) ? last : {}
  }
}

/** A member of a contract that does this with a function. */
const makeMember =
  (operation: "ask" | "estimate" | "write") =>
  (place: ContractPlace, functionName: string, item: AbiFunction) =>
  (...given: CallArguments) => {
    const { call, options } = parseCall(place, functionName, item, given)
    return Effect.flatMap(place.operations, (operations) => operations[operation](call, options))
  }

const makeEvent = ({ operations }: ContractPlace, name: string, forms: EventForms, stream: MakeStream) => ({
  list: (query: EventQuery<unknown> = {}, options: EventOptions = {}) =>
    Effect.flatMap(operations, (operations) => operations.listEvents(name, forms, query, options)),
  stream: (
    { args, strict = true }: EventStreamQuery<unknown> = {},
    { onSkip, ...options }: StreamOptions & EventOptions = {}
  ) =>
    stream({
      filter: Effect.flatMap(operations, ({ makeFilter }) => makeFilter(name, forms, args)),
      decode: Effect.map(operations, ({ makeEventDecoder }) => makeEventDecoder(forms, strict, onSkip)),
      options
    })
})

const isTron = (parties: ContractContext): parties is TronContractContext =>
  "triggerConstantContract" in parties.client.rpc

/** The encoder and the code of each chain are in chunks of their own. */
export const loadChainContracts = (parties: ContractContext): Effect.Effect<ChainContracts, ContractError> =>
  isTron(parties)
    ? Effect.flatMap(
        loadPeer("ox", () => import("./tron.js")),
        ({ makeChainContracts }) => makeChainContracts(parties)
      )
    : Effect.flatMap(
        loadPeer("ox", () => import("./evm.js")),
        ({ makeChainContracts }) => makeChainContracts(parties)
      )

/**
 * The members of a contract, with streams of a surface's own kind.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeContractMembers = (
  parties: ContractContext,
  { abi, address }: ContractOptions<ReadonlyArray<unknown>, unknown>,
  stream: MakeStream
) => {
  const place: ContractPlace = {
    address,
    operations: memoizeSuccess(
      Effect.map(loadChainContracts(parties), ({ operationsAt }) => operationsAt(address))
    ),
    abi
  }
  const { events, functions } = parseAbi(abi)
  const reads = functions.filter(([, item]) => isReadFunction(item))
  const writes = functions.filter(([, item]) => !isReadFunction(item))
  const members = <M>(
    items: typeof functions,
    member: (place: ContractPlace, name: string, item: AbiFunction) => M
  ): Readonly<Record<string, M>> =>
    Object.fromEntries(items.map(([name, item]) => [name, member(place, name, item)]))
  return {
    address,
    read: members(reads, makeMember("ask")),
    calls: members(
      reads,
      (_, name, item) =>
        (...given: CallArguments) =>
          parseCall(place, name, item, given).call
    ),
    simulate: members(writes, makeMember("ask")),
    // by the name that it has on its chain
    [isTron(parties) ? "estimateEnergy" : "estimateGas"]: members(writes, makeMember("estimate")),
    write: members(writes, makeMember("write")),
    events: Object.fromEntries(events.map(([name, forms]) => [name, makeEvent(place, name, forms, stream)]))
  }
}

/**
 * Whether a client is one of Tron, on either surface.
 *
 * @since 0.1.0
 * @category types
 */
export type IsTronClient<C> = C extends {
  readonly rpc: { readonly triggerConstantContract: (...args: never) => unknown }
}
  ? true
  : false

/**
 * The contract that a client makes.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractOf<A, C, S> =
  IsTronClient<C> extends true
    ? TronContract<A, CanWrite<S>, CanSubscribe<C>>
    : Contract<A, CanWrite<S>, CanSubscribe<C>>

/**
 * Options of reads, by the client: nodes of Tron only answer at the newest block.
 *
 * @since 0.1.0
 * @category types
 */
export type ReadOptionsOf<C> = IsTronClient<C> extends true ? TronReadOptions : ReadOptions

/**
 * Whether a client subscribes to logs, of either surface.
 *
 * @since 0.1.0
 * @category types
 */
export type CanSubscribe<C> = C extends {
  readonly rpc: { readonly subscribe: { readonly logs: (...args: never) => unknown } }
}
  ? true
  : false

/**
 * Whether there is a signer, so that the contract can write.
 *
 * @since 0.1.0
 * @category types
 */
export type CanWrite<S> = [S] extends [never] ? false : true

/** The failure of streams on clients without subscriptions. */
export const subscriptionsMissing: InvalidArgument = /*#__PURE__*/ new InvalidArgument({
  call: "stream",
  reason:
    "this client has no subscriptions: make it with effect-chains or effect-chains/promise, or list events"
})
