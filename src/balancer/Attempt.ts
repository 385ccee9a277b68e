/**
 * One attempt of a call at one node: it yields an acceptable answer or a failure. `Failover.ts` handles the failure.
 *
 * If the node reports a block far below the one at the start of the attempt, its answer is rejected. With `minBlock`, the node is asked for
 * its height after its answer, too: it must have been at the block all the time. If a normal node has nothing for a past block, it must
 * show that it holds that block, since a node that has pruned its history answers the same.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../config/Config.js"
import type { PastBlock } from "../data/Endpoint.js"
import { StateUnavailable } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import type { Attempt, CallContext } from "./CallContext.js"
import type { MakeHasBlockCall } from "./Family.js"
import * as Health from "./Health.js"
import type { Heights } from "./Height.js"
import type { NodeRequest } from "./NodeRequest.js"
import * as Nodes from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { type AttemptFailure, makeNodeError } from "./Outcome.js"

export type { Attempt } from "./CallContext.js"

/**
 * The services that the attempts of a client share.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attempts {
  readonly config: ResolvedConfig
  readonly health: Health.Health
  readonly heights: Heights
  /** Makes the call that asks whether a node has a block; undefined if nodes of the family cannot be asked. */
  readonly makeHasBlockCall: MakeHasBlockCall | undefined
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  readonly request: NodeRequest
  /** With `consistency: "monotonic"`: the highest block that a read may have shown. */
  highestSeen: number | undefined
}

/**
 * Starts an attempt with `remaining` milliseconds of the call's time left.
 *
 * @since 0.1.0
 * @category constructors
 */
export const startAttempt = (
  { heights }: Attempts,
  node: Nodes.Node,
  { attemptTimeout, deadline }: CallContext<unknown>,
  remaining: number
): Attempt => {
  const { failures, height, heightDrops } = node
  const limit = Math.min(attemptTimeout, remaining)
  return {
    node,
    start: deadline - remaining,
    limit,
    failures,
    height,
    heightDrops,
    sequence: heights.nextSequence()
  }
}

/** Accepts the answer, and marks the node as healthy. */
const acceptAnswer = <A>(
  attempts: Attempts,
  context: CallContext<A>,
  attempt: Attempt,
  value: A
): Effect.Effect<A> => {
  const { call, clock, id, isPinned, suspects } = context
  const { health, nodes, observer } = attempts
  const { failures, node, start } = attempt
  let reported: Effect.Effect<void> = Effect.void
  if (!isPinned) {
    const now = monotonic(clock)
    Nodes.recordAnswer(nodes, node, start, now)
    if (observer.isObserved()) {
      reported = observer.emit(
        { _tag: "Answered", url: node.printableUrl, call: call.label, id, ms: now - start },
        clock.unsafeCurrentTimeMillis()
      )
    }
    Nodes.markHealthy(nodes, node, failures)
  }
  if (suspects === undefined) return Effect.as(reported, value)
  const others = suspects.filter((each) => each !== node)
  return Effect.as(Effect.zipRight(reported, Health.recordAnsweredElsewhere(health, others)), value)
}

/** Whether a height is far below the one at the start of the attempt. */
const isFarBehind = ({ config }: Attempts, attempt: Attempt, height: number): boolean =>
  attempt.height !== undefined && height < attempt.height - config.allowedBlocksBehind

/** Rejects the answer of a node that has reported a lower block than before: `height` in place of `attempt.height`. */
const rejectOldAnswer = (
  attempts: Attempts,
  { call, minBlock, isPinned }: CallContext<unknown>,
  attempt: Attempt,
  height: number | undefined
): Effect.Effect<never, AttemptFailure> => {
  const { heightDrops, node } = attempt
  const hasFallenFar = height !== undefined && isFarBehind(attempts, attempt, height)
  const isFirstReport = hasFallenFar && Nodes.recordHeightDrop(node, heightDrops)
  const error = makeNodeError(
    "behind",
    call.label,
    node,
    `the node has fallen from block ${attempt.height} to ${height}`
  )
  // `behind`: a node that is a little behind, or the only one, gets the call again when it has reached the block
  const isRejected =
    minBlock === undefined || (hasFallenFar && !isPinned && !Nodes.hasSingleNode(attempts.nodes))
  // `node`: the first attempt that sees a large drop evicts the node. `elsewhere`: another attempt has done that, or the drop is small
  return Effect.fail(
    isRejected
      ? isFirstReport
        ? { fault: "node", error }
        : { fault: "elsewhere", error }
      : { fault: "behind", error }
  )
}

/** Accepts the answer if the node has reported `minBlock` before and after it. */
const checkMinBlock = <A>(
  attempts: Attempts,
  context: CallContext<A>,
  attempt: Attempt,
  {
    height,
    minBlock,
    value
  }: { readonly height: number | undefined; readonly minBlock: number; readonly value: A }
): Effect.Effect<A, AttemptFailure> => {
  const { height: heightBefore = Number.NEGATIVE_INFINITY, node } = attempt
  const { highestSeen } = attempts
  if (height === undefined) {
    const error = makeNodeError("network", context.call.label, node, "the node does not tell its height")
    return Effect.fail({ fault: "node", error })
  }
  // with `consistency: "monotonic"` a node that fell by even one block is rejected, since nobody knows which block it read
  if (heightBefore < minBlock || height < (highestSeen === undefined ? minBlock : heightBefore))
    return rejectOldAnswer(attempts, context, attempt, height)
  if (highestSeen !== undefined) attempts.highestSeen = Math.max(highestSeen, height)
  return acceptAnswer(attempts, context, attempt, value)
}

