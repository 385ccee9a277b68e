/**
 * Sends a call over the nodes. The steps, in the order in which this file has them:
 *
 * 1. `startCall` sends a pinned call to its node. While no node has passed its first check, it sends a read to several nodes at once.
 * 2. `route` chooses the node by the pool; with `minBlock`, one that has reached the block. While all nodes have failed, it first probes
 *    them, and waits for the first cooldown that ends in time.
 * 3. `tryNode` sends the call to that node. If the node fails, the call goes to the next one, as far as the retry budget allows.
 * 4. `sendAttempt` makes one attempt.
 * 5. `handleFailure` acts on a failed attempt as the table of outcomes says (`Outcome.ts`).
 *
 * A call is sent to the same node twice only after a server error, after the node's cooldown, or when the node had not reached the block
 * yet. The call ends by its deadline. `Hedge.ts` sends a backup request when a node is slow.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { ResolvedConfig } from "../config/Config.js"
import {
  type AttemptOutcome,
  BlockNotReached,
  displayUrl,
  InvalidArgument,
  NoActiveNode,
  withAttempts,
  withRetryAfter
} from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import { monotonic } from "../http/service.js"
import { findAcceptedValue } from "../wire/accepted.js"
import { type Call, type CallError, CallOptions, type CallOptionsShape } from "../wire/Transport.js"
import * as Attempt from "./Attempt.js"
import { repeatUntilTrue } from "./Background.js"
import * as Budget from "./Budget.js"
import {
  type CallContext,
  confirmError,
  failWithTimeout,
  makeCallContext,
  type NodeTry,
  recordAttempt,
  remainingMs,
  type TryNext
} from "./CallContext.js"
import * as Health from "./Health.js"
import type { HealthChecks } from "./HealthChecks.js"
import * as Hedge from "./Hedge.js"
import type { Heights } from "./Height.js"
import * as Nodes from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { type AttemptFailure, classify, decide, normalizeError, table, toFault } from "./Outcome.js"
import type { SendShadowRead } from "./Readmission.js"

interface Needs {
  readonly attempts: Attempt.Attempts
  readonly config: ResolvedConfig
  /** Sends shadow reads to failed nodes. Undefined with periodic checks, which probe those nodes. */
  readonly sendShadowRead: SendShadowRead | undefined
  readonly health: Health.Health
  readonly healthChecks: Pick<HealthChecks, "isFirstRoundPending" | "awaitFirstNode">
  readonly heights: Pick<Heights, "waitForBlock">
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  /** Probes the failed nodes of a pool in which all have failed. */
  readonly probeFailed: Effect.Effect<void> | undefined
  readonly scope: Scope.Scope
}

/**
 * The services that all calls of a client share.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failover extends Needs {
  readonly hedging: Hedge.Hedging | undefined
  readonly retries: Budget.Budget
}

/** The burst of the hedging budget: backup requests that are possible before calls have earned any. */
const HEDGE_BURST = 10

/**
 * Makes the router of calls, with the budgets of the configuration.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Failover => {
  const { hedge, retryBudget } = needs.config
  const retries =
    retryBudget === undefined
      ? Budget.unlimited
      : Budget.make({ share: retryBudget.ratio, burst: retryBudget.burst })
  const budget = hedge && Budget.make({ share: hedge.maxExtraLoad, burst: HEDGE_BURST })
  return { ...needs, retries, hedging: budget && Hedge.make({ ...needs, budget, retries }) }
}

/**
 * Sends a call. Its error is that of the last attempt, and lists the attempts before it.
 *
 * @since 0.1.0
 * @category operations
 */
export const send = <A>(
  failover: Failover,
  call: Call<A>,
  options: CallOptionsShape,
  clock: Clock.Clock
): Effect.Effect<A, CallError> => {
  const { config, hedging, retries } = failover
  hedging?.budget.earn()
  retries.earn()
  const context = makeCallContext(call, options, config, clock)
  return Effect.catchAll(startCall(failover, context, options), (error) => {
    withAttempts(error, context.failedAttempts ?? [])
    return Effect.fail(error)
  })
}

