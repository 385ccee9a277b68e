import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as CallOptions from "../src/config/CallOptions.js"
import * as Transport from "../src/wire/Transport.js"

/** Hands on the options in force, as transports see them. */
const seen = Effect.map(Transport.CallOptions, (options) => ({ ...options }))

const options: fc.Arbitrary<CallOptions.CallOptionsShape> = fc.record(
  {
    timeout: fc.nat(),
    attemptTimeout: fc.nat(),
    node: fc.webUrl(),
    coalesce: fc.boolean(),
    batch: fc.boolean(),
    quorum: fc.record({ nodes: fc.nat(), agree: fc.nat() }),
    minBlock: fc.bigInt(),
    archive: fc.constantFrom("prefer" as const, "strict" as const)
  },
  { requiredKeys: [], noNullPrototype: true }
)

describe("CallOptions.with", () => {
  it.effect("holds for the calls inside, and for no others", () =>
    Effect.gen(function* () {
      const inside = yield* CallOptions.with(seen, { timeout: 5 })
      expect(inside).toEqual({ timeout: 5 })
      expect(yield* seen).toEqual({})
      // the same, the other way round
      expect(yield* seen.pipe(CallOptions.with({ timeout: 5 }))).toEqual({ timeout: 5 })
    })
  )

  it.effect("keeps what is set outside of it: an outer minBlock does not vanish under an inner timeout", () =>
    Effect.gen(function* () {
      const both = seen.pipe(CallOptions.with({ timeout: 5 }), CallOptions.with({ minBlock: 7n, timeout: 9 }))
      expect(yield* both).toEqual({ minBlock: 7n, timeout: 5 })
    })
  )

  it("lets the innermost win, option by option", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(options, { maxLength: 5 }), async (layers) => {
        // the first is the outermost
        const nested = layers.reduceRight(
          (inner, each) => CallOptions.with(inner, each),
          seen as Effect.Effect<CallOptions.CallOptionsShape, unknown>
        )
        expect(await Effect.runPromise(nested)).toEqual(Object.assign({}, ...layers))
      })
    )
  })

  it.effect("is that of each fiber: concurrent calls keep their own", () =>
    Effect.gen(function* () {
      const all = Effect.forEach(
        [1, 2, 3],
        (timeout) => Effect.zipRight(Effect.yieldNow(), seen).pipe(CallOptions.with({ timeout })),
        { concurrency: "unbounded" }
      )
      const found = yield* all.pipe(CallOptions.with({ archive: "strict" }))
      expect(found).toEqual([1, 2, 3].map((timeout) => ({ archive: "strict", timeout })))
    })
  )

  it.effect("does the same for streams, whenever they are run", () =>
    Effect.gen(function* () {
      const twice = Stream.repeatEffect(seen).pipe(Stream.take(2))
      const inner = twice.pipe(CallOptions.withStream({ timeout: 5 }))
      const found = yield* Stream.runCollect(inner).pipe(CallOptions.with({ archive: "strict", timeout: 9 }))
      const both = { archive: "strict", timeout: 5 }
      expect([...found]).toEqual([both, both])
      expect([...(yield* Stream.runCollect(CallOptions.withStream(twice, { minBlock: 7n })))]).toEqual([
        { minBlock: 7n },
        { minBlock: 7n }
      ])
    })
  )
})
