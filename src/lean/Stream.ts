import * as Micro from "effect/Micro"
import type * as Original from "effect/Stream"
import { as, fail } from "./micro.js"
import { none, some } from "./Option.js"

type Any = Micro.Micro<unknown, unknown>
type Items = ReadonlyArray<unknown>
/** The next items. It fails with none at the end, and with some failure. */
type Pull = Micro.Micro<Items, unknown>

const over: Pull = /*#__PURE__*/ as(/*#__PURE__*/ Micro.suspend(() => as<Pull>(fail(none()))))
const failing = (error: unknown): Pull => as(fail(some(error)))
const told = <A>(self: Micro.Micro<A, unknown>): Micro.Micro<A, unknown> =>
  Micro.catchAll(self, (error) => as<Micro.Micro<never, unknown>>(failing(error)))

/** It is pulled by one, and all that it opens is closed with the scope that it is pulled in, not before. */
class Stream {
  readonly open: (scope: Micro.MicroScope) => Pull
  constructor(open: Stream["open"]) {
    this.open = open
  }
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return steps.reduce<unknown>((self, step) => step(self), this)
  }
}

/** A stream of a pull that is made with its first items. */
const opening = (open: (scope: Micro.MicroScope) => Micro.Micro<Pull, unknown>): Stream =>
  new Stream((scope) => {
    let pull: Pull | undefined
    return Micro.suspend(
      () =>
        pull ??
        Micro.flatMap(open(scope), (opened) => {
          pull = opened
          return opened
        })
    )
  })

export const toPull: typeof Original.toPull = /*#__PURE__*/ as((self: Stream) =>
  Micro.map(Micro.scope, self.open)
)

const unwrapScoped: typeof Original.unwrapScoped = /*#__PURE__*/ as(
  (made: Micro.Micro<Stream, unknown, Micro.MicroScope>) =>
    opening((scope) => Micro.map(told(Micro.provideScope(made, scope)), ({ open }) => open(scope)))
)

export { unwrapScoped }
export const unwrap: typeof Original.unwrap = /*#__PURE__*/ as(unwrapScoped)
export const suspend: typeof Original.suspend = /*#__PURE__*/ as(
  (made: () => Stream) => new Stream((scope) => made().open(scope))
)
export const empty: typeof Original.empty = /*#__PURE__*/ as(/*#__PURE__*/ new Stream(() => over))

const failed: typeof Original.fail = /*#__PURE__*/ as((error: unknown) => new Stream(() => failing(error)))

export { failed as fail }

export const paginateChunkEffect: typeof Original.paginateChunkEffect = /*#__PURE__*/ as(
  (first: unknown, page: (at: unknown) => Micro.Micro<readonly [Items, ReturnType<typeof some>]>) =>
    new Stream(() => {
      let at = some(first)
      return Micro.suspend(() =>
        at._tag === "None"
          ? over
          : Micro.map(told(page(at.value)), ([items, next]) => {
              at = next
              return items
            })
      )
    })
)

export const fromIterableEffect: typeof Original.fromIterableEffect = /*#__PURE__*/ as(
  (items: Micro.Micro<Iterable<unknown>>) =>
    as<(first: unknown, page: () => unknown) => Stream>(paginateChunkEffect)(undefined, () =>
      Micro.map(items, (all) => [[...all], none()])
    )
)

export const concat: typeof Original.concat = /*#__PURE__*/ as(
  (first: Stream, second: Stream) =>
    new Stream((scope) => {
      let pull: Pull = Micro.catchAll(first.open(scope), (end) => {
        if (as<ReturnType<typeof none>>(end)._tag === "Some") return as<Pull>(fail(end))
        pull = second.open(scope)
        return pull
      })
      return Micro.suspend(() => pull)
    })
)

export const take: typeof Original.take = /*#__PURE__*/ as(
  (self: Stream, count: number) =>
    new Stream((scope) => {
      const pull = self.open(scope)
      let left = count
      return Micro.suspend(() =>
        left <= 0
          ? over
          : Micro.map(pull, (items) => {
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
    changed(self, (pull) => Micro.map(pull, (items) => items.filter(is)))
)

export const mapChunksEffect: typeof Original.mapChunksEffect = /*#__PURE__*/ as(
  (change: (items: Items) => Micro.Micro<Items, unknown>) => (self: Stream) =>
    changed(self, (pull) => Micro.flatMap(pull, (items) => told(change(items))))
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
  readonly single = (item: unknown): Promise<void> => this.emit(Micro.succeed([item]))
  readonly fail = (error: unknown): Promise<void> => this.emit(failing(error))
  readonly halt = (cause: Micro.MicroCause<unknown>): Promise<void> =>
    this.emit(cause._tag === "Fail" ? failing(cause.error) : as(Micro.failCause(cause)))
  readonly end = (): Promise<void> => this.emit(over)
  close(): void {
    this.isClosed = true
    for (const { taken } of this.waiting) taken()
  }
  readonly pull: Pull = Micro.suspend(() => {
    const next = this.waiting.shift()
    if (next !== undefined) {
      this.waiting[this.room - 1]?.taken()
      return next.pull
    }
    return Micro.flatMap(
      Micro.async<void>((resume) => {
        this.wake = () => {
          this.wake = undefined
          resume(Micro.void)
        }
        return Micro.sync(() => {
          this.wake = undefined
        })
      }),
      () => this.pull
    )
  })
}

/** The room for items is a number, of 16 where nothing is said. */
export const asyncScoped: typeof Original.asyncScoped = /*#__PURE__*/ as(
  (register: (emit: Emitted) => Micro.Micro<unknown, unknown, Micro.MicroScope>, room = 16) =>
    opening((scope) => {
      const emitted = new Emitted(room)
      return told(
        Micro.provideScope(
          Micro.flatMap(
            Micro.addFinalizer(() => Micro.sync(() => emitted.close())),
            () => Micro.as(register(emitted), emitted.pull)
          ),
          scope
        )
      )
    })
)

const emitting: typeof Original.async = /*#__PURE__*/ as((register: (emit: Emitted) => Any | undefined) =>
  asyncScoped(
    as((emit: Emitted) =>
      Micro.acquireRelease(
        Micro.sync(() => register(emit)),
        (end) => as<Micro.Micro<void>>(end ?? Micro.void)
      )
    )
  )
)

export { emitting as async }
