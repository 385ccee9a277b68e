/**
 * The types of clients: the functions of an endpoint table on the Effect surface and on the Promise surface, and raw calls.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Stream from "effect/Stream"
import type { Result } from "../data/CallResult.js"
import type {
  AnswerBy,
  AnyChosen,
  Choice,
  Chooser,
  Choosing,
  Chosen,
  Endpoint,
  Repeat,
  StreamChooser
} from "../data/Endpoint.js"
import type { CallTimeout, NoActiveNode, RpcCallError } from "../data/SdkError.js"
import type { JsonRpcRequest } from "../wire/jsonRpc.js"
import type { CallError, TransportService } from "../wire/Transport.js"

export type { JsonRpcRequest } from "../wire/jsonRpc.js"

/**
 * Marks a function that may have an effect, with the effect of repeating it. Functions without the mark only read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Effectful<R extends Repeat = Repeat> {
  readonly repeat: R
}

/**
 * The Effect surface of a table: a function per endpoint, groups as nested objects. Writes and broadcasts are marked.
 *
 * @since 0.1.0
 * @category types
 */
export type Client<G> = {
  readonly [K in keyof G]: G[K] extends Endpoint<infer F, infer R>
    ? R extends "read"
      ? F
      : F & Effectful<R>
    : Client<G[K]>
}

/** A function with another answer. If the answer depends on an argument, so does the other one. */
type WithAnswer<F, A> =
  F extends Chosen<infer Args, infer I, infer Usual, infer _H, infer E>
    ? Chooser<Args, I, Usual, Extract<A, Choice>, E>
    : F extends (...args: infer Args) => Effect.Effect<infer _A, infer E>
      ? F extends Effectful<infer R>
        ? ((...args: Args) => Effect.Effect<A, E>) & Effectful<R>
        : (...args: Args) => Effect.Effect<A, E>
      : F

/**
 * A client in which the functions named in `A` have those answers, with fields that only one chain has.
 *
 * @since 0.1.0
 * @category types
 */
export type WithAnswers<C, A> = { readonly [K in keyof C]: K extends keyof A ? WithAnswer<C[K], A[K]> : C[K] }

/**
 * The outcome of one request of a batch: the result or an error.
 *
 * @since 0.1.0
 * @category types
 */
export type BatchItem = Either.Either<unknown, CallError>

/**
 * Options of a raw call. `integers` is the type of all integers in the answer, by default the one that the chain's table declares. With
 * `number`, an integer above 2^53 is an error.
 *
 * @since 0.1.0
 * @category models
 */
export interface RawOptions {
  readonly integers?: "number" | "bigint" | "string"
}

/**
 * The raw calls of a JSON-RPC client. A method that is not in the table counts as a write: it is not sent again if its first attempt may have
 * gone through. A signed transaction is sent again, and "already known" is then a success.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawRpc {
  /** Sends a JSON-RPC body, with the caller's id if it has one, and yields the `result`. */
  readonly rawRpcCall: (<A = unknown>(
    body: JsonRpcRequest,
    options?: RawOptions
  ) => Effect.Effect<A, RpcCallError>) &
    Effectful<"write">
  /** Sends several bodies in one request; yields one outcome per body, in the order of the bodies. */
  readonly rawBatchRpcCall: ((
    bodies: ReadonlyArray<JsonRpcRequest>,
    options?: RawOptions
  ) => Effect.Effect<ReadonlyArray<BatchItem>, RpcCallError>) &
    Effectful<"write">
  /** The url of the node that calls go to now, with `path` appended. A key in the url is part of it. */
  readonly getRpcNodeUrl: (path?: string) => Effect.Effect<string, NoActiveNode>
}

type ChosenWithErrors<F, More> =
  F extends Chosen<infer Args, infer I, infer Usual, infer H, infer E>
    ? Chooser<Args, I, Usual, H, E | More>
    : never

/** A member that calls nodes, with more errors. Options do not add errors to writes, except to raw calls, which may be reads. */
type MemberWithErrors<K, F, More> = K extends "rawRpcCall"
  ? (<A = unknown>(body: JsonRpcRequest, options?: RawOptions) => Effect.Effect<A, RpcCallError | More>) &
      Effectful<"write">
  : F extends AnyChosen
    ? ChosenWithErrors<F, More>
    : F extends Effectful
      ? K extends "rawBatchRpcCall"
        ? F extends (...args: infer Args) => Effect.Effect<infer A, infer E>
          ? ((...args: Args) => Effect.Effect<A, E | More>) & Effectful<"write">
          : never
        : F
      : F extends (...args: infer Args) => Effect.Effect<infer A, infer E>
        ? // functions that send calls to nodes can fail with CallTimeout
          CallTimeout extends E
          ? (...args: Args) => Effect.Effect<A, E | More>
          : F
        : F extends (...args: infer Args) => Stream.Stream<infer A, infer E>
          ? CallTimeout extends E
            ? (...args: Args) => Stream.Stream<A, E | More>
            : F
          : F extends (...args: never) => unknown
            ? F
            : F extends object
              ? WithErrors<F, More>
              : F

