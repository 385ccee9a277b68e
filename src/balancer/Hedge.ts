/**
 * Hedged calls: when a node takes longer than calls do, the call is sent to a second one too, and the first answer counts.
 * Second attempts keep to a budget, a share of the calls, so that slow nodes are not slowed down further.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/time.js"
import type { CallError } from "../wire/Transport.js"
import { type Waiting, watch } from "./Background.js"
import * as Budget from "./Budget.js"
import type { CallContext } from "./CallContext.js"
import type { Health } from "./Health.js"
import type { Latencies } from "./Latency.js"
import type { Member } from "./Member.js"
import { hasOther, type Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"

/** A second attempt may be made so often at once, where there were only few calls before. */
const BURST = 10

/** How soon a call that may have no second attempt now looks again, in milliseconds. */
const SOON = 10

/**
 * The state of a call whose attempts go two ways: one waits at the first node, the other has moved on.
 *
 * @since 0.1.0
 * @category models
 */
export interface Lane {
  moved: boolean
  waiting: boolean
  /** The first node is to be asked again after a pause. */
  pausing: boolean
  /** What became of the way that has moved on. */
  failure: CallError | undefined
}

/**
 * Both ways of a call. The first one leaves the lane when it ends at its node without an answer, and the second one goes on
 * from there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ways<A> {
  readonly first: (lane: Lane) => Effect.Effect<A, CallError>
  readonly second: () => Effect.Effect<A, CallError>
}

/**
 * The second attempts of a client. Each call earns its share of one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hedging {
  readonly earn: () => void
  readonly race: <A>(context: CallContext<A>, member: Member, ways: Ways<A>) => Effect.Effect<A, CallError>
}

interface Needs {
  readonly maxExtraLoad: number
  readonly health: Pick<Health, "overtaken">
  readonly latencies: Latencies
  readonly nodes: Nodes
  readonly observer: Observer
  /** Who leaves a node that has failed meanwhile makes a retry. */
  readonly retries: Budget.Budget
  readonly scope: Scope.Scope
}

/**
 * Second attempts for at most `maxExtraLoad` of the calls, made when a call has lost its patience (`Latency.ts`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Hedging => {
  const { health, latencies, maxExtraLoad, nodes, observer, retries, scope } = needs
  const budget = Budget.make({ share: maxExtraLoad, burst: BURST })
  const waiting = watch(scope)

  /** The second way: never, when there is nowhere to go, or the first one is there already. */
  const second = <A>(context: CallContext<A>, member: Member, lane: Lane, ways: Ways<A>) =>
    Effect.suspend((): Effect.Effect<A, CallError> => {
      if (lane.moved || !hasOther(nodes, context, member.index)) return Effect.never
      // the node may have been found to have failed by others, and then nothing is spent
      const isOut = nodes.hasFailed(member.index)
      if (isOut ? !retries.spend() : lane.pausing || !budget.spend())
        return Effect.zipRight(Effect.sleep(SOON), second(context, member, lane, ways))
      lane.moved = true
      const sent = isOut ? retries.use(ways.second()) : ways.second()
      const hedged = { _tag: "Hedged", url: member.shown, call: context.call.label } as const
      return Effect.matchEffect(isOut ? sent : Effect.zipRight(observer.happened(hedged), sent), {
        onFailure: (error) => {
          lane.failure = error
          return lane.waiting ? Effect.never : Effect.fail(error)
        },
        onSuccess: (value) =>
          lane.waiting ? Effect.as(health.overtaken(member), value) : Effect.succeed(value)
      })
    })

  const raced = <A>(context: CallContext<A>, member: Member, ways: Ways<A>): Effect.Effect<A, CallError> => {
    const lane: Lane = { moved: false, waiting: true, pausing: false, failure: undefined }
    return Effect.flatMap(Effect.fork(Effect.suspend(() => ways.first(lane))), (first) => {
      const both = Effect.suspend(() => {
        member.overdue++
        return Effect.ensuring(
          Effect.raceFirst(Fiber.join(first), second(context, member, lane, ways)),
          Effect.zipRight(
            Effect.sync(() => member.overdue--),
            Fiber.interruptFork(first)
          )
        )
      })
      return Effect.async<A, CallError>((resume) => {
        const call: Waiting = {
          due: monotonic(context.clock) + latencies.patience(),
          wake: () => resume(both)
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
    })
  }

  return {
    earn: budget.earn,
    race: (context, member, ways) =>
      Effect.zipRight(
        waiting.begin,
        Effect.suspend(() => raced(context, member, ways))
      )
  }
}
