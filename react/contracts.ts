"use client"

import type { Abi } from "abitype"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Sdk } from "../src/client/Sdk.js"
import { parseAbi } from "../src/contracts/abiItems.js"
import type { ContractOf, IsTronClient } from "../src/contracts/Contract.js"
import {
  type ContractCall,
  type ContractClient,
  type ContractError,
  type ContractSigner,
  contract,
  lookupAddress,
  multicall,
  resolveName,
  type TronContractSigner,
  type WriteError
} from "../src/contracts/index.js"
import * as CallResult from "../src/data/CallResult.js"
/**
 * Contracts in React, on EVM chains and on Tron: `effect-chains/react/contracts`. Names, arguments and answers are typed by the ABI
 * (`as const`). Encoding needs the optional peer `ox`, which is loaded with the first call.
 *
 * ```tsx
 * const { data } = useReadContract({ address, abi, functionName: "balanceOf", args: [owner] }, { refresh: "blocks" })
 * const { run, status } = useWriteContract()
 * await run({ address, abi, functionName: "transfer", args: [to, 1_000_000n, { confirmations: 1 }] })
 * ```
 *
 * @since 0.1.0
 */
import type { OnThisEffect } from "../src/data/effectVersion.js"
import { leftOf, rightOf } from "../src/data/eitherValues.js"
import { addressProblem } from "../src/data/evmAddress.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidArgument, type Unexpected } from "../src/data/SdkError.js"
import type { EvmTransaction } from "../src/signers/evm/Types.js"
import type { Sent } from "../src/signers/Signer.js"
import type { TronTransaction } from "../src/signers/tron/Types.js"
import type { SubscriptionError } from "../src/subscriptions/Subscription.js"
import { useNetworkClient } from "./ClientStore.js"
import {
  type AnyWriteOptions,
  asHook,
  type ErrorWithMessage,
  useStreamItems,
  useWriteCalls
} from "./calls.js"
import type { AnyOptions } from "./ReadObserver.js"
import { type PageWalletError, pageSigner } from "./signing.js"
import type {
  DefaultNetwork,
  LiveOptions,
  Reading,
  ReadOptions,
  SuspenseOptions,
  SuspenseReading,
  WatchOptions,
  WatchState,
  WriteHandle,
  WriteOptions
} from "./types.js"
import { makeBrowserSuspense, type UseRx, useObservedRx, useSuspenseRx } from "./useRx.js"
import { evmAddress, isObject, isPlainObject, toKey } from "./values.js"

/** An ABI that the compiler knows (`as const`), or one of unknown content. */
type AnyAbi = Abi | ReadonlyArray<unknown>

/** The contract on a network. Its writes need a signer, which hooks find themselves. */
type ContractFor<N extends AnyNetwork, A> = ContractOf<A, Sdk<N>, unknown>

type ContractPart = "read" | "simulate" | "write"

/** The functions of a part of a contract. */
type PartOf<N extends AnyNetwork, A, K extends ContractPart> = ContractFor<N, A>[K]

type ParametersFor<F> = F extends (...args: infer Args) => unknown ? Args : never

type AnswerFrom<F> = F extends (...args: never) => Effect.Effect<infer A, infer _E> ? A : never

/**
 * The names of a contract's functions that can be read, simulated or written.
 *
 * @since 0.1.0
 * @category types
 */
export type FunctionName<N extends AnyNetwork, A, K extends ContractPart> = string & keyof PartOf<N, A, K>

type FunctionAt<N extends AnyNetwork, A, K extends ContractPart, M> = M extends keyof PartOf<N, A, K>
  ? PartOf<N, A, K>[M]
  : (...args: never) => Effect.Effect<unknown, unknown>

/**
 * A call of a contract's function. Options of `contract(…)`, such as `{ block }` or `{ value, confirmations }`, may follow the arguments in
 * `args`.
 *
 * @since 0.1.0
 * @category models
 */
export type ContractCallOf<N extends AnyNetwork, A, K extends ContractPart, M> = {
  readonly address: string
  readonly abi: A
  readonly functionName: M
} & ([] extends ParametersFor<FunctionAt<N, A, K, M>>
  ? { readonly args?: Readonly<ParametersFor<FunctionAt<N, A, K, M>>> }
  : { readonly args: Readonly<ParametersFor<FunctionAt<N, A, K, M>>> })

