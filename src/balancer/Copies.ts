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
import type { CallContext } from "./CallContext.js"
import type { Member } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { NodeRequest } from "./NodeRequest.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { outcomeOf, table } from "./Outcome.js"

/**
 * Sends a copy of a read to a failed node whose turn it is, if there is one; `later` says that one has just failed, and after
 * which pause it wants to be asked (milliseconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface Copies {
  readonly beside: (context: CallContext<unknown>) => Effect.Effect<void>
  readonly later: (member: Member, now: number, pause?: number) => void
}

/**
 * Copies for the failed nodes of a pool; their fibers end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (nodes: Nodes, request: NodeRequest, observer: Observer, scope: Scope.Scope): Copies => {
  const back = (member: Member): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!nodes.hasFailed(member.index)) return Effect.void
      nodes.update((state) => Pool.succeed(state, member.index))
      return observer.happened({ _tag: "Readmitted", url: member.shown, height: Math.max(0, member.height) })
    })

  const copied = (context: CallContext<unknown>, member: Member, now: number): Effect.Effect<void> =>
    Effect.matchEffect(request(member, context.call, now + context.attemptTimeout, context.clock), {
      onFailure: (refusal) => (table[outcomeOf(refusal)].node === "well" ? back(member) : Effect.void),
      onSuccess: () => back(member)
    })

  return {
    beside: (context) => {
      const state = nodes.state()
      if (context.call.repeat !== "read" || !state.nodes.some(({ failed }) => failed)) return Effect.void
      const now = monotonic(context.clock)
      const member = nodes.members().find(({ copyAt, index }) => nodes.hasFailed(index) && copyAt <= now)
      // while all have failed the call is a trial itself
      if (member === undefined || state.nodes.every(({ failed }) => failed)) return Effect.void
      member.copyAt = now + Pool.backOff(++member.copies)
      return behind(copied(context, member, now), scope)
    },
    later: (member, now, pause = Pool.backOff(0)) => {
      member.copyAt = now + pause
      member.copies = 0
    }
  }
}
