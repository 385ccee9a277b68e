/**
 * A call on its way: the question, its time, and its attempts so far.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { ResolvedConfig } from "../config/Config.js"
import { type AttemptRecord, CallTimeout } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import type { Call, CallOptionsShape } from "../wire/Transport.js"
import type { Spender } from "./Budget.js"
import { type Node, nodeTypeFor } from "./Nodes.js"
import type { AttemptFailure } from "./Outcome.js"
import type { NodeType } from "./Pool.js"

/**
 * The state of one call. Times are milliseconds, `deadline` on the clock that never jumps.
 *
 * @since 0.1.0
 * @category models
 */
export interface CallContext<A> extends Spender {
  /** What tells the call from others that ask the same. */
  readonly id: number
  readonly call: Call<A>
  readonly clock: Clock.Clock
  readonly timeout: number
  readonly attemptTimeout: number
  readonly deadline: number
  readonly nodeType: NodeType
  /** Nodes of the other type are not asked. */
  readonly strict: boolean
  /** The answer must be of a node that is at this block. */
  readonly minBlock: number | undefined
  /** The call is for one node alone, which is not the pool's choice: what it ends with says nothing to others. */
  pinned: boolean
  readonly tried: Set<number>
  /** Whether an earlier attempt may have reached a node. */
  delivered: boolean
  /** Whether a node was at fault, and not only in no position to answer. */
  nodeFailed: boolean
  /** Whether a node of the wanted type has refused the call by words of the protocol. */
  isRefusedByNodeType: boolean
  lastError: AttemptFailure["error"] | undefined
  /** The attempts so far; kept only for calls in which one has failed. */
  failedAttempts: Array<AttemptRecord> | undefined
  /** Nodes whose answers could be their own fault or the request's. */
  suspects: Array<Node> | undefined
  /** Errors without a known meaning, each with the host that has said it. */
  errorsSeen: Map<string, string> | undefined
  /** What was sent to nodes before the call came to them. */
  earlyAttempts: Map<Node, EarlyAttempt<A>> | undefined
}

/**
 * An attempt: the node, and how it was when the attempt began at `start` (`monotonic` in `http/service.ts`). It ends after `limit` milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attempt {
  readonly node: Node
  readonly start: number
  readonly limit: number
  /** These three are the node's at the start. */
  readonly failures: number
  readonly height: number | undefined
  readonly heightDrops: number
  /** The turn of its request (`Height.ts`). */
  readonly sequence: number
}

/** An attempt that has begun, and its answer. */
interface EarlyAttempt<A> extends Attempt {
  readonly answer: Fiber.RuntimeFiber<A, AttemptFailure>
}

let lastId = 0

/**
 * A call whose time begins now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <A>(
  call: Call<A>,
  options: CallOptionsShape,
  config: Pick<ResolvedConfig, "timeout" | "attemptTimeout" | "archive">,
  clock: Clock.Clock
): CallContext<A> => {
  const { minTimeout = 0 } = call
  const timeout = options.timeout ?? Math.max(minTimeout, config.timeout)
  return {
    id: ++lastId,
    call,
    clock,
    timeout,
    attemptTimeout: options.attemptTimeout ?? Math.max(minTimeout, config.attemptTimeout),
    deadline: monotonic(clock) + timeout,
    nodeType: nodeTypeFor(call.archive),
    strict: (options.archive ?? config.archive) === "strict",
    minBlock: call.repeat === "read" && options.minBlock !== undefined ? Number(options.minBlock) : undefined,
    pinned: false,
    tried: new Set(),
    delivered: false,
    nodeFailed: false,
    isRefusedByNodeType: false,
    lastError: undefined,
    failedAttempts: undefined,
    suspects: undefined,
    errorsSeen: undefined,
    retriesInFlight: 0,
    earlyAttempts: undefined
  }
}

/**
 * The milliseconds that a call has left.
 *
 * @since 0.1.0
 * @category getters
 */
export const remainingMs = ({ clock, deadline }: CallContext<unknown>): number => deadline - monotonic(clock)

/**
 * The error of a call whose time is over.
 *
 * @since 0.1.0
 * @category getters
 */
export const failWithTimeout = ({
  call,
  lastError,
  timeout
}: CallContext<unknown>): Effect.Effect<never, CallTimeout> =>
  Effect.fail(
    new CallTimeout({
      call: call.label,
      timeout,
      ...(lastError === undefined ? {} : { last: lastError.message })
    })
  )

/**
 * A call at one of its nodes.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeTry {
  readonly node: Node
  /** How often the node may be asked once more. */
  retriesLeft: number
  /** It is asked again after a pause that is not over yet. */
  isPausing: boolean
  /** The call has gone to another node as well, tired of waiting. */
  isHedged: boolean
}

/**
 * The end of a visit of a call that goes on to another node.
 *
 * @since 0.1.0
 * @category models
 */
export interface TryNext {
  readonly _tag: "Left"
}

/** More attempts than this tell nothing new. */
const MAX_RECORDED = 16

/**
 * Remembers an attempt that has failed.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordAttempt = (context: CallContext<unknown>, attempted: AttemptRecord): void => {
  context.failedAttempts ??= []
  if (context.failedAttempts.length < MAX_RECORDED) context.failedAttempts.push(attempted)
}

/**
 * Whether another node, on another host, has said the same before.
 *
 * @since 0.1.0
 * @category operations
 */
export const isSaidByAnotherHost = (context: CallContext<unknown>, meaning: string, url: string): boolean => {
  context.errorsSeen ??= new Map()
  const { host } = new URL(url)
  const before = context.errorsSeen.get(meaning)
  if (before === undefined) context.errorsSeen.set(meaning, host)
  return before !== undefined && before !== host
}
