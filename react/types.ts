import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import type * as Stream from "effect/Stream"
import type { Consistency, ConsistencyError } from "../src/config/Config.js"
import type * as CallResult from "../src/data/CallResult.js"
import type { AnswerTo, AnyChosen } from "../src/data/Endpoint.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import type { CallTimeout, InitError, Unexpected } from "../src/data/SdkError.js"
import type { Effectful } from "../src/transport/Client.js"
import type { CachedRead } from "./CacheEntry.js"
import type { Method, Path } from "./paths.js"
import type * as Result from "./Result.js"

/**
 * Declare your network here, and all hooks are typed by it:
 *
 * ```ts
 * declare module "effect-chains/react" {
 *   interface Register {
 *     network: "ethereum-mainnet"
 *   }
 * }
 * ```
 *
 * @since 0.1.0
 * @category types
 */
// biome-ignore lint: an interface is what applications can add to
export interface Register {}

/**
 * The `consistency` of the provider's configuration: `"eventual"`, unless {@link Register} declares `"monotonic"`, which adds
 * `BlockNotReached` to the errors of hooks.
 *
 * @since 0.1.0
 * @category types
 */
export type DefaultConsistency = Register extends { readonly consistency: infer C extends Consistency }
  ? C
  : "eventual"

/**
 * The network that types hooks without the option `network`: that of {@link Register}, else any.
 *
 * @since 0.1.0
 * @category types
 */
export type DefaultNetwork = Register extends { readonly network: infer N extends AnyNetwork } ? N : Network

type EffectOrStream<A, E> = Effect.Effect<A, E> | Stream.Stream<A, E>

/**
 * The arguments of the method at a path.
 *
 * @since 0.1.0
 * @category types
 */
export type Arguments<N extends AnyNetwork, P extends string> =
  Method<N, P> extends (...args: infer Args) => unknown ? Args : never

/**
 * The data of the method at a path: its answer, or an item of its stream. Where an argument decides the type of the answer, it is the
 * answer to the arguments `Given`.
 *
 * @since 0.1.0
 * @category types
 */
export type Answer<N extends AnyNetwork, P extends string, Given = Arguments<N, P>> = AnswerOf<
  Method<N, P>,
  Given
>

type AnswerOf<F, Given> = F extends AnyChosen
  ? AnswerTo<F, Given>
  : F extends (...args: never) => EffectOrStream<infer A, infer _E>
    ? A
    : never

/** The errors of a method. Reads that nodes answer also have those of the provider's `consistency`. */
type ErrorOf<F> = F extends (...args: never) => EffectOrStream<infer _A, infer E>
  ? E | (F extends Effectful ? never : CallTimeout extends E ? ConsistencyError<DefaultConsistency> : never)
  : never

/**
 * The errors of a hook: those of its method, those of making the client, and `Unexpected`.
 *
 * @since 0.1.0
 * @category types
 */
export type Failure<N extends AnyNetwork, P extends string> = ErrorOf<Method<N, P>> | InitError | Unexpected

/**
 * Options of every hook that reads.
 *
 * - `network`: another network than the provider's. Its client is made when a hook first names it.
 * - `enabled`: with false, the hook sends no requests and keeps its last answer; default true.
 * - `refresh`: when the read is repeated. A duration (milliseconds, or `"10 seconds"`), a `Schedule` (if each render makes one, the first
 *   counts), `"blocks"` for every new block, or false for never (default). A hidden tab waits, and refetches when it is shown if it has
 *   missed a refresh. While a request is in flight, a refresh is skipped.
 * - `select`: selects `data` from the answer. A selection that is equal to the last one keeps its identity. If it throws, the error is
 *   `Unexpected`.
 * - `placeholderData`: shown until there is an answer, with `isPlaceholderData`. A value, a function of the answer shown before (to other
 *   arguments), or `"previous"` for that answer itself. `select` applies to it too.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions<N extends AnyNetwork, A, B = A> extends ReadDefaults {
  readonly network?: N
  readonly enabled?: boolean
  readonly select?: (answer: A) => B
  readonly placeholderData?: "previous" | A | ((previous: A | undefined) => A | undefined)
}

/**
 * Options of reads, for one hook or, in the provider's `defaults`, for all. Times are milliseconds, or `"10 seconds"`.
 *
 * - `staleTime`: the age at which an answer is stale: it is shown, and refetched when a component mounts or on the events below; default
 *   one second. A failure is always stale.
 * - `gcTime`: how long the cache keeps an answer that no component reads; default five minutes, on a server five seconds. Of several
 *   components the longest counts. A request in flight is aborted soon after the last component has unmounted.
 * - `refetchOnFocus`: refetch stale answers when the page becomes visible; default true.
 * - `refetchOnReconnect`: refetch stale answers when the network is back; default true.
 * - `keepHidden`: continue `refresh` while the tab is hidden; default false.
 * - `refresh`: see {@link ReadOptions}. The provider's default applies to reads of the chain's state, and not to exchange rates, for
 *   example.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadDefaults {
  readonly staleTime?: Duration.DurationInput
  readonly gcTime?: Duration.DurationInput
  readonly refetchOnFocus?: boolean
  readonly refetchOnReconnect?: boolean
  readonly keepHidden?: boolean
  readonly refresh?: Refresh
}

/**
 * Options of the Suspense twins of hooks, which are never idle.
 *
 * @since 0.1.0
 * @category models
 */
