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
import { standsFor } from "../wire/accepted.js"
import { type Call, type CallError, CallOptions, type CallOptionsShape } from "../wire/Transport.js"
import * as Attempt from "./Attempt.js"
import { untilOver } from "./Background.js"
import * as Budget from "./Budget.js"
import {
  type CallContext,
  make as contextOf,
  isAgreed,
  type Left,
  left,
  remember,
  tooLate,
  type Visit
} from "./CallContext.js"
import * as Health from "./Health.js"
import type { HealthChecks } from "./HealthChecks.js"
import * as Hedge from "./Hedge.js"
import type { Heights } from "./Height.js"
import * as Nodes from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { decide, meaningOf, outcomeOf, type Refusal, table } from "./Outcome.js"
import type { CopyBeside } from "./Readmission.js"

interface Needs {
  readonly attempts: Attempt.Attempts
  readonly config: ResolvedConfig
  /** Sends copies of calls to nodes that have failed, where nodes are not probed. */
  readonly copies: CopyBeside | undefined
  readonly health: Health.Health
  readonly healthChecks: Pick<HealthChecks, "isAwaited" | "known">
  readonly heights: Pick<Heights, "reach">
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  /** Asks whether a node of a pool is back of which all have failed. */
  readonly revive: Effect.Effect<void> | undefined
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
const HEDGES = 10

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
  const budget = hedge && Budget.make({ share: hedge.maxExtraLoad, burst: HEDGES })
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
  return Effect.catchAll(start(failover, context, options), (error) => {
    withAttempts(error, context.failed ?? [])
    return Effect.fail(error)
  })
}

const start = <A>(
  failover: Failover,
  context: CallContext<A>,
  { node }: CallOptionsShape
): Effect.Effect<A, CallError> => {
  const { config, copies, health, healthChecks, nodes } = failover
  const { call, floor, timeout } = context
  if (floor !== undefined && !health.isProbed) {
    const reason = `minBlock: nodes of ${config.network} cannot be asked for their height`
    return Effect.fail(new InvalidArgument({ call: call.label, reason }))
  }
  const only = node ?? (typeof config.selection === "object" ? config.selection.node : undefined)
  if (only !== undefined)
    return pinned(failover, context, typeof only === "number" ? only : withoutTail(only, "/"))
  if (call.gateway && config.nodes === undefined) return pinnedTo(failover, context, nodes.gateway)
  if (!healthChecks.isAwaited() || call.path !== "") {
    const sent = travel(failover, context, "start")
    return copies === undefined ? sent : Effect.zipRight(copies(context), sent)
  }
  return Effect.zipRight(
    Effect.zipRight(sendEarly(failover, context), healthChecks.known(timeout)),
    Effect.suspend(() => travel(failover, context, "start"))
  )
}

/** So many nodes of which nothing is known yet get a read at once, beside their check. */
const EARLY = 3

/** Sends a read to nodes that are being checked: an answer counts when the call comes to that node, and so after its check. */
const sendEarly = <A>(
  { attempts, hedging, nodes }: Failover,
  context: CallContext<A>
): Effect.Effect<void> => {
  const { call, clock, floor, wanted } = context
  if (hedging === undefined || call.repeat !== "read" || floor !== undefined) return Effect.void
  const now = monotonic(clock)
  const asked = nodes.all
    .filter((node) => Nodes.typeOf(nodes, node) === wanted && !Nodes.isCooling(node, now))
    .slice(0, EARLY)
  return Effect.forEach(
    asked,
    (node) => {
      if (!hedging.budget.spend()) return Effect.void
      const attempt = Attempt.begin(attempts, node, context, left(context))
      const sent = attempts.request(node, call, attempt.start + attempt.limit, clock)
      return Effect.map(Effect.fork(sent), (fiber) => {
        context.early ??= new Map()
        context.early.set(node, { ...attempt, answer: fiber })
      })
    },
    { discard: true }
  )
}

const pinned = <A>(
  failover: Failover,
  context: CallContext<A>,
  wanted: string | number
): Effect.Effect<A, CallError> => {
  const { all } = failover.nodes
  const node = typeof wanted === "number" ? all[wanted] : all.find(({ url }) => url === wanted)
  if (node !== undefined) return pinnedTo(failover, context, node)
  const name = typeof wanted === "number" ? `with the place ${wanted}` : displayUrl(wanted)
  const reason = `the pinned node ${name} is not in the pool`
  const { network } = failover.config
  return Effect.fail(new NoActiveNode({ network, type: context.wanted, manual: false, reason }))
}

