/**
 * Contracts of EVM chains and of Tron over their ABIs: reads, writes, what would happen, and events. Encoding is ox's, which is loaded
 * with the first call, as is what is particular to Tron.
 *
 * @since 0.1.0
 */
import type { AbiFunction } from "abitype"
import * as Effect from "effect/Effect"
import type { LogFilter } from "../chains/evm/Types.js"
import { isRecord } from "../data/foreign.js"
import { kept, loadPeer } from "../data/loadOnce.js"
import { InvalidArgument } from "../data/SdkError.js"
import { type Forms, isRead, itemsOf } from "./items.js"
import type { Contracts, Operations, Options, Parties, TronParties } from "./operations.js"
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

/** The filter of a stream of events, and what its logs mean. */
export interface Streaming {
  readonly filter: Effect.Effect<Pick<LogFilter, "address" | "topics">, ContractError>
  /** The event of a log, or none where the log is not one of it. */
  readonly decode: Effect.Effect<(log: ContractLog) => ReadonlyArray<unknown>, ContractError>
  readonly options: StreamOptions | undefined
}

/** How a surface makes a stream. */
export type MakeStream = (streaming: Streaming) => unknown

/** A contract at its address. */
interface Place extends Pick<ContractCall, "abi" | "address"> {
  readonly operations: Effect.Effect<Operations, ContractError>
}

type Given = ReadonlyArray<unknown>

/** A call of a function, with the options that may stand behind its arguments. */
const callOf = (
  { abi, address }: Place,
  functionName: string,
  item: AbiFunction,
  given: Given
): { readonly call: ContractCall; readonly options: Options } => {
  const count = item.inputs.length
  const last = given[count]
  const has = given.length === count + 1 && (last === undefined || isRecord(last))
  return {
    // arguments that are too many are refused with those that do not fit
    call: { abi, address, functionName, item, args: has ? given.slice(0, count) : given },
    // fields of options are checked where they are used: by nodes, by the signer
    options: has && isRecord(last) ? last : {}
  }
}

/** A member of a contract that does this with a function. */
const member =
  (operation: "ask" | "estimate" | "write") =>
  (place: Place, functionName: string, item: AbiFunction) =>
  (...given: Given) => {
    const { call, options } = callOf(place, functionName, item, given)
    return Effect.flatMap(place.operations, (operations) => operations[operation](call, options))
  }

const eventOf = ({ operations }: Place, name: string, forms: Forms, stream: MakeStream) => ({
  list: (query: EventQuery<unknown> = {}, options: EventOptions = {}) =>
    Effect.flatMap(operations, (operations) => operations.list(name, forms, query, options)),
  stream: (
    { args, strict = true }: EventStreamQuery<unknown> = {},
    { onSkip, ...options }: StreamOptions & EventOptions = {}
  ) =>
    stream({
      filter: Effect.flatMap(operations, ({ filter }) => filter(name, forms, args)),
      decode: Effect.map(operations, ({ decode }) => decode(forms, strict, onSkip)),
      options
    })
})

const isTron = (parties: Parties): parties is TronParties => "triggerConstantContract" in parties.client.rpc

/** What is particular to a chain is loaded with what encodes, in chunks of their own. */
export const contractsOf = (parties: Parties): Effect.Effect<Contracts, ContractError> =>
  isTron(parties)
    ? Effect.flatMap(
        loadPeer("ox", () => import("./tron.js")),
        ({ contracts }) => contracts(parties)
      )
    : Effect.flatMap(
        loadPeer("ox", () => import("./evm.js")),
        ({ contracts }) => contracts(parties)
      )

/**
 * The members of a contract, with streams of a surface's own kind.
 *
 * @since 0.1.0
 * @category constructors
 */
export const membersOf = (
  parties: Parties,
  { abi, address }: ContractOptions<ReadonlyArray<unknown>, unknown>,
  stream: MakeStream
) => {
  const place: Place = {
    address,
    operations: kept(Effect.map(contractsOf(parties), ({ at }) => at(address))),
    abi
  }
  const { events, functions } = itemsOf(abi)
  const reads = functions.filter(([, item]) => isRead(item))
  const writes = functions.filter(([, item]) => !isRead(item))
  const members = <M>(
    items: typeof functions,
    member: (place: Place, name: string, item: AbiFunction) => M
  ): Readonly<Record<string, M>> =>
    Object.fromEntries(items.map(([name, item]) => [name, member(place, name, item)]))
  return {
    address,
    read: members(reads, member("ask")),
    calls: members(
      reads,
      (_, name, item) =>
        (...given: Given) =>
          callOf(place, name, item, given).call
    ),
    simulate: members(writes, member("ask")),
    // by the name that it has on its chain
    [isTron(parties) ? "estimateEnergy" : "estimateGas"]: members(writes, member("estimate")),
    write: members(writes, member("write")),
    events: Object.fromEntries(events.map(([name, forms]) => [name, eventOf(place, name, forms, stream)]))
  }
}

/**
 * Whether a client is one of Tron, of either surface.
 *
 * @since 0.1.0
 * @category types
 */
export type OfTron<C> = C extends {
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
  OfTron<C> extends true
    ? TronContract<A, Writable<S>, Subscribed<C>>
    : Contract<A, Writable<S>, Subscribed<C>>

/**
 * The options of reads by a client: nodes of Tron answer at the newest block alone.
 *
 * @since 0.1.0
 * @category types
 */
export type ReadOptionsOf<C> = OfTron<C> extends true ? TronReadOptions : ReadOptions

/**
 * Whether a client subscribes to logs, of either surface.
 *
 * @since 0.1.0
 * @category types
 */
export type Subscribed<C> = C extends {
  readonly rpc: { readonly subscribe: { readonly logs: (...args: never) => unknown } }
}
  ? true
  : false

/**
 * Whether there is a signer, so that the contract writes.
 *
 * @since 0.1.0
 * @category types
 */
export type Writable<S> = [S] extends [never] ? false : true

/** The failure of streams where the client cannot have any. */
export const needsSubscriptions: InvalidArgument = /*#__PURE__*/ new InvalidArgument({
  call: "stream",
  reason:
    "this client has no subscriptions: make it with effect-chains or effect-chains/promise, or list events"
})
