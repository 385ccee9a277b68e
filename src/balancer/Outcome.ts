/**
 * The outcomes of failed attempts, and the table that says what each means for the call and for the node. `Failover.ts` carries the
 * decisions out.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import type { Repeat } from "../data/Endpoint.js"
import {
  type AttemptOutcome,
  copyError,
  NodeError,
  type QuotaExceeded,
  type StateUnavailable
} from "../data/SdkError.js"
import { type HttpResponse, parseRetryAfter } from "../http/service.js"
import type { Rejection } from "../wire/Transport.js"
import type { NodeFault } from "./Nodes.js"

/**
 * The failure of an attempt, and whose fault it is.
 *
 * - `behind` is nobody's fault: the node has not reached the block that the call asks for.
 * - `unsent`: the call itself has not reached the node.
 * - `pause`: the cooldown that the node has asked for, in milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export type AttemptFailure = (
  | Rejection
  | { readonly fault: "behind"; readonly error: NodeError }
  | { readonly fault: "elsewhere"; readonly error: StateUnavailable | QuotaExceeded }
) & {
  readonly unsent?: boolean
  readonly pause?: number | undefined
}

/**
 * What an outcome means for the call.
 *
 * - `fail`: the caller gets the error.
 * - `next`: the call is sent to another node, or to one whose cooldown ends in time. Without such a node the caller gets the error.
 * - `confirm`: as `next`, until two nodes on different hosts have said the same.
 * - `retry`: the same node gets the call once more after a pause; after that as `next`.
 * - `wait`: the call waits until one of its nodes has reached the block.
 *
 * @since 0.1.0
 * @category models
 */
export type CallAction = "fail" | "next" | "confirm" | "retry" | "wait"

/**
 * What an outcome means for the node.
 *
 * - `healthy`: the node works; if it was evicted, it is back.
 * - `probe`: the node is probed now, and the probe decides.
 * - `coolDown`: nothing is sent to the node until the pause that it has asked for is over, for at most a minute.
 * - `evict`: calls go to other nodes until a probe passes.
 * - `ignore`: nothing.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeAction = "healthy" | "probe" | "coolDown" | "evict" | "ignore"

/**
 * A row of the table: the action for each kind of call that has other nodes to go to, for a call that is pinned to one node (`pinned`), and
 * for the node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Row<out Node extends NodeAction = NodeAction> extends Readonly<Record<Repeat, CallAction>> {
  readonly pinned: CallAction
  readonly node: Node
}

/**
 * The outcomes of attempts that failed outside of the protocol: by the connection, by an HTTP status, or by a malformed answer. Only these
 * evict a node: the text of a protocol error may come from a contract, so anyone could write it.
 *
 * @since 0.1.0
 * @category models
 */
export type TransportOutcome = "unreached" | "down" | "noAnswer"

/**
 * The table of outcomes: what each means for the call and for the node. A write is sent again only if the failed attempt cannot have had an
 * effect.
 *
 * A failure has a fault, which says who is at fault (`Rejection` in `wire/Transport.ts`). {@link classify} turns the fault into an outcome.
 *
 * - `caller`: the request is wrong, or its execution fails (a revert). Every node would answer so.
 * - `elsewhere`: the node works but lacks what the call needs: the block's state, the method, or room in a quota. Another node may have it.
 * - `unclear`: an error of the protocol that may come from the request or from the node. It counts when a node on a second host repeats it.
 * - `declined`: an error of the protocol by which the node says that it cannot serve the call now.
 * - `busy`: the node asks for a pause by a status or a code (the fault `limited`).
 * - `notProtocol`: the fault `unclear` with a `NodeError`: an HTTP error, such as 404, whose body is no answer of the protocol.
 * - `unreached`: no connection was made, or the request was not sent.
 * - `down`: an HTTP status of 500 or above whose body is no answer of the protocol.
 * - `noAnswer`: the request was sent, and no usable answer came: a timeout, a lost connection, a malformed answer.
 * - `behind`: the node has not reached the block that the call asks for.
 *
 * @since 0.1.0
 * @category constants
 */
export const table: {
  readonly [O in AttemptOutcome]: Row<O extends TransportOutcome ? NodeAction : Exclude<NodeAction, "evict">>
} = {
  caller: { read: "fail", broadcast: "fail", write: "fail", pinned: "fail", node: "healthy" },
  elsewhere: { read: "next", broadcast: "next", write: "next", pinned: "fail", node: "healthy" },
  unclear: { read: "confirm", broadcast: "confirm", write: "fail", pinned: "fail", node: "probe" },
  declined: { read: "next", broadcast: "next", write: "fail", pinned: "fail", node: "probe" },
  busy: { read: "next", broadcast: "next", write: "next", pinned: "next", node: "coolDown" },
  notProtocol: { read: "next", broadcast: "next", write: "next", pinned: "fail", node: "probe" },
  unreached: { read: "next", broadcast: "next", write: "next", pinned: "fail", node: "evict" },
  down: { read: "retry", broadcast: "retry", write: "fail", pinned: "retry", node: "evict" },
  noAnswer: { read: "next", broadcast: "next", write: "fail", pinned: "fail", node: "evict" },
  behind: { read: "wait", broadcast: "fail", write: "fail", pinned: "wait", node: "ignore" }
}