/** A call that is for one node alone leaves it only to wait: for its block, or for the end of a pause that it has asked for. */
const pinnedTo = <A>(
  failover: Failover,
  context: CallContext<A>,
  node: Nodes.Node
): Effect.Effect<A, CallError> => {
  const { config, retries } = failover
  context.pinned = true
  const sent = Effect.suspend(() => ask(failover, context, visitOf(node, config.retryCount)))
  const asked =
    context.floor === undefined
      ? sent
      : Effect.zipRight(arrival(failover, context, [node], context.floor), sent)
  const again = Effect.suspend(() => pinnedTo(failover, context, node))
  return Effect.clockWith((clock) => {
    if (Nodes.isCooling(node, monotonic(clock))) return rested(failover, context, [node], again)
    return Effect.catchAll(asked, (end) => {
      if (end._tag !== "Left") return Effect.fail(end)
      if (!Nodes.isCooling(node, monotonic(clock))) return again
      return retries.spend() ? retries.use(again, context) : refusedBy(failover, context, [node])
    })
  })
}

/** Ends a call whose nodes have asked for a pause that is longer than it may take. */
const refusedBy = (
  { nodes }: Failover,
  { clock, lastError, wanted }: CallContext<unknown>,
  cooling: ReadonlyArray<Nodes.Node>
): Effect.Effect<never, CallError> => {
  const now = monotonic(clock)
  const ms = Math.max(0, Math.min(...cooling.map(({ cooledUntil }) => cooledUntil)) - now)
  return Effect.fail(
    lastError === undefined
      ? Nodes.noNode(nodes, now, { type: wanted, isResting: true, retryAfter: ms })
      : lastError._tag === "NodeError" || lastError._tag === "RpcError"
        ? withRetryAfter(lastError, ms)
        : lastError
  )
}

/** Waits until the first of these nodes may be asked again, or another one can be; a pause that the call has no time for ends it. */
const rested = <A>(
  failover: Failover,
  context: CallContext<A>,
  cooling: ReadonlyArray<Nodes.Node>,
  then: Effect.Effect<A, CallError>
): Effect.Effect<A, CallError> => {
  const { nodes } = failover
  const { clock, pinned } = context
  const until = Math.min(...cooling.map(({ cooledUntil }) => cooledUntil))
  const ms = until - monotonic(clock)
  if (ms >= left(context)) return refusedBy(failover, context, cooling)
  const isThere = (): boolean => !pinned && Nodes.hasOther(nodes, context, monotonic(clock))
  return Effect.zipRight(
    Effect.raceFirst(Effect.sleep(Math.max(1, Math.ceil(ms))), untilOver(Effect.sync(isThere), looks)),
    then
  )
}

/** From where a call goes on: from its start, on its way, or beside a node that it is still at. */
type From = "start" | "onward" | "beside"

/** To the node that the pool has for the call now. */
const travel = <A>(failover: Failover, context: CallContext<A>, from: From): Effect.Effect<A, CallError> => {
  const { nodes, revive } = failover
  const { floor, lastError } = context
  const now = monotonic(context.clock)
  if (floor !== undefined) {
    const node = Nodes.among(nodes, context, now, (each) => Nodes.isAt(each, floor))
    if (node !== undefined) return visit(failover, context, node)
  }
  const [choice, pool] = Nodes.select(nodes, context, now)
  const isResting = choice._tag === "none" && choice.resting
  // all of them are asked whether they are back, before the call is sent to one that has failed
  if (from === "start" && revive !== undefined && (isResting || (choice._tag === "node" && choice.trial)))
    return Effect.zipRight(
      Effect.raceFirst(revive, Effect.sleep(Math.max(0, left(context)))),
      Effect.suspend(() => (left(context) <= 0 ? tooLate(context) : travel(failover, context, "onward")))
    )
  const cooling = choice._tag === "node" && !choice.trial ? [] : Nodes.cooling(nodes, context, now)
  // one that comes back in time by its own word is better than one that has failed
  if (
    cooling.length > 0 &&
    choice._tag !== "exhausted" &&
    (choice._tag === "none" || isInTime(context, cooling))
  )
    return rested(failover, context, cooling, onwards(failover, context))
  // a second attempt says nothing yet of the node that is active
  if (from !== "beside") Nodes.chosen(nodes, pool)
  const node = choice._tag === "node" ? nodes.all[choice.index] : undefined
  if (choice._tag === "node" && node !== undefined) {
    if (floor === undefined) return visit(failover, context, node)
    const others = choice.trial ? [] : othersOf(nodes, context, node, now)
    // a node that does not answer is left to the call, which fails there as any does
    return Effect.flatMap(arrival(failover, context, [node, ...others], floor), (found = node) =>
      Nodes.isCooling(found, monotonic(context.clock))
        ? travel(failover, context, from)
        : visit(failover, context, found)
    )
  }
  return choice._tag === "exhausted" && lastError !== undefined
    ? exhausted(failover, context, { error: lastError, cooling })
    : Effect.fail(Nodes.noNode(nodes, now, { type: context.wanted, isResting }))
}

