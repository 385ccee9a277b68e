/**
 * Hedged calls: when a node has not answered after the hedging delay, a backup request goes to a second node, and the first answer counts.
 * A budget limits backup requests to a share of the calls, so that slow nodes do not get more load.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/service.js"
import type { CallError } from "../wire/Transport.js"
import { runInBackground } from "./Background.js"
import type { Budget } from "./Budget.js"
import type { CallContext, NodeTry, TryNext } from "./CallContext.js"
import * as Health from "./Health.js"
import * as Nodes from "./Nodes.js"
import type { Observer } from "./Observation.js"

/** How often a call checks whether it may send a backup request by now, in milliseconds. */
const BUDGET_POLL = 10

/** The pause before the first check of the timers and the longest pause between two checks, in milliseconds. */
const FIRST_TICK = 10
const LONGEST_TICK = 50

/** The timer of one call: when it is due (milliseconds on the monotonic clock), and what it runs then. */
interface HedgeTimer {
  readonly dueAt: number
  readonly fire: () => void
}

/** The timers of all hedged calls. Run `ensureTicking` before `add`. */
interface HedgeTimers {
  readonly ensureTicking: Effect.Effect<void>
  readonly add: (timer: HedgeTimer) => void
  readonly remove: (timer: HedgeTimer) => void
}

/**
 * Makes the timers: one scoped fiber for all calls, since a timer per call would cost more than most calls do. It ends when no call waits.
 */
const makeTimers = (scope: Scope.Scope): HedgeTimers => {
  const waiting = new Set<HedgeTimer>()
  let isTicking = false
  const checkTimers: Effect.Effect<void> = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    let next = Number.POSITIVE_INFINITY
    for (const timer of waiting) {
      if (timer.dueAt > now) {
        next = Math.min(next, timer.dueAt)
        continue
      }
      waiting.delete(timer)
      timer.fire()
    }
    // a new call may be due before all others, so the pause is limited; a pause below 1 ms would be none
    if (next < Number.POSITIVE_INFINITY)
      return Effect.zipRight(Effect.sleep(Math.max(1, Math.min(LONGEST_TICK, next - now))), checkTimers)
    isTicking = false
    return Effect.void
  })
  return {
    ensureTicking: Effect.suspend(() => {
      if (isTicking) return Effect.void
      isTicking = true
      return runInBackground(Effect.zipRight(Effect.sleep(FIRST_TICK), checkTimers), scope)
    }),
    add: (timer) => void waiting.add(timer),
    remove: (timer) => void waiting.delete(timer)
  }
}

interface Needs {
  /** The budget of backup requests: each call earns a share of one. */
  readonly budget: Budget
  readonly health: Health.Health
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  /** The budget of retries: if the node has failed meanwhile, the backup request counts as a retry. */
  readonly retries: Budget
  readonly scope: Scope.Scope
}

/**
 * The services that hedged calls share, with the timers of their delays (`Latency.ts`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Hedging extends Needs {
  readonly timers: HedgeTimers
}

/**
 * Makes the hedging of a client.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Hedging => ({ ...needs, timers: makeTimers(needs.scope) })

/** The requests of a hedged call: `primary` to its node, `backup` over the other nodes. */
interface HedgedRequests<A> {
  readonly primary: Effect.Effect<A, CallError | TryNext>
  readonly backup: Effect.Effect<A, CallError>
}

/** The shared state of the two requests. */
interface HedgedCall<A> extends HedgedRequests<A> {
  readonly hedging: Hedging
  readonly context: CallContext<A>
  readonly nodeTry: NodeTry
  /** The primary request is still at its node. */
  isPrimaryPending: boolean
  /** The error of the backup request. */
  backupError: CallError | undefined
}

