/**
 * The outcomes of attempts and their consequences: the one table of the balancer, and the one decision by it. `Failover.ts`
 * carries it out.
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

/**
 * Why an attempt has no answer, and whose fault that is.
 *
 * - `behind`: nobody's; the node is not at the block yet that the call asks for, and is asked again when it is.
 * - `unsent`: the call itself has not reached the node.
 * - `pause`: when the node wants to be asked again, in milliseconds.
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
 * The consequence for the call.
 *
 * - `end`: the caller gets the error.
 * - `next`: another node is asked, or one that is back after its pause, if there is one in time; else the caller gets the error.
 * - `agree`: as `next`, until two nodes on different hosts have said the same.
 * - `again`: the same node is asked once more after a pause; then as `next`.
 * - `wait`: the same nodes are asked when they are at the block.
 *
 * @since 0.1.0
 * @category models
 */
export type CallAction = "end" | "next" | "agree" | "again" | "wait"

/**
 * The consequence for the node: it is `well`, it is `asked` (its probe decides), it is `cooled` (nothing is sent to it before the pause is
 * over that it has asked for), it is `left` for others until a probe has found it well, or it is let `be`.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeAction = "well" | "asked" | "cooled" | "left" | "be"

/**
 * A row of the table: what follows for each kind of call while other nodes are left, for a call that has no other node
 * (`last`), and for the node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Row<out Node extends NodeAction = NodeAction> extends Readonly<Record<Repeat, CallAction>> {
  readonly last: CallAction
  readonly node: Node
}

/**
 * The outcomes of attempts that have failed outside of the protocol: of a connection, of a status, or of an answer that is none. They
 * alone can take a node away. Whatever a node says by the protocol may be the words of a contract.
 *
 * @since 0.1.0
 * @category models
 */
export type TransportOutcome = "unreached" | "down" | "lost"

/**
 * The table of outcomes. A write is sent again only where it cannot have had its effect.
 *
 * @since 0.1.0
 * @category constants
 */
export const table: {
  readonly [O in AttemptOutcome]: Row<O extends TransportOutcome ? NodeAction : Exclude<NodeAction, "left">>
} = {
  caller: { read: "end", broadcast: "end", write: "end", last: "end", node: "well" },
  elsewhere: { read: "next", broadcast: "next", write: "next", last: "end", node: "well" },
  unclear: { read: "agree", broadcast: "agree", write: "end", last: "end", node: "asked" },
  declined: { read: "next", broadcast: "next", write: "end", last: "end", node: "asked" },
  busy: { read: "next", broadcast: "next", write: "next", last: "next", node: "cooled" },
  foreign: { read: "next", broadcast: "next", write: "next", last: "end", node: "asked" },
  unreached: { read: "next", broadcast: "next", write: "next", last: "end", node: "left" },
  down: { read: "again", broadcast: "again", write: "end", last: "again", node: "left" },
  lost: { read: "next", broadcast: "next", write: "end", last: "end", node: "left" },
  behind: { read: "wait", broadcast: "end", write: "end", last: "wait", node: "be" }
}

/**
 * The consequence of an outcome for a call of this kind. `isLast`: it has no other node to go to.
 *
 * @since 0.1.0
 * @category constants
 */
export const actionFor = (outcome: AttemptOutcome, repeat: Repeat, isLast: boolean): CallAction => {
  const row = table[outcome]
  return isLast && row[repeat] !== "end" ? row.last : row[repeat]
}

/**
 * Where a call stands when an attempt has ended.
 *
 * @since 0.1.0
 * @category models
 */
export interface Situation {
  readonly repeat: Repeat
  /** The call is for this node alone. */
  readonly isPinned: boolean
  /** Another node, on another host, has said the same before. */
  readonly isConfirmed: boolean
  /** It may ask the node once more, and has the time for it. */
  readonly canRetry: boolean
  /** The node has said when it wants to be asked again. */
  readonly hasCooldown: boolean
  /** In the time that it has left nothing can be answered. */
  readonly isLate: boolean
}

/**
 * The next step of a call.
 *
 * - `fail`: it ends with the error; `late`: its time is over.
 * - `again`: it asks the same node once more after a pause.
 * - `next`: it goes on to another node, if one is left.
 * - `wait`: it asks the same nodes when they are at the block.
 *
 * @since 0.1.0
 * @category models
 */
export type Decision = "fail" | "late" | "again" | "next" | "wait"

/**
 * The next step of a call, by the table and by its situation.
 *
 * @since 0.1.0
 * @category constants
 */
export const decide = (outcome: AttemptOutcome, situation: Situation): Decision => {
  const { isConfirmed, isPinned, isLate, hasCooldown, canRetry, repeat } = situation
  const { node } = table[outcome]
  // the words of a node are told to the caller, however late they come
  const isOver = isLate && (node === "left" || node === "cooled")
  switch (actionFor(outcome, repeat, isPinned)) {
    case "wait":
      return "wait"
    case "end":
      return isPinned && isOver ? "late" : "fail"
    case "agree":
      return isConfirmed ? "fail" : "next"
    case "again":
      if (canRetry) return "again"
      return isOver ? "late" : isPinned && !hasCooldown ? "fail" : "next"
    case "next":
      return isOver ? "late" : "next"
  }
}

/** How an attempt has ended whose failure is the node's: outside of the protocol, so that no words can bring it about. */
const classifyTransport = ({ kind, status = 0 }: NodeError, unsent: boolean): TransportOutcome => {
  if (unsent) return "unreached"
  // a redirect is not followed, so nothing has been done
  if (kind === "connect" || kind === "redirect") return "unreached"
  // a status of 500 to 599 and nothing of the protocol
  return kind === "status" && status >= 500 ? "down" : "lost"
}

/**
 * Which row a refusal belongs to.
 *
 * @since 0.1.0
 * @category constants
 */
export const classify = (refusal: AttemptFailure): AttemptOutcome => {
  switch (refusal.fault) {
    case "node":
      return classifyTransport(refusal.error, refusal.unsent === true)
    case "limited":
      return "busy"
    case "unclear":
      return refusal.error._tag === "NodeError" ? "foreign" : "unclear"
    default:
      return refusal.fault
  }
}

/**
 * The part of an error that is equal at two nodes that mean the same: the code, the class and the words, without digits.
 *
 * @since 0.1.0
 * @category conversions
 */
export const normalizeError = (error: AttemptFailure["error"]): string =>
  `${error._tag} ${"code" in error && error.code} ${error.message.replace(/0x[0-9a-f]*|\d+/gi, "#")}`

/**
 * The error of a failed node: `url` is the node's, `call` names the question.
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
 * The question for the chain, as the pool calls it. A caller hears of it as a reason of his own call.
 *
 * @since 0.1.0
 * @category constants
 */
export const CHAIN_CHECK = "chain check"

/**
 * The failure of a call before whose answer counts the node had to tell its chain, and did not.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toCallError = (error: NodeError, call: string): NodeError =>
  copyError(error, (value, field) =>
    field === "call" ? call : field === "reason" ? `${CHAIN_CHECK}: ${error.reason}` : value
  )

/** A node that has had enough, and does not say until when, is left alone for so long (in milliseconds). */
const DEFAULT_COOLDOWN = 1_000

/**
 * When a node wants to be asked again, in milliseconds: as its server says, or in a second where it only says that it has had enough.
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
    ? (parseRetryAfter(response, clock) ?? (fault === "limited" ? DEFAULT_COOLDOWN : undefined))
    : undefined
