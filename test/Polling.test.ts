import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { expectTypeOf } from "vitest"
import { poll } from "../src/client/Polling.js"
import { failure, success } from "../src/data/CallResult.js"
import { type InvalidArgument, NoRpcUrls, type NullResult, RetryTimeout } from "../src/data/SdkError.js"
import { type Result, retry as retryPromise } from "../src/promise.js"

/** Gives the answers in their order, the last one again and again, and counts. */
const answering = <A>(...answers: ReadonlyArray<Effect.Effect<A, Error>>) => {
  const times: Array<number> = []
  const call = Effect.clockWith((clock) => {
    const answer = answers[Math.min(times.length, answers.length - 1)]
    times.push(clock.unsafeCurrentTimeMillis())
    return answer ?? Effect.die(new Error("nothing to answer"))
  })
  return { call, times }
}

const none = Effect.succeed(null)

describe("retry", () => {
  it.effect("yields the first thing that is not null, and then asks no more", () =>
    Effect.gen(function* () {
      const { call, times } = answering<number | null | undefined>(
        none,
        Effect.succeed(undefined),
        Effect.fail(new Error("not yet")),
        Effect.succeed(0)
      )
      const fiber = yield* Effect.fork(poll(call))
      yield* TestClock.adjust(10_000)
      expect(yield* Fiber.join(fiber)).toBe(0)
      expect(times).toEqual([0, 500, 1_000, 1_500])
    })
  )

  it.effect("takes false and the empty text for something", () =>
    Effect.gen(function* () {
      expect(yield* poll(Effect.succeed(false))).toBe(false)
      expect(yield* poll(Effect.succeed(""))).toBe("")
    })
  )

  it.effect("gives up after 10 seconds with the last failure", () =>
    Effect.gen(function* () {
      const { call, times } = answering(none, Effect.fail(new Error("one")), Effect.fail(new Error("last")))
      const fiber = yield* Effect.fork(Effect.flip(poll(call)))
      yield* TestClock.adjust(9_999)
      expect(fiber.unsafePoll()).toBeNull()
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(fiber)).message).toBe("last")
      expect(times.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => i * 500))
    })
  )

  it.effect("gives up with NullResult where there was nothing", () =>
    Effect.gen(function* () {
      const { call, times } = answering(Effect.fail(new Error("first")), none)
      const fiber = yield* Effect.fork(Effect.flip(poll(call, { timeout: "1900 millis", delay: "1 second" })))
      yield* TestClock.adjust(1_900)
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "NullResult", message: "Null result" })
      expect(times).toEqual([0, 1_000])
    })
  )

  it.effect("gives up with RetryTimeout where no try has ended, and interrupts it", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const call = Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++))
      const fiber = yield* Effect.fork(Effect.flip(poll(call)))
      yield* TestClock.adjust(10_000)
      const error = yield* Fiber.join(fiber)
      expect([error._tag, error.message]).toEqual(["RetryTimeout", "Retry timeout failed"])
      expect(interrupted).toBe(1)
    })
  )

  it.effect("keeps the last failure of a try that ended when the next one hangs", () =>
    Effect.gen(function* () {
      const { call } = answering(Effect.fail(new Error("first")), Effect.never)
      const fiber = yield* Effect.fork(Effect.flip(poll(call)))
      yield* TestClock.adjust(10_000)
      expect((yield* Fiber.join(fiber)).message).toBe("first")
    })
  )

  it.effect("does not repeat a defect", () =>
    Effect.gen(function* () {
      const { call, times } = answering(Effect.die(new Error("a bug")))
      const exit = yield* Effect.exit(poll(call))
      expect(exit._tag).toBe("Failure")
      expect(times.length).toBe(1)
    })
  )

  it("is typed: nothing null comes out, and its own failures are added", () => {
    const effect: Effect.Effect<string | null, InvalidArgument> = none
    expectTypeOf(poll(effect)).toEqualTypeOf<
      Effect.Effect<string, InvalidArgument | NullResult | RetryTimeout>
    >()
    const call = async (): Promise<Result<string | null, InvalidArgument>> => success(null)
    expectTypeOf(retryPromise<Result<string | null, InvalidArgument>>).returns.toEqualTypeOf<
      Promise<string>
    >()
    expectTypeOf(call).toBeFunction()
    expectTypeOf(retryPromise<number | undefined>).returns.toEqualTypeOf<Promise<number>>()
  })
})

describe("retry on the Promise surface", () => {
  const fast = { timeout: 40, delay: 1 }
  const patient = { timeout: 60_000, delay: 1 }

  it("takes the data of results for what they carry, and plain values for themselves", async () => {
    const results = [success(null), failure(new NoRpcUrls({ network: "x" })), success("there")]
    expect(await retryPromise(async () => results.shift(), patient)).toBe("there")
    const values = [undefined, null, 7]
    expect(await retryPromise(() => values.shift(), patient)).toBe(7)
    const text = { status: "SUCCESS" }
    expect(await retryPromise(() => text, patient)).toBe(text)
  })

  it("rejects with what was thrown last, whatever it is", async () => {
    await expect(retryPromise(() => Promise.reject(new Error("no")), fast)).rejects.toThrow("no")
    await expect(retryPromise(() => Promise.reject("text"), fast)).rejects.toBe("text")
    const cause = new NoRpcUrls({ network: "x" })
    await expect(retryPromise(async () => failure(cause), fast)).rejects.toBe(cause)
    await expect(retryPromise(() => null, fast)).rejects.toMatchObject({ _tag: "NullResult" })
  })

  it("rejects when the time is up, and aborts the try under way", async () => {
    let aborted = false
    const hanging = (signal: AbortSignal) =>
      new Promise<never>(() => {
        signal.addEventListener("abort", () => {
          aborted = true
        })
      })
    await expect(retryPromise(hanging, fast)).rejects.toBeInstanceOf(RetryTimeout)
    expect(aborted).toBe(true)
  })
})
