import * as Effect from "effect/Effect"
import { LoadError, MissingPeer, reasonOf } from "./SdkError.js"

/** What has been found is there from then on, for all who looked for it at the same time, too; what has failed is tried again. */
export const memoizeSuccess = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let found: Effect.Effect<A, E> | undefined
  return Effect.suspend(
    () =>
      found ??
      Effect.flatMap(effect, (value) => {
        found ??= Effect.succeed(value)
        return found
      })
  )
}

/**
 * A part of a client, in a chunk of its own: it is loaded and made when it is first needed. A chunk that could not be fetched is
 * asked for again by the next caller.
 */
export const loadOnce = <M, A, E = never>(
  load: () => Promise<M>,
  make: (module: M) => Effect.Effect<A, E>
): Effect.Effect<A, E | LoadError> =>
  memoizeSuccess(
    Effect.flatMap(
      Effect.tryPromise({
        try: load,
        catch: (error) => new LoadError({ reason: reasonOf(error) })
      }),
      make
    )
  )

/**
 * A module of ours over libraries that the user installs, loaded when it is first needed.
 *
 * @since 0.1.0
 * @category operations
 */
export const loadPeer = <M>(packages: string, load: () => Promise<M>): Effect.Effect<M, MissingPeer> =>
  Effect.tryPromise({
    try: load,
    catch: (error) =>
      new MissingPeer({ package: packages, install: `npm install ${packages}`, reason: reasonOf(error) })
  })
