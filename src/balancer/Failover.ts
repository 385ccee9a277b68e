/**
 * What follows from an attempt that has no answer, as the table of outcomes has it: the same node is asked again after a
 * pause, the call moves on to another one, or it fails.
 *
 * A call ends by its deadline. Retries keep to a budget: a call for which nothing is left waits while others that have moved
 * on are on their way, and goes on as they are answered.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../config/Config.js"
import { monotonic } from "../http/time.js"
import { standsFor } from "../wire/accepted.js"
import { type CallError, CallOptions } from "../wire/Transport.js"
import type { Attempt, Attempts } from "./Attempt.js"
import type { Budget } from "./Budget.js"
import { type CallContext, isAgreed, left, remember, tooLate } from "./CallContext.js"
import type { Health } from "./Health.js"
import type { Lane } from "./Hedge.js"
import { type Member, TROUBLES } from "./Member.js"
import { hasOther, type Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { following, meaningOf, outcomeOf, type Refusal, table } from "./Outcome.js"
import type { Route, Send } from "./Route.js"

/** A node knows already what an earlier attempt has brought it: that is a success, where it can be told what it stands for. */
const alreadyAccepted = <A>(
  context: CallContext<A>,
  { url }: Member,
  error: Refusal["error"],
  { succeeded }: Pick<Observer, "succeeded">
): Effect.Effect<A, CallError> | undefined => {
  const value = error._tag === "NodeError" ? undefined : standsFor(context.call.accepted, error.message)
  return value === undefined
    ? undefined
    : Effect.mapBoth(
        // what may be asked for it is asked where the answer comes from: others may be behind
        Effect.provideService(value, CallOptions, { node: url, timeout: left(context) }),
        {
          // where nobody can say what it stands for, the node's own answer stands
          onFailure: () => error,
          onSuccess: (result) => {
            succeeded()
            return result
          }
        }
      )
}

const isTimeout = ({ error }: Refusal): boolean => error._tag === "NodeError" && error.kind === "timeout"

interface Needs {
  readonly attempts: Attempts
  readonly config: ResolvedConfig
  readonly health: Pick<Health, "doubted" | "fail" | "untilOut">
  readonly nodes: Nodes
  readonly observer: Pick<Observer, "succeeded">
  readonly retries: Budget
  /** Where calls go next. */
  readonly route: () => Pick<Route, "next" | "pinnedTo">
}

