/**
 * A call over the nodes, as one loop that reads top to bottom:
 *
 * 1. `start`: to the node that the call is pinned to, or on its way; while no node is known to be well, a read is sent to several of
 *    them beforehand;
 * 2. `travel`: to the node that the pool has for it, under a floor (`minBlock`) to one that is at the block; while no node is well,
 *    all are asked first whether they are back, and the first that has asked for a pause is waited for;
 * 3. `visit`: there it is answered, or leaves for the next one, as soon as the budget of retries has something left for that;
 * 4. `ask`: an attempt at the node, once more after a pause where that is what follows;
 * 5. `follow`: what follows from an attempt without an answer, as the table of outcomes says (`Outcome.ts`).
 *
 * A call asks no node twice, but for a pause after a server error, for one that the node has asked for, and for a node that is not at
 * the block yet. It ends by its deadline. A slow node gets a rival (`Hedge.ts`).
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
  make as contextOf,
  failWithTimeout,
  isSaidByAnotherHost,
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
import { type AttemptFailure, classify, decide, normalizeError, table } from "./Outcome.js"
import type { SendCopy } from "./Readmission.js"

interface Needs {
  readonly attempts: Attempt.Attempts
  readonly config: ResolvedConfig
  /** Sends copies of calls to nodes that have failed, where nodes are not probed. */
  readonly sendCopy: SendCopy | undefined
  readonly health: Health.Health
  readonly healthChecks: Pick<HealthChecks, "isFirstRoundPending" | "awaitFirstNode">
  readonly heights: Pick<Heights, "waitForBlock">
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  /** Asks whether a node of a pool is back of which all have failed. */
  readonly probeFailed: Effect.Effect<void> | undefined
  readonly scope: Scope.Scope
}

/**
 * The collaborators that the calls of a client share.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failover extends Needs {
  readonly hedging: Hedge.Hedging | undefined
  readonly retries: Budget.Budget
}

/** So many second attempts may be made at once, where there were only few calls before. */
const HEDGE_BURST = 10

/**
 * Calls over the nodes, within the budgets of the configuration.
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
 * Sends a call, and ends with an answer, or with what its last attempt has ended with: whoever made the call is told of the nodes
 * that it has been to.
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
  const context = contextOf(call, options, config, clock)
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
  const { config, sendCopy, health, healthChecks, nodes } = failover
  const { call, minBlock, timeout } = context
  if (minBlock !== undefined && !health.isProbed) {
    const reason = `minBlock: nodes of ${config.network} cannot be asked for their height`
    return Effect.fail(new InvalidArgument({ call: call.label, reason }))
  }
  const only = node ?? (typeof config.selection === "object" ? config.selection.node : undefined)
  if (only !== undefined)
    return routeToPinned(failover, context, typeof only === "number" ? only : withoutTail(only, "/"))
  if (call.gateway && config.nodes === undefined) return callPinnedNode(failover, context, nodes.gateway)
  if (!healthChecks.isFirstRoundPending() || call.path !== "") {
    const sent = route(failover, context, "start")
    return sendCopy === undefined ? sent : Effect.zipRight(sendCopy(context), sent)
  }
  return Effect.zipRight(
    Effect.zipRight(sendEarlyReads(failover, context), healthChecks.awaitFirstNode(timeout)),
    Effect.suspend(() => route(failover, context, "start"))
  )
}

/** So many nodes of which nothing is known yet get a read at once, beside their check. */
const MAX_EARLY_READS = 3