const startCall = <A>(
  failover: Failover,
  context: CallContext<A>,
  { node }: CallOptionsShape
): Effect.Effect<A, CallError> => {
  const { config, sendShadowRead, health, healthChecks, nodes } = failover
  const { call, minBlock, timeout } = context
  if (minBlock !== undefined && !health.isProbed) {
    const reason = `minBlock: nodes of ${config.network} cannot be asked for their height`
    return Effect.fail(new InvalidArgument({ call: call.label, reason }))
  }
  const pinnedUrl = node ?? (typeof config.selection === "object" ? config.selection.node : undefined)
  if (pinnedUrl !== undefined)
    return Effect.flatMap(findPinnedNode(nodes, config, context.nodeType, pinnedUrl), (pinned) =>
      callPinnedNode(failover, context, pinned)
    )
  if (call.gateway && config.nodes === undefined) return callPinnedNode(failover, context, nodes.gateway)
  // REST calls do not wait: the checks may say nothing of their server. Where they do, `NodeRequest` holds the answer until the check has passed
  if (!healthChecks.isFirstRoundPending() || call.path !== "") {
    // before the shadow read, which is for another node
    const routed = route(failover, context, "start")
    return sendShadowRead === undefined ? routed : Effect.zipRight(sendShadowRead(context), routed)
  }
  return Effect.zipRight(
    Effect.zipRight(sendEarlyReads(failover, context), healthChecks.awaitFirstNode(timeout)),
    Effect.suspend(() => route(failover, context, "start"))
  )
}

/** The number of unchecked nodes that get a read at the same time as their first check. */
const MAX_EARLY_READS = 3

/** Sends a read to nodes that are being checked. Their answers count only after the check, when the call is routed to the node. */
const sendEarlyReads = <A>(
  { attempts, hedging, nodes }: Failover,
  context: CallContext<A>
): Effect.Effect<void> => {
  const { call, clock, minBlock, nodeType } = context
  if (hedging === undefined || call.repeat !== "read" || minBlock !== undefined) return Effect.void
  const now = monotonic(clock)
  const candidates = nodes.all
    .filter((node) => Nodes.typeOf(nodes, node) === nodeType && !Nodes.isCoolingDown(node, now))
    .slice(0, MAX_EARLY_READS)
  return Effect.forEach(
    candidates,
    (node) => {
      if (!hedging.budget.spend()) return Effect.void
      const attempt = Attempt.startAttempt(attempts, node, context, remainingMs(context))
      const sent = attempts.request(node, call, attempt.start + attempt.limit, clock)
      return Effect.map(Effect.fork(sent), (fiber) => {
        context.earlyAttempts ??= new Map()
        context.earlyAttempts.set(node, { ...attempt, answer: fiber })
      })
    },
    { discard: true }
  )
}

/**
 * Finds a node of the pool by its url, or by its place in the list.
 *
 * @since 0.1.0
 * @category getters
 */
export const findPinnedNode = (
  { all }: Nodes.Nodes,
  { network }: ResolvedConfig,
  type: CallContext<unknown>["nodeType"],
  urlOrIndex: string | number
): Effect.Effect<Nodes.PoolNode, NoActiveNode> => {
  const url = typeof urlOrIndex === "number" ? undefined : withoutTail(urlOrIndex, "/")
  const node = typeof urlOrIndex === "number" ? all[urlOrIndex] : all.find((each) => each.url === url)
  if (node !== undefined) return Effect.succeed(node)
  const name = url === undefined ? `with the place ${urlOrIndex}` : displayUrl(url)
  const reason = `the pinned node ${name} is not in the pool`
  return Effect.fail(new NoActiveNode({ network, type, manual: false, reason }))
}

