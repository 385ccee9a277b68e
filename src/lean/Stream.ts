import type * as Original from "effect/Stream"
import { as } from "./cast.js"
import { acquired, current, type Ends, within } from "./finalizers.js"
import {
  async,
  type Cause,
  caught,
  type Effect,
  fail,
  failCause,
  flatMap,
  map,
  succeed,
  suspend as suspended,
  sync,
  unit
} from "./machine.js"
import { none, some } from "./Option.js"

type Items = ReadonlyArray<unknown>
/** The next items. It fails with none at the end, and with some failure. */
type Pull = Effect<Items>

const over: Pull = /*#__PURE__*/ suspended(() => fail(none()))
const failing = (error: unknown): Pull => fail(some(error))
const failed = <A>(self: Effect<A>, otherwise: (error: unknown) => Effect<A>): Effect<A> =>
  caught(self, (cause) => (cause._tag === "Fail" ? otherwise(cause.error) : failCause(cause)))
const told = <A>(self: Effect<A>): Effect<A> => failed(self, (error) => fail(some(error)))

/** It is pulled by one, and all that it opens is closed with the scope that it is pulled in, not before. */
class Stream {
  readonly open: (scope: Ends) => Pull
  constructor(open: Stream["open"]) {
    this.open = open
  }
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return steps.reduce<unknown>((self, step) => step(self), this)
  }
}

/** A stream of a pull that is made with its first items. */
const opening = (open: (scope: Ends) => Effect<Pull>): Stream =>
  new Stream((scope) => {
    let pull: Pull | undefined
    return suspended(
      () =>
        pull ??
        flatMap(open(scope), (opened) => {
          pull = opened
          return opened
        })
    )
  })

export const toPull: typeof Original.toPull = /*#__PURE__*/ as((self: Stream) => map(current, self.open))

const unwrapScoped: typeof Original.unwrapScoped = /*#__PURE__*/ as((made: Effect<Stream>) =>
  opening((scope) => map(told(within(made, scope)), ({ open }) => open(scope)))
)

export { unwrapScoped }
export const unwrap: typeof Original.unwrap = /*#__PURE__*/ as(unwrapScoped)
export const suspend: typeof Original.suspend = /*#__PURE__*/ as(
  (made: () => Stream) => new Stream((scope) => made().open(scope))
)
export const empty: typeof Original.empty = /*#__PURE__*/ as(/*#__PURE__*/ new Stream(() => over))

const broken: typeof Original.fail = /*#__PURE__*/ as((error: unknown) => new Stream(() => failing(error)))

export { broken as fail }

export const paginateChunkEffect: typeof Original.paginateChunkEffect = /*#__PURE__*/ as(
  (first: unknown, page: (at: unknown) => Effect<readonly [Items, ReturnType<typeof some>]>) =>
    new Stream(() => {
      let at = some(first)
      return suspended(() =>
        at._tag === "None"
          ? over
          : map(told(page(at.value)), ([items, next]) => {
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
      let pull: Pull = failed(first.open(scope), (end) => {
        if (as<ReturnType<typeof none>>(end)._tag === "Some") return as<Pull>(fail(end))
        pull = second.open(scope)
        return pull
      })
      return suspended(() => pull)
    })
)

export const take: typeof Original.take = /*#__PURE__*/ as(
  (self: Stream, count: number) =>
    new Stream((scope) => {
      const pull = self.open(scope)
      let left = count
      return suspended(() =>
        left <= 0
          ? over
          : map(pull, (items) => {
              const taken = items.slice(0, left)
              left -= taken.length
              return taken
            })
      )
    })
)

const changed = (self: Stream, change: (pull: Pull) => Pull): Stream =>
  new Stream((scope) => change(self.open(scope)))

/** A part of which it leaves nothing comes without items. */
export const filter: typeof Original.filter = /*#__PURE__*/ as(
  (is: (item: unknown) => boolean) => (self: Stream) =>
    changed(self, (pull) => map(pull, (items) => items.filter(is)))
)

export const mapChunksEffect: typeof Original.mapChunksEffect = /*#__PURE__*/ as(
  (change: (items: Items) => Effect<Items>) => (self: Stream) =>
    changed(self, (pull) => flatMap(pull, (items) => told(change(items))))
)

/** What is emitted and was not pulled yet. Who emits more than the room for it waits until there is room. */
class Emitted {
  private readonly waiting: Array<{ readonly pull: Pull; readonly taken: () => void }> = []
  private wake: (() => void) | undefined
  private isClosed = false
  private readonly room: number
  constructor(room: number) {
    this.room = room
  }
  private emit(pull: Pull): Promise<void> {
    return new Promise((taken) => {
      if (this.isClosed) return taken()
      this.waiting.push({ pull, taken })
      if (this.waiting.length <= this.room) taken()
      this.wake?.()
    })
  }
  readonly single = (item: unknown): Promise<void> => this.emit(succeed([item]))
  readonly fail = (error: unknown): Promise<void> => this.emit(failing(error))
  readonly halt = (cause: Cause): Promise<void> =>
    this.emit(cause._tag === "Fail" ? failing(cause.error) : as(failCause(cause)))
  readonly end = (): Promise<void> => this.emit(over)
  close(): void {
    this.isClosed = true
    for (const { taken } of this.waiting) taken()
  }
  readonly pull: Pull = suspended(() => {
    const next = this.waiting.shift()
    if (next !== undefined) {
      this.waiting[this.room - 1]?.taken()
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

/** The room for items is a number, of 16 where nothing is said. */
export const asyncScoped: typeof Original.asyncScoped = /*#__PURE__*/ as(
  (register: (emit: Emitted) => Effect<unknown>, room = 16) =>
    opening((scope) => {
      const emitted = new Emitted(room)
      return told(
        within(
          flatMap(
            scope.add(() => sync(() => emitted.close())),
            () => map(register(emitted), () => emitted.pull)
          ),
          scope
        )
      )
    })
)

const emitting: typeof Original.async = /*#__PURE__*/ as((register: (emit: Emitted) => Effect | undefined) =>
  asyncScoped(
    as((emit: Emitted) =>
      acquired(
        sync(() => register(emit)),
        (end) => end ?? unit
      )
    )
  )
)

export { emitting as async }
