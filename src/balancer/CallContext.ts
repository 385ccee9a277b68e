/**
 * The state of one call: its options, its deadline and its attempts.
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
  /** A number that is unique in the process. Events have it. */
  readonly id: number
  readonly call: Call<A>
  readonly clock: Clock.Clock
  readonly timeout: number
  readonly attemptTimeout: number
  readonly deadline: number
  readonly nodeType: NodeType
  /** The call goes to nodes of `nodeType` only. */
  readonly strict: boolean
  /** The answer must come from a node that has reached this block. */
  readonly minBlock: number | undefined
  /** The caller has chosen the node: the outcome does not change the pool. */
  isPinned: boolean
  readonly tried: Set<number>
  /** Requests that are still at their node while a backup request runs beside them. */
  pendingPrimaries: number
  /** An earlier attempt may have reached a node. */
  mayBeDelivered: boolean
  /** An attempt has failed by the node's own fault. */
  hasNodeFailed: boolean
  /** A node of `nodeType` has refused the call with an error of the protocol. */
  hasOwnTypeRefused: boolean
  lastError: AttemptFailure["error"] | undefined
  /** The failed attempts; undefined until there is one. */
  failedAttempts: Array<AttemptRecord> | undefined
  /** Nodes whose errors may be their own fault or the request's. */
  suspects: Array<Node> | undefined
  /** Errors of unknown meaning in normalized form, each with the host that sent it. */
  errorsSeen: Map<string, string> | undefined
  /** Reads that were sent to nodes during their first check. */
  earlyAttempts: Map<Node, EarlyAttempt<A>> | undefined
}

/**
 * An attempt at a node, with the node's state at its start. `start` is on the monotonic clock; the attempt ends after `limit` milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attempt {
  readonly node: Node
  readonly start: number
  readonly limit: number
  /** The node's `failures`, `height` and `heightDrops` at the start. */
  readonly failures: number
  readonly height: number | undefined
  readonly heightDrops: number
  /** The sequence number of its request (`Height.ts`). */
  readonly sequence: number
}

/** A read that was sent during the node's first check, with the fiber that waits for the answer. */
interface EarlyAttempt<A> extends Attempt {
  readonly answer: Fiber.RuntimeFiber<A, AttemptFailure>
}

let lastId = 0

/**
 * Makes the context of a call whose time begins now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeCallContext = <A>(
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
    isPinned: false,
    tried: new Set(),
    pendingPrimaries: 0,
    mayBeDelivered: false,
    hasNodeFailed: false,
    hasOwnTypeRefused: false,
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
 * Fails with the error of a call whose time is over.
 *
 * @since 0.1.0
 * @category operations
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
 * The state of a call at one of its nodes.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeTry {
  readonly node: Node
  /** How many retries the node may get. */
  retriesLeft: number
  /** The call waits before it retries the node. */
  isPausing: boolean
  /** A backup request was sent to another node. */
  isHedged: boolean
}

/**
 * The signal that the call is to be sent to another node.
 *
 * @since 0.1.0
 * @category models
 */
export interface TryNext {
  readonly _tag: "TryNext"
}

/** The number of failed attempts that an error lists. */
const MAX_RECORDED = 16

/**
 * Records a failed attempt.
 *
 * @since 0.1.0
 * @category operations
 */
export const recordAttempt = (context: CallContext<unknown>, attempted: AttemptRecord): void => {
  context.failedAttempts ??= []
  if (context.failedAttempts.length < MAX_RECORDED) context.failedAttempts.push(attempted)
}

/**
 * Records an error that a node has answered with. Yields whether a node on another host has answered the same before.
 *
 * @since 0.1.0
 * @category operations
 */
export const confirmError = (context: CallContext<unknown>, meaning: string, url: string): boolean => {
  context.errorsSeen ??= new Map()
  const { host } = new URL(url)
  const before = context.errorsSeen.get(meaning)
  if (before === undefined) context.errorsSeen.set(meaning, host)
  return before !== undefined && before !== host
}