/** Sends a call to one node only. It waits for the node's block and cooldown, but never goes to another node. */
const callPinnedNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  node: Nodes.Node
): Effect.Effect<A, CallError> => {
  const { config, retries } = failover
  context.isPinned = true
  const sent = Effect.suspend(() => sendAttempt(failover, context, makeNodeTry(node, config.retryCount)))
  const request =
    context.minBlock === undefined
      ? sent
      : Effect.zipRight(waitForBlock(failover, context, [node], context.minBlock), sent)
  const callAgain = Effect.suspend(() => callPinnedNode(failover, context, node))
  return Effect.clockWith((clock) => {
    if (Nodes.isCoolingDown(node, monotonic(clock)))
      return waitForCooldown(failover, context, [node], callAgain)
    return Effect.catchAll(request, (end) => {
      if (end._tag !== "TryNext") return Effect.fail(end)
      if (!Nodes.isCoolingDown(node, monotonic(clock))) return callAgain
      return retries.spend() ? retries.track(callAgain, context) : failCoolingDown(failover, context, [node])
    })
  })
}

/** Fails a call whose nodes all have cooldowns longer than the call's time. The error has `retryAfter`. */
const failCoolingDown = (
  { nodes }: Failover,
  { clock, lastError, nodeType }: CallContext<unknown>,
  cooling: ReadonlyArray<Nodes.Node>
): Effect.Effect<never, CallError> => {
  const now = monotonic(clock)
  const ms = Math.max(0, Math.min(...cooling.map(({ cooldownUntil }) => cooldownUntil)) - now)
  return Effect.fail(
    lastError === undefined
      ? Nodes.makeNoActiveNode(nodes, now, { type: nodeType, isTemporary: true, retryAfter: ms })
      : lastError._tag === "NodeError" || lastError._tag === "RpcError"
        ? withRetryAfter(lastError, ms)
        : lastError
  )
}

/** Waits for the first cooldown of these nodes to end, or for another node to become available. Fails if the call has no time for that. */
const waitForCooldown = <A>(
  failover: Failover,
  context: CallContext<A>,
  cooling: ReadonlyArray<Nodes.Node>,
  then: Effect.Effect<A, CallError>
): Effect.Effect<A, CallError> => {
  const { nodes } = failover
  const { clock, isPinned } = context
  const until = Math.min(...cooling.map(({ cooldownUntil }) => cooldownUntil))
  const ms = until - monotonic(clock)
  if (ms >= remainingMs(context)) return failCoolingDown(failover, context, cooling)
  const hasOtherNode = (): boolean => !isPinned && Nodes.hasOther(nodes, context, monotonic(clock))
  return Effect.zipRight(
    Effect.raceFirst(
      Effect.sleep(Math.max(1, Math.ceil(ms))),
      repeatUntilTrue(Effect.sync(hasOtherNode), everyPoll)
    ),
    then
  )
}

/**
 * Why a call is routed. `start`: it is new, so failed nodes are probed before one of them gets it. `continue`: after a failed attempt or a
 * wait, or for its backup request.
 */
type RouteReason = "start" | "continue"