export type SuspenseOptions<N extends AnyNetwork, A, B = A> = Omit<
  ReadOptions<N, A, B>,
  "enabled" | "placeholderData"
>

/**
 * Options of hooks that are updated by events, and never refetch.
 *
 * @since 0.1.0
 * @category models
 */
export type LiveOptions<N extends AnyNetwork, A, B = A> = Pick<
  ReadOptions<N, A, B>,
  "network" | "enabled" | "select"
>

/**
 * The option `refresh`: when a read is repeated.
 *
 * @since 0.1.0
 * @category models
 */
export type Refresh = false | "blocks" | Duration.DurationInput | Schedule.Schedule<unknown>

interface ReadingMembers<out A, out E> {
  /** Whether a request is in flight while there is an answer, a placeholder or an error. */
  readonly isRefreshing: boolean
  /** Whether `data` is the option `placeholderData`, since there is no answer yet. */
  readonly isPlaceholderData: boolean
  /** Refetches now. Resolves to the next reading, and never rejects. It is a stable function. */
  readonly refresh: () => Promise<Reading<A, E>>
  /** The reading as a `Result` of rx. */
  readonly result: Result.Result<A, E>
}

/**
 * A read that is not enabled and has no answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface IdleReading<out A, out E> extends ReadingMembers<A, E> {
  readonly status: "idle"
  readonly data: undefined
  readonly error: undefined
}

/**
 * A read without an answer yet.
 *
 * @since 0.1.0
 * @category models
 */
export interface LoadingReading<out A, out E> extends ReadingMembers<A, E> {
  readonly status: "loading"
  readonly data: undefined
  readonly error: undefined
}

/**
 * A read with an answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface LoadedReading<out A, out E> extends ReadingMembers<A, E> {
  readonly status: "success"
  readonly data: A
  readonly error: undefined
}

/**
 * A read that has failed; `data` is the last good answer, if there was one.
 *
 * @since 0.1.0
 * @category models
 */
export interface FailedReading<out A, out E, out Old = A | undefined> extends ReadingMembers<A, E> {
  readonly status: "error"
  readonly data: Old
  readonly error: E
}

/**
 * The result of a hook that reads. `status` discriminates the cases. An answer that is equal to the last one keeps its identity, and so
 * does a reading until something changes. A change of `isRefreshing` or `result` renders only components that have read them.
 *
 * @since 0.1.0
 * @category models
 */
export type Reading<A, E> =
  | IdleReading<A, E>
  | LoadingReading<A, E>
  | LoadedReading<A, E>
  | FailedReading<A, E>

/**
 * The result of a hook's Suspense twin. There is always an answer: after a failure the last one.
 *
 * @since 0.1.0
 * @category models
 */
export type SuspenseReading<A, E> = LoadedReading<A, E> | FailedReading<A, E, A>

/**
 * The result of a hook that writes. `run` makes one call and resolves to the result of that call, also when calls overlap. It never
 * rejects. `status`, `data` and `error` are those of the latest call; `reset` clears them.
 *
 * @since 0.1.0
 * @category models
 */
export type WriteHandle<Args extends ReadonlyArray<unknown>, A, E> = {
  readonly run: (...args: Args) => Promise<CallResult.Result<A, E>>
  readonly reset: () => void
} & (
  | { readonly status: "idle" | "loading"; readonly data: undefined; readonly error: undefined }
  | { readonly status: "success"; readonly data: A; readonly error: undefined }
  | { readonly status: "error"; readonly data: undefined; readonly error: E }
)

/**
 * The reads of a network's nodes, as paths without `rpc.`.
 *
 * @since 0.1.0
 * @category types
 */
export type RpcPath<N extends AnyNetwork> = string &
  (Path<N, "read"> extends infer P ? (P extends `rpc.${infer Method}` ? Method : never) : never)

/**
 * Options of hooks that take only a network.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkOptions<N extends AnyNetwork = AnyNetwork> {
  readonly network?: N
}

/**
 * The result of a hook that watches; the items go to the hook's function. The status is `"ended"` when the stream has no more
 * items, as that of a transaction after its confirmation; `"error"` when the stream has failed for good; and `"idle"` without `enabled`.
 *
 * @since 0.1.0
 * @category models
 */
export type WatchState<E> =
  | { readonly status: "idle" | "watching" | "ended"; readonly error: undefined }
  | { readonly status: "error"; readonly error: E }

/**
 * Options of hooks that watch.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchOptions<N extends AnyNetwork = AnyNetwork> extends NetworkOptions<N> {
  readonly enabled?: boolean
}

/**
 * Options of hooks that write.
 *
 * - `onMutate`: called with the arguments before the request. If the write fails, the function that it returns is called: that of
 *   `useSetData`, for example, undoes an optimistic update.
 * - `invalidates`: the reads to invalidate after the write, also if it has failed: paths of methods, or predicates.
 *
 * @since 0.1.0
 * @category models
 */
export interface WriteOptions<N extends AnyNetwork, Args extends ReadonlyArray<unknown>>
  extends NetworkOptions<N> {
  readonly onMutate?: (...args: Args) => (() => void) | undefined
  readonly invalidates?: ReadonlyArray<Path<N, "read"> | ((read: CachedRead) => boolean)>
}
