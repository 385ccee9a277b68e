"use client"

/**
 * Contracts in React: `effect-chains/react/contracts`. Names, arguments and answers follow from the ABI (`as const`), on EVM chains and
 * on Tron; encoding is that of `ox`, an optional peer that is loaded with the first call.
 *
 * ```tsx
 * const { data } = useReadContract({ address, abi, functionName: "balanceOf", args: [owner] }, { refresh: "blocks" })
 * const { run, status } = useWriteContract()
 * await run({ address, abi, functionName: "transfer", args: [to, 1_000_000n, { confirmations: 1 }] })
 * ```
 *
 * @since 0.1.0
 */
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
import { failure, type Result as Outcome, success } from "../src/data/CallResult.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidArgument, type Unexpected } from "../src/data/SdkError.js"
import type { EvmTransaction } from "../src/signers/evm/Types.js"
import type { Sent } from "../src/signers/Signer.js"
import type { TronTransaction } from "../src/signers/tron/Types.js"
import type { SubscriptionError } from "../src/subscriptions/Subscription.js"
import {
  type AnyWriteOptions,
  asHook,
  type ErrorWithMessage,
  useStreamItems,
  useWriteCalls
} from "./calls.js"
import {
  type AnyOptions,
  makeBrowserSuspense,
  type UseSource,
  useSource,
  useSuspenseSource
} from "./ReadObserver.js"
import { useNetworkEntry } from "./SdkProvider.js"
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
import { toKey } from "./values.js"

/** An ABI as the compiler knows it, or one of unknown content. */
type AnyAbi = Abi | ReadonlyArray<unknown>

/** The contract that the client of a network makes; writes need a signer, which hooks find by themselves. */
type ContractFor<N extends AnyNetwork, A> = ContractOf<A, Sdk<N>, unknown>

type ContractPart = "read" | "simulate" | "write"

/** The functions of a part of a contract. */
type PartOf<N extends AnyNetwork, A, K extends ContractPart> = ContractFor<N, A>[K]

type ParametersFor<F> = F extends (...args: infer Args) => unknown ? Args : never

type AnswerFrom<F> = F extends (...args: never) => Effect.Effect<infer A, infer _E> ? A : never

/**
 * The names of the functions of a contract that are read, tried (`simulate`) or written.
 *
 * @since 0.1.0
 * @category types
 */
export type FunctionName<N extends AnyNetwork, A, K extends ContractPart> = string & keyof PartOf<N, A, K>

type FunctionAt<N extends AnyNetwork, A, K extends ContractPart, M> = M extends keyof PartOf<N, A, K>
  ? PartOf<N, A, K>[M]
  : (...args: never) => Effect.Effect<unknown, unknown>

/**
 * A call of a contract's function. Behind the arguments may stand the options that `contract(…)` knows, such as `{ block }` or
 * `{ value, confirmations }`.
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
 * What a function of a contract answers.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractAnswer<N extends AnyNetwork, A, K extends ContractPart, M> = AnswerFrom<
  FunctionAt<N, A, K, M>
>

/**
 * The errors of a hook that reads from contracts.
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

/** A contract whose ABI is not known here: its parts by their names. */
interface ContractParts extends Readonly<Record<ContractPart, Functions>> {
  readonly calls: Readonly<Record<string, (...args: ReadonlyArray<unknown>) => ContractCall>>
  readonly events: Readonly<
    Record<string, { readonly stream: (query: object) => Stream.Stream<unknown, ErrorWithMessage> }>
  >
}

/** A client of contracts: on other networks what is asked of it is refused when it is used. */
const asContractClient = (client: Sdk): ContractClient =>
  // the network is the one that the types of the hook are about
  client as unknown as ContractClient

/** The contract of a call. */
const makeContract = (
  client: Sdk,
  { abi, address }: Pick<AnyContractCall, "abi" | "address">,
  signer?: ContractSigner | TronContractSigner
): ContractParts =>
  // the members are those of the ABI, and a signer is one of the client's family, by the type of the hook
  contract(asContractClient(client), {
    address,
    abi,
    ...(signer === undefined ? {} : { signer: signer as ContractSigner })
  }) as unknown as ContractParts

/** A member by its name, or the refusal of one that the ABI does not have. */
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

/** The items of an ABI, which components name in every render. */
const parseItems = (abi: ReadonlyArray<unknown>): AbiItems => {
  const items = itemsByAbi.get(abi) ?? parseAbi(abi)
  itemsByAbi.set(abi, items)
  return items
}