/** Sends the call to the node that the pool chooses now. */
const route = <A>(
  failover: Failover,
  context: CallContext<A>,
  reason: RouteReason
): Effect.Effect<A, CallError> => {
  const { nodes, probeFailed } = failover
  const { minBlock, lastError } = context
  const now = monotonic(context.clock)
  if (minBlock !== undefined) {
    const node = Nodes.selectAmong(nodes, context, now, (each) => Nodes.hasReached(each, minBlock))
    if (node !== undefined) return tryNode(failover, context, node)
  }
  const [choice, pool] = Nodes.select(nodes, context, now)
  const isTemporary = choice._tag === "none" && choice.isTemporary
  // probe all failed nodes before the call is sent to one of them
  if (
    reason === "start" &&
    probeFailed !== undefined &&
    (isTemporary || (choice._tag === "node" && choice.isTrial))
  )
    return Effect.zipRight(
      Effect.raceFirst(probeFailed, Effect.sleep(Math.max(0, remainingMs(context)))),
      Effect.suspend(() =>
        remainingMs(context) <= 0 ? failWithTimeout(context) : route(failover, context, "continue")
      )
    )
  const cooling = choice._tag === "node" && !choice.isTrial ? [] : Nodes.findCoolingDown(nodes, context, now)
  // a node whose cooldown ends in time is better than one that has failed
  if (
    cooling.length > 0 &&
    choice._tag !== "exhausted" &&
    (choice._tag === "none" || endsInTime(context, cooling))
  )
    return waitForCooldown(failover, context, cooling, routeAgain(failover, context))
  // a backup request must not replace the active node: the primary may still answer
  if (context.pendingPrimaries === 0) Nodes.setPool(nodes, pool)
  const node = choice._tag === "node" ? nodes.all[choice.index] : undefined
  if (choice._tag === "node" && node !== undefined) {
    if (minBlock === undefined) return tryNode(failover, context, node)
    const others = choice.isTrial ? [] : findOtherCandidates(nodes, context, node, now)
    // if no node has answered, the call goes to the chosen node and fails there like any other
    return Effect.flatMap(waitForBlock(failover, context, [node, ...others], minBlock), (found = node) =>
      Nodes.isCoolingDown(found, monotonic(context.clock))
        ? route(failover, context, reason)
        : tryNode(failover, context, found)
    )
  }
  return choice._tag === "exhausted" && lastError !== undefined
    ? handleAllTried(failover, context, { error: lastError, cooling })
    : Effect.fail(Nodes.makeNoActiveNode(nodes, now, { type: context.nodeType, isTemporary }))
}

const routeAgain = <A>(failover: Failover, context: CallContext<A>): Effect.Effect<A, CallError> =>
  Effect.suspend(() => route(failover, context, "continue"))

/** Whether the cooldown of one of these nodes ends before the call's deadline. */
const endsInTime = (context: CallContext<unknown>, cooling: ReadonlyArray<Nodes.Node>): boolean =>
  cooling.some(({ cooldownUntil }) => cooldownUntil < context.deadline)

/** The healthy nodes of the same type that the call has not tried, without the chosen one. */
const findOtherCandidates = (
  nodes: Nodes.Nodes,
  { tried }: CallContext<unknown>,
  chosen: Nodes.PoolNode,
  now: number
): ReadonlyArray<Nodes.PoolNode> =>
  nodes.all.filter(
    (node) =>
      node !== chosen &&
      !tried.has(node.index) &&
      Nodes.typeOf(nodes, node) === Nodes.typeOf(nodes, chosen) &&
      !Nodes.hasFailed(nodes, node) &&
      !Nodes.isCoolingDown(node, now)
  )

/** Waits until one of these nodes has reached the block. Yields undefined if none of them answers. */
const waitForBlock = <N extends Nodes.Node>(
  { heights }: Failover,
  context: CallContext<unknown>,
  candidates: ReadonlyArray<N>,
  block: number
): Effect.Effect<N | undefined, BlockNotReached> =>
  Effect.timeoutFail(heights.waitForBlock(candidates, block), {
    duration: Math.max(0, remainingMs(context)),
    onTimeout: () => {
      const best = candidates.reduce((a, b) => (a.height === undefined || (b.height ?? 0) > a.height ? b : a))
      const { call, timeout } = context
      const { height, url } = best
      return new BlockNotReached({ call: call.label, minBlock: block, height, url, timeout })
    }
  })

/** A node that was evicted for being slow only, and that the call has not tried. */
const findLastResort = (
  nodes: Nodes.Nodes,
  { clock, minBlock, tried, nodeType }: CallContext<unknown>
): Nodes.PoolNode | undefined =>
  nodes.all.find(
    (node) =>
      node.isSlow &&
      !Nodes.isCoolingDown(node, monotonic(clock)) &&
      Nodes.hasFailed(nodes, node) &&
      Nodes.hasReached(node, minBlock) &&
      !tried.has(node.index) &&
      Nodes.typeOf(nodes, node) === nodeType
  )

/** The state of a call that has tried every node: the last error, and the nodes that are cooling down. */
interface Exhaustion {
  readonly error: NonNullable<CallContext<unknown>["lastError"]>
  readonly cooling: ReadonlyArray<Nodes.PoolNode>
}

