/**
 * The policy of an account of a fleet. It is consulted once for each order, with the highest fee that the order may be bumped to, before the order
 * is kept: from then on the order is signed again and again, whatever happens to this process. A payment that it does not allow is not kept, and so
 * is never signed.
 */
import type * as Effect from "effect/Effect"
import type { SdkError } from "effect-chains"
import type { PolicyRequest, WithPolicy } from "effect-chains/effect/signers/policy"

type PaymentRequest = Extract<PolicyRequest, { readonly kind: "payment" }>

/** A preview, the highest fee that it may come to cost, and the contract that it calls, if it calls one. */
interface Preview extends Pick<PaymentRequest, "prepared"> {
  readonly fee: bigint
  readonly call?: PaymentRequest["call"] | undefined
}

/** Keeps the plan of a payment if the policy of its account allows that. */
export const keepIfAllowed = <A, E>(
  { policy }: WithPolicy,
  { call, fee, prepared }: Preview,
  keep: Effect.Effect<A, E>
): Effect.Effect<A, E | SdkError.PolicyDenied> =>
  policy === undefined
    ? keep
    : policy.authorize(
        {
          kind: "payment",
          network: prepared.network,
          address: prepared.from,
          // the plan is kept as it was prepared, whatever becomes of this preview
          prepared: { ...structuredClone(prepared), fee },
          ...(call === undefined ? {} : { call })
        },
        keep
      )
