/**
 * Contracts of EVM chains over their ABIs: reads, writes, what would happen, and events. Encoding is ox's, which is loaded with the
 * first call.
 *
 * @since 0.1.0
 */
import type { AbiEvent, AbiFunction } from "abitype"
import * as Effect from "effect/Effect"
import type { Hex, LogFilter } from "../chains/evm/Types.js"
import { isRecord } from "../data/foreign.js"
import { kept } from "../data/loadOnce.js"
import { ContractReverted, type InvalidArgument } from "../data/SdkError.js"
import { refused } from "../signers/Signer.js"
import {
  type Checks,
  checksOf,
  decoded,
  encoded,
  fitting,
  loadOx,
  type Ox,
  tellingReverts
} from "./calling.js"
import { isRead, itemsOf } from "./items.js"
import type {
  ContractCall,
  ContractClient,
  ContractError,
  ContractLog,
  ContractOptions,
  ContractSigner,
  EventQuery,
  SimulateOptions,
  StreamOptions,
  WriteOptions
} from "./Types.js"

export type * from "./Types.js"

/** The filter of a stream of events, and what its logs mean. */
export interface Streaming {
  readonly filter: Effect.Effect<Pick<LogFilter, "address" | "topics">, ContractError>
  readonly decode: (log: ContractLog) => Effect.Effect<unknown, ContractError>
  readonly options: StreamOptions | undefined
}

/** How a surface makes a stream. */
export type MakeStream = (streaming: Streaming) => unknown

type Signer = ContractSigner | undefined

/** A contract at its address. */
interface Place {
  readonly client: ContractClient
  readonly address: string
  readonly checks: Effect.Effect<Checks, ContractError>
  /** The address, once it is known to be one of the network. */
  readonly checked: Effect.Effect<Hex, ContractError>
  readonly abi: ReadonlyArray<unknown>
  readonly signer: Signer
}

type Given = ReadonlyArray<unknown>
type Options = SimulateOptions & WriteOptions

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

/** A call that can be sent: its address is one of the network, and its arguments fit. */
const requestOf = ({ checked, checks }: Place, ox: Ox, call: ContractCall) =>
  Effect.zipWith(
    checked,
    Effect.flatMap(checks, (check) => encoded(ox, check, call)),
    (to, data) => ({ to, data })
  )

/** Functions that answer nothing succeed on addresses without code, too. */
const hasCode = ({ client }: Place, { address, functionName }: ContractCall) =>
  Effect.flatMap(client.rpc.getCode(address), (code) =>
    code === "0x" ? Effect.fail(refused(functionName, `there is no contract at ${address}`)) : Effect.void
  )

const sender = ({ signer }: Place, from: string | undefined) => from ?? signer?.address

const asking =
  (place: Place, functionName: string, item: AbiFunction) =>
  (...given: Given): Effect.Effect<unknown, ContractError> =>
    Effect.gen(function* () {
      const { call, options } = callOf(place, functionName, item, given)
      const ox = yield* loadOx
      const { block, value } = options
      const from = sender(place, options.from)
      const request = {
        ...(yield* requestOf(place, ox, call)),
        ...(from === undefined ? {} : { from }),
        ...(value === undefined ? {} : { value })
      }
      const answer = yield* tellingReverts(
        ox,
        call
      )(block === undefined ? place.client.rpc.call(request) : place.client.rpc.call(request, block))
      if (answer === "0x" && item.outputs.length === 0) yield* hasCode(place, call)
      return yield* decoded(ox, call, answer)
    })

const estimating =
  (place: Place, functionName: string, item: AbiFunction) =>
  (...given: Given): Effect.Effect<bigint, ContractError> =>
    Effect.gen(function* () {
      const { call, options } = callOf(place, functionName, item, given)
      const ox = yield* loadOx
      const from = sender(place, options.from)
      const request = yield* requestOf(place, ox, call)
      return yield* tellingReverts(
        ox,
        call
      )(
        place.client.rpc.estimateGas({
          ...request,
          ...(from === undefined ? {} : { from }),
          ...(options.value === undefined ? {} : { value: options.value })
        })
      )
    })