const onwards = <A>(failover: Failover, context: CallContext<A>): Effect.Effect<A, CallError> =>
  Effect.suspend(() => travel(failover, context, "onward"))

/** Whether a pause of one of these nodes is over before the call is. */
const isInTime = (context: CallContext<unknown>, cooling: ReadonlyArray<Nodes.Node>): boolean =>
  cooling.some(({ cooledUntil }) => cooledUntil < context.deadline)

/** The nodes that the call may go to beside the one that was chosen. */
const othersOf = (
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
      !Nodes.isCooling(node, now)
  )

/** Asks until one of these nodes is at the block, or none of them answers. */
const arrival = <N extends Nodes.Node>(
  { heights }: Failover,
  context: CallContext<unknown>,
  asked: ReadonlyArray<N>,
  block: number
): Effect.Effect<N | undefined, BlockNotReached> =>
  Effect.timeoutFail(heights.reach(asked, block), {
    duration: Math.max(0, left(context)),
    onTimeout: () => {
      const best = asked.reduce((a, b) => (a.height === undefined || (b.height ?? 0) > a.height ? b : a))
      const { call, timeout } = context
      const { height, url } = best
      return new BlockNotReached({ call: call.label, minBlock: block, height, url, timeout })
    }
  })

/** A node of the wanted type that the call has not asked, and that has failed by being slow. */
const lastResort = (
  nodes: Nodes.Nodes,
  { clock, floor, tried, wanted }: CallContext<unknown>
): Nodes.PoolNode | undefined =>
  nodes.all.find(
    (node) =>
      node.slow &&
      !Nodes.isCooling(node, monotonic(clock)) &&
      Nodes.hasFailed(nodes, node) &&
      Nodes.isAt(node, floor) &&
      !tried.has(node.index) &&
      Nodes.typeOf(nodes, node) === wanted
  )

/** The end of a call's way: the error of its last node, and the nodes that are back after a pause. */
interface Exhausted {
  readonly error: NonNullable<CallContext<unknown>["lastError"]>
  readonly cooling: ReadonlyArray<Nodes.PoolNode>
}

/** Every node has been asked: one that has failed by being slow is better than none, and one that is back after its pause is, too. */
const exhausted = <A>(
  failover: Failover,
  context: CallContext<A>,
  { cooling, error }: Exhausted
): Effect.Effect<A, CallError> => {
  const { health, nodes } = failover
  const { nodeFailed, tried, wanted } = context
  const resort = lastResort(nodes, context)
  if (resort !== undefined) {
    tried.add(resort.index)
    return onward(failover, context, ask(failover, context, visitOf(resort, 0)))
  }
  if (isInTime(context, cooling)) {
    // others have met their pauses: after those they are asked once more
    for (const { index } of cooling) tried.delete(index)
    return rested(failover, context, cooling, onwards(failover, context))
  }
  const types = new Set([...tried].map((index) => nodes.pool.nodes[index]?.type ?? wanted))
  return Effect.zipRight(
    nodeFailed
      ? Effect.forEach(types, (type) => Health.exhausted(health, type), { discard: true })
      : Effect.void,
    Effect.suspend(() => {
      if (nodeFailed && left(context) <= 0) return tooLate(context)
      const end = unproven(nodes, context, error)
      return cooling.length === 0 || end !== error ? Effect.fail(end) : refusedBy(failover, context, cooling)
    })
  )
}

/** A call for an archive node that only other nodes have refused: they know less, and say nothing of the request. */
const unproven = (nodes: Nodes.Nodes, context: CallContext<unknown>, error: CallError): CallError =>
  (error._tag === "RpcError" || error._tag === "RequestRejected") &&
  context.wanted === "ARCHIVE" &&
  !context.ownRefused &&
  Nodes.has(nodes, "ARCHIVE")
    ? Nodes.noNode(nodes, monotonic(context.clock), { type: "ARCHIVE", isResting: true, last: error })
    : error

const visitOf = (node: Nodes.Node, again: number): Visit => ({ node, again, pausing: false, moved: false })

