import * as Chunk from "effect/Chunk"
import { dual } from "effect/Function"
import * as Micro from "effect/Micro"
import type * as Original from "effect/Stream"
import { as, fail } from "../../src/lean/micro.js"
import type { none, some } from "../../src/lean/Option.js"
import * as Lean from "../../src/lean/Stream.js"

export * from "../../src/lean/Stream.js"

type Stream = Parameters<typeof Lean.toPull>[0]
type Pull = Micro.Micro<ReadonlyArray<unknown>, ReturnType<typeof some> | ReturnType<typeof none>>

/** Tests take a stream to its end, item by item. */
const taken = (self: Stream, take: (item: unknown) => Micro.Micro<unknown, unknown>) =>
  Micro.scoped(
    Micro.flatMap(as<Micro.Micro<Pull, never, Micro.MicroScope>>(Lean.toPull(self)), (pull) => {
      const next: Micro.Micro<void, unknown> = Micro.matchEffect(pull, {
        onFailure: (end) => (end._tag === "None" ? Micro.void : as<typeof next>(fail(end.value))),
        onSuccess: (items) => Micro.flatMap(Micro.forEach(items, take, { discard: true }), () => next)
      })
      return next
    })
  )

export const runForEach: typeof Original.runForEach = /*#__PURE__*/ as(dual(2, taken))
export const runDrain: typeof Original.runDrain = /*#__PURE__*/ as((self: Stream) =>
  taken(self, () => Micro.void)
)
export const runCollect: typeof Original.runCollect = /*#__PURE__*/ as((self: Stream) =>
  Micro.suspend(() => {
    const items: Array<unknown> = []
    const collected = taken(self, (item) => Micro.sync(() => items.push(item)))
    return Micro.map(collected, () => Chunk.fromIterable(items))
  })
)