const writing =
  (place: Place, functionName: string, item: AbiFunction) =>
  (...given: Given) =>
    Effect.gen(function* () {
      const { client, signer } = place
      if (signer === undefined)
        return yield* refused(functionName, "a contract writes with a signer: make it with { signer }")
      if (signer.network !== client.network)
        return yield* refused(
          functionName,
          `the signer is one of ${signer.network}, and the contract is on ${client.network}`
        )
      const { call, options } = callOf(place, functionName, item, given)
      const { confirmations, maxFee, value } = options
      const ox = yield* loadOx
      const { data, to } = yield* requestOf(place, ox, call)
      const trial = asking(place, functionName, item)(...call.args, value === undefined ? {} : { value })
      // what is no refusal of the contract, such as too small a balance, the signer says in numbers
      yield* Effect.catchTag(trial, "RpcError", () => Effect.void)
      return yield* tellingReverts(
        ox,
        call
      )(
        signer.sendTransaction({
          to,
          data,
          ...(value === undefined ? {} : { value }),
          ...(maxFee === undefined ? {} : { maxFee }),
          ...(confirmations === undefined ? {} : { confirmations })
        })
      )
    }).pipe(
      // what was mined may have failed all the same: the state was another one by then
      Effect.catchTag("TransactionFailed", ({ hash }) =>
        Effect.fail(
          new ContractReverted({
            address: place.address,
            functionName,
            reason: `the transaction ${hash} was mined and failed`
          })
        )
      )
    )

/** The filter of an event's logs. */
const filterOf = ({ checked }: Place, name: string, event: AbiEvent, wanted: unknown) =>
  Effect.gen(function* () {
    const ox = yield* loadOx
    const topics = yield* fitting(name, () => ox.topicsOf(event, isRecord(wanted) ? wanted : {}))
    return { address: yield* checked, topics }
  })

const decodedLog = (name: string, event: AbiEvent) => (log: ContractLog) =>
  Effect.flatMap(loadOx, (ox) =>
    fitting(name, () => ({ ...log, name: event.name, args: ox.decodeLog(event, log) }))
  )

const eventOf = (place: Place, name: string, event: AbiEvent, stream: MakeStream) => {
  const decode = decodedLog(name, event)
  return {
    list: ({ args, ...range }: EventQuery<unknown> = {}) =>
      filterOf(place, name, event, args).pipe(
        Effect.flatMap((filter) =>
          place.client.rpc.getLogs(
            range.blockHash === undefined
              ? { ...filter, fromBlock: "earliest", ...range }
              : { ...filter, blockHash: range.blockHash }
          )
        ),
        Effect.flatMap((logs) => Effect.forEach(logs, decode))
      ),
    stream: ({ args }: Pick<EventQuery<unknown>, "args"> = {}, options?: StreamOptions) =>
      stream({ filter: filterOf(place, name, event, args), decode, options })
  }
}

/**
 * The members of a contract, with streams of a surface's own kind.
 *
 * @since 0.1.0
 * @category constructors
 */
export const membersOf = (
  client: ContractClient,
  { abi, address, signer }: ContractOptions<ReadonlyArray<unknown>, ContractSigner>,
  stream: MakeStream
) => {
  const checks = kept(checksOf(client.network))
  const checked = kept(Effect.flatMap(checks, (check) => check(address)))
  const place: Place = { client, address, checked, checks, abi, signer }
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
    read: members(reads, asking),
    calls: members(
      reads,
      (_, name, item) =>
        (...given: Given) =>
          callOf(place, name, item, given).call
    ),
    simulate: members(writes, asking),
    estimateGas: members(writes, estimating),
    write: members(writes, writing),
    events: Object.fromEntries(events.map(([name, event]) => [name, eventOf(place, name, event, stream)]))
  }
}

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
export const needsSubscriptions: InvalidArgument = /*#__PURE__*/ refused(
  "stream",
  "this client has no subscriptions: make it with effect-chains or effect-chains/promise, or list events"
)
