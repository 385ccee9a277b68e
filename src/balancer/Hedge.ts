/**
 * Hedged calls: when a node takes longer than calls do, the call is sent to a second one too, and the first answer counts.
 * Second attempts keep to a budget, a share of the calls, so that slow nodes are not slowed down further.
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

/** How soon a call that may have no second attempt now looks again, in milliseconds. */
const BUDGET_POLL = 10

/** The shortest and the longest pause between two looks at the calls that wait, in milliseconds. */
const FIRST_TICK = 10
const LONGEST_TICK = 50

/** A call that waits: when it is tired of that (milliseconds on the clock that never jumps), and how it is told. */
interface HedgeTimer {
  readonly dueAt: number
  readonly fire: () => void
}

/** The calls that wait. `add` comes with `begin` before it, which sees to it that somebody looks. */
interface HedgeTimers {
  readonly ensureTicking: Effect.Effect<void>
  readonly add: (call: HedgeTimer) => void
  readonly remove: (call: HedgeTimer) => void
}

/**
 * One fiber for all calls that wait, in the scope: a timer per call would cost more than most calls do. It ends when nobody
 * waits.
 */
const makeTimers = (scope: Scope.Scope): HedgeTimers => {
  const waiting = new Set<HedgeTimer>()
  let watching = false
  const look: Effect.Effect<void> = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    let next = Number.POSITIVE_INFINITY
    for (const call of waiting) {
      if (call.dueAt > now) {
        next = Math.min(next, call.dueAt)
        continue
      }
      waiting.delete(call)
      call.fire()
    }
    // a call that comes meanwhile may be due before all others
    // (a pause that is too short to be counted would be none)
    if (next < Number.POSITIVE_INFINITY)
      return Effect.zipRight(Effect.sleep(Math.max(1, Math.min(LONGEST_TICK, next - now))), look)
    watching = false
    return Effect.void
  })
  return {
    ensureTicking: Effect.suspend(() => {
      if (watching) return Effect.void
      watching = true
      return runInBackground(Effect.zipRight(Effect.sleep(FIRST_TICK), look), scope)
    }),
    add: (call) => void waiting.add(call),
    remove: (call) => void waiting.delete(call)
  }
}

interface Needs {
  /** Of second attempts: each call earns its share of one. */
  readonly budget: Budget
  readonly health: Health.Health
  readonly nodes: Nodes.Nodes
  readonly observer: Observer
  /** A call that leaves a node which has failed meanwhile makes a retry. */
  readonly retries: Budget
  readonly scope: Scope.Scope
}

/**
 * The second attempts of a client, made when a call has lost its patience (`Latency.ts`) with a node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hedging extends Needs {
  readonly timers: HedgeTimers
}

/**
 * Second attempts, as many as the budget has.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Hedging => ({ ...needs, timers: makeTimers(needs.scope) })

/** Both ways of a call: at its node, and over the other nodes. */
interface HedgedRequests<A> {
  readonly primary: Effect.Effect<A, CallError | TryNext>
  readonly backup: Effect.Effect<A, CallError>
}

/** The two ways of a call, and what they know of each other. */
interface HedgedCall<A> extends HedgedRequests<A> {
  readonly hedging: Hedging
  readonly context: CallContext<A>
  readonly nodeTry: NodeTry
  /** The first way is still at its node. */
  isPrimaryPending: boolean
  /** The error of the second way. */
  backupError: CallError | undefined
}

/** The second way: never, when there is nowhere to go. */
const startBackup = <A>(race: HedgedCall<A>): Effect.Effect<A, CallError> =>
  Effect.suspend((): Effect.Effect<A, CallError> => {
    const { context, hedging, nodeTry } = race
    const { budget, health, nodes, observer, retries } = hedging
    const { node } = nodeTry
    if (!Nodes.hasOther(nodes, context, monotonic(context.clock))) return Effect.never
    // the node may have been found to have failed by others, and then nothing is spent
    const isOut = Nodes.hasFailed(nodes, node)
    if (isOut ? !retries.spend() : nodeTry.isPausing || !budget.spend())
      return Effect.zipRight(Effect.sleep(BUDGET_POLL), startBackup(race))
    nodeTry.isHedged = true
    const hedged = {
      _tag: "Hedged",
      url: node.printableUrl,
      call: context.call.label,
      id: context.id
    } as const
    const { trace } = context.call
    if (trace !== undefined && !isOut) trace.hedged = true
    const sent = isOut
      ? retries.track(race.backup, context)
      : Effect.zipRight(observer.report(hedged), race.backup)
    return Effect.matchEffect(sent, {
      onFailure: (error) => {
        race.backupError = error
        return race.isPrimaryPending ? Effect.never : Effect.fail(error)
      },
      onSuccess: (value) =>
        race.isPrimaryPending ? Effect.as(Health.recordSlower(health, node), value) : Effect.succeed(value)
    })
  })

/** Both ways at once. When the first one leaves its node, the second one is there already. */
const raceBoth = <A>(
  race: HedgedCall<A>,
  first: Fiber.Fiber<A, CallError | TryNext>
): Effect.Effect<A, CallError | TryNext> =>
  Effect.suspend(() => {
    const { nodeTry } = race
    Nodes.recordOverdue(nodeTry.node)
    const stayed = Effect.catchAll(Fiber.join(first), (end): Effect.Effect<never, CallError | TryNext> => {
      if (end._tag !== "Left") return Effect.fail(end)
      race.isPrimaryPending = false
      if (race.backupError !== undefined) return Effect.fail(race.backupError)
      return nodeTry.isHedged ? Effect.never : Effect.fail(end)
    })
    return Effect.ensuring(
      Effect.raceFirst(stayed, startBackup(race)),
      Effect.zipRight(
        Effect.sync(() => Nodes.releaseOverdue(nodeTry.node)),
        Fiber.interruptFork(first)
      )
    )
  })

/**
 * A visit, and a second way beside it when it takes longer than calls do.
 *
 * @since 0.1.0
 * @category operations
 */
export const hedge = <A>(
  hedging: Hedging,
  context: CallContext<A>,
  nodeTry: NodeTry,
  ways: HedgedRequests<A>
): Effect.Effect<A, CallError | TryNext> => {
  const { nodes, timers } = hedging
  const forked = Effect.flatMap(Effect.fork(ways.primary), (first) =>
    Effect.async<A, CallError | TryNext>((resume) => {
      const call: HedgeTimer = {
        dueAt: monotonic(context.clock) + nodes.latencies.hedgeDelay(),
        fire: () =>
          resume(
            raceBoth(
              { ...ways, hedging, context, nodeTry, isPrimaryPending: true, backupError: undefined },
              first
            )
          )
      }
      timers.add(call)
      first.addObserver((exit) => {
        timers.remove(call)
        resume(exit)
      })
      return Effect.zipRight(
        Effect.sync(() => timers.remove(call)),
        Fiber.interrupt(first)
      )
    })
  )
  return Effect.zipRight(timers.ensureTicking, forked)
}
