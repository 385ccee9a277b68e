import * as Chunk from "effect/Chunk"
import type * as EffectOf from "effect/Effect"
import { dual } from "effect/Function"
import type * as Original from "effect/Stream"
import { as } from "../../src/lean/cast.js"
import * as Lean from "../../src/lean/Effect.js"
import {
  type Effect,
  fail,
  failCause,
  flatMap,
  forEachInOrder,
  map,
  matchCause,
  suspend,
  sync,
  unit
} from "../../src/lean/fiberRuntime.js"
import type { none, some } from "../../src/lean/Option.js"
import { toPull } from "../../src/lean/Stream.js"

export * from "../../src/lean/Stream.js"

type Stream = Parameters<typeof toPull>[0]

/** Tests take a stream to its end, item by item. */
const taken = (self: Stream, take: (item: unknown) => Effect): Effect =>
  as(
    Lean.scoped(
      as<EffectOf.Effect<unknown>>(
        flatMap(as<Effect<Effect<ReadonlyArray<unknown>>>>(toPull(self)), (pull) => {
          const next: Effect = matchCause(
            pull,
            (items) => flatMap(forEachInOrder(items, take), () => next),
            (cause) => {
              if (cause._tag !== "Fail") return failCause(cause)
              const end = as<ReturnType<typeof some> | ReturnType<typeof none>>(cause.error)
              return end._tag === "None" ? unit : fail(end.value)
            }
          )
          return next
        })
      )
    )
  )

export const runForEach: typeof Original.runForEach = /*#__PURE__*/ as(dual(2, taken))
export const runDrain: typeof Original.runDrain = /*#__PURE__*/ as((self: Stream) => taken(self, () => unit))
export const runCollect: typeof Original.runCollect = /*#__PURE__*/ as((self: Stream) =>
  suspend(() => {
    const items: Array<unknown> = []
    const collected = taken(self, (item) => sync(() => items.push(item)))
    return map(collected, () => Chunk.fromIterable(items))
  })
)
