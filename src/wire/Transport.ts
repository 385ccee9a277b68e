/**
 * The interface between endpoint tables and the network: the model of a call, and the transport that sends it. The balancer, the gateway
 * and tests implement it.
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
import { leftOf, rightOf } from "../data/eitherValues.js"
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
 * The answer of a node: the HTTP status and the whole body. `hide` removes the client's secrets from errors made of it, since nodes repeat
 * what they are sent.
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
 * An error in an answer, and whose fault it is. The balancer turns faults into the outcomes of attempts (`balancer/Outcome.ts`).
 *
 * An answer of the protocol means `caller`, `elsewhere` or `unclear`, or it is about the node itself: `limited` by a code or a status that
 * asks for a pause, `declined` for anything else, which may be the words of a contract. Only an answer outside of the protocol is the
 * `node`'s fault, so that no words can evict a node.
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
 * The span of a call, and what is recorded for it. The node's url comes without its secrets; `status` is that of its answer, if there was
 * one. `sharedTraces` are the requests that the call has shared with others; `join` links their spans.
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
 * A call that is ready to be sent to any node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call<A> {
  /** The name in logs and errors: `eth_getBalance`, `GET /eth/v1/beacon/genesis`. */
  readonly label: string
  readonly repeat: Repeat
  readonly archive: boolean
  readonly gateway: boolean
  readonly verb: "GET" | "POST" | "PUT" | "DELETE"
  /** The path and query after the node's url: empty, or starting with a slash. */
  readonly path: string
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** The past block that a read is about, by number or hash, if any. An empty answer may mean that the node does not keep it. */
  readonly pastBlock?: (() => PastBlock | undefined) | undefined
  /** Reads the block height from a value of this call. The method type keeps `Call<A>` assignable to `Call<unknown>`. */
  readonly heightOf?: { of(value: A): unknown }["of"] | undefined
  /** Without an API key, the request to the provider says that the network is a testnet. */
  readonly marksTestnet?: boolean | undefined
  /** The headers of this call, besides those of the node. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly decode: (reply: Reply) => Either.Either<A, Rejection>
  /** Finds the result if a repeated broadcast is answered with "already known". */
  readonly accepted?:
    | {
        readonly known: Accepted["known"]
        readonly result: (said: string) => Promise<A>
        /** For these messages the result counts only if `found` yields something from the chain that is not null. */
        readonly perhaps?: {
          readonly known: RegExp
          readonly found: (result: unknown) => Effect.Effect<unknown, CallError>
        }
      }
    | undefined
  /** Runs when an attempt has failed that may have reached a node. */
  readonly onMaybeDelivered?: () => void
  /** The least time limit of the call, in milliseconds: it overrides shorter limits of the configuration. */
  readonly minTimeout?: number | undefined
  /** For reads: calls with the same key may share one answer. */
  readonly deduplicationKey?: string | undefined
  /** The id of the JSON-RPC request in `body`, if the call may be batched. */
  readonly id?: number | undefined
  /** The span of the call, if there is a tracer. */
  readonly trace?: Trace | undefined
  /** It is a part of another call, which counts in its place. */
  readonly isPart?: boolean
}

/**
 * Options of automatic JSON-RPC batches: at most `size` reads (default 100) and `bytes` bytes (default 500,000) in one request, collected
 * for `window` milliseconds (default 0: those of the same turn of the event loop).
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
 * The errors that any call can have, with all options. Those of a client's method are fewer.
 *
 * @since 0.1.0
 * @category models
 */
export type CallError = RpcCallError | NoQuorum | BlockNotReached

/**
 * Options of a quorum: a read is sent to `nodes` nodes, and `agree` of them must give the same answer. `isSame` compares two answers if equality
 * is too strict, for example for prices.
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
 * Options of single calls. `CallOptions.with({ … })` sets them, and `sdk.with({ … })` on the Promise surface.
 *
 * - `timeout` and `attemptTimeout` are milliseconds.
 * - `node` pins a node of the pool by its url or by its index in `sdk.nodes`.
 * - `coalesce` and `batch` override the configuration.
 * - `archive: "strict"` fails a call for archive nodes if none is healthy. With `"prefer"` (default) a normal node answers.
 * - `quorum` sends a read to several nodes, which must agree.
 * - `minBlock`: a node at this block or higher answers a read, or the read fails with `BlockNotReached`. Writes ignore it.
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
 * The errors that the options of a read add: `NoQuorum`, `BlockNotReached`, both or none.
 *
 * @since 0.1.0
 * @category types
 */
export type OptionError<Quorum, MinBlock> =
  | ([Quorum] extends [never] ? never : NoQuorum)
  | ([MinBlock] extends [never] ? never : BlockNotReached)

/**
 * The options in force for the calls inside an effect. Transports read them; programs set them with `CallOptions.with`, whose type has the
 * errors that they add.
 *
 * @since 0.1.0
 * @category services
 */
export class CallOptions extends Context.Reference<CallOptions>()("effect-chains/Transport/CallOptions", {
  defaultValue: (): CallOptionsShape => ({})
}) {}

/** Whether calls must agree in an option to share a request or a list. A new option does not compile until it is listed here. */
const mustAgree: { readonly [K in keyof Required<CallOptionsShape>]: boolean } = {
  timeout: true,
  attemptTimeout: true,
  node: true,
  minBlock: true,
  archive: true,
  // these say how calls share requests, and each layer reads its own
  coalesce: false,
  batch: false,
  quorum: false
}

