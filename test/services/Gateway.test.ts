// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { layer as configLayer, type SdkConfig } from "../../src/config/Config.js"
import { layer as loggerLayer } from "../../src/config/Logger.js"
import { version } from "../../src/config/version.js"
import { keepDeadlines } from "../../src/http/deadlines.js"
import { Http, HttpFailure, type HttpRequest, type HttpResponse } from "../../src/http/Http.js"
import * as Gateway from "../../src/services/Gateway.js"
import { CallOptions } from "../../src/wire/Transport.js"

const isLean = process.env.EFFECT_CHAINS_RUNTIME === "lean"

type Answer =
  | { readonly status?: number; readonly text?: string; readonly type?: string }
  | HttpFailure
  | "never"

interface Sent extends HttpRequest {
  readonly at: number
}

const response = (answer: Exclude<Answer, HttpFailure | "never">): HttpResponse => ({
  status: answer.status ?? 200,
  header: (name) => (name === "content-type" ? answer.type : undefined),
  bytes: new TextEncoder().encode(answer.text ?? ""),
  text: answer.text ?? ""
})

/** Spans are of the Effect surface. */
const layer = isLean ? Layer.effect(Gateway.Gateway, keepDeadlines(Gateway.make)) : Gateway.layer

/** A gateway over an Http that gives the answers in their order, and fails loudly when asked once too often. */
const setUp = (config: Partial<SdkConfig>, answers: ReadonlyArray<Answer>) =>
  Effect.gen(function* () {
    const sent: Array<Sent> = []
    const interrupted: Array<string> = []
    const http = Layer.succeed(Http, {
      send: (request) =>
        Effect.clockWith((clock) => {
          const answer = answers[sent.length]
          sent.push({ ...request, at: clock.unsafeCurrentTimeMillis() })
          if (answer === undefined)
            return Effect.die(new Error(`unexpected: ${request.method} ${request.url}`))
          if (answer === "never") {
            return Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.push(request.url)))
          }
          return answer instanceof HttpFailure ? Effect.fail(answer) : Effect.succeed(response(answer))
        })
    })
    const gateway = yield* Effect.provide(
      Gateway.Gateway,
      layer.pipe(
        Layer.provide(loggerLayer),
        Layer.provide(configLayer({ network: "ethereum-mainnet", quiet: true, ...config })),
        Layer.provide(http)
      )
    ).pipe(Effect.orDie)
    return { gateway, interrupted, sent }
  })

const get = { method: "GET", path: "data/balances" } as const
const ok = { text: '{"ok":true}' }