/** Checks the height in the answer, or the node's own with `minBlock`, against the height at the start. */
const checkHeight = <A>(
  attempts: Attempts,
  context: CallContext<A>,
  attempt: Attempt,
  value: A
): Effect.Effect<A, AttemptFailure> => {
  const { heights, nodes } = attempts
  const { heightDrops, limit, node, start, sequence } = attempt
  const { call, clock, minBlock, isPinned } = context
  const heightInAnswer = Number(call.heightOf?.(value) ?? Number.NaN)
  const height = Number.isNaN(heightInAnswer) ? undefined : heightInAnswer
  if (height !== undefined) Nodes.recordHeight(node, height, sequence)
  if (!isPinned && !Nodes.hasSingleNode(nodes) && call.repeat === "read") {
    const hasFallen =
      height === undefined ? node.heightDrops !== heightDrops : isFarBehind(attempts, attempt, height)
    if (hasFallen) return rejectOldAnswer(attempts, context, attempt, height ?? node.height)
  }
  if (minBlock === undefined) return acceptAnswer(attempts, context, attempt, value)
  // the height of a batch belongs to several answers (a batch has no id), so ask the node again
  if (height !== undefined && call.id !== undefined)
    return checkMinBlock(attempts, context, attempt, { height, minBlock, value })
  const heightAfter = Effect.raceFirst(
    heights.confirmHeight(node, heights.nextSequence()),
    Effect.as(Effect.sleep(Math.max(1, start + limit - monotonic(clock))), undefined)
  )
  return Effect.flatMap(heightAfter, (after) =>
    checkMinBlock(attempts, context, attempt, { height: after, minBlock, value })
  )
}

/** Asks the node whether it has a block. */
const hasBlock = (
  { request }: Attempts,
  context: CallContext<unknown>,
  node: Nodes.Node,
  hasBlockCall: ReturnType<MakeHasBlockCall>
): Effect.Effect<boolean> => {
  const { attemptTimeout, clock, deadline } = context
  const now = monotonic(clock)
  const until = now + Math.max(1, Math.min(attemptTimeout, deadline - now))
  return Effect.match(request(node, hasBlockCall, until, clock), {
    onFailure: () => false,
    onSuccess: (isHeld) => isHeld
  })
}

/** The past block that the node must show to hold; undefined if it has shown that, or if the block does not exist yet. */
const blockToProve = (node: Nodes.Node, block: PastBlock | undefined): PastBlock | undefined =>
  typeof block === "number" &&
  (block >= node.lowestHeldBlock || (node.height !== undefined && block > node.height))
    ? undefined
    : block

/** Accepts an empty answer about a past block only from a node that holds the block. */
const checkEmptyAnswer = <A>(
  attempts: Attempts,
  context: CallContext<A>,
  attempt: Attempt,
  value: A
): Effect.Effect<A, AttemptFailure> => {
  const { makeHasBlockCall, nodes } = attempts
  const { node } = attempt
  const { call, isPinned, nodeType } = context
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
  if (
    !isEmpty ||
    makeHasBlockCall === undefined ||
    call.pastBlock === undefined ||
    isPinned ||
    nodeType !== "ARCHIVE"
  )
    return checkHeight(attempts, context, attempt, value)
  const block =
    Nodes.typeOf(nodes, node) === "NORMAL" && Nodes.hasType(nodes, "ARCHIVE")
      ? blockToProve(node, call.pastBlock())
      : undefined
  if (block === undefined) return checkHeight(attempts, context, attempt, value)
  return Effect.flatMap(
    hasBlock(attempts, context, node, makeHasBlockCall(block)),
    (isHeld): Effect.Effect<A, AttemptFailure> => {
      if (!isHeld) {
        const error = new StateUnavailable({ call: call.label, block: String(block), url: node.url })
        return Effect.fail({ fault: "elsewhere", error })
      }
      if (typeof block === "number") Nodes.recordHeldBlock(node, block)
      return checkHeight(attempts, context, attempt, value)
    }
  )
}

/** Counts the calls in flight, for selection policies. */
const trackInFlight = <A, E>(node: Nodes.Node, sent: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.ensuring(
    Effect.suspend(() => {
      Nodes.recordSent(node)
      return sent
    }),
    Effect.sync(() => Nodes.recordSettled(node))
  )

/**
 * Sends an attempt, or waits for `answer` if it was sent before.
 *
 * @since 0.1.0
 * @category operations
 */
export const send = <A>(
  attempts: Attempts,
  context: CallContext<A>,
  attempt: Attempt,
  answer?: Effect.Effect<A, AttemptFailure>
): Effect.Effect<A, AttemptFailure> => {
  const { nodes, observer, request } = attempts
  const { limit, node, start } = attempt
  const { call, clock, id, isPinned, nodeType } = context
  let reported: Effect.Effect<void> | undefined
  if (observer.isObserved()) {
    const type = (isPinned ? undefined : Nodes.typeOf(nodes, node)) ?? nodeType
    reported = observer.emit(
      { _tag: "Attempted", url: node.printableUrl, type, wanted: nodeType, call: call.label, id },
      clock.unsafeCurrentTimeMillis()
    )
  }
  if (call.trace !== undefined) {
    call.trace.attempts++
    call.trace.node = { url: node.printableUrl }
  }
  const sent = answer ?? request(node, call, start + limit, clock)
  const checked = Effect.flatMap(nodes.policy === undefined ? sent : trackInFlight(node, sent), (value) =>
    checkEmptyAnswer(attempts, context, attempt, value)
  )
  return reported === undefined ? checked : Effect.zipRight(reported, checked)
}