/**
 * The answer of a contract's function.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractAnswer<N extends AnyNetwork, A, K extends ContractPart, M> = AnswerFrom<
  FunctionAt<N, A, K, M>
>

/**
 * The errors of hooks that read from contracts.
 *
 * @since 0.1.0
 * @category errors
 */
export type ContractFailure = ContractError | InitError | Unexpected

interface AnyContractCall {
  readonly address: string
  readonly abi: ReadonlyArray<unknown>
  readonly functionName: string
  readonly args?: ReadonlyArray<unknown>
}

type Callable = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, ErrorWithMessage>

type Functions = Readonly<Record<string, Callable>>

/** A contract of any ABI: its functions and events by name. */
interface ContractParts extends Readonly<Record<ContractPart, Functions>> {
  readonly calls: Readonly<Record<string, (...args: ReadonlyArray<unknown>) => ContractCall>>
  readonly events: Readonly<
    Record<string, { readonly stream: (query: object) => Stream.Stream<unknown, ErrorWithMessage> }>
  >
}

/** Takes any client for one of a network with contracts. On others a call is refused when it is made. */
const asContractClient = (sdk: Sdk): Sdk<"ethereum-mainnet"> =>
  // the type of the hook allows networks with contracts alone
  sdk as unknown as Sdk<"ethereum-mainnet">

const makeContract = (
  sdk: Sdk,
  { abi, address }: Pick<AnyContractCall, "abi" | "address">,
  signer?: ContractSigner | TronContractSigner
): ContractParts =>
  contract(asContractClient(sdk), {
    address,
    abi,
    // the type of the hook takes signers of the client's family alone
    ...(signer === undefined ? {} : { signer: signer as ContractSigner })
  })

/** Finds a member by name. If the ABI has no such member, the error lists the names that it has. */
const findMember = <M>(
  members: Readonly<Record<string, M>>,
  name: string
): Effect.Effect<M, InvalidArgument> => {
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  return member === undefined
    ? Effect.fail(
        new InvalidArgument({
          call: "contract",
          reason: `the ABI has no ${name} here: it has ${Object.keys(members).join(", ") || "none"}`
        })
      )
    : Effect.succeed(member)
}

const callFunction = (
  members: Functions,
  { args = [], functionName }: AnyContractCall
): Effect.Effect<unknown, ErrorWithMessage> =>
  Effect.flatMap(findMember(members, functionName), (member) => member(...args))

type AbiItems = ReturnType<typeof parseAbi>

const itemsByAbi = new WeakMap<ReadonlyArray<unknown>, AbiItems>()

/** Parses an ABI once, though components pass it in every render. */
const parseItems = (abi: ReadonlyArray<unknown>): AbiItems => {
  const items = itemsByAbi.get(abi) ?? parseAbi(abi)
  itemsByAbi.set(abi, items)
  return items
}

/** Addresses whose checksum was computed, and whether it fits. */
const checkedAddresses = new Map<string, boolean>()
const MAX_CHECKED_ADDRESSES = 1_000

const isMistyped = (text: string): boolean => {
  const known = checkedAddresses.get(text)
  if (known !== undefined) return known
  const isWrong = evmAddress.test(text) && addressProblem(text) !== undefined
  if (checkedAddresses.size >= MAX_CHECKED_ADDRESSES) checkedAddresses.clear()
  checkedAddresses.set(text, isWrong)
  return isWrong
}

/** The mistyped addresses in a value. Calls refuse them, so they share no cache entry with those that have the same letters in other cases. */
const findMistyped = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? isMistyped(value)
      ? [`mistyped ${value}`]
      : []
    : Array.isArray(value) || (isObject(value) && isPlainObject(value))
      ? Object.values(value).flatMap(findMistyped)
      : []

/** The parts of a call that are in its cache key. Of the ABI these are the functions with that name. */
const toKeyParts = ({ abi, address, args = [], functionName }: AnyContractCall) => ({
  address,
  functionName,
  args,
  items: parseItems(abi).functions.filter(([name]) => name === functionName),
  mistyped: findMistyped([address, args])
})

const makeContractCallHook =
  (useRx: UseRx, part: "read" | "simulate") =>
  (call: AnyContractCall, options: AnyOptions = {}) => {
    const client = useNetworkClient(options.network)
    const rx = client.read(`contracts.${part}`, [toKeyParts(call)], (sdk) =>
      callFunction(makeContract(sdk, call)[part], call)
    )
    return useRx(client, rx, options).reading
  }