// the keys of the record are names of options, which Object.keys does not express
const keyOptions = /*#__PURE__*/ (() =>
  (Object.keys(mustAgree) as ReadonlyArray<keyof CallOptionsShape>).filter((name) => mustAgree[name]))()

/**
 * The key of the options in which calls must agree to share a request; empty if none of those is set.
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
 * The transport of a client: it sends calls.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransportService {
  readonly send: <A>(call: Call<A>) => Effect.Effect<A, CallError>
  /** The url of the node that a call would go to now. */
  readonly nodeUrl: (archive: boolean) => Effect.Effect<string, NoActiveNode>
  /**
   * The urls of all nodes for a call, the best first, and before them those that have reached `minBlock`. Without this function, quorums use the
   * configuration's nodes.
   */
  readonly nodeUrls?: (archive: boolean, minBlock?: number) => Effect.Effect<ReadonlyArray<string>>
  /** Whether a JSON-RPC method of a raw batch is sent by itself. */
  readonly isSentAlone?: (method: string) => boolean
  /** With `consistency: "monotonic"`, the highest block that this client has seen: no read may show an older one. */
  readonly highestSeen?: () => number | undefined
  /** Runs when a call has ended, also by interruption. */
  readonly onCallEnd?: ((exit: Exit.Exit<unknown, unknown>) => void) | undefined
  /** What adds a read to a batch, without a span. Undefined if the call or its options need `send`. */
  readonly joinBatch?: JoinBatch | undefined
  /** Counts and traces a call that is sent in another way. Its parts (`isPart`) are not counted. */
  readonly observe?: <A>(call: Call<A>, send: SendCall<A>) => Effect.Effect<A, CallError>
}

/** Adds a read to its batch: `resume` gets the outcome, and the result removes the read. */
export type EnterBatch = (resume: (outcome: Effect.Effect<unknown, CallError>) => void) => Effect.Effect<void>

/** Finds what adds a read to a batch. */
export type JoinBatch = (call: Call<unknown>, options: CallOptionsShape) => EnterBatch | undefined

/**
 * The outcome of a call in metrics and spans: `ok`, the tag of the error, `interrupted`, or `defect`.
 *
 * @since 0.1.0
 * @category observability
 */
export const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "ok"
  const failure = Cause.failureOrCause(exit.cause)
  if (Either.isLeft(failure)) return String(Reflect.get(Object(leftOf(failure)), "_tag"))
  return Cause.isInterruptedOnly(rightOf(failure)) ? "interrupted" : "defect"
}

/** Sends a call, or the same one with a trace. */
type SendCall<A> = (call: Call<A>) => Effect.Effect<A, CallError>

/**
 * Makes the spans of calls if there is a tracer.
 *
 * @since 0.1.0
 * @category observability
 */
export interface TracingService {
  /** Sends a call in a span that is a child of the caller's. */
  readonly traceCall: <A>(call: Call<A>, send: SendCall<A>, network?: string) => Effect.Effect<A, CallError>
  /**
   * Sends a request that several calls share, in a fiber of its own: with the tracer of the first caller that has one. The span has no parent and
   * links to the callers' spans.
   */
  readonly traceShared: <A>(
    call: Call<A>,
    callers: ReadonlyArray<WithTrace>,
    send: SendCall<A>
  ) => Effect.Effect<A, CallError>
  /** Spans of services and subscriptions, which some clients do not have. */
  readonly extra?: ExtraTracing
}

/**
 * Spans of services and subscriptions.
 *
 * @since 0.1.0
 * @category observability
 */
export interface ExtraTracing {
  /** Sends a request to the provider; `send` records its attempts in the trace. */
  readonly traceRequest: <A, E extends { readonly _tag: string }>(
    request: { readonly network: string; readonly method: string; readonly path: string },
    send: (trace?: Trace) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
  /** Starts the span of a subscription, which ends with the scope; undefined without a tracer. */
  readonly traceSubscription: (
    label: string,
    network: string
  ) => Effect.Effect<SubscriptionTrace | undefined, never, Scope.Scope>
}

/**
 * The span of a subscription: `within` makes it the parent of an effect's spans, and `setMode` records how the subscription gets its data.
 *
 * @since 0.1.0
 * @category observability
 */
export interface SubscriptionTrace {
  readonly within: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly setMode: (mode: string, url: string | undefined) => void
}

/**
 * The tracing of the current client. By default there is none.
 *
 * @since 0.1.0
 * @category services
 */
export class Tracing extends Context.Reference<Tracing>()("effect-chains/Transport/Tracing", {
  defaultValue: (): TracingService | undefined => undefined
}) {}

/**
 * A transport that takes the options as an argument, from callers that have looked them up already.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransportWithOptions extends TransportService {
  readonly sendWith: <A>(call: Call<A>, options: CallOptionsShape) => Effect.Effect<A, CallError>
}

/**
 * The transport of the current client.
 *
 * @since 0.1.0
 * @category services
 */
export class Transport extends /*#__PURE__*/ Context.Tag("effect-chains/Transport")<
  Transport,
  TransportService
>() {}
