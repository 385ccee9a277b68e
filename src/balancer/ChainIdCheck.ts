/**
 * Which nodes are trusted: a node gets no JSON-RPC call, and is not found well, before it has told that it serves the chain
 * of the network. It is asked once, and again after it has failed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { NetworkInfo } from "../data/Network.js"
import type { NodeError } from "../data/SdkError.js"
import type { HttpService } from "../http/service.js"
import { shared } from "./Background.js"
import type { ChainCheck } from "./Family.js"
import type { Member } from "./Member.js"
import * as Probe from "./Probe.js"

/**
 * `verify` asks a node for its chain, unless it is trusted, and fails if it serves another one or does not answer;
 * `believe` makes of what a probe has found what it is worth: nothing, if the node is not to be trusted.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainIdCheck {
  readonly isTrusted: (member: Member) => boolean
  readonly verify: (member: Member) => Effect.Effect<void, NodeError>
  readonly believe: <A>(member: Member, found: A) => Effect.Effect<A | "failed">
}

/**
 * Trust by the answer to `chain`; without that question all nodes are trusted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  http: HttpService,
  scope: Scope.Scope,
  network: NetworkInfo,
  chain: ChainCheck | undefined
): ChainIdCheck => {
  const isTrusted = (member: Member): boolean => chain === undefined || member.verified
  const verify = (member: Member): Effect.Effect<void, NodeError> =>
    Effect.suspend(() => {
      if (chain === undefined || member.verified) return Effect.void
      const running = member.verifying
      if (running !== undefined) return Fiber.join(running)
      const asked = Effect.map(Probe.verify(http, member, chain, network), () => {
        member.verified = true
      })
      return shared(asked, scope, (fiber) => {
        member.verifying = fiber
      })
    })
  return {
    isTrusted,
    verify,
    believe: (member, found) =>
      Effect.match(verify(member), { onFailure: () => "failed", onSuccess: () => found })
  }
}