/** Reads several contracts. A call of an unknown function fails alone: the others succeed. */
const readContracts = (sdk: Sdk, calls: ReadonlyArray<AnyContractCall>) =>
  Effect.gen(function* () {
    const encodedCalls = yield* Effect.forEach(calls, (call) =>
      Effect.either(
        Effect.map(findMember(makeContract(sdk, call).calls, call.functionName), (member) =>
          member(...(call.args ?? []))
        )
      )
    )
    const answers = yield* multicall(
      asContractClient(sdk),
      encodedCalls.flatMap((call) => (Either.isRight(call) ? [rightOf(call)] : []))
    )
    let next = 0
    return encodedCalls.map((call): CallResult.Result<unknown, ContractError> => {
      const answer = Either.isLeft(call) ? call : answers[next++]
      if (answer === undefined)
        return CallResult.failure(new InvalidArgument({ call: "multicall", reason: "no answer came" }))
      return Either.isLeft(answer) ? CallResult.failure(leftOf(answer)) : CallResult.success(rightOf(answer))
    })
  })

const makeReadContractsHook =
  (useRx: UseRx) =>
  (calls: ReadonlyArray<AnyContractCall>, options: AnyOptions = {}) => {
    const client = useNetworkClient(options.network)
    const rx = client.read("contracts.reads", calls.map(toKeyParts), (sdk) => readContracts(sdk, calls))
    return useRx(client, rx, options).reading
  }

/**
 * A hook that calls a contract without a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export type UseContractCall<K extends "read" | "simulate"> = <
  const A extends AnyAbi,
  M extends FunctionName<N, A, K>,
  N extends AnyNetwork = DefaultNetwork,
  B = ContractAnswer<N, A, K, M>
>(
  call: OnThisEffect<ContractCallOf<N, A, K, M>>,
  options?: ReadOptions<N, ContractAnswer<N, A, K, M>, B>
) => Reading<B, ContractFailure>

/**
 * The Suspense twin of {@link UseContractCall}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseContractCall<K extends "read" | "simulate"> = <
  const A extends AnyAbi,
  M extends FunctionName<N, A, K>,
  N extends AnyNetwork = DefaultNetwork,
  B = ContractAnswer<N, A, K, M>
>(
  call: OnThisEffect<ContractCallOf<N, A, K, M>>,
  options?: SuspenseOptions<N, ContractAnswer<N, A, K, M>, B>
) => SuspenseReading<B, ContractFailure>

/**
 * A read of a contract: `useReadContract({ address, abi, functionName: "balanceOf", args: [owner] })`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useReadContract: UseContractCall<"read"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useObservedRx, "read")
)

/**
 * The Suspense twin of {@link useReadContract}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseReadContract: UseSuspenseContractCall<"read"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useSuspenseRx, "read")
)

/**
 * The answer that a write would have, without sending it: `useSimulateContract({ address, abi, functionName: "mint", args: [1n, { from }] })`.
 * If the contract reverts, the error is a `ContractReverted`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSimulateContract: UseContractCall<"simulate"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useObservedRx, "simulate")
)

/**
 * The Suspense twin of {@link useSimulateContract}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseSimulateContract: UseSuspenseContractCall<"simulate"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useSuspenseRx, "simulate")
)

/** Checks each call against its own ABI. */
type CheckedCalls<N extends AnyNetwork, Calls> = {
  readonly [I in keyof Calls]: Calls[I] extends {
    readonly abi: infer A extends AnyAbi
    readonly functionName: infer M
  }
    ? ContractCallOf<N, A, "read", M & FunctionName<N, A, "read">>
    : AnyContractCall
}