/** What tells a call from others: of its ABI the function of that name. */
const toKeyParts = ({ abi, address, args = [], functionName }: AnyContractCall) => ({
  address,
  functionName,
  args,
  items: parseItems(abi).functions.filter(([name]) => name === functionName)
})

const makeContractCallHook =
  (use: UseSource, part: "read" | "simulate") =>
  (call: AnyContractCall, options: AnyOptions = {}) => {
    const entry = useNetworkEntry(options.network)
    const rx = entry.read(`contracts.${part}`, [toKeyParts(call)], (client) =>
      callFunction(makeContract(client, call)[part], call)
    )
    return use(entry, rx, options).reading
  }

/** The outcomes of several reads. One that is no function of its contract is refused, and does not hold up the others. */
const readContracts = (client: Sdk, calls: ReadonlyArray<AnyContractCall>) =>
  Effect.gen(function* () {
    const wanted = yield* Effect.forEach(calls, (call) =>
      Effect.either(
        Effect.map(findMember(makeContract(client, call).calls, call.functionName), (member) =>
          member(...(call.args ?? []))
        )
      )
    )
    const answers = yield* multicall(
      asContractClient(client),
      wanted.flatMap((call) => (Either.isRight(call) ? [call.right] : []))
    )
    let next = 0
    return wanted.map((call): Outcome<unknown, ContractError> => {
      const answer = Either.isLeft(call) ? call : answers[next++]
      return answer === undefined || Either.isLeft(answer)
        ? failure(answer?.left ?? new InvalidArgument({ call: "multicall", reason: "no answer came" }))
        : success(answer.right)
    })
  })

const makeReadContractsHook =
  (use: UseSource) =>
  (calls: ReadonlyArray<AnyContractCall>, options: AnyOptions = {}) => {
    const entry = useNetworkEntry(options.network)
    const rx = entry.read("contracts.reads", calls.map(toKeyParts), (client) => readContracts(client, calls))
    return use(entry, rx, options).reading
  }

/**
 * A hook of a call to a contract that sends nothing.
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
  call: ContractCallOf<N, A, K, M>,
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
  call: ContractCallOf<N, A, K, M>,
  options?: SuspenseOptions<N, ContractAnswer<N, A, K, M>, B>
) => SuspenseReading<B, ContractFailure>

/**
 * A read of a contract: `useReadContract({ address, abi, functionName: "balanceOf", args: [owner] })`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useReadContract: UseContractCall<"read"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useSource, "read")
)

/**
 * The Suspense twin of {@link useReadContract}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseReadContract: UseSuspenseContractCall<"read"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useSuspenseSource, "read")
)

/**
 * What a write would answer, without sending it: `useSimulateContract({ address, abi, functionName: "mint", args: [1n, { from }] })`. A
 * refusal is a `ContractReverted`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSimulateContract: UseContractCall<"simulate"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useSource, "simulate")
)

/**
 * The Suspense twin of {@link useSimulateContract}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseSimulateContract: UseSuspenseContractCall<"simulate"> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeContractCallHook(useSuspenseSource, "simulate")
)

/** Calls that are checked against their own ABIs, each by itself. */
type CheckedCalls<N extends AnyNetwork, Calls> = {
  readonly [I in keyof Calls]: Calls[I] extends {
    readonly abi: infer A extends AnyAbi
    readonly functionName: infer M
  }
    ? ContractCallOf<N, A, "read", M & FunctionName<N, A, "read">>
    : AnyContractCall
}

/**
 * The answers of several reads in their order, each with an outcome of its own.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractAnswers<N extends AnyNetwork, Calls> = {
  readonly [I in keyof Calls]: Calls[I] extends { readonly abi: infer A; readonly functionName: infer M }
    ? Outcome<ContractAnswer<N, A, "read", M>, ContractError>
    : never
}

/**
 * Several reads of contracts at once, as one multicall where the chain has it; the list may change its length.
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
) => Reading<B, ContractFailure> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeReadContractsHook(useSource))

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
  /*#__PURE__*/ makeReadContractsHook(useSuspenseSource)
)

/**
 * The errors of a hook that writes to contracts.
 *
 * @since 0.1.0
 * @category errors
 */
export type ContractWriteFailure = WriteError | PageWalletError | InitError | Unexpected

/**
 * Options of {@link useWriteContract}: the signer, by default the wallet of the page.
 *
 * @since 0.1.0
 * @category models
 */
export interface WriteContractOptions<N extends AnyNetwork = Network>
  extends WriteOptions<N, readonly [call: object]> {
  readonly signer?: ContractSigner | TronContractSigner | undefined
}

/**
 * The result of {@link useWriteContract}: each call of `run` is checked against its own ABI.
 *
 * @since 0.1.0
 * @category models
 */