/** Handles a call that has tried every node: a slow node or one whose cooldown ends in time is the last resort. */
const handleAllTried = <A>(
  failover: Failover,
  context: CallContext<A>,
  { cooling, error }: Exhaustion
): Effect.Effect<A, CallError> => {
  const { health, nodes } = failover
  const { hasNodeFailed, tried, nodeType } = context
  const resort = findLastResort(nodes, context)
  if (resort !== undefined) {
    tried.add(resort.index)
    return orTryNextNode(failover, context, sendAttempt(failover, context, makeNodeTry(resort, 0)))
  }
  if (endsInTime(context, cooling)) {
    // they were tried or skipped because of their cooldowns; after those they may be tried again
    for (const { index } of cooling) tried.delete(index)
    return waitForCooldown(failover, context, cooling, routeAgain(failover, context))
  }
  const types = new Set([...tried].map((index) => nodes.pool.nodes[index]?.type ?? nodeType))
  return Effect.zipRight(
    hasNodeFailed
      ? Effect.forEach(types, (type) => Health.recordExhaustion(health, type), { discard: true })
      : Effect.void,
    Effect.suspend(() => {
      if (hasNodeFailed && remainingMs(context) <= 0) return failWithTimeout(context)
      const end = toFinalError(nodes, context, error)
      return cooling.length === 0 || end !== error
        ? Effect.fail(end)
        : failCoolingDown(failover, context, cooling)
    })
  )
}

/** An archive call that only normal nodes refused fails with `NoActiveNode`: those nodes may lack the history. */
const toFinalError = (nodes: Nodes.Nodes, context: CallContext<unknown>, error: CallError): CallError =>
  (error._tag === "RpcError" || error._tag === "RequestRejected") &&
  context.nodeType === "ARCHIVE" &&
  !context.hasOwnTypeRefused &&
  Nodes.hasType(nodes, "ARCHIVE")
    ? Nodes.makeNoActiveNode(nodes, monotonic(context.clock), {
        type: "ARCHIVE",
        isTemporary: true,
        last: error
      })
    : error

const makeNodeTry = (node: Nodes.Node, retriesLeft: number): NodeTry => ({
  node,
  retriesLeft,
  isPausing: false,
  isHedged: false
})

/** Sends the call to a node, with a backup request if the node is slow, and to the next node if it fails. */
const tryNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  node: Nodes.PoolNode
): Effect.Effect<A, CallError> => {
  const { config, hedging, nodes } = failover
  const nodeTry = makeNodeTry(node, config.retryCount)
  context.tried.add(node.index)
  const request = Effect.suspend(() => sendAttempt(failover, context, nodeTry))
  return orTryNextNode(
    failover,
    context,
    hedging === undefined || context.call.repeat !== "read" || Nodes.hasSingleNode(nodes)
      ? request
      : Hedge.hedge(hedging, context, nodeTry, {
          primary: request,
          backup: routeAgain(failover, context)
        })
  )
}

/** Sends the call to another node if `request` ends with `TryNext`. */
const orTryNextNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  request: Effect.Effect<A, CallError | TryNext>
): Effect.Effect<A, CallError> =>
  Effect.catchAll(request, (end) =>
    end._tag === "TryNext" ? tryNextNode(failover, context) : Effect.fail(end)
  )

const tryNextNode = <A>(failover: Failover, context: CallContext<A>): Effect.Effect<A, CallError> => {
  const { nodes, retries } = failover
  const { clock, lastError, nodeType } = context
  if (retries.spend()) return retries.track(route(failover, context, "continue"), context)
  const remaining = remainingMs(context)
  if (remaining <= 0) return failWithTimeout(context)
  const now = monotonic(clock)
  const cooling = Nodes.findCoolingDown(nodes, context, now)
  // there is no other node: `route` fails with the right error
  if (!Nodes.hasOther(nodes, context, now) && !endsInTime(context, cooling))
    return route(failover, context, "continue")
  if (!retries.isRefillLikely(context)) {
    if (cooling.length > 0) return failCoolingDown(failover, context, cooling)
    return Effect.fail(
      lastError ?? Nodes.makeNoActiveNode(nodes, now, { type: nodeType, isTemporary: false })
    )
  }
  return Effect.zipRight(
    Effect.raceFirst(retries.waitForRefill, Effect.sleep(remaining)),
    Effect.suspend(() => tryNextNode(failover, context))
  )
}

