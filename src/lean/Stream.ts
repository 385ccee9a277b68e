import type * as Original from "effect/Stream"
import { as } from "./cast.js"
import {
  async,
  type Cause,
  catchCause,
  type Effect,
  fail,
  failCause,
  flatMap,
  map,
  succeed,
  suspend as suspendEffect,
  sync,
  unit
} from "./fiberRuntime.js"
import { acquireInScope, currentScope, type LeanScope, provideScope } from "./finalizers.js"
import { none, some } from "./Option.js"

type Items = ReadonlyArray<unknown>
/** The next items. Fails with none at the end of the stream, and with some failure. */
type Pull = Effect<Items>

const endOfStream: Pull = /*#__PURE__*/ suspendEffect(() => fail(none()))
const failPull = (error: unknown): Pull => fail(some(error))
const catchFailure = <A>(self: Effect<A>, otherwise: (error: unknown) => Effect<A>): Effect<A> =>
  catchCause(self, (cause) => (cause._tag === "Fail" ? otherwise(cause.error) : failCause(cause)))
const toPullFailure = <A>(self: Effect<A>): Effect<A> => catchFailure(self, (error) => fail(some(error)))

/** A stream for one consumer. What it opens is closed with the consumer's scope, not before. */
class Stream {
  readonly open: (scope: LeanScope) => Pull
  constructor(open: Stream["open"]) {
    this.open = open
  }
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return steps.reduce<unknown>((self, step) => step(self), this)
  }
}

/** Makes a stream that opens with its first items. */
const makeLazyStream = (open: (scope: LeanScope) => Effect<Pull>): Stream =>
  new Stream((scope) => {
    let pull: Pull | undefined
    return suspendEffect(
      () =>
        pull ??
        flatMap(open(scope), (opened) => {
          pull = opened
          return opened
        })
    )
  })

export const toPull: typeof Original.toPull = /*#__PURE__*/ as((self: Stream) => map(currentScope, self.open))

const unwrapScoped: typeof Original.unwrapScoped = /*#__PURE__*/ as((made: Effect<Stream>) =>
  makeLazyStream((scope) => map(toPullFailure(provideScope(made, scope)), ({ open }) => open(scope)))
)

export { unwrapScoped }
export const unwrap: typeof Original.unwrap = /*#__PURE__*/ as(unwrapScoped)
export const suspend: typeof Original.suspend = /*#__PURE__*/ as(
  (made: () => Stream) => new Stream((scope) => made().open(scope))
)
export const empty: typeof Original.empty = /*#__PURE__*/ as(/*#__PURE__*/ new Stream(() => endOfStream))

const failStream: typeof Original.fail = /*#__PURE__*/ as(
  (error: unknown) => new Stream(() => failPull(error))
)

export { failStream as fail }

export const paginateChunkEffect: typeof Original.paginateChunkEffect = /*#__PURE__*/ as(
  (first: unknown, page: (at: unknown) => Effect<readonly [Items, ReturnType<typeof some>]>) =>
    new Stream(() => {
      let at = some(first)
      return suspendEffect(() =>
        at._tag === "None"
          ? endOfStream
          : map(toPullFailure(page(at.value)), ([items, next]) => {
              at = next
              return items
            })
      )
    })
)

export const fromIterableEffect: typeof Original.fromIterableEffect = /*#__PURE__*/ as(
  (items: Effect<Iterable<unknown>>) =>
    as<(first: unknown, page: () => unknown) => Stream>(paginateChunkEffect)(undefined, () =>
      map(items, (all) => [[...all], none()])
    )
)

export const concat: typeof Original.concat = /*#__PURE__*/ as(
  (first: Stream, second: Stream) =>
    new Stream((scope) => {
      let pull: Pull = catchFailure(first.open(scope), (end) => {
        if (as<ReturnType<typeof none>>(end)._tag === "Some") return as<Pull>(fail(end))
        pull = second.open(scope)
        return pull
      })
      return suspendEffect(() => pull)
    })
)

export const take: typeof Original.take = /*#__PURE__*/ as(
  (self: Stream, count: number) =>
    new Stream((scope) => {
      const pull = self.open(scope)
      let left = count
      return suspendEffect(() =>
        left <= 0
          ? endOfStream
          : map(pull, (items) => {
              const taken = items.slice(0, left)
              left -= taken.length
              return taken
            })
      )
    })
)

const mapPull = (self: Stream, change: (pull: Pull) => Pull): Stream =>
  new Stream((scope) => change(self.open(scope)))

/** A chunk without matching items is empty. */
export const filter: typeof Original.filter = /*#__PURE__*/ as(
  (is: (item: unknown) => boolean) => (self: Stream) =>
    mapPull(self, (pull) => map(pull, (items) => items.filter(is)))
)

export const mapChunksEffect: typeof Original.mapChunksEffect = /*#__PURE__*/ as(
  (change: (items: Items) => Effect<Items>) => (self: Stream) =>
    mapPull(self, (pull) => flatMap(pull, (items) => toPullFailure(change(items))))
)

/** The emitted items that were not pulled yet. Emitting beyond the capacity waits. */
class EmitQueue {
  private readonly waiting: Array<{ readonly pull: Pull; readonly onAccepted: () => void }> = []
  private wake: (() => void) | undefined
  private isClosed = false
  private readonly capacity: number
  constructor(room: number) {
    this.capacity = room
  }
  private emit(pull: Pull): Promise<void> {
    return new Promise((onAccepted) => {
      if (this.isClosed) return onAccepted()
      this.waiting.push({ pull, onAccepted })
      if (this.waiting.length <= this.capacity) onAccepted()
      this.wake?.()
    })
  }
  readonly single = (item: unknown): Promise<void> => this.emit(succeed([item]))
  readonly fail = (error: unknown): Promise<void> => this.emit(failPull(error))
  readonly halt = (cause: Cause): Promise<void> =>
    this.emit(cause._tag === "Fail" ? failPull(cause.error) : as(failCause(cause)))
  readonly end = (): Promise<void> => this.emit(endOfStream)
  close(): void {
    this.isClosed = true
    for (const { onAccepted } of this.waiting) onAccepted()
  }
  readonly pull: Pull = suspendEffect(() => {
    const next = this.waiting.shift()
    if (next !== undefined) {
      this.waiting[this.capacity - 1]?.onAccepted()
      return next.pull
    }
    return flatMap(
      async<void>((resume) => {
        this.wake = () => {
          this.wake = undefined
          resume(unit)
        }
        return sync(() => {
          this.wake = undefined
        })
      }),
      () => this.pull
    )
  })
}

/** The capacity is a number of items; default 16. */
export const asyncScoped: typeof Original.asyncScoped = /*#__PURE__*/ as(
  (register: (emit: EmitQueue) => Effect<unknown>, room = 16) =>
    makeLazyStream((scope) => {
      const emitted = new EmitQueue(room)
      return toPullFailure(
        provideScope(
          flatMap(
            scope.add(() => sync(() => emitted.close())),
            () => map(register(emitted), () => emitted.pull)
          ),
          scope
        )
      )
    })
)

const asyncStream: typeof Original.async = /*#__PURE__*/ as(
  (register: (emit: EmitQueue) => Effect | undefined) =>
    asyncScoped(
      as((emit: EmitQueue) =>
        acquireInScope(
          sync(() => register(emit)),
          (end) => end ?? unit
        )
      )
    )
)

export { asyncStream as async }