describe("a request to the provider", () => {
  it.effect("goes to the base url of the version, the configured one or its own", () =>
    Effect.gen(function* () {
      const v4 = yield* setUp({}, [ok, ok])
      expect(yield* v4.gateway.request(get)).toEqual({ ok: true })
      yield* v4.gateway.request({ ...get, version: "V3" })
      const v3 = yield* setUp({ version: "V3" }, [ok, ok])
      yield* v3.gateway.request(get)
      yield* v3.gateway.request({ ...get, version: "V4" })
      expect([...v4.sent, ...v3.sent].map(({ method, url }) => `${method} ${url}`)).toEqual([
        "GET https://api.tatum.io/v4/data/balances",
        "GET https://api.tatum.io/v3/data/balances",
        "GET https://api.tatum.io/v3/data/balances",
        "GET https://api.tatum.io/v4/data/balances"
      ])
    })
  )

  it.effect("goes to a base url of one's own, given with or without a version", () =>
    Effect.gen(function* () {
      for (const baseUrl of [
        "http://127.0.0.1:4000",
        "http://127.0.0.1:4000/v3/",
        "http://127.0.0.1:4000/"
      ]) {
        const { gateway, sent } = yield* setUp({ provider: { baseUrl }, apiKey: "KEY" }, [ok])
        yield* gateway.request(get)
        expect(sent[0]?.url).toBe("http://127.0.0.1:4000/v4/data/balances")
        expect(sent[0]?.headers["x-api-key"]).toBe("KEY")
      }
    })
  )

  // the lean runtime knows no other variables than those of the process
  it.effect.skipIf(isLean)("goes where TATUM_URL says, with the key, unless it is bound to a version", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ apiKey: "KEY" }, [ok, ok])
      yield* gateway.request(get)
      yield* gateway.request({ ...get, version: "V3" })
      expect(sent.map(({ url }) => url)).toEqual([
        "https://override.example/v9/data/balances",
        "https://api.tatum.io/v3/data/balances"
      ])
      expect(sent.map(({ headers }) => headers["x-api-key"])).toEqual(["KEY", "KEY"])
    }).pipe(
      Effect.withConfigProvider(
        ConfigProvider.fromMap(new Map([["TATUM_URL", "https://override.example/v9/"]]))
      )
    )
  )

  it.effect("carries the SDK's headers, JSON as content type, and the key if there is one", () =>
    Effect.gen(function* () {
      const plain = yield* setUp({}, [ok])
      yield* plain.gateway.request(get)
      expect(plain.sent[0]?.headers).toEqual({
        "content-type": "application/json",
        "x-ttm-sdk-version": version,
        "x-ttm-sdk-product": "JS",
        "x-ttm-sdk-debug": "false"
      })
      const keyed = yield* setUp({ apiKey: Redacted.make("KEY"), verbose: true, quiet: true }, [ok])
      yield* keyed.gateway.request({ method: "POST", path: "x", body: { a: 1 } })
      expect(keyed.sent[0]?.headers).toEqual({
        "content-type": "application/json",
        "x-ttm-sdk-version": version,
        "x-ttm-sdk-product": "JS",
        "x-ttm-sdk-debug": "true",
        "x-api-key": "KEY"
      })
      expect(keyed.sent[0]?.body).toBe('{"a":1}')
    })
  )

  it.effect("carries the key of its version", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ apiKey: { v3: "three", v4: "four" } }, [ok, ok, ok])
      yield* gateway.request(get)
      yield* gateway.request({ ...get, version: "V3" })
      yield* gateway.request({ ...get, version: "V4" })
      expect(sent.map(({ headers }) => headers["x-api-key"])).toEqual(["four", "three", "four"])
    })
  )

  it.effect("is marked type=testnet only without a key, and only on testnets", () =>
    Effect.gen(function* () {
      const query = (config: Partial<SdkConfig>) =>
        Effect.gen(function* () {
          const { gateway, sent } = yield* setUp(config, [ok])
          yield* gateway.request({ ...get, query: { a: 1 } })
          return new URL(sent[0]?.url ?? "").search
        })
      expect(yield* query({})).toBe("?a=1")
      expect(yield* query({ network: "ethereum-sepolia" })).toBe("?a=1&type=testnet")
      expect(yield* query({ network: "bitcoin-testnet" })).toBe("?a=1&type=testnet")
      expect(yield* query({ network: "ethereum-sepolia", apiKey: "KEY" })).toBe("?a=1")
      expect(yield* query({ network: "ethereum-sepolia", apiKey: { v3: "KEY" } })).toBe("?a=1")
      expect(yield* query({ network: "ethereum-sepolia", apiKey: "" })).toBe("?a=1&type=testnet")
    })
  )

  it.effect("leaves empty parameters, zero and false out, repeats lists, and encodes", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({}, [ok])
      const query = {
        a: undefined,
        b: null,
        c: "",
        d: 0,
        e: false,
        f: ["1", "2 & 3"],
        g: "ä/é?",
        h: "0x1,0x2"
      }
      yield* gateway.request({ ...get, query })
      expect(sent[0]?.url).toBe(
        "https://api.tatum.io/v4/data/balances?f=1&f=2+%26+3&g=%C3%A4%2F%C3%A9%3F&h=0x1%2C0x2"
      )
    })
  )

  it.effect("uploads a form without a content type of ours, whose boundary only the sender knows", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ apiKey: "KEY" }, [ok])
      const form = new FormData()
      form.append("file", new Blob(["x"]))
      yield* gateway.request({ method: "POST", path: "ipfs", form, write: true })
      expect(sent[0]?.body).toBe(form)
      expect(sent[0]?.headers).not.toHaveProperty("content-type")
      expect(sent[0]?.headers["x-api-key"]).toBe("KEY")
    })
  )

  it.effect("whose body cannot be sent fails before anything leaves", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({}, [])
      const error = yield* Effect.flip(gateway.request({ method: "POST", path: "x", body: { amount: 1n } }))
      expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed", call: "POST x" })
      expect(sent).toEqual([])
    })
  )
})