/** Sends a read to nodes that are being checked: an answer counts when the call comes to that node, and so after its check. */
const sendEarlyReads = <A>(
  { attempts, hedging, nodes }: Failover,
  context: CallContext<A>
): Effect.Effect<void> => {
  const { call, clock, minBlock, nodeType } = context
  if (hedging === undefined || call.repeat !== "read" || minBlock !== undefined) return Effect.void
  const now = monotonic(clock)
  const asked = nodes.all
    .filter((node) => Nodes.typeOf(nodes, node) === nodeType && !Nodes.isCoolingDown(node, now))
    .slice(0, MAX_EARLY_READS)
  return Effect.forEach(
    asked,
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

const routeToPinned = <A>(
  failover: Failover,
  context: CallContext<A>,
  wanted: string | number
): Effect.Effect<A, CallError> => {
  const { all } = failover.nodes
  const node = typeof wanted === "number" ? all[wanted] : all.find(({ url }) => url === wanted)
  if (node !== undefined) return callPinnedNode(failover, context, node)
  const name = typeof wanted === "number" ? `with the place ${wanted}` : displayUrl(wanted)
  const reason = `the pinned node ${name} is not in the pool`
  const { network } = failover.config
  return Effect.fail(new NoActiveNode({ network, type: context.nodeType, manual: false, reason }))
}

/** A call that is for one node alone leaves it only to wait: for its block, or for the end of a pause that it has asked for. */
const callPinnedNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  node: Nodes.Node
): Effect.Effect<A, CallError> => {
  const { config, retries } = failover
  context.pinned = true
  const sent = Effect.suspend(() => sendAttempt(failover, context, makeNodeTry(node, config.retryCount)))
  const asked =
    context.minBlock === undefined
      ? sent
      : Effect.zipRight(waitForBlock(failover, context, [node], context.minBlock), sent)
  const again = Effect.suspend(() => callPinnedNode(failover, context, node))
  return Effect.clockWith((clock) => {
    if (Nodes.isCoolingDown(node, monotonic(clock))) return waitForCooldown(failover, context, [node], again)
    return Effect.catchAll(asked, (end) => {
      if (end._tag !== "Left") return Effect.fail(end)
      if (!Nodes.isCoolingDown(node, monotonic(clock))) return again
      return retries.spend() ? retries.track(again, context) : failCoolingDown(failover, context, [node])
    })
  })
}

/** Ends a call whose nodes have asked for a pause that is longer than it may take. */
const failCoolingDown = (
  { nodes }: Failover,
  { clock, lastError, nodeType }: CallContext<unknown>,
  cooling: ReadonlyArray<Nodes.Node>
): Effect.Effect<never, CallError> => {
  const now = monotonic(clock)
  const ms = Math.max(0, Math.min(...cooling.map(({ cooldownUntil }) => cooldownUntil)) - now)
  return Effect.fail(
    lastError === undefined
      ? Nodes.makeNoActiveNode(nodes, now, { type: nodeType, isResting: true, retryAfter: ms })
      : lastError._tag === "NodeError" || lastError._tag === "RpcError"
        ? withRetryAfter(lastError, ms)
        : lastError
  )
}

/** Waits until the first of these nodes may be asked again, or another one can be; a pause that the call has no time for ends it. */
const waitForCooldown = <A>(
  failover: Failover,
  context: CallContext<A>,
  cooling: ReadonlyArray<Nodes.Node>,
  then: Effect.Effect<A, CallError>
): Effect.Effect<A, CallError> => {
  const { nodes } = failover
  const { clock, pinned } = context
  const until = Math.min(...cooling.map(({ cooldownUntil }) => cooldownUntil))
  const ms = until - monotonic(clock)
  if (ms >= remainingMs(context)) return failCoolingDown(failover, context, cooling)
  const isThere = (): boolean => !pinned && Nodes.hasOther(nodes, context, monotonic(clock))
  return Effect.zipRight(
    Effect.raceFirst(
      Effect.sleep(Math.max(1, Math.ceil(ms))),
      repeatUntilTrue(Effect.sync(isThere), everyPoll)
    ),
    then
  )
}

/** From where a call goes on: from its start, on its way, or beside a node that it is still at. */
type RoutedFrom = "start" | "onward" | "beside"

/** To the node that the pool has for the call now. */
const route = <A>(
  failover: Failover,
  context: CallContext<A>,
  from: RoutedFrom
): Effect.Effect<A, CallError> => {
  const { nodes, probeFailed } = failover
  const { minBlock, lastError } = context
  const now = monotonic(context.clock)
  if (minBlock !== undefined) {
    const node = Nodes.selectAmong(nodes, context, now, (each) => Nodes.isAt(each, minBlock))
    if (node !== undefined) return tryNode(failover, context, node)
  }
  const [choice, pool] = Nodes.select(nodes, context, now)
  const isResting = choice._tag === "none" && choice.resting
  // all of them are asked whether they are back, before the call is sent to one that has failed
  if (
    from === "start" &&
    probeFailed !== undefined &&
    (isResting || (choice._tag === "node" && choice.trial))
  )
    return Effect.zipRight(
      Effect.raceFirst(probeFailed, Effect.sleep(Math.max(0, remainingMs(context)))),
      Effect.suspend(() =>
        remainingMs(context) <= 0 ? failWithTimeout(context) : route(failover, context, "onward")
      )
    )
  const cooling = choice._tag === "node" && !choice.trial ? [] : Nodes.findCoolingDown(nodes, context, now)
  // one that comes back in time by its own word is better than one that has failed
  if (
    cooling.length > 0 &&
    choice._tag !== "exhausted" &&
    (choice._tag === "none" || endsInTime(context, cooling))
  )
    return waitForCooldown(failover, context, cooling, routeAgain(failover, context))
  // a second attempt says nothing yet of the node that is active
  if (from !== "beside") Nodes.setPool(nodes, pool)
  const node = choice._tag === "node" ? nodes.all[choice.index] : undefined
  if (choice._tag === "node" && node !== undefined) {
    if (minBlock === undefined) return tryNode(failover, context, node)
    const others = choice.trial ? [] : findOtherCandidates(nodes, context, node, now)
    // a node that does not answer is left to the call, which fails there as any does
    return Effect.flatMap(waitForBlock(failover, context, [node, ...others], minBlock), (found = node) =>
      Nodes.isCoolingDown(found, monotonic(context.clock))
        ? route(failover, context, from)
        : tryNode(failover, context, found)
    )
  }
  return choice._tag === "exhausted" && lastError !== undefined
    ? handleExhaustion(failover, context, { error: lastError, cooling })
    : Effect.fail(Nodes.makeNoActiveNode(nodes, now, { type: context.nodeType, isResting }))
}

const routeAgain = <A>(failover: Failover, context: CallContext<A>): Effect.Effect<A, CallError> =>
  Effect.suspend(() => route(failover, context, "onward"))

/** Whether a pause of one of these nodes is over before the call is. */
const endsInTime = (context: CallContext<unknown>, cooling: ReadonlyArray<Nodes.Node>): boolean =>
  cooling.some(({ cooldownUntil }) => cooldownUntil < context.deadline)

/** The nodes that the call may go to beside the one that was chosen. */
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

/** Asks until one of these nodes is at the block, or none of them answers. */
const waitForBlock = <N extends Nodes.Node>(
  { heights }: Failover,
  context: CallContext<unknown>,
  asked: ReadonlyArray<N>,
  block: number
): Effect.Effect<N | undefined, BlockNotReached> =>
  Effect.timeoutFail(heights.waitForBlock(asked, block), {
    duration: Math.max(0, remainingMs(context)),
    onTimeout: () => {
      const best = asked.reduce((a, b) => (a.height === undefined || (b.height ?? 0) > a.height ? b : a))
      const { call, timeout } = context
      const { height, url } = best
      return new BlockNotReached({ call: call.label, minBlock: block, height, url, timeout })
    }
  })

/** A node of the wanted type that the call has not asked, and that has failed by being slow. */
const findLastResort = (
  nodes: Nodes.Nodes,
  { clock, minBlock, tried, nodeType }: CallContext<unknown>
): Nodes.PoolNode | undefined =>
  nodes.all.find(
    (node) =>
      node.isSlow &&
      !Nodes.isCoolingDown(node, monotonic(clock)) &&
      Nodes.hasFailed(nodes, node) &&
      Nodes.isAt(node, minBlock) &&
      !tried.has(node.index) &&
      Nodes.typeOf(nodes, node) === nodeType
  )

/** The end of a call's way: the error of its last node, and the nodes that are back after a pause. */
interface Exhaustion {
  readonly error: NonNullable<CallContext<unknown>["lastError"]>
  readonly cooling: ReadonlyArray<Nodes.PoolNode>
}

/** Every node has been asked: one that has failed by being slow is better than none, and one that is back after its pause is, too. */
const handleExhaustion = <A>(
  failover: Failover,
  context: CallContext<A>,
  { cooling, error }: Exhaustion
): Effect.Effect<A, CallError> => {
  const { health, nodes } = failover
  const { nodeFailed, tried, nodeType } = context
  const resort = findLastResort(nodes, context)
  if (resort !== undefined) {
    tried.add(resort.index)
    return orTryNextNode(failover, context, sendAttempt(failover, context, makeNodeTry(resort, 0)))
  }
  if (endsInTime(context, cooling)) {
    // others have met their pauses: after those they are asked once more
    for (const { index } of cooling) tried.delete(index)
    return waitForCooldown(failover, context, cooling, routeAgain(failover, context))
  }
  const types = new Set([...tried].map((index) => nodes.pool.nodes[index]?.type ?? nodeType))
  return Effect.zipRight(
    nodeFailed
      ? Effect.forEach(types, (type) => Health.handleExhaustion(health, type), { discard: true })
      : Effect.void,
    Effect.suspend(() => {
      if (nodeFailed && remainingMs(context) <= 0) return failWithTimeout(context)
      const end = toFinalError(nodes, context, error)
      return cooling.length === 0 || end !== error
        ? Effect.fail(end)
        : failCoolingDown(failover, context, cooling)
    })
  )
}

/** A call for an archive node that only other nodes have refused: they know less, and say nothing of the request. */
const toFinalError = (nodes: Nodes.Nodes, context: CallContext<unknown>, error: CallError): CallError =>
  (error._tag === "RpcError" || error._tag === "RequestRejected") &&
  context.nodeType === "ARCHIVE" &&
  !context.isRefusedByNodeType &&
  Nodes.hasType(nodes, "ARCHIVE")
    ? Nodes.makeNoActiveNode(nodes, monotonic(context.clock), {
        type: "ARCHIVE",
        isResting: true,
        last: error
      })
    : error

const makeNodeTry = (node: Nodes.Node, retriesLeft: number): NodeTry => ({
  node,
  retriesLeft,
  isPausing: false,
  isHedged: false
})

/** The call at a node, and at a second one when that takes longer than calls do; then on to the next. */
const tryNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  node: Nodes.PoolNode
): Effect.Effect<A, CallError> => {
  const { config, hedging, nodes } = failover
  const here = makeNodeTry(node, config.retryCount)
  context.tried.add(node.index)
  const asked = Effect.suspend(() => sendAttempt(failover, context, here))
  return orTryNextNode(
    failover,
    context,
    hedging === undefined || context.call.repeat !== "read" || Nodes.hasSingleNode(nodes)
      ? asked
      : Hedge.hedge(hedging, context, here, {
          primary: asked,
          backup: Effect.suspend(() => route(failover, context, "beside"))
        })
  )
}