/**
 * A client, or services, whose reads of nodes can also fail with `More`, the errors that options or the configuration add.
 *
 * @since 0.1.0
 * @category types
 */
export type WithErrors<C, More> = [More] extends [never]
  ? C
  : { readonly [K in keyof C]: MemberWithErrors<K, C[K], More> }

type ErrorOf<F> = F extends (...args: never) => Effect.Effect<unknown, infer E> ? E : never

/**
 * A function of the Promise surface whose answer depends on one of its arguments.
 *
 * @since 0.1.0
 * @category types
 */
export interface PromisedChooser<
  in out Args extends ReadonlyArray<unknown>,
  in out I extends number,
  in out Usual extends Exclude<Args[I], undefined>,
  in out H extends Choice,
  out E
> extends Chosen<Args, I, Usual, H, E> {
  <const C extends Exclude<Args[I], undefined> = Usual>(
    ...args: Choosing<Args, I, C>
  ): Promise<Result<AnswerBy<H, C>, E>>
}

/**
 * A function of the Promise surface that yields an iterable, whose items depend on one of its arguments.
 *
 * @since 0.1.0
 * @category types
 */
export type PromisedStreamChooser<
  Args extends ReadonlyArray<unknown>,
  I extends number,
  Usual extends Exclude<Args[I], undefined>,
  H extends Choice,
  E
> = <const C extends Exclude<Args[I], undefined> = Usual>(
  ...args: Choosing<Args, I, C>
) => AsyncIterable<Result<AnswerBy<H, C>, E>>

type PromisedChosen<F> =
  F extends Chosen<infer Args, infer I, infer Usual, infer H, infer E>
    ? PromisedChooser<Args, I, Usual, H, E>
    : never

type PromisedRaw<K, F> = K extends "rawRpcCall"
  ? <A = unknown>(body: JsonRpcRequest, options?: RawOptions) => Promise<Result<A, ErrorOf<F>>>
  : (
      bodies: ReadonlyArray<JsonRpcRequest>,
      options?: RawOptions
    ) => Promise<Result<ReadonlyArray<Result<unknown, CallError>>, ErrorOf<F>>>

/**
 * The Promise surface of a client: the same names and arguments, with a `Result` in place of the Effect.
 *
 * @since 0.1.0
 * @category types
 */
export type Promised<C> = {
  readonly [K in keyof C]: K extends "rawRpcCall" | "rawBatchRpcCall"
    ? PromisedRaw<K, C[K]>
    : C[K] extends AnyChosen
      ? PromisedChosen<C[K]>
      : C[K] extends (...args: infer Args) => Effect.Effect<infer A, infer E>
        ? (...args: Args) => Promise<Result<A, E>>
        : C[K] extends StreamChooser<infer Args, infer I, infer Usual, infer H, infer E>
          ? PromisedStreamChooser<Args, I, Usual, H, E>
          : C[K] extends (...args: infer Args) => Stream.Stream<infer A, infer E>
            ? (...args: Args) => AsyncIterable<Result<A, E>>
            : C[K] extends (...args: never) => unknown
              ? C[K]
              : C[K] extends object
                ? Promised<C[K]>
                : C[K]
}

/**
 * How the calls of a network are routed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Routing {
  /** The network has archive nodes; the family's rule says which calls go there. */
  readonly archive: boolean
  /** Raw batches go to archive nodes, which can answer all that they contain. */
  readonly batchArchive: boolean
}

/**
 * Makes the client of a table, without raw calls.
 *
 * @since 0.1.0
 * @category models
 */
export type MakeMethods = <G extends object>(endpoints: G) => Client<G>

/**
 * What composed methods use: clients of any table, the transport and the routing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Connection {
  readonly methods: MakeMethods
  readonly transport: TransportService
  readonly routing: Routing
}

/**
 * A method that is made of several calls, as a value beside endpoints. `F` is its function on the Effect surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface Composed<out F> {
  readonly compose: (connection: Connection) => F
}

/**
 * The endpoints of a client, by the names of its methods. A pick may also be a method that makes several calls.
 *
 * @since 0.1.0
 * @category models
 */
export type PickedEndpoints = Readonly<Record<string, Endpoint<unknown> | Composed<unknown>>>

/**
 * The Effect surface of picked endpoints and composed methods.
 *
 * @since 0.1.0
 * @category types
 */
export type PickedRpc<G> = {
  readonly [K in keyof G]: G[K] extends Composed<infer F> ? F : Client<Pick<G, K>>[K]
}

/**
 * Makes the client of a table, with raw calls. Families use it for the calls that they make themselves.
 *
 * @since 0.1.0
 * @category models
 */
export type MakeCalls = <G extends object>(endpoints: G) => Client<G> & RawRpc