describe("the answer of the provider", () => {
  it.effect("is its JSON, or nothing where it is empty", () =>
    Effect.gen(function* () {
      const { gateway } = yield* setUp({}, [{ text: "[1]" }, { text: "" }, { status: 204 }, { text: "null" }])
      expect(yield* gateway.request(get)).toEqual([1])
      expect(yield* gateway.request(get)).toBeUndefined()
      expect(yield* gateway.request({ method: "DELETE", path: "subscription/1" })).toBeUndefined()
      expect(yield* gateway.request(get)).toBeNull()
    })
  )

  it.effect.each(["<html>", '{"a":', "ok"])(
    "that is no JSON is a typed error, and is not asked for again: %j",
    (text) =>
      Effect.gen(function* () {
        const { gateway, sent } = yield* setUp({ retryCount: 3 }, [{ text }])
        expect(yield* Effect.flip(gateway.request(get))).toMatchObject({
          _tag: "GatewayError",
          kind: "malformed",
          status: 200,
          call: "GET data/balances"
        })
        expect(sent).toHaveLength(1)
      })
  )

  it.effect("is handed over as bytes with its content type by a download, whatever it is", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({}, [{ text: "\0é", type: "image/png" }, { text: "" }])
      const file = yield* gateway.download({ method: "GET", path: "ipfs/Qm1" })
      expect([Array.from(file.bytes), file.contentType]).toEqual([[0, 0xc3, 0xa9], "image/png"])
      const empty = yield* gateway.download({ method: "GET", path: "ipfs/Qm2" })
      expect([empty.bytes.byteLength, empty.contentType]).toEqual([0, undefined])
      expect(sent[0]?.url).toBe("https://api.tatum.io/v4/ipfs/Qm1")
    })
  )

  it.effect("with a failed status has the provider's own words", () =>
    Effect.gen(function* () {
      const text =
        '{"statusCode":403,"errorCode":"credit.exhausted","message":"x","data":["attr.plan is used up"],"dashboardLog":"https://d"}'
      const { gateway } = yield* setUp({}, [
        { status: 403, text },
        { status: 404, text: "" },
        { status: 302, text: "" }
      ])
      expect(yield* Effect.flip(gateway.download(get))).toMatchObject({
        kind: "status",
        status: 403,
        code: "credit.exhausted",
        messages: ["plan is used up"],
        dashboardLog: "https://d",
        call: "GET data/balances"
      })
      expect((yield* Effect.flip(gateway.request(get))).message).toBe("HTTP 404 with an empty body")
      expect(yield* Effect.flip(gateway.request(get))).toMatchObject({ status: 302 })
    })
  )

  it.effect.each(["null", '""', '{"message":[""]}', '{"data":["undefined"]}'])(
    "without words has a message all the same: %s",
    (text) =>
      Effect.gen(function* () {
        const { gateway } = yield* setUp({}, [{ status: 404, text }])
        expect((yield* Effect.flip(gateway.request(get))).message).toBe("HTTP 404 without a reason")
      })
  )

  it.effect("does not repeat the key that it was sent", () =>
    Effect.gen(function* () {
      const { gateway } = yield* setUp({ apiKey: "the-api-key" }, [
        { status: 401, text: '{"message":"the key the-api-key is not known","data":["the-api-key"]}' }
      ])
      const error = yield* Effect.flip(gateway.request(get))
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain("the-api-key")
      expect(error.message).toContain("…")
    })
  )

  it.effect.each(["connect", "network", "timeout", "too-large", "redirect"] as const)(
    "that never came says why: %s",
    (kind) =>
      Effect.gen(function* () {
        const { gateway, sent } = yield* setUp({ retryCount: 3 }, [
          new HttpFailure({ kind, reason: "it broke" })
        ])
        const error = yield* Effect.flip(gateway.request(get))
        expect(error).toMatchObject({ _tag: "GatewayError", kind, messages: ["it broke"] })
        expect(error).not.toHaveProperty("status")
        expect(sent).toHaveLength(1)
      })
  )
})