/** A call that leaves its node goes on to another one, as soon as the budget has something left for it. */
const orTryNextNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  asked: Effect.Effect<A, CallError | TryNext>
): Effect.Effect<A, CallError> =>
  Effect.catchAll(asked, (end) => (end._tag === "Left" ? tryNextNode(failover, context) : Effect.fail(end)))

const tryNextNode = <A>(failover: Failover, context: CallContext<A>): Effect.Effect<A, CallError> => {
  const { nodes, retries } = failover
  const { clock, lastError, nodeType } = context
  if (retries.spend()) return retries.track(route(failover, context, "onward"), context)
  const remaining = remainingMs(context)
  if (remaining <= 0) return failWithTimeout(context)
  const now = monotonic(clock)
  const cooling = Nodes.findCoolingDown(nodes, context, now)
  // without a node to go to, the call ends there
  if (!Nodes.hasOther(nodes, context, now) && !endsInTime(context, cooling))
    return route(failover, context, "onward")
  if (!retries.isRefillLikely(context)) {
    if (cooling.length > 0) return failCoolingDown(failover, context, cooling)
    return Effect.fail(lastError ?? Nodes.makeNoActiveNode(nodes, now, { type: nodeType, isResting: false }))
  }
  return Effect.zipRight(
    Effect.raceFirst(retries.waitForRefill, Effect.sleep(remaining)),
    Effect.suspend(() => tryNextNode(failover, context))
  )
}

