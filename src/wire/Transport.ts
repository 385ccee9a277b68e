/**
 * The seam between endpoint tables and the network: the form of a call, and its sender. The balancer, the gateway and
 * tests implement it.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type * as Tracer from "effect/Tracer"
import type { Accepted, Fault, PastBlock, Repeat } from "../data/Endpoint.js"
import type {
  BlockNotReached,
  InvalidArgument,
  NoActiveNode,
  NodeError,
  NoQuorum,
  RequestRejected,
  RpcCallError,
  RpcError
} from "../data/SdkError.js"
import type { HideSecrets } from "../data/untrusted.js"

/**
 * The answer of a node: the HTTP status and the whole body. `hide` takes the client's secrets out of the errors that are made
 * of it, those of the members of a list too: nodes repeat what they are sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reply {
  readonly status: number
  readonly text: string
  readonly url: string
  readonly hide?: HideSecrets
}

/**
 * An answer that is no success, and whose fault that is.
 *
 * An answer that follows the protocol says `caller`, `elsewhere` or `unclear`, or speaks of the node itself: `limited` by a code or a
 * status that asks for a pause, `declined` by anything else, which may be the words of a contract. Only what is no answer of the protocol
 * is the `node`'s fault, so that no words can be.
 *
 * @since 0.1.0
 * @category models
 */
export type Rejection =
  | {
      readonly fault: Exclude<Fault, "node"> | "declined" | "limited"
      readonly error: NodeError | RpcError | RequestRejected | InvalidArgument
    }
  | { readonly fault: "node"; readonly error: NodeError }

/**
 * A call that has a span, and what is noted of it on its way. The node's url is as it may be printed; `status` is that of its
 * answer, if there was one. `via` are the requests of others that it has shared, whose spans are linked with its own by `join`.
 *
 * @since 0.1.0
 * @category observability
 */
export interface Trace {
  attempts: number
  hedged: boolean
  node: { readonly url: string; readonly status?: number } | undefined
  readonly network: string | undefined
  readonly span: Tracer.Span
  readonly tracer: Tracer.Tracer
  readonly sharedTraces: Array<Trace>
  readonly join: (caller: WithTrace) => void
}

interface WithTrace {
  readonly trace?: Trace | undefined
}

/**
 * One call, ready to be sent to any node: everything about it but the node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call<A> {
  /** Its name in logs and errors: `eth_getBalance`, `GET /eth/v1/beacon/genesis`. */
  readonly label: string
  readonly repeat: Repeat
  readonly archive: boolean
  readonly gateway: boolean
  readonly verb: "GET" | "POST" | "PUT" | "DELETE"
  /** The rest of the url, after the node's: empty, or a path that starts with a slash, with its query. */
  readonly path: string
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** The past block that a read is about, by number or hash, if any: an empty answer may mean that the node does not keep it. */
  readonly pastBlock?: (() => PastBlock | undefined) | undefined
  /** The height of the chain that a value of this call tells. (As a method has it, for any call to be a call of something unknown.) */
  readonly heightOf?: { of(value: A): unknown }["of"] | undefined
  /** Sent to the provider without a key, it says that the network is a testnet. */
  readonly marksTestnet?: boolean | undefined
  /** Headers of this call's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly decode: (reply: Reply) => Either.Either<A, Rejection>
  /** The success that an "already known" answer to a repeated broadcast stands for. */
  readonly accepted?:
    | {
        readonly known: Accepted["known"]
        readonly result: (said: string) => Promise<A>
        /** Answers in these words stand for it only if `found` gets something from the chain that is not null. */
        readonly perhaps?: {
          readonly known: RegExp
          readonly found: (result: unknown) => Effect.Effect<unknown, CallError>
        }
      }
    | undefined
  /** Called when an attempt may have reached a node, and has no answer that can be returned. */
  readonly onMaybeDelivered?: () => void
  /** The node may take this long, in milliseconds: limits of the configuration that are shorter give way. */
  readonly minTimeout?: number | undefined
  /** Of a read: calls with the same key ask for the same thing, and one answer is right for all of them. */
  readonly deduplicationKey?: string | undefined
  /** The id of the JSON-RPC request that `body` is, where that may travel in a list with others. */
  readonly id?: number | undefined
  /** Where a tracer collects spans: that of the call. */
  readonly trace?: Trace | undefined
  /** It is a part of a call that is counted itself. */
  readonly isPart?: boolean
}