describe("a server error of the provider", () => {
  const down = { status: 503, text: '{"message":"down"}' }

  it.effect("is asked about again retryCount times, retryDelay apart", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ retryCount: 3, retryDelay: 2_000 }, [down, down, down, ok])
      const fiber = yield* Effect.fork(gateway.request(get))
      const seen: Array<number> = []
      for (const step of [0, 1_999, 1, 2_000, 1_999, 1]) {
        yield* TestClock.adjust(step)
        seen.push(sent.length)
      }
      expect(seen).toEqual([1, 1, 2, 3, 3, 4])
      expect(yield* Fiber.join(fiber)).toEqual({ ok: true })
      expect(sent.map(({ at }) => at)).toEqual([0, 2_000, 4_000, 6_000])
    })
  )

  it.effect("stands after the last retry", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({}, [down, { status: 500, text: "last" }])
      const fiber = yield* Effect.fork(Effect.flip(gateway.request(get)))
      yield* TestClock.adjust("1 hour")
      expect(yield* Fiber.join(fiber)).toMatchObject({ status: 500, messages: ["last"] })
      expect(sent).toHaveLength(2)
    })
  )

  it.effect.each([500, 502, 503, 504, 599])("is each of 500 to 599: %i", (status) =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ retryDelay: 0 }, [{ status }, ok])
      const fiber = yield* Effect.fork(gateway.request(get))
      yield* TestClock.adjust(0)
      yield* Fiber.join(fiber)
      expect(sent).toHaveLength(2)
    })
  )

  it.effect.each([400, 401, 403, 404, 408, 409, 429, 499])("is not %i, which stands at once", (status) =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ retryCount: 3, retryDelay: 0 }, [{ status }])
      expect(yield* Effect.flip(gateway.request(get))).toMatchObject({ status })
      expect(sent).toHaveLength(1)
    })
  )

  it.effect("stands at once when retryCount is 0", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ retryCount: 0 }, [down])
      expect(yield* Effect.flip(gateway.request(get))).toMatchObject({ status: 503 })
      expect(sent).toHaveLength(1)
    })
  )

  it.effect("stands at once for a write, which may have had its effect", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ retryCount: 5 }, [down])
      const write = { method: "POST", path: "contract/deploy", body: {}, write: true } as const
      expect(yield* Effect.flip(gateway.request(write))).toMatchObject({ status: 503 })
      expect(sent).toHaveLength(1)
    })
  )

  it.effect("is not asked about again behind the deadline of the call, which all attempts share", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ retryCount: 9, retryDelay: 400, timeout: 1_000 }, [
        down,
        down,
        down
      ])
      const fiber = yield* Effect.fork(Effect.flip(gateway.request(get)))
      yield* TestClock.adjust("1 hour")
      expect(yield* Fiber.join(fiber)).toMatchObject({ status: 503 })
      expect(sent.map(({ at, timeout }) => [at, timeout])).toEqual([
        [0, 1_000],
        [400, 600],
        [800, 200]
      ])
    })
  )
})

describe("a clock", () => {
  it.effect("that jumps ends no request, and lengthens none: deadlines are on one that does not", () =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      for (const jump of [3_600_000, -3_600_000]) {
        let offset = 0
        const jumping: Clock.Clock = {
          ...clock,
          [Clock.ClockTypeId]: Clock.ClockTypeId,
          sleep: (duration) => clock.sleep(duration),
          unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + offset,
          unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
          currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + offset)
        }
        const { gateway, sent } = yield* setUp({ retryCount: 1, retryDelay: 400, timeout: 1_000 }, [
          { status: 503, text: "down" },
          ok
        ])
        const fiber = yield* Effect.fork(Effect.withClock(gateway.request(get), jumping))
        yield* TestClock.adjust(100)
        offset = jump
        yield* TestClock.adjust(400)
        expect(yield* Fiber.join(fiber)).toEqual({ ok: true })
        expect(sent.map(({ timeout }) => timeout)).toEqual([1_000, 600])
      }
    })
  )
})

describe("limits", () => {
  it.effect("are those of the configuration, or of the call", () =>
    Effect.gen(function* () {
      const { gateway, sent } = yield* setUp({ maxResponseBytes: 77, timeout: 1_234 }, [ok, ok])
      yield* gateway.request(get)
      yield* Effect.provideService(gateway.request(get), CallOptions, { timeout: 50 })
      expect(sent.map(({ maxBytes, timeout }) => [maxBytes, timeout])).toEqual([
        [77, 1_234],
        [77, 50]
      ])
    })
  )

  it.effect("end what is under way when the caller is interrupted, also between two attempts", () =>
    Effect.gen(function* () {
      const first = yield* setUp({}, ["never"])
      const waiting = yield* Effect.fork(first.gateway.request(get))
      yield* TestClock.adjust(0)
      expect(first.sent).toHaveLength(1)
      yield* Fiber.interrupt(waiting)
      expect(first.interrupted).toHaveLength(1)
      const second = yield* setUp({}, [{ status: 500 }])
      const pausing = yield* Effect.fork(second.gateway.request(get))
      yield* TestClock.adjust(500)
      yield* Fiber.interrupt(pausing)
      yield* TestClock.adjust("1 hour")
      expect(second.sent).toHaveLength(1)
    })
  )
})
