/**
 * Which past blocks nodes hold. A node that has thrown its history away answers with nothing where an archive node has
 * something, and nobody can tell from the answer.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { PastBlock } from "../data/Endpoint.js"
import { StateUnavailable } from "../data/SdkError.js"
import { monotonic } from "../http/time.js"
import { type CallContext, left } from "./CallContext.js"
import type { Holds } from "./Family.js"
import type { Member } from "./Member.js"
import type { NodeRequest } from "./NodeRequest.js"
import type { Refusal } from "./Outcome.js"

/**
 * Succeeds if the node has shown that it holds the past block of a call, or does so when it is asked now; blocks that are yet
 * to come are held by nobody.
 *
 * @since 0.1.0
 * @category models
 */
export interface History {
  readonly shown: (member: Member, context: CallContext<unknown>) => Effect.Effect<void, Refusal>
}

/**
 * The history that nodes show when they are asked for a block by the question of the family.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (request: NodeRequest, holds: Holds): History => {
  const asked = (member: Member, context: CallContext<unknown>, block: PastBlock): Effect.Effect<boolean> => {
    const now = monotonic(context.clock)
    const until = now + Math.max(1, Math.min(context.attemptTimeout, left(context)))
    return Effect.match(request(member, holds(block), until, context.clock), {
      onFailure: () => false,
      onSuccess: (isHeld) => isHeld
    })
  }
  return {
    shown: (member, context) => {
      const block = context.call.past?.()
      const isNumber = typeof block === "number"
      const isKnown = isNumber && (block >= member.holds || (member.height >= 0 && block > member.height))
      if (block === undefined || isKnown) return Effect.void
      return Effect.flatMap(asked(member, context, block), (isHeld): Effect.Effect<void, Refusal> => {
        if (isHeld) {
          if (isNumber) member.holds = Math.min(member.holds, block)
          return Effect.void
        }
        const { url } = member
        const error = new StateUnavailable({ call: context.call.label, block: String(block), url })
        return Effect.fail({ fault: "elsewhere", error })
      })
    }
  }
}