/** An attempt at the node, and what follows from it. */
const sendAttempt = <A>(
  failover: Failover,
  context: CallContext<A>,
  visit: NodeTry
): Effect.Effect<A, CallError | TryNext> => {
  const remaining = remainingMs(context)
  if (remaining <= 0) return failWithTimeout(context)
  const sent = context.earlyAttempts?.get(visit.node)
  // what has failed before the node was found well, or before the call came back to it, says nothing of now
  const early = sent?.answer.unsafePoll()?._tag === "Failure" ? undefined : sent
  const attempt = early ?? Attempt.startAttempt(failover.attempts, visit.node, context, remaining)
  const answer = early && Fiber.join(early.answer)
  return Effect.catchAll(Attempt.send(failover.attempts, context, attempt, answer), (refusal) =>
    handleFailure(failover, context, visit, { attempt, outcome: classify(refusal), refusal })
  )
}

/** An attempt that has ended without an answer. */
interface FailedAttempt {
  readonly attempt: Attempt.Attempt
  readonly outcome: AttemptOutcome
  readonly refusal: AttemptFailure
}

/** Does what follows for the node, and then for the call. */
const handleFailure = <A>(
  failover: Failover,
  context: CallContext<A>,
  visit: NodeTry,
  ended: FailedAttempt
): Effect.Effect<A, CallError | TryNext> => {
  const { attempt, outcome, refusal } = ended
  const { error } = refusal
  const { node } = visit
  const { call, pinned } = context
  recordAttempt(context, { node: node.printableUrl, ms: monotonic(context.clock) - attempt.start, outcome })
  const accepted = context.delivered ? resolveAccepted(context, node, error) : undefined
  if (accepted !== undefined) return accepted
  recordFailure(failover, context, ended)
  const decision = decide(outcome, {
    repeat: call.repeat,
    isPinned: pinned,
    isConfirmed: outcome === "unclear" && isSaidByAnotherHost(context, normalizeError(error), node.url),
    canRetry: outcome === "down" && refusal.pause === undefined && canRetryNode(failover, context, visit),
    hasCooldown: refusal.pause !== undefined,
    // timers may be a moment early, and no node answers in the rest of the time
    isLate: remainingMs(context) < (isTimeout(refusal) ? 10 : 1)
  })
  if (decision === "again") return retryNode(failover, context, visit)
  return Effect.zipRight(
    updateNode(failover, context, ended),
    Effect.suspend((): Effect.Effect<A, CallError | TryNext> => {
      if (decision === "late") return failWithTimeout(context)
      if (decision === "fail") return Effect.fail(error)
      // it may come back to a node that is not at the block yet
      if (decision === "wait" && !visit.isHedged && node.index !== undefined) context.tried.delete(node.index)
      return Effect.fail(TRY_NEXT)
    })
  )
}