/**
 * The results of several reads, in their order.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractAnswers<N extends AnyNetwork, Calls> = {
  readonly [I in keyof Calls]: Calls[I] extends { readonly abi: infer A; readonly functionName: infer M }
    ? CallResult.Result<ContractAnswer<N, A, "read", M>, ContractError>
    : never
}

/**
 * Several reads of contracts at once, in one multicall where the chain has one. The length of the list may change between renders.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useReadContracts: <
  const Calls extends ReadonlyArray<AnyContractCall>,
  N extends AnyNetwork = DefaultNetwork,
  B = ContractAnswers<N, Calls>
>(
  calls: Calls & CheckedCalls<N, Calls>,
  options?: ReadOptions<N, ContractAnswers<N, Calls>, B>
) => Reading<B, ContractFailure> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeReadContractsHook(useObservedRx))

/**
 * The Suspense twin of {@link useReadContracts}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseReadContracts: <
  const Calls extends ReadonlyArray<AnyContractCall>,
  N extends AnyNetwork = DefaultNetwork,
  B = ContractAnswers<N, Calls>
>(
  calls: Calls & CheckedCalls<N, Calls>,
  options?: SuspenseOptions<N, ContractAnswers<N, Calls>, B>
) => SuspenseReading<B, ContractFailure> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeReadContractsHook(useSuspenseRx)
)

/**
 * The errors of hooks that write to contracts.
 *
 * @since 0.1.0
 * @category errors
 */
export type ContractWriteFailure = WriteError | PageWalletError | InitError | Unexpected

/**
 * Options of {@link useWriteContract}. `signer` is by default the page's wallet.
 *
 * @since 0.1.0
 * @category models
 */
export interface WriteContractOptions<N extends AnyNetwork = Network>
  extends WriteOptions<N, readonly [call: object]> {
  readonly signer?: ContractSigner | TronContractSigner | undefined
}

/**
 * The result of {@link useWriteContract}. Each call of `run` is typed by its own ABI.
 *
 * @since 0.1.0
 * @category models
 */
export type ContractWriteHandle<N extends AnyNetwork> = WithRun<
  WriteHandle<readonly [], SentOn<N>, ContractWriteFailure>,
  <const A extends AnyAbi, M extends FunctionName<N, A, "write">>(
    call: ContractCallOf<N, A, "write", M>
  ) => Promise<CallResult.Result<ContractAnswer<N, A, "write", M>, ContractWriteFailure>>
>

type WithRun<W, Run> = W extends unknown ? Omit<W, "run"> & { readonly run: Run } : never

type SentOn<N extends AnyNetwork> =
  IsTronClient<Sdk<N>> extends true ? Sent<TronTransaction> : Sent<EvmTransaction>

/**
 * Writes to contracts: `const { run } = useWriteContract()`, then `await run({ address, abi, functionName, args })`. The page's wallet signs
 * on the network's chain, unless a `signer` is given. Each write is simulated before it is signed, and sent once.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWriteContract: <N extends AnyNetwork = DefaultNetwork>(
  options?: WriteContractOptions<N>
) => ContractWriteHandle<N> = /*#__PURE__*/ asHook(({ signer, ...options }: WriteContractOptions = {}) =>
  // the type of the hook allows one argument
  useWriteCalls(options as AnyWriteOptions, (sdk, args) => {
    const [call] = args as readonly [AnyContractCall]
    const account = signer === undefined ? pageSigner(sdk) : Effect.succeed(signer)
    return Effect.flatMap(account, (signer) => callFunction(makeContract(sdk, call, signer).write, call))
  })
)

/** An event of any contract. */
interface AnyWatchedEvent {
  readonly address: string
  readonly abi: ReadonlyArray<unknown>
  readonly eventName: string
  readonly args?: object
}

/** The parts of a watched event that are in its key. Of the ABI these are the events with that name. */
const toEventKeyParts = ({ abi, address, args = {}, eventName }: AnyWatchedEvent) => ({
  address,
  eventName,
  args,
  items: parseItems(abi).events.filter(([name]) => name === eventName),
  mistyped: findMistyped([address, args])
})

/** Streams the events of a contract. */
const streamEvents =
  ({ abi, address, args = {}, eventName }: AnyWatchedEvent) =>
  (sdk: Sdk): Stream.Stream<unknown, unknown> =>
    Stream.unwrap(
      Effect.map(findMember(makeContract(sdk, { abi, address }).events, eventName), ({ stream }) =>
        stream({ args })
      )
    )

type EventsIn<N extends AnyNetwork, A> = ContractFor<N, A>["events"]

