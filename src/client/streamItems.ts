/** Reads a stream item by item, for the async iterables of the Promise surface. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** A stream, item by item. `next` yields none at the end of the stream; `end` stops it early. */
export interface StreamItems<A, E> {
  readonly next: Effect.Effect<Option.Option<A>, E>
  readonly end: () => Promise<void>
}

/** Opens a stream with its first item. It pulls one chunk at a time, and returns its items one by one. */
export const openStreamItems = <A, E>(stream: Effect.Effect<Stream.Stream<A, E>, E>): StreamItems<A, E> => {
  const scope = Effect.runSync(Scope.make())
  let openPull: Effect.Effect<Iterable<A>, Option.Option<E>> | undefined
  let items: Iterator<A> = [][Symbol.iterator]()
  const nextChunk: Effect.Effect<Iterable<A>, Option.Option<E>> = Effect.suspend(
    () =>
      openPull ??
      Effect.flatMap(Scope.extend(Stream.toPull(Stream.unwrap(stream)), scope), (pull) => {
        openPull = pull
        return pull
      })
  )
  const next: Effect.Effect<Option.Option<A>, E> = Effect.suspend(() => {
    const item = items.next()
    if (item.done !== true) return Effect.succeed(Option.some(item.value))
    return Effect.matchCauseEffect(nextChunk, {
      onSuccess: (chunk) => {
        items = chunk[Symbol.iterator]()
        return next
      },
      onFailure: (cause): Effect.Effect<Option.Option<A>, E> =>
        Either.match(Cause.failureOrCause(cause), {
          onLeft: Option.match({
            onNone: () => Effect.succeed(Option.none<A>()),
            onSome: (error) => Effect.fail(error)
          }),
          onRight: Effect.failCause
        })
    })
  })
  return { next, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
