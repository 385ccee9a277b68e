/** Broadcasts that an earlier attempt has delivered: the success that a node's refusal of the next one stands for. */
import * as Effect from "effect/Effect"
import type { Accepted } from "../data/Endpoint.js"
import type { Call, CallError } from "./Transport.js"

/** Looks an id up on the chain, by a method. */
type Lookup = (method: string) => (id: unknown) => Effect.Effect<unknown, CallError>

/** The `accepted` of a call with these parameters, by that of its endpoint. */
export const makeAccepted = (
  { known, ambiguous, result }: Accepted,
  params: unknown,
  lookUp?: Lookup
): NonNullable<Call<unknown>["accepted"]> => ({
  known,
  result: (said) => result(Array.isArray(params) ? params : [], said),
  ...(ambiguous === undefined || lookUp === undefined
    ? {}
    : { perhaps: { known: ambiguous.known, found: (id) => lookUp(ambiguous.by)(id) } })
})

/**
 * The success that a refusal stands for by its words; nothing where it is none. It fails where nobody can tell it, or where the
 * place is taken by another one.
 */
export const findAcceptedValue = <A>(
  accepted: Call<A>["accepted"],
  said: string
): Effect.Effect<A, unknown> | undefined => {
  if (accepted === undefined) return undefined
  const { known, perhaps, result } = accepted
  const value = Effect.tryPromise(() => result(said))
  if (known.test(said)) return value
  return perhaps?.known.test(said) === true
    ? Effect.flatMap(value, (id) =>
        Effect.flatMap(perhaps.found(id), (found) => (found === null ? Effect.fail(id) : Effect.succeed(id)))
      )
    : undefined
}
