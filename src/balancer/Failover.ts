/**
 * What follows from an attempt that has no answer: the same node is asked again after a pause, the call moves on to another
 * one, or it fails.
 *
 * A call ends by its deadline. What is not idempotent is sent again only when it cannot have had its effect; retries keep to a
 * budget.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../services/Config.js"
import type { Call, CallError } from "../Transport.js"
import type { Attempt, Attempts } from "./Attempt.js"
import type { Budget } from "./Budget.js"
import type { Health } from "./Health.js"
import type { Lane } from "./Hedge.js"
import { type Member, TROUBLES } from "./Member.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import type { Route, Send } from "./Route.js"
import { left, type Run, tooLate } from "./Run.js"
import { isAmbiguous, isServerError, type Refusal } from "./Verdict.js"

/** What follows from an attempt without an answer; `again` and `lane` are those of `Send`. */
type Refused = <A>(
  run: Run<A>,
  attempt: Attempt,
  refusal: Refusal,
  again: number,
  lane: Lane | undefined
) => Effect.Effect<A, CallError>

/** A node knows already what an earlier attempt has brought it: that is a success, where it can be told what it stands for. */
const alreadyAccepted = <A>(
  { accepted }: Call<A>,
  error: Refusal["error"],
  { succeeded }: Pick<Observer, "succeeded">
): Effect.Effect<A, CallError> | undefined =>
  accepted !== undefined && error._tag !== "NodeError" && accepted.known.test(error.message)
    ? Effect.map(
        // where nobody can say what it stands for, the node's own answer stands
        Effect.tryPromise({ try: () => accepted.result(error.message), catch: () => error }),
        (value) => {
          succeeded()
          return value
        }
      )
    : undefined

/**
 * Sends attempts, and does what follows from them. `route` is where calls go next.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  config: ResolvedConfig,
  attempts: Attempts,
  health: Pick<Health, "fail" | "untilOut">,
  nodes: Nodes,
  observer: Pick<Observer, "succeeded">,
  retries: Budget,
  route: () => Pick<Route, "next" | "pinnedTo">
): Send => {
  /** On to another node, unless the call is there already. */
  const moveOn = <A>(
    run: Run<A>,
    from: number | undefined,
    lane: Lane | undefined
  ): Effect.Effect<A, CallError> => {
    if (lane !== undefined) {
      lane.waiting = false
      if (lane.failure !== undefined) return Effect.fail(lane.failure)
      if (lane.moved) return Effect.never
      lane.moved = true
    }
    return retries.spend()
      ? route().next(run, from)
      : Effect.fail(run.lastError ?? nodes.noNode(run.wanted, false))
  }

  /** When other calls have met the same at a node of several, there is nothing to wait for. */
  const isHopeless = (index: number, member: Member): boolean =>
    index !== -1 && !nodes.isAlone() && (nodes.hasFailed(index) || ++member.troubles >= TROUBLES)

  const stay = <A>(
    run: Run<A>,
    { index, member }: Attempt,
    again: number,
    lane: Lane | undefined
  ): Effect.Effect<A, CallError> => {
    if (lane !== undefined) lane.pausing = true
    return Effect.flatMap(health.untilOut(index, config.retryDelay), (isOut) => {
      if (lane !== undefined) lane.pausing = false
      return isOut ? moveOn(run, index, lane) : send(run, member, index, again, lane)
    })
  }

  const nodeFailed = <A>(
    run: Run<A>,
    { index, limit, member }: Attempt,
    { error, pause }: Refusal,
    mayRepeat: boolean,
    lane: Lane | undefined
  ): Effect.Effect<A, CallError> => {
    run.nodeFailed = true
    const timedOut = error._tag === "NodeError" && error.kind === "timeout"
    // timers may be a moment early, and in what is then left nothing can be answered
    const over = left(run) < (timedOut ? 10 : 1)
    if (index === -1) return over ? tooLate(run) : Effect.fail(error)
    // a node is not to blame for how little other nodes had left it of the call's time
    const blamed = !timedOut || limit * 2 >= Math.min(run.attemptTimeout, run.timeout)
    return Effect.zipRight(
      blamed ? Effect.suspend(() => health.fail(member, error.message, pause)) : Effect.void,
      mayRepeat ? Effect.suspend(() => (over ? tooLate(run) : moveOn(run, index, lane))) : Effect.fail(error)
    )
  }

  const refused: Refused = (run, attempt, refusal, again, lane) => {
    const { call, delivered } = run
    const { error, fault, unsent = false } = refusal
    const { index, member } = attempt
    if (fault === "behind") {
      run.lastError = error
      return index === -1 ? route().pinnedTo(run, member) : moveOn(run, undefined, lane)
    }
    const accepted = delivered ? alreadyAccepted(call, error, observer) : undefined
    if (accepted !== undefined) return accepted
    // a node that says what is wrong with the request is alive
    if (fault !== "node" && error._tag !== "RequestRejected") attempts.alive(attempt)
    if (fault === "caller") return Effect.fail(error)
    run.lastError = error
    if (!unsent && !(error._tag === "NodeError" && error.kind === "connect")) run.delivered = true
    if (fault === "elsewhere") return index === -1 ? Effect.fail(error) : moveOn(run, index, lane)
    const mayRepeat = call.repeat !== "write" || unsent || !isAmbiguous(error)
    const mayStay =
      isServerError(error) &&
      mayRepeat &&
      again > 0 &&
      lane?.moved !== true &&
      !isHopeless(index, member) &&
      left(run) > config.retryDelay
    return mayStay ? stay(run, attempt, again - 1, lane) : nodeFailed(run, attempt, refusal, mayRepeat, lane)
  }

  const send: Send = (run, member, index, again, lane) => {
    const remaining = left(run)
    if (remaining <= 0) return tooLate(run)
    const attempt = attempts.begin(
      member,
      index,
      run.deadline - remaining,
      Math.min(run.attemptTimeout, remaining)
    )
    return Effect.catchAll(attempts.send(attempt, run), (refusal) =>
      refused(run, attempt, refusal, again, lane)
    )
  }
  return send
}