/** The call at a node, and at a second one when that takes longer than calls do; then on to the next. */
const visit = <A>(
  failover: Failover,
  context: CallContext<A>,
  node: Nodes.PoolNode
): Effect.Effect<A, CallError> => {
  const { config, hedging, nodes } = failover
  const here = visitOf(node, config.retryCount)
  context.tried.add(node.index)
  const asked = Effect.suspend(() => ask(failover, context, here))
  return onward(
    failover,
    context,
    hedging === undefined || context.call.repeat !== "read" || Nodes.isAlone(nodes)
      ? asked
      : Hedge.race(hedging, context, here, {
          first: asked,
          second: Effect.suspend(() => travel(failover, context, "beside"))
        })
  )
}

/** A call that leaves its node goes on to another one, as soon as the budget has something left for it. */
const onward = <A>(
  failover: Failover,
  context: CallContext<A>,
  asked: Effect.Effect<A, CallError | Left>
): Effect.Effect<A, CallError> =>
  Effect.catchAll(asked, (end) => (end._tag === "Left" ? moveOn(failover, context) : Effect.fail(end)))

const moveOn = <A>(failover: Failover, context: CallContext<A>): Effect.Effect<A, CallError> => {
  const { nodes, retries } = failover
  const { clock, lastError, wanted } = context
  if (retries.spend()) return retries.use(travel(failover, context, "onward"), context)
  const remaining = left(context)
  if (remaining <= 0) return tooLate(context)
  const now = monotonic(clock)
  const cooling = Nodes.cooling(nodes, context, now)
  // without a node to go to, the call ends there
  if (!Nodes.hasOther(nodes, context, now) && !isInTime(context, cooling))
    return travel(failover, context, "onward")
  if (!retries.isPromising(context)) {
    if (cooling.length > 0) return refusedBy(failover, context, cooling)
    return Effect.fail(lastError ?? Nodes.noNode(nodes, now, { type: wanted, isResting: false }))
  }
  return Effect.zipRight(
    Effect.raceFirst(retries.wait, Effect.sleep(remaining)),
    Effect.suspend(() => moveOn(failover, context))
  )
}

/** An attempt at the node, and what follows from it. */
const ask = <A>(
  failover: Failover,
  context: CallContext<A>,
  visit: Visit
): Effect.Effect<A, CallError | Left> => {
  const remaining = left(context)
  if (remaining <= 0) return tooLate(context)
  const sent = context.early?.get(visit.node)
  // what has failed before the node was found well, or before the call came back to it, says nothing of now
  const early = sent?.answer.unsafePoll()?._tag === "Failure" ? undefined : sent
  const attempt = early ?? Attempt.begin(failover.attempts, visit.node, context, remaining)
  const answer = early && Fiber.join(early.answer)
  return Effect.catchAll(Attempt.send(failover.attempts, context, attempt, answer), (refusal) =>
    follow(failover, context, visit, { attempt, outcome: outcomeOf(refusal), refusal })
  )
}

/** An attempt that has ended without an answer. */
interface Ended {
  readonly attempt: Attempt.Attempt
  readonly outcome: AttemptOutcome
  readonly refusal: Refusal
}

/** Does what follows for the node, and then for the call. */
const follow = <A>(
  failover: Failover,
  context: CallContext<A>,
  visit: Visit,
  ended: Ended
): Effect.Effect<A, CallError | Left> => {
  const { attempt, outcome, refusal } = ended
  const { error } = refusal
  const { node } = visit
  const { call, pinned } = context
  remember(context, { node: node.shown, ms: monotonic(context.clock) - attempt.start, outcome })
  const accepted = context.delivered ? alreadyAccepted(context, node, error) : undefined
  if (accepted !== undefined) return accepted
  learn(failover, context, ended)
  const decision = decide(outcome, {
    repeat: call.repeat,
    isLast: pinned,
    isAgreed: outcome === "unclear" && isAgreed(context, meaningOf(error), node.url),
    mayStay: outcome === "down" && refusal.pause === undefined && mayStay(failover, context, visit),
    isPausing: refusal.pause !== undefined,
    // timers may be a moment early, and no node answers in the rest of the time
    isLate: left(context) < (isTimeout(refusal) ? 10 : 1)
  })
  if (decision === "again") return stay(failover, context, visit)
  return Effect.zipRight(
    blame(failover, context, ended),
    Effect.suspend((): Effect.Effect<A, CallError | Left> => {
      if (decision === "late") return tooLate(context)
      if (decision === "fail") return Effect.fail(error)
      // it may come back to a node that is not at the block yet
      if (decision === "wait" && !visit.moved && node.index !== undefined) context.tried.delete(node.index)
      return Effect.fail(LEFT)
    })
  )
}