/**
 * Sends attempts, and does what follows from them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Send => {
  const { attempts, config, health, nodes, observer, retries, route } = needs

  /** On to another node, as soon as the budget has something left for it. */
  const whenAllowed = <A>(context: CallContext<A>, from: number | undefined): Effect.Effect<A, CallError> => {
    if (retries.spend()) return retries.use(route().next(context, from))
    const remaining = left(context)
    if (remaining <= 0) return tooLate(context)
    // without a node to go to, the call ends there
    if (!hasOther(nodes, context, from)) return route().next(context, from)
    if (!retries.isPromising()) {
      return Effect.fail(context.lastError ?? nodes.noNode(context.wanted, false, monotonic(context.clock)))
    }
    return Effect.zipRight(
      Effect.raceFirst(retries.wait, Effect.sleep(remaining)),
      Effect.suspend(() => whenAllowed(context, from))
    )
  }

  /** On to another node, unless the call is there already. */
  const moveOn = <A>(
    context: CallContext<A>,
    from: number | undefined,
    lane: Lane | undefined
  ): Effect.Effect<A, CallError> => {
    if (lane !== undefined) {
      lane.waiting = false
      if (lane.failure !== undefined) return Effect.fail(lane.failure)
      if (lane.moved) return Effect.never
      lane.moved = true
    }
    return whenAllowed(context, from)
  }

  /** When other calls have met the same at a node of several, there is nothing to wait for. */
  const isHopeless = (index: number, member: Member): boolean =>
    index !== -1 && !nodes.isAlone() && (nodes.hasFailed(index) || ++member.troubles >= TROUBLES)

  const stay = <A>(
    context: CallContext<A>,
    { index, member }: Attempt,
    again: number,
    lane: Lane | undefined
  ): Effect.Effect<A, CallError> => {
    if (lane !== undefined) lane.pausing = true
    return Effect.flatMap(health.untilOut(index, config.retryDelay), (isOut) => {
      if (lane !== undefined) lane.pausing = false
      return isOut ? moveOn(context, index, lane) : send(context, member, index, again, lane)
    })
  }

  /** Leaves the node, but for the little that other nodes had left it of the call's time. */
  const leave = (context: CallContext<unknown>, { index, limit, member }: Attempt, refusal: Refusal) => {
    context.nodeFailed = true
    const isBlamed = !isTimeout(refusal) || limit * 2 >= Math.min(context.attemptTimeout, context.timeout)
    return index === -1 || !isBlamed
      ? Effect.void
      : Effect.suspend(() => health.fail(member, refusal.error.message, refusal.pause))
  }

  const doubt = (context: CallContext<unknown>, { index, member }: Attempt): Effect.Effect<void> => {
    if (index === -1) return Effect.void
    context.suspects ??= []
    context.suspects.push(member)
    return health.doubted(member)
  }

  const refused = <A>(
    context: CallContext<A>,
    attempt: Attempt,
    refusal: Refusal,
    again: number,
    lane: Lane | undefined
  ): Effect.Effect<A, CallError> => {
    const { call, clock, delivered } = context
    const { error, unsent = false } = refusal
    const { index, member, start } = attempt
    const outcome = outcomeOf(refusal)
    const { node } = table[outcome]
    remember(context, { node: member.shown, ms: monotonic(clock) - start, outcome })
    const accepted = delivered ? alreadyAccepted(context, member, error, observer) : undefined
    if (accepted !== undefined) return accepted
    if (node === "well") {
      attempts.alive(attempt)
      if (nodes.typeOf(index) === context.wanted) context.ownRefused = true
    }
    if (outcome !== "caller") context.lastError = error
    if (!unsent && outcome !== "unreached" && outcome !== "behind") {
      context.delivered = true
      call.repeated?.()
    }

    // timers may be a moment early, and in what is then left nothing can be answered
    const isOver = (): boolean => node === "left" && left(context) < (isTimeout(refusal) ? 10 : 1)
    const end = (): Effect.Effect<A, CallError> =>
      index === -1 && isOver() ? tooLate(context) : Effect.fail(error)
    const onward = (): Effect.Effect<A, CallError> =>
      isOver() ? tooLate(context) : moveOn(context, index, lane)
    const blame =
      node === "left"
        ? leave(context, attempt, refusal)
        : node === "asked"
          ? doubt(context, attempt)
          : undefined
    const after = (next: () => Effect.Effect<A, CallError>): Effect.Effect<A, CallError> =>
      blame === undefined ? next() : Effect.zipRight(blame, Effect.suspend(next))

    switch (following(outcome, call.repeat, index === -1)) {
      case "end":
        return after(end)
      case "next":
        return after(onward)
      case "agree":
        return after(() => (isAgreed(context, meaningOf(error), member.url) ? Effect.fail(error) : onward()))
      case "wait":
        return index === -1 ? route().pinnedTo(context, member) : moveOn(context, undefined, lane)
      case "again": {
        const mayStay =
          again > 0 && lane?.moved !== true && !isHopeless(index, member) && left(context) > config.retryDelay
        return mayStay ? stay(context, attempt, again - 1, lane) : after(index === -1 ? end : onward)
      }
    }
  }

  const send: Send = (context, member, index, again, lane) => {
    const remaining = left(context)
    if (remaining <= 0) return tooLate(context)
    const attempt = attempts.begin(
      member,
      index,
      context.deadline - remaining,
      Math.min(context.attemptTimeout, remaining)
    )
    return Effect.catchAll(attempts.send(attempt, context), (refusal) =>
      refused(context, attempt, refusal, again, lane)
    )
  }
  return send
}