export type ContractWriteHandle<N extends AnyNetwork> = WithRun<
  WriteHandle<readonly [], SentOn<N>, ContractWriteFailure>,
  <const A extends AnyAbi, M extends FunctionName<N, A, "write">>(
    call: ContractCallOf<N, A, "write", M>
  ) => Promise<Outcome<ContractAnswer<N, A, "write", M>, ContractWriteFailure>>
>

type WithRun<W, Run> = W extends unknown ? Omit<W, "run"> & { readonly run: Run } : never

type SentOn<N extends AnyNetwork> =
  IsTronClient<Sdk<N>> extends true ? Sent<TronTransaction> : Sent<EvmTransaction>

/**
 * Writes to contracts: `const { run } = useWriteContract()`, then `await run({ address, abi, functionName, args })`. The wallet of the page
 * signs, on the network's chain, unless a `signer` is given; each write is tried before it is signed, and sent once.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useWriteContract: <N extends AnyNetwork = DefaultNetwork>(
  options?: WriteContractOptions<N>
) => ContractWriteHandle<N> = /*#__PURE__*/ asHook(({ signer, ...options }: WriteContractOptions = {}) =>
  // the only argument, by the type of the hook
  useWriteCalls(options as AnyWriteOptions, (client, [call]) => {
    const wanted = call as AnyContractCall
    const account = signer === undefined ? pageSigner(client) : Effect.succeed(signer)
    return Effect.flatMap(account, (by) => callFunction(makeContract(client, wanted, by).write, wanted))
  })
)

/** What is watched of a contract. */
interface AnyWatchedEvent {
  readonly address: string
  readonly abi: ReadonlyArray<unknown>
  readonly eventName: string
  readonly args?: object
}

/** The events of a contract, as they come. */
const streamEvents =
  ({ abi, address, args = {}, eventName }: AnyWatchedEvent) =>
  (client: Sdk): Stream.Stream<unknown, unknown> =>
    Stream.unwrap(
      Effect.map(findMember(makeContract(client, { abi, address }).events, eventName), ({ stream }) =>
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
 * An event of a contract that is watched; with `args` those alone whose indexed arguments are these.
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
 * Tells a function of each event of a contract from now on, once: `useWatchContractEvent({ address, abi, eventName: "Transfer", args: { to } },
 * ({ args }) => show(args.value))`. The latest function counts.
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
    const { address, args = {}, eventName } = event
    return useStreamItems(options, toKey([address, eventName, args]), streamEvents(event), onEvent)
  }
)

/** Waits for an event of a contract, which no server does. */
const useSuspenseEvent = /*#__PURE__*/ makeBrowserSuspense("WatchContractEvent")

/**
 * The Suspense twin of {@link useWatchContractEvent}: waits for the next event of a contract, and has the newest from then on. Of events
 * that come between two renders it has the last one.
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
    const entry = useNetworkEntry(options.network)
    const { abi, address, args = {}, eventName } = event
    const items = parseItems(abi).events.filter(([name]) => name === eventName)
    const rx = entry.live("contracts.events", [{ address, eventName, args, items }], streamEvents(event))
    return useSuspenseEvent(entry, rx, options).reading
  }
)

/** Names are looked up on Ethereum, whatever the network of the provider. */
const makeEnsHook =
  (
    use: UseSource,
    path: string,
    ask: (client: ContractClient, given: string) => Effect.Effect<unknown, unknown>
  ) =>
  (given: string | undefined, options: AnyOptions = {}) => {
    const entry = useNetworkEntry(options.network ?? "ethereum-mainnet")
    const rx = entry.read(path, [given], (client) => ask(asContractClient(client), given ?? ""))
    return use(entry, rx, { ...options, enabled: given !== undefined && options.enabled !== false }).reading
  }

/**
 * A hook of ENS. Without a name or an address it is idle.
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
 * The address of a name of ENS, or null: `useEnsAddress("vitalik.eth")`. It is looked up on `ethereum-mainnet` by default.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useEnsAddress: UseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useSource, "contracts.resolveName", resolveName)
)

/**
 * The Suspense twin of {@link useEnsAddress}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseEnsAddress: UseSuspenseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useSuspenseSource, "contracts.resolveName", resolveName)
)

/**
 * The name of ENS that an address has chosen, or null: `useEnsName(address)`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useEnsName: UseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useSource, "contracts.lookupAddress", lookupAddress)
)

/**
 * The Suspense twin of {@link useEnsName}.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseEnsName: UseSuspenseEns = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeEnsHook(useSuspenseSource, "contracts.lookupAddress", lookupAddress)
)
