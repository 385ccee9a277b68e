// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { shareInFlight } from "../../src/balancer/Background.js"

describe("a question that is shared", () => {
  it.scoped("is asked once for all who ask at the time, and anew by the next one", () =>
    Effect.gen(function* () {
      let asked = 0
      const latch = yield* Effect.makeLatch(false)
      const { run, isRunning } = shareInFlight(yield* Effect.scope, (key: string) =>
        Effect.zipRight(
          latch.await,
          Effect.sync(() => `${key} ${++asked}`)
        )
      )
      const both = yield* Effect.fork(
        Effect.all([run("a"), run("a"), run("b")], { concurrency: "unbounded" })
      )
      yield* Effect.repeatN(Effect.yieldNow(), 9)
      expect([isRunning("a"), isRunning("b"), isRunning("c")]).toEqual([true, true, false])
      yield* latch.open
      const [one, other, b] = yield* Fiber.join(both)
      expect([one === other, b === one]).toEqual([true, false])
      expect(isRunning("a")).toBe(false)
      expect(yield* run("a")).not.toBe(one)
    })
  )

  it.scoped("is not kept where it was over at once", () =>
    Effect.gen(function* () {
      let asked = 0
      const { run, isRunning } = shareInFlight(yield* Effect.scope, () => Effect.sync(() => ++asked))
      // fibers of this scheduler run as soon as they are forked
      const atOnce = Effect.withScheduler({ scheduleTask: (task) => task(), shouldYield: () => false })
      expect(yield* atOnce(run("a"))).toBe(1)
      expect(isRunning("a")).toBe(false)
      expect(yield* atOnce(run("a"))).toBe(2)
    })
  )
})