/**
 * Automatic JSON-RPC batches: at most `size` reads (default 100) and `bytes` of them (default 500,000) in one request,
 * collected for `window` milliseconds (default 0: those of the same tick).
 *
 * @since 0.1.0
 * @category models
 */
export interface BatchOptions<out Time = number> {
  readonly size?: number
  readonly bytes?: number
  readonly window?: Time
}

/**
 * The errors of every call, whatever its options: those of a client's method are fewer.
 *
 * @since 0.1.0
 * @category models
 */
export type CallError = RpcCallError | NoQuorum | BlockNotReached

/**
 * How many `nodes` a read is sent to, and how many of them have to `agree`. `isSame` compares two answers where they need not be equal
 * to mean the same, as the prices of two honest nodes are not.
 *
 * @since 0.1.0
 * @category models
 */
export interface QuorumOptions {
  readonly nodes: number
  readonly agree: number
  readonly isSame?: (one: unknown, other: unknown) => boolean
}

/**
 * Options of single calls. `timeout` and `attemptTimeout` are milliseconds; `node` pins a node of the pool, by its url or by its place in `sdk.nodes` (from 0);
 * `coalesce` and `batch` are those of the configuration; with `archive: "strict"` a call for an archive node goes to no other node
 * when none is well (by default, `"prefer"`, it does); `quorum` is for reads for which no single node is believed. A read with
 * `minBlock` is answered by a node that is at this block or higher, or fails with `BlockNotReached`; it means nothing to
 * writes. `CallOptions.with({ … })` sets them, and `sdk.with({ … })` on the Promise surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface CallOptionsShape<
  out Quorum extends QuorumOptions = QuorumOptions,
  out MinBlock extends bigint | number = bigint | number,
  out Time = number
> {
  readonly timeout?: Time
  readonly attemptTimeout?: Time
  readonly node?: string | number
  readonly coalesce?: boolean
  readonly batch?: boolean | BatchOptions<Time>
  readonly quorum?: Quorum
  readonly minBlock?: MinBlock
  readonly archive?: "prefer" | "strict"
}

/**
 * The errors that options bring to reads, by the types of the options that are set: `NoQuorum`, `BlockNotReached`, both or none.
 *
 * @since 0.1.0
 * @category types
 */
export type OptionError<Quorum, MinBlock> =
  | ([Quorum] extends [never] ? never : NoQuorum)
  | ([MinBlock] extends [never] ? never : BlockNotReached)

/**
 * The options in force for the calls inside an effect, for transports to read. Programs set them with `CallOptions.with`, which
 * shows in the types what they bring.
 *
 * @since 0.1.0
 * @category services
 */
export class CallOptions extends Context.Reference<CallOptions>()("effect-chains/Transport/CallOptions", {
  defaultValue: (): CallOptionsShape => ({})
}) {}

/** Whether calls may share a request or a list only if they agree in an option. An option that is not placed here does not compile. */
const mustAgree: { readonly [K in keyof Required<CallOptionsShape>]: boolean } = {
  timeout: true,
  attemptTimeout: true,
  node: true,
  minBlock: true,
  archive: true,
  // these say how calls share, not what they ask for: each way of sharing looks at its own
  coalesce: false,
  batch: false,
  quorum: false
}

// the keys of a record of options are options, which Object.keys does not say
const keyOptions = /*#__PURE__*/ (() =>
  (Object.keys(mustAgree) as ReadonlyArray<keyof CallOptionsShape>).filter((name) => mustAgree[name]))()

/**
 * The key of the options in which calls that share a request must agree; empty where none of those is set.
 *
 * @since 0.1.0
 * @category getters
 */
export const optionsKey = (options: CallOptionsShape): string => {
  let key = ""
  for (const name of keyOptions) {
    const value = options[name]
    if (value !== undefined) key += `${name}=${value} `
  }
  return key
}