const TRY_NEXT: TryNext = { _tag: "Left" }

/** A node knows already what an earlier attempt has brought it: that is a success, where it can be told what it stands for. */
const resolveAccepted = <A>(
  context: CallContext<A>,
  { url }: Nodes.Node,
  error: AttemptFailure["error"]
): Effect.Effect<A, CallError> | undefined => {
  const value =
    error._tag === "NodeError" ? undefined : findAcceptedValue(context.call.accepted, error.message)
  return (
    value &&
    // the look-up goes to the node that has answered: others may be behind
    Effect.matchEffect(
      Effect.provideService(value, CallOptions, { node: url, timeout: remainingMs(context) }),
      {
        // where nobody can say what it stands for, the node's own answer stands
        onFailure: () => Effect.fail(error),
        onSuccess: Effect.succeed
      }
    )
  )
}

/** Keeps in the context what the attempt has taught. */
const recordFailure = (
  { nodes }: Failover,
  context: CallContext<unknown>,
  { attempt, outcome, refusal }: FailedAttempt
): void => {
  const { failures, node } = attempt
  const follows = table[outcome].node
  if (follows === "left" || follows === "cooled") context.nodeFailed = true
  if (follows === "well" && !context.pinned) {
    Nodes.markHealthy(nodes, node, failures)
    if (Nodes.typeOf(nodes, node) === context.nodeType) context.isRefusedByNodeType = true
  }
  if (outcome !== "caller") context.lastError = refusal.error
  if (refusal.unsent !== true && outcome !== "unreached" && outcome !== "behind") {
    context.delivered = true
    context.call.onMaybeDelivered?.()
  }
}

