/**
 * How failed nodes come back where they are not probed: a copy of a read is sent to them beside the call, once per back-off,
 * and its answer is for nobody else. The call itself goes to a node that is well.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/time.js"
import { behind } from "./Background.js"
import type { Exchange } from "./Exchange.js"
import type { Member } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { outcomeOf, table } from "./Outcome.js"
import type { Run } from "./Run.js"

/**
 * Sends a copy of a read to a failed node whose turn it is, if there is one; `later` says that one has just failed, and after
 * which pause it wants to be asked (milliseconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface Copies {
  readonly beside: (run: Run<unknown>) => Effect.Effect<void>
  readonly later: (member: Member, now: number, pause?: number) => void
}

/**
 * Copies for the failed nodes of a pool; their fibers end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (nodes: Nodes, exchange: Exchange, observer: Observer, scope: Scope.Scope): Copies => {
  const back = (member: Member): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!nodes.hasFailed(member.index)) return Effect.void
      nodes.update((state) => Pool.succeed(state, member.index))
      return observer.happened({ _tag: "Readmitted", url: member.shown, height: Math.max(0, member.height) })
    })

  const copied = (run: Run<unknown>, member: Member, now: number): Effect.Effect<void> =>
    Effect.matchEffect(exchange(member, run.call, now + run.attemptTimeout, run.clock), {
      onFailure: (refusal) => (table[outcomeOf(refusal)].node === "well" ? back(member) : Effect.void),
      onSuccess: () => back(member)
    })

  return {
    beside: (run) => {
      const state = nodes.state()
      if (run.call.repeat !== "read" || !state.nodes.some(({ failed }) => failed)) return Effect.void
      const now = monotonic(run.clock)
      const member = nodes.members().find(({ copyAt, index }) => nodes.hasFailed(index) && copyAt <= now)
      // while all have failed the call is a trial itself
      if (member === undefined || state.nodes.every(({ failed }) => failed)) return Effect.void
      member.copyAt = now + Pool.backOff(++member.copies)
      return behind(copied(run, member, now), scope)
    },
    later: (member, now, pause = Pool.backOff(0)) => {
      member.copyAt = now + pause
      member.copies = 0
    }
  }
}
