import * as Effect from "effect/Effect"
import { LoadError, reasonOf } from "./SdkError.js"

/**
 * A part of a client, in a chunk of its own: it is loaded and made when it is first needed. A chunk that could not be fetched is
 * asked for again by the next caller.
 */
export const loadOnce = <M, A, E = never>(
  load: () => Promise<M>,
  make: (module: M) => Effect.Effect<A, E>
): Effect.Effect<A, E | LoadError> => {
  let made: Effect.Effect<A, E> | undefined
  const loaded = Effect.tryPromise({
    try: load,
    catch: (error) => new LoadError({ reason: reasonOf(error) })
  })
  return Effect.suspend(
    () =>
      made ??
      Effect.flatMap(loaded, (module) =>
        Effect.flatMap(make(module), (part) => {
          // of callers that have loaded it at the same time, all get the one that was made first
          made ??= Effect.succeed(part)
          return made
        })
      )
  )
}