const LEFT: Left = { _tag: "Left" }

/** A node knows already what an earlier attempt has brought it: that is a success, where it can be told what it stands for. */
const alreadyAccepted = <A>(
  context: CallContext<A>,
  { url }: Nodes.Node,
  error: Refusal["error"]
): Effect.Effect<A, CallError> | undefined => {
  const value = error._tag === "NodeError" ? undefined : standsFor(context.call.accepted, error.message)
  return (
    value &&
    // the look-up goes to the node that has answered: others may be behind
    Effect.matchEffect(Effect.provideService(value, CallOptions, { node: url, timeout: left(context) }), {
      // where nobody can say what it stands for, the node's own answer stands
      onFailure: () => Effect.fail(error),
      onSuccess: Effect.succeed
    })
  )
}

/** Keeps in the context what the attempt has taught. */
const learn = (
  { nodes }: Failover,
  context: CallContext<unknown>,
  { attempt, outcome, refusal }: Ended
): void => {
  const { failures, node } = attempt
  const follows = table[outcome].node
  if (follows === "left" || follows === "cooled") context.nodeFailed = true
  if (follows === "well" && !context.pinned) {
    Nodes.alive(nodes, node, failures)
    if (Nodes.typeOf(nodes, node) === context.wanted) context.ownRefused = true
  }
  if (outcome !== "caller") context.lastError = refusal.error
  if (refusal.unsent !== true && outcome !== "unreached" && outcome !== "behind") {
    context.delivered = true
    context.call.repeated?.()
  }
}

/** Whether the node gets a pause: one that it has asked for is no failure. */
const isCooled = ({ outcome, refusal }: Ended): boolean =>
  table[outcome].node === "cooled" || (outcome === "down" && refusal.pause !== undefined)

const isTimeout = ({ error }: Refusal): boolean => error._tag === "NodeError" && error.kind === "timeout"

/** Does what follows for the node; nothing, where it is the caller's choice, but for a pause, which holds for whoever asks. */
const blame = ({ health }: Failover, context: CallContext<unknown>, ended: Ended): Effect.Effect<void> => {
  const { attempt, outcome, refusal } = ended
  const { limit, node } = attempt
  if (isCooled(ended)) {
    // its pause keeps the call from it, and not that it was asked: of two looks at the time one may find the pause over
    if (node.index !== undefined) context.tried.delete(node.index)
    return Health.cool(health, node, refusal.pause ?? 0)
  }
  const follows = context.pinned ? "be" : table[outcome].node
  if (follows === "asked") {
    context.suspects ??= []
    context.suspects.push(node)
    return Health.doubted(health, node)
  }
  if (follows !== "left" || refusal.fault !== "node") return Effect.void
  const { message, reason } = refusal.error
  // other nodes had left it little of the call's time
  const isSpared = isTimeout(refusal) && limit * 2 < Math.min(context.attemptTimeout, context.timeout)
  return isSpared ? Effect.void : Health.fail(health, node, { reason: message, fault: reason })
}

/** Whether the call may ask its node once more: not when others have met the same there. */
const mayStay = (
  { config, nodes }: Failover,
  context: CallContext<unknown>,
  { again, moved, node }: Visit
): boolean =>
  again > 0 && !moved && left(context) > config.retryDelay && (context.pinned || !Nodes.erred(nodes, node))

/** How soon a call that waits to ask its node again looks whether others have found that it has failed, in milliseconds. */
const looks = /*#__PURE__*/ Schedule.spaced(100)

/** Asks the node once more after a pause, which is over when others have found that the node has failed, or wants to be left alone. */
const stay = <A>(
  failover: Failover,
  context: CallContext<A>,
  visit: Visit
): Effect.Effect<A, CallError | Left> => {
  const { nodes } = failover
  const { retryDelay } = failover.config
  visit.again--
  visit.pausing = true
  const isOut = (): boolean =>
    Nodes.isCooling(visit.node, monotonic(context.clock)) ||
    (!context.pinned && !Nodes.isAlone(nodes) && Nodes.hasFailed(nodes, visit.node))
  const pause =
    retryDelay > 0
      ? Effect.raceFirst(Effect.sleep(retryDelay), untilOver(Effect.sync(isOut), looks))
      : Effect.void
  return Effect.flatMap(pause, () => {
    visit.pausing = false
    return isOut() ? Effect.fail(LEFT) : ask(failover, context, visit)
  })
}
