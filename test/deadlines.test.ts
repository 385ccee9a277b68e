// @runtime both
/** Deadlines of requests over an `Http` that keeps none itself. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { keepDeadlines } from "../src/http/deadlines.js"
import { Http, type HttpRequest, type HttpResponse, type HttpService } from "../src/http/Http.js"

const answer: HttpResponse = { status: 200, text: "", header: () => undefined, bytes: new Uint8Array() }

const request: HttpRequest = {
  method: "GET",
  url: "https://a.example/file",
  headers: {},
  body: undefined,
  timeout: 1_000,
  maxBytes: 1_000
}

/** Sends a request by this Http, and tells how it has ended by then. */
const sent = (http: HttpService, given: Partial<HttpRequest> = {}) =>
  Effect.fork(
    Effect.either(
      keepDeadlines(Effect.flatMap(Http, ({ send }) => send({ ...request, ...given }))).pipe(
        Effect.provideService(Http, http)
      )
    )
  )

/** Gives a chunk after each of these pauses (milliseconds), and answers then, or never. */
const giving = (pauses: ReadonlyArray<number>, isEnding: boolean): HttpService => ({
  send: ({ sink }) =>
    Effect.gen(function* () {
      for (const pause of pauses) {
        yield* Effect.sleep(pause)
        yield* Effect.promise(async () => sink?.(new Uint8Array([1])))
      }
      return isEnding ? answer : yield* Effect.never
    })
})

/** Lets so many milliseconds go by, in steps between which promises settle. */
const pass = (ms: number) =>
  Effect.repeatN(
    Effect.zipRight(
      TestClock.adjust(100),
      Effect.promise(() => new Promise((resolve) => setTimeout(resolve)))
    ),
    ms / 100 - 1
  )

const file = { isTimeoutPerChunk: true, sink: async () => {} } as const

describe("a request", () => {
  it.effect("ends at its deadline, and its Http is interrupted", () =>
    Effect.gen(function* () {
      let isInterrupted = false
      const never = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (isInterrupted = true)))
      const running = yield* sent({ send: () => never })
      yield* pass(900)
      expect(running.unsafePoll()).toBeNull()
      yield* pass(100)
      expect(yield* Fiber.join(running)).toMatchObject({ left: { _tag: "HttpFailure", kind: "timeout" } })
      expect(isInterrupted).toBe(true)
    })
  )

  it.effect("has its deadline however much comes, unless it is a file", () =>
    Effect.gen(function* () {
      const moving = giving([600, 600, 600], true)
      const running = yield* sent(moving, { sink: file.sink })
      const going = yield* sent(moving, file)
      yield* pass(2_000)
      expect(yield* Fiber.join(running)).toMatchObject({ left: { kind: "timeout" } })
      expect(yield* Fiber.join(going)).toMatchObject({ right: answer })
    })
  )

  it.effect("for a file ends when nothing has come for too long", () =>
    Effect.gen(function* () {
      const running = yield* sent(giving([600, 600], false), file)
      yield* pass(2_100)
      expect(running.unsafePoll()).toBeNull()
      yield* pass(200)
      expect(yield* Fiber.join(running)).toMatchObject({ left: { kind: "timeout" } })
    })
  )

  it.effect("for a file waits for whoever reads it", () =>
    Effect.gen(function* () {
      let read = (): void => {}
      const sink = () => new Promise<void>((resolve) => (read = resolve))
      const running = yield* sent(giving([500], true), { isTimeoutPerChunk: true, sink })
      yield* pass(5_000)
      expect(running.unsafePoll()).toBeNull()
      read()
      yield* pass(1_100)
      expect(yield* Fiber.join(running)).toMatchObject({ right: answer })
    })
  )

  it.effect("for a file has its deadline moved by what is sent, too", () =>
    Effect.gen(function* () {
      const pulls: Array<() => void> = []
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) =>
          new Promise((resolve) => {
            pulls.push(() => {
              controller.enqueue(new Uint8Array([1]))
              resolve()
            })
          })
      })
      const http: HttpService = {
        send: ({ body: given }) =>
          Effect.promise(async () => {
            const reader = (given as ReadableStream<Uint8Array>).getReader()
            for (let i = 0; i < 3; i++) await reader.read()
            return answer
          })
      }
      const running = yield* sent(http, { method: "POST", body, isTimeoutPerChunk: true })
      for (let i = 0; i < 3; i++) {
        yield* pass(700)
        for (const pull of pulls.splice(0)) pull()
      }
      yield* pass(100)
      expect(yield* Fiber.join(running)).toMatchObject({ right: answer })
    })
  )

  it.effect("is left to an Http that says that it keeps deadlines", () =>
    Effect.gen(function* () {
      const running = yield* sent({
        keepsDeadlines: true,
        send: () => Effect.delay(Effect.succeed(answer), 5_000)
      })
      yield* pass(5_000)
      expect(yield* Fiber.join(running)).toMatchObject({ right: answer })
    })
  )
})