/** Whether the node gets a pause: one that it has asked for is no failure. */
const needsCooldown = ({ outcome, refusal }: FailedAttempt): boolean =>
  table[outcome].node === "cooled" || (outcome === "down" && refusal.pause !== undefined)

const isTimeout = ({ error }: AttemptFailure): boolean =>
  error._tag === "NodeError" && error.kind === "timeout"

/** Does what follows for the node; nothing, where it is the caller's choice, but for a pause, which holds for whoever asks. */
const updateNode = (
  { health }: Failover,
  context: CallContext<unknown>,
  ended: FailedAttempt
): Effect.Effect<void> => {
  const { attempt, outcome, refusal } = ended
  const { limit, node } = attempt
  if (needsCooldown(ended)) {
    // its pause keeps the call from it, and not that it was asked: of two looks at the time one may find the pause over
    if (node.index !== undefined) context.tried.delete(node.index)
    return Health.startCooldown(health, node, refusal.pause ?? 0)
  }
  const follows = context.pinned ? "be" : table[outcome].node
  if (follows === "asked") {
    context.suspects ??= []
    context.suspects.push(node)
    return Health.probeSuspect(health, node)
  }
  if (follows !== "left" || refusal.fault !== "node") return Effect.void
  const { message, reason } = refusal.error
  // other nodes had left it little of the call's time
  const isSpared = isTimeout(refusal) && limit * 2 < Math.min(context.attemptTimeout, context.timeout)
  return isSpared ? Effect.void : Health.evictNode(health, node, { reason: message, fault: reason })
}

/** Whether the call may ask its node once more: not when others have met the same there. */
const canRetryNode = (
  { config, nodes }: Failover,
  context: CallContext<unknown>,
  { retriesLeft, isHedged, node }: NodeTry
): boolean =>
  retriesLeft > 0 &&
  !isHedged &&
  remainingMs(context) > config.retryDelay &&
  (context.pinned || !Nodes.recordServerError(nodes, node))

/** How soon a call that waits to ask its node again looks whether others have found that it has failed, in milliseconds. */
const everyPoll = /*#__PURE__*/ Schedule.spaced(100)

/** Asks the node once more after a pause, which is over when others have found that the node has failed, or wants to be left alone. */
const retryNode = <A>(
  failover: Failover,
  context: CallContext<A>,
  visit: NodeTry
): Effect.Effect<A, CallError | TryNext> => {
  const { nodes } = failover
  const { retryDelay } = failover.config
  visit.retriesLeft--
  visit.isPausing = true
  const isOut = (): boolean =>
    Nodes.isCoolingDown(visit.node, monotonic(context.clock)) ||
    (!context.pinned && !Nodes.hasSingleNode(nodes) && Nodes.hasFailed(nodes, visit.node))
  const pause =
    retryDelay > 0
      ? Effect.raceFirst(Effect.sleep(retryDelay), repeatUntilTrue(Effect.sync(isOut), everyPoll))
      : Effect.void
  return Effect.flatMap(pause, () => {
    visit.isPausing = false
    return isOut() ? Effect.fail(TRY_NEXT) : sendAttempt(failover, context, visit)
  })
}
