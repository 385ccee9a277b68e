// @runtime both
/** Filters of a client over time. `adapters.test.ts` has filters whose nodes fail. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TestClock from "effect/TestClock"
import { endpoints } from "../src/chains/Evm.js"
import { pinFilters } from "../src/client/lazySubscriptions.js"
import { makeFactory } from "../src/transport/Client.js"
import { CallOptions, type TransportService } from "../src/wire/Transport.js"

interface Asked {
  readonly node: string | number | undefined
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** Filters over a transport whose node answers as told, and what it was asked. */
const asking = (answer: (asked: Asked) => unknown) => {
  const asked: Array<Asked> = []
  const inner: TransportService = {
    nodeUrl: () => Effect.succeed("https://one.example"),
    send: (call) =>
      Effect.flatMap(CallOptions, ({ node }) =>
        Effect.suspend(() => {
          const { id, method, params } = JSON.parse(String(call.body))
          asked.push({ node, method, params })
          const text = JSON.stringify({ jsonrpc: "2.0", id, result: answer({ node, method, params }) })
          return Either.match(call.decode({ status: 200, text, url: "https://one.example" }), {
            onLeft: ({ error }) => Effect.fail(error),
            onRight: (value) => Effect.succeed(value)
          })
        })
      )
  }
  const routing = { archive: false, batchArchive: false }
  const { rawRpcCall } = makeFactory(pinFilters(inner, makeFactory(inner, routing)), routing)(endpoints)
  const ask = (method: string, ...params: ReadonlyArray<unknown>) => rawRpcCall<string>({ method, params })
  return { ask, asked }
}

const answers = ({ method }: Asked): unknown =>
  method === "eth_getFilterChanges" ? [] : method === "eth_uninstallFilter" ? true : "0x7"

describe("a filter", () => {
  it.effect("that is polled stays; one that nobody polls for five minutes is dropped", () =>
    Effect.gen(function* () {
      const { ask } = asking(answers)
      const [kept, left] = [yield* ask("eth_newFilter", {}), yield* ask("eth_newBlockFilter")]
      for (let i = 0; i < 3; i++) {
        yield* TestClock.adjust(Duration.minutes(2))
        expect(yield* ask("eth_getFilterChanges", kept)).toEqual([])
      }
      expect(yield* Effect.flip(ask("eth_getFilterChanges", left))).toMatchObject({
        _tag: "RpcError",
        code: -32000,
        message: "filter not found"
      })
      expect(yield* ask("eth_uninstallFilter", left)).toBe(false)
      expect(yield* ask("eth_uninstallFilter", kept)).toBe(true)
    })
  )

  it.effect.each([3_600_000, -3_600_000])(
    "outlives a clock that jumps by %i ms, and is told as often",
    (jump) =>
      Effect.gen(function* () {
        const { ask, asked } = asking(answers)
        const clock = yield* Effect.clock
        let offset = 0
        const jumping: Clock.Clock = {
          ...clock,
          [Clock.ClockTypeId]: Clock.ClockTypeId,
          sleep: (duration) => clock.sleep(duration),
          unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + offset,
          unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos()
        }
        const id = yield* Effect.withClock(ask("eth_newFilter", {}), jumping)
        const heights = () => asked.filter(({ method }) => method === "eth_blockNumber").length
        const atFirst = heights()
        offset = jump
        yield* TestClock.adjust(Duration.seconds(61))
        expect(yield* Effect.withClock(ask("eth_getFilterChanges", id), jumping)).toEqual([])
        expect(heights() - atFirst).toBe(1)
      })
  )

  it.effect("makes room for others when it is dropped", () =>
    Effect.gen(function* () {
      const { ask } = asking(answers)
      for (let i = 0; i < 1_000; i++) yield* ask("eth_newBlockFilter")
      expect(yield* Effect.flip(ask("eth_newBlockFilter"))).toMatchObject({ code: -32005 })
      yield* TestClock.adjust(Duration.minutes(6))
      expect(yield* ask("eth_newBlockFilter")).toMatch(/^0x/)
    })
  )

  it.effect("of logs is told once a minute how far its node is, and no oftener", () =>
    Effect.gen(function* () {
      const { ask, asked } = asking(answers)
      const id = yield* ask("eth_newFilter", {})
      const heights = () => asked.filter(({ method }) => method === "eth_blockNumber").length
      const atFirst = heights()
      for (let i = 0; i < 10; i++) {
        yield* TestClock.adjust(Duration.seconds(20))
        yield* ask("eth_getFilterChanges", id)
      }
      expect(heights() - atFirst).toBe(3)
    })
  )

  it.effect(
    "and a subscription are ended at their node, under its own id; a subscription is not polled",
    () =>
      Effect.gen(function* () {
        const { ask, asked } = asking(answers)
        const id = yield* ask("eth_subscribe", "newHeads")
        expect(id).not.toBe("0x7")
        yield* TestClock.adjust(Duration.hours(1))
        yield* ask("eth_unsubscribe", id)
        expect(asked.at(-1)).toEqual({
          node: "https://one.example",
          method: "eth_unsubscribe",
          params: ["0x7"]
        })
        expect(yield* ask("eth_unsubscribe", id)).toBe(false)
        expect(yield* ask("eth_uninstallFilter", "0x7")).toBe(false)
      })
  )
})
