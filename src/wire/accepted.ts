/** Broadcasts that an earlier attempt has delivered: a node answers the next attempt with "already known", which is a success. */
import * as Effect from "effect/Effect"
import type { Accepted } from "../data/Endpoint.js"
import type { Call, CallError } from "./Transport.js"

/** Looks up an id on the chain by a method. */
type Lookup = (method: string) => (id: unknown) => Effect.Effect<unknown, CallError>

/** Makes the `accepted` of a call from that of its endpoint. */
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
 * The result of a broadcast that was refused with this message; undefined if the message does not mean "already known". The effect fails if the
 * result cannot be found, or if another transaction has taken its place.
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
