import type { Result } from "@effect-rx/rx-react"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import type * as Stream from "effect/Stream"
import type { Consistency, ConsistencyError } from "../src/config/Config.js"
import type { Result as Outcome } from "../src/data/CallResult.js"
import type { AnswerTo, AnyChosen } from "../src/data/Endpoint.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import type { CallTimeout, InitError, Unexpected } from "../src/data/SdkError.js"
import type { Effectful } from "../src/transport/Client.js"
import type { CachedRead } from "./CacheEntry.js"
import type { Method, Path } from "./paths.js"

/**
 * The declaration of an application's network, which types its hooks:
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
 * The consistency that the provider's configuration may have: `"eventual"`, unless {@link Register} says `"monotonic"`, which
 * brings `BlockNotReached` to the errors of hooks.
 *
 * @since 0.1.0
 * @category types
 */
export type DefaultConsistency = Register extends { readonly consistency: infer C extends Consistency }
  ? C
  : "eventual"

/**
 * The network that hooks are typed by where they name none: that of {@link Register}, else any.
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
 * The data of the method at a path: its answer, or the items of its stream. Where the answer follows from an argument, it is
 * the one to the arguments `Given`.
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

/** The errors of a method, and of a read those that the provider's consistency brings: whatever is sent to nodes can be late. */
type ErrorOf<F> = F extends (...args: never) => EffectOrStream<infer _A, infer E>
  ? E | (F extends Effectful ? never : CallTimeout extends E ? ConsistencyError<DefaultConsistency> : never)
  : never

/**
 * The errors of a hook of the method at a path: the method's own, those of making the client, and `Unexpected`.
 *
 * @since 0.1.0
 * @category types
 */
export type Failure<N extends AnyNetwork, P extends string> = ErrorOf<Method<N, P>> | InitError | Unexpected

/**
 * Options of every hook that reads.
 *
 * - `network`: another one than the provider's; its client is made when it is first named.
 * - `enabled`: false asks for nothing, and keeps what the component has been shown; default true.
 * - `refresh`: the time of the next reading. A duration (milliseconds, or `"10 seconds"`), a `Schedule` (of those that a
 *   component makes in its renders the first one counts), `"blocks"` for every new block, or false (default) for never. Tabs
 *   that cannot be seen wait, and ask at once when they are shown if they have missed a turn; while an answer is under way,
 *   turns are left out.
 * - `select`: the selection from the answer. A selection that is equal to the last one keeps its identity; one that throws
 *   is the error of the reading (`Unexpected`).
 * - `placeholderData`: what is shown until there is an answer, as an answer with `isPlaceholderData`: a value, a function of
 *   the answer that was shown before (to other arguments), or `"previous"` for that answer itself. It is selected from too.
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
 * Options of reads that a provider can have for all of its hooks. Times are milliseconds, or `"10 seconds"`.
 *
 * - `staleTime`: the age from which an answer is asked for again when a component comes that reads it, or on the occasions
 *   below; default one second. It is shown meanwhile. After a failure a component that comes asks again in any case.
 * - `gcTime`: how long an answer is held that no component reads; default five minutes, on a server five seconds. Of several
 *   components the longest counts. What is still under way is given up soon after the last component.
 * - `refetchOnFocus`: ask again for what is stale when the page comes into view; default true.
 * - `refetchOnReconnect`: the same when the network is back; default true.
 * - `keepHidden`: go on with `refresh` while the tab cannot be seen; default false.
 * - `refresh`: see {@link ReadOptions}. That of a provider is for reads of what the chain says, not for rates, for example:
 *   with `"blocks"` every new block brings them up to date.
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
 * Options of the Suspense twins of hooks, which cannot be idle.
 *
 * @since 0.1.0
 * @category models
 */
export type SuspenseOptions<N extends AnyNetwork, A, B = A> = Omit<
  ReadOptions<N, A, B>,
  "enabled" | "placeholderData"
>

/**
 * Options of hooks whose subject tells its changes by itself: they ask for nothing again.
 *
 * @since 0.1.0
 * @category models
 */
export type LiveOptions<N extends AnyNetwork, A, B = A> = Pick<
  ReadOptions<N, A, B>,
  "network" | "enabled" | "select"
>

/**
 * The times at which a read is repeated.
 *
 * @since 0.1.0
 * @category models
 */
export type Refresh = false | "blocks" | Duration.DurationInput | Schedule.Schedule<unknown>

interface ReadingMembers<out A, out E> {
  /** Whether an answer is under way while there is an older one, or an error. */
  readonly isRefreshing: boolean
  /** Whether the data is the `placeholderData` of the options: there is no answer so far. */
  readonly isPlaceholderData: boolean
  /** Asks again, now. Resolves to the reading when there is an answer, and never rejects; it is always the same function. */
  readonly refresh: () => Promise<Reading<A, E>>
  /** The same in the form of rx. */
  readonly result: Result.Result<A, E>
}

/**
 * A read that is not done.
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
 * A read without an answer so far.
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
 * The result of a hook that reads; `status` tells the cases apart. An answer that is equal to the last one keeps its
 * identity, and so has the reading as long as nothing changes. Components that do not look at `isRefreshing` or `result` are
 * not rendered again for them.
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
 * The result of a hook's Suspense twin: there always is an answer, an older one beside an error.
 *
 * @since 0.1.0
 * @category models
 */
export type SuspenseReading<A, E> = LoadedReading<A, E> | FailedReading<A, E, A>

/**
 * The result of a hook that writes. `run` makes one call and resolves to its own outcome, also when calls overlap; it never
 * rejects. `status`, `data` and `error` are of the latest call, `reset` forgets it.
 *
 * @since 0.1.0
 * @category models
 */
export type WriteHandle<Args extends ReadonlyArray<unknown>, A, E> = {
  readonly run: (...args: Args) => Promise<Outcome<A, E>>
  readonly reset: () => void
} & (
  | { readonly status: "idle" | "loading"; readonly data: undefined; readonly error: undefined }
  | { readonly status: "success"; readonly data: A; readonly error: undefined }
  | { readonly status: "error"; readonly data: undefined; readonly error: E }
)

/**
 * The methods of a kind that a network's nodes have, without the `rpc.` before them.
 *
 * @since 0.1.0
 * @category types
 */
export type RpcPath<N extends AnyNetwork> = string &
  (Path<N, "read"> extends infer P ? (P extends `rpc.${infer Method}` ? Method : never) : never)

/**
 * Options of hooks that have nothing but a network.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkOptions<N extends AnyNetwork = AnyNetwork> {
  readonly network?: N
}

/**
 * The state of a hook that watches: what it watches goes to its function. A stream that has broken off for good has an error; `idle` is
 * one that is not `enabled`.
 *
 * @since 0.1.0
 * @category models
 */
export type WatchState<E> =
  | { readonly status: "idle" | "watching"; readonly error: undefined }
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
 * - `onMutate`: called with the arguments before the request. What it returns is called if the write fails: the function that
 *   `useSetData` returns, for example, takes back what the page has shown in advance.
 * - `invalidates`: the reads that are out of date after the write, whether it has failed or not: paths of methods, or predicates.
 *
 * @since 0.1.0
 * @category models
 */
export interface WriteOptions<N extends AnyNetwork, Args extends ReadonlyArray<unknown>>
  extends NetworkOptions<N> {
  readonly onMutate?: (...args: Args) => (() => void) | undefined
  readonly invalidates?: ReadonlyArray<Path<N, "read"> | ((read: CachedRead) => boolean)>
}