/** Makes one attempt at the node. */
const sendAttempt = <A>(
  failover: Failover,
  context: CallContext<A>,
  nodeTry: NodeTry
): Effect.Effect<A, CallError | TryNext> => {
  const remaining = remainingMs(context)
  if (remaining <= 0) return failWithTimeout(context)
  const earlyAttempt = context.earlyAttempts?.get(nodeTry.node)
  // an early read that has failed says nothing: the node had not passed its check then
  const early = earlyAttempt?.answer.unsafePoll()?._tag === "Failure" ? undefined : earlyAttempt
  const attempt = early ?? Attempt.startAttempt(failover.attempts, nodeTry.node, context, remaining)
  const answer = early && Fiber.join(early.answer)
  return Effect.catchAll(Attempt.send(failover.attempts, context, attempt, answer), (failure) =>
    handleFailure(failover, context, nodeTry, { attempt, outcome: classify(failure), failure })
  )
}

/** A failed attempt. */
interface FailedAttempt {
  readonly attempt: Attempt.Attempt
  readonly outcome: AttemptOutcome
  readonly failure: AttemptFailure
}

/** Updates the node, then retries, moves on or fails, as the table of outcomes says. */
const handleFailure = <A>(
  failover: Failover,
  context: CallContext<A>,
  nodeTry: NodeTry,
  failedAttempt: FailedAttempt
): Effect.Effect<A, CallError | TryNext> => {
  const { attempt, outcome, failure } = failedAttempt
  const { error } = failure
  const { node } = nodeTry
  const { call, isPinned } = context
  recordAttempt(context, { node: node.printableUrl, ms: monotonic(context.clock) - attempt.start, outcome })
  const accepted = context.mayBeDelivered ? resolveAccepted(context, node, error) : undefined
  if (accepted !== undefined) return accepted
  recordFailure(failover, context, failedAttempt)
  const decision = decide(outcome, {
    repeat: call.repeat,
    isPinned,
    isConfirmed: outcome === "unclear" && confirmError(context, normalizeError(error), node.url),
    canRetry: outcome === "down" && failure.pause === undefined && takeRetry(failover, context, nodeTry),
    hasCooldown: failure.pause !== undefined,
    // timers may fire some milliseconds early, and no node answers in the rest of the time
    isOutOfTime: remainingMs(context) < (isTimeout(failure) ? 10 : 1)
  })
  if (decision === "retry") return retryNode(failover, context, nodeTry)
  return Effect.zipRight(
    updateNode(failover, context, failedAttempt),
    Effect.suspend((): Effect.Effect<A, CallError | TryNext> => {
      if (decision === "timeout") return failWithTimeout(context)
      if (decision === "fail") return Effect.fail(error)
      // the call may come back to this node when it has reached the block
      if (decision === "wait" && !nodeTry.isHedged && node.index !== undefined)
        context.tried.delete(node.index)
      return Effect.fail(TRY_NEXT)
    })
  )
}

const TRY_NEXT: TryNext = { _tag: "TryNext" }

/** The node already knows a transaction that an earlier attempt has delivered. That is a success if its result can be found. */
const resolveAccepted = <A>(
  context: CallContext<A>,
  { url }: Nodes.Node,
  error: AttemptFailure["error"]
): Effect.Effect<A, CallError> | undefined => {
  const value =
    error._tag === "NodeError" ? undefined : findAcceptedValue(context.call.accepted, error.message)
  return (
    value &&
    // look it up at the node that knows the transaction: others may be behind
    Effect.matchEffect(
      Effect.provideService(value, CallOptions, { node: url, timeout: remainingMs(context) }),
      {
        // without a result, the node's own error stands
        onFailure: () => Effect.fail(error),
        onSuccess: Effect.succeed
      }
    )
  )
}