/**
 * The names of the events of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export type EventName<N extends AnyNetwork, A> = string & keyof EventsIn<N, A>

type EventAt<N extends AnyNetwork, A, M> = M extends keyof EventsIn<N, A>
  ? EventsIn<N, A>[M] extends {
      readonly list: (query?: infer Query) => Effect.Effect<ReadonlyArray<infer Event>, infer _E>
    }
    ? { readonly event: Event; readonly query: Query }
    : never
  : never

/**
 * An event to watch. `args` selects the events with these indexed arguments.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchedEvent<N extends AnyNetwork, A, M> {
  readonly address: string
  readonly abi: A
  readonly eventName: M
  readonly args?: EventAt<N, A, M> extends { readonly query: { readonly args?: infer Args } } ? Args : never
}

/**
 * Calls a function once for each new event of a contract: `useWatchContractEvent({ address, abi, eventName: "Transfer", args: { to } },
 * ({ args }) => show(args.value))`. The function of the last render is called.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWatchContractEvent: <
  const A extends AnyAbi,
  M extends EventName<N, A>,
  N extends AnyNetwork = DefaultNetwork
>(
  event: WatchedEvent<N, A, M>,
  onEvent: (event: EventAt<N, A, M>["event"]) => void,
  options?: WatchOptions<N>
) => WatchState<ContractFailure | SubscriptionError> = /*#__PURE__*/ asHook(
  (event: AnyWatchedEvent, onEvent: (event: unknown) => void, options: WatchOptions = {}) => {
    return useStreamItems(options, toKey(toEventKeyParts(event)), streamEvents(event), onEvent)
  }
)

const useSuspenseEvent = /*#__PURE__*/ makeBrowserSuspense("WatchContractEvent")

/**
 * The Suspense twin of {@link useWatchContractEvent}: suspends until the next event, and returns the latest one. Of several events between
 * two renders it returns the last.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseWatchContractEvent: <
  const A extends AnyAbi,
  M extends EventName<N, A>,
  N extends AnyNetwork = DefaultNetwork,
  B = EventAt<N, A, M>["event"]
>(
  event: WatchedEvent<N, A, M>,
  options?: Omit<LiveOptions<N, EventAt<N, A, M>["event"], B>, "enabled">
) => SuspenseReading<B, ContractFailure | SubscriptionError> = /*#__PURE__*/ asHook(
  (event: AnyWatchedEvent, options: AnyOptions = {}) => {
    const client = useNetworkClient(options.network)
    const rx = client.live("contracts.events", [toEventKeyParts(event)], streamEvents(event))
    return useSuspenseEvent(client, rx, options).reading
  }
)

/** Makes a hook of ENS. Its default network is Ethereum instead of the provider's. */
const makeEnsHook =
  (
    useRx: UseRx,
    path: string,
    resolve: (client: ContractClient, given: string) => Effect.Effect<unknown, unknown>
  ) =>
  (given: string | undefined, options: AnyOptions = {}) => {
    const client = useNetworkClient(options.network ?? "ethereum-mainnet")
    const rx = client.read(path, [given, ...findMistyped(given)], (sdk) =>
      resolve(asContractClient(sdk), given ?? "")
    )
    return useRx(client, rx, { ...options, enabled: given !== undefined && options.enabled !== false })
      .reading
  }

/**
 * A hook of ENS. With `undefined` in place of a name or an address it is idle.
 *
 * @since 0.1.0
 * @category types
 */
export type UseEns = <B = string | null>(
  given: string | undefined,
  options?: ReadOptions<"ethereum-mainnet" | "ethereum-sepolia", string | null, B>
) => Reading<B, ContractFailure>

/**
 * The Suspense twin of {@link UseEns}.
 *
 * @since 0.1.0
 * @category types
 */
export type UseSuspenseEns = <B = string | null>(
  given: string,
  options?: SuspenseOptions<"ethereum-mainnet" | "ethereum-sepolia", string | null, B>
) => SuspenseReading<B, ContractFailure>

/**
 * The address of an ENS name, or null: `useEnsAddress("vitalik.eth")`. The default network is `ethereum-mainnet`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useEnsAddress: UseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useObservedRx, "contracts.resolveName", resolveName)
)

/**
 * The Suspense twin of {@link useEnsAddress}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseEnsAddress: UseSuspenseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useSuspenseRx, "contracts.resolveName", resolveName)
)

/**
 * The primary ENS name of an address, or null: `useEnsName(address)`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useEnsName: UseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useObservedRx, "contracts.lookupAddress", lookupAddress)
)

/**
 * The Suspense twin of {@link useEnsName}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseEnsName: UseSuspenseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useSuspenseRx, "contracts.lookupAddress", lookupAddress)
)
