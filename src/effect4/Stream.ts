import * as Arr from "effect4/Array"
import * as Cause from "effect4/Cause"
import * as Effect from "effect4/Effect"
import { dual } from "effect4/Function"
import * as Option from "effect4/Option"
import * as Pull from "effect4/Pull"
import * as Queue from "effect4/Queue"
import type * as Scope from "effect4/Scope"
import * as Streams from "effect4/Stream"

export * from "effect4/Stream"
export {
  mapArray as mapChunks,
  mapArrayEffect,
  paginate as paginateChunkEffect,
  TypeId as StreamTypeId,
  unwrap as unwrapScoped
} from "effect4/Stream"

/** The end of a stream is a failure with `Done`, where it was one without a value. */
export const toPull = <A, E, R>(self: Streams.Stream<A, E, R>) =>
  Effect.map(Streams.toPull(self), (pull) =>
    Pull.matchEffect(pull, {
      onSuccess: (items): Effect.Effect<ReadonlyArray<A>, Option.Option<E>> => Effect.succeed(items),
      onFailure: (cause) => Effect.mapError(Effect.failCause(cause), Option.some),
      onDone: () => Effect.fail(Option.none())
    })
  )

/** What ends with a failure without a value ends with `Done`, and an empty chunk is none. The stream has the scope of its pull. */
export const fromPull = <A, E, R, E2, R2>(
  pull: Effect.Effect<Effect.Effect<ReadonlyArray<A>, Option.Option<E>, R>, E2, R2>
): Streams.Stream<A, E | E2, R | Exclude<R2, Scope.Scope>> =>
  Streams.unwrap(
    Effect.map(pull, (next) => {
      const step: Effect.Effect<Arr.NonEmptyReadonlyArray<A>, E | Cause.Done, R> = Effect.matchEffect(next, {
        onSuccess: (items) => (Arr.isReadonlyArrayNonEmpty(items) ? Effect.succeed(items) : step),
        onFailure: (end): Effect.Effect<never, E | Cause.Done> =>
          Option.isSome(end) ? Effect.fail(end.value) : Cause.done()
      })
      return Streams.fromPull(Effect.succeed(step))
    })
  )

/** Chunks may be empty no more: what a change leaves of one is emitted item by item. */
export const mapChunksEffect =
  <A, B, E2, R2>(change: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E2, R2>) =>
  <E, R>(self: Streams.Stream<A, E, R>): Streams.Stream<B, E | E2, R | R2> =>
    Streams.flattenIterable(Streams.mapEffect(Streams.chunks(self), change))

/** Who emits more than there is room for waits until there is room. */
export interface Emit<E, A> {
  readonly single: (item: A) => Promise<void>
  readonly fail: (error: E) => Promise<void>
  readonly halt: (cause: Cause.Cause<E>) => Promise<void>
  readonly end: () => Promise<void>
}

const emitting = <A, E>(queue: Queue.Queue<A, E | Cause.Done>): Emit<E, A> => {
  const run = (effect: Effect.Effect<unknown>): Promise<void> => Effect.runPromise(Effect.asVoid(effect))
  return {
    single: (item) => run(Queue.offer(queue, item)),
    fail: (error) => run(Queue.fail(queue, error)),
    halt: (cause) => run(Queue.failCause(queue, cause)),
    end: () => run(Queue.end(queue))
  }
}

/** A queue is given where an `emit` was. */
export const asyncScoped = <A, E = never, R = never>(
  register: (emit: Emit<E, A>) => Effect.Effect<unknown, E, R | Scope.Scope>,
  bufferSize = 16
): Streams.Stream<A, E, Exclude<R, Scope.Scope>> =>
  Streams.callback<A, E, R>((queue) => register(emitting(queue)), { bufferSize })

const emitted = <A, E = never>(
  register: (emit: Emit<E, A>) => Effect.Effect<void> | void
): Streams.Stream<A, E> =>
  asyncScoped<A, E>((emit) =>
    Effect.acquireRelease(
      Effect.sync(() => register(emit)),
      (end) => end ?? Effect.void
    )
  )

export { emitted as async }

/** Who emits does not wait: what there is no room for is dropped, the oldest first. */
export const asyncPush = <A, E = never, R = never>(
  register: (emit: { readonly single: (item: A) => boolean }) => Effect.Effect<unknown, E, R | Scope.Scope>,
  options: { readonly bufferSize: number; readonly strategy: "dropping" | "sliding" }
): Streams.Stream<A, E, Exclude<R, Scope.Scope>> =>
  Streams.callback<A, E, R>(
    (queue) => register({ single: (item) => Queue.offerUnsafe(queue, item) }),
    options
  )

/** Its parts are options. */
export const fromReadableStream = <A, E>(
  evaluate: () => ReadableStream<A>,
  onError: (error: unknown) => E
): Streams.Stream<A, E> => Streams.fromReadableStream({ evaluate, onError })

export const mapConcat: {
  <A, B>(f: (item: A) => Iterable<B>): <E, R>(self: Streams.Stream<A, E, R>) => Streams.Stream<B, E, R>
  <A, E, R, B>(self: Streams.Stream<A, E, R>, f: (item: A) => Iterable<B>): Streams.Stream<B, E, R>
} = dual(
  2,
  <A, E, R, B>(self: Streams.Stream<A, E, R>, f: (item: A) => Iterable<B>): Streams.Stream<B, E, R> =>
    Streams.flattenIterable(Streams.map(self, f))
)
