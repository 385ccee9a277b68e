// @runtime both
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { loadOnce } from "../../src/data/loadOnce.js"

it.effect("loads and makes once for all who ask, and again where it could not be loaded", () =>
  Effect.gen(function* () {
    let made = 0
    let isThere = false
    const part = loadOnce(
      async () => {
        if (!isThere) throw new Error("no such chunk")
        return "chunk"
      },
      (chunk) => Effect.sync(() => ({ chunk, made: ++made }))
    )
    expect(yield* Effect.flip(part)).toMatchObject({
      _tag: "LoadError",
      message: "A part of effect-chains cannot be loaded: no such chunk"
    })
    isThere = true
    const [one, other] = yield* Effect.all([part, part], { concurrency: "unbounded" })
    expect(one).toEqual({ chunk: "chunk", made: 1 })
    expect(other).toBe(one)
    expect(yield* part).toBe(one)
  })
)