/** Sends the backup request when a budget allows it. It never ends if there is no other node. */
const startBackup = <A>(hedgedCall: HedgedCall<A>): Effect.Effect<A, CallError> =>
  Effect.suspend((): Effect.Effect<A, CallError> => {
    const { context, hedging, nodeTry } = hedgedCall
    const { budget, health, nodes, observer, retries } = hedging
    const { node } = nodeTry
    if (!Nodes.hasOther(nodes, context, monotonic(context.clock))) return Effect.never
    // if other calls have found that the node has failed, this is a retry and costs no hedging budget
    const hasFailed = Nodes.hasFailed(nodes, node)
    if (hasFailed ? !retries.spend() : nodeTry.isPausing || !budget.spend())
      return Effect.zipRight(Effect.sleep(BUDGET_POLL), startBackup(hedgedCall))
    nodeTry.isHedged = true
    context.pendingPrimaries++
    const hedged = {
      _tag: "Hedged",
      url: node.printableUrl,
      call: context.call.label,
      id: context.id
    } as const
    const { trace } = context.call
    if (trace !== undefined && !hasFailed) trace.hedged = true
    const sent = hasFailed
      ? retries.track(hedgedCall.backup, context)
      : Effect.zipRight(observer.report(hedged), hedgedCall.backup)
    return Effect.matchEffect(sent, {
      onFailure: (error) => {
        hedgedCall.backupError = error
        return hedgedCall.isPrimaryPending ? Effect.never : Effect.fail(error)
      },
      onSuccess: (value) =>
        hedgedCall.isPrimaryPending
          ? Effect.as(Health.recordOvertaken(health, node), value)
          : Effect.succeed(value)
    })
  })

/** Runs both requests. When the primary fails at its node, the backup continues as its retry. */
const raceBoth = <A>(
  hedgedCall: HedgedCall<A>,
  primaryFiber: Fiber.Fiber<A, CallError | TryNext>
): Effect.Effect<A, CallError | TryNext> =>
  Effect.suspend(() => {
    const { context, nodeTry } = hedgedCall
    Nodes.recordOverdue(nodeTry.node)
    const primary = Effect.catchAll(
      Fiber.join(primaryFiber),
      (end): Effect.Effect<never, CallError | TryNext> => {
        if (end._tag !== "TryNext") return Effect.fail(end)
        hedgedCall.isPrimaryPending = false
        if (nodeTry.isHedged) context.pendingPrimaries--
        if (hedgedCall.backupError !== undefined) return Effect.fail(hedgedCall.backupError)
        return nodeTry.isHedged ? Effect.never : Effect.fail(end)
      }
    )
    return Effect.ensuring(
      Effect.raceFirst(primary, startBackup(hedgedCall)),
      Effect.zipRight(
        Effect.sync(() => Nodes.releaseOverdue(nodeTry.node)),
        Fiber.interruptFork(primaryFiber)
      )
    )
  })

/**
 * Sends the primary request, and the backup request after the hedging delay.
 *
 * @since 0.1.0
 * @category operations
 */
export const hedge = <A>(
  hedging: Hedging,
  context: CallContext<A>,
  nodeTry: NodeTry,
  requests: HedgedRequests<A>
): Effect.Effect<A, CallError | TryNext> => {
  const { nodes, timers } = hedging
  const forked = Effect.flatMap(Effect.fork(requests.primary), (primaryFiber) =>
    Effect.async<A, CallError | TryNext>((resume) => {
      const timer: HedgeTimer = {
        dueAt: monotonic(context.clock) + nodes.latencies.hedgeDelay(),
        fire: () =>
          resume(
            raceBoth(
              { ...requests, hedging, context, nodeTry, isPrimaryPending: true, backupError: undefined },
              primaryFiber
            )
          )
      }
      timers.add(timer)
      primaryFiber.addObserver((exit) => {
        timers.remove(timer)
        resume(exit)
      })
      return Effect.zipRight(
        Effect.sync(() => timers.remove(timer)),
        Fiber.interrupt(primaryFiber)
      )
    })
  )
  return Effect.zipRight(timers.ensureTicking, forked)
}
