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
import { behind } from "./Background.js"
import type { Budget } from "./Budget.js"
import type { CallContext, Left, Visit } from "./CallContext.js"
import * as Health from "./Health.js"
import * as Nodes from "./Nodes.js"
import type { Observer } from "./Observation.js"

/** How soon a call that may have no second attempt now looks again, in milliseconds. */
const AGAIN = 10

/** The shortest and the longest pause between two looks at the calls that wait, in milliseconds. */
const SOON = 10
const LOOK = 50

/** A call that waits: when it is tired of that (milliseconds on the clock that never jumps), and how it is told. */
interface Waiting {
  readonly due: number
  readonly wake: () => void
}

/** The calls that wait. `add` comes with `begin` before it, which sees to it that somebody looks. */
interface Watch {
  readonly begin: Effect.Effect<void>
  readonly add: (call: Waiting) => void
  readonly remove: (call: Waiting) => void
}

/**
 * One fiber for all calls that wait, in the scope: a timer per call would cost more than most calls do. It ends when nobody
 * waits.
 */
const watch = (scope: Scope.Scope): Watch => {
  const waiting = new Set<Waiting>()
  let watching = false
  const look: Effect.Effect<void> = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    let next = Number.POSITIVE_INFINITY
    for (const call of waiting) {
      if (call.due > now) {
        next = Math.min(next, call.due)
        continue
      }
      waiting.delete(call)
      call.wake()
    }
    // a call that comes meanwhile may be due before all others
    // (a pause that is too short to be counted would be none)
    if (next < Number.POSITIVE_INFINITY)
      return Effect.zipRight(Effect.sleep(Math.max(1, Math.min(LOOK, next - now))), look)
    watching = false
    return Effect.void
  })
  return {
    begin: Effect.suspend(() => {
      if (watching) return Effect.void
      watching = true
      return behind(Effect.zipRight(Effect.sleep(SOON), look), scope)
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
  readonly waiting: Watch
}

/**
 * Second attempts, as many as the budget has.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Hedging => ({ ...needs, waiting: watch(needs.scope) })

/** Both ways of a call: at its node, and over the other nodes. */
interface Ways<A> {
  readonly first: Effect.Effect<A, CallError | Left>
  readonly second: Effect.Effect<A, CallError>
}

/** The two ways of a call, and what they know of each other. */
interface Race<A> extends Ways<A> {
  readonly hedging: Hedging
  readonly context: CallContext<A>
  readonly visit: Visit
  /** The first way is still at its node. */
  isWaiting: boolean
  /** The error of the second way. */
  failure: CallError | undefined
}

/** The second way: never, when there is nowhere to go. */
const second = <A>(race: Race<A>): Effect.Effect<A, CallError> =>
  Effect.suspend((): Effect.Effect<A, CallError> => {
    const { context, hedging, visit } = race
    const { budget, health, nodes, observer, retries } = hedging
    const { node } = visit
    if (!Nodes.hasOther(nodes, context, monotonic(context.clock))) return Effect.never
    // the node may have been found to have failed by others, and then nothing is spent
    const isOut = Nodes.hasFailed(nodes, node)
    if (isOut ? !retries.spend() : visit.pausing || !budget.spend())
      return Effect.zipRight(Effect.sleep(AGAIN), second(race))
    visit.moved = true
    const hedged = { _tag: "Hedged", url: node.shown, call: context.call.label, id: context.id } as const
    const { trace } = context.call
    if (trace !== undefined && !isOut) trace.hedged = true
    const sent = isOut
      ? retries.use(race.second, context)
      : Effect.zipRight(observer.happened(hedged), race.second)
    return Effect.matchEffect(sent, {
      onFailure: (error) => {
        race.failure = error
        return race.isWaiting ? Effect.never : Effect.fail(error)
      },
      onSuccess: (value) =>
        race.isWaiting ? Effect.as(Health.overtaken(health, node), value) : Effect.succeed(value)
    })
  })

/** Both ways at once. When the first one leaves its node, the second one is there already. */
const both = <A>(
  race: Race<A>,
  first: Fiber.Fiber<A, CallError | Left>
): Effect.Effect<A, CallError | Left> =>
  Effect.suspend(() => {
    const { visit } = race
    Nodes.awaited(visit.node)
    const stayed = Effect.catchAll(Fiber.join(first), (end): Effect.Effect<never, CallError | Left> => {
      if (end._tag !== "Left") return Effect.fail(end)
      race.isWaiting = false
      if (race.failure !== undefined) return Effect.fail(race.failure)
      return visit.moved ? Effect.never : Effect.fail(end)
    })
    return Effect.ensuring(
      Effect.raceFirst(stayed, second(race)),
      Effect.zipRight(
        Effect.sync(() => Nodes.abandoned(visit.node)),
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
export const race = <A>(
  hedging: Hedging,
  context: CallContext<A>,
  visit: Visit,
  ways: Ways<A>
): Effect.Effect<A, CallError | Left> => {
  const { nodes, waiting } = hedging
  const forked = Effect.flatMap(Effect.fork(ways.first), (first) =>
    Effect.async<A, CallError | Left>((resume) => {
      const call: Waiting = {
        due: monotonic(context.clock) + nodes.latencies.patience(),
        wake: () =>
          resume(both({ ...ways, hedging, context, visit, isWaiting: true, failure: undefined }, first))
      }
      waiting.add(call)
      first.addObserver((exit) => {
        waiting.remove(call)
        resume(exit)
      })
      return Effect.zipRight(
        Effect.sync(() => waiting.remove(call)),
        Fiber.interrupt(first)
      )
    })
  )
  return Effect.zipRight(waiting.begin, forked)
}