/** Records a failed attempt in the call's context. */
const recordFailure = (
  { nodes }: Failover,
  context: CallContext<unknown>,
  { attempt, outcome, failure }: FailedAttempt
): void => {
  const { failures, node } = attempt
  const action = table[outcome].node
  if (action === "evict" || action === "coolDown") context.hasNodeFailed = true
  if (action !== "healthy") Nodes.recordFault(node, toFault(failure.error))
  if (action === "healthy" && !context.isPinned) {
    Nodes.markHealthy(nodes, node, failures)
    if (Nodes.typeOf(nodes, node) === context.nodeType) context.hasOwnTypeRefused = true
  }
  if (outcome !== "caller") context.lastError = failure.error
  if (failure.unsent !== true && outcome !== "unreached" && outcome !== "behind") {
    context.mayBeDelivered = true
    context.call.onMaybeDelivered?.()
  }
}

/** Whether the node gets a cooldown instead of being evicted. */
const needsCooldown = ({ outcome, failure }: FailedAttempt): boolean =>
  table[outcome].node === "coolDown" || (outcome === "down" && failure.pause !== undefined)

const isTimeout = ({ error }: AttemptFailure): boolean =>
  error._tag === "NodeError" && error.kind === "timeout"

/** Cools down, probes or evicts the node. For a pinned call only a cooldown applies: other failures may be the caller's choice of node. */
const updateNode = (
  { health }: Failover,
  context: CallContext<unknown>,
  failedAttempt: FailedAttempt
): Effect.Effect<void> => {
  const { attempt, outcome, failure } = failedAttempt
  const { limit, node } = attempt
  if (needsCooldown(failedAttempt)) {
    // the cooldown alone keeps the call from this node, so that it may come back afterwards
    if (node.index !== undefined) context.tried.delete(node.index)
    return Health.startCooldown(health, node, failure.pause ?? 0)
  }
  const action = context.isPinned ? "ignore" : table[outcome].node
  if (action === "probe") {
    context.suspects ??= []
    context.suspects.push(node)
    return Health.probeSuspect(health, node)
  }
  if (action !== "evict" || failure.fault !== "node") return Effect.void
  // a timeout does not count if earlier attempts had used up most of the call's time
  const isSpared = isTimeout(failure) && limit * 2 < Math.min(context.attemptTimeout, context.timeout)
  return isSpared ? Effect.void : Health.evictNode(health, node, { reason: failure.error.message })
}

/** Whether the call may retry its node. It may not when other calls have met server errors there, too. */
const takeRetry = (
  { config, nodes }: Failover,
  context: CallContext<unknown>,
  { retriesLeft, isHedged, node }: NodeTry
): boolean =>
  retriesLeft > 0 &&
  !isHedged &&
  remainingMs(context) > config.retryDelay &&
  (context.isPinned || !Nodes.recordServerError(nodes, node))

/** How often a waiting call checks the state of its node: every 100 ms. */
const everyPoll = /*#__PURE__*/ Schedule.spaced(100)

/** Retries the node after `retryDelay`. If the node fails or cools down meanwhile, the call goes to the next one. */
const retryNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  nodeTry: NodeTry
): Effect.Effect<A, CallError | TryNext> => {
  const { nodes } = failover
  const { retryDelay } = failover.config
  nodeTry.retriesLeft--
  nodeTry.isPausing = true
  const isUnavailable = (): boolean =>
    Nodes.isCoolingDown(nodeTry.node, monotonic(context.clock)) ||
    (!context.isPinned && !Nodes.hasSingleNode(nodes) && Nodes.hasFailed(nodes, nodeTry.node))
  const pause =
    retryDelay > 0
      ? Effect.raceFirst(Effect.sleep(retryDelay), repeatUntilTrue(Effect.sync(isUnavailable), everyPoll))
      : Effect.void
  return Effect.flatMap(pause, () => {
    nodeTry.isPausing = false
    return isUnavailable() ? Effect.fail(TRY_NEXT) : sendAttempt(failover, context, nodeTry)
  })
}