/**
 * Sends calls.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransportService {
  readonly send: <A>(call: Call<A>) => Effect.Effect<A, CallError>
  /** The url that a call would be sent to now. */
  readonly nodeUrl: (archive: boolean) => Effect.Effect<string, NoActiveNode>
  /**
   * The urls of all nodes that such a call may be sent to, the best ones first, and before them those that are at the block
   * that is asked for; without it, quorums know those of the configuration.
   */
  readonly nodeUrls?: (archive: boolean, minBlock?: number) => Effect.Effect<ReadonlyArray<string>>
  /** Whether a JSON-RPC method is asked by itself, and not in a list that the caller makes. */
  readonly isSentAlone?: (method: string) => boolean
  /** The block that no read may go back behind: the highest that this client has seen, where that matters. */
  readonly highestSeen?: () => number | undefined
  /** Counts a call that has ended, be it by its caller. */
  readonly onCallEnd?: ((exit: Exit.Exit<unknown, CallError>) => void) | undefined
  /** Counts a call that is sent in another way, and makes a span of it. Calls that are its parts (`isPart`) are not counted. */
  readonly observe?: <A>(call: Call<A>, send: SendCall<A>) => Effect.Effect<A, CallError>
}

/**
 * The outcome of a call in metrics and spans: `ok`, the tag of the error, `interrupted`, or `defect`.
 *
 * @since 0.1.0
 * @category observability
 */
export const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "ok"
  const failure = Cause.failureOrCause(exit.cause)
  if (Either.isLeft(failure)) return String(Reflect.get(Object(failure.left), "_tag"))
  return Cause.isInterruptedOnly(failure.right) ? "interrupted" : "defect"
}

/** Sends a call, or the same one with a trace. */
type SendCall<A> = (call: Call<A>) => Effect.Effect<A, CallError>

/**
 * Makes spans where a tracer collects them, and elsewhere sends everything as it is.
 *
 * @since 0.1.0
 * @category observability
 */
export interface TracingService {
  /** Sends a call, whose span is a child of the caller's. */
  readonly traceCall: <A>(call: Call<A>, send: SendCall<A>, network?: string) => Effect.Effect<A, CallError>
  /**
   * Sends a call that stands for others, on a fiber that has nothing of theirs: with the tracer of the first one that has any. Its
   * span has no parent, and links to theirs.
   */
  readonly traceShared: <A>(
    call: Call<A>,
    callers: ReadonlyArray<WithTrace>,
    send: SendCall<A>
  ) => Effect.Effect<A, CallError>
  /** Spans of what only some clients have. */
  readonly extra?: ExtraTracing
}

/**
 * Spans of services and subscriptions.
 *
 * @since 0.1.0
 * @category observability
 */
export interface ExtraTracing {
  /** Sends a request to the provider; `send` notes its attempts. */
  readonly traceRequest: <A, E extends { readonly _tag: string }>(
    request: { readonly network: string; readonly method: string; readonly path: string },
    send: (trace?: Trace) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
  /** The span of a subscription, which ends with the scope; nothing without a tracer. */
  readonly traceSubscription: (
    label: string,
    network: string
  ) => Effect.Effect<SubscriptionTrace | undefined, never, Scope.Scope>
}

/**
 * The span of a subscription: `within` makes it the parent of what is done for it, and `turned` tells how it goes from now on.
 *
 * @since 0.1.0
 * @category observability
 */
export interface SubscriptionTrace {
  readonly within: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly setMode: (mode: string, url: string | undefined) => void
}

/**
 * The spans of the client at hand. By default there are none.
 *
 * @since 0.1.0
 * @category services
 */
export class Tracing extends Context.Reference<Tracing>()("effect-chains/Transport/Tracing", {
  defaultValue: (): TracingService | undefined => undefined
}) {}

/**
 * A transport that takes options from callers that have them at hand: a look-up takes time.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransportWithOptions extends TransportService {
  readonly sendWith: <A>(call: Call<A>, options: CallOptionsShape) => Effect.Effect<A, CallError>
}

/**
 * The transport of a client.
 *
 * @since 0.1.0
 * @category services
 */
export class Transport extends /*#__PURE__*/ Context.Tag("effect-chains/Transport")<
  Transport,
  TransportService
>() {}