/**
 * The action of the table for a call of this kind. `isPinned`: the call may go to one node only.
 *
 * @since 0.1.0
 * @category getters
 */
export const actionFor = (outcome: AttemptOutcome, repeat: Repeat, isPinned: boolean): CallAction => {
  const row = table[outcome]
  return isPinned && row[repeat] !== "fail" ? row.pinned : row[repeat]
}

/**
 * The state of a call when one of its attempts has failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Situation {
  readonly repeat: Repeat
  /** The call may go to this node only. */
  readonly isPinned: boolean
  /** A node on another host has said the same before. */
  readonly isConfirmed: boolean
  /** The call has retries and time left for this node. */
  readonly canRetry: boolean
  /** The node has asked for a pause. */
  readonly hasCooldown: boolean
  /** The rest of the call's time is too short for an answer. */
  readonly isOutOfTime: boolean
}

/**
 * The next step of a call.
 *
 * - `fail`: it fails with the attempt's error.
 * - `timeout`: it fails with `CallTimeout`.
 * - `retry`: it is sent to the same node again after a pause.
 * - `next`: it is sent to another node, if one is left.
 * - `wait`: it waits until one of its nodes has reached the block.
 *
 * @since 0.1.0
 * @category models
 */
export type Decision = "fail" | "timeout" | "retry" | "next" | "wait"

/**
 * Decides the next step of a call by the table and by the call's state.
 *
 * @since 0.1.0
 * @category operations
 */
export const decide = (outcome: AttemptOutcome, situation: Situation): Decision => {
  const { isConfirmed, isPinned, isOutOfTime, hasCooldown, canRetry, repeat } = situation
  const { node } = table[outcome]
  // an error that the node has put into words reaches the caller even when it comes late
  const isTimeout = isOutOfTime && (node === "evict" || node === "coolDown")
  switch (actionFor(outcome, repeat, isPinned)) {
    case "wait":
      return "wait"
    case "fail":
      return isPinned && isTimeout ? "timeout" : "fail"
    case "confirm":
      return isConfirmed ? "fail" : "next"
    case "retry":
      if (canRetry) return "retry"
      return isTimeout ? "timeout" : isPinned && !hasCooldown ? "fail" : "next"
    case "next":
      return isTimeout ? "timeout" : "next"
  }
}

/** The outcome of a failure outside of the protocol: by its kind and status alone, never by words. */
const classifyTransport = ({ kind, status = 0 }: NodeError, unsent: boolean): TransportOutcome => {
  if (unsent) return "unreached"
  // a redirect is not followed, so the request had no effect
  if (kind === "connect" || kind === "redirect") return "unreached"
  // a 5xx without a body of the protocol
  return kind === "status" && status >= 500 ? "down" : "noAnswer"
}

/**
 * The outcome of a failure: the row of the table that it belongs to.
 *
 * @since 0.1.0
 * @category conversions
 */
export const classify = (failure: AttemptFailure): AttemptOutcome => {
  switch (failure.fault) {
    case "node":
      return classifyTransport(failure.error, failure.unsent === true)
    case "limited":
      return "busy"
    case "unclear":
      return failure.error._tag === "NodeError" ? "notProtocol" : "unclear"
    default:
      return failure.fault
  }
}

/**
 * An error in a form that is equal for two nodes that mean the same: class, code and message, with every number replaced.
 *
 * @since 0.1.0
 * @category conversions
 */
export const normalizeError = (error: AttemptFailure["error"]): string =>
  `${error._tag} ${"code" in error && error.code} ${error.message.replace(/0x[0-9a-f]*|\d+/gi, "#")}`

/**
 * The error of a failed attempt as the cause for which its node takes no calls.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toFault = (error: AttemptFailure["error"]): NodeFault =>
  error._tag === "NodeError"
    ? error
    : { kind: error._tag === "RpcError" ? "rpc" : "status", reason: error.message }

/**
 * The error of an attempt at a node. `call` is the call's label.
 *
 * @since 0.1.0
 * @category conversions
 */
export const makeNodeError = (
  kind: NodeError["kind"],
  call: string,
  { url }: { readonly url: string },
  reason: string
): NodeError => new NodeError({ kind, call, url, reason })

/**
 * The label of chain checks in errors.
 *
 * @since 0.1.0
 * @category constants
 */
export const CHAIN_CHECK = "chain check"

/**
 * The error of a failed chain check as the error of the call that waited for it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toCallError = (error: NodeError, call: string): NodeError =>
  copyError(error, (value, field) =>
    field === "call" ? call : field === "reason" ? `${CHAIN_CHECK}: ${error.reason}` : value
  )

/** The cooldown of a rate-limited node that does not say how long, in milliseconds. */
const DEFAULT_COOLDOWN_MS = 1_000

/**
 * The cooldown that an answer asks for, in milliseconds: its `Retry-After`, or one second for a rate limit without it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const cooldownOf = (
  response: Pick<HttpResponse, "header">,
  { fault }: Pick<Rejection, "fault">,
  clock: Clock.Clock
): number | undefined =>
  fault === "node" || fault === "limited"
    ? (parseRetryAfter(response, clock) ?? (fault === "limited" ? DEFAULT_COOLDOWN_MS : undefined))
    : undefined
